"""Rokumon beside the generic figures: pictures by act, actions, what each level of the opponent thinks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from bench.figures import Figure, spread
from engines.capabilities import random_action
from engines.chance import Chance
from engines.protocol import Prompt
from engines.rokumon import Rokumon, opponent, solver, taroma
from engines.rokumon.model import RokumonState
from locales import words
from render import Picture, Scene, painter

ACTS = range(1, 7)
PICTURE_MS = 60.0  # the aim of an image
ACTION_MS = 5.0  # of the rules' part of an action
THINK_S = 2.0
GAMES = 4
DEEPEST = 16  # plies of an act that are measured


def states(act: int) -> Iterator[RokumonState]:
    """Positions along random games of an act."""
    rules = Rokumon()
    for game in range(GAMES):
        seed = bytes([game])
        state = rules.setup(rules.read_options({"act": act}), 2, Chance(seed, 0)).state
        for ply in range(DEEPEST):
            if rules.result(state) is not None:
                break
            yield state
            seat, chance = min(rules.to_act(state)), Chance(seed, ply + 1)
            state = rules.apply(state, seat, random_action(rules, state, seat, chance), chance).state


def timed(work: Callable[[], object], unit: float = 1000.0) -> float:
    """How long it takes, by default in milliseconds."""
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * unit


def pictures(act: int) -> list[Figure]:
    """The public board, a player's own, his hand and his panel's preview."""
    rules, paint, english = Rokumon(), painter("rokumon"), words("en")
    took: dict[str, list[float]] = {"board": [], "own board": [], "hand": [], "panel": []}
    sizes: list[int] = []

    def draw(kind: str, work: Callable[[], Picture | None]) -> None:
        begin = time.perf_counter()
        picture = work()
        if picture is not None:
            took[kind].append((time.perf_counter() - begin) * 1000)
            sizes.append(len(picture.png))

    for state in list(states(act))[::4]:
        seat = min(rules.to_act(state))
        public, own = (
            Scene("rokumon", rules.view(state, viewer), ("Ann", "Ben"), english) for viewer in (None, seat)
        )
        step = rules.choices(state, seat, ("deploy",) if state.phase == "act" and deploys(state) else ())
        asked = Scene(
            "rokumon", own.view, own.names, english, prompt=step if isinstance(step, Prompt) else None
        )
        draw("board", lambda scene=public: paint.board(scene))  # type: ignore[misc]
        draw("own board", lambda scene=own: paint.board(scene))  # type: ignore[misc]
        draw("hand", lambda scene=own: paint.hand(scene))  # type: ignore[misc]
        draw("panel", lambda scene=asked: paint.board(scene))  # type: ignore[misc]
    biggest = f"up to {max(sizes) / 1000:.0f} KB"
    return [
        spread(f"act {act}, {kind}", samples, aim=PICTURE_MS, note=f"{len(samples)} samples, {biggest}")
        for kind, samples in took.items()
        if samples
    ]


def deploys(state: RokumonState) -> bool:
    """Whether the side to act can deploy."""
    return bool(state.supply.of(state.mover)) and any(not tile.stack for tile in state.tiles)


def actions(act: int) -> Figure:
    """`legal`, `apply`, both views: the rules' part of an action."""
    rules = Rokumon()
    took = []
    for ply, state in enumerate(states(act)):
        seat, chance = min(rules.to_act(state)), Chance(b"act", ply)
        begin = time.perf_counter()
        action = rules.parse(chance.pick(rules.legal(state, seat).actions), state, seat)
        after = rules.apply(state, seat, action, chance).state
        for viewer in (None, 0, 1):
            rules.view(after, viewer)
        took.append((time.perf_counter() - begin) * 1000)
    return spread(f"act {act}, an action and its three views", took, aim=ACTION_MS)


def thinking(act: int) -> list[Figure]:
    """Every level of the opponent."""
    rules = Rokumon()
    found = [state for state in states(act) if state.phase == "act"][::6]
    return [
        spread(
            f"act {act}, opponent {level}",
            [
                timed(
                    lambda state=state, level=level: opponent.choose(  # type: ignore[misc]
                        rules.view(state, state.mover), level, Chance(b"think", 0)
                    ),
                    unit=1.0,
                )
                for state in found
            ],
            "s",
            THINK_S,
        )
        for level in opponent.LEVELS
    ]


def automaton() -> list[Figure]:
    """Taroma's turn, and the solver's first answer to a deal."""
    rules = Rokumon()
    solo = [
        rules.setup(rules.read_options({"solo": "medium"}), 1, Chance(bytes([n]), 0)).state for n in range(12)
    ]
    boards = [state.board._replace(mover=1) for state in solo]
    first = rules.setup(rules.read_options({"act": 2}), 2, Chance(b"solve", 0)).state
    return [
        spread("Taroma's turn", [timed(lambda board=board: taroma.decide(board)) for board in boards]),  # type: ignore[misc]
        Figure("a deal of act 2 solved", timed(lambda: solver.best(first.board), unit=1.0), "s", aim=THINK_S),
    ]


def measure() -> list[Figure]:
    """All of it, act by act."""
    figures: list[Figure] = []
    for act in ACTS:
        figures += [*pictures(act), actions(act), *thinking(act)]
    return [*figures, *automaton()]
