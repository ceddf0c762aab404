"""Hebrew on the pictures of the rules pages, of every kind: no word is cut (15.4, 15.7)."""

import pytest

from engines.registry import GAMES
from locales import words
from render import drawing
from render import text as lines
from render.lessons import lessons, staged
from tests.games import by_game
from tests.render.picture_tools import forget_sprites, taught

TAUGHT = [game for game in GAMES if lessons(game) is not None]


@pytest.mark.parametrize("game", by_game(TAUGHT))
def test_no_hebrew_word_is_cut_on_a_picture(game, monkeypatch):
    fit, cut, seen = lines.fit, [], 0
    pages = taught(game)

    def watched(text, style, room):
        nonlocal seen
        shown, chosen = fit(text, style, room)
        seen += 1
        cut.extend([(text, shown)] if shown != text else [])
        return shown, chosen

    forget_sprites()
    monkeypatch.setattr(lines, "fit", watched)
    for lesson in pages:
        drawing(lesson.part)(staged(game, lesson, words("he")))
    assert seen > len(pages)
    assert cut == []
