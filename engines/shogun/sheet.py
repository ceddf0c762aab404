"""The order sheet: a plan that grows entry by entry before it is sent, as text `plan castle=musashi ...`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import dropwhile

from engines.capabilities import Begun, Edit
from engines.protocol import Json, RulesError, Seat, Seen, printable
from engines.shogun.data import CHEST_CARDS, PLACES, PROVINCES
from engines.shogun.filling import safely_filled
from engines.shogun.forecast import troubles
from engines.shogun.model import Plan, PlanCards, ShogunState, ShogunView
from engines.shogun.notation import NAMES, format_action, parse_action, words_of
from engines.shogun.planning import bid_cost, cards_due, check_plan, filled
from engines.shogun.sight import see

MOST_TEXT = 100  # characters of a completion
NO_CARD = "none"  # takes a card off its space
AGAIN = "again"  # lays what was sent the round before
WORDS = ("ready", "fill", "clear", AGAIN)
PLANNING = frozenset({"plan", "resign"})  # actions while players plan, by their type
CARDS = frozenset({*PROVINCES, *CHEST_CARDS})


def begun(state: ShogunState, seat: Seat) -> Begun | None:
    """The sheet that a seat begins with: the plan it has sent, or an empty one. None outside planning."""
    if state.phase != "plan" or seat in state.passive or not 0 <= seat < len(state.players):
        return None
    return Begun(round=f"{state.year} {state.season}", text=written(state.players[seat].plan or {}))


def written(plan: Mapping[str, str]) -> str:
    """A sheet as text, in the order of the spaces; `plan` alone is an empty one."""
    return format_action(PlanCards.model_validate(dict(plan)))


def laid(draft: str) -> Plan:
    """The cards of a sheet. Raises RulesError `bad-action` where it is none."""
    action = parse_action(draft)
    if not isinstance(action, PlanCards):
        raise RulesError("bad-action", why="unreadable", text=printable(draft))
    return action.cards


def edit(state: ShogunState, seat: Seat, draft: str, text: str) -> Edit | None:
    """What a text makes of the sheet; None where it is no edit but another action.

    Raises RulesError `unknown-name`, `not-your-card`, `card-twice`, `space-twice`, `bid-too-high`,
    `cannot-fill`, `cannot-fill-safely`, and for `plan ready` and a whole plan those of `check_plan`.
    """
    head, *words = words_of(text) or [""]
    if begun(state, seat) is None or head != "plan":
        return None
    own, chests, plan = owned(state, seat), state.players[seat].chests, laid(draft)
    if words == ["ready"]:
        return sent(state, seat, plan, own)
    if words == ["clear"]:
        return Edit(draft=written({}))
    if words == ["fill"]:
        if filled(plan, own, chests) is None:
            raise RulesError("cannot-fill", chests=chests)
        whole = safely_filled(see(state, seat), plan, own)
        if len(whole) == len(plan) < cards_due(len(own)):
            raise RulesError("cannot-fill-safely", n=cards_due(len(own)) - len(plan))
        return Edit(draft=written(whole))
    entries = read_entries(words)
    if NO_CARD not in entries.values() and len(entries) == cards_due(len(own)):
        return sent(state, seat, entries, own)  # a whole plan, in place of the draft
    return Edit(draft=written(changed(plan, entries, own, chests)))


def sent(state: ShogunState, seat: Seat, plan: Mapping[str, str], own: Sequence[str]) -> Edit:
    """A plan that is to be sent, doubtful where something in it may not work. Raises as `check_plan`."""
    check_plan(dict(plan), own, state.players[seat].chests)
    text = written(plan)
    return Edit(draft=text, send=text, doubtful=bool(troubles(see(state, seat), plan)))


def owned(state: ShogunState, seat: Seat) -> list[str]:
    """The provinces of a seat, in the order of the data."""
    return [name for name in PROVINCES if name in state.provinces and state.provinces[name].owner == seat]


def asks_again(text: str) -> bool:
    """Whether a text asks for the plan of the round before."""
    return words_of(text) == ["plan", AGAIN]


def first_round(state: ShogunState | ShogunView) -> bool:
    """Whether no plan was carried out yet."""
    return (state.year, state.season) == (1, "spring")


def again(state: ShogunState, seat: Seat, draft: str, done: Sequence[tuple[Seat, Json]]) -> Edit:
    """The sheet with what the seat sent the round before, where a space is empty and the card not laid.

    Raises RulesError `no-plan-before`.
    """
    before = sent_before(seat, done)
    if begun(state, seat) is None or not before:
        raise RulesError("no-plan-before")
    plan, lacking = laid(draft), list[Seen]()
    for space, card in before.items():
        if space in plan or card in plan.values():
            continue
        fault = hindrance(state, seat, space, card)
        if fault is None:
            plan[space] = card
        else:
            lacking.append(fault)
    return Edit(draft=written(plan), lacking=tuple(lacking))


def sent_before(seat: Seat, done: Sequence[tuple[Seat, Json]]) -> Plan:
    """The plan that a seat sent the round before: its last one but for those of this planning."""
    newest = reversed([(who, action) for who, action in done if isinstance(action, dict)])
    earlier = dropwhile(lambda entry: entry[1].get("type") in PLANNING, newest)
    sent = (action for who, action in earlier if who == seat and action.get("type") == "plan")
    last = next(sent, None)
    return {} if last is None else PlanCards.model_validate(last).cards


def hindrance(state: ShogunState, seat: Seat, space: str, card: str) -> Seen | None:
    """Why a card cannot be laid on its space any more, None where it can."""
    if space == "bid" and bid_cost(card) > state.players[seat].chests:
        return Seen(code="too-dear", params={"bid": bid_cost(card), "chests": state.players[seat].chests})
    if card not in CHEST_CARDS and card not in owned(state, seat):
        return Seen(code="not-yours", params={"space": space, "card": card})
    return None


def read_entries(words: Sequence[str]) -> dict[str, str]:
    """Entries `space=card` by space, with `none` where the space is to be cleared."""
    if not words:
        raise RulesError("bad-action", why="unreadable", text="plan")
    entries: dict[str, str] = {}
    for word in words:
        space, equals, card = word.partition("=")
        if not equals and space in WORDS:
            raise RulesError("plan-word-alone", word=space)
        if not equals or space not in PLACES:
            raise RulesError("unknown-name", name=printable(space))
        if space in entries:
            raise RulesError("space-twice", space=space)
        if card not in ("", NO_CARD) and NAMES.get(card) not in CARDS:
            raise RulesError("unknown-name", name=printable(card))
        entries[space] = NO_CARD if card in ("", NO_CARD) else NAMES[card]
    return entries


def changed(plan: Mapping[str, str], entries: Mapping[str, str], own: Sequence[str], chests: int) -> Plan:
    """The plan with these entries; a card that lay on another space moves."""
    cards = [card for card in entries.values() if card != NO_CARD]
    for space, card in entries.items():
        if card != NO_CARD and card not in CHEST_CARDS and card not in own:
            raise RulesError("not-your-card", space=space, card=card)
        if cards.count(card) > 1:
            raise RulesError("card-twice", card=card)
    bid = entries.get("bid")
    if bid_cost(bid) > chests:
        raise RulesError("bid-too-high", bid=bid_cost(bid), chests=chests)
    kept = {space: card for space, card in plan.items() if card not in cards and space not in entries}
    return {**kept, **{space: card for space, card in entries.items() if card != NO_CARD}}


# -- completions ---------------------------------------------------------------------------------


def complete(text: str, state: ShogunState, seat: Seat, draft: str) -> list[str]:
    """Edits of at most 100 characters that continue `text`: entries for the empty spaces, and the words."""
    words = words_of(text)
    if words and not "plan".startswith(words[0]):
        return []
    words = words[1:]
    rest = "" if not words or _whole(words[-1]) else words.pop()
    try:
        entries = read_entries(words) if words else {}
        plan = changed(laid(draft), entries, owned(state, seat), state.players[seat].chests)
    except RulesError:
        return []  # what cannot be read has no continuation; the command itself says why
    begin = " ".join(("plan", *words))
    offers = list(_words(plan, state, seat)) if not words else []
    offers += _entries(plan, rest, state, seat)
    found = [f"{begin} {offer}" for offer in offers if offer.startswith(rest)]
    found = found or [f"{begin} {offer}" for offer in offers if rest in offer]
    if words and not rest:
        found.insert(0, begin)
    return [offer for offer in found if len(offer) <= MOST_TEXT]


def _whole(word: str) -> bool:
    space, equals, card = word.partition("=")
    return bool(equals) and space in PLACES and (card == NO_CARD or NAMES.get(card) in CARDS)


def _words(plan: Plan, state: ShogunState, seat: Seat) -> Iterator[str]:
    """`ready` where the plan is complete, else `fill` where it can be filled."""
    own, chests = owned(state, seat), state.players[seat].chests
    whole = filled(plan, own, chests)
    if whole == plan:
        yield "ready"
    elif whole is not None:
        yield "fill"
    if whole != plan and not first_round(state):
        yield AGAIN
    if plan:
        yield "clear"


def _entries(plan: Plan, rest: str, state: ShogunState, seat: Seat) -> Iterator[str]:
    """Entries for the space begun in `rest`, else for the first empty ones."""
    named = rest.partition("=")[0]
    spaces = [named] if named in PLACES else [space for space in PLACES if space not in plan]
    hand = [card for card in (*owned(state, seat), *CHEST_CARDS) if card not in plan.values()]
    for space in spaces:
        for card in hand:
            if space != "bid" or bid_cost(card) <= state.players[seat].chests:
                yield f"{space}={card.casefold()}"
        if space in plan:
            yield f"{space}={NO_CARD}"
