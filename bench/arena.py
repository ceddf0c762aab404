"""One game between named opponents, played on the rules alone.

An opponent is `random`, a level of today's opponent (`easy`, `normal`, `hard`), one of commit da23b97's
(`before:normal`), or a plan of `bench/plans/<game>.py` (`greedy-a`). Each seat sees its own view and
thinks with a stream of its own; a seed gives the same game on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple, cast

from engines.capabilities import random_action
from engines.chance import Chance
from engines.opponents import Opponent, opponent
from engines.protocol import Action, Json, RulesError, Seat, State, View
from engines.registry import engine

Choose = Callable[[View, Chance], str]
RANDOM, BEFORE = "random", "before:"
MOST_PLIES = 20_000  # no game is as long


class Outcome(NamedTuple):
    """How a game ended: by seat 1.0 for a win, shared among several winners; the result as it was told.

    plies    actions that were carried out
    scores, reason  the result's own
    """

    points: tuple[float, ...]
    scores: tuple[int, ...]
    reason: str
    plies: int


def opponents(game: str) -> tuple[str, ...]:
    """Every name that `play` takes for a seat of this game."""
    old = before(game)
    return (
        RANDOM,
        *opponent(game).LEVELS,
        *(f"{BEFORE}{level}" for level in (old.LEVELS if old else ())),
        *plans(game),
    )


def before(game: str) -> Opponent | None:
    """The opponent of commit da23b97."""
    name = f"bench.before.{game}"
    return cast(Opponent, import_module(name)) if find_spec(name) else None


def plans(game: str) -> Mapping[str, Choose]:
    """The plans there are for a game."""
    name = f"bench.plans.{game}"
    return cast(Mapping[str, Choose], import_module(name).PLANS) if find_spec(name) else {}


def chooser(game: str, name: str) -> Choose | None:
    """How a named opponent chooses; None for `random`, which is asked of the rules."""
    if name == RANDOM:
        return None
    if name in plans(game):
        return plans(game)[name]
    old = before(game)
    mind = old if name.startswith(BEFORE) else opponent(game)
    level = name.removeprefix(BEFORE)
    if mind is None or level not in mind.LEVELS:
        raise ValueError(f"{game} has no opponent {name!r}: there are {', '.join(opponents(game))}")
    return lambda view, chance: mind.choose(view, level, chance)


def play(
    game: str, seats: Sequence[str], seed: int, options: Mapping[str, Json] | None = None, opening: int = 0
) -> Outcome:
    """A whole game between these opponents, by seat.

    `opening`: so many first actions are random, so that opponents without chance play more than one game.
    """
    rules = engine(game)
    key = f"arena {game} {seed}".encode()
    minds = [chooser(game, name) for name in seats]
    state: State = rules.setup(rules.read_options(dict(options or {})), len(seats), Chance(key, 0)).state
    entry = 0
    while acting := sorted(rules.to_act(state)):
        entry += 1
        if entry > MOST_PLIES:
            raise RuntimeError(f"a game of {game} does not end: {seats}, seed {seed}")
        seat = acting[0]
        mind = minds[seat] if entry > opening else None
        action = decided(game, state, seat, mind, Chance(key + b" seat %d" % seat, entry))
        try:
            state = rules.apply(state, seat, action, Chance(key, entry)).state
        except RulesError as error:
            raise RuntimeError(f"{seats[seat]} plays {rules.format(action)}: {error}") from error
    result = rules.result(state)
    if result is None:
        raise RuntimeError(f"nobody acts and nothing is decided: {seats}, seed {seed}")
    share = 1 / len(result.winners) if result.winners else 0.0
    points = tuple(share if seat in result.winners else 0.0 for seat in range(len(seats)))
    return Outcome(points, tuple(result.scores or ()), result.reason, entry)


def decided(game: str, state: State, seat: Seat, mind: Choose | None, chance: Chance) -> Action:
    """What a seat does, on its own view alone."""
    rules = engine(game)
    if mind is None:
        return random_action(rules, state, seat, chance)
    return rules.parse(mind(rules.view(state, seat), chance), state, seat)
