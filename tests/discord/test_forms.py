"""Forms where people type, and switches beside what they change (17.3, 17.4, 17.7)."""

from __future__ import annotations

import pytest

from db.repositories import users
from locales import words
from tables.core.errors import TableError
from tests.discord.conftest import answer_of, button, text_of
from tests.messages import parts_of, wording

pytestmark = pytest.mark.usefixtures("sketches")


async def submit(member, shown, **values):
    """Sends a form that was opened."""
    return await member.submit_modal(shown, values)


async def settings_of(world, member):
    """What is kept of a member."""
    return await users.get(world.bot.database.reads, member.id)


async def test_settings_have_their_switches_beside_them(world):  # 17.4
    told = answer_of(await world.ann.slash(world.channel, "settings"))
    sections = [part for part in parts_of(told) if part["type"] == 9]
    assert [part["accessory"]["custom_id"] for part in sections] == [
        "o:dm:off",
        "o:next:on",
        "o:times:change",
    ]
    told = answer_of(await world.ann.click(told, custom_id="o:dm:off"))
    assert "Your hand by direct message: off" in wording(told)
    await world.ann.click(told, custom_id="o:next:on")
    told = answer_of(await world.ann.select(told, ["digest"], custom_id="os:call"))
    kept = await settings_of(world, world.ann)
    assert (kept.dm, kept.next_ping, kept.call_by) == (False, True, "digest")
    assert "once a day" in wording(told)


async def test_times_are_typed_into_one_form_that_holds_what_they_are(world):  # 17.3
    told = answer_of(await world.ann.slash(world.channel, "settings"))
    await world.restart()
    shown = await world.ann.click(told, custom_id="o:times:change")
    sent = {"remind": "48", "quiet": "22:30-7", "zone": "europe/budapest", "digest": "6pm"}
    said = text_of(await submit(world.ann, shown, **sent))
    assert "22:30\u20137:00 (Europe/Budapest)" in said
    kept = await settings_of(world, world.ann)
    assert (kept.remind_hours, kept.digest_at) == (48, 18 * 60)
    shown = await world.ann.click(
        answer_of(await world.ann.slash(world.channel, "settings")), custom_id="o:times:change"
    )
    assert "I can't read `so` as a number of hours" in text_of(
        await submit(world.ann, shown, **{**sent, "remind": "so"})
    )


async def test_the_seat_that_may_be_taken_has_its_button_beside_it(world):  # 17.4
    await world.ann.slash(world.channel, "game new", game="kamisado", options="match=single seat=first")
    lobby = world.channel.history()[-1]
    [section] = [part for part in parts_of(lobby) if part["type"] == 9]
    assert "free" in section["components"][0]["content"]
    await world.ben.click(lobby, custom_id=section["accessory"]["custom_id"])
    assert (await world.bot.tables.get(1)).status == "running"


async def test_a_note_is_written_in_a_form_and_deleted_by_an_empty_one(world):  # 17.3
    thread = await world.start()
    told = answer_of(await world.ann.slash(thread, "note"))
    shown = await world.ann.click(told, custom_id=button(told, "Write a note"))
    told = answer_of(await submit(world.ann, shown, note="watch d8"))
    assert "watch d8" in wording(told)
    shown = await world.ann.click(told, custom_id=button(told, "Change the note"))
    assert "no note" in text_of(await submit(world.ann, shown, note=""))


async def test_a_custom_clock_is_made_in_a_form(world):  # 17.3
    thread = await world.start()
    shown = await world.ann.slash(thread, "game clock")
    sent = {"clock": ["custom"], "bank": "5d", "increment": "6h", "cap": "9d", "timeout": "claim"}
    assert "asked" in text_of(await submit(world.ann, shown, **sent)).casefold()
    vote = thread.history()[-1]
    assert "5 days to think" in wording(vote)
    await world.ben.click(vote, custom_id=button(vote, "Yes"))
    assert (await world.bot.tables.get(1)).table_options["cap"] == "9d"


async def test_a_record_is_uploaded_in_a_form(world):  # 17.3
    thread = await world.start("match=single seat=first")
    asked = (await world.ann.slash(thread, "game resign")).response
    await world.ann.click(asked, custom_id=button(asked, "Yes, resign"))
    exported = answer_of(await world.ann.slash(thread, "game export"))
    data = await exported.attachments[0].read()
    shown = await world.ann.slash(thread, "game import")
    told = answer_of(await submit(world.ann, shown, record=[("r.json", data)]))
    assert "table #2" in wording(told).casefold()


async def test_the_menu_of_a_person_shows_their_profile_and_the_way_to_play_them(world):  # 17.7
    told = answer_of(await world.ann.context_menu(world.channel, "Profile", world.ben))
    assert "Ben" in wording(told)
    which = answer_of(await world.ann.click(told, custom_id=f"g:-:u{world.ben.id}"))
    assert f"g:kamisado:u{world.ben.id}" in str(parts_of(which))


async def test_a_menu_of_a_person_that_is_refused_says_why(world, monkeypatch):  # 17.7
    async def profile(_user_id):
        raise TableError("overtaken")

    monkeypatch.setattr(world.bot.tables, "profile", profile)
    told = answer_of(await world.ann.context_menu(world.channel, "Profile", world.ben))
    assert wording(told) == words("en")("error.overtaken")
