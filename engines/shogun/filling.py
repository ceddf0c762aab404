"""Filling the rest of an order sheet so that nothing new in it has to be warned of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engines.shogun.data import ACTIONS, CHEST_CARDS, PLACES
from engines.shogun.forecast import armies_short, chests_short, forecast
from engines.shogun.model import Plan, ShogunView
from engines.shogun.planning import bid_cost, cards_due, empty_spaces

MOST_TRIED = 4000  # entries looked at before the best plan so far is taken


def safely_filled(view: ShogunView, plan: Mapping[str, str], own: Sequence[str]) -> Plan:
    """The plan with a bid, chest cards, and provinces where nothing new has to be warned of.

    Complete where there is such a plan; else as far as it goes, the rest is left to the player.
    """
    due = cards_due(len(own))
    whole = with_bid(view, plan, own) if len(plan) < due else dict(plan)
    chests = [card for card in reversed(CHEST_CARDS) if card not in whole.values()]
    empty = [space for space in empty_spaces(whole) if space != "bid"]
    search = Search(view, whole, [name for name in own if name not in whole.values()])
    found = search.best(empty, due - len(whole) - len(chests))
    if "bid" not in found:
        due -= 1  # a whole plan without a bid would be warned of
    left = [space for space in empty if space not in found]
    found.update(zip(left, chests[: max(due - len(found), 0)], strict=False))
    return {space: found[space] for space in PLACES if space in found}


def with_bid(view: ShogunView, plan: Mapping[str, str], own: Sequence[str]) -> Plan:
    """The plan with a bid that makes nothing run short: a cheap chest card, else a province, else none."""
    short, chests = missing(view, plan), view.players[view.viewer or 0].chests
    for card in (*CHEST_CARDS, *own):
        if "bid" in plan or card in plan.values() or bid_cost(card) > chests:
            continue
        more = {**plan, "bid": card}
        if no_worse(missing(view, more), short):
            return more
    return dict(plan)


def missing(view: ShogunView, plan: Mapping[str, str]) -> dict[str, int]:
    """By action, how many chests and armies will be short."""
    chests, armies = chests_short(view, plan), armies_short(view, plan)
    return {at: chests.get(at, 0) + (armies[at][1] if at in armies else 0) for at in {*chests, *armies}}


def no_worse(now: Mapping[str, int], before: Mapping[str, int]) -> bool:
    """Whether nothing runs shorter than before."""
    return all(before.get(at, 0) >= short for at, short in now.items())


class Search:
    """Provinces laid on action spaces, one by one, each with no doubt that the plan had not before."""

    def __init__(self, view: ShogunView, plan: Plan, hand: Sequence[str]) -> None:
        self.view, self.plan, self.tried = view, plan, 0
        self.fit = {
            space: [name for name in hand if not forecast(view, space, name).warns]
            for space in ACTIONS
            if space not in plan
        }
        self.short = missing(view, plan)

    def best(self, spaces: Sequence[str], wanted: int) -> Plan:
        """The plan with `wanted` provinces more, or as many as it was possible to lay."""
        found = dict(self.plan)
        if wanted > 0:
            for plan in self.longer(dict(self.plan), list(spaces), wanted):
                if len(plan) > len(found):
                    found = plan
                if len(found) == len(self.plan) + wanted or self.tried > MOST_TRIED:
                    break
        return found

    def longer(self, plan: Plan, spaces: list[str], wanted: int) -> Iterator[Plan]:
        """Ever longer plans, depth first."""
        yield plan
        if not wanted:
            return
        for number, space in enumerate(spaces):
            for card in self.fit[space]:
                if card in plan.values():
                    continue
                self.tried += 1
                if self.tried > MOST_TRIED:
                    return
                more = {**plan, space: card}
                if no_worse(missing(self.view, more), self.short):
                    yield from self.longer(more, spaces[number + 1 :], wanted - 1)
