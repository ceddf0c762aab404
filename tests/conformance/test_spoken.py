"""What is confirmed and done is said in words, in every language of every released game (17.4)."""

from __future__ import annotations

import re

import pytest

from cogs.text.spoken import done, in_words
from engines.capabilities import Spoken, random_action
from engines.chance import Chance
from engines.registry import engine, meta
from locales import DASH, LANGUAGES, words
from tests.cogs.test_panel_widths import variants

PLIES = 120
NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve")
FROM_TO = re.compile("[a-z][1-9]–[a-z][1-9]")


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize(("game", "options"), variants())
def test_every_action_is_said_in_words_in_every_language(game, options, seed):  # 17.4
    rules = engine(game)
    if meta(game).stage != "released":
        return  # a game that is not translated yet may say its notation
    assert isinstance(rules, Spoken)
    made = rules.read_options(options)
    root = seed.to_bytes(32, "big")
    state, _ = rules.setup(made, max(rules.seat_counts(made)), Chance(root, 0))
    for entry in range(1, PLIES):
        seats = sorted(rules.to_act(state))
        if not seats:
            break
        action = random_action(rules, state, seats[0], Chance(root, entry))
        text = rules.format(action)
        said = rules.spoken(rules.view(state, seats[0]), text)
        assert said, text
        assert rules.spoken(rules.view(state, None), text) == (), "a spectator does nothing"
        for language in LANGUAGES:
            speech = words(language)
            assert all(speech.has(f"{game}.action.{seen.code}") for seen in said), (said, text)
            phrase = in_words(game, said, speech, NAMES)
            assert phrase
            assert DASH not in FROM_TO.sub("", phrase), (phrase, text)
            assert "{" not in phrase
            assert text in done(phrase, text, speech), "the notation stands beside it"
        state, _ = rules.apply(state, seats[0], action, Chance(root, entry))


def test_a_march_is_said_by_its_ends_and_by_whom_it_shows():  # 17.4
    rules = engine("sekigahara")
    state, _ = rules.setup(rules.read_options({}), 2, Chance(bytes(32), 0))
    view = rules.view(state, 1)
    march = (
        "march edo tokugawa-leader tokugawa2 tokugawa3 > oyama -tokugawa2 > utsunomiya leader tokugawa-leader"
    )
    assert isinstance(rules, Spoken)
    phrase = in_words("sekigahara", rules.spoken(view, march), words("en"), NAMES)
    assert phrase == (
        "March from Edo to Utsunomiya with 3 blocks, by way of Oyama, showing Tokugawa Ieyasu, "
        "staying at Oyama: Tokugawa 2"
    )


def test_orders_are_said_one_after_the_other_and_none_as_withdrawn():  # 17.4
    rules = engine("sekigahara")
    state, _ = rules.setup(rules.read_options({}), 2, Chance(bytes(32), 0))
    view = rules.view(state, 0)
    assert isinstance(rules, Spoken)
    for text, said in {
        "orders deploy mori2 with mori; deploy ukita2 with ukita; done": (
            "Deploy Mori 2 with a Mori card · Deploy Ukita 2 with an Ukita card · Stop deploying"
        ),
        "orders": "Withdraw the orders",
    }.items():
        assert in_words("sekigahara", rules.spoken(view, text), words("en"), NAMES) == said
