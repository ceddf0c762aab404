"""What a lobby says of a table's options: words, with what is typed only where somebody asks for it."""

from types import SimpleNamespace

import pytest

from cogs.buttons import controls
from engines.registry import GAMES, engine
from locales import LANGUAGES, words
from tables.core.options import TableOptions, allowed
from tests.games import released


def table(game="kamisado", help_="basic", timing=None, **options):
    return SimpleNamespace(game=game, options=options, table_options=timing or {}, help=help_)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_of_every_game_is_told_in_words(language):  # 17, in words, not notation
    spoken, told = words(language), []
    for game in filter(released, GAMES):
        model = engine(game).options_type
        for name in model.model_fields:
            told += [
                controls.options_line(table(game, **{name: value}), spoken) for value in allowed(model, name)
            ]
    told += [controls.options_line(table(help_=help_), spoken) for help_ in ("full", "basic", "none")]
    assert len({*told}) == len(told) > 20
    assert not any("`" in line or "=" in line or "_" in line for line in told)


@pytest.mark.parametrize(
    ("timing", "said"),
    [
        ({}, ""),
        ({"private": True}, ""),
        ({"clock": "none"}, "no clock"),
        ({"clock": "slow"}, "14 days to think plus 1 day after each turn (at most 14 days)"),
        (
            {"clock": "custom", "bank": "7d", "increment": "12h", "cap": "10d", "timeout": "lose"},
            "7 days to think plus 12 hours after each turn (at most 10 days); whoever runs out of time loses",
        ),
    ],
)
def test_a_clock_is_told_with_its_times(timing, said):
    TableOptions.model_validate(timing)
    told = controls.clock_words(timing, words("en"))
    assert told == said


def test_an_option_without_words_is_told_as_it_is_typed():
    assert "`size=9`" in controls.options_line(table("kamisado", size=9), words("en"))


def test_what_is_typed_makes_such_a_table_again():
    asked = table("shogun", "full", {"clock": "slow", "seat": "first"}, side="moon", setup="draft")
    assert controls.typed_options(asked) == "aids=full clock=slow setup=draft side=moon"
