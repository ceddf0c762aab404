"""Positions as the spec's JSON: reading, checking, writing; and the set-up (5)."""

from __future__ import annotations

from typing import Any

from engines.chance import Chance
from engines.protocol import Json, RulesError, read
from engines.sekigahara import cards, control, week
from engines.sekigahara.board import SEAT, Board, Marching
from engines.sekigahara.data import (
    AIZU_REVISED,
    BLOCK_COUNTS,
    CAPITALS,
    CARD_COUNTS,
    CASTLES,
    DISKS,
    FIRST_HAND,
    ISHIDA,
    OTHER,
    OWNER,
    PLACES,
    RESOURCES,
    SETUP,
    SIDES,
    TOKUGAWA,
    Side,
    segment,
)
from engines.sekigahara.model import Outcome, SekigaharaOptions, SekigaharaState

OURS = {"rules", "outcome"}  # of a state, not of a position
BOX, MORI_BOX = "recruitment_box", "mori_box"
FIGHTING = ("castle", "deploy", "challenge", "answer", "lose", "retreat")
MARCHING = ("march", "combat", *FIGHTING)  # the phases from a movement phase to the end of its turn


def export(state: SekigaharaState) -> dict[str, Json]:
    """The position of a state."""
    return state.model_dump(mode="json", exclude=OURS)


def bad(why: str) -> RulesError:
    """The error for a position that cannot be played on."""
    return RulesError("bad-position", why=why)


def imported(position: Json) -> SekigaharaState:
    """The state of a position, names checked. Raises `bad-position`."""
    if not isinstance(position, dict):
        raise bad("a position is an object")
    given: dict[str, Any] = {str(key): value for key, value in position.items() if value is not None}
    if OURS & set(given):
        raise bad("unknown field")
    if given.get("phase") in ("discard", "bid"):  # of any type yet
        given.update({key: "ishida" for key in ("first", "active") if key not in given})
    state = read(SekigaharaState, given, "bad-position")
    _check_names(state)
    _check_phase(state)
    if state.phase == "over":
        return state.model_copy(update={"outcome": _outcome(state), "battle": None, "march": None})
    return state


def _check_names(state: SekigaharaState) -> None:
    for place, here in state.map.items():
        _known([place], PLACES)
        for side in SIDES:
            _faces(getattr(here, side), side)
    _known(state.control, RESOURCES)
    for sieges in state.stays.values():
        _known(sieges, CASTLES)
    _known(state.disks, DISKS)
    for pile in (state.hands, state.decks, state.discards, state.sealed):
        for side, named in pile.items():
            _known(named, CARD_COUNTS[side])
    for blocks in (state.bags, state.boxes, state.lost):
        for side, faces in blocks.items():
            _faces(faces, side)
    _faces(state.mori_box, "ishida")
    if march := state.march:
        _known([*march.activated, *march.moved, *march.entered, *march.leaders, *march.fought], PLACES)
        _known([near for some in march.entered.values() for near in some], PLACES)
        for faces in march.moved.values():
            _faces(faces, state.active)
        if any(segment(*pair) is None for pair in march.segments):
            raise bad("unknown segment")
    if fight := state.battle:
        _known([fight.at], PLACES)
        for side in SIDES:
            _known(fight.deployed.get(side, ()), OWNER)
            _faces(fight.defected.get(side, ()), side)
            _faces(fight.lost.get(side, ()), side)
            _known(fight.used.get(side, ()), CARD_COUNTS[side])
        if fight.pending:
            _known([fight.pending.card], CARD_COUNTS[fight.pending.side])
            _faces(fight.pending.blocks, fight.pending.side)


def _known(names: Any, allowed: Any) -> None:
    for name in names:
        if name not in allowed:
            raise bad(f"unknown name: {str(name)[:40]}")


def _faces(faces: Any, side: Side) -> None:
    _known(faces, BLOCK_COUNTS[side])


def _check_phase(state: SekigaharaState) -> None:
    if state.phase == "march" and state.march is None:
        raise bad("march is missing")
    if state.phase not in FIGHTING:
        return
    fight = state.battle
    if fight is None:
        raise bad("battle is missing")
    if state.phase in {"challenge", "answer"} and (fight.pending is None or not fight.pending.blocks):
        raise bad("pending is missing")
    if state.phase == "castle" and fight.at not in CASTLES:
        raise bad("no castle there")


def _outcome(state: SekigaharaState) -> Outcome:
    """How a game that is over ended, as far as the position tells it."""
    if TOKUGAWA in state.lost.get("tokugawa", ()):
        return Outcome(winner="ishida", reason="leader")
    if ISHIDA in state.lost.get("ishida", ()):
        return Outcome(winner="tokugawa", reason="leader")
    if "hideyori" not in state.disks:
        return Outcome(winner="tokugawa", reason="hideyori")
    board = Board.of(state, Chance(b"", 0))
    return Outcome(winner=control.more(control.points(board)) or "ishida", reason="points")


def completed(board: Board) -> None:
    """Fills in what a position may leave out: the march of a later phase, a castle's holder in a fight,
    the waiting card among the used ones; and leaves out what is not of its phase.
    """
    if board.phase not in MARCHING:
        board.march = None
    elif board.march is None:
        board.march = Marching(mode="none")
    if board.phase not in FIGHTING:
        board.battle = None
    fight = board.battle
    if fight and fight.holder is None:
        fight.holder = board.castle_side(fight.at)
    waiting = fight.pending if fight else None
    if fight and waiting and waiting.card not in fight.used[waiting.side]:
        fight.used[waiting.side].append(waiting.card)
    if fight and board.march and fight.at not in board.march.fought:
        board.march.fought.append(fight.at)


# -- set-up (5) ---------------------------------------------------------------------------


def first_board(options: SekigaharaOptions, chance: Chance, rules: int) -> Board:
    """The board of a new game (5.1, 5.2.2, 5.2.3), at the first bid."""
    state = SekigaharaState(rules=rules, options=options, week=1, phase="bid", control=dict(CAPITALS))
    board = Board.of(state, chance)
    for side, places in SETUP.items():
        _stand_named(board, side, places)
    if options.aizu == "revised5":
        board.blocks["ishida"]["aizu"].extend(AIZU_REVISED)
    for side in SIDES:
        board.bags[side] = _rest(board, side)
    for side, places in SETUP.items():
        for place, what in places.items():
            drawn = week.take_from_bag(board, side, what["random"])
            if place == BOX:
                board.boxes[side].extend(drawn)
            elif drawn:
                board.blocks[side].setdefault(place, []).extend(drawn)
    for side in SIDES:
        board.decks[side] = chance.shuffled([c for c, n in CARD_COUNTS[side].items() for _ in range(n)])
    board.tell("started", seat=SEAT["ishida"], other=SEAT[OTHER["ishida"]])
    for side in SIDES:
        cards.draw(board, side, FIRST_HAND)
    return board


def _stand_named(board: Board, side: Side, places: dict[str, dict[str, Any]]) -> None:
    """The blocks that have a place (5.2.1)."""
    for place, what in places.items():
        named = what.get("blocks", ())
        if place == MORI_BOX:
            board.mori_box.extend(named)
        elif named:
            board.blocks[side][place] = list(named)


def _rest(board: Board, side: Side) -> list[str]:
    """The blocks that go into the bag: all that are not on the map or in the Mori box."""
    placed = [face for faces in board.blocks[side].values() for face in faces]
    placed += board.mori_box if side == "ishida" else []
    return [face for face, n in BLOCK_COUNTS[side].items() for _ in range(n - placed.count(face))]
