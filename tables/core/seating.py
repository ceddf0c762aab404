"""Who sits where: drawn from the seed and what the players added, and worked out again to verify it.

Those who play are numbered as they sat in the lobby, from 0; what each added is mixed in that order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import ValidationError

from engines.chance import Chance, mixed
from engines.protocol import Value
from tables.core.loaded import Loaded, derived


class Seating(Value):
    """How the seats of a table were drawn; `order`: by seat, the place in the lobby.

    creator  the place of who made the table, None where that one does not play
    """

    wish: Literal["random", "first", "last"]
    creator: int | None
    order: tuple[int, ...]


def drawn(
    seed: bytes, nonces: Sequence[bytes | None], wish: Literal["random", "first", "last"], creator: int | None
) -> Seating:
    """The order of the seats; `nonces` are what those who play added, as they sat in the lobby."""
    key = mixed(seed, [nonce for nonce in nonces if nonce is not None])
    order = Chance(derived(key, "seats"), 0).shuffled(range(len(nonces)))
    own = [place for place in order if place == creator]
    rest = [place for place in order if place != creator]
    whole = {"first": own + rest, "last": rest + own, "random": order}[wish]
    return Seating(wish=wish, creator=creator, order=tuple(whole))


def as_drawn(loaded: Loaded) -> bool:
    """Whether the seats are those that seed and additions lead to; true where nothing was written of it.

    Tables from before that was written have none, nor have those whose seats were given: rematches, studies.
    """
    if loaded.row.seating is None:
        return True
    try:
        told = Seating.model_validate_json(loaded.row.seating)
    except ValidationError:
        return False  # nothing of ours wrote that
    if sorted(told.order) != list(range(len(loaded.seats))):
        return False
    nonces = dict(zip(told.order, (seat.nonce for seat in loaded.seats), strict=True))
    lobby = [nonces[place] for place in range(len(nonces))]
    return drawn(loaded.row.seed, lobby, told.wish, told.creator) == told
