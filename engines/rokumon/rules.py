"""Rokumon's four actions: what is legal on a board, what follows, and who has won (rules T, W).

Pure functions of a `Board`. Which board is given decides what they know: the engine passes
the whole one to carry out an action, and a viewer's own to tell him what he may do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from engines.protocol import RulesError
from engines.rokumon.data import (
    FIGHT_FROM,
    GIANT,
    GIANT_KILLER,
    LETTERS,
    STRENGTH,
    SURPRISE_FROM,
    WARRIORS,
    Side,
)
from engines.rokumon.model import Board, How, Play, alike, bare, in_order, side_of

Cells = tuple[str, ...]
Row = tuple[int, int, int]

HIGH = 3  # warriors that win as a stack
WIDE = 26  # columns a..z
DEEP = 9  # rows 1..9
BRICK_LINES = ((2, 0), (1, 1), (-1, 1))  # steps of a straight line: along a row, and the two slants (L2)
SQUARE_LINES = ((1, 0), (0, 1), (1, 1), (-1, 1))  # L1


class After(NamedTuple):
    """What an action led to: the board with the other side to act, and who has won, if anybody.

    cells     of the row or stack that decides
    returned  warriors that a Fight sent back to their supply
    """

    board: Board
    winner: Side | None = None
    how: How | None = None
    cells: Cells = ()
    returned: tuple[str, ...] = ()


# -- cells -------------------------------------------------------------------------------


def place(cell: str) -> tuple[int, int]:
    """A cell as column and row, both from 1."""
    return ord(cell[0]) - ord("a") + 1, int(cell[1:])


@cache
def rank(cell: str) -> tuple[int, str]:
    """What cells are in order by: of the table, by rows."""
    return int(cell[1:]), cell


def name(column: int, row: int) -> str | None:
    """The cell's name, or None off the table."""
    return f"{chr(ord('a') + column - 1)}{row}" if 1 <= column <= WIDE and 1 <= row <= DEEP else None


@lru_cache(maxsize=4096)
def neighbours(cell: str) -> Cells:
    """Cells of the brick pattern that touch this one."""
    column, row = place(cell)
    steps = [(sign * across, sign * down) for across, down in BRICK_LINES for sign in (1, -1)]
    return tuple(n for across, down in steps if (n := name(column + across, row + down)))


@lru_cache(maxsize=4096)
def lines(cells: Cells, square: bool) -> tuple[Row, ...]:
    """All threes of adjacent tiles in a straight line, by the tiles' numbers."""
    at = {place(cell): n for n, cell in enumerate(cells)}
    found = []
    for (column, row), n in at.items():
        for across, down in SQUARE_LINES if square else BRICK_LINES:
            second = at.get((column + across, row + down))
            third = at.get((column + 2 * across, row + 2 * down))
            if second is not None and third is not None:
                found.append((n, second, third))
    return tuple(found)


@lru_cache(maxsize=4096)
def free_cells(cells: Cells) -> Cells:
    """Empty cells that touch at least two of the tiles: where a Surprise may put another one (T9)."""
    touching = Counter(beside for cell in cells for beside in neighbours(cell))
    free = (cell for cell, count in touching.items() if count >= 2 and cell not in cells)
    return tuple(sorted(free, key=rank))


# -- who has won ---------------------------------------------------------------------------


def row_of(board: Board, side: Side) -> Cells:
    """Cells of a row of three own top warriors, empty if there is none (W1)."""
    letter = LETTERS[side]
    top = [bool(stack) and stack[-1][0] == letter for stack in board.stacks]
    for row in lines(board.cells, board.act == 1):
        if top[row[0]] and top[row[1]] and top[row[2]]:
            return tuple(board.cells[n] for n in row)
    return ()


def high_stack(board: Board, side: Side) -> Cells:
    """The cell of a stack of three own warriors, empty if there is none (W2)."""
    for cell, stack in zip(board.cells, board.stacks, strict=True):
        if len(stack) >= HIGH and side_of(stack[0]) == side:
            return (cell,)
    return ()


def standing(board: Board) -> After | None:
    """A board that is decided before anybody acts, or None. For positions from outside.

    A row or a stack of three that stands has won, that of the side which acted last first; the
    side to act loses if it has no action.
    """
    for side in (1 - board.mover, board.mover):
        if cells := row_of(board, side):
            return After(board, side, "row", cells)
        if cells := high_stack(board, side):
            return After(board, side, "stack", cells)
    return None if has_action(board) else After(board, 1 - board.mover, "no-action")


# -- what is legal -------------------------------------------------------------------------


def legal(board: Board, tokens: int = 0) -> Iterator[Play]:
    """Every action of the side to act, in the order of the board; `tokens` may be added to a Fight."""
    yield from deploys(board)
    yield from moves(board)
    if board.act >= FIGHT_FROM:
        for n, stack in enumerate(board.stacks):
            if contested(stack):
                for added in range(tokens + 1):
                    yield Play("fight", "", board.cells[n], added=added)
    yield from surprises(board)


def deploys(board: Board) -> Iterator[Play]:
    """Deploy (T2): an own warrior from the supply onto a tile without warriors."""
    supply = board.supply[board.mover]
    values = [""] if alike(board.act) else list(dict.fromkeys(supply))
    if supply:
        for token in values:
            for n, stack in enumerate(board.stacks):
                if not stack:
                    yield Play("deploy", "", board.cells[n], token)


def moves(board: Board) -> Iterator[Play]:
    """Move (T3): an own top warrior to any tile of another colour, where the stack takes it."""
    own = LETTERS[board.mover]
    for n, stack in enumerate(board.stacks):
        if not stack or stack[-1][0] != own:
            continue
        for m, onto in enumerate(board.stacks):
            if board.colors[m] != board.colors[n] and takes(onto, own):
                yield Play("move", board.cells[n], board.cells[m])


def takes(onto: tuple[str, ...], own: str) -> bool:
    """Whether a warrior may move onto this stack: none or one warrior, or two if both are own (T3)."""
    return len(onto) < 2 or (len(onto) == 2 and onto[0][0] == own == onto[1][0])


def contested(stack: tuple[str, ...]) -> bool:
    """Whether a Fight can take place here: two warriors, one of each side (T4)."""
    return len(stack) == 2 and stack[0][0] != stack[1][0]


def surprises(board: Board) -> Iterator[Play]:
    """Surprise (T9): any tile but a locked one (T10) to an empty cell that touches at least two others.

    Ruling: a Surprise that parts. The others need not hang together.
    """
    if not may_surprise(board):
        return
    for n, cell in enumerate(board.cells):
        if cell != board.locked:
            for target in free_cells(board.cells[:n] + board.cells[n + 1 :]):
                if target != cell:
                    yield Play("surprise", cell, target)


def may_surprise(board: Board) -> bool:
    """Whether the side to act has its Surprise left, in an act that has one (T1, T9)."""
    return board.act >= SURPRISE_FROM and not board.surprised[board.mover]


def has_action(board: Board) -> bool:
    """Whether the side to act can do anything but surrender (W3)."""
    if board.supply[board.mover] and () in board.stacks:
        return True  # a Deploy
    return next(legal(board), None) is not None


# -- why something is not legal --------------------------------------------------------------


def check(board: Board, play: Play) -> None:
    """Nothing where the action is legal.

    Raises RulesError `not-in-this-act`, `no-such-tile`, `tile-occupied`, `name-token`,
    `not-in-supply`, `nothing-to-move`, `same-colour`, `stack-full`, `no-fight-here`,
    `surprise-used`, `tile-locked`, `cell-taken`, `off-pattern`, `touches-too-few`.
    """
    if play.kind == "fight" and board.act < FIGHT_FROM:
        raise RulesError("not-in-this-act", kind="fight", first=FIGHT_FROM)
    if play.kind == "surprise" and board.act < SURPRISE_FROM:
        raise RulesError("not-in-this-act", kind="surprise", first=SURPRISE_FROM)
    for cell in (play.origin, "" if play.kind == "surprise" else play.target):
        if cell and cell not in board.cells:
            raise RulesError("no-such-tile", cell=cell)
    checks = {"deploy": _check_deploy, "move": _check_move, "fight": _check_fight}
    checks.get(play.kind, _check_surprise)(board, play)


def _check_deploy(board: Board, play: Play) -> None:
    supply = board.supply[board.mover]
    if not supply:
        raise RulesError("supply-empty")
    if not play.token and not alike(board.act) and len(set(supply)) > 1:
        raise RulesError("name-token", tokens=list(dict.fromkeys(supply)))
    if play.token and play.token not in supply:
        raise RulesError("not-in-supply", token=play.token, tokens=list(dict.fromkeys(supply)))
    if board.stack_at(play.target):
        raise RulesError("tile-occupied", cell=play.target)


def _check_move(board: Board, play: Play) -> None:
    own, stack, onto = LETTERS[board.mover], board.stack_at(play.origin), board.stack_at(play.target)
    if not stack or stack[-1][0] != own:
        raise RulesError("nothing-to-move", cell=play.origin)
    if board.color_at(play.origin) == (color := board.color_at(play.target)):
        raise RulesError("same-colour", cell=play.target, color=color)
    if not takes(onto, own):
        raise RulesError("stack-full", cell=play.target)


def _check_fight(board: Board, play: Play) -> None:
    if not contested(board.stack_at(play.target)):
        raise RulesError("no-fight-here", cell=play.target)


def _check_surprise(board: Board, play: Play) -> None:
    if board.surprised[board.mover]:
        raise RulesError("surprise-used")
    if play.origin == board.locked:
        raise RulesError("tile-locked", cell=play.origin)
    if play.target in board.cells:
        raise RulesError("cell-taken", cell=play.target)
    if sum(place(play.target)) % 2 != sum(place(board.cells[0])) % 2:
        raise RulesError("off-pattern", cell=play.target)
    others = [cell for cell in board.cells if cell != play.origin]
    if sum(beside in others for beside in neighbours(play.target)) < 2:
        raise RulesError("touches-too-few", cell=play.target)


# -- what follows --------------------------------------------------------------------------


def after(board: Board, play: Play, defender_adds: int = 0) -> After:
    """What a legal action leads to; in a Fight both sides' revenge tokens count as given."""
    if play.kind == "deploy":
        return after_deploy(board, play)
    if play.kind == "move":
        return after_move(board, play)
    if play.kind == "surprise":
        return after_surprise(board, play)
    added = (play.added, defender_adds) if board.mover == 0 else (defender_adds, play.added)
    return after_fight(board, play.target, added)


def after_deploy(board: Board, play: Play) -> After:
    """A warrior of the supply on an empty tile; it may complete a row."""
    side = board.mover
    supply = list(board.supply[side])
    token = play.token or supply[0]
    supply.remove(token)
    stacks = with_stack(board.stacks, board.cells.index(play.target), (token,))
    return passed(board._replace(stacks=stacks, supply=with_supply(board.supply, side, tuple(supply))))


def after_move(board: Board, play: Play) -> After:
    """A top warrior elsewhere. Uncovering a row of the opponent loses, tested in the air (W4)."""
    side = board.mover
    origin, target = board.cells.index(play.origin), board.cells.index(play.target)
    token = board.stacks[origin][-1]
    air = board._replace(stacks=with_stack(board.stacks, origin, board.stacks[origin][:-1]))
    onto = (*air.stacks[target], token)
    landed = air._replace(stacks=with_stack(air.stacks, target, onto))
    if len(air.stacks[origin]) and (row := row_of(air, 1 - side)):
        return After(turned(landed), 1 - side, "uncovered", row)
    if len(onto) >= HIGH:
        return After(turned(landed), side, "stack", (play.target,))
    return passed(landed)


def after_surprise(board: Board, play: Play) -> After:
    """A tile with what stands on it at an empty cell, locked for the opponent's next turn (T10)."""
    moved = [(play.target if cell == play.origin else cell, n) for n, cell in enumerate(board.cells)]
    order = sorted(moved, key=lambda pair: rank(pair[0]))
    used = (True, board.surprised[1]) if board.mover == 0 else (board.surprised[0], True)
    laid = board._replace(
        cells=tuple(cell for cell, _ in order),
        pips=tuple(board.pips[n] for _, n in order),
        colors=tuple(board.colors[n] for _, n in order),
        stacks=tuple(board.stacks[n] for _, n in order),
        surprised=used,
    )
    return passed(laid, both=True, locked=play.target)


def after_fight(board: Board, at: str, added: tuple[int, int]) -> After:
    """Both warriors of a tile revealed (T6): the lower total returns to its supply, equal ones both.

    The survivor is known to all (T8). `added` are the revenge tokens of Sanada and Tokugawa.
    """
    n = board.cells.index(at)
    back = set(losers(board.stacks[n], added))
    stays = tuple(f"{bare(token)}!" for token in board.stacks[n] if side_of(token) not in back)
    gone = tuple(bare(token) for token in board.stacks[n] if side_of(token) in back)
    supply = board.supply
    for token in gone:
        side = side_of(token)
        supply = with_supply(supply, side, in_order((*supply[side], token)))
    laid = board._replace(stacks=with_stack(board.stacks, n, stays), supply=supply)
    return passed(laid, both=True)._replace(returned=gone)


def losers(stack: tuple[str, ...], added: tuple[int, int]) -> tuple[Side, ...]:
    """Sides whose warrior returns. The 6 against the starred 1 always returns (T7)."""
    own = {side_of(token): bare(token) for token in stack}
    if (own[0], own[1]) == (GIANT, GIANT_KILLER):
        return (0,)
    sanada, tokugawa = STRENGTH[own[0]] + added[0], STRENGTH[own[1]] + added[1]
    return (0, 1) if sanada == tokugawa else (0,) if sanada < tokugawa else (1,)


def passed(board: Board, *, both: bool = False, locked: str | None = None) -> After:
    """The turn passes, unless a row decides or the other side has no action.

    Only the side that acted is looked at for a row, with `both` the other as well (W5).
    """
    side = board.mover
    if row := row_of(board, side):
        return After(turned(board, locked), side, "row", row)
    if both and (row := row_of(board, 1 - side)):
        return After(turned(board, locked), 1 - side, "row", row)
    following = turned(board, locked)
    if not has_action(following):
        return After(following, side, "no-action")
    return After(following)


def turned(board: Board, locked: str | None = None) -> Board:
    """The board with the other side to act."""
    return board._replace(mover=1 - board.mover, locked=locked)


def with_stack(
    stacks: tuple[tuple[str, ...], ...], n: int, stack: tuple[str, ...]
) -> tuple[tuple[str, ...], ...]:
    """The stacks with another one on tile `n`."""
    return (*stacks[:n], stack, *stacks[n + 1 :])


def with_supply(
    supply: tuple[tuple[str, ...], tuple[str, ...]], side: Side, tokens: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The supplies with another one for this side."""
    return (tokens, supply[1]) if side == 0 else (supply[0], tokens)


# -- what can be foreseen ----------------------------------------------------------------


def unseen(board: Board, side: Side) -> tuple[str, ...]:
    """Warriors of a side whose place is not known on this board, in the order of the data."""
    seen = Counter(bare(token) for stack in board.stacks for token in stack if side_of(token) == side)
    seen.update(board.supply[side])
    return tuple((Counter(WARRIORS[side]) - seen).elements())


def foreseen(board: Board, play: Play) -> tuple[After, ...]:
    """Every outcome that an action can have on a board with unknown warriors, no revenge tokens added."""
    if play.kind != "fight":
        return (after(board, play),)
    n = board.cells.index(play.target)
    stacks: list[tuple[str, ...]] = [()]
    for token in board.stacks[n]:
        values = dict.fromkeys(unseen(board, side_of(token))) if token[1] == "?" else (token,)
        stacks = [(*stack, value) for stack in stacks for value in values]
    known = [board._replace(stacks=with_stack(board.stacks, n, stack)) for stack in stacks]
    return tuple(after_fight(fought, play.target, (0, 0)) for fought in known)


def surely(board: Board, play: Play, side: Side) -> bool:
    """Whether the action makes `side` the winner at once, whatever the unknown warriors are."""
    outcomes = foreseen(board, play)
    return bool(outcomes) and all(outcome.winner == side for outcome in outcomes)


def winning(board: Board) -> list[Play]:
    """Actions of the side to act that surely win at once, as they are listed by `legal`."""
    return [play for play in legal(board) if surely(board, play, board.mover)]
