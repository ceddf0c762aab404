"""The odds of a battle from what one side may know.

What is hidden (the enemy's blocks that are not deployed, his hand) is dealt at random out of all that
the side has not seen, and both then deploy whatever adds most, challenging where they can. The same
view gives the same odds: the dealing is keyed by the view alone, so nothing hidden can show in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engines.chance import Chance
from engines.protocol import digest
from engines.sekigahara.battle import impact_of_all
from engines.sekigahara.board import without
from engines.sekigahara.data import (
    ANY_CARD,
    BLOCK_COUNTS,
    CARD_COUNTS,
    LEADERS,
    LOYALTY,
    MON,
    OTHER,
    OWNER,
    STRENGTH,
    Side,
    block_order,
    card_kind,
    card_order,
    deploys,
)
from engines.sekigahara.model import BattleState, SekigaharaView

SAMPLES = 80  # battles that are played out for one answer
BLOCK_IMPACT = 7  # impact that costs a block (8.7.1)
WORTH_A_CHALLENGE = 3  # impact below which a loyalty card is kept


class Odds(NamedTuple):
    """Out of 100: how often the side wins; mean blocks lost by it and by the enemy, in tenths."""

    wins: int
    own_losses: int
    their_losses: int


class Play(NamedTuple):
    """A deployment that may be made: impact that it adds, card (None for a leader), blocks."""

    adds: int
    card: str | None
    blocks: tuple[str, ...]


@dataclass
class Half:
    """One side of a battle being played out."""

    stands: list[str]
    left: list[str]
    hand: list[str]
    impact: int
    done: bool
    free: bool  # whether leaders may still come without a card


def odds(view: SekigaharaView, side: Side, samples: int = SAMPLES) -> Odds | None:
    """The odds of the battle that is on, for the viewer's own `side`; None in a siege or without a battle."""
    fight = view.battle
    if fight is None or fight.siege or view.hand is None or view.map[fight.at].faces is None:
        return None
    chance = Chance(bytes.fromhex(digest(knowledge(view, side))), 0)
    enemy = OTHER[side]
    blocks, cards = unseen(view, enemy)
    count = (view.map[fight.at].ishida if enemy == "ishida" else view.map[fight.at].tokugawa) - sum(
        OWNER[face] == enemy for face in seen_blocks(fight)
    )
    own_left = without(view.map[fight.at].faces or (), seen_blocks(fight))
    own_size, enemy_size = len(view.map[fight.at].faces or ()), count + _seen_of(fight, enemy)
    wins = own_lost = their_lost = 0
    for _ in range(samples):
        halves = {
            side: half(fight, side, own_left, list(view.hand)),
            enemy: half(
                fight, enemy, _dealt(chance, blocks, count), _dealt(chance, cards, view.hands[enemy])
            ),
        }
        play_out(fight.attacker, halves)
        won = winner(fight.attacker, halves) == side
        wins += won
        own_lost += min(own_size, halves[enemy].impact // BLOCK_IMPACT + (not won))
        their_lost += min(enemy_size, halves[side].impact // BLOCK_IMPACT + won)
    return Odds(round(100 * wins / samples), round(10 * own_lost / samples), round(10 * their_lost / samples))


def knowledge(view: SekigaharaView, side: Side) -> list[object]:
    """What the odds follow from."""
    fight = view.battle
    faces = view.map[fight.at].faces if fight else ()
    state = fight.model_dump(mode="json") if fight else None
    return [side, state, list(view.hand or ()), list(faces or ()), view.hands, view.lost, view.tops]


def seen_blocks(fight: BattleState) -> list[str]:
    """Blocks that have been deployed, or wait for an answer."""
    waiting = fight.pending.blocks if fight.pending else ()
    return [*(face for faces in fight.deployed.values() for face in faces), *waiting]


def _seen_of(fight: BattleState, side: Side) -> int:
    return sum(OWNER[face] == side for face in seen_blocks(fight))


def unseen(view: SekigaharaView, enemy: Side) -> tuple[list[str], list[str]]:
    """Enemy blocks and cards that the viewer has not before his eyes."""
    fight = view.battle
    shown = [face for face in seen_blocks(fight) if OWNER[face] == enemy] if fight else []
    mori = view.mori_box if enemy == "ishida" else ()
    blocks = without(_all(BLOCK_COUNTS[enemy]), [*view.lost.get(enemy, ()), *mori, *shown])
    top = view.tops.get(enemy)
    used = [*(fight.used.get(enemy, ()) if fight else ()), *([top] if top else [])]
    return blocks, without(_all(CARD_COUNTS[enemy]), used)


def _all(counts: dict[str, int]) -> list[str]:
    return [name for name, count in counts.items() for _ in range(count)]


def _dealt(chance: Chance, pool: list[str], count: int) -> list[str]:
    """The first `count` of a shuffled pool (the front of a Fisher-Yates shuffle)."""
    mixed = list(pool)
    for number in range(min(count, len(mixed))):
        other = number + chance.below(len(mixed) - number)
        mixed[number], mixed[other] = mixed[other], mixed[number]
    return mixed[: max(count, 0)]


def half(fight: BattleState, side: Side, left: list[str], hand: list[str]) -> Half:
    """A side as it stands; a deployment that waits for an answer is taken to stand."""
    stands, impact = list(fight.deployed.get(side, ())), fight.impact.get(side, 0)
    waiting = fight.pending
    if waiting is not None and waiting.side == side:
        impact += impact_of_all(waiting.blocks, stands, sword=card_kind(waiting.card) == "sword")
        stands += waiting.blocks
    free = all(card == LOYALTY for card in fight.used.get(side, ()))
    return Half(stands, block_order(left), card_order(hand), impact, side in fight.done, free)


def winner(attacker: Side, halves: dict[Side, Half]) -> Side:
    """More impact wins, the defender on equal."""
    defender = OTHER[attacker]
    return attacker if halves[attacker].impact > halves[defender].impact else defender


def play_out(attacker: Side, halves: dict[Side, Half]) -> None:
    """Both deploy what adds most until neither can."""
    defender = OTHER[attacker]
    while not (halves[attacker].done and halves[defender].done):
        side = attacker
        if halves[attacker].done or (
            not halves[defender].done and halves[defender].impact < halves[attacker].impact
        ):
            side = defender
        mine, theirs = halves[side], halves[OTHER[side]]
        free = plays(mine.left, mine.hand, mine.stands, led=mine.free)
        best = max(free, default=None, key=lambda play: play.adds)
        if best is None:
            mine.done = True
        else:
            deploy(mine, theirs, best)


def plays(
    left: Sequence[str], hand: Sequence[str], stands: Sequence[str], *, led: bool, siege: bool = False
) -> list[Play]:
    """What may be deployed next, each kind once. `led`: leaders may still come without a card."""
    faces = dict.fromkeys(left)
    leaders = [face for face in faces if led and face in LEADERS]
    found = [Play(impact_of_all((face,), stands, sword=False), None, (face,)) for face in leaders]
    for card in dict.fromkeys(hand):
        if card == LOYALTY:
            continue
        kind = card_kind(card)
        for face in faces:
            if not deploys(card, face):
                continue
            blocks: tuple[str, ...] = (face,)
            if kind == "double" and face not in ANY_CARD:
                others = [other for other in without(left, [face]) if MON[other] == MON[face]]
                blocks = (face, *sorted(others, key=STRENGTH.__getitem__)[-1:])
            adds = impact_of_all(blocks, stands, sword=kind == "sword" and not siege)
            found.append(Play(adds, card, blocks))
    return found


def deploy(mine: Half, theirs: Half, play: Play) -> None:
    """Makes a deployment; a loyalty card turns it where it is worth one and no other card proves it."""
    mine.left = without(mine.left, play.blocks)
    if play.card is None:
        mine.stands += play.blocks
        mine.impact += play.adds
        return
    mine.hand, mine.free = without(mine.hand, [play.card]), False
    if LOYALTY in theirs.hand and play.adds >= WORTH_A_CHALLENGE:
        theirs.hand = without(theirs.hand, [LOYALTY])
        if not any(deploys(card, play.blocks[0]) for card in mine.hand):
            theirs.impact += impact_of_all(play.blocks, theirs.stands, sword=False)
            theirs.stands += play.blocks
            return
    mine.stands += play.blocks
    mine.impact += play.adds
