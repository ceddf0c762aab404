"""What every column has to hold, as the schema says and as it cannot say; rows that hold something else.

The file may be sound for SQLite and yet hold text in the place of a number, or JSON that is none: a disk
that lost a bit, a hand in the database.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from db.database import Source, Transaction
from db.rows import BOOLEANS

KEY = re.compile(r"-?[\w:-]{1,40}")  # what may be shown of a key
MOST = 1000  # rows of a table that are named
STORED = {"INTEGER": ("integer",), "REAL": ("real", "integer"), "TEXT": ("text",), "BLOB": ("blob",)}
JSON = {
    "tables.options": "object",
    "tables.table_options": "object",
    "tables.to_act": "array",
    "tables.result": "object",
    "tables.position": "object",
    "actions.action": "object",
    "interactions.outcome": "object",
    "outbox.payload": "object",
    "timers.payload": "object",
    "votes.payload": "object",
    "chapters.told": "array",
    "actions.fed": "object",
    "guilds.channels": "array",
}
WORDS = {
    "tables.status": ("open", "running", "over", "cancelled"),
    "outbox.state": ("queued", "flying", "sent", "dropped"),
    "votes.status": ("open", "agreed", "refused", "lapsed"),
    "seats.gone": ("left", "deleted", "outside"),
}
MINUTES = "NOT BETWEEN 0 AND 1439"
RANGES = {"users.quiet_from": MINUTES, "users.quiet_to": MINUTES}
ENTRY = "((action IS NULL) <> (seat IS NULL) OR (action IS NULL) = (undo IS NULL))"

# what makes a table unplayable: it is set aside. Everything else can be set right, or goes
VITAL = frozenset(
    {
        *("tables.game", "tables.options", "tables.seed", "tables.reseed", "tables.position"),
        *("seats.table_id", "seats.seat", "seats.user_id", "seats.level"),
        *("seats.nonce", "seats.nonce_told"),
        *(
            "actions.table_id",
            "actions.seq",
            "actions.seat",
            "actions.action",
            "actions.undo",
            "actions.seed",
            "actions.entry",
        ),
    }
)
# what is put in the place of a value that cannot be NULL and has no default, or where those would do harm
INSTEAD = {
    "tables.rules": "1",
    "tables.status": "CASE WHEN ended_at IS NOT NULL THEN CASE WHEN result IS NULL THEN 'cancelled' "
    "ELSE 'over' END WHEN started_at IS NOT NULL THEN 'running' ELSE 'open' END",
    "tables.table_options": "'{}'",
    "tables.guild_id": "(SELECT o.guild_id FROM tables o WHERE o.channel_id = tables.channel_id "
    "AND typeof(o.guild_id) = 'integer' LIMIT 1)",
    "tables.channel_id": "coalesce(thread_id, 0)",
    "tables.in_place": "0",
    "tables.private": "1",
    "tables.creator_id": "0",
    "tables.version": "10000 + coalesce((SELECT max(choice_version) FROM seats WHERE table_id = tables.id "
    "AND typeof(choice_version) = 'integer'), 0)",
    "tables.entries": "(SELECT count(*) FROM actions WHERE table_id = tables.id)",
    "tables.commitment": "''",
    "tables.created_at": "coalesce((SELECT min(at) FROM actions WHERE table_id = tables.id "
    "AND typeof(at) = 'integer'), :now)",
    "tables.started_at": "(SELECT created_at FROM tables t JOIN snapshots s ON s.table_id = t.id "
    "WHERE t.id = tables.id)",
    "tables.handed": "1",
    "tables.unrated": "1",
    "seats.choice_version": "(SELECT version FROM tables WHERE id = table_id)",
    "actions.reveals": "1",
    "actions.passes": "1",
    "actions.at": "coalesce((SELECT max(b.at) FROM actions b WHERE b.table_id = actions.table_id "
    "AND b.seq < actions.seq AND typeof(b.at) = 'integer'), "
    "(SELECT created_at FROM tables WHERE id = table_id))",
    "users.name": "''",
    "outbox.due_at": "0",
    "outbox.state": "'dropped'",
    "outbox.table_id": "CASE WHEN json_valid(payload) THEN json_extract(payload, '$.table') END",
    "timers.due_at": ":now + 86400000",
    "timers.payload": "CASE kind WHEN 'vacation' THEN json_object('until', (SELECT away_until FROM users u "
    "WHERE u.id = user_id)) ELSE '{}' END",
    "outbox.created_at": ":now",
}


# what no other value may stand for: the row goes
GO = frozenset(
    {
        *("timers.kind", "timers.table_id", "timers.user_id", "votes.kind", "votes.payload", "votes.entry"),
        *("offers.user_id", "offers.by_id", "actions.entry"),
    }
)


class Column(NamedTuple):
    """A column as the schema has it."""

    name: str
    kind: str
    required: bool
    default: str | None
    key: bool


class Damage(NamedTuple):
    """A row's columns that hold what they may not.

    table   of the database
    key     of the row, by column
    wrong   what is wrong, by column
    number  of the game's table that it belongs to, None where to none
    """

    table: str
    key: dict[str, Any]
    wrong: dict[str, str]
    number: int | None

    @property
    def text(self) -> str:
        """In one line, without the values themselves."""
        parts = [
            part.decode("utf-8", "replace") if isinstance(part, bytes) else str(part)
            for part in self.key.values()
        ]
        row = "/".join(part if KEY.fullmatch(part) else "?" for part in parts)
        return f"{self.table} row {row}: {', '.join(f'{name} {why}' for name, why in self.wrong.items())}"

    @property
    def vital(self) -> bool:
        """Whether the game's table cannot be played on."""
        return self.number is not None and any(f"{self.table}.{name}" in VITAL for name in self.wrong)


async def tables_of(source: Source) -> list[str]:
    """The database's tables."""
    rows = await source.all(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    )
    return [str(row["name"]) for row in rows]


async def columns_of(source: Source, table: str) -> list[Column]:
    """A table's columns."""
    rows = await source.all(f"PRAGMA table_info({table})")
    return [
        Column(
            row["name"], row["type"], bool(row["notnull"] or row["pk"]), row["dflt_value"], bool(row["pk"])
        )
        for row in rows
    ]


async def damaged(source: Source) -> list[Damage]:
    """Every row that holds what it may not, at most MOST a table."""
    found = []
    for table in await tables_of(source):
        found += await damaged_in(source, table)
    return found


async def damaged_in(source: Source, table: str) -> list[Damage]:
    """Such rows of one table."""
    columns = await columns_of(source, table)
    keys = [column.name for column in columns if column.key]
    picked = [f"{as_key(column)} AS {column.name}" for column in columns if column.key]
    links = {
        row["from"]: (row["table"], row["to"] or "id")
        for row in await source.all(f"PRAGMA foreign_key_list({table})")
    }
    rules = [rule for column in columns for rule in rules_of(table, column, links.get(column.name))]
    if table == "actions":
        rules.append(("entry", "is neither an action nor an undo", ENTRY))
    tests = ", ".join(f"({test}) AS rule{number}" for number, (_, _, test) in enumerate(rules))
    any_rule = " OR ".join(f"rule{number}" for number in range(len(rules)))
    owner = {"tables": "id", "ballots": "(SELECT v.table_id FROM votes v WHERE v.id = vote_id)"}.get(table)
    owner = owner or ("table_id" if any(column.name == "table_id" for column in columns) else "NULL")
    rows = await source.all(
        f"SELECT {', '.join(picked)}, {owner} AS number, {tests} FROM {table} WHERE {any_rule} LIMIT {MOST}"  # noqa: S608
    )
    return [damage_of(table, keys, rules, row) for row in rows]


def as_key(column: Column) -> str:
    """A key's column, to be selected and compared: text that is none any more only by its bytes."""
    return f"CAST({column.name} AS BLOB)" if column.kind == "TEXT" else column.name


def damage_of(table: str, keys: list[str], rules: list[tuple[str, str, str]], row: Any) -> Damage:
    """A row with what its rules found; the first for each column."""
    wrong: dict[str, str] = {}
    for number, (name, why, _) in enumerate(rules):
        if row[f"rule{number}"]:
            wrong.setdefault(name, why)
    owner = row["number"] if isinstance(row["number"], int) else None
    return Damage(table, {key: row[key] for key in keys}, wrong, owner)


def rules_of(table: str, column: Column, link: tuple[str, str] | None) -> Iterator[tuple[str, str, str]]:
    """What may be wrong with a column: its name, the fault in words, and the SQL that is true for it."""
    name, known = column.name, f"{table}.{column.name}"
    if column.required:
        yield name, "is missing", f"typeof({name}) = 'null'"  # SQLite takes it on trust that none IS NULL
    kinds = ", ".join(f"'{kind}'" for kind in (*STORED[column.kind], "null"))
    yield name, "is of a wrong kind", f"typeof({name}) NOT IN ({kinds})"
    if column.kind == "TEXT":
        yield name, "is no text any more", f"typeof({name}) = 'text' AND NOT is_text(CAST({name} AS BLOB))"
    if known in JSON:
        shaped = f"json_type({name}) = '{JSON[known]}'"
        yield (
            name,
            f"is no JSON {JSON[known]}",
            f"typeof({name}) = 'text' AND NOT CASE WHEN json_valid({name}) THEN {shaped} ELSE 0 END",
        )
    if known in WORDS:
        words = ", ".join(f"'{word}'" for word in WORDS[known])
        yield name, "is an unknown word", f"{name} IS NOT NULL AND {name} NOT IN ({words})"
    if name in BOOLEANS:
        yield name, "is neither yes nor no", f"{name} IS NOT NULL AND {name} NOT IN (0, 1)"
    if known in RANGES:
        yield name, "is out of range", f"{name} IS NOT NULL AND {name} {RANGES[known]}"
    if link is not None:
        parent, key = link
        test = f"{name} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM {parent} p WHERE p.{key} = {table}.{name})"  # noqa: S608
        yield name, f"names no row of {parent}", test


# -- setting right -----------------------------------------------------------------------------------


async def plan(source: Source, damage: Damage) -> dict[str, str] | None:
    """What is put into the damaged columns, as SQL; None where the row goes as a whole."""
    columns = {column.name: column for column in await columns_of(source, damage.table)}
    values = {}
    for name in damage.wrong:
        known = f"{damage.table}.{name}"
        if known in GO:
            return None
        column = columns[name]
        if known in INSTEAD:
            values[name] = INSTEAD[known]
        elif column.key or (column.required and column.default is None):
            return None
        else:
            values[name] = "NULL" if not column.required else str(column.default)
    return values


async def set_right(tx: Transaction, damage: Damage, values: dict[str, str] | None, now: int) -> None:
    """Carries a plan out."""
    columns = [column for column in await columns_of(tx, damage.table) if column.key]
    row, keys = " AND ".join(f"{as_key(column)} IS ?" for column in columns), list(damage.key.values())
    if values is None:
        tx.put(f"DELETE FROM {damage.table} WHERE {row}", keys)  # noqa: S608 - names of the schema
        return
    for name, value in values.items():
        given = value.replace(":now", str(int(now)))
        tx.put(f"UPDATE {damage.table} SET {name} = {given} WHERE {row}", keys)  # noqa: S608 - the same
