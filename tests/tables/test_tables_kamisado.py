"""A whole match of a real game against the real opponent in its worker process."""

from __future__ import annotations

import asyncio

import pytest

from engines.protocol import Ready
from engines.record import fold, read_record
from tables.core.errors import TableError
from tests.tables.players import ANN, BEN, CAT
from workers.thinking import Opponents


async def test_a_match_against_the_bot_is_played_to_its_end_with_a_restart_in_between(house):
    await house.end()
    house.thinker = Opponents()
    await house.begin()
    table = await house.new(game="kamisado", words="match=single level=easy seat=last", bot_seat=True)
    for turn in range(60):
        if turn == 2:
            await house.end()
            house.thinker = Opponents()
            await house.begin()
        await house.tables.settled()
        if (await house.tables.get(table.id)).status == "over":
            break
        texts = await house.tables.complete(table.id, ANN.id, 10, "")
        await house.act(table, ANN, texts[turn % len(texts)])
    ended = await house.tables.get(table.id)
    assert ended.status == "over"
    data = await house.tables.export(table.id, ANN.id)
    assert data["result"] == ended.result
    record = {key: value for key, value in data.items() if key not in ("players", "result")}
    assert len(fold(read_record(record)).plies) == ended.version - 1
    kinds = [kind for _, kind, _ in await house.posts()]
    assert kinds.count("over") == 1
    assert "hand" not in kinds


async def test_a_quick_game_offers_what_may_be_done_without_a_way_to_a_thread(house, monkeypatch):
    table = await house.new(BEN, game="kamisado", words="match=single seat=first")
    await house.tables.panel(table.id, ANN.id)

    def never(*_):
        raise AssertionError("a thread was asked")

    with monkeypatch.context() as without:
        without.setattr(house.tables._house.hints, "run", never)
        without.setattr(asyncio, "to_thread", never)
        assert "d8-d3" in await house.tables.complete(table.id, ANN.id, 10, "d8")
        assert isinstance((await house.tables.panel(table.id, ANN.id, ("0", "0"))).step, Ready)


async def test_a_typed_action_of_a_game_without_warnings_waits_for_the_table_once(house):
    table = await house.new(BEN, game="kamisado", words="match=single seat=first")
    async with house.tables._house.lock(table.id):
        assert await asyncio.wait_for(house.tables.doubt(table.id, ANN.id, "d8-d3"), 5) is None
    with pytest.raises(TableError, match="not-seated"):
        await house.act(table, CAT, "d8-d3")


@pytest.mark.sqlite  # PostgreSQL tells its plans in other words, and has no rows here to plan for
async def test_what_a_start_reads_is_found_by_an_index(house):
    for index, sql in (
        (
            "seats_of_bots",
            "SELECT table_id FROM seats WHERE level IS NOT NULL AND acts = 1 ORDER BY table_id",
        ),
        ("timers_due", "SELECT min(due_at) AS due FROM timers"),
        ("timers_due", "SELECT * FROM timers WHERE due_at <= 5 ORDER BY due_at, id LIMIT 100"),
        ("tables_running", "SELECT id FROM tables WHERE status = 'running' AND id > 3 ORDER BY id LIMIT 9"),
        (
            "outbox_waiting",
            "SELECT destination, min(id) FROM outbox WHERE state IN ('queued', 'flying') GROUP BY 1",
        ),
    ):
        plan = " ".join(row["detail"] for row in await house.database.reads.all(f"EXPLAIN QUERY PLAN {sql}"))
        assert index in plan, (sql, plan)
