"""Notation and JSON of actions: names in lower case in notation, as in the data in JSON."""

from __future__ import annotations

from pydantic import ValidationError

from engines.protocol import Json, RulesError, faults, printable
from engines.shogun.data import CHEST_CARDS, PLACES, PROVINCES, SPECIALS
from engines.shogun.model import (
    Battle,
    ChooseSpecial,
    DraftCard,
    Move,
    Place,
    PlanCards,
    Redraw,
    Resign,
    Revolts,
    ShogunAction,
    Stay,
)

NAMES: dict[str, str] = {name.casefold(): name for name in (*PROVINCES, *CHEST_CARDS, *SPECIALS, *PLACES)}
TYPES: dict[str, type[ShogunAction]] = {
    kind.model_fields["type"].default: kind
    for kind in (DraftCard, Place, Redraw, PlanCards, ChooseSpecial, Battle, Move, Stay, Revolts, Resign)
}


def named(word: str) -> str:
    """The name as the data spells it. Raises RulesError `unknown-name`."""
    name = NAMES.get(word.casefold())
    if name is None:
        raise RulesError("unknown-name", name=printable(word))
    return name


def province(word: str) -> str:
    """A province as the data spells it. Raises RulesError `unknown-name`."""
    name = named(word)
    if name not in PROVINCES:
        raise RulesError("unknown-name", name=printable(word))
    return name


def format_action(action: ShogunAction) -> str:
    """Canonical notation; a plan in the order of the spaces."""
    match action:
        case DraftCard(card=None):
            return "draft pile"
        case DraftCard():
            return f"draft {str(action.card).casefold()} {action.armies}"
        case Place():
            return f"place {action.armies}"
        case PlanCards():
            cards = (f"{space}={card.casefold()}" for space, card in action.cards.items())
            return " ".join(("plan", *cards))
        case ChooseSpecial():
            return f"special {action.special}"
        case Battle() | Move():
            return f"{action.type} {action.to.casefold()} {action.armies}"
        case Revolts():
            return " ".join(("revolts", *(name.casefold() for name in action.provinces)))
    return action.type


def parse_action(text: str) -> ShogunAction:
    """The action of a text. Raises RulesError `bad-action`, `unknown-name`, `space-twice`."""
    head, *words = words_of(text) or [""]
    match head, words:
        case "draft", ["pile"]:
            return DraftCard(card=None)
        case "draft", [_, _]:
            card, armies = _target(text, words)
            return DraftCard(card=card, armies=armies)
        case "place", [armies]:
            return Place(armies=_number(text, armies))
        case "plan", _:
            return PlanCards(**_plan(text, words))
        case "special", [special]:
            return ChooseSpecial(special=named(special))
        case "battle", [_, _]:
            to, armies = _target(text, words)
            return Battle(to=to, armies=armies)
        case "move", [_, _]:
            to, armies = _target(text, words)
            return Move(to=to, armies=armies)
        case "revolts", [_, *_]:
            return Revolts(provinces=tuple(province(word) for word in words))
        case "redraw", []:
            return Redraw()
        case "stay", []:
            return Stay()
        case "resign", []:
            return Resign()
    raise RulesError("bad-action", why="unreadable", text=printable(text))


def words_of(text: str) -> list[str]:
    """The words of a notation in lower case; an entry `castle = kai` is one word."""
    return "=".join(part.strip() for part in text.casefold().split("=")).split()


def _number(text: str, word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 3):
        raise RulesError("bad-action", why="unreadable", text=printable(text))
    return int(word)


def _target(text: str, words: list[str]) -> tuple[str, int]:
    """A province and a number of armies, in either order."""
    name, armies = words if not words[0].isdigit() else words[::-1]
    return province(name), _number(text, armies)


def _plan(text: str, words: list[str]) -> dict[str, str]:
    cards: dict[str, str] = {}
    for word in words:
        space, equals, card = word.partition("=")
        if not equals:
            raise RulesError("bad-action", why="unreadable", text=printable(word))
        if space not in PLACES:
            raise RulesError("unknown-name", name=printable(space))
        if space in cards:
            raise RulesError("space-twice", space=space)
        cards[space] = named(card)
    return cards


def parse_json(data: Json) -> ShogunAction:
    """The action of JSON; names in any case. Raises RulesError `bad-action`, `unknown-name`."""
    if not isinstance(data, dict) or not isinstance(data.get("type"), str):
        raise RulesError("bad-action", why="unreadable", text=printable(str(data)))
    kind = TYPES.get(data["type"])
    if kind is None:
        raise RulesError("bad-action", why="unreadable", text=printable(data["type"]))
    spelled = {key: _spelled(key, value) for key, value in data.items()}
    try:
        return kind.model_validate(spelled)
    except (ValidationError, RecursionError) as error:
        why = faults(error) if isinstance(error, ValidationError) else "nested too deep"
        raise RulesError("bad-action", why=why) from None


def _spelled(key: str, value: Json) -> Json:
    if key == "type":
        return value
    if isinstance(value, str):
        return province(value) if key == "to" else named(value)
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return [province(word) for word in value]
    return value
