"""The fixed palette of Shogun's pictures."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain

from PIL import Image

from render.canvas import palette
from render.colour import mix
from render.shogun.icons import FARMER_GREEN
from render.theme import (
    COAST_FAR,
    COAST_NEAR,
    FRAMED,
    GOLD,
    INK,
    LACQUER,
    LINE,
    MUTE,
    NIGHT,
    PAPER,
    QUIET_INK,
    RAISED,
    SEA,
    SHOGUN,
    SHU,
    SHU_DARK,
    SUMI,
    WASHI,
    WAVE,
    WHITE,
)


@lru_cache(maxsize=1)
def colours() -> Image.Image:
    """The fixed palette: flat colours and the mixtures that soft edges need."""
    flat = [*SHOGUN.values(), *FRAMED, GOLD, WHITE, NIGHT]
    flat += [SHU, SHU_DARK, WASHI, COAST_NEAR, COAST_FAR, SEA, WAVE, FARMER_GREEN, QUIET_INK]
    flat += [mix(SEA, WAVE, part) for part in (0.02, 0.10, 0.16, 0.22, 0.38)] + [mix(MUTE, INK, 0.28)]
    grounds = [*SHOGUN.values(), WASHI]
    blends = [(hue, INK, 3) for hue in grounds] + [(hue, PAPER, 3) for hue in grounds]
    blends += [(LACQUER, word, 3) for word in (PAPER, MUTE, GOLD)] + [
        (RAISED, word, 2) for word in (PAPER, MUTE)
    ]
    blends += [(SUMI, word, 3) for word in (PAPER, MUTE, GOLD, LINE)]
    blends += [(INK, PAPER, 4), (PAPER, SHU, 3), (SEA, PAPER, 3), (SEA, INK, 2), (SHU_DARK, PAPER, 2)]
    blends += [(INK, GOLD, 3), (INK, WHITE, 2), (FARMER_GREEN, PAPER, 2), (NIGHT, PAPER, 2), (MUTE, INK, 3)]
    return palette(flat, chain(blends))
