"""Positions for the tests of Shogun, with every cube accounted for, and games played at random."""

from collections.abc import Iterator
from typing import Any

from engines.capabilities import random_action
from engines.chance import Chance
from engines.protocol import Event
from engines.shogun import Shogun
from engines.shogun.data import ACTIONS, EVENTS, SPECIALS

ENGINE: Any = Shogun()
PILE = [e for e in EVENTS if e not in ("recruit_reduced", "rice_max_3", "rice_min_4")]


def province(owner: int, armies: int, *built: str, unrest: int = 0) -> dict[str, Any]:
    return {
        "owner": owner,
        "armies": armies,
        **{kind: kind in built for kind in ("castle", "temple", "theater")},
        "unrest": unrest,
    }


def position(
    provinces: dict[str, dict[str, Any]],
    plans: dict[int, dict[str, str]] | None = None,
    *,
    seats: int = 3,
    event: str | None = "theater_calms_1",
    first: tuple[str, ...] = (),
    specials: tuple[str | None, ...] = ("tax+1", "rice+1", "recruit6", "attack+1", "defense+1"),
    chests: int = 10,
    rice: int = 0,
    tower: tuple[int, ...] | None = None,
    tray: tuple[int, ...] | None = None,
    **changes: Any,
) -> dict[str, Any]:
    """Action 1 of a spring, turn of seat 0, nothing pending; `first` are the first action cards."""
    tower = tower or (0,) * (seats + 1)
    tray = tray or (0,) * (seats + 1)
    players = []
    for seat in range(seats):
        board = sum(p["armies"] for p in provinces.values() if p["owner"] == seat)
        players.append(
            {
                "chests": chests,
                "rice": rice,
                "points": 0,
                "supply": 62 - board - tower[seat] - tray[seat],
                "plan": (plans or {}).get(seat, {}),
                "special": specials[seat],
            }
        )
    return {
        "options": {"tower": "open"},
        "year": 1,
        "season": "spring",
        "phase": "action",
        "turn": 0,
        "pending": None,
        "provinces": provinces,
        "players": players,
        "tower": list(tower),
        "tray": list(tray),
        "events": ["recruit_reduced", "rice_max_3", "rice_min_4"],
        "event": event,
        "event_pile": [e for e in PILE if e != event][:8],
        "actions": [*first, *(a for a in ACTIONS if a not in first)],
        "action_index": 0,
        "specials": list(SPECIALS),
        "bid_order": [],
        "order": list(range(seats)),
        "draft": None,
        "winter": None,
        **changes,
    }


def loaded(given: dict[str, Any], seed: bytes = b"\0") -> Any:
    return ENGINE.from_position(given, Chance(seed, 0)).state


def started(given: dict[str, Any], seed: bytes = b"\0") -> tuple[Any, tuple[Event, ...]]:
    step = ENGINE.from_position(given, Chance(seed, 0))
    return step.state, step.events


def act(state: Any, seat: int, text: str, entry: int = 1, seed: bytes = b"\0") -> Any:
    return acted(state, seat, text, entry, seed)[0]


def acted(
    state: Any, seat: int, text: str, entry: int = 1, seed: bytes = b"\0"
) -> tuple[Any, tuple[Event, ...]]:
    step = ENGINE.apply(state, seat, ENGINE.parse(text, state, seat), Chance(seed, entry))
    return step.state, step.events


def codes(events: tuple[Event, ...]) -> list[str]:
    return [event.code for event in events]


def new(seats: int = 3, seed: bytes = b"\0", **options: Any) -> Any:
    return ENGINE.setup(ENGINE.read_options(options), seats, Chance(seed, 0)).state


def random_game(seats: int, seed: bytes, **options: Any) -> Iterator[Any]:
    """Every position of a game of random actions."""
    state = new(seats, seed, **options)
    picks = Chance(b"picks" + seed, 0)
    entry = 0
    while True:
        yield state
        waiting = sorted(ENGINE.to_act(state))
        if not waiting:
            return
        seat = picks.pick(waiting)
        entry += 1
        state = ENGINE.apply(
            state, seat, random_action(ENGINE, state, seat, picks), Chance(seed, entry)
        ).state
