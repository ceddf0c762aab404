"""People, consent and time in any order at all: nobody's press, in whatever state, breaks a table."""

from __future__ import annotations

import json
import os
import random
from collections import Counter

import pytest

from db.repositories import successions, users, votes
from engines.capabilities import random_action
from engines.chance import Chance
from engines.opponents import opponent
from engines.registry import engine
from tables import timing
from tables.core import clocks
from tables.core.errors import TableError
from tables.core.model import User
from tables.core.options import UNITS
from tables.core.quiet import quiet_until
from tables.seats.handover import Successor
from tests.tables.players import PLACE

HOUR = UNITS["h"]
PEOPLE = [User(200 + n, name, "en-GB") for n, name in enumerate(("Ann", "Ben", "Cat", "Dan", "Eve", "Fay"))]
GAMES = [
    ("shogun", 4, "seats=4"),
    ("duel", 3, "three=true seats=3"),
    ("kamisado", 2, "match=single"),
    ("rokumon", 2, "act=3"),
]
CLOCKS = [
    "",
    "clock=fast",
    "clock=fast timeout=lose",
    "clock=custom bank=1d increment=2h cap=1d",
    "private=yes",
]
COUNT = int(os.environ.get("HATAMOTO_COUNT", "1"))
STEPS = 300


class AnyOpponent:
    """The built-in opponent of a game, in this process; the fake one of the fake game."""

    def __init__(self, fake):
        self.fake = fake

    async def choose(self, game, view, level, seed, entry):
        if game == "duel":
            return await self.fake.choose(game, view, level, seed, entry)
        seen = engine(game).view_type.model_validate(view)
        return opponent(game).choose(seen, level, Chance(seed, entry))

    async def close(self):
        """Nothing to end."""


class Chaos:
    """Six people who do anything that can be done at one table, and what must hold after each of it."""

    def __init__(self, house, dice):
        self.house, self.dice = house, dice
        self.done: Counter[str] = Counter()
        self.sat: dict[int, set[int]] = {}
        self.version = 0
        self.called: dict[
            tuple[int, int], int | None
        ] = {}  # reminders, and the quiet hours that reigned then

    async def begin(self):
        game, seats, words = self.dice.choice(GAMES)
        self.house.clock.ms += self.dice.randrange(400 * 24) * HOUR
        players = self.dice.sample(PEOPLE, seats)
        for person in PEOPLE:
            for other in await self.tables.blocked(person.id):
                await self.tables.block(person, other, on=False)
            zone = self.dice.choice(["Europe/Budapest", "Asia/Tokyo", "Asia/Jerusalem", "America/New_York"])
            start, end = self.dice.sample(range(0, 1440, 30), 2)
            hours = self.dice.choice([6, 24, 48])
            await self.house.tables.prefer(
                person, {"zone": zone, "quiet_from": start, "quiet_to": end, "remind_hours": hours}
            )
        table = await self.house.tables.create(
            players[0],
            game,
            f"seat=first {words} {self.dice.choice(CLOCKS)}".strip(),
            PLACE,
            opponents=players[1:],
            guild_locale="en-GB",
            interaction_id=self.next(),
        )
        for player in players[1:]:
            table = await self.house.tables.join(table.id, player, self.next())
        if table.status == "open":
            table = await self.house.tables.start(table.id, players[0].id, self.next())
        self.number, self.version, self.sat = table.id, 0, {}

    def next(self):
        return next(self.house.ids)

    @property
    def tables(self):
        return self.house.tables

    # -- what they do ----------------------------------------------------------------------

    async def act(self, person):
        loaded = await self.tables._house.look(self.number)
        seat = loaded.seat_of(person.id)
        if seat in loaded.to_act:
            chance = Chance(b"chaos", loaded.row.entries)
            action = loaded.engine.format(random_action(loaded.engine, loaded.state, seat, chance))
            await self.tables.act(self.number, person.id, action, interaction_id=self.next())

    async def wait(self, _person):
        self.house.clock.ms += self.dice.choice([60_000, HOUR, 5 * HOUR, 26 * HOUR, 24 * 8 * HOUR])
        await self.tables.run_due()

    async def undo(self, person):
        await self.tables.undo(self.number, person.id, self.next())

    async def draw(self, person):
        await self.tables.offer_draw(self.number, person.id, self.next())

    async def vote(self, person):
        asked = await votes.open_of(self.house.database.reads, self.number)
        if asked:
            chosen = self.dice.choice(asked)
            await self.tables.vote(chosen.id, person.id, self.dice.random() < 0.8, self.next())

    async def pause(self, person):
        await self.tables.pause(self.number, person.id, self.next())

    async def clock(self, person):
        await self.tables.change_clock(
            self.number, person.id, self.dice.choice(["slow", "fast", "none"]), self.next()
        )

    async def claim(self, person):
        await self.tables.claim(self.number, person.id, self.some_seat(), self.next())

    async def replace(self, person):
        to = self.dice.choice(
            [Successor(), Successor(level="easy"), Successor(user=self.dice.choice(PEOPLE))]
        )
        moderator = self.dice.random() < 0.2
        await self.tables.replace(
            self.number, person.id, self.some_seat(), to, self.next(), moderator=moderator
        )

    async def take(self, person):
        offers = await successions.offers(self.house.database.reads, self.number)
        seat = self.dice.choice([*offers, self.dice.randrange(4)])
        guest = self.dice.choice([p for p in PEOPLE if p.id not in await self.there()] or [person])
        await self.tables.take(self.number, guest, seat, self.next())

    async def decline(self, person):
        await self.tables.decline(self.number, person.id, self.dice.randrange(4), self.next())

    async def vacation(self, person):
        until = self.dice.choice([None, self.house.clock.ms + self.dice.randrange(1, 200) * HOUR])
        await self.tables.vacation(person, until)

    async def leave(self, person):
        await self.tables.gone(person.id, self.dice.choice(["left", "deleted"]), 1)

    async def come(self, person):
        await self.tables.here(person.id, self.dice.choice([1, None]))

    async def block(self, person):
        other = self.dice.choice([p for p in PEOPLE if p is not person])
        await self.tables.block(person, other.id, on=self.dice.random() < 0.3)

    async def remind(self, person):
        await self.tables.remind(self.number, person.id)

    async def snooze(self, person):
        before = await self.due_of(person)
        until = await self.tables.snooze(self.number, person.id)
        assert before is None or until >= before
        assert until >= self.house.clock.ms + 24 * HOUR

    async def due_of(self, person):
        row = await self.house.database.reads.one(
            "SELECT due_at FROM timers WHERE kind = 'remind' AND table_id = ? AND user_id = ?",
            (self.number, person.id),
        )
        return None if row is None else row["due_at"]

    async def kick(self, _person):
        await self.tables.removed(1)
        self.house.clock.ms += self.dice.randrange(200) * HOUR
        await self.tables.run_due()
        await self.tables.invited_back(1)

    async def restart(self, _person):
        await self.house.again()

    async def resign(self, person):
        if self.dice.random() < 0.05:
            await self.tables.resign(self.number, person.id, self.next())

    def some_seat(self):
        return self.dice.choice([None, 0, 1, 2, 3])

    # -- what must hold ----------------------------------------------------------------------

    async def step(self):
        wishes = [self.act] * 6 + [self.wait] * 4 + [self.vote] * 6
        wishes += [
            self.undo, self.draw, self.pause, self.clock, self.claim, self.replace, self.take, self.take,
            self.decline, self.vacation, self.leave, self.come, self.block, self.remind, self.snooze,
            self.kick, self.restart, self.resign,
        ]  # fmt: skip
        seated = await self.there()
        wish, person = self.dice.choice(wishes), self.dice.choice(PEOPLE)
        if self.dice.random() < 0.7:
            person = self.dice.choice([one for one in PEOPLE if one.id in seated] or PEOPLE)
        try:
            await wish(person)
            self.done[wish.__name__] += 1
        except TableError:
            self.done["refused"] += 1  # a kind word is all that it may come to
        await self.tables.settled()
        await self.holds(seated, wish.__name__)

    async def there(self):
        table = await self.tables.get(self.number)
        return {seat.user_id for seat in table.seats if seat.user_id is not None}

    async def holds(self, seated, what):
        reads, now = self.house.database.reads, self.house.clock.ms
        row, seats = await self.tables._house.rows(self.number)
        loaded = await self.tables._house.look(self.number)
        ids = [seat.user_id for seat in seats if seat.user_id is not None]
        assert len(ids) == len(set(ids)), "nobody sits twice"
        for seat in seats:
            if seat.user_id is not None:
                self.sat.setdefault(seat.user_id, set()).add(seat.seat)
        assert all(len(places) == 1 for places in self.sat.values()), "nobody knows two seats' secrets"
        for newcomer in set(ids) - seated:
            there = [user_id for user_id in ids if user_id != newcomer]
            assert not await users.blocking(reads, newcomer, there), what
        assert row.version >= self.version
        self.version = row.version
        for seat in seats:
            assert seat.bank is None or seat.bank >= 0
            if seat.away or row.paused_at is not None or row.status != "running" or not seat.acts:
                assert seat.ticks_since is None, what
            elif seat.user_id is not None and clocks.pace(row) is not None:
                assert seat.ticks_since is not None, what
            assert seat.acts == (seat.seat in loaded.engine.to_act(loaded.state)) or row.status != "running"
        open_votes = await votes.open_of(reads, self.number)
        assert row.status == "running" or not open_votes
        kinds = [vote.kind for vote in open_votes]
        assert len(kinds) == len(set(kinds))
        for vote in open_votes:
            about = json.loads(vote.payload).get("seat")
            assert about not in loaded.retired
            assert vote.by_seat != about
        await self.timers_hold(row, seats, now)

    async def timers_hold(self, row, seats, now):
        reads = self.house.database.reads
        rows = await reads.all("SELECT * FROM timers WHERE table_id = ?", (self.number,))
        kinds = Counter(timer["kind"] for timer in rows)
        assert kinds["clock"] <= 1
        ends = [end for s in seats if not s.flagged and (end := clocks.runs_out(s)) is not None]
        if row.status == "running" and ends:
            assert kinds["clock"] == 1
            (clock,) = [timer["due_at"] for timer in rows if timer["kind"] == "clock"]
            assert clock <= max(min(ends), now + timing.AGAIN_MS, now + 24 * HOUR)
        if row.status != "running":
            assert not rows, [dict(timer) for timer in rows]
        known = await users.some(reads, [person.id for person in PEOPLE])
        for post in await reads.all("SELECT * FROM outbox WHERE kind = 'reminder'"):
            for user_id in json.loads(post["payload"])["mention"]:
                self.called.setdefault((post["id"], user_id), quiet_until(known[user_id], post["created_at"]))
        assert not [call for call, quiet in self.called.items() if quiet is not None]


@pytest.mark.parametrize("seed", range(COUNT))
async def test_anything_in_any_order_leaves_a_sound_table(house, seed):
    house.thinker = AnyOpponent(house.thinker)
    await house.again()
    chaos = Chaos(house, random.Random(seed))
    await chaos.begin()
    for _ in range(STEPS):
        if (await house.tables.get(chaos.number)).status != "running":
            await chaos.begin()
        await chaos.step()
    assert await house.tables.check() == []
    assert min(chaos.done[what] for what in ("act", "wait", "vote", "restart", "refused")) > 0
