"""Orders that a side leaves for a battle: "deploy these as long as I have the initiative, then done".

A text `deploy mori3 with mori; deploy ukita-gun with ukita-sword; done` in the usual notation, kept in
secret by the table. Each deployment is made as soon as the side has the initiative; questions that are
asked meanwhile (a challenge, a proof) are still answered by the player.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.capabilities import SEPARATOR, Edit
from engines.protocol import Action, RulesError
from engines.sekigahara import battle, flow, legal, model, notation
from engines.sekigahara.board import Board, without
from engines.sekigahara.data import Side, block_order

WORD = "orders"
DONE = "done"
FIGHTING = frozenset({"deploy", "challenge", "answer"})


def occasion(board: Board, side: Side) -> str | None:
    """Names the battle for which a side may leave orders; None where there is none, or it is done there."""
    fight = board.battle
    if fight is None or board.phase not in FIGHTING or side in fight.done:
        return None
    if fight.siege and side != fight.attacker:
        return None
    return f"battle {board.week}{board.turn} {fight.attacker} {fight.at}"


def read(board: Board, side: Side, text: str) -> tuple[Action, ...]:
    """The orders of a text without its first word, each checked as if those before it had stood.

    Raises `bad-action`, `orders-deploy-only`, and what `battle.deploy` raises.
    """
    found = tuple(notation.parse(part) for part in text.split(";") if part.strip())
    for number, action in enumerate(found):
        last = number == len(found) - 1
        if not isinstance(action, model.Deploy) and not (isinstance(action, model.Done) and last):
            raise RulesError("orders-deploy-only", text=notation.text(action))
    after(board, side, found)
    return found


def written(actions: Sequence[Action]) -> str:
    """Orders as text."""
    return SEPARATOR.join(notation.text(action) for action in actions)


def after(board: Board, side: Side, actions: Sequence[Action]) -> Board:
    """A copy of the board on which these deployments stand. Raises what `battle.deploy` raises."""
    copy = Board.of(board.state(), board.chance)
    fight = battle.fighting(copy)
    for action in actions:
        if not isinstance(action, model.Deploy):
            continue
        battle.check_deploy(copy, side, action)
        if action.card is not None:
            copy.hands[side] = without(copy.hands[side], [action.card])
            fight.used[side].append(action.card)
        fight.impact[side] += battle.impact_of_all(
            block_order(action.blocks), fight.deployed[side], sword=battle.with_special(fight, action)
        )
        fight.deployed[side].extend(block_order(action.blocks))
    return copy


def deployments(board: Board, side: Side) -> list[model.Deploy]:
    """What may be deployed on a board, whoever has the initiative."""
    return [action for action in legal.deployments(board, side) if isinstance(action, model.Deploy)]


def due(board: Board, side: Side, draft: str) -> Edit | None:
    """What the orders do now: the action and what is left. None while they wait; dropped once refused."""
    if not draft or board.phase != "deploy" or side not in flow.deciders(board):
        return None
    first, *rest = draft.split(SEPARATOR)
    try:
        read(board, side, first)
    except RulesError:
        return Edit(draft="")  # what it was meant for has changed: the player is asked himself
    return Edit(draft=SEPARATOR.join(rest), send=first)


def completions(board: Board, side: Side, text: str) -> list[str]:
    """Texts that continue orders begun with `orders ...`, each with one deployment more, or `done`."""
    given = text.partition(WORD)[2]
    whole, _, _ = given.rpartition(";")
    try:
        earlier = read(board, side, whole)
    except RulesError:
        return []
    if any(isinstance(action, model.Done) for action in earlier):
        return []
    more = [*deployments(after(board, side, earlier), side), model.Done()]
    texts = [f"{WORD} {written([*earlier, action])}" for action in more]
    start = " ".join(text.casefold().split())
    return [full for full in texts if full.startswith(start) and len(full) <= 100]
