"""Who controls castles and resources, and what they are worth (2.2, 4.2, 4.3)."""

from __future__ import annotations

from engines.sekigahara.board import SEAT, Board
from engines.sekigahara.data import CASTLES, OTHER, RESOURCES, SIDES, Side

CASTLE_POINTS, RESOURCE_POINTS = 2, 1


def castles(board: Board) -> dict[Side, int]:
    """How many castles each side controls; a besieged one counts for the besieged."""
    holders = [board.castle_side(place) for place in CASTLES]
    return {side: holders.count(side) for side in SIDES}


def resources(board: Board) -> dict[Side, int]:
    """How many resources each side controls."""
    owners = list(board.control.values())
    return {side: owners.count(side) for side in SIDES}


def points(board: Board) -> dict[Side, int]:
    """Victory points as they stand (2.2)."""
    forts, goods = castles(board), resources(board)
    return {side: CASTLE_POINTS * forts[side] + RESOURCE_POINTS * goods[side] for side in SIDES}


def more(counts: dict[Side, int]) -> Side | None:
    """The side with more, None on a tie."""
    if counts["ishida"] == counts["tokugawa"]:
        return None
    return max(SIDES, key=lambda side: counts[side])


def take(board: Board, side: Side, place: str) -> None:
    """A side's blocks pass, stop or arrive here: they take the resource unless enemy blocks remain (4.2).

    Ruling: control by muster and retreat.
    """
    if place in RESOURCES and not board.count(OTHER[side], place) and board.control.get(place) != side:
        board.control[place] = side
        board.tell("took", seat=SEAT[side], at=place)


def after_fight(board: Board, place: str) -> None:
    """After a battle the side that alone has blocks here has the resource; nobody left: it stays.

    Ruling: control after a battle.
    """
    present = [side for side in SIDES if board.count(side, place)]
    if len(present) == 1:
        take(board, present[0], place)
