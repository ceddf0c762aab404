"""Months in minutes: reminders, quiet hours, vacations, pauses and clocks, on a clock that the test turns."""

from __future__ import annotations

import json
import shutil
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from db import sqlite
from db.database import Database
from db.rows import UserRow
from tables import timing
from tables.core import clocks
from tables.core.model import Vote
from tables.core.options import UNITS, read_clock, read_words
from tables.core.quiet import quiet_until
from tables.service import Tables
from tables.time import absences, reminders
from tests.tables.players import ANN, BEN, CAT, lived
from tests.tables.test_tables_play import refusal

DAY, HOUR, MINUTE = UNITS["d"], UNITS["h"], UNITS["m"]


def at(zone: str, year: int, month: int, day: int, hour: int, minute: int) -> int:
    return int(datetime(year, month, day, hour, minute, tzinfo=ZoneInfo(zone)).timestamp() * 1000)


async def live_until(house, end):
    """Turns the clock, as the bot's alarm would: from one due timer to the next."""
    while (due := await house.tables.next_due()) is not None and due <= end:
        house.clock.ms = max(house.clock.ms, due)
        await house.tables.run_due()
    house.clock.ms = end
    await house.tables.run_due()


async def reminded(house, user=None):
    """When and whom reminders were posted."""
    rows = await house.database.reads.all("SELECT * FROM outbox WHERE kind = 'reminder' ORDER BY id")
    return [
        (row["created_at"], json.loads(row["payload"])["mention"])
        for row in rows
        if user is None or user.id in json.loads(row["payload"])["mention"]
    ]


async def lines(house):
    return [post[2]["code"] for post in await house.posts("line")]


# -- reminders -----------------------------------------------------------------------------


async def test_a_month_of_silence_is_four_reminders_ever_rarer_and_a_line(house):
    table = await house.new(BEN)
    start = house.clock.ms
    await live_until(house, start + 60 * DAY)
    days = [(when - start) // DAY for when, _ in await reminded(house)]
    assert days == [1, 3, 7, 15]
    assert all(set(mention) == {ANN.id, BEN.id} for _, mention in await reminded(house))
    assert await lines(house) == ["reminders-stopped"]
    assert (await house.tables.get(table.id)).status == "running"


async def test_only_who_is_missing_is_reminded_and_a_turn_done_ends_it(house):
    table = await house.new(BEN)
    start = house.clock.ms
    view = (await house.tables.show(table.id, ANN.id)).view
    await house.act(table, ANN, f"bid {view.hand[0]}")
    await live_until(house, start + 2 * DAY)
    assert await reminded(house) == [(start + DAY, [BEN.id])]
    view = (await house.tables.show(table.id, BEN.id)).view
    await house.act(table, BEN, f"bid {view.hand[0]}")
    winner = (
        ANN
        if (await house.tables.get(table.id)).seat_of(ANN.id) in (await house.tables.get(table.id)).to_act
        else BEN
    )
    now = house.clock.ms
    await live_until(house, now + 2 * DAY)
    assert (await reminded(house))[1:] == [(now + DAY, [winner.id])]


async def test_actions_within_a_turn_do_not_put_a_reminder_off(house):
    table = await house.new(BEN)
    winner = await house.bid_all(table)
    start = house.clock.ms
    house.clock.ms += 20 * HOUR
    await house.act(table, winner, "step")
    await live_until(house, start + DAY)
    assert await reminded(house) == [(start + DAY, [winner.id])]


async def test_the_interval_is_each_players_own_and_zero_is_never(house):
    await house.tables.prefer(ANN, {"remind_hours": 0})
    await house.tables.prefer(BEN, {"remind_hours": 6})
    await house.new(BEN)
    start = house.clock.ms
    await live_until(house, start + 5 * DAY)
    hours = [((when - start) // HOUR, mention) for when, mention in await reminded(house)]
    assert hours == [(6, [BEN.id]), (18, [BEN.id]), (42, [BEN.id]), (90, [BEN.id])]
    await house.tables.prefer(ANN, {"remind_hours": 24})  # is heard at once by what waits
    await live_until(house, house.clock.ms + HOUR)
    assert len(await reminded(house, ANN)) == 1


async def test_not_now_puts_the_next_one_off_by_a_day(house):
    table = await house.new(BEN)
    start = house.clock.ms
    house.clock.ms += 23 * HOUR
    assert await house.tables.snooze(table.id, ANN.id) == start + 47 * HOUR
    await live_until(house, start + 2 * DAY)
    assert [mention for _, mention in await reminded(house)] == [[BEN.id], [ANN.id]]
    assert (await refusal(house.tables.snooze(table.id, CAT.id))).code == "not-seated"


@pytest.mark.parametrize(("hours", "days"), [(48, [2, 6, 14, 28]), (24, [1, 3, 7, 15]), (6, [0, 1, 2, 4])])
async def test_not_now_never_brings_a_reminder_forward(house, hours, days):
    await house.tables.prefer(ANN, {"remind_hours": hours})
    table = await house.new(BEN)
    start = house.clock.ms
    heard: list[tuple[int, list[int]]] = []
    while (due := await house.tables.next_due()) is not None and len(heard) < reminders.MOST:
        house.clock.ms = due
        await house.tables.run_due()
        if len(mine := await reminded(house, ANN)) > len(heard):
            heard = mine
            house.clock.ms += HOUR
            until = await house.tables.snooze(table.id, ANN.id)
            assert until >= house.clock.ms + DAY
    assert [(when - start) // DAY for when, _ in heard] == days
    last = house.clock.ms
    await live_until(house, last + 60 * DAY)
    (more,) = (await reminded(house, ANN))[reminders.MOST :]  # asked for after the last one, and no more
    assert more[0] == last + max(DAY, hours * HOUR)


async def test_not_now_reminds_nobody_who_wants_no_reminders(house):
    await house.tables.prefer(ANN, {"remind_hours": 0})
    table = await house.new(BEN)
    assert (await refusal(house.tables.snooze(table.id, ANN.id))).code == "no-reminders"
    await live_until(house, house.clock.ms + 60 * DAY)
    assert await reminded(house, ANN) == []


async def test_quiet_hours_hold_over_a_change_of_daylight_saving(house):
    zone = "Europe/Budapest"  # 2026-03-29: 02:00 becomes 03:00
    await house.tables.prefer(ANN, {"zone": zone, "quiet_from": 22 * 60, "quiet_to": 8 * 60})
    house.clock.ms = at(zone, 2026, 3, 27, 23, 0)
    await house.new(BEN)
    await live_until(house, at(zone, 2026, 4, 20, 12, 0))
    heard = [datetime.fromtimestamp(when / 1000, ZoneInfo(zone)) for when, _ in await reminded(house, ANN)]
    assert heard[0] == datetime(2026, 3, 29, 8, 0, tzinfo=ZoneInfo(zone))
    assert len(heard) == 4
    assert all(8 <= when.hour < 22 for when in heard)
    ben = [when for when, _ in await reminded(house, BEN)]
    assert ben[0] == at(zone, 2026, 3, 27, 23, 0) + DAY  # who has no quiet hours is not held up


@pytest.mark.parametrize(
    ("when", "until"),
    [
        ((2026, 3, 28, 23, 30), (2026, 3, 29, 8, 0)),
        ((2026, 3, 29, 1, 59), (2026, 3, 29, 8, 0)),
        ((2026, 10, 25, 2, 30), (2026, 10, 25, 8, 0)),
        ((2026, 10, 24, 21, 59), None),
        ((2026, 10, 25, 8, 0), None),
    ],
)
def test_the_end_of_quiet_hours_is_a_time_of_the_wall_clock(when, until):
    zone = "Europe/Budapest"
    user = UserRow(1, "Ann", None, None, True, zone=zone, quiet_from=22 * 60, quiet_to=8 * 60)
    assert quiet_until(user, at(zone, *when)) == (None if until is None else at(zone, *until))


def test_quiet_hours_that_end_in_the_missing_or_the_doubled_hour_end_after_now():
    zone = "Europe/Budapest"
    user = UserRow(1, "Ann", None, None, True, zone=zone, quiet_from=23 * 60, quiet_to=2 * 60 + 30)
    for day in ((2026, 3, 29), (2026, 10, 25)):
        now = at(zone, *day, 0, 0)
        for minute in range(0, 300, 7):
            until = quiet_until(user, now + minute * MINUTE)
            assert until is None or until > now + minute * MINUTE


@pytest.mark.parametrize(
    ("zone", "hours", "when", "until"),  # in the zone's own time, with `fold`
    [
        ("Europe/Budapest", (23, 0, 2, 30), (2026, 3, 29, 1, 10), (2026, 3, 29, 3, 0, 0)),  # no 02:30
        ("Asia/Jerusalem", (23, 0, 2, 30), (2026, 3, 27, 0, 10), (2026, 3, 27, 3, 0, 0)),
        ("Europe/Budapest", (2, 0, 3, 0), (2026, 10, 25, 2, 30), (2026, 10, 25, 3, 0, 1)),  # both hours
        ("Europe/Budapest", (23, 0, 2, 30), (2026, 10, 25, 2, 10), (2026, 10, 25, 2, 30, 0)),
        ("Asia/Jerusalem", (23, 0, 1, 30), (2026, 10, 25, 1, 10), (2026, 10, 25, 1, 30, 0)),
        ("Australia/Lord_Howe", (23, 0, 1, 45), (2026, 4, 5, 1, 31), (2026, 4, 5, 1, 45, 0)),  # half an hour
        ("Asia/Tokyo", (23, 0, 2, 30), (2026, 3, 29, 1, 10), (2026, 3, 29, 2, 30, 0)),
        ("America/Santiago", (22, 0, 0, 30), (2026, 9, 5, 23, 0), (2026, 9, 6, 1, 0, 0)),  # no midnight
    ],
)
def test_quiet_hours_end_at_the_minute_over_every_kind_of_change(zone, hours, when, until):
    start, end = hours[0] * 60 + hours[1], hours[2] * 60 + hours[3]
    user = UserRow(1, "Ann", None, None, True, zone=zone, quiet_from=start, quiet_to=end)
    year, month, day, hour, minute, fold = until
    expected = datetime(year, month, day, hour, minute, fold=fold, tzinfo=ZoneInfo(zone)).timestamp() * 1000
    assert quiet_until(user, at(zone, *when)) == expected
    assert quiet_until(user, at(zone, *when) + 17_123) == expected, "seconds count for nothing"


def test_the_second_of_two_equal_hours_is_quiet_as_well():
    zone = "Europe/Budapest"
    user = UserRow(1, "Ann", None, None, True, zone=zone, quiet_from=23 * 60, quiet_to=150)
    again = datetime(2026, 10, 25, 2, 10, fold=1, tzinfo=ZoneInfo(zone))
    end = datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=ZoneInfo(zone))
    assert quiet_until(user, int(again.timestamp() * 1000)) == end.timestamp() * 1000


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("words", "days", "kinds"),
    [
        ("", 1, {"reminder": 1}),
        ("clock=fast", 3, {"reminder": 1, "claim": 1}),
        ("timeout=lose clock=fast", 3, {"reminder": 1, "over": 1}),
    ],
)
async def test_a_crash_between_the_work_and_the_timers_end_shows_nothing_twice(
    house, monkeypatch, tmp_path, words, days, kinds
):
    await house.new(BEN, words=f"seat=first {words}".strip())
    house.clock.ms += days * DAY
    await lived(house)
    copies: list[Path] = []
    real = sqlite.carry_out

    def copying(connection, step):
        made = tmp_path / f"copy{len(copies)}.db"
        for end in ("", "-wal"):
            shutil.copy(f"{house.path}{end}", f"{made}{end}")
        copies.append(made)
        return real(connection, step)

    monkeypatch.setattr(sqlite, "carry_out", copying)
    await house.tables.run_due()
    monkeypatch.setattr(sqlite, "carry_out", real)
    assert len(copies) > 3
    for made in copies:
        opened = await Database.open(made, busy_ms=50)
        tables = Tables(opened, house.clock, house.thinker, lambda: None)
        await tables.start_up()  # a new process does what is due
        await tables.run_due()
        rows = await opened.reads.all("SELECT kind, count(*) AS n FROM outbox GROUP BY kind")
        faults = await tables.check()
        await tables.close()
        await opened.close()
        posted = {row["kind"]: row["n"] for row in rows}
        assert {kind: posted[kind] for kind in kinds} == kinds, made
        assert faults == []


async def test_a_fault_while_reminding_leaves_the_timer_for_the_next_try(house, monkeypatch):
    await house.new(BEN)
    house.clock.ms += DAY

    def broken(*_):
        raise RuntimeError("crash")

    with monkeypatch.context() as patched:
        patched.setattr(reminders, "posts", broken)
        await house.tables.run_due()
    assert await reminded(house) == []
    house.clock.ms += timing.AGAIN_MS
    await house.tables.run_due()
    await house.tables.run_due()
    assert len(await reminded(house)) == 1


async def test_a_fault_at_one_table_holds_up_no_other(house, monkeypatch):
    bad, good = await house.new(BEN), await house.new(CAT)
    house.clock.ms += DAY
    real = reminders.due

    async def work(inner, timer):
        if timer.table_id == bad.id:
            raise RuntimeError("a fault of ours")
        await real(inner, timer)

    monkeypatch.setitem(timing.WORK, reminders.REMIND, work)
    await house.tables.run_due()
    assert [post[0] for post in await house.posts("reminder")] == [f"table:{good.id}"]


async def test_who_is_next_is_told_once_where_he_wants_to(house):
    table = await house.new(BEN, CAT, words="seat=first three=true")
    if table.status == "open":
        table = await house.tables.start(table.id, ANN.id, next(house.ids))
    for user in (ANN, BEN, CAT):
        await house.tables.prefer(user, {"next_ping": True})
    bids = [((await house.tables.show(table.id, user.id)).view.hand[0], user) for user in (ANN, BEN, CAT)]
    for card, user in sorted(bids, key=lambda bid: -bid[0]):  # so who bids last does not win
        await house.act(table, user, f"bid {card}")
    table = await house.tables.get(table.id)
    (turn,) = table.to_act
    post = (await house.posts("board"))[-1][2]
    assert post["next"] == (turn + 1) % 3
    users = [seat.user_id for seat in table.seats]
    assert post["mention"] == sorted([users[turn], users[(turn + 1) % 3]])
    mover = next(user for user in (ANN, BEN, CAT) if user.id == users[turn])
    await house.act(table, mover, "step")
    assert "next" not in (await house.posts("board"))[-1][2]


async def as_before_reminders(house):
    """The database of a version that knew no reminders, and the new one's start."""
    async with house.database.transaction() as tx:
        await tx.run("DELETE FROM timers WHERE kind = ?", (reminders.REMIND,))
        await tx.run("DELETE FROM meta WHERE key = ?", (reminders.ARMED,))
    await house.again()


async def test_a_table_that_ran_before_there_were_reminders_has_them_from_the_next_start(house):
    await house.new(BEN)
    await house.tables.prefer(BEN, {"remind_hours": 0})
    start = house.clock.ms
    house.clock.ms += 6 * HOUR
    await as_before_reminders(house)
    await live_until(house, start + 40 * DAY)
    days = [((when - start) // DAY, mention) for when, mention in await reminded(house)]
    assert days == [(1, [ANN.id]), (3, [ANN.id]), (7, [ANN.id]), (15, [ANN.id])]
    assert await lines(house) == ["reminders-stopped"]
    await house.again()  # once for a database: what has stopped does not begin again
    await live_until(house, house.clock.ms + 40 * DAY)
    assert len(await reminded(house)) == 4


async def test_a_table_that_was_silent_for_months_before_is_reminded_once(house):
    await house.new(BEN)
    house.clock.ms += 90 * DAY
    await as_before_reminders(house)
    await live_until(house, house.clock.ms + 60 * DAY)
    assert len(await reminded(house)) == 1
    assert await lines(house) == ["reminders-stopped"]


# -- vacations and pauses -------------------------------------------------------------------------


async def test_a_vacation_stops_reminders_and_clock_and_its_end_tells_once(house):
    table = await house.new(BEN, words="seat=first clock=fast")
    hand = (await house.tables.show(table.id, BEN.id)).view.hand
    await house.act(table, BEN, f"bid {hand[0]}")
    start = house.clock.ms
    house.clock.ms += 6 * HOUR
    await house.tables.vacation(ANN, house.clock.ms + 10 * DAY)
    await live_until(house, start + 10 * DAY)
    assert await reminded(house) == []
    assert await house.posts("claim") == []
    seat = (await house.tables.get(table.id)).seats[0]
    assert (seat.away, seat.bank, seat.ticks_since) == (True, 3 * DAY - 6 * HOUR, None)
    assert (await refusal(house.tables.claim(table.id, BEN.id, None, 1))).code == "not-waiting"
    await live_until(house, start + 10 * DAY + 7 * HOUR)
    assert await lines(house) == ["away", "returned"]
    assert not (await house.tables.get(table.id)).seats[0].away
    await live_until(house, start + 13 * DAY + HOUR)
    assert len(await house.posts("claim")) == 1


async def test_who_is_away_is_not_pinged_by_boards_and_a_table_that_starts_knows_it(house):
    await house.tables.vacation(BEN, house.clock.ms + 5 * DAY)
    await house.new(BEN)
    assert (await house.posts("board"))[-1][2]["mention"] == [ANN.id]
    await house.tables.vacation(BEN, None)
    assert await lines(house) == ["away", "returned"]


async def test_a_crash_in_a_vacation_is_finished_later_and_told_once(house, monkeypatch):
    first, second = await house.new(BEN), await house.new(CAT)
    real, seen = absences.set_away, list[int]()

    async def crashing(inner, table_id, user_id, until):
        if seen:
            raise RuntimeError("crash")
        seen.append(table_id)
        await real(inner, table_id, user_id, until)

    with monkeypatch.context() as patched:
        patched.setattr(absences, "set_away", crashing)
        with pytest.raises(RuntimeError):
            await house.tables.vacation(ANN, house.clock.ms + DAY)
    await house.again()
    assert [(await house.tables.get(t.id)).seats[0].away for t in (first, second)] == [True, True]
    assert await lines(house) == ["away", "away"]


async def test_a_pause_wants_consent_stops_the_clock_and_anybody_ends_it(house):
    table = await house.new(BEN, words="seat=first clock=fast")
    asked = await house.tables.pause(table.id, ANN.id, next(house.ids))
    assert isinstance(asked, Vote)
    assert (await house.tables.get(table.id)).paused_at is None
    await house.tables.vote(asked.id, BEN.id, True, next(house.ids))
    assert (await house.tables.get(table.id)).paused_at == house.clock.ms
    await live_until(house, house.clock.ms + 30 * DAY)
    assert await reminded(house) == []
    assert await house.posts("claim") == []
    resumed = await house.tables.pause(table.id, BEN.id, next(house.ids))
    assert resumed.paused_at is None
    assert resumed.seats[0].bank == 3 * DAY
    start = house.clock.ms
    await live_until(house, start + 2 * DAY)
    assert [when - start for when, _ in await reminded(house)] == [DAY]


# -- clocks --------------------------------------------------------------------------------------


async def test_a_clock_is_read_at_each_turn_and_never_over_its_cap(house):
    table = await house.new(BEN, words="seat=first clock=custom bank=2d increment=1d cap=2d")
    house.clock.ms += 12 * HOUR
    winner = await house.bid_all(table)
    banks = [seat.bank for seat in (await house.tables.get(table.id)).seats]
    loser_seat = 1 - (await house.tables.get(table.id)).seat_of(winner.id)
    assert banks[loser_seat] == 2 * DAY  # 36 hours left, a day more, not over two days
    house.clock.ms += 6 * HOUR
    await house.act(table, winner, "step")
    seat = (await house.tables.get(table.id)).seats[1 - loser_seat]
    had = 48 * HOUR if winner is ANN else 36 * HOUR  # who bid last is still in his turn
    assert clocks.left(seat, house.clock.ms) == had - 6 * HOUR
    house.clock.ms += 2 * HOUR
    await house.again()
    seat = (await house.tables.get(table.id)).seats[1 - loser_seat]
    assert clocks.left(seat, house.clock.ms) == had - 8 * HOUR


async def test_running_out_is_told_once_and_only_lets_the_other_claim(house):
    table = await house.new(BEN, words="seat=first clock=fast")
    hand = (await house.tables.show(table.id, BEN.id)).view.hand
    await house.act(table, BEN, f"bid {hand[0]}")
    early = await refusal(house.tables.claim(table.id, BEN.id, None, 5))
    assert early.code == "not-absent"
    await live_until(house, house.clock.ms + 20 * DAY)
    assert len(await house.posts("claim")) == 1
    assert (await house.tables.get(table.id)).status == "running"
    done = await house.tables.claim(table.id, BEN.id, None, 6)
    assert (done.status, done.result["reason"], done.result["winners"]) == ("over", "claimed", [1])
    assert (await house.tables.claim(table.id, BEN.id, None, 6)).status == "over"
    assert await house.tables.check() == []


async def test_nobody_is_claimed_while_the_table_is_paused(house):
    table = await house.new(BEN, words="seat=first clock=fast")
    hand = (await house.tables.show(table.id, BEN.id)).view.hand
    await house.act(table, BEN, f"bid {hand[0]}")
    await live_until(house, house.clock.ms + 4 * DAY)
    asked = await house.tables.pause(table.id, ANN.id, next(house.ids))
    await house.tables.vote(asked.id, BEN.id, True, next(house.ids))
    assert (await refusal(house.tables.claim(table.id, BEN.id, 0, 6))).code == "not-waiting"


async def test_who_acts_after_his_time_plays_on_and_cannot_be_claimed(house):
    table = await house.new(BEN, words="seat=first clock=fast")
    hand = (await house.tables.show(table.id, BEN.id)).view.hand
    await house.act(table, BEN, f"bid {hand[0]}")
    await live_until(house, house.clock.ms + 4 * DAY)
    hand = (await house.tables.show(table.id, ANN.id)).view.hand
    await house.act(table, ANN, f"bid {hand[0]}")
    seat = (await house.tables.get(table.id)).seats[0]
    assert seat.bank == 12 * HOUR
    code = (await refusal(house.tables.claim(table.id, BEN.id, 0, 6))).code
    assert code in {"not-absent", "not-waiting"}


async def test_a_table_may_choose_that_running_out_loses(house):
    table = await house.new(BEN, words="seat=first clock=fast timeout=lose")
    hand = (await house.tables.show(table.id, ANN.id)).view.hand
    await house.act(table, ANN, f"bid {hand[0]}")
    await live_until(house, house.clock.ms + 4 * DAY)
    table = await house.tables.get(table.id)
    assert (table.status, table.result["winners"], table.result["reason"]) == ("over", [0], "claimed")


async def test_another_clock_is_agreed_on(house):
    table = await house.new(BEN)
    asked = await house.tables.change_clock(table.id, ANN.id, "clock=custom bank=5d", next(house.ids))
    assert asked.about["words"] == "clock=custom bank=5d"
    await house.tables.vote(asked.id, BEN.id, True, next(house.ids))
    table = await house.tables.get(table.id)
    assert table.table_options["clock"] == "custom"
    assert [seat.bank for seat in table.seats] == [5 * DAY] * 2
    asked = await house.tables.change_clock(table.id, BEN.id, "none", next(house.ids))
    await house.tables.vote(asked.id, ANN.id, True, next(house.ids))
    assert [seat.bank for seat in (await house.tables.get(table.id)).seats] == [None] * 2
    await live_until(house, house.clock.ms + 10 * DAY)
    assert await house.posts("claim") == []


@pytest.mark.parametrize("words", ["clock=custom bank=soon", "clock=blitz", "timeout=die", "bank=9999d"])
def test_a_clock_that_cannot_be_read_is_refused(words):
    for read in (read_words, read_clock):
        with pytest.raises(Exception, match="bad-option"):
            read("kamisado", words)


def test_slow_is_short_for_a_clock():
    assert read_clock("kamisado", "Slow").clock == "slow"
    assert read_clock("kamisado", "bank=2d").clock == "custom"
