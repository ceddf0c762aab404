"""What outlives a game: results, ratings, players' own notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from typing import Literal, NamedTuple

from db.database import Source, Transaction
from db.rows import RatingRow, ResultRow, whole, wholes
from db.statements import add, put

ADD = add("results", tuple(ResultRow.__dataclass_fields__))  # what counted counts
RATE = put("ratings", ("game", "user_id"), ("mu", "sigma"))
NOTE = put("notes", ("user_id", "table_id"), ("text", "at"))


async def add_results(tx: Transaction, rows: Sequence[ResultRow]) -> None:
    """Stores how a table ended for each person."""
    tx.many(ADD, [astuple(row) for row in rows])


async def results(source: Source, user_id: int) -> list[ResultRow]:
    """A person's results, newest first."""
    rows = await source.all(
        "SELECT * FROM results WHERE user_id = ? ORDER BY ended_at DESC, table_id DESC", (user_id,)
    )
    return wholes(ResultRow, rows)


async def of_table(source: Source, table_id: int) -> list[ResultRow]:
    """A table's results."""
    rows = await source.all("SELECT * FROM results WHERE table_id = ? ORDER BY seat", (table_id,))
    return wholes(ResultRow, rows)


async def remove(tx: Transaction, table_id: int) -> None:
    """Takes a table's results away: its game goes on."""
    tx.put("DELETE FROM results WHERE table_id = ?", (table_id,))


async def remove_rating(tx: Transaction, game: str, user_id: int) -> None:
    """A player without a rated game has no rating."""
    tx.put("DELETE FROM ratings WHERE game = ? AND user_id = ?", (game, user_id))


async def known(source: Source, table_id: int) -> bool:
    """Whether this table's results are stored."""
    return await source.one("SELECT 1 FROM results WHERE table_id = ?", (table_id,)) is not None


async def meetings(
    source: Source, game: str, user_ids: Sequence[int], since: int
) -> dict[frozenset[int], int]:
    """How many rated games any two of the users have finished with each other since then."""
    marks = ", ".join("?" for _ in user_ids)
    rows = await source.all(
        "SELECT a.user_id AS one, b.user_id AS other, count(*) AS n FROM results a JOIN results b "  # noqa: S608
        "ON b.table_id = a.table_id AND b.user_id > a.user_id WHERE a.game = ? "
        f"AND a.rated = 1 AND b.rated = 1 AND a.ended_at >= ? AND a.user_id IN ({marks}) "
        f"AND b.user_id IN ({marks}) GROUP BY 1, 2",
        [game, since, *user_ids, *user_ids],
    )
    return {frozenset((int(row["one"]), int(row["other"]))): int(row["n"]) for row in rows}


async def met_forgotten(
    source: Source, game: str, user_ids: Sequence[int], since: int
) -> list[tuple[int, int]]:
    """Rated games that the users finished since then with somebody who is forgotten by now: who, when."""
    marks = ", ".join("?" for _ in user_ids)
    rows = await source.all(
        "SELECT a.user_id, a.ended_at FROM results a WHERE a.game = ? AND a.rated = 1 "  # noqa: S608 - only marks
        f"AND a.ended_at >= ? AND a.user_id IN ({marks}) "
        "AND (SELECT count(*) FROM results b WHERE b.table_id = a.table_id) "
        "< (SELECT count(*) FROM seats s WHERE s.table_id = a.table_id)",
        [game, since, *user_ids],
    )
    return [(int(row["user_id"]), int(row["ended_at"])) for row in rows]


async def ratings(source: Source, game: str, user_ids: Sequence[int]) -> dict[int, RatingRow]:
    """Ratings of those of the users who have one."""
    marks = ", ".join("?" for _ in user_ids)
    rows = await source.all(
        f"SELECT * FROM ratings WHERE game = ? AND user_id IN ({marks})",  # noqa: S608 - only marks
        [game, *user_ids],
    )
    return {rating.user_id: rating for rating in wholes(RatingRow, rows)}


async def put_ratings(tx: Transaction, rows: Sequence[RatingRow]) -> None:
    """Stores ratings in place of the ones before."""
    tx.many(RATE, [astuple(row) for row in rows])


async def last_rated(source: Source, game: str, user_ids: Sequence[int]) -> dict[int, int]:
    """When those of the users who have one ended their last rated game, ms UTC."""
    return await _rated(source, game, user_ids, "max")


async def first_rated(source: Source, game: str, user_ids: Sequence[int]) -> dict[int, int]:
    """The same of their first one."""
    return await _rated(source, game, user_ids, "min")


async def _rated(
    source: Source, game: str, user_ids: Sequence[int], which: Literal["min", "max"]
) -> dict[int, int]:
    marks = ", ".join("?" for _ in user_ids)
    rows = await source.all(
        f"SELECT user_id, {which}(ended_at) AS ended FROM results WHERE rated = 1 AND game = ? "  # noqa: S608
        f"AND user_id IN ({marks}) GROUP BY user_id",
        [game, *user_ids],
    )
    return {int(row["user_id"]): int(row["ended"]) for row in rows}


class Rated(NamedTuple):
    """A player of a leaderboard: rating, name, rated games, games won, and when the last one ended."""

    rating: RatingRow
    name: str
    games: int
    won: int
    last: int


async def rated_in(source: Source, game: str, guild_id: int) -> list[Rated]:
    """Those who finished a rated game in this server and have not left it."""
    rows = await source.all(
        "SELECT r.*, u.name AS name, count(*) AS games, coalesce(sum(s.won), 0) AS won, "
        "max(s.ended_at) AS last FROM ratings r "
        "JOIN results s ON s.user_id = r.user_id AND s.game = r.game AND s.rated = 1 "
        "JOIN users u ON u.id = r.user_id WHERE r.game = ?1 AND EXISTS (SELECT 1 FROM results g "
        "WHERE g.guild_id = ?2 AND g.game = ?1 AND g.user_id = r.user_id AND g.rated = 1) "
        "AND NOT EXISTS (SELECT 1 FROM leavers l WHERE l.user_id = r.user_id AND l.guild_id IN (0, ?2)) "
        "GROUP BY r.game, r.user_id, u.id ORDER BY r.user_id",
        (game, guild_id),
    )
    return [
        Rated(rating, str(row["name"]), int(row["games"]), int(row["won"]), int(row["last"]))
        for row in rows
        if (rating := whole(RatingRow, row)) is not None
    ]


async def note(source: Source, user_id: int, table_id: int) -> str | None:
    """A player's note on a table."""
    row = await source.one("SELECT text FROM notes WHERE user_id = ? AND table_id = ?", (user_id, table_id))
    return None if row is None else str(row["text"])


async def put_note(tx: Transaction, user_id: int, table_id: int, text: str | None, now: int) -> None:
    """Stores a note in place of the one before; None takes it away."""
    if text is None:
        tx.put("DELETE FROM notes WHERE user_id = ? AND table_id = ?", (user_id, table_id))
    else:
        tx.put(NOTE, (user_id, table_id, text, now))
