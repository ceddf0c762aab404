"""Hard plays the single round to a won end against every reply there is, from either seat."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines.chance import Chance
from engines.kamisado.board import INDEX, Board
from engines.kamisado.opponent import _move
from engines.kamisado.rules import opening_towers
from engines.kamisado.search import enters, moves, play, unplay

OPENINGS = json.loads(Path(__file__).with_name("openings.json").read_text())
LOST = [opening for opening, (winner, _) in OPENINGS.items() if winner == "white"]


class Walk:
    """Hard on one side, every legal move on the other; it fails where the other side wins."""

    def __init__(self, side):
        self.side = side
        self.board = Board(opening_towers())
        self.seen = set()

    def hard_moves(self, tower):
        key = (*self.board.at, tower)
        if key in self.seen:
            return
        self.seen.add(key)
        towers = range(8) if tower is None else [tower]
        open_ = [move for own in towers for move in moves(self.board, own)]
        chosen = _move(self.board, open_, tower is None, "hard", Chance(b"\x00", 0), (1, 1))
        if not enters(chosen):
            self.go_on(chosen)

    def go_on(self, move):
        back = self.board.at[move[0]]
        follower = play(self.board, move)
        if follower < 0:
            assert move[0] >> 3 != self.side, "a deadlock of its own making"
        elif follower >> 3 == self.side:
            self.hard_moves(follower)
        else:
            for reply in moves(self.board, follower):
                assert not enters(reply), self.board.at
                self.go_on(reply)
        unplay(self.board, move, back)


def after_opening(opening):
    walk = Walk(side=1)
    start, to = (INDEX[square] for square in opening.split("-"))
    walk.go_on((walk.board.who[start], to, 0))
    return len(walk.seen)


def test_the_first_seat_wins_against_every_reply():
    walk = Walk(side=0)
    walk.hard_moves(None)
    assert len(walk.seen) > 1000


@pytest.mark.parametrize("opening", LOST[::44])
def test_the_second_seat_wins_against_every_reply(opening):
    assert after_opening(opening) > 0


@pytest.mark.long
@pytest.mark.parametrize("opening", LOST)
def test_the_second_seat_wins_after_every_losing_opening(opening):
    assert after_opening(opening) > 0
