"""Every registered game is drawn and told, for everybody who looks, in every language."""

from __future__ import annotations

import io
from dataclasses import replace
from importlib import import_module

import pytest
from PIL import Image

from engines.capabilities import random_action
from engines.chance import Chance
from engines.protocol import State
from engines.registry import engine
from locales import LANGUAGES, words
from render import Picture, Scene, own_ground, painter
from render.theme import MOST_BYTES, TALLEST, WIDTH
from tests.games import by_game, hidden, opening, released, sample

NAMES = ("Ann", "Ben", "Cho", "Dan", "Eve")
EVERY, PLIES, MOST_ALT = 11, 45, 1000


def good(picture: Picture) -> None:
    with Image.open(io.BytesIO(picture.png)) as image:
        assert image.format == "PNG"
        assert image.width == WIDTH
        assert image.height <= TALLEST
    assert len(picture.png) <= MOST_BYTES
    assert 0 < len(picture.alt) < MOST_ALT
    assert picture.filename.endswith(".png")


@pytest.mark.parametrize("game", by_game())
def test_a_game_is_drawn_and_told_to_everybody_who_looks(game):
    rules, paint = engine(game), painter(game)
    for options in (sample(game).options, *sample(game).more):
        step = opening(game, options)
        for ply in range(1, PLIES):
            acting = rules.to_act(step.state)
            if ply % EVERY == 1 or not acting:
                language = LANGUAGES[(ply // EVERY) % len(LANGUAGES)] if released(game) else "en"
                for viewer in (None, min(acting, default=0)):
                    events = tuple(event.seen_by(viewer) for event in step.events)
                    view = rules.view(step.state, viewer)
                    scene = Scene(game, view, NAMES, words(language), events, table=7)
                    good(paint.board(scene))
                    sheet = paint.hand(scene)
                    if sheet is not None:
                        good(sheet)
                    assert paint.caption(scene).strip()
                    assert paint.describe(scene).strip()
            if not acting:
                break
            seat = min(acting)
            action = random_action(rules, step.state, seat, Chance(b"drawn", ply))
            step = rules.apply(step.state, seat, action, Chance(b"\0", ply))


def with_secrets(game: str) -> State:
    """A few actions into a game in which seats hold secrets from its start."""
    rules, state = engine(game), opening(game, sample(game).hides).state
    for ply in range(1, 4):
        seat = min(rules.to_act(state))
        action = random_action(rules, state, seat, Chance(b"shown", ply))
        state = rules.apply(state, seat, action, Chance(b"\0", ply)).state
    return state


@pytest.mark.parametrize("game", hidden())
def test_pictures_and_words_show_nothing_that_their_viewer_cannot_know(game):
    rules, paint, state = engine(game), painter(game), with_secrets(game)
    mixed = import_module(f"tests.engines.{game}.otherwise")
    for viewer in (None, *range(len(rules.roles(state)))):
        other = mixed.otherwise(state, viewer, Chance(b"mixed", 1))
        scenes = [Scene(game, rules.view(one, viewer), NAMES, words("en")) for one in (state, other)]
        assert len({paint.board(scene) for scene in scenes}) == 1
        assert len({paint.hand(scene) for scene in scenes}) == 1
        assert len({(paint.caption(scene), paint.describe(scene)) for scene in scenes}) == 1


@pytest.mark.parametrize("game", hidden())
def test_private_pictures_of_viewers_who_know_different_things_differ(game):  # 16.2
    rules, paint, state = engine(game), painter(game), with_secrets(game)
    mixed = import_module(f"tests.engines.{game}.otherwise")
    seats = range(len(rules.roles(state)))
    own = [Scene(game, rules.view(state, viewer), NAMES, words("en")) for viewer in seats]
    assert len({(paint.board(scene).png, paint.hand(scene)) for scene in own}) == len(own)
    for viewer in seats:
        other = mixed.otherwise(state, (viewer + 1) % len(seats), Chance(b"mixed", 1))
        scenes = [own[viewer], replace(own[viewer], view=rules.view(other, viewer))]
        if len({paint.describe(scene) for scene in scenes}) == 1:
            continue
        assert len({(paint.board(scene).png, paint.hand(scene)) for scene in scenes}) == 2
        grounds = [own_ground(scene) for scene in scenes]
        if None not in grounds:
            assert len({ground.png for ground in grounds if ground is not None}) == 2


@pytest.mark.parametrize("game", by_game())
def test_what_was_drawn_before_for_others_changes_no_picture(game):
    """What is kept for many pictures carries nothing from one viewer's to another's."""
    rules, paint = engine(game), painter(game)
    step = opening(game, sample(game).hides if game in hidden() else sample(game).options)
    for ply in range(1, 8):
        seat = min(rules.to_act(step.state))
        action = random_action(rules, step.state, seat, Chance(b"before", ply))
        step = rules.apply(step.state, seat, action, Chance(b"\1", ply))
        if not rules.to_act(step.state):
            break
    scenes = [
        Scene(game, rules.view(step.state, viewer), NAMES, words(language), table=7)
        for language in ("en", "ja")
        for viewer in (None, *range(len(rules.roles(step.state))))
    ]
    first = [paint.board(scenes[0])]
    first += [paint.board(scene) for scene in scenes[1:]]
    for scene in scenes:
        paint.hand(scene)
        own_ground(scene)
    assert [paint.board(scene) for scene in reversed(scenes)] == first[::-1]
