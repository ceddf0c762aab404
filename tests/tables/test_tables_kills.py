"""The process may end between any two statements: what was acknowledged is there, once, and whole."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from db import sqlite
from db.database import Database
from tables.service import Tables
from tests.tables.players import ANN, BEN

pytestmark = pytest.mark.sqlite  # of a file, its copies and what a disk does to it


async def found_after(house, files):
    """What a new process finds in a copy of the files."""
    opened = await Database.open(files, busy_ms=50)
    tables = Tables(opened, house.clock, house.thinker, lambda: None)
    await tables.start_up()
    faults = await tables.check()
    entries = await opened.reads.one("SELECT count(*) FROM actions")
    posts = await opened.reads.one("SELECT count(*) FROM outbox WHERE kind = 'board'")
    await tables.close()
    await opened.close()
    assert entries is not None
    assert posts is not None
    return faults, entries[0], posts[0]


async def test_a_kill_between_any_two_statements_leaves_whole_actions_with_their_posts(
    house, monkeypatch, tmp_path
):
    table = await house.new(BEN)
    winner = await house.bid_all(table)
    copies: list[tuple[Path, int, str]] = []
    acknowledged = 2
    real = sqlite.carry_out

    def copying(connection, step):
        made = tmp_path / f"copy{len(copies)}.db"
        for end in ("", "-wal"):
            shutil.copy(f"{house.path}{end}", f"{made}{end}")
        copies.append((made, acknowledged, step.sql))
        return real(connection, step)

    monkeypatch.setattr(sqlite, "carry_out", copying)
    for action in ("step", "draw", "pass"):
        await house.act(table, winner, action)
        acknowledged += 1
    offer = await house.tables.undo(table.id, winner.id, next(house.ids))
    await house.tables.vote(offer.id, (BEN if winner is ANN else ANN).id, True, next(house.ids))
    monkeypatch.setattr(sqlite, "carry_out", real)
    assert len(copies) > 25
    for made, sure, sql in copies:
        faults, entries, posts = await found_after(house, made)
        assert faults == [], (made, sql)
        assert entries >= sure
        assert posts == entries + 1, sql  # one for the start; each entry's board came with it
