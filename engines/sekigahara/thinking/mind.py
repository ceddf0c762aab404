"""The hard level: one decision of one seat, by phase."""

from __future__ import annotations

from engines.protocol import Action, RulesError
from engines.sekigahara import model, movement
from engines.sekigahara.board import Board
from engines.sekigahara.data import Side, block_order
from engines.sekigahara.model import SekigaharaView
from engines.sekigahara.thinking import fights, plans, weeks
from engines.sekigahara.thinking.field import Field
from engines.sekigahara.thinking.worth import Situation


def decide(view: SekigaharaView, side: Side, board: Board) -> Action:
    """The action. `board` fits the view: what the view hides on it is not looked at but to keep the rules."""
    s = Situation(view, side)
    match view.phase:
        case "discard":
            return weeks.discard(s)
        case "bid":
            return weeks.bid(s)
        case "first":
            return weeks.first(s)
        case "move":
            return move(s)
        case "march":
            return march(s, board)
        case "combat":
            return fights.first_combat(s, board)
        case "castle":
            return fights.castle(s, board)
        case "deploy":
            return fights.deploy(s, board)
        case "challenge":
            return fights.challenge(s, board)
        case "answer":
            return fights.answer(s, board)
        case "lose":
            return fights.lose(s, board)
        case _:
            return fights.retreat(s, board)


def move(s: Situation) -> Action:
    """How much to move."""
    f = Field(s.view, s.side)
    mode, number = plans.mode(s, f)
    return model.Move(mode=mode, cards=plans.cheapest(s, f, number)[0])


def march(s: Situation, board: Board) -> Action:
    """The next march or muster, or the end."""
    f = Field(s.view, s.side)
    phase = movement.marching(board)
    if phase.mode == "none":
        return model.End()
    room = plans.rooms(s)
    found = [step for step in plans.steps(s, f, plans.origins(s, f), joint=room) if step.gain >= plans.LEAST]
    mustered = None
    if movement.may_muster(phase):
        mustered = next(iter(plans.musters(s, f)), None)
        if mustered and mustered.gain < plans.LEAST:
            mustered = None
    if mustered and phase.mode != "minimal":
        left = [step for step in found if step.gain > mustered.gain]
        stacks = sum(len(step.stacks) for step in left[:room])
        found = left if stacks >= room or phase.mode == "total" else found
    elif mustered and found and mustered.gain > found[0].gain:
        found = []
    for step in found:
        action = plans.as_march(s, f, step.stacks[0])
        if legal(board, action):
            return action
    if mustered and (muster := plans.as_muster(mustered)) and movement.muster_open(board, muster.to):
        return muster
    return mori(s, f) or model.End()


def legal(board: Board, action: model.March) -> bool:
    """Whether the rules allow a march, whatever the view hides."""
    try:
        movement.check_march(board, action)
    except RulesError:
        return False
    return True


def mori(s: Situation, f: Field) -> Action | None:
    """A card for a block of the Mori box, where it is missed less (9.3)."""
    if s.side != "ishida" or not s.view.mori_box or len(s.hand) < 3:
        return None
    cards, cost = plans.cheapest(s, f, 1)
    if cost > plans.MUSTERED * s.block * 0.6 or (s.view.turn == "A" and len(s.hand) < 8):
        return None
    blocks = [face for face in block_order(s.view.mori_box) if face != movement.MORI_LEADER]
    return model.Mori(cards=cards, blocks=(blocks[0] if blocks else movement.MORI_LEADER,))
