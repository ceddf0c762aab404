"""Shogun as an engine: the protocol of engines/protocol.py over this package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from engines.capabilities import (
    Begun,
    Counting,
    Deed,
    Edit,
    Foresight,
    Reasons,
    Repeats,
    Sampling,
    Secrets,
    Spoken,
    Statistics,
)
from engines.chance import Chance
from engines.protocol import (
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
from engines.shogun import (
    choices,
    drafting,
    flow,
    foresight,
    notation,
    planning,
    reasons,
    sheet,
    spoken,
    statistics,
)
from engines.shogun.data import START_CHESTS
from engines.shogun.model import PlanCards, ShogunAction, ShogunOptions, ShogunState, ShogunView
from engines.shogun.play import Play
from engines.shogun.position import read_position, write
from engines.shogun.prefix import plans_after
from engines.shogun.sight import see

MOST_TEXT = 100  # characters of a completion
DAIMYO = ("uesugi", "mori", "tokugawa", "takeda", "hashiba")


class Shogun(
    Secrets[ShogunOptions, ShogunState, ShogunAction, ShogunView],
    Repeats[ShogunState],
    Counting[ShogunState],
    Sampling[ShogunState, ShogunAction],
    Statistics[ShogunState],
    Foresight[ShogunView],
    Spoken[ShogunView],
    Reasons[ShogunView],
):
    """Secret plans and the cube tower, three to five players, two years."""

    game: ClassVar[str] = "shogun"
    seats: ClassVar[tuple[int, ...]] = tuple(START_CHESTS)
    options_type = ShogunOptions
    state_type = ShogunState
    view_type = ShogunView
    line_ends: ClassVar[frozenset[str]] = frozenset({"round-dealt", "winter-came"})
    hushed: ClassVar[frozenset[str]] = frozenset({"planned"})

    # -- a game's life ----------------------------------------------------------------

    def read_options(self, data: Json) -> ShogunOptions:
        """The options. Raises RulesError `bad-options`, also for the fixed set-up on the moon side."""
        options = super().read_options(data)
        _check_side(options)
        return options

    def setup(self, options: ShogunOptions, seats: int, chance: Chance) -> Step[ShogunState]:
        """The first position: the draft, or planning of the first spring."""
        _check_side(options)
        if seats not in self.seats:
            raise RulesError("bad-seats", seats=seats, allowed=list(self.seats))
        play = drafting.bare_board(options, seats, chance, self.rules)
        if options.setup == "draft":
            drafting.begin_draft(play)
        else:
            drafting.fixed_provinces(play)
            drafting.begin_game(play)
        return _step(play)

    def to_act(self, state: ShogunState) -> frozenset[Seat]:
        """All who are not ready while players plan, else the seat whose turn it is."""
        return flow.deciders(state)

    def upcoming(self, state: ShogunState) -> Seat | None:
        """Who follows in turn order; nobody while it is not settled, or after the last."""
        acting = self.to_act(state)
        if len(acting) != 1 or (seat := min(acting)) not in state.order:
            return None
        place = state.order.index(seat) + 1
        return state.order[place] if place < len(state.order) else None

    def retired(self, state: ShogunState) -> frozenset[Seat]:
        """Those who resigned."""
        return frozenset(state.passive)

    def apply(
        self, state: ShogunState, seat: Seat, action: ShogunAction, chance: Chance
    ) -> Step[ShogunState]:
        """The position after the action, run on to the next decision. Errors: see `flow.act`."""
        return _step(flow.act(state, seat, action, chance))

    def view(self, state: ShogunState, viewer: Viewer) -> ShogunView:
        """What this viewer may know."""
        return see(state, viewer)

    def result(self, state: ShogunState) -> Result | None:
        """Most points, then most chests, then shared."""
        if state.phase != "over":
            return None
        winners, reason = flow.winners(state)
        scores = tuple(player.points for player in state.players)
        return Result(winners=winners, scores=scores, reason=reason)

    def roles(self, state: ShogunState) -> tuple[str, ...]:
        """The daimyos in seating order."""
        return DAIMYO[: len(state.players)]

    # -- positions --------------------------------------------------------------------

    def position(self, state: ShogunState) -> dict[str, Json]:
        """The spec's Position JSON."""
        return write(state)

    def from_position(self, position: Json, chance: Chance) -> Step[ShogunState]:
        """The state of a position, run on until somebody has to decide. Raises `bad-position`."""
        play = Play(read_position(position, self.rules), chance)
        flow.run(play)
        return _step(play)

    # -- notation ---------------------------------------------------------------------

    def parse_text(self, text: str, state: ShogunState, seat: Seat) -> ShogunAction:
        """The action of a text. Raises RulesError `bad-action`, `unknown-name`, `space-twice`."""
        return notation.parse_action(text)

    def parse_json(self, data: Json) -> ShogunAction:
        """The action of JSON. Raises RulesError `bad-action`, `unknown-name`."""
        return notation.parse_json(data)

    def format(self, action: ShogunAction) -> str:
        """Canonical notation."""
        return notation.format_action(action)

    def legal(self, state: ShogunState, seat: Seat, prefix: str = "") -> Legal:
        """Everything the seat may do; in phase `plan` whole plans that go on from the prefix."""
        if seat not in flow.deciders(state):
            return Legal(complete=True, actions=())
        if state.phase == "plan":
            plans = plans_after(prefix, _own(state, seat), state.players[seat].chests)
            return Legal(complete=False, actions=tuple(notation.format_action(p) for p in plans))
        texts = (notation.format_action(action) for action in flow.options(state))
        return Legal(complete=True, actions=tuple(texts))

    def complete(self, text: str, state: ShogunState, seat: Seat) -> list[str]:
        """Completions; a plan too long for one is built in the panel. A ready seat may plan anew."""
        if state.phase != "plan" or seat in state.passive or not 0 <= seat < len(state.players):
            return super().complete(text, state, seat)
        plans = plans_after(text, _own(state, seat), state.players[seat].chests)
        texts = (notation.format_action(plan) for plan in plans)
        return [whole for whole in texts if len(whole) <= MOST_TEXT]

    # -- panels -----------------------------------------------------------------------

    def choices(self, state: ShogunState, seat: Seat, path: Sequence[str] = ()) -> Prompt | Ready:
        """The next prompt. A ready seat may plan anew."""
        return choices.prompt(state, seat, path)

    def choices_mark(self, state: ShogunState, seat: Seat, sight: Sight[ShogunView] | None = None) -> str:
        """A digest of the seat's view without who else is ready or has resigned."""
        own = (sight or self.sight(state, seat)).view.model_dump(mode="json", exclude={"to_act"})
        for other, player in enumerate(own["players"]):
            if other != seat:
                del player["ready"], player["passive"]
        return digest(own)

    def hand_changed(
        self, before: ShogunState, after: ShogunState, seat: Seat, sights: object = None
    ) -> bool:
        """The order sheet is sent when a round is dealt, when the seat's plan is sent, and at the reveal."""
        return sheet.begun(before, seat) != sheet.begun(after, seat)

    # -- the order sheet ------------------------------------------------------------------

    def begun(self, state: ShogunState, seat: Seat) -> Begun | None:
        """The sheet, while players plan."""
        return sheet.begun(state, seat)

    def edit(self, state: ShogunState, seat: Seat, draft: str, text: str) -> Edit | None:
        """`plan castle=kai ...`, `plan castle=none`, `plan fill`, `plan clear`, `plan ready`."""
        return sheet.edit(state, seat, draft, text)

    def complete_draft(self, text: str, state: ShogunState, seat: Seat, draft: str) -> list[str]:
        """Entries for what is still empty."""
        return sheet.complete(text, state, seat, draft)

    def repeats(self, text: str) -> bool:
        """`plan again`."""
        return sheet.asks_again(text)

    def repeat(self, state: ShogunState, seat: Seat, draft: str, done: Sequence[tuple[Seat, Json]]) -> Edit:
        """The plan of the round before, without cards lost and a bid that is too high now."""
        return sheet.again(state, seat, draft, done)

    def statistics(self, start: Step[ShogunState], plies: Sequence[Step[ShogunState]]) -> tuple[Seen, ...]:
        """Points by source and season, battles against expectation, records, cubes in the tower."""
        return statistics.statistics(start, plies)

    def foresee(self, view: ShogunView, action: str, *, odds: bool) -> tuple[Seen, ...]:
        """What an action costs, feeds and risks; with `odds` the chances of a battle or a revolt."""
        return foresight.foresee(view, action, odds=odds)

    def spoken(self, view: ShogunView, action: str) -> tuple[Seen, ...]:
        """The action in words."""
        return spoken.spoken(view, action)

    def reasons(self, deed: Deed[ShogunView]) -> tuple[Seen, ...]:
        """What the opponent's action was for."""
        return reasons.reasons(deed)

    # -- chance players ---------------------------------------------------------------

    def random_action(self, state: ShogunState, seat: Seat, chance: Chance) -> ShogunAction:
        """A random legal action; a random plan in phase `plan`."""
        if state.phase == "plan":
            plan = planning.random_plan(_own(state, seat), state.players[seat].chests, chance)
            return PlanCards.model_validate(plan)
        return chance.pick(list(flow.options(state)))


def _step(play: Play) -> Step[ShogunState]:
    return Step(play.frozen(), tuple(play.log))


def _own(state: ShogunState, seat: Seat) -> list[str]:
    return [name for name, province in state.provinces.items() if province.owner == seat]


def _check_side(options: ShogunOptions) -> None:
    if (options.side, options.setup) == ("moon", "fixed"):
        raise RulesError("bad-options", why="setup: the fixed set-up is for the sun side only")
