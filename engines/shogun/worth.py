"""What a position is worth to each seat, in points to come, and quick plans and marches by it.

All numbers are ours; `docs/strength.md` tells what was measured. Nothing here is exact: a battle is weighed
by the normal curve over the means of the cubes that fall, which is what a glance at the tray gives a player.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erf, sqrt
from typing import NamedTuple

from engines.protocol import Seat
from engines.shogun.field import (
    BATTLE_A,
    BATTLE_B,
    BONUS,
    FIVE,
    HARVEST,
    NEAR,
    NOTHING,
    ONE,
    OUT,
    PRICE,
    ROOM,
    SIZE,
    TAX,
    THREE,
    Field,
    Where,
    harvest,
    levies,
    levy,
)

# Rounded so that the last bit of a libm decides nothing.
CURVE: tuple[float, ...] = tuple(round(0.5 + 0.5 * erf((z / 16 - 4) / sqrt(2)), 6) for z in range(129))
# Provinces lost to so many without rice in winter, about.
HUNGER: tuple[float, ...] = (0.0, 0.5, 0.65, 1.25, 1.25, 1.5, 1.5, 2.3)


class Weights(NamedTuple):
    """Points to come, against the average seat, for each of these that a seat has at a moment of the game.

    province   provinces
    building   buildings
    majority   points of majorities as they stand
    share      points of majorities by its share of the buildings
    chest      chests
    border     armies in provinces next to others', the first of each aside
    inner      armies in other provinces, the first aside
    risk       scoring points of a province, by the chance that its strongest neighbour takes it
    free       free spaces
    hungry     provinces without rice, by what the rounds to come should bring
    unrest     provinces with a marker
    rice       rice
    tower      cubes in the tower
    """

    province: float
    building: float
    majority: float
    share: float
    chest: float
    border: float
    inner: float
    risk: float
    free: float
    hungry: float
    unrest: float
    rice: float
    tower: float


# By year and rounds to come in it; 3: the year has not begun. Fitted to games of quick plans (docs/strength.md).
WEIGHTS: dict[tuple[int, int], Weights] = {
    (1, 2): Weights(4.3, 0.9, 1.0, 0.2, 1.0, 1.15, 1.2, -3.5, 0.0, 0.3, 0.6, 1.2, 1.2),
    (1, 1): Weights(3.5, 0.8, 1.0, 0.2, 0.8, 0.76, 0.72, -2.85, 0.0, 0.3, 0.5, 1.0, 1.4),
    (2, 3): Weights(2.3, 0.8, 0.3, 0.2, 0.37, 0.39, 0.4, -2.8, -0.3, 0.0, 0.0, 0.0, 0.87),
    (2, 2): Weights(1.76, 0.8, 0.25, 0.2, 0.26, 0.31, 0.28, -1.9, -0.12, 0.3, 0.5, 0.34, 0.87),
    (2, 1): Weights(1.4, 0.6, 0.5, 0.3, 0.21, 0.19, 0.07, -1.2, -0.08, 0.4, 0.4, 0.25, 0.6),
}
END = Weights(1, 1, 1, 0, 0.01, 0.0, 0.0, 0, 0, 0, 0, 0, 0)  # after the last scoring
GRAIN_A_ROUND = 3.6  # rice that a seat still gathers in each round to come
SPITE = 0.3  # share of a rival's province that its loss counts


def weights(year: int, rounds: int) -> Weights:
    """The weights after a round with so many to come in the year, the winter's scoring still to come."""
    if rounds:
        return WEIGHTS[(year, rounds)]
    after = WEIGHTS[(2, 3)] if year == 1 else END._replace(border=0.06, inner=0.03, risk=-0.6)
    return after._replace(
        province=after.province + (year == 1),
        building=after.building + (year == 1),
        majority=after.majority + (year == 1),
    )


def glance(attack: float, inside: float, defense: float, stuck: float, cubes: float) -> float:
    """About the chance that more attackers fall out than defenders: thrown, inside, cubes in all."""
    loose = LOOSE[min(int(cubes), 59)]
    mean = (attack - defense) * 0.6667 + (inside - stuck) * loose - 0.5
    spread = (attack + defense) * 0.2222 + (inside + stuck) * loose * (1 - loose) + 0.05
    z = int(mean / sqrt(spread) * 16 + 64.5)
    return CURVE[0 if z < 0 else min(z, 128)]


LOOSE: tuple[float, ...] = tuple(1 - 0.95**n for n in range(60))


def _risks() -> tuple[tuple[tuple[float, ...], ...], ...]:
    """By markers (0, 1), armies there and the most armies next to it: how likely an attack takes it."""
    table = []
    for marked in (0, 1):
        rows = []
        for there in range(13):
            row = [0.0]
            for near in range(1, 21):
                farmers = 0 if marked else 8
                row.append(glance(near - 1, 6, there, 6 + farmers, near + there + 4) if near > 1 else 0.0)
            rows.append(tuple(row))
        table.append(tuple(rows))
    return tuple(table)


RISK = _risks()


def risk_of(marked: int, there: int, near: int) -> float:
    """How likely the strongest neighbour takes a province if it attacks."""
    return RISK[1 if marked else 0][min(12, there)][min(20, near)]


class Worth:
    """Values of positions by weights.

    loss  rice that the winter to come takes, in the middle; None with no winter to come in sight
    """

    def __init__(self, by: Weights, rounds: int, loss: float | None) -> None:
        self.by = by
        self.winter = rounds == 0 and loss is not None
        self.grain = GRAIN_A_ROUND * rounds
        self.loss = loss

    def lacking(self, field: Field, seat: Seat, provinces: int) -> float:
        """Provinces that will have no rice in winter."""
        return 0.0 if self.loss is None else provinces + self.loss - self.grain - field.rice[seat]

    def hunger(self, lacking: float, held: float) -> float:
        """Points lost to so many provinces without rice, with provinces worth so much."""
        if not self.winter:
            return -self.by.hungry * (lacking if lacking > 0 else 0.0)
        if lacking <= -3:
            return 0.0
        if lacking <= 0:
            return (0.1 + 0.03 * lacking) * held
        low = int(lacking)
        if low >= 7:
            return HUNGER[7] * held
        return (HUNGER[low] + (HUNGER[low + 1] - HUNGER[low]) * (lacking - low) + 0.1) * held

    # -- of positions -----------------------------------------------------------------------

    def held(self, field: Field, name: int) -> float:
        """What holding a province is worth, majorities aside."""
        by, free = self.by, field.free[name]
        return by.province + by.building * (ROOM[name] - free) + by.free * free

    def near(self, field: Field, name: int) -> int:
        """The most armies next to a province that are somebody else's."""
        owner, armies, most = field.owner, field.armies, 0
        own = owner[name]
        for other in NEAR[name]:
            if armies[other] > most and owner[other] != own:
                most = armies[other]
        return most

    def values(self, field: Field) -> list[float]:
        """What the position is worth to each seat, at the end of a round."""
        by = self.by
        owner, armies, unrest, free = field.owner, field.armies, field.unrest, field.free
        values = [float(points) for points in field.points]
        count = [0] * field.seats
        province, building, space = by.province, by.building, by.free
        border, inner, risk, stir = by.border, by.inner, by.risk, by.unrest
        for name in range(SIZE):
            seat = owner[name]
            if seat < 0:
                continue
            count[seat] += 1
            spare = free[name]
            built = ROOM[name] - spare
            worth = province + building * built + space * spare
            most, army = 0, inner
            for other in NEAR[name]:
                whose = owner[other]
                if whose != seat and whose != OUT:
                    army = border
                    most = max(most, armies[other])
            there = armies[name]
            worth += army * (there - 1)
            if most > 1:
                worth += risk * RISK[1 if unrest[name] else 0][min(12, there)][min(20, most)] * (1 + built)
            if unrest[name]:
                worth += stir
            values[seat] += worth
        self.majorities(field, values)
        for seat in range(field.seats):
            chests = field.chests[seat]
            values[seat] += (
                by.chest * (chests if chests < 9 else 0.5 * chests + 4) + by.rice * field.rice[seat]
            )
            values[seat] += by.tower * field.tower[seat]
            if self.loss is not None:
                values[seat] -= self.hunger(self.lacking(field, seat, count[seat]), province + building)
        return values

    def majorities(self, field: Field, values: list[float]) -> None:
        """Majorities as they stand, and a part of each for a share in it."""
        majority, share = self.by.majority, self.by.share
        for place, found in enumerate(field.counts()):
            total = sum(found)
            if not total:
                continue
            most = max(found)
            bonus = BONUS[place // 5]
            gain = (bonus - (found.count(most) > 1)) * majority
            for seat, number in enumerate(found):
                if number:
                    if number == most:
                        values[seat] += gain
                    values[seat] += bonus * share * number / total

    # -- quick decisions ----------------------------------------------------------------------

    def bared(self, field: Field, source: int, armies: int) -> float:
        """What a province risks when armies leave it."""
        near = self.near(field, source)
        if near < 2:
            return 0.0
        there, marked = field.armies[source], field.unrest[source]
        more = risk_of(marked, there - armies, near) - risk_of(marked, there, near)
        return -self.by.risk * more * (1 + ROOM[source] - field.free[source])

    def march(self, field: Field, seat: Seat, source: int) -> Where:
        """A quick answer to a battle card: the best target and number, an own neighbour where none pays."""
        where, _ = self.weighed(field, seat, source)
        return where

    def weighed(self, field: Field, seat: Seat, source: int) -> tuple[Where, float]:
        """The quick answer to a battle card and what it should bring."""
        armies, owner, unrest = field.armies, field.owner, field.unrest
        have = armies[source]
        tower, tray, special = field.tower, field.tray, field.special
        event = field.event
        mine = tower[seat]
        plus = tray[seat] + (special[seat] == "attack+1")
        lying = sum(tray)
        threat = self.near(field, source)
        by = self.by
        cost = by.border
        province, building, space = by.province, by.building, by.free
        free, temples = field.free, field.built[1]
        best, where = (0.0 if not field.forced else -99.0), (NOTHING, 0)
        numbers = (have - 1, have - 2) if have > 6 else (have - 1,)
        bared = [self.bared(field, source, number) for number in numbers]
        for target in NEAR[source]:
            whose = owner[target]
            if whose == -2:
                continue
            there = armies[target]
            if whose == seat:
                gain, number = -0.05, 1
                if there < 3 and have > 2 and threat < self.near(field, target):
                    gain, number = 0.05, have // 2
                if gain > best:
                    best, where = gain, (target, number)
                continue
            if whose >= 0:
                if event == "temple_peace" and temples[target]:
                    continue
                defense, stuck = there + tray[whose], tower[whose]
                if special[whose] == "defense+1":
                    defense += 1
                if event == "castle_defense" and field.built[0][target]:
                    defense += 1
            else:
                defense, stuck = (2 if event == "neutral_two_farmers" else 1), 0
                there = defense
            if not unrest[target]:
                defense += tray[-1]
                stuck += tower[-1]
            held = province + building * (ROOM[target] - free[target]) + space * free[target]
            prize = held + (SPITE * held if whose >= 0 else 0.0)
            for number, risk in zip(numbers, bared, strict=True):
                win = glance(number + plus, mine, defense, stuck, number + lying + there)
                gain = win * prize - cost * number * (1 - 0.45 * win) - risk
                if gain > best:
                    best, where = gain, (target, number)
        if best < -0.4 and have > 2 and where[1] > 1:
            where = (where[0], 1)  # who must attack where nothing pays sends one army
            best = max(best, -cost - self.bared(field, source, 1))
        return where, best

    def entries(self, field: Field, seat: Seat) -> list[tuple[float, int, int]]:
        """What each own province's card on each action should bring: (points, action, province)."""
        by = self.by
        own = [name for name, owner in enumerate(field.owner) if owner == seat]
        counts = field.counts()
        special, event = field.special[seat], field.event
        found: list[tuple[float, int, int]] = []
        lacking = self.lacking(field, seat, len(own))
        middle = by.province + by.building
        hunger = self.hunger(lacking, middle)
        supply = field.supply[seat]
        for name in own:
            armies, marked = field.armies[name], field.unrest[name]
            near = self.near(field, name)
            score = -by.risk * (1 + ROOM[name] - field.free[name])
            risk = risk_of(marked, armies, near) * score
            if field.free[name]:
                safe = 1 - 0.3 * risk_of(marked, armies, near)
                for kind in range(3):
                    if not field.built[kind][name] and field.stock[kind]:
                        gain = by.building + self.lead(counts[5 * kind + field.area[name]], seat, kind)
                        found.append((gain * safe - by.free - PRICE[kind] * by.chest, kind, name))
            if marked:
                win = glance(
                    armies + field.tray[seat],
                    field.tower[seat],
                    marked + field.tray[-1],
                    field.tower[-1],
                    armies + marked + sum(field.tray),
                )
                stir = (1 - win) * self.held(field, name) + by.border * armies * 0.6
            else:
                stir = risk_of(1, armies, near) * score - risk - min(0.0, by.unrest)
            found.append((levy(name, event) * by.chest - stir, TAX, name))
            grown = harvest(name, event)
            gain = hunger - self.hunger(lacking - grown, middle) + by.rice * grown
            found.append((gain - stir, HARVEST, name))
            army = by.inner
            for other in NEAR[name]:
                if field.owner[other] not in (seat, OUT):
                    army = by.border
                    break
            for action in (FIVE, THREE, ONE):
                number = levies(action, event, special)
                if number <= supply:
                    safer = risk - risk_of(marked, armies + number, near) * score
                    found.append((safer + army * number - PRICE[action] * by.chest, action, name))
            gain = 0.0
            if armies > 1:
                (target, _), gain = self.weighed(field, seat, name)
            found.append((gain, BATTLE_A, name))
            found.append((gain, BATTLE_B, name))
        return found

    def lead(self, found: list[int], seat: Seat, kind: int) -> float:
        """What one more building of a kind brings in a region's majority."""
        mine, total = found[seat], sum(found)
        most = 0
        for other, number in enumerate(found):
            if other != seat and number > most:
                most = number
        bonus = BONUS[kind]
        more = bonus * self.by.share * ((mine + 1) / (total + 1) - (mine / total if total else 0.0))
        if mine == most:
            more += (1.0 if most else bonus) * self.by.majority
        elif mine + 1 == most:
            more += (bonus - 1) * self.by.majority
        return more


def quick_plan(
    entries: Sequence[tuple[float, int, int]], purse: int, own: Sequence[int], fewest: int
) -> list[int]:
    """The worthiest pairs first, within the chests; then the least harm, to have `fewest` provinces."""
    plan = [NOTHING] * 10
    used: set[int] = set()
    rest: list[tuple[float, int, int]] = []
    for entry in sorted(entries, reverse=True):
        value, action, name = entry
        if plan[action] >= 0 or name in used:
            continue
        if value <= 0.0 or PRICE[action] > purse:
            rest.append(entry)
            continue
        plan[action] = name
        used.add(name)
        purse -= PRICE[action]
        if action == TAX:
            purse += 3
    missing = min(fewest, len(own)) - len(used)
    if missing > 0:
        missing -= _fill(plan, used, rest, purse, missing)
    for name in own:
        if missing <= 0:
            break
        if name not in used:
            plan[plan.index(NOTHING)] = name
            used.add(name)
            missing -= 1
    return plan


def _fill(
    plan: list[int], used: set[int], rest: Sequence[tuple[float, int, int]], purse: int, missing: int
) -> int:
    """Lay what is left over, the least harm first; how many were laid."""
    laid = 0
    harm = [(value if PRICE[action] <= purse else -0.02, action, name) for value, action, name in rest]
    for _, action, name in sorted(harm, reverse=True):
        if laid == missing:
            break
        if plan[action] < 0 and name not in used:
            plan[action] = name
            used.add(name)
            laid += 1
    return laid
