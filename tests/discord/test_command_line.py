"""`python bot.py ...`: what cannot work says so in one line, and harms nothing."""

from __future__ import annotations

import fcntl
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import bot
from db.backup import backup
from db.errors import DatabaseError
from settings import Settings, Shards
from tests.discord.conftest import button, last_board, text_of
from tests.messages import wording


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("DISCORD_TOKEN", "DISCORD_API_BASE", "HATAMOTO_LOG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HATAMOTO_DATABASE", str(tmp_path / "hatamoto.db"))


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line on stderr of a command that fails."""
    assert bot.main(arguments) == 1
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1, lines
    return lines[0]


def test_without_a_token_it_says_where_to_put_one(capsys, tmp_path):
    assert "DISCORD_TOKEN" in said(capsys, "run")
    assert not (tmp_path / "hatamoto.db").exists()


@pytest.mark.parametrize(
    ("setting", "address"),
    [
        *(("HATAMOTO_DATABASE", one) for one in ("sqlite:///data/h.db", "file:h.db?mode=ro", "SQLite:h.db")),
        *(("HATAMOTO_DATABASE", f"{kind}://u:secret@host/db") for kind in ("mysql", "http", "postgrsql")),
        *(("HATAMOTO_BACKUPS", one) for one in ("sqlite:///data/h.db", "postgres://u:secret@host/db")),
    ],
)
def test_an_address_is_no_place_for_a_database(capsys, monkeypatch, tmp_path, setting, address):  # 13.A10
    monkeypatch.setenv(setting, address)
    told = said(capsys, "check")
    assert told.startswith(f"{setting}:")
    assert "not an address" in told
    assert "secret" not in told
    assert list(tmp_path.iterdir()) == [], "it is not made a folder"


@pytest.mark.parametrize(
    "address",
    [
        "postgresql:///hatamoto",
        "postgresql://u:secret@host",
        "postgres://u:secret@host:99999/db",
        "postgresql//u:secret@host/db",
        "postgresql:/u:secret@host/db",
        "postgresql://u:secret@word@host/db",
        "postgresql://u:secret/word@host/db",
        "postgresql://u:secret#word@host/db",
    ],
)
def test_a_server_without_host_or_name_is_refused_in_one_line(capsys, monkeypatch, tmp_path, address):  # 19
    monkeypatch.setenv("HATAMOTO_DATABASE", address)
    told = said(capsys, "check")
    assert told.startswith("HATAMOTO_DATABASE:")
    assert "a host or a name is missing" in told
    assert told.count("\n") <= 1
    assert "secret" not in told
    assert list(tmp_path.iterdir()) == []


def test_blanks_are_no_path_and_around_one_none_of_it(capsys, monkeypatch, tmp_path):  # 19
    monkeypatch.setenv("HATAMOTO_DATABASE", "  ")
    assert said(capsys, "check").startswith("HATAMOTO_DATABASE: must be the path of a file")
    assert list(tmp_path.iterdir()) == []
    assert Settings(_env_file=None, database=" a/h.db ").database == Path("a/h.db")


def test_a_folder_is_no_database(capsys, monkeypatch, tmp_path):  # 19
    monkeypatch.setenv("HATAMOTO_DATABASE", str(tmp_path))
    assert "cannot be opened or written" in said(capsys, "check")


@pytest.mark.parametrize("place", ["data/h.db", "/tmp/a:b/h.db", "C:/h.db", "h.db", "a b/x.y:z"])
def test_a_path_is_a_place_for_a_database(place):  # 13.A10
    assert Settings(_env_file=None, database=place).database == Path(place)


def test_a_wrong_setting_is_named(capsys, monkeypatch):
    monkeypatch.setenv("HATAMOTO_LOG", "loud")
    assert said(capsys, "run").startswith("HATAMOTO_LOG:")
    monkeypatch.setenv("HATAMOTO_LOG", "info")
    monkeypatch.setenv("DISCORD_API_BASE", "discord.example")
    assert said(capsys, "run").startswith("DISCORD_API_BASE:")


@pytest.mark.parametrize("shards", ["3-0/4", "0-4/4", "4/4", "0-3", "a-b/c", "0-0/0", "-1/4", "0-3/4/5"])
def test_shards_that_are_none_are_refused_in_a_line(capsys, monkeypatch, shards):  # 19.2
    monkeypatch.setenv("HATAMOTO_SHARDS", shards)
    assert said(capsys, "run").startswith("HATAMOTO_SHARDS:")


def test_some_of_all_shards_take_postgresql(capsys, monkeypatch):  # 19.2
    monkeypatch.setenv("HATAMOTO_SHARDS", "0-3/16")
    assert said(capsys, "run").startswith("HATAMOTO_SHARDS: some of all shards take HATAMOTO_DATABASE=")
    monkeypatch.setenv("HATAMOTO_DATABASE", "postgresql://bot@host/name")
    found = Settings(_env_file=None)
    assert found.shards is not None
    assert found.shards.ids == [0, 1, 2, 3]
    assert found.part == "-0-3"


def test_all_shards_may_be_on_a_file(monkeypatch):  # 19.2
    monkeypatch.setenv("HATAMOTO_SHARDS", "0-15/16")
    found = Settings(_env_file=None).shards
    assert found is not None
    assert found.whole
    monkeypatch.setenv("HATAMOTO_SHARDS", "5/16")
    monkeypatch.setenv("HATAMOTO_DATABASE", "postgresql://bot@host/name")
    assert Settings(_env_file=None).shards == Shards(5, 5, 16)


def test_settings_are_read_from_the_env_file(tmp_path):
    (tmp_path / ".env").write_text("DISCORD_TOKEN=from-the-file\n")
    assert Settings().token.get_secret_value() == "from-the-file"


def test_a_damaged_database_is_told_and_left_alone(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("DISCORD_TOKEN", "some.token")
    (tmp_path / "hatamoto.db").write_text("this is no database")
    assert "damaged" in said(capsys, "run")
    assert (tmp_path / "hatamoto.db").read_text() == "this is no database"


def test_a_second_process_on_the_same_database_does_not_start(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("DISCORD_TOKEN", "some.token")
    with (tmp_path / "hatamoto.db.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert "already in use" in said(capsys, "run")


def test_there_is_nothing_to_check_or_to_copy_before_the_first_run(capsys):
    assert "does not exist" in said(capsys, "check")
    assert "does not exist" in said(capsys, "backup", "copy.db")


def test_a_backup_of_a_damaged_database_names_the_database(capsys, tmp_path):
    (tmp_path / "hatamoto.db").write_text("this is no database")
    assert str(tmp_path / "hatamoto.db") in said(capsys, "backup", str(tmp_path / "copy.db"))


def test_a_bot_that_is_not_there_is_not_well_and_says_why(capsys, tmp_path):
    assert "was heard by Discord" in said(capsys, "health")
    (tmp_path / "hatamoto.db.alive").touch()
    assert bot.main(["health"]) == 0


async def test_a_backup_is_restored_and_the_players_are_told(world, tmp_path):
    thread = await world.start()
    settings = Settings(database=world.database)
    await backup(world.database, tmp_path / "copy.db")
    mover = await world.to_move()
    board = last_board(thread)
    await mover.slash(thread, "move", move="d8-d4")
    with pytest.raises(DatabaseError, match="already in use"):
        await bot.put_back(settings, tmp_path / "copy.db")
    await world.bot.close()
    await bot.put_back(settings, tmp_path / "copy.db")
    assert await bot.check(settings) == []
    await world.restart()
    await world.env.settle()
    assert "earlier copy" in "".join(wording(post) for post in thread.history()[-2:])
    old = await mover.click(board, custom_id=button(board, "Your turn"))
    assert "d8" not in str(old.response), "buttons from before are stale"
    assert "Played" in text_of(await mover.slash(thread, "move", move="d8-d4"))


async def test_what_can_be_mended_is_mended_by_the_command(world, capsys, caplog):
    await world.start()
    await world.bot.close()
    settings = Settings(database=world.database)
    with closing(sqlite3.connect(world.database)) as connection:
        connection.execute("UPDATE snapshots SET state = 'x'")
        connection.commit()
    assert await bot.check(settings) == [], "a snapshot is a cache of the log"
    with closing(sqlite3.connect(world.database)) as connection:
        connection.execute("UPDATE tables SET entries = 3")
        connection.commit()
    (fault,) = await bot.check(settings)
    assert fault.text == "table 1: has 0 entries in its log, not 3"
    assert fault.plan == "worked out anew from its log"
    assert await bot.check(settings, mend=True) == []
    assert list(world.database.parent.glob("*.before-mend-*"))
    await world.restart()
    assert "Played" in text_of(await (await world.to_move()).slash(world.thread(), "move", move="d8-d4"))


async def test_a_database_in_use_is_checked_and_copied(world, monkeypatch, tmp_path):
    await world.start()
    settings = Settings(database=world.database)
    assert await bot.check(settings) == []
    await backup(world.database, tmp_path / "copy.db")
    assert await bot.check(Settings(database=tmp_path / "copy.db")) == []
