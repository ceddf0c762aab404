"""No word of a picture is cut in Japanese (15.7)."""

import sys

import pytest

from engines.capabilities import random_action
from engines.chance import Chance
from engines.registry import GAMES
from locales import words
from render import drawing, painter, text
from render.lessons import lessons, staged
from render.text import ELLIPSIS
from tests.games import by_game, players, released
from tests.render.conftest import Stage
from tests.render.picture_tools import forget_sprites, taught

JAPANESE = words("ja")
TAUGHT = [game for game in GAMES if lessons(game) is not None]
NAMES = ("真理子", "大輔", "花")


@pytest.fixture
def cut(monkeypatch):
    """What is cut from now on."""
    found: set[str] = set()
    forget_sprites()
    real = text.fit

    def fit(line, style, room):
        shown, used = real(line, style, room)
        if shown != line and ELLIPSIS in shown:
            found.add(line)
        return shown, used

    for name, module in list(sys.modules.items()):
        if name.startswith("render") and getattr(module, "fit", None) is real:
            monkeypatch.setattr(module, "fit", fit)
    return found


def drawn(game, seats, actions, every):
    """Draw a random game as all and as who is to act see it, every so many actions."""
    stage, paint = Stage(game), painter(game)
    names = NAMES[:seats]
    state, events = stage.engine.setup(stage.engine.read_options({}), seats, Chance(b"p" * 32, 0))
    for number in range(actions):
        seat = min(stage.engine.to_act(state), default=None)
        if number % every == 0 or seat is None:
            paint.board(stage.scene(state, None, events, names, words=JAPANESE))
            if seat is not None:
                paint.hand(stage.scene(state, seat, events, names, words=JAPANESE))
        if seat is None:
            return
        action = random_action(stage.engine, state, seat, Chance(b"p" * 32, 2 * number))
        state, events = stage.engine.apply(state, seat, action, Chance(b"p" * 32, 2 * number + 1))


@pytest.mark.parametrize("game", [*filter(released, GAMES)])
def test_no_word_of_a_picture_is_cut_in_japanese(game, cut):
    drawn(game, players(game), 200, 25)
    assert cut == set()


@pytest.mark.parametrize("game", by_game(TAUGHT))
def test_no_word_of_a_rules_picture_is_cut_in_japanese(game, cut):
    pages = taught(game)
    assert pages
    for lesson in pages:
        drawing(lesson.part)(staged(game, lesson, JAPANESE))
    assert cut == set()


def test_a_word_that_is_too_long_for_its_place_would_be_seen(cut, monkeypatch):
    """The label that was cut before, 「1部隊＋行軍」 with more behind it."""
    said = type(JAPANESE).__call__
    long = {"shogun.sheet.space.recruit1_move": "1部隊の徴兵と隣の国への行軍"}
    monkeypatch.setattr(
        type(JAPANESE), "__call__", lambda self, key, /, **more: long.get(key) or said(self, key, **more)
    )
    drawn("shogun", 3, 20, 5)
    assert set(long.values()) <= cut
