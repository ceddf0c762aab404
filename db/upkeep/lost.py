"""What happened between a backup and its restore, read from the database that is put aside."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from db.migrating import APPLICATION

# what numbers jump by where nobody can tell how many were given: those of tables are seen by people
JUMP, JUMP_OF_TABLES = 10_000_000, 10_000
MOST = 10**15  # a number above is damage
SEED = 32  # bytes
PARTS = ("seats", "actions", "snapshots", "handovers")  # rows that are the table's history
PASSING = ("offers", "drafts", "chapters", "votes")  # rows that only a table in play has
CLOSED = "UPDATE tables SET status = 'cancelled', ended_at = created_at WHERE id = ?"
UNSENT = """UPDATE outbox SET state = 'dropped', error = 'restored', done_at = created_at
    WHERE table_id = ? AND state IN ('queued', 'flying')"""
ANEW = """INSERT INTO actions (table_id, seq, undo, at, seed)
    SELECT id, (SELECT coalesce(max(seq), 0) + 1 FROM actions WHERE table_id = id),
    0, coalesce((SELECT max(at) FROM actions WHERE table_id = id), started_at, created_at), ?2
    FROM tables WHERE id = ?1"""
NOTHING_ADDED = "UPDATE seats SET nonce = NULL, nonce_told = NULL, unsealed = 0 WHERE table_id = ?"
# a person's row goes when they are forgotten, and never else; the timer is that of `tables.privacy`
FORGET = "INSERT OR REPLACE INTO timers (kind, user_id, due_at) VALUES ('forget', ?, 0)"
ENDED = "SELECT * FROM tables WHERE status IN ('over', 'cancelled')"

Rows = Sequence[sqlite3.Row]


class Ended(NamedTuple):
    """A table that is closed there: its row, and by name those of its history."""

    row: sqlite3.Row
    parts: Mapping[str, Rows]
    unsent: Rows


class Later(NamedTuple):
    """A database that went on from the backup.

    numbers   the highest that was given, by table of the schema
    versions  of the tables of games
    gone      persons who had themselves forgotten since the backup
    """

    numbers: dict[str, int]
    versions: dict[int, int]
    ended: tuple[Ended, ...]
    gone: tuple[int, ...]


def read(backup: sqlite3.Connection, database: Path) -> Later | None:
    """What the database knows that the backup does not; None where it cannot be read, or is none that went
    on from it: a new one, another bot's, an earlier copy.
    """
    if not database.exists():
        return None
    try:
        with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as other:
            other.row_factory = sqlite3.Row
            other.execute("BEGIN")
            return compare(backup, other)
    except (sqlite3.Error, UnicodeDecodeError):  # it may be damaged in any way: that is why it goes
        return None


def compare(backup: sqlite3.Connection, other: sqlite3.Connection) -> Later | None:
    """What `other` knows that the backup does not. Raises sqlite3.Error, UnicodeDecodeError."""
    if other.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        return None
    given, seeds = numbers(backup), seeds_of(backup)
    later, there = numbers(other), seeds_of(other)
    on = all(given[name] <= later.get(name, 0) for name in given)
    same = any(there.get(number) == seed for number, seed in seeds.items())
    if not (on and (same or not seeds)) or max(later.values(), default=0) > MOST:
        return None
    if not seeds and not given:
        return None  # a backup from before the first table: nothing shows that this one went on from it
    live = {row[0] for row in backup.execute("SELECT id FROM tables WHERE status IN ('open', 'running')")}
    closed = [row for row in other.execute(ENDED) if row["id"] in live and row["seed"] == seeds[row["id"]]]
    closed.sort(key=lambda row: (row["ended_at"] or 0, row["id"]))
    versions = {row[0]: row[1] for row in other.execute("SELECT id, version FROM tables")}
    gone = sorted(persons(backup) - persons(other))
    return Later(later, versions, tuple(history(other, row) for row in closed), tuple(gone))


def persons(connection: sqlite3.Connection) -> set[int]:
    """Who is known."""
    return {row[0] for row in connection.execute("SELECT id FROM users")}


def numbers(connection: sqlite3.Connection) -> dict[str, int]:
    """The highest number that was given, by table of the schema."""
    return {row[0]: row[1] for row in connection.execute("SELECT name, seq FROM sqlite_sequence")}


def seeds_of(connection: sqlite3.Connection) -> dict[int, bytes]:
    """The seed of every table: it tells tables of one number apart."""
    return {row[0]: row[1] for row in connection.execute("SELECT id, seed FROM tables")}


def history(other: sqlite3.Connection, row: sqlite3.Row) -> Ended:
    """A closed table's rows, and its posts that were not sent."""
    number = row["id"]
    parts = {
        name: other.execute(f"SELECT * FROM {name} WHERE table_id = ?", (number,)).fetchall()  # noqa: S608
        for name in PARTS
    }
    unsent = other.execute(
        "SELECT * FROM outbox WHERE table_id = ? AND state IN ('queued', 'flying')", (number,)
    ).fetchall()
    return Ended(row, parts, unsent)


def carry(backup: sqlite3.Connection, later: Later) -> tuple[int, ...]:
    """Tables that have ended since the backup are as they ended; their numbers, the first to end first.
    Who had themselves forgotten since is forgotten at the next start.

    Their results are not among the rows: they count when the players' ratings are worked out.
    """
    for ended in later.ended:
        backup.execute("SAVEPOINT carry")
        try:
            replace(backup, ended)
        except sqlite3.IntegrityError:  # rows that make no sense: it is closed all the same
            backup.execute("ROLLBACK TO carry")
            backup.execute(CLOSED, (ended.row["id"],))
        backup.execute("RELEASE carry")
    backup.executemany(FORGET, [(person,) for person in later.gone])
    return tuple(ended.row["id"] for ended in later.ended)


def replace(backup: sqlite3.Connection, ended: Ended) -> None:
    """Puts a table as it ended in the place of what it was."""
    number = ended.row["id"]
    for name in (*PARTS, *PASSING, "timers"):
        backup.execute(f"DELETE FROM {name} WHERE table_id = ?", (number,))  # noqa: S608 - constants
    backup.execute(UNSENT, (number,))
    change(backup, ended.row)
    for name, rows in (*ended.parts.items(), ("outbox", ended.unsent)):
        put(backup, name, rows)


def change(backup: sqlite3.Connection, row: sqlite3.Row) -> None:
    """The table's row as it is there, but for the table that it was a rematch of, which is the same."""
    names = [name for name in shared(backup, "tables", row) if name not in ("id", "rematch_of")]
    sets = ", ".join(f"{name} = ?" for name in names)
    backup.execute(
        f"UPDATE tables SET {sets} WHERE id = ?",  # noqa: S608 - columns of our schema
        [*(row[name] for name in names), row["id"]],
    )


def put(backup: sqlite3.Connection, table: str, rows: Rows) -> None:
    """Rows as they are there."""
    for row in rows:
        names = shared(backup, table, row)
        marks = ", ".join("?" for _ in names)
        backup.execute(
            f"INSERT OR REPLACE INTO {table} ({', '.join(names)}) VALUES ({marks})",  # noqa: S608
            [row[name] for name in names],
        )


def shared(backup: sqlite3.Connection, table: str, row: sqlite3.Row) -> list[str]:
    """Columns that both have: the other database may be of another version."""
    own = {column[1] for column in backup.execute(f"PRAGMA table_info({table})")}
    return [name for name in row.keys() if name in own]  # noqa: SIM118 - a Row iterates over its values


def raise_numbers(backup: sqlite3.Connection, later: Later | None) -> None:
    """No number of a table, vote, post or timer is given twice, no version either."""
    given = numbers(backup)
    for (name,) in backup.execute(
        "SELECT name FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%'"
    ).fetchall():
        own = given.get(name, 0)
        jump = JUMP_OF_TABLES if name == "tables" else JUMP
        beyond = own + jump if later is None else max(own, later.numbers.get(name, 0))
        if name in given:
            backup.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = ?", (beyond, name))
        else:
            backup.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (name, beyond))
    for number, version in () if later is None else later.versions.items():
        backup.execute("UPDATE tables SET version = max(version, ? + 1) WHERE id = ?", (version, number))


def draw_anew(backup: sqlite3.Connection) -> None:
    """The chances of every table that goes on are others: what came of the old ones may have been seen.

    A game that runs gets another seed from its next entry on, which says so: the undo of nothing. One that
    has not begun gets another seed altogether; what was added to the old one was known before it was drawn.
    """
    for number, entries in backup.execute(
        "SELECT id, entries FROM tables WHERE status = 'running'"
    ).fetchall():
        seed = secrets.token_bytes(SEED)
        backup.execute(ANEW, (number, seed))
        backup.execute(
            "UPDATE snapshots SET entry = entry + 1 WHERE table_id = ? AND entry = ?", (number, entries)
        )
        backup.execute("UPDATE tables SET reseed = ?, entries = entries + 1 WHERE id = ?", (seed, number))
    for (number,) in backup.execute("SELECT id FROM tables WHERE status = 'open'").fetchall():
        seed, told = (fresh := secrets.token_bytes(SEED)), sha256(fresh).hexdigest()
        backup.execute("UPDATE tables SET seed = ?, commitment = ? WHERE id = ?", (seed, told, number))
        backup.execute(NOTHING_ADDED, (number,))
