"""The registry: what is wrong with a game is said at once, with its name; capabilities and META."""

from __future__ import annotations

import json
import sys
from itertools import count
from typing import Any, Literal

import pytest
from pydantic import Field, TypeAdapter

from cogs.text import letter
from engines.capabilities import random_action
from engines.chance import Chance
from engines.former import StoredEvent, StoredSeen, renamed
from engines.meta import Meta
from engines.opponents import opponent
from engines.protocol import GAME_OVER, Action, AnyEngine, Options, RulesError, Seat, State
from engines.registry import GAMES, engine, meta
from engines.values import TABLE_OPTIONS
from tables.core import chapter_events, loaded
from tables.core.options import TableOptions

NUMBERS = count()
RACE = "from tests.engines.fake_race import Race\nfrom engines.meta import Meta\n"
META = 'META = Meta(game="{name}", title="T", seats={seats}, stage="experimental", rules="")\n'


@pytest.fixture
def added(tmp_path, monkeypatch):
    """Adds a game whose package has these files, as the registry's newest."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def add(**files: str) -> str:
        name = f"newgame{next(NUMBERS)}"
        (tmp_path / name).mkdir()
        for file, text in {"__init__": "", **files}.items():
            (tmp_path / name / f"{file}.py").write_text(text.replace("{name}", name))
        monkeypatch.setitem(GAMES, name, f"{name}:Race")
        return name

    yield add
    engine.cache_clear()
    for name in [name for name in sys.modules if name.startswith("newgame")]:
        del sys.modules[name]


def code_of(work: Any) -> str:
    with pytest.raises(RulesError) as caught:
        work()
    return caught.value.code


@pytest.mark.parametrize("game", GAMES)
def test_every_game_says_of_itself_what_its_engine_and_the_registry_say(game):  # 12.2
    about = meta(game)
    assert (about.game, about.seats) == (game, engine(game).seats)
    assert about.title
    assert about.stage in {"released", "experimental"}


def test_a_game_without_meta_or_with_another_games_is_refused_with_its_name(added):  # 12.4
    bare = added(__init__=RACE)
    with pytest.raises(TypeError, match=f"{bare} has no META"):
        engine(bare)
    apart = added(__init__=RACE + META.replace("{seats}", "(4,)"))
    with pytest.raises(TypeError, match=apart):
        engine(apart)


def test_a_game_that_does_not_import_raises_what_is_wrong_with_it(added):  # 12.4
    with pytest.raises(ModuleNotFoundError, match="no_such_thing"):
        engine(added(__init__="import no_such_thing\n"))


def test_a_game_has_no_opponent_only_where_it_has_no_such_module(added):  # 12.4
    without = added(__init__=RACE)
    assert code_of(lambda: opponent(without)) == "no-opponent"
    assert code_of(lambda: opponent("chess")) == "no-opponent"
    assert code_of(lambda: opponent("../etc\x00")) == "no-opponent"
    with pytest.raises(ModuleNotFoundError, match="no_such_thing"):
        opponent(added(__init__=RACE, opponent="import no_such_thing\n"))
    assert opponent(added(__init__=RACE, opponent="LEVELS = ('easy',)\n")).LEVELS == ("easy",)


def test_no_games_option_may_be_called_as_a_tables():  # 12.4
    assert set(TableOptions.model_fields) == TABLE_OPTIONS
    for name in sorted(TABLE_OPTIONS):
        with pytest.raises(TypeError, match=f"called \\['{name}'\\]"):
            type("Clashing", (Options,), {"__annotations__": {name: str}, name: "x"})
    with pytest.raises(TypeError, match=r"Hidden.*called \['level'\]"):

        class Hidden(Options):
            strength: Literal["easy"] = Field(default="easy", alias="level")


def last_of(game: str, number: int) -> tuple[AnyEngine, Any, State]:
    """A random game to its end: the last event and the state."""
    rules, seed = engine(game), bytes([number])
    options = rules.read_options({})
    step = rules.setup(options, rules.seat_counts(options)[0], Chance(seed, 0))
    for ply in count(1):
        seats: list[Seat] = sorted(rules.to_act(step.state))
        if rules.result(step.state) is not None:
            break
        action: Action = random_action(rules, step.state, seats[0], Chance(b"picks", ply))
        if ply == 60 + number:  # the longest games are given up
            action = rules.parse("resign", step.state, seats[0])
        step = rules.apply(step.state, seats[0], action, Chance(seed, ply))
    return rules, step.events[-1], step.state


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("game", GAMES)
def test_every_game_ends_with_the_same_event_and_refuses_to_go_on_with_the_same_code(game, number):  # 12.2
    rules, event, state = last_of(game, number)
    result = rules.result(state)
    assert result is not None
    assert event.code == GAME_OVER
    assert event.params == {
        "winners": list(result.winners),
        "scores": list(result.scores),
        "reason": result.reason,
    }
    resign = rules.parse("resign", state, 0)
    assert code_of(lambda: rules.apply(state, 0, resign, Chance(b"", 0))) == GAME_OVER
    assert code_of(lambda: rules.choices(state, 0)) in {GAME_OVER, "not-your-turn"}


OLD: tuple[tuple[dict[str, Any], list[int]], ...] = (
    ({"code": "match-won", "params": {"winner": 1, "reason": "points", "black": 0, "white": 3}}, [1]),
    ({"code": "game-won", "params": {"winner": 0}}, [0]),
    ({"code": "game-lost", "params": {"seat": 0}}, []),
    ({"code": "over", "params": {"winner": 0, "reason": "leader"}}, [0]),
    ({"code": "game-over", "params": {"winners": [0, 2], "scores": [5, 4, 5], "reason": "shared"}}, [0, 2]),
)


@pytest.mark.parametrize(("event", "winners"), OLD)
def test_an_end_that_an_older_version_stored_is_read_as_todays(event, winners):  # 12.2
    for kind in (StoredEvent, StoredSeen):
        read: Any = TypeAdapter(kind).validate_python(event)
        assert (read.code, read.params["winners"]) == (GAME_OVER, winners)


@pytest.mark.parametrize(("event", "winners"), OLD)
def test_snapshots_chapters_and_posts_of_an_older_version_are_read_as_todays(event, winners):  # 12.2
    stored = {**event, "private": {"0": {"card": "mori"}}, "reveals": True}
    (kept,) = loaded.EVENTS.validate_json(json.dumps([stored]))
    assert (kept.code, kept.params["winners"]) == (GAME_OVER, winners)
    assert kept.private == {0: {"card": "mori"}}
    assert kept.reveals
    for public in (
        chapter_events.SEEN.validate_json(json.dumps([event])),
        letter.EVENTS.validate_python([event]),
    ):
        assert [(seen.code, seen.params["winners"]) for seen in public] == [(GAME_OVER, winners)]


@pytest.mark.parametrize(
    "event",
    [None, 7, [], {}, {"code": "over"}, {"code": "over", "params": {}}, {"code": ["over"], "params": {}}],
)
def test_what_is_no_end_is_left_as_it_is(event):
    assert renamed(event) == event


def test_meta_is_a_value_with_a_stage():
    with pytest.raises(ValueError, match="stage"):
        Meta.model_validate({"game": "a", "title": "A", "seats": [2], "stage": "soon", "rules": ""})
