"""What each deployment of a battle was made with and scored, as far as everybody can tell.

A view tells the blocks that stand on a side and the cards that were used, both in order, and the impact. From
these the card of each block follows; where several ways remain, only what they agree on is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from engines.sekigahara.battle import impact_of
from engines.sekigahara.data import LEADERS, LOYALTY, MON, OWNER, STRENGTH, Side, card_kind, deploys
from engines.sekigahara.model import BattleState

MOST_WAYS = 64
Cards = tuple[tuple[int, str] | None, ...]  # for each own block the card's number and the card, None without


@dataclass(frozen=True)
class Row:
    """A block that stands on a side.

    card       what deployed it; None if no card did, or where it cannot be told (`known` False)
    same       it came by the same card as the block above it
    score      what it added; None where it cannot be told
    defector   it came over from the other side
    pending    it waits for the opponent's answer and counts nothing yet
    """

    face: str
    card: str | None = None
    known: bool = False
    same: bool = False
    score: int | None = None
    defector: bool = False
    pending: bool = False

    def parts(self, standing: Sequence[str]) -> str:
        """The score in its parts: strength, blocks of the same mon before it, the special."""
        if self.score is None:
            return ""
        mons = sum(MON[other] == MON[self.face] for other in standing)
        special = self.score - STRENGTH[self.face] - mons
        return " ".join([str(STRENGTH[self.face]), *(f"+{n}" for n in (mons, special) if n)])


def other(side: Side) -> Side:
    """The other side."""
    return "tokugawa" if side == "ishida" else "ishida"


def rows(found: BattleState, side: Side) -> list[Row]:
    """The blocks on a side in the order they came, then those that wait for an answer."""
    standing = list(found.deployed.get(side, ()))
    ways = [] if any(found.lost.values()) else list(islice(explanations(found, side), MOST_WAYS))
    told: list[Row] = []
    own = -1
    for number, face in enumerate(standing):
        if OWNER[face] != side:
            score = impact_of(face, standing[:number], sword=False) if ways else None
            told.append(Row(face, defector=True, score=score))
            continue
        own += 1
        told.append(_row(found, face, own, standing[:number], ways))
    waiting = found.pending
    if waiting is not None and waiting.side == side:
        told += [
            Row(face, waiting.card, known=True, same=n > 0, pending=True)
            for n, face in enumerate(waiting.blocks)
        ]
    return told


def _row(found: BattleState, face: str, own: int, before: list[str], ways: Sequence[Cards]) -> Row:
    cards = {way[own] for way in ways}
    scores = {_score(found, face, card, before) for card in cards}
    if len(cards) > 1:
        return Row(face, score=scores.pop() if len(scores) == 1 else None)
    if not cards:
        return Row(face)
    card = cards.pop()
    same = own > 0 and card is not None and all(way[own - 1] == card for way in ways)
    return Row(face, card and card[1], known=True, same=same, score=scores.pop())


def _score(found: BattleState, face: str, card: tuple[int, str] | None, before: Sequence[str]) -> int:
    sword = card is not None and card_kind(card[1]) == "sword" and not found.siege
    return impact_of(face, before, sword=sword)


def explanations(found: BattleState, side: Side) -> Iterator[Cards]:
    """Every way in which a side's cards can have deployed its blocks and made its impact."""
    cards = [card for card in found.used.get(side, ()) if card != LOYALTY]
    if found.pending is not None and found.pending.side == side:
        cards = cards[:-1]
    standing = list(found.deployed.get(side, ()))
    own = [face for face in standing if OWNER[face] == side]
    gone = [face for face in found.deployed.get(other(side), ()) if OWNER[face] == side]
    for way in _ways(cards, 0, own, 0, gone, 0):
        if _total(found, standing, side, way) == found.impact.get(side, 0):
            yield way


def _ways(
    cards: Sequence[str], card: int, own: Sequence[str], stood: int, gone: Sequence[str], left: int
) -> Iterator[Cards]:
    """Cards for the blocks from `stood` on, with cards from `card` on and defectors from `left` on."""
    if card == 0 and stood < len(own) and own[stood] in LEADERS:
        for rest in _ways(cards, 0, own, stood + 1, gone, left):
            yield (None, *rest)
    if card == len(cards):
        if stood == len(own) and left == len(gone):
            yield ()
        return
    sizes = (1, 2) if card_kind(cards[card]) == "double" else (1,)
    for size in sizes:
        if _fits(cards[card], own, stood, size):
            for rest in _ways(cards, card + 1, own, stood + size, gone, left):
                yield (*((card, cards[card]),) * size, *rest)
        if _fits(cards[card], gone, left, size):
            yield from _ways(cards, card + 1, own, stood, gone, left + size)


def _fits(card: str, faces: Sequence[str], start: int, size: int) -> bool:
    return start + size <= len(faces) and all(deploys(card, face) for face in faces[start : start + size])


def _total(found: BattleState, standing: Sequence[str], side: Side, way: Cards) -> int:
    total, own = 0, iter(way)
    for number, face in enumerate(standing):
        card = next(own) if OWNER[face] == side else None
        total += _score(found, face, card, standing[:number])
    return total
