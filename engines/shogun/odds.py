"""Odds of a battle or revolt from public knowledge alone, exact from the tower model.

Every cube falls independently, so each party's count in the tray is a sum of two binomials:
its thrown cubes and its cubes stuck in the tower. What other colours do only adds to the
number of cubes thrown, which loosens the stuck ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from engines.protocol import Seat
from engines.shogun.battle import Extras, extras, farmers_count, outcome
from engines.shogun.data import FARMERS
from engines.shogun.model import PlayerView, Province, ShogunOptions, Tower
from engines.shogun.tower import loosening, passing

Spread = tuple[float, ...]  # probability of each count, from 0


class Scene(Protocol):
    """What odds look at: a view has it."""

    @property
    def options(self) -> ShogunOptions:
        """The table's options, for the tower model."""

    @property
    def provinces(self) -> Mapping[str, Province]:
        """What stands in each province."""

    @property
    def players(self) -> Sequence[PlayerView]:
        """Supplies and special cards."""

    @property
    def event(self) -> str | None:
        """The event in force."""

    @property
    def tower(self) -> Sequence[int]:
        """Cubes inside the tower."""

    @property
    def tray(self) -> Sequence[int]:
        """Cubes in the tray."""


class Odds(NamedTuple):
    """Probabilities of a battle for its attacker, and armies left.

    win       the attacker takes the province
    tie       the province is neutral afterwards
    lose      the defender holds it
    left      armies the attacker expects in the province, 0 where he does not win
    defended  armies the defender expects there, 0 where he does not hold it
    """

    win: float
    tie: float
    lose: float
    left: float
    defended: float


class RevoltOdds(NamedTuple):
    """The probability that the owner holds a province that revolts, and the armies he expects there."""

    held: float
    left: float


def battle_odds(scene: Scene, seat: Seat, target: str, armies: int) -> Odds:
    """The odds of `seat` attacking `target`, which is not its own, with so many armies."""
    thrown, helped = _thrown(scene, seat, target, armies)
    owner = scene.provinces[target].owner
    return odds_of_throw(scene.options.tower, thrown, scene.tower, seat, owner, helped=helped)


class Ending(NamedTuple):
    """One way in which a battle may end: `won`, `held` or `tie`, the armies left, and its probability."""

    end: str
    armies: int
    chance: float


def endings(scene: Scene, seat: Seat, target: str, armies: int) -> list[Ending]:
    """Every way in which an attack may end, with its probability; they add up to 1."""
    thrown, helped = _thrown(scene, seat, target, armies)
    owner, cubes = scene.provinces[target].owner, sum(thrown)
    model, inside = scene.options.tower, scene.tower
    ours = falls(model, thrown[seat], inside[seat], cubes)
    theirs = (1.0,) if owner is None else falls(model, thrown[owner], inside[owner], cubes)
    rabble = falls(model, thrown[-1], inside[-1], cubes) if helped else (1.0,)
    found: dict[tuple[str, int], float] = {}
    for attackers, chance_a in _likely(ours):
        for defenders, chance_d in _likely(theirs):
            for farmers, chance_f in _likely(rabble):
                end = outcome(attackers, defenders, farmers)
                chance = chance_a * chance_d * chance_f
                found[(end.end, end.armies)] = found.get((end.end, end.armies), 0.0) + chance
    return [Ending(end, left, chance) for (end, left), chance in sorted(found.items())]


def _thrown(scene: Scene, seat: Seat, target: str, armies: int) -> tuple[list[int], bool]:
    """The cubes that an attack throws, tray and extras too, and whether the farmers help the defender."""
    province = scene.provinces[target]
    defender = province.owner
    special = None if defender is None else scene.players[defender].special
    more = extras(scene, target, scene.players[seat].special, special)
    attack = armies + min(more.attack, scene.players[seat].supply)
    defense = _defense(scene, target, more)
    farmers = min(more.farmers, _farmers_left(scene))
    thrown = list(scene.tray)
    thrown[seat] += attack
    thrown[-1] += farmers
    if defender is not None:
        thrown[defender] += defense
    return thrown, farmers_count(scene, target)


def odds_of_throw(
    model: Tower,
    thrown: Sequence[int],
    inside: Sequence[int],
    seat: Seat,
    defender: Seat | None,
    *,
    helped: bool,
) -> Odds:
    """The odds for `seat` of a throw: cubes thrown (tray and extras too) and inside, by seat, then farmers.

    helped  the farmers in the tray fight for the defender
    """
    cubes = sum(thrown)

    def of_party(party: Seat) -> Spread:
        return falls(model, thrown[party], inside[party], cubes)

    theirs = (1.0,) if defender is None else of_party(defender)
    return _sum_up(of_party(seat), theirs, of_party(-1) if helped else (1.0,))


def revolt_odds(scene: Scene, target: str, farmers: int) -> RevoltOdds:
    """The odds of the owner of `target` against a revolt of so many farmers."""
    province = scene.provinces[target]
    if province.owner is None:
        return RevoltOdds(0.0, 0.0)
    rising = min(farmers, _farmers_left(scene))
    cubes = sum(scene.tray) + province.armies + rising
    model = scene.options.tower
    ours = falls(model, province.armies + scene.tray[province.owner], scene.tower[province.owner], cubes)
    theirs = falls(model, rising + scene.tray[-1], scene.tower[-1], cubes)
    odds = _sum_up(ours, (1.0,), theirs)
    return RevoltOdds(odds.win, odds.left)


def _defense(scene: Scene, target: str, more: Extras) -> int:
    province = scene.provinces[target]
    if province.owner is None:
        return 0
    return province.armies + min(more.defense, scene.players[province.owner].supply)


def _farmers_left(scene: Scene) -> int:
    return FARMERS - scene.tower[-1] - scene.tray[-1]


def _sum_up(ours: Spread, theirs: Spread, rabble: Spread) -> Odds:
    win = tie = lose = left = defended = 0.0
    for attackers, chance_a in _likely(ours):
        for defenders, chance_d in _likely(theirs):
            for farmers, chance_f in _likely(rabble):
                chance = chance_a * chance_d * chance_f
                end = outcome(attackers, defenders, farmers)
                if end.end == "won":
                    win += chance
                    left += chance * end.armies
                elif end.end == "held":
                    lose += chance
                    defended += chance * end.armies
                else:
                    tie += chance
    return Odds(win, tie, lose, left, defended)


def _likely(spread: Spread) -> list[tuple[int, float]]:
    return [(count, chance) for count, chance in enumerate(spread) if chance > 1e-7]


@lru_cache(maxsize=4096)
def falls(model: Tower, thrown: int, inside: int, cubes: int) -> Spread:
    """How many of a party's cubes lie in the tray after a throw of `cubes` in all."""
    through, loose = passing(model), loosening(model, cubes)
    first = _binomial(thrown, through[0] / through[1])
    second = _binomial(inside, loose[0] / loose[1])
    total = [0.0] * (len(first) + len(second) - 1)
    for a, chance_a in enumerate(first):
        for b, chance_b in enumerate(second):
            total[a + b] += chance_a * chance_b
    return tuple(total)


@lru_cache(maxsize=4096)
def _binomial(count: int, chance: float) -> Spread:
    spread = [1.0]
    for _ in range(count):
        stays = [p * (1 - chance) for p in spread] + [0.0]
        fallen = [0.0] + [p * chance for p in spread]
        spread = [a + b for a, b in zip(stays, fallen, strict=True)]
    return tuple(spread)
