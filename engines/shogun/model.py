"""Shogun's values: options, position, actions and what a viewer may know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Protocol

from pydantic import Field, SerializerFunctionWrapHandler, field_validator, model_serializer

from engines.protocol import Action, Options, Seat, State, Value, View
from engines.shogun.data import PLACES, RANK

Count = Annotated[int, Field(strict=True, ge=0)]
Chair = Annotated[int, Field(strict=True, ge=0)]  # a seat
Armies = Annotated[int, Field(strict=True)]  # a number of armies as given, legal or not
Space = str  # one of data.PLACES
Card = str  # a province or "chest0".."chest4"
Plan = dict[Space, Card]

Season = Literal["spring", "summer", "autumn", "winter"]
Phase = Literal["draft", "plan", "special", "action", "winter", "over"]
Tower = Literal["measured", "classic", "open", "swap"]


class ShogunOptions(Options):
    """The table's options, the rulebook's way first."""

    side: Literal["sun", "moon"] = "sun"
    setup: Literal["fixed", "draft"] = "fixed"
    tower: Tower = Field(default="measured", json_schema_extra={"offered": ["measured", "classic"]})
    forced_battles: bool = True


class Province(Value):
    """What stands in a province. Without an owner it is neutral and empty."""

    owner: Chair | None = None
    armies: Count = 0
    castle: bool = False
    temple: bool = False
    theater: bool = False
    unrest: Count = 0

    @property
    def buildings(self) -> int:
        """How many of its building spaces are taken."""
        return self.castle + self.temple + self.theater


NEUTRAL = Province()


class Player(Value):
    """A seat's goods. `plan` is secret; in phase `plan` it is there when the seat is ready."""

    chests: Count = 0
    rice: Count = 0
    points: Count = 0
    supply: Count = 0
    plan: Plan | None = None
    special: str | None = None

    @field_validator("plan")
    @classmethod
    def _in_the_order_of_the_board(cls, value: Plan | None) -> Plan | None:
        """Space by space, whether it was stored or not."""
        return value and {place: value[place] for place in (*PLACES, *value) if place in value}


class Draft(Value):
    """The draft of the starting provinces; `seen` is the pair that lay open at a seat's last draft."""

    open: tuple[str, ...]
    pile: tuple[str, ...]
    seen: tuple[tuple[str, ...] | None, ...]
    groups: tuple[tuple[Count, ...], ...]
    drawn: str | None = None


class Winter(Value):
    """The provinces of the seat to act that still revolt, in the order drawn, and the extra farmers."""

    revolts: tuple[str, ...] = ()
    farmers: Count = 0


class ShogunState(State):
    """A position as the spec's JSON has it, with `rules` and the seats that resigned."""

    options: ShogunOptions = ShogunOptions()
    year: Literal[1, 2]
    season: Season
    phase: Phase
    turn: Chair | None = None
    pending: Literal["battle", "move"] | None = None
    provinces: dict[str, Province]
    players: tuple[Player, ...]
    tower: tuple[Count, ...]
    tray: tuple[Count, ...]
    events: tuple[str, ...] = ()
    event: str | None = None
    event_pile: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    action_index: Count = 0
    specials: tuple[str, ...] = ()
    bid_order: tuple[Chair, ...] = ()
    order: tuple[Chair, ...] = ()
    draft: Draft | None = None
    winter: Winter | None = None
    passive: tuple[Chair, ...] = ()

    @field_validator("provinces")
    @classmethod
    def _in_the_order_of_the_data(cls, value: dict[str, Province]) -> dict[str, Province]:
        """Stored JSON is sorted by name; draws and choices go by this order, whether it was stored or not."""
        return dict(sorted(value.items(), key=lambda entry: RANK.get(entry[0], len(RANK))))


class Board(Protocol):
    """What a rule about the board may look at: a position, a view or a position being worked on."""

    @property
    def options(self) -> ShogunOptions:
        """The table's options."""

    @property
    def provinces(self) -> Mapping[str, Province]:
        """What stands in each province in play."""

    @property
    def event(self) -> str | None:
        """The event in force."""


# -- actions ----------------------------------------------------------------------------


class DraftCard(Action):
    """Take an open province for an army group, or turn up the top of the pile (`card` None)."""

    type: Literal["draft"] = "draft"
    card: str | None
    armies: Armies | None = None

    @model_serializer(mode="wrap")
    def _short(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        data: dict[str, Any] = dump(self)
        return data if self.armies is not None else {"type": "draft", "card": self.card}


class Place(Action):
    """Choose the army group for the province turned up."""

    type: Literal["place"] = "place"
    armies: Armies


class Redraw(Action):
    """Put both open cards under the pile."""

    type: Literal["redraw"] = "redraw"


class PlanCards(Action):
    """The secret plan: a card for each space used; empty spaces are left out of the JSON."""

    type: Literal["plan"] = "plan"
    castle: Card | None = None
    temple: Card | None = None
    theater: Card | None = None
    rice: Card | None = None
    tax: Card | None = None
    recruit5: Card | None = None
    recruit3: Card | None = None
    recruit1_move: Card | None = None
    battle_a: Card | None = None
    battle_b: Card | None = None
    bid: Card | None = None

    @property
    def cards(self) -> Plan:
        """The cards by space, in the order of the spaces."""
        found = {space: getattr(self, space) for space in PLACES}
        return {space: card for space, card in found.items() if card is not None}

    @model_serializer(mode="wrap")
    def _short(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {key: value for key, value in dump(self).items() if value is not None}


class ChooseSpecial(Action):
    """Take a special card and with it the place in the turn order."""

    type: Literal["choose_special"] = "choose_special"
    special: str


class Battle(Action):
    """Carry out the open battle card: so many armies into a neighbour, its own or not."""

    type: Literal["battle"] = "battle"
    to: str
    armies: Armies


class Move(Action):
    """After `recruit1_move`: so many armies into an own neighbour."""

    type: Literal["move"] = "move"
    to: str
    armies: Armies


class Stay(Action):
    """Move nothing after `recruit1_move`, or on a battle card where `forced_battles` is off."""

    type: Literal["stay"] = "stay"


class Revolts(Action):
    """The order in which the drawn provinces revolt."""

    type: Literal["revolts"] = "revolts"
    provinces: tuple[str, ...]


class Resign(Action):
    """Leave the game; the seat becomes passive."""

    type: Literal["resign"] = "resign"


ShogunAction = (
    DraftCard | Place | Redraw | PlanCards | ChooseSpecial | Battle | Move | Stay | Revolts | Resign
)


# -- views ------------------------------------------------------------------------------


class PlayerView(Value):
    """A seat as a viewer may know it: of another's plan only what has been shown."""

    chests: int
    rice: int
    points: int
    supply: int
    special: str | None
    ready: bool
    passive: bool
    plan: Plan


class DraftView(Value):
    """The draft without the pile's order; `undrafted` is in the order of the data."""

    open: tuple[str, ...]
    undrafted: tuple[str, ...]
    seen: tuple[tuple[str, ...] | None, ...]
    groups: tuple[tuple[int, ...], ...]
    drawn: str | None


class ShogunView(View):
    """What one viewer may know: no plan of another, no closed card, no deck's order.

    actions        the open ones only
    unopened       events never opened, in the order of the data
    """

    game: Literal["shogun"] = "shogun"
    options: ShogunOptions
    year: int
    season: Season
    phase: Phase
    turn: Seat | None
    to_act: tuple[Seat, ...]
    pending: Literal["battle", "move"] | None
    provinces: dict[str, Province]
    players: tuple[PlayerView, ...]
    tower: tuple[int, ...]
    tray: tuple[int, ...]
    farmers: int
    events: tuple[str, ...]
    event: str | None
    unopened: tuple[str, ...]
    actions: tuple[str, ...]
    action_index: int
    specials: tuple[str, ...]
    bid_order: tuple[Seat, ...]
    order: tuple[Seat, ...]
    draft: DraftView | None
    winter: Winter | None
