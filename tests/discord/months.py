"""Tables that have begun, for the scenes of games that take months."""

from __future__ import annotations

import asyncio
from typing import Any

from engines.registry import engine
from locales import words
from render import Scene, painter
from tests.discord.conftest import World
from tests.games import opening, sample, words_of
from tests.messages import wording
from tests.sketches import cold


def warmed(game: str, options: dict[str, Any] | None = None) -> None:
    """The first picture of a game loads fonts and maps, for which a simulation does not wait."""
    if not cold(f"{game} {options}"):
        return
    rules, state = engine(game), opening(game, options).state
    for viewer in (None, 0):
        scene = Scene(game, rules.view(state, viewer), ("Ann", "Ben", "Cho", "Dan", "Eve"), words("en"))
        painter(game).board(scene)
        painter(game).hand(scene)


async def begun(world: World, game: str, extra: str = "") -> Any:
    """Ann and Ben (and Cho, where three are needed) at a running table; its thread. Ann has seat 0."""
    warmed(game)
    wish = f"{words_of(sample(game).options)} seat=first {extra}".strip()
    await world.ann.slash(world.channel, "game new", game=game, opponent=world.ben.user, options=wish)
    await world.ben.slash(world.channel, "game join", table=1)
    if (await world.bot.tables.get(1)).status == "open":
        await world.cho.slash(world.channel, "game join", table=1)
        await world.ann.slash(world.channel, "game start", table=1)
    table = await world.bot.tables.get(1)
    assert table.status == "running"
    return world.thread()


def stranger(world: World, name: str = "Dan") -> Any:
    """Somebody else in the server."""
    return world.guild.add_member(world.env.create_user(name))


async def first_move(world: World, thread: Any) -> Any:
    """The first who has to act does what is offered first; who it was."""
    table = await world.bot.tables.get(1)
    user = table.seats[min(table.to_act)].user_id
    mover = next(m for m in (world.ann, world.ben, world.cho) if m.id == user)
    offered = await mover.autocomplete(thread, "move", "move", "")
    await mover.slash(thread, "move", move=str(offered[0]["value"]))
    return mover


def said(thread: Any, part: str) -> Any:
    """The newest message of a thread that says this."""
    found = [message for message in thread.history() if part in wording(message)]
    assert found, [wording(message) for message in thread.history()]
    return found[-1]


async def delivered(world: World) -> None:
    """Waits for posts that no command of the simulation has asked for."""
    courier = world.bot.courier
    while running := [
        t for t in (courier._sweep, *courier._tasks.values()) if t is not None and not t.done()
    ]:
        await asyncio.wait(running)
