"""The log of hidden games names no secret, at whatever level; a record is one line."""

from __future__ import annotations

import io
import json
import logging
from typing import Any

import pytest

from cogs import journal
from cogs.games import playable
from engines.chance import Chance
from engines.registry import engine
from locales import words
from render import Scene, painter
from tests.discord.conftest import text_of

PLIES = 8


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


def warm_up(game: str) -> None:
    """The first pictures load fonts and maps, for which a simulation does not wait."""
    rules = engine(game)
    state, _ = rules.setup(rules.read_options({}), 2, Chance(bytes(32), 0))
    for viewer in (None, 0, 1):
        scene = Scene(game, rules.view(state, viewer), ("Ann", "Ben"), words("en"))
        painter(game).board(scene)
        painter(game).hand(scene)


@pytest.mark.parametrize("game", [g for g in playable() if engine(g).hidden and 2 in engine(g).seats])
async def test_a_hidden_game_leaves_no_secret_in_the_log(world, written, game):
    warm_up(game)
    await world.ann.slash(world.channel, "game new", game=game, opponent=world.ben.user)
    await world.ben.slash(world.channel, "game join", table=1)
    hidden, rules, played = set(), engine(game), 0
    for ply in range(PLIES):
        hidden |= await secrets(world, 1)
        mover = await world.to_move()
        if mover is None:
            break
        loaded = await world.bot.tables._house.look(1)
        seat = loaded.seat_of(mover.id)
        action = rules.random_action(loaded.state, seat, Chance(bytes(32), ply))
        typed = rules.format(action)
        told = text_of(await mover.slash(world.channel, "move", move=typed, table=1))
        played += "Played" in told
        hidden.add(typed)
    text = written.getvalue()
    assert played > PLIES // 2
    assert len(hidden) > 3
    assert [secret for secret in hidden if len(secret) > 4 and secret in text] == []
    assert [json.loads(line)["level"] for line in text.splitlines()]


def test_a_fault_is_told_without_what_it_was_about():
    def draw() -> None:
        raise ValueError("ukita-double in the hand")

    try:
        draw()
    except ValueError as error:
        told = journal.fault(error)
        record = logging.LogRecord("a", 40, "", 1, "row %s\nfailed", (7,), (ValueError, error, None))
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
