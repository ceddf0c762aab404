"""Hebrew on the pictures of the rules pages, which show every kind of picture: no word is cut (15.4, 15.7)."""

import pytest

from engines.registry import GAMES
from locales import words
from render import drawing
from render import text as lines
from render.lessons import lessons, staged


@pytest.mark.parametrize("game", [game for game in GAMES if lessons(game) is not None])
def test_no_hebrew_word_is_cut_on_a_picture(game, monkeypatch):
    fit, cut, seen = lines.fit, [], 0

    def watched(text, style, room):
        nonlocal seen
        shown, chosen = fit(text, style, room)
        seen += 1
        cut.extend([(text, shown)] if shown != text else [])
        return shown, chosen

    monkeypatch.setattr(lines, "fit", watched)
    for lesson in lessons(game).LESSONS:
        drawing(lesson.part)(staged(game, lesson, words("he")))
    assert seen > len(lessons(game).LESSONS)
    assert cut == []
