"""Combat from its declaration to the cards after it: castles, losses, retreats, sieges (8.1, 8.7-8.10)."""

from __future__ import annotations

from engines.protocol import Json, RulesError
from engines.sekigahara import battle, cards, control, movement, victory
from engines.sekigahara.board import SEAT, Board, Fight, without
from engines.sekigahara.data import CASTLES, MORI_PLACE, NEIGHBOURS, OTHER, PLACES, SIDES, Side, block_order
from engines.sekigahara.model import Castle, Combat, Lose, Retreat

IN_CASTLE = 2  # blocks that fit into a castle (8.9.1)
BLOCK_IMPACT = 7  # impact that costs a block (8.7.1)


def to_fight(board: Board) -> list[str]:
    """Places where the active side still has to declare a combat this turn (8.1, 8.9.6)."""
    fought = board.march.fought if board.march else []
    side = board.active
    return [p for p in PLACES if board.count(side, p) and board.contested(p) and p not in fought]


def declare(board: Board, action: Combat) -> None:
    """The active side fights here next. Raises `no-combat-there`."""
    if action.at not in to_fight(board):
        raise RulesError("no-combat-there", at=action.at, places=to_fight(board))
    board.tell("combat", seat=SEAT[board.active], at=action.at)
    begin(board, action.at, board.active)


def begin(board: Board, place: str, attacker: Side) -> None:
    """A combat begins: the Mori box joins, then the castle side is asked (8.9.2, 9.3)."""
    if board.march and place not in board.march.fought:  # a retreat may bring a second battle
        board.march.fought.append(place)
    board.phase = "combat"
    if place == MORI_PLACE and attacker == "tokugawa" and board.mori_box:
        faces, board.mori_box = block_order(board.mori_box), []
        board.tell("mori-joined", seat=SEAT["ishida"], n=len(faces), blocks=faces, at=place)
        board.place_blocks("ishida", place, faces)
        if movement.overrun(board, "ishida", place) != 0:
            return
    holder = board.castle_side(place)
    board.battle = Fight.begin(place, attacker, holder)
    board.phase = "castle" if holder else "deploy"


def castle_answer(board: Board) -> bool | None:
    """Whether the castle side is inside, as far as its number decides: none is, 3 or more are not (1.2)."""
    fight = battle.fighting(board)
    blocks = board.count(fight.holder, fight.at) if fight.holder else IN_CASTLE + 1
    if blocks == 0:
        return True
    return False if blocks > IN_CASTLE else None


def choose_castle(board: Board, action: Castle) -> None:
    """Inside: a siege, or nothing if it is the active side's castle. Outside: a battle (8.9.2)."""
    fight = battle.fighting(board)
    holder = fight.holder or fight.defender
    board.tell("inside" if action.inside else "outside", seat=SEAT[holder], at=fight.at)
    board.phase = "deploy"
    if not action.inside:
        board.besieged.discard(fight.at)
        return
    board.besieged.add(fight.at)
    if holder in {board.active, fight.attacker} and board.count(holder, fight.at):
        board.battle = None
        board.phase = "combat"
    else:
        fight.siege = True


# -- losses (8.7, 8.9.4) --------------------------------------------------------------------


def end_deployments(board: Board) -> None:
    """The battle or siege is decided: what each side has to lose."""
    fight = battle.fighting(board)
    board.phase = "lose"
    if fight.siege:
        inside = fight.defender
        units = board.count(inside, fight.at) + (board.disk(inside, fight.at) is not None)
        fight.losses = {inside: min(fight.impact[fight.attacker] // BLOCK_IMPACT, units)}
        board.tell("siege-over", seat=SEAT[fight.attacker], at=fight.at, n=fight.impact[fight.attacker])
        return
    for side in SIDES:
        due = fight.impact[OTHER[side]] // BLOCK_IMPACT + (side == fight.loser)
        fight.losses[side] = min(due, board.count(side, fight.at))
    ends: dict[str, Json] = {"winner": SEAT[fight.winner], "loser": SEAT[fight.loser], "at": fight.at}
    board.tell("battle-over", **ends, **battle.scores(fight))


def loser_first(board: Board) -> Side | None:
    """The side that loses blocks next: the loser, then the winner (Ruling: the losses' order)."""
    fight = battle.fighting(board)
    order = (fight.defender,) if fight.siege else (fight.loser, fight.winner)
    return next((side for side in order if fight.losses.get(side)), None)


def take_defectors(board: Board, side: Side) -> None:
    """Defectors are lost first, for their owner; with more defectors than losses he chooses (8.7.2)."""
    fight = battle.fighting(board)
    gone = fight.defected[side]
    if gone and fight.losses.get(side, 0) >= len(gone):
        lose_units(board, side, list(gone), [])


def loss_pool(board: Board, side: Side) -> tuple[list[str], list[str]]:
    """Blocks and disks among which a side chooses its losses."""
    fight = battle.fighting(board)
    blocks = list(fight.defected[side] or board.at(side, fight.at))
    disk = board.disk(side, fight.at) if fight.siege else None
    if disk == "hideyori" and fight.losses.get(side, 0) <= len(blocks):
        disk = None  # the last to go (9.1)
    return block_order(blocks), [disk] if disk else []


def answer_losses(board: Board, side: Side) -> bool:
    """Takes losses that their number alone decides; False where the side has to choose."""
    take_defectors(board, side)
    fight = battle.fighting(board)
    due = fight.losses.get(side, 0)
    blocks, disks = loss_pool(board, side)
    if due >= len(blocks) + len(disks):
        lose_units(board, side, blocks, disks)
        fight.losses.pop(side, None)
    return not fight.losses.get(side)


def lose(board: Board, side: Side, action: Lose) -> None:
    """The blocks and disks a side chooses to lose. Raises `wrong-losses`, `not-to-lose`."""
    fight = battle.fighting(board)
    take_defectors(board, side)
    due = fight.losses.get(side, 0)
    if len(action.blocks) + len(action.disks) != due:
        raise RulesError("wrong-losses", n=due)
    blocks, disks = loss_pool(board, side)
    if wrong := [*without(action.blocks, blocks), *without(action.disks, disks)]:
        raise RulesError("not-to-lose", blocks=wrong, pool=[*blocks, *disks])
    lose_units(board, side, list(action.blocks), list(action.disks))


def lose_units(board: Board, side: Side, blocks: list[str], disks: list[str]) -> None:
    """Takes losses off the map and shows them."""
    fight = battle.fighting(board)
    board.kill(side, fight.at, blocks)
    board.disks = without(board.disks, disks)
    fight.lost[side].extend(blocks)
    stood = OTHER[side] if fight.defected[side] else side  # defectors go first, so all of them or none are
    fight.defected[side] = without(fight.defected[side], blocks)
    fight.deployed[stood] = without(fight.deployed[stood], blocks)
    fight.losses[side] = fight.losses.get(side, 0) - len(blocks) - len(disks)
    if blocks or disks:
        units = [*block_order(blocks), *disks]
        board.tell("lost", seat=SEAT[side], units=units, n=len(units), at=fight.at, reveals=True)


def after_losses(board: Board) -> None:
    """Instant victory is looked at; then the loser retreats, or the siege is settled."""
    fight = battle.fighting(board)
    blocks = [face for side in SIDES for face in fight.lost[side]]
    fallen = fight.siege and fight.at == MORI_PLACE and "hideyori" not in board.disks
    disks = ["hideyori"] if fallen else []
    if victory.instant(board, blocks, disks):
        return
    if fight.siege or not board.count(fight.loser, fight.at):
        conclude(board, None)
    else:
        board.phase = "retreat"


# -- retreat (8.8) ------------------------------------------------------------------------


def may_enter_castle(fight: Fight) -> bool:
    """Whether the loser may leave blocks inside: he controlled the castle before (8.8.4)."""
    return fight.at in CASTLES and fight.holder == fight.loser


def retreat_targets(board: Board) -> list[str]:
    """Where the loser may go (8.8.2, 8.8.3; Ruling: retreats of a caused battle)."""
    fight = battle.fighting(board)
    near = list(NEIGHBOURS[fight.at])
    caused = fight.attacker != board.active  # else `entered` holds what the attackers of this battle used
    entered = [] if caused or not board.march else board.march.entered.get(fight.at, [])
    if fight.loser == fight.attacker:
        return [place for place in near if place in entered] or near
    free = [p for p in near if not board.has_units(fight.winner, p) and p not in entered]
    return free or near


def retreat(board: Board, side: Side, action: Retreat) -> None:
    """The loser leaves (8.8.1).

    Raises `no-castle`, `castle-full`, `not-there`, `all-inside`, `where-to`, `bad-retreat`.
    """
    fight = battle.fighting(board)
    here, inside = board.at(side, fight.at), action.castle
    if inside and not may_enter_castle(fight):
        raise RulesError("no-castle", at=fight.at)
    if len(inside) > IN_CASTLE:
        raise RulesError("castle-full", n=IN_CASTLE)
    if missing := without(inside, here):
        raise RulesError("not-there", at=fight.at, blocks=missing)
    leaving = without(here, inside)
    if not leaving and action.to is not None:
        raise RulesError("all-inside")
    if leaving and action.to is None:
        raise RulesError("where-to", places=retreat_targets(board))
    if action.to is not None and action.to not in retreat_targets(board):
        raise RulesError("bad-retreat", to=action.to, places=retreat_targets(board))
    if inside:
        own = {side: {"blocks": block_order(inside)}}
        board.tell("entered-castle", own, seat=SEAT[side], at=fight.at, n=len(inside))
        board.besieged.add(fight.at)
    if action.to is not None:
        board.tell("retreated", seat=SEAT[side], at=fight.at, to=action.to, n=len(leaving))
    conclude(board, action.to, leaving)


def conclude(board: Board, to: str | None, leaving: list[str] | None = None) -> None:
    """After the losses (8.8.6): retreat, overrun at its end, control, cards, the battle it caused (8.8.5)."""
    fight = battle.fighting(board)
    side, at = fight.loser, fight.at
    overrun: tuple[Side, int] | None = None
    if to is not None and leaving:
        board.take_blocks(side, at, leaving)
        own_there = board.has_units(side, to)
        board.place_blocks(side, to, leaving)
        dead = movement.overrun(board, side, to)
        if dead is None:
            return
        overrun = (OTHER[side], dead)
    control.after_fight(board, at)
    if to is not None:
        control.take(board, side, to)
    board.forget_entries(at)
    cards.after_fight(board, overrun)
    fell = fight.siege and not board.has_units(fight.defender, at)
    if fell:
        board.tell("castle-fell", seat=SEAT[fight.attacker], at=at)
    board.tell("combat-over", at=at)
    board.battle = None
    board.phase = "combat"
    if to is not None and not own_there and board.contested(to):
        board.tell("retreat-battle", seat=SEAT[side], at=to)
        begin(board, to, side)
