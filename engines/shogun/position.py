"""The spec's Position JSON, read and written; what cannot be played on is refused."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from engines.protocol import Json, RulesError, read
from engines.shogun.data import (
    ACTIONS,
    ARMIES,
    BATTLES,
    BUILDINGS,
    CHEST_CARDS,
    EVENTS,
    FARMERS,
    PLACES,
    PROVINCES,
    SPECIALS,
    START_CHESTS,
    STOCK,
    TOWER_ARMIES,
    TOWER_FARMERS,
    in_play,
)
from engines.shogun.model import NEUTRAL, Draft, Province, ShogunState, Winter
from engines.shogun.planning import bid_cost

EVENTS_LEFT = {"spring": 4, "summer": 3, "autumn": 2}  # open in phase plan
PLANNED = ("plan", "special", "action")


def write(state: ShogunState) -> dict[str, Json]:
    """The whole position as the spec's JSON; `passive` only where a seat has resigned."""
    data = state.model_dump(mode="json", exclude={"rules"})
    if not state.passive:
        del data["passive"]
    return data


def read_position(data: Json, rules: int) -> ShogunState:
    """The state of a position, as given. Raises RulesError `bad-position` with the fault."""
    if not isinstance(data, dict):
        raise RulesError("bad-position", why="a position is an object")
    given = read(ShogunState, {**data, "rules": rules}, "bad-position")
    seats = len(given.players)
    _require(seats in START_CHESTS, "players: 3 to 5 of them")
    state = _settled(given, seats)
    _check_board(state)
    _check_totals(state)
    _check_plans(state)
    _check_cards(state)
    _check_turns(state)
    _check_draft(state)
    return state


def _require(holds: bool, why: str) -> None:
    if not holds:
        raise RulesError("bad-position", why=why)


def _settled(given: ShogunState, seats: int) -> ShogunState:
    """Neutral provinces filled in, and what has no meaning in this phase left out."""
    names = in_play(given.options.side, seats)
    unknown = [name for name in given.provinces if name not in names]
    _require(not unknown, f"provinces: not in play: {', '.join(unknown[:3])}"[:120])
    phase = given.phase
    changes: dict[str, Any] = {
        "provinces": {name: given.provinces.get(name, NEUTRAL) for name in names},
        "passive": tuple(sorted(set(given.passive))),
    }
    if phase in ("winter", "over"):
        changes["season"] = "winter"
    if phase == "draft":
        changes["season"] = "spring"
    else:
        changes["draft"] = None
    if phase != "action":
        changes.update(pending=None, action_index=0)
    if phase in ("plan", "over"):
        changes["turn"] = None
    if phase != "special":
        changes["bid_order"] = ()
    if phase not in ("action", "winter"):
        changes["order"] = ()
    if phase not in ("special", "action"):
        changes["event"] = None
    if phase != "winter":
        changes["winter"] = None
    state = given.model_copy(update=changes)
    return state.model_copy(update={"players": tuple(_seated(state, seat) for seat in range(seats))})


def _seated(state: ShogunState, seat: int) -> Any:
    player = state.players[seat]
    changes: dict[str, Any] = {}
    if state.phase not in PLANNED or seat in state.passive:
        changes["plan"] = None
    elif state.phase != "plan" and player.plan is None:
        changes["plan"] = {}
    if state.phase not in ("special", "action"):
        changes["special"] = None
    return player.model_copy(update=changes)


def _check_board(state: ShogunState) -> None:
    seats = len(state.players)
    _require(all(seat < seats for seat in state.passive), "passive: no such seat")
    for name, province in state.provinces.items():
        if province.owner is None:
            _require(province == NEUTRAL, f"{name}: neutral, but not empty")
        else:
            _require(province.owner < seats, f"{name}: no such seat")
            _require(province.armies > 0, f"{name}: an owner without armies")
    for kind in BUILDINGS:
        built = sum(getattr(p, kind) for p in state.provinces.values())
        _require(built <= STOCK[kind], f"{kind}: more than the {STOCK[kind]} there are")


def _check_totals(state: ShogunState) -> None:
    seats = len(state.players)
    for place, counts in (("tower", state.tower), ("tray", state.tray)):
        _require(len(counts) == seats + 1, f"{place}: counts by seat, then farmers")
    for seat, player in enumerate(state.players):
        board = sum(p.armies for p in state.provinces.values() if p.owner == seat)
        total = board + player.supply + state.tower[seat] + state.tray[seat]
        _require(total == ARMIES, f"seat {seat}: {total} cubes, not {ARMIES}")
    _require(state.tower[-1] + state.tray[-1] <= FARMERS, f"farmers: more than {FARMERS}")


def _check_plans(state: ShogunState) -> None:
    for seat, player in enumerate(state.players):
        if player.plan is None:
            continue
        _require(all(space in PLACES for space in player.plan), f"seat {seat}: unknown space in the plan")
        cards = list(player.plan.values())
        _require(len(set(cards)) == len(cards), f"seat {seat}: a card lies twice in the plan")
        _require(all(_may_lie(state, seat, c) for c in cards), f"seat {seat}: not its card in the plan")
        if state.phase == "plan":
            _require(bid_cost(player.plan.get("bid")) <= player.chests, f"seat {seat}: bid above its chests")


def _may_lie(state: ShogunState, seat: int, card: str) -> bool:
    province = state.provinces.get(card)
    return card in CHEST_CARDS or (province is not None and province.owner == seat)


def _check_cards(state: ShogunState) -> None:
    """Events, action cards and special cards."""
    events = [*state.events, *state.event_pile, *([state.event] if state.event else [])]
    _require(all(event in EVENTS for event in events), "events: unknown event")
    _require(len(set(events)) == len(events), "events: a card twice")
    _require(
        all(player.special is None or player.special in SPECIALS for player in state.players),
        "players: unknown special card",
    )
    held = [player.special for player in state.players if player.special is not None]
    _require(len(set(held)) == len(held), "players: a special card twice")
    if state.phase == "over":
        _require(set(state.actions) <= set(ACTIONS), "actions: unknown action")
        _require(set(state.specials) <= set(SPECIALS), "specials: unknown special card")
        return
    dealt = state.phase != "draft"
    _require(_all_of(state.actions, ACTIONS if dealt else ()), "actions: the ten, each once")
    _require(_all_of(state.specials, SPECIALS if dealt else ()), "specials: the five, each once")
    _require(state.action_index < len(ACTIONS), "action_index: 0 to 9")
    pile = len(EVENTS) if not dealt else 8 if state.year == 1 else 4
    _require(len(state.event_pile) == pile, f"event_pile: {pile} cards")
    _require((state.event is not None) == (state.phase in ("special", "action")), "event: one is in force")
    _require(len(state.events) == _events_open(state), "events: the wrong number lies open")


def _events_open(state: ShogunState) -> int:
    if state.phase == "draft":
        return 0
    if state.phase == "winter":
        return 1
    _require(state.season in EVENTS_LEFT, f"season: {state.season} in phase {state.phase}")
    return EVENTS_LEFT[state.season] - (state.phase != "plan")


def _all_of(found: Iterable[str], wanted: Collection[str]) -> bool:
    return sorted(found) == sorted(wanted)


def _check_turns(state: ShogunState) -> None:
    """Whose turn it is, and what is pending."""
    seats = list(range(len(state.players)))
    if state.phase == "special":
        _require(sorted(state.bid_order) == seats, "bid_order: every seat once")
        waiting = [seat for seat in state.bid_order if state.players[seat].special is None]
        _require(state.turn == (waiting[0] if waiting else None), "turn: the first without a special card")
    if state.phase in ("action", "winter"):
        _require(sorted(state.order) == seats, "order: every seat once")
    if state.phase in ("draft", "action", "winter"):
        _require(state.turn in seats, "turn: a seat")
    if state.phase == "action" and state.pending and state.turn is not None:
        action = state.actions[state.action_index]
        fits = action in BATTLES if state.pending == "battle" else action == "recruit1_move"
        card = (state.players[state.turn].plan or {}).get(action)
        _require(fits and card in state.provinces, "pending: no such card lies open")
    if state.phase == "winter":
        _check_winter(state, state.winter)


def _check_winter(state: ShogunState, winter: Winter | None) -> None:
    if winter is None:
        raise RulesError("bad-position", why="winter: what revolts")
    owned = {name for name, p in state.provinces.items() if p.owner == state.turn}
    _require(len(set(winter.revolts)) == len(winter.revolts), "winter: a province twice")
    _require(set(winter.revolts) <= owned, "winter: not a province of the turn")


def _check_draft(state: ShogunState) -> None:
    if state.phase != "draft":
        return
    draft = state.draft
    if draft is None:
        raise RulesError("bad-position", why="draft: the cards and groups")
    _require(state.year == 1, "draft: in year 1 only")
    seats = len(state.players)
    cards = [*draft.open, *draft.pile, *([draft.drawn] if draft.drawn else [])]
    _require(len(set(cards)) == len(cards), "draft: a card twice")
    _require(all(_drawable(state.provinces, card) for card in cards), "draft: not a neutral province in play")
    _require(len(draft.open) <= 2, "draft: two open cards")
    _require(len(draft.seen) == seats and len(draft.groups) == seats, "draft: seen and groups by seat")
    seen = [name for pair in draft.seen if pair for name in pair]
    _require(all(name in PROVINCES for name in seen), "draft: unknown province seen")
    _check_groups(state, draft)


def _check_groups(state: ShogunState, draft: Draft) -> None:
    for seat, sizes in enumerate(draft.groups):
        _require(all(sizes), f"seat {seat}: an empty army group")
        need = sum(sizes) + TOWER_ARMIES
        _require(state.players[seat].supply >= need, f"seat {seat}: supply below groups and tower")
    left = FARMERS - state.tower[-1] - state.tray[-1]
    _require(left >= TOWER_FARMERS, "farmers: too few for the tower")


def _drawable(provinces: dict[str, Province], card: str) -> bool:
    return card in provinces and provinces[card].owner is None
