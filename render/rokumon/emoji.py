"""The crests of the two clans, and the numbers of their warriors."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PIL import Image

from render.emoji import SIZE
from render.rokumon.pieces import warrior

CLANS = ("sanada", "tokugawa")
ROOM = 16  # pixels that a warrior needs beside its size
EMOJI: dict[str, Callable[[], Image.Image]] = {
    clan: partial(warrior, clan, None, SIZE - ROOM) for clan in CLANS
}
