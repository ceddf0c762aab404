"""Every event, error, prompt, choice and name of Shogun has words."""

import re
from pathlib import Path

from engines.shogun.data import ACTIONS, CHEST_CARDS, EVENTS, PLACES, PROVINCES, REGIONS, SEASONS, SPECIALS
from engines.shogun.engine import DAIMYO
from tests.engines.shogun.shogun_scenes import ENGINE, random_game
from tests.locales.catalogue import read

ROOT = Path(__file__).parents[3]
WORDS = set(read("en"))


def sources() -> str:
    return "\n".join(path.read_text("utf-8") for path in (ROOT / "engines/shogun").glob("*.py"))


def test_every_event_code_has_words():
    codes = set(re.findall(r'tell(?:_secret)?\(\s*"([a-z-]+)"', sources()))
    codes |= {"conquered", "conquered-neutral", "tied", "tied-neutral", "attacked", "attacked-neutral"}
    assert {f"shogun.event.{code}" for code in codes} <= WORDS
    assert len(codes) > 40


def test_every_name_has_words():
    names = (*PROVINCES, *ACTIONS, *PLACES, *CHEST_CARDS, *SPECIALS, *EVENTS, *REGIONS, *SEASONS, *DAIMYO)
    assert {f"shogun.term.{name}" for name in names} <= WORDS


def test_every_prompt_and_choice_of_a_game_has_words():
    for state in random_game(3, b"words", setup="draft", forced_battles=False):
        for seat in ENGINE.to_act(state):
            step = ENGINE.choices(state, seat)
            assert f"shogun.prompt.{step.code}" in WORDS
            assert {f"shogun.choice.{choice.code}" for choice in step.choices} <= WORDS


def test_the_rules_pages_are_short_enough_for_a_message():
    pages = [name for name in WORDS if re.fullmatch(r"shogun\.rules\.\d+", name)]
    assert len(pages) >= 8
    assert all(f"{page}.title" in WORDS for page in pages)
