"""The guided panel: a tower where there is a choice, then where it goes; or the end to fill from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Literal

from engines.kamisado.board import HOME
from engines.kamisado.data import COLOR_OF, SIDES
from engines.kamisado.model import AnyAction, Fill, KamisadoState, Move, Push, Target, Tower
from engines.kamisado.notation import format_action
from engines.kamisado.rules import move, targets
from engines.protocol import Choice, Prompt, Ready


def action_of(target: Target) -> Move | Push:
    """The action that a target means."""
    return step(target.kind, target.from_, target.to)


@lru_cache(maxsize=4096)
def step(kind: Literal["move", "push"], from_: str, to: str) -> Move | Push:
    """A move or a push, each made once."""
    return Push(from_=from_, to=to) if kind == "push" else Move(from_=from_, to=to)


def ways(state: KamisadoState) -> list[tuple[tuple[str, ...], AnyAction]]:
    """The actions with what is picked for them: towers as they stand, what wins and pushes first.

    The end to fill from; the square to move to, after the tower's colour where any may move (T1).
    """
    if state.phase == "fill":
        return [(("left",), Fill(side="left")), (("right",), Fill(side="right"))]
    by_tower = state.forced is None
    found = sorted(targets(state), key=lambda t: (t.from_ if by_tower else "", not t.wins, t.kind != "push"))
    colors = {tower.square: tower.color for tower in state.towers}
    return [((colors[t.from_], t.to) if by_tower else (t.to,), action_of(t)) for t in found]


def prompt(state: KamisadoState, path: Sequence[str], keys: Sequence[str]) -> Prompt:
    """The question after the picks of `path`, with these answers."""
    if state.phase == "fill":
        return Prompt(code="fill", choices=tuple(_end(state, key) for key in keys))
    if state.forced is None and not path:
        towers: dict[str, Tower] = {
            tower.color: tower for tower in state.towers if tower.owner == state.to_move
        }
        return Prompt(code="tower", choices=tuple(_tower(towers[key]) for key in keys))
    color = state.forced or path[0]
    tower = next(t for t in state.towers if (t.owner, t.color) == (state.to_move, color))
    reached = {target.to: target for target in targets(state) if target.from_ == tower.square}
    return Prompt(
        code="target",
        params={"tower": tower.color, "square": tower.square, "teeth": tower.teeth},
        choices=tuple(_target(reached[key]) for key in keys),
    )


def ready(state: KamisadoState, action: AnyAction) -> Ready:
    """The end of a path, with a warning where nobody could move any more, which loses (M8)."""
    moved = move(state, action).events if isinstance(action, Move | Push) else ()
    loses = any(event.code == "deadlock" for event in moved)
    return Ready(
        action=format_action(action), warning="deadlock" if loses else None, sure=isinstance(action, Fill)
    )


def _end(state: KamisadoState, key: str) -> Choice:
    """An end of the home rank, as the defender sees left and right."""
    side = SIDES.index(state.to_move or "white")
    file = "h" if (key == "left") != bool(side) else "a"
    return Choice(key=key, code=f"fill-{key}", marks=(f"{file}{HOME[side] + 1}",))


def _tower(tower: Tower) -> Choice:
    params = {"tower": tower.color, "square": tower.square}
    return Choice(key=tower.color, code="tower", params=params, marks=(tower.square,))


def _target(target: Target) -> Choice:
    return _onto(target.to, "win" if target.wins else target.kind)


@cache
def _onto(square: str, code: str) -> Choice:
    """A square to go to, each made once."""
    params, style = {"square": square, "color": COLOR_OF[square]}, "primary" if code == "win" else "plain"
    return Choice(key=square, code=code, params=params, marks=(square,), style=style)
