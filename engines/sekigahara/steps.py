"""A march completed word by word: what may come next after the words typed so far.

For marches that do not fit into one completion, and for branches: each answer is the typed text with one
step more. Words are taken in the order in which notation writes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engines.protocol import MOST_COMPLETION, RulesError, continuing
from engines.sekigahara import model, movement
from engines.sekigahara import reach as reaching
from engines.sekigahara.board import Board, contains, without
from engines.sekigahara.course import Course
from engines.sekigahara.data import Side, block_order
from engines.sekigahara.marches import leaders_at, march_origins
from engines.sekigahara.notation import split, spread
from engines.sekigahara.subsets import kinds

Words = tuple[str, ...]
MARCH, THEN, BRANCH = "march", ">", "/"
LONG = 70  # characters of a march that with drops or branches may not fit into a completion
FIRST = 10  # whole actions before the steps; Discord shows 25
OPENING = (THEN, BRANCH, "leader", "force")  # words after which another has to follow


def completions(board: Board, side: Side, text: str, actions: Sequence[str]) -> list[str]:
    """Whole actions that continue the text; the first of them, then steps, where a march needs steps."""
    whole, typed = continuing(text, actions), spread(text)
    if board.phase != "march" or side != board.active or typed[:1] != [MARCH]:
        return whole
    start = " ".join(typed)
    long = any(len(action) > LONG and action.startswith(start) for action in actions)
    parted = any(word == BRANCH or word.startswith("-") for word in typed)
    if whole and not long and not parted:
        return whole
    fit = [line for line in grown(board, side, text.casefold()) if len(line) <= MOST_COMPLETION]
    more = without(fit, whole)
    return [*whole[:FIRST], *more, *whole[FIRST:]]


def grown(board: Board, side: Side, text: str) -> list[str]:
    """The text with one step more, in every way that may become a legal march."""
    words = spread(text)
    if not words or words[0] != MARCH:
        return []
    found = [[*words, *more] for more in after(board, side, words)]
    if len(words) > 1 and not text.endswith(" "):  # the last word may still be on its way
        begun = words[-1]
        others = [more for more in after(board, side, words[:-1]) if more[0] != begun]
        found += [[*words[:-1], *more] for more in others if more[0].startswith(begun)]
    return list(dict.fromkeys(" ".join(line) for line in found))


def after(board: Board, side: Side, words: Sequence[str]) -> list[Words]:
    """What may follow these words: one word, or a sign and the word that it needs."""
    opened = words[-1] if words[-1] in OPENING else None
    typed = [*words[1:-1]] if opened else [*words[1:]]
    following = list(_following(board, side, typed))
    return [more[1:] for more in following if more[0] == opened] if opened else following


def _following(board: Board, side: Side, words: list[str]) -> Iterator[Words]:
    if not words:
        yield from ((origin,) for origin in march_origins(board))
        return
    spent: dict[str, str] = {}
    for key in ("leader", "force"):
        if key in words[:-1]:
            at = words.index(key)
            spent[key] = words[at + 1]
            words = [*words[:at], *words[at + 2 :]]
    legs = split(words, BRANCH)
    if any(not leg or leg[0] == THEN for leg in legs):
        return
    main, *branches = map(Typed.of, legs)
    if main.start not in march_origins(board):
        return
    if not branches:
        yield from _of_stack(board, side, main, spent)
    course = _course(board, main, branches[:-1], spent)
    if course and branches:
        yield from _of_branch(course, branches[-1])
        course = _course(board, main, branches, spent)
    if course and not spent.get("force"):
        left = (place for place, dropped in course.dropped.items() if dropped.blocks)
        yield from ((BRANCH, place) for place in left if next(course.onward(place, 1), None))


class Typed(NamedTuple):
    """A path of a march as far as it is typed."""

    start: str
    blocks: Words
    path: Words
    drop: dict[str, Words]

    @classmethod
    def of(cls, words: list[str]) -> Typed:
        """The path of these words."""
        (start, *blocks), *stops = split(words, THEN)
        drop = {stop[0]: tuple(word.removeprefix("-") for word in stop[1:]) for stop in stops if stop[1:]}
        return cls(start, tuple(blocks), tuple(stop[0] for stop in stops if stop), drop)

    @property
    def stack(self) -> list[str]:
        """Who has not been left behind."""
        return without(self.blocks, [face for faces in self.drop.values() for face in faces])


def _course(board: Board, main: Typed, branches: list[Typed], spent: dict[str, str]) -> Course | None:
    """The march once all this is done, None where that is not legal."""
    march = model.March(
        origin=main.start,
        blocks=main.blocks,
        path=main.path,
        drop=main.drop,
        branches=tuple(
            model.Branch(origin=leg.start, blocks=leg.blocks, path=leg.path, drop=leg.drop)
            for leg in branches
        ),
        **spent,
    )
    try:
        return movement.check_march(board, march)
    except (RulesError, KeyError):  # a word that is none yet
        return None


def _of_stack(board: Board, side: Side, main: Typed, spent: dict[str, str]) -> Iterator[Words]:
    """What may follow in the stack's own path."""
    free = movement.available(board, main.start)
    if not contains(free, main.blocks):
        return
    terrain = reaching.terrain_of_board(board, side)
    leaders, hand = leaders_at(board, side, main.start), kinds(board.hands[side])
    if not main.path:
        rest = block_order(set(without(free, main.blocks)))
        yield from ((face,) for face in rest if len(main.blocks) < reaching.LARGEST)
    if not main.blocks:
        return
    found = reaching.ways(
        terrain, main.start, len(main.blocks), leader=bool(leaders), force=bool(hand) and not main.drop
    )
    paths = [way.path for way in found]
    if main.path:
        yield from _drops(main, paths, force="force" in spent)
    yield from _next(main, paths)
    if main.path not in paths or main.path[-1] in main.drop:
        return
    if "leader" not in spent:
        yield from (("leader", face) for face in leaders)
    if "force" not in spent and not main.drop:
        yield from (("force", card) for card in hand)


def _of_branch(course: Course, leg: Typed) -> Iterator[Words]:
    """What may follow in a branch."""
    if leg.start not in course.dropped:
        return
    there = course.dropped[leg.start].blocks
    if not contains(there, leg.blocks):
        return
    if not leg.path:
        yield from ((face,) for face in block_order(set(without(there, leg.blocks))))
    if leg.blocks:
        paths = list(course.onward(leg.start, len(leg.blocks)))
        yield from _drops(leg, paths, force=False)
        yield from _next(leg, paths)


def _drops(leg: Typed, paths: list[Words], *, force: bool) -> Iterator[Words]:
    """Who may stay at the last place typed, which is not the last of the march."""
    on = any(path[: len(leg.path)] == leg.path and len(path) > len(leg.path) for path in paths)
    if leg.path and on and not force and len(leg.stack) > 1:
        yield from ((f"-{face}",) for face in block_order(set(leg.stack)))


def _next(leg: Typed, paths: list[Words]) -> Iterator[Words]:
    """The places to which it may go on."""
    size = len(leg.path)
    nexts = dict.fromkeys(path[size] for path in paths if path[:size] == leg.path and len(path) > size)
    yield from ((THEN, place) for place in nexts)
