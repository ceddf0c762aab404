"""Faults below the bot: a full disk, a locked database, a clock that jumps, an hour without Discord."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from typing import Any

import pytest

from db import outbox
from locales import words
from tests.discord.conftest import EnvClock, controls, simulated, text_of

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


async def boards(world, thread) -> list[int]:
    """Versions of the boards that were posted, in order."""
    posts = [post for post in thread.history() if post.attachments]
    return [int(next(iter(controls(post))).split(":")[2]) for post in posts]


async def whole(world, thread) -> None:
    """Nothing waits, every board is there once and in order, and the log leads to the position."""
    await world.env.settle()
    assert await outbox.destinations(world.bot.database.reads) == []
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
    assert told == ENGLISH("error.internal")
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
        assert await move(rough, thread) == ENGLISH("error.internal")
        other.execute("ROLLBACK")
    assert "Played" in await move(rough, thread)
    await rough.env.advance_time(60)
    await whole(rough, thread)


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
    before = len(await boards(rough, thread))
    rough.env.inject_error("POST", f"/channels/{thread.id}/messages", status=503, times=None)
    for _ in range(4):
        assert "Played" in await move(rough, thread)
        await rough.env.advance_time(HOUR_S / 4)
    assert len(await boards(rough, thread)) == before
    rough.env.backend.faults.clear()
    await rough.env.advance_time(HOUR_S)
    await whole(rough, thread)
    assert len(await boards(rough, thread)) == before + 4
