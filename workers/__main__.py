"""What a worker process runs: `python -m workers` reads questions from stdin until it ends.

A question is a line `["choose", game, view, level, seed in hex, entry]` or `["draw", part, sketch]`
(`Scene.packed`), `["warm", game, locale]` or `["signs"]`, its answer `{"answer": ...}` or `{"fault": place}`.
Each holds what one seat or viewer may know, nothing else of the table.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from engines.chance import Chance
from engines.opponents import Level, opponent
from engines.protocol import Json
from engines.registry import engine
from workers.serving import serve

Answer = Json | tuple[Json, bytes]


def choose(game: str, view: Json, level: Level, seed: str, entry: int) -> str:
    """The action that the opponent chooses."""
    seen = engine(game).view_type.model_validate(view)
    return opponent(game).choose(seen, level, Chance(bytes.fromhex(seed), entry))


def draw(part: str, sketch: dict[str, Json]) -> Answer:
    """A picture as `[filename, alt, focus]` and its PNG, None where the game has none."""
    import render

    picture = render.drawing(part)(render.unpacked(sketch))
    if picture is None:
        return None
    return [picture.filename, picture.alt, picture.focus], picture.png


def warm(game: str, locale: str) -> None:
    """Gets ready for pictures of this game, of which the first are about to be asked for."""
    from workers.warmth import warm

    warm(game, locale)


def signs() -> Answer:
    """Every sign of every game as `[name, game, code, size]`, and their PNGs one after another."""
    from render.emoji import all_drawn

    drawn = all_drawn()
    told: Json = [[name, game, code, len(png)] for name, (game, code, png) in drawn.items()]
    return told, b"".join(png for *_, png in drawn.values())


TASKS: dict[str, Callable[..., Answer]] = {"choose": choose, "draw": draw, "warm": warm, "signs": signs}


def answer(line: str) -> Answer:
    """The answer to one question."""
    task, *rest = json.loads(line)
    found: Answer = TASKS[task](*rest)
    return found


if __name__ == "__main__":
    serve(answer)
