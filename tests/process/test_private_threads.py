"""A private table at the shipped process: its thread is private, with its players and nobody else in it."""

from __future__ import annotations

import pytest

from tests.process.castle import Castle
from tests.process.discord_client import Discord, Json, buttons, readable
from tests.process.hatamoto_process import Launcher, running
from tests.process.loopback.world import PRIVATE_THREAD


def threads(discord: Discord) -> list[Json]:
    """Those that were opened."""
    return [entry["thread"] for entry in discord.entries("thread")]


def members(discord: Discord) -> dict[str, list[str]]:
    """Who is in each thread now."""
    return {entry["thread"]: entry["users"] for entry in discord.entries("thread-members")}


@pytest.mark.parametrize("when", ["", "before", "after"])
async def test_a_private_tables_thread_holds_its_players_alone(
    castle: Castle, quick: Launcher, when: str
) -> None:
    """`when`: it is killed before or after Discord opened the thread."""
    discord, (ann, ben) = castle.discord, castle.players
    options = "match=single seat=first private=yes"
    async with running(discord, castle.database, by=quick) as bot:
        me = await discord.bot()
        await discord.slash(ann, castle.channel, "game new", game="kamisado", opponent=ben, options=options)
        if when:
            await discord.control("freeze", when=when, pattern="POST /channels/[0-9]*/threads")
        joins = await discord.send(ben, castle.channel, command="game join", options={"table": 1})
        if when:
            await discord.until(lambda: discord.entries("held"), "a thread that is being opened")
            await bot.kill()
            await discord.control("thaw")
        else:
            await discord.answer(joins)
            await castle.all_sent()
    async with running(discord, castle.database, by=quick):
        await castle.all_sent()
        (thread,) = threads(discord)
        assert thread["type"] == PRIVATE_THREAD
        assert set(members(discord)[thread["id"]]) == {me.id, ann.id, ben.id}
        castle.assert_sent_once()
        assert {board["channel_id"] for board in castle.boards()} == {thread["id"]}
        seat = castle.rows("SELECT user_id FROM seats WHERE acts = 1")[0]["user_id"]
        mover = next(player for player in castle.players if player.id == str(seat))
        turn = await castle.turn(thread["id"])
        assert turn is not None
        assert turn.player == mover
        await castle.play(thread["id"], mover, turn.moves[0])
        await castle.all_sent()
        assert len(castle.boards()) == 2


@pytest.mark.parametrize(
    ("when", "pattern"),
    [
        ("", ""),
        ("before", "PUT /channels/[0-9]*/thread-members/[0-9]*"),
        ("after", "DELETE /channels/[0-9]*/thread-members/[0-9]*"),
    ],
)
async def test_who_gives_the_seat_up_is_taken_out_and_the_newcomer_brought_in(
    castle: Castle, quick: Launcher, when: str, pattern: str
) -> None:
    """`when`: it is killed before or after Discord changed who is in the thread."""
    discord, (ann, ben) = castle.discord, castle.players
    cho = await discord.user("Cho")
    options = "match=single seat=first private=yes"
    async with running(discord, castle.database, by=quick) as bot:
        me = await discord.bot()
        await discord.slash(ann, castle.channel, "game new", game="kamisado", opponent=ben, options=options)
        await discord.slash(ben, castle.channel, "game join", table=1)
        await castle.all_sent()
        (thread,) = threads(discord)
        await discord.slash(ben, thread["id"], "game replace", new=cho)
        await castle.all_sent()
        assert set(members(discord)[thread["id"]]) == {me.id, ann.id, ben.id}, "an offer moves nobody"
        offer = next(m for m in discord.posted(castle.channel) if "would you like to take" in readable(m))
        (button, _) = buttons(offer)
        if when:
            await discord.control("freeze", when=when, pattern=pattern)
        taken = await discord.send(cho, castle.channel, message=offer["id"], press=button)
        if when:
            await discord.until(lambda: discord.entries("held"), "a change of the thread's members")
            await bot.kill()
            await discord.control("thaw")
        else:
            await discord.answer(taken)
            await castle.all_sent()
    async with running(discord, castle.database, by=quick):
        await castle.all_sent()
        assert set(members(discord)[thread["id"]]) == {me.id, ann.id, cho.id}
        castle.assert_sent_once()
        assert len(threads(discord)) == 1
        assert [seat["user_id"] for seat in castle.rows("SELECT user_id FROM seats ORDER BY seat")] == [
            int(ann.id),
            int(cho.id),
        ]
        turn = await castle.turn(thread["id"])
        assert turn is not None
        assert turn.player == ann
        await castle.play(thread["id"], ann, turn.moves[0])
        assert not await discord.complete(ben, thread["id"], "move", "move", "")
        answers = await discord.complete(cho, thread["id"], "move", "move", "")
        await castle.play(thread["id"], cho, answers[0])
        await castle.all_sent()
        assert {board["channel_id"] for board in castle.boards()} == {thread["id"]}
        assert f"<@{cho.id}>" in readable(castle.boards()[-2]), "the newcomer was called to move"
