"""Replay, records, study tables, proofs, results, notes and settings on Discord."""

from __future__ import annotations

import json

import pytest

from engines.record import read_record, verify
from tests.discord.conftest import answer_of, button, controls, text_of
from tests.discord.months import HIDDEN, begun, first_move, said, stranger

GAMES = ("kamisado", "rokumon")


async def resigned(world, thread):
    asked = answer_of(await world.ann.slash(thread, "game resign"))
    await world.ann.click(asked, custom_id=button(asked, "Yes, resign"))
    assert (await world.bot.tables.get(1)).status == "over"


@pytest.mark.parametrize("game", GAMES)
async def test_a_replay_steps_through_in_ones_own_view_and_in_everybodys_at_the_end(world, game):
    thread = await begun(world, game)
    mover = await first_move(world, thread)
    dan = stranger(world)
    for viewer in (mover, dan):
        shown = answer_of(await viewer.slash(thread, "game replay"))
        assert "move 1 of 1" in shown.content
        assert shown.attachments
        assert set(controls(shown).values()) == {"First", "Back"}
        stepped = await viewer.click(shown, custom_id=button(shown, "Back"))
        assert stepped.acknowledged
    other = world.ben if mover is world.ann else world.ann
    if game in HIDDEN:
        forged = await world.bot.tables.replay(1, other.id)
        assert forged.shown.seat == (await world.bot.tables.get(1)).seat_of(other.id)
    await resigned(world, thread)
    shown = answer_of(await dan.slash(thread, "game replay", at=0))
    assert {"Everybody's view", "Ann", "Ben"} - set(controls(shown).values()) == {"Everybody's view"}
    turned = await dan.click(shown, custom_id=button(shown, "Ann"))
    assert turned.acknowledged


@pytest.mark.parametrize("game", GAMES)
async def test_a_record_goes_out_and_comes_back_as_a_study_for_one(world, game):
    thread = await begun(world, game)
    await first_move(world, thread)
    early = answer_of(await world.ben.slash(thread, "game export"))
    assert [file.filename for file in early.attachments] == ["hatamoto-1.json", "hatamoto-1.txt"]
    running = await world.bot.tables.export(1, world.ben.id)
    refused = await world.ben.slash(thread, "game import", record=("r.json", json.dumps(running).encode()))
    assert "no record" in text_of(refused)
    assert "posted when the game ends" in text_of(await world.cho.slash(thread, "game verify"))
    await resigned(world, thread)
    assert "all is well" in text_of(await world.cho.slash(thread, "game verify"))
    record = await world.bot.tables.export(1, world.cho.id)
    own = {name: value for name, value in record.items() if name not in ("players", "result")}
    assert verify(read_record(own)).plies
    studied = answer_of(
        await world.cho.slash(thread, "game import", record=("r.json", json.dumps(record).encode()))
    )
    assert "Study table #2" in studied.content
    assert "move 0 of 2" in studied.content
    assert studied.attachments
    for other in (world.ann, world.ben):
        assert "no such table" in text_of(await other.slash(thread, "game replay", table=2))
        assert "no such table" in text_of(await other.slash(thread, "game info", table=2))
    assert "move 2 of 2" in text_of(await world.cho.slash(thread, "game replay", table=2))
    assert "**#2 " not in text_of(await world.cho.slash(world.channel, "game list"))


@pytest.mark.parametrize(
    ("data", "part"),
    [(b"{", "no record"), (b"[" * 60 + b"]" * 60, "cannot read"), (b"x" * 1_100_000, "too big")],
)
async def test_a_file_that_is_no_record_is_refused_kindly(world, data, part):
    told = await world.ann.slash(world.channel, "game import", record=("x.json", data))
    assert part in text_of(told)


async def test_results_are_shown_to_who_asks(world):
    thread = await begun(world, "kamisado")
    assert "Nobody" in text_of(await world.cho.slash(thread, "leaderboard", game="kamisado"))
    assert "No finished games" in text_of(await world.cho.slash(thread, "profile"))
    await first_move(world, thread)
    await resigned(world, thread)
    best = text_of(await world.cho.slash(thread, "leaderboard", game="kamisado"))
    assert best.index("Ben") < best.index("Ann")
    assert "0 of 1 won" in text_of(await world.cho.slash(thread, "profile", player=world.ann.user))


async def test_a_note_is_private_and_escaped(world):
    thread = await begun(world, "kamisado")
    written = await world.ann.slash(thread, "note", note="**@everyone** watch d8")
    assert written.ephemeral
    assert "**@everyone**" not in text_of(written)
    assert "watch d8" in text_of(await world.ann.slash(thread, "note"))
    assert "no note" in text_of(await world.ben.slash(thread, "note"))
    assert "no note" in text_of(await world.ann.slash(thread, "note", clear=True))


async def test_settings_of_time_are_set_and_shown(world):
    told = text_of(
        await world.ann.slash(
            world.channel, "settings", remind=6, quiet="22:30-7", zone="europe/budapest", next=True
        )
    )
    assert "after 6 hours" in told
    assert "22:30–7:00 (Europe/Budapest)" in told
    assert "next: on" in told
    assert "cannot read" in text_of(await world.ann.slash(world.channel, "settings", quiet="late"))
    assert "no time zone" in text_of(await world.ann.slash(world.channel, "settings", zone="Mars"))
    assert "never" in text_of(await world.ann.slash(world.channel, "settings", remind=0, quiet="off"))
    offered = await world.ann.autocomplete(world.channel, "settings", "zone", "budap")
    assert [choice["value"] for choice in offered] == ["Europe/Budapest"]


async def test_games_are_listed_with_a_link_to_their_last_board(world):
    thread = await begun(world, "kamisado")
    board = next(message for message in reversed(thread.history()) if message.attachments)
    listed = text_of(await world.ann.slash(world.channel, "games"))
    assert f"https://discord.com/channels/{world.guild.id}/{thread.id}/{board.id}" in listed
    assert said(thread, "SHA-256")
