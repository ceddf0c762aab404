"""Time in which nobody could act counts for nobody (13.A2)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from db.repositories import outbox
from db.rows import OutboxRow
from tables.core.clocks import left
from tables.core.options import UNITS
from tables.core.places import Delivery
from tables.time.outages import ALIVE
from tests.tables.players import ANN, BEN, FakeClock

MINUTE, HOUR, DAY = UNITS["m"], UNITS["h"], UNITS["d"]
OLD = OutboxRow(1, 1, "table:1", "board", "{}", "1", "sent", 1, 0, None, None, None, 0, None)
LOSES = "seat=first clock=fast timeout=lose"


class SteadyClock(FakeClock):
    """A machine's clock that may be set, and the time that has passed really."""

    def __init__(self):
        super().__init__()
        self.passed = 0

    def steady(self):
        return self.passed

    def wait(self, ms):
        self.ms += ms
        self.passed += ms


async def down(house, ms):
    await house.end()
    house.clock.ms += ms
    await house.begin()


async def taken(house, table, created_at):
    """Discord took a post of then."""
    row = (await outbox.waiting(house.database.reads, f"table:{table.id}", most=1) or [OLD])[0]
    await house.tables.post_taken(replace(row, table_id=table.id, created_at=created_at), Delivery(1))


async def banks(house, table):
    now = house.clock.now()
    rows = await house.database.reads.all("SELECT * FROM seats WHERE table_id = ? ORDER BY seat", (table.id,))
    return [row["bank"] - (0 if row["ticks_since"] is None else now - row["ticks_since"]) for row in rows]


async def test_a_bot_that_was_down_for_four_days_costs_nobody_time_and_says_so(house):
    table = await house.new(BEN, words=LOSES)
    house.clock.ms += HOUR
    before = await banks(house, table)
    await down(house, 4 * DAY)
    await house.tables.run_due()
    assert (await house.tables.get(table.id)).status == "running"
    assert await banks(house, table) == before
    assert await house.posts("reminder") == []
    told = [post[2] for post in await house.posts("line")]
    assert [line["code"] for line in told] == ["outage"]
    house.clock.ms += 23 * HOUR
    await house.tables.run_due()
    assert len(await house.posts("reminder")) == 1, "it comes when it would have come, four days later"


async def test_a_short_stop_counts_and_is_not_told(house):
    table = await house.new(BEN, words=LOSES)
    before = await banks(house, table)
    await down(house, 3 * MINUTE)
    assert [a - b for a, b in zip(before, await banks(house, table), strict=True)] == [3 * MINUTE] * 2
    assert await house.posts("line") == []


async def test_four_hundred_tables_do_not_lose_at_once(house):
    made = [await house.new(BEN, words=LOSES) for _ in range(20)]
    await down(house, 30 * DAY)
    await house.tables.run_due()
    assert [(await house.tables.get(table.id)).status for table in made] == ["running"] * 20


async def test_without_a_clock_a_silence_in_which_nobody_could_act_lets_nobody_claim(house):
    table = await house.new(BEN)
    await house.bid_all(table)
    await down(house, 20 * DAY)
    since = [seat.acts_since for seat in (await house.tables._house.load(table.id)).seats if seat.acts]
    assert all(house.clock.now() - at < HOUR for at in since)


async def test_a_lobby_stays_open_for_as_long_as_it_would_have(house):
    table = await house.new()
    await down(house, 10 * DAY)
    await house.tables.run_due()
    assert (await house.tables.get(table.id)).status == "open"
    house.clock.ms += 7 * DAY
    await house.tables.run_due()
    assert (await house.tables.get(table.id)).status == "cancelled"


async def test_an_outage_that_a_crash_cut_off_is_given_back_once(house):
    tables = [await house.new(BEN, words=LOSES) for _ in range(3)]
    before = [await banks(house, table) for table in tables]
    await house.end()
    house.clock.ms += 4 * DAY
    count, real = 0, house.database.transaction
    assert real is not None

    from tables.time import outages

    give = outages.give_time

    async def dies(*args):
        nonlocal count
        count += 1
        if count == 2:
            raise RuntimeError("killed")
        await give(*args)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(outages, "give_time", dies)
        with pytest.raises(RuntimeError):
            await house.begin()
    await house.database.close()
    await house.begin()
    assert [await banks(house, table) for table in tables] == before


async def test_while_the_process_lives_time_counts(house):
    table = await house.new(BEN, words=LOSES)
    before = await banks(house, table)
    for _ in range(60):
        house.clock.ms += MINUTE
        await house.tables.alive()
    assert [a - b for a, b in zip(before, await banks(house, table), strict=True)] == [HOUR] * 2
    marked = await house.database.reads.one("SELECT value FROM meta WHERE key = ?", (ALIVE,))
    assert int(marked["value"]) == house.clock.now()


async def test_what_could_not_be_written_down_for_days_counts_for_nobody(house):
    table = await house.new(BEN, words=LOSES)
    before = await banks(house, table)
    house.clock.ms += 4 * DAY  # the disk was full: no mark came through
    await house.tables.alive()
    await house.tables.run_due()
    assert (await house.tables.get(table.id)).status == "running"
    assert await banks(house, table) == before


async def test_while_discord_takes_no_posts_nothing_falls_due_and_the_time_counts_for_nobody(house):
    table = await house.new(BEN, words=LOSES)
    before = await banks(house, table)
    house.tables.post_failed(f"table:{table.id}", everywhere=True)
    house.clock.ms += 5 * DAY
    await house.tables.alive()
    await house.tables.run_due()
    assert await house.posts("reminder") == []
    assert await house.tables.next_due() > house.clock.now(), "it looks again in a minute, not all the time"
    await taken(house, table, house.clock.now())
    await house.tables.run_due()
    assert (await house.tables.get(table.id)).status == "running"
    assert await banks(house, table) == before


async def test_while_discord_is_not_heard_the_time_counts_for_nobody(house):
    table = await house.new(BEN, words=LOSES)
    before = await banks(house, table)
    await house.tables.alive(heard=False)
    house.clock.ms += 5 * DAY
    await house.tables.run_due()
    assert (await house.tables.get(table.id)).status == "running"
    await house.tables.alive()
    await house.tables.run_due()
    assert await banks(house, table) == before


async def test_a_server_that_discord_cannot_reach_stands(house):
    table = await house.new(BEN, words=LOSES)
    before = await banks(house, table)
    await house.tables.out_of_reach(1)
    house.clock.ms += 5 * DAY
    await house.tables.run_due()
    assert (await house.tables.get(table.id)).status == "running"
    await house.tables.within_reach(1)
    await house.tables.run_due()
    assert await banks(house, table) == before
    assert [post[2]["code"] for post in await house.posts("line")] == ["outage"]


async def test_a_turn_that_was_never_posted_is_never_lost(house):
    table = await house.new(BEN, words=LOSES)
    async with house.database.transaction() as tx:  # it was tried, and Discord had trouble there
        await tx.run("UPDATE outbox SET attempts = 3 WHERE state = 'queued'")
    created = house.clock.now()
    house.clock.ms += 5 * DAY
    await house.tables.run_due()
    assert (await house.tables.get(table.id)).status == "running"
    async with house.database.transaction() as tx:
        await tx.run("UPDATE outbox SET state = 'sent', done_at = ?", (house.clock.now(),))
    await taken(house, table, created)
    await house.tables.run_due()
    assert (await house.tables.get(table.id)).status == "running"
    assert await banks(house, table) == [3 * DAY] * 2
    assert (await house.tables.get(table.id)).seats[0].bank is not None


@pytest.mark.parametrize("user", [ANN])
async def test_a_clock_that_is_ahead_for_a_moment_takes_nobodys_time(house, user):
    await house.end()
    house.clock = SteadyClock()
    await house.begin()
    table = await house.new(BEN, words=LOSES)
    before = await banks(house, table)
    house.clock.ms += 30 * DAY
    await house.tables.run_due()
    assert (await house.tables.get(table.id)).status == "running"
    view = (await house.tables.show(table.id, user.id)).view
    await house.act(table, user, f"bid {view.hand[0]}")
    house.clock.ms -= 30 * DAY
    house.clock.wait(MINUTE)
    await house.tables.run_due()
    await house.tables.alive()
    seats = (await house.tables._house.load(table.id)).seats
    assert (await house.tables.get(table.id)).status == "running"
    assert all(seat.ticks_since is None or seat.ticks_since <= house.clock.now() for seat in seats)
    shown = [left(seat, house.clock.now()) for seat in seats]
    assert all(abs(a - b) <= HOUR * 13 for a, b in zip(shown, before, strict=True)), "an increment at most"
    house.clock.wait(11 * MINUTE)
    await house.tables.alive()
    house.clock.wait(23 * HOUR)
    await house.tables.run_due()
