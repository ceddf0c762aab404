"""Rules pages: a picture each, of a moment that the rules allow, and every refusal leads to a page."""

import re
from itertools import pairwise

import pytest

from cogs.text.rules_pages import pages_of
from engines.registry import GAMES
from kit.check import FRAME
from locales import LANGUAGES, words
from render import drawing
from render.lessons import lesson_of, lessons, page_about, staged
from tests.games import by_game, released
from tests.locales.catalogue import read

TAUGHT = [game for game in GAMES if released(game)]


def lesson(game, page):
    found = lesson_of(game, page)
    assert found is not None, (game, page)
    return found


def module(game):
    found = lessons(game)
    assert found is not None, game
    return found


def picture(game, page, locale):
    taught = lesson(game, page)
    return drawing(taught.part)(staged(game, taught, words(locale)))


@pytest.mark.parametrize("game", by_game(TAUGHT))
def test_every_page_of_the_rules_has_a_picture_of_its_own(game):
    count = pages_of(game, words("en"))
    assert len(module(game).LESSONS) == count
    made = [picture(game, page, "en") for page in range(1, count + 1)]
    assert all(0 < len(one.png) <= 250_000 for one in made)
    assert all(one.png != two.png for one, two in pairwise(made))


@pytest.mark.parametrize("game", TAUGHT)
@pytest.mark.parametrize("locale", LANGUAGES)
def test_every_page_has_a_title_text_and_a_staged_moment_in_every_language(game, locale):
    here = words(locale)
    assert pages_of(game, here) == pages_of(game, words("en"))
    for page in range(1, pages_of(game, here) + 1):
        assert here.has(f"{game}.rules.{page}.title"), (game, page)
        assert staged(game, lesson(game, page), here).words.locale == locale


def codes(game, kind):
    """Codes of a kind that the game has messages for."""
    ids = {match[1] for key in read("en") if (match := re.fullmatch(rf"{game}\.{kind}\.([^/]+)", key))}
    return {code for code in ids - FRAME if not code.endswith(".plural")}


@pytest.mark.parametrize("game", TAUGHT)
def test_every_question_of_a_panel_leads_to_a_page(game):
    asked = codes(game, "prompt") - {"waiting"}
    assert asked
    assert not {code for code in asked if page_about(game, code) is None}


@pytest.mark.parametrize("game", TAUGHT)
def test_every_refusal_of_a_rule_leads_to_a_page(game):
    refused = codes(game, "error")
    assert refused  # what the frame says for every game, such as "not your turn", needs no page
    assert not {code for code in refused if page_about(game, code) is None}


@pytest.mark.parametrize("game", TAUGHT)
def test_no_code_leads_to_a_page_that_does_not_exist(game):
    assert set(module(game).ABOUT.values()) <= set(range(1, pages_of(game, words("en")) + 1))


def test_a_game_without_lessons_has_its_rules_in_words():
    assert lesson_of("nowhere", 1) is None
    assert page_about(None, "blocked") is None
