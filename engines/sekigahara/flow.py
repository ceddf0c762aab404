"""Phases: who has to decide, what each phase takes, and what the engine answers by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.protocol import GAME_OVER, Action, RulesError
from engines.sekigahara import battle, combat, model, movement, stays, victory, week
from engines.sekigahara.board import SEAT, Board
from engines.sekigahara.data import OTHER, Side


def deciders(board: Board) -> list[Side]:
    """The sides that have to decide now; both in `discard` and `bid`."""
    match board.phase:
        case "over":
            return []
        case "discard":
            return week.discarders(board)
        case "bid":
            return week.bidders(board)
        case "first" | "move" | "march" | "combat":
            return [board.active]
    fight = battle.fighting(board)
    match board.phase:
        case "castle":
            return [fight.holder or fight.defender]
        case "deploy":
            return [battle.initiative(fight)]
        case "challenge":
            return [OTHER[battle.pending(board).side]]
        case "answer":
            return [battle.pending(board).side]
        case "lose":
            return [side] if (side := combat.loser_first(board)) else []
        case _:
            return [fight.loser]


# phase -> action type -> what carries it out, given the board, the side and the action
Act = Callable[[Board, Side, Any], None]
ACTS: dict[str, dict[type[Action], Act]] = {
    "discard": {model.Discard: week.seal_discard},
    "bid": {model.Bid: week.seal_bid},
    "first": {model.First: lambda board, _side, action: week.choose_first(board, action)},
    "move": {model.Move: lambda board, _side, action: movement.declare(board, action)},
    "march": {
        model.March: lambda board, _side, action: movement.march_stack(board, action),
        model.Muster: lambda board, _side, action: movement.muster(board, action),
        model.Mori: lambda board, _side, action: movement.mori(board, action),
        model.Discard: lambda board, _side, action: movement.redraw(board, action),
        model.End: lambda board, _side, action: movement.end(board, action),
    },
    "combat": {model.Combat: lambda board, _side, action: combat.declare(board, action)},
    "castle": {model.Castle: lambda board, _side, action: combat.choose_castle(board, action)},
    "deploy": {model.Deploy: battle.deploy, model.Done: battle.done},
    "challenge": {
        model.Challenge: battle.challenge,
        model.Accept: lambda board, side, _action: accept(board, side),
    },
    "answer": {model.Show: battle.show, model.Concede: battle.concede},
    "lose": {model.Lose: combat.lose},
    "retreat": {model.Retreat: combat.retreat},
    "over": {},
}


def accept(board: Board, side: Side) -> None:
    """The side asked does not challenge."""
    board.tell("accepted", seat=SEAT[side])
    battle.accept(board)


def act(board: Board, side: Side, action: Action) -> None:
    """Carries out a side's action and runs on to the next decision.

    Raises RulesError: `game-over`, `not-your-turn`, `not-now`, or what the rule broken raises.
    """
    if board.phase == "over":
        raise RulesError(GAME_OVER)
    if isinstance(action, model.Resign):
        victory.resign(board, side)
    elif isinstance(action, model.Stand):
        stand(board, side, action)
    elif side not in deciders(board):
        raise RulesError("not-your-turn", phase=board.phase)
    else:
        carry_out = ACTS[board.phase].get(type(action))
        if carry_out is None:
            raise RulesError("not-now", phase=board.phase, may=words_now(board))
        carry_out(board, side, action)
    run_on(board)
    stays.forget(board)


def stand(board: Board, side: Side, action: model.Stand) -> None:
    """Keeps a standing answer; secret: no event. Raises `not-besieged`."""
    if action.at is not None:
        stays.settle(board, side, action)
    elif action.answer != "inside":
        board.standing[side] = action.answer


def words_now(board: Board) -> list[str]:
    """First words of the notation of what this phase takes, from whoever has to decide."""
    words: list[str] = [kind.model_fields["type"].default for kind in ACTS[board.phase]]
    if board.phase == "castle":
        return ["inside", "outside"]
    if board.phase != "march":
        return words
    still = movement.marching(board).mode == "none"
    away = {"march", "muster"} if still else {"discard"}
    return [word for word in words if word not in away and (word != "mori" or board.active == "ishida")]


def run_on(board: Board) -> None:
    """Answers what public facts leave one answer for (1.2), until somebody has to decide (1.1)."""
    while answer(board):
        pass


def answer(board: Board) -> bool:
    """Answers the present question if the engine does so by itself; False where a side has to."""
    match board.phase:
        case "discard" if not week.discarders(board):
            week.reinforce(board)
        case "bid" if not week.bidders(board):
            week.open_bids(board)
        case "combat" if not combat.to_fight(board):
            week.end_turn(board)
        case "castle" if (inside := combat.castle_answer(board)) is not None:
            combat.choose_castle(board, model.Castle(inside=inside))
        case "castle" if stays_inside(board):
            combat.choose_castle(board, model.Castle(inside=True))
        case "deploy" if battle.is_over(battle.fighting(board)):
            combat.end_deployments(board)
        case "challenge" if not asked(board):
            accept(board, OTHER[battle.pending(board).side])
        case "lose":
            return answer_losses(board)
        case "retreat":
            return answer_retreat(board)
        case _:
            return False
    return True


def stays_inside(board: Board) -> bool:
    """Whether the side that is asked said that it stays inside for the rest of this siege."""
    fight = battle.fighting(board)
    return fight.holder is not None and stays.holds(board, fight.holder, fight.at)


def asked(board: Board) -> bool:
    """Whether the opponent is asked to challenge: not with a standing answer or an empty hand (8.6.4)."""
    side = OTHER[battle.pending(board).side]
    return board.standing[side] == "ask" and bool(board.hands[side])


def answer_losses(board: Board) -> bool:
    """Losses that their number alone decides, and the step after the last."""
    side = combat.loser_first(board)
    if side is None:
        combat.after_losses(board)
        return True
    return combat.answer_losses(board, side)


def answer_retreat(board: Board) -> bool:
    """A retreat with one target and no castle to enter."""
    fight = battle.fighting(board)
    if not board.count(fight.loser, fight.at):
        combat.conclude(board, None)
        return True
    targets = combat.retreat_targets(board)
    if combat.may_enter_castle(fight) or len(targets) != 1:
        return False
    combat.retreat(board, fight.loser, model.Retreat(to=targets[0]))
    return True
