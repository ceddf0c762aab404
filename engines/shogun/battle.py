"""Battles and revolts: who is thrown, who is counted, what is left of the province (rules B, R)."""

from __future__ import annotations

from typing import NamedTuple

from engines.protocol import Seat
from engines.shogun.data import event_is
from engines.shogun.model import Board
from engines.shogun.play import Play, cubes_of
from engines.shogun.rules import farmers_of_neutral


class Outcome(NamedTuple):
    """How a battle ends: `won`, `held` or `tie`, and the armies left in the province."""

    end: str
    armies: int


def outcome(attackers: int, defenders: int, farmers: int) -> Outcome:
    """The end of a battle by the counted cubes in the tray (B7, B8, B9).

    `tie` also stands for 0-0, for farmers without a defender (Ruling: farmers alone), and for a neutral
    province not won.
    """
    if attackers > defenders + farmers:
        return Outcome("won", attackers - defenders - farmers)
    if defenders + farmers > attackers and defenders >= 1:
        return Outcome("held", min(defenders, defenders + farmers - attackers))
    return Outcome("tie", 0)


class Extras(NamedTuple):
    """Armies thrown from the supply, without regard to what the supply holds, and farmers of a neutral."""

    attack: int
    defense: int
    farmers: int


def extras(board: Board, target: str, attack: str | None, defense: str | None) -> Extras:
    """The extras of a battle for `target`, by the special cards of the two parties and the event (B2).

    They are always added (Ruling: extras).
    """
    province = board.provinces[target]
    if province.owner is None:
        return Extras(int(attack == "attack+1"), 0, farmers_of_neutral(board.event))
    castle = event_is(board.event, "castle_defense") and province.castle
    return Extras(int(attack == "attack+1"), (defense == "defense+1") + castle, 0)


def farmers_count(board: Board, target: str) -> bool:
    """Whether the farmers in the tray fight for the defender: they do without unrest (B5)."""
    return board.provinces[target].unrest == 0


def fight(play: Play, seat: Seat, source: str, target: str, armies: int) -> None:
    """An attack of `armies` from `source` on a province that is not the seat's own.

    Only the cubes of the two parties, and farmers who help, leave the tray (B5, B6); those that do not
    end on the board are in the supply (B10).
    """
    province = play.provinces[target]
    defender = province.owner
    _throw_armies(play, seat, source, target, armies)
    helped = farmers_count(play, target)
    attack = play.collect(seat)
    defense = 0 if defender is None else play.collect(defender)
    farmers = play.collect_farmers() if helped else 0
    end = outcome(attack, defense, farmers)
    counts = {"attackers": attack, "defenders": defense, "farmers": farmers}
    places = {"seat": seat, "source": source, "province": target}
    if defender is not None:
        counts["owner"] = defender
    kind = "" if defender is not None else "-neutral"
    if end.end == "won":
        play.players[seat].supply -= end.armies
        play.tell(f"conquered{kind}", **places, **counts, armies=end.armies, tray=list(play.tray))
        play.lose_card(target)
        play.change(target, owner=seat, armies=end.armies)
    elif end.end == "held" and defender is not None:
        play.players[defender].supply -= end.armies
        play.tell("held", **places, **counts, armies=end.armies, tray=list(play.tray))
        play.change(target, armies=end.armies)
    else:
        play.tell(f"tied{kind}", **places, **counts, tray=list(play.tray))
        play.lose_card(target)
        play.clear(target)


def _throw_armies(play: Play, seat: Seat, source: str, target: str, armies: int) -> None:
    """Take both sides' cubes from board and supply (B2, B3: what there is) and throw them (B1)."""
    province = play.provinces[target]
    defender = province.owner
    special = None if defender is None else play.players[defender].special
    more = extras(play, target, play.players[seat].special, special)
    attack_extra = min(more.attack, play.players[seat].supply)
    defense_extra = 0 if defender is None else min(more.defense, play.players[defender].supply)
    farmers = min(more.farmers, play.farmers)
    play.tell(
        "attacked" if defender is not None else "attacked-neutral",
        seat=seat,
        source=source,
        province=target,
        armies=armies,
        attack_extra=attack_extra,
        farmers=farmers,
        helped=farmers_count(play, target),
        **(
            {}
            if defender is None
            else {
                "owner": defender,
                "defending": province.armies,
                "defense_extra": defense_extra,
            }
        ),
    )
    play.change(source, armies=play.provinces[source].armies - armies)
    play.players[seat].supply -= attack_extra
    counts = {seat: armies + attack_extra}
    if defender is not None:
        play.players[defender].supply -= defense_extra
        counts[defender] = province.armies + defense_extra
    play.throw(cubes_of(len(play.players), counts, farmers))


def revolt(play: Play, name: str, farmers: int, *, markers: bool) -> None:
    """The farmers of a province rise against its owner (R1), without special cards and events (R4).

    Held with strictly more armies, with a marker more if `markers` (R2); else lost (R3).
    """
    province = play.provinces[name]
    seat = province.owner
    if seat is None:
        raise ValueError(f"{name} is neutral and cannot revolt")
    rising = min(farmers, play.farmers)
    play.tell("revolted", seat=seat, province=name, armies=province.armies, farmers=rising)
    play.throw(cubes_of(len(play.players), {seat: province.armies}, rising))
    armies, against = play.collect(seat), play.collect_farmers()
    counts = {"seat": seat, "province": name, "defenders": armies, "farmers": against}
    if armies > against:
        left = armies - against
        play.players[seat].supply -= left
        unrest = province.unrest + markers
        play.change(name, armies=left, unrest=unrest)
        play.tell("revolt-held", **counts, armies=left, unrest=unrest, tray=list(play.tray))
    else:
        play.tell("revolt-lost", **counts, tray=list(play.tray))
        play.lose_card(name)
        play.clear(name)
