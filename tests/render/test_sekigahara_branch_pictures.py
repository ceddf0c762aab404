"""Branches of a march in Sekigahara's pictures and words: every path is drawn, and who stayed is counted."""

from __future__ import annotations

from typing import Any

import pytest

from engines.protocol import Seen
from locales import words
from render import painter
from render.canvas import Canvas
from render.colour import rgb
from render.sekigahara.arrows import IN_SIGHT, STRIDE, in_sight, stayed, travels
from render.sekigahara.field import Field
from render.sekigahara.geography import WHOLE
from render.sekigahara.head import TOP
from render.sekigahara.pieces import SIDE_FILL
from render.sekigahara.places import arriving, edged, previewed
from render.theme import GOLD
from tests.engines.sekigahara.sekigahara_positions import Game

PAINT: Any = painter("sekigahara")
SPLIT = (
    "march osaka mori2 ukita2 kobayakawa2 > kyoto -ukita2 -kobayakawa2 > sawayama > gifu"
    " / kyoto ukita2 kobayakawa2 > minakuchi -kobayakawa2 > kuwana"
)
PATHS = (["osaka", "kyoto", "sawayama", "gifu"], ["kyoto", "minakuchi", "kuwana"])


@pytest.fixture
def game() -> Game:
    return Game({"osaka": "ishida-leader mori2 ukita2 kobayakawa2 |", "kyoto": "ukita3 |"}).play(
        "move minimal"
    )


def drawn(look: Any, scene: Any, colour: str) -> list[int]:
    """How many points of each path's line, as it is led, have a colour."""
    image = look(PAINT.board(scene))
    field = Field(Canvas(image), WHOLE, TOP, scene.view)
    found = []
    for stops in PATHS:
        boxes = [field.stand(place).box for place in stops]
        line = in_sight(field.way(stops), boxes)
        found.append(sum(image.getpixel((round(x), round(y))) == rgb(colour) for x, y in line))
    return found


def test_every_path_of_a_march_to_confirm_is_drawn_in_gold(game, sekigahara, look):
    scene = sekigahara.scene(game.state, 0, action=SPLIT)
    assert all(points > 2 for points in drawn(look, scene, GOLD))
    assert edged(scene) == {"osaka": "chosen", "gifu": "chosen", "kuwana": "chosen"}
    march: Any = previewed(scene)
    assert arriving(march) == {"gifu": 1, "minakuchi": 1, "kuwana": 1}


def test_every_path_of_a_march_that_was_made_is_drawn_also_where_stacks_stand_close(game, sekigahara, look):
    game.play(SPLIT)
    scene = sekigahara.scene(game.state, None, game.events)
    quiet = sekigahara.scene(game.state, None, ())
    shown, bare = drawn(look, scene, SIDE_FILL["ishida"]), drawn(look, quiet, SIDE_FILL["ishida"])
    assert all(points > 2 + before for points, before in zip(shown, bare, strict=True))


def test_a_line_under_pieces_is_led_beside_them():
    line = [(float(x), 100.0) for x in range(0, 200, 10)]
    covered = in_sight(line, [(-10.0, 80.0, 300.0, 120.0)])
    assert all(y < 80 for _, y in covered)
    open_road = [(-10.0, 80.0, 200.0 - IN_SIGHT - 4 * STRIDE, 120.0)]
    assert in_sight(line, open_road) == line


def test_who_stayed_is_counted_without_those_who_went_on():
    marched = Seen(code="marched", params={"drop": {"kyoto": 2}, "origin": "osaka", "n": 3})
    one = Seen(code="branched", params={"drop": {}, "origin": "kyoto", "n": 1})
    both = Seen(code="branched", params={"drop": {"minakuchi": 1}, "origin": "kyoto", "n": 2})
    assert stayed([marched, one]) == {"kyoto": 1}
    assert stayed([marched, both]) == {"minakuchi": 1}


def test_every_march_of_a_phase_is_drawn_with_its_branches_and_numbered():  # 16.3
    def march(seat: int) -> Seen:
        return Seen(code="marched", params={"origin": "osaka", "path": ["kyoto"], "seat": seat})

    branch = Seen(code="branched", params={"origin": "kyoto", "path": ["gifu"], "seat": 0})
    gone = Seen(code="retreated", params={"at": "gifu", "to": "kyoto", "seat": 1})
    found = travels((march(0), branch, march(0), march(0), march(0), branch, gone))
    assert [(one.number, one.branch, one.side) for one in found] == [
        (1, False, "ishida"),
        (1, True, "ishida"),
        (2, False, "ishida"),
        (3, False, "ishida"),
        (4, False, "ishida"),
        (4, True, "ishida"),
        (5, False, "tokugawa"),
    ]
    assert [one.number for one in travels((march(0), branch))] == [0, 0], "a single march needs no number"


@pytest.mark.parametrize("language", ["en", "hu", "he", "ja"])
def test_branches_are_told_in_captions_and_alt_texts(game, sekigahara, language):
    said = words(language)
    preview = PAINT.board(sekigahara.scene(game.state, 0, action=SPLIT, words=said)).alt
    assert SPLIT in preview
    game.play(SPLIT)
    scene = sekigahara.scene(game.state, None, game.events, words=said)
    for told in (PAINT.caption(scene), PAINT.board(scene).alt, PAINT.describe(scene)):
        assert said.term("sekigahara", "minakuchi") in told
        assert said.term("sekigahara", "gifu") in told
    assert "Mori 2" not in PAINT.caption(scene)
