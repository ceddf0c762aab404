"""The week and the movement phase a second time, from the spec alone: discards, reinforcements, bids,
turns, modes, marches, overruns, musters, the Mori box, who controls what (4, 6, 7, 9.3).

It works on the JSON of positions and lists every action by trying all there might be. Of the engine it
takes the printed facts alone. Chance it cannot know: `drawn` tells it what came out of the bags.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any, NamedTuple

from engines.sekigahara.data import (
    BIDS,
    CAPITALS,
    CASTLES,
    DISKS,
    HIGHWAYS,
    OTHER,
    RECRUITS,
    RESOURCES,
    SEGMENTS,
    block_order,
    card_order,
)

Position = Any
SIDES = ["ishida", "tokugawa"]
ROADS = {frozenset(pair): list(pair) for pair in SEGMENTS}
FAST = [frozenset(pair) for pair in HIGHWAYS]
NEAR: dict[str, list[str]] = {}
for one, two in SEGMENTS:
    NEAR.setdefault(one, []).append(two)
    NEAR.setdefault(two, []).append(one)
PRICE = {"none": 0, "minimal": 0, "limited": 1, "total": 2}
STACKS = {"none": 0, "minimal": 1, "limited": 3, "total": 999}
MOST_BRANCHED = 4000  # marches with branches that are listed; the engine lists 1,500 actions at most
MONS = ["ishida", "mori", "ukita", "kobayakawa", "uesugi", "tokugawa", "maeda", "date", "fukushima", "ii"]


def mon(face: str) -> str:
    """The daimyo of a block."""
    return next(name for name in MONS if face.startswith(name))


def less(faces: list[str], gone: Any) -> list[str]:
    """What is left of a pile."""
    left = Counter(faces)
    left.subtract(Counter(gone))
    assert min(left.values(), default=0) >= 0
    return list(left.elements())


def some(pile: list[str], size: int) -> set[tuple[str, ...]]:
    """Every choice of so many."""
    return set(combinations(sorted(pile), size))


class Scene(NamedTuple):
    """Counts in the middle of a march: both sides' blocks, roads gone; place -> (way there, dropped)."""

    mine: dict[str, int]
    foes: dict[str, int]
    used: set[frozenset[str]]
    piles: dict[str, tuple[tuple[str, ...], tuple[str, ...]]]


class Week:
    """A position from `discard` to `march`, played on until a combat is to be declared."""

    def __init__(self, position: Position) -> None:
        self.p = copy.deepcopy(position)
        self.owed_blocks: dict[str, int] = {}

    # -- who is where --------------------------------------------------------------------

    @property
    def me(self) -> str:
        return str(self.p["active"])

    @property
    def foe(self) -> str:
        return "tokugawa" if self.me == "ishida" else "ishida"

    def blocks(self, side: str, place: str) -> list[str]:
        return list(self.p["map"][place][side])

    def units(self, side: str, place: str) -> int:
        """Blocks, and a disk."""
        disk = side == "ishida" and any(DISKS[disk] == place for disk in self.p["disks"])
        return len(self.blocks(side, place)) + disk

    def castle(self, place: str) -> str | None:
        """Who controls the castle."""
        if place not in CASTLES:
            return None
        there = [side for side in SIDES if self.units(side, place)]
        if len(there) == 2:
            return str(self.p["map"][place]["holder"])
        return there[0] if there else CASTLES[place]

    def besieged(self, side: str, place: str) -> bool:
        """Whether blocks of a side are inside a castle under siege."""
        shut = self.p["map"][place]["besieged"] and self.units(OTHER[side], place)  # type: ignore[index]
        return bool(shut) and self.castle(place) == side

    def siege(self, place: str) -> bool:
        """Whether one side is inside a castle and the other before it; a disk alone is inside."""
        both = all(self.units(side, place) for side in SIDES) and place in CASTLES
        return both and (self.p["map"][place]["besieged"] or not self.blocks("ishida", place))

    # -- what may be done ----------------------------------------------------------------

    def to_act(self) -> list[int]:
        phase = self.p["phase"]
        if phase in ("discard", "bid"):
            least = 2 if phase == "discard" else 1
            return [n for n, s in enumerate(SIDES) if s not in self.p["sealed"] and self.hand(s) >= least]
        return [SIDES.index(self.me)]

    def hand(self, side: str) -> int:
        return len(self.p["hands"][side])

    def actions(self, side: str) -> list[tuple[Any, ...]]:
        """Everything that this side, which is to act, may do."""
        hand, phase = self.p["hands"][side], self.p["phase"]
        if phase == "discard":
            return [("discard", cards) for cards in some(hand, len(hand) // 2)]
        if phase == "bid":
            return [("bid", card) for card in set(hand)]
        if phase == "first":
            return [("first", who) for who in SIDES]
        if phase == "move":
            return [("move", mode, cards) for mode, price in PRICE.items() for cards in some(hand, price)]
        march = self.p["march"]
        found: list[tuple[Any, ...]] = [("end",)]
        if march["mode"] == "none" and not march["redrawn"]:
            found += [("discard", cards) for size in range(len(hand) + 1) for cards in some(hand, size)]
        return found + self.moris() + self.musters() + self.marches()

    def moris(self) -> list[tuple[Any, ...]]:
        box, hand = self.p["mori_box"], self.p["hands"]["ishida"]
        return [
            ("mori", cards, faces)
            for size in range(1, len(box) + 1)
            for faces in some(box, size)
            for cards in some(hand, size)
            if self.me == "ishida" and ("mori-leader" not in faces or size == len(box))
        ]

    def used(self) -> int:
        march = self.p["march"]
        return len(march["activated"]) + int(march["mustered"])

    def musters(self) -> list[tuple[Any, ...]]:
        march, box = self.p["march"], self.p["boxes"][self.me]
        if march["mustered"] or march["mode"] == "none" or self.used() >= STACKS[march["mode"]]:
            return []
        found: list[tuple[Any, ...]] = []
        for place, mons in RECRUITS.items():
            own = [name for name in mons if (name in MONS[:5]) == (self.me == "ishida")]
            if not own or (self.blocks(self.foe, place) and not self.opened(place)):
                continue
            found += [("muster", place, (face,), False) for face in set(box)]
            for name in own:
                home = [face for face in box if mon(face) == name]
                for size in range(1, len(home) + 1):
                    found += [("muster", place, faces, True) for faces in some(home, size)]
        return found

    def opened(self, place: str) -> bool:
        """Whether own blocks that were on the map already stand among enemies here."""
        arrived = self.p["march"]["moved"].get(place, [])
        return bool(self.p["march"]["entered"].get(place)) or len(self.blocks(self.me, place)) > len(arrived)

    def marches(self) -> list[tuple[Any, ...]]:
        """("march", origin, blocks, path, drops by step, leader, card); with branches too, up to a number."""
        march, found = self.p["march"], []
        for origin in self.p["map"]:
            if origin not in march["activated"] and self.used() >= STACKS[march["mode"]]:
                continue
            if march["mode"] == "none" or self.besieged(self.me, origin):
                continue
            free = less(self.blocks(self.me, origin), march["moved"].get(origin, []))
            leaders = sorted({face for face in self.blocks(self.me, origin) if face.endswith("-leader")})
            cards = sorted(set(self.p["hands"][self.me]))
            for size in range(1, min(16, len(free)) + 1):
                for group in some(free, size):
                    for path in self.paths(origin, 4):
                        found += [
                            ("march", origin, group, path, drops, leader, card)
                            for leader in [None, *leaders]
                            for card in [None, *cards]
                            if self.far_enough(origin, size, path, leader, card)
                            for drops in self.drops(group, len(path) - 1 if not card else 0)
                            if self.passes(group, path, drops)
                        ]
        return found + list(islice(self.branched(found), MOST_BRANCHED))

    def branched(self, marches: list[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        """Those of which some were dropped that may go on, with branches in every order."""
        for march in marches:
            _, origin, group, path, drops, _, card = march
            if not card and any(drops):
                scene = Scene(
                    {p: len(self.blocks(self.me, p)) for p in self.p["map"]},
                    {p: len(self.blocks(self.foe, p)) for p in self.p["map"]},
                    {frozenset(pair) for pair in self.p["march"]["segments"]},
                    {},
                )
                yield from self.further(march, (), self.gone(scene, origin, (), group, path, drops))

    def further(self, march: Any, branches: Any, scene: Scene) -> Iterator[tuple[Any, ...]]:
        """One branch more: (from, blocks, path, drops by step), and all that may follow it."""
        _, origin, whole, _, _, leader, _ = march
        for start, (before, faces) in scene.piles.items():
            for size in range(1, len(faces) + 1):
                for group in some(list(faces), size):
                    for path in self.paths(start, 3):
                        roads = [frozenset(pair) for pair in zip((start, *path), path, strict=False)]
                        if scene.used & set(roads):
                            continue
                        if not self.far_enough(origin, len(whole), (*before, *path), leader, None):
                            continue
                        for drops in self.drops(group, len(path) - 1):
                            if self.gets_through(scene, size, path, drops):
                                longer = (*branches, (start, group, path, drops))
                                yield (*march, longer)
                                after = self.gone(scene, start, before, group, path, drops)
                                yield from self.further(march, longer, after)

    def gone(self, old: Scene, start: str, before: Any, group: Any, path: Any, drops: Any) -> Scene:
        """Who is where once these have gone this way."""
        new = Scene(dict(old.mine), dict(old.foes), set(old.used), dict(old.piles))
        new.mine[start] -= len(group)
        if start in new.piles:
            new.piles[start] = (before, tuple(less(list(new.piles[start][1]), group)))
        size, here = len(group), start
        for number, place in enumerate(path):
            new.used.add(frozenset((here, place)))
            new.foes[place] = 0 if self.tramples(new, place, size) else new.foes[place]
            stay = size if number + 1 == len(path) else len(drops[number])
            if stay and number + 1 < len(path):
                new.piles[place] = ((*before, *path[: number + 1]), drops[number])
            new.mine[place] += stay
            size, here = size - stay, place
        return new

    def tramples(self, scene: Scene, place: str, size: int) -> bool:
        foes = scene.foes[place]
        strong = scene.mine[place] + size >= 4 * foes
        return foes > 0 and strong and self.castle(place) != self.foe

    def gets_through(self, scene: Scene, size: int, path: Any, drops: Any) -> bool:
        """Whether nothing stops a branch before its last place."""
        for place, stay in zip(path[:-1], drops, strict=True):
            disk = self.units(self.foe, place) > len(self.blocks(self.foe, place))
            if disk or (scene.foes[place] and not self.tramples(scene, place, size)):
                return False
            size -= len(stay)
        return True

    def paths(self, here: str, most: int, gone: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
        """Every path along segments that are free."""
        start, found = here, []
        for to in NEAR[gone[-1] if gone else start]:
            road = frozenset((gone[-1] if gone else start, to))
            before = [frozenset(pair) for pair in zip((start, *gone), gone, strict=False)]
            if road in before or ROADS[road] in self.p["march"]["segments"]:
                continue
            found.append((*gone, to))
            if len(gone) + 1 < most:
                found += self.paths(start, most, (*gone, to))
        return found

    def far_enough(self, origin: str, size: int, path: Any, leader: Any, card: Any) -> bool:
        steps = [frozenset(pair) for pair in zip((origin, *path), path, strict=False)]
        led = leader or origin in self.p["march"]["leaders"] or CAPITALS.get(origin) == self.me
        led = led or (CASTLES.get(origin) == self.me and self.castle(origin) == self.me)
        most = 1 + all(step in FAST for step in steps) + bool(led) + bool(card) - (size > 4)
        return len(path) <= most - (size > 8) - (size > 12)

    def drops(self, group: tuple[str, ...], stops: int) -> list[tuple[tuple[str, ...], ...]]:
        """Every way to leave blocks at so many places, at least one going on."""
        if not stops:
            return [()]
        found = []
        for size in range(len(group)):
            for stay in some(list(group), size):
                rest = tuple(less(list(group), stay))
                found += [(stay, *more) for more in self.drops(rest, stops - 1)]
        return found

    def passes(self, group: Any, path: Any, drops: Any) -> bool:
        """Whether nothing stops the stack before its last place."""
        size = len(group)
        for place, stay in zip(path[:-1], drops, strict=False):
            if not self.may_pass(place, size):
                return False
            size -= len(stay)
        return drops or all(self.may_pass(place, size) for place in path[:-1])

    def may_pass(self, place: str, size: int) -> bool:
        return not self.units(self.foe, place) or self.crushes(place, size)

    def crushes(self, place: str, arriving: int) -> bool:
        """Whether so many more overrun the enemy here, who has no disk and no castle."""
        enemies = len(self.blocks(self.foe, place))
        strong = len(self.blocks(self.me, place)) + arriving >= 4 * enemies
        disk = self.units(self.foe, place) > enemies
        return enemies > 0 and strong and not disk and self.castle(place) != self.foe

    # -- what follows ----------------------------------------------------------------------

    def text(self, action: tuple[Any, ...]) -> str:
        """Canonical notation."""
        kind = action[0]
        if kind in ("discard", "move"):
            return " ".join([*action[:-1], *card_order(action[-1])])
        if kind == "muster":
            return " ".join(["muster", action[1], *block_order(action[2]), *["shown"] * action[3]])
        if kind == "mori":
            return " ".join(["mori", *card_order(action[1]), "=", *block_order(action[2])])
        if kind != "march":
            return " ".join(action)
        _, origin, group, path, drops, leader, card, *branches = action
        words = ["march", *self.leg_words(origin, group, path, drops)]
        words += ["leader", str(leader)] * bool(leader) + ["force", str(card)] * bool(card)
        for branch in branches[0] if branches else ():
            words += ["/", *self.leg_words(*branch)]
        return " ".join(words)

    def leg_words(self, origin: str, group: Any, path: Any, drops: Any) -> list[str]:
        words = [origin, *block_order(group)]
        for number, place in enumerate(path):
            stay = drops[number] if number < len(drops) else ()
            words += [">", place, *(f"-{face}" for face in block_order(stay))]
        return words

    def do(self, side: str, action: tuple[Any, ...]) -> None:
        """Carries an action out. Blocks are drawn from the bags by `drawn`."""
        kind, p = action[0], self.p
        if kind == "discard" and p["phase"] == "discard":
            p["sealed"][side] = card_order(action[1])
        elif kind == "bid":
            p["sealed"][side] = [action[1]]
        elif kind == "first":
            p["first"], p["turn"] = action[1], "A"
            self.begin(action[1])
        elif kind == "move":
            self.spend(side, card_order(action[2]))
            fresh = {"activated": [], "mustered": False, "redrawn": False, "moved": {}, "segments": []}
            p["march"] = {"mode": action[1], **fresh, "entered": {}, "leaders": [], "fought": []}
            p["phase"] = "march"
        elif kind == "discard":
            p["march"]["redrawn"] = True
            self.spend(side, card_order(action[1]))
            self.draw(side, len(action[1]))
        elif kind == "mori":
            self.spend("ishida", card_order(action[1]))
            p["mori_box"] = less(p["mori_box"], action[2])
            self.arrive("osaka", list(action[2]))
            self.stays("osaka", list(action[2]))
        elif kind == "muster":
            self.muster(action[1], list(action[2]))
        elif kind == "march":
            self.march(*action[1:])
        else:
            p["phase"] = "combat"
        self.run_on()

    def run_on(self) -> None:
        """Until somebody has to decide."""
        p = self.p
        if p["phase"] == "discard" and not self.to_act():
            self.reinforce()
        if p["phase"] == "bid" and not self.to_act():
            self.open_bids()
        if p["phase"] == "combat" and not self.fights():
            self.next_turn()

    def fights(self) -> list[str]:
        """Places where the active side's blocks meet enemy units."""
        return [pl for pl in self.p["map"] if self.blocks(self.me, pl) and self.units(self.foe, pl)]

    def next_turn(self) -> None:
        p = self.p
        if self.me == p["first"]:
            self.begin(self.foe)
        elif p["turn"] == "A":
            p["turn"] = "B"
            self.begin(p["first"])
        elif p["week"] == 7:
            p["phase"], p["march"] = "over", None
        else:
            p["week"], p["turn"], p["phase"], p["march"] = p["week"] + 1, "A", "discard", None
            self.run_on()

    def begin(self, side: str) -> None:
        self.p["active"], self.p["phase"], self.p["march"] = side, "move", None

    # -- cards, reinforcements ---------------------------------------------------------------

    def spend(self, side: str, cards: list[str]) -> None:
        self.p["hands"][side] = less(self.p["hands"][side], cards)
        self.p["discards"][side] += cards

    def draw(self, side: str, number: int) -> None:
        """From the deck; the positions of the test never run out of cards."""
        deck = self.p["decks"][side]
        assert len(deck) >= number
        self.p["hands"][side] += deck[:number]
        self.p["decks"][side] = deck[number:]

    def reinforce(self) -> None:
        p = self.p
        for side in SIDES:
            self.spend(side, p["sealed"].get(side, []))
        p["sealed"] = {}
        forts = Counter(self.castle(place) for place in CASTLES)
        goods = Counter(p["control"].values())
        for side in SIDES:
            self.draw(side, 5 + (forts[side] > forts[OTHER[side]]))  # type: ignore[index]
            more = goods[side] >= goods[OTHER[side]]  # type: ignore[index]
            self.owed_blocks[side] = min(len(p["bags"][side]), (2 if p["week"] < 5 else 1) + more)
        p["phase"] = "bid"

    def drawn(self, boxes: dict[str, list[str]]) -> None:
        """What came out of the bags, as the boxes are now."""
        for side, number in self.owed_blocks.items():
            new = less(boxes[side], self.p["boxes"][side])
            assert len(new) == number
            self.p["boxes"][side] = boxes[side]
            self.p["bags"][side] = less(self.p["bags"][side], new)
        self.owed_blocks = {}

    def open_bids(self) -> None:
        p = self.p
        bids = {side: p["sealed"][side][0] for side in SIDES if side in p["sealed"]}
        for side, card in bids.items():
            self.spend(side, [card])
        p["sealed"] = {}
        values = {side: BIDS[side][card] for side, card in bids.items()}  # type: ignore[index]
        winner = max(values, key=lambda side: values[side]) if values else "tokugawa"
        p["first"] = p["active"] = winner
        p["phase"] = "first"

    # -- movement ----------------------------------------------------------------------------

    def arrive(self, place: str, faces: list[str]) -> bool:
        """Own blocks come in and overrun what they may; False where that ends the game."""
        p, here = self.p, self.p["map"][place]
        if not self.units(self.me, place) and place in CASTLES:
            here["holder"], here["besieged"] = self.castle(place), False
        beaten = self.blocks(self.foe, place) if self.crushes(place, len(faces)) else []
        here[self.me] += faces
        if beaten:
            here[self.foe] = []
            p["lost"][self.foe] += beaten
            if {"ishida-leader", "tokugawa-leader"} & set(beaten):
                p["phase"], p["march"] = "over", None
                return False
            self.draw(self.foe, len(beaten) // 2)
        if place in RESOURCES and not here[self.foe]:
            p["control"][place] = self.me
        return True

    def stays(self, place: str, faces: list[str]) -> None:
        """These march no more."""
        if faces and self.p["march"]:
            self.p["march"]["moved"].setdefault(place, []).extend(faces)

    def muster(self, place: str, faces: list[str]) -> None:
        p = self.p
        p["boxes"][self.me] = less(p["boxes"][self.me], faces)
        p["march"]["mustered"] = True
        shut = self.blocks(self.me, place) if self.besieged(self.me, place) else []
        shut = less(shut, p["march"]["moved"].get(place, [])) if shut else []
        self.arrive(place, faces)
        self.stays(place, faces)
        if not self.blocks(self.foe, place):
            self.stays(place, shut)

    def march(
        self, origin: str, group: Any, path: Any, drops: Any, leader: Any, card: Any, branches: Any = ()
    ) -> None:
        p = self.p
        if card:
            self.spend(self.me, [card])
        march = p["march"]
        march["activated"] += [] if origin in march["activated"] else [origin]
        march["leaders"] += [origin] if leader and origin not in march["leaders"] else []
        p["map"][origin][self.me] = less(self.blocks(self.me, origin), group)
        if not self.lead(origin, group, path, drops):
            return
        dropped = dict(zip(path[:-1], zip((origin, *path), drops, strict=False), strict=False))
        for start, some_of, way, left in branches:
            came, there = dropped[start]
            dropped[start] = (came, tuple(less(list(there), some_of)))
            p["map"][start][self.me] = less(self.blocks(self.me, start), some_of)
            march["moved"][start] = less(march["moved"][start], some_of)
            if not self.lead(start, some_of, way, left):
                return
            dropped.update(zip(way[:-1], zip((start, *way), left, strict=False), strict=False))
        for place, (came, there) in dropped.items():
            if not there and came in march["entered"].get(place, []):
                march["entered"][place].remove(came)  # nobody who came that way is here

    def lead(self, origin: str, group: Any, path: Any, drops: Any) -> bool:
        """Blocks that have been picked up go their way; False where that ends the game."""
        p, march = self.p, self.p["march"]
        stack, here = list(group), origin
        for pair in zip((origin, *path), path, strict=False):
            march["segments"].append(ROADS[frozenset(pair)])
        for number, place in enumerate(path):
            if not self.arrive(place, stack):
                return False
            last = number + 1 == len(path)
            stay = stack if last else list(drops[number]) if drops else []
            onward = less(stack, stay)
            p["map"][place][self.me] = less(self.blocks(self.me, place), onward)
            self.stays(place, stay)
            ways = march["entered"].setdefault(place, []) if stay else []
            ways += [here] if stay and here not in ways else []
            stack, here = onward, place
        return True
