"""Notation (rules N): `d8-d3`, `d3xd4`, `fill left`, `resign`, and `pink d3`, `pink forward 5`, `pink push`.

The rulebook's written form adds the colour reached: `purple left 5 green`.
"""

from __future__ import annotations

import re

from engines.kamisado.board import FORWARD, INDEX
from engines.kamisado.data import COLOR_OF, COLORS, SIDES, SQUARES
from engines.kamisado.model import (
    AnyAction,
    Fill,
    KamisadoState,
    KamisadoView,
    Move,
    Push,
    Resign,
    Target,
    Tower,
)
from engines.protocol import Json, RulesError, Seat, printable

TYPES: dict[str, type[AnyAction]] = {"move": Move, "push": Push, "fill": Fill, "resign": Resign}
MOVE = re.compile(r"([a-h][1-8]) ?(-|x| ) ?([a-h][1-8])")
ACROSS = {"forward": 0, "left": -1, "right": 1}  # files to the right, as White sees them


def folded(data: Json) -> Json:
    """An action's JSON with its squares in small letters; its type stays as it is written."""
    if not isinstance(data, dict):
        return data
    return {
        key: text.casefold() if isinstance(text, str) and key != "type" else text
        for key, text in data.items()
    }


def parse_text(text: str, state: KamisadoState | KamisadoView, seat: Seat) -> AnyAction:
    """The action of a text, words in any order (N1, N2); of two colours the first is the tower's.

    Raises RulesError `bad-action`, `no-such-tower`, `off-board`, `wrong-color`.
    """
    words = text.casefold().split()
    together = MOVE.fullmatch(" ".join(words))
    if together:
        kind = Push if together[2] == "x" else Move
        return kind(from_=together[1], to=together[3])
    if words == ["resign"]:
        return Resign()
    if sorted(words) in (["fill", "left"], ["fill", "right"]):
        return Fill(side="left" if "left" in words else "right")
    named = [word for word in words if word in COLORS]
    if len(named) not in (1, 2):
        raise unreadable(text)
    for color in named:
        words.remove(color)
    action = _named(words, _own(state, seat, named[0]), text)
    if len(named) == 2:
        _check_color(action, named[0], named[1], text)
    return action


def _check_color(action: AnyAction, tower: str, color: str, text: str) -> None:
    """The colour reached in the rulebook's written form, which is a check: it must be right (N3)."""
    if not isinstance(action, Move):  # a push reaches two squares, its own and that of the pushed tower
        raise unreadable(text)
    if COLOR_OF[action.to] != color:
        raise RulesError("wrong-color", tower=tower, to=action.to, color=COLOR_OF[action.to], written=color)


def _named(words: list[str], tower: Tower, text: str) -> AnyAction:
    """The action of the words that stand beside a tower's colour."""
    if words == ["push"]:
        to = INDEX[tower.square] + FORWARD[SIDES.index(tower.owner)]
        if not 0 <= to < 64:
            raise RulesError("no-push", tower=tower.color, to=tower.square, why="line")
        return Push(from_=tower.square, to=SQUARES[to])
    if len(words) == 1 and words[0] in INDEX:
        return Move(from_=tower.square, to=words[0])
    ways = [word for word in words if word in ACROSS]
    counts = [word for word in words if re.fullmatch("[1-7]", word)]
    if len(words) == 2 and len(ways) == len(counts) == 1:
        return Move(from_=tower.square, to=_stepped(tower, ways[0], int(counts[0])))
    raise unreadable(text)


def _own(state: KamisadoState | KamisadoView, seat: Seat, color: str) -> Tower:
    for tower in state.towers:
        if tower.owner == SIDES[seat] and tower.color == color:
            return tower
    raise RulesError("no-such-tower", tower=color)


def _stepped(tower: Tower, way: str, count: int) -> str:
    """The square `count` steps forward, or diagonally as the tower's owner sees left and right."""
    sign = 1 if tower.owner == "white" else -1
    file = (INDEX[tower.square] & 7) + ACROSS[way] * count * sign
    rank = (INDEX[tower.square] >> 3) + count * sign
    if not (0 <= file < 8 and 0 <= rank < 8):
        raise RulesError("off-board", tower=tower.color)
    return SQUARES[file + 8 * rank]


def ways(target: Target, seat: Seat) -> tuple[str, ...]:
    """The words beside a tower's colour that mean this move: `d3`, `forward 5` or `push`."""
    if target.kind == "push":
        return "push", target.to
    start, to = INDEX[target.from_], INDEX[target.to]
    across = ((to & 7) - (start & 7)) * (1 if SIDES[seat] == "white" else -1)
    way = "forward" if not across else "right" if across > 0 else "left"
    return "move", target.to, way, str(abs((to >> 3) - (start >> 3)))


def unreadable(text: str) -> RulesError:
    """The error for a text that means nothing here."""
    return RulesError("bad-action", why="unreadable", text=printable(text))


def format_action(action: AnyAction) -> str:
    """The action in canonical notation (N1)."""
    match action:
        case Move():
            return f"{action.from_}-{action.to}"
        case Push():
            return f"{action.from_}x{action.to}"
        case Fill():
            return f"fill {action.side}"
        case Resign():
            return "resign"
