"""A position being worked on: the private fast form of one `apply`, thawed from a state and frozen again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.chance import Chance
from engines.protocol import Event, Json, Seat
from engines.shogun.data import ARMIES, BUILDINGS, FARMERS, STOCK
from engines.shogun.model import (
    NEUTRAL,
    Draft,
    Phase,
    Plan,
    Player,
    Province,
    Season,
    ShogunOptions,
    ShogunState,
    Winter,
)
from engines.shogun.tower import Throw, throw


class Purse:
    """A seat's goods while an action is carried out."""

    def __init__(self, player: Player) -> None:
        self.chests = player.chests
        self.rice = player.rice
        self.points = player.points
        self.supply = player.supply
        self.plan: Plan | None = None if player.plan is None else dict(player.plan)
        self.special = player.special

    def frozen(self) -> Player:
        """The goods as a value."""
        return Player(
            chests=self.chests,
            rice=self.rice,
            points=self.points,
            supply=self.supply,
            plan=self.plan,
            special=self.special,
        )


class Play:
    """The whole position, mutable, with its chance and the events so far. Never leaves an `apply`."""

    def __init__(self, state: ShogunState, chance: Chance) -> None:
        self.chance = chance
        self.log: list[Event] = []
        self.rules = state.rules
        self.options: ShogunOptions = state.options
        self.year: int = state.year
        self.season: Season = state.season
        self.phase: Phase = state.phase
        self.turn: Seat | None = state.turn
        self.pending = state.pending
        self.provinces: dict[str, Province] = dict(state.provinces)
        self.players = [Purse(player) for player in state.players]
        self.tower = list(state.tower)
        self.tray = list(state.tray)
        self.events = list(state.events)
        self.event = state.event
        self.event_pile = list(state.event_pile)
        self.actions = list(state.actions)
        self.action_index = state.action_index
        self.specials = list(state.specials)
        self.bid_order = list(state.bid_order)
        self.order = list(state.order)
        self.draft: Draft | None = state.draft
        self.winter: Winter | None = state.winter
        self.passive = list(state.passive)

    def frozen(self) -> ShogunState:
        """The position as a value."""
        return ShogunState(
            rules=self.rules,
            options=self.options,
            year=2 if self.year == 2 else 1,
            season=self.season,
            phase=self.phase,
            turn=self.turn,
            pending=self.pending,
            provinces=self.provinces,
            players=tuple(purse.frozen() for purse in self.players),
            tower=tuple(self.tower),
            tray=tuple(self.tray),
            events=tuple(self.events),
            event=self.event,
            event_pile=tuple(self.event_pile),
            actions=tuple(self.actions),
            action_index=self.action_index,
            specials=tuple(self.specials),
            bid_order=tuple(self.bid_order),
            order=tuple(self.order),
            draft=self.draft,
            winter=self.winter,
            passive=tuple(sorted(self.passive)),
        )

    # -- telling ----------------------------------------------------------------------

    def tell(self, code: str, **params: Json) -> None:
        """Report an event that everybody may know; `reveals=True` marks a secret shown, a draw or a throw."""
        reveals = params.pop("reveals", False)
        self.log.append(Event(code=code, params=params, reveals=reveals))

    def tell_secret(self, code: str, seat: Seat, **private: Json) -> None:
        """Report what a seat did; `private` is for this seat alone."""
        self.log.append(Event(code=code, params={"seat": seat}, private={seat: private}))

    # -- looking ----------------------------------------------------------------------

    @property
    def seats(self) -> range:
        """All seats, passive ones too."""
        return range(len(self.players))

    @property
    def active(self) -> list[Seat]:
        """The seats that have not resigned."""
        return [seat for seat in self.seats if seat not in self.passive]

    @property
    def farmers(self) -> int:
        """Farmers in the supply; none ever stand on the board (B10)."""
        return FARMERS - self.tower[-1] - self.tray[-1]

    def owned(self, seat: Seat) -> list[str]:
        """The provinces of a seat, in the order of the data."""
        return [name for name, province in self.provinces.items() if province.owner == seat]

    def in_stock(self, building: str) -> int:
        """Buildings of this kind that nobody has built (U3)."""
        built = [name for name, province in self.provinces.items() if getattr(province, building)]
        return STOCK[building] - len(built)

    # -- changing -----------------------------------------------------------------------

    def change(self, name: str, **changes: Json) -> Province:
        """Alter what stands in a province."""
        self.provinces[name] = self.provinces[name].model_copy(update=changes)
        return self.provinces[name]

    def clear(self, name: str) -> None:
        """Make a province neutral: buildings and unrest markers go."""
        self.provinces[name] = NEUTRAL

    def throw(self, cubes: Sequence[int]) -> Throw:
        """Throw cubes, already taken from board or supply, and the whole tray.

        What falls out lies in the tray (C2).
        """
        before = tuple(self.tray)
        thrown = tuple(c + t for c, t in zip(cubes, before, strict=True))
        result = throw(self.options.tower, self.tower, thrown, self.chance)
        self.tower, self.tray = list(result.inside), list(result.fallen)
        self.tell(
            "thrown",
            reveals=True,
            thrown=list(result.thrown),
            fallen=list(result.fallen),
            before=list(before),
            tray=list(result.fallen),
            cubes=sum(result.thrown),
            out=sum(result.fallen),
        )
        return result

    def collect(self, seat: Seat) -> int:
        """Take a seat's cubes from the tray into its supply; how many."""
        count = self.tray[seat]
        self.tray[seat] = 0
        self.players[seat].supply += count
        return count

    def collect_farmers(self) -> int:
        """Take all farmers from the tray back to the supply; how many."""
        count = self.tray[-1]
        self.tray[-1] = 0
        return count

    def lose_card(self, name: str) -> None:
        """A province changes hands or is lost: its card leaves its owner's plan and is shown (A7)."""
        owner = self.provinces[name].owner
        if owner is None:
            return
        plan = self.players[owner].plan or {}
        space = next((space for space, card in plan.items() if card == name), None)
        if space is not None:
            del plan[space]
            self.tell("card-lost", reveals=True, seat=owner, province=name, space=space)


def cubes_of(seats: int, counts: Mapping[Seat, int], farmers: int = 0) -> list[int]:
    """Cube counts by seat, then farmers."""
    return [*(counts.get(seat, 0) for seat in range(seats)), farmers]


def counted(state: ShogunState) -> bool:
    """Whether every cube and building is somewhere: 62 a seat, 20 farmers, the building stock (C3)."""
    for seat, player in enumerate(state.players):
        board = sum(p.armies for p in state.provinces.values() if p.owner == seat)
        if board + player.supply + state.tower[seat] + state.tray[seat] != ARMIES:
            return False
    if state.tower[-1] + state.tray[-1] > FARMERS:
        return False
    return all(sum(getattr(p, kind) for p in state.provinces.values()) <= STOCK[kind] for kind in BUILDINGS)
