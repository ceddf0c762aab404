"""What a scoring now would give, by the rules' own count: for who looks at a game, and for its statistics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engines.protocol import Seat
from engines.shogun.data import REGION
from engines.shogun.model import Board
from engines.shogun.winter import majorities


class Gain(NamedTuple):
    """Points that a seat would get now (W4): for provinces, for buildings, for majorities."""

    provinces: int
    buildings: int
    majorities: int

    @property
    def all(self) -> int:
        """All of them."""
        return self.provinces + self.buildings + self.majorities


class Lead(NamedTuple):
    """A majority: who has most and how many that is, points to each of them, who comes next with how many."""

    seats: tuple[Seat, ...]
    most: int
    points: int
    next: tuple[Seat, ...]
    fewer: int


def gains(board: Board, seats: int) -> tuple[Gain, ...]:
    """By seat what a scoring now would give."""
    bonus = [0] * seats
    for majority in majorities(board):
        for seat in majority.seats:
            bonus[seat] += majority.points
    found = []
    for seat in range(seats):
        own = [province for province in board.provinces.values() if province.owner == seat]
        found.append(Gain(len(own), sum(province.buildings for province in own), bonus[seat]))
    return tuple(found)


def leads(board: Board) -> Mapping[tuple[str, str], Lead]:
    """Every majority by region and building; none where nothing of the kind is built."""
    found = {}
    for majority in majorities(board):
        here = counts(board, majority.region, majority.building)
        others = {seat: n for seat, n in here.items() if seat not in majority.seats}
        fewer = max(others.values(), default=0)
        behind = tuple(sorted(seat for seat, n in others.items() if n == fewer))
        most = here[majority.seats[0]]
        lead = Lead(majority.seats, most, majority.points, behind, fewer)
        found[majority.region, majority.building] = lead
    return found


def counts(board: Board, region: str, building: str) -> dict[Seat, int]:
    """How many of a building each seat has in a region."""
    found: dict[Seat, int] = {}
    for name, province in board.provinces.items():
        inside = REGION[board.options.side][name] == region
        if inside and province.owner is not None and getattr(province, building):
            found[province.owner] = found.get(province.owner, 0) + 1
    return found
