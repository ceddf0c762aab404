"""Whatever somebody sends is answered with a sentence: options, moves, paths, notes, names, records.

HATAMOTO_COUNT is the number of inputs of each kind; 40 where it is not set.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import tracemalloc
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cogs.answers import explained
from cogs.custom_ids import BUTTON, SELECT, SHEET, Press, row_of, spot
from cogs.games import playable
from cogs.plain import plain
from db.database import Database
from engines.base import RulesError
from locales import words
from tables.clock import SystemClock
from tables.errors import TableError
from tables.model import Place, User
from tables.options import read_clock, read_words
from tables.service import Tables

COUNT = int(os.environ.get("HATAMOTO_COUNT") or 40)
MOST_MB = 64
many = settings(
    max_examples=COUNT,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

EVIL = st.sampled_from(
    ["@everyone", "@here", "<@1>", "<@&1>", "```", "`", "**", "||", "../../etc/passwd", "\u202e",
     "\x00", "\n", "%s", "{0.__class__}", "{seat:who}", "'; DROP TABLE tables; --", "[x](https://a.example)",
     "=", "\ud800", "~n", "d8", "resign", "1e400", "NaN", "-1", "9" * 400]
)  # fmt: skip
texts = st.lists(st.one_of(EVIL, st.text(max_size=12)), max_size=8).map("".join)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)
ENGLISH = words("en")
ANN, BEN = User(101, "Ann"), User(102, "Ben")


def harmless(error: TableError) -> None:
    """What the user is told of it: pings nobody, breaks out of no quotes, is a sentence."""
    said = explained(error, ENGLISH, ("Ann", "Ben"))
    assert said
    assert "@everyone" not in said
    assert "@here" not in said
    assert not re.search(r"<@[&!]?\d", said.replace("<@101>", "").replace("<@102>", ""))
    assert "Traceback" not in said
    assert said.count("```") == 0


class Nobody:
    """No opponent."""

    async def choose(self, *_: Any) -> str:
        raise AssertionError

    async def close(self) -> None:
        """Nothing to end."""


class Hall:
    """Tables of every game for two, on a loop that hypothesis can run things on."""

    def __init__(self, folder: Path) -> None:
        self.runner = asyncio.Runner()
        self.folder = folder
        self.number = 1
        self.tables: Tables
        self.open: dict[str, int] = {}
        self.runner.run(self._begin())

    async def _begin(self) -> None:
        self.database = await Database.open(self.folder / "hall.db")
        self.tables = Tables(self.database, SystemClock(), Nobody(), lambda: None)
        for game in playable():
            table = await self.tables.create(
                ANN, game, "", Place(1, 2), opponents=[BEN], interaction_id=self.next()
            )
            table = await self.tables.join(table.id, BEN, self.next())
            self.open[game] = table.id

    def next(self) -> int:
        """A new interaction."""
        self.number += 1
        return self.number

    def refused(self, work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """Does it; a refusal is looked at and is None."""
        try:
            return self.runner.run(work())
        except TableError as error:
            harmless(error)
            return None

    def close(self) -> None:
        """Everything, and nothing was written beside the database."""
        self.runner.run(self.tables.close())
        self.runner.run(self.database.close())
        self.runner.close()


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    folder = tmp_path_factory.mktemp("hall") / "data"
    folder.mkdir()
    made = Hall(folder)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    yield made
    grown = (tracemalloc.get_traced_memory()[0] - before) / 1e6
    tracemalloc.stop()
    assert not made.runner.run(made.tables.check())
    made.close()
    assert grown < MOST_MB, f"{grown:.0f} MB more"
    assert {file.name.partition(".")[0] for file in folder.iterdir()} == {"hall"}
    assert [file.name for file in folder.parent.iterdir()] == ["data"]


@many
@given(game=st.sampled_from([*playable(), "chess"]), typed=texts)
def test_options(game, typed):
    for read in (read_words, read_clock):
        try:
            read(game, typed)
        except TableError as error:
            harmless(error)


@many
@given(game=st.sampled_from(playable()), typed=texts, by=st.sampled_from([ANN, BEN]))
def test_typed_actions_and_completions(hall, game, typed, by):
    if typed.strip().casefold() in ("resign", "surrender"):
        return
    table = hall.open[game]
    offered = hall.refused(lambda: hall.tables.complete(table, by.id, 2, typed))
    assert all(1 <= len(text) <= 100 for text in offered)
    hall.refused(lambda: hall.tables.act(table, by.id, typed, interaction_id=hall.next()))


@many
@given(game=st.sampled_from(playable()), value=values)
def test_actions_as_json(hall, game, value):
    text = json.dumps(value)
    if "resign" in text or "surrender" in text:
        return
    hall.refused(lambda: hall.tables.act(hall.open[game], ANN.id, text, interaction_id=hall.next()))


@many
@given(
    game=st.sampled_from(playable()),
    path=st.lists(st.one_of(st.from_regex(r"\d{1,4}(\+\d{1,4})*|-", fullmatch=True), texts), max_size=6),
    version=st.one_of(st.none(), st.integers(-5, 10**12)),
)
def test_paths_in_the_panel(hall, game, path, version):
    hall.refused(lambda: hall.tables.panel(hall.open[game], ANN.id, path, version))


@many
@given(st.one_of(texts, *(st.from_regex(pattern, fullmatch=True) for pattern in (BUTTON, SELECT, SHEET))))
def test_custom_ids(custom_id):
    row_of(custom_id)
    for pattern in (BUTTON, SELECT, SHEET):
        if (match := re.fullmatch(pattern, custom_id)) is not None:
            spot(Press.of(match).action)


@many
@given(st.one_of(st.none(), texts, st.text(min_size=900, max_size=1200)))
def test_notes(hall, note):
    hall.refused(lambda: hall.tables.write_note(ANN.id, hall.open["kamisado"], note))
    kept = hall.refused(lambda: hall.tables.note(ANN.id, hall.open["kamisado"]))
    assert kept is None or len(kept) <= 1000


@many
@given(texts)
def test_names(name):
    shown = plain(name)
    assert "@everyone" not in shown
    assert not re.search(r"(?<!\\)<", shown)
    assert "\n" not in shown


def records() -> st.SearchStrategy[bytes]:
    """Records with anything in any place, and bytes that are none."""
    keys = st.sampled_from(["game", "rules", "options", "seats", "seed", "commitment", "position", "actions"])
    base = {
        "format": 1,
        "game": "kamisado",
        "rules": 1,
        "options": {},
        "seats": 2,
        "seed": "00",
        "actions": [],
    }
    changed = st.dictionaries(keys, values, max_size=3).map(lambda change: {**base, **change})
    deep = st.integers(1, 200_000).map(lambda n: b'{"actions":' + b"[" * n)
    wide = st.integers(1, 5000).map(lambda n: json.dumps({**base, "actions": [{"undo": 1}] * n}).encode())
    return st.one_of(
        changed.map(lambda value: json.dumps(value).encode()), st.binary(max_size=200), deep, wide
    )


@many
@given(records())
def test_records_for_import(hall, data):
    hall.refused(lambda: hall.tables.study(ANN, data, hall.next()))


def test_what_is_too_big_is_not_even_read(hall):
    with pytest.raises(TableError) as refused:
        hall.runner.run(hall.tables.study(ANN, b"[" * 2_000_000, hall.next()))
    assert refused.value.code == "record-too-big"


def test_an_error_of_the_rules_is_one_of_the_tables():
    assert not issubclass(RulesError, TableError), "both are caught apart"
