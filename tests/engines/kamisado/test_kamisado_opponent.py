"""The built-in opponent: it sees what is near, plays the solved round by the book, and ends matches."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from engines.capabilities import random_action
from engines.chance import Chance
from engines.cli.driver import random_game
from engines.kamisado import Kamisado
from engines.kamisado.board import Board, tower_number
from engines.kamisado.book import book_move, entries
from engines.kamisado.opponent import LEVELS, choose
from engines.kamisado.rules import mover, targets
from engines.kamisado.search import Search, moves
from engines.protocol import RulesError
from engines.record import new

ENGINE: Any = Kamisado()
OPENINGS = json.loads(Path(__file__).with_name("openings.json").read_text())
LOST = [opening for opening, (winner, _) in OPENINGS.items() if winner == "white"]
COUNT = int(os.environ.get("HATAMOTO_COUNT", "40"))


def started(match="single", opening=None):
    state = ENGINE.setup(ENGINE.read_options({"match": match}), 2, Chance(b"\x00", 0)).state
    return applied(state, 0, opening) if opening else state


def applied(state, seat, text):
    return ENGINE.apply(state, seat, ENGINE.parse(text, state, seat), Chance(b"\x00", 0)).state


def resisting(state, seat):
    """The move after which the opponent needs longest to prove a win, within five plies."""
    board = Board(state.towers)
    tower = mover(state)
    if tower is None:
        return ENGINE.legal(state, seat).actions[0]
    own, search = tower_number(tower), Search(board, 10**9)

    def lasts(target):
        move = next(m for m in moves(board, own) if m[1] == square(target.to))
        return target.wins, sum(not search.proves(move, 1 - seat, plies) for plies in (2, 4, 6))

    best = max(targets(state), key=lasts)
    return f"{best.from_}-{best.to}"


def called(state):
    tower = mover(state)
    assert tower is not None
    return tower_number(tower)


def square(name):
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def played_out(state, players, seed):
    """The final state; `players` by seat are levels, `random` or `resisting`."""
    chance = Chance(seed, 1)
    while acting := ENGINE.to_act(state):
        seat = min(acting)
        player = players[seat]
        if player == "random":
            text = ENGINE.format(random_action(ENGINE, state, seat, chance))
        elif player == "resisting":
            text = resisting(state, seat)
        else:
            text = choose(ENGINE.view(state, seat), player, chance)
        assert text == "resign" or text in ENGINE.legal(state, seat).actions
        state = applied(state, seat, text)
    return state


def positions(match, count):
    for seed in range(count):
        history = random_game(new("kamisado", 2, bytes([seed, 99]), {"match": match}))
        standing: Any = history.standing
        for state in standing[3::9]:
            if state.phase == "move":
                yield state


def check_near(level, enough):
    """In so many positions of each kind it wins where it can, and does not let the other win."""
    chance, wins, dangers = Chance(b"\x01", 1), 0, 0
    for state in positions("standard", 16):
        if min(wins, dangers) >= enough:
            break
        seat = min(ENGINE.to_act(state))
        losing = [loses(applied(state, seat, text), seat) for text in ENGINE.legal(state, seat).actions]
        if any(target.wins for target in targets(state)) and wins < enough:
            assert ends_well(applied(state, seat, choose(ENGINE.view(state, seat), level, chance)), seat)
            wins += 1
        elif any(losing) and not all(losing) and dangers < enough:
            assert not loses(applied(state, seat, choose(ENGINE.view(state, seat), level, chance)), seat)
            dangers += 1
    assert min(wins, dangers) >= min(enough, 8)


@pytest.mark.parametrize("level", LEVELS)
def test_wins_at_once_when_it_can_and_avoids_a_loss_at_once(level):
    check_near(level, 2 if level == "hard" else 4)


@pytest.mark.long
@pytest.mark.parametrize("level", LEVELS)
def test_wins_at_once_wherever_it_can_and_avoids_every_loss_at_once(level):
    check_near(level, 99)


def ends_well(state, seat):
    return state.phase != "move" and (state.to_move or state.winner) == ("black", "white")[seat]


def loses(state, seat):
    """Whether the opponent has won the round, or can with the next move."""
    if state.phase != "move":
        return not ends_well(state, seat)
    return min(ENGINE.to_act(state)) != seat and any(target.wins for target in targets(state))


@pytest.mark.parametrize("player", ["random", "normal", "resisting", "hard"])
def test_hard_never_loses_a_single_round_from_the_first_seat(player):
    for seed in range(2 if player in ("random", "normal") else 1):
        assert played_out(started(), ("hard", player), bytes([seed])).winner == "black"


@pytest.mark.parametrize("opening", LOST[::9])
def test_hard_wins_after_losing_openings(opening):
    player = ("random", "normal", "resisting")[len(opening) * LOST.index(opening) % 3]
    assert played_out(started(opening=opening), (player, "hard"), b"\x05").winner == "white"


@pytest.mark.long
@pytest.mark.parametrize("player", ["random", "normal", "resisting"])
@pytest.mark.parametrize("opening", LOST)
def test_hard_wins_after_every_losing_opening(opening, player):
    for seed in range(max(1, COUNT // 20)):
        assert played_out(started(opening=opening), (player, "hard"), bytes([seed])).winner == "white"


@pytest.mark.long
@pytest.mark.parametrize("seed", range(COUNT))
def test_hard_never_loses_from_the_first_seat_in_many_games(seed):
    player = ("random", "easy", "normal", "resisting")[seed % 4]
    assert played_out(started(), ("hard", player), bytes([seed % 256])).winner == "black"


def test_the_book_is_legal_and_knows_mirror_images():
    assert len(entries()) == 5848
    state = started(opening="g8-g2")
    mirrored = started(opening="b8-b2")
    answer, image = (book_move(Board(s.towers), called(s)) for s in (state, mirrored))
    assert answer is not None
    assert image == answer ^ 7


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("player", ["random", "normal"])
def test_hard_wins_the_rounds_of_a_series_that_it_starts_as_white(seed, player):  # 13.0
    state = started("series").model_copy(update={"round": 2, "to_move": "white"})
    assert choose(ENGINE.view(state, 1), "hard", Chance(b"", 0)) == "b1-b7"
    end = state
    chance = Chance(bytes([seed, 5]), 1)
    while end.round == 2:
        seat = min(ENGINE.to_act(end))
        if seat == 0 and player == "random":
            text = ENGINE.format(random_action(ENGINE, end, seat, chance))
        else:
            text = choose(ENGINE.view(end, seat), "hard" if seat == 1 else "normal", chance)
        end = applied(end, seat, text)
    assert end.ended.winner == "white"


def test_the_book_knows_the_board_turned_round():  # 13.0
    state = started(opening="g8-g2")
    turned = applied(started("series").model_copy(update={"round": 2, "to_move": "white"}), 1, "b1-b7")
    answer, image = (book_move(Board(s.towers), called(s)) for s in (state, turned))
    assert answer is not None
    assert image == answer ^ 63


@pytest.mark.parametrize(
    ("match", "players"),
    [("series", ("easy", "hard")), ("standard", ("normal", "easy")), ("long", ("easy", "normal"))],
)
def test_whole_matches_end(match, players):
    state = played_out(started(match), players, b"\x03")
    assert state.reason == "points"


@pytest.mark.long
@pytest.mark.parametrize("seed", range(max(1, COUNT // 10)))
def test_hard_plays_whole_marathons_to_the_end(seed):
    state = played_out(started("marathon"), ("normal", "hard"), bytes([seed]))
    assert state.reason in {"points", "resign"}


def test_the_same_view_and_chance_give_the_same_choice():
    state = started("standard", "d8-d4")
    for level in LEVELS:
        first, second = (choose(ENGINE.view(state, 1), level, Chance(b"\x09", 4)) for _ in range(2))
        assert first == second
    with pytest.raises(RulesError, match="not-your-turn"):
        choose(ENGINE.view(state, 0), "easy", Chance(b"\x09", 4))
