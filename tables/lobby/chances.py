"""What a player adds to the chances of a table before it starts: words, or first a seal on them (14.14).

A seal is the SHA-256 of what the words will add, made by the player: nobody else knows the words before all
the others have added theirs, not even who runs the bot. docs/fair-play.md has the whole argument.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from db.rows import SeatRow
from engines.chance import commitment, typed_nonce
from tables.core.errors import TableError
from tables.core.loaded import Loaded

SEAL = re.compile(r"[0-9a-f]{64}")


def seal_of(typed: str) -> str | None:
    """A seal as it is typed; None for words."""
    text = typed.strip().casefold()
    return text if SEAL.fullmatch(text) else None


def nonce_of(typed: str) -> bytes:
    """What typed words add."""
    return typed_nonce(typed.strip())


def first_seal(typed: str) -> str:
    """A seal typed as the table is made. Raises `chance-early` for words: no seed is announced yet."""
    seal = seal_of(typed)
    if seal is None:
        raise TableError("chance-early")
    return seal


def added(loaded: Loaded, seat: SeatRow, typed: str | None) -> SeatRow:
    """The seat with what its player adds; nothing where they type nothing: the seed is the house's share.

    Raises `chance-given` where there is some already: who could change it would wait for the others'.
    """
    if not typed or not typed.strip():
        return seat
    if seat.nonce_told is not None:
        raise loaded.refusal("chance-given", told=seat.nonce_told)
    seal, nonce = seal_of(typed), nonce_of(typed)
    if seal is not None:
        return replace(seat, nonce_told=seal)
    return replace(seat, nonce=nonce, nonce_told=commitment(nonce))


def opened(loaded: Loaded, seat: SeatRow, typed: str) -> SeatRow:
    """The seat with the words that its seal is of. Raises `chance-differs` for others."""
    nonce = nonce_of(typed)
    if commitment(nonce) != seat.nonce_told:
        raise loaded.refusal("chance-differs", told=seat.nonce_told)
    return replace(seat, nonce=nonce, unsealed=True)


def sealed(seats: Iterable[SeatRow]) -> list[SeatRow]:
    """Those whose words are still to come."""
    return [seat for seat in seats if seat.nonce_told is not None and seat.nonce is None]


def unopened(loaded: Loaded) -> None:
    """Raises `unsealed` where a seal was opened: from then on nobody comes, and nothing is added."""
    if any(seat.unsealed for seat in loaded.seats):
        raise loaded.refusal("unsealed")
