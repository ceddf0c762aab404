"""A table that does not load harms no other; what can be worked out from its log is mended."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path

import pytest

from db.address import beside
from tables.core import soundness
from tables.core.errors import TableError
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


async def test_a_table_whose_log_does_not_replay_is_told_of_once_and_the_rest_plays_on(house):
    table, other = await house.new(BEN), await house.new(CAT)
    await house.ruin(table)
    for _ in range(3):
        assert await refusal(house.tables.show(table.id, ANN.id)) == "broken"
    told = [post for post in await house.posts("line") if post[2].get("code") == "out-of-order"]
    assert [post[0] for post in told] == [f"table:{table.id}"]
    assert told[0][2]["mention"] == [ANN.id, BEN.id]
    hand = (await house.tables.show(other.id, ANN.id)).view.hand
    await house.act(other, ANN, f"bid {hand[0]}")
    assert [one.why for one in await house.tables.stuck(1)] == ["broken"]


UNUSABLE = {
    "garbled": "UPDATE snapshots SET state = 'x' WHERE table_id = ?",
    "of another shape": "UPDATE snapshots SET state = '{\"no\": 1}' WHERE table_id = ?",
    "with other events": 'UPDATE snapshots SET events = \'[{"of": "old"}]\' WHERE table_id = ?',
    "of another version": "UPDATE snapshots SET state = replace(state, '\"goal', '\"aim') WHERE table_id = ?",
    "missing": "DELETE FROM snapshots WHERE table_id = ?",
    "of another entry": "UPDATE snapshots SET entry = 1 WHERE table_id = ?",
}


@pytest.mark.parametrize("how", UNUSABLE)
async def test_a_snapshot_that_cannot_be_used_is_made_anew_from_the_log_and_alarms_nobody(house, how):
    table, other = await house.new(BEN), await house.new(CAT)  # 12.5
    await house.bid_all(table)
    before = (await house.tables.show(table.id, ANN.id)).view
    kept = await house.database.reads.one("SELECT * FROM snapshots WHERE table_id = ?", (table.id,))
    await corrupt(house, UNUSABLE[how], table.id)
    assert await house.tables.check() == []
    assert (await house.tables.get(table.id)).status == "running"
    assert (await house.tables.show(table.id, ANN.id)).view == before
    again = await house.database.reads.one("SELECT * FROM snapshots WHERE table_id = ?", (table.id,))
    assert tuple(again) == tuple(kept)
    assert await lines(house, table, "out-of-order", "in-order") == []
    assert await house.tables.faults() == []
    (turn,) = (await house.tables.get(table.id)).to_act
    await house.act(table, (ANN, BEN)[turn], "pass")
    assert await house.tables.check() == []
    assert (await house.tables.show(other.id, CAT.id)).view.hand


async def test_a_replay_for_a_lost_snapshot_leaves_the_event_loop_to_others(house, monkeypatch):
    table = await house.new(BEN)
    await corrupt(house, "DELETE FROM snapshots")
    threads = []
    examined = soundness.examined

    def seen(*given):
        threads.append(threading.current_thread())
        return examined(*given)

    monkeypatch.setattr(soundness, "examined", seen)
    await house.tables.show(table.id, ANN.id)
    assert threads
    assert threading.main_thread() not in threads


async def test_where_others_act_than_the_rows_say_the_replay_is_believed_and_old_buttons_are_stale(house):
    table = await house.new(BEN)
    await house.bid_all(table)
    (turn,) = (await house.tables.get(table.id)).to_act
    version = (await house.tables.get(table.id)).version
    await corrupt(house, "UPDATE seats SET acts = 1 - acts WHERE table_id = ?", table.id)
    await corrupt(house, "DELETE FROM snapshots")
    await house.tables.show(table.id, ANN.id)
    after = await house.tables.get(table.id)
    assert after.to_act == {turn}
    assert after.version == version + 1
    assert await house.tables.check() == []
    await house.act(table, (ANN, BEN)[turn], "pass")


@pytest.mark.parametrize("how", ["an entry is lost", "the rules are newer", "an entry is nonsense"])
async def test_only_a_log_that_does_not_replay_sets_a_table_aside(house, how):
    table = await house.new(BEN)  # 12.5
    await house.bid_all(table)
    await corrupt(
        house,
        {
            "an entry is lost": "DELETE FROM actions WHERE seq = 2",
            "the rules are newer": "UPDATE tables SET rules = 999",
            "an entry is nonsense": "UPDATE actions SET action = '{}' WHERE seq = 1",
        }[how],
    )
    assert (await house.tables.show(table.id, ANN.id)).view.hand, "its snapshot is there"
    assert await house.tables.check()
    await corrupt(house, "DELETE FROM snapshots")
    assert await refusal(house.tables.show(table.id, ANN.id)) == "broken"
    assert await lines(house, table, "out-of-order") == ["out-of-order"]
    assert (await house.tables.get(table.id)).status == "broken"
    assert len(await house.tables.faults()) == 1


async def test_a_table_that_was_set_aside_and_replays_again_says_so(house):
    table = await house.new(BEN)
    await house.bid_all(table)
    row = await house.database.reads.one("SELECT action FROM actions WHERE seq = 1")
    await house.ruin(table)
    assert await refusal(house.tables.show(table.id, ANN.id)) == "broken"
    await corrupt(house, "UPDATE actions SET action = ? WHERE seq = 1", row["action"])
    await house.tables.show(table.id, ANN.id)
    await house.tables.show(table.id, BEN.id)
    codes = [post[2].get("code") for post in await house.posts("line")]
    assert [code for code in codes if code in ("out-of-order", "in-order")] == ["out-of-order", "in-order"]
    assert await house.tables.check() == []


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("name", "changes", "where"),
    [
        ("actions", "action = '{bad'", "seq = 1 AND table_id = ?"),
        ("actions", "action = '[1]'", "seq = 1 AND table_id = ?"),
        ("tables", "options = '{bad'", "id = ?"),
    ],
)
async def test_what_cannot_even_be_read_is_set_aside_with_its_record_and_the_rest_is_mended(
    house, name, changes, where
):
    table, other = await house.new(BEN), await house.new(CAT)
    await house.bid_all(table)
    await house.lose(name, changes, where, table.id)
    await corrupt(house, "UPDATE tables SET entries = 5 WHERE id = ?", other.id)
    done = await mend(house)
    aside, again = sorted(done, key=lambda line: "set aside" not in line)
    assert f"table {table.id}: set aside, its record is " in aside
    assert again.endswith(f"table {other.id}: its position is that of its log again")
    record = await asyncio.to_thread(Path(aside.rpartition(" is ")[2]).read_text)
    assert json.loads(record)["log"]
    assert await house.tables.check() == []
    (left,) = await house.tables.faults()
    assert left.text.startswith(f"table {table.id}: set aside since 2023-11-14 22:13 UTC: ")
    assert left.aside
    assert left.mend is None


async def test_a_log_that_does_not_replay_is_set_aside_with_its_record(house):
    table = await house.new(BEN)
    await house.bid_all(table)
    await corrupt(house, 'UPDATE actions SET action = \'{"kind": "nonsense"}\' WHERE seq = 1')
    (done,) = await mend(house)
    file = beside(house.path, ".set-aside") / f"table-{table.id}.json"
    assert str(file) in done
    kept = json.loads(file.read_text())
    assert kept["game"] == "duel"
    assert len(kept["log"]) == 2
    assert (await house.database.reads.one("SELECT count(*) AS n FROM actions"))["n"] == 2


async def lines(house, table, *codes):
    found = [post for post in await house.posts("line") if post[0] == f"table:{table.id}"]
    return [post[2]["code"] for post in found if post[2]["code"] in codes]


async def test_a_table_with_a_bad_log_stays_aside_over_restarts_though_its_position_loads(house):
    table, other = await house.new(BEN), await house.new(CAT)
    await house.bid_all(table)
    await corrupt(house, 'UPDATE actions SET action = \'{"kind": "nonsense"}\' WHERE seq = 1')
    await mend(house)
    for _ in range(3):
        await house.again()
        assert await refusal(house.tables.show(table.id, ANN.id)) == "broken"
        assert await refusal(house.tables.resign(table.id, ANN.id, next(house.ids))) == "broken"
        assert await mend(house) == []
    assert await lines(house, table, "out-of-order", "in-order") == ["out-of-order"]
    assert (await house.tables.get(table.id)).status == "broken"
    assert [(one.table.id, one.why) for one in await house.tables.stuck(1)] == [(table.id, "broken")]
    hand = (await house.tables.show(other.id, ANN.id)).view.hand
    await house.act(other, ANN, f"bid {hand[0]}")
    ended = await house.tables.end(1, table.id, CAT.id, next(house.ids))
    assert ended.status == "cancelled"
    assert await house.tables.faults() == []


@pytest.mark.parametrize("by", ["the start", "mending"])
async def test_a_table_that_was_set_aside_goes_on_once_its_log_is_whole_and_its_clock_stood(house, by):
    table = await house.new(BEN, words="seat=first clock=slow")
    await house.bid_all(table)
    row = await house.database.reads.one("SELECT action FROM actions WHERE seq = 1")
    before = (await house.tables.get(table.id)).seats
    await corrupt(house, "UPDATE actions SET action = '{\"kind\": 1}' WHERE seq = 1")
    await mend(house)
    house.clock.ms += 30 * 24 * 3600 * 1000
    await house.again()
    await house.tables.run_due()
    assert await refusal(house.tables.show(table.id, ANN.id)) == "broken"
    assert await house.posts("reminder") == [], "nobody is called to a table at which nobody can act"
    async with house.database.transaction() as tx:
        await tx.run("UPDATE actions SET action = ? WHERE seq = 1", (row["action"],))
    if by == "mending":
        (fault,) = await house.tables.faults()
        assert "it can go on" in fault.text
        await mend(house)
    await house.again()
    assert await lines(house, table, "out-of-order", "in-order", "flag") == ["out-of-order", "in-order"]
    assert await house.tables.faults() == []
    seats = (await house.tables.get(table.id)).seats
    now = house.clock.ms
    left = [s.bank if s.ticks_since is None else s.bank - (now - s.ticks_since) for s in seats]
    assert left == [seat.bank for seat in before]
    (turn,) = (await house.tables.get(table.id)).to_act
    await house.act(table, (ANN, BEN)[turn], "pass")
    await house.tables.run_due()
    assert await house.tables.check() == []


async def test_a_bot_at_a_table_that_goes_on_again_plays(house):
    table = await house.new(bot_seat=True)
    await house.tables.settled()
    await house.tables.resign(table.id, ANN.id, next(house.ids))
    table = await house.new(bot_seat=True)
    await house.tables.settled()
    hand = (await house.tables.show(table.id, ANN.id)).view.hand
    await house.act(table, ANN, f"bid {hand[0]}")
    await house.tables.settled()
    kept = await house.database.reads.all(
        "SELECT action FROM actions WHERE table_id = ? AND seq = 1", (table.id,)
    )
    await corrupt(house, "UPDATE actions SET action = '{}' WHERE seq = 1 AND table_id = ?", table.id)
    await mend(house)
    await house.again()
    await house.tables.settled()
    await corrupt(
        house, "UPDATE actions SET action = ? WHERE seq = 1 AND table_id = ?", kept[0]["action"], table.id
    )
    await house.tables.settled()
    assert await lines(house, table, "in-order") == ["in-order"]
    assert ANN.id in [seat.user_id for seat in (await house.tables.get(table.id)).seats if seat.user_id]
    assert (await house.tables.get(table.id)).to_act <= {0}


async def test_what_waits_for_nothing_is_found_and_mended(house):
    table = await house.tables.create(ANN, "duel", "", (await house.new(BEN)).place, interaction_id=1)
    async with house.database.transaction() as tx:
        await tx.run("UPDATE timers SET table_id = 98 WHERE kind = 'lobby'")
        await tx.run("INSERT INTO timers (kind, due_at) VALUES ('tea', 1)")
    faults = await house.tables.check()
    assert len(faults) == 2 + 1, faults
    assert f"table {table.id}: is open and will never close" in faults
    await mend(house)
    assert await house.tables.check() == []
