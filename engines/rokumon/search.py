"""Searching ahead in acts 3 to 6, on a fast form of the board as one side sees it.

Alpha-beta with chance at Fights: a warrior whose value the side does not know is one of the `pool`, each as
likely, until a Fight shows it. The other side is taken to know what stands where, and to begin a Fight only
where that is better than what else it can do. A fixed number of positions, so every machine plays alike.

A tile is an integer: the code of the lower warrior times 16, plus that of the top one. A code is 1..5 for
Sanada's, 9..13 for Tokugawa's warriors, the first of each for an unknown one. Tiles keep their numbers when a
Surprise moves them: a layout is the cells by tile.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from engines.rokumon import rules
from engines.rokumon.data import GIANT, GIANT_KILLER, STRENGTH, SURPRISE_FROM, Side
from engines.rokumon.model import Board, Play, bare

WIN: Final = 10_000  # an act won, less the plies that it takes
SURE: Final = WIN - 100  # a value beyond which somebody wins whatever is unknown
SURPRISES_TO: Final = 2  # plies at which every Surprise is looked at; later only where a win threatens

CODES: Final = ("", "s?", "s2", "s4", "s6", "", "", "", "", "t?", "t1", "t1*", "t3", "t5")
NUMBER: Final = {token: n for n, token in enumerate(CODES) if token}
UNKNOWN: Final = (1, 9)

Tiles = tuple[int, ...]
Supplies = tuple[tuple[int, ...], tuple[int, ...]]
Move = tuple[int, int, int]  # a kind, and what it is of
DEPLOY, MOVE, FIGHT, SURPRISE = range(4)
NO_MOVE: Final[Move] = (-1, 0, 0)


class OutOfNodesError(Exception):
    """The budget of positions is used up."""


# what stands on a tile, for the side of the first index: nothing, an own or the other's warrior alone,
# own on own, own on other, other on own, other on other
EMPTY, OWN, OTHER, OWN_OWN, OWN_OTHER, OTHER_OWN, OTHER_OTHER = range(7)


def _kinds(side: Side) -> tuple[int, ...]:
    """By tile its kind for a side."""
    found = []
    for tile in range(256):
        low, top = tile >> 4, tile & 15
        if not top:
            found.append(EMPTY)
        elif not low:
            found.append(OWN if top >> 3 == side else OTHER)
        elif top >> 3 == side:
            found.append(OWN_OWN if low >> 3 == side else OWN_OTHER)
        else:
            found.append(OTHER_OWN if low >> 3 == side else OTHER_OTHER)
    return tuple(found)


KINDS: Final = (_kinds(0), _kinds(1))
POWER: Final = tuple(STRENGTH.get(token, 3) for token in CODES)
GIANTS: Final = (NUMBER[GIANT], NUMBER[GIANT_KILLER])


class Layout(NamedTuple):
    """What a layout's tiles make possible.

    lines    threes of tiles in a line, as sets of bits
    by_move  for every three that one Surprise would put in a line, the set of tiles by which it can
    moves    the Surprises: a tile, and the layout that it makes
    """

    cells: tuple[str, ...]
    lines: tuple[int, ...]
    by_move: tuple[tuple[int, int], ...]
    moves: tuple[tuple[int, tuple[str, ...]], ...]


@lru_cache(maxsize=2048)
def layout(cells: tuple[str, ...]) -> Layout:
    """What these cells make possible."""
    made: dict[int, int] = {}
    moves = []
    for n, cell in enumerate(cells):
        for target in rules.free_cells(cells[:n] + cells[n + 1 :]):
            if target != cell:
                after = (*cells[:n], target, *cells[n + 1 :])
                moves.append((n, after))
                for line in lines_of(after):
                    if line >> n & 1:
                        made[line] = made.get(line, 0) | 1 << n
    return Layout(cells, lines_of(cells), tuple(made.items()), tuple(moves))


@lru_cache(maxsize=8192)
def lines_of(cells: tuple[str, ...]) -> tuple[int, ...]:
    """Lines as sets of tiles."""
    return tuple(1 << a | 1 << b | 1 << c for a, b, c in rules.lines(cells, square=False))


class Position(NamedTuple):
    """A position of the search; `pool` are the warriors that unknown ones may be."""

    tiles: Tiles
    supply: Supplies
    pool: tuple[int, ...]
    used: int  # a bit a side: its Surprise is used
    locked: int  # a tile, or -1
    cells: tuple[str, ...]
    mover: Side


def position(board: Board) -> Position:
    """A board as a side sees it."""
    tiles = []
    for stack in board.stacks:
        codes = [NUMBER[bare(token)] for token in stack]
        tiles.append(0 if not codes else codes[0] if len(codes) == 1 else codes[0] << 4 | codes[1])
    supply = tuple(tuple(sorted(NUMBER[bare(token)] for token in board.supply[side])) for side in (0, 1))
    pool: list[int] = []
    for side in (0, 1):
        codes = [code for tile in tiles for code in (tile >> 4, tile & 15)] + list(supply[side])
        if UNKNOWN[side] in codes:
            pool += [NUMBER[token] for token in rules.unseen(board, side)]
    used = board.surprised[0] | board.surprised[1] << 1 if board.act >= SURPRISE_FROM else 3
    locked = -1 if board.locked is None else board.cells.index(board.locked)
    return Position(
        tuple(tiles), (supply[0], supply[1]), tuple(sorted(pool)), used, locked, board.cells, board.mover
    )


def as_play(at: Position, move: Move) -> Play:
    """A move of the search as an action of the rules."""
    kind, a, b = move
    if kind == DEPLOY:
        return Play("deploy", "", at.cells[b], CODES[a])
    if kind == MOVE:
        return Play("move", at.cells[a], at.cells[b])
    if kind == FIGHT:
        return Play("fight", "", at.cells[a])
    n, after = layout(at.cells).moves[a]
    return Play("surprise", at.cells[n], after[n])


def as_move(at: Position, play: Play) -> Move:
    """An action of the rules as a move of the search."""
    cells = at.cells
    if play.kind == "deploy":
        return DEPLOY, NUMBER[play.token], cells.index(play.target)
    if play.kind == "move":
        return MOVE, cells.index(play.origin), cells.index(play.target)
    if play.kind == "fight":
        return FIGHT, cells.index(play.target), 0
    n = cells.index(play.origin)
    for number, (tile, after) in enumerate(layout(cells).moves):
        if tile == n and after[n] == play.target:
            return SURPRISE, number, 0
    raise ValueError(f"no Surprise {play}")


def settles(worth: int, bound: int, low: int, high: int) -> bool:
    """Whether a value that is exact (0), at most (-1) or at least (1) this is all that needs to be known."""
    return bound == 0 or (bound < 0 and worth <= low) or (bound > 0 and worth >= high)


class Weights(NamedTuple):
    """What a position is worth to a side where nobody wins soon: for each thing that it has more of.

    one, two   lines with so many own top warriors and none of the other's
    both       lines with two own and one of the other's
    over       own top warriors on one of the other's
    pair       own on own
    top        own top warriors
    strong     strength of warriors on the tiles
    surprise   the Surprise not used
    duel       better odds in Fights that could be begun
    turn       being the side to act
    """

    one: int = 3
    two: int = 14
    both: int = 3
    over: int = 6
    pair: int = 5
    top: int = 4
    strong: int = 1
    surprise: int = 12
    duel: int = 6
    turn: int = 8


WEIGHTS: Final = Weights()


class Search:
    """Looks ahead for the side whose view it is. `up`: revenge tokens that can be added, by side."""

    def __init__(
        self,
        colors: Iterable[str],
        hidden: Side | None,
        up: tuple[int, int],
        budget: int,
        weights: Weights = WEIGHTS,
    ) -> None:
        colors = tuple(colors)
        self.other = tuple(
            sum(1 << m for m, color in enumerate(colors) if color != own) for own in colors
        )  # by tile: tiles of another colour
        self.hidden = hidden  # the side whose warriors are not known, if any
        self.up = up
        self.budget = budget
        self.nodes = 0
        self.weights = weights
        self._seen: dict[Position, tuple[int, int, int, Move]] = {}  # depth, value, bound, move
        self._history: dict[tuple[int, int, int, int], int] = {}

    # -- what can be done ---------------------------------------------------------------------

    def fought(self, own: int, other: int, attacker: Side) -> int:
        """Who stays, 1 the attacker's, -1 the other's, 0 neither, when both add what pays (`duel`)."""
        if {own, other} == set(GIANTS):
            return 1 if own == GIANTS[1] else -1
        mine, theirs = POWER[own], POWER[other]
        most, least = mine + self.up[attacker], theirs + self.up[1 - attacker]
        if most > least:
            return 1
        if most == least:
            return 0
        return -1 if mine < theirs + self.up[1 - attacker] else 0

    def wins(self, at: Position, side: Side) -> bool:
        """Whether the side, if it acts now, surely wins at once."""
        tiles, kinds = at.tiles, KINDS[side]
        own = other = empty = single = pairs = over = contested = 0
        bit = 1
        for tile in tiles:
            kind = kinds[tile]
            if kind == EMPTY:
                empty |= bit
            elif kind == OWN:
                own |= bit
            elif kind == OTHER:
                other |= bit
                single |= bit
            elif kind == OWN_OWN:
                own |= bit
                pairs |= bit
            elif kind == OWN_OTHER:
                own |= bit
                over |= bit
                contested |= bit
            elif kind == OTHER_OWN:
                other |= bit
                contested |= bit
            else:
                other |= bit
            bit <<= 1
        lines = layout(at.cells).lines
        held = 0  # own warriors that must not be lifted
        if over:
            for line in lines:
                gap = line & ~other
                if gap and not gap & (gap - 1) and gap & over:
                    held |= gap
        free = own & ~held
        supply = at.supply[side]
        for line in lines:
            gap = line & ~own
            if gap & (gap - 1):
                continue
            if gap & empty and supply:
                return True
            if gap & (empty | single):
                target = gap.bit_length() - 1
                if free & self.other[target] & (~line | pairs):
                    return True
            if gap & contested and self._surely(at, gap.bit_length() - 1, side):
                return True
        while pairs:
            low = pairs & -pairs
            if free & self.other[low.bit_length() - 1] & ~low:
                return True
            pairs ^= low
        if not at.used >> side & 1:
            locked = 0 if at.locked < 0 or side != at.mover else 1 << at.locked
            for line, by in layout(at.cells).by_move:
                if not line & ~own and by & ~locked:
                    return True
        return False

    def _surely(self, at: Position, n: int, side: Side) -> bool:
        """Whether the side's warrior stays in a Fight on this tile, whatever is unknown."""
        own, other = self._fighters(at.tiles[n], side)
        owns = at.pool if own in UNKNOWN else (own,)
        others = at.pool if other in UNKNOWN else (other,)
        return all(self.fought(a, b, side) > 0 for a in owns for b in others)

    @staticmethod
    def _fighters(tile: int, side: Side) -> tuple[int, int]:
        """The side's warrior and the other's on a contested tile."""
        low, top = tile >> 4, tile & 15
        return (top, low) if top >> 3 == side else (low, top)

    def moves(self, at: Position, *, surprises: bool) -> list[Move]:
        """Moves that do not lose at once by what they uncover; Fights are listed apart."""
        side = at.mover
        tiles, kinds = at.tiles, KINDS[side]
        own = other = over = 0
        onto, empty = [], []
        for n, tile in enumerate(tiles):
            kind = kinds[tile]
            if kind == EMPTY:
                empty.append(n)
                onto.append(n)
            elif kind == OWN:
                own |= 1 << n
                onto.append(n)
            elif kind == OTHER:
                other |= 1 << n
                onto.append(n)
            elif kind in (OWN_OWN, OWN_OTHER):
                own |= 1 << n
                over |= (kind == OWN_OTHER) << n
                if kind == OWN_OWN:
                    onto.append(n)
            else:
                other |= 1 << n
        lines = layout(at.cells).lines
        found = []
        for n in range(len(tiles)):
            bit = 1 << n
            if own & bit and not (over & bit and any(not line & ~(other | bit) for line in lines)):
                aims = self.other[n]
                found += [(MOVE, n, m) for m in onto if aims >> m & 1]
        if empty:
            found += [(DEPLOY, code, n) for code in dict.fromkeys(at.supply[side]) for n in empty]
        if surprises and not at.used >> side & 1:
            for number, (n, _) in enumerate(layout(at.cells).moves):
                if n != at.locked:
                    found.append((SURPRISE, number, 0))
        return found

    def after(self, at: Position, move: Move) -> Position:
        """The position after a move that is no Fight."""
        kind, a, b = move
        tiles, supply, pool, used, _, cells, side = at
        if kind == DEPLOY:
            own = list(supply[side])
            own.remove(a)
            supply = (tuple(own), supply[1]) if side == 0 else (supply[0], tuple(own))
            tiles = (*tiles[:b], a, *tiles[b + 1 :])
            return Position(tiles, supply, pool, used, -1, cells, 1 - side)
        if kind == MOVE:
            changed = list(tiles)
            changed[a] = tiles[a] >> 4
            changed[b] = tiles[b] << 4 | tiles[a] & 15 if tiles[b] < 16 else tiles[b]
            return Position(tuple(changed), supply, pool, used, -1, cells, 1 - side)
        n, laid = layout(cells).moves[a]
        return Position(tiles, supply, pool, used | 1 << side, n, laid, 1 - side)

    def ends_of(self, at: Position, n: int) -> list[tuple[int, Position, int]]:
        """What a Fight may lead to: how many of the pool, the position, and 1 or -1 where it is decided."""
        side = at.mover
        own, other = self._fighters(at.tiles[n], side)
        found = []
        hidden = own in UNKNOWN or other in UNKNOWN
        for value in dict.fromkeys(at.pool) if hidden else (0,):
            mine, theirs = value if own in UNKNOWN else own, value if other in UNKNOWN else other
            stays = self.fought(mine, theirs, side)
            pool = list(at.pool)
            if hidden:
                pool.remove(value)
            supplies = [list(at.supply[0]), list(at.supply[1])]
            left = mine if stays > 0 else theirs if stays < 0 else 0
            for code, gone in ((mine, stays <= 0), (theirs, stays >= 0)):
                if gone and self.hidden == code >> 3:
                    supplies[code >> 3].append(UNKNOWN[code >> 3])
                    pool.append(code)
                elif gone:
                    supplies[code >> 3].append(code)
            tiles = (*at.tiles[:n], left, *at.tiles[n + 1 :])
            supply = (tuple(sorted(supplies[0])), tuple(sorted(supplies[1])))
            after = Position(tiles, supply, tuple(sorted(pool)), at.used, -1, at.cells, 1 - side)
            count = at.pool.count(value) if hidden else 1
            found.append((count, after, self._decided(after, side)))
        return found

    def _decided(self, at: Position, side: Side) -> int:
        """1 where the side has a row, -1 where the other has one, after a Fight or a Surprise by the side."""
        own = other = 0
        for n, tile in enumerate(at.tiles):
            if tile:
                if (tile & 15) >> 3 == side:
                    own |= 1 << n
                else:
                    other |= 1 << n
        lines = layout(at.cells).lines
        if any(not line & ~own for line in lines):
            return 1
        return -1 if any(not line & ~other for line in lines) else 0

    # -- how good it is -----------------------------------------------------------------------

    def judged(self, at: Position) -> int:
        """A guess for the side to act."""
        side, weights = at.mover, self.weights
        kinds = KINDS[side]
        own = other = 0
        worth = weights.turn
        for n, tile in enumerate(at.tiles):
            if not tile:
                continue
            kind = kinds[tile]
            top = POWER[tile & 15]
            if kind in (OWN, OWN_OWN, OWN_OTHER):
                own |= 1 << n
                worth += weights.top + weights.strong * top
                if kind == OWN_OWN:
                    worth += weights.pair
            else:
                other |= 1 << n
                worth -= weights.top + weights.strong * top
                if kind == OTHER_OTHER:
                    worth -= weights.pair
            if kind in (OWN_OTHER, OTHER_OWN):
                worth += weights.over if kind == OWN_OTHER else -weights.over
                mine, theirs = self._fighters(tile, side)
                if mine not in UNKNOWN and theirs not in UNKNOWN:
                    worth += weights.duel * self.fought(mine, theirs, side)
                elif theirs in UNKNOWN:
                    worth += (
                        weights.duel * sum(self.fought(mine, one, side) for one in at.pool) // len(at.pool)
                    )
                else:
                    worth -= (
                        weights.duel
                        * sum(self.fought(theirs, one, 1 - side) for one in at.pool)
                        // len(at.pool)
                    )
        for line in layout(at.cells).lines:
            mine, theirs = (line & own).bit_count(), (line & other).bit_count()
            if not theirs:
                worth += weights.two if mine == 2 else weights.one if mine else 0
            elif not mine:
                worth -= weights.two if theirs == 2 else weights.one
            elif mine == 2:
                worth += weights.both
            elif theirs == 2:
                worth -= weights.both
        if at.used in (1, 2):
            worth += weights.surprise if at.used == 2 - side else -weights.surprise
        return worth

    # -- the search ---------------------------------------------------------------------------

    def value(self, at: Position, depth: int, low: int, high: int, ply: int) -> int:
        """The value for the side to act. Raises OutOfNodesError."""
        self.nodes += 1
        if self.nodes > self.budget:
            raise OutOfNodesError
        side = at.mover
        if self.wins(at, side):
            return WIN - ply
        if depth <= 0:
            return self.judged(at)
        known = self._seen.get(at)
        first = NO_MOVE
        if known is not None:
            if known[0] >= depth and settles(known[1], known[2], low, high):
                return known[1]
            first = known[3]
        best, best_move, floor = -WIN + ply, NO_MOVE, low
        threatened = self.wins(at._replace(mover=1 - side, locked=-1), 1 - side)
        listed = self.moves(at, surprises=ply < SURPRISES_TO or threatened)
        fights = [
            (FIGHT, n, 0)
            for n, tile in enumerate(at.tiles)
            if tile > 15 and (tile >> 7 & 1) != (tile >> 3 & 1)
        ]
        for move in self._ordered(listed, first, ply, side):
            worth = self.of_move(at, move, depth, floor, high, ply)
            if worth > best:
                best, best_move = worth, move
                if best > floor:
                    floor = best
                    if best >= high:
                        self._credit(move, side, depth)
                        break
        if best < high:
            for move in fights:
                worth = self.of_fight(at, move[1], depth, ply, best)
                if worth > best:
                    best, best_move = worth, move
                    if best >= high:
                        break
        self._seen[at] = (depth, best, -1 if best <= low else 1 if best >= high else 0, best_move)
        return best

    def of_move(self, at: Position, move: Move, depth: int, low: int, high: int, ply: int) -> int:  # noqa: PLR0917
        """The value of a move that is no Fight for the side that makes it."""
        after = self.after(at, move)
        if move[0] == SURPRISE and self._decided(after, at.mover):
            return self._decided(after, at.mover) * (WIN - ply)
        return -self.value(after, depth - 1, -high, -low, ply + 1)

    def of_fight(self, at: Position, n: int, depth: int, ply: int, otherwise: int) -> int:
        """The value of a Fight for the side that begins it, on average.

        A side whose warrior is not known here knows it: it fights only where that is better than `otherwise`.
        """
        own, _ = self._fighters(at.tiles[n], at.mover)
        total = weight = 0
        for count, after, decided in self.ends_of(at, n):
            worth = decided * (WIN - ply)
            if not decided:
                worth = -self.value(after, depth - 1, -WIN, WIN, ply + 1)
            if own in UNKNOWN:
                worth = max(worth, otherwise)
            total += count * worth
            weight += count
        return total // weight

    def _ordered(self, listed: list[Move], first: Move, ply: int, side: Side) -> list[Move]:
        """Moves, the one that was best before first, then those that were good elsewhere."""
        history = self._history
        listed.sort(key=lambda move: -history.get((side, *move), 0) + (500_000 if move[0] == SURPRISE else 0))
        if first in listed:
            listed.remove(first)
            listed.insert(0, first)
        return listed

    def _credit(self, move: Move, side: Side, depth: int) -> None:
        key = (side, *move)
        self._history[key] = self._history.get(key, 0) + depth * depth

    def best(self, at: Position, among: list[Move], deepest: int) -> tuple[int, Move]:
        """The best of these moves by ever deeper searches within the budget, and its value."""
        order, found = list(among), (0, among[0])
        for depth in range(1, deepest + 1):
            low, leader = -2 * WIN, order[0]
            ranked = []
            try:
                for move in order:
                    if move[0] == FIGHT:
                        worth = self.of_fight(at, move[1], depth, 0, -WIN)
                    else:
                        worth = self.of_move(at, move, depth, low, 2 * WIN, 0)
                    ranked.append((worth, move))
                    if worth > low:
                        low, leader = worth, move
            except OutOfNodesError:
                if ranked and ranked[0][1] == order[0] and low > -2 * WIN and len(ranked) > 1:
                    found = (low, leader)
                break
            found = (low, leader)
            rest = sorted((one for one in ranked if one[1] != leader), key=lambda one: -one[0])
            order = [leader, *(move for _, move in rest)]
            if abs(low) >= SURE:
                break
        return found
