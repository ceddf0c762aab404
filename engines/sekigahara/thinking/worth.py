"""What a map is worth to a side: what it holds, what fights, what is in danger, what is near."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import NamedTuple

from engines.sekigahara.combat import IN_CASTLE
from engines.sekigahara.data import CASTLES, ISHIDA, LAST_WEEK, OTHER, RESOURCES, TOKUGAWA, Side
from engines.sekigahara.model import SekigaharaView
from engines.sekigahara.reach import OVERRUN
from engines.sekigahara.thinking import force
from engines.sekigahara.thinking.field import GOODS, Field, around, efforts

KEY: dict[Side, str] = {"ishida": ISHIDA, "tokugawa": TOKUGAWA}
HOME: dict[Side, str] = {"ishida": "osaka", "tokugawa": "edo"}  # where the leaders begin
NO_SPECIALS = 0.85  # of a battle's impact that a siege has
GAME = 40.0  # what a leader is worth
SEEN_FIRST = (0.8, 0.65, 0.5, 0.35)  # how sure the worst dangers, and the next, come true
CROWD = (10, 7, 4)  # blocks of one place that arrive over 0, 1, 2 efforts
NEARNESS = 0.30  # of a gain, that a stack which might get it next counts
FURTHEST = 6  # efforts that are still looked at
BEST = 5  # aims of one stack
FADE = 0.6  # of it, for each turn that it is further away
GUARDS = (7.0, 4.5, 3.0, 1.8, 0.9, 0.4)  # what it costs that so few stand by the leader
CLOSE = (1.0, 1.0, 1.0, 0.9, 0.7, 0.5, 0.35)  # of it, by the effort from which enemies may come
HIDEYORI = 5.0  # what it is worth to stand before Osaka when few are inside


class Situation:
    """What one side knows and wants, the same for every map that is tried in one decision."""

    def __init__(self, view: SekigaharaView, side: Side) -> None:
        if view.hand is None:
            raise ValueError("a seat's own view is needed")
        self.view = view
        self.side: Side = side
        self.enemy: Side = OTHER[side]
        self.hand = tuple(view.hand)
        self.their_hand = view.hands[self.enemy]
        self.dangers: dict[Post, tuple[float, float]] = {}
        self.prospects: dict[tuple[str, int, int], list[tuple[float, str, str]]] = {}
        self.aims: dict[tuple[tuple[str, int, float], ...], int] = {}
        self.mori = len(view.mori_box)
        second = view.first != side
        last_turn = view.week == LAST_WEEK and view.turn == "B"
        self.enemy_follows = not (last_turn and second and view.active == side)
        self.i_follow = not last_turn or (second and view.active != side)
        self.point = 0.40 + 0.10 * view.week if self.i_follow else 2.0
        self.block = 1.5 if self.i_follow else 0.12
        if view.week == LAST_WEEK and self.i_follow:
            self.point, self.block = 1.4, 0.6
        self.card = (0.38 if view.turn == "B" else 0.6) * max(1.0, min(2.0, 6 / max(len(self.hand), 1)))
        if view.week == LAST_WEEK and view.turn == "B":
            self.card = 0.05

    @cached_property
    def hunt(self) -> dict[str, float]:
        """Where the enemy's leader may be: at home while somebody is there, else in the larger stacks."""
        counts = {p: c for p, h in self.view.map.items() if (c := getattr(h, self.enemy))}
        if KEY[self.enemy] in self.view.lost.get(self.enemy, ()):
            return {}
        home = HOME[self.enemy]
        at_home = 0.0
        if home in counts:
            at_home = 0.8 if counts[home] > 1 else 0.5
        others = {place: count * count for place, count in counts.items() if place != home}
        total = sum(others.values())
        chances = {place: (1 - at_home) * weight / total for place, weight in others.items()}
        if at_home:
            chances[home] = at_home if total else 1.0
        return chances

    @cached_property
    def targets(self) -> list[tuple[str, int]]:
        """Places that are worth going to as they stand, with the enemy's blocks there."""
        view, side = self.view, self.side
        found = []
        for place, here in view.map.items():
            foes = getattr(here, self.enemy)
            castle = place in CASTLES and here.holder != side
            goods = place in GOODS and view.control.get(place) != side
            if foes or castle or goods:
                extra = self.mori if place == "osaka" and self.enemy == "ishida" and foes else 0
                found.append((place, foes + extra))
        return found

    @cached_property
    def table(self) -> list[list[force.Odds]]:
        """By own blocks and the enemy's, how a battle of blocks that are only counted goes."""
        return by_counts(min(len(self.hand), 12), min(self.their_hand, 12))

    @cached_property
    def near(self) -> dict[str, list[tuple[str, int]]]:
        """Places with enemies that may come to a place in one turn, and how many blocks of each."""
        counts = {p: c for p, h in self.view.map.items() if (c := getattr(h, self.enemy))}
        return {
            place: [
                (near, min(counts[near], CROWD[effort]))
                for near, effort in around(place, 2)
                if near in counts
            ]
            for place in self.view.map
        }

    def strength(self, faces: tuple[str, ...], *, siege: bool = False) -> float:
        """What own blocks bring with the hand as it is, a little less than on paper."""
        return force.most(faces, self.hand, siege=siege) * (0.95 if siege else 0.9)


@lru_cache(maxsize=200)
def by_counts(cards: int, their_cards: int) -> list[list[force.Odds]]:
    """By the attacker's blocks and the defender's, the odds for the attacker."""
    table = []
    for mine in range(17):
        own = force.expected(mine, cards)
        table.append(
            [force.battle(own, mine, force.expected(theirs, their_cards), theirs) for theirs in range(25)]
        )
    return table


def worth(s: Situation, f: Field) -> float:
    """What this map is worth to the side that thinks."""
    total = s.block * f.lost + GAME * sum(s.hunt.get(place, 0.0) for place in f.beaten)
    side, point = s.side, s.point
    fights: list[str] = [p for p in f.mine if f.has(s.enemy, p)]
    for place in CASTLES:
        total += 2 * point if f.castle(place) == side else -2 * point
    for place in RESOURCES:
        owner = f.control.get(place)
        if owner:
            total += point if owner == side else -point
    for place in fights:
        total += fight(s, f, place)
    if s.enemy_follows:
        total -= dangers(s, f)
    if s.i_follow:
        total += prospects(s, f)
    return total


def fight(s: Situation, f: Field, place: str) -> float:
    """What the combat here should bring, beyond what is held already."""
    faces, foes = f.mine[place], f.theirs.get(place, 0)
    holder = f.castle(place)
    key = KEY[s.side] in faces
    hunted = s.hunt.get(place, 0.0)
    disk = s.enemy == "ishida" and place in f.disks
    if place == "osaka" and s.enemy == "ishida" and foes:
        foes += s.mori
    if holder == s.enemy and foes <= IN_CASTLE:
        lost, falls = force.siege(s.strength(faces, siege=True), 1.5, foes + disk)
        taken = GAME * falls if place == "osaka" and disk else 0.0
        kills = force.siege(s.strength(faces, siege=True), 1.5, foes)[1] if foes else 0.0
        stays = 0.4 * s.point if s.i_follow else 0.0  # it goes on next turn
        return s.block * min(lost, foes) + 4 * s.point * falls + max(taken, GAME * hunted * kills) + stays
    if holder == s.side and len(faces) <= IN_CASTLE:
        their, spread = force.expected(foes, s.their_hand)
        lost, falls = force.siege(their, spread, len(faces))
        inside = -(s.block * lost + 4 * s.point * falls + (GAME * falls if key else 0.0)) * 0.7
        return max(inside, open_battle(s, f, place, foes))
    return open_battle(s, f, place, foes)


def open_battle(s: Situation, f: Field, place: str, foes: int) -> float:
    """A battle that the own side attacks in."""
    faces = f.mine[place]
    blocks = len(faces) + (s.mori if place == "osaka" and s.side == "ishida" else 0)
    mine = force.Impact(s.strength(faces), 1.5)
    odds = force.battle(mine, blocks, force.expected(foes, s.their_hand), foes)
    total = s.block * (odds.theirs - odds.mine)
    if place in CASTLES and f.castle(place) == s.enemy:
        total += 4 * s.point * odds.wipes + 1.2 * s.point * (odds.wins - odds.wipes)
    if place in GOODS and f.control.get(place) != s.side:
        total += odds.wins * (2.0 if place in f.control else 1.0) * s.point
    if KEY[s.side] in faces:
        total -= GAME * (odds.wiped + 0.02)
    return total + GAME * s.hunt.get(place, 0.0) * odds.wipes


def crowd(s: Situation, f: Field, place: str) -> int:
    """Enemy blocks that may come here in one turn, of the three largest stacks."""
    arrive = []
    for near, count in s.near[place]:
        left = f.theirs.get(near)
        if left and not (near in f.mine and len(f.mine[near]) * 2 > left):  # else it has a fight of its own
            arrive.append(count)
    if len(arrive) > 3:
        arrive.sort(reverse=True)
        return sum(arrive[:3])
    return sum(arrive)


class Post(NamedTuple):
    """Own blocks at a place, and how many enemies may come.

    held  points that are held here; castle, disk: whether there is one of the own side's
    """

    place: str
    faces: tuple[str, ...]
    foes: int
    held: float
    castle: bool
    disk: bool


def danger(s: Situation, post: Post) -> tuple[float, float]:
    """What so many enemies may cost here, and the chance that the key leader dies."""
    found = s.dangers.get(post)
    if found is None:
        found = s.dangers[post] = _danger(s, post)
    return found


def _danger(s: Situation, post: Post) -> tuple[float, float]:
    blocks = len(post.faces) + (s.mori if post.place == "osaka" and s.side == "ishida" else 0)
    key, point = KEY[s.side] in post.faces, s.point
    if not post.castle and post.foes >= OVERRUN * blocks:
        return s.block * blocks + 2 * point * post.held, 1.0 if key else 0.0
    their = force.expected(min(post.foes, 16), s.their_hand)
    if post.castle and blocks <= IN_CASTLE:
        impact = their.mean * NO_SPECIALS
        lost, falls = force.siege(impact, their.spread, blocks + post.disk)
        doom = force.siege(impact, their.spread, blocks)[1] if key else 0.0
        return s.block * min(lost, blocks) + 4 * point * falls, doom
    odds = force.battle(force.Impact(s.strength(post.faces), 2.0), blocks, their, post.foes)
    lost_points = point * (post.held if post.castle else 2 * post.held)
    return s.block * (odds.mine - odds.theirs) + (1 - odds.wins) * lost_points, odds.wiped if key else 0.0


def dangers(s: Situation, f: Field) -> float:
    """What the enemy's next turn may cost."""
    costs: list[float] = []
    doom = 0.0
    side, point = s.side, s.point
    for place, faces in f.mine.items():
        if place in f.theirs:
            continue
        foes = crowd(s, f, place)
        if not foes:
            continue
        castle = f.castle(place) == side
        held = (2.0 if castle else 0.0) + (1.0 if place in GOODS and f.control.get(place) == side else 0.0)
        cost, dies = danger(s, Post(place, faces, foes, held, castle, side == "ishida" and place in f.disks))
        if cost > 0:
            costs.append(cost)
        doom = max(doom, dies)
    if side == "ishida" and "osaka" in f.disks:
        doom = max(doom, hideyori(s, f))
    for place, owner in f.control.items():
        if owner == side and place not in f.mine and crowd(s, f, place):
            costs.append(1.2 * point)
    for place, printed in CASTLES.items():
        if printed == side and not f.has(side, place) and not f.has(s.enemy, place) and crowd(s, f, place):
            costs.append(3.0 * point)
    costs.sort(reverse=True)
    total = sum(cost * share for cost, share in zip(costs, SEEN_FIRST, strict=False))
    return total + 0.2 * sum(costs[4:]) + GAME * 0.5 * doom + exposed(s, f)


def hideyori(s: Situation, f: Field) -> float:
    """The chance that Hideyori is lost in the enemy's next turn (9.1)."""
    faces = f.mine.get("osaka", ())
    blocks = len(faces) + s.mori
    foes = f.theirs.get("osaka", 0) + crowd(s, f, "osaka")
    if not foes:
        return 0.0
    their = force.expected(min(foes, 16), s.their_hand)
    if blocks <= IN_CASTLE:
        return force.siege(their.mean * NO_SPECIALS, their.spread, blocks + 1)[1]
    odds = force.battle(force.Impact(s.strength(faces), 2.0), blocks, their, foes)
    return 0.15 * (1.0 - odds.wins)


def exposed(s: Situation, f: Field) -> float:
    """What it costs that the key leader, or Hideyori, has few around: enemies may come from afar."""
    total = 0.0
    key = KEY[s.side]
    place = next((p for p, faces in f.mine.items() if key in faces), None)
    if place is not None:
        mori = s.mori if place == "osaka" and s.side == "ishida" else 0
        total += lonely(s, f, place, len(f.mine[place]) - 1 + mori)
    if s.side == "ishida" and "osaka" in f.disks:
        total += lonely(s, f, "osaka", len(f.mine.get("osaka", ())) + s.mori)
    return total


def lonely(s: Situation, f: Field, place: str, guards: int) -> float:
    """What few guards cost, by how near the enemy's stacks are."""
    if guards >= len(GUARDS):
        return 0.0
    near = 0.0
    for other, count in f.theirs.items():
        effort = efforts(place)[other]
        if count > 1 and effort < len(CLOSE):
            near = max(near, CLOSE[effort] * min(count, 4) / 4)
    return GUARDS[guards] * near


def prospects(s: Situation, f: Field) -> float:
    """What stacks may get next, each one thing."""
    aims: list[tuple[str, int, float]] = []
    side, point, theirs = s.side, s.point, f.theirs
    for place, foes in s.targets:
        if place in f.mine:
            continue
        gain = 0.0
        if place in CASTLES and f.castle(place) != side:
            gain += 4 * point
        if place in GOODS and f.control.get(place) != side:
            gain += 2 * point if place in f.control else point
        if place == "osaka" and side == "tokugawa" and place in f.disks and foes <= IN_CASTLE:
            gain += HIDEYORI
        aims.append((place, foes if place in theirs else 0, gain))
    number = s.aims.setdefault(tuple(aims), len(s.aims))
    wanted: list[tuple[float, str, str]] = []
    memo = s.prospects
    for origin, faces in f.mine.items():
        if origin in theirs or (side == "tokugawa" and origin in f.disks):
            continue
        size = min(len(faces), 16)
        best = memo.get((origin, size, number))
        if best is None:
            best = memo[origin, size, number] = _prospects(s, origin, size, aims)
        wanted += best
    wanted.sort(reverse=True)
    total, gone, got = 0.0, set[str](), dict[str, int]()
    for gain, origin, place in wanted:
        if origin in gone or got.get(place, 0) >= 2:
            continue
        gone.add(origin)
        got[place] = got.get(place, 0) + 1
        total += gain if got[place] == 1 else gain * 0.6
    return total


def _prospects(
    s: Situation, origin: str, size: int, aims: list[tuple[str, int, float]]
) -> list[tuple[float, str, str]]:
    """The best that a stack of this size may get from here: (worth, from, at)."""
    far = efforts(origin)
    found = [
        (_prospect(s, size, aim, far[aim[0]]), origin, aim[0]) for aim in aims if far[aim[0]] <= FURTHEST
    ]
    found.sort(reverse=True)
    return [one for one in found[:BEST] if one[0] > 0]


def _prospect(s: Situation, size: int, aim: tuple[str, int, float], far: int) -> float:
    """What a stack of this size may get at a place so far away."""
    place, foes, gain = aim
    if foes:
        hunted = GAME * s.hunt.get(place, 0.0)
        if size >= OVERRUN * foes and place not in CASTLES:
            gain += s.block * foes + hunted * 0.5
        else:
            odds = s.table[size][min(foes, 24)]
            gain = gain * odds.wins * 0.5 + s.block * (odds.theirs - odds.mine) + hunted * 0.2 * odds.wins
    pace = 2 if size <= 4 else 1
    return gain * NEARNESS * FADE ** (max(-(-far // pace), 1) - 1)
