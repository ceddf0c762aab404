"""What is asked at each action, at each post and every few seconds reads few rows, however many there are."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import partial
from typing import Any

import psycopg

from db.database import Source
from db.migrating import newest
from db.postgresql.connections import adapt
from db.postgresql.words import said
from db.repositories import actions, outbox, results, tables, timers, users, votes
from db.rows import Message, OutboxRow
from tests.postgres import EMPTY

MANY = 3000  # rows of what grows
STEPS = (
    1500  # of SQLite's machine, for a statement that looks up a few rows; one look at all takes MANY and more
)
ROWS = 100  # that PostgreSQL reads for it
NUMBERS = f"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY})"
LONG_AGO, NOW = 1_000_000, 2_000_000
FILLED = (
    "users (id, name) SELECT i, 'Ann'",
    (
        "tables (id, game, rules, status, options, table_options, guild_id, channel_id, thread_id, in_place, "
        "private, creator_id, commitment, seed, created_at) SELECT i, 'kamisado', 1, 'running', '{}', '{}', "
        "i / 10, i, i + 100000, 0, 0, i, 'x', CAST('x' AS BLOB), 1"
    ),
    "seats (table_id, seat, user_id, acts, acts_since) SELECT i, 0, i, 1, 1",
    "seats (table_id, seat, level) SELECT i, 1, 'easy'",
    "actions (table_id, seq, seat, action, user_id, at) SELECT i, 1, 0, '{}', i, 1",
    "snapshots (table_id, entry, state, events) SELECT i, 1, '{}', '[]'",
    "interactions (id, table_id, outcome, at) SELECT i, i, '{}', 2000000",
    (
        "outbox (table_id, destination, kind, payload, nonce, state, due_at, created_at, done_at, "
        "message_id) SELECT i, 'table:' || i, 'board', '{}', '1', 'sent', 0, 1, 2000000, i"
    ),
    (
        "outbox (table_id, destination, kind, payload, nonce, state, due_at, created_at, done_at, "
        "message_id) SELECT i, 'user:' || i, 'hand', '{}', '1', 'sent', 0, 1, 2000000, i"
    ),
    "timers (kind, table_id, user_id, due_at) SELECT 'remind', i, i, 3000000 + i",
    "timers (kind, user_id, due_at) SELECT 'vacation', i, 3000000 + i",
    (
        "results (table_id, seat, user_id, game, guild_id, place, won, rated, turns, thought_ms, ended_at) "
        "SELECT i, 0, i, 'kamisado', i / 10, 1, 1, 1, 1, 1, 1"
    ),
    "votes (table_id, kind, by_seat, status, created_at) SELECT i, 'undo', 0, 'agreed', 1",
)
ROW = OutboxRow(
    id=7, table_id=9, destination="table:9", kind="board", payload="{}", nonce="1", state="queued",
    attempts=0, due_at=0, flying_since=None, message_id=None, error=None, created_at=1, done_at=None,
)  # fmt: skip
Ask = Callable[[Any], Awaitable[object]]  # of what writes, too
OFTEN: dict[str, Ask] = {
    "posts due": lambda s: outbox.heads(s, NOW, NOW + 1, 64),
    "posts due in these shards": lambda s: outbox.heads(s, NOW, NOW + 1, 64, outbox.Part(0, 3, 16)),
    "how many posts are due": lambda s: outbox.due(s, NOW),
    "the newest post": outbox.last,
    "the last hand": lambda s: outbox.last_sent(s, "user:9", "hand", 9, LONG_AGO),
    "the last line that called": lambda s: outbox.last_sent(s, "table:9", "nudge", 9, LONG_AGO),
    "what a table shows": lambda s: outbox.newest(s, "table:9", ("nudge", "ready")),
    "a game shown elsewhere": lambda s: outbox.known(s, "channel:9", "trophy", 9),
    "a hand behind": lambda s: outbox.followed(s, ROW),
    "a board behind": lambda s: outbox.newer_board(s, ROW),
    "posts to a place": lambda s: outbox.waiting(s, "table:9", 10),
    "when posts are due": outbox.earliest,
    "a place that is open again": lambda s: outbox.hurry(s, "table:9"),
    "posts behind": lambda s: outbox.behind(s, "table:9", 9),
    "a post put off": lambda s: outbox.later(s, 7, NOW, "x"),
    "a post sent": lambda s: outbox.sent(s, 7, 1, NOW),
    "a post queued": lambda s: outbox.queue(s, [Message(9, "table:9", "line", "{}")], NOW),
    "a timer due": lambda s: timers.due(s, NOW, 1),
    "when timers are due": timers.earliest,
    "a vacation": lambda s: timers.of_user(s, "vacation", 9),
    "a table's reminders": lambda s: timers.of_table(s, "remind", 9),
    "reminders set": lambda s: timers.rouse(s, "remind", 9, 9, 1, 24),
    "reminders taken away": lambda s: timers.clear(s, "remind", 9, [3]),
    "a table": lambda s: tables.get(s, 9),
    "seats": lambda s: tables.seats(s, 9),
    "a position": lambda s: tables.snapshot(s, 9),
    "tables of a channel": lambda s: tables.in_channel(s, 9),
    "tables of a thread": lambda s: tables.in_channel(s, 100009),
    "a user's tables": lambda s: tables.of_user(s, 9),
    "how many tables a user has": lambda s: tables.live_of(s, 9),
    "how many lobbies": lambda s: tables.lobbies_of(s, 9),
    "how many tables a server has": lambda s: tables.live_in(s, 9),
    "a place that is closed": lambda s: tables.live_at(s, 9, 9),
    "opponents": tables.bots_to_act,
    "a new study": lambda s: tables.drop_studies(s, 9, 5),
    "an action done": lambda s: actions.done(s, 5),
    "actions forgotten": lambda s: actions.forget(s, NOW),
    "the last action": lambda s: actions.last_of(s, 9, 0, 9),
    "people": lambda s: users.some(s, [9, 10]),
    "people who are called elsewhere": users.called_elsewhere,
    "votes": lambda s: votes.open_of(s, 9),
    "results": lambda s: results.results(s, 9),
    "games together": lambda s: results.meetings(s, "kamisado", [9, 10], 1),
}


def filling(rows, blob):
    """A statement that puts so many of these rows."""
    columns, _, values = rows.partition(" SELECT ")
    return f"INSERT INTO {columns} {NUMBERS} SELECT {values.replace('BLOB', blob)} FROM n"


class Asked(Source):
    """Notes what is asked."""

    def __init__(self):
        self.steps = []

    async def all(self, sql, params=()):
        self.steps.append((sql, [*params]))
        return []

    async def next_number(self, table):
        return 1

    def put(self, sql, params=()):
        self.steps.append((sql, [*params]))

    def many(self, sql, rows):
        self.steps += [(sql, [*row]) for row in rows]


async def statements():
    """What is asked: its name, the statement, its parameters."""
    for name, ask in OFTEN.items():
        source = Asked()
        await ask(source)
        assert source.steps, name
        for sql, params in source.steps:
            yield name, sql, params


async def test_what_a_file_is_asked_often_takes_a_few_steps():
    slow = {}
    with closing(newest()) as made:
        for rows in FILLED:
            made.execute(filling(rows, "BLOB"))
        async for name, sql, params in statements():
            tens: list[int] = []
            made.set_progress_handler(partial(tens.append, 10), 10)  # it goes on where that returns nothing
            made.execute(sql, params).fetchall()
            if (took := sum(tens)) > STEPS:
                slow[name] = took, sql
            made.set_progress_handler(None, 0)
    assert not slow


def rows_read(plan):
    """How many rows a plan has looked at."""
    seen = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)
    return seen * plan["Actual Loops"] + sum(map(rows_read, plan.get("Plans", ())))


async def test_what_a_server_is_asked_often_reads_a_few_rows(server):
    slow, address = {}, server.lend()
    with psycopg.connect(address.url, cursor_factory=psycopg.RawCursor) as made:
        adapt(made.adapters)
        for rows in FILLED:
            made.execute(filling(rows, "bytea"))
        made.execute("ANALYZE")
        async for name, sql, params in statements():
            told = made.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {said(sql)}", params).fetchall()
            if (read := rows_read(told[0][0][0]["Plan"])) > ROWS:
                slow[name] = read, sql
        made.rollback()
    server.take_back(address)
    assert not slow


def test_a_query_in_several_processes_of_the_server_may_ask_what_is_json(server):
    with psycopg.connect(server.address(EMPTY).url) as made:
        made.execute("SET force_parallel_mode = on")
        assert made.execute("SELECT json_valid(name) FROM (VALUES ('{'), ('{}')) n (name)").fetchall() == [
            (False,),
            (True,),
        ]
