"""The ten actions: what each does in the province planned for it (rules A)."""

from __future__ import annotations

from engines.protocol import Seat
from engines.shogun.battle import fight, revolt
from engines.shogun.data import BATTLES, BUILDINGS, CHEST_CARDS, COST, event_is
from engines.shogun.play import Play
from engines.shogun.rules import battle_targets, no_building, recruits_of, rice_of, tax_of


def carry_out(play: Play, seat: Seat, action: str) -> None:
    """A seat's turn in an action: its card is shown (A8), then done (A1) or dropped; a choice may be pending.

    A chest card or no card is no action (P3).
    """
    card = (play.players[seat].plan or {}).get(action)
    if card is None or card in CHEST_CARDS:
        if seat not in play.passive:
            play.tell("no-action", reveals=True, seat=seat, action=action, card=card)
        return
    play.tell("card-shown", reveals=True, seat=seat, action=action, province=card)
    if action in BUILDINGS:
        build(play, seat, card, action)
    elif action == "rice":
        gather_rice(play, seat, card)
    elif action == "tax":
        gather_tax(play, seat, card)
    elif action in BATTLES:
        open_battle(play, seat, card, action)
    else:
        recruit(play, seat, card, action)


def drop(play: Play, seat: Seat, action: str, province: str, why: str) -> None:
    """An action that cannot be done in full is dropped, and nothing is paid (A2)."""
    play.tell("dropped", seat=seat, action=action, province=province, why=why)


def build(play: Play, seat: Seat, name: str, building: str) -> None:
    """Castle, temple, theater: pay and build on a free space (A3); the theater event calms (A11)."""
    purse = play.players[seat]
    why = no_building(play, name, building, purse.chests, play.in_stock(building))
    if why is not None:
        drop(play, seat, building, name, why)
        return
    purse.chests -= COST[building]
    play.change(name, **{building: True})
    play.tell("built", seat=seat, province=name, building=building, chests=COST[building])
    unrest = play.provinces[name].unrest
    if building == "theater" and event_is(play.event, "theater_calms") and unrest:
        play.change(name, unrest=unrest - 1)
        play.tell("calmed", seat=seat, province=name, unrest=unrest - 1)


def gather_rice(play: Play, seat: Seat, name: str) -> None:
    """The rice of the card, then unrest."""
    purse = play.players[seat]
    gain = rice_of(name, play.event, purse.special)
    purse.rice += gain
    play.tell("rice-gathered", seat=seat, province=name, gain=gain, rice=purse.rice)
    stir(play, name)


def gather_tax(play: Play, seat: Seat, name: str) -> None:
    """The chests of the card, then unrest."""
    purse = play.players[seat]
    gain = tax_of(name, play.event, purse.special)
    purse.chests += gain
    play.tell("taxed", seat=seat, province=name, gain=gain, chests=purse.chests)
    stir(play, name)


def stir(play: Play, name: str) -> None:
    """Unrest: a first marker, or a revolt by as many farmers as markers lie there (A12)."""
    unrest = play.provinces[name].unrest
    if unrest:
        revolt(play, name, unrest, markers=True)
    else:
        play.change(name, unrest=1)
        play.tell("unrest", seat=play.provinces[name].owner, province=name, unrest=1)


def recruit(play: Play, seat: Seat, name: str, action: str) -> None:
    """Pay and place armies from the supply; after `recruit1_move` a move is pending (A4)."""
    purse = play.players[seat]
    armies = recruits_of(action, play.event, purse.special)
    if purse.chests < COST[action]:
        drop(play, seat, action, name, "too-few-chests")
        return
    if purse.supply < armies:
        drop(play, seat, action, name, "too-few-armies")
        return
    purse.chests -= COST[action]
    purse.supply -= armies
    province = play.change(name, armies=play.provinces[name].armies + armies)
    play.tell(
        "recruited",
        seat=seat,
        province=name,
        action=action,
        placed=armies,
        armies=province.armies,
        chests=COST[action],
    )
    if action == "recruit1_move":
        play.pending = "move"


def open_battle(play: Play, seat: Seat, name: str, action: str) -> None:
    """A battle card lies open; passed over with one army or without a legal target (A5)."""
    if battle_targets(play, seat, name):
        play.pending = "battle"
    else:
        drop(play, seat, action, name, "one-army" if play.provinces[name].armies < 2 else "no-target")


def march(play: Play, seat: Seat, source: str, target: str, armies: int) -> None:
    """A battle card: into an own province without a throw, else a battle (A5)."""
    if play.provinces[target].owner == seat:
        shift(play, seat, source, target, armies)
    else:
        fight(play, seat, source, target, armies)


def shift(play: Play, seat: Seat, source: str, target: str, armies: int) -> None:
    """Move armies between own provinces."""
    play.change(source, armies=play.provinces[source].armies - armies)
    play.change(target, armies=play.provinces[target].armies + armies)
    play.tell("moved", seat=seat, source=source, province=target, armies=armies)
