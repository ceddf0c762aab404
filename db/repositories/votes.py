"""Votes and their ballots; one open vote of a kind at a table."""

from __future__ import annotations

from db.database import Source, Transaction
from db.rows import BallotRow, VoteRow, whole, wholes
from db.statements import put

BALLOT = put("ballots", ("vote_id", "seat"), ("agree", "at"))


async def add(
    tx: Transaction,
    table_id: int,
    kind: str,
    *,
    by_seat: int,
    entry: int | None,
    now: int,
    payload: str = "{}",
    version: int = 0,
) -> int:
    """A new open vote, asked at this version of its table; its number."""
    rows = await tx.all(
        "INSERT INTO votes (table_id, kind, by_seat, entry, status, created_at, payload, version) "
        "VALUES (?, ?, ?, ?, 'open', ?, ?, ?) RETURNING id",
        (table_id, kind, by_seat, entry, now, payload, version),
    )
    return int(rows[0]["id"])


async def get(source: Source, vote_id: int) -> VoteRow | None:
    """A vote by its number."""
    row = await source.one("SELECT * FROM votes WHERE id = ?", (vote_id,))
    return None if row is None else whole(VoteRow, row)


async def open_of(source: Source, table_id: int) -> list[VoteRow]:
    """A table's open votes."""
    rows = await source.all(
        "SELECT * FROM votes WHERE table_id = ? AND status = 'open' ORDER BY id", (table_id,)
    )
    return wholes(VoteRow, rows)


async def ballots(source: Source, vote_id: int) -> dict[int, bool]:
    """Answers by seat."""
    rows = await source.all("SELECT * FROM ballots WHERE vote_id = ? ORDER BY seat", (vote_id,))
    return {ballot.seat: ballot.agree for ballot in wholes(BallotRow, rows)}


async def answer(tx: Transaction, vote_id: int, seat: int, agree: bool, now: int) -> None:
    """A seat's answer, or its new answer."""
    tx.put(BALLOT, (vote_id, seat, agree, now))


async def end(tx: Transaction, vote_id: int, status: str, now: int) -> None:
    """Closes a vote as `agreed`, `refused` or `lapsed`."""
    tx.put("UPDATE votes SET status = ?, ended_at = ? WHERE id = ?", (status, now, vote_id))
