"""The schema, declared once: what SQLite's migrations make, and what PostgreSQL's do.

Nothing of it runs in the bot (SQLAlchemy is a tool of the developers): tests hold both databases against it,
and `python -m db.schema` prints what makes a whole PostgreSQL database of this version. Who changes it writes
a migration for each, of the same number (docs/operations.md).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Identity,
    Index,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    create_mock_engine,
)
from sqlalchemy import (
    text as words,
)
from sqlalchemy.dialects import sqlite

METADATA = MetaData()
BIG = BigInteger().with_variant(sqlite.INTEGER(), "sqlite")
BYTES = LargeBinary().with_variant(sqlite.BLOB(), "sqlite")
FLOAT: Any = Double().with_variant(sqlite.REAL(), "sqlite")
# of SQLite, under their names: our statements and checks use them in both databases
FUNCTIONS = r"""
-- not PARALLEL SAFE: what is caught is a subtransaction, which no parallel query may begin
CREATE FUNCTION json_valid(given text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
    PERFORM CAST(given AS json);
    RETURN true;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
    RETURN false;
END $$;

CREATE FUNCTION json_path(path text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT string_to_array(btrim(regexp_replace(path, '[$.\[\]]+', ',', 'g'), ','), ',')
$$;

CREATE FUNCTION json_extract(given text, path text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CAST(given AS json) #>> json_path(path)
$$;

CREATE FUNCTION json_set(given text, path text, value bigint) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CAST(jsonb_set(CAST(given AS jsonb), json_path(path), to_jsonb(value)) AS text)
$$;

CREATE FUNCTION json_remove(given text, VARIADIC paths text[]) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CAST(CAST(given AS jsonb) - ARRAY(SELECT substr(path, 3) FROM unnest(paths) AS path) AS text)
$$;

CREATE FUNCTION json_each(given text) RETURNS TABLE (key bigint, value text)
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT place - 1, one #>> '{}'
    FROM json_array_elements(CAST(given AS json)) WITH ORDINALITY AS e (one, place)
$$;

CREATE FUNCTION instr(given text, sought text) RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT strpos(given, sought)
$$;

CREATE TABLE schema_version (
    version bigint PRIMARY KEY,
    least bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE writers (
    key text PRIMARY KEY,
    value bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
);
"""


def column(
    name: str,
    kind: Any,
    *,
    check: str | None = None,
    null: bool = False,
    default: str | int | None = None,
    key: bool = False,
    unique: bool = False,
    of: str | None = None,
    cascade: bool = True,
    given: bool = False,
) -> Column[Any]:
    """A column.

    check    what it must meet; `{}` is its name
    default  what stands where nothing is said
    of       the table whose number it is; its rows go with that one's where they `cascade`
    given    the database gives the number
    """
    parts: list[Any] = []
    if check is not None:
        parts.append(CheckConstraint(check.replace("{}", '"row"' if name == "row" else name)))
    if of is not None:
        parts.append(ForeignKey(f"{of}.id", ondelete="CASCADE" if cascade else None))
    if given:
        parts.append(Identity())
    shown = f"'{default}'" if isinstance(default, str) else str(default)
    return Column(
        name,
        kind,
        *parts,
        nullable=null,
        primary_key=key,
        unique=unique or None,
        autoincrement=given,
        server_default=None if default is None else words(shown),
    )


def number(name: str, *, least: int | None = None, check: str | None = None, **more: Any) -> Column[Any]:
    """A whole number of 64 bits: a time, an identifier, a count."""
    return column(name, BIG, check=check if least is None else f"{{}} >= {least}", **more)


def flag(name: str, **more: Any) -> Column[Any]:
    """Yes or no: 1 or 0."""
    return column(name, BIG, check="{} IN (0, 1)", **more)


def text(name: str, **more: Any) -> Column[Any]:
    """Words."""
    return column(name, Text(), **more)


def json(name: str, sign: str, *, null: bool = False, **more: Any) -> Column[Any]:
    """Words that are JSON which begins with this sign."""
    check = f"json_valid({{}}) AND substr({{}}, 1, 1) = '{sign}'"
    return text(name, check=f"{{}} IS NULL OR {check}" if null else check, null=null, **more)


def blob(name: str, **more: Any) -> Column[Any]:
    """Bytes."""
    return column(name, BYTES, **more)


def real(name: str, **more: Any) -> Column[Any]:
    """A number with a fraction."""
    return column(name, FLOAT, **more)


def index(name: str, *columns: str, where: str | None = None, unique: bool = False) -> Index:
    """An index, of some rows where it says which."""
    some = None if where is None else words(where)
    return Index(name, *columns, unique=unique, sqlite_where=some, postgresql_where=some)


def destination() -> Iterator[Any]:
    """Where a message goes: what it must look like is said to each database in its own words."""
    kinds = ("table", "channel", "user")
    globs = " OR ".join(f"destination GLOB '{kind}:[0-9]*'" for kind in kinds)
    yield text("destination")
    yield CheckConstraint(globs).ddl_if(dialect="sqlite")
    yield CheckConstraint(f"destination ~ '^({'|'.join(kinds)}):[0-9]'").ddl_if(dialect="postgresql")


def table(name: str, *parts: Any, rowid: bool = True, once: bool = False) -> Table:
    """A table; `once`: no number is given twice."""
    return Table(
        name, METADATA, *parts, sqlite_strict=True, sqlite_with_rowid=rowid, sqlite_autoincrement=once
    )


table(
    "meta",
    text("key", key=True),
    text("value"),
    rowid=False,
)

table(
    "users",
    number("id", key=True),
    text("name"),
    text("locale", null=True),
    text("language", null=True),
    flag("dm", default=1),
    number("remind_hours", least=0, default=24),
    text("zone", default="UTC"),
    number("quiet_from", check="{} BETWEEN 0 AND 1439", null=True),
    number("quiet_to", check="{} BETWEEN 0 AND 1439", null=True),
    flag("next_ping", default=0),
    number("away_until", null=True),
    text("call_by", check="{} IN ('table', 'dm', 'digest')", default="table"),
    number("digest_at", check="{} BETWEEN 0 AND 1439", default=1080),
    index("users_called", "id", where="call_by <> 'table'"),
)

table(
    "guilds",
    number("id", key=True),
    text("language", null=True),
    flag("threads", default=1),
    number("left_at", null=True),
    json("channels", "[", null=True),
    number("user_tables", least=0, null=True),
    number("server_tables", least=0, null=True),
    number("silent_at", null=True),
    number("forum_id", null=True),
)

table(
    "tables",
    number("id", key=True, given=True),
    text("game"),
    number("rules", least=1),
    text("status", check="{} IN ('open', 'running', 'over', 'cancelled')"),
    json("options", "{"),
    json("table_options", "{"),
    number("guild_id", null=True),
    number("channel_id"),
    number("thread_id", null=True),
    flag("in_place"),
    text("locale", null=True),
    flag("private"),
    number("creator_id"),
    number("lobby_message_id", null=True),
    number("board_message_id", null=True),
    number("version", least=0, default=0),
    number("entries", least=0, default=0),
    json("to_act", "[", default="[]"),
    number("turn_since", null=True),
    json("result", "{", null=True),
    text("commitment"),
    blob("seed", check="length({}) BETWEEN 1 AND 64"),
    number("reminded_at", null=True),
    number("created_at"),
    number("started_at", null=True),
    number("ended_at", null=True),
    number("rematch_of", null=True, unique=True, of="tables", cascade=False),
    number("paused_at", null=True),
    json("position", "{", null=True),
    flag("study", default=0),
    flag("handed", default=0),
    number("aside_at", null=True),
    blob("reseed", check="length({}) BETWEEN 1 AND 64", null=True),
    flag("unrated", default=0),
    number("barred_at", null=True),
    text("damaged", default=""),
    text("seating", check="{} <> ''", null=True),
    index("tables_by_channel", "channel_id", "id", where="thread_id IS NULL"),
    index("tables_by_thread", "thread_id", where="thread_id IS NOT NULL"),
    index("tables_by_guild", "guild_id", "id"),
    index("tables_running", "id", where="status = 'running'"),
    index("tables_live", "guild_id", where="status IN ('open', 'running')"),
    index("tables_of_creator", "creator_id", where="status = 'open'"),
    index("tables_aside", "id", where="aside_at IS NOT NULL"),
    index("tables_studies", "creator_id", "id", where="study = 1"),
    once=True,
)

table(
    "seats",
    number("table_id", key=True, of="tables"),
    number("seat", least=0, key=True),
    text("role", default=""),
    number("user_id", null=True),
    text("name", default=""),
    text("level", null=True),
    number("invited", null=True),
    flag("acts", default=0),
    number("acts_since", null=True),
    text("choice_mark", default=""),
    number("choice_version", least=0, default=0),
    flag("away", default=0),
    text("gone", check="{} IN ('left', 'deleted', 'outside')", null=True),
    number("bank", least=0, null=True),
    number("ticks_since", null=True),
    flag("flagged", default=0),
    number("turns", least=0, default=0),
    number("thought_ms", least=0, default=0),
    number("away_until", null=True),
    number("gone_since", null=True),
    text("account", default=""),
    blob("nonce", null=True),
    text("nonce_told", null=True),
    flag("unsealed", default=0),
    index("seats_by_user", "user_id", "table_id", where="user_id IS NOT NULL"),
    index("seats_of_bots", "table_id", where="level IS NOT NULL AND acts = 1"),
    rowid=False,
)

table(
    "actions",
    number("table_id", key=True, of="tables"),
    number("seq", least=1, key=True),
    number("seat", least=0, null=True),
    json("action", "{", null=True),
    number("undo", least=0, null=True),
    flag("reveals", default=0),
    flag("passes", default=0),
    number("user_id", null=True),
    number("at"),
    blob("seed", check="length({}) BETWEEN 1 AND 64", null=True),
    json("fed", "{", null=True),
    CheckConstraint("(action IS NULL) = (seat IS NULL) AND (action IS NULL) <> (undo IS NULL)"),
    rowid=False,
)

table(
    "snapshots",
    number("table_id", key=True, of="tables"),
    number("entry", least=0),
    text("state"),
    text("events"),
)

table(
    "interactions",
    number("id", key=True),
    number("table_id"),
    json("outcome", "{"),
    number("at"),
    index("interactions_by_age", "at"),
)

table(
    "outbox",
    number("id", key=True, given=True),
    number("table_id", null=True),
    *destination(),
    text("kind"),
    text("payload", check="substr({}, 1, 1) = '{'"),
    text("nonce"),
    text("state", check="{} IN ('queued', 'flying', 'sent', 'dropped')", default="queued"),
    number("attempts", least=0, default=0),
    number("due_at"),
    number("flying_since", null=True),
    number("message_id", null=True),
    text("error", null=True),
    number("created_at"),
    number("done_at", null=True),
    index("outbox_waiting", "destination", "id", where="state IN ('queued', 'flying')"),
    index("outbox_sent", "destination", "kind", "id", where="state = 'sent'"),
    index("outbox_done", "done_at", where="done_at IS NOT NULL"),
    once=True,
)

table(
    "timers",
    number("id", key=True, given=True),
    text("kind"),
    number("table_id", least=0, default=0),
    number("user_id", least=0, default=0),
    number("due_at"),
    json("payload", "{", default="{}"),
    UniqueConstraint("kind", "table_id", "user_id"),
    index("timers_due", "due_at"),
    once=True,
)

table(
    "votes",
    number("id", key=True, given=True),
    number("table_id", of="tables"),
    text("kind"),
    number("by_seat", least=0),
    number("entry", least=0, null=True),
    text("status", check="{} IN ('open', 'agreed', 'refused', 'lapsed')"),
    number("created_at"),
    number("ended_at", null=True),
    json("payload", "{", default="{}"),
    number("version", least=0, default=0),
    index("votes_open", "table_id", "kind", unique=True, where="status = 'open'"),
    once=True,
)

table(
    "ballots",
    number("vote_id", key=True, of="votes"),
    number("seat", least=0, key=True),
    flag("agree"),
    number("at"),
    rowid=False,
)

table(
    "offers",
    number("table_id", key=True, of="tables"),
    number("seat", least=0, key=True),
    number("user_id", null=True),
    number("at"),
    number("by_id", null=True),
    rowid=False,
)

table(
    "handovers",
    number("table_id", key=True, of="tables"),
    number("seat", least=0, key=True),
    number("user_id", key=True),
    number("at"),
    flag("forgotten", default=0),
    real("mu", null=True),
    real("sigma", null=True),
    rowid=False,
)

table(
    "blocks",
    number("user_id", key=True),
    number("blocked_id", key=True),
    rowid=False,
)

table(
    "notes",
    number("user_id", key=True),
    number("table_id", key=True, of="tables"),
    text("text"),
    number("at"),
    rowid=False,
)

table(
    "results",
    number("table_id", key=True, of="tables"),
    number("seat", least=0, key=True),
    number("user_id"),
    text("game"),
    number("guild_id", null=True),
    number("place", least=1),
    flag("won"),
    flag("rated"),
    number("turns", least=0),
    number("thought_ms", least=0),
    number("ended_at"),
    real("mu_before", null=True),
    real("sigma_before", null=True),
    real("mu_after", null=True),
    real("sigma_after", null=True),
    index("results_by_user", "user_id", "game"),
    index("results_by_guild", "guild_id", "game"),
    rowid=False,
)

table(
    "ratings",
    text("game", key=True),
    number("user_id", key=True),
    real("mu"),
    real("sigma", check="{} > 0"),
    rowid=False,
)

table(
    "drafts",
    number("table_id", key=True, of="tables"),
    number("seat", least=0, key=True),
    text("mark"),
    text("draft"),
    number("at"),
    rowid=False,
)

table(
    "chapters",
    number("table_id", key=True, of="tables"),
    text("key"),
    json("told", "["),
)

table(
    "vacations",
    number("user_id", key=True),
    number("since", key=True),
    number("until"),
    rowid=False,
)

table(
    "aids",
    number("table_id", key=True, of="tables"),
    number("seat", least=0, key=True),
    text("aid"),
    rowid=False,
)

table(
    "leavers",
    number("user_id", key=True),
    number("guild_id", key=True),
    number("at"),
    rowid=False,
)

table(
    "met_rules",
    number("user_id", key=True),
    text("game", check="{} <> ''", key=True),
    text("rule", check="{} <> ''", key=True),
    rowid=False,
)

table(
    "lost",
    number("id", key=True, given=True),
    text("name"),
    number("table_id", null=True),
    text("row", check="json_valid({})"),
    text("why"),
)


def postgresql() -> str:
    """What makes an empty PostgreSQL database one of this version."""
    lines: list[str] = []

    def note(made: Any, *_: object, **__: object) -> None:
        lines.append(str(made.compile(dialect=engine.dialect)).strip())

    engine: Any = create_mock_engine("postgresql+psycopg://", note)
    METADATA.create_all(engine, checkfirst=False)
    made = (line.replace("\t", "    ").replace(" \n", "\n") for line in lines)
    return FUNCTIONS + "\n" + "".join(f"{line};\n\n" for line in made)


if __name__ == "__main__":
    sys.stdout.write(postgresql())
