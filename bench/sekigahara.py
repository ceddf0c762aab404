"""Sekigahara beside the generic figures: the reach of the largest stack, its panel, pictures, odds."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import islice

from bench.figures import Figure, spread
from engines.capabilities import random_action
from engines.chance import Chance
from engines.protocol import Prompt
from engines.sekigahara import Sekigahara, marches, reach
from engines.sekigahara.board import Board
from engines.sekigahara.data import SIDES
from engines.sekigahara.legal import MOST
from engines.sekigahara.model import SekigaharaState
from engines.sekigahara.odds import odds
from locales import words
from render import Picture, Scene, painter

TARGETS_MS = 50.0  # the aim for the legal targets of the largest stack
MAP_MS = 80.0  # for the map once its base is there
MAP_KB = 400.0
TIMES = 15
STACK = 16  # the largest that moves
PLIES, EVERY = 300, 12  # of the random game that pictures are drawn from


def camp(size: int) -> SekigaharaState:
    """A stack of this size at Kyoto, with a leader to show and cards to spend, in a total movement."""
    rules = Sekigahara()
    own = ["mori3"] * 4 + ["mori2"] * 4 + ["ukita2"] * 4 + ["ukita3"] * 3 + ["kobayakawa2"] * 4
    position = {
        "options": {},
        "week": 3,
        "turn": "A",
        "phase": "march",
        "first": "ishida",
        "active": "ishida",
        "map": {
            "osaka": {"ishida": ["ishida-leader"]},
            "edo": {"tokugawa": ["tokugawa-leader"]},
            "kyoto": {"ishida": ["ukita-leader", *own[: size - 1]]},
        },
        "control": {},
        "hands": {"ishida": ["mori", "ukita", "uesugi"], "tokugawa": []},
        "march": {"mode": "total"},
    }
    return rules.from_position(position, Chance(b"bench", 0)).state


def timed(work: Callable[[], object], times: int = TIMES) -> list[float]:
    """How long it takes each time, in milliseconds; the first time does not count."""
    work()
    took = []
    for _ in range(times):
        begin = time.perf_counter()
        work()
        took.append((time.perf_counter() - begin) * 1000)
    return took


def targets(size: int) -> list[Figure]:
    """Where a stack gets: the rules alone, and the panel that shows it."""
    rules, state = Sekigahara(), camp(size)
    board = Board.of(state, Chance(b"", 0))
    terrain = reach.terrain_of_board(board, "ishida")
    found = reach.reach(terrain, "kyoto", size, leader=True, force=True)
    who = rules.choices(state, 0, ("march", "kyoto"))
    everybody = "+".join(choice.key for choice in who.choices) if isinstance(who, Prompt) else ""
    note = f"{size} blocks, {sum(map(len, found.values()))} ways to {len(found)} places"
    return [
        spread(
            "reach of a stack, sekigahara",
            timed(lambda: reach.reach(terrain, "kyoto", size, leader=True, force=True)),
            aim=TARGETS_MS,
            note=note,
        ),
        spread(
            "panel of its targets, sekigahara",
            timed(lambda: rules.choices(state, 0, ("march", "kyoto", everybody))),
            aim=TARGETS_MS,
            note=note,
        ),
    ]


def listing() -> Figure:
    """The marches of a camp of four, branches included, up to the number that `legal` lists."""
    board = Board.of(camp(4), Chance(b"", 0))
    return spread(
        "marches listed, sekigahara",
        timed(lambda: list(islice(marches.every(board, "ishida"), MOST)), 5),
        note=f"{MOST} marches of 4 blocks at one place",
    )


def drawn() -> list[Figure]:
    """Maps, battles and sheets along a random game."""
    rules, paint, english = Sekigahara(), painter("sekigahara"), words("en")
    state = rules.setup(rules.read_options({}), 2, Chance(bytes(32), 0)).state
    took: dict[str, list[float]] = {"map": [], "battle": [], "own map": [], "hand": [], "odds": []}
    sizes: list[int] = []

    def draw(kind: str, work: Callable[[], Picture | None]) -> None:
        begin = time.perf_counter()
        picture = work()
        took[kind].append((time.perf_counter() - begin) * 1000)
        sizes.append(len(picture.png) if picture is not None else 0)

    for ply in range(PLIES):
        if rules.result(state) is not None:
            state = rules.setup(rules.read_options({}), 2, Chance(bytes(32), ply)).state
        seat, chance = min(rules.to_act(state)), Chance(bytes(32), ply + 1)
        step = rules.apply(state, seat, random_action(rules, state, seat, chance), chance)
        state = step.state
        fighting = state.battle is not None
        if ply % EVERY and not (fighting and len(took["battle"]) < TIMES):
            continue
        seen = tuple(event.seen_by(None) for event in step.events)
        public = Scene("sekigahara", rules.view(state, None), ("Ann", "Ben"), english, seen)
        own = Scene("sekigahara", rules.view(state, 0), ("Ann", "Ben"), english)
        draw("battle" if fighting else "map", lambda scene=public: paint.board(scene))  # type: ignore[misc]
        if not fighting:
            draw("own map", lambda scene=own: paint.board(scene))  # type: ignore[misc]
        draw("hand", lambda scene=own: paint.hand(scene))  # type: ignore[misc]
        begin = time.perf_counter()
        if odds(rules.view(state, 0), SIDES[0]) is not None:
            took["odds"].append((time.perf_counter() - begin) * 1000)
    aims = {"map": MAP_MS, "own map": MAP_MS}
    figures = [
        spread(f"{kind}, sekigahara", some[1:], aim=aims.get(kind)) for kind, some in took.items() if some[1:]
    ]
    return [*figures, Figure("largest picture, sekigahara", max(sizes) / 1024, "KB", aim=MAP_KB)]


def measure() -> list[Figure]:
    """Reach, lists, pictures and odds."""
    return [*targets(STACK), *targets(4), listing(), *drawn()]


def main() -> None:
    """Prints this part alone."""
    for figure in measure():
        print(figure)


if __name__ == "__main__":
    main()
