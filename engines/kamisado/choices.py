"""The guided panel: a tower where there is a choice, then where it goes; or the end to fill from."""

from __future__ import annotations

from collections.abc import Sequence

from engines.kamisado.board import HOME
from engines.kamisado.data import COLOR_OF, SIDES
from engines.kamisado.model import KamisadoState, Move, Push, Target
from engines.kamisado.notation import format_action
from engines.kamisado.rules import move, targets
from engines.protocol import Choice, Prompt, Ready, RulesError


def choices(state: KamisadoState, path: Sequence[str]) -> Prompt | Ready:
    """The panel of the seat to act after the picks of `path`. Raises RulesError `stale-path`."""
    if list(path) == ["resign"]:
        return Ready(action="resign", warning="resign")
    if state.phase == "fill":
        return _fill(state, path)
    open_targets = targets(state)
    if state.forced is None:
        if not path:
            return _towers(state, open_targets)
        square = _square_of(state, path[0])
        open_targets = tuple(target for target in open_targets if target.from_ == square)
        path = path[1:]
    if not path:
        return _targets(state, open_targets)
    return _ready(state, open_targets, path)


def _fill(state: KamisadoState, path: Sequence[str]) -> Prompt | Ready:
    if not path:
        side = SIDES.index(state.to_move or "white")
        ends = ("a", "h") if side else ("h", "a")
        return Prompt(
            code="fill",
            choices=tuple(
                Choice(key=key, code=f"fill-{key}", marks=(f"{file}{HOME[side] + 1}",))
                for key, file in zip(("left", "right"), ends, strict=True)
            ),
        )
    if list(path) not in (["left"], ["right"]):
        raise RulesError("stale-path")
    return Ready(action=f"fill {path[0]}")


def _towers(state: KamisadoState, open_targets: tuple[Target, ...]) -> Prompt:
    movable = {target.from_ for target in open_targets}
    return Prompt(
        code="tower",
        choices=tuple(
            Choice(
                key=tower.color,
                code="tower",
                params={"tower": tower.color, "square": tower.square},
                marks=(tower.square,),
            )
            for tower in sorted(state.towers, key=lambda tower: tower.square)  # as they stand
            if tower.owner == state.to_move and tower.square in movable
        ),
    )


def _square_of(state: KamisadoState, color: str) -> str:
    for tower in state.towers:
        if tower.owner == state.to_move and tower.color == color:
            return tower.square
    raise RulesError("stale-path")


def _targets(state: KamisadoState, open_targets: tuple[Target, ...]) -> Prompt:
    if not open_targets:
        raise RulesError("stale-path")
    start = open_targets[0].from_
    tower = next(tower for tower in state.towers if tower.square == start)
    best_first = sorted(open_targets, key=lambda t: (not t.wins, t.kind != "push"))
    return Prompt(
        code="target",
        params={"tower": tower.color, "square": start},
        choices=tuple(_target(target) for target in best_first),
    )


def _target(target: Target) -> Choice:
    code = "win" if target.wins else target.kind
    return Choice(
        key=target.to,
        code=code,
        params={"square": target.to, "color": COLOR_OF[target.to]},
        marks=(target.to,),
        style="primary" if target.wins else "plain",
    )


def _ready(state: KamisadoState, open_targets: tuple[Target, ...], path: Sequence[str]) -> Ready:
    chosen = [target for target in open_targets if list(path) == [target.to]]
    if not chosen:
        raise RulesError("stale-path")
    kind = Push if chosen[0].kind == "push" else Move
    action = kind(from_=chosen[0].from_, to=chosen[0].to)
    loses = any(event.code == "deadlock" for event in move(state, action).events)
    return Ready(action=format_action(action), warning="deadlock" if loses else None)
