"""What a Fight can come to when revenge tokens may be added, as far as one side's view tells."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Literal

from engines.rokumon import rules
from engines.rokumon.data import GIANT, GIANT_KILLER, STRENGTH, Side
from engines.rokumon.model import Board, Play, bare, side_of

Up = tuple[int, int]  # revenge tokens face up, by side
Ahead = Literal[-1, 0, 1]  # whose total is higher: the other's, nobody's, the attacker's

PLENTY = 20  # tokens that decide any Fight


def pairs(board: Board, at: str) -> Iterator[Board]:
    """The board with every pair of warriors that may stand at `at`, unknown ones named."""
    n = board.cells.index(at)
    values = [rules.unseen(board, side_of(t)) if t[1] == "?" else (t,) for t in board.stacks[n]]
    for stack in product(*map(dict.fromkeys, values)):
        yield board._replace(stacks=rules.with_stack(board.stacks, n, stack))


def strengths(board: Board, at: str) -> tuple[int, int]:
    """What Sanada's and Tokugawa's warriors at `at` count for, both being known."""
    own = {side_of(token): STRENGTH[bare(token)] for token in board.stack_at(at)}
    return own[0], own[1]


def vain(board: Board, at: str) -> bool:
    """Whether no token changes anything: the 6 against the starred 1."""
    return {bare(token) for token in board.stack_at(at)} == {GIANT, GIANT_KILLER}


def ending(board: Board, at: str, attacker: Side, ahead: Ahead) -> rules.After:
    """The Fight at `at` with known warriors, when the attacker's total is higher, equal or lower."""
    sanada, tokugawa = strengths(board, at)
    level = (tokugawa, sanada)  # added to each, they make the totals equal
    more = {1: attacker, -1: 1 - attacker, 0: None}[ahead]
    added = tuple(count + (PLENTY if side == more else 0) for side, count in enumerate(level))
    return rules.after_fight(board._replace(mover=attacker), at, (added[0], added[1]))


def open_to(board: Board, at: str, attacker: Side, up: Up) -> set[Ahead]:
    """How the totals may compare at the end, if the attacker wants his warrior to stay.

    Who can bring the higher total answers every token of the other; with less, he adds none and
    leaves it to the other.
    """
    both = strengths(board, at)
    own, other = both[attacker], both[1 - attacker]
    most, least = own + up[attacker], other + up[1 - attacker]
    if most > least:
        return {1}
    if most == least:
        return {1, 0}
    return {compared(own, other + added) for added in range(up[1 - attacker] + 1)}


def compared(own: int, other: int) -> Ahead:
    """1, 0 or -1 as the first is higher, equal or lower."""
    return 1 if own > other else 0 if own == other else -1


def endings(board: Board, play: Play, up: Up) -> list[list[rules.After]]:
    """For every pair that may fight, what the attacker has to reckon with."""
    attacker = board.mover
    found = []
    for known in pairs(board, play.target):
        ways: set[Ahead] = {0} if vain(known, play.target) else open_to(known, play.target, attacker, up)
        found.append([ending(known, play.target, attacker, ahead) for ahead in sorted(ways)])
    return found


def at_stake(board: Board, at: str, attacker: Side) -> bool:
    """Whether the Fight may decide the act, whatever the unknown warriors are."""
    known = next(pairs(board, at))
    return any(ending(known, at, attacker, ahead).winner is not None for ahead in (-1, 0, 1))
