"""Rules and opponents alone: perft nodes a second, what a panel takes, the time that each level thinks."""

from __future__ import annotations

import time

from bench.figures import Figure, spread
from engines.capabilities import random_action
from engines.chance import Chance
from engines.opponents import opponent
from engines.perft import perft
from engines.protocol import AnyEngine, RulesError, State
from engines.registry import GAMES, engine

SEED = bytes(32)
ENOUGH_S = 1.0
MOMENT_MS = 2.0  # for a panel and completions of a game that has no thread for them (`Engine.quick`)


def games() -> list[str]:
    """Games whose rules are there."""
    found = []
    for game in GAMES:
        try:
            engine(game)
        except (ImportError, AttributeError):
            continue
        found.append(game)
    return found


def begun(game: str) -> tuple[AnyEngine, State]:
    """A game at its start, with its smallest number of seats."""
    rules = engine(game)
    return rules, again(rules, 0)


def again(rules: AnyEngine, entry: int) -> State:
    """Another start of a game with default options, drawn from stream `entry`."""
    options = rules.read_options({})
    state: State = rules.setup(options, rules.seat_counts(options)[0], Chance(SEED, entry)).state
    return state


def nodes(game: str) -> Figure | None:
    """Perft from the start, as deep as a second or two allow; None where it cannot be counted."""
    rules, state = begun(game)
    depth = 1
    while True:
        begin = time.perf_counter()
        try:
            counts = perft(rules, state, depth, SEED, 1)
        except RulesError:
            return None
        took = time.perf_counter() - begin
        if took > ENOUGH_S or depth == 8:
            return Figure(f"perft, {game}", sum(counts) / took, "nodes/s", note=f"to depth {depth}")
        depth += 1


def driven(game: str) -> Figure:
    """Random actions through `legal`, `apply` and `view`, as the table service uses an engine."""
    rules, state = begun(game)
    plies, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < ENOUGH_S:
        if rules.result(state) is not None:
            state = again(rules, plies)
        seat = min(rules.to_act(state))
        chance = Chance(SEED, plies)
        state = rules.apply(state, seat, random_action(rules, state, seat, chance), chance).state
        rules.view(state, seat)
        plies += 1
    return Figure(
        f"random actions, {game}",
        plies / (time.perf_counter() - begin),
        "actions/s",
        note="legal, apply, view",
    )


def offering(game: str) -> list[Figure]:
    """What a panel and completions take a game that says it is quick, along a random game, its start too."""
    rules, state = begun(game)
    took_ms = list[float]()
    for ply in range(96 if rules.quick else 0):
        if rules.result(state) is not None:
            state = again(rules, ply)
        seat = min(rules.to_act(state))
        begin = time.thread_time()
        rules.complete("", state, seat)
        rules.choices(state, seat)
        took_ms.append((time.thread_time() - begin) * 1000)
        chance = Chance(SEED, ply)
        state = rules.apply(state, seat, random_action(rules, state, seat, chance), chance).state
    return [spread(f"a panel and completions, {game}", took_ms, aim=MOMENT_MS)] if took_ms else []


def thinking(game: str) -> list[Figure]:
    """How long each level thinks, over positions of random games."""
    try:
        player = opponent(game)
    except RulesError:
        return []
    rules, state = begun(game)
    took: dict[str, list[float]] = {level: [] for level in player.LEVELS}
    for ply in range(48):
        if rules.result(state) is not None:
            state = again(rules, ply)
        seat = min(rules.to_act(state))
        if ply % 3 == 0:
            for level in player.LEVELS:
                begin = time.perf_counter()
                player.choose(rules.view(state, seat), level, Chance(SEED, ply))
                took[level].append(time.perf_counter() - begin)
        state = rules.apply(
            state, seat, random_action(rules, state, seat, Chance(SEED, ply)), Chance(SEED, ply)
        ).state
    return [spread(f"opponent of {game}, {level}", took[level], "s", 2.0) for level in player.LEVELS]


def measure() -> list[Figure]:
    """Every game that is there."""
    figures: list[Figure] = []
    for game in games():
        counted = nodes(game)
        figures += [counted] if counted else []
        figures += [driven(game), *offering(game), *thinking(game)]
    return figures
