"""One small picture in place of all, for scenes in which nobody looks at them."""

from __future__ import annotations

import json
from base64 import b64decode
from dataclasses import replace
from hashlib import sha256

from render import Picture, Scene, has
from workers.drawing import HereStudio

WARM = set[str]()  # of what the first pictures were drawn in this process

SKETCH = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
)


async def sketch(_: object, part: str, scene: Scene) -> Picture | None:
    """What a studio's `draw` is replaced by."""
    return Picture(SKETCH, f"{part}.png", "a sketch") if has(scene.game, part) else None


async def marked(studio: object, part: str, scene: Scene) -> Picture | None:
    """The same where all that a process that draws is given is the same, and nowhere else."""
    picture = await sketch(studio, part, scene)
    given = json.dumps([part, scene.packed()], sort_keys=True).encode()
    return picture and replace(picture, png=picture.png + sha256(given).digest())


def cold(what: str) -> bool:
    """Whether the first pictures of this will be drawn in this process: from now on they have been."""
    if HereStudio.draw in (sketch, marked) or what in WARM:
        return False
    WARM.add(what)
    return True
