"""The Kamisado engine: who acts, and the engine's promises carried out by the other modules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from engines.capabilities import Counting, Deed, Foresight, Reasons, Spoken, Statistics
from engines.chance import Chance
from engines.kamisado import choices, foresight, notation, reasons, rules, spoken, statistics
from engines.kamisado.board import Board, tower_number
from engines.kamisado.data import COLOR_OF, COLORS, SIDES
from engines.kamisado.model import (
    AnyAction,
    Fill,
    KamisadoOptions,
    KamisadoState,
    KamisadoView,
    Position,
    Resign,
    other,
    sorted_towers,
)
from engines.listed import Listed
from engines.protocol import (
    GAME_OVER,
    Event,
    Json,
    Prompt,
    Ready,
    Result,
    RulesError,
    Seat,
    Seen,
    Step,
    Viewer,
    read,
)


class Kamisado(
    Listed[KamisadoOptions, KamisadoState, AnyAction, KamisadoView],
    Counting[KamisadoState],
    Statistics[KamisadoState],
    Foresight[KamisadoView],
    Spoken[KamisadoView],
    Reasons[KamisadoView],
):
    """Kamisado for two: seat 0 Black, seat 1 White."""

    game = "kamisado"
    seats = (2,)
    one_view = True
    quick = True
    options_type = KamisadoOptions
    state_type = KamisadoState
    view_type = KamisadoView
    action_types = notation.TYPES
    line_ends: ClassVar[frozenset[str]] = frozenset({"round-won", "round-taken"})

    def setup(self, options: KamisadoOptions, seats: int, chance: Chance) -> Step[KamisadoState]:
        """Every tower on its own colour, Black to make a first move with any of them (T1)."""
        if seats != 2:
            raise RulesError("bad-seats", seats=seats, allowed=[2])
        state = with_points(
            KamisadoState(
                match=options.match,
                points=options.points,
                to_move="black",
                towers=rules.opening_towers(),
            )
        )
        if state.match == "series":
            return Step(state, (Event(code="started-series", params={"n": state.target, "seat": 0}),))
        return Step(state, (Event(code="started", params={"match": options.match, "seat": 0}),))

    def to_act(self, state: KamisadoState) -> frozenset[Seat]:
        """The side to move, or nobody where it is over or the tower to move is missing."""
        if state.to_move is None:
            return frozenset()
        if state.phase == "move" and not rules.can_move(state):
            return frozenset()
        return frozenset({SIDES.index(state.to_move)})

    def apply(
        self, state: KamisadoState, seat: Seat, action: AnyAction, chance: Chance
    ) -> Step[KamisadoState]:
        """The state after the action, forced passes made and the round settled.

        Raises RulesError `game-over`, `not-your-turn`, `not-now`, and what `rules.move` names.
        """
        if state.phase == "over":
            raise RulesError(GAME_OVER)
        if seat not in (0, 1):
            raise RulesError("bad-seat", seat=seat, seats=2)
        if isinstance(action, Resign):
            resigned = Event(code="resigned", params={"seat": seat})
            return rules.end_match(state, other(SIDES[seat]), "resign", (resigned,))
        if seat not in self.to_act(state):
            raise RulesError("not-your-turn", seat=seat)
        if isinstance(action, Fill):
            return rules.fill(state, action.side)
        if state.phase != "move":
            raise RulesError("not-now", needed="fill")
        return rules.move(state, action)

    def view(self, state: KamisadoState, viewer: Viewer) -> KamisadoView:
        """Everything, for everybody."""
        targets = rules.targets(state)
        stuck = state.phase == "move" and not targets
        return KamisadoView(
            viewer=viewer,
            match=state.match,
            target=state.target,
            score=state.score,
            round=state.round,
            phase=state.phase,
            to_act=None if state.to_move is None or stuck else SIDES.index(state.to_move),
            to_move=state.to_move,
            forced=state.forced,
            towers=state.towers,
            targets=targets,
            last=state.last,
            ended=state.ended,
            winner=state.winner,
            reason=state.reason,
        )

    def result(self, state: KamisadoState) -> Result | None:
        """The winner of the match with both scores by seat."""
        if state.winner is None or state.reason is None:
            return None
        scores = tuple(state.score.of(side) for side in SIDES)
        return Result(winners=(SIDES.index(state.winner),), scores=scores, reason=state.reason)

    def roles(self, state: KamisadoState) -> tuple[str, ...]:
        """Black and White."""
        return SIDES

    def position(self, state: KamisadoState) -> dict[str, Json]:
        """The position of the spec; `winner` only when it is over, `points` only in a series."""
        data = state.model_dump(mode="json", include=set(Position.model_fields))
        if state.match != "series":
            del data["points"]
        if state.winner is None:
            del data["winner"]
        return data

    def from_position(self, position: Json, chance: Chance) -> Step[KamisadoState]:
        """The state of a position, blocked towers passing at once. Raises RulesError `bad-position`."""
        given = read(Position, position, "bad-position")
        towers = sorted_towers(list(given.towers))
        state = with_points(KamisadoState(**{**dict(given), "towers": towers}))
        if state.winner is not None:
            points = state.score.of(state.winner) >= state.target
            return Step(state.model_copy(update={"reason": "points" if points else "resign"}), ())
        if state.phase == "move" and state.to_move and state.forced:
            return rules.settle(state, state.to_move, state.forced)
        return Step(state, ())

    def parse_text(self, text: str, state: KamisadoState, seat: Seat) -> AnyAction:
        """The action of a text in any form of the spec. Raises RulesError `bad-action`, `no-such-tower`."""
        return notation.parse_text(text, state, seat)

    def parse_json(self, data: Json) -> AnyAction:
        """The action of its JSON, squares in any case. Raises RulesError `bad-action`."""
        return super().parse_json(notation.folded(data))

    def format(self, action: AnyAction) -> str:
        """`d8-d3`, `d3xd4`, `fill left` or `resign`."""
        return notation.format_action(action)

    def actions(self, state: KamisadoState, seat: Seat) -> Iterator[AnyAction]:
        """All moves of the seat to act, in the order of the board, or both ends to fill from (F1)."""
        if state.phase == "fill":
            yield from (Fill(side="left"), Fill(side="right"))
        else:
            yield from map(choices.action_of, rules.targets(state))

    def complete(self, text: str, state: KamisadoState, seat: Seat) -> list[str]:
        """Legal moves that the text may mean, winning ones first: `pink d`, `d8`, `push`, `left 2`."""
        if seat not in self.to_act(state):
            return []
        words = text.casefold().split()
        if state.phase == "fill":
            return [fill for fill in ("fill left", "fill right") if _fits(words, fill, "")]
        colors = {tower.square: tower.color for tower in state.towers}
        found = sorted(rules.targets(state), key=lambda t: (not t.wins, t.kind != "push"))
        moves = {notation.format_action(choices.action_of(t)): t for t in found}
        starts = [move for move in moves if move.startswith("".join(words))]
        if starts:
            return starts
        both = [word for word in words if word in COLORS]
        if len(both) == 2:  # the tower's colour and the one that it reaches
            moves = {
                move: t
                for move, t in moves.items()
                if t.kind == "move" and [colors[t.from_], COLOR_OF[t.to]] == both
            }
        named = {move: " ".join((colors[t.from_], *notation.ways(t, seat))) for move, t in moves.items()}
        onto = {move: f"{named[move]} {COLOR_OF[t.to]}" for move, t in moves.items()}
        by_tower = [move for move, others in named.items() if _fits(words, move, others)]
        return by_tower or [move for move, others in onto.items() if _fits(words, move, others)]

    def ways(self, state: KamisadoState, seat: Seat) -> list[tuple[tuple[str, ...], AnyAction]]:
        """The panel: tower, target, or the end to fill from; what wins and pushes first."""
        return choices.ways(state)

    def prompt(
        self,
        state: KamisadoState,
        seat: Seat,
        path: tuple[str, ...],
        left: Mapping[str, Sequence[AnyAction]],
    ) -> Prompt:
        """The question of a level of the panel."""
        return choices.prompt(state, path, list(left))

    def ready(self, state: KamisadoState, seat: Seat, action: AnyAction) -> Ready:
        """The action to confirm."""
        return choices.ready(state, action)

    def perft(self, state: KamisadoState, depth: int) -> tuple[int, ...] | None:
        """Counted on the fast board while a round is played."""
        if state.phase != "move" or state.to_move is None or not self.to_act(state):
            return None
        tower = rules.mover(state)
        side = SIDES.index(state.to_move)
        number = None if tower is None else tower_number(tower)
        return tuple(Board(state.towers).perft(number, side, depth))

    def statistics(
        self, start: Step[KamisadoState], plies: Sequence[Step[KamisadoState]]
    ) -> tuple[Seen, ...]:
        """Points by round, what each side did, the rounds that told most."""
        return statistics.statistics(start, plies)

    def foresee(self, view: KamisadoView, action: str, *, odds: bool) -> tuple[Seen, ...]:
        """The answer that a move forces; with `odds` where it would win."""
        return foresight.foresee(view, action, odds=odds)

    def spoken(self, view: KamisadoView, action: str) -> tuple[Seen, ...]:
        """The action in words."""
        return spoken.spoken(view, action)

    def reasons(self, deed: Deed[KamisadoView]) -> tuple[Seen, ...]:
        """What the opponent's action was for."""
        return reasons.reasons(deed)


def with_points(state: KamisadoState) -> KamisadoState:
    """A series with the points that it is played to, where they were left out."""
    return state.model_copy(update={"points": state.target}) if state.match == "series" else state


def _fits(words: list[str], move: str, others: str) -> bool:
    """Whether each word begins one of the words that describe the move."""
    known = [*move.split(), *others.split()]
    return all(any(one.startswith(word) for one in known) for word in words)
