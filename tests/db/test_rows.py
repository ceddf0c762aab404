"""Rows as they are read: at once where they are whole, column by column where they may not be."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from db import rows
from db.rows import OutboxRow, SeatRow, UserRow, looked_through, row_of

SEAT = {
    "table_id": 1, "seat": 0, "role": "first", "user_id": 7, "name": "Ann", "acts": 1, "gone": None,
    "nonce": b"n", "damaged": None,
}  # fmt: skip
USER = {"id": 1, "name": "Ann", "locale": None, "language": "hu", "dm": 0}
POST = {
    "id": 3, "table_id": None, "destination": "user:1", "kind": "call", "payload": "{}", "nonce": "12",
    "state": "queued", "attempts": 0, "due_at": 0, "flying_since": None, "message_id": None, "error": None,
    "created_at": 5, "done_at": None,
}  # fmt: skip


def result(**columns):
    """A row of a result that has these columns."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.row_factory = sqlite3.Row
        names = ", ".join(f":{name} AS {name}" for name in columns)
        return connection.execute(f"SELECT {names}", columns).fetchone()


@pytest.mark.parametrize(
    ("kind", "columns"),
    [(SeatRow, SEAT), (UserRow, USER), (OutboxRow, POST), (OutboxRow, {**POST, "waiting": 2, "damaged": ""})],
)
def test_a_whole_row_is_read_at_once_as_it_is_column_by_column(kind, columns, monkeypatch):
    by_column = looked_through(kind, result(**columns))
    monkeypatch.setattr(rows, "looked_through", None)
    at_once = row_of(kind, result(**{**columns, **({"damaged": None} if "damaged" in columns else {})}))
    assert at_once == by_column
    assert vars(at_once) == vars(by_column)


def test_a_torn_row_is_looked_at_column_by_column():
    assert row_of(SeatRow, result(**{**SEAT, "turns": "many"})).damaged == ("turns",)
    assert row_of(SeatRow, result(**{**SEAT, "damaged": "name"})).damaged == ("name",)
    assert row_of(SeatRow, result(**{**SEAT, "turns": "many"})).turns == 0


def test_a_row_without_what_it_needs_is_none():
    with pytest.raises(TypeError):
        row_of(UserRow, result(id=1, name="Ann"))
