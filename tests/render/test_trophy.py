"""What all trophies share: curves and their ends, rows with what belongs to a moment (16.11)."""

from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

import pytest
from PIL import Image

import render.trophy as trophy
from engines.chance import Chance
from render.canvas import Box, Canvas
from render.flat import Area
from render.marks import tick
from render.panels import Panel
from render.theme import INK, PAPER, WIDTH
from render.trophy import REACH, Curve, Moment, Tick
from tests.render.picture_tools import shared


class Noting:
    """Takes the place of a canvas where only the places of sprites matter."""

    def __init__(self):
        self.at = list[tuple[float, float]]()

    def centre(self, sprite, x, y):
        self.at.append((x, y))

    def figure(self, *given):
        pass


def curve(*values, **more):
    return Curve(values, "#E3B341", "#1D1A17", str(values[-1]), PAPER, tick(30), **more)


@pytest.mark.parametrize("heights", [(200.0, 200.0), (100.0, 120.0, 121.0, 300.0, 300.0), (330.0,) * 5])
def test_ends_of_curves_that_end_together_stand_apart_in_the_order_of_their_curves(heights):  # 16.11
    canvas: Any = Noting()
    trophy.ends(canvas, [curve(0, 1) for _ in heights], 900.0, heights, low=330.0)
    places = [y for _, y in canvas.at]
    assert places == sorted(places)
    assert all(lower - upper >= 43 for upper, lower in pairwise(places))
    assert places[-1] <= 330 + 17


def test_a_curve_with_times_of_its_own_runs_to_the_end_and_one_with_a_gap_is_in_two_parts():  # 16.11
    box = 40.0, 0.0, 900.0, 300.0
    (whole,) = trophy.places(curve(3, 5, at=(0.0, 0.25)), box, 10, 0, shift=0)
    assert whole[0] == (40, 270)
    assert (40 + 860 * 0.25, 250) in whole
    assert whole[-1] == (900, 250)
    parts = trophy.places(curve(1, 2, 3, 4, level=False, gaps=frozenset({1})), box, 10, 0, shift=0)
    assert [len(part) for part in parts] == [2, 2]


@pytest.mark.parametrize("seed", range(12))
def test_what_is_left_out_of_a_sheet_of_curves_is_empty(seed, monkeypatch):
    chance = Chance(bytes(32), seed)
    count = 2 + chance.below(20)
    looks: list[dict[str, Any]] = [
        {},
        {"level": False, "dots": True, "gaps": frozenset({count // 2})},
        {"at": [number / count for number in range(count)], "dashes": INK},
    ]
    curves = [
        curve(*[chance.below(30) for _ in range(count)], **looks[seed % 3]) for _ in range(1 + seed % 4)
    ]
    ticks = [Tick(chance.below(1000) / 999, "") for _ in range(chance.below(9))]
    parts, areas = list[Area](), trophy.areas

    def some(*given: Any) -> list[Area]:
        parts.extend(areas(*given))
        return parts

    def whole(_levels: Any, _courses: Any, _uprights: Any, box: Box) -> list[Area]:
        left, high, right, low = (round(side) for side in box)
        return [(left - REACH, high - REACH, right + REACH, low + REACH)]

    def drawn(taken: Callable[..., list[Area]]) -> bytes:
        monkeypatch.setattr(trophy, "areas", taken)
        canvas = Canvas.blank(WIDTH, 360)
        trophy.course(canvas, 10, "", curves, ticks, every=8 * (seed % 2))
        return canvas.image.tobytes()

    assert drawn(some) == drawn(whole)
    assert not any(shared(one, other) for one, other in combinations(parts, 2))


def test_many_ticks_are_thinned_and_bare_words_stand_at_the_values():  # 16.11
    assert [round(one.at, 2) for one in trophy.ticks_of(["a", "b", "c"], 3)] == [0, 0.5, 1]
    assert len(trophy.ticks_of([str(number) for number in range(50)], 50)) <= 14
    assert trophy.ticks_of([Tick(0.3, "x", strong=True)], 9) == [Tick(0.3, "x", strong=True)]


@pytest.mark.parametrize("rtl", [False, True])
def test_what_belongs_to_a_moment_does_not_run_into_its_words(rtl, monkeypatch):  # 16.11
    wide, boxes = Image.new("RGBA", (226, 46)), list[tuple[float, float]]()
    canvas = Canvas.blank(WIDTH, 200, rtl=rtl)
    write = Panel.words

    def noted(panel, start, y, *given, end=False, **more):
        used = write(panel, start, y, *given, end=end, **more)
        begin = panel.width - start - used if end else start
        boxes.append((begin, begin + used))
        return used

    monkeypatch.setattr(Panel, "words", noted)
    icons = list[float]()
    monkeypatch.setattr(Panel, "icon", lambda panel, start, y, sprite: icons.append(start))
    row = Moment(
        "year 1 · spring",
        "A province of a very long name indeed",
        "12 : 11",
        tick(30),
        wide,
        "attack won: 31 %",
    )
    assert trophy.rows(canvas, 0, "", [row], 60, 6) == 66
    sign = icons[-1] - 113, icons[-1] + 113
    assert all(end <= sign[0] or begin >= sign[1] for begin, end in boxes)
