"""A month and more of six tables, over a change of daylight saving in spring and one in autumn.

Ann lives in Budapest, Ben in Tokyo (which has no summer time), Cat in Jerusalem (which changes on another
day in spring), Dan has no quiet hours. Times are written as each of them reads them on the wall.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from engines.capabilities import random_action
from engines.chance import Chance
from tables.core import clocks
from tables.core.model import User
from tables.core.options import UNITS
from tests.tables.players import ANN, BEN, CAT, DAN, PLACE
from tests.tables.test_tables_time import live_until

DAY, HOUR = UNITS["d"], UNITS["h"]
ZONES = {ANN: "Europe/Budapest", BEN: "Asia/Tokyo", CAT: "Asia/Jerusalem", DAN: "UTC"}
NAMES = {user.id: user.name for user in ZONES}
DAYS = 40


def on_the_wall(user, ms: int) -> str:
    """`03-29 08:00` where this player lives; `*` in the second of two equal hours."""
    here = datetime.fromtimestamp(ms / 1000, ZoneInfo(ZONES[user]))
    assert here.second == here.microsecond == 0
    return f"{here:%m-%d %H:%M}{'*' * here.fold}"


@dataclass(frozen=True)
class Season:
    """When it all begins, who sleeps when, and what is expected."""

    begin: datetime
    quiet: dict[User, tuple[str, str]]
    late: tuple[float, float]  # hours after the beginning at which Cat has to act, a day before the change
    reminders: dict[str, dict[str, list[str]]]


class Month:
    """The tables, with every turn that began, so that pings can be counted against them."""

    def __init__(self, house, season):
        self.house, self.season = house, season
        self.turns: Counter[tuple[int, int]] = Counter()
        self.number = 0

    def at(self, hours: float) -> int:
        return int(self.season.begin.timestamp() * 1000 + hours * HOUR)

    async def until(self, hours: float):
        await live_until(self.house, self.at(hours))

    async def open(self, game, words, creator, *guests):
        table = await self.house.tables.create(
            creator, game, words, PLACE, opponents=guests, guild_locale="en-GB", interaction_id=self.next()
        )
        for guest in guests:
            table = await self.house.tables.join(table.id, guest, self.next())
        if table.status == "open":
            table = await self.house.tables.start(table.id, creator.id, self.next())
        assert table.status == "running"
        self.begun(table, frozenset())
        return table

    def next(self) -> int:
        self.number += 1
        return self.number

    def begun(self, table, before):
        for seat in table.to_act - before:
            self.turns[table.id, table.seats[seat].user_id] += 1

    async def do(self, table, user, action):
        before = (await self.house.tables.get(table.id)).to_act
        await self.house.tables.act(table.id, user.id, action, interaction_id=self.next())
        self.begun(await self.house.tables.get(table.id), before)

    async def turn(self, table, user):
        """Actions of any kind until the user has to act no more; how many."""
        for count in range(200):
            loaded = await self.house.tables._house.look(table.id)
            seat = loaded.seat_of(user.id)
            if seat not in loaded.to_act:
                return count
            action = random_action(loaded.engine, loaded.state, seat, Chance(b"month", loaded.row.entries))
            await self.do(table, user, loaded.engine.format(action))
        raise AssertionError("a turn without an end")

    async def turn_of_bids(self, table, user):
        """The user's bid in the game of bids."""
        view = (await self.house.tables.show(table.id, user.id)).view
        await self.do(table, user, f"bid {view.hand[0]}")

    async def left(self, table):
        """What the clocks show, in hours, by name."""
        _, seats = await self.house.tables._house.rows(table.id)
        return {NAMES[s.user_id]: clocks.left(s, self.house.clock.ms) / HOUR for s in seats}

    async def rows(self, kind, table=None):
        rows = await self.house.database.reads.all("SELECT * FROM outbox WHERE kind = ? ORDER BY id", (kind,))
        found = [(row["created_at"], row["table_id"], json.loads(row["payload"])) for row in rows]
        return [(at, payload) for at, number, payload in found if table is None or number == table.id]

    async def reminded(self, table):
        """When each player was reminded of this table, as he read it on the wall."""
        found: dict[str, list[str]] = {}
        for at, payload in await self.rows("reminder", table):
            for user in ZONES:
                if user.id in payload["mention"]:
                    found.setdefault(user.name, []).append(on_the_wall(user, at))
        return found

    async def asleep(self):
        """Reminders that came within the quiet hours of one whom they called; there must be none."""
        found = []
        for at, payload in await self.rows("reminder"):
            for user, (start, end) in self.season.quiet.items():
                wall = on_the_wall(user, at)[6:11]
                inside = wall >= start or wall < end if start > end else start <= wall < end
                if inside and user.id in payload["mention"]:
                    found.append((user.name, on_the_wall(user, at)))
        return found

    async def each_turn_pinged_once(self):
        """A board calls each player once for each of his turns, whatever he did within them."""
        calls: Counter[tuple[int, int]] = Counter()
        for kind in ("board", "over"):
            for _, payload in await self.rows(kind):
                calls.update((payload["table"], user_id) for user_id in payload["mention"])
        assert calls == self.turns

    async def nothing_twice(self):
        """No two posts say the same; a reminder may, at another hour."""
        rows = await self.house.database.reads.all("SELECT * FROM outbox WHERE kind <> 'lobby'")
        posts = Counter(
            (
                row["destination"],
                row["kind"],
                row["payload"],
                row["created_at"] if "remind" in row["kind"] else 0,
            )
            for row in rows
        )
        assert [post for post, count in posts.items() if count > 1] == []


SPRING = Season(
    begin=datetime(2026, 3, 14, 21, 30, tzinfo=ZoneInfo("Europe/Budapest")),
    quiet={ANN: ("22:00", "08:00"), BEN: ("23:00", "07:00"), CAT: ("23:00", "02:30")},
    late=(266 + 20 / 60, 267 + 20 / 60),
    reminders={
        "silent": {"Ann": ["03-15 21:30", "03-17 21:30", "03-21 21:30", "03-30 08:00"]},  # not 03-29 22:30
        "slow": {
            "Ben": ["03-15 17:30", "03-17 07:30", "03-19 07:30", "03-23 07:30"],
            "Dan": ["04-01 12:30", "04-03 12:30", "04-07 12:30"],  # and then his clock is out
        },
        "custom": {},
        "first": {"Cat": ["03-27 03:00", "03-29 03:00", "04-02 03:00", "04-10 03:00"]},  # there is no 02:30
        "second": {"Cat": ["03-27 03:00", "03-29 03:00", "04-02 03:00", "04-10 03:00"]},
        "fast": {
            "Ann": ["03-15 21:30", "03-17 21:30"],
            "Ben": ["03-15 17:30", "03-16 17:30"],
            "Dan": ["03-15 20:30"],
        },
    },
)
AUTUMN = Season(
    begin=datetime(2026, 10, 10, 8, 20, tzinfo=ZoneInfo("Europe/Budapest")),
    quiet={ANN: ("22:00", "08:00"), BEN: ("23:00", "07:00"), CAT: ("23:00", "01:30")},
    late=(327 + 50 / 60, 328 + 50 / 60),
    reminders={
        "silent": {"Ann": ["10-11 08:20", "10-13 08:20", "10-17 08:20", "10-25 08:00"]},  # not 07:20
        "slow": {
            "Ben": ["10-11 07:00", "10-12 17:20", "10-14 17:20", "10-18 17:20"],
            "Dan": ["10-27 22:20", "10-29 22:20", "11-02 22:20"],
        },
        "custom": {},
        "first": {"Cat": ["10-25 01:30", "10-27 01:30", "10-31 01:30", "11-08 01:30"]},
        "second": {"Cat": ["10-25 01:30*", "10-27 01:30", "10-31 01:30", "11-08 01:30"]},  # an hour later
        "fast": {
            "Ann": ["10-11 08:20", "10-13 08:20"],
            "Ben": ["10-11 07:00", "10-12 07:00"],
            "Dan": ["10-11 06:20"],
        },
    },
)


@pytest.mark.parametrize("season", [SPRING, AUTUMN], ids=["spring", "autumn"])
async def test_a_month_of_six_tables(house, season):
    house.clock.ms = int(season.begin.timestamp() * 1000)
    month, tables = Month(house, season), house.tables
    for user, hours in season.quiet.items():
        start, end = (int(text[:2]) * 60 + int(text[3:]) for text in hours)
        await tables.prefer(user, {"zone": ZONES[user], "quiet_from": start, "quiet_to": end})
    await tables.prefer(BEN, {"remind_hours": 12})
    silent = await month.open("kamisado", "seat=first match=single", ANN, BEN)
    slow = await month.open("rokumon", "seat=first act=3 clock=slow", BEN, DAN)
    custom = await month.open("duel", "seat=first clock=custom bank=2d increment=6h cap=50h", DAN, CAT)
    fast = await month.open("shogun", "seat=first seats=4 clock=fast", DAN, ANN, BEN, CAT)

    # the first days: bank and increment, a vacation, "not now"
    await month.until(10)
    await month.turn(custom, DAN)
    assert await month.left(custom) == {"Dan": 44, "Cat": 38}
    await month.until(20)
    await tables.vacation(CAT, month.at(140))
    await month.until(26)
    assert await month.left(custom) == {"Dan": 44, "Cat": 28}
    assert await tables.snooze(slow.id, BEN.id) == month.at(50)
    await month.until(30)
    await month.turn(fast, DAN)
    assert await month.left(fast) == {"Dan": 54, "Ann": 42, "Ben": 42, "Cat": 52}

    # a pause by consent, with the bot started anew in it, and the end of a vacation within
    await month.until(50)
    asked = await tables.pause(custom.id, DAN.id, month.next())
    await month.until(60)
    await tables.vote(asked.id, CAT.id, True, month.next())
    await month.until(70)
    house.clock.ms += HOUR // 2
    await house.again()
    tables = house.tables
    await month.until(71)

    # two clocks of a common phase run out, one of the two moves late, the other is left
    await month.until(80)
    assert [(at, post["params"]["seats"]) for at, post in await month.rows("claim")] == [
        (month.at(72), sorted(fast.seat_of(user.id) for user in (ANN, BEN)))
    ]
    before = (await tables.get(fast.id)).to_act
    left = await tables.claim(fast.id, DAN.id, fast.seat_of(ANN.id), month.next())
    month.begun(left, before)
    assert left.status == "running"
    assert left.to_act == before - {fast.seat_of(ANN.id)}
    await month.until(85)
    await month.turn(fast, BEN)
    assert (await month.left(fast))["Ben"] == 12  # all that he has
    await month.until(139)
    assert (await month.left(fast))["Cat"] == 52
    await month.until(150)
    assert (await month.left(fast))["Cat"] == 42
    assert (await month.left(custom)) == {"Dan": 44, "Cat": 28}
    await month.turn(fast, CAT)

    # the pause ends, a turn of several steps, and a claim once the clock is out
    await month.until(200)
    await tables.pause(custom.id, CAT.id, month.next())
    await month.until(210)
    assert await month.left(custom) == {"Dan": 44, "Cat": 18}
    await month.turn_of_bids(custom, CAT)
    found = await tables.get(custom.id)
    (turn,) = found.to_act
    winner = DAN if found.seats[turn].user_id == DAN.id else CAT
    await month.until(215)
    await month.do(custom, winner, "step")
    await month.until(218)
    await month.do(custom, winner, "pass")
    spent = {user.name: 8 if user is winner else 0 for user in (DAN, CAT)}
    assert await month.left(custom) == {"Dan": 44 - spent["Dan"], "Cat": 24 - spent["Cat"]}
    await month.until(219)
    await month.turn_of_bids(custom, DAN)
    assert (await month.left(custom))["Dan"] == 44 - spent["Dan"] - 1 + 6
    out = 218 + 24 - spent["Cat"]
    await month.until(out - 0.1)
    assert await month.rows("claim", custom) == []
    await month.until(out + 1)
    assert [at for at, _ in await month.rows("claim", custom)] == [month.at(out)]
    done = await tables.claim(custom.id, DAN.id, None, month.next())
    assert (done.status, done.result["winners"]) == ("over", [done.seat_of(DAN.id)])

    # around the change of the clocks, in the hour that does not exist or exists twice
    late = []
    for hours in season.late:
        await month.until(hours)
        late.append(await month.open("kamisado", "seat=first match=single", CAT, DAN))

    # who has no time left may still move, and has the increment for it
    await month.until(400)
    assert [at for at, _ in await month.rows("claim", slow)] == [month.at(14 * 24)]
    assert await month.left(slow) == {"Ben": 0, "Dan": 14 * 24}
    await month.turn(slow, BEN)
    await month.until(410)
    assert await month.left(slow) == {"Ben": 24, "Dan": 14 * 24 - 10}
    await month.until(24 * DAYS)

    shown = {
        "silent": await month.reminded(silent),
        "slow": await month.reminded(slow),
        "custom": await month.reminded(custom),
        "first": await month.reminded(late[0]),
        "second": await month.reminded(late[1]),
        "fast": await month.reminded(fast),
    }
    assert shown == season.reminders
    assert await month.asleep() == []
    claims = [(at, post["params"]["seats"]) for at, post in await month.rows("claim", fast)]
    assert claims[1:] == [(month.at(150 + 12), [fast.seat_of(BEN.id)])]  # whose turn it was with his 12 hours
    await month.each_turn_pinged_once()
    await month.nothing_twice()
    assert await tables.check() == []
