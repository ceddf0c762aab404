"""Sekigahara's actions in words: a march by its ends, who is shown, what is spent, who stays on the way."""

from __future__ import annotations

from collections.abc import Iterator

from engines.capabilities import SEPARATOR
from engines.protocol import Action, Json, RulesError, Seen
from engines.sekigahara import model, notation, orders
from engines.sekigahara.data import block_order
from engines.sekigahara.model import SekigaharaView


def spoken(view: SekigaharaView, text: str) -> tuple[Seen, ...]:
    """The phrases that say an action, or orders; () for a spectator or for what is none."""
    if view.viewer is None:
        return ()
    text = text.strip()
    if text == orders.WORD:
        return (_seen("no-orders"),)
    parts = text.removeprefix(f"{orders.WORD} ").split(SEPARATOR)
    try:
        laid = [notation.parse(part) for part in parts]
    except RulesError:
        return ()
    return tuple(phrase for action in laid for phrase in phrases(view, action))


def _seen(code: str, /, **params: Json) -> Seen:
    return Seen(code=code, params=params)


def phrases(view: SekigaharaView, action: Action) -> Iterator[Seen]:
    """The phrases of one action."""
    match action:
        case model.Discard(cards=()):
            yield _seen("exchange-none")
        case model.Discard(cards=cards):
            yield _seen("exchange" if view.phase == "march" else "discard", cards=list(cards))
        case model.Bid(card=card) | model.Show(card=card):
            yield _seen(action.type, card=card)
        case model.First(side=side):
            yield _seen("first", side=side)
        case model.Move(mode=mode, cards=()):
            yield _seen(f"move-{mode}")
        case model.Move(mode=mode, cards=cards):
            yield _seen(f"move-{mode}")
            yield _seen("spent", cards=list(cards))
        case model.March():
            yield from _march(action)
        case model.Muster(to=to, blocks=blocks, shown=shown):
            yield _seen("muster-shown" if shown else "muster", to=to, blocks=list(block_order(blocks)))
        case model.Mori(cards=cards, blocks=blocks):
            yield _seen("mori", blocks=list(block_order(blocks)))
            yield _seen("spent", cards=list(cards))
        case model.Combat(at=at):
            yield _seen("combat", at=at)
        case model.Castle(inside=inside):
            yield _seen("inside" if inside else "outside")
        case model.Deploy(card=None, blocks=blocks):
            yield _seen("deploy-free", blocks=list(block_order(blocks)))
        case model.Deploy(card=card, blocks=blocks):
            yield _seen("deploy", blocks=list(block_order(blocks)), card=card)
        case model.Lose(blocks=blocks, disks=disks):
            yield _seen("lose", units=[*block_order(blocks), *sorted(disks)])
        case model.Retreat(to=to, castle=castle):
            if to is not None:
                yield _seen("retreat", to=to)
            if castle:
                yield _seen("into-castle", blocks=list(block_order(castle)))
        case model.Stand(answer=answer, at=None):
            yield _seen(f"standing-{answer}")
        case model.Stand(answer=answer, at=at):
            yield _seen("stay" if answer == "inside" else "unstay", at=at)
        case _:
            yield _seen(action.type)


def _march(march: model.March) -> Iterator[Seen]:
    """The stack's own way, then what it shows and spends, then who goes another way (7.3.1)."""
    own, *branches = march.legs
    yield _seen("march", origin=own.origin, to=own.path[-1], blocks=len(own.blocks))
    if own.path[:-1]:
        yield _seen("by-way-of", places=list(own.path[:-1]))
    if march.leader is not None:
        yield _seen("leader", leader=march.leader)
    if march.force is not None:
        yield _seen("spent", cards=[march.force])
    for place, faces in (own.drop or {}).items():
        yield _seen("stays", at=place, blocks=list(block_order(faces)))
    for leg in branches:
        yield _seen("onward", origin=leg.origin, to=leg.path[-1], blocks=list(block_order(leg.blocks)))
        for place, faces in (leg.drop or {}).items():
            yield _seen("stays", at=place, blocks=list(block_order(faces)))
