"""Phases: who has to decide, what the engine answers by itself, and what an action starts."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from engines.chance import Chance
from engines.protocol import GAME_OVER, Result, RulesError, Seat, game_over
from engines.shogun import drafting
from engines.shogun.data import ACTIONS, OPEN_ACTIONS
from engines.shogun.model import (
    Battle,
    ChooseSpecial,
    DraftCard,
    Move,
    Place,
    PlanCards,
    Redraw,
    Resign,
    Revolts,
    ShogunAction,
    ShogunState,
    Stay,
)
from engines.shogun.orders import carry_out, drop, march, shift
from engines.shogun.planning import (
    check_plan,
    deal_round,
    free_specials,
    reveal,
    settle_order,
    take_special,
)
from engines.shogun.play import Play
from engines.shogun.rules import (
    battle_actions,
    battle_targets,
    draft_actions,
    move_actions,
    revolt_actions,
    special_actions,
)
from engines.shogun.winter import begin_winter, end_year, rise, starve

TURNS = ("draft", "special", "action", "winter")  # phases in which one seat decides at a time


def deciders(state: ShogunState | Play) -> frozenset[Seat]:
    """The seats that have to decide: in phase `plan` all who are not ready, else the one whose turn it is."""
    if state.phase == "plan":
        return frozenset(
            seat
            for seat in range(len(state.players))
            if seat not in state.passive and state.players[seat].plan is None
        )
    if state.phase == "over" or state.turn is None:
        return frozenset()
    return frozenset({state.turn})


def open_card(state: ShogunState | Play) -> str:
    """The province whose card lies open for the seat to move or fight. Raises ValueError where none does."""
    if state.turn is None or state.pending is None:
        raise ValueError("no card lies open")
    return (state.players[state.turn].plan or {})[state.actions[state.action_index]]


def options(state: ShogunState | Play) -> Iterable[ShogunAction]:
    """Everything the seat to decide may do, save resigning; nothing in phases `plan` and `over`."""
    seat = state.turn
    if seat is None or state.phase not in TURNS:
        return ()
    if state.phase == "draft":
        return draft_actions(state.draft, seat) if state.draft else ()
    if state.phase == "special":
        return special_actions({p.special for p in state.players}, tuple(state.specials))
    if state.phase == "winter":
        return revolt_actions(state.winter.revolts) if state.winter else ()
    if state.pending == "battle":
        return battle_actions(state, seat, open_card(state))
    return move_actions(state, seat, open_card(state)) if state.pending else ()


# -- an action of a seat ------------------------------------------------------------------


def act(state: ShogunState, seat: Seat, action: ShogunAction, chance: Chance) -> Play:
    """The position after the action, run on to the next decision.

    Raises RulesError `bad-seat`, `game-over`, `resigned`, `not-your-turn`, `wrong-phase`, `illegal-...` and
    those of `check_plan`.
    """
    if not 0 <= seat < len(state.players):
        raise RulesError("bad-seat", seat=seat)
    if state.phase == "over":
        raise RulesError(GAME_OVER)
    if seat in state.passive:
        raise RulesError("resigned")
    play = Play(state, chance)
    if isinstance(action, Resign):
        resign(play, seat)
    elif state.phase == "plan":
        lay_plan(play, seat, action)
    elif seat != state.turn:
        raise RulesError("not-your-turn", turn=state.turn)
    else:
        decide(play, seat, action)
    run(play)
    return play


def lay_plan(play: Play, seat: Seat, action: ShogunAction) -> None:
    """A seat sends its plan, or another in place of the one it sent, which nobody is told (P5)."""
    if not isinstance(action, PlanCards):
        raise RulesError("wrong-phase", phase=play.phase)
    purse = play.players[seat]
    cards = action.cards
    check_plan(cards, play.owned(seat), purse.chests)
    if purse.plan is None:
        play.tell_secret("planned", seat, plan=dict(cards))
    purse.plan = cards


def decide(play: Play, seat: Seat, action: ShogunAction) -> None:
    """The seat whose turn it is decides. Raises RulesError `wrong-phase`, `illegal-...` with the reason."""
    fitting: dict[str, tuple[type[ShogunAction], ...]] = {
        "draft": (DraftCard, Place, Redraw),
        "special": (ChooseSpecial,),
        "winter": (Revolts,),
        "action": (Battle, Stay) if play.pending == "battle" else (Move, Stay),
    }
    if not isinstance(action, fitting[play.phase]):
        raise RulesError("wrong-phase", phase=play.pending or play.phase)
    if action not in options(play):
        raise RulesError(f"illegal-{action.type.replace('_', '-')}", **why_not(play, seat, action))
    do(play, seat, action)


def why_not(play: Play, seat: Seat, action: ShogunAction) -> dict[str, str | int]:
    """What an error about an illegal action names: the card that lies open and the armies there."""
    if isinstance(action, Battle | Move):
        source = open_card(play)
        return {"source": source, "province": action.to, "most": play.provinces[source].armies - 1}
    if isinstance(action, ChooseSpecial):
        return {"special": action.special}
    return {}


def do(play: Play, seat: Seat, action: ShogunAction) -> None:
    """Carry out a legal action of the seat whose turn it is."""
    match action:
        case DraftCard(card=None):
            drafting.turn_up(play, seat)
        case DraftCard(card=str(card), armies=int(armies)):
            drafting.take_open(play, seat, card, armies)
        case Place():
            drafting.place_drawn(play, seat, action.armies)
        case Redraw():
            drafting.redraw(play, seat)
        case ChooseSpecial():
            take_special(play, seat, action.special)
        case Battle():
            march(play, seat, open_card(play), action.to, action.armies)
            next_turn(play)
        case Move():
            shift(play, seat, open_card(play), action.to, action.armies)
            next_turn(play)
        case Stay():
            play.tell("stayed", seat=seat, province=open_card(play))
            next_turn(play)
        case Revolts():
            play.tell("revolts-ordered", seat=seat, provinces=list(action.provinces))
            rise(play, action.provinces)


def resign(play: Play, seat: Seat) -> None:
    """A seat becomes passive: its plan goes, before it took a special card it ranks after all others (L2).

    Ruling: who resigns.
    """
    play.passive.append(seat)
    play.tell("resigned", seat=seat)
    purse = play.players[seat]
    purse.plan = None
    if play.phase == "special" and purse.special is None:
        play.bid_order.remove(seat)
        play.bid_order.append(seat)
    if play.phase == "action" and play.turn == seat and play.pending and len(play.active) > 1:
        next_turn(play)  # with one seat left nothing begins any more: the game is over


# -- running on ---------------------------------------------------------------------------


def run(play: Play) -> None:
    """Go on until a seat has to decide (G1) or the game is over, one seat being left (L3).

    Events tell everything that happens.
    """
    steps = {
        "draft": run_draft,
        "plan": run_plan,
        "special": run_special,
        "action": run_action,
        "winter": run_winter,
    }
    while play.phase != "over":
        if len(play.active) <= 1:
            end_game(play)
        elif not steps[play.phase](play):
            return


def only_answer(play: Play) -> bool:
    """Make a decision that has exactly one legal answer (G2); False when the seat must be asked."""
    answers = list(islice(options(play), 2))
    if len(answers) != 1 or play.turn is None:
        return False
    do(play, play.turn, answers[0])
    return True


def run_draft(play: Play) -> bool:
    """A step of the draft; False when a seat has to draft. Seats that resigned or are done are skipped."""
    draft = play.draft
    if draft is None or play.turn is None:
        raise ValueError("the draft is without its cards")
    drafters = [seat for seat in play.active if draft.groups[seat]]
    if not drafters or not (draft.open or draft.pile or draft.drawn):
        drafting.begin_game(play)
        return True
    if play.turn not in drafters:
        play.draft = draft.model_copy(update={"drawn": None})
        play.turn = (play.turn + 1) % len(play.players)
        return True
    return only_answer(play)


def run_plan(play: Play) -> bool:
    """Reveal when all are ready; False when somebody still plans."""
    if deciders(play):
        return False
    reveal(play)
    return True


def run_special(play: Play) -> bool:
    """The best bid without a special card chooses; a passive seat takes the lowest one (L2)."""
    play.turn = next((seat for seat in play.bid_order if play.players[seat].special is None), None)
    if play.turn is None:
        settle_order(play)
        begin_action(play)
        return True
    if play.turn in play.passive:
        take_special(play, play.turn, free_specials(play)[0])
        return True
    return only_answer(play)


def run_action(play: Play) -> bool:
    """A seat's turn in an action; False when it has to move or fight."""
    seat = play.turn
    if seat is None:
        raise ValueError("an action is nobody's turn")
    if play.pending is None:
        carry_out(play, seat, play.actions[play.action_index])
        if play.pending is None:
            next_turn(play)
        return True
    if play.pending == "battle" and not battle_targets(play, seat, open_card(play)):
        drop(play, seat, play.actions[play.action_index], open_card(play), "no-target")
        next_turn(play)
        return True
    return only_answer(play)


def begin_action(play: Play) -> None:
    """The next action card is carried out (A year 6)."""
    play.tell(
        "action-began", action=play.actions[play.action_index], number=play.action_index + 1, of=len(ACTIONS)
    )


def next_turn(play: Play) -> None:
    """The next seat in turn order has this action, or the next action begins (A year 6), or the round ends.

    With action n done, card n+5 opens (A year 1).
    """
    if play.turn is None:
        raise ValueError("an action is nobody's turn")
    play.pending = None
    place = play.order.index(play.turn) + 1
    if place < len(play.order):
        play.turn = play.order[place]
        return
    play.turn = play.order[0]
    if play.action_index + 1 == len(ACTIONS):
        end_round(play)
        return
    play.action_index += 1
    opened = play.action_index + OPEN_ACTIONS
    if opened <= len(ACTIONS):
        play.tell("action-opened", reveals=True, action=play.actions[opened - 1], number=opened)
    begin_action(play)


def end_round(play: Play) -> None:
    """After the tenth action: plans, special cards and the event go (A year 4); then a season or winter."""
    play.action_index = 0
    play.event = None
    for purse in play.players:
        purse.plan = None
        purse.special = None
    if play.season == "autumn":
        begin_winter(play)
        return
    play.season = "summer" if play.season == "spring" else "autumn"
    deal_round(play)


def run_winter(play: Play) -> bool:
    """Revolts of the seat whose turn it is, then the next one's; after the last, scoring."""
    seat = play.turn
    if seat is None or play.winter is None:
        raise ValueError("winter is nobody's turn")
    revolts = play.winter.revolts
    if len(revolts) == 1 or (revolts and seat in play.passive):
        rise(play, revolts)
        return True
    if revolts:
        return False
    place = play.order.index(seat) + 1
    if place < len(play.order):
        play.turn = play.order[place]
        starve(play, play.order[place])
    elif end_year(play):
        deal_round(play)
    else:
        end_game(play)
    return True


def end_game(play: Play) -> None:
    """The game is over: nothing is left to decide."""
    play.phase, play.season = "over", "winter"
    play.turn = None
    play.pending = None
    play.action_index = 0
    play.event = None
    play.events = []
    play.order, play.bid_order = [], []
    play.draft = play.winter = None
    for purse in play.players:
        purse.plan = None
        purse.special = None
    who, why = winners(play)
    result = Result(winners=who, scores=tuple(purse.points for purse in play.players), reason=why)
    play.log.append(game_over(result, reveals=True))


# -- the end --------------------------------------------------------------------------------


def winners(state: ShogunState | Play) -> tuple[tuple[Seat, ...], str]:
    """Who won and why (W6, L4): points, then chests, then shared; a seat that resigned cannot win."""
    active = [seat for seat in range(len(state.players)) if seat not in state.passive]
    if len(active) <= 1:
        return tuple(active), "resigned"
    best = _most(active, [player.points for player in state.players])
    if len(best) == 1:
        return tuple(best), "points"
    richest = _most(best, [player.chests for player in state.players])
    return tuple(richest), "chests" if len(richest) == 1 else "shared"


def _most(seats: list[Seat], counts: list[int]) -> list[Seat]:
    return [seat for seat in seats if counts[seat] == max(counts[s] for s in seats)]
