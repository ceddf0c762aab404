"""Looking ahead: a decision is tried in imagined worlds, and what does best on the average is done.

A world is what the seat cannot see: the others' plans (by quick plans, blurred), the event, the hidden
actions, who wins ties. All trials of a decision meet the same worlds. The budget is a number of trials.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engines.chance import Chance
from engines.protocol import Seat
from engines.shogun.data import ACTIONS, CHEST_CARDS, PROVINCES, RANK
from engines.shogun.field import (
    BATTLE_A,
    FIVE,
    HARVEST,
    NOTHING,
    TAX,
    Field,
    Plans,
    Where,
    field_of,
    kind_of,
    loss_of,
)
from engines.shogun.model import Battle, Move, Plan, ShogunView, Stay
from engines.shogun.odds import Ending, endings
from engines.shogun.planning import bid_rank, cards_due
from engines.shogun.rules import battle_actions, move_actions
from engines.shogun.worth import Worth, clock, planning, quick_plan

ROUNDS = {"spring": 2, "summer": 1, "autumn": 0, "winter": 0}  # to come in the year after this one
MIDDLE_LOSS = 3.3  # rice that a winter takes in the middle
ENVY = 0.25  # how much of a rival's gain counts against one's own
MARCHES = 8  # marches that are played out in autumn, in so many worlds
WINTERS = 30
BLUR = 0.7  # points that another's values are blurred by


class World(NamedTuple):
    """What one trial imagines."""

    seed: int
    event: str
    loss: int
    actions: tuple[int, ...]
    plans: tuple[tuple[int, ...], ...]
    bids: tuple[str | None, ...]
    ties: tuple[int, ...]


class Draft(NamedTuple):
    """A plan being tried: provinces by action, and the bid card."""

    places: tuple[int, ...]
    bid: str | None


class Thinker:
    """One decision of a seat."""

    def __init__(self, view: ShogunView, seat: Seat, chance: Chance) -> None:
        self.view = view
        self.seat = seat
        rounds = ROUNDS[view.season]
        losses = [loss_of(event) for event in view.events] or [0]
        loss = sum(losses) / len(losses)
        self.autumn = rounds == 0
        self.worth = Worth(planning(view.year, rounds, loss))
        after = clock(view.year, rounds, loss)
        if self.autumn:
            after = clock(2, 3, MIDDLE_LOSS) if view.year == 1 else clock(2, 0, 0)._replace(winter=False)
        self.after = Worth(after)
        self.field = field_of(view, self.worth.march)
        self.state = chance.below(1 << 48) | 1
        self.actions = tuple(ACTIONS.index(action) for action in view.actions)
        self.seats = len(view.players)
        self.own = [
            [name for name, owner in enumerate(self.field.owner) if owner == s] for s in range(self.seats)
        ]
        self.passive = [player.passive for player in view.players]
        self.trials = 0
        table = sorted(self.worth.entries(self.field, seat), reverse=True)
        self.suits = [[name for _, act, name in table if act == action] for action in range(10)]

    def bits(self) -> int:
        """48 random bits of this decision's own stream."""
        self.state = state = (self.state * 25214903917 + 11) & ((1 << 48) - 1)
        return ((state >> 17) ^ state * 0x2545F491) & ((1 << 48) - 1)

    def below(self, bound: int) -> int:
        """A number below a bound."""
        return (self.bits() >> 8) % bound

    def shuffled(self, items: Sequence[int]) -> list[int]:
        """The items in random order."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(len(left))]

    # -- worlds -----------------------------------------------------------------------------

    def worlds(self, number: int) -> list[World]:
        """So many worlds that fit what the seat sees."""
        view = self.view
        tables = [self.worth.entries(self.field, seat) for seat in range(self.seats)]
        hidden = [action for action in range(10) if action not in self.actions]
        events = list(view.events)
        found = []
        for _ in range(number):
            event = self.field.event
            losses = [loss_of(e) for e in events] or [0]
            if view.phase == "plan" and events:
                drawn = self.below(len(events))
                event = kind_of(events[drawn])
                losses = [loss_of(e) for place, e in enumerate(events) if place != drawn] or losses
            plans, bids = [], []
            for seat in range(self.seats):
                plan, bid = self.imagined(seat, tables[seat])
                plans.append(plan)
                bids.append(bid)
            found.append(
                World(
                    seed=self.bits(),
                    event=event,
                    loss=losses[self.below(len(losses))],
                    actions=(*self.actions, *self.shuffled(hidden)),
                    plans=tuple(plans),
                    bids=tuple(bids),
                    ties=tuple(self.shuffled(range(self.seats))),
                )
            )
        return found

    def imagined(
        self, seat: Seat, table: Sequence[tuple[float, int, int]]
    ) -> tuple[tuple[int, ...], str | None]:
        """A plan and a bid that a seat may have made; one's own is known after planning."""
        view = self.view
        player = view.players[seat]
        if seat == self.seat and view.phase != "plan":
            return tuple(RANK.get(player.plan.get(a, ""), NOTHING) for a in ACTIONS), player.plan.get("bid")
        if player.passive or (seat == self.seat and view.phase == "plan"):
            return (NOTHING,) * 10, None
        shown = player.plan
        used = {RANK[card] for card in shown.values() if card in RANK}
        done = {ACTIONS.index(space) for space in shown if space != "bid"}
        if view.phase == "action":
            done |= set(self.actions[: view.action_index])
            turn = view.order.index(view.turn) if view.turn is not None else 0
            if view.order.index(seat) <= turn:
                done.add(self.actions[view.action_index])
        blurred = [
            (value + BLUR * ((self.bits() >> 20) / (1 << 28) - 0.5), action, name)
            for value, action, name in table
            if name not in used and action not in done
        ]
        bid = shown.get("bid")
        purse = self.field.chests[seat]
        if view.phase == "plan":
            level = self.below(8)
            cost = 0 if level < 4 else 1 if level < 6 else 2 if level < 7 else 3
            bid = CHEST_CARDS[cost] if 0 < cost <= purse else "province"
            purse -= cost if cost <= purse else 0
        own = [name for name in self.own[seat] if name not in used]
        fewest = 0 if view.phase != "plan" else min(6, len(own))
        plan = quick_plan(blurred, purse, own, fewest)
        return tuple(plan), bid

    # -- trials -----------------------------------------------------------------------------

    def ranked(self, world: World, mine: Draft) -> list[Seat]:
        """The seats from the best bid down."""
        ranks = []
        for seat in range(self.seats):
            bid = mine.bid if seat == self.seat else world.bids[seat]
            rank = 7 if self.passive[seat] else bid_rank(bid)
            ranks.append((rank, world.ties[seat], seat))
        return [seat for _, _, seat in sorted(ranks)]

    def special(self, plan: Sequence[int], free: Sequence[str]) -> str:
        """A quick choice of a special card by a plan: what it gives there, and an early place."""
        specials = self.view.specials
        best, found = -9.0, free[0]
        for special in free:
            gain = -0.08 * specials.index(special)
            if special == "tax+1":
                gain += 0.3 * (plan[TAX] >= 0)
            elif special == "rice+1":
                gain += 0.45 * (plan[HARVEST] >= 0)
            elif special == "recruit6":
                gain += 0.25 * (plan[FIVE] >= 0)
            elif special == "attack+1":
                gain += 0.3 * ((plan[8] >= 0) + (plan[9] >= 0))
            else:
                gain += 0.45
            if gain > best:
                best, found = gain, special
        return found

    def dealt(self, field: Field, world: World, plans: Plans, ranked: Sequence[Seat]) -> list[Seat]:
        """Specials are chosen in the order of the bids; the turn order that follows."""
        free = [s for s in self.view.specials if s not in field.special]
        for seat in ranked:
            if not field.special[seat]:
                special = self.special(plans[seat], free)
                field.special[seat] = special
                free.remove(special)
        place = {special: index for index, special in enumerate(self.view.specials)}
        return sorted(range(self.seats), key=lambda seat: place[field.special[seat]])

    def settle(self, field: Field, world: World, order: Sequence[Seat]) -> float:
        """What the end of a round is worth to the seat: its own less a part of the others'."""
        self.trials += 1
        if self.autumn:
            field.winter(order, world.loss, world.seed)
        return self.less(self.after.values(field))

    def less(self, values: Sequence[float]) -> float:
        """The seat's own value less a part of the others', most of the leader's."""
        others = [value for seat, value in enumerate(values) if seat != self.seat]
        return values[self.seat] - ENVY * (sum(others) / len(others) + max(others))

    def tried(self, world: World, mine: Draft) -> float:
        """The round with a plan in a world."""
        field = self.field.copy()
        field.event = world.event
        plans = [list(plan) for plan in world.plans]
        plans[self.seat] = list(mine.places)
        for seat in range(self.seats):
            bid = mine.bid if seat == self.seat else world.bids[seat]
            if bid in CHEST_CARDS:
                field.chests[seat] -= min(CHEST_CARDS.index(bid), field.chests[seat])
        order = self.dealt(field, world, plans, self.ranked(world, mine))
        field.run(plans, order, world.actions, world.seed)
        return self.settle(field, world, order)

    # -- planning ---------------------------------------------------------------------------

    def first(self) -> Draft:
        """The quick plan, with the bid that its chests can pay."""
        own = self.own[self.seat]
        table = self.worth.entries(self.field, self.seat)
        fewest = min(6, len(own))
        plan = quick_plan(table, self.field.chests[self.seat], own, fewest)
        return self.mended(plan, "chest0")

    def mended(self, plan: Sequence[int], bid: str | None) -> Draft:
        """The plan made legal: provinces laid where the chest cards left over are too few (P2)."""
        own = self.own[self.seat]
        due = cards_due(len(own))
        places = list(plan)
        if bid in PROVINCES and RANK[bid] in places:
            bid = "chest0"
        used = {name for name in places if name >= 0}
        spare = [name for name in own if name not in used and (bid not in PROVINCES or RANK[bid] != name)]
        while True:
            cards = sum(name >= 0 for name in places) + (bid is not None)
            hand = 5 - (bid in CHEST_CARDS)
            if cards + hand >= due and (due - cards) <= places.count(NOTHING):
                return Draft(tuple(places), bid)
            if not spare:
                bid = "chest0" if bid is None else bid
                if bid in PROVINCES:
                    spare.append(RANK[bid])
                    bid = "chest0"
                    continue
                return Draft(tuple(places), bid)
            name = spare.pop(self.below(len(spare)))
            empty = [action for action, found in enumerate(places) if found < 0]
            harmless = [a for a in empty if a >= BATTLE_A and self.field.armies[name] < 2]
            places[harmless[0] if harmless else empty[self.below(len(empty))]] = name

    def changed(self, draft: Draft) -> Draft:
        """A plan near another: a province that suits an action, two spaces changed, one emptied, a bid."""
        places, bid = list(draft.places), draft.bid
        for _ in range(1 + (self.below(3) == 0)):
            pick = self.below(16)
            action = self.below(10)
            if pick < 10 and self.suits[action]:
                place = 0
                while self.below(2) and place < 7:
                    place += 1
                suited = self.suits[action]
                name = suited[min(place, len(suited) - 1)]
                if name in places:
                    places[places.index(name)] = places[action]
                if bid in PROVINCES and RANK[bid] == name:
                    bid = "chest0"
                places[action] = name
            elif pick < 12:
                other = self.below(10)
                places[action], places[other] = places[other], places[action]
            elif pick < 13:
                places[action] = NOTHING
            else:
                bid = self.bid(places)
        return self.mended(places, bid)

    def bid(self, places: Sequence[int]) -> str | None:
        """A bid at random: a chest card that can be paid, or a province that is left."""
        spare = [name for name in self.own[self.seat] if name not in places]
        cards = [card for cost, card in enumerate(CHEST_CARDS) if cost <= self.field.chests[self.seat]]
        cards += [PROVINCES[spare[self.below(len(spare))]]] if spare else []
        return cards[self.below(len(cards))]

    def plan(self, rounds: Sequence[tuple[int, int, int]]) -> Plan:
        """The plan that does best: each round changes the best few, tries all in more worlds, keeps some.

        rounds  how many plans to have, in how many worlds, how many stay
        """
        worlds = self.worlds(max(number for _, number, _ in rounds))
        scores: dict[Draft, list[float]] = {}
        pool = [self.first()]
        for many, number, keep in rounds:
            known = set(pool)
            for _ in range(4 * many):
                if len(pool) >= many:
                    break
                draft = self.changed(pool[self.below(min(len(pool), 8))])
                if draft not in known:
                    known.add(draft)
                    pool.append(draft)
            for draft in pool:
                found = scores.setdefault(draft, [])
                for world in worlds[len(found) : number]:
                    found.append(self.tried(world, draft))
            pool.sort(key=lambda draft: -sum(scores[draft]) / len(scores[draft]))
            pool = pool[:keep]
        return self.laid(pool[0])

    def laid(self, draft: Draft) -> Plan:
        """The plan with its chest cards, the dearest first; the bid's own is not among them."""
        own = self.own[self.seat]
        missing = cards_due(len(own)) - sum(name >= 0 for name in draft.places) - (draft.bid is not None)
        hand = [card for card in reversed(CHEST_CARDS) if card != draft.bid]
        plan: Plan = {}
        for action, name in zip(ACTIONS, draft.places, strict=True):
            if name >= 0:
                plan[action] = PROVINCES[name]
            elif missing > 0:
                plan[action] = hand.pop(0)
                missing -= 1
        if draft.bid is not None:
            plan["bid"] = draft.bid
        return plan

    # -- the other decisions ----------------------------------------------------------------

    def special_card(self, number: int) -> str:
        """The free special card under which the round goes best, in so many worlds."""
        free = [s for s in self.view.specials if s not in self.field.special]
        worlds = self.worlds(number)
        after = list(self.view.bid_order)
        sums = dict.fromkeys(free, 0.0)
        for world in worlds:
            for special in free:
                field = self.field.copy()
                field.special[self.seat] = special
                plans = [list(plan) for plan in world.plans]
                order = self.dealt(field, world, plans, after)
                field.run(plans, order, world.actions, world.seed)
                sums[special] += self.settle(field, world, order)
        return max(free, key=lambda special: sums[special])

    def marches(self, source: int, targets: Sequence[tuple[int, int]]) -> list[tuple[float, int, int]]:
        """What each march is worth, weighed over every way it may end: (points, target, armies)."""
        found = []
        for target, armies in targets:
            if self.field.owner[target] == self.seat or target < 0:
                field = self.field.copy()
                field.go(self.seat, source, (target, armies), [])
                value = self.net(field)
            else:
                value = 0.0
                for ending in endings(self.view, self.seat, PROVINCES[target], armies):
                    if ending.chance > 1e-4:
                        value += ending.chance * self.net(self.ended(source, target, armies, ending))
            found.append((value, target, armies))
        return found

    def ended(self, source: int, target: int, armies: int, ending: Ending) -> Field:
        """The board after a battle that ends so; supply and tray are left as they are."""
        field = self.field.copy()
        field.armies[source] -= armies
        if ending.end == "won":
            field.owner[target] = self.seat
            field.armies[target] = ending.armies
        elif ending.end == "held":
            field.armies[target] = ending.armies
        elif field.owner[target] >= 0:
            field.clear(target, [])
        return field

    def net(self, field: Field) -> float:
        """A position during the round: the seat's own worth less a part of the others'."""
        return self.less(self.worth.values(field))

    def card(self) -> str:
        """The province whose card lies open before the seat."""
        return self.view.players[self.seat].plan[self.view.actions[self.view.action_index]]

    def march(self, source: str, *, deep: bool) -> Battle | Move | Stay:
        """The march from an open card that leaves the seat best off; in autumn with its winter, if `deep`."""
        view, here = self.view, RANK[source]
        actions: list[Battle | Move | Stay] = []
        if view.pending == "battle":
            actions += battle_actions(view, self.seat, source)
        else:
            actions += move_actions(view, self.seat, source)
        pairs = [(NOTHING, 0) if isinstance(a, Stay) else (RANK[a.to], a.armies) for a in actions]
        values = [value for value, _, _ in self.marches(here, pairs)]
        best = sorted(range(len(actions)), key=lambda i: -values[i])
        if deep and self.autumn and len(best) > 1:
            best = self.last_marches(here, pairs, best[:MARCHES])
        return actions[best[0]]

    def last_marches(self, source: int, pairs: Sequence[Where], best: Sequence[int]) -> list[int]:
        """The marches in the order of what they come to when the round and the winter are played out."""
        view = self.view
        index, place = view.action_index, view.order.index(self.seat) + 1
        start = (index, place) if place < self.seats else (index + 1, 0)
        sums = dict.fromkeys(best, 0.0)
        for world in self.worlds(WINTERS):
            for one in best:
                field = self.field.copy()
                plans = [list(plan) for plan in world.plans]
                field.sow(world.seed, 11, self.seat)
                field.go(self.seat, source, pairs[one], plans)
                field.run(plans, view.order, world.actions, world.seed, start)
                sums[one] += self.settle(field, world, view.order)
        return sorted(best, key=lambda one: -sums[one])
