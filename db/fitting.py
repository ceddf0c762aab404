"""Rows that the tables of this version refuse: a disk lost a bit, or an older version let them in.

A row of a game's table, of its seats or of its log is no row to guess at: the table is set aside, unless
what was lost is spare. Settings lose the one setting. Any other row goes. The table `lost` keeps what a game
had.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

REARM = "rearm"  # in `meta`: timers were lost
KEY = re.compile(r"-?[\w:-]{1,40}")  # what may be shown of a key
PERSONAL = frozenset({"user_id", "creator_id", "by_id", "invited", "name", "account"})
# tables whose rows are kept without a column, and the columns that harm no game: NULL or the default, or
# INSTEAD, stands for what was lost
SPARE = {
    "tables": frozenset(
        {
            *("thread_id", "locale", "lobby_message_id", "board_message_id", "to_act", "turn_since"),
            *("reminded_at", "rematch_of", "aside_at", "barred_at"),
        }
    ),
    "seats": frozenset(
        {
            *("acts_since", "choice_mark", "away", "away_until", "gone", "gone_since"),
            *("turns", "thought_ms", "account"),
        }
    ),
    "actions": frozenset({"reveals", "passes", "user_id", "at", "fed"}),
    "users": frozenset[str](),
    "guilds": frozenset[str](),
}
INSTEAD: dict[
    str, Any
] = {  # of columns that must have something; enough to tell players that they cannot play
    **dict.fromkeys(("game", "commitment", "name"), ""),
    **dict.fromkeys(("channel_id", "in_place", "creator_id", "created_at", "at"), 0),
    "rules": 1,
    "status": "running",
    "private": 1,
    "seed": bytes(32),
    **dict.fromkeys(("options", "table_options"), "{}"),
}
# what SQLite's check of a file says of single rows, which are no damage of the file
OF_ROWS = re.compile(r"[\w-]+ value in (?P<table>\w+)\.|CHECK constraint failed in (?P<checked>\w+)")
OF_GAMES = ("tables", "seats", "actions")
Step = tuple[str, Sequence[Any]]


def sound(connection: sqlite3.Connection, check: str = "integrity_check") -> bool:
    """Whether SQLite finds the file whole, whatever single rows hold."""
    return all(line == "ok" or OF_ROWS.match(line) for (line,) in connection.execute(f"PRAGMA {check}"))


class Misfit(NamedTuple):
    """A row that its table refuses.

    table   of the database
    where   the SQL and its parameters that find the row
    wrong   why, by column, in SQLite's words
    values  what stands for those columns; None: the row goes
    number  of the game's table that it belongs to, None where to none
    row     as it is
    """

    table: str
    where: Step
    wrong: Mapping[str, str]
    values: Mapping[str, Any] | None
    number: int | None
    row: Mapping[str, Any]

    @property
    def text(self) -> str:
        """In one line, without the values themselves."""
        parts = [str(part) for part in self.where[1]]
        key = "/".join(part if KEY.fullmatch(part) else "?" for part in parts)
        return f"{self.table} row {key}: {', '.join(f'{name} ({why})' for name, why in self.wrong.items())}"

    @property
    def vital(self) -> tuple[str, ...]:
        """What the game's table cannot be played without, for its row to name."""
        if self.number is None or self.table not in OF_GAMES:
            return ()
        hurt = self.wrong.keys() - SPARE[self.table]
        return tuple(sorted(hurt)) if self.table == "tables" else (self.table,) if hurt else ()

    @property
    def plan(self) -> str:
        """What is done about it."""
        if self.vital:
            return f"table {self.number} is set aside"
        if self.values is None:
            return "the row is taken out"
        return f"the row goes on without {', '.join(self.values)}"


def misfits(
    connection: sqlite3.Connection, model: sqlite3.Connection, number: int | None = None
) -> list[Misfit]:
    """Such rows of a database, or of one game's table, its seats and its log.

    model  an empty database of this version, in memory: every row is tried there
    """
    connection.row_factory = sqlite3.Row
    connection.text_factory = as_text
    names = [row[0] for row in model.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    names = [name for name in names if not name.startswith("sqlite_")]
    found: list[Misfit] = []
    for name in names if number is None else OF_GAMES:
        found += Trial(connection, model, name).misfits(number)
    return found


def as_text(stored: bytes) -> str:
    """Text as it is stored; what is no UTF-8 any more, as a bit was lost, must not stop the rest."""
    return stored.decode("utf-8", "replace")


class Column(NamedTuple):
    """A column as the schema has it; `key`: its number in the key, 0 where it is in none."""

    name: str
    required: bool
    default: str | None
    key: int


class Trial:
    """One table of a database, each row of which is tried in a table of this version."""

    def __init__(self, connection: sqlite3.Connection, model: sqlite3.Connection, table: str) -> None:
        self._connection, self._model, self._table = connection, model, table
        info = model.execute(f"PRAGMA table_info({table})").fetchall()
        self._columns = {row[1]: Column(row[1], bool(row[3]), row[4], row[5]) for row in info}
        self._keys = sorted((c for c in self._columns.values() if c.key), key=lambda column: column.key)
        self._known = {
            link[3]: (link[2], {row[0] for row in connection.execute(f"SELECT id FROM {link[2]}")})  # noqa: S608
            for link in model.execute(f"PRAGMA foreign_key_list({table})").fetchall()
        }
        marks = ", ".join("?" for _ in self._columns)
        self._insert = f"INSERT INTO {table} ({', '.join(self._columns)}) VALUES ({marks})"  # noqa: S608

    def misfits(self, number: int | None) -> Iterator[Misfit]:
        """Rows that do not fit, of one game's table where a `number` is given."""
        own = "id" if self._table == "tables" else "table_id"
        of_one = "" if number is None else f" WHERE {own} = {int(number)}"
        for row in self._connection.execute(f"SELECT * FROM {self._table}{of_one}"):  # noqa: S608
            values, wrong = {name: row[name] for name in self._columns}, dict[str, str]()
            whole = self._fits(values, wrong)
            if wrong:
                instead = {name: values[name] for name in wrong} if whole else None
                yield self._misfit(dict(row), wrong, instead, values.get(own))

    def _fits(self, values: dict[str, Any], wrong: dict[str, str]) -> bool:
        """Whether a row fits, with what stands for columns that are `wrong`; both are filled on the way."""
        while (refused := self._refused(values)) is not None:
            name, why = refused
            again = name in wrong
            wrong[name] = why
            if again or not self._replaced(name, values):
                return False
        return True

    def _refused(self, values: Mapping[str, Any]) -> tuple[str, str] | None:
        """A column that is refused, and why."""
        for name, (parent, known) in self._known.items():
            if values[name] is not None and values[name] not in known:
                return name, f"names no row of {parent}"
        try:
            self._model.execute(self._insert, list(values.values()))
        except sqlite3.IntegrityError as error:
            words = re.findall(r"\w+", str(error).rpartition(": ")[2].rpartition(" column ")[2])
            return next((word for word in words if word in values), self._keys[0].name), str(error)
        self._model.execute(f"DELETE FROM {self._table}")  # noqa: S608
        return None

    def _replaced(self, name: str, values: dict[str, Any]) -> bool:
        """Puts something in the place of a value, if anything may stand for it."""
        column = self._columns[name]
        if self._table not in SPARE or column.key:
            return False
        if not column.required:
            values[name] = None
        elif column.default is not None:
            (values[name],) = self._model.execute(f"SELECT {column.default}").fetchone()
        elif name in INSTEAD:
            values[name] = INSTEAD[name]
        else:
            return False
        return True

    def _misfit(
        self, row: Mapping[str, Any], wrong: dict[str, str], values: dict[str, Any] | None, number: Any
    ) -> Misfit:
        where = " AND ".join(f"{column.name} IS ?" for column in self._keys)
        key = [row[column.name] for column in self._keys]
        owner = number if isinstance(number, int) else None
        return Misfit(self._table, (where, key), wrong, values, owner, row)


def settle(misfit: Misfit) -> Iterator[Step]:
    """What sets a row right or takes it out; those of `tables` come first, for the others to mark."""
    table, (where, key) = misfit.table, misfit.where
    if misfit.number is not None:
        yield kept(misfit)
    if misfit.values is None:
        yield f"DELETE FROM {table} WHERE {where}", key  # noqa: S608 - names of the schema
    else:
        sets = ", ".join(f"{name} = ?" for name in misfit.values)
        yield f"UPDATE {table} SET {sets} WHERE {where}", [*misfit.values.values(), *key]  # noqa: S608
    for name in misfit.vital:
        yield "UPDATE tables SET damaged = trim(damaged || ',' || ?, ',') WHERE id = ?", (name, misfit.number)
    if table == "timers":
        yield "INSERT OR REPLACE INTO meta (key, value) VALUES (?, '')", (REARM,)


def kept(misfit: Misfit) -> Step:
    """The row as it is, without the people: who is forgotten must not live on there."""
    row = json.dumps(plain(misfit.row, PERSONAL), ensure_ascii=False)
    params = (misfit.table, misfit.number, row, "; ".join(misfit.wrong.values()))
    return "INSERT INTO lost (name, table_id, row, why) VALUES (?, ?, ?, ?)", params


def plain(row: Mapping[str, Any], without: Iterable[str] = ()) -> dict[str, Any]:
    """A row as JSON, bytes as hex."""
    return {
        name: value.hex() if isinstance(value, bytes) else value
        for name, value in row.items()
        if name not in without
    }
