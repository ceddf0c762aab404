"""What a viewer may know (rules K)."""

from __future__ import annotations

from engines.protocol import Seat, Viewer
from engines.shogun.data import EVENTS, FARMERS, OPEN_ACTIONS, RANK
from engines.shogun.flow import deciders
from engines.shogun.model import DraftView, Plan, PlayerView, ShogunState, ShogunView


def shown_plan(state: ShogunState, seat: Seat) -> Plan:
    """What everybody has seen of a seat's plan: the bid, and the cards of the actions it has had (P6, A8)."""
    plan = state.players[seat].plan or {}
    if state.phase not in ("special", "action"):
        return {}
    shown = ["bid"]
    if state.phase == "action" and state.turn is not None:
        begun = state.order.index(seat) <= state.order.index(state.turn)
        shown += state.actions[: state.action_index + begun]
    return {space: card for space, card in plan.items() if space in shown}


def open_actions(state: ShogunState) -> tuple[str, ...]:
    """The action cards that lie open."""
    if state.phase in ("winter", "over"):
        return state.actions
    return state.actions[: OPEN_ACTIONS + state.action_index]


def see(state: ShogunState, viewer: Viewer) -> ShogunView:
    """The position (K2) without plans of others, closed action cards and the order of decks (K1)."""
    return ShogunView(
        viewer=viewer,
        options=state.options,
        year=state.year,
        season=state.season,
        phase=state.phase,
        turn=state.turn,
        to_act=tuple(sorted(deciders(state))),
        pending=state.pending,
        provinces=state.provinces,
        players=tuple(_player(state, seat, viewer) for seat in range(len(state.players))),
        tower=state.tower,
        tray=state.tray,
        farmers=FARMERS - state.tower[-1] - state.tray[-1],
        events=tuple(sorted(state.events, key=EVENTS.index)),
        event=state.event,
        unopened=tuple(sorted(state.event_pile, key=EVENTS.index)),
        actions=open_actions(state),
        action_index=state.action_index,
        specials=state.specials,
        bid_order=state.bid_order,
        order=state.order,
        draft=_draft(state),
        winter=state.winter,
    )


def _player(state: ShogunState, seat: Seat, viewer: Viewer) -> PlayerView:
    player = state.players[seat]
    plan = (player.plan or {}) if seat == viewer else shown_plan(state, seat)
    return PlayerView(
        chests=player.chests,
        rice=player.rice,
        points=player.points,
        supply=player.supply,
        special=player.special,
        ready=player.plan is not None and state.phase == "plan",
        passive=seat in state.passive,
        plan=plan,
    )


def _draft(state: ShogunState) -> DraftView | None:
    draft = state.draft
    if draft is None:
        return None
    return DraftView(
        open=draft.open,
        undrafted=tuple(sorted(draft.pile, key=RANK.__getitem__)),
        seen=draft.seen,
        groups=draft.groups,
        drawn=draft.drawn,
    )
