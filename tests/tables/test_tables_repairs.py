"""A table that does not load harms no other; what can be worked out from its log is mended."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tables.errors import TableError
from tests.tables.players import ANN, BEN, CAT


async def corrupt(house, sql, *params):
    async with house.database.transaction() as tx:
        await tx.run(sql, params)
    await house.again()


async def refusal(work):
    with pytest.raises(TableError) as refused:
        await work
    return refused.value.code


async def mend(house):
    return [await fault.mend() for fault in await house.tables.faults() if fault.mend]


async def test_a_table_that_does_not_load_is_told_of_once_and_the_rest_plays_on(house):
    table, other = await house.new(BEN), await house.new(CAT)
    await corrupt(house, "UPDATE snapshots SET state = '{\"no\": 1}' WHERE table_id = ?", table.id)
    for _ in range(3):
        assert await refusal(house.tables.show(table.id, ANN.id)) == "broken"
    told = [post for post in await house.posts("line") if post[2].get("code") == "out-of-order"]
    assert [post[0] for post in told] == [f"table:{table.id}"]
    assert told[0][2]["mention"] == [ANN.id, BEN.id]
    hand = (await house.tables.show(other.id, ANN.id)).view.hand
    await house.act(other, ANN, f"bid {hand[0]}")
    assert [one.why for one in await house.tables.stuck(1)] == ["broken"]


async def test_a_position_is_worked_out_anew_from_the_log_and_told(house):
    table = await house.new(BEN)
    await house.bid_all(table)
    before = (await house.tables.show(table.id, ANN.id)).view
    await corrupt(house, "UPDATE snapshots SET state = 'x' WHERE table_id = ?", table.id)
    assert await refusal(house.tables.show(table.id, ANN.id)) == "broken"
    assert len(await house.tables.check()) == 1
    assert await mend(house) == [f"table {table.id}: its position is that of its log again"]
    assert await house.tables.check() == []
    assert (await house.tables.show(table.id, ANN.id)).view == before
    assert not (await house.tables.stuck(1))


async def test_a_table_that_was_set_aside_and_loads_again_says_so(house):
    table = await house.new(BEN)
    row = await house.database.reads.one("SELECT state FROM snapshots")
    await corrupt(house, "UPDATE snapshots SET state = 'x'")
    assert await refusal(house.tables.show(table.id, ANN.id)) == "broken"
    await corrupt(house, "UPDATE snapshots SET state = ?", row["state"])
    await house.tables.show(table.id, ANN.id)
    await house.tables.show(table.id, BEN.id)
    codes = [post[2].get("code") for post in await house.posts("line")]
    assert [code for code in codes if code in ("out-of-order", "in-order")] == ["out-of-order", "in-order"]


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE actions SET action = '{bad' WHERE seq = 1 AND table_id = ?",
        "UPDATE actions SET action = '[1]' WHERE seq = 1 AND table_id = ?",
        "UPDATE tables SET options = '{bad' WHERE id = ?",
    ],
)
async def test_what_cannot_even_be_read_is_set_aside_with_its_record_and_the_rest_is_mended(house, sql):
    table, other = await house.new(BEN), await house.new(CAT)
    await house.bid_all(table)
    await corrupt(house, sql, table.id)
    await corrupt(house, "UPDATE snapshots SET state = 'x' WHERE table_id = ?", other.id)
    done = await mend(house)
    assert done[0].startswith(f"table {table.id}: set aside, its record is ")
    assert done[1:] == [f"table {other.id}: its position is that of its log again"]
    record = await asyncio.to_thread(Path(done[0].rpartition(" is ")[2]).read_text)
    assert json.loads(record)["log"]
    (left,) = await house.tables.check()
    assert left.startswith(f"table {table.id}: cannot be read (")


async def test_a_log_that_does_not_replay_is_set_aside_with_its_record(house, tmp_path):
    table = await house.new(BEN)
    await house.bid_all(table)
    await corrupt(house, 'UPDATE actions SET action = \'{"kind": "nonsense"}\' WHERE seq = 1')
    (done,) = await mend(house)
    file = tmp_path / "t.db.set-aside" / f"table-{table.id}.json"
    assert str(file) in done
    kept = json.loads(file.read_text())
    assert kept["game"] == "duel"
    assert len(kept["log"]) == 2
    assert (await house.database.reads.one("SELECT count(*) AS n FROM actions"))["n"] == 2


async def test_what_waits_for_nothing_is_found_and_mended(house):
    table = await house.tables.create(ANN, "duel", "", (await house.new(BEN)).place, interaction_id=1)
    async with house.database.transaction() as tx:
        await tx.run("UPDATE outbox SET state = 'sent'")
        for place, payload, due in (
            ("table:1", "{", 0), ("nowhere", "{}", 0), ("table:99", "{}", 0), ("table:1", "{}", 4e12)
        ):  # fmt: skip
            await tx.run(
                "INSERT INTO outbox (destination, kind, payload, nonce, due_at, created_at) "
                "VALUES (?, 'line', ?, '1', ?, 0)",
                (place, payload, due),
            )
        await tx.run("UPDATE timers SET table_id = 98 WHERE kind = 'lobby'")
        await tx.run("INSERT INTO timers (kind, due_at) VALUES ('tea', 1)")
    faults = await house.tables.check()
    assert len(faults) == 4 + 2 + 1, faults
    assert f"table {table.id}: is open and will never close" in faults
    await mend(house)
    assert await house.tables.check() == []
    waiting = await house.database.reads.all("SELECT due_at FROM outbox WHERE state = 'queued'")
    assert [row["due_at"] for row in waiting] == [house.clock.ms]
