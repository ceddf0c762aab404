"""What the picture tests share: the longest names, and forgetting what was drawn."""

import sys

from engines.capabilities import random_action
from engines.chance import Chance
from render.lessons import lessons
from tests.sketches import WARM

LONGEST = ("Wolfeschlegelsteinhausenbergerdo", "はなさかじいさんとポチの大冒険物語です、むかしむかし")


def forget_sprites() -> None:
    """Empty every cache of the painters, so that everything is drawn again."""
    WARM.clear()
    for name, module in list(sys.modules.items()):
        if name.startswith("render"):
            for thing in vars(module).values():
                if hasattr(thing, "cache_clear") and not isinstance(thing, type):
                    thing.cache_clear()


def wander(engine, state, events=(), *, until, seed=b"picture", most=3000):
    """Random play until `until(state, events)` holds: the state, and the events of the last action.

    A game that ends before is played anew.
    """
    start = state, events
    for number in range(most):
        if until(state, events):
            return state, events
        if not engine.to_act(state):
            state, events = start
            continue
        seat = min(engine.to_act(state))
        action = random_action(engine, state, seat, Chance(seed, 2 * number))
        state, events = engine.apply(state, seat, action, Chance(seed, 2 * number + 1))
    raise AssertionError("random play never got there")


def shared(one, other):
    """The area that two boxes (left, top, right, bottom) share."""
    wide, tall = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
    return wide * tall if wide > 0 and tall > 0 else 0


def taught(game):
    """The lessons of a game that has some."""
    module = lessons(game)
    assert module is not None
    return module.LESSONS
