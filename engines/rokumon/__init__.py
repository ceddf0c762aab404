"""Rokumon: six acts between Sanada and Tokugawa, or solo against the automaton Taroma."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from engines.capabilities import Counting, Deed, Foresight, OutOfTurn, Reasons, Secrets, Spoken, Statistics
from engines.chance import Chance
from engines.listed import Listed
from engines.meta import Meta
from engines.protocol import (
    Json,
    Prompt,
    Ready,
    Result,
    RulesError,
    Seat,
    Seen,
    Step,
    Viewer,
)
from engines.rokumon import (
    choices,
    flow,
    foresight,
    notation,
    position,
    reasons,
    rules,
    sight,
    spoken,
    statistics,
)
from engines.rokumon.data import ACTS_TAKEN_BACK, FIGHT_FROM, OPEN_FROM, Side
from engines.rokumon.model import (
    Board,
    Revenge,
    RokumonAction,
    RokumonOptions,
    RokumonState,
    RokumonView,
)

FEW = 8  # plies within which no position can come up a third time


META = Meta(
    game="rokumon",
    title="Rokumon",
    seats=(1, 2),
    stage="released",
    rules="docs/rules/rokumon.md",
)


class Rokumon(
    Listed[RokumonOptions, RokumonState, RokumonAction, RokumonView],
    Secrets[RokumonOptions, RokumonState, RokumonAction, RokumonView],
    Counting[RokumonState],
    Statistics[RokumonState],
    Foresight[RokumonView],
    Spoken[RokumonView],
    Reasons[RokumonView],
    OutOfTurn,
):
    """The engine of Rokumon: seat 0 Sanada, 1 Tokugawa; in solo the human is 0 whatever the clan."""

    game = "rokumon"
    rules = ACTS_TAKEN_BACK
    seats = (1, 2)
    options_type = RokumonOptions
    state_type = RokumonState
    view_type = RokumonView
    line_ends = frozenset({"act-won", "act-void", "battle-won", "battle-lost", "battle-void"})

    def seat_counts(self, options: RokumonOptions) -> tuple[int, ...]:
        """One seat in solo, else two."""
        return (1,) if options.solo else (2,)

    def setup(self, options: RokumonOptions, seats: int, chance: Chance) -> Step[RokumonState]:
        """The first act or battle. Raises RulesError `bad-seats`."""
        if seats not in self.seat_counts(options):
            raise RulesError("bad-seats", seats=seats, allowed=list(self.seat_counts(options)))
        return flow.begin(options, chance)

    def to_act(self, state: RokumonState) -> frozenset[Seat]:
        """The seat to move, or to add tokens to a Fight."""
        if state.phase == "over":
            return frozenset()
        seat = sight.seat_of(state, state.mover)
        return frozenset() if seat is None else frozenset({seat})

    def apply(
        self, state: RokumonState, seat: Seat, action: RokumonAction, chance: Chance
    ) -> Step[RokumonState]:
        """The state after the action, and after what Taroma does.

        A take-back, a surrender and a resignation are accepted from a seat that is not to act.
        """
        return flow.act_on(state, seat, action, chance)

    def view(self, state: RokumonState, viewer: Viewer) -> RokumonView:
        """What this viewer may know."""
        return sight.view(state, viewer)

    def result(self, state: RokumonState) -> Result | None:
        """By tokens, resignation, or battles in solo."""
        return state.outcome

    def roles(self, state: RokumonState) -> tuple[str, ...]:
        """By seat, its clan."""
        return sight.clans(state)

    def position(self, state: RokumonState) -> dict[str, Json]:
        """The whole position as the spec's JSON."""
        return position.write(state)

    def from_position(self, given: Json, chance: Chance) -> Step[RokumonState]:
        """The state of a position, run on until somebody has to decide."""
        return flow.run_on(position.load(given, chance), chance)

    def parse_text(self, text: str, state: RokumonState, seat: Seat) -> RokumonAction:
        """The action that this notation means for the seat. Raises RulesError `bad-action`."""
        return notation.read_text(text, self._side(state, seat))

    def parse_json(self, data: Json) -> RokumonAction:
        """The action of this JSON. Raises RulesError `bad-action`."""
        return notation.read_json(data)

    def format(self, action: RokumonAction) -> str:
        """The action in canonical notation."""
        return notation.write(action)

    def actions(self, state: RokumonState, seat: Seat) -> Iterator[RokumonAction]:
        """Every action of the seat to act; take-back, surrender and resignation are left out."""
        side = self._side(state, seat)
        tokens = state.revenge.of(side).up
        if state.phase == "revenge":
            return (Revenge(count=count) for count in range(tokens + 1))
        return map(notation.as_action, rules.legal(sight.seen_board(state, side), tokens))

    def complete(self, text: str, state: RokumonState, seat: Seat) -> list[str]:
        """Legal actions that continue `text`; what is always possible comes when it is begun to be typed."""
        found = super().complete(text, state, seat)
        typed = text.strip().casefold()
        extra = ["surrender", "resign"] if state.phase != "over" else []
        if sight.may_take_back(state, self._side(state, seat)):
            extra.insert(0, "takeback")
        idle = not found and not typed
        return found + [word for word in extra if (typed or idle) and word.startswith(typed)]

    def choices(self, state: RokumonState, seat: Seat, path: Sequence[str] = ()) -> Prompt | Ready:
        """The panel after the picks of `path`."""
        return choices.panel(state, seat, path)

    def confirm(self, state: RokumonState, seat: Seat, action: RokumonAction) -> Ready:
        """The action with its warning: uncovering a row, giving up."""
        return choices.confirm(state, self._side(state, seat), action)

    def secrets(self, state: RokumonState) -> bool:
        """In acts 3 to 5 warriors are face down and their values matter."""
        return FIGHT_FROM <= state.act < OPEN_FROM

    def hides(self, options: RokumonOptions) -> bool:
        """In the whole story, and in acts 3 to 5 alone; never against Taroma."""
        if options.solo:
            return False
        return options.act is None or FIGHT_FROM <= options.act < OPEN_FROM

    def hand_changed(
        self, before: RokumonState, after: RokumonState, seat: Seat, sights: object = None
    ) -> bool:
        """Where values are secret, whether the seat's own warriors stand or are known otherwise.

        The act that opens them all is sent as well: it replaces the last secret sheet.
        """
        if not self.secrets(after):
            return self.secrets(before)
        return sight.sheet(before, self._side(before, seat)) != sight.sheet(after, self._side(after, seat))

    def perft(self, state: RokumonState, depth: int) -> tuple[int, ...] | None:
        """Counted on boards alone, where no token, third repetition or automaton can come in between."""
        if state.phase != "act" or state.solo or sight.tokens_up(state):
            return None
        if depth > FEW or len(state.history) > 1:
            return None
        return perft(state.board, depth)

    def statistics(self, start: Step[RokumonState], plies: Sequence[Step[RokumonState]]) -> tuple[Seen, ...]:
        """Tokens by act, how each was won, what each seat did."""
        return statistics.statistics(start, plies)

    def foresee(self, view: RokumonView, action: str, *, odds: bool) -> tuple[Seen, ...]:
        """How a Fight ends, as far as is known, what decides the act; with `odds` counts and threats."""
        return foresight.foresee(view, action, odds=odds)

    def spoken(self, view: RokumonView, action: str) -> tuple[Seen, ...]:
        """The action in words."""
        return spoken.spoken(view, action)

    def reasons(self, deed: Deed[RokumonView]) -> tuple[Seen, ...]:
        """What the opponent's action was for, as far as the viewer can know."""
        return reasons.reasons(deed)

    @staticmethod
    def _side(state: RokumonState, seat: Seat) -> Side:
        if not 0 <= seat < len(sight.clans(state)):
            raise RulesError("bad-seat", seat=seat, seats=len(sight.clans(state)))
        return cast(Side, sight.side_at(state, seat))


def perft(board: Board, depth: int) -> tuple[int, ...]:
    """Lines of exactly 1..depth actions within the act, both sides moved by hand, no revenge tokens."""
    counts = [0] * depth
    _count(board, counts, 0)
    return tuple(counts)


def _count(board: Board, counts: list[int], level: int) -> None:
    plays = list(rules.legal(board))
    counts[level] += len(plays)
    if level + 1 < len(counts):
        for play in plays:
            done = rules.after(board, play)
            if done.winner is None:
                _count(done.board, counts, level + 1)
