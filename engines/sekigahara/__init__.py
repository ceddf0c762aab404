"""Sekigahara: two players, hidden blocks, loyalty, seven weeks. The engine of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from engines.capabilities import (
    Aids,
    Begun,
    Chapters,
    Counting,
    Deed,
    Edit,
    Foresight,
    Orders,
    OutOfTurn,
    Reasons,
    Sampling,
    Secrets,
    Spoken,
    Statistics,
)
from engines.chance import Chance
from engines.meta import Meta
from engines.protocol import (
    Action,
    Json,
    Legal,
    Prompt,
    Ready,
    Result,
    RulesError,
    Seat,
    Seen,
    Sight,
    Step,
    Viewer,
    digest,
)
from engines.sekigahara import choices as panel
from engines.sekigahara import (
    flow,
    foresight,
    legal,
    model,
    notation,
    orders,
    position,
    reasons,
    sight,
    spoken,
    statistics,
    stays,
    steps,
    story,
    victory,
)
from engines.sekigahara.board import SEAT, Board, board_of
from engines.sekigahara.data import ISHIDA, SIDES, TOKUGAWA
from engines.sekigahara.model import SekigaharaOptions, SekigaharaState, SekigaharaView

META = Meta(
    game="sekigahara",
    title="Sekigahara",
    seats=(2,),
    stage="released",
    rules="docs/rules/sekigahara.md",
)


class Sekigahara(
    Secrets[SekigaharaOptions, SekigaharaState, Action, SekigaharaView],
    Orders[SekigaharaState],
    OutOfTurn,
    Aids[SekigaharaState, Action],
    Chapters[SekigaharaState],
    Counting[SekigaharaState],
    Sampling[SekigaharaState, Action],
    Statistics[SekigaharaState],
    Foresight[SekigaharaView],
    Spoken[SekigaharaView],
    Reasons[SekigaharaView],
):
    """The rules of Sekigahara; seat 0 is Ishida (gold), seat 1 Tokugawa (black)."""

    game: ClassVar[str] = "sekigahara"
    seats: ClassVar[tuple[int, ...]] = (2,)
    options_type = SekigaharaOptions
    state_type = SekigaharaState
    view_type = SekigaharaView
    hushed: ClassVar[frozenset[str]] = frozenset({"discard-chosen", "bid-chosen"})
    line_ends: ClassVar[frozenset[str]] = frozenset({"combat-over"})

    def setup(self, options: SekigaharaOptions, seats: int, chance: Chance) -> Step[SekigaharaState]:
        """A new game at its first bid. Raises `bad-seats`."""
        if seats not in self.seats:
            raise RulesError("bad-seats", seats=seats, allowed=list(self.seats))
        board = position.first_board(options, chance, self.rules)
        return Step(board.state(), tuple(board.events))

    def to_act(self, state: SekigaharaState) -> frozenset[Seat]:
        """Both in `discard` and `bid`, else the side that has to decide."""
        return frozenset(SEAT[side] for side in flow.deciders(board_of(state)))

    def apply(
        self, state: SekigaharaState, seat: Seat, action: Action, chance: Chance
    ) -> Step[SekigaharaState]:
        """Carries out the action and runs on to the next decision; see `flow.act` for errors."""
        board = Board.of(state, chance)
        flow.act(board, SIDES[seat], action)
        return Step(board.state(), tuple(board.events))

    def view(self, state: SekigaharaState, viewer: Viewer) -> SekigaharaView:
        """What this viewer may know."""
        return sight.view(state, viewer)

    def result(self, state: SekigaharaState) -> Result | None:
        """Winner, points of both sides as they stand, and why."""
        if state.outcome is None:
            return None
        scores = victory.scores(board_of(state))
        return Result(winners=(SEAT[state.outcome.winner],), scores=scores, reason=state.outcome.reason)

    def roles(self, state: SekigaharaState) -> tuple[str, ...]:
        """`ishida`, `tokugawa`."""
        return SIDES

    def position(self, state: SekigaharaState) -> dict[str, Json]:
        """The spec's *Position*."""
        return position.export(state)

    def from_position(self, data: Json, chance: Chance) -> Step[SekigaharaState]:
        """The state of a position, run on until somebody has to decide. Raises `bad-position`."""
        board = Board.of(position.imported(data), chance)
        position.completed(board)
        try:
            flow.run_on(board)
        except RulesError as error:
            raise RulesError("bad-position", why=error.code) from None
        return Step(board.state(), tuple(board.events))

    def parse_text(self, text: str, state: SekigaharaState, seat: Seat) -> Action:
        """The action of its notation. Raises `bad-action`."""
        return notation.parse(text)

    def parse_json(self, data: Json) -> Action:
        """The action of its JSON. Raises `bad-action`."""
        return notation.from_json(data)

    def format(self, action: Action) -> str:
        """Canonical notation."""
        return notation.text(action)

    def legal(self, state: SekigaharaState, seat: Seat, prefix: str = "") -> Legal:
        """What `seat` may do now; not complete where marches or discards are too many."""
        complete, actions = legal.listed(Board.of(state, _NO_CHANCE), SIDES[seat], prefix)
        return Legal(complete=complete, actions=actions)

    def complete(self, text: str, state: SekigaharaState, seat: Seat) -> list[str]:
        """As ever; a march also step by step where it branches, or may be longer than a completion."""
        board, side = board_of(state), SIDES[seat]
        listed = self.legal(state, seat, " ".join(text.casefold().split())).actions
        return steps.completions(board, side, text, listed)

    def choices(self, state: SekigaharaState, seat: Seat, path: Sequence[str] = ()) -> Prompt | Ready:
        """The panel after these picks. Raises `stale-path`, `not-your-turn`."""
        return panel.prompt(Board.of(state, _NO_CHANCE), SIDES[seat], tuple(path))

    def choices_mark(
        self, state: SekigaharaState, seat: Seat, sight: Sight[SekigaharaView] | None = None
    ) -> str:
        """In discard and bid the other side's secret choice leaves one's own buttons as they are."""
        if state.phase not in {"discard", "bid"}:
            return super().choices_mark(state, seat, sight)
        side = SIDES[seat]
        return digest([state.week, state.phase, state.hands.get(side, ()), state.sealed.get(side)])

    def confirm(self, state: SekigaharaState, seat: Seat, action: Action) -> Ready:
        """A typed loss of the leader that ends the game is asked about."""
        lost = isinstance(action, model.Lose) and {ISHIDA, TOKUGAWA}.intersection(action.blocks)
        return Ready(action=notation.text(action), warning="leader-lost" if lost else None)

    def begun(self, state: SekigaharaState, seat: Seat) -> Begun | None:
        """Orders for a bid, a movement phase or the battle that is on; nobody waits for them."""
        name = orders.occasion(state, SIDES[seat])
        waits = state.phase not in orders.AT_ONCE
        return Begun(round=name, text="", asks=False, waits=waits) if name else None

    def orders(self, text: str) -> bool:
        """`orders ...`."""
        return text.strip().partition(" ")[0].casefold() == orders.WORD

    def edit(self, state: SekigaharaState, seat: Seat, draft: str, text: str) -> Edit | None:
        """`orders deploy ...; done`, `orders bid ...; first ...` or `orders move ...; march ...` replaces the
        orders, `orders` alone withdraws them.
        """
        if not self.orders(text):
            return None
        found = orders.read(Board.of(state, _NO_CHANCE), SIDES[seat], text.strip().partition(" ")[2])
        return Edit(draft=orders.written(found))

    def complete_draft(self, text: str, state: SekigaharaState, seat: Seat, draft: str) -> list[str]:
        """Actions as ever, and orders once their word is begun."""
        if text.strip().casefold().startswith(orders.WORD):
            return orders.completions(Board.of(state, _NO_CHANCE), SIDES[seat], text.strip())
        return self.complete(text, state, seat)

    def due(self, state: SekigaharaState, seat: Seat, draft: str) -> Edit | None:
        """The next of the orders: a deployment as soon as the side has the initiative, the others at once."""
        return orders.due(board_of(state), SIDES[seat], draft)

    def aid(self, state: SekigaharaState, action: Action, seat: Seat, kept: str | None) -> str | None:
        """A standing answer (Table aid): of challenges, or of a castle that stays inside.

        Where a record of before has `never` in its state, only an action can end that.
        """
        if not isinstance(action, model.Stand) or state.phase == "over":
            return None
        if action.at is None and state.standing.get(SIDES[seat], "ask") == "never" != action.answer:
            return None
        board = self._settled(state, seat, kept)
        try:
            flow.stand(board, SIDES[seat], action)
        except RulesError:
            return None  # doing it says why
        return stays.written(board, SIDES[seat])

    def aided(self, state: SekigaharaState, seat: Seat, aid: str) -> SekigaharaState:
        """With the side's standing answers."""
        return self._settled(state, seat, aid).state()

    def answer(self, state: SekigaharaState, seat: Seat, aid: str) -> str | None:
        """`accept` where the side is asked to challenge and never does (8.6.4); `inside` where it stays."""
        if seat not in self.to_act(state):
            return None
        board = self._settled(state, seat, aid)
        if state.phase == "challenge" and board.standing[SIDES[seat]] == "never":
            return notation.text(model.Accept())
        if state.phase == "castle" and flow.stays_inside(board):
            return notation.text(model.Castle(inside=True))
        return None

    def settled_still(self, state: SekigaharaState, seat: Seat, aid: str) -> str:
        """Without castles whose siege is another one by now."""
        board = self._settled(state, seat, aid)
        stays.forget(board)
        return stays.written(board, SIDES[seat])

    @staticmethod
    def _settled(state: SekigaharaState, seat: Seat, aid: str | None) -> Board:
        board = board_of(state)
        if aid is not None:
            stays.read(board, SIDES[seat], aid)
        return board

    def chapter(self, state: SekigaharaState) -> str | None:
        """A movement phase, a battle or a siege."""
        return story.chapter(state)

    def recap(self, told: Sequence[Seen]) -> tuple[Seen, ...]:
        """A battle that is over: who brought what, what it came to, and what it cost."""
        return story.recap(told)

    def random_action(self, state: SekigaharaState, seat: Seat, chance: Chance) -> Action:
        """A random legal action, marches included, without listing them all."""
        return panel.random_action(Board.of(state, _NO_CHANCE), SIDES[seat], chance)

    def statistics(
        self, start: Step[SekigaharaState], plies: Sequence[Step[SekigaharaState]]
    ) -> tuple[Seen, ...]:
        """The curve of points, the decisive battles, the records."""
        return statistics.statistics(start, plies)

    def foresee(self, view: SekigaharaView, action: str, *, odds: bool) -> tuple[Seen, ...]:
        """What a march, a muster, a battle or a deployment would lead to."""
        return foresight.foresee(view, action, odds=odds)

    def spoken(self, view: SekigaharaView, action: str) -> tuple[Seen, ...]:
        """The action in words."""
        return spoken.spoken(view, action)

    def reasons(self, deed: Deed[SekigaharaView]) -> tuple[Seen, ...]:
        """What a march, a payment, a battle or a castle's answer was for."""
        return reasons.reasons(deed)


_NO_CHANCE = Chance(b"", 0)  # for questions, which draw nothing
