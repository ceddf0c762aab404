"""The ladder's arithmetic: ratings with errors, and seats that are balanced."""

from __future__ import annotations

import pytest

from bench.arena import Outcome
from bench.strength import page, rated, seatings, shared, turned


def by_name(pairs):
    return {one.name: one for one in rated(pairs)}


def test_ten_wins_to_one_are_four_hundred_points_and_more_games_make_the_error_small():
    few, many = (by_name({("hard", "normal"): (10.0 * n, 1.0 * n)}) for n in (10, 1000))
    assert many["hard"].rating == pytest.approx(1400, abs=5)
    assert many["hard"].error < few["hard"].error < 60
    assert many["normal"].rating == 1000
    assert many["normal"].error == 0


def test_who_lost_every_game_has_a_rating_all_the_same():
    found = by_name({("hard", "normal"): (20, 0), ("hard", "random"): (20, 0), ("normal", "random"): (20, 0)})
    assert found["hard"].rating > 1200 > 800 > found["random"].rating
    assert [one.name for one in rated({("hard", "normal"): (20, 0)})] == ["hard", "normal"]


def test_every_seed_is_played_from_both_sides():
    assert seatings("a", "b", 2) == (("a", "b"), ("b", "a"))
    assert seatings("a", "b", 5) == (("a", "b", "a", "b", "a"), ("b", "a", "b", "a", "b"))
    assert turned((1.0, 0.0, 0.5, 0.25)) == (0.0, 1.0, 0.25, 0.5)


def test_a_table_of_four_is_shared_by_who_is_ahead_of_whom():
    assert shared(Outcome((1.0, 0.0), (), "row", 9)) == (1, 0)
    assert shared(Outcome((0.5, 0.5), (), "draw", 9)) == (0.5, 0.5)
    assert shared(Outcome((1.0, 0.0, 0.0, 0.0), (40, 30, 20, 25), "points", 9)) == (0.5, 0.5)


def test_the_page_tells_ladders_and_matches():
    match = {"game": "rokumon", "options": {"act": 6}, "one": "hard", "other": "before:hard"}
    figures = {
        "ladders": {"rokumon": {"options": {}, "seats": 2, "pairs": [["hard", "normal", 3, 1]]}},
        "matches": [{**match, "points": [2.0, 1.0], "games": [2, 2]}],
    }
    told = page(figures)
    assert "| normal | 1000 ± 0 | 1 of 4 |" in told
    assert "| Rokumon, `act=6` | hard | before:hard | 3 of 4 (75%) | 2 of 2 | 1 of 2 |" in told
