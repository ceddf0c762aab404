"""Two plain plans for Sekigahara, as a beginner with a good idea would play.

greedy-a  marches in stacks of four, overruns what stands alone, attacks what it outnumbers, goes for the
          nearest castle or resource, and bids no loyalty card
greedy-b  the same, and five blocks or more that stand together walk to the enemy's leader

In battles they do what the opponent of commit da23b97 did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial

from bench.before import sekigahara as before
from engines.chance import Chance
from engines.protocol import Action, View
from engines.sekigahara import marches, model, movement, notation, reach
from engines.sekigahara.board import Board
from engines.sekigahara.data import (
    BIDS,
    CASTLES,
    LOYALTY,
    NEIGHBOURS,
    OTHER,
    PLACES,
    RESOURCES,
    SIDES,
    STRENGTH,
    Side,
    card_order,
)
from engines.sekigahara.model import SekigaharaView

STACK = 4  # blocks that go together
HORDE, LARGEST = 5, 8  # blocks that go for the leader together
HOME: dict[Side, str] = {"ishida": "osaka", "tokugawa": "edo"}
OVERRUN, CASTLE, RESOURCE, ATTACK, STEP = 20, 14, 8, 6, 3


def choose(view: View, chance: Chance, *, hunts: bool) -> str:
    """The action for the viewer's seat; `hunts`: large stacks go for the enemy's leader."""
    if not isinstance(view, SekigaharaView) or view.viewer is None:
        raise ValueError("a seat's own view of Sekigahara is needed")
    side = SIDES[view.viewer]
    board = Board.of(before.guess(view, side, chance), chance)
    match board.phase:
        case "bid":
            action: Action = _bid(board, side)
        case "move":
            action = _move(board, side)
        case "march":
            action = _march(board, side, hunts)
        case phase:
            action = before._THINK[phase](board, side, chance)  # noqa: SLF001
    return notation.text(action)


def _spare(board: Board, side: Side, number: int) -> tuple[str, ...]:
    """The cards that are missed least, loyalty cards last."""
    hand = card_order(board.hands[side])
    worth = {card: before.card_worth(board, side, card) + 50 * (card == LOYALTY) for card in hand}
    return tuple(sorted(hand, key=lambda card: worth[card])[:number])


def _bid(board: Board, side: Side) -> Action:
    hand = [card for card in card_order(board.hands[side]) if card != LOYALTY] or [LOYALTY]
    worth = {card: before.card_worth(board, side, card) for card in hand}
    return model.Bid(card=min(hand, key=lambda card: 2 * worth[card] - BIDS[side][card]))


def _move(board: Board, side: Side) -> Action:
    rich = len(board.hands[side]) >= 3
    return model.Move(mode="limited" if rich else "minimal", cards=_spare(board, side, 1) if rich else ())


def _march(board: Board, side: Side, hunts: bool) -> Action:
    best: tuple[int, model.March] | None = None
    for origin in marches.march_origins(board):
        for faces in _stacks(board, side, origin):
            found = _best(board, side, origin, faces, hunts)
            if found and (best is None or found[0] > best[0]):
                best = found
    if best and best[0] > 0:
        return best[1]
    return before._muster(board, side) or model.End()  # noqa: SLF001


def _stacks(board: Board, side: Side, origin: str) -> list[tuple[str, ...]]:
    """Four of the strongest, or all that there are; the key leader stays."""
    free = [face for face in movement.available(board, origin) if face not in before.KEYS]
    free.sort(key=lambda face: -STRENGTH[face])
    sizes = {min(len(free), STACK), min(len(free), LARGEST)} - {0}
    return [tuple(free[:size]) for size in sorted(sizes)]


def _best(
    board: Board, side: Side, origin: str, faces: tuple[str, ...], hunts: bool
) -> tuple[int, model.March] | None:
    """The best way of a stack, and what it is worth beyond staying."""
    terrain = reach.terrain_of_board(board, side)
    leaders = [face for face in marches.leaders_at(board, side, origin) if face not in before.KEYS]
    goals = _goals(board, side, len(faces), hunts)
    stays = _near(origin, goals)
    found: tuple[int, model.March] | None = None
    for to, ways in reach.reach(terrain, origin, len(faces), leader=bool(leaders), force=False).items():
        for way in ways[:3]:
            worth = STEP * (_near(to, goals) - stays) if len(faces) >= STACK else -STEP
            worth += OVERRUN * sum(terrain.theirs[place] for place in way.overruns)
            worth += sum(
                RESOURCE
                for place in way.path
                if place in RESOURCES and board.control.get(place) != side and not terrain.theirs.get(place)
            )
            enemies = 0 if to in way.overruns else board.count(OTHER[side], to)
            size = len(faces) + board.count(side, to)
            if to in CASTLES and board.castle_side(to) != side and not enemies:
                worth += CASTLE
            if enemies:
                worth += ATTACK * (size - enemies) if 2 * size >= 3 * enemies and size >= STACK else -40
            if found is None or worth > found[0]:
                leader = leaders[0] if way.leadership else None
                found = (worth, model.March(origin=origin, blocks=faces, path=way.path, leader=leader))
    return found


def _goals(board: Board, side: Side, size: int, hunts: bool) -> list[str]:
    """Where a stack would go."""
    enemy = OTHER[side]
    if hunts and size >= HORDE and board.count(enemy, HOME[enemy]):
        return [HOME[enemy]]
    castles = [
        place
        for place in CASTLES
        if board.castle_side(place) != side and 2 * board.count(enemy, place) <= size
    ]
    goods = [p for p in RESOURCES if board.control.get(p) != side and 2 * board.count(enemy, p) <= size]
    alone = [place for place in PLACES if board.count(enemy, place) == 1]
    return [*castles, *goods, *alone]


def _near(place: str, goals: list[str]) -> int:
    """The nearer to a goal, the more."""
    return -min((distances(place)[goal] for goal in goals), default=0)


@cache
def distances(start: str) -> Mapping[str, int]:
    """Steps from a place to each other one."""
    found, ring = {start: 0}, [start]
    for here in ring:  # grows as it goes
        for near in NEIGHBOURS[here]:
            if near not in found:
                found[near] = found[here] + 1
                ring.append(near)
    return found


PLANS: Mapping[str, Callable[[View, Chance], str]] = {
    "greedy-a": partial(choose, hunts=False),
    "greedy-b": partial(choose, hunts=True),
}
