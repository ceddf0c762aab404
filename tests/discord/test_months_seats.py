"""Seats that change hands, in every game: to the bot, to who is named, and what the one before keeps."""

from __future__ import annotations

from typing import Any

import pytest

from engines.capabilities import Secrets
from tests.discord.conftest import answer_of, text_of
from tests.discord.months_tables import TWO, begun, every_game, every_hidden_game, the_bot
from tests.games import by_game
from tests.messages import parts_of, wording

pytestmark = pytest.mark.usefixtures("sketches")
TAKE, DECLINE = "Take the seat", "No, thanks"


@every_game
async def test_the_bot_takes_a_seat_and_plays_on(world, game):
    months = await begun(world, game)
    old = (await months.acting())[0]
    seat = await months.seat_of(old)
    assert "I play this seat" in await months.say(old, "game replace", new=the_bot(world))
    await world.bot.tables.settled()
    await months.posted()
    assert months.said("The bot takes ")
    table = await months.table()
    assert seat is not None
    assert table.seats[seat].level == "normal"
    assert seat not in table.to_act
    story = await world.bot.tables.story(1, months.players[-1].id)
    assert [entry.seat for entry in story] == [seat]
    for command in ("hand", "game undo", "game pause"):
        assert "don't play" in await months.say(old, command)


@every_game
async def test_a_seat_of_the_bot_is_offered_to_somebody_by_those_who_play(world, game):
    months = await begun(world, game)
    old = (await months.acting())[0]
    stays = months.others(old)[0]
    seat = await months.seat_of(old)
    await months.say(old, "game replace", new=the_bot(world))
    await months.posted()
    asked = await months.say(months.dan, "game replace", player=the_bot(world), new=months.dan.user)
    assert "don't play" in asked
    await months.say(stays, "game replace", player=the_bot(world), new=months.dan.user)
    for voter in months.others(old, stays):
        await months.press(voter, months.said("wants to offer"), "Yes")
    offer = months.said("would you like to take")
    assert "You now play at table #1" in await months.press(months.dan, offer, "Take the seat")
    await months.posted()
    table = await months.table()
    assert seat is not None
    assert (table.seats[seat].user_id, table.seats[seat].level) == (months.dan.id, None)
    assert "doesn't play" in await months.say(stays, "game claim", player=the_bot(world))


@every_game
async def test_a_seat_offered_by_name_is_declined_withdrawn_and_at_last_taken(world, game):
    months = await begun(world, game)
    old, dan, eve = months.players[-1], months.dan, months.eve
    seat, before = await months.seat_of(old), await months.standing()

    async def offered() -> Any:
        assert "offered at the table" in await months.say(old, "game replace", new=dan.user)
        post = months.said("would you like to take")
        assert [user.id for user in post.mentions] == [dan.id]
        assert ("The hand comes with it" in wording(post)) == isinstance(months.rules, Secrets)
        return post

    offer = await offered()
    for label in (TAKE, DECLINE):
        assert "somebody else" in await months.press(eve, offer, label)
    assert "somebody else" in await months.press(old, offer, DECLINE)
    assert "declined the seat" in await months.press(dan, offer, DECLINE)
    assert old.mention in wording(months.said("declines"))
    for label in (TAKE, DECLINE):
        assert "no longer offered" in await months.press(dan, offer, label)
    offer = await offered()
    assert "keep your seat" in await months.press(old, offer, TAKE)
    assert "no longer offered" in await months.press(dan, offer, TAKE)
    assert await months.standing() == before
    offer = await offered()
    assert "You now play at table #1" in await months.press(dan, offer, TAKE)
    assert "no longer offered" in await months.press(eve, offer, TAKE)
    assert await months.seat_of(dan) == seat
    assert await months.seat_of(old) is None
    assert dan.mention in wording(months.said(" takes "))


@every_hidden_game
async def test_a_newcomer_with_closed_direct_messages_opens_the_hand_at_the_table(world, game):
    months = await begun(world, game)
    await months.secretly()
    old, dan, eve = months.players[-1], months.dan, months.eve
    letters = len(months.letters(old))
    path = f"/channels/{dan.user.dm_channel.id}/messages"
    world.env.inject_error("POST", path, status=403, code=50007, times=None)
    assert "You now play at table #1" in await months.hand_over(old, dan)
    line = months.said("couldn't send you a direct message")
    assert [user.id for user in line.mentions] == [dan.id]
    assert not line.attachments
    opened = await dan.click(line, label="Open your hand")
    assert opened.ephemeral
    assert "don't play" not in text_of(opened)
    for other in (old, eve):
        assert "don't play" in await months.press(other, line, "Open your hand")
    assert (months.letters(dan), months.letters(eve)) == ([], [])
    assert len(months.letters(old)) == letters


@pytest.mark.parametrize("game", by_game(TWO))
async def test_of_two_nobody_replaces_the_other_who_is_there(world, game):
    months = await begun(world, game)
    before, posts = await months.standing(), len(months.thread.history())
    ann, ben = months.players
    for new in ({}, {"new": months.dan.user}, {"new": the_bot(world)}):
        assert "is still there" in await months.say(ann, "game replace", player=ben.user, **new)
    assert (await months.standing(), len(months.thread.history())) == (before, posts)


@every_game
async def test_who_knows_one_seat_takes_no_other_but_his_own_again(world, game):
    months = await begun(world, game)
    ann, ben, dan = *months.players[:2], months.dan
    seat = await months.seat_of(ben)
    await months.hand_over(ben, dan)
    assert "seen another player's secrets" in await months.say(ann, "game replace", new=ben.user)
    await months.say(ann, "game replace")
    offer = months.said("free: anybody can take it")
    assert "seen another player's secrets" in await months.press(ben, offer, TAKE)
    assert "already have a seat" in await months.press(dan, offer, TAKE)
    assert "You now play at table #1" in await months.press(months.eve, offer, TAKE)
    assert months.eve.mention in wording(months.said(" takes "))
    assert "You now play at table #1" in await months.hand_over(dan, ben)
    assert await months.seat_of(ben) == seat


def parts(message: Any) -> list[tuple[str, list[str]]]:
    """The custom ids of what can be pressed or picked, with as many options as a select wants."""
    live = [part for part in parts_of(message) if "custom_id" in part and not part.get("disabled")]
    picks = [[one["value"] for one in part.get("options", [])[: part.get("min_values", 1)]] for part in live]
    return [(part["custom_id"], picked) for part, picked in zip(live, picks, strict=True)]


@every_game
async def test_old_letters_and_an_open_panel_show_the_one_before_nothing_new(world, game):
    months = await begun(world, game)
    if isinstance(months.rules, Secrets):
        await months.secretly()
    old, eve, board = (await months.acting())[0], months.eve, months.board()
    opened = [answer_of(await old.click(board, label="Your turn"))]
    if isinstance(months.rules, Secrets):
        opened.append(answer_of(await old.click(board, label="Open your hand")))
    letters = months.letters(old)
    assert bool(letters) == isinstance(months.rules, Secrets)
    await months.hand_over(old, months.dan)
    before = await months.standing()
    words = text_of(await eve.click(months.board(), label="Board in words"))
    shown: list[tuple[Any, Any]] = [
        *((old, panel) for panel in opened),
        *((old.user, letter) for letter in letters),
    ]
    for actor, message in shown:
        found = parts(message)
        assert found
        for custom_id, picked in found:
            if picked:
                told = text_of(await actor.select(message, picked, custom_id=custom_id))
            else:
                told = text_of(await actor.click(message, custom_id=custom_id))
            ruled = custom_id.startswith("r:") and " · rules, page " in told  # the same for everybody
            assert ruled or "don't play" in told or told == words, (custom_id, told)
    assert await months.standing() == before
    assert len(months.letters(old)) == len(letters)
