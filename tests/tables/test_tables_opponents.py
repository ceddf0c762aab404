"""The worker process: started at first use, and anew when it was killed."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys

import pytest

from engines.registry import engine
from workers.process import ROOT, WORKER
from workers.thinking import OpponentError, Opponents

COMMAND = (sys.executable, "-m", "tests.tables.worker_of_tests")


@pytest.fixture
async def opponents():
    made = Opponents(COMMAND)
    yield made
    await made.close()


def ask(opponents, word="hello"):
    return opponents.choose("duel", {"word": word}, "easy", b"\1", 1)


async def test_it_starts_at_first_use_and_answers_many_at_once(opponents):
    assert opponents.pid is None
    said = await asyncio.gather(*(ask(opponents) for _ in range(5)))
    assert said == [str(opponents.pid)] * 5


async def test_a_killed_worker_is_started_anew(opponents):
    first = await ask(opponents)
    os.kill(int(first), signal.SIGKILL)
    second = await ask(opponents)
    assert second != first


async def test_a_worker_that_dies_of_a_question_twice_is_told_of(opponents):
    with pytest.raises(OpponentError, match="died twice"):
        await ask(opponents, "die")
    assert await ask(opponents)


async def test_a_fault_in_the_opponent_is_told_and_the_worker_lives(opponents):
    first = await ask(opponents)
    with pytest.raises(OpponentError, match=r"^ValueError at worker_of_tests.py"):
        await ask(opponents, "fail")
    assert await ask(opponents) == first


async def test_the_worker_ends_when_the_bot_is_gone(opponents):
    pid = int(await ask(opponents))
    opponents._worker._process.stdin.close()
    assert await asyncio.to_thread(opponents._worker._process.wait, 5) == 0
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    opponents._worker._process = None


def test_the_real_worker_answers_a_bad_question_with_an_error():
    said = subprocess.run(
        WORKER,
        cwd=ROOT,
        input='["choose", "chess", {}, "easy", "00", 1]\nnonsense\n',
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [json.loads(line) for line in said.stdout.splitlines()]
    assert [list(line) for line in lines] == [["fault"], ["fault"]]
    assert lines[0]["fault"].startswith("RulesError at registry.py:")
    assert "chess" not in lines[0]["fault"], "an error's words may quote a hand"


async def test_a_view_as_json_is_the_view_that_the_opponent_gets():
    rules = engine("kamisado")
    from engines.chance import Chance

    state = rules.setup(rules.read_options({}), 2, Chance(b"\1", 0)).state
    view = rules.view(state, 0)
    assert rules.view_type.model_validate(json.loads(json.dumps(view.model_dump(mode="json")))) == view
