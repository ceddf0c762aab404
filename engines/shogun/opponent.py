"""The built-in opponent: weighs every card on every space by what it should score, on its own view alone.

Values are in victory points. `easy` blurs every value with chance, `normal` hardly. The budget is fixed:
one look at each card on each space, and at each target and number of armies.
"""

from __future__ import annotations

from engines.chance import Chance
from engines.opponents import Level
from engines.protocol import RulesError, Seat
from engines.shogun.data import (
    ACTIONS,
    BATTLES,
    BUILDINGS,
    CHEST_CARDS,
    CHESTS,
    COST,
    MAJORITY,
    PLACES,
    REGION,
    RICE,
    RICE_LOSS,
    SPACES,
    neighbours,
)
from engines.shogun.model import (
    Battle,
    ChooseSpecial,
    DraftCard,
    Move,
    Place,
    Plan,
    PlanCards,
    Revolts,
    ShogunAction,
    ShogunView,
    Stay,
)
from engines.shogun.notation import format_action
from engines.shogun.odds import battle_odds, revolt_odds
from engines.shogun.planning import bid_cost, cards_due, filled
from engines.shogun.rules import (
    battle_actions,
    battle_targets,
    draft_actions,
    move_actions,
    no_building,
    recruits_of,
    rice_of,
    special_actions,
    tax_of,
)
from engines.shogun.thinking import Thinker

LEVELS: tuple[Level, ...] = ("easy", "normal", "hard")

BLUR = {"easy": 4.0, "normal": 0.02, "hard": 0.02}  # points that chance adds to a value at most
ARMY = 0.22  # points an army is worth on a border
# Hard's trials of a plan: how many plans, in how many worlds, how many stay.
EFFORT = ((20, 8, 8), (14, 24, 3), (3, 40, 1))
SPECIAL_WORLDS = {"normal": 6, "hard": 40}
ROUNDS = {"spring": 3, "summer": 2, "autumn": 1, "winter": 0}


def choose(view: ShogunView, level: Level, chance: Chance) -> str:
    """The action for the seat `view.viewer`, which has to act. Raises RulesError `not-your-turn`."""
    seat = view.viewer
    if seat is None or seat not in view.to_act:
        raise RulesError("not-your-turn", turn=view.turn)
    if level == "easy" or view.phase not in ("plan", "special", "action"):
        return format_action(_Mind(view, seat, level, chance).action())
    return format_action(_considered(view, seat, level, chance))


def _considered(view: ShogunView, seat: Seat, level: Level, chance: Chance) -> ShogunAction:
    """Normal plans at a glance, hard by trials; both weigh marches over every way a battle may end."""
    thinker = Thinker(view, seat, chance)
    if view.phase == "plan":
        plan = thinker.plan(EFFORT) if level == "hard" else thinker.laid(thinker.first())
        return PlanCards.model_validate(plan)
    if view.phase == "special":
        return ChooseSpecial(special=thinker.special_card(SPECIAL_WORLDS[level]))
    return thinker.march(thinker.card(), deep=level == "hard")


class _Mind:
    """One decision: the view, the seat, and a blur for its values."""

    def __init__(self, view: ShogunView, seat: Seat, level: Level, chance: Chance) -> None:
        self.view = view
        self.seat = seat
        self.me = view.players[seat]
        self.own = [name for name, p in view.provinces.items() if p.owner == seat]
        self.rounds = ROUNDS[view.season] + (3 if view.year == 1 else 0)
        self.scorings = 2 if view.year == 1 else 1
        self.chest = 0.3 if self.rounds > 1 else 0.02
        self._blur = BLUR[level]
        self._chance = chance

    def blurred(self, value: float) -> float:
        """The value with chance's share."""
        return value + self._blur * self._chance.below(1000) / 1000

    def action(self) -> ShogunAction:
        """The decision."""
        view = self.view
        if view.phase == "plan":
            return PlanCards.model_validate(self.plan())
        if view.phase == "special":
            return self.best(list(special_actions({p.special for p in view.players}, view.specials)))
        if view.phase == "draft" and view.draft is not None:
            return self.best(list(draft_actions(view.draft, self.seat)))
        if view.phase == "winter" and view.winter is not None:
            return self.revolts(view.winter.revolts)
        source = self.me.plan[view.actions[view.action_index]]
        if view.pending == "battle":
            return self.best(list(battle_actions(view, self.seat, source)), source)
        return self.best(list(move_actions(view, self.seat, source)), source)

    def best(self, actions: list[ShogunAction], source: str = "") -> ShogunAction:
        """The action of the highest blurred value, the first among equals."""
        return max(actions, key=lambda action: self.blurred(self.worth(action, source)))

    def worth(self, action: ShogunAction, source: str) -> float:
        """What an action that is legal now is worth."""
        if isinstance(action, Battle | Move):
            if self.view.provinces[action.to].owner == self.seat:
                return self.shift(source, action.to, action.armies)
            return self.attack(source, action.to, action.armies)
        if isinstance(action, Stay):
            return 0.05
        if isinstance(action, ChooseSpecial):
            return self.special(action.special)
        return self.drafting(action)

    # -- provinces ----------------------------------------------------------------------

    def value(self, name: str) -> float:
        """What holding a province is worth to the end."""
        province = self.view.provinces[name]
        built = sum(1 + 0.6 * MAJORITY[kind] / 2 for kind in BUILDINGS if getattr(province, kind))
        land = (CHESTS[name] + RICE[name]) * 0.03 * self.rounds / 3 + SPACES[name] * 0.1
        return self.scorings * (0.9 + built) + land

    def threat(self, name: str) -> int:
        """The most armies that a rival could send into a province."""
        near = (self.view.provinces[n] for n in neighbours(name) if n in self.view.provinces)
        return max((p.armies - 1 for p in near if p.owner not in (None, self.seat)), default=0)

    def exposure(self, name: str, armies: int) -> float:
        """Points at risk in a province held by so many armies, by what stands next to it."""
        threat = self.threat(name)
        if threat <= 0:
            return 0.0
        risk = threat / (threat + 1.5 * armies)
        return self.value(name) * 0.35 * risk

    def attack(self, source: str, target: str, armies: int) -> float:
        """What an attack gains, less the armies it costs and what the source then risks."""
        odds = battle_odds(self.view, self.seat, target, armies)
        left = self.view.provinces[source].armies - armies
        gain = odds.win * self.value(target) + ARMY * (odds.left - armies)
        if self.view.provinces[target].owner is not None:
            gain += 0.3 * (odds.win + odds.tie)
        before = self.exposure(source, left + armies)
        return gain - (self.exposure(source, left) - before) - odds.win * self.exposure(target, 2) * 0.3

    def shift(self, source: str, target: str, armies: int) -> float:
        """What moving armies between own provinces gains in safety."""
        here, there = self.view.provinces[source].armies, self.view.provinces[target].armies
        before = self.exposure(source, here) + self.exposure(target, there)
        after = self.exposure(source, here - armies) + self.exposure(target, there + armies)
        return before - after

    # -- planning -----------------------------------------------------------------------

    def plan(self) -> Plan:
        """The cards: the worthiest pairs of space and province first, within the chests, then no-ops."""
        pairs = [
            (self.blurred(self.entry(space, name)), space, name) for space in ACTIONS for name in self.own
        ]
        plan: Plan = {}
        budget = self.me.chests
        for value, space, name in sorted(pairs, key=lambda pair: -pair[0]):
            if value <= 0 or space in plan or name in plan.values() or COST[space] > budget:
                continue
            if len(plan) >= cards_due(len(self.own)):
                break
            plan[space] = name
            budget -= COST[space]
        return self.finished(plan, budget)

    def finished(self, plan: Plan, budget: int) -> Plan:
        """The plan with a bid that the chests left can pay, and the rest filled in harmlessly."""
        spare = sorted((n for n in self.own if n not in plan.values()), key=self.value)
        bids = ["chest2", "chest1"] if budget >= 4 else ["chest1"] if budget >= 2 else []
        for bid in [*bids, *spare, "chest0"]:
            whole = self.padded({**plan, "bid": bid}, spare)
            if whole is not None:
                return whole
        whole = filled({}, self.own, self.me.chests)
        return whole or {}

    def padded(self, plan: Plan, spare: list[str]) -> Plan | None:
        """Chest cards and, where they run out, the spare provinces that do least harm there."""
        missing = cards_due(len(self.own)) - len(plan)
        hand = [card for card in reversed(CHEST_CARDS) if card not in plan.values()]
        left = [name for name in spare if name not in plan.values()]
        whole = dict(plan)
        empty = [space for space in ACTIONS if space not in plan]
        while missing > len(hand) and left:
            pairs = [(self.entry(space, name), space, name) for space in empty for name in left]
            _, space, name = max(pairs, key=lambda pair: pair[0])
            whole[space] = name
            empty.remove(space)
            left.remove(name)
            missing -= 1
        whole.update(zip(empty, hand[:missing], strict=False))
        ordered = {space: whole[space] for space in PLACES if space in whole}
        if bid_cost(ordered.get("bid")) > self.me.chests:
            return None
        return filled(ordered, self.own, self.me.chests)

    def entry(self, space: str, name: str) -> float:
        """What a province's card on an action space should score."""
        if space in BUILDINGS:
            return self.building(space, name)
        if space == "tax":
            return tax_of(name, None, None) * self.chest - self.unrest(name)
        if space == "rice":
            gain, need = rice_of(name, None, None), self.rice_needed()
            return 0.5 * min(gain, need) + 0.03 * max(0, gain - need) - self.unrest(name)
        if space in BATTLES:
            return self.campaign(name)
        armies = recruits_of(space, None, None)
        if self.me.supply < armies:
            return -0.1
        here = self.view.provinces[name].armies
        safer = self.exposure(name, here) - self.exposure(name, here + armies)
        front = 0.6 if any(self.foreign(n) for n in neighbours(name)) else 0.1
        return safer + ARMY * armies * front * min(1.0, self.rounds / 2) - COST[space] * self.chest

    def foreign(self, name: str) -> bool:
        """Whether a province is in play and not the seat's own."""
        return name in self.view.provinces and self.view.provinces[name].owner != self.seat

    def building(self, kind: str, name: str) -> float:
        """A building: its points and its share of a majority at every scoring to come."""
        if no_building(self.view, name, kind, 99, 1) is not None:
            return -0.05
        counts = [0] * len(self.view.players)
        region = REGION[self.view.options.side]
        for other, province in self.view.provinces.items():
            if region[other] == region[name] and province.owner is not None and getattr(province, kind):
                counts[province.owner] += 1
        mine = counts[self.seat]
        rival = max((n for seat, n in enumerate(counts) if seat != self.seat), default=0)
        bonus = MAJORITY[kind] * (1.0 if mine == rival else 0.2 if mine > rival else 0.4)
        safety = 1 - 0.4 * min(1.0, self.threat(name) / (1 + 2 * self.view.provinces[name].armies))
        return self.scorings * (1 + 0.8 * bonus) * safety - COST[kind] * self.chest

    def rice_needed(self) -> float:
        """Rice still wanting for winter: own provinces and the middle loss of the open events."""
        losses = [RICE_LOSS[event] for event in self.view.events] or [3]
        return max(0.0, len(self.own) + sum(losses) / len(losses) - self.me.rice)

    def unrest(self, name: str) -> float:
        """What rice or tax costs in peace: a marker, or a revolt."""
        markers = self.view.provinces[name].unrest
        if not markers:
            return 0.25
        return (1 - revolt_odds(self.view, name, markers).held) * self.value(name) + 0.4

    def campaign(self, name: str) -> float:
        """The best attack that could be made from a province now."""
        armies = self.view.provinces[name].armies
        attacks = [
            self.attack(name, target, n)
            for target in battle_targets(self.view, self.seat, name)
            if self.view.provinces[target].owner != self.seat
            for n in {armies - 1, max(1, armies - 2)}
        ]
        return max(attacks, default=-0.1) if armies > 1 else 0.0

    # -- the rest -------------------------------------------------------------------------

    def special(self, special: str) -> float:
        """A special card by what was planned, and its place: early is better."""
        plan = self.me.plan
        provinces = {space for space, card in plan.items() if card not in CHEST_CARDS}
        uses: dict[str, float] = {
            "tax+1": self.chest * ("tax" in provinces),
            "rice+1": 0.4 * ("rice" in provinces),
            "recruit6": ARMY * ("recruit5" in provinces),
            "attack+1": 0.5 * len(provinces & set(BATTLES)),
            "defense+1": 0.5,
        }
        return uses[special] - 0.1 * self.view.specials.index(special)

    def drafting(self, action: ShogunAction) -> float:
        """Provinces next to own ones, rich and roomy; large groups where rivals are near."""
        if not isinstance(action, DraftCard | Place):
            return 0.9
        card, armies = action.card if isinstance(action, DraftCard) else None, action.armies
        drawn = self.view.draft.drawn if self.view.draft else None
        name = card or drawn
        if name is None or armies is None:
            return 0.9
        near = [n for n in neighbours(name) if n in self.view.provinces]
        owners = [self.view.provinces[n].owner for n in near]
        friends = owners.count(self.seat)
        rivals = len(owners) - friends - owners.count(None)
        land = 0.08 * (CHESTS[name] + RICE[name]) + 0.1 * SPACES[name] + 0.3 * friends
        return land + 0.02 * armies * (rivals - 1)

    def revolts(self, drawn: tuple[str, ...]) -> ShogunAction:
        """The best held province first: its farmers leave the tray for the supply."""
        farmers = self.view.winter.farmers if self.view.winter else 0

        def held(name: str) -> float:
            return revolt_odds(self.view, name, self.view.provinces[name].unrest + farmers).held

        return Revolts(provinces=tuple(sorted(drawn, key=lambda name: -self.blurred(held(name)))))
