"""What is kept about a person is given to him, and forgotten when he asks."""

from __future__ import annotations

import json

import pytest

from db.repositories import privacy
from db.upkeep.moving import schema
from tables.core.errors import TableError
from tables.privacy import FORGOTTEN
from tables.seats.handover import MOST_SILENCE, Successor
from tests.tables.players import ANN, BEN, CAT, DAN, PLACE


async def whole(house):
    """Every row of every table of the database, as text."""
    found = {}
    for name in (kept.name for kept in schema()):
        rows = await house.database.reads.all(f"SELECT * FROM {name}")
        found[name] = [dict(row) for row in rows]
    return found


async def finished(house):
    table = await house.new(BEN)
    await house.tables.resign(table.id, BEN.id, next(house.ids))
    return await house.tables.get(table.id)


async def test_the_export_has_what_is_the_askers_and_nothing_of_others(house):
    table = await house.new(BEN)
    await house.tables.write_note(ANN.id, table.id, "watch the left")
    await house.tables.write_note(BEN.id, table.id, "ben's own")
    await house.tables.block(ANN, CAT.id, on=True)
    await house.act(table, BEN, f"bid {(await house.tables.show(table.id, BEN.id)).view.hand[0]}")
    found = json.loads(await house.tables.about(ANN.id))
    text = json.dumps(found)
    assert found["user"][0]["name"] == "Ann"
    assert [note["text"] for note in found["notes"]] == ["watch the left"]
    assert found["blocks"] == [{"blocked_id": CAT.id}]
    assert "actions" not in found
    assert "ben's own" not in text
    assert "seed" not in text
    with pytest.raises(TableError) as refused:
        await house.tables.about(999)
    assert refused.value.code == "nothing-stored"


async def test_nothing_of_a_forgotten_player_is_left_but_moves_and_others_blocks(house):
    over, running = await finished(house), await house.new(BEN)
    lobby = await house.tables.create(BEN, "duel", "", PLACE, interaction_id=next(house.ids))
    await house.tables.write_note(BEN.id, over.id, "mine")
    await house.tables.block(ANN, BEN.id, on=True)
    done = await house.tables.forget(BEN.id, next(house.ids))
    assert (done.handed, done.resigned, done.ended, done.left) == (1, 0, 0, 1)
    kept = await whole(house)
    blocks = kept.pop("blocks")
    assert blocks == [{"user_id": ANN.id, "blocked_id": BEN.id}]
    handovers = kept.pop("handovers")
    assert [row["table_id"] for row in handovers] == [running.id], "he knows a hand of the game that runs"
    for name, rows in kept.items():
        ids = [key for row in rows for key, value in row.items() if value == BEN.id and key.endswith("_id")]
        assert not ids, name
    assert not [row for row in kept["users"] if row["id"] == BEN.id]
    assert (await house.tables.get(over.id)).names == ("Ann", FORGOTTEN)
    assert (await house.tables.get(lobby.id)).status == "cancelled"
    assert (await house.tables.get(running.id)).seats[1].level == "normal"
    assert len(await house.tables.export(over.id, ANN.id)) > 3


async def test_who_saw_a_hand_before_he_was_forgotten_cannot_sit_at_another_seat(house):
    running = await house.new(BEN)
    await house.tables.forget(BEN.id, next(house.ids))
    with pytest.raises(TableError) as refused:
        await house.tables.replace(running.id, ANN.id, 0, successor(BEN), next(house.ids))
    assert refused.value.code == "knows-too-much"
    await house.tables.cancel(running.id, ANN.id, next(house.ids), moderator=True)
    assert (await whole(house))["handovers"] == []


async def test_what_forgetting_does_at_a_table_has_no_number_of_discords(house):  # 14.16
    for number in range(12):
        await house.new(BEN)
        await house.tables.forget(BEN.id, 10**18 + number)
    parts = [row["id"] for row in await house.database.reads.all("SELECT * FROM interactions")]
    assert len([one for one in parts if one < 0]) == 12
    assert not [one for one in parts if one >= 10**6]


async def test_alone_against_the_bot_his_game_ends(house):
    table = await house.new(bot_seat=True)
    done = await house.tables.forget(ANN.id, next(house.ids))
    assert done.ended == 1
    assert (await house.tables.get(table.id)).status == "cancelled"


async def test_a_crash_in_the_middle_is_finished_by_the_timer(house, monkeypatch):
    await house.new(BEN)

    async def crash(*_):
        raise RuntimeError

    real = privacy.forget
    monkeypatch.setattr(privacy, "forget", crash)
    with pytest.raises(RuntimeError):
        await house.tables.forget(BEN.id, next(house.ids))
    monkeypatch.setattr(privacy, "forget", real)
    await house.again()
    house.clock.ms += 120_000
    await house.tables.run_due()
    assert not [row for row in (await whole(house))["users"] if row["id"] == BEN.id]
    assert (await whole(house))["timers"] == [] or BEN.id not in [
        row["user_id"] for row in (await whole(house))["timers"]
    ]


async def test_the_rematch_of_a_game_with_a_forgotten_player_has_a_free_seat(house):
    over = await finished(house)
    await house.tables.forget(BEN.id, next(house.ids))
    again = await house.tables.rematch(over.id, ANN, next(house.ids))
    assert again.status == "open"
    joined = await house.tables.join(again.id, CAT, next(house.ids))
    assert joined.status == "running"
    assert set(joined.names) == {"Ann", "Cat"}


async def test_a_proposal_to_give_him_a_seat_goes_with_him(house):
    running = await house.new(CAT, DAN, words="three=yes seat=first")
    await house.tables.start(running.id, ANN.id, next(house.ids))
    house.clock.ms += MOST_SILENCE
    await house.tables.replace(running.id, ANN.id, 1, Successor(BEN), next(house.ids))
    assert "Ben" in json.dumps(await whole(house), default=str)
    assert json.loads(await house.tables.about(BEN.id))["proposed"][0]["kind"] == "replace"
    await house.tables.forget(BEN.id, next(house.ids))
    assert "Ben" not in json.dumps(await whole(house), default=str)
    (vote,) = (await whole(house))["votes"]
    assert vote["status"] == "lapsed"
    assert str(BEN.id) not in vote["payload"]
    with pytest.raises(TableError):
        await house.tables.vote(vote["id"], DAN.id, True, next(house.ids))


async def test_posts_that_wait_do_not_name_or_call_him_any_more(house):
    await finished(house)
    await house.new(BEN)
    assert any("Ben" in json.dumps(post) for post in await house.posts())
    await house.tables.forget(BEN.id, next(house.ids))
    for place, kind, payload in await house.posts():
        assert place != f"user:{BEN.id}"
        assert "Ben" not in json.dumps(payload), (place, kind, payload)
        assert BEN.id not in payload.get("mention", []), (place, kind)
        assert f"<@{BEN.id}>" not in json.dumps(payload)
        assert BEN.id not in payload.get("users", [])


@pytest.mark.sqlite
async def test_a_table_out_of_order_keeps_nobody_from_being_forgotten_and_is_not_lost_to_others(house):
    table, lobby = await house.new(BEN), await house.new(BEN, CAT, join=False, words="three=yes")
    await house.tables.join(lobby.id, BEN, next(house.ids))
    await house.ruin(table)
    await house.lose("tables", "options = '{'", "id = ?", lobby.id)
    await house.tables.forget(BEN.id, next(house.ids))
    rows = await whole(house)
    assert BEN.id not in [seat["user_id"] for seat in rows["seats"]]
    assert BEN.id not in [seat["invited"] for seat in rows["seats"]]
    assert not [row for row in rows["users"] if row["id"] == BEN.id]
    found = await house.tables.get(table.id)
    assert found.status == "broken", "it may go on one day"
    assert [seat.user_id for seat in found.seats] == [ANN.id, None]


async def test_the_end_of_a_vacation_neither_takes_a_name_nor_brings_somebody_back(house):
    await house.new(BEN)
    await house.tables.vacation(BEN, house.clock.ms + 3_600_000)
    house.clock.ms += 2 * 3_600_000
    await house.tables.run_due()
    (row,) = [row for row in (await whole(house))["users"] if row["id"] == BEN.id]
    assert (row["name"], row["away_until"]) == ("Ben", None)


async def test_who_comes_back_after_he_was_forgotten_is_somebody_new(house):
    over = await finished(house)
    await house.tables.write_note(BEN.id, over.id, "mine")
    await house.tables.forget(BEN.id, next(house.ids))
    assert await house.tables.profile(BEN.id) == []
    assert await house.tables.note(BEN.id, over.id) is None
    with pytest.raises(TableError):
        await house.tables.rematch(over.id, BEN, next(house.ids))
    again = await house.new(BEN)
    assert (await house.tables.get(again.id)).names == ("Ann", "Ben")
    assert (await house.tables.get(over.id)).names == ("Ann", FORGOTTEN)
    assert json.loads(await house.tables.about(BEN.id)).keys() >= {"user", "seats"}


async def test_forgetting_takes_a_persons_studies_out_of_memory_too(house):
    over = await finished(house)
    record = json.dumps(await house.tables.export(over.id, ANN.id)).encode()
    study = await house.tables.study(BEN, record, next(house.ids))
    await house.tables.show(study.id, BEN.id)
    await house.tables.forget(BEN.id, next(house.ids))
    with pytest.raises(TableError) as refused:
        await house.tables.show(study.id, BEN.id)
    assert refused.value.code == "no-table"


def successor(user):
    return Successor(user)
