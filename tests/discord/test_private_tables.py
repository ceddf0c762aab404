"""Private tables: a thread that only the players see, how they are filled, and where it is not permitted."""

from __future__ import annotations

import discord
import pytest
from simcord.backend.access import can_access_channel
from simcord.builders import UserHandle

from tests.discord.conftest import answer_of, button, controls, last_board, text_of
from tests.discord.months import begun, delivered, first_move, said, stranger, warmed
from tests.discord.test_courier import deny
from tests.games import by_game, players, table_words
from tests.messages import parts_of, wording

pytestmark = pytest.mark.usefixtures("sketches")  # nobody looks at the pictures


def sees(world, thread, member):
    return can_access_channel(world.env, thread.id, member, history=True)


@pytest.mark.parametrize("game", by_game())
async def test_the_thread_of_a_private_table_is_seen_by_its_players_alone(world, game):
    thread = await begun(world, game, "private=yes") if players(game) == 2 else await three(world, game)
    table = await world.bot.tables.get(1)
    found = world.bot.get_channel(thread.id)
    assert isinstance(found, discord.Thread)
    assert found.is_private()
    sitting = {seat.user_id for seat in table.seats}
    for member in (world.ann, world.ben, world.cho, stranger(world)):
        assert sees(world, thread, member) == (member.id in sitting), member.name
    assert len(world.channel.threads) == 1
    assert last_board(thread)
    assert not [message for message in world.channel.history() if message.attachments]
    assert "others" not in wording(world.channel.history()[0])


async def three(world, game):
    warmed(game)
    await world.ann.slash(
        world.channel, "game new", game=game, options=f"private=yes {table_words(game)} seat=first"
    )
    for guest in (world.ben, world.cho):
        await world.ann.slash(world.channel, "game invite", player=guest.user, table=1)
        await guest.slash(world.channel, "game join", table=1)
    await world.ann.slash(world.channel, "game start", table=1)
    return world.thread()


async def test_who_takes_a_seat_comes_in_and_the_one_before_goes_out(world):
    thread = await begun(world, "rokumon", "private=yes")
    dan = stranger(world)
    await world.ben.slash(thread, "game replace", new=dan.user)
    offer = said(world.channel, "would you like to take")  # who is asked does not see the thread yet
    assert [user.id for user in offer.mentions] == [dan.id]
    assert "The hand comes with it" in wording(offer)
    assert not sees(world, thread, dan)
    taken = answer_of(await dan.click(offer, custom_id=button(offer, "Take the seat")))
    assert f"<#{thread.id}>" in wording(taken)
    assert "`/hand`" in wording(taken)
    assert sees(world, thread, dan)
    assert not sees(world, thread, world.ben)
    assert sees(world, thread, world.ann)


async def test_of_a_game_without_hands_none_is_spoken_of(world):
    thread = await begun(world, "kamisado")
    dan = stranger(world)
    await world.ben.slash(thread, "game replace")
    offer = said(thread, "free: anybody can take it")
    assert "hand" not in wording(offer)
    taken = answer_of(await dan.click(offer, custom_id=button(offer, "Take the seat")))
    assert "hand" not in wording(taken)


async def test_without_the_permission_it_is_a_public_thread_and_that_is_said(world):
    await deny(world, create_private_threads=False)
    told = await world.ann.slash(
        world.channel, "game new", game="kamisado", opponent=world.ben.user, options="private=yes"
    )
    assert "Create Private Threads" in text_of(told)
    await world.ben.slash(world.channel, "game join", table=1)
    thread = world.thread()
    assert not world.bot.get_channel(thread.id).is_private()
    assert last_board(thread)
    assert "others who see it can read along" in wording(said(thread, "Create Private Threads"))
    lines = [m for m in thread.history() if "Create Private Threads" in wording(m)]
    assert len(lines) == 1


async def test_with_private_threads_alone_a_private_table_still_has_one(world):
    await deny(world, create_public_threads=False)
    thread = await begun(world, "kamisado", "private=yes")
    assert world.bot.get_channel(thread.id).is_private()


async def test_made_in_a_thread_it_is_played_there_and_says_who_can_read_along(world):
    thread = await world.start()
    told = await world.ann.slash(
        thread, "game new", game="kamisado", opponent=world.ben.user, options="private=yes"
    )
    assert "everybody who can read this can read along" in text_of(told)
    lobby = said(thread, "Private:")
    assert "in this channel" in wording(lobby)
    await world.ben.slash(thread, "game join", table=2)
    assert len(world.channel.threads) == 1
    assert "no such table" in text_of(await world.cho.slash(thread, "board", table=2))


async def test_in_a_private_thread_nothing_is_to_be_warned_of(world):
    thread = await begun(world, "kamisado", "private=yes")
    told = await world.ann.slash(
        thread, "game new", game="kamisado", opponent=world.ben.user, options="private=yes"
    )
    assert "read along" not in text_of(told)


async def test_a_private_thread_that_was_deleted_is_followed_by_another(world):
    thread = await begun(world, "kamisado", "private=yes")
    world.env.backend.delete_channel(thread.id)
    await world.env.settle()
    mover = await world.to_move()
    await mover.slash(world.channel, "move", move="d8-d4", table=1)
    again = world.thread()
    assert again.id != thread.id
    assert world.bot.get_channel(again.id).is_private()
    assert last_board(again)
    assert not sees(world, again, world.cho)
    assert not [message for message in world.channel.history() if message.attachments]


async def test_a_thread_opened_before_a_crash_is_found_again(world):
    thread = await begun(world, "kamisado", "private=yes")
    async with world.bot.database.transaction() as tx:  # as if it had crashed before it could note it
        await tx.run("UPDATE tables SET thread_id = NULL")
        await tx.run(
            "UPDATE outbox SET state = 'flying', flying_since = 1, attempts = 1, done_at = NULL "
            "WHERE kind = 'thread'"
        )
    await world.restart()
    await world.env.settle()
    assert len(world.channel.threads) == 1
    assert (await world.bot.tables.get(1)).place.thread_id == thread.id
    await first_move(world, thread)
    assert last_board(thread)


# -- filling one, and where it is played -----------------------------------------------------------


async def test_a_private_table_without_an_opponent_asks_for_one(world):
    made = await world.ann.slash(world.channel, "game new", game="kamisado", options="private=yes seat=first")
    asked = answer_of(made)
    assert "`/game invite`" in wording(asked)
    picker = next(part for part in parts_of(asked) if part["type"] == 5)
    assert picker["type"] == 5
    assert picker["max_values"] == 1
    await world.restart()  # what it means stands in its custom id
    told = await world.ann.select(asked, [world.ben], custom_id=picker["custom_id"])
    assert world.ben.mention in wording(answer_of(told))
    line = said(world.channel, "to this table")
    assert [user.id for user in line.mentions] == [world.ben.id]
    joined = await world.ben.click(line, custom_id=button(line, "Join"))
    assert (await world.bot.tables.get(1)).status == "running"
    assert "has started" in wording(answer_of(joined))
    assert sees(world, world.thread(), world.ben)


async def test_of_the_bots_only_this_one_can_be_picked_as_a_guest_and_sits_down_at_once(world):
    made = await world.ann.slash(world.channel, "game new", game="kamisado", options="private=yes")
    asked = answer_of(made)
    picker = next(part for part in parts_of(asked) if part["type"] == 5)
    other = world.guild.add_member(world.env.create_user("Deep", bot=True))
    told = await world.ann.select(asked, [other.user], custom_id=picker["custom_id"])
    assert "another bot" in wording(answer_of(told))
    assert [s.invited for s in (await world.bot.tables.get(1)).seats] == [None]
    bot = UserHandle(world.env, world.env.backend.bot_user)
    told = await world.ann.select(asked, [bot], custom_id=picker["custom_id"])
    assert "has started" in wording(answer_of(told))


async def test_an_open_table_asks_for_nobody(world):
    made = await world.ann.slash(world.channel, "game new", game="kamisado")
    assert not controls(answer_of(made))


@pytest.mark.parametrize("options", ["match=single", "match=single private=yes"])
async def test_started_names_the_thread_also_where_it_opens_a_moment_later(world, options):
    await world.ann.slash(
        world.channel, "game new", game="kamisado", opponent=world.ben.user, options=options
    )
    joined = await world.ben.slash(world.channel, "game join", table=1)
    thread = world.thread()
    assert wording(answer_of(joined)) == f"Table #1 has started: <#{thread.id}>"
    bot = UserHandle(world.env, world.env.backend.bot_user)
    made = await world.ann.slash(
        world.channel, "game new", game="kamisado", opponent=bot, options="match=single"
    )
    await delivered(world)
    assert f"<#{world.thread().id}>" in wording(answer_of(made))
    assert world.thread().id != thread.id


async def test_started_in_place_names_the_channel(world):
    await deny(world, create_public_threads=False)
    await world.ann.slash(world.channel, "game new", game="kamisado", opponent=world.ben.user)
    joined = await world.ben.slash(world.channel, "game join", table=1)
    assert f"<#{world.channel.id}>" in wording(answer_of(joined))
    assert controls(last_board(world.channel))


REFUSALS = {  # 13.A3
    "threads": ("POST", "/channels/{channel}/threads", 160006),
    "form": ("POST", "/channels/{channel}/threads", 50035),
    "members": ("PUT", "/channels/{any}/thread-members/{any}", 30033),
}


@pytest.mark.parametrize("what", REFUSALS)
async def test_a_private_table_that_discord_gives_no_private_thread_says_so(world, what):
    method, path, code = REFUSALS[what]
    place = path.replace("{channel}", str(world.channel.id)).replace("{any}", "*")
    world.env.inject_error(method, place, status=400, code=code, times=None)
    options = "match=single seat=first private=yes"
    await world.ann.slash(
        world.channel, "game new", game="kamisado", opponent=world.ben.user, options=options
    )
    await world.ben.slash(world.channel, "game join", table=1)
    table = await world.bot.tables.get(1)
    assert table.place.thread_id == world.thread().id, "it has a public one"
    assert any("won't open a private thread" in wording(message) for message in world.thread().history())
    assert last_board(world.thread())


async def test_a_newcomer_for_whom_the_thread_has_no_room_is_named(world):  # 13.A3
    thread = await begun(world, "kamisado", "private=yes")
    dan = stranger(world)
    await world.ben.slash(thread, "game replace", new=dan.user)
    offer = said(world.channel, "would you like to take")
    place = f"/channels/{thread.id}/thread-members/*"
    world.env.inject_error("PUT", place, status=400, code=30033, times=None)
    await dan.click(offer, custom_id=button(offer, "Take the seat"))
    assert f"<@{dan.id}>" in wording(said(thread, "won't let me add"))


async def test_a_private_thread_that_cannot_be_opened_again_is_not_left_without_a_word(world):  # 13.A3
    thread = await begun(world, "kamisado", "private=yes")
    for method, place in (("POST", f"{thread.id}/messages"), ("POST", f"{world.channel.id}/threads")):
        world.env.inject_error(method, f"/channels/{place}", status=400, code=160006, times=None)
    await first_move(world, thread)
    assert "can't open a private thread" in wording(said(world.channel, "private thread"))
