"""The statistics of a finished game, drawn."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image

from engines.chance import Chance
from engines.protocol import Seen
from engines.registry import engine
from locales import words
from render import Scene, finale
from render.panels import Panel
from render.theme import MOST_BYTES, TALLEST, WIDTH

NAMES = ("Annabella W", "Bence", "Cho", "Mariko-san", "Dan")


def line(seat: int, **more: Any) -> Seen:
    """A seat's line."""
    params = {
        "seat": seat, "points": 30 - seat, "provinces": 14, "buildings": 9, "majorities": 7 - seat,
        "attacks": 6, "won": 3, "expected": 3.4,
        "defences": 2, "held": 1, "expected_held": 0.8, "inside": 2, **more,
    }  # fmt: skip
    return Seen(code="seat", params=params)


def drawn(seats: int, lines: list[Seen]) -> Any:
    rules: Any = engine("shogun")
    state = rules.setup(rules.read_options({}), seats, Chance(bytes(32), 0)).state
    view = rules.view(state.model_copy(update={"phase": "over"}), None)
    tower = Seen(code="tower", params={"cubes": 14, "farmers": 3})
    return finale(Scene("shogun", view, NAMES[:seats], words("en"), (*lines, tower)))


def pixels(picture: Any) -> bytes:
    return Image.open(io.BytesIO(picture.png)).convert("RGB").tobytes()


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_picture_has_a_row_for_each_seat_and_keeps_its_measures(seats):
    picture = drawn(seats, [line(seat) for seat in range(seats)])
    image = Image.open(io.BytesIO(picture.png))
    assert image.width == WIDTH
    assert image.height <= TALLEST
    assert len(picture.png) <= MOST_BYTES
    assert len(picture.alt) < 1000
    for name in NAMES[:seats]:
        assert name in picture.alt


@pytest.mark.parametrize(
    "change", [{"points": 31}, {"provinces": 15}, {"won": 4}, {"expected": 2.1}, {"held": 2}, {"inside": 9}]
)
def test_every_figure_is_seen(change):
    rest = [line(seat) for seat in (1, 2)]
    assert pixels(drawn(3, [line(0), *rest])) != pixels(drawn(3, [line(0, **change), *rest]))


def test_what_there_was_none_of_is_a_dash_and_a_game_without_lines_is_not_drawn(monkeypatch):
    shown: list[str] = []
    for name in ("words", "figure"):
        real = getattr(Panel, name)

        def noted(panel: Panel, *given: Any, real: Any = real, **named: Any) -> Any:
            shown.append(next(one for one in given if isinstance(one, str)))
            return real(panel, *given, **named)

        monkeypatch.setattr(Panel, name, noted)
    nothing = dict.fromkeys(line(0).params.keys() - {"seat"}, 0)
    picture = drawn(3, [line(0), *[line(seat, **nothing) for seat in (1, 2)]])
    assert "no points" in picture.alt
    assert "no points" in shown
    assert shown.count("–") == 14
    assert not [figure for figure in shown if figure.startswith("0")]
    assert drawn(3, []) is None
