"""The marches, musters and cards of a movement phase (7): each tried on the map, the best taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from engines.sekigahara.board import without
from engines.sekigahara.data import (
    CASTLES,
    KIND,
    LEADERS,
    LOYALTY,
    MON,
    OWNER,
    RECRUITS,
    STRENGTH,
    block_order,
    card_kind,
    card_mon,
    deploys,
    segment,
)
from engines.sekigahara.model import March, Mode, Muster
from engines.sekigahara.movement import STACKS
from engines.sekigahara.thinking.field import Field, Stack
from engines.sekigahara.thinking.worth import KEY, Situation, worth

MUSTERED = 0.55  # what a block is worth on the map more than in the box
LEAST = 0.03  # what something has to gain to be done
SHOWN = 0.06  # what a leader shown costs
TRIES = 200  # marches tried for one choice
AGAIN = 50  # of them, after another one


class Step(NamedTuple):
    """Something to do in a movement phase: marches that belong together, or a muster; what it gains."""

    gain: float
    stacks: tuple[Stack, ...]
    muster: tuple[str, tuple[str, ...]] | None
    after: Field


# -- cards --------------------------------------------------------------------------------


def card_value(s: Situation, card: str, faces: Sequence[str]) -> float:
    """What a card is worth in hand, by the blocks on the map that it deploys."""
    if card == LOYALTY:
        return 1.1 * s.card
    fit = [face for face in faces if deploys(card, face)]
    value = 0.35 + 0.07 * min(len(fit), 9)
    if card_kind(card) == "sword":
        value += 0.25 if any(KIND[face] for face in fit) else 0.0
    if card_kind(card) == "double":
        value += 0.4 if len(fit) > 1 else 0.0
    return value * s.card


def cheapest(s: Situation, f: Field, number: int) -> tuple[tuple[str, ...], float]:
    """The cards that are missed least, and what they are worth together; a third copy counts less."""
    faces = [face for some in f.mine.values() for face in some]
    left, chosen, total = list(s.hand), list[str](), 0.0
    values = {card: card_value(s, card, faces) for card in set(left)}
    for _ in range(min(number, len(left))):
        same = {card: sum(card_mon(c) == card_mon(card) for c in left) for card in set(left)}
        card = min(sorted(set(left)), key=lambda c: values[c] * (1.0 if same[c] < 3 else 0.75))
        chosen.append(card)
        total += values[card] * (1.0 if same[card] < 3 else 0.75)
        left.remove(card)
    return tuple(chosen), total


# -- stacks -------------------------------------------------------------------------------


def by_use(s: Situation, faces: Sequence[str]) -> list[str]:
    """Blocks, those first that the hand brings to a battle best; the key leader last."""
    mons = {card_mon(card) for card in s.hand}
    return sorted(
        block_order(faces),
        key=lambda face: (
            -(STRENGTH[face] + 2 * (MON[face] in mons) + 1.5 * (face in LEADERS) - 20 * (face == KEY[s.side]))
        ),
    )


def groups(s: Situation, free: Sequence[str], stay: int) -> list[tuple[str, ...]]:
    """Stacks worth thinking of: everybody, all but a guard, the best four or eight, the least one."""
    order = by_use(s, free)
    found: list[list[str]] = []
    key = KEY[s.side]
    plain = [face for face in order if face != key]
    size = len(order)
    if size <= 16:
        found.append(order)
    found += [plain[:n] for n in (4, 8, 12) if n < size]
    found += [plain[: size - guard] for guard in (1, 2, 3) if size - guard > 0]
    if plain:
        found += [plain[-1:], plain[:1], plain[-2:], plain[:2], plain[:3]]
    if key in order and size > 1:
        found += [[key, *plain[:n]] for n in (3, 7)]
    unique = dict.fromkeys(tuple(block_order(some)) for some in found if some)
    return [some for some in unique if len(some) <= 16]


def free_blocks(s: Situation, f: Field, place: str) -> list[str]:
    """Own blocks that may still march from here."""
    march = s.view.march
    if f.has(s.enemy, place) and f.castle(place) == s.side:
        return []
    moved = (march.faces or {}).get(place, ()) if march else ()
    return without(s.view.map[place].faces or (), moved)


def stacks(s: Situation, f: Field, origins: Sequence[str], *, force: bool) -> Iterator[Stack]:
    """Marches that may be tried from these places."""
    shown = s.view.march.leaders if s.view.march else ()
    for origin in origins:
        here = f.mine.get(origin, ())
        free = free_blocks(s, f, origin)
        if not free or without(free, here):
            continue
        given = f.leads(origin) or origin in shown
        leader = any(face in LEADERS for face in here)
        for group in groups(s, free, len(here) - len(free)):
            yield from f.ways(origin, group, given=given, leader=leader, force=force)


def guess(s: Situation, f: Field, stack: Stack) -> float:
    """A first look at a march: which are worth a second."""
    to = stack.path[-1]
    foes = f.theirs.get(to, 0) if to not in stack.beaten else 0
    value = 3.0 * len(stack.beaten) - 0.5 * stack.force - 0.1 * stack.leader
    value += sum(
        1.0 for place in stack.path if s.view.control.get(place) != s.side and place in s.view.control
    )
    if foes:
        value += 0.7 * (len(stack.blocks) + len(f.mine.get(to, ())) - foes)
    if to in CASTLES and f.castle(to) != s.side:
        value += 2.0
    return value


def price(s: Situation, f: Field, stack: Stack) -> float:
    """What a march spends."""
    cost = 0.004 * len(stack.path)
    if stack.force:
        cost += cheapest(s, f, 1)[1] + 0.02
    return cost + (SHOWN if stack.leader else 0.0)


def steps(
    s: Situation, f: Field, origins: Sequence[str], *, joint: int, before: Sequence[Step] = ()
) -> list[Step]:
    """Marches, best first. `joint`: stacks that may go together; `before`: what there was before another
    one went: of those the best are tried again.
    """
    base = worth(s, f)
    if before:
        singles = [step.stacks[0] for step in before if len(step.stacks) == 1][:AGAIN]
        tried = [stack for stack in singles if stack.origin in origins and still_open(f, stack)]
    else:
        tried = list(stacks(s, f, origins, force=bool(s.hand)))
    if len(tried) > TRIES:
        tried.sort(key=lambda stack: -guess(s, f, stack))
        tried = tried[:TRIES]
    found = []
    for stack in tried:
        after = f.marched(stack)
        found.append(Step(worth(s, after) - base - price(s, f, stack), (stack,), None, after))
    found.sort(key=lambda step: -step.gain)
    if joint > 1:
        found += together(s, f, base, found, joint)
        found.sort(key=lambda step: -step.gain)
    return found


def together(s: Situation, f: Field, base: float, found: Sequence[Step], most: int) -> list[Step]:
    """Marches of several stacks to one enemy."""
    by_target: dict[str, dict[str, Stack]] = {}
    for step in found:
        stack = step.stacks[0]
        to = stack.path[-1]
        if f.theirs.get(to) and to not in stack.beaten:
            best = by_target.setdefault(to, {})
            if stack.origin not in best or len(best[stack.origin].blocks) < len(stack.blocks):
                best[stack.origin] = stack
    joined = []
    for best in by_target.values():
        for size in range(2, min(most, 3) + 1):
            for some in combinations(best.values(), size):
                after = f
                for stack in some:
                    if not still_open(after, stack):
                        break
                    after = after.marched(stack)
                else:
                    gain = worth(s, after) - base - sum(price(s, f, stack) for stack in some)
                    joined.append(Step(gain, some, None, after))
    return joined


def still_open(f: Field, stack: Stack) -> bool:
    """Whether a march is still possible after others."""
    if without(stack.blocks, f.mine.get(stack.origin, ())):
        return False
    here = stack.origin
    for number, place in enumerate(stack.path, 1):
        if segment(here, place) in f.used:
            return False
        if number < len(stack.path) and f.theirs.get(place) and not f.overruns(place, len(stack.blocks)):
            return False
        here = place
    return True


# -- musters ------------------------------------------------------------------------------


def musters(s: Situation, f: Field) -> list[Step]:
    """Musters, best first (7.2)."""
    box = s.view.box or ()
    if not box:
        return []
    base = worth(s, f)
    found = []
    for place, mons in RECRUITS.items():
        if not any(OWNER[f"{mon}-leader"] == s.side for mon in mons):
            continue
        if f.theirs.get(place) and not s.view.map[place].faces:
            continue
        options = [tuple(block_order(face for face in box if MON[face] == mon)) for mon in mons]
        options += [(face,) for face in block_order(set(box))]
        for faces in dict.fromkeys(some for some in options if some):
            after = f.mustered(place, faces)
            gain = worth(s, after) - base + MUSTERED * s.block * len(faces)
            found.append(Step(gain, (), (place, faces), after))
    found.sort(key=lambda step: -step.gain)
    return found


def as_muster(step: Step) -> Muster | None:
    """The action of a muster."""
    if step.muster is None:
        return None
    place, faces = step.muster
    home = {MON[face] for face in faces} <= set(RECRUITS[place])
    return Muster(to=place, blocks=faces, shown=home and len(faces) > 1)


def as_march(s: Situation, f: Field, stack: Stack) -> March:
    """The action of a march, the leader that tells least shown."""
    here = [face for face in block_order(s.view.map[stack.origin].faces or ()) if face in LEADERS]
    here.sort(key=lambda face: face == KEY[s.side])
    return March(
        origin=stack.origin,
        blocks=stack.blocks,
        path=stack.path,
        leader=here[0] if stack.leader else None,
        force=cheapest(s, f, 1)[0][0] if stack.force else None,
    )


# -- how much moves -------------------------------------------------------------------------


def origins(s: Situation, f: Field) -> list[str]:
    """Places from which a march may start in the movement phase that is on, or in one to come."""
    march = s.view.march
    if march is None:
        return sorted(f.mine)
    most = STACKS[march.mode]
    used = len(march.activated) + march.mustered
    open_ = march.mode != "none" and (most is None or used < most)
    return [place for place in sorted(f.mine) if open_ or place in march.activated]


def rooms(s: Situation) -> int:
    """Activations that are left in the movement phase that is on."""
    march = s.view.march
    if march is None or march.mode == "none":
        return 0
    most = STACKS[march.mode]
    return 6 if most is None else most - len(march.activated) - march.mustered


def mode(s: Situation, f: Field) -> tuple[Mode, int]:
    """How much to move, with how many cards, by what a plan of each size gains."""
    gains: list[tuple[float, int]] = []
    field, left, found = f, sorted(f.mine), list[Step]()
    for _ in range(5):
        found = steps(s, field, left, joint=3, before=found)
        if not found or found[0].gain < LEAST:
            break
        best = found[0]
        gains.append((best.gain, len(best.stacks)))
        left = [place for place in left if place not in {stack.origin for stack in best.stacks}]
        field = best.after
    mustered = musters(s, f)
    muster = max(mustered[0].gain, 0.0) if mustered else 0.0
    alone = max([gain for gain, size in gains if size == 1] + [muster])
    options: list[tuple[float, Mode, int]] = [(alone, "minimal", 0)]
    pieces = [*gains, (muster, 1)] if muster else gains
    if s.hand:
        options.append((packed(pieces, 3) - cheapest(s, f, 1)[1], "limited", 1))
    if len(s.hand) > 1:
        options.append((sum(gain for gain, _ in pieces) - cheapest(s, f, 2)[1] - 0.05, "total", 2))
    _, chosen, cards = max(options, key=lambda option: option[0])
    return chosen, cards


def packed(pieces: Sequence[tuple[float, int]], room: int) -> float:
    """The most that fits into so many activations."""
    best = [0.0] * (room + 1)
    for gain, size in pieces:
        for full in range(room, size - 1, -1):
            best[full] = max(best[full], best[full - size] + gain)
    return best[room]
