"""Pictures from worker processes: the same as here, and what happens when a worker dies, hangs or fails."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
from time import monotonic

import pytest

from engines.chance import Chance
from engines.protocol import Choice, Prompt
from engines.registry import GAMES, engine
from locales import words
from render import Scene, unpacked
from render.emoji import all_drawn
from tests.games import players
from workers import process
from workers.drawing import HereStudio, StudioError, Workshop, drawn
from workers.process import WorkerError, heard

FAULTY = (sys.executable, "-m", "tests.cogs.worker_of_studio_tests")
NAMES = ("Ann", "Ben", "Cleo")


def scene_of(game, viewer=0, **more):
    rules = engine(game)
    seats = players(game)
    state = rules.setup(rules.read_options({}), seats, Chance(b"\1", 0)).state
    return Scene(game, rules.view(state, viewer), NAMES[:seats], words("en"), **more)


def test_a_scene_packed_is_the_scene_that_is_drawn():
    choice = Choice(key="a1", code="move", params={"n": 2}, marks=("a1",))
    asked = Prompt(code="piece", choices=(choice,))
    for game in GAMES:
        scene = scene_of(game, prompt=asked, picked=(choice,), action="d8-d3", flip=True, area="x", table=7)
        assert unpacked(json.loads(json.dumps(scene.packed()))) == scene


def test_what_goes_to_a_worker_is_what_one_viewer_sees():
    for game in GAMES:
        packed = scene_of(game, viewer=None).packed()
        assert packed["view"] == scene_of(game, viewer=None).view.model_dump(mode="json")
        assert packed.keys() == Scene.__dataclass_fields__.keys()  # no state, no seed, no other view


async def test_a_worker_draws_what_this_process_would():
    workshop, here = Workshop(), HereStudio()
    try:
        for part, game in (("board", "kamisado"), ("sheet", "rokumon"), ("hand", "kamisado")):
            assert await workshop.draw(part, scene_of(game)) == await here.draw(part, scene_of(game))
        assert len(workshop.pids) == 1
    finally:
        await workshop.close()


async def test_the_signs_are_drawn_by_a_process_that_ends_with_them():  # 14
    workshop = Workshop()
    try:
        assert await workshop.signs() == all_drawn()
        assert workshop.pids == ()
    finally:
        await workshop.close()


async def test_a_scene_of_which_two_parts_are_drawn_is_packed_once(monkeypatch):  # 16.12
    workshop, packed, packing = Workshop(), [], Scene.packed

    def noted(scene):
        packed.append(scene)
        return packing(scene)

    monkeypatch.setattr(Scene, "packed", noted)
    try:
        scene = scene_of("rokumon")
        assert [await workshop.draw(part, scene) is None for part in ("board", "ended", "sheet")] == [
            False,
            True,
            False,
        ]
        await workshop.draw("board", scene_of("rokumon", viewer=1))
    finally:
        await workshop.close()
    assert [scene.view.viewer for scene in packed] == [0, 1]


@pytest.fixture
async def faulty():
    made = Workshop(FAULTY, limit_s=20.0, most=3)
    yield made
    await made.close()


async def test_a_worker_killed_between_pictures_is_started_anew(faulty):
    assert await faulty.draw("board", scene_of("kamisado")) is not None
    first = faulty.pids
    os.kill(first[0], signal.SIGKILL)
    assert await faulty.draw("board", scene_of("kamisado")) is not None
    assert faulty.pids != first


async def test_a_worker_that_dies_of_a_picture_twice_draws_the_next(faulty):
    with pytest.raises(WorkerError, match="died twice"):
        await faulty.draw("board", scene_of("kamisado", action="die"))
    assert await faulty.draw("board", scene_of("kamisado")) is not None


async def test_a_worker_that_hangs_is_killed():
    made = Workshop(FAULTY, limit_s=0.5)
    try:
        assert await drawn(made, "board", scene_of("kamisado", action="hang")) == (None, False)
        assert made.pids == ()
    finally:
        await made.close()


async def test_a_process_may_take_longer_over_its_first_picture_which_it_starts_for(faulty, monkeypatch):
    limits, worker = [], faulty._workers[0]

    def noted(pipe):
        limits.append(round(worker._until - monotonic()))
        return heard(pipe)

    monkeypatch.setattr(process, "heard", noted)
    for _ in range(4):  # of which a process draws three
        await faulty.draw("board", scene_of("kamisado"))
    assert limits == [60.0, 20.0, 20.0, 60.0]


async def test_a_fault_in_a_painter_is_logged_without_its_words(faulty, caplog):
    with pytest.raises(StudioError):
        await faulty.draw("board", scene_of("kamisado", action="fail"))
    assert "ValueError at worker_of_studio_tests.py" in caplog.text
    assert "Ann" not in caplog.text
    assert "secret" not in caplog.text
    assert await faulty.draw("board", scene_of("kamisado")) is not None


async def test_a_process_is_replaced_after_so_many_pictures(faulty):
    seen = []
    for _ in range(4):
        await faulty.draw("board", scene_of("kamisado"))
        seen.append(faulty.pids)
    assert seen[0] == seen[1] != seen[3]
    assert seen[2] == ()


async def test_a_worker_gets_ready_for_a_game_whose_lobby_opens():  # 16.12
    workshop = Workshop()
    try:
        workshop.expect("kamisado", "en")
        (task,) = workshop._warming
        await task
        (pid,) = workshop.pids
        workshop.expect("kamisado", "en")
        assert not workshop._warming
        assert await workshop.draw("board", scene_of("kamisado")) is not None
        assert workshop.pids == (pid,)
    finally:
        await workshop.close()


async def test_a_worker_that_cannot_get_ready_is_no_fault_of_the_lobby(caplog):
    workshop = Workshop((sys.executable, "-c", "raise SystemExit(1)"))
    try:
        workshop.expect("kamisado", "en")
        (task,) = workshop._warming
        await task
        assert "could not get ready for kamisado" in caplog.text
    finally:
        await workshop.close()


def test_an_answer_without_all_of_its_bytes_is_none():
    line = json.dumps({"answer": ["dot.png", "dot"], "bytes": 4}).encode() + b"\n"
    assert heard(io.BytesIO(line + b"1234"))[1] == b"1234"
    for said in (line + b"123", line[:-1], b""):
        assert heard(io.BytesIO(said)) == (None, b"")
