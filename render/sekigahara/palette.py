"""The fixed palette of Sekigahara's pictures."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from render.canvas import palette
from render.colour import mix
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
    SEA,
    SEKIGAHARA,
    SHU,
    SHU_DARK,
    SUMI,
    WASHI,
    WAVE,
    WHITE,
)


@lru_cache(maxsize=1)
def colours() -> Image.Image:
    """Flat colours and the mixtures that soft edges need."""
    flat = [
        *SEKIGAHARA.values(),
        *FRAMED,
        QUIET_INK,
        GOLD,
        WHITE,
        NIGHT,
    ]
    flat += [SHU, SHU_DARK, WASHI, COAST_NEAR, COAST_FAR, SEA, WAVE]
    flat += [mix(SEA, WAVE, part) for part in (0.03, 0.12, 0.16, 0.26)]
    gold, black, plate = SEKIGAHARA["ishida"], SEKIGAHARA["tokugawa"], SEKIGAHARA["plate"]
    flat += [mix(gold, INK, 0.3), mix(gold, INK, 0.5), mix(black, INK, 0.3)]
    blends = [(gold, INK, 5), (gold, PAPER, 3), (black, PAPER, 5), (plate, INK, 4), (WASHI, INK, 5)]
    blends += [(SEA, INK, 3), (SEA, WASHI, 3), (WASHI, SEKIGAHARA["road"], 3), (WASHI, COAST_FAR, 1)]
    blends += [(SEKIGAHARA["highway"], INK, 3), (SEKIGAHARA["highway"], WHITE, 2)]
    blends += [(LACQUER, word, 4) for word in (PAPER, MUTE, GOLD)] + [
        (SUMI, w, 4) for w in (PAPER, MUTE, GOLD)
    ]
    blends += [(NIGHT, word, 3) for word in (PAPER, MUTE, GOLD)] + [(PAPER, SHU, 3), (INK, GOLD, 3)]
    blends += [(INK, WHITE, 3), (PAPER, INK, 3), (LACQUER, LINE, 2), (MUTE, INK, 3), (COAST_FAR, INK, 2)]
    return palette(flat, blends)
