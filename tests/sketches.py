"""One small picture in place of all, for scenes in which nobody looks at them."""

from __future__ import annotations

from base64 import b64decode

from render import Picture, Scene, has

SKETCH = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
)


async def sketch(_: object, part: str, scene: Scene) -> Picture | None:
    """What a studio's `draw` is replaced by."""
    return Picture(SKETCH, f"{part}.png", "a sketch") if has(scene.game, part) else None
