from itertools import product

import pytest

from engines.chance import Chance
from engines.rokumon import opponent, rules, solver
from tests.engines.rokumon.rokumon_tables import COUNT, ENGINE, PERFT, Table, bare_board, dealt, load

SOLVED = PERFT["solved"]
BRICKS = [(2, deal, who.startswith("first")) for who, deals in SOLVED["bricks"].items() for deal in deals]
HEXAGONS = [(0, deal, who.startswith("first")) for who, deals in SOLVED["hexagon"].items() for deal in deals]
ONE_COLOUR_A_ROW = ("gggjjj", "jjjggg")
SQUARES = [
    (1, deal, deal in ONE_COLOUR_A_ROW)
    for deal in map("".join, product("gj", repeat=6))
    if deal.count("g") in (2, 3)
]
DEALS = SQUARES + BRICKS


@pytest.mark.parametrize(("act", "deal", "first"), (DEALS + HEXAGONS)[::8])
def test_the_solver_knows_who_wins_a_deal(act, deal, first):
    assert (solver.value(bare_board(act, deal)) > 0) == first


@pytest.mark.long
@pytest.mark.parametrize(("act", "deal", "first"), DEALS + HEXAGONS)
def test_the_solver_knows_who_wins_each_deal(act, deal, first):
    assert (solver.value(bare_board(act, deal)) > 0) == first
    assert solver.value(bare_board(act, deal)) != 0


def test_a_solved_value_is_that_of_its_best_action():
    board = bare_board(2, "gggjjjj")
    for seed in range(4):
        picks = Chance(b"walk", seed)
        here = board
        while True:
            plays = list(rules.legal(here))
            outcomes = [rules.after(here, play) for play in plays]
            assert (solver.value(here) > 0) == any(
                done.winner == here.mover or (done.winner is None and solver.value(done.board) < 0)
                for done in outcomes
            )
            done = picks.pick(outcomes)
            if done.winner is not None:
                break
            here = done.board


def winner_of(act, deal, levels, seed):
    """The seat that wins the act, None where it is void first."""
    table = Table(load(dealt(act, deal)), seed=bytes([seed]))
    for _ in range(200):
        seat, chance = table.seat, Chance(b"levels", table.entry * 256 + seed)
        if levels[seat] == "random":
            text = chance.pick(ENGINE.legal(table.state, seat).actions)
        else:
            text = opponent.choose(ENGINE.view(table.state, seat), levels[seat], chance)
        table.play(seat, text)
        won = [event.params["winner"] for event in table.events if event.code == "act-won"]
        if won:
            return won[0]
        if "act-void" in table.codes:
            return None
    return None


def check(act, deal, first, games):
    seat = 0 if first else 1
    assert winner_of(act, deal, ("hard", "hard"), 0) == seat
    against_random = ("hard", "random") if first else ("random", "hard")
    for seed in range(games):
        assert winner_of(act, deal, against_random, seed) == seat


@pytest.mark.parametrize(("act", "deal", "first"), DEALS[::9])
def test_hard_wins_the_deals_that_it_should(act, deal, first):
    check(act, deal, first, 1)


@pytest.mark.long
@pytest.mark.parametrize(("act", "deal", "first"), DEALS)
def test_hard_wins_every_deal_that_it_should(act, deal, first):
    check(act, deal, first, COUNT or 10)
