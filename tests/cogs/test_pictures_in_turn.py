"""Who asks for many pictures waits for them alone (14.1)."""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cogs
from cogs.text.pictures import drawn_for
from tables.core.one_each import Queues


class Slow:
    """A studio with one worker: pictures are drawn in the order in which they come."""

    def __init__(self):
        self.line = asyncio.Lock()
        self.drawn = []

    async def draw(self, part, scene):
        async with self.line:
            await asyncio.sleep(0)
            self.drawn.append((part, scene))


async def test_a_picture_of_another_waits_for_one_of_six_hundred():  # 14.1
    studio = Slow()
    client = SimpleNamespace(studio=studio, drawing=Queues())

    def asked(user_id, number):
        interaction: Any = SimpleNamespace(client=client, user=SimpleNamespace(id=user_id))
        scene: Any = (user_id, number)  # which one it is
        return drawn_for(interaction, "board", scene)

    flood = [asyncio.create_task(asked(7, number)) for number in range(600)]
    await asyncio.sleep(0)
    await studio.draw("step", "the board of a game that is played")
    await asked(8, 0)
    before = [scene for _, scene in studio.drawn]
    await asyncio.gather(*flood)
    assert len(before) <= 8, before
    assert [scene for _, scene in studio.drawn if scene[0] == 7] == [(7, number) for number in range(600)]


def test_no_command_or_panel_asks_for_a_picture_past_its_users_turn():  # 14.1
    """`unhurried` in records has a turn of its own, for all replays together."""
    folder, past = Path(cogs.__file__).parent, []
    for file in [*folder.glob("commands/*.py"), *folder.glob("panels/*.py"), *folder.glob("buttons/*.py")]:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            named = (
                isinstance(node, ast.ImportFrom)
                and node.module == "workers.drawing"
                and "drawn" in {name.name for name in node.names}
            )
            if named or (isinstance(node, ast.Attribute) and ast.unparse(node).endswith("studio.draw")):
                past.append(file.name)
    assert past == ["records.py"]
