"""Everything that is kept about one person, read by a process that owns no connection of the bot's."""

from __future__ import annotations

from typing import Any

from db.address import Where
from db.ledger import reading

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


def belongings(path: Where, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """All rows about a person, by what they are, of one moment; nothing that only somebody else may know.

    Raises DatabaseError.
    """
    with reading(path) as connection:
        found = {name: connection.execute(sql, (user_id,)).fetchall() for name, sql in OWN.items()}
    return {name: [dict(row) for row in rows] for name, rows in found.items() if rows}
