"""A private fast form of a position for looking ahead: plain lists by a province's rank, no events told.

It knows what a viewer may know and what the viewer imagines of the rest. Chance is a small generator of
its own, sown anew for every turn, so that two plans tried in the same world meet the same throws.
Provinces are numbers by `data.RANK`, actions by the order of `data.ACTIONS`, cubes by seat, then farmers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cache

from engines.protocol import Seat
from engines.shogun.data import (
    ACTIONS,
    BUILDINGS,
    CHESTS,
    COST,
    FARMERS,
    MAJORITY,
    PROVINCES,
    RANK,
    RECRUITS,
    REGION,
    REGIONS,
    RICE,
    RICE_LOSS,
    SPACES,
    STOCK,
    hunger,
    neighbours,
)
from engines.shogun.model import ShogunView, Tower
from engines.shogun.odds import falls

SIZE = len(PROVINCES)
NEAR: tuple[tuple[int, ...], ...] = tuple(tuple(RANK[n] for n in neighbours(name)) for name in PROVINCES)
CHEST: tuple[int, ...] = tuple(CHESTS[name] for name in PROVINCES)
GRAIN: tuple[int, ...] = tuple(RICE[name] for name in PROVINCES)
ROOM: tuple[int, ...] = tuple(SPACES[name] for name in PROVINCES)
PRICE: tuple[int, ...] = tuple(COST[action] for action in ACTIONS)
AREA: dict[str, tuple[int, ...]] = {
    side: tuple(REGIONS.index(REGION[side][name]) for name in PROVINCES) for side in ("sun", "moon")
}
BONUS: tuple[int, ...] = tuple(MAJORITY[kind] for kind in BUILDINGS)
LIMIT: tuple[int, ...] = tuple(STOCK[kind] for kind in BUILDINGS)
CASTLE, TEMPLE, THEATER, HARVEST, TAX, FIVE, THREE, ONE, BATTLE_A, BATTLE_B = range(10)
NEUTRAL, OUT = -1, -2  # owners: nobody, not in play
NOTHING = -1  # a space of a plan without a province

MASK = (1 << 48) - 1
GOLD = 0x9E3779B97F4A7C15

Plans = list[list[int]]  # by seat, by action: a province or NOTHING
Where = tuple[int, int]  # a target and how many armies; a target of -1 stays
March = Callable[["Field", Seat, int], Where]


@cache
def _fallen(model: Tower, thrown: int, inside: int, cubes: int) -> tuple[int, ...]:
    """Upper ends of 48 random bits for each number of cubes that fall out, without the last."""
    ends: list[int] = []
    total = 0.0
    for chance in falls(model, thrown, inside, cubes)[:-1]:
        total += chance
        ends.append(int(total * (1 << 48)))
    return tuple(ends)


class Field:
    """The position; every method changes it in place."""

    __slots__ = (
        "area",
        "armies",
        "built",
        "chests",
        "event",
        "forced",
        "free",
        "march",
        "model",
        "owner",
        "points",
        "rice",
        "seats",
        "seed",
        "special",
        "stock",
        "supply",
        "tower",
        "tray",
        "unrest",
    )

    def __init__(self, seats: int, model: Tower, area: tuple[int, ...], march: March) -> None:
        self.seats = seats
        self.model = model
        self.area = area
        self.march = march
        self.forced = True
        self.seed = 1
        self.event = ""
        self.owner = [OUT] * SIZE
        self.armies = [0] * SIZE
        self.unrest = [0] * SIZE
        self.free = list(ROOM)
        self.built = [[0] * SIZE for _ in BUILDINGS]
        self.stock = list(LIMIT)
        self.chests = [0] * seats
        self.rice = [0] * seats
        self.points = [0] * seats
        self.supply = [0] * seats
        self.special = [""] * seats
        self.tower = [0] * (seats + 1)
        self.tray = [0] * (seats + 1)

    def copy(self) -> Field:
        """The same position apart."""
        twin = Field.__new__(Field)
        twin.seats, twin.model, twin.area, twin.march = self.seats, self.model, self.area, self.march
        twin.forced, twin.seed, twin.event = self.forced, self.seed, self.event
        twin.owner, twin.armies = self.owner[:], self.armies[:]
        twin.unrest, twin.free, twin.stock = self.unrest[:], self.free[:], self.stock[:]
        twin.built = [row[:] for row in self.built]
        twin.chests, twin.rice, twin.points = self.chests[:], self.rice[:], self.points[:]
        twin.supply, twin.special = self.supply[:], self.special[:]
        twin.tower, twin.tray = self.tower[:], self.tray[:]
        return twin

    # -- chance ---------------------------------------------------------------------------

    def sow(self, world: int, action: int, seat: Seat) -> None:
        """Chance begins anew here, the same in every trial of a world."""
        self.seed = ((world + (action * 8 + seat + 1) * GOLD) * 25214903917 + 11) & MASK

    def bits(self) -> int:
        """The next 48 random bits."""
        self.seed = seed = (self.seed * 25214903917 + 11) & MASK
        return ((seed >> 17) ^ seed * 0x2545F491) & MASK

    def throw(self, thrown: list[int]) -> None:
        """Cubes and the whole tray go into the tower; what falls out lies in the tray (B1, C1)."""
        tray, tower, model = self.tray, self.tower, self.model
        for party in range(self.seats + 1):
            thrown[party] += tray[party]
        cubes = sum(thrown)
        for party, count in enumerate(thrown):
            inside = tower[party]
            if count or inside:
                fallen = bisect_right(_fallen(model, count, inside, cubes), self.bits())
                tray[party] = fallen
                tower[party] = inside + count - fallen

    # -- battles --------------------------------------------------------------------------

    def clear(self, name: int, plans: Plans) -> None:
        """A province becomes neutral: its buildings and markers go, its card leaves the plan (A7)."""
        self.lose(name, plans)
        self.owner[name] = NEUTRAL
        self.armies[name] = self.unrest[name] = 0
        self.free[name] = ROOM[name]
        for kind, row in enumerate(self.built):
            if row[name]:
                row[name] = 0
                self.stock[kind] += 1

    def lose(self, name: int, plans: Plans) -> None:
        """The card of a province leaves its owner's plan (A7)."""
        plan = plans[self.owner[name]] if self.owner[name] >= 0 and plans else ()
        if name in plan:
            plans[self.owner[name]][plan.index(name)] = NOTHING

    def fight(self, seat: Seat, source: int, target: int, armies: int, plans: Plans) -> None:
        """An attack on a province that is not the seat's own (rules B)."""
        owner, supply, tray = self.owner[target], self.supply, self.tray
        thrown = [0] * (self.seats + 1)
        self.armies[source] -= armies
        thrown[seat] = armies
        if self.special[seat] == "attack+1" and supply[seat]:
            supply[seat] -= 1
            thrown[seat] += 1
        if owner >= 0:
            extra = (self.special[owner] == "defense+1") + (
                self.event == "castle_defense" and self.built[CASTLE][target]
            )
            extra = min(extra, supply[owner])
            supply[owner] -= extra
            thrown[owner] = self.armies[target] + extra
        else:
            farmers = 2 if self.event == "neutral_two_farmers" else 1
            thrown[-1] = min(farmers, FARMERS - self.tower[-1] - tray[-1])
        self.throw(thrown)
        attack, defense, helped = tray[seat], tray[owner] if owner >= 0 else 0, 0
        tray[seat] = 0
        supply[seat] += attack
        if owner >= 0:
            tray[owner] = 0
            supply[owner] += defense
        if not self.unrest[target]:
            helped, tray[-1] = tray[-1], 0
        left = attack - defense - helped
        if left > 0:
            self.lose(target, plans)
            self.owner[target] = seat
            self.armies[target] = left
            supply[seat] -= left
        elif left < 0 and defense:
            self.armies[target] = left = min(defense, -left)
            supply[owner] -= left
        elif owner >= 0:
            self.clear(target, plans)

    def revolt(self, name: int, farmers: int, marker: int, plans: Plans) -> None:
        """The farmers of a province rise against its owner (rules R)."""
        seat = self.owner[name]
        thrown = [0] * (self.seats + 1)
        thrown[seat] = self.armies[name]
        thrown[-1] = min(farmers, FARMERS - self.tower[-1] - self.tray[-1])
        self.throw(thrown)
        left = self.tray[seat] - self.tray[-1]
        self.supply[seat] += self.tray[seat]
        self.tray[seat] = self.tray[-1] = 0
        if left > 0:
            self.armies[name] = left
            self.supply[seat] -= left
            self.unrest[name] += marker
        else:
            self.clear(name, plans)

    # -- the ten actions ------------------------------------------------------------------

    def act(self, seat: Seat, action: int, name: int, plans: Plans) -> None:
        """A seat's turn in an action in a province of its own (rules A); marches by the field's own way."""
        if action >= BATTLE_A:
            if self.armies[name] > 1:
                self.go(seat, name, self.march(self, seat, name), plans)
        elif action <= THEATER:
            row = self.built[action]
            if (
                self.chests[seat] >= PRICE[action]
                and self.free[name]
                and not row[name]
                and self.stock[action]
            ):
                self.chests[seat] -= PRICE[action]
                self.free[name] -= 1
                self.stock[action] -= 1
                row[name] = 1
                if action == THEATER and self.event == "theater_calms" and self.unrest[name]:
                    self.unrest[name] -= 1
        elif action == HARVEST:
            self.rice[seat] += harvest(name, self.event) + (self.special[seat] == "rice+1")
            self.stir(name, plans)
        elif action == TAX:
            self.chests[seat] += levy(name, self.event) + (self.special[seat] == "tax+1")
            self.stir(name, plans)
        else:
            self.recruit(seat, action, name)

    def stir(self, name: int, plans: Plans) -> None:
        """A first marker of unrest, or a revolt (A12)."""
        if self.unrest[name]:
            self.revolt(name, self.unrest[name], 1, plans)
        else:
            self.unrest[name] = 1

    def recruit(self, seat: Seat, action: int, name: int) -> None:
        """Armies for chests, all of them or none (A4); the move after `recruit1_move` is left out."""
        armies = levies(action, self.event, self.special[seat])
        if self.chests[seat] >= PRICE[action] and self.supply[seat] >= armies:
            self.chests[seat] -= PRICE[action]
            self.supply[seat] -= armies
            self.armies[name] += armies

    def go(self, seat: Seat, source: int, where: Where, plans: Plans) -> None:
        """A battle or a move to a target; -1 stays."""
        target, armies = where
        if target < 0:
            return
        if self.owner[target] == seat:
            self.armies[source] -= armies
            self.armies[target] += armies
        else:
            self.fight(seat, source, target, armies, plans)

    def run(
        self,
        plans: Plans,
        order: Sequence[Seat],
        actions: Sequence[int],
        world: int,
        start: tuple[int, int] = (0, 0),
    ) -> None:
        """The rest of a round from the turn at place `start[1]` of action `start[0]`."""
        first, place = start
        for index in range(first, len(actions)):
            action = actions[index]
            for seat in order[place:] if place else order:
                name = plans[seat][action]
                if name >= 0:
                    self.sow(world, action, seat)
                    self.act(seat, action, name, plans)
            place = 0

    # -- winter ---------------------------------------------------------------------------

    def winter(self, order: Sequence[Seat], loss: int, world: int) -> None:
        """Rice falls, the hungry revolt (W1-W3), points are scored (W4), markers and rice go (W5)."""
        for seat in order:
            self.sow(world, 10, seat)
            own = [name for name, owner in enumerate(self.owner) if owner == seat]
            unfed = len(own) - max(0, self.rice[seat] - loss)
            if unfed > 0:
                revolts, farmers = hunger(unfed)
                for _ in range(min(revolts, len(own))):
                    name = own.pop(self.bits() % len(own))
                    self.revolt(name, self.unrest[name] + farmers, 0, [])
        for seat, gain in enumerate(self.scoring()):
            self.points[seat] += gain
        self.unrest = [0] * SIZE
        self.rice = [0] * self.seats

    def counts(self) -> list[list[int]]:
        """Buildings by kind and region (5 of each), then by seat."""
        counts = [[0] * self.seats for _ in range(15)]
        area = self.area
        for kind, row in enumerate(self.built):
            base = 5 * kind
            for name, owner in enumerate(self.owner):
                if row[name] and owner >= 0:
                    counts[base + area[name]][owner] += 1
        return counts

    def scoring(self) -> list[int]:
        """What a scoring now would give each seat (W4)."""
        gains = [0] * self.seats
        for name, owner in enumerate(self.owner):
            if owner >= 0:
                gains[owner] += 1 + ROOM[name] - self.free[name]
        for place, found in enumerate(self.counts()):
            most = max(found)
            if most:
                best = [seat for seat, count in enumerate(found) if count == most]
                for seat in best:
                    gains[seat] += BONUS[place // 5] - (len(best) > 1)
        return gains


# -- what an action gives -------------------------------------------------------------------


def levy(name: int, event: str) -> int:
    """Chests of a province under an event's kind (A10, A11)."""
    if event == "tax_max_5":
        return min(CHEST[name], 5)
    return max(CHEST[name], 6) if event == "tax_min_6" else CHEST[name]


def harvest(name: int, event: str) -> int:
    """Rice of a province under an event's kind (A10, A11)."""
    if event == "rice_min_4":
        return max(GRAIN[name], 4)
    return min(GRAIN[name], 3) if event == "rice_max_3" else GRAIN[name]


def levies(action: int, event: str, special: str) -> int:
    """Armies that a recruiting action places (A10, A11)."""
    if action == FIVE and special == "recruit6":
        return 6
    if event == "recruit_reduced" and action != ONE:
        return 3 if action == FIVE else 2
    return RECRUITS[ACTIONS[action]]


def kind_of(event: str | None) -> str:
    """An event's kind: three exist on two cards each (A11)."""
    return (event or "").removesuffix("_1").removesuffix("_2")


def loss_of(event: str) -> int:
    """Rice that an event's card takes in winter."""
    return RICE_LOSS[event]


def field_of(view: ShogunView, march: March) -> Field:
    """The fast form of what a viewer sees."""
    field = Field(len(view.players), view.options.tower, AREA[view.options.side], march)
    field.event = kind_of(view.event)
    field.forced = view.options.forced_battles
    for text, province in view.provinces.items():
        name = RANK[text]
        field.owner[name] = NEUTRAL if province.owner is None else province.owner
        field.armies[name] = province.armies
        field.unrest[name] = province.unrest
        field.free[name] = ROOM[name] - province.buildings
        for kind, building in enumerate(BUILDINGS):
            if getattr(province, building):
                field.built[kind][name] = 1
                field.stock[kind] -= 1
    for seat, player in enumerate(view.players):
        field.chests[seat] = player.chests
        field.rice[seat] = player.rice
        field.points[seat] = player.points
        field.supply[seat] = player.supply
        field.special[seat] = player.special or ""
    field.tower, field.tray = list(view.tower), list(view.tray)
    return field
