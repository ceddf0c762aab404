"""Every column of every table: SQLite refuses what it may not hold; a lost bit harms one table alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import pytest

from db.database import Database
from db.fitting import sound
from db.migrating import newest
from tables.core.errors import TableError
from tables.core.model import Filters, Place
from tables.reading import keepers
from tests.db.lost_bits import lose
from tests.tables.players import ANN, BEN, CAT, DAN, PLACE

pytestmark = pytest.mark.sqlite  # of a file, its copies and what a disk does to it

NOBODY = 987_654
JSON = {
    **dict.fromkeys(("tables.options", "tables.table_options", "tables.result", "tables.position"), "object"),
    **dict.fromkeys(("actions.action", "actions.fed", "interactions.outcome", "outbox.payload"), "object"),
    **dict.fromkeys(("timers.payload", "votes.payload"), "object"),
    **dict.fromkeys(("tables.to_act", "chapters.told", "guilds.channels"), "array"),
}
DAY = 24 * 3600 * 1000


def schema():
    """Each table's columns: name, type, required, key, and whether it names a row of another table."""
    with closing(newest()) as connection:
        tables = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('sqlite_sequence', 'lost')"
        )
        return {
            name: (
                connection.execute(f"PRAGMA table_info({name})").fetchall(),
                {row[3] for row in connection.execute(f"PRAGMA foreign_key_list({name})")},
            )
            for (name,) in tables.fetchall()
        }


def wrongs():
    """(table, column, SQL of a wrong value) for every column."""
    for table, (columns, links) in schema().items():
        for _, name, kind, required, _, key in columns:
            rowid = kind == "INTEGER" and key and sum(1 for column in columns if column[5]) == 1
            if not rowid:  # SQLite itself lets nothing else in there
                yield (
                    table,
                    name,
                    {"INTEGER": "'ruin'", "REAL": "'ruin'", "TEXT": "x'ff00'", "BLOB": "7"}[kind],
                )
            if required and not key:
                yield table, name, "NULL"
            if kind == "TEXT":
                yield table, name, "CAST(x'ff7b' AS TEXT)"
            if f"{table}.{name}" in JSON:
                yield table, name, "'{broken'"
                yield table, name, "'[[]]'" if JSON[f"{table}.{name}"] == "object" else "'{}'"
            if name in links:
                yield table, name, str(NOBODY)
    yield "tables", "rules", "999"
    yield "tables", "game", "'go'"
    yield "users", "zone", "'Mars/Phobos'"
    yield "users", "quiet_from", "99999"
    yield "actions", "action", '\'{"kind": "nonsense"}\''
    yield "snapshots", "state", "'{}'"
    yield "snapshots", "entry", "77"
    yield "tables", "entries", "0"
    yield "seats", "acts", "7"


CASES = sorted(set(wrongs()))
SAMPLED = 4 * 23  # one of so many without being asked for more
ALLOWED = {  # what its column may hold: a replay finds some, nothing can know the others
    *(("tables", "rules", "999"), ("tables", "game", "'go'"), ("users", "zone", "'Mars/Phobos'")),
    *(("actions", "action", '\'{"kind": "nonsense"}\''), ("snapshots", "state", "'{}'")),
    *(("snapshots", "entry", "77"), ("tables", "entries", "0")),
    ("outbox", "payload", "'{broken'"),  # the courier reads it first, and gives it up
}


def refused(table, column, value):
    """Whether the schema rules a value out; text that is no UTF-8 is text for SQLite."""
    text = value.startswith("CAST") and f"{table}.{column}" not in JSON
    return not text and (table, column, value) not in ALLOWED


@pytest.fixture
async def furnished(house, monkeypatch):
    """Three tables, the first with a row of everything; the second must never suffer."""
    monkeypatch.setattr(keepers, "LEAST", 0)  # a game that is over at once is rated
    hurt = await house.new(BEN, words="seat=first clock=slow")
    sound = await house.new(CAT, words="seat=first clock=slow")
    over = await house.new(DAN)
    await house.tables.resign(over.id, DAN.id, next(house.ids))
    lobby = await house.tables.create(ANN, "duel", "", PLACE, interaction_id=next(house.ids))
    await house.bid_all(hurt)
    await house.tables.prefer(ANN, {"quiet_from": 60, "quiet_to": 120, "zone": "Europe/Berlin"})
    await house.tables.block(DAN, 5, on=True)
    await house.tables.write_note(ANN.id, hurt.id, "a note")
    await house.tables.limits(1, user_tables=50)
    await house.tables.allow_channel(1, PLACE.channel_id, allowed=True)
    again = await house.tables.rematch(over.id, ANN, next(house.ids))
    async with house.database.transaction() as tx:
        for statement in (
            "UPDATE tables SET rematch_of = NULL WHERE id = :again",
            "UPDATE tables SET rematch_of = :over WHERE id = :hurt",
            "INSERT INTO votes VALUES (9, :hurt, 'pause', 0, NULL, 'open', 1, NULL, '{}', 0)",
            "INSERT INTO ballots VALUES (9, 0, 1, 1)",
            "INSERT INTO offers VALUES (:hurt, 1, NULL, 1, NULL)",
            "INSERT INTO handovers (table_id, seat, user_id, at) VALUES (:hurt, 1, 55, 1)",
            f"INSERT INTO vacations VALUES ({DAN.id}, 1, 2)",
            "INSERT INTO drafts VALUES (:hurt, 0, 'm', 'd', 1)",
            "INSERT INTO chapters VALUES (:hurt, 'k', '[]')",
            "INSERT INTO aids VALUES (:hurt, 0, 'standing accept')",
            f"INSERT INTO leavers VALUES ({DAN.id}, 1, 1)",
            f"INSERT INTO met_rules VALUES ({DAN.id}, 'duel', 'bid')",
            "UPDATE timers SET id = id + 100 WHERE table_id = :hurt",
        ):
            for name, number in (("hurt", hurt.id), ("over", over.id), ("again", again.id)):
                statement = statement.replace(f":{name}", str(number))  # noqa: PLW2901
            await tx.run(statement)
    house.made = hurt.id, sound.id, over.id, lobby.id
    return house


WHERE = {  # the row that is corrupted
    "tables": "id = 1", "seats": "table_id = 1 AND seat = 1", "actions": "table_id = 1 AND seq = 1",
    "snapshots": "table_id = 1", "votes": "id = 9", "timers": "table_id = 1 AND kind = 'clock'",
    "outbox": "id = (SELECT min(id) FROM outbox WHERE table_id = 1)", "users": f"id = {BEN.id}",
    "interactions": "id = (SELECT min(id) FROM interactions)", "meta": "key = (SELECT min(key) FROM meta)",
    "ratings": f"user_id = {DAN.id}", "results": f"user_id = {DAN.id}", "notes": "table_id = 1",
    "guilds": "id = 1", "blocks": f"user_id = {DAN.id}", "vacations": f"user_id = {DAN.id}",
    "ballots": "vote_id = 9", "leavers": f"user_id = {DAN.id}", "met_rules": f"user_id = {DAN.id}",
}  # fmt: skip


async def tried(work) -> Any:
    """What a request comes to: an answer, or a refusal; by SQLite, too, where a torn row would be written."""
    try:
        return await work
    except (TableError, sqlite3.Error) as error:
        return error


async def everybody_asks(house):
    """What is asked of a bot in a week, by everybody; a refusal is an answer."""
    service, (hurt, _, over, lobby) = house.tables, house.made
    for user in (ANN, BEN, CAT, DAN):
        await tried(service.mine(user.id))
        await tried(service.find(user.id, PLACE.channel_id))
        await tried(service.profile(user.id))
        await tried(service.about(user.id))
        await tried(service.blocked(user.id))
        for table in (hurt, over, lobby):
            await tried(service.show(table, user.id))
            await tried(service.watch(table, user.id))
            await tried(service.get(table))
            await tried(service.complete(table, user.id, PLACE.channel_id, ""))
            await tried(service.export(table, user.id))
            await tried(service.note(user.id, table))
        await tried(service.act(hurt, user.id, "pass", interaction_id=next(house.ids)))
        await tried(service.undo(hurt, user.id, next(house.ids)))
        await tried(service.vote(9, user.id, True, next(house.ids)))
        await tried(service.take(hurt, user, 1, next(house.ids)))
    await service.listing(1, Filters(user_id=ANN.id))
    await service.listing(1, Filters())
    await service.stuck(1)
    await service.limits(1)
    await service.channels(1)
    await service.leaderboard("duel", 1)
    await tried(service.create(CAT, "duel", "", Place(1, 10), interaction_id=next(house.ids)))
    await tried(service.vacation(BEN, house.clock.ms + DAY))
    await tried(service.gone(BEN.id, "left", 1))
    house.clock.ms += DAY * 2
    await service.run_due()
    await service.next_due()
    await service.settled()


async def the_other_table_plays(house):
    _, sound, *_ = house.made
    shown = await house.tables.show(sound, ANN.id)
    assert shown.table.status == "running"
    if 0 in shown.table.to_act:
        await house.act(shown.table, ANN, f"bid {shown.view.hand[0]}")


async def test_sqlite_refuses_what_a_column_may_not_hold(furnished):  # 12.7
    await furnished.end()
    with closing(sqlite3.connect(furnished.path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys=ON")
        for table, column, value in CASES:
            if refused(table, column, value):
                with pytest.raises(sqlite3.IntegrityError):
                    connection.execute(
                        f"UPDATE {table} SET {column} = {value} WHERE {WHERE.get(table, 'table_id = 1')}"
                    )
        assert sound(connection)
    await furnished.begin()


@pytest.mark.parametrize(("table", "column", "value"), CASES[::SAMPLED])
async def test_a_lost_bit_harms_no_other_table_and_is_named_and_settled(furnished, table, column, value):
    await survived(furnished, table, column, value)


@pytest.mark.long
@pytest.mark.parametrize(("table", "column", "value"), CASES)
async def test_every_lost_bit_harms_no_other_table_and_is_settled(furnished, table, column, value):
    await survived(furnished, table, column, value)


async def survived(house, table, column, value):
    """A bit is lost: `check` names it, a bot runs for days with it, it is mended, all is sound."""
    await house.end()
    lose(house.path, table, f"{column} = {value}", WHERE.get(table, "table_id = 1"))
    house.database = await Database.open(house.path, read_only=True)
    house.tables = type(house.tables)(house.database, house.clock, house.thinker, lambda: None)
    found = await house.tables.faults()
    if refused(table, column, value):
        assert any(table in fault.text for fault in found), found
        assert any(column in fault.text for fault in found), found
        assert all(fault.mend and fault.plan for fault in found), found
    await house.again()
    await the_other_table_plays(house)
    await everybody_asks(house)
    await the_other_table_plays(house)
    await house.end()
    await house.begin()
    done = [await fault.mend() for fault in await house.tables.faults() if fault.mend]
    assert [fault.text for fault in await house.tables.faults() if not fault.aside] == [], done
    assert await house.database.integrity() == []
    assert await house.database.reads.all("PRAGMA foreign_key_check") == []
    await house.again()
    await everybody_asks(house)
    await the_other_table_plays(house)
    assert [fault.text for fault in await house.tables.faults() if not fault.aside] == []
