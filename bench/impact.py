"""What unknown blocks bring to a battle with unknown cards: writes the table that hard weighs battles by.

`python -m bench.impact` deals blocks and cards out of all of a side's, lets them deploy whatever adds most,
and writes mean and standard deviation to engines/sekigahara/thinking/impact.json.
"""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path

from engines.chance import Chance
from engines.sekigahara.data import BLOCK_COUNTS, CARD_COUNTS, SIDES, block_order, card_order
from engines.sekigahara.thinking import force

TABLE = Path(force.__file__).parent / "impact.json"
BLOCKS, CARDS, SAMPLES = 16, 12, 150  # samples of either side


def cell(blocks: int, cards: int) -> tuple[float, float]:
    """Mean and standard deviation of both sides' deals."""
    chance = Chance(b"impact", 100 * blocks + cards)
    found: list[int] = []
    for side in SIDES:
        pool = [face for face, n in BLOCK_COUNTS[side].items() for _ in range(n)]
        deck = [card for card, n in CARD_COUNTS[side].items() for _ in range(n)]
        for _ in range(SAMPLES):
            faces, hand = chance.shuffled(pool)[:blocks], chance.shuffled(deck)[:cards]
            found.append(force.most(tuple(block_order(faces)), tuple(card_order(hand))))
    mean = sum(found) / len(found)
    return round(mean, 1), round(sqrt(sum((one - mean) ** 2 for one in found) / len(found)), 1)


def main() -> None:
    """Writes the table, a row a number of blocks."""
    cells = [[cell(blocks, cards) for cards in range(CARDS + 1)] for blocks in range(1, BLOCKS + 1)]
    note = (
        "impact that n blocks (rows, from 1) bring with h cards (columns, from 0), both dealt at random; "
        "python -m bench.impact"
    )
    parts = [f'  "note": {json.dumps(note)}']
    for name, index in (("mean", 0), ("spread", 1)):
        rows = ",\n".join("    " + json.dumps([one[index] for one in row]) for row in cells)
        parts.append(f'  "{name}": [\n{rows}\n  ]')
    TABLE.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
