"""What holds for every kind of picture of every game, over the moments that `render.sheet` draws."""

from itertools import combinations

import pytest

from engines.registry import engine
from locales import LANGUAGES, words
from render import drawing, has
from render.lessons import lessons as lessons_of
from render.moments import lessons, limited, played, scene_of, shots, spread
from tests.games import by_game, hidden
from tests.render.picture_tools import forget_sprites

PLIES = 60
LEAST, LEAST_FOCUS = 26, 30
RIGHTS = {"viewer", "legal", "takeback"}  # of a view: what a seat may do, which is no secret


def check_type(game, language, sizes, number=0):
    """No picture has smaller type than a phone needs."""
    kinds, spoken = set(), words(language)
    for taken in (shots(game, played(game, number, PLIES), spoken), lessons(game, spoken)):
        for shot in limited(taken, 1):
            if shot.kind == "focus":
                forget_sprites()  # what is written on sprites is measured here too
            sizes.clear()
            if drawing(shot.part)(shot.scene) is not None:
                kinds.add(shot.kind)
                assert min(sizes, default=LEAST_FOCUS) >= (LEAST_FOCUS if shot.kind == "focus" else LEAST), (
                    shot.name
                )
    taught = set[str]() if lessons_of(game) is None else {"lesson"}
    assert {"board", "step", "prompt", "confirm", *taught} <= kinds


@pytest.mark.parametrize("game", by_game())
def test_no_kind_of_picture_has_type_too_small_for_a_phone(game, sizes):  # 16.9
    check_type(game, "hu", sizes)


@pytest.mark.long
@pytest.mark.parametrize("game", by_game())
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_kind_of_picture_has_type_too_small_in_any_language(game, language, sizes):  # 16.9
    check_type(game, language, sizes, 1)


@pytest.mark.parametrize("game", by_game(hidden()))
def test_two_who_know_different_things_get_different_private_pictures(game):  # 16.2
    """And neither gets the public one: what only they know is in it."""
    rules, compared = engine(game), 0
    for ply in spread(played(game, 1, PLIES)):
        state = ply.step.state
        seats = [None, *range(len(rules.roles(state)))]
        knows = {seat: rules.view(state, seat).model_dump(exclude=RIGHTS) for seat in seats}
        for part in ("sheet", "own_ground"):
            if not has(game, part):
                continue
            made = {seat: drawing(part)(scene_of(game, ply, seat, words("en"))) for seat in seats}
            for one, other in combinations(seats, 2):
                if knows[one] != knows[other] and made[one] is not None:
                    assert made[one] != made[other], (part, ply.number, one, other)
                    pictures = [picture.png for picture in (made[one], made[other]) if picture is not None]
                    assert len({*pictures}) == len(pictures), (part, ply.number, one, other)
                    compared += 1
    assert compared
