"""What pictures may show besides the board, over every game (16): size, words, languages, no secret.

The moments are those of `render.moments`, so that what is looked at on a sheet is what is tested.
"""

from __future__ import annotations

import io
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

import pytest
from PIL import Image

from engines.capabilities import Deed, Foresight, Reasons, random_action
from engines.chance import Chance
from engines.protocol import RulesError
from engines.registry import GAMES, engine
from locales import LANGUAGES, words
from render import areas, changes, drawing, has, layers, painter, standing_words, stands, unpacked
from render.moments import Ply, played, shots
from render.theme import MOST_BYTES, TALLEST, WIDTH
from tests.games import by_game, hidden, opening, released, sample

PLIES, MOST_ALT = 40, 1000
OPTIONAL = (
    "step",
    "focus",
    "standing",
    "since",
    "own-since",
    "ended",
    "finale",
    "ground",
    "layer",
    "confirm",
)


@cache
def game_of(game: str) -> tuple[Ply, ...]:
    """Some actions of a game."""
    return tuple(played(game, 0, PLIES))


def drawn(shot, language):
    """A shot's picture in a language, which all its pictures have to obey, or None."""
    picture = drawing(shot.part)(replace(shot.scene, words=words(language)))
    if picture is not None:
        with Image.open(io.BytesIO(picture.png)) as image:
            assert (image.format, image.width) == ("PNG", WIDTH), shot.name
            assert image.height <= TALLEST, shot.name
        assert len(picture.png) <= MOST_BYTES, shot.name
        assert 0 < len(picture.alt) < MOST_ALT, shot.name
        assert picture.filename.endswith(".png"), shot.name
    return picture


def some(game, *kinds):
    """The first two and the last shot of each of these kinds."""
    taken: dict[str, list[Any]] = {}
    for shot in shots(game, game_of(game), words("en")):
        if shot.kind in kinds:
            taken.setdefault(shot.kind, []).append(shot)
    return [shot for found in taken.values() for shot in [*found[:2], *found[2:][-1:]]]


@pytest.mark.parametrize("game", by_game())
def test_every_part_keeps_to_its_size_in_every_language(game):
    for number, shot in enumerate(some(game, *OPTIONAL)):
        language = LANGUAGES[number % len(LANGUAGES)] if released(game) else "en"
        drawn(shot, language)


@pytest.mark.parametrize("game", by_game())
def test_a_part_is_the_same_whichever_process_draws_it_and_how_often(game):
    for shot in some(game, "focus", "standing", "own-since", "confirm"):
        here = drawing(shot.part)(shot.scene)
        assert drawing(shot.part)(unpacked(shot.scene.packed())) == here
        assert unpacked(shot.scene.packed()) == shot.scene


@pytest.mark.parametrize("game", GAMES)
def test_whoever_has_words_for_a_part_has_the_part(game):
    parts = painter(game)
    assert hasattr(parts, "standing") == hasattr(parts, "standing_words")
    for known in (areas(game), layers(game)):  # asked for in whatever case
        assert len({one.casefold() for one in known}) == len(known)
    for language in LANGUAGES if released(game) else ("en",):
        spoken = words(language)
        assert all(spoken.term(game, layer) != layer for layer in layers(game))


@pytest.mark.parametrize("game", GAMES)
def test_what_is_marked_as_new_is_told_in_words_and_nothing_is_new_at_once(game):
    if not has(game, "changes"):
        pytest.skip("it marks nothing")
    told = 0
    for shot in some(game, "since", "own-since"):
        told += bool(changes(shot.scene))
        assert changes(replace(shot.scene, since=None)) == ""
        assert changes(replace(shot.scene, since=shot.scene.view)) == ""
    assert told


@pytest.mark.parametrize("game", GAMES)
def test_the_standing_is_told_as_well_as_drawn(game):
    if not has(game, "standing"):
        pytest.skip("its board shows who leads")
    for shot in some(game, "standing"):
        for language in LANGUAGES if released(game) else ("en",):
            told = standing_words(replace(shot.scene, words=words(language)))
            assert stands(shot.scene) == bool(told.strip()) == (drawn(shot, language) is not None)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_foreseen_has_words_in_every_language(game):
    rules = engine(game)
    if not isinstance(rules, Foresight):
        pytest.skip("it foresees nothing")
    met = set()
    for ply in game_of(game):
        for seat in sorted(rules.to_act(ply.step.state))[:1]:
            view = rules.view(ply.step.state, seat)
            action = rules.format(random_action(rules, ply.step.state, seat, Chance(b"ahead", ply.number)))
            certain, all_of_it = (rules.foresee(view, action, odds=odds) for odds in (False, True))
            assert rules.foresee(view, action, odds=True) == all_of_it
            met |= {one.code for one in (*certain, *all_of_it)}
    for language in LANGUAGES if released(game) else ("en",):
        assert all(words(language).has(f"{game}.foresight.{code}") for code in met)


@pytest.mark.parametrize("game", GAMES)
def test_what_an_action_was_for_has_words_in_every_language(game):
    rules = engine(game)
    if not isinstance(rules, Reasons):
        pytest.skip("its opponent gives no reasons")
    told: dict[str, Any] = {}
    for ply in game_of(game):
        if (seat := ply.seat) is None:
            continue
        for eye in (None, seat):
            seen = tuple(event.seen_by(eye) for event in ply.step.events)
            before, after = rules.view(ply.before, eye), rules.view(ply.step.state, eye)
            found = rules.reasons(Deed(seat, before, after, seen, None))
            assert len(found) <= 3
            told |= {one.code: one.params for one in found}
    names = ("Ann", "Ben", "Cho", "Dan", "Eve")
    for language in LANGUAGES if released(game) else ("en",):
        for code, params in told.items():
            assert words(language).has(f"{game}.why.{code}")
            assert "–" not in words(language)(f"{game}.why.{code}", game=game, names=names, **params)


@pytest.mark.parametrize("game", GAMES)
def test_the_public_foresees_nothing(game):
    rules = engine(game)
    if not isinstance(rules, Foresight):
        pytest.skip("it foresees nothing")
    state = opening(game, sample(game).options).state
    seat = min(rules.to_act(state))
    action = rules.format(random_action(rules, state, seat, Chance(b"ahead", 1)))
    assert rules.foresee(rules.view(state, None), action, odds=True) == ()


@pytest.mark.parametrize("game", hidden())
def test_news_standing_and_foresight_tell_nothing_that_their_viewer_cannot_know(game):
    """Two histories that differ only in what a viewer may not know: then and now, both mixed up."""
    rules = engine(game)
    states = [opening(game, sample(game).hides).state]
    for ply in range(1, 5):
        seat = min(rules.to_act(states[-1]))
        action = random_action(rules, states[-1], seat, Chance(b"shown", ply))
        states.append(rules.apply(states[-1], seat, action, Chance(b"\0", ply)).state)
    mixed = import_module(f"tests.engines.{game}.otherwise")
    now, then = states[-1], states[1]
    shown = Ply(4, states[-2], rules.apply(states[-2], seat, action, Chance(b"\0", 4)), seat)
    for viewer in (None, *range(len(rules.roles(now)))):
        others = [mixed.otherwise(state, viewer, Chance(b"mixed", 1)) for state in (now, then)]
        scenes = []
        for at, before in ((now, then), others):
            base = next(shots(game, [shown], words("en"))).scene
            scenes.append(
                replace(base, view=rules.view(at, viewer), since=rules.view(before, viewer), events=())
            )
        assert scenes[0] == scenes[1]
        assert len({changes(scene) for scene in scenes}) == 1
        assert len({standing_words(scene) for scene in scenes}) == 1
        for part in ("board", "hand", "standing", "focus", "own_ground"):
            assert len({drawing(part)(scene) for scene in scenes}) == 1
        if viewer is not None and isinstance(rules, Foresight):
            foresee(rules, now, others[0], viewer)
        if isinstance(rules, Reasons):
            before = mixed.otherwise(states[-2], viewer, Chance(b"mixed", 1))
            seen = tuple(event.seen_by(viewer) for event in shown.step.events)
            pairs = ((states[-2], now), (before, others[0]))
            deeds = [
                Deed(seat, rules.view(begin, viewer), rules.view(end, viewer), seen, None)
                for begin, end in pairs
            ]
            assert rules.reasons(deeds[0]) == rules.reasons(deeds[1])


def foresee(rules, state, other, viewer):
    """What a seat foresees of an action that it has in both histories is the same."""
    if viewer not in rules.to_act(state):
        return
    action = rules.format(random_action(rules, state, viewer, Chance(b"ahead", 2)))
    try:
        rules.apply(other, viewer, rules.parse(action, other, viewer), Chance(b"\0", 9))
    except RulesError:
        return
    ahead = [rules.foresee(rules.view(at, viewer), action, odds=True) for at in (state, other)]
    assert ahead[0] == ahead[1]
