"""What a finished game is summed up in: points by source, battles against expectation, the tower."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engines.protocol import Event, Seat, Seen, Step
from engines.shogun.model import ShogunState, Tower
from engines.shogun.odds import Odds, odds_of_throw

SOURCES = ("provinces", "buildings", "majorities")
WON = {"conquered": "won", "conquered-neutral": "won", "held": "held"}  # by the attacker, by the defender


class Fought(NamedTuple):
    """A battle: its parties (no defender of a neutral province), its end and the odds before the throw."""

    seat: Seat
    owner: Seat | None
    end: str  # won | held | tie
    odds: Odds


def statistics(start: Step[ShogunState], plies: Sequence[Step[ShogunState]]) -> tuple[Seen, ...]:
    """One line a seat, and one for the tower."""
    events = [event for step in (start, *plies) for event in step.events]
    state: ShogunState = (plies[-1] if plies else start).state
    points = points_by_source(events)
    battles = list(fought(start, plies))
    lines = [
        Seen(
            code="seat",
            params={
                "seat": seat,
                "points": player.points,
                **{source: points[seat, source] for source in SOURCES},
                **balance(battles, seat),
                "inside": state.tower[seat],
            },
        )
        for seat, player in enumerate(state.players)
    ]
    tower = Seen(code="tower", params={"cubes": sum(state.tower), "farmers": state.tower[-1]})
    return (*lines, tower)


def points_by_source(events: Sequence[Event]) -> Counter[tuple[Seat, str]]:
    """Points of both winters by seat and source."""
    points: Counter[tuple[Seat, str]] = Counter()
    for event in events:
        if event.code == "scored":
            for source in SOURCES:
                points[event.params["seat"], source] += event.params[source]
    return points


def balance(battles: Sequence[Fought], seat: Seat) -> dict[str, int | float]:
    """A seat's attacks and defences: how many, how many it won, and how many it should have won."""
    attacks = [battle for battle in battles if battle.seat == seat]
    defences = [battle for battle in battles if battle.owner == seat]
    return {
        "attacks": len(attacks),
        "won": sum(battle.end == "won" for battle in attacks),
        "expected": round(sum(battle.odds.win for battle in attacks), 1),
        "defences": len(defences),
        "held": sum(battle.end == "held" for battle in defences),
        "expected_held": round(sum(battle.odds.lose for battle in defences), 1),
    }


def fought(start: Step[ShogunState], plies: Sequence[Step[ShogunState]]) -> Iterator[Fought]:
    """Every battle, with the tower as it was before its throw."""
    first: ShogunState = start.state
    model, tower = first.options.tower, list(first.tower)
    for step in plies:
        yield from fought_in(step.events, model, tower)


def fought_in(events: Sequence[Event], model: Tower, tower: list[int]) -> Iterator[Fought]:
    """The battles of one action; `tower`, the cubes inside, is brought up to date."""
    attack: Event | None = None
    odds: Odds | None = None
    for event in events:
        params = event.params
        if event.code in ("attacked", "attacked-neutral"):
            attack = event
        elif event.code in ("thrown", "tower-filled"):
            if attack is not None:
                owner = attack.params.get("owner")
                odds = odds_of_throw(
                    model,
                    params["thrown"],
                    tower,
                    attack.params["seat"],
                    owner,
                    helped=attack.params["helped"],
                )
            tower[:] = [
                inside + thrown - fallen
                for inside, thrown, fallen in zip(tower, params["thrown"], params["fallen"], strict=True)
            ]
        elif attack is not None and odds is not None:
            owner = attack.params.get("owner")
            yield Fought(attack.params["seat"], owner, WON.get(event.code, "tie"), odds)
            attack = odds = None
