"""The layers of the map that `render.shogun.bake` drew: land and sea by number, borders, where marks lie."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from PIL import Image

from engines.shogun.data import PROVINCES, in_play
from render.colour import mix, rgb
from render.kept import kept
from render.theme import INK, MUTE

FOLDER = Path(__file__).parent / "layers"
SCALES = (1, 1.8)  # of the whole map, of a part of it enlarged
HATCHED = tuple(  # the provinces that are out of play with three players, on either side
    name for name in PROVINCES if any(name not in in_play(side, 3) for side in ("sun", "moon"))
)
HATCHES = {name: (len(PROVINCES) + 2 * n, len(PROVINCES) + 2 * n + 1) for n, name in enumerate(HATCHED)}
SEA_FROM = 100  # the number of the sea's first shade


@kept
def land(scale: float) -> Image.Image:
    """Land and sea by number."""
    with Image.open(FOLDER / f"land-{scale}.png") as image:
        image.load()
        return image


@kept
def borders(side: str, scale: float) -> Image.Image:
    """Coast and borders, by number: a fourth of what they are in true colours, the larger ones 15 MB."""
    with Image.open(FOLDER / f"borders-{side}-{scale}.png") as image:
        image.load()
        return image


@cache
def places() -> Any:
    """Where rows, unrest and marks of battles lie on the map."""
    return json.loads((FOLDER / "places.json").read_text(encoding="utf-8"))


def meeting(one: str, other: str) -> tuple[float, float]:
    """Where the mark of a battle between two neighbours lies on the map."""
    x, y = places()["meetings"]["-".join((min(one, other), max(one, other)))]
    return float(x), float(y)


def coloured(image: Image.Image, fills: Mapping[str, str]) -> Image.Image:
    """A piece of `land` in colours: of the provinces those given, hatched grey where there is none."""
    palette = list(image.getpalette() or ())
    for number, name in enumerate(PROVINCES):
        fill = fills.get(name)
        palette[3 * number : 3 * number + 3] = rgb(fill or MUTE)
        for level, place in enumerate(HATCHES.get(name, ())):
            palette[3 * place : 3 * place + 3] = rgb(fill or mix(MUTE, INK, 0.12 + 0.16 * level))
    piece = image.copy()
    piece.putpalette(palette)
    return piece.convert("RGB")
