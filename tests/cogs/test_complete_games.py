"""Which games are offered: a fault in one stops the start with its name, what is not there yet does not."""

from __future__ import annotations

from types import ModuleType

import pytest

from cogs.text import games
from cogs.text.games import IncompleteGameError, complete
from engines.registry import GAMES, engine
from tests.engines import fake_race
from tests.engines.fake_race import META


@pytest.fixture
def race(monkeypatch):
    """A game with rules alone; what else it has is put in by the test."""
    monkeypatch.setitem(GAMES, "race", "tests.engines.fake_race:Race")
    yield lambda stage: monkeypatch.setattr(fake_race, "META", META.model_copy(update={"stage": stage}))
    engine.cache_clear()


@pytest.mark.parametrize("game", GAMES)
def test_every_game_of_the_registry_is_offered(game):
    assert complete(game)


@pytest.mark.parametrize(
    "fault", [ImportError("no such font"), AttributeError("no such colour"), RuntimeError("a broken ground")]
)
def test_a_painter_that_does_not_import_stops_the_start_with_its_name(monkeypatch, fault):  # 12.4
    def broken(game: str) -> ModuleType:
        raise fault

    monkeypatch.setattr(games, "painter", broken)
    with pytest.raises(IncompleteGameError, match=f"kamisado does not import: .*{fault}"):
        complete("kamisado")


def test_rules_that_do_not_import_stop_the_start_with_their_name(monkeypatch):  # 12.4
    monkeypatch.setitem(GAMES, "ghost", "engines.ghost:Ghost")
    with pytest.raises(IncompleteGameError, match=r"ghost does not import: .*engines\.ghost"):
        complete("ghost")


def test_a_game_without_pictures_or_words_is_not_offered_while_it_is_experimental(race):  # 12.4
    engine("race")
    assert not complete("race")
    race("released")
    with pytest.raises(IncompleteGameError, match="race is released and has no painter and no words"):
        complete("race")
