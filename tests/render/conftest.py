"""Scenes to draw, and what every picture is checked for."""

import io
import sys
from typing import Any

import pytest
from PIL import Image

from engines.chance import Chance
from engines.protocol import Choice, Event
from engines.registry import engine
from locales import words
from render import Picture, Scene
from tests.render.picture_tools import forget_sprites


class Stage:
    """Makes scenes of one game."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.engine = engine(game)
        self.chance = Chance(bytes(32), 0)

    def position(self, position):
        return self.engine.from_position(position, self.chance).state

    def play(self, state, *texts):
        """The state after these actions by whoever is to act, and the events of the last one."""
        events: tuple[Event, ...] = ()
        for text in texts:
            seat = min(self.engine.to_act(state))
            action = self.engine.parse(text, state, seat)
            state, events = self.engine.apply(state, seat, action, self.chance)
        return state, events

    def scene(self, state, viewer=None, events=(), names=("Bence", "Mariko"), **more):
        seen = tuple(event.seen_by(viewer) for event in events)
        view = self.engine.view(state, viewer)
        return Scene(self.game, view, names, more.pop("words", words("en")), seen, **more)

    def panel(self, state, seat, path=(), **more):
        """The scene of a seat's panel after these picks."""
        picked: list[Choice] = []
        step: Any = self.engine.choices(state, seat, ())
        for number, key in enumerate(path):
            picked += [
                choice for choice in step.choices if choice.key == key
            ]  # none where a step is left out
            step = self.engine.choices(state, seat, tuple(path[: number + 1]))
        asked = {"action": step.action} if hasattr(step, "action") else {"prompt": step}
        return self.scene(state, seat, picked=tuple(picked), **asked, **more)


@pytest.fixture
def kamisado():
    return Stage("kamisado")


@pytest.fixture
def rokumon():
    return Stage("rokumon")


@pytest.fixture(scope="session")
def shogun():
    return Stage("shogun")


@pytest.fixture(scope="session")
def sekigahara():
    return Stage("sekigahara")


def opened(picture: Picture) -> Image.Image:
    """The picture as RGB, checked for what every picture must be."""
    image = Image.open(io.BytesIO(picture.png))
    assert image.format == "PNG"
    assert image.width == 1080
    assert image.height <= 1350
    assert len(picture.png) <= 250_000
    assert 0 < len(picture.alt) < 1000
    return image.convert("RGB")


@pytest.fixture
def look():
    return opened


@pytest.fixture
def sizes(monkeypatch):
    """The sizes of type that are used from now on."""
    from render import text

    forget_sprites()
    used = []
    real_write, real_centred = text.write, text.write_centred

    def write(image, x, y, line, style, *rest, **more):
        if style.cut != "seals":  # the characters of crests and seals are drawings
            used.append(style.size)
        return real_write(image, x, y, line, style, *rest, **more)

    def centred(image, x, y, line, style, fill):
        if style.cut != "seals":
            used.append(style.size)
        real_centred(image, x, y, line, style, fill)

    for name, module in list(sys.modules.items()):
        if name.startswith("render"):
            if getattr(module, "write", None) is real_write:
                monkeypatch.setattr(module, "write", write)
            if getattr(module, "write_centred", None) is real_centred:
                monkeypatch.setattr(module, "write_centred", centred)
    return used  # what was drawn meanwhile is as it is drawn otherwise
