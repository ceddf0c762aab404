"""The first second of the process, its workers, and who may read what it writes (14.16)."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from db.database import Database
from tables.core.parts import part_of
from workers.process import WORKER, Worker

ROOT = Path(__file__).parents[2]
CAUGHT = 1 << (signal.SIGTERM - 1)


def catches_sigterm(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text()
    return bool(int(status.partition("SigCgt:")[2].split()[0], 16) & CAUGHT)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")
def test_a_stop_in_the_first_second_ends_it_at_once_with_status_0(tmp_path):
    """As process 1 it would not even be killed by it: no handler there means that nothing happens."""
    environment = {**os.environ, "DISCORD_TOKEN": "x", "HATAMOTO_DATABASE": str(tmp_path / "t.db")}
    with subprocess.Popen(
        [sys.executable, "bot.py", "run"], cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        while not catches_sigterm(process.pid):
            assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "Traceback" not in said
    assert not (tmp_path / "t.db").exists(), "it was not even at the database"


TELLS = (
    "import json,os,sys\nfor _ in sys.stdin: print(json.dumps({'answer': sorted(os.environ)}), flush=True)"
)


async def test_a_worker_does_not_get_the_token_nor_a_password(monkeypatch):
    secrets = {"DISCORD_TOKEN", "HATAMOTO_DATABASE", "POSTGRES_PASSWORD", "PGPASSWORD", "PGPASSFILE"}
    for name in secrets:
        monkeypatch.setenv(name, "secret")
    worker = Worker((sys.executable, "-c", TELLS))
    try:
        names: list[str] = await worker.ask(list, lambda answer, _: list(answer))
        assert "PATH" in names
        assert not secrets & {*names}
    finally:
        await worker.close()


def test_a_worker_whose_bot_is_gone_ends_without_a_word():
    with subprocess.Popen(
        WORKER, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()  # nobody reads its answers
        process.stdin.write('["choose", "chess", {}, "easy", "00", 1]\n')
        process.stdin.close()
        said = process.stderr.read()
        assert process.wait(timeout=30) == 0
    assert said == ""


async def test_what_it_writes_is_its_own_users_alone(tmp_path, by):
    database = tmp_path / "t.db"
    await (await Database.open(database)).close()
    database.chmod(0o600)  # as one that the process made; what lies beside it takes its mode after it
    there = {*tmp_path.iterdir(), tmp_path / "bot.log"}  # where the launcher puts what it prints
    for verb in (("check", "--mend"), ("backup", str(tmp_path / "copy.db"))):
        command = await by.start(database, *verb, api="")
        assert await command.ended() == 0, command.words
    written = {*tmp_path.iterdir()} - there
    assert len(written) >= 2
    assert {stat.S_IMODE(path.stat().st_mode) & 0o077 for path in written} == {0}


def test_a_guests_part_of_an_interaction_is_no_interaction_of_discords():
    ids = {part_of(one, place) for one in range(10**18, 10**18 + 50) for place in range(8)}
    assert len(ids) == 400
    assert all(-(2**63) <= one < 0 for one in ids)
    assert part_of(7, 1) == part_of(7, 1)


@pytest.mark.parametrize("verb", ["backup", "health"])
def test_what_runs_beside_a_bot_again_and_again_reads_in_no_bot(
    tmp_path, verb
):  # 14: a second of a processor
    path = tmp_path / "t.db"
    sqlite3.connect(path).close()
    done = subprocess.run(
        [
            sys.executable,
            "-X",
            "importtime",
            "bot.py",
            verb,
            *([str(tmp_path / "copy.db")] * (verb == "backup")),
        ],
        cwd=ROOT,
        env={**os.environ, "HATAMOTO_DATABASE": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    read = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if "|" in line}
    assert "cogs.ops.verbs" in read
    assert not {"discord", "aiohttp", "PIL", "render", "tables.service"} & read
