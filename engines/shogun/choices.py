"""The guided panel: one question after another up to the action to confirm."""

from __future__ import annotations

from collections.abc import Sequence

from engines.protocol import Choice, Json, Prompt, Ready, RulesError, Seat
from engines.shogun.data import BUILDINGS, CHEST_CARDS, COST, PLACES
from engines.shogun.flow import open_card, options
from engines.shogun.model import (
    Battle,
    ChooseSpecial,
    DraftCard,
    Move,
    Place,
    Plan,
    PlanCards,
    Redraw,
    Revolts,
    ShogunAction,
    ShogunState,
    ShogunView,
    Stay,
)
from engines.shogun.notation import NAMES, format_action
from engines.shogun.odds import battle_odds
from engines.shogun.planning import bid_cost, cards_for
from engines.shogun.rules import undrafted
from engines.shogun.sight import see

NO_CARD = "none"


def prompt(state: ShogunState, seat: Seat, path: Sequence[str]) -> Prompt | Ready:
    """The next question after the picks of `path`. Raises RulesError `stale-path`, `not-your-turn`."""
    if state.phase == "plan" and seat not in state.passive and 0 <= seat < len(state.players):
        return _plan(state, seat, path)
    if state.turn != seat or state.phase == "over":
        raise RulesError("not-your-turn", turn=state.turn)
    actions = list(options(state))
    if state.phase == "winter":
        return _revolts(state, actions, path)
    if state.phase == "special":
        return _specials(state, actions, path)
    if state.phase == "draft":
        return _draft(state, actions, path)
    return _march(state, actions, path)


def _picked(path: Sequence[str], place: int, allowed: Sequence[str]) -> str:
    if path[place] not in allowed:
        raise RulesError("stale-path")
    return path[place]


def _ended(path: Sequence[str], length: int, action: ShogunAction) -> Ready:
    if len(path) > length:
        raise RulesError("stale-path")
    return Ready(action=format_action(action))


# -- planning: one space after another ---------------------------------------------------------


def _plan(state: ShogunState, seat: Seat, path: Sequence[str]) -> Prompt | Ready:
    own = [name for name, province in state.provinces.items() if province.owner == seat]
    chests = state.players[seat].chests
    plan: Plan = {}
    for place, space in enumerate(PLACES):
        cards = cards_for(plan, space, PLACES[place + 1 :], own, chests)
        if place >= len(path):
            return _space(state, space, cards, place)
        key = _picked(path, place, [_key(card) for card in cards])
        if key != NO_CARD:
            plan[space] = NAMES[key]
    return _ended(path, len(PLACES), PlanCards.model_validate(plan))


def _key(card: str | None) -> str:
    return NO_CARD if card is None else card.casefold()


def _space(state: ShogunState, space: str, cards: Sequence[str | None], place: int) -> Prompt:
    cost = COST.get(space, 0)
    return Prompt(
        code="space",
        params={"space": space, "number": place + 1, "of": len(PLACES), "cost": cost},
        choices=tuple(_card(state, space, card) for card in cards),
    )


def _card(state: ShogunState, space: str, card: str | None) -> Choice:
    if card is None:
        return Choice(key=NO_CARD, code="no-card")
    if card in CHEST_CARDS:
        code = "bid-chests" if space == "bid" else "chest-card"
        return Choice(key=card, code=code, params={"card": card, "chests": bid_cost(card)})
    province = state.provinces[card]
    params = {"province": card, "armies": province.armies, "unrest": province.unrest}
    built = [kind for kind in BUILDINGS if getattr(province, kind)]
    return Choice(key=card.casefold(), code="own-province", params={**params, "built": built}, marks=(card,))


# -- the other decisions -----------------------------------------------------------------------


def _specials(state: ShogunState, actions: Sequence[ShogunAction], path: Sequence[str]) -> Prompt | Ready:
    free = {a.special.replace("+", "_"): a for a in actions if isinstance(a, ChooseSpecial)}
    if path:
        return _ended(path, 1, free[_picked(path, 0, list(free))])
    return Prompt(
        code="special",
        choices=tuple(
            Choice(
                key=key,
                code="special",
                params={"special": action.special, "space": state.specials.index(action.special) + 1},
            )
            for key, action in sorted(free.items(), key=lambda item: state.specials.index(item[1].special))
        ),
    )


def _march(state: ShogunState, actions: Sequence[ShogunAction], path: Sequence[str]) -> Prompt | Ready:
    source = open_card(state)
    view, most = see(state, state.turn), state.provinces[source].armies - 1
    steps = [a for a in actions if isinstance(a, Battle | Move)]
    targets = {name.casefold(): name for name in dict.fromkeys(step.to for step in steps)}
    stay = [a for a in actions if isinstance(a, Stay)]
    params: dict[str, Json] = {"source": source, "armies": most + 1}
    if not path:
        choices = [_target(view, name, most) for name in targets.values()]
        choices += [Choice(key="stay", code="stay", style="plain") for _ in stay]
        params["most"] = most
        return Prompt(code=state.pending or "battle", params=params, choices=tuple(choices))
    key = _picked(path, 0, [*targets, *("stay" for _ in stay)])
    if key == "stay":
        return _ended(path, 1, stay[0])
    target = targets[key]
    counts = {str(step.armies): step for step in steps if step.to == target}
    if len(path) > 1:
        return _ended(path, 2, counts[_picked(path, 1, list(counts))])
    return Prompt(
        code="armies",
        params={**params, "province": target},
        choices=tuple(_count(view, target, int(n), source) for n in reversed(counts)),
    )


def _count(view: ShogunView, target: str, armies: int, source: str) -> Choice:
    """So many armies, in a battle with the odds."""
    params = {"armies": armies, **_odds(view, target, armies)}
    code = "armies-odds" if "win" in params else "armies"
    return Choice(key=str(armies), code=code, params=params, marks=(source, target))


def _target(view: ShogunView, name: str, most: int) -> Choice:
    """Where to: what stands there, and the odds of sending as many as may go."""
    province = view.provinces[name]
    params: dict[str, Json] = {"province": name, **_odds(view, name, most)}
    if province.owner is None:
        return Choice(key=name.casefold(), code="target-neutral", params=params, marks=(name,))
    params |= {"owner": province.owner, "armies": province.armies}
    code = "target-own" if province.owner == view.turn else "target"
    return Choice(key=name.casefold(), code=code, params=params, marks=(name,))


def _odds(view: ShogunView, target: str, armies: int) -> dict[str, int]:
    """Winning, losing and a tie in 100 battles; empty for a move between own provinces."""
    if view.turn is None or view.provinces[target].owner == view.turn:
        return {}
    odds = battle_odds(view, view.turn, target, armies)
    win, lose = round(100 * odds.win), round(100 * odds.lose)
    return {"win": win, "tie": 100 - win - lose, "lose": lose}


def _draft(state: ShogunState, actions: Sequence[ShogunAction], path: Sequence[str]) -> Prompt | Ready:
    draft = state.draft
    if draft is None:
        raise RulesError("stale-path")
    if draft.drawn is not None:
        sizes = {str(a.armies): a for a in actions if isinstance(a, Place)}
        if path:
            return _ended(path, 1, sizes[_picked(path, 0, list(sizes))])
        return _groups(draft.drawn, list(sizes))
    cards = list(dict.fromkeys(a.card for a in actions if isinstance(a, DraftCard) and a.card))
    others = {"pile": DraftCard(card=None)} if undrafted(draft) else {}
    again = {"redraw": Redraw()} if Redraw() in actions else {}
    if not path:
        choices = [Choice(key=c.casefold(), code="draft", params={"province": c}, marks=(c,)) for c in cards]
        choices += [Choice(key=key, code=f"draft-{key}") for key in (*others, *again)]
        return Prompt(
            code="draft", params={"groups": list(draft.groups[state.turn or 0])}, choices=tuple(choices)
        )
    key = _picked(path, 0, [*(c.casefold() for c in cards), *others, *again])
    if key in others or key in again:
        return _ended(path, 1, others.get(key) or again[key])
    card = NAMES[key]
    taking = {str(a.armies): a for a in actions if isinstance(a, DraftCard) and a.card == card}
    if len(path) > 1:
        return _ended(path, 2, taking[_picked(path, 1, list(taking))])
    return _groups(card, list(taking))


def _groups(card: str, sizes: Sequence[str]) -> Prompt:
    choices = (Choice(key=n, code="group", params={"armies": int(n)}, marks=(card,)) for n in sizes)
    return Prompt(code="group", params={"province": card}, choices=tuple(choices))


def _revolts(state: ShogunState, actions: Sequence[ShogunAction], path: Sequence[str]) -> Prompt | Ready:
    """One province after another; the last follows by itself."""
    drawn = list(state.winter.revolts) if state.winter else []
    for place in range(len(drawn) - 1):
        chosen = [NAMES[key] for key in path[:place]]
        left = {name.casefold(): name for name in drawn if name not in chosen}
        if place >= len(path):
            choices = (
                Choice(
                    key=key,
                    code="revolt",
                    params={"province": name, "armies": state.provinces[name].armies},
                    marks=(name,),
                )
                for key, name in left.items()
            )
            return Prompt(code="revolt", params={"number": place + 1}, choices=tuple(choices))
        _picked(path, place, list(left))
    first = [NAMES[key] for key in path[: len(drawn) - 1]]
    order = (*first, *(name for name in drawn if name not in first))
    action = next(a for a in actions if isinstance(a, Revolts) and a.provinces == order)
    return _ended(path, len(drawn) - 1, action)
