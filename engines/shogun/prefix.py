"""Plans by prefix: the set of all plans is too large to list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.protocol import RulesError
from engines.shogun.data import PLACES
from engines.shogun.model import Plan, PlanCards
from engines.shogun.notation import NAMES, format_action, words_of
from engines.shogun.planning import cards_for, check_plan, empty_spaces, filled


def read_prefix(text: str) -> tuple[Plan, str]:
    """The entries that are whole, and the beginning of one more. Raises RulesError `bad-action`."""
    words = words_of(text)
    if words and "plan".startswith(words[0]):
        words = words[1:]
    elif words:
        raise RulesError("bad-action", why="unreadable", text=text[:80])
    unfinished = words and not (_whole(words[-1]) and (text[-1:].isspace() or _ended(words[-1])))
    rest = words.pop() if unfinished else ""
    plan: Plan = {}
    for word in words:
        space, _, card = word.partition("=")
        if not _whole(word) or space in plan:
            raise RulesError("bad-action", why="unreadable", text=word[:80])
        plan[space] = NAMES[card]
    return plan, rest


def _whole(word: str) -> bool:
    space, _, card = word.partition("=")
    return space in PLACES and card in NAMES


def _ended(word: str) -> bool:
    """Whether no other card's name goes on from this entry's, as Izumo does from Izu."""
    card = word.partition("=")[2]
    return not any(name.startswith(card) and name != card for name in NAMES)


def next_entries(plan: Plan, rest: str, own: Sequence[str], chests: int) -> Iterator[tuple[str, str]]:
    """Space and card of each entry that may come next.

    Without `rest` for the next empty space; else the entries that begin with it, or hold it.
    """
    empty = empty_spaces(plan)
    entries: list[tuple[str, str]] = []
    for space in empty:
        others = [other for other in empty if other != space]
        cards = [card for card in cards_for(plan, space, others, own, chests) if card is not None]
        entries += [(space, card) for card in cards]
        if cards and not rest:
            break
    begun = [entry for entry in entries if _text(*entry).startswith(rest)]
    yield from begun or [entry for entry in entries if rest in _text(*entry)]


def _text(space: str, card: str) -> str:
    return f"{space}={card.casefold()}"


def plans_after(prefix: str, own: Sequence[str], chests: int) -> list[PlanCards]:
    """Whole legal plans, one for each entry that may follow the prefix; none for a bad prefix.

    Those that go on where the prefix ends, where there are such: others fill a space it left empty.
    """
    try:
        plan, rest = read_prefix(prefix)
    except RulesError:
        return []
    if not rest and _is_legal(plan, own, chests):
        return [PlanCards.model_validate(plan)]
    longer = ({**plan, space: card} for space, card in next_entries(plan, rest, own, chests))
    whole = (filled(begun, own, chests) for begun in longer)
    plans = [PlanCards.model_validate(cards) for cards in whole if cards is not None]
    begun = " ".join(words_of(prefix))
    return [plan for plan in plans if format_action(plan).startswith(begun)] or plans


def _is_legal(plan: Plan, own: Sequence[str], chests: int) -> bool:
    try:
        check_plan(plan, own, chests)
    except RulesError:
        return False
    return True
