"""The printed facts of Sekigahara: map, blocks, cards, setup, read from `map.json` once.

Names: a side is `ishida` or `tokugawa`, a place is its id, a face is what is printed on a block
(`mori2`, `mori-gun`, `mori-leader`, `ii4`), a card is `<daimyo>`, `-sword`, `-double` or `loyalty`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

Side = Literal["ishida", "tokugawa"]
Segment = tuple[str, str]

SIDES: tuple[Side, Side] = ("ishida", "tokugawa")  # by seat
OTHER: dict[Side, Side] = {"ishida": "tokugawa", "tokugawa": "ishida"}

_DATA: dict[str, Any] = json.loads((Path(__file__).parent / "map.json").read_text(encoding="utf-8"))

# -- map (4.1) ------------------------------------------------------------------------

PLACES: tuple[str, ...] = tuple(place["id"] for place in _DATA["locations"])
NAMES: dict[str, str] = {place["id"]: place["name"] for place in _DATA["locations"]}
RESOURCES: tuple[str, ...] = tuple(place["id"] for place in _DATA["locations"] if place["resource"])
CASTLES: dict[str, Side] = {p["id"]: p["castle"] for p in _DATA["locations"] if p["castle"]}  # printed side
CAPITALS: dict[str, Side] = {p["id"]: p["capital"] for p in _DATA["locations"] if p["capital"]}  # 4.5
RECRUITS: dict[str, tuple[str, ...]] = {p["id"]: tuple(p["recruit"]) for p in _DATA["locations"]}  # mons
HIGHWAYS: frozenset[Segment] = frozenset((a, b) for a, b in _DATA["highways"])
SEGMENTS: tuple[Segment, ...] = tuple((a, b) for a, b in _DATA["highways"] + _DATA["roads"])


def _neighbours() -> dict[str, tuple[str, ...]]:
    near: dict[str, list[str]] = {place: [] for place in PLACES}
    for one, two in SEGMENTS:
        near[one].append(two)
        near[two].append(one)
    return {place: tuple(sorted(others)) for place, others in near.items()}


NEIGHBOURS: dict[str, tuple[str, ...]] = _neighbours()
_SEGMENT: dict[frozenset[str], Segment] = {frozenset(pair): pair for pair in SEGMENTS}


def segment(one: str, two: str) -> Segment | None:
    """The road or highway between two places as the data writes it, None if there is none."""
    return _SEGMENT.get(frozenset((one, two)))


# -- blocks (3.2) -----------------------------------------------------------------------

BLOCK_COUNTS: dict[Side, dict[str, int]] = {side: _DATA["blocks"]["counts"][side] for side in SIDES}
BLOCK_ORDER: dict[str, int] = {
    face: number for number, face in enumerate(f for side in SIDES for f in BLOCK_COUNTS[side])
}
OWNER: dict[str, Side] = {face: side for side in SIDES for face in BLOCK_COUNTS[side]}
ISHIDA, TOKUGAWA = "ishida-leader", "tokugawa-leader"  # their loss ends the game (2.1)
ANY_CARD = frozenset({"ii4", ISHIDA})  # deployed by any daimyo card (9.4, 9.5)


def mon_of(face: str) -> str:
    """The daimyo whose mon a block bears; `ii` and `ishida` for the two without cards."""
    return face.partition("-")[0].rstrip("0123456789")


MON: dict[str, str] = {face: mon_of(face) for face in BLOCK_ORDER}
KIND: dict[str, str | None] = {
    face: face.rpartition("-")[2] if face.endswith(("-gun", "-cav")) else None for face in BLOCK_ORDER
}
STRENGTH: dict[str, int] = {face: int(face[-1]) if face[-1].isdigit() else 1 for face in BLOCK_ORDER}
LEADERS: frozenset[str] = frozenset(face for face in BLOCK_ORDER if face.endswith("-leader"))


def block_order(faces: Iterable[str]) -> list[str]:
    """Faces in the order of the data."""
    return sorted(faces, key=BLOCK_ORDER.__getitem__)


# -- cards (3.3) ------------------------------------------------------------------------

LOYALTY = "loyalty"


def _cards(side: Side) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name, kinds in _DATA["cards"]["counts"][side].items():
        if isinstance(kinds, int):
            counts[name] = kinds
        else:
            counts.update({name if k == "plain" else f"{name}-{k}": n for k, n in kinds.items()})
    return counts


def card_kind(card: str) -> str:
    """`loyalty`, `double`, `sword` or `plain`."""
    return LOYALTY if card == LOYALTY else card.partition("-")[2] or "plain"


CARD_COUNTS: dict[Side, dict[str, int]] = {side: _cards(side) for side in SIDES}
BIDS: dict[Side, dict[str, int]] = {
    side: {card: _DATA["cards"]["bids"][side][card_kind(card)] for card in CARD_COUNTS[side]}
    for side in SIDES
}
_ANY_ORDER: dict[str, int] = {
    card: number for number, card in enumerate(dict.fromkeys(c for s in SIDES for c in CARD_COUNTS[s]))
}


def card_order(cards: Iterable[str]) -> list[str]:
    """Cards of one side in the order of the data."""
    return sorted(cards, key=_ANY_ORDER.__getitem__)


def card_mon(card: str) -> str | None:
    """The daimyo of a card, None for a loyalty card."""
    return None if card == LOYALTY else card.partition("-")[0]


def deploys(card: str, face: str) -> bool:
    """Whether this card may deploy this block (8.2.2, 9.4, 9.5)."""
    mon = card_mon(card)
    return mon is not None and (face in ANY_CARD or mon == MON[face])


# -- setup (5) and the weeks (6) -----------------------------------------------------------

SETUP: dict[Side, dict[str, dict[str, Any]]] = _DATA["setup"]
AIZU_REVISED: tuple[str, ...] = tuple(_DATA["aizu_revised5"]["blocks"])
RECRUITS_A_WEEK: tuple[int, ...] = tuple(_DATA["recruits_per_week"])  # weeks 1 to 7
LAST_WEEK = len(RECRUITS_A_WEEK)
DISKS: dict[str, str] = {"hideyori": "osaka", "sanada": "ueda"}  # disk -> its castle (9.1, 9.2)
DISK_AT: dict[str, str] = {castle: disk for disk, castle in DISKS.items()}
FIRST_HAND = 5
MORI_PLACE = "osaka"  # where the Mori box goes (9.3)
