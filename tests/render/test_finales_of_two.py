"""Finales and standings of Kamisado and Rokumon, in every language (16.10, 16.11)."""

import json
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

import render
from engines.capabilities import random_action
from engines.chance import Chance
from engines.registry import engine
from locales import LANGUAGES, words
from render.names import fitting, pictured
from render.text import ELLIPSIS, drawable, fits
from render.theme import Type
from tests.render.picture_tools import LONGEST

HARD = (
    "\u0301\u0308",
    "क्षत्रिय",
    "👩‍👩‍👧‍👦 family",
    "ﷺ",
    "Wolfeschlegelsteinhausenbergerdorff",
    "はなさかじいさんとポチの大冒険物語です",
    "a\u0335\u0336\u0337b",
    "מלך הארמונות והצריחים הגבוהים",
)
GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("kamisado", {"match": "standard"}),
    ("kamisado", {}),
    ("kamisado", {"match": "series"}),
    ("rokumon", {}),
    ("rokumon", {"act": 4}),
    ("rokumon", {"solo": "medium"}),
)


def played(game, options):
    """A whole game at random; played once for all tests."""
    return played_by(game, json.dumps(options))


@cache
def played_by(game, given):
    rules, options, root = engine(game), json.loads(given), bytes([1] * 32)
    chosen = rules.read_options(options)
    steps = [rules.setup(chosen, max(rules.seat_counts(chosen)), Chance(root, 0))]
    while rules.result(steps[-1].state) is None:
        state, number = steps[-1].state, len(steps)
        seat = min(rules.to_act(state))
        action = random_action(rules, state, seat, Chance(root, 2 * number))
        steps.append(rules.apply(state, seat, action, Chance(root, 2 * number + 1)))
    return rules, steps


def scene_of(game, rules, steps, language="en", names=("Bence", "Mariko"), **more):
    state = steps[-1].state
    people = names[: len(rules.roles(state))]
    events = rules.statistics(steps[0], steps[1:])
    return render.Scene(game, rules.view(state, None), people, words(language), events, **more)


@pytest.mark.parametrize(
    ("game", "options"),
    [pytest.param(*one, marks=pytest.mark.long if n in (1, 2, 4) else ()) for n, one in enumerate(GAMES)],
)
def test_a_finished_game_is_a_trophy_in_every_language(game, options, look, sizes):  # 16.11
    rules, steps = played(game, options)
    for language in LANGUAGES:
        scene = scene_of(game, rules, steps, language, LONGEST, table=123456)
        picture = render.finale(scene)
        assert picture is not None
        look(picture)
        assert f"{game}." not in picture.alt
        for seen in scene.events:
            line = scene.words(f"{game}.statistics.{seen.code}", game=game, names=LONGEST, **seen.params)
            assert f"{game}.statistics" not in line
    assert min(sizes) >= 26


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_a_game_that_goes_on_has_no_finale(game, options):  # 16.11
    rules, steps = played(game, options)
    assert render.finale(scene_of(game, rules, steps[:2])) is None


def test_the_curve_of_points_ends_with_the_score():  # 16.11
    rules, steps = played("kamisado", {"match": "long"})
    points = next(s.params for s in rules.statistics(steps[0], steps[1:]) if s.code == "points")
    score = steps[-1].state.score
    assert (points["black"][-1], points["white"][-1]) == (score.black, score.white)
    for line in (points["black"], points["white"]):
        assert all(before <= after for before, after in pairwise(line))


def test_the_curve_of_tokens_ends_with_those_that_are_held():  # 16.11
    rules, steps = played("rokumon", {})
    tokens = next(s.params for s in rules.statistics(steps[0], steps[1:]) if s.code == "tokens")
    held = steps[-1].state.revenge
    assert (tokens["sanada"][-1], tokens["tokugawa"][-1]) == (held.sanada.count, held.tokugawa.count)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_standing_of_a_long_game_is_a_picture_and_words(language, look, sizes):  # 16.10
    for game, options in (("kamisado", {"match": "standard"}), ("rokumon", {})):
        rules, steps = played(game, options)
        scene = scene_of(game, rules, steps[: len(steps) // 2], language, LONGEST)
        picture = render.standing(scene)
        assert picture is not None
        look(picture)
        told = render.standing_words(scene)
        assert told
        assert f"{game}." not in told
    assert min(sizes) >= 26


def test_a_game_of_one_round_or_act_has_no_standing():  # 16.10
    for game, options in (("kamisado", {}), ("rokumon", {"act": 4})):
        rules, steps = played(game, options)
        scene = scene_of(game, rules, steps[:2])
        assert render.standing(scene) is None
        assert render.standing_words(scene) == ""


@pytest.mark.parametrize("name", HARD)
def test_a_long_name_is_shortened_before_the_sentence_is(name):  # 16.4
    style, room = Type("words", 35), 420
    said = fitting((name,), lambda names: f"{names[0]} wins the story", style, room)
    assert said.endswith(" wins the story")
    assert fits(said, style, room)
    assert said.count(ELLIPSIS) <= 1


@pytest.mark.parametrize("name", HARD)
def test_hard_names_leave_no_box_and_no_dotted_circle(name, look):  # 16.4
    for game in ("kamisado", "rokumon"):
        rules, steps = played(game, {})
        scene = scene_of(game, rules, steps, names=(name, name), accounts=("anna_1", "ben.2"))
        assert all(map(drawable, pictured(scene.names, scene.accounts, rules.roles(steps[0].state))))
        look(render.painter(game).board(scene))
        finale = render.finale(scene)
        assert finale is not None
        look(finale)


def test_a_match_that_ends_before_a_choice_tells_no_average_and_names_nobody_idle(look):  # 16.11
    rules, steps = played("kamisado", {})
    first = next(n for n, step in enumerate(steps) if any(e.code == "moved" for e in step.events))
    for made, told in ((0, {}), (first, {"seat-bound": [0]})):
        state = steps[made].state
        given_up = rules.apply(state, 1, rules.parse("resign", state, 1), Chance(bytes(32), 99))
        ended = [*steps[: made + 1], given_up]
        scene = scene_of("kamisado", rules, ended)
        sides = {seen.code: [seen.params["seat"]] for seen in scene.events if seen.code.startswith("seat")}
        assert sides == told
        look(render.finale(scene))
        lines = [
            scene.words(f"kamisado.statistics.{seen.code}", game="kamisado", names=scene.names, **seen.params)
            for seen in scene.events
        ]
        assert not [line for line in lines if "average" in line]
