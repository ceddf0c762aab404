"""The sea of both maps: waves in a pattern, drawn once a pattern and not once a wave."""

from __future__ import annotations

from render.canvas import Pen, arc_points
from render.colour import mix
from render.theme import SEA, WAVE

STEP = 48  # the pattern comes again after so many pixels


def water(width: int, height: int) -> Pen:
    """An opaque sheet of sea with waves, to draw the land on."""
    pattern = Pen(3 * STEP, 3 * STEP, mode="RGB", ground=SEA)
    shade = mix(SEA, WAVE, 0.16)
    for row, y in enumerate(range(-4, 4 * STEP, STEP // 2)):
        for x in range(-STEP + 24 * (row % 2), 4 * STEP, STEP):
            for radius in (10, 20):
                pattern.line(arc_points(x, y, radius, 200, 340), shade, 1.6, round_ends=False)
    sheet = Pen(width, height, mode="RGB", ground=SEA)
    sheet.tile(pattern, STEP, STEP)
    return sheet
