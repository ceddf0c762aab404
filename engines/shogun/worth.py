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
    CHEST,
    FIVE,
    GRAIN,
    HARVEST,
    NEAR,
    NOTHING,
    ONE,
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
# Points lost to so many provinces without rice in winter.
HUNGER: tuple[float, ...] = (0.0, 1.7, 2.2, 4.2, 4.2, 5.2, 5.2, 7.5)


class Taste(NamedTuple):
    """The weights that were tuned.

    second   what a scoring of year 2 counts in year 1
    fade     what a round until a scoring leaves of it
    chest    points of a chest, while two rounds or more are to come, and while one is
    army     points of an army in a province, the last aside
    risk     how much of a threat to a province comes true in a round
    grain    rice that a seat gathers in a round still to come
    hunger   how much of HUNGER a winter costs
    spare    points of a free space, by rounds to come
    ground   points of a province's chests and rice, by rounds to come
    prize    points of taking any province, beside its worth
    spite    share of a rival's province that its loss counts
    spend    points of an army sent out, beside its worth
    stir     points of a marker of unrest
    lead     what the lead in a majority counts
    share    what a building without the lead counts of a majority
    """

    second: float = 0.8
    fade: float = 1.0
    chest: float = 0.32
    last: float = 0.25
    army: float = 0.3
    risk: float = 0.16
    grain: float = 3.6
    hunger: float = 0.55
    spare: float = 0.06
    ground: float = 0.006
    prize: float = 0.3
    spite: float = 0.35
    spend: float = 0.04
    stir: float = 0.12
    lead: float = 0.75
    share: float = 0.06


TASTE = Taste()


class Clock(NamedTuple):
    """What the calendar makes of things after the round that is planned.

    land   points that a point of scoring is worth now, over the scorings to come
    chest  points of a chest
    most   chests that can be spent well
    army   points of an army at the border
    left   rounds of planning to come
    grain  rice that a seat still gathers this year after this round
    loss   rice that winter takes, in the middle
    risk   how much of a threat comes true before the scorings
    winter whether a winter comes before a year begins anew
    """

    land: float
    chest: float
    most: int
    army: float
    left: int
    grain: float
    loss: float
    risk: float
    winter: bool


def clock(year: int, rounds: int, loss: float, taste: Taste = TASTE) -> Clock:
    """The clock after a round with `rounds` to come in the year; 3: the year has not begun."""
    left = rounds + (3 if year == 1 else 0)
    land = taste.fade**rounds + (taste.second if year == 1 else 0)
    return Clock(
        land=land,
        chest=taste.chest if left > 1 else taste.last if left else 0.01,
        most=8 * left if left else 99,
        army=taste.army if left > 1 else 0.6 * taste.army if left else 0.0,
        left=left,
        grain=taste.grain * rounds,
        loss=loss,
        risk=min(left, 3) * taste.risk,
        winter=rounds < 3,
    )


def planning(year: int, rounds: int, loss: float, taste: Taste = TASTE) -> Clock:
    """The clock while a round is planned with `rounds` to come after it: its battles are still to come."""
    now = clock(year, rounds, loss, taste)
    return now._replace(risk=min(now.left + 1, 3) * taste.risk, army=max(now.army, 0.06))


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
    """Values of positions by a clock."""

    def __init__(self, now: Clock, taste: Taste = TASTE) -> None:
        self.now = now
        self.taste = taste
        self.ground = tuple(taste.ground * now.left * (CHEST[name] + GRAIN[name]) for name in range(SIZE))
        self.spare = taste.spare * min(now.left, 4)

    # -- of positions -----------------------------------------------------------------------

    def held(self, field: Field, name: int) -> float:
        """What holding a province is worth, majorities aside."""
        free = field.free[name]
        return self.now.land * (1 + ROOM[name] - free) + self.ground[name] + self.spare * free

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
        now = self.now
        seats = field.seats
        owner, armies, unrest, free = field.owner, field.armies, field.unrest, field.free
        values = [float(points) for points in field.points]
        count = [0] * seats
        land, ground, spare, risk = now.land, self.ground, self.spare, now.risk
        army = now.army
        for name in range(SIZE):
            seat = owner[name]
            if seat < 0:
                continue
            count[seat] += 1
            worth = land * (1 + ROOM[name] - free[name]) + ground[name] + spare * free[name]
            if risk:
                most = 0
                foreign = 0
                for other in NEAR[name]:
                    if owner[other] != seat:
                        most = max(most, armies[other])
                        if owner[other] != -2:
                            foreign = 1
                there = armies[name]
                if most > 1:
                    worth -= (
                        risk * RISK[1 if unrest[name] else 0][min(12, there)][min(20, most)] * (worth + 0.5)
                    )
                more = there - 1
                worth += army * (more if more < 6 else 6 + (more - 6) * 0.4) * (1.0 if foreign else 0.5)
                if unrest[name]:
                    worth -= self.taste.stir
            values[seat] += worth
        self.majorities(field, values)
        for seat in range(seats):
            chests = field.chests[seat]
            values[seat] += now.chest * (min(now.most, chests))
            if now.winter:
                short = count[seat] + now.loss - now.grain - field.rice[seat]
                values[seat] -= self.hunger(short)
        return values

    def hunger(self, short: float) -> float:
        """What so many provinces without rice cost; a little for the doubt, a little back for plenty."""
        worth = self.taste.hunger * self.now.land
        if short <= -3:
            return 0.02 * short
        if short <= 0:
            return (0.25 + 0.08 * short) * worth
        low = int(short)
        if low >= 7:
            return 7.5 * worth
        return worth * (HUNGER[low] + (HUNGER[low + 1] - HUNGER[low]) * (short - low) + 0.25)

    def majorities(self, field: Field, values: list[float]) -> None:
        """Majorities as they stand, and a part of each for a share in it."""
        land = self.now.land
        sure = 1.0 if self.now.left == 0 else 0.8
        for place, found in enumerate(field.counts()):
            total = sum(found)
            if not total:
                continue
            most = max(found)
            bonus = BONUS[place // 5] * land
            tied = found.count(most) > 1
            gain = (BONUS[place // 5] - tied) * land * sure
            for seat, number in enumerate(found):
                if number:
                    if number == most:
                        values[seat] += gain
                    values[seat] += bonus * (1 - sure) * number / total

    # -- quick decisions ----------------------------------------------------------------------

    def bared(self, field: Field, source: int, armies: int) -> float:
        """What a province risks when armies leave it."""
        near = self.near(field, source)
        if near < 2 or not self.now.risk:
            return 0.0
        there, marked = field.armies[source], field.unrest[source]
        more = risk_of(marked, there - armies, near) - risk_of(marked, there, near)
        return more * self.now.risk * (self.held(field, source) + 0.5)

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
        cost = self.now.army + self.taste.spend
        land, spare, ground = self.now.land, self.spare, self.ground
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
            held = land * (1 + ROOM[target] - free[target]) + ground[target] + spare * free[target]
            prize = held + self.taste.prize + (self.taste.spite * held if whose >= 0 else 0.0)
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
        now = self.now
        own = [name for name, owner in enumerate(field.owner) if owner == seat]
        counts = field.counts()
        special, event = field.special[seat], field.event
        found: list[tuple[float, int, int]] = []
        short = len(own) + now.loss - now.grain - field.rice[seat]
        hunger = self.hunger(short)
        supply = field.supply[seat]
        for name in own:
            armies, marked = field.armies[name], field.unrest[name]
            near = self.near(field, name)
            held = self.held(field, name)
            risk = risk_of(marked, armies, near) * now.risk
            if field.free[name]:
                for kind in range(3):
                    if not field.built[kind][name] and field.stock[kind]:
                        gain = now.land * (1 + self.lead(counts[5 * kind + field.area[name]], seat, kind))
                        found.append((gain * (1 - risk) - self.spare - PRICE[kind] * now.chest, kind, name))
            if marked:
                win = glance(
                    armies + field.tray[seat],
                    field.tower[seat],
                    marked + field.tray[-1],
                    field.tower[-1],
                    armies + marked + sum(field.tray),
                )
                stir = (1 - win) * held + 0.2 * armies * 0.5 + 0.15
            else:
                stir = (risk_of(1, armies, near) * now.risk - risk) * held + self.taste.stir
            found.append((levy(name, event) * now.chest - stir, TAX, name))
            grown = harvest(name, event)
            found.append((hunger - self.hunger(short - grown) - stir, HARVEST, name))
            front = 0.4
            for other in NEAR[name]:
                if field.owner[other] not in (seat, -2):
                    front = 1.0
                    break
            for action in (FIVE, THREE, ONE):
                number = levies(action, event, special)
                if number <= supply:
                    safer = (risk - risk_of(marked, armies + number, near) * now.risk) * (held + 0.5)
                    gain = safer + (now.army + 0.02) * number * front - PRICE[action] * now.chest
                    found.append((gain, action, name))
            if armies > 1:
                (target, _), gain = self.weighed(field, seat, name)
                if target >= 0:
                    found.append((gain, BATTLE_A, name))
                    found.append((gain, BATTLE_B, name))
            else:
                found.append((0.0, BATTLE_A, name))
                found.append((0.0, BATTLE_B, name))
        return found

    def lead(self, found: list[int], seat: Seat, kind: int) -> float:
        """What one more building of a kind brings in a region's majority."""
        mine = found[seat]
        most = 0
        for other, number in enumerate(found):
            if other != seat and number > most:
                most = number
        bonus = BONUS[kind]
        if mine > most:
            return 1.2 * self.taste.share * bonus
        if mine == most:
            return (1.0 if most else bonus) * self.taste.lead + self.taste.share * bonus
        if mine + 1 == most:
            return (bonus - 1) * self.taste.lead + self.taste.share * bonus
        return 2 * self.taste.share * bonus


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
