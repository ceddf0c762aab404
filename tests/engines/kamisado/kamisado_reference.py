"""Kamisado written a second time, slowly and from the spec alone: rounds, pushes, passes, teeth, refills.

It knows the spec's JSON and notation, nothing of the engine's code. A square is (file, rank) from 1;
everything is worked out as its owner sees it, who always goes up.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

BOARD = """
orange blue   purple pink   yellow red    green  brown
red    orange pink   green  blue   yellow brown  purple
green  pink   orange red    purple brown  yellow blue
pink   purple blue   orange brown  green  red    yellow
yellow red    green  brown  orange blue   purple pink
blue   yellow brown  purple red    orange pink   green
purple brown  yellow blue   green  pink   orange red
brown  green  red    yellow pink   purple blue   orange
"""
LINES = [line.split() for line in BOARD.strip().splitlines()]
GOALS = {"single": 1, "standard": 3, "long": 7, "marathon": 15, "series": 3}
RANGE = {0: 7, 1: 5, 2: 3, 3: 1}
FOE = {"black": "white", "white": "black"}


class RefusedError(Exception):
    """The action is not legal."""


def colour(square):
    return LINES[8 - int(square[1])]["abcdefgh".index(square[0])]


def turned(square, side):
    """The square as (file, rank) of the side's own view, and back: `named`."""
    file, rank = "abcdefgh".index(square[0]) + 1, int(square[1])
    return (file, rank) if side == "white" else (9 - file, 9 - rank)


def named(spot, side):
    file, rank = spot if side == "white" else (9 - spot[0], 9 - spot[1])
    return f"{'abcdefgh'[file - 1]}{rank}"


def inside(spot):
    return 1 <= spot[0] <= 8 and 1 <= spot[1] <= 8


class Match:
    """A position of the spec, played on. `last` is who made the last real move and the square it ended on."""

    def __init__(self, position):
        p = deepcopy(position)
        self.goal, self.kind = p.get("points", GOALS[p["match"]]), p["match"]
        self.score, self.round, self.phase = p["score"], p["round"], p["phase"]
        self.turn, self.forced, self.winner = p["to_move"], p["forced"], p.get("winner")
        self.towers = {(t["owner"], t["color"]): t for t in p["towers"]}
        self.last: Any = None
        self.stuck = False  # a tower that should move is missing
        self.events: list[str] = []
        if self.phase == "move" and self.forced:
            self.pass_on()

    def on(self, square):
        return next((t for t in self.towers.values() if t["square"] == square), None)

    def steps(self, tower):
        """Squares that a tower may move to."""
        side, found = tower["owner"], []
        for across in (-1, 0, 1):
            spot = turned(tower["square"], side)
            for _ in range(RANGE[tower["teeth"]]):
                spot = (spot[0] + across, spot[1] + 1)
                if not inside(spot) or self.on(named(spot, side)):
                    break
                found.append(named(spot, side))
        return found

    def pushed(self, tower):
        """The towers that a push of this one would move, nearest first; none where it may not."""
        side, found = tower["owner"], []
        spot = turned(tower["square"], side)
        while True:
            spot = (spot[0], spot[1] + 1)
            ahead = self.on(named(spot, side)) if inside(spot) else None
            if ahead is None:
                break
            found.append(ahead)
        fits = 0 < len(found) <= tower["teeth"] and inside(spot)
        weak = all(t["owner"] != side and t["teeth"] < tower["teeth"] for t in found)
        return found if fits and weak else []

    def movers(self):
        if self.phase != "move" or self.stuck:
            return []
        if self.forced is None:
            return [t for t in self.towers.values() if t["owner"] == self.turn]
        return [self.towers[self.turn, self.forced]]

    def legal(self):
        """Canonical texts of whoever is to act."""
        if self.phase == "fill":
            return {"fill left", "fill right"}
        texts = {f"{t['square']}-{to}" for t in self.movers() for to in self.steps(t)}
        for tower in self.movers() if self.forced else []:
            if self.pushed(tower):
                texts.add(f"{tower['square']}x{self.ahead(tower)}")
        return texts

    def ahead(self, tower):
        file, rank = turned(tower["square"], tower["owner"])
        return named((file, rank + 1), tower["owner"])

    def to_act(self):
        return [] if self.turn is None or not self.legal() else [("black", "white").index(self.turn)]

    def do(self, seat, text):
        """Carries out an action. Raises RefusedError; then nothing has changed."""
        side = ("black", "white")[seat]
        if self.phase == "over" or (text != "resign" and (side != self.turn or text not in self.legal())):
            raise RefusedError
        self.events = []
        if text == "resign":
            self.events += ["resigned"]
            self.end(FOE[side])
        elif text.startswith("fill"):
            self.fill(text.split()[1])
        elif "x" in text:
            self.push(self.on(text[:2]))
        else:
            self.move(self.on(text[:2]), text[3:])

    def move(self, tower, to):
        self.events += ["moved"]
        side = tower["owner"]
        tower["square"], self.last = to, (side, to)
        if turned(to, side)[1] == 8:
            self.won(side, tower, reached=True)
            return
        self.turn, self.forced = FOE[side], colour(to)
        self.pass_on()

    def push(self, tower):
        self.events += ["pushed"]
        side, pushed, to = tower["owner"], self.pushed(tower), self.ahead(tower)
        for other in pushed:
            file, rank = turned(other["square"], side)
            other["square"] = named((file, rank + 1), side)
        tower["square"], self.last = to, (side, to)
        self.forced = colour(pushed[-1]["square"])
        self.pass_on()

    def pass_on(self):
        """Blocked towers pass until one can move, one is missing, or they answer each other for ever."""
        passed = []
        while True:
            tower = self.towers.get((self.turn, self.forced))
            if tower is None:
                self.stuck = True
                return
            if self.steps(tower) or self.pushed(tower):
                return
            if tower in passed:
                self.deadlock()
                return
            passed.append(tower)
            self.events += ["blocked"]
            self.turn, self.forced = FOE[self.turn], colour(tower["square"])

    def deadlock(self):
        self.events += ["deadlock"]
        loser, square = self.last
        winner = FOE[loser]
        self.won(winner, self.towers.get((winner, colour(square))))

    def won_one_of_a_series(self, side, *, reached):
        self.events += ["round-won" if reached else "round-taken", "point"]
        self.score[side] += 1
        if self.score[side] >= self.goal:
            self.end(side)
            return
        self.events += ["next-round"]
        self.round += 1
        for tower in self.towers.values():
            rank = LINES[7] if tower["owner"] == "white" else LINES[0]
            file = "abcdefgh"[rank.index(tower["color"])]
            tower["square"] = f"{file}{1 if tower['owner'] == 'white' else 8}"
        self.turn, self.forced, self.last = "black" if self.round % 2 else "white", None, None

    def won(self, side, tower, *, reached=False):
        if self.kind == "series":
            self.won_one_of_a_series(side, reached=reached)
            return
        if tower is None:
            self.stuck, self.turn, self.forced = True, side, colour(self.last[1])
            return
        self.events += ["round-won", "tooth"]
        tower["teeth"] += 1
        self.score[side] += [1, 2, 4, 8][tower["teeth"] - 1]
        self.turn, self.forced, self.phase = side, None, "fill"
        if self.score[side] >= self.goal:
            self.end(side)

    def end(self, winner):
        self.events += ["game-over"]
        self.phase, self.winner, self.turn, self.forced = "over", winner, None, None

    def fill(self, end):
        """The lists of the rulebook: by rank from home, then from the chosen end."""
        self.events += ["filled"]
        for side in ("black", "white"):
            own = [t for t in self.towers.values() if t["owner"] == side]
            spots = {t["color"]: turned(t["square"], side) for t in own}
            order = []
            for rank in range(1, 9):
                files = range(1, 9) if end == "left" else range(8, 0, -1)
                order += [t for file in files for t in own if spots[t["color"]] == (file, rank)]
            for n, tower in enumerate(order):
                tower["square"] = named((n + 1 if end == "left" else 8 - n, 1), side)
        self.turn, self.forced, self.phase = FOE[self.turn], None, "move"
        self.round += 1
        self.last = None

    def lines(self, depth):
        """How many lines of exactly `depth` actions there are within the round."""
        if depth == 1:
            return len(self.legal())
        count = 0
        for text in self.legal():
            after = deepcopy(self)
            after.do(after.to_act()[0], text)
            if "round-won" not in after.events:
                count += after.lines(depth - 1)
        return count

    def position(self):
        """The spec's Position, towers in no order."""
        over = {"winner": self.winner} if self.winner else {}
        if self.kind == "series":
            over["points"] = self.goal
        return {
            "match": self.kind,
            "score": self.score,
            "round": self.round,
            "phase": self.phase,
            "to_move": self.turn,
            "forced": self.forced,
            "towers": list(self.towers.values()),
            **over,
        }
