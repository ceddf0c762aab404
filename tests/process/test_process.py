"""The shipped process against a Discord on the loopback interface: start, play, trouble, stop."""

from __future__ import annotations

import asyncio
import random
import time

from cogs.ops.pulse import alive
from tables.core.clock import SystemClock
from tests.process.castle import WORDS, Castle
from tests.process.discord_client import Discord, readable
from tests.process.hatamoto_process import Launcher, running


async def test_commands_are_synced_once_and_not_again_on_the_next_start(
    castle: Castle, quick: Launcher
) -> None:
    discord = castle.discord
    async with running(discord, castle.database, by=quick) as bot:
        assert await bot.stop() == 0, bot.words
    assert len(discord.entries("commands")) == 1
    async with running(discord, castle.database, by=quick) as bot:
        answer = await discord.slash(castle.players[0], castle.channel, "games")
        assert answer.text == WORDS("answer.no-games")
        assert await bot.stop() == 0, bot.words
    assert len(discord.entries("commands")) == 1
    intents = [e["intents"] for e in discord.entries("gateway") if e["what"] == "identify"]
    assert intents == [1, 1], "guilds and nothing else"


async def test_a_game_is_played_to_its_end_by_interactions(castle: Castle, by: Launcher) -> None:
    async with running(castle.discord, castle.database, by=by):
        place = await castle.open_table()
        assert place != castle.channel, "it plays in a thread of its own"
        plies = await castle.play_on(place, random.Random(7))
        await castle.all_sent()
        castle.assert_sent_once()
        assert len(castle.log()) == plies
        assert castle.button(castle.boards()[-1], "rematch")
        answer = await castle.discord.slash(castle.players[0], place, "game export", table=1)
        names = [attachment["filename"] for attachment in answer.message["attachments"]]
        assert names == ["hatamoto-1.json", "hatamoto-1.txt"]


async def test_sigterm_stops_within_ten_seconds_and_the_game_goes_on_afterwards(
    castle: Castle, quick: Launcher
) -> None:
    chance = random.Random(3)
    async with running(castle.discord, castle.database) as bot:
        place = await castle.open_table()
        assert await castle.play_on(place, chance, most=2) == 2
        begin = time.monotonic()
        assert await bot.stop() == 0, bot.words
        assert time.monotonic() - begin < 10
    async with running(castle.discord, castle.database, by=quick):
        assert await castle.play_on(place, chance, most=2) == 2
        await castle.all_sent()
        castle.assert_sent_once()
    assert len(castle.log()) == 4


async def test_sigterm_stops_within_ten_seconds_while_discord_does_not_answer(
    castle: Castle, quick: Launcher
) -> None:
    discord = castle.discord
    async with running(discord, castle.database, by=quick) as bot:
        place = await castle.open_table()
        turn = await castle.turn(place)
        assert turn is not None
        await discord.control("freeze", when="before", pattern="POST /channels")
        await castle.play(place, turn.player, turn.moves[0])
        await discord.until(lambda: discord.entries("held"), "a post that hangs")
        begin = time.monotonic()
        assert await bot.stop() == 0, bot.words
        assert time.monotonic() - begin < 10
    await discord.control("thaw")
    async with running(discord, castle.database, by=quick):
        await castle.all_sent()
        castle.assert_sent_once()


async def test_the_health_check_knows_a_running_bot_from_a_stopped_one(
    castle: Castle, quick: Launcher
) -> None:
    clock = SystemClock()
    assert not alive(castle.where, clock)
    async with running(castle.discord, castle.database, by=quick) as bot:
        await castle.discord.until(lambda: alive(castle.where, clock), "a sign of life")
        assert await bot.stop() == 0
    assert not alive(castle.where, clock)


async def test_a_second_process_on_one_database_refuses_to_start(castle: Castle, quick: Launcher) -> None:
    async with running(castle.discord, castle.database, by=quick):
        begin = len(castle.discord.log)
        second = await quick.start(castle.database, "run", api=castle.discord.api, log="second")
        assert await second.ended() == 1
        assert len(second.words.strip().splitlines()) == 1
        assert str(castle.where) in second.words
        await castle.discord.read(0)
        assert castle.discord.entries("gateway", begin) == []


async def test_a_wrong_token_is_said_in_one_line(castle: Castle, quick: Launcher) -> None:
    more = {"DISCORD_TOKEN": "nobody"}
    bot = await quick.start(castle.database, "run", api=castle.discord.api, more=more)
    assert await bot.ended() == 1
    assert "DISCORD_TOKEN" in bot.words.splitlines()[-1]
    assert "Traceback" not in bot.words


async def test_a_rate_limited_post_comes_once_when_the_limit_is_over(castle: Castle, quick: Launcher) -> None:
    discord = castle.discord
    async with running(discord, castle.database, by=quick):
        place = await castle.open_table()
        await castle.all_sent()
        boards = len(castle.boards())
        await discord.control("limit", count=3, pattern="POST /channels/.*/messages", retry_after=0.1)
        turn = await castle.turn(place)
        assert turn is not None
        await castle.play(place, turn.player, turn.moves[0])
        await castle.all_sent()
        assert [e["status"] for e in discord.entries("request") if e["status"] == 429] == [429] * 3
        assert len(castle.boards()) == boards + 1
        castle.assert_sent_once()


async def test_a_dropped_socket_is_resumed_and_what_came_meanwhile_is_played_once(
    castle: Castle, quick: Launcher
) -> None:
    discord = castle.discord
    async with running(discord, castle.database, by=quick):
        place = await castle.open_table()
        turn = await castle.turn(place)
        assert turn is not None
        await discord.control("drop")
        what = {"command": "move", "options": {"move": turn.moves[0]}}
        sent = await discord.send(turn.player, place, missed=True, **what)
        assert castle.accepted(await discord.answer(sent), turn.moves[0])
        await discord.until(
            lambda: any(e["what"] == "resumed" for e in discord.entries("gateway")), "RESUMED"
        )
        again = await discord.send(turn.player, place, id=sent, **what)
        await discord.until(
            lambda: sum(1 for part in discord.answers[again].parts if readable(part["message"] or {})) == 2,
            "the answer to the same again",
        )
        await castle.all_sent()
        castle.assert_sent_once()
    assert [entry.action for entry in castle.log()] == [turn.moves[0]]
    assert len([e for e in discord.entries("gateway") if e["what"] == "identify"]) == 1


async def test_two_presses_at_once_act_once(castle: Castle, quick: Launcher) -> None:
    discord = castle.discord
    async with running(discord, castle.database, by=quick):
        place = await castle.open_table()
        turn = await castle.turn(place)
        assert turn is not None
        what = {"command": "move", "options": {"move": turn.moves[0]}}
        sent = [await discord.send(turn.player, place, **what) for _ in range(2)]
        answers = await asyncio.gather(*map(discord_answer(discord), sent))
        assert [castle.accepted(a, turn.moves[0]) for a in answers].count(True) == 1
    assert [entry.action for entry in castle.log()] == [turn.moves[0]]


def discord_answer(discord: Discord):
    lock = asyncio.Lock()  # the log is read by one at a time

    async def wait(interaction: str):
        async with lock:
            return await discord.answer(interaction)

    return wait
