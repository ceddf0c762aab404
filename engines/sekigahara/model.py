"""Sekigahara's values: options, state (the spec's *Position*), actions and view.

A state is JSON as the *Position* section writes it, plus `rules` and `outcome`. The rules work on
`board.Board`, the private mutable form of it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
    model_validator,
)

from engines.protocol import Action, Options, State, Value, View
from engines.sekigahara.data import Side

Phase = Literal[
    "discard", "bid", "first", "move", "march", "combat", "castle", "deploy", "challenge", "answer", "lose",
    "retreat", "over",
]  # fmt: skip
Mode = Literal["none", "minimal", "limited", "total"]
Standing = Literal["ask", "never"]
Siege = tuple[
    Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)]
]  # blocks inside, and before the castle
Reason = Literal["leader", "hideyori", "points", "resign"]
Words = tuple[str, ...]
BySide = dict[Side, Words]
Count = Annotated[int, Field(ge=0)]


class SekigaharaOptions(Options):
    """`aizu`: whether two more Uesugi start at Aizu (`revised5`)."""

    aizu: Literal["printed3", "revised5"] = "printed3"


class PlaceState(Value):
    """Blocks at a place. `holder` is the side inside a castle while both sides have units there."""

    ishida: Words = ()
    tokugawa: Words = ()
    besieged: bool = False
    holder: Side | None = None


class MarchState(Value):
    """A movement phase so far, kept until the turn ends; see *Position*."""

    mode: Mode
    activated: Words = ()
    mustered: bool = False
    redrawn: bool = False
    moved: dict[str, Words] = Field(default_factory=dict)
    segments: tuple[tuple[str, str], ...] = ()
    entered: dict[str, Words] = Field(default_factory=dict)
    leaders: Words = ()
    fought: Words = ()


class Pending(Value):
    """A deployment that waits for an answer."""

    side: Side
    card: str
    blocks: Words


class BattleState(Value):
    """A battle or siege from the question of the castle to the retreat; see *Position*."""

    at: str
    attacker: Side
    siege: bool = False
    holder: Side | None = None
    impact: dict[Side, Count] = Field(default_factory=dict)
    deployed: BySide = Field(default_factory=dict)
    defected: BySide = Field(default_factory=dict)
    used: BySide = Field(default_factory=dict)
    done: tuple[Side, ...] = ()
    pending: Pending | None = None
    losses: dict[Side, Count] = Field(default_factory=dict)
    lost: BySide = Field(default_factory=dict)


class Outcome(Value):
    """How it ended."""

    winner: Side
    reason: Reason


class SekigaharaState(State):
    """A whole position. Orders that mean nothing (hands, bags, places) are the data's."""

    options: SekigaharaOptions = SekigaharaOptions()
    week: int = Field(ge=1, le=7)
    turn: Literal["A", "B"] = "A"
    phase: Phase
    first: Side = "ishida"
    active: Side = "ishida"
    map: dict[str, PlaceState] = Field(default_factory=dict)
    control: dict[str, Side] = Field(default_factory=dict)
    disks: Words = ("hideyori", "sanada")
    hands: BySide = Field(default_factory=dict)
    decks: BySide = Field(default_factory=dict)
    discards: BySide = Field(default_factory=dict)
    bags: BySide = Field(default_factory=dict)
    boxes: BySide = Field(default_factory=dict)
    lost: BySide = Field(default_factory=dict)
    mori_box: Words = ()
    sealed: BySide = Field(default_factory=dict)
    standing: dict[Side, Standing] = Field(default_factory=dict)
    stays: dict[Side, dict[str, Siege]] = Field(default_factory=dict)
    march: MarchState | None = None
    battle: BattleState | None = None
    outcome: Outcome | None = None

    @model_serializer(mode="wrap")
    def _as_ever(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """A state in which nobody stays inside by himself is written as before there was such a thing."""
        written: dict[str, Any] = write(self)
        if not written.get("stays"):
            written.pop("stays", None)
        return written


# -- actions ------------------------------------------------------------------------------


class Discard(Action):
    """Cards put down for the week (6.2) or exchanged in mode `none`; the last named is the top one."""

    type: Literal["discard"] = "discard"
    cards: Words = ()


class Bid(Action):
    """A card for the first turn of the week (6.3)."""

    type: Literal["bid"] = "bid"
    card: str


class First(Action):
    """Who goes first this week."""

    type: Literal["first"] = "first"
    side: Side


class Move(Action):
    """How much may move this turn, and the cards that pay for it (7.1)."""

    type: Literal["move"] = "move"
    mode: Mode
    cards: Words = ()


def _some(drop: dict[str, Words] | None) -> dict[str, Words] | None:
    """A place where nothing is dropped says nothing."""
    return {place: faces for place, faces in (drop or {}).items() if faces} or None


Drop = Annotated[dict[str, Words] | None, AfterValidator(_some)]


class Branch(Value):
    """Blocks that a march dropped go on from there (7.3.1). JSON writes `origin` as `from`."""

    model_config = ConfigDict(serialize_by_alias=True)

    origin: str = Field(alias="from")
    blocks: Words
    path: Words
    drop: Drop = None


class March(Action):
    """A stack marches, and what it drops may branch (7.3). JSON writes `origin` as `from`."""

    model_config = ConfigDict(serialize_by_alias=True)

    type: Literal["march"] = "march"
    origin: str = Field(alias="from")
    blocks: Words
    path: Words
    drop: Drop = None
    leader: str | None = None
    force: str | None = None
    branches: tuple[Branch, ...] | None = None

    @field_validator("branches")
    @classmethod
    def _any(cls, branches: tuple[Branch, ...] | None) -> tuple[Branch, ...] | None:
        """No branches say nothing."""
        return branches or None

    @property
    def legs(self) -> tuple[March | Branch, ...]:
        """Its paths in the order in which they are carried out: the stack's own, then the branches'."""
        return (self, *(self.branches or ()))


class Muster(Action):
    """Blocks from the recruitment box to the map (7.2)."""

    type: Literal["muster"] = "muster"
    to: str
    blocks: Words
    shown: bool = Field(default=False, strict=True)


class Mori(Action):
    """Cards discarded for blocks of the Mori box (9.3)."""

    type: Literal["mori"] = "mori"
    cards: Words
    blocks: Words


class End(Action):
    """The end of the movement phase."""

    type: Literal["end"] = "end"


class Combat(Action):
    """The next place to fight at (8.1)."""

    type: Literal["combat"] = "combat"
    at: str


class Castle(Action):
    """In the castle or before it (8.9.2)."""

    type: Literal["castle"] = "castle"
    inside: bool = Field(strict=True)


class Deploy(Action):
    """A block, or two by a double card; no card for a leader at the start (8.2)."""

    type: Literal["deploy"] = "deploy"
    card: str | None = None
    blocks: Words


class Done(Action):
    """No more deployments in this battle (8.5)."""

    type: Literal["done"] = "done"


class Challenge(Action):
    """A loyalty card against the deployment just made (8.6)."""

    type: Literal["challenge"] = "challenge"


class Accept(Action):
    """The deployment just made stands."""

    type: Literal["accept"] = "accept"


class Show(Action):
    """A card that proves loyalty."""

    type: Literal["show"] = "show"
    card: str


class Concede(Action):
    """The challenged blocks change sides."""

    type: Literal["concede"] = "concede"


class Lose(Action):
    """Blocks, and in a siege disks, that are lost (8.7, 8.9.4)."""

    type: Literal["lose"] = "lose"
    blocks: Words = ()
    disks: Words = ()


class Retreat(Action):
    """Where the beaten go (8.8): `to` a neighbour, `castle` the blocks that go inside."""

    type: Literal["retreat"] = "retreat"
    to: str | None = None
    castle: Words = ()


class Stand(Action):
    """A standing answer: whether to challenge, or, of a castle `at` a place, that it stays inside."""

    type: Literal["standing"] = "standing"
    answer: Standing | Literal["inside"]
    at: str | None = None

    @model_validator(mode="after")
    def _of_one_question(self) -> Self:
        if (self.at is None) != (self.answer == "never") and not (self.at is None and self.answer == "ask"):
            raise ValueError("never challenges anywhere; stays inside one castle")
        return self


class Resign(Action):
    """The other side wins."""

    type: Literal["resign"] = "resign"


AnyAction = Annotated[
    Discard | Bid | First | Move | March | Muster | Mori | End | Combat | Castle | Deploy | Done | Challenge
    | Accept | Show | Concede | Lose | Retreat | Stand | Resign,
    Field(discriminator="type"),
]  # fmt: skip


# -- view ----------------------------------------------------------------------------------


class PlaceView(Value):
    """A place as the viewer knows it: how many blocks, and the faces of his own (data order)."""

    ishida: int = 0
    tokugawa: int = 0
    faces: Words | None = None
    besieged: bool = False
    holder: Side | None = None  # who controls the castle here, None where there is none


class MarchView(Value):
    """The movement phase as the viewer knows it: `moved` counts, `faces` the mover's own ones."""

    mode: Mode
    activated: Words
    mustered: bool
    redrawn: bool
    moved: dict[str, int]
    faces: dict[str, Words] | None
    segments: tuple[tuple[str, str], ...]
    entered: dict[str, Words]
    leaders: Words
    fought: Words


class SekigaharaView(View):
    """What a viewer may know. A side's own faces and hand are in the order of the data.

    sealed_by  sides that have put down a secret choice; `sealed` the viewer's own
    points     castles and resources as they stand
    waiting    sides that have to decide
    stays      castles where the viewer said that he stays inside for the rest of the siege
    """

    rules: int = 1
    options: SekigaharaOptions
    week: int
    turn: Literal["A", "B"]
    phase: Phase
    first: Side
    active: Side
    waiting: tuple[Side, ...]
    map: dict[str, PlaceView]
    control: dict[str, Side]
    disks: Words
    hand: Words | None
    box: Words | None
    hands: dict[Side, int]
    decks: dict[Side, int]
    discards: dict[Side, int]
    tops: dict[Side, str | None]
    bags: dict[Side, int]
    boxes: dict[Side, int]
    lost: BySide
    mori_box: Words
    sealed_by: tuple[Side, ...]
    sealed: Words | None
    standing: Standing | None
    stays: Words | None = None
    march: MarchView | None
    battle: BattleState | None
    points: dict[Side, int]
    winner: Side | None
    reason: Reason | None
