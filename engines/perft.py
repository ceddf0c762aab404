"""Perft: how many lines of legal actions there are, the standard check of a move generator."""

from __future__ import annotations

from engines.capabilities import Counting
from engines.chance import Chance
from engines.protocol import AnyEngine, RulesError, State


def perft(engine: AnyEngine, state: State, depth: int, seed: bytes, entry: int) -> tuple[int, ...]:
    """Lines of exactly 1..depth actions from `state`, whose next action would be entry `entry`.

    Where several seats act, the lowest acts first. A line ends with a result, or with an event of
    `Counting.line_ends`. Raises RulesError `not-countable` where the legal actions cannot be listed.
    """
    fast = engine.perft(state, depth) if isinstance(engine, Counting) else None
    if fast is not None:
        return fast
    counts = [0] * depth
    _count(engine, state, counts, seed, entry)
    return tuple(counts)


def _count(engine: AnyEngine, state: State, counts: list[int], seed: bytes, entry: int) -> None:
    """Adds the lines of 1..len(counts) actions from `state` to `counts`."""
    seats = engine.to_act(state)
    if not seats or engine.result(state) is not None:
        return
    seat = min(seats)
    legal = engine.legal(state, seat)
    if not legal.complete:
        raise RulesError("not-countable", game=engine.game)
    actions = sorted(set(legal.actions))
    counts[0] += len(actions)
    if len(counts) == 1:
        return
    ends = engine.line_ends if isinstance(engine, Counting) else frozenset[str]()
    below = [0] * (len(counts) - 1)
    for text in actions:
        action = engine.parse(text, state, seat)
        after, events = engine.apply(state, seat, action, Chance(seed, entry))
        if not any(event.code in ends for event in events):
            _count(engine, after, below, seed, entry + 1)
    counts[1:] = [count + more for count, more in zip(counts[1:], below, strict=True)]
