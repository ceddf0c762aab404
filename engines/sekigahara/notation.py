"""Notation: `march kyoto mori2 mori3 > minakuchi -mori2 > kuwana leader ukita-leader force mori`.

`parse` takes blocks and cards in any order, `text` writes them in the order of the data; cards
of one discard keep the order named, since the last one lies on top.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from pydantic import TypeAdapter, ValidationError

from engines.capabilities import SEPARATOR
from engines.protocol import Action, Json, RulesError, faults, printable
from engines.sekigahara import model
from engines.sekigahara.data import BLOCK_ORDER, CARD_COUNTS, DISKS, PLACES, SIDES, block_order
from engines.sekigahara.model import Words

Leg = tuple[str, Words, Words, Mapping[str, Words] | None]  # from, blocks, path, drops
MOST_WORDS = 400
ORDERS = "orders"  # before actions that a side orders
_SIGNS = re.compile("([>=/])")
_DROP = re.compile(rf"\b({'|'.join(PLACES)})-")  # `kyoto-mori2`, where a blank is missing
_ACTIONS: TypeAdapter[Action] = TypeAdapter(model.AnyAction)
_CARDS = {card for side in SIDES for card in CARD_COUNTS[side]}


def bad(why: str, text: str) -> RulesError:
    """The error for words that cannot be read."""
    return RulesError("bad-action", why=why, text=printable(text))


def from_json(data: Json) -> Action:
    """The action of its JSON. Raises `bad-action`."""
    try:
        action = _ACTIONS.validate_python(data)
    except (ValidationError, RecursionError) as error:
        why = faults(error) if isinstance(error, ValidationError) else "nested too deep"
        raise RulesError("bad-action", why=why) from None
    _check_words(action)
    return action


def _check_words(action: Action) -> None:
    values = {key: value for key, value in action.model_dump(exclude={"type"}).items() if value is not None}
    branches = values.get("branches") or ()
    blocks = [*values.get("blocks", ()), *_drop_faces(values), *values.get("castle", ())]
    blocks += [face for leg in branches for face in (*leg["blocks"], *_drop_faces(leg))]
    blocks += [values["leader"]] if "leader" in values else []
    cards = [*values.get("cards", ()), *(values[key] for key in ("card", "force") if key in values)]
    places = [values[key] for key in ("at", "to", "from", "origin") if key in values]
    places += [*values.get("path", ()), *(values.get("drop") or ())]
    places += [place for leg in branches for place in (leg["from"], *leg["path"], *(leg["drop"] or ()))]
    for names, allowed, what in (
        (blocks, BLOCK_ORDER, "block"),
        (cards, _CARDS, "card"),
        (places, PLACES, "place"),
        (values.get("disks", ()), DISKS, "disk"),
    ):
        for name in names:
            if name not in allowed:
                raise bad(f"no-such-{what}", name)


def _drop_faces(values: dict[str, Json]) -> list[str]:
    return [face for faces in (values.get("drop") or {}).values() for face in faces]


def with_mode(text: str) -> tuple[model.Move | None, Action]:
    """An action; of orders for a movement phase, the mode that is paid for and what they end with.

    Raises `bad-action`, for other orders too.
    """
    if not text.startswith(f"{ORDERS} "):
        return None, parse(text)
    mode, *rest = [parse(part) for part in text.removeprefix(f"{ORDERS} ").split(SEPARATOR)]
    if not isinstance(mode, model.Move) or not rest:
        raise bad("unreadable", text)
    return mode, rest[-1]


@lru_cache(maxsize=128)  # of each that is done it is asked three times
def parse(text: str) -> Action:
    """The action of a text. Raises `bad-action`."""
    words = spread(text)
    if not words or len(words) > MOST_WORDS:
        raise bad("unreadable", text)
    read = _READERS.get(words[0])
    if read is None:
        raise bad("unknown-word", words[0])
    try:
        return from_json(read(words))
    except (IndexError, ValueError):
        raise bad("march" if words[0] == "march" else "unreadable", text) from None


def spread(text: str) -> list[str]:
    """The words and signs of a text."""
    return _SIGNS.sub(r" \1 ", text.casefold()).split()


def _plain(words: list[str]) -> Json:
    if len(words) > 1:
        raise ValueError(words)
    return {"type": words[0]}


def _one(key: str, **more: Json) -> Callable[[list[str]], Json]:
    def read(words: list[str]) -> Json:
        word, value = words
        return {"type": word, key: value, **more}

    return read


def _discard(words: list[str]) -> Json:
    return {"type": "discard", "cards": words[1:]}


def _move(words: list[str]) -> Json:
    return {"type": "move", "mode": words[1], "cards": words[2:]}


def _muster(words: list[str]) -> Json:
    shown = "shown" in words
    if shown:
        words.remove("shown")
    return {"type": "muster", "to": words[1], "blocks": words[2:], "shown": shown}


def _mori(words: list[str]) -> Json:
    split = words.index("=")
    return {"type": "mori", "cards": words[1:split], "blocks": words[split + 1 :]}


def _castle(words: list[str]) -> Json:
    return {"type": "castle", "inside": _plain(words)["type"] == "inside"}


def _deploy(words: list[str]) -> Json:
    if "with" not in words:
        return {"type": "deploy", "card": None, "blocks": words[1:]}
    split = words.index("with")
    card, *blocks = words[split + 1 :]
    return {"type": "deploy", "card": card, "blocks": [*words[1:split], *blocks]}


def _standing(words: list[str]) -> Json:
    word, answer, *at = words
    if len(at) > 1:
        raise ValueError(words)
    return {"type": word, "answer": answer, "at": at[0] if at else None}


def _lose(words: list[str]) -> Json:
    units = words[1:]
    return {
        "type": "lose",
        "blocks": [unit for unit in units if unit not in DISKS],
        "disks": [unit for unit in units if unit in DISKS],
    }


def _retreat(words: list[str]) -> Json:
    split = words.index("castle") if "castle" in words else len(words)
    before, inside = words[1:split], [word for word in words[split + 1 :] if word not in PLACES]
    to = [*before, *(word for word in words[split + 1 :] if word in PLACES)]
    if len(to) > 1 or not (to or inside) or (split < len(words) and not inside):
        raise ValueError(words)
    return {"type": "retreat", "to": to[0] if to else None, "castle": inside}


def _march(words: list[str]) -> Json:
    words = _DROP.sub(r"\1 -", " ".join(words)).replace(" - ", " -").split()
    more: dict[str, Json] = {}
    for key in ("leader", "force"):
        if key in words:
            at = words.index(key)
            more[key] = words[at + 1]
            del words[at : at + 2]
    legs = [_leg(leg) for leg in split(words[1:], "/")]
    action = {"type": "march", **legs[0], **more}
    return {**action, "branches": legs[1:]} if len(legs) > 1 else action


def _leg(words: list[str]) -> dict[str, Json]:
    """A path of a march: `kyoto ukita2 ukita3 > minakuchi -ukita3 > kuwana`."""
    start, *stops = split(words, ">")
    if not stops:
        raise ValueError(words)
    leg: dict[str, Json] = {"from": start[0], "blocks": start[1:], "path": [stop[0] for stop in stops]}
    drop = {stop[0]: [_dropped(word) for word in stop[1:]] for stop in stops if len(stop) > 1}
    return {**leg, "drop": drop} if drop else leg


def split(words: list[str], at: str) -> list[list[str]]:
    """The words between these signs."""
    groups: list[list[str]] = [[]]
    for word in words:
        if word == at:
            groups.append([])
        else:
            groups[-1].append(word)
    return groups


def _dropped(word: str) -> str:
    if not word.startswith("-"):
        raise ValueError(word)
    return word[1:]


_READERS: dict[str, Callable[[list[str]], Json]] = {
    "discard": _discard,
    "bid": _one("card"),
    "first": _one("side"),
    "move": _move,
    "march": _march,
    "muster": _muster,
    "mori": _mori,
    "combat": _one("at"),
    "inside": _castle,
    "outside": _castle,
    "deploy": _deploy,
    "show": _one("card"),
    "lose": _lose,
    "retreat": _retreat,
    "standing": _standing,
    **dict.fromkeys(("end", "done", "challenge", "accept", "concede", "resign"), _plain),
}


def text(action: Action) -> str:
    """An action in canonical notation."""
    match action:
        case model.Discard(cards=cards):
            return _words("discard", *cards)
        case model.Bid(card=card) | model.Show(card=card):
            return _words(action.type, card)
        case model.First(side=side):
            return _words("first", side)
        case model.Move(mode=mode, cards=cards):
            return _words("move", mode, *cards)
        case model.March():
            legs = [(leg.origin, leg.blocks, leg.path, leg.drop) for leg in action.legs]
            return march_text(legs, leader=action.leader, force=action.force)
        case model.Muster(to=to, blocks=blocks, shown=shown):
            return _words("muster", to, *block_order(blocks), *(["shown"] if shown else []))
        case model.Mori(cards=cards, blocks=blocks):
            return _words("mori", *cards, "=", *block_order(blocks))
        case model.Combat(at=at):
            return _words("combat", at)
        case model.Castle():
            return "inside" if action.inside else "outside"
        case model.Deploy(card=card, blocks=blocks):
            return _words("deploy", *block_order(blocks), *(["with", card] if card else []))
        case model.Lose(blocks=blocks, disks=disks):
            return _words("lose", *block_order(blocks), *sorted(disks))
        case model.Retreat(to=to, castle=castle):
            inside = ["castle", *block_order(castle)] if castle else []
            return _words("retreat", *([to] if to else []), *inside)
        case model.Stand(answer=answer, at=at):
            return _words("standing", answer, *([at] if at else []))
        case _:
            return action.type


def march_text(legs: Iterable[Leg], *, leader: str | None, force: str | None) -> str:
    """A march of these values in canonical notation: the stack's own path, then those of its branches."""
    main, *branches = (_leg_words(*leg) for leg in legs)
    words = ["march", *main]
    words += ["leader", leader] if leader else []
    words += ["force", force] if force else []
    for leg in branches:
        words += ["/", *leg]
    return _words(*words)


def _leg_words(origin: str, blocks: Words, path: Words, drop: Mapping[str, Words] | None) -> list[str]:
    words = [origin, *block_order(blocks)]
    for place in path:
        words += [">", place, *(f"-{face}" for face in block_order((drop or {}).get(place, ())))]
    return words


def _words(*words: str) -> str:
    return " ".join(words)
