"""A house with a fake clock, a fake game and an opponent that needs no process."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from db.database import Database
from db.repositories import meta
from engines import registry
from tables.core.model import Place, User
from tables.service import Tables
from tables.time.outages import ALIVE
from tests.db.lost_bits import lose
from tests.tables import fake_duel
from tests.tables.fake_duel.opponent import LEVELS

ANN, BEN, CAT, DAN = (User(n, name, "en-GB") for n, name in enumerate(("Ann", "Ben", "Cat", "Dan"), 101))
PLACE = Place(1, 10)


class FakeClock:
    def __init__(self):
        self.ms = 1_700_000_000_000

    def now(self):
        return self.ms


class FirstLegal:
    """Plays the first thing that it may, by its own view alone; counts its questions."""

    LEVELS = LEVELS

    def __init__(self):
        self.asked = 0

    async def choose(self, game, view, level, seed, entry):
        self.asked += 1
        if view["turn"] is not None:
            return "pass"
        return f"bid {view['hand'][0]}"

    async def close(self):
        pass


class Fixture:
    """A running service; `again()` reopens the database as a killed process would find it."""

    def __init__(self, path, monkeypatch):
        self.path = path
        self.clock = FakeClock()
        self.thinker = FirstLegal()
        self.ids = itertools.count(1000)
        self.seeds = itertools.count(1)
        self.cache = 256
        self.busy_ms = 50 if isinstance(path, Path) else 5_000  # a server may be slow beside other tests
        self.alone = True

    async def begin(self):
        self.database = await Database.open(self.path, busy_ms=self.busy_ms, alone=self.alone)
        self.tables = Tables(
            self.database,
            self.clock,
            self.thinker,
            lambda: None,
            seed=lambda: next(self.seeds).to_bytes(32, "big"),
            cache=self.cache,
        )
        await self.tables.start_up()
        return self

    async def end(self):
        await self.tables.close()
        await self.database.close()

    async def again(self):
        await self.end()
        await self.begin()

    async def new(self, *guests, words="seat=first", join=True, game="duel", **more):
        table = await self.tables.create(
            ANN,
            game,
            words,
            PLACE,
            opponents=guests,
            guild_locale="en-US",
            interaction_id=next(self.ids),
            **more,
        )
        for guest in guests if join else ():
            table = await self.tables.join(table.id, guest, next(self.ids))
        return table

    async def act(self, table, user, action, version=None, iid=None):
        return await self.tables.act(
            table.id, user.id, action, version=version, interaction_id=iid or next(self.ids)
        )

    async def bid_all(self, table):
        for user in (ANN, BEN):
            view: Any = (await self.tables.show(table.id, user.id)).view
            await self.act(table, user, f"bid {view.hand[0]}")
        table = await self.tables.get(table.id)
        (turn,) = table.to_act
        return (ANN, BEN)[turn] if table.seats[0].user_id == ANN.id else (BEN, ANN)[turn]

    async def ruin(self, table):
        """A log that does not replay, and no snapshot of where it led."""
        async with self.database.transaction() as tx:
            await tx.run(
                "DELETE FROM actions WHERE table_id = ? AND seq = 1",
                (table.id,),
            )
            await tx.run(
                "INSERT INTO actions (table_id, seq, seat, action, at) VALUES (?, 1, 0, ?, 0)",
                (table.id, '{"kind": "nonsense"}'),
            )
            await tx.run("UPDATE tables SET entries = 1 WHERE id = ? AND entries = 0", (table.id,))
            await tx.run("DELETE FROM snapshots WHERE table_id = ?", (table.id,))
        await self.again()

    async def lose(self, table, changes, where, *params):
        """A bit is lost on the disk: a row holds what its table refuses."""
        await self.end()
        lose(self.path, table, changes, where, *params)
        await self.begin()

    async def posts(self, kind=None):
        rows = await self.database.reads.all("SELECT * FROM outbox ORDER BY id")
        found = [(row["destination"], row["kind"], json.loads(row["payload"])) for row in rows]
        return [post for post in found if kind in (None, post[1])]


@pytest.fixture
async def house(place, monkeypatch):
    monkeypatch.setitem(registry.GAMES, "duel", "tests.tables.fake_duel:Duel")
    assert fake_duel.Duel.game == "duel"
    made = await Fixture(place, monkeypatch).begin()
    yield made
    await made.end()


async def lived(house):
    """Marks that play was possible all the time, as a bot that runs does once a minute."""
    async with house.database.transaction() as tx:
        await meta.put(tx, ALIVE, str(house.clock.now()))
