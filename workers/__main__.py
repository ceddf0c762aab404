"""What a worker process runs: `python -m workers` reads questions from stdin until it ends.

A question is a line `["choose", game, view, level, seed in hex, entry]` or `["draw", part, sketch]`
(`Scene.packed`), its answer `{"answer": ...}` or `{"fault": place}`. Each holds what one seat or
viewer may know, nothing else of the table.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable

from engines.chance import Chance
from engines.opponents import Level, opponent
from engines.protocol import Json
from engines.registry import engine
from workers.serving import serve


def choose(game: str, view: Json, level: Level, seed: str, entry: int) -> str:
    """The action that the opponent chooses."""
    seen = engine(game).view_type.model_validate(view)
    return opponent(game).choose(seen, level, Chance(bytes.fromhex(seed), entry))


def draw(part: str, sketch: dict[str, Json]) -> Json:
    """A picture as `[png in base64, filename, alt, focus]`, None where the game has none."""
    import render

    picture = render.drawing(part)(render.unpacked(sketch))
    if picture is None:
        return None
    return [base64.b64encode(picture.png).decode(), picture.filename, picture.alt, picture.focus]


TASKS: dict[str, Callable[..., Json]] = {"choose": choose, "draw": draw}


def answer(line: str) -> Json:
    """The answer to one question."""
    task, *rest = json.loads(line)
    found: Json = TASKS[task](*rest)
    return found


if __name__ == "__main__":
    serve(answer)
