"""Somebody who has never seen the bot: what he is offered, told and shown at each step."""

from __future__ import annotations

import json

import pytest
from simcord.builders import UserHandle

from db.repositories import guilds
from tables.core import clocks
from tables.core.clocks import DAY
from tests.discord.conftest import answer_of, button, controls, last_board, text_of
from tests.messages import wording

pytestmark = pytest.mark.usefixtures("sketches")


def me(world):
    return UserHandle(world.env, world.env.backend.bot_user)


async def offered(world, channel, command, option, typed="", **given):
    return [c["value"] for c in await world.ann.autocomplete(channel, command, option, typed, **given)]


async def over(world, channel):
    asked = answer_of(await world.ann.slash(channel, "game resign"))
    await world.ann.click(asked, custom_id=button(asked, "Yes, resign"))


# -- making a table --------------------------------------------------------------------------


async def test_a_games_own_options_are_offered_first_and_a_clocks_times_only_when_they_matter(world):
    first = await offered(world, world.channel, "game new", "options", game="kamisado")
    assert first[0] == "match=single"
    assert not any(text.startswith(("bank=", "timeout=", "seats=")) for text in first)
    custom = await offered(world, world.channel, "game new", "options", "clock=custom ", game="kamisado")
    assert "clock=custom bank=3d" in custom
    slow = await offered(world, world.channel, "game new", "options", "clock=slow ", game="kamisado")
    assert "clock=slow timeout=claim" in slow
    assert "clock=slow bank=3d" not in slow
    assert await offered(world, world.channel, "game new", "options", "ban", game="kamisado")


async def test_numbers_and_seats_are_offered_where_they_are_a_choice(world):
    acts = await offered(world, world.channel, "game new", "options", "act=", game="rokumon")
    assert acts == [f"act={act}" for act in range(1, 7)]
    others = await offered(world, world.channel, "game new", "options", "seats=", game="rokumon")
    assert not any(text.startswith("seats=") for text in others)
    assert await offered(world, world.channel, "game new", "options", "seats=", game="shogun") == [
        "seats=3", "seats=4", "seats=5",
    ]  # fmt: skip


async def test_variants_for_teaching_are_not_offered_but_taken(world):
    towers = await offered(world, world.channel, "game new", "options", "tower=", game="shogun")
    assert towers == ["tower=measured", "tower=classic"]
    await world.ann.slash(world.channel, "game new", game="shogun", options="tower=open")
    assert (await world.bot.tables.get(1)).options["tower"] == "open"


async def test_what_cannot_be_read_is_answered_with_an_example_of_that_game(world):
    told = text_of(await world.ann.slash(world.channel, "game new", game="shogun", options="sun"))
    assert "side=moon seat=first" in told
    told = text_of(await world.ann.slash(world.channel, "game new", game="shogun", options="side="))
    assert "It can be: `sun`, `moon`." in told


@pytest.mark.parametrize(
    ("game", "says"),
    [("kamisado", "the free seat"), ("shogun", "With 3 players or more")],
)
async def test_the_answer_and_the_post_say_how_a_table_begins(world, game, says):
    told = text_of(await world.ann.slash(world.channel, "game new", game=game))
    assert says in told
    assert says in wording(world.channel.last_message)
    assert "/game invite" in told
    assert "Press **Join**" in wording(world.channel.last_message)
    assert "Press **Join**" not in told, "who opened it sits there"


async def test_who_has_sat_down_is_not_told_to_sit_down(world):
    await world.ann.slash(world.channel, "game new", game="shogun")
    told = text_of(await world.ben.slash(world.channel, "game join", table=1))
    assert "With 3 players or more" in told
    assert "Press **Join**" not in told


async def test_an_asked_opponent_is_told_that_the_game_begins_when_he_accepts(world):
    await world.ann.slash(world.channel, "game new", game="kamisado", opponent=world.ben.user)
    assert "begins when everybody invited has accepted" in wording(world.channel.last_message)


async def test_the_bot_is_invited_like_anybody_and_a_game_for_two_begins(world):
    await world.ann.slash(world.channel, "game new", game="kamisado")
    told = answer_of(await world.ann.slash(world.channel, "game invite", player=me(world)))
    assert "has started" in wording(told)
    assert (await world.bot.tables.get(1)).status == "running"


async def test_the_bot_fills_the_seats_that_are_missing_at_the_start_and_is_told_apart(world):
    await world.ann.slash(world.channel, "game new", game="shogun", options="level=easy")
    told = answer_of(await world.ann.slash(world.channel, "game start"))
    assert "1 of 3" in wording(told)
    assert "`/game invite`" in wording(told)
    told = answer_of(await world.ann.slash(world.channel, "game invite", player=me(world)))
    assert "I have a seat at table #1" in wording(told)
    assert "the bot takes the empty seats" in wording(world.channel.history()[0])
    assert "has started" in text_of(await world.ann.slash(world.channel, "game start"))
    info = text_of(await world.ann.slash(world.thread(), "game info"))
    assert "Hatamoto (bot, easy)" in info
    assert "Okubo (bot, easy)" in info


# -- finding a table -------------------------------------------------------------------------


async def test_where_several_tables_are_played_the_command_chooses_and_else_their_games_are_named(world):
    async with world.bot.database.transaction() as tx:
        await guilds.set_threads(tx, world.guild.id, False)
    await world.ann.slash(world.channel, "game new", game="kamisado", opponent=me(world))
    await world.ann.slash(world.channel, "game new", game="shogun")
    assert "#2 Shogun" in text_of(await world.cho.slash(world.channel, "game info"))
    assert "table #2" in text_of(await world.cho.slash(world.channel, "game join"))
    assert "table #1" in text_of(await world.ann.slash(world.channel, "game export"))
    await over(world, world.channel)
    assert "table #1" in text_of(await world.ann.slash(world.channel, "game export"))


async def test_my_games_name_invitations_and_tables_that_have_not_started(world):
    assert "`/game list show:open`" in text_of(await world.ben.slash(world.channel, "games"))
    await world.ann.slash(world.channel, "game new", game="kamisado", opponent=world.ben.user)
    assert "hasn't started" in text_of(await world.ann.slash(world.channel, "games"))
    told = text_of(await world.ben.slash(world.channel, "games"))
    assert "**you are invited**: `/game join table:1`" in told


async def test_finished_tables_are_offered_for_what_comes_after(world):
    thread = await world.start()
    await over(world, thread)
    assert 1 in await offered(world, world.channel, "game replay", "table")


async def test_a_small_board_has_no_parts(world):
    thread = await world.start()
    told = answer_of(await world.ann.slash(thread, "board", area="d4"))
    assert "leave out `area:`" in wording(told)


# -- reading ---------------------------------------------------------------------------------


async def test_the_rules_of_one_game_lead_to_those_of_the_others_and_end_with_the_options(world):
    page = answer_of(await world.ann.slash(world.channel, "rules", game="kamisado"))
    assert {"Rokumon", "Shogun", "Sekigahara"} <= set(controls(page).values())
    page = answer_of(await world.ann.click(page, custom_id=button(page, "Sekigahara")))
    assert wording(page).startswith("**Sekigahara** · rules, page 1")


@pytest.mark.parametrize(("game", "last"), [("kamisado", 6), ("rokumon", 10), ("sekigahara", 15)])
async def test_the_last_page_of_the_rules_names_the_options(world, game, last):
    page = answer_of(await world.ann.slash(world.channel, "rules", game=game))
    assert f"of {last}" in wording(page)
    for _ in range(last - 1):
        page = answer_of(await world.ann.click(page, custom_id=button(page, "Next")))
    assert "### Options" in wording(page)


async def test_what_is_exported_of_a_running_game_is_said_to_be_a_part(world):
    thread = await world.start()
    told = text_of(await world.ann.slash(thread, "game export"))
    assert told.startswith("This is as much")
    await over(world, thread)
    assert "This is as much" not in text_of(await world.ann.slash(thread, "game export"))


async def test_information_names_who_won_and_then_the_seed_instead_of_its_hash_alone(world):
    thread = await world.start()
    assert "Won by" not in text_of(await world.ann.slash(thread, "game info"))
    await over(world, thread)
    assert "Won by Ben" in text_of(await world.ann.slash(thread, "game info"))


async def test_settings_say_how_they_are_changed(world):
    assert "/settings remind:48" in text_of(await world.ann.slash(world.channel, "settings"))
    told = text_of(await world.ann.slash(world.channel, "settings", vacation=3))
    assert "`/settings vacation:0` when you are back" in told


async def test_a_custom_clock_is_shown_with_all_its_times(world):
    await world.ann.slash(world.channel, "game new", game="kamisado", options="bank=5d")
    post = wording(world.channel.last_message)
    assert "5 days to think plus 1 day after each turn (at most 30 days)" in post
    info = wording((await world.ann.slash(world.channel, "game info", table=1)).response)
    for part in ("bank=5d", "clock=custom"):
        assert part in info


# -- dead ends -------------------------------------------------------------------------------


async def test_who_leaves_as_the_last_one_is_told_that_the_table_is_closed(world):
    await world.ann.slash(world.channel, "game new", game="kamisado")
    await world.ben.slash(world.channel, "game new", game="shogun")
    await world.cho.slash(world.channel, "game join", table=2)
    assert "so it is closed" in text_of(await world.ann.slash(world.channel, "game leave", table=1))
    assert "closed" not in text_of(await world.cho.slash(world.channel, "game leave", table=2))


async def test_who_declines_an_invitation_is_told_so(world):
    await world.ann.slash(world.channel, "game new", game="kamisado", opponent=world.ben.user)
    told = text_of(await world.ben.slash(world.channel, "game leave", table=1))
    assert told == "You declined the invitation to table #1."


@pytest.mark.parametrize(
    ("options", "hides"), [("solo=easy", False), ("act=1", False), ("act=3", True), ("", True)]
)
async def test_a_hand_has_a_button_where_something_is_ever_hidden(world, options, hides):
    given = {} if "solo" in options else {"opponent": me(world)}
    await world.ann.slash(world.channel, "game new", game="rokumon", options=options + " seat=first", **given)
    assert ("Open your hand" in controls(last_board(world.thread())).values()) is hides


async def test_seats_of_a_record_without_names_are_called_seats(world):
    file = json.dumps({"format": 1, "game": "kamisado", "rules": 1, "seats": 2, "seed": "00", "actions": []})
    told = text_of(await world.ann.slash(world.channel, "game import", record=("record.json", file.encode())))
    assert "Seat 1 plays Black" in told


async def test_a_table_that_was_closed_before_it_began_shows_neither_board_nor_seed(world):
    await world.ann.slash(world.channel, "game new", game="kamisado")
    before = answer_of(await world.ann.slash(world.channel, "game info", table=1))
    assert "`/game verify` checks it at the end" in wording(before)
    await world.ann.slash(world.channel, "game cancel", table=1)
    after = answer_of(await world.ann.slash(world.channel, "game info", table=1))
    assert controls(after) == {}
    assert "SHA-256" not in wording(after)


async def test_a_private_table_does_not_say_that_anybody_may_join(world):
    await world.ann.slash(world.channel, "game new", game="kamisado", options="private=yes")
    for channel in (world.channel, *world.channel.threads):
        for message in channel.history():
            assert "to take the free seat" not in wording(message)
    said = [wording(m) for channel in (world.channel, *world.channel.threads) for m in channel.history()]
    assert any("begins when both seats are taken" in content for content in said)


@pytest.mark.parametrize("options", ["", "solo=easy"])
async def test_against_the_bot_there_is_nobody_to_claim(world, options):
    given = {"options": options} if options else {"opponent": me(world)}
    await world.ann.slash(world.channel, "game new", game="rokumon", **given)
    told = answer_of(await world.ann.slash(world.thread(), "game claim"))
    assert "You are the only person at this table" in wording(told)


async def test_who_offers_the_own_seat_is_told_how_to_keep_it(world):
    thread = await world.start()
    told = answer_of(await world.ann.slash(thread, "game replace"))
    assert wording(told).startswith("Your seat is offered")
    assert "**Take the seat**" in wording(told)


async def test_a_player_who_has_no_rating_is_told_so(world):
    await world.ann.slash(world.channel, "game new", game="kamisado", opponent=me(world))
    await over(world, world.thread())
    told = answer_of(await world.ann.slash(world.channel, "profile"))
    assert "no rating yet" in wording(told)
    assert "–" not in wording(told)


async def test_the_rules_say_how_long_the_named_clocks_are(world):
    page = answer_of(await world.ann.slash(world.channel, "rules", game="kamisado"))
    for _ in range(5):
        page = answer_of(await world.ann.click(page, custom_id=button(page, "Next")))
    slow, fast = clocks.NAMED["slow"], clocks.NAMED["fast"]
    assert (slow[:2], fast[:2]) == ((14 * DAY, DAY), (3 * DAY, DAY // 2))
    assert "`clock=slow`: 14 days for all your turns, and 1 day more after each" in wording(page)
    assert "`clock=fast`: 3 days, and 12 hours more" in wording(page)
