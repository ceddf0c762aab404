"""How the opponents of the small games behave: they give up what is lost, and take a draw that is fair."""

from __future__ import annotations

import pytest

from engines.chance import Chance
from engines.kamisado.board import Board
from engines.kamisado.data import COLORS
from engines.kamisado.opponent import needed
from engines.kamisado.search import Search
from engines.opponents import accepts_draw, opponent
from engines.protocol import Json
from engines.registry import engine

STAKES = ((1, 3), (2, 3), (99, 99))  # points that Black and White need
WHITE_COLOURS = ("orange", "blue", "purple", "pink", "yellow", "red", "green", "brown")


def seen(game: str, position: Json, seat: int):
    rules = engine(game)
    return rules.view(rules.from_position(position, Chance(b"manners", 0)).state, seat)


def kamisado(black: dict[str, str], white: dict[str, str], forced: str, match: str = "single"):
    """Black to move with the forced tower; towers by colour."""
    towers = [
        {"owner": owner, "color": color, "square": square, "teeth": 0}
        for owner, of in (("black", black), ("white", white))
        for color, square in of.items()
    ]
    position = {"match": match, "score": {"black": 0, "white": 0}, "round": 1, "phase": "move"}
    return seen("kamisado", {**position, "to_move": "black", "forced": forced, "towers": towers}, 0)


def every_answer_wins(match: str = "single"):
    """Black's pink tower can not come home, and White's towers all stand before the open home rank."""
    white = {color: f"{file}7" for color, file in zip(WHITE_COLOURS, "abcdefgh", strict=True)}
    return kamisado({"pink": "d6", "red": "d4"}, white, "pink", match)


def rokumon(act: int, sanada: int, tokugawa: int, seat: int = 0, **more: Json):
    tiles = [
        {"at": at, "pips": pips, "down": False, "stack": []}
        for at, pips in zip(("d3", "f3", "h3", "c4", "e4", "g4", "i4"), range(1, 8), strict=True)
    ]
    revenge = {"sanada": {"up": sanada, "down": 0}, "tokugawa": {"up": tokugawa, "down": 0}}
    position = {"act": act, "layout": "bricks", "tiles": tiles, "revenge": revenge, **more}
    return seen("rokumon", {**position, "to_move": "sanada", "phase": "act"}, seat)


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_it_resigns_where_every_move_loses_the_match_at_once(level):
    assert opponent("kamisado").choose(every_answer_wins(), level, Chance(b"manners", 1)) == "resign"


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_a_lost_round_of_a_match_that_goes_on_is_played(level):
    text = opponent("kamisado").choose(every_answer_wins("standard"), level, Chance(b"manners", 1))
    assert text != "resign"


def test_easy_lets_a_beginner_win_over_the_board():
    assert opponent("kamisado").choose(every_answer_wins(), "easy", Chance(b"manners", 1)) != "resign"


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_a_story_that_can_not_be_caught_up_is_given_up_and_one_that_can_is_not(level):
    choose = opponent("rokumon").choose
    assert choose(rokumon(6, 3, 1), level, Chance(b"manners", 1)) == "resign"
    assert choose(rokumon(6, 2, 1), level, Chance(b"manners", 1)) != "resign"
    assert choose(rokumon(5, 3, 1), level, Chance(b"manners", 1)) != "resign"


def test_a_draw_is_taken_by_who_is_behind_and_not_by_who_leads():
    assert accepts_draw("rokumon", rokumon(5, 2, 1))
    assert not accepts_draw("rokumon", rokumon(5, 1, 2))
    assert not accepts_draw("rokumon", rokumon(5, 1, 1))
    assert accepts_draw("kamisado", every_answer_wins())
    assert not accepts_draw("kamisado", kamisado({"pink": "d3"}, {"red": "a2"}, "pink"))


def fight(act: int, own: str, other: str, up: int):
    """Tokugawa has begun a Fight on the first tile of `act`; Sanada, who has so many tokens, is asked."""
    tiles = [
        {"at": at, "pips": pips, "down": False, "stack": [own, other] if pips == 1 else []}
        for at, pips in zip(("d3", "f3", "h3", "c4", "e4", "g4", "i4"), range(1, 8), strict=True)
    ]
    position = {
        "act": act, "layout": "bricks", "tiles": tiles, "to_move": "sanada", "phase": "revenge",
        "revenge": {"sanada": {"up": up, "down": 0}, "tokugawa": {"up": 0, "down": up}},
        "fight": {"at": "d3", "attacker": "tokugawa", "added": {"sanada": 0, "tokugawa": 0}, "passes": 1},
    }  # fmt: skip
    return seen("rokumon", position, 0)


def test_hard_spends_as_many_tokens_as_win_a_fight_and_none_in_vain():
    choose = opponent("rokumon").choose
    assert choose(fight(6, "s4", "t5", 3), "hard", Chance(b"manners", 1)) in ("revenge 1", "revenge 2")
    assert choose(fight(6, "s6", "t1*", 3), "hard", Chance(b"manners", 1)) == "revenge 0"
    assert choose(fight(6, "s6", "t3", 3), "hard", Chance(b"manners", 1)) == "revenge 0"


def test_what_wins_the_match_is_worth_more_to_the_search_than_any_tooth():
    view = kamisado({"pink": "d3"}, {"red": "a2"}, "pink", "standard")
    pink = COLORS.index("pink")
    worth = {stake: Search(Board(view.towers), 1, stake).won_by(pink) for stake in STAKES}
    assert worth[1, 3] > worth[2, 3] == worth[99, 99]
    assert needed(view) == (3, 3)
