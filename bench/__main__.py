"""`make bench`: measures, prints, and writes docs/performance.md."""

from __future__ import annotations

import asyncio
import tempfile

from bench import many, picture, play, reveal, rokumon, rules, sekigahara
from bench.figures import PAGE, Figure, own_sections, page
from cogs.ops.garbage import set_aside
from cogs.text.games import playable

FOR_TWO = frozenset(
    {"kamisado", "rokumon", "sekigahara"}
)  # their choices are single actions that complete() lists


async def measure() -> dict[str, list[Figure]]:
    """Everything, section by section."""
    set_aside()  # as the bot does when it starts
    sections: dict[str, list[Figure]] = {"One action's way": []}
    for game in playable():
        if game in FOR_TWO:
            sections["One action's way"] += await play.measure(game)
    sections["A reveal"] = await reveal.measure()
    with tempfile.TemporaryDirectory(prefix="bench-", dir=play.here()) as folder:
        sections["Many open tables"] = await many.measure(folder)
    sections["Rules and opponents"] = rules.measure()
    sections["Pictures beside their own encoding"] = picture.measure()
    sections["Rokumon, act by act"] = rokumon.measure()
    sections["Sekigahara, marches and battles"] = sekigahara.measure()
    return sections


def main() -> None:
    """Aims that were missed stand on the page: a busy machine is no failure."""
    sections = asyncio.run(measure())
    before = PAGE.read_text() if PAGE.exists() else ""
    text = page(sections, "make bench") + "".join(own_sections(before).values())
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(text)
    print(text)


if __name__ == "__main__":
    main()
