"""Faults below the bot: a full disk, a locked database, a clock that jumps, an hour without Discord."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from typing import Any

import discord
import pytest
from simcord.builders import UserHandle

from cogs.buttons import lasting
from db.errors import DatabaseError
from locales import words
from tables.play import bots
from tests.discord.conftest import EnvClock, controls, simulated, text_of
from tests.unsent import destinations

ENGLISH = words("en")
HOUR_S = 3600


class JumpingClock(EnvClock):
    """The simulation's clock, set by somebody."""

    off = 0

    def now(self) -> int:
        return super().now() + self.off


@pytest.fixture
async def rough(tmp_path) -> AsyncIterator[Any]:
    """A world in which errors may be logged."""
    async with simulated(tmp_path / "hatamoto.db", JumpingClock()) as world:
        yield world


async def move(world, thread) -> str:
    mover = await world.to_move()
    choices = await world.moves(thread)
    return text_of(await mover.slash(thread, "move", move=choices[0]))


async def health_line(world) -> str:
    """The first line that the owner of the bot is told."""
    role = world.guild.create_role("owners", permissions=discord.Permissions(manage_guild=True))
    owner = world.guild.add_member(world.env.create_user("Owner"), roles=[role])
    world.bot.owner_id = owner.user.id
    return text_of(await owner.slash(world.channel, "admin health")).partition("\n")[0]


async def boards(world, thread) -> list[int]:
    """Versions of the boards that were posted, in order."""
    posts = [post for post in thread.history() if post.attachments]
    return [int(next(iter(controls(post))).split(":")[2]) for post in posts]


async def whole(world, thread) -> None:
    """Nothing waits, every board is there once and in order, and the log leads to the position."""
    await world.env.settle()
    assert await destinations(world.bot.database.reads) == []
    versions = await boards(world, thread)
    assert versions == sorted(set(versions))
    assert await world.bot.tables.check() == []


async def test_a_full_disk_refuses_kindly_and_nothing_is_half_done(rough):
    thread = await rough.start()
    played = len(await boards(rough, thread))
    connection = rough.bot.database._writer
    (pages,) = (await connection.execute_fetchall("PRAGMA page_count"))[0]
    await connection.execute_fetchall(f"PRAGMA max_page_count={pages}")
    told = ""
    for _ in range(20):  # what fits into the pages that there are is still taken
        told = await move(rough, thread)
        if "Played" not in told:
            break
        played += 1
    assert told == ENGLISH("error.database-full")
    assert await health_line(rough) == ENGLISH("admin.database-full")
    await connection.execute_fetchall("PRAGMA max_page_count=1000000")
    await rough.env.advance_time(HOUR_S)
    assert "Played" in await move(rough, thread)
    await rough.env.advance_time(HOUR_S)
    await whole(rough, thread)
    assert len(await boards(rough, thread)) == played + 1


async def test_a_database_that_another_locks_refuses_kindly_and_goes_on(rough):
    thread = await rough.start()
    await rough.bot.database._writer.execute_fetchall("PRAGMA busy_timeout=20")
    with closing(sqlite3.connect(rough.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert await move(rough, thread) == ENGLISH("error.database-locked")
        assert await health_line(rough) == ENGLISH("admin.database-locked")
        other.execute("ROLLBACK")
    assert (await health_line(rough)).partition(" ")[2].startswith("h up")
    assert "Played" in await move(rough, thread)
    await rough.env.advance_time(60)
    await whole(rough, thread)


async def test_a_database_that_may_not_be_written_to_any_more_is_told(rough):
    thread = await rough.start()
    await rough.env.settle()
    writer = rough.bot.database._writer
    await writer.execute_fetchall("PRAGMA query_only=1")  # refused as a read-only file's would be
    assert await move(rough, thread) == ENGLISH("error.database-read-only")
    assert await health_line(rough) == ENGLISH("admin.database-read-only")
    await writer.execute_fetchall("PRAGMA query_only=0")
    assert "Played" in await move(rough, thread)
    await whole(rough, thread)


async def test_a_table_that_cannot_even_be_read_is_answered_by_command_and_by_button(rough, monkeypatch):
    thread = await rough.start()
    board = [post for post in thread.history() if post.attachments][-1]
    mover = await rough.to_move()
    choice = (await rough.moves(thread))[0]
    control = next(iter(controls(board)))

    async def failing(*_):
        raise DatabaseError("failing", str(rough.database))

    monkeypatch.setattr(rough.bot.database.reads, "all", failing)
    monkeypatch.setattr(lasting, "handler_of", lambda _: failing)
    for told in (
        await mover.slash(thread, "move", move=choice),
        await mover.click(board, custom_id=control),
    ):
        assert text_of(told) == ENGLISH("error.database-failing")
    monkeypatch.undo()
    assert "Played" in await move(rough, thread)


async def test_a_bot_that_could_not_write_its_answer_tries_again(rough, monkeypatch):
    monkeypatch.setattr(bots, "AGAIN_S", 0.01)
    refusals = iter([DatabaseError("full", "t.db")] * 3)
    real = bots.Bots._act

    async def full(*given):
        for refusal in refusals:
            raise refusal
        return await real(*given)

    monkeypatch.setattr(bots.Bots, "_act", full)
    await rough.ann.slash(
        rough.channel,
        "game new",
        game="kamisado",
        opponent=UserHandle(rough.env, rough.env.backend.bot_user),
        options="level=easy seat=first",
    )
    thread = rough.thread()
    await rough.ann.slash(thread, "move", move="a8-a7")  # one that no answer of the bot blocks
    await rough.bot.tables.settled()
    assert next(refusals, None) is None
    assert (await rough.bot.database.reads.one("SELECT count(*) FROM actions"))[0] == 2


@pytest.mark.parametrize("hours", [-1, -24 * 400, 1, 24 * 400])
async def test_a_clock_that_jumps_delays_no_post(rough, hours):
    thread = await rough.start()
    before = len(await boards(rough, thread))
    rough.env.inject_error("POST", f"/channels/{thread.id}/messages", status=503, times=1)
    assert "Played" in await move(rough, thread)
    rough.clock.off = hours * HOUR_S * 1000
    await move(rough, thread)
    await rough.env.advance_time(2 * HOUR_S)
    assert "Played" in await move(rough, thread)
    await whole(rough, thread)
    assert len(await boards(rough, thread)) > before


async def test_an_hour_without_discord_posts_everything_once_afterwards(rough):
    thread = await rough.start()
    before, posts = len(await boards(rough, thread)), len(thread.history())
    rough.env.inject_error("POST", f"/channels/{thread.id}/messages", status=503, times=None)
    for _ in range(4):
        assert "Played" in await move(rough, thread)
        await rough.env.advance_time(HOUR_S / 4)
    assert len(await boards(rough, thread)) == before
    rough.env.backend.faults.clear()
    await rough.env.advance_time(HOUR_S)
    await whole(rough, thread)
    assert len(thread.history()) == posts + 4
    assert len(await boards(rough, thread)) == before + 2, "the one that was tried, and the newest"
