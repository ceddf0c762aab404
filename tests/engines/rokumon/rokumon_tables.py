"""Tables and boards that the tests of Rokumon share."""

import json
import os
from pathlib import Path

from engines.chance import Chance
from engines.protocol import Event, Prompt, Ready, Result
from engines.rokumon import Rokumon
from engines.rokumon.data import WARRIORS, cells_of, layout_of
from engines.rokumon.model import Board, RokumonOptions, RokumonState

ENGINE = Rokumon()
PERFT = json.loads(Path(__file__).with_name("rokumon_perft.json").read_text("utf-8"))
COLORS = {"g": "gold", "j": "jade", "f": "maru"}
COUNT = int(os.environ.get("HATAMOTO_COUNT", "0"))


def bare_board(act, colors):
    """The board of a fresh act whose tiles have these colours, in dealing order."""
    return Board(
        act=act,
        cells=cells_of(layout_of(act)),
        pips=tuple(range(1, len(colors) + 1)),
        colors=tuple(COLORS[letter] for letter in colors),
        stacks=((),) * len(colors),
        supply=(WARRIORS[0], WARRIORS[1]),
        surprised=(False, False),
        locked=None,
        mover=0,
    )


def dealt(act, colors, **changes):
    """The spec's Position of a fresh act whose tiles have these colours."""
    pips = {"j": [7, 5, 3, 1], "g": [6, 4, 2]}
    pips["f"] = pips["j"][:1] if colors.count("j") < 4 else pips["g"][:1]
    for down in pips["f"] if "f" in colors else ():
        pips["jg"[down % 2 == 0]].remove(down)
    tiles = [
        {"at": cell, "pips": pips[letter].pop(), "down": letter == "f", "stack": []}
        for cell, letter in zip(cells_of(layout_of(act)), colors, strict=True)
    ]
    return {"act": act, "tiles": tiles, **changes}


def place(position, **stacks):
    """The position with these stacks, warriors separated by blanks."""
    tiles = [{**tile, "stack": stacks.get(tile["at"], "").split()} for tile in position["tiles"]]
    return {**position, "tiles": tiles}


def load(position, seed=b"\0") -> RokumonState:
    state: RokumonState = ENGINE.from_position(position, Chance(seed, 0)).state
    return state


class Table:
    """A game that is played by texts; `codes` are the events of the last action."""

    def __init__(self, state=None, seed=b"\0", **options):
        self.seed, self.entry = seed, 0
        self.state = state
        if state is None:
            seats = 1 if "solo" in options else 2
            self.state = ENGINE.setup(RokumonOptions(**options), seats, self.chance()).state
        self.events: tuple[Event, ...] = ()

    def chance(self):
        return Chance(self.seed, self.entry)

    def play(self, seat, text):
        self.entry += 1
        action = ENGINE.parse(text, self.state, seat)
        self.state, self.events = ENGINE.apply(self.state, seat, action, self.chance())
        return self

    @property
    def codes(self):
        return [event.code for event in self.events]

    @property
    def seat(self):
        return min(ENGINE.to_act(self.state))

    def stack(self, cell):
        return next(tile.stack for tile in self.state.tiles if tile.at == cell)

    def at_random(self, plies=400, until=None):
        for _ in range(plies):
            if ENGINE.result(self.state) or (until and until(self.state)):
                break
            picks = Chance(b"picks" + self.seed, self.entry)
            self.play(self.seat, picks.pick(ENGINE.legal(self.state, self.seat).actions))
        return self


def prompt(state, seat, *path) -> Prompt:
    """The panel's prompt after these picks."""
    found = ENGINE.choices(state, seat, path)
    assert isinstance(found, Prompt)
    return found


def ready(state, seat, *path) -> Ready:
    """The action that the panel confirms after these picks."""
    found = ENGINE.choices(state, seat, path)
    assert isinstance(found, Ready)
    return found


def outcome(state) -> Result:
    """How the game ended."""
    result = ENGINE.result(state)
    assert result is not None
    return result
