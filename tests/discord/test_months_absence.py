"""Who does not act, in every game: called, left alone, away, gone, out of time; a server that was away."""

from __future__ import annotations

import pytest

from tables.core.model import User
from tests.discord.conftest import text_of
from tests.discord.months_tables import DAY, TWO, Months, begun, every_game, every_hidden_game
from tests.messages import wording

pytestmark = pytest.mark.usefixtures("sketches")
CALL = "your turn; it began"
HOUR = 3600
GONE = {10007: "has left the server", 10013: "no longer on Discord"}  # by what Discord answers


async def waited(world, seconds):
    await world.env.advance_time(seconds)
    await world.env.settle()


def pinged(months, member):
    """How many of the table's reminders mention somebody."""
    calls = [message for message in months.thread.history() if CALL in wording(message)]
    return sum(member.id in {user.id for user in call.mentions} for call in calls)


async def without(months, left):
    """The others go on without somebody who is gone: at once for two, else when the third agrees."""
    asker, *voters = months.others(left)
    await months.say(asker, "game claim", player=left.user)
    for voter in voters:
        await months.press(voter, months.said("wants to go on without"), "Yes")
    table = await months.table()
    assert table.status == ("running" if voters else "over")
    assert await months.seat_of(left) not in table.to_act


@every_game
async def test_a_reminder_calls_who_has_to_act_and_is_put_off_by_him_alone(world, game):
    months = await begun(world, game)
    late = await months.acting()
    await waited(world, DAY)
    call = months.said(CALL)
    assert {user.id for user in call.mentions} == {member.id for member in late}
    assert "remind you about this table" in await months.press(late[0], call, "Not now")
    for other in months.others(*late):
        assert "isn't your turn" in await months.press(other, call, "Not now")
    assert "don't play" in await months.press(months.dan, call, "Not now")
    await waited(world, 2 * DAY - HOUR)  # "not now" brings nothing forward
    assert pinged(months, late[0]) == 1
    await waited(world, HOUR)
    assert pinged(months, late[0]) == 2
    await months.play(len(late))
    await waited(world, DAY - HOUR)
    assert pinged(months, late[0]) == 2


@pytest.mark.parametrize("code", GONE)
@every_game
async def test_who_is_gone_is_told_once_and_the_others_go_on(world, game, code):
    months = await begun(world, game)
    left = (await months.acting())[0]
    if code == 10007:
        world.env.backend.remove_member(world.guild.id, left.id)
    else:
        world.env.inject_error("GET", f"/guilds/*/members/{left.id}", status=404, code=code, times=None)
    for span in (DAY, 30 * DAY):
        await waited(world, span)
        assert months.count(GONE[code]) == 1
        assert pinged(months, left) == 0
    assert left.name in wording(months.said(GONE[code]))
    assert GONE[code] in await months.say(months.dan, "game info")
    await without(months, left)


@every_hidden_game
async def test_who_blocked_the_bot_is_told_once_and_plays_at_the_table(world, game):
    months = Months(world, game)
    closed = [f"/channels/{member.user.dm_channel.id}/messages" for member in months.players]
    for path in closed:
        world.env.inject_error("POST", path, status=403, code=50007, times=None)
    await months.begin()
    await months.secretly()
    assert months.count("couldn't send you a direct message") == len(months.players)
    tried = [request for request in world.env.http_requests if request.path in closed]
    await months.play(len(months.players))
    assert [request for request in world.env.http_requests if request.path in closed] == tried
    for player in months.players:
        assert months.letters(player) == []
        opened = await player.click(months.board(), label="Open your hand")
        assert opened.ephemeral
        assert "don't play" not in text_of(opened)
    world.env.backend.faults.clear()
    await months.say(months.players[0], "settings", dm=True)
    while not months.letters(months.players[0]):
        await months.play(1)
    assert months.letters(months.players[1]) == []


@every_game
async def test_on_vacation_nobody_is_called_and_no_clock_runs(world, game):
    months = await begun(world, game, "clock=fast")
    away = (await months.acting())[0]
    assert "On vacation until" in await months.say(away, "settings", vacation=7)
    assert away.name in wording(months.said("is away until"))
    assert "is on vacation" in await months.say(months.dan, "game info")
    await waited(world, 6 * DAY)
    assert pinged(months, away) == 0
    assert not [
        m for m in months.thread.history() if "ran out of time" in wording(m) and away.name in wording(m)
    ]
    await waited(world, DAY + 60)
    assert [user.id for user in months.said("is back").mentions] == [away.id]
    assert months.count("is back") == 1
    await waited(world, DAY)
    assert pinged(months, away) == 1


@every_game
async def test_a_server_that_takes_the_bot_back_has_its_board_again_once(world, game):
    months = await begun(world, game)
    late = await months.acting()
    boards = len([message for message in months.thread.history() if message.attachments])
    guild, presence = world.bot.get_guild(world.guild.id), world.bot.get_cog("PresenceCog")
    await presence.on_guild_remove(guild)
    await waited(world, 3 * DAY)
    assert months.count(CALL) == 0
    for _ in range(2):  # both events of a server that comes back
        await presence.on_guild_join(guild)
    await months.posted()
    assert months.count("I am back") == 1
    assert len([message for message in months.thread.history() if message.attachments]) == boards + 1
    assert {user.id for user in months.board().mentions} == {member.id for member in late}
    await months.play(1)


@every_game
async def test_whose_clock_ran_out_may_move_or_be_left_by_the_others(world, game):
    months = await begun(world, game, "clock=fast")
    late, out = (await months.acting())[0], (await months.table()).to_act
    claimer = months.others(late)[0]
    await waited(world, 2 * DAY)
    if game in TWO:
        assert "still has time" in await months.say(claimer, "game claim")
    await waited(world, 2 * DAY)
    line = months.said("ran out of time")
    assert months.count("ran out of time") == 1
    assert {user.id for user in line.mentions} == {player.id for player in months.players}
    named = [f"<@{player.id}>" for player in months.players if await months.seat_of(player) in out]
    listed = " and ".join([", ".join(named[:-1]), named[-1]] if named[1:] else named)
    assert f"{listed} ran out of time" in wording(line)
    assert ("without these players" if named[1:] else "without this player") in wording(line)
    assert "your own seat" in await months.press(late, line, "Claim")
    assert "don't play" in await months.press(months.dan, line, "Claim")
    seat = await months.seat_of(late)
    if await months.seat_of(claimer) in out:
        assert "Move first" in await months.press(claimer, line, "Claim")
        await months.play_as(claimer)
    await months.press(claimer, line, "Claim")
    table = await months.table()
    if game not in TWO:
        assert months.said(f"{claimer.name} decides to go on without {late.name}")
        assert table.status == "running"
        assert seat not in table.to_act
        return
    assert months.said(f"{claimer.name} claims the win")
    assert table.result is not None
    assert (table.status, table.result["reason"]) == ("over", "claimed")
    assert table.result["winners"] == [await months.seat_of(claimer)]
    for opened in range(len(months.players)):  # everybody's secrets are everybody's now
        assert (await world.bot.tables.replay(1, months.dan.id, 0, opened)).shown.seat == opened
    assert "all good" in await months.say(months.dan, "game verify")
    assert "1 of 1 game won" in await months.say(claimer, "profile")


@every_game
async def test_a_table_may_choose_that_a_clock_that_runs_out_loses(world, game):
    months = await begun(world, game, "clock=custom bank=2d timeout=lose")
    await months.play(len((await months.table()).to_act) - 1)
    late = (await months.table()).to_act
    await waited(world, 2 * DAY - HOUR)
    assert (await months.table()).to_act == late
    await waited(world, 2 * HOUR)
    table = await months.table()
    said = months.said("ran out of time")
    assert months.count("ran out of time") == 1
    assert {user.id for user in said.mentions} == {player.id for player in months.players}
    if game in TWO:
        assert table.result is not None
        assert (table.status, table.result["reason"]) == ("over", "claimed")
        assert table.result["winners"] == [1 - min(late)]
    else:
        assert table.status == "running"
        assert not late & table.to_act


async def test_a_reminder_that_was_held_up_until_the_night_wakes_nobody(world):
    months = await begun(world, "kamisado")
    late, other = (await months.acting())[0], months.others((await months.acting())[0])[0]
    now = world.env.now()
    start = (now.hour * 60 + now.minute + 30) % 1440
    quiet = {"zone": "UTC", "quiet_from": start, "quiet_to": (start + 6 * 60) % 1440}
    with world.env._bot_scope():
        await world.bot.tables.prefer(User(late.id, late.name), quiet)
    path = f"/channels/{months.thread.id}/messages"
    await waited(world, DAY - HOUR)
    world.env.inject_error("POST", path, status=503, times=None)
    await waited(world, 2 * HOUR)  # it was due an hour ago, and Discord did not take it
    assert months.count(CALL) == 0
    world.env.backend.faults.clear()
    await waited(world, HOUR)
    call = months.said(CALL)
    assert late.name in wording(call)
    assert not call.mentions
    assert months.count(CALL) == 1
    await waited(world, 2 * DAY + 6 * HOUR)  # later by as much as the first was, and after the night
    assert pinged(months, late) == 1, "the next one comes in its time"
    assert pinged(months, other) == 0
