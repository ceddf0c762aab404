"""Photographs on contact sheets: columns side by side, cut between messages, at their own size."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageChops

TALL, BROAD = 940, 1275  # pixels of a sheet
SHOWN = {
    1280: (322, 934, 0.66),
    390: (142, 472, 0.75),
}  # where messages stand in a photograph, how large they are shown
HEAD, FOOT = 210, 300  # rows of the page's own above and below them
FORM, MIDDLE = 500, {1280: 896, 390: 270}  # how broad a form is with its edge, and where its middle is
GROUND = (120, 0, 90)
GAP = 6
BLANK = 10  # rows of nothing between two messages


def filled(photograph: Image.Image) -> list[bool]:
    """Row by row, whether anything is to be seen: its pixels differ from the one at its left edge."""
    ground = photograph.resize((1, photograph.height), Image.Resampling.NEAREST).resize(photograph.size)
    rows = ImageChops.difference(photograph, ground).convert("L").point(lambda v: 255 * (v > 12))
    thin = rows.resize((1, photograph.height), Image.Resampling.BOX)
    return [value > 0 for value in thin.tobytes()]


def pieces(photograph: Image.Image, tall: int) -> list[Image.Image]:
    """It from top to bottom in pieces of that height at most, cut where nothing stands, if that can be."""
    rows = filled(photograph)
    end = next((y for y in range(len(rows) - 1, -1, -1) if rows[y]), 0) + 1
    cuts, top = [], next((y for y, full in enumerate(rows) if full), 0)
    while top < end:
        if not any(rows[top : top + tall]):
            top += tall
            continue
        bottom = min(top + tall, end)
        if bottom < end:
            empty = [y for y in range(top + tall // 2, bottom) if not any(rows[y - BLANK : y])]
            bottom = empty[-1] if empty else bottom
        cuts.append(photograph.crop((0, top, photograph.width, bottom)))
        top = bottom
    return cuts


def sheets(photographs: Sequence[Path], width: int) -> list[Image.Image]:
    """Photographs of one width in columns, as many to a sheet as are broad enough to be read."""
    left, right, scale = SHOWN[width]
    wide = int((right - left) * scale)
    columns: list[Image.Image] = []
    for path in photographs:
        with Image.open(path) as file:
            shown = file.convert("RGB").crop((left, HEAD, right, file.height - FOOT))
        columns += pieces(shown.resize((wide, int(shown.height * scale)), Image.Resampling.LANCZOS), TALL)
    made: list[Image.Image] = []
    across = (BROAD + GAP) // (wide + GAP)
    for first in range(0, len(columns), across):
        part = columns[first : first + across]
        sheet = Image.new("RGB", (len(part) * (wide + GAP) - GAP, max(one.height for one in part)), GROUND)
        for number, one in enumerate(part):
            sheet.paste(one, (number * (wide + GAP), 0))
        made.append(sheet)
    return made


def form_sheets(photographs: Sequence[Path], width: int, wide: int = 3) -> list[Image.Image]:
    """Photographs of one width of forms side by side, so many to a sheet."""
    made: list[Image.Image] = []
    for first in range(0, len(photographs), wide):
        shown = []
        for path in photographs[first : first + wide]:
            with Image.open(path) as file:
                left = MIDDLE[width] - FORM // 2
                box = (left, HEAD - 60, left + FORM, file.height - 40)
                shown.append(file.convert("RGB").crop(box))
        sheet = Image.new("RGB", (len(shown) * (FORM + GAP) - GAP, shown[0].height), GROUND)
        for number, one in enumerate(shown):
            sheet.paste(one, (number * (FORM + GAP), 0))
        made.append(sheet)
    return made
