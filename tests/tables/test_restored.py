"""After a restore: nothing is numbered twice, what ended stays ended, what goes on is drawn anew."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing

import pytest

from db.backup import copy
from db.upkeep import lost
from db.upkeep.restore import restore
from engines import record
from tables.core.errors import TableError
from tests.tables.players import ANN, BEN, CAT, Fixture

pytestmark = pytest.mark.sqlite  # of a file, its copies and what a disk does to it

SEQUENCES = "SELECT name, seq FROM sqlite_sequence"


def asked(path, sql, *params):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql, params).fetchall()


async def restored(house, copied):
    """The house after its database was replaced by the copy."""
    await house.end()
    done = restore(copied, house.path)
    await house.begin()
    return done


async def finished(house, table):
    """The table, played to its end by a resignation."""
    await house.act(table, ANN, "resign")
    return await house.tables.get(table.id)


async def test_numbers_given_since_the_backup_are_not_given_again(house, tmp_path):  # 13.A4
    table = await house.new(BEN)
    copy(house.path, tmp_path / "copy.db")
    lost_table = await house.new(BEN)
    lost_vote = await house.tables.offer_draw(lost_table.id, ANN.id, next(house.ids))
    before = dict(asked(house.path, SEQUENCES))
    assert (await restored(house, tmp_path / "copy.db")).compared
    after = dict(asked(house.path, SEQUENCES))
    assert all(after[name] >= seq for name, seq in before.items())
    assert before.keys() <= after.keys()
    assert (await house.new(BEN)).id > lost_table.id
    assert (await house.tables.offer_draw(table.id, ANN.id, next(house.ids))).id > lost_vote.id


@pytest.mark.parametrize("what", ["gone", "damaged", "new"])
async def test_where_the_lost_time_cannot_be_read_numbers_jump(house, tmp_path, what):  # 13.A4
    await house.new(BEN)
    copy(house.path, tmp_path / "copy.db")
    before = dict(asked(tmp_path / "copy.db", SEQUENCES))
    await house.end()
    for end in ("", "-wal", "-shm"):
        house.path.with_name(f"{house.path.name}{end}").unlink(missing_ok=True)
    if what == "damaged":
        house.path.write_bytes(b"SQLite format 3\0" + b"x" * 9000)
    elif what == "new":
        await (await Fixture(house.path, None).begin()).end()
    done = restore(tmp_path / "copy.db", house.path)
    await house.begin()
    assert not done.compared
    after = dict(asked(house.path, SEQUENCES))
    assert after["tables"] == before["tables"] + lost.JUMP_OF_TABLES
    assert all(after[name] >= before.get(name, 0) + lost.JUMP for name in ("votes", "outbox", "timers"))


async def test_a_button_of_another_question_does_not_answer_this_one(house):  # 13.A4
    table, other = await house.new(BEN), await house.new(BEN)
    await house.act(table, ANN, f"bid {(await house.tables.show(table.id, ANN.id)).view.hand[0]}")
    vote = await house.tables.offer_draw(table.id, ANN.id, next(house.ids))
    version = (await house.tables.get(table.id)).version
    for button in ((table.id, version - 1), (other.id, version)):
        with pytest.raises(TableError) as refused:
            await house.tables.vote(vote.id, BEN.id, True, next(house.ids), button)
        assert refused.value.code == "no-vote"
    done = await house.tables.vote(vote.id, BEN.id, True, next(house.ids), (table.id, version))
    assert done.status == "agreed"


async def test_a_game_that_ended_after_the_backup_stays_ended_with_its_result(house, tmp_path):  # 14.13
    table = await house.new(BEN)
    going = await house.new(CAT)
    copy(house.path, tmp_path / "copy.db")
    await house.bid_all(table)
    over = await finished(house, table)
    assert over.status == "over"
    assert over.seed is not None
    told = await house.tables.profile(BEN.id)
    done = await restored(house, tmp_path / "copy.db")
    assert done.ended == (table.id,)
    again = await house.tables.get(table.id)
    assert (again.status, again.result, again.seed) == ("over", over.result, over.seed)
    assert (await house.tables.verify(table.id, ANN.id)).fault is None
    assert await house.tables.profile(BEN.id) == told, "its result counts, once"
    await house.again()
    assert await house.tables.profile(BEN.id) == told
    assert (await house.tables.get(going.id)).status == "running"
    assert await house.tables.faults() == []


async def test_who_was_forgotten_since_the_backup_does_not_come_back(house, tmp_path):  # 14.13
    table = await house.new(BEN)
    await house.new(CAT)
    copy(house.path, tmp_path / "copy.db")
    await house.tables.forget(BEN.id, next(house.ids))
    await restored(house, tmp_path / "copy.db")
    await house.tables.start_up()
    rows = "SELECT id FROM users WHERE id IN (?, ?, ?) ORDER BY id"
    known = [one[0] for one in asked(house.path, rows, ANN.id, BEN.id, CAT.id)]
    assert known == sorted((ANN.id, CAT.id))
    assert not asked(house.path, "SELECT 1 FROM seats WHERE user_id = ?", BEN.id)
    assert not asked(house.path, "SELECT 1 FROM timers WHERE kind = 'forget'")
    assert (await house.tables.get(table.id)).status == "running"
    assert await house.tables.faults() == []


async def test_a_game_that_goes_on_is_drawn_anew_and_verifies(house, tmp_path):  # 14.13
    table = await house.new(BEN)
    turn = await house.bid_all(table)
    copy(house.path, tmp_path / "copy.db")
    copy(house.path, tmp_path / "twin.db")

    async def four_cards():
        for _ in range(4):
            await house.act(table, turn, "draw")
        return (await house.tables.show(table.id, turn.id)).view.hand

    unsalted = await four_cards()
    await restored(house, tmp_path / "copy.db")
    salted = await four_cards()
    await restored(house, tmp_path / "twin.db")
    again = await four_cards()
    assert len({unsalted, salted, again}) == 3, "what was drawn in the lost time says nothing"
    assert await house.tables.faults() == []
    over = await finished(house, table)
    assert (await house.tables.verify(over.id, ANN.id)).fault is None
    data = await house.tables.export(over.id, ANN.id)
    (anew,) = [entry for entry in data["actions"] if "seed" in entry]
    assert anew["undo"] == 0
    assert anew["seed"] == over.seed != data["seed"]
    record.verify(record.read_record({k: v for k, v in data.items() if k not in ("players", "result")}))
    lines = [post["params"] for _, kind, post in await house.posts("line") if post["code"] == "restored"]
    assert lines == [{"commitment": anew["commitment"]}], "the new seed was announced when it began"
    async with house.database.transaction() as tx:
        tx.put("UPDATE tables SET reseed = zeroblob(32) WHERE id = ?", (over.id,))
    house.tables._house.trust(over.id)
    assert (await house.tables.verify(over.id, ANN.id)).fault == "seed"


async def test_a_table_that_has_not_begun_gets_another_seed(house, tmp_path):  # 14.13
    table = await house.new(BEN, join=False)
    copy(house.path, tmp_path / "copy.db")
    seed = "SELECT hex(seed) FROM tables"
    before = asked(house.path, seed)
    await restored(house, tmp_path / "copy.db")
    assert asked(house.path, seed) != before
    await house.tables.join(table.id, BEN, next(house.ids))
    over = await finished(house, table)
    assert (await house.tables.verify(over.id, ANN.id)).fault is None


async def test_what_was_added_to_a_lobbys_old_seed_is_not_mixed_with_the_new_one(house, tmp_path):  # 14.14
    table = await house.new(BEN, join=False)
    await house.tables.join(table.id, ANN, next(house.ids), "seven blue herons")
    copy(house.path, tmp_path / "copy.db")
    await restored(house, tmp_path / "copy.db")
    anew = await house.tables.get(table.id)
    assert anew.commitment != table.commitment
    assert [seat.nonce_told for seat in anew.seats] == [None, None]
    (line,) = [post for _, _, post in await house.posts("line") if post["code"] == "restored-lobby"]
    assert line["params"]["commitment"] == anew.commitment, "told before anybody adds anything again"
    await house.tables.join(table.id, ANN, next(house.ids), "after it")
    await house.tables.join(table.id, BEN, next(house.ids))
    over = await finished(house, table)
    assert (await house.tables.verify(over.id, ANN.id)).fault is None


async def test_a_game_drawn_anew_after_a_restore_mixes_what_was_added_as_before(house, tmp_path):  # 14.14
    table = await house.new(BEN, join=False)
    await house.tables.join(table.id, BEN, next(house.ids), "seven blue herons")
    copy(house.path, tmp_path / "copy.db")
    await restored(house, tmp_path / "copy.db")
    over = await finished(house, table)
    assert [one is None for one in over.nonces] == [True, False]
    assert (await house.tables.verify(over.id, ANN.id)).fault is None
    data = await house.tables.export(over.id, ANN.id)
    record.verify(record.read_record({k: v for k, v in data.items() if k not in ("players", "result")}))


async def test_an_ended_game_whose_rows_make_no_sense_is_closed_all_the_same(house, tmp_path):  # 14.13
    table = await house.new(BEN)
    copy(house.path, tmp_path / "copy.db")
    await finished(house, table)
    await house.end()
    with closing(sqlite3.connect(house.path)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints=ON")
        connection.execute("UPDATE actions SET seat = NULL")
    done = restore(tmp_path / "copy.db", house.path)
    await house.begin()
    assert done.ended == (table.id,)
    assert (await house.tables.get(table.id)).status == "cancelled"


async def test_who_kills_a_restore_before_the_players_are_told_has_them_told_once(house, tmp_path):  # 14.15
    await house.new(BEN)
    copy(house.path, tmp_path / "copy.db")
    await restored(house, tmp_path / "copy.db")  # told by the start, as nobody else came to it
    await house.tables.restored()
    await house.again()
    told = [post for _, kind, post in await house.posts("line") if post["code"] == "restored"]
    assert len(told) == 1


async def test_a_restore_of_a_restore_still_jumps_over_both(house, tmp_path):  # 13.A4
    await house.new(BEN)
    copy(house.path, tmp_path / "copy.db")
    shutil.copy(tmp_path / "copy.db", tmp_path / "again.db")
    for number in range(2):
        lost_table = await house.new(BEN)
        await restored(house, tmp_path / ("copy.db", "again.db")[number])
        assert (await house.new(BEN)).id > lost_table.id
