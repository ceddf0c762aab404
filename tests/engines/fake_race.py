"""A tiny game to try the frame on: seats add 1 or 2 to a pile in turn; who reaches 5 wins.

`draw` adds a number of chance; a `secret` start lets both seats bid at once.
"""

from __future__ import annotations

from typing import Literal

from engines.meta import Meta
from engines.protocol import (
    Action,
    Engine,
    Event,
    Legal,
    Options,
    Prompt,
    Ready,
    Result,
    RulesError,
    State,
    Step,
    View,
    game_over,
    read,
)


class RaceOptions(Options):
    goal: Literal[5, 7] = 5


class RaceState(State):
    pile: int
    goal: int
    turn: int = 0


class RaceView(View):
    pile: int


class Add(Action):
    type: Literal["add", "draw"] = "add"
    by: int = 0


META = Meta(game="race", title="Race", seats=(2, 3), stage="experimental", rules="")


class Race(Engine[RaceOptions, RaceState, Add, RaceView]):
    game = "race"
    seats = (2, 3)
    options_type = RaceOptions
    state_type = RaceState
    view_type = RaceView

    def setup(self, options, seats, chance):
        return Step(RaceState(pile=0, goal=options.goal), (Event(code="started"),))

    def to_act(self, state):
        return frozenset() if state.pile >= state.goal else frozenset({state.turn})

    def apply(self, state, seat, action, chance):
        if seat not in self.to_act(state):
            raise RulesError("not-your-turn", seat=seat)
        by = 1 + chance.below(1000) % 2 if action.type == "draw" else action.by
        if by not in (1, 2):
            raise RulesError("too-far", by=by)
        after = state.model_copy(update={"pile": state.pile + by, "turn": 1 - state.turn})
        events = [Event(code="added", params={"seat": seat, "by": by})]
        if after.pile >= after.goal:
            events.append(game_over(self.result(after)))
        return Step(after, tuple(events))

    def view(self, state, viewer):
        return RaceView(game=self.game, viewer=viewer, pile=state.pile)

    def result(self, state):
        if state.pile < state.goal:
            return None
        return Result(winners=(1 - state.turn,), scores=(0, 0), reason="points")

    def roles(self, state):
        return ("first", "second")

    def position(self, state):
        return {"pile": state.pile, "goal": state.goal, "turn": state.turn}

    def from_position(self, position, chance):
        return Step(read(RaceState, position, "bad-position"), ())

    def parse_text(self, text, state, seat):
        words = text.split()
        if words == ["draw"]:
            return Add(type="draw")
        if len(words) == 2 and words[0] == "add" and words[1].isdecimal():
            return Add(by=int(words[1]))
        raise RulesError("bad-action", text=text[:20])

    def parse_json(self, data):
        return read(Add, data, "bad-action")

    def format(self, action):
        return "draw" if action.type == "draw" else f"add {action.by}"

    def legal(self, state, seat, prefix=""):
        return Legal(complete=True, actions=("add 1", "add 2"))

    def choices(self, state, seat, path=()):
        return Prompt(code="add", choices=()) if not path else Ready(action=f"add {path[0]}")
