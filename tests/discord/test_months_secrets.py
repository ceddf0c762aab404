"""Hidden games: what the newcomer, the old player, a spectator and an importer can and cannot see."""

from __future__ import annotations

import json
from importlib import import_module

import pytest

from engines.chance import Chance
from tests.discord.conftest import text_of
from tests.discord.months_tables import begun, every_hidden_game, look
from tests.games import released, sample

KEPT = ("board", "words", "hand", "info", "export", "move")  # what is made of the position itself


def otherwise(game, state, viewer):
    """Another position that this viewer (None: a spectator) cannot tell from the given one."""
    mixed = import_module(f"tests.engines.{game}.otherwise")
    return mixed.otherwise(state, viewer, Chance(b"otherwise", 1))


def exported(looks):
    """The record of an export, and its notation."""
    record, notation = looks["export"].files
    return json.loads(record.data), notation.data.decode()


@every_hidden_game
async def test_what_is_hidden_changes_nothing_that_a_spectator_or_another_player_gets(world, game):
    months = await begun(world, game)
    await months.play(sample(game).moment)
    real = await months.state()
    for reader, viewer in ((months.dan, None), (months.players[0], 0)):
        await months.used_to_the_rules(reader)
        before = await months.looks(reader)
        owners = await months.looks(months.players[1])
        other = otherwise(game, real, viewer)
        differs = months.rules.view(other, 1) != months.rules.view(real, 1)
        assert differs or not released(game)
        await months.place(other)
        after = await months.looks(reader)
        assert {name: after[name] for name in KEPT} == {name: before[name] for name in KEPT}
        assert ((await months.looks(months.players[1]))["export"] != owners["export"]) == differs
        await months.place(real)


@pytest.mark.usefixtures("marked_sketches")
@every_hidden_game
async def test_the_newcomer_gets_the_hand_and_the_old_player_sees_what_a_spectator_sees(world, game):
    months = await begun(world, game)
    await months.play(sample(game).moment)
    old, dan, eve = months.players[1], months.dan, months.eve
    held, _ = exported(await months.looks(old))
    letters = [await look(letter) for letter in months.letters(old)]
    assert "You now play at table #1" in await months.hand_over(old, dan)
    got, _ = exported(await months.looks(dan))
    assert got["view"] == held["view"]
    assert len(months.letters(dan)) == 1
    assert months.letters(dan)[0].attachments
    for label in ("Your turn", "Open your hand"):
        assert "don't play" in await months.press(old, months.board(), label)
    for _ in range(2):
        assert await months.looks(old) == await months.looks(eve)
        assert [await look(letter) for letter in months.letters(old)] == letters
        assert months.letters(eve) == []
        await months.play(1)
    assert exported(await months.looks(dan))[0]["view"] != held["view"]


@pytest.mark.usefixtures("sketches")
@every_hidden_game
async def test_others_choices_are_in_nobodys_notation_and_no_own_view_is_a_record(world, game):
    months = await begun(world, game)
    await months.play(sample(game).moment)
    for reader in months.everybody:
        record, notation = exported(await months.looks(reader))
        assert not {"seed", "actions"} & record.keys()
        seat = (await months.table()).seat_of(reader.id)
        assert record["view"] == months.rules.view(await months.state(), seat).model_dump(mode="json")
        for entry in await world.bot.tables.story(1, reader.id):
            assert (entry.action is not None) == (entry.seat == seat)
            assert entry.action is None or entry.action in notation
        told = await reader.slash(
            months.thread, "game import", record=("r.json", json.dumps(record).encode())
        )
        assert "can't read that as a record" in text_of(told)
