"""What each viewer may know of a Rokumon table (rules K), and the view made of it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from engines.protocol import Seat, Viewer, canonical, digest
from engines.rokumon import rules
from engines.rokumon.data import CLANS, OPEN_FROM, REPEATS, Clan, Side, color_of, human_side
from engines.rokumon.model import (
    Board,
    Both,
    Kind,
    Option,
    Play,
    RokumonState,
    RokumonView,
    SeenLast,
    SeenSupply,
    SeenTile,
    SeenWarrior,
    alike,
    bare,
    in_order,
    side_of,
)

KEY = 16  # hex digits of a position's digest


def clans(state: RokumonState) -> tuple[Clan, ...]:
    """By seat, the clan it leads; in solo the human alone has a seat."""
    return (CLANS[human_side(state.solo)],) if state.solo else CLANS


def side_at(state: RokumonState, seat: Viewer) -> Side | None:
    """The side of a seat, None for the public."""
    return None if seat is None else CLANS.index(clans(state)[seat])


def seat_of(state: RokumonState, side: Side) -> Seat | None:
    """The seat of a side, None for Taroma."""
    seats = clans(state)
    return seats.index(CLANS[side]) if CLANS[side] in seats else None


def bound(state: RokumonState) -> Side | None:
    """The side that the Code of Honour binds: the one with fewer revenge tokens, if any (H1)."""
    mine, theirs = state.revenge.sanada.count, state.revenge.tokugawa.count
    if state.solo or mine == theirs:
        return None
    return 0 if mine < theirs else 1


def may_take_back(state: RokumonState, side: Side) -> bool:
    """The other side is bound and has not acted since this side's Deploy or Move (H2).

    Where that ended the act, nobody has acted in the next one (Ruling: a take-back after the act).
    """
    if state.before is None or state.phase != "act" or bound(state) != 1 - side:
        return False
    act = state.before.act
    return state.mover == 1 - side if act is None else act.by == CLANS[side]


def courtesy(state: RokumonState) -> Seat | None:
    """The seat that may take back the action that ended the last act."""
    if state.before is None or state.before.act is None:
        return None
    side = CLANS.index(state.before.act.by)
    return seat_of(state, side) if may_take_back(state, side) else None


# -- single warriors ---------------------------------------------------------------------


def knows(act: int, side: Side | None, token: str) -> bool:
    """Whether a viewer of this side may know the value (K1, K2); where warriors are alike nobody does."""
    if alike(act):
        return False
    return act >= OPEN_FROM or token.endswith("!") or side_of(token) == side


def masked(act: int, side: Side | None, token: str) -> str:
    """The warrior as the viewer sees it: `s?` and `t?` where he may not know the value."""
    return token if knows(act, side, token) else f"{token[0]}?"


def seen_board(state: RokumonState, side: Side | None) -> Board:
    """The board as a viewer of this side sees it; None is the public."""
    board, act = state.board, state.act
    hide = {token: masked(act, side, token) for group in (*board.stacks, *board.supply) for token in group}
    return board._replace(
        stacks=tuple(tuple(hide[token] for token in stack) for stack in board.stacks),
        supply=(
            tuple(hide[token] for token in board.supply[0]),
            tuple(hide[token] for token in board.supply[1]),
        ),
    )


# -- the view ------------------------------------------------------------------------------


def view(state: RokumonState, viewer: Viewer) -> RokumonView:
    """What this viewer may know."""
    side, code = side_at(state, viewer), bound(state)
    to_act = None if state.phase == "over" else seat_of(state, state.mover)
    return RokumonView(
        game="rokumon",
        viewer=viewer,
        act=state.act,
        layout=state.layout,
        story=state.story,
        clans=clans(state),
        won=state.won,
        tiles=seen_tiles(state, side),
        supply=Both(sanada=seen_supply(state, side, 0), tokugawa=seen_supply(state, side, 1)),
        revenge=state.revenge,
        surprised=state.surprised,
        locked=state.locked,
        to_move=state.to_move,
        seat=to_act,
        phase=state.phase,
        fight=state.fight,
        last=seen_last(state, side),
        ended=state.ended,
        legal=options(state, side) if side is not None and viewer == to_act else (),
        repeats=min(repeats(state), REPEATS),
        takeback=side is not None and may_take_back(state, side),
        courtesy=courtesy(state),
        bound=None if code is None else CLANS[code],
        solo=state.solo,
        battles_won=state.battles_won,
        taroma=state.taroma,
        result=state.outcome,
    )


def seen_tiles(state: RokumonState, side: Side | None) -> tuple[SeenTile, ...]:
    """The tiles with what stands on them, as a viewer of this side sees them."""
    act = state.act
    return tuple(seen_tile(act, side, tile.at, tile.pips, tile.down, tile.stack) for tile in state.tiles)


@lru_cache(maxsize=2048)
def seen_tile(  # noqa: PLR0917 - what it is made of
    act: int, side: Side | None, at: str, pips: int, down: bool, stack: tuple[str, ...]
) -> SeenTile:
    """One tile: most are from one view to the next what they were, the same value."""
    return SeenTile(
        at=at,
        pips=pips,
        down=down,
        color=color_of(pips, down=down),
        stack=tuple(seen_warrior(act, side, token) for token in stack),
    )


def seen_warrior(act: int, side: Side | None, token: str) -> SeenWarrior:
    """One warrior on a tile as a viewer of this side sees it."""
    return SeenWarrior(
        clan=CLANS[side_of(token)],
        value=bare(token)[1:] if knows(act, side, token) else None,
        known=knows(act, None, token),
    )


def seen_supply(state: RokumonState, viewer: Side | None, side: Side) -> SeenSupply:
    """A side's supply as a viewer sees it: values for its owner, and for all in act 6."""
    tokens = in_order(state.supply.of(side))
    shown = not alike(state.act) and (state.act >= OPEN_FROM or viewer == side)
    return SeenSupply(count=len(tokens), values=tuple(token[1:] for token in tokens) if shown else None)


def seen_last(state: RokumonState, side: Side | None) -> SeenLast | None:
    """The last action without what the viewer may not know."""
    last = state.last
    if last is None:
        return None
    known = last.token is not None and knows(state.act, side, last.token)
    return SeenLast(
        kind=last.kind,
        clan=last.clan,
        seat=last.seat,
        origin=last.origin,
        target=last.target,
        value=last.token[1:] if known and last.token else None,
        fought=last.fought,
        added=last.added,
        winner=last.winner,
    )


def options(state: RokumonState, side: Side) -> tuple[Option, ...]:
    """What the side to act may do on the board that it sees, a Deploy once a tile."""
    if state.phase != "act":
        return ()
    board, tokens = seen_board(state, side), tokens_up(state)
    found: dict[tuple[Kind, str, str], Option] = {}
    for play in rules.legal(board):
        key = (play.kind, play.origin, play.target)
        if key not in found:
            wins, loses = fate(board, play, side, tokens)
            found[key] = option(*key, wins, loses)
    return tuple(found.values())


@lru_cache(maxsize=4096)
def option(kind: Kind, origin: str, target: str, wins: bool, loses: bool) -> Option:
    """One of them: the same is offered turn after turn."""
    return Option(kind=kind, origin=origin or None, target=target, wins=wins, loses=loses)


def tokens_up(state: RokumonState) -> bool:
    """Whether anybody could add a revenge token to a Fight."""
    return bool(state.revenge.sanada.up or state.revenge.tokugawa.up)


def fate(board: Board, play: Play, side: Side, tokens: bool) -> tuple[bool, bool]:
    """Whether the action surely wins and surely loses the act at once; `tokens` make a Fight unsure."""
    if play.kind == "fight" and tokens:
        return False, False
    winners = {end.winner for end in rules.foreseen(board, play)}
    return winners == {side}, winners == {1 - side}


def sheet(state: RokumonState, side: Side) -> tuple[Any, ...]:
    """What a side's private sheet tells: the act, its supply, and its warriors with their tiles."""
    placed = [(tile.at, token) for tile in state.tiles for token in tile.stack if side_of(token) == side]
    return state.act, state.supply.of(side), *placed


# -- positions as a spectator sees them -----------------------------------------------------


def key(state: RokumonState) -> str:
    """A digest of the position with the player to move as a spectator sees it, for the third repetition (W6).

    Tiles, stacks by side with known marks, supply sizes, tokens up and down, Surprises used, locked tile.
    """
    board = seen_board(state, None)
    parts = [
        [[tile.at, tile.pips, tile.down] for tile in state.tiles],
        [[token if "?" in token else bare(token) for token in stack] for stack in board.stacks],
        [len(board.supply[0]), len(board.supply[1])],
        state.revenge.model_dump(mode="json"),
        board.surprised,
        board.locked,
        board.mover,
    ]
    return digest(canonical(parts))[:KEY]


def repeats(state: RokumonState) -> int:
    """How often the present position has come up since the act was dealt."""
    return state.history.count(state.history[-1]) if state.history else 0
