"""Combats: which first, castles, deployments, loyalty, losses, retreats (8)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.protocol import Action
from engines.sekigahara import battle, combat, legal
from engines.sekigahara.board import Board, without
from engines.sekigahara.combat import BLOCK_IMPACT
from engines.sekigahara.data import (
    ANY_CARD,
    BLOCK_COUNTS,
    CARD_COUNTS,
    KIND,
    LEADERS,
    LOYALTY,
    MON,
    STRENGTH,
    block_order,
    card_kind,
    card_mon,
    card_order,
    deploys,
)
from engines.sekigahara.model import (
    Accept,
    Castle,
    Challenge,
    Combat,
    Concede,
    Deploy,
    Done,
    Lose,
    Retreat,
    Show,
)
from engines.sekigahara.odds import Play, plays
from engines.sekigahara.thinking import force
from engines.sekigahara.thinking.field import Field
from engines.sekigahara.thinking.worth import GAME, KEY, Situation, fight, worth


def first_combat(s: Situation, board: Board) -> Action:
    """The combat in which the hand as it is matters most: cards used are replaced before the next."""
    f = Field(s.view, s.side)

    def lead(place: str) -> float:
        faces, foes = f.mine[place], f.theirs.get(place, 0)
        known = s.strength(faces)
        unknown = force.expected(len(faces), len(s.hand))[0]
        decisive = GAME if s.hunt.get(place, 0) > 0.3 and fight(s, f, place) > 5 else 0.0
        return decisive + min(known, BLOCK_IMPACT * (foes + 1)) - min(unknown, BLOCK_IMPACT * (foes + 1))

    return Combat(at=max(combat.to_fight(board), key=lead))


def castle(s: Situation, board: Board) -> Action:
    """Inside, unless the battle outside is worth more."""
    fighting = battle.fighting(board)
    at = fighting.at
    f = Field(s.view, s.side)
    faces = f.mine[at]
    foes = f.theirs.get(at, 0)
    key = KEY[s.side] in faces
    their, spread = expects = force.expected(foes, s.their_hand)
    odds = force.battle(force.Impact(s.strength(faces), 1.5), len(faces), expects, foes)
    held = 4 * s.point
    outside = s.block * (odds.theirs - odds.mine) - (1 - odds.wins) * 0.7 * held
    if key:
        outside -= GAME * odds.wiped
    if s.view.active == s.side:  # inside, nothing happens now, and the siege goes on later
        later = 0.6 * force.siege(their, spread, len(faces))[0] * s.block
        later += 0.6 * force.siege(their, spread, len(faces))[1] * (held + (GAME if key else 0.0))
        return Castle(inside=outside <= -later)
    disk = s.side == "ishida" and at in f.disks
    lost, falls = force.siege(their, spread, len(faces) + disk)
    gone = force.siege(their, spread, len(faces))[1]
    inside = -s.block * lost - falls * held - (GAME * gone if key else 0.0)
    return Castle(inside=inside >= outside)


# -- deployments --------------------------------------------------------------------------


def deploy(s: Situation, board: Board) -> Action:
    """What adds most and can be proved; nothing where no block more is won or lost by it."""
    fighting = battle.fighting(board)
    side, other = s.side, s.enemy
    free = tuple(block_order(battle.undeployed(board, side)))
    stands = tuple(fighting.deployed[side])
    led = battle.cardless(fighting, side)
    options = plays(free, s.hand, stands, led=led, siege=fighting.siege)
    options = [play for play in options if not (play.card and KEY[side] in play.blocks and not safe(s, play))]
    if not options:
        return Done()
    mine, theirs = fighting.impact[side], fighting.impact[other]
    more = force.most(free, s.hand, stands, led=led, siege=fighting.siege)
    if fighting.siege:
        units = board.count(other, fighting.at) + (board.disk(other, fighting.at) is not None)
        reach = min((mine + more) // BLOCK_IMPACT, units)
        if reach <= mine // BLOCK_IMPACT:
            return Done()
    elif not _goes_on(s, board, mine, theirs, more):
        return Done()
    best = max(options, key=lambda play: _preference(s, board, play))
    return Deploy(card=best.card, blocks=tuple(block_order(best.blocks)))


def _goes_on(s: Situation, board: Board, mine: int, theirs: int, more: int) -> bool:
    """Whether another deployment may change who wins, or how many blocks are lost."""
    fighting = battle.fighting(board)
    attacks = fighting.attacker == s.side
    ahead = mine > theirs or (mine == theirs and not attacks)
    if s.enemy not in fighting.done:
        return more > 0
    could = mine + more > theirs or (mine + more == theirs and not attacks)
    foes = board.count(s.enemy, fighting.at)
    kills = min((mine + more) // BLOCK_IMPACT, foes) > min(mine // BLOCK_IMPACT, foes)
    return (could and not ahead) or kills


def safe(s: Situation, play: Play) -> bool:
    """Whether another card in hand proves a deployment loyal, or nobody can challenge it."""
    if play.card is None or s.their_hand == 0:
        return True
    rest = without(s.hand, [play.card])
    return any(deploys(card, play.blocks[0]) for card in rest)


def _preference(s: Situation, board: Board, play: Play) -> float:
    fighting = battle.fighting(board)
    value = float(play.adds)
    if play.card is None:
        return value + 3.0
    if fighting.siege:
        return value
    if not safe(s, play):
        turned = sum(STRENGTH[face] for face in play.blocks)
        value -= loyal_risk(s) * (play.adds + turned + 2.0 * len(play.blocks))
    face = play.blocks[0]
    later = [card for card in s.hand if card != play.card and deploys(card, face)]
    if card_kind(play.card) == "plain" and KIND[face] and any(card_kind(card) == "sword" for card in later):
        value -= 1.5  # the special comes by the other card
    if card_kind(play.card) == "sword" and not KIND[face]:
        value -= 0.8
    if card_kind(play.card) == "double" and len(play.blocks) < 2:
        value -= 1.0
    return value


def loyal_risk(s: Situation) -> float:
    """How likely the enemy holds a loyalty card."""
    pool = sum(CARD_COUNTS[s.enemy].values())
    loyal = CARD_COUNTS[s.enemy][LOYALTY]
    fight_used = s.view.battle.used.get(s.enemy, ()) if s.view.battle else ()
    loyal -= sum(card == LOYALTY for card in fight_used)
    none = 1.0
    for number in range(s.their_hand):
        none *= max(0.0, 1.0 - max(loyal, 0) / max(pool - number, 1))
    return 1.0 - none


def challenge(s: Situation, board: Board) -> Action:
    """A loyalty card where it is likely to turn enough, or may decide the battle."""
    if LOYALTY not in board.hands[s.side]:
        return Accept()
    fighting, waiting = battle.fighting(board), battle.pending(board)
    sword = card_kind(waiting.card) == "sword"
    adds = battle.impact_of_all(waiting.blocks, fighting.deployed[waiting.side], sword=sword)
    turns = battle.impact_of_all(waiting.blocks, fighting.deployed[s.side], sword=False)
    turned = unproved(s, waiting.card, waiting.blocks)
    if KEY[s.enemy] in waiting.blocks:
        return Challenge()
    swing = turned * (adds + turns + 1.5)
    return Challenge() if swing >= 1.9 or turned > 0.75 else Accept()


def unproved(s: Situation, card: str, blocks: Sequence[str]) -> float:
    """The chance that no other card of the enemy's hand proves a deployment."""
    counts = CARD_COUNTS[s.enemy]
    pool = sum(counts.values()) - 1
    if ANY_CARD.intersection(blocks):
        good = pool - counts[LOYALTY]
    else:
        good = sum(n for name, n in counts.items() if card_mon(name) == card_mon(card)) - 1
    used = s.view.battle.used.get(s.enemy, ()) if s.view.battle else ()
    good -= max(0, sum(card_mon(name) == card_mon(card) for name in used) - 1)
    pool -= max(0, len(used) - 1)
    none = 1.0
    for number in range(s.their_hand):
        none *= max(0.0, 1.0 - good / max(pool - number, 1))
    return none


def answer(s: Situation, board: Board) -> Action:
    """The proof that tells least: it stays in hand."""
    proofs = card_order(battle.proofs(board))
    if not proofs:
        return Concede()
    return Show(card=min(proofs, key=lambda card: (card_kind(card) != "plain", -proofs.count(card))))


# -- losses and retreats ------------------------------------------------------------------


def missed(s: Situation, face: str) -> float:
    """How much a block is missed."""
    if face == KEY[s.side]:
        return GAME
    mons = sum(card_mon(card) == MON[face] for card in s.hand)
    value = 2.0 * STRENGTH[face] + (2.0 if KIND[face] else 0.0) + (3.0 if face in LEADERS else 0.0)
    return value + min(mons, 3) + sum(MON[other] == MON[face] for other in BLOCK_COUNTS[s.side]) * 0.01


def lose(s: Situation, board: Board) -> Action:
    """What is missed least; a disk before blocks where it may be, but for Hideyori."""
    due = battle.fighting(board).losses.get(s.side, 0)
    blocks, disks = combat.loss_pool(board, s.side)
    values = {unit: GAME - 1 if unit == "hideyori" else 2.5 if unit in disks else missed(s, unit)
              for unit in [*blocks, *disks]}  # fmt: skip
    gone = sorted([*blocks, *disks], key=lambda unit: values[unit])[:due]
    return Lose(
        blocks=tuple(unit for unit in gone if unit not in disks),
        disks=tuple(unit for unit in gone if unit in disks),
    )


def retreat(s: Situation, board: Board) -> Action:
    """Where the map is worth most afterwards, with nobody, one or two left in the castle."""
    fighting = battle.fighting(board)
    at = fighting.at
    here = by_miss(s, board.at(s.side, at))
    f = Field(s.view, s.side)
    guards: list[tuple[str, ...]] = [()]
    if combat.may_enter_castle(fighting):
        guards += [tuple(block_order(here[:n])) for n in (1, 2) if n <= len(here)]
        key = KEY[s.side]
        if key in here and len(here) > 1:
            guards.append(tuple(block_order([key, here[0]])))
            guards.append((key,))
    best: tuple[float, Retreat] | None = None
    for guard in dict.fromkeys(guards):
        leaving = tuple(without(here, guard))
        targets = combat.retreat_targets(board) if leaving else [None]
        for to in targets:
            value = worth(s, _after(s, f, at, to, leaving))
            if to is not None and f.theirs.get(to) and not f.mine.get(to):
                value -= 3.0 + 2.0 * f.theirs[to]
            if guard and f.theirs.get(at):
                value += _held(s, f, at, guard)
            action = Retreat(to=to, castle=guard)
            if best is None or value > best[0]:
                best = (value, action)
    if best is None:
        return next(action for action in legal.retreats(board, s.side))
    return best[1]


def _held(s: Situation, f: Field, at: str, guard: tuple[str, ...]) -> float:
    """What a guard in a besieged castle is worth: points that stay, less the blocks it may cost."""
    their, spread = force.expected(f.theirs.get(at, 0), s.their_hand)
    disk = s.side == "ishida" and at in f.disks
    lost, falls = force.siege(their, spread, len(guard) + disk)
    value = -0.6 * (s.block * min(lost, len(guard)) + 4 * s.point * falls)
    if at == "osaka" and s.side == "ishida" and at in f.disks:
        alone = force.siege(their, spread, 1)[1]
        value += GAME * 0.6 * (alone - falls)  # who stands before Hideyori
    if KEY[s.side] in guard:
        value -= GAME * 0.6 * force.siege(their, spread, len(guard))[1]
    return value


def _after(s: Situation, f: Field, at: str, to: str | None, leaving: tuple[str, ...]) -> Field:
    """The map after a retreat. Those inside are besieged: they are weighed apart."""
    after = f.copy()
    if to is not None:
        after.take(at, leaving)
        after.put(to, leaving)
    return after


def by_miss(s: Situation, faces: Sequence[str]) -> list[str]:
    """Blocks, those that are missed least first."""
    return sorted(block_order(faces), key=lambda face: missed(s, face))
