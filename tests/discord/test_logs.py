"""The log of hidden games names no secret, at whatever level; a record is one line."""

from __future__ import annotations

import asyncio
import gc
import io
import json
import linecache
import logging
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from typing import Any

import pytest

import bot
from cogs.ops import journal
from cogs.text.games import playable
from engines.capabilities import Secrets, random_action
from engines.chance import Chance
from engines.registry import engine
from render import Scene
from settings import Settings
from tables.core.loaded import Loaded
from tests.discord.conftest import EnvClock, simulated, text_of
from tests.discord.months import warmed
from tests.games import by_game, released
from workers.drawing import HereStudio, Workshop

PLIES = 8
HIDDEN = [game for game in playable() if isinstance(engine(game), Secrets)]
DIES = (sys.executable, "-c", "import sys; sys.stdin.readline(); sys.exit(3)")


@pytest.fixture
def written(monkeypatch):
    """What the program would write at DEBUG, as JSON lines."""
    root = logging.getLogger()
    before = (root.level, root.handlers[:], {n: logging.getLogger(n).level for n in journal.TALKATIVE})
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(journal.Journal("json"))
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    for name in journal.TALKATIVE:
        logging.getLogger(name).setLevel(logging.INFO)
    yield stream
    root.setLevel(before[0])
    root.removeHandler(handler)
    for name, level in before[2].items():
        logging.getLogger(name).setLevel(level)


def leaves(value: Any) -> set[str]:
    """All texts in JSON that are long enough to be told from others."""
    if isinstance(value, str):
        return {value} if len(value) > 4 else set()
    if isinstance(value, dict):
        return set().union(*map(leaves, value.values())) if value else set()
    return set().union(*map(leaves, value)) if isinstance(value, list) and value else set()


async def secrets(world, number: int) -> set[str]:
    """Texts of every seat's own view that are not in the public's, and the seed."""
    tables = world.bot.tables
    table = await tables.get(number)
    public = leaves((await tables.show(number, None)).view.model_dump(mode="json"))
    own = [
        leaves((await tables.show(number, seat.user_id)).view.model_dump(mode="json")) for seat in table.seats
    ]
    row = await world.bot.database.reads.one("SELECT seed FROM tables WHERE id = ?", (number,))
    return set().union(*own) - public | {row["seed"].hex()}


def people(world, game: str) -> list[Any]:
    """As many members as the game needs."""
    return [world.ann, world.ben, world.cho][: max(2, min(engine(game).seats))]


async def begin(world, game: str) -> None:
    """A running table 1 of this game."""
    first, *others = people(world, game)
    warmed(game)
    given = {"opponent": world.ben.user} if len(others) == 1 else {}
    await first.slash(world.channel, "game new", game=game, **given)
    for member in others:
        await member.slash(world.channel, "game join", table=1)
    if (await world.bot.tables.get(1)).status == "open":
        await first.slash(world.channel, "game start", table=1)
    assert (await world.bot.tables.get(1)).status == "running"


async def acting(world, game: str) -> tuple[Any, Loaded, int] | None:
    """One who has to act, the table and the seat; None when it is over."""
    loaded = await world.bot.tables._house.look(1)
    for member in people(world, game):
        seat = loaded.seat_of(member.id)
        if seat in loaded.to_act:
            return member, loaded, seat
    return None


async def play(world, game: str, plies: int) -> tuple[set[str], list[str]]:
    """Plays by text at random; what must not be in the log, and the answers."""
    hidden, told, rules = set(), [], engine(game)
    for ply in range(plies):
        hidden |= await secrets(world, 1)
        found = await acting(world, game)
        if found is None:
            break
        mover, loaded, seat = found
        typed = rules.format(random_action(rules, loaded.position, seat, Chance(bytes(32), ply)))
        told.append(text_of(await mover.slash(world.channel, "move", move=typed, table=1)))
        hidden.add(typed)
    return hidden, told


def named(game: str, hidden: set[str], text: str) -> list[str]:
    """Secrets that a log names."""
    assert len(hidden) > (3 if released(game) else 2)
    assert [json.loads(line)["level"] for line in text.splitlines()]
    return [secret for secret in hidden if len(secret) > 4 and secret in text]


@pytest.fixture
async def rough(tmp_path) -> AsyncIterator[Any]:
    """A world in which errors may be logged."""
    async with simulated(tmp_path / "hatamoto.db", EnvClock()) as world:
        yield world


@pytest.mark.parametrize("game", by_game(HIDDEN))
async def test_a_hidden_game_leaves_no_secret_in_the_log(world, written, game):
    await begin(world, game)
    hidden, told = await play(world, game, PLIES)
    assert sum("Played" in one for one in told) > PLIES // 2
    assert named(game, hidden, written.getvalue()) == []


@pytest.mark.parametrize("game", by_game(HIDDEN))
async def test_what_is_refused_is_in_no_log(world, written, game):
    await begin(world, game)
    hidden = await secrets(world, 1)
    for member in people(world, game):
        loaded = await world.bot.tables._house.look(1)
        for number, seat in enumerate(sorted(loaded.to_act)):  # another's secret action, and nonsense
            action = random_action(engine(game), loaded.state, seat, Chance(bytes(32), number))
            typed = f"{engine(game).format(action)} nobunaga-in-the-hand"
            hidden.add(typed)
            await member.slash(world.channel, "move", move=typed, table=1)
    hidden.add("nobunaga-in-the-hand")
    assert named(game, hidden, written.getvalue()) == []


@pytest.mark.parametrize("game", by_game(HIDDEN))
async def test_pictures_and_messages_that_fail_name_no_secret(rough, written, monkeypatch, game):
    await begin(rough, game)

    async def fails(_: HereStudio, __: str, scene: Scene) -> Any:
        raise ValueError(scene.view.model_dump_json())

    monkeypatch.setattr(HereStudio, "draw", fails)
    hidden, told = await play(rough, game, 2)
    await rough.env.settle()
    dying = Workshop(DIES)
    monkeypatch.setattr(HereStudio, "draw", lambda _, part, scene: dying.draw(part, scene))
    rough.env.inject_error("POST", "/users/@me/channels", status=403, times=None)
    more, again = await play(rough, game, 2)
    assert any("Played" in one for one in told + again)
    for member in people(rough, game):
        await member.slash(rough.channel, "hand", table=1)
    await rough.env.settle()
    await dying.close()
    text = written.getvalue()
    assert "ValueError at test_logs.py:" in text
    assert "WorkerError at process.py:" in text
    assert named(game, hidden | more, text) == []


@pytest.mark.parametrize("game", by_game(HIDDEN))
async def test_a_table_that_does_not_replay_is_told_of_without_its_secrets(rough, written, game):
    await begin(rough, game)
    hidden, _ = await play(rough, game, 3)
    await rough.bot.close()
    with closing(sqlite3.connect(rough.database)) as connection:  # the last action comes first
        entries = dict(connection.execute("SELECT seq, action FROM actions WHERE table_id = 1"))
        connection.execute("UPDATE actions SET action = ? WHERE seq = 1", (entries[max(entries)],))
        connection.execute("UPDATE actions SET action = '{\"nobunaga-in-the-hand\": 1}' WHERE seq = 2")
        connection.commit()
    faults = await bot.check(Settings(database=rough.database, _env_file=None))
    told = "\n".join(fault.text for fault in faults)
    assert "table 1: does not replay (" in told
    assert [
        secret for secret in {*hidden, "nobunaga-in-the-hand"} if len(secret) > 4 and secret in told
    ] == []
    with closing(sqlite3.connect(rough.database)) as connection:
        connection.execute("UPDATE snapshots SET state = replace(state, '{', '[')")
        connection.commit()
    await rough.restart()
    for member in people(rough, game):
        await member.slash(rough.channel, "board", table=1)
        await member.slash(rough.channel, "hand", table=1)
    assert named(game, hidden | {"nobunaga-in-the-hand"}, written.getvalue()) == []


async def test_a_task_that_fails_unheard_is_logged_without_what_it_was_about(written):
    async def fails() -> None:
        raise ValueError("nobunaga-in-the-hand")

    loop = asyncio.get_running_loop()
    loop.set_exception_handler(journal.unheard)
    task = loop.create_task(fails())
    await asyncio.wait({task})
    del task
    gc.collect()
    text = written.getvalue()
    assert "ValueError at test_logs.py:" in text
    assert "nobunaga" not in text


def test_a_command_that_fails_says_where_and_not_about_what(monkeypatch, capsys):
    def fails(*_: Any, **__: Any) -> int:
        raise ValueError("nobunaga-in-the-hand")

    root = logging.getLogger()
    before = (root.level, root.handlers[:])
    monkeypatch.setattr(bot, "carry_out", fails)
    try:
        assert bot.main(["check"]) == 1
    finally:
        root.setLevel(before[0])
        root.handlers[:] = before[1]
    told = capsys.readouterr().err
    assert "ValueError at test_logs.py:" in told
    assert "nobunaga" not in told


def test_a_fault_is_told_without_what_it_was_about():
    def draw() -> None:
        raise ValueError("ukita-double in the hand")

    linecache.clearcache()
    try:
        draw()
    except ValueError as error:
        told = journal.fault(error)
        record = logging.LogRecord("a", 40, "", 1, "row %s\nfailed", (7,), (ValueError, error, None))
    assert __file__ not in linecache.cache, "whole files of code would stay in memory"
    assert "ukita" not in told
    assert told.startswith("ValueError at test_logs.py:")
    assert "ukita" not in journal.Journal("text").format(record)
    line = json.loads(journal.Journal("json").format(record))
    assert (line["message"], line["level"]) == ("row 7 failed", "ERROR")
    assert "OSError: [Errno 28]" in journal.fault(OSError(28, "full"))


def test_talkative_libraries_do_not_write_what_they_send():
    root, stream = logging.getLogger(), io.StringIO()
    level, handlers = root.level, root.handlers[:]
    try:
        journal.begin("DEBUG", "text", stream)
        logging.getLogger("discord.http").debug("POST with the hand")
        logging.getLogger("hatamoto").debug("ours")
    finally:
        root.setLevel(level)
        root.handlers[:] = handlers
    assert "the hand" not in stream.getvalue()
    assert "ours" in stream.getvalue()
