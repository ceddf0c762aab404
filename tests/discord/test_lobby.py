"""Tables from the invitation to the rematch."""

from __future__ import annotations

import discord

from tests.discord.conftest import answer_of, button, controls, last_board, text_of
from tests.messages import wording


async def invite(world, **options):
    return await world.ann.slash(
        world.channel, "game new", game="kamisado", opponent=world.ben.user, **options
    )


async def test_the_invited_opponent_accepts_by_button(world):
    result = await invite(world)
    assert result.ephemeral
    lobby = world.channel.last_message
    assert [user.id for user in lobby.mentions] == [world.ben.id]
    told = await world.ben.click(lobby, custom_id=button(lobby, "Join"))
    assert "has started" in wording(answer_of(told))
    thread = world.thread()
    assert thread.id == lobby.id
    assert "Your turn" in controls(last_board(thread)).values()


async def test_the_invited_opponent_accepts_by_command(world):
    await invite(world)
    assert "has started" in text_of(await world.ben.slash(world.channel, "game join", table=1))
    assert (await world.bot.tables.get(1)).status == "running"


async def test_somebody_else_cannot_take_an_invited_seat(world):
    await invite(world)
    told = text_of(await world.cho.slash(world.channel, "game join", table=1))
    assert "started" not in told
    assert (await world.bot.tables.get(1)).status == "open"


async def test_an_open_table_takes_whoever_comes(world):
    await world.ann.slash(world.channel, "game new", game="kamisado")
    lobby = world.channel.last_message
    await world.cho.click(lobby, custom_id=button(lobby, "Join"))
    table = await world.bot.tables.get(1)
    assert {seat.user_id for seat in table.seats} == {world.ann.id, world.cho.id}
    assert table.status == "running"


async def test_a_declined_invitation_and_a_closed_table_are_told(world):
    await invite(world)
    assert "declined" in text_of(await world.ben.slash(world.channel, "game leave", table=1))
    assert "closed" in text_of(await world.ann.slash(world.channel, "game cancel", table=1))
    assert (await world.bot.tables.get(1)).status == "cancelled"


async def test_names_are_escaped_and_ping_nobody(world):
    rude = world.guild.add_member(world.env.create_user("rude", global_name="**@everyone** <@1>"))
    await rude.slash(world.channel, "game new", game="kamisado")
    lobby = world.channel.last_message
    assert "**@everyone**" not in wording(lobby)
    assert "@everyone" not in wording(lobby).replace("@\u200beveryone", "")
    assert not lobby.mentions
    assert not lobby.mention_everyone


async def test_another_bot_cannot_be_invited(world):
    other = world.guild.add_member(world.env.create_user("Deep", bot=True))
    told = text_of(await world.ann.slash(world.channel, "game new", game="kamisado", opponent=other.user))
    assert "another bot" in told


async def test_unknown_options_are_named(world):
    told = text_of(await invite(world, options="match=endless"))
    assert "match" in told
    assert world.channel.history() == []


async def test_options_are_offered_word_by_word(world):
    offered = await world.ann.autocomplete(world.channel, "game new", "options", "match=", game="kamisado")
    assert "match=standard" in [choice["value"] for choice in offered]
    more = await world.ann.autocomplete(
        world.channel, "game new", "options", "match=long se", game="kamisado"
    )
    assert "match=long seat=first" in [choice["value"] for choice in more]


async def test_a_rematch_swaps_the_seats_and_a_second_press_gives_the_same_table(world):
    thread = await world.start()
    asked = answer_of(await world.ann.slash(thread, "game resign"))
    await world.ann.click(asked, custom_id=button(asked, "Yes, resign"))
    last = thread.last_message
    before = await world.bot.tables.get(1)
    await world.ann.click(last, custom_id=button(last, "Rematch"))
    await world.ben.click(last, custom_id=button(last, "Rematch"))
    after = await world.bot.tables.get(2)
    assert after.status == "running"
    assert [seat.user_id for seat in after.seats] == [seat.user_id for seat in before.seats][::-1]
    assert after.rematch_of == 1


async def test_a_draw_is_offered_and_agreed(world):
    thread = await world.start()
    await world.ann.slash(thread, "game offer-draw")
    question = thread.last_message
    assert [user.id for user in question.mentions] == [world.ben.id]
    told = await world.cho.click(question, custom_id=button(question, "Yes"))
    assert "don't play" in wording(answer_of(told))
    await world.ben.click(question, custom_id=button(question, "Yes"))
    table = await world.bot.tables.get(1)
    assert table.status == "over"
    assert table.result["reason"] == "draw"


async def test_the_commands_for_reading_answer(world):
    thread = await world.start()
    assert "#1 Kamisado" in text_of(await world.ann.slash(thread, "games"))
    assert "#1 Kamisado" in text_of(await world.cho.slash(world.channel, "game list"))
    assert "SHA-256" in text_of(await world.cho.slash(thread, "game info"))
    board = await world.ann.slash(thread, "board", flip=True)
    assert not board.ephemeral
    assert board.response.attachments[0].description
    assert "d8" in text_of(await world.ann.slash(thread, "board", text=True)).lower()
    assert "Nothing is hidden in" in text_of(await world.ann.slash(thread, "hand"))
    assert "Kamisado" in text_of(await world.ann.slash(thread, "rules"))
    record = await world.ann.slash(thread, "game export")
    assert record.response.attachments[0].filename == "hatamoto-1.json"


async def test_a_move_works_from_a_direct_message(world):
    await world.start()
    await world.ann.send_dm("hello")
    told = await world.ann.user.slash("move", move="d8-d4", table=1)
    assert "Played `d8-d4`" in text_of(told)


async def test_the_servers_settings_want_its_manager(world):
    told = text_of(await world.ann.slash(world.channel, "settings", threads=False))
    assert "manage" in told
    boss = world.guild.add_member(
        world.env.create_user("boss"),
        roles=[world.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))],
    )
    assert "thread for each table: off" in text_of(await boss.slash(world.channel, "settings", threads=False))
    await invite(world)
    await world.ben.slash(world.channel, "game join", table=1)
    assert not world.channel.threads
    assert last_board(world.channel)


async def test_commands_are_sent_to_discord_only_when_they_changed(world):
    def syncs():
        return [r for r in world.env.http_requests if r.method == "PUT" and r.path.endswith("/commands")]

    assert len(syncs()) == 1
    await world.restart()
    assert len(syncs()) == 1
    await invite(world)
    assert world.channel.last_message is not None
