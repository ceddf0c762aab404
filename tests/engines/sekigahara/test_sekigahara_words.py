"""Every code that the engine sends has words in the English catalogue, with every parameter filled."""

import re
from pathlib import Path

import pytest

from engines.chance import Chance
from engines.protocol import Ready
from engines.sekigahara.asking import several
from engines.sekigahara.data import BLOCK_ORDER, CARD_COUNTS, PLACES, SIDES
from locales import LANGUAGES, words
from tests.engines.sekigahara.sekigahara_games import ENGINE, random_game
from tests.locales.catalogue import read

ROOT = Path(__file__).parents[3]
SOURCE = "\n".join(path.read_text() for path in sorted((ROOT / "engines/sekigahara").glob("*.py")))


@pytest.fixture(scope="module")
def catalogue():
    return {key: " ".join(texts) for key, texts in read("en").items()}


def names(template: str) -> set[str]:
    return set(re.findall(r"{(\w+)", template))


def test_every_error_and_event_has_words(catalogue):
    errors = set(re.findall(r'RulesError\(\s*"([a-z-]+)"', SOURCE))
    missing = {
        c for c in errors if f"sekigahara.error.{c}" not in catalogue and f"error.{c}" not in catalogue
    }
    assert missing == set()
    events = set(re.findall(r'tell\(\s*"([a-z-]+)"', SOURCE)) | {
        "discard-chosen",
        "bid-chosen",
        "inside",
        "outside",
    }
    assert {code for code in events if f"sekigahara.event.{code}" not in catalogue} == set()


def test_every_word_of_the_game_has_a_term(catalogue):
    words = [*PLACES, *BLOCK_ORDER, *(card for side in SIDES for card in CARD_COUNTS[side])]
    assert [word for word in words if f"sekigahara.term.{word}" not in catalogue] == []


def test_the_pages_of_the_rules_are_short(catalogue):
    pages = [key for key in catalogue if re.fullmatch(r"sekigahara\.rules\.\d", key)]
    assert len(pages) == 9
    assert all(len(catalogue[key]) < 1500 and f"{key}.title" in catalogue for key in pages)


def test_templates_name_only_what_they_are_given(catalogue):
    chance = Chance(b"words", 0)
    for seed in range(3):
        for number, (state, seat, action) in enumerate(random_game(seed)):
            if seat is None or number % 4:
                continue
            for event in ENGINE.apply(state, seat, action, Chance(b"x", 1)).events:
                assert names(catalogue[f"sekigahara.event.{event.code}"]) <= set(event.params), event.code
            walk_panel(state, seat, chance, catalogue)


def walk_panel(state, seat, chance, catalogue):
    path: tuple[str, ...] = ()
    while True:
        found = ENGINE.choices(state, seat, path)
        if isinstance(found, Ready):
            assert found.warning is None or f"sekigahara.warning.{found.warning}" in catalogue
            return
        assert names(catalogue[f"sekigahara.prompt.{found.code}"]) <= set(found.params) | {"n"}
        assert len({choice.key for choice in found.choices}) == len(found.choices)
        for choice in found.choices:
            assert names(catalogue[f"sekigahara.choice.{choice.code}"]) <= set(choice.params)
            assert not set("/+:") & set(choice.key)
        picked = chance.shuffled(found.choices)[: max(1, found.least)]
        path = (*path, "+".join(choice.key for choice in picked))


def test_no_two_choices_of_a_question_are_called_the_same():  # 15.6
    said = words("en")

    def labels(choices):
        return [said(f"sekigahara.choice.{c.code}", game="sekigahara", **c.params) for c in choices]

    assert labels(several(["mori3", "mori3", "ukita2"], "block")) == [
        "Mori 3 (1/2)",
        "Mori 3 (2/2)",
        "Ukita 2",
    ]
    assert labels(several(["ukita", "ukita"], "card")) == ["Ukita card (1/2)", "Ukita card (2/2)"]
    for language in LANGUAGES:
        for code in ("block", "card"):
            said = words(language)
            assert len(set(labels(several(["mori"] * 3, code)))) == 3
