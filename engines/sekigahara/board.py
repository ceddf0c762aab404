"""The private mutable form of a state: what the rules work on between one value and the next.

`Board.of(state)` copies, `board.state()` makes a value again; nobody outside the package sees a
board. Lists are multisets of faces or cards except decks (next first), discards (top last),
`used` (as played), `deployed`, and `sealed`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from engines.chance import Chance
from engines.protocol import Event, Json
from engines.sekigahara import data
from engines.sekigahara.data import CASTLES, DISK_AT, OTHER, PLACES, SIDES, Side
from engines.sekigahara.model import (
    BattleState,
    MarchState,
    Mode,
    Outcome,
    Pending,
    Phase,
    PlaceState,
    SekigaharaOptions,
    SekigaharaState,
    Siege,
    Standing,
    Words,
)

_EMPTY = {place: PlaceState(holder=CASTLES.get(place)) for place in PLACES}
SEAT: dict[Side, int] = {side: seat for seat, side in enumerate(SIDES)}


def contains(whole: Iterable[str], part: Iterable[str]) -> bool:
    """Whether the multiset `whole` holds all of `part`."""
    return Counter(iter(part)) <= Counter(iter(whole))


def without(whole: Iterable[str], part: Iterable[str]) -> list[str]:
    """`whole` less `part`, as far as it holds it; the order is kept."""
    gone = Counter(part)
    if not gone:
        return list(whole)
    left = []
    for item in whole:
        if gone[item]:
            gone[item] -= 1
        else:
            left.append(item)
    return left


def _lists(values: dict[Side, Words]) -> dict[Side, list[str]]:
    return {side: list(values.get(side, ())) for side in SIDES}


@dataclass
class Marching:
    """`model.MarchState`, mutable."""

    mode: Mode
    activated: list[str] = field(default_factory=list)
    mustered: bool = False
    redrawn: bool = False
    moved: dict[str, list[str]] = field(default_factory=dict)
    segments: set[tuple[str, str]] = field(default_factory=set)
    entered: dict[str, list[str]] = field(default_factory=dict)
    leaders: list[str] = field(default_factory=list)
    fought: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, state: MarchState) -> Marching:
        """A copy of the value."""
        return cls(
            mode=state.mode,
            activated=list(state.activated),
            mustered=state.mustered,
            redrawn=state.redrawn,
            moved={place: list(faces) for place, faces in state.moved.items()},
            segments={data.segment(*pair) or pair for pair in state.segments},
            entered={place: list(near) for place, near in state.entered.items()},
            leaders=list(state.leaders),
            fought=list(state.fought),
        )

    def state(self) -> MarchState:
        """The value again."""
        return MarchState(
            mode=self.mode,
            activated=tuple(self.activated),
            mustered=self.mustered,
            redrawn=self.redrawn,
            moved={p: tuple(data.block_order(self.moved[p])) for p in PLACES if self.moved.get(p)},
            segments=tuple(sorted(self.segments)),
            entered={p: tuple(sorted(self.entered[p])) for p in PLACES if self.entered.get(p)},
            leaders=tuple(self.leaders),
            fought=tuple(self.fought),
        )


@dataclass
class Fight:
    """`model.BattleState`, mutable."""

    at: str
    attacker: Side
    siege: bool
    holder: Side | None
    impact: dict[Side, int]
    deployed: dict[Side, list[str]]
    defected: dict[Side, list[str]]
    used: dict[Side, list[str]]
    done: list[Side]
    pending: Pending | None
    losses: dict[Side, int]
    lost: dict[Side, list[str]]

    @classmethod
    def of(cls, state: BattleState) -> Fight:
        """A copy of the value."""
        return cls(
            at=state.at,
            attacker=state.attacker,
            siege=state.siege,
            holder=state.holder,
            impact={side: state.impact.get(side, 0) for side in SIDES},
            deployed=_lists(state.deployed),
            defected=_lists(state.defected),
            used=_lists(state.used),
            done=list(state.done),
            pending=state.pending,
            losses={side: count for side, count in state.losses.items() if count},
            lost=_lists(state.lost),
        )

    @classmethod
    def begin(cls, at: str, attacker: Side, holder: Side | None) -> Fight:
        """A fight in which nothing has happened yet."""
        return cls.of(BattleState(at=at, attacker=attacker, holder=holder))

    def state(self) -> BattleState:
        """The value again."""
        return BattleState(
            at=self.at,
            attacker=self.attacker,
            siege=self.siege,
            holder=self.holder,
            impact=dict(self.impact),
            deployed={side: tuple(self.deployed[side]) for side in SIDES},
            defected={side: tuple(self.defected[side]) for side in SIDES},
            used={side: tuple(self.used[side]) for side in SIDES},
            done=tuple(self.done),
            pending=self.pending,
            losses={side: self.losses[side] for side in SIDES if self.losses.get(side)},
            lost={side: tuple(data.block_order(self.lost[side])) for side in SIDES},
        )

    @property
    def defender(self) -> Side:
        """The side that did not bring the fight about."""
        return OTHER[self.attacker]

    @property
    def winner(self) -> Side:
        """More impact wins, the defender on equal (8.2.1)."""
        more = self.impact[self.attacker] > self.impact[self.defender]
        return self.attacker if more else self.defender

    @property
    def loser(self) -> Side:
        """The beaten side."""
        return OTHER[self.winner]


@dataclass
class Board:
    """A whole position being worked on, with the events so far and the chance stream."""

    rules: int
    options: SekigaharaOptions
    week: int
    turn: Literal["A", "B"]
    phase: Phase
    first: Side
    active: Side
    blocks: dict[Side, dict[str, list[str]]]  # only places that have some
    besieged: set[str]
    holders: dict[str, Side]
    control: dict[str, Side]
    disks: list[str]
    hands: dict[Side, list[str]]
    decks: dict[Side, list[str]]
    discards: dict[Side, list[str]]
    bags: dict[Side, list[str]]
    boxes: dict[Side, list[str]]
    lost: dict[Side, list[str]]
    mori_box: list[str]
    sealed: dict[Side, tuple[str, ...]]
    standing: dict[Side, Standing]
    stays: dict[Side, dict[str, Siege]]
    march: Marching | None
    battle: Fight | None
    outcome: Outcome | None
    chance: Chance
    events: list[Event] = field(default_factory=list)

    @classmethod
    def of(cls, state: SekigaharaState, chance: Chance) -> Board:
        """A copy of the state to work on."""
        blocks: dict[Side, dict[str, list[str]]] = {side: {} for side in SIDES}
        besieged, holders = set[str](), dict[str, Side]()
        for place, here in state.map.items():
            if here.ishida:
                blocks["ishida"][place] = list(here.ishida)
            if here.tokugawa:
                blocks["tokugawa"][place] = list(here.tokugawa)
            if here.besieged:
                besieged.add(place)
            if here.holder:
                holders[place] = here.holder
        return cls(
            rules=state.rules,
            options=state.options,
            week=state.week,
            turn=state.turn,
            phase=state.phase,
            first=state.first,
            active=state.active,
            blocks=blocks,
            besieged=besieged,
            holders=holders,
            control=dict(state.control),
            disks=list(state.disks),
            hands=_lists(state.hands),
            decks=_lists(state.decks),
            discards=_lists(state.discards),
            bags=_lists(state.bags),
            boxes=_lists(state.boxes),
            lost=_lists(state.lost),
            mori_box=list(state.mori_box),
            sealed=dict(state.sealed),
            standing={side: state.standing.get(side, "ask") for side in SIDES},
            stays={side: dict(state.stays.get(side, {})) for side in SIDES},
            march=Marching.of(state.march) if state.march else None,
            battle=Fight.of(state.battle) if state.battle else None,
            outcome=state.outcome,
            chance=chance,
        )

    def state(self) -> SekigaharaState:
        """The value again, every order that means nothing being the data's."""
        blocks, cards = data.block_order, data.card_order
        return SekigaharaState(
            rules=self.rules,
            options=self.options,
            week=self.week,
            turn=self.turn,
            phase=self.phase,
            first=self.first,
            active=self.active,
            map={place: self._place(place) for place in PLACES},
            control={place: self.control[place] for place in data.RESOURCES if place in self.control},
            disks=tuple(disk for disk in data.DISKS if disk in self.disks),
            hands={side: tuple(cards(self.hands[side])) for side in SIDES},
            decks={side: tuple(self.decks[side]) for side in SIDES},
            discards={side: tuple(self.discards[side]) for side in SIDES},
            bags={side: tuple(blocks(self.bags[side])) for side in SIDES},
            boxes={side: tuple(blocks(self.boxes[side])) for side in SIDES},
            lost={side: tuple(blocks(self.lost[side])) for side in SIDES},
            mori_box=tuple(blocks(self.mori_box)),
            sealed={side: self.sealed[side] for side in SIDES if side in self.sealed},
            standing=dict(self.standing),
            stays={side: dict(sorted(said.items())) for side, said in self.stays.items() if said},
            march=self.march.state() if self.march else None,
            battle=self.battle.state() if self.battle else None,
            outcome=self.outcome,
        )

    def is_empty(self, place: str) -> bool:
        """Whether no unit of either side is here: most places, and such a place is always the same value."""
        return (
            place not in DISK_AT
            and not self.blocks["ishida"].get(place)
            and not self.blocks["tokugawa"].get(place)
        )

    def _place(self, place: str) -> PlaceState:
        if self.is_empty(place):
            return _EMPTY[place]
        return _standing_here(
            tuple(data.block_order(self.at("ishida", place))),
            tuple(data.block_order(self.at("tokugawa", place))),
            self.is_besieged(place),
            self.castle_side(place),
        )

    # -- what stands where ------------------------------------------------------------------

    def at(self, side: Side, place: str) -> Sequence[str]:
        """The faces of a side's blocks at a place."""
        return self.blocks[side].get(place, ())

    def count(self, side: Side, place: str) -> int:
        """How many blocks a side has at a place."""
        return len(self.blocks[side].get(place, ()))

    def disk(self, side: Side, place: str) -> str | None:
        """The disk that a side has in the castle here (8.9.3)."""
        disk = DISK_AT.get(place)
        return disk if side == "ishida" and disk in self.disks else None

    def has_units(self, side: Side, place: str) -> bool:
        """Whether a side has blocks or a disk here."""
        return bool(self.blocks[side].get(place)) or self.disk(side, place) is not None

    def contested(self, place: str) -> bool:
        """Whether both sides have units here."""
        return self.has_units("ishida", place) and self.has_units("tokugawa", place)

    def castle_side(self, place: str) -> Side | None:
        """Who controls the castle here (4.3), None where there is none.

        Both sides there: the side that held it before the other came, which is the side inside.
        """
        if place not in CASTLES:
            return None
        present = [side for side in SIDES if self.has_units(side, place)]
        if len(present) == 1:
            return present[0]
        return self.holders.get(place, CASTLES[place]) if present else CASTLES[place]

    def is_besieged(self, place: str) -> bool:
        """Whether one side is inside the castle here and the other before it."""
        if place not in CASTLES or not self.contested(place):
            return False
        return place in self.besieged or not self.count("ishida", place)  # a disk alone is inside

    # -- changes --------------------------------------------------------------------------

    def place_blocks(self, side: Side, place: str, faces: Iterable[str]) -> None:
        """Puts blocks down; whoever is there alone with a castle is noted as its holder first."""
        if not self.has_units(side, place) and (holder := self.castle_side(place)):
            self.holders[place] = holder
            self.besieged.discard(place)
        self.blocks[side].setdefault(place, []).extend(faces)

    def take_blocks(self, side: Side, place: str, faces: Sequence[str]) -> None:
        """Picks blocks up that are there."""
        left = without(self.at(side, place), faces)
        if left:
            self.blocks[side][place] = left
        else:
            self.blocks[side].pop(place, None)

    def kill(self, side: Side, place: str, faces: Sequence[str]) -> None:
        """Blocks leave the game (8.7.3)."""
        self.take_blocks(side, place, faces)
        self.lost[side].extend(faces)

    def forget_entries(self, place: str) -> None:
        """Once the active side has left, the ways it came by matter no more."""
        if self.march and not self.count(self.active, place):
            self.march.entered.pop(place, None)

    def tell(
        self,
        code: str,
        own: dict[Side, dict[str, Json]] | None = None,
        *,
        reveals: bool = False,
        **params: Json,
    ) -> None:
        """Notes an event; `own` holds what one side alone may know of it."""
        private = {SEAT[side]: extra for side, extra in (own or {}).items()}
        self.events.append(Event(code=code, params=params, private=private, reveals=reveals))


@lru_cache(maxsize=4096)
def _standing_here(ishida: Words, tokugawa: Words, besieged: bool, holder: Side | None) -> PlaceState:
    """Most places stay as they are from one state to the next: the same value."""
    return PlaceState(ishida=ishida, tokugawa=tokugawa, besieged=besieged, holder=holder)


def board_of(state: SekigaharaState) -> Board:
    """The board of a state for questions, which draw nothing."""
    return Board.of(state, Chance(b"", 0))
