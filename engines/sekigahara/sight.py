"""What a viewer may know of a position: counts of enemy blocks, faces of one's own (10)."""

from __future__ import annotations

from functools import lru_cache

from engines.protocol import Viewer
from engines.sekigahara import cards, control, flow
from engines.sekigahara.board import board_of
from engines.sekigahara.data import CASTLES, DISK_AT, PLACES, SIDES, Side, block_order, card_order
from engines.sekigahara.model import MarchView, PlaceState, PlaceView, SekigaharaState, SekigaharaView

# a place without units, for the public and for a side
_EMPTY = [
    {place: PlaceView(faces=faces, holder=CASTLES.get(place)) for place in PLACES} for faces in (None, ())
]


def view(state: SekigaharaState, viewer: Viewer) -> SekigaharaView:
    """The position as this viewer may know it (10.1, 10.2)."""
    board = board_of(state)
    own = SIDES[viewer] if viewer is not None else None
    return SekigaharaView(
        game="sekigahara",
        viewer=viewer,
        rules=state.rules,
        options=state.options,
        week=state.week,
        turn=state.turn,
        phase=state.phase,
        first=state.first,
        active=state.active,
        waiting=tuple(flow.deciders(board)),
        map={place: _place(place, state.map[place], own) for place in PLACES},
        control=state.control,
        disks=state.disks,
        hand=tuple(card_order(board.hands[own])) if own else None,
        box=tuple(block_order(board.boxes[own])) if own else None,
        hands=_sizes(board.hands),
        decks=_sizes(board.decks),
        discards=_sizes(board.discards),
        tops={side: cards.top(board, side) for side in SIDES},
        bags=_sizes(board.bags),
        boxes=_sizes(board.boxes),
        lost=state.lost,
        mori_box=state.mori_box,
        sealed_by=tuple(side for side in SIDES if side in state.sealed),
        sealed=state.sealed.get(own) if own else None,
        standing=board.standing[own] if own else None,
        stays=tuple(sorted(board.stays[own])) if own else None,
        march=_march(state, own),
        battle=state.battle,
        points=control.points(board),
        winner=state.outcome.winner if state.outcome else None,
        reason=state.outcome.reason if state.outcome else None,
    )


def _sizes(piles: dict[Side, list[str]]) -> dict[Side, int]:
    return {side: len(piles[side]) for side in SIDES}


def _place(place: str, here: PlaceState, own: Side | None) -> PlaceView:
    if not here.ishida and not here.tokugawa and place not in DISK_AT:
        return _EMPTY[own is not None][place]
    return _seen(here, own)


@lru_cache(maxsize=4096)
def _seen(here: PlaceState, own: Side | None) -> PlaceView:
    """Most places stay as they are from one view to the next: the same value."""
    faces = {"ishida": here.ishida, "tokugawa": here.tokugawa}
    return PlaceView(
        ishida=len(here.ishida),
        tokugawa=len(here.tokugawa),
        faces=tuple(block_order(faces[own])) if own else None,
        besieged=here.besieged,
        holder=here.holder,
    )


def _march(state: SekigaharaState, own: Side | None) -> MarchView | None:
    march = state.march
    if march is None:
        return None
    return MarchView(
        **march.model_dump(exclude={"moved"}),
        moved={place: len(faces) for place, faces in march.moved.items()},
        faces=march.moved if own == state.active else None,
    )
