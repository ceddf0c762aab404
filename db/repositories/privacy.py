"""Everything that is kept about one person: read for him, and forgotten."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from db.database import Source, Transaction

# votes about a person as somebody's successor
PROPOSED = (
    "CASE WHEN json_valid(payload) THEN CAST(json_extract(payload, '$.user') AS TEXT) END = CAST(? AS TEXT)"
)
OWN: dict[str, str] = {
    "user": "SELECT * FROM users WHERE id = ?",
    "blocks": "SELECT blocked_id FROM blocks WHERE user_id = ?",
    "notes": "SELECT table_id, text, at FROM notes WHERE user_id = ?",
    "results": "SELECT * FROM results WHERE user_id = ?",
    "ratings": "SELECT * FROM ratings WHERE user_id = ?",
    "seats": "SELECT t.id AS table_id, t.game, t.status, t.guild_id, s.seat, s.role, s.name, s.account, "
    "s.turns, s.thought_ms, s.nonce_told FROM seats s JOIN tables t ON t.id = s.table_id "
    "WHERE s.user_id = ? ORDER BY t.id",
    "invitations": "SELECT s.table_id, s.seat FROM seats s JOIN tables t ON t.id = s.table_id "
    "WHERE t.status = 'open' AND s.invited = ?",
    "made": "SELECT id AS table_id, game, created_at FROM tables WHERE creator_id = ? ORDER BY id",
    "actions": "SELECT table_id, seq, action, at FROM actions WHERE user_id = ? ORDER BY table_id, seq",
    "drafts": "SELECT d.table_id, d.draft, d.at FROM drafts d "
    "JOIN seats s ON s.table_id = d.table_id AND s.seat = d.seat WHERE s.user_id = ?",
    "aids": "SELECT a.table_id, a.aid FROM aids a "
    "JOIN seats s ON s.table_id = a.table_id AND s.seat = a.seat WHERE s.user_id = ?",
    "offers": "SELECT table_id, seat, at FROM offers WHERE user_id = ?",
    "offered": "SELECT table_id, seat, at FROM offers WHERE by_id = ?",
    "proposed": "SELECT table_id, kind, status, created_at FROM votes WHERE " + PROPOSED,  # noqa: S608
    "messages": "SELECT table_id, kind, state, created_at FROM outbox WHERE destination = 'user:' || ?",
    "left_seats": "SELECT table_id, seat, at FROM handovers WHERE user_id = ?",
    "left_servers": "SELECT guild_id, at FROM leavers WHERE user_id = ?",
    "met_rules": "SELECT game, rule FROM met_rules WHERE user_id = ?",
    "vacations": "SELECT since, until FROM vacations WHERE user_id = ?",
    "timers": "SELECT kind, table_id, due_at FROM timers WHERE user_id = ?",
}


async def everything(source: Source, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """All rows about a person, by what they are; nothing that only somebody else may know."""
    found = {}
    for name, sql in OWN.items():
        rows = [dict(row) for row in await source.all(sql, (user_id,))]
        if rows:
            found[name] = rows
    return found


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
    found = " OR ".join("instr(payload, ?)" for _ in wanted)
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
        "INSERT OR IGNORE INTO handovers (table_id, seat, user_id, at) "
        "SELECT s.table_id, s.seat, s.user_id, ? FROM seats s JOIN tables t ON t.id = s.table_id "
        "WHERE s.user_id = ? AND t.status = 'running'",
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
