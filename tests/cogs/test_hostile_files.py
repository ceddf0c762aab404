"""Files and settings that are broken: one clear line that says what to do, never a traceback.

HATAMOTO_COUNT is the number of broken ones over the whole file, 200 where it is not set.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from argparse import Namespace
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yarl
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bot
import locales
from cogs.ops.verbs import StartError, configured
from cogs.text.games import playable
from db.database import Database
from db.errors import DatabaseError
from db.upkeep.restore import restore
from engines.registry import engine
from locales.compiled import Compiled
from settings import Settings
from tables.core.clock import SystemClock
from tables.core.errors import TableError
from tables.core.model import Filters, Place, User
from tables.service import Tables

COUNT = int(os.environ.get("HATAMOTO_COUNT") or 200)
ANN, BEN, CAT = User(101, "Ann"), User(102, "Ben"), User(103, "Cat")
HERE = Place(1, 2)
CATALOGUE = locales.FOLDER / "en" / "LC_MESSAGES" / f"{locales.DOMAIN}.mo"


def broken(hundredths: int) -> settings:
    """So much of the count."""
    return settings(
        max_examples=-(-COUNT * hundredths // 100),
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


ADVICE = (
    "restore PATH",
    "python -m locales",
    "HATAMOTO_DATABASE",
    "check the folder",
    "Run that version",
    "Run the version before",
)
NAMES = [str(field.validation_alias) for field in Settings.model_fields.values()]
ODD = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40),
    st.sampled_from(
        ["-1", "0", "1e400", "nan", "inf", "99999999", "None", "{}", "[", "~", "/", ".", "..", "/dev/null/x",
         "x" * 5000, "/proc/1/mem", "http://", "http://[", "https://a b", "\n", "yes", "٣", "1_0", " 5 "]
    ),
)  # fmt: skip


class Nobody:
    """No opponent."""

    async def choose(self, *_: Any) -> str:
        raise AssertionError

    async def close(self) -> None:
        """Nothing to end."""


async def played(path: Path) -> None:
    """A database with a table of every game, some of them played at."""
    database = await Database.open(path)
    tables = Tables(database, SystemClock(), Nobody(), lambda: None)
    number = 1
    for game in playable():
        two = 2 in engine(game).seats
        table = await tables.create(
            ANN, game, "", HERE, opponents=[BEN] if two else [], interaction_id=number
        )
        for user in (BEN,) if two else (BEN, CAT):
            number += 1
            table = await tables.join(table.id, user, number)
        if table.status == "open":
            number += 1
            table = await tables.start(table.id, ANN.id, number)
        number += 1
        seat = table.seats[min(table.to_act)].user_id or 0
        moves = await tables.complete(table.id, seat, 2, "")
        if moves:
            await tables.act(table.id, seat, moves[0], interaction_id=number)
        number += 1
    await tables.close()
    await database.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A sound database as bytes."""
    path = tmp_path_factory.mktemp("whole") / "hatamoto.db"
    asyncio.run(played(path))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.read_bytes()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def a_clear_line(error: BaseException, path: Path) -> None:
    """It names the file and says what to do about it."""
    said = str(error)
    assert len(said.splitlines()) == 1
    assert str(path) in said
    assert any(advice in said for advice in ADVICE), said


async def lived_in(path: Path) -> None:
    """What a bot does with its tables; a table that cannot be read is refused kindly."""
    database = await Database.open(path)
    tables = Tables(database, SystemClock(), Nobody(), lambda: None)
    refusals = set()
    try:
        await tables.start_up()
        for number in range(1, len(playable()) + 1):
            try:
                await tables.show(number, ANN.id)
                await tables.chronicle(number, ANN.id)
            except TableError as error:
                refusals.add(error.code)
        await tables.mine(ANN.id)
        await tables.listing(1, Filters())
    finally:
        await tables.close()
        await database.close()
    assert refusals <= {"broken", "no-table", "not-running", "private", "over"}


damages = st.one_of(
    st.tuples(st.just("cut"), st.floats(0, 1), st.just(b"")),
    st.tuples(st.just("over"), st.floats(0, 1), st.binary(min_size=1, max_size=64)),
    st.tuples(st.just("zeros"), st.floats(0, 1), st.just(bytes(4096))),
    st.tuples(st.just("head"), st.floats(0, 1), st.binary(min_size=1, max_size=4)),
    st.tuples(st.just("more"), st.floats(0, 1), st.binary(min_size=1, max_size=5000)),
)


def damaged(whole: bytes, how: str, where: float, filling: bytes) -> bytes:
    """A database's bytes, cut short, written over somewhere or in its head, or with more at its end."""
    at = int(where * (99 if how == "head" else len(whole) - 1))
    match how:
        case "cut":
            return whole[:at]
        case "more":
            return whole + filling
    return (whole[:at] + filling + whole[at + len(filling) :])[: len(whole)]


@broken(5)
@given(damage=damages)
def test_a_damaged_database_is_said_to_be_so(folder, whole, damage):
    path = folder / "hatamoto.db"
    for left in folder.iterdir():
        left.unlink()
    path.write_bytes(damaged(whole, *damage))
    named = Settings(database=path, _env_file=None)
    for verb, to in (("check", None), ("backup", folder / "copy.db")):
        try:
            bot.carry_out(Namespace(verb=verb, path=to, mend=False), named)
        except DatabaseError as error:
            a_clear_line(error, path if verb == "check" else folder)
    try:
        restore(path, folder / "other.db")
    except DatabaseError as error:
        a_clear_line(error, path)
    try:
        asyncio.run(lived_in(path))
    except DatabaseError as error:
        a_clear_line(error, path)


@broken(35)
@given(name=st.sampled_from(NAMES), value=ODD)
def test_a_wrong_setting_is_named_and_what_to_do(folder, name, value):
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(name, value)
        try:
            found = configured()
        except StartError as error:
            said = str(error)
            assert said.startswith(f"{name}: ")
            assert "in the environment or in .env" in said
            assert len(said.splitlines()) == 1
            return
    try:
        bot.carry_out(Namespace(verb="check", mend=False), found)
    except DatabaseError as error:
        assert isinstance(found.database, Path)
        a_clear_line(error, found.database)
    assert 0 < found.backup_hours * 3_600_000 < 2**53
    assert 0 <= found.rate_factor < 2**53
    assert found.api_base is None or yarl.URL(found.api_base).host


@broken(30)
@given(
    content=st.one_of(
        st.binary(max_size=200), ODD.map(str.encode), ODD.map(lambda v: f"HATAMOTO_LOG={v}".encode())
    )
)
def test_a_broken_env_file_is_named(folder, content):
    (folder / ".env").write_bytes(content)
    try:
        configured()
    except StartError as error:
        said = str(error)
        assert said.startswith((".env: ", *(f"{name}: " for name in NAMES)))
        assert len(said.splitlines()) == 1


@broken(30)
@given(damage=damages)
def test_a_damaged_catalogue_ends_the_start_with_a_line_or_some_sentence(folder, damage):
    """Damage to its frame is told; damage inside a sentence leaves an odd one, or none."""
    mo = Path("en") / "LC_MESSAGES" / f"{locales.DOMAIN}.mo"
    spoilt = folder / mo
    spoilt.parent.mkdir(parents=True, exist_ok=True)
    spoilt.write_bytes(damaged(CATALOGUE.read_bytes(), *damage))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(locales, "FOLDER", folder)
        try:
            found = locales._load.__wrapped__("en")
        except SystemExit as error:
            a_clear_line(error, spoilt)
            return
    said = [
        found("error.internal"),
        found.plural("error.too-fast", 3),
        found.error("bad-option", {"name": "a", "value": "b", "allowed": ["c"]}, "kamisado"),
    ]
    assert all(isinstance(sentence, str) for sentence in said)


def test_a_plural_that_lost_a_form_is_said_by_its_key(folder):
    """As a message that is not there: no number takes a form beyond the last."""
    key = "error.too-fast"
    whole = Compiled(CATALOGUE)._found(f"{key}\0{key}.plural")
    assert whole is not None
    spoilt = folder / "one.mo"
    spoilt.write_bytes(CATALOGUE.read_bytes().replace(whole.encode(), whole.replace("\0", " ").encode()))
    found = Compiled(spoilt)
    assert found.ngettext(key, f"{key}.plural", 3) == f"{key}.plural"
    assert found.ngettext(key, f"{key}.plural", 1) not in {key, f"{key}.plural"}


def test_a_start_without_its_catalogue_says_so_in_one_line(folder):
    """The process itself, before it reads anything else."""
    copied = folder / "copy"
    root = Path(bot.__file__).parent
    shutil.copytree(
        root, copied, ignore=shutil.ignore_patterns(".*", "tests", "data", "fonts", "bench", "docs")
    )
    (copied / "locales" / "en" / "LC_MESSAGES" / f"{locales.DOMAIN}.mo").write_bytes(b"\xde\x12\x04\x95")
    ended = subprocess.run(
        [sys.executable, "bot.py", "check"], cwd=copied, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert len(ended.stderr.splitlines()) == 1, ended.stderr
    assert "python -m locales" in ended.stderr
