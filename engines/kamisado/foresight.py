"""What would follow from a move of Kamisado: the answer that it forces, and where that would win."""

from __future__ import annotations

from typing import NamedTuple

from engines.kamisado import notation, rules
from engines.kamisado.data import COLOR_OF, SIDES, Color, Side
from engines.kamisado.model import Blocked, KamisadoState, KamisadoView, Move, Push, Target, other
from engines.protocol import RulesError, Seen


class Answer(NamedTuple):
    """The move that follows: the tower that must make it, where from, and where to.

    passes  towers that would have had to move and cannot (M6)
    again   whether it is made by whoever moved before: after a push, or where the other side passes
    """

    side: Side
    color: Color
    square: str
    targets: tuple[Target, ...]
    passes: tuple[Blocked, ...] = ()
    again: bool = False

    @property
    def wins(self) -> tuple[str, ...]:
        """The squares on which it would win the round."""
        return tuple(target.to for target in self.targets if target.wins)

    @property
    def reach(self) -> tuple[str, ...]:
        """The squares that it may go to."""
        return tuple(target.to for target in self.targets)


def state_of(view: KamisadoView) -> KamisadoState:
    """The state that a view shows: Kamisado has no secrets."""
    return KamisadoState(
        match=view.match,
        points=view.target if view.match == "series" else None,
        score=view.score,
        round=view.round,
        phase=view.phase,
        to_move=view.to_move,
        forced=view.forced,
        towers=view.towers,
        last=view.last,
        ended=view.ended,
        winner=view.winner,
        reason=view.reason,
    )


def state_after(view: KamisadoView, action: str) -> KamisadoState | None:
    """The state after a move or push that is legal now; None for anything else."""
    state = state_of(view)
    if state.phase != "move" or state.to_move is None:
        return None
    try:
        move = notation.parse_text(action, state, SIDES.index(state.to_move))
        return rules.move(state, move).state if isinstance(move, Move | Push) else None
    except RulesError:
        return None


def answer_to(view: KamisadoView, action: str) -> Answer | None:
    """What must be moved after a move or push that is legal now; None where the round ends, or no move."""
    after = state_after(view, action)
    if after is None or after.phase != "move" or after.round != view.round:
        return None
    tower = rules.mover(after)
    if tower is None:
        return None
    return Answer(
        side=tower.owner,
        color=tower.color,
        square=tower.square,
        targets=rules.targets(after),
        passes=after.last.passes if after.last else (),
        again=tower.owner == view.to_move,
    )


def loses(view: KamisadoView, action: str) -> bool:
    """Whether the action is a move that ends in a deadlock, which whoever made it loses (M8)."""
    after = state_after(view, action)
    if after is None or view.to_move is None:
        return False
    return after.score.of(other(view.to_move)) > view.score.of(other(view.to_move))


def losing(view: KamisadoView, start: str) -> tuple[str, ...]:
    """Targets of the tower on `start` after which the other side could win at once."""
    found = []
    for target in view.targets:
        if target.from_ == start and not target.wins:
            answer = answer_to(view, f"{start}{'x' if target.kind == 'push' else '-'}{target.to}")
            if answer is not None and not answer.again and answer.wins:
                found.append(target.to)
    return tuple(found)


def foresee(view: KamisadoView, action: str, *, odds: bool) -> tuple[Seen, ...]:
    """The forced answer and its squares; with `odds` where it would win."""
    if view.viewer is None or view.viewer != view.to_act:
        return ()
    answer = answer_to(view, action)
    if answer is None:
        return ()
    seat = SIDES.index(answer.side)
    told = [
        Seen(
            code="blocked",
            params={"seat": SIDES.index(one.owner), "color": one.color, "square": one.square},
        )
        for one in answer.passes
    ]
    params = {
        "seat": seat,
        "color": answer.color,
        "square": answer.square,
        "squares": list(answer.reach),
        "onto": [COLOR_OF[square] for square in answer.reach],
    }
    told.append(Seen(code="again" if answer.again else "answer", params=params))
    if odds and answer.wins:
        code = "chance" if answer.again else "threat"
        told.append(Seen(code=code, params={"seat": seat, "squares": list(answer.wins)}))
    return tuple(told)
