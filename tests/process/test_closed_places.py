"""Refusals at the shipped process: the table stands, through a kill, and goes on elsewhere (13.A1, A3)."""

from __future__ import annotations

import pytest

from tests.process.castle import Castle
from tests.process.discord_client import readable
from tests.process.hatamoto_process import Launcher, running

OPTIONS = "match=single seat=first clock=fast timeout=lose"


@pytest.mark.parametrize(("status", "code"), [(403, 50001), (400, 50008)])
async def test_a_place_that_takes_no_posts_bars_the_table_until_somebody_moves_it(
    castle: Castle, quick: Launcher, status: int, code: int
) -> None:
    discord, (ann, _) = castle.discord, castle.players
    async with running(discord, castle.database, by=quick) as bot:
        thread = await castle.open_table(OPTIONS)
        pattern = f"POST /channels/({thread}|{castle.channel})/messages"
        await discord.control("limit", count=1000, pattern=pattern, status=status, code=code)
        turn = await castle.turn(thread)
        assert turn is not None
        await castle.play(thread, turn.player, turn.moves[0])
        await discord.until(lambda: barred(castle), "the table to be barred")
        await bot.kill()
    async with running(discord, castle.database, by=quick):
        hall = await discord.control("channel", guild=castle.guild, name="hall")
        before = len(discord.posts)
        await discord.slash(ann, hall["id"], "game move-here", table=1)
        await castle.all_sent()
        assert not barred(castle)
        places = {post["channel_id"] for post in castle.new_posts(before) if post["attachments"]}
        assert places
        assert not places & {thread, castle.channel}
        clocks = castle.rows("SELECT ticks_since FROM seats WHERE acts = 1")
        assert all(seat["ticks_since"] is not None for seat in clocks)


def barred(castle: Castle) -> bool:
    """Whether the table stands."""
    return castle.rows("SELECT barred_at FROM tables")[0]["barred_at"] is not None


async def test_a_thread_limit_is_said_at_a_private_table(castle: Castle, quick: Launcher) -> None:
    discord, (ann, ben) = castle.discord, castle.players
    options = "match=single seat=first private=yes"
    async with running(discord, castle.database, by=quick):
        await discord.control("limit", count=9, pattern="POST .*/threads", status=400, code=160006)
        await discord.slash(ann, castle.channel, "game new", game="kamisado", opponent=ben, options=options)
        await discord.slash(ben, castle.channel, "game join", table=1)
        await castle.all_sent()
        assert any("won't open a private thread" in readable(post) for post in discord.posted(castle.channel))
