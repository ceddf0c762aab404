"""Castles that stay inside for the rest of a siege (Table aid): as long as it is the siege that it was.

A side says so for a castle where it is besieged, in secret, and takes it back at any time. It holds while the
besiegers are as many as they were and no block has come to the besieged; what they lose in the siege changes
nothing. After any other change the side is asked again, for good.
"""

from __future__ import annotations

from engines.protocol import RulesError
from engines.sekigahara.board import Board
from engines.sekigahara.data import CASTLES, OTHER, PLACES, SIDES, Side
from engines.sekigahara.model import Siege, Stand


def settle(board: Board, side: Side, action: Stand) -> None:
    """Stays inside a castle from now on, or is asked there again. Raises `not-besieged`."""
    place = action.at or ""
    if action.answer == "ask":
        board.stays[side].pop(place, None)
        return
    if place not in CASTLES or board.castle_side(place) != side or not _fought(board, side, place):
        raise RulesError("not-besieged", at=place)
    board.stays[side][place] = _now(board, side, place)


def holds(board: Board, side: Side, place: str) -> bool:
    """Whether a side has said that it stays inside this castle, and the siege is what it was then."""
    said = board.stays[side].get(place)
    if said is None or not _fought(board, side, place):
        return False
    own, theirs = _now(board, side, place)
    return theirs == said[1] and own <= said[0]


def forget(board: Board) -> None:
    """What was said of sieges that are other ones by now counts no more."""
    for side in SIDES:
        for place in PLACES:
            if place in board.stays[side] and not holds(board, side, place):
                del board.stays[side][place]


def _fought(board: Board, side: Side, place: str) -> bool:
    return bool(board.count(side, place)) and board.contested(place)


def _now(board: Board, side: Side, place: str) -> Siege:
    return board.count(side, place), board.count(OTHER[side], place)


# -- as the table keeps it ------------------------------------------------------------------

SPLIT = "; "


def written(board: Board, side: Side) -> str:
    """A side's standing answers as text: `never; inside osaka 2 5`."""
    sieges = [f"inside {place} {own} {theirs}" for place, (own, theirs) in sorted(board.stays[side].items())]
    return SPLIT.join([board.standing[side], *sieges])


def read(board: Board, side: Side, text: str) -> None:
    """Puts standing answers of a text onto a board."""
    first, *sieges = text.split(SPLIT)
    board.standing[side] = "never" if first == "never" else "ask"
    for siege in sieges:
        _, place, own, theirs = siege.split()
        board.stays[side][place] = int(own), int(theirs)
