"""Rokumon's actions as text: `deploy 4 d3`, `move d3 e4`, `fight e4 +1`, `surprise i4 f5`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Final

from pydantic import Field, TypeAdapter, ValidationError

from engines.protocol import Json, RulesError, faults, printable
from engines.rokumon.data import LETTERS, ORDER, Side
from engines.rokumon.model import (
    Deploy,
    Fight,
    Move,
    Play,
    Resign,
    Revenge,
    RokumonAction,
    Surprise,
    Surrender,
    Takeback,
)

JSON: Final[TypeAdapter[RokumonAction]] = TypeAdapter(Annotated[RokumonAction, Field(discriminator="type")])
CELL: Final = re.compile(r"[a-z][1-9]")
TOKEN: Final = re.compile(r"([st]?)([0-9]\*?)")
COUNT: Final = re.compile(r"\+?([0-9]{1,2})")
BARE: Final[dict[str, Callable[[], RokumonAction]]] = {
    "takeback": Takeback,
    "surrender": Surrender,
    "resign": Resign,
}


@lru_cache(maxsize=128)  # of each that is done it is asked twice
def read_text(text: str, side: Side) -> RokumonAction:
    """The action that this notation means for a side: any case, extra blanks, a hyphen between cells.

    Raises RulesError `bad-action`.
    """
    apart = re.sub(r"[->→]+", " ", text.casefold())
    words = re.sub(r"\s*\+\s*", " +", re.sub(r"\s+\*", "*", apart)).split()  # `fight e4 + 1`, `deploy 1 * d3`
    verb, rest = (words[0], words[1:]) if words else ("", [])
    if verb in BARE and not rest:
        return BARE[verb]()
    cells = [word for word in rest if CELL.fullmatch(word) and word not in ORDER]
    others = [word for word in rest if word not in cells]
    action = _read(verb, cells, others, side)
    if action is None:
        raise RulesError("bad-action", why="unreadable", text=printable(text))
    return action


def _read(verb: str, cells: list[str], others: list[str], side: Side) -> RokumonAction | None:
    if verb in ("move", "surprise") and len(cells) == 2 and not others:
        kind = Move if verb == "move" else Surprise
        return kind(origin=cells[0], target=cells[1])
    if verb == "deploy" and len(cells) == 1 and len(others) <= 1:
        token = read_token(others[0], side) if others else None
        return None if others and token is None else Deploy(token=token, at=cells[0])
    if verb == "fight" and len(cells) == 1 and len(others) <= 1:
        count = COUNT.fullmatch(others[0]) if others else None
        return None if others and count is None else Fight(at=cells[0], revenge=int(count[1]) if count else 0)
    if verb == "revenge" and not cells and len(others) == 1 and (count := COUNT.fullmatch(others[0])):
        return Revenge(count=int(count[1]))
    return None


def read_token(word: str, side: Side) -> str | None:
    """A warrior by its value (`4`, `1*`) or its whole name (`s4`), None if the clan has no such warrior."""
    found = TOKEN.fullmatch(word)
    if found is None or found[1] not in ("", LETTERS[side]):
        return None
    token = LETTERS[side] + found[2]
    return token if token in ORDER else None


def read_json(data: Json) -> RokumonAction:
    """The action of this JSON, words in any case. Raises RulesError `bad-action`."""
    if isinstance(data, dict):
        data = {key: word.casefold() if isinstance(word, str) else word for key, word in data.items()}
    try:
        return JSON.validate_python(data)
    except ValidationError as error:
        raise RulesError("bad-action", why=faults(error)) from None
    except RecursionError:
        raise RulesError("bad-action", why="nested too deep") from None


def write(action: RokumonAction) -> str:
    """The action in canonical notation."""
    match action:
        case Deploy():
            return f"deploy {action.token[1:]} {action.at}" if action.token else f"deploy {action.at}"
        case Move() | Surprise():
            return f"{action.type} {action.origin} {action.target}"
        case Fight():
            return f"fight {action.at} +{action.revenge}" if action.revenge else f"fight {action.at}"
        case Revenge():
            return f"revenge {action.count}"
    return action.type


def as_action(play: Play) -> RokumonAction:
    """A play of the rules as an action."""
    if play.kind == "deploy":
        return Deploy(token=play.token or None, at=play.target)
    if play.kind == "fight":
        return Fight(at=play.target, revenge=play.added)
    return (Move if play.kind == "move" else Surprise)(origin=play.origin, target=play.target)


def as_play(action: Deploy | Move | Fight | Surprise) -> Play:
    """An action as a play of the rules."""
    match action:
        case Deploy():
            return Play("deploy", "", action.at, action.token or "")
        case Fight():
            return Play("fight", "", action.at, added=action.revenge)
    return Play(action.type, action.origin, action.target)
