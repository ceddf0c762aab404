"""The map, the cards and the tables of Shogun, read off the printed components (`shogun.json`)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

_DATA: dict[str, Any] = json.loads((Path(__file__).parent / "shogun.json").read_text(encoding="utf-8"))

PROVINCES: tuple[str, ...] = tuple(_DATA["provinces"])
RANK: dict[str, int] = {name: place for place, name in enumerate(PROVINCES)}
CHESTS: dict[str, int] = {name: p["chests"] for name, p in _DATA["provinces"].items()}
RICE: dict[str, int] = {name: p["rice"] for name, p in _DATA["provinces"].items()}
SPACES: dict[str, int] = {name: p["spaces"] for name, p in _DATA["provinces"].items()}
REGION: dict[str, dict[str, str]] = {
    side: {name: p[side] for name, p in _DATA["provinces"].items()} for side in ("sun", "moon")
}
REGIONS: tuple[str, ...] = ("green", "red", "purple", "yellow", "brown")

CHEST_CARDS: tuple[str, ...] = ("chest0", "chest1", "chest2", "chest3", "chest4")
BUILDINGS: tuple[str, ...] = ("castle", "temple", "theater")
ACTIONS: tuple[str, ...] = tuple(a["id"] for a in _DATA["actions"])
COST: dict[str, int] = {a["id"]: a["cost"] for a in _DATA["actions"]}
RECRUITS: dict[str, int] = {a["id"]: a["armies"] for a in _DATA["actions"] if "armies" in a}
BATTLES: tuple[str, ...] = ("battle_a", "battle_b")
PLACES: tuple[str, ...] = (*ACTIONS, "bid")  # the eleven spaces of a player's board
SPECIALS: tuple[str, ...] = tuple(_DATA["specials"])
EVENTS: tuple[str, ...] = tuple(e["id"] for e in _DATA["events"])
RICE_LOSS: dict[str, int] = {e["id"]: e["rice_loss"] for e in _DATA["events"]}

ARMIES: int = _DATA["components"]["armies"]
FARMERS: int = _DATA["components"]["farmers"]
STOCK: dict[str, int] = {kind: _DATA["components"][kind] for kind in BUILDINGS}
TOWER_ARMIES: int = _DATA["tower_start"]["armies"]
TOWER_FARMERS: int = _DATA["tower_start"]["farmers"]
START_CHESTS: dict[int, int] = {int(n): chests for n, chests in _DATA["start_chests"].items()}
GROUPS: dict[int, tuple[int, ...]] = {int(n): tuple(sizes) for n, sizes in _DATA["army_groups"].items()}
SETUPS: dict[int, tuple[tuple[tuple[str, int], ...], ...]] = {
    int(n): tuple(tuple((name, size) for name, size in seat) for seat in seats)
    for n, seats in _DATA["setups_sun"].items()
}

MAJORITY: dict[str, int] = {"castle": 3, "temple": 2, "theater": 1}
OPEN_EVENTS = 4  # event cards that lie open in spring
OPEN_ACTIONS = 5  # action cards that lie open while players plan
SEASONS: tuple[str, ...] = ("spring", "summer", "autumn", "winter")


@cache
def in_play(side: str, seats: int) -> tuple[str, ...]:
    """The provinces in play, in the order of the data: all 45, or 37 with three players (U1)."""
    out = _DATA["out_with_3_players"][side] if seats == 3 else ()
    return tuple(name for name in PROVINCES if name not in out)


@cache
def neighbours(name: str) -> tuple[str, ...]:
    """Provinces that share a border or a sea route with this one, in the order of the data.

    Both sides have the same (Ruling: the moon's sea routes).
    """
    edges = [*_DATA["edges_land"], *_DATA["edges_sea"]]
    found = {b if a == name else a for a, b in edges if name in (a, b)}
    return tuple(sorted(found, key=RANK.__getitem__))


def hunger(unfed: int) -> tuple[int, int]:
    """Revolts and extra farmers for so many unfed provinces, by the winter table (W2); 0, 0: all are fed."""
    for row in _DATA["winter_table"]:
        least, most = row["unfed"]
        if unfed >= least and (most is None or unfed <= most):
            return row["revolts"], row["farmers"]
    return 0, 0


def event_is(event: str | None, kind: str) -> bool:
    """Whether the event in force is of this kind; three kinds exist on two cards each (A11)."""
    return event is not None and event.removesuffix("_1").removesuffix("_2") == kind
