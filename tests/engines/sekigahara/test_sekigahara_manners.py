"""It gives up what is lost beyond doubt and nothing else, and takes a draw where it stands no better."""

from typing import Any

import pytest

from engines.chance import Chance
from engines.opponents import accepts_draw
from engines.sekigahara import opponent
from tests.engines.sekigahara.sekigahara_positions import ENGINE, Game

ALL_TOKUGAWA = dict.fromkeys(("kuwana", "kiso", "takasaki", "takeda", "niigata", "shirakawa"), "tokugawa")
LAST = {"week": 7, "turn": "B", "first": "tokugawa", "boxes": {}, "mori_box": [], "bags": {}}


def choice(game: Game, level: str) -> str:
    seat = game.acts[0]
    return opponent.choose(ENGINE.view(game.state, seat), level, Chance(b"manners", 1))  # type: ignore[arg-type]


def behind(places: dict[str, str], **more) -> Game:
    """Ishida's last turn, far behind in points."""
    control = {"kyoto": "ishida", "edo": "tokugawa", **ALL_TOKUGAWA}
    places = {"aizu": "| date2", "edo": "| tokugawa-leader", **places}
    return Game(places, control=control, **{**LAST, **more})


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_the_last_turn_is_given_up_where_nothing_in_reach_turns_the_points(level):
    assert choice(behind({}), level) == "resign"


def test_easy_plays_on():
    assert choice(behind({}), "easy") != "resign"


@pytest.mark.parametrize(
    ("places", "more"),
    [
        ({"gifu": "mori2 mori3 |", "kuwana": "| maeda2"}, {}),  # an enemy in reach: it may be the leader
        ({}, {"boxes": {"ishida": ["mori3"]}}),  # a muster
        ({}, {"turn": "A"}),  # another turn to come
        ({}, {"week": 6}),
    ],
)
def test_while_anything_is_left_it_plays_on(places, more):
    assert choice(behind(places, **more), "hard") != "resign"


def test_fourteen_points_behind_with_a_handful_of_blocks_it_gives_up_and_before_that_not():
    army = dict.fromkeys(("gifu", "aizu", "ueda", "kyoto", "mito", "kuwana"), "| tokugawa2")
    lost: dict[str, Any] = {"week": 5, "boxes": {}, "bags": {}, "mori_box": [], "disks": ["hideyori"]}
    control = {"kyoto": "tokugawa", "edo": "tokugawa", **ALL_TOKUGAWA}
    assert choice(Game(army, control=control, **lost), "hard") == "resign"
    assert choice(Game(army, control=control, **{**lost, "week": 3}), "hard") != "resign"
    assert (
        choice(Game(army, control=control, **{**lost, "bags": {"ishida": ["mori2"] * 2}}), "hard") != "resign"
    )


def test_a_draw_is_taken_by_who_stands_no_better():
    view = [ENGINE.view(behind({}).state, seat) for seat in (0, 1)]
    assert accepts_draw("sekigahara", view[0])
    assert not accepts_draw("sekigahara", view[1])
