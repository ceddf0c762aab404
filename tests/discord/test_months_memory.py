"""Replay, records, study tables, proofs, results, notes and settings on Discord."""

from __future__ import annotations

import json

import pytest

from engines.record import read_record, verify
from tables.core.errors import TableError
from tables.reading import keepers
from tests.discord.conftest import answer_of, controls, last_board, text_of
from tests.discord.months_tables import begun, every_game
from tests.messages import wording

pytestmark = pytest.mark.usefixtures("sketches")


@every_game
async def test_a_replay_steps_through_in_ones_own_view_and_in_everybodys_at_the_end(world, game):
    months = await begun(world, game)
    await months.play(2)
    first, dan = months.players[0], months.dan
    for viewer in (first, dan):
        shown = answer_of(await viewer.slash(months.thread, "game replay"))
        assert "move 2 of 2" in wording(shown)
        assert shown.attachments
        assert set(controls(shown).values()) == {"First", "Back"}
        await viewer.click(shown, label="Back")
        own = await months.seat_of(viewer)
        assert (await world.bot.tables.replay(1, viewer.id, 1)).shown.seat == own
        for other in {0, 1} - {own}:  # as a forged button would ask for
            with pytest.raises(TableError, match="not-yours"):
                await world.bot.tables.replay(1, viewer.id, 1, other)
    await months.end()
    shown = answer_of(await dan.slash(months.thread, "game replay", at=0))
    names = [player.name for player in months.players]
    assert {"Everybody's view", *names} - set(controls(shown).values()) == {"Everybody's view"}
    for seat, name in enumerate(names):
        assert (await dan.click(shown, label=name)).acknowledged
        assert (await world.bot.tables.replay(1, dan.id, 0, seat)).shown.seat == seat


@every_game
async def test_a_record_goes_out_and_comes_back_as_a_study_for_one(world, game):
    months = await begun(world, game)
    await months.play(1)
    ben, dan, thread = months.players[1], months.dan, months.thread
    early = answer_of(await ben.slash(thread, "game export"))
    assert [file.filename for file in early.attachments] == ["hatamoto-1.json", "hatamoto-1.txt"]
    running = json.dumps(await world.bot.tables.export(1, ben.id)).encode()
    assert "can't read that as a record" in text_of(
        await ben.slash(thread, "game import", record=("r.json", running))
    )
    assert "posted when the game ends" in await months.say(dan, "game verify")
    await months.end()
    assert "all good" in await months.say(dan, "game verify")
    exported = answer_of(await dan.slash(thread, "game export")).attachments[0]
    data = await exported.read()
    record = {name: value for name, value in json.loads(data).items() if name not in ("players", "result")}
    moves = len(months.players)  # one action, and all but one resigned
    assert len(verify(read_record(record)).plies) == moves

    studied = answer_of(await dan.slash(thread, "game import", record=("r.json", data)))
    assert "Study table #2" in wording(studied)
    assert f"move 0 of {moves}" in wording(studied)
    assert studied.attachments
    stepped = await dan.click(studied, label="Last")
    assert stepped.acknowledged
    for other in months.players:
        for command in ("game replay", "game info", "board", "game export"):
            assert "no such table" in text_of(await other.slash(thread, command, table=2))
    assert f"move {moves} of {moves}" in text_of(await dan.slash(thread, "game replay", table=2))
    assert "**#2 " not in text_of(await dan.slash(world.channel, "game list"))


@every_game
async def test_results_and_notes_are_shown_to_who_asks(world, game, monkeypatch):
    monkeypatch.setattr(keepers, "LEAST", 0)
    months = await begun(world, game)
    dan, winner, losers = months.dan, months.players[-1], months.players[:-1]
    assert "Nobody" in await months.say(dan, "leaderboard", game=game)
    assert "No finished games" in await months.say(dan, "profile")
    written = await winner.slash(months.thread, "note", note="**@everyone** watch d8")
    assert written.ephemeral
    assert "**@everyone**" not in text_of(written)
    await months.play(1)
    await months.end()
    best = await months.say(dan, "leaderboard", game=game)
    assert "within a year counts half" in best  # 14.8
    assert all(best.index(winner.name) < best.index(loser.name) for loser in losers)
    assert "1 of 1 game won" in await months.say(dan, "profile", player=winner.user)
    for loser in losers:
        assert "0 of 1 game won" in await months.say(dan, "profile", player=loser.user)
        assert "no note" in await months.say(loser, "note")
    assert "watch d8" in await months.say(winner, "note")
    assert "no note" in await months.say(winner, "note", clear=True)
    assert "no note" in await months.say(winner, "note")


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"{", "can't read that as a record"),
        (b"[" * 60 + b"]" * 60, "can't read"),
        (b"x" * 1_100_000, "too big"),
    ],
)
async def test_a_file_that_is_no_record_is_refused_kindly(world, data, part):
    told = await world.ann.slash(world.channel, "game import", record=("x.json", data))
    assert part in text_of(told)


async def test_settings_of_time_are_set_and_shown(world):
    told = text_of(
        await world.ann.slash(
            world.channel, "settings", remind=6, quiet="22:30-7", zone="europe/budapest", next=True
        )
    )
    assert "after 6 hours" in told
    assert "22:30–7:00 (Europe/Budapest)" in told
    assert "next: on" in told
    assert "can't read" in text_of(await world.ann.slash(world.channel, "settings", quiet="late"))
    assert "no time zone" in text_of(await world.ann.slash(world.channel, "settings", zone="Mars"))
    assert "never" in text_of(await world.ann.slash(world.channel, "settings", remind=0, quiet="off"))
    offered = await world.ann.autocomplete(world.channel, "settings", "zone", "budap")
    assert [choice["value"] for choice in offered] == ["Europe/Budapest"]


@every_game
async def test_games_are_listed_with_a_link_to_their_last_board(world, game):
    months = await begun(world, game)
    for _ in range(2):
        link = (
            f"https://discord.com/channels/{world.guild.id}/{months.thread.id}/{last_board(months.thread).id}"
        )
        assert link in text_of(await months.players[0].slash(world.channel, "games"))
        await months.play(1)
