"""What is kept about one person: whether there is anything, where, and how it is forgotten."""

from __future__ import annotations

from collections.abc import Iterable

from db.belongings import OWN, PROPOSED
from db.database import Source, Transaction


async def known(source: Source, user_id: int) -> bool:
    """Whether anything is kept about a person."""
    kept = " OR ".join(f"EXISTS ({sql.replace('?', '?1')})" for sql in OWN.values())
    row = await source.one(f"SELECT {kept} AS known", (user_id,))
    return row is not None and bool(row["known"])


async def seats_of(source: Source, user_id: int, status: str) -> list[int]:
    """Tables of this status at which a person sits or is invited."""
    rows = await source.all(
        "SELECT DISTINCT t.id FROM tables t JOIN seats s ON s.table_id = t.id "
        "WHERE t.status = ?1 AND (s.user_id = ?2 OR (s.invited = ?2 AND t.status = 'open')) ORDER BY t.id",
        (status, user_id),
    )
    return [int(row["id"]) for row in rows]


async def ended_of(source: Source, user_id: int) -> list[int]:
    """Finished and cancelled tables at which a person sat, or that he made."""
    rows = await source.all(
        "SELECT t.id FROM tables t WHERE t.status IN ('over', 'cancelled') AND (t.creator_id = ?1 OR "
        "EXISTS (SELECT 1 FROM seats s WHERE s.table_id = t.id AND ?1 IN (s.user_id, s.invited)))",
        (user_id,),
    )
    return [int(row["id"]) for row in rows]


async def studies_of(source: Source, user_id: int) -> list[int]:
    """A person's study tables."""
    rows = await source.all("SELECT id FROM tables WHERE study = 1 AND creator_id = ?", (user_id,))
    return [int(row["id"]) for row in rows]


async def names_of(source: Source, user_id: int) -> set[str]:
    """What a person is called in the database."""
    rows = await source.all(
        "SELECT name FROM users WHERE id = ? UNION SELECT name FROM seats WHERE ? IN (user_id, invited) "  # noqa: S608 - our own
        f"UNION SELECT coalesce(json_extract(payload, '$.name'), '') FROM votes WHERE {PROPOSED}",
        (user_id, user_id, user_id),
    )
    return {str(row["name"]) for row in rows}


async def unsent_about(source: Source, user_id: int, names: Iterable[str]) -> list[tuple[int, str]]:
    """Posts that wait and may name a person: number and content (JSON text)."""
    wanted = [str(user_id), *names]
    found = " OR ".join("instr(payload, ?) > 0" for _ in wanted)
    rows = await source.all(
        "SELECT id, payload FROM outbox WHERE state IN ('queued', 'flying') "  # noqa: S608 - only marks
        f"AND json_valid(payload) AND ({found})",
        wanted,
    )
    return [(int(row["id"]), str(row["payload"])) for row in rows]


async def rewrite(tx: Transaction, row_id: int, payload: str) -> None:
    """A post that waits says something else."""
    tx.put("UPDATE outbox SET payload = ? WHERE id = ?", (payload, row_id))


async def forget(tx: Transaction, user_id: int, name: str, level: str, now: int) -> None:
    """Takes a person out of everything; `name` stands for him in games that are over.

    What others have set (their blocks of him) stays theirs. Where he sits still, at a table that is out
    of order, the bot at `level` has his seat.
    """
    one = (user_id,)
    tx.put(
        "INSERT INTO handovers (table_id, seat, user_id, at) "
        "SELECT s.table_id, s.seat, s.user_id, CAST(? AS BIGINT) FROM seats s "
        "JOIN tables t ON t.id = s.table_id WHERE s.user_id = ? "
        "AND t.status = 'running' ON CONFLICT DO NOTHING",
        (now, user_id),
    )
    tx.put(
        "UPDATE handovers SET forgotten = 1, (mu, sigma) = (SELECT mu, sigma FROM ratings r JOIN tables t "
        "ON t.game = r.game WHERE t.id = handovers.table_id AND r.user_id = handovers.user_id) "
        "WHERE user_id = ?",
        one,
    )
    tx.put(
        "UPDATE seats SET user_id = NULL, account = '', name = ?, level = ? WHERE user_id = ? "
        "AND table_id IN (SELECT id FROM tables WHERE status NOT IN ('over', 'cancelled'))",
        (name, level, user_id),
    )
    tx.put("UPDATE seats SET invited = NULL, account = '', name = ? WHERE invited = ?", (name, user_id))
    tx.put("DELETE FROM tables WHERE study = 1 AND creator_id = ?", one)
    ended = "table_id IN (SELECT id FROM tables WHERE status IN ('over', 'cancelled'))"
    tx.put(
        f"UPDATE seats SET user_id = NULL, account = '', name = ? WHERE user_id = ? AND {ended}",  # noqa: S608
        (name, user_id),
    )
    tx.put("UPDATE tables SET creator_id = 0 WHERE creator_id = ?", one)
    tx.put("UPDATE actions SET user_id = NULL WHERE user_id = ?", one)
    tx.put(
        "UPDATE votes SET payload = json_remove(payload, '$.user', '$.name', '$.account'), "  # noqa: S608 - our own words
        "ended_at = CASE status WHEN 'open' THEN ? ELSE ended_at END, "
        f"status = CASE status WHEN 'open' THEN 'lapsed' ELSE status END WHERE {PROPOSED}",
        (now, user_id),
    )
    own = "results ratings notes blocks offers timers vacations leavers met_rules"
    for table in own.split():
        tx.put(f"DELETE FROM {table} WHERE user_id = ?", one)  # noqa: S608 - names of this program
    tx.put("UPDATE offers SET by_id = NULL WHERE by_id = ?", one)
    tx.put("DELETE FROM outbox WHERE destination = ?", (f"user:{user_id}",))
    tx.put("DELETE FROM users WHERE id = ?", one)


async def clear_handovers(tx: Transaction, table_id: int) -> None:
    """Who sat where before matters only while the game runs."""
    tx.put("DELETE FROM handovers WHERE table_id = ?", (table_id,))
