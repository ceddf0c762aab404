"""What a finished game is summed up in: points by source and season, battles, records, the tower."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engines.protocol import Event, Json, Seat, Seen, Step
from engines.shogun.model import ShogunState, Tower
from engines.shogun.odds import Odds, odds_of_throw
from engines.shogun.standing import gains

SOURCES = ("provinces", "buildings", "majorities")
WON = {"conquered": "won", "conquered-neutral": "won", "held": "held"}  # by the attacker, by the defender


DECISIVE = 3  # battles that are told


class Fought(NamedTuple):
    """A battle: its parties (no defender of a neutral province), its end and the odds before the throw.

    province  where it was, and in what year and season
    counts    the cubes that were counted: attackers, defenders, farmers
    """

    seat: Seat
    owner: Seat | None
    end: str  # won | held | tie
    odds: Odds
    province: str
    counts: tuple[int, int, int]
    year: int = 1
    season: str = "spring"

    @property
    def chance(self) -> float:
        """How likely that end was."""
        return {"won": self.odds.win, "held": self.odds.lose}.get(self.end, self.odds.tie)

    @property
    def weight(self) -> float:
        """How much it decided: many cubes, and an end that was not to be expected."""
        return sum(self.counts) * (1.25 - self.chance)


def statistics(start: Step[ShogunState], plies: Sequence[Step[ShogunState]]) -> tuple[Seen, ...]:
    """One line a seat, one for the tower, then the decisive battles, records, and each seat's curve."""
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
    return (*lines, tower, *decisive(battles), *records(battles, events), *curves(start, plies))


def decisive(battles: Sequence[Fought]) -> tuple[Seen, ...]:
    """The battles that decided most, in the order in which they were fought."""
    best = sorted(range(len(battles)), key=lambda place: -battles[place].weight)[:DECISIVE]
    chosen = [battles[place] for place in sorted(best)]
    neutral = {True: "-neutral", False: ""}
    return tuple(Seen(code=f"battle-{b.end}{neutral[b.owner is None]}", params=told(b)) for b in chosen)


def told(battle: Fought) -> dict[str, Json]:
    """A battle's parameters; `owner` is left out of one for a neutral province."""
    attackers, defenders, farmers = battle.counts
    params: dict[str, Json] = {
        "seat": battle.seat,
        "province": battle.province,
        "year": battle.year,
        "season": battle.season,
        "attackers": attackers,
        "defenders": defenders + farmers,
        "chance": round(100 * battle.chance),
    }
    return params if battle.owner is None else {**params, "owner": battle.owner}


def records(battles: Sequence[Fought], events: Sequence[Event]) -> tuple[Seen, ...]:
    """The luckiest battle, the largest one, who built most, who gained most chests."""
    found = []
    lucky = [
        battle
        for battle in battles
        if battle.end == "won" or (battle.owner is not None and battle.end == "held")
    ]
    if lucky:
        luckiest = min(lucky, key=lambda battle: battle.chance)
        winner = luckiest.seat if luckiest.end == "won" else luckiest.owner
        params = {"seat": winner, "province": luckiest.province, "chance": round(100 * luckiest.chance)}
        found.append(Seen(code="record-luckiest", params=params))
    if battles:
        largest = max(battles, key=lambda battle: sum(battle.counts))
        params = {"seat": largest.seat, "province": largest.province, "cubes": sum(largest.counts)}
        found.append(Seen(code="record-largest", params=params))
    built, taxed = Counter[Seat](), Counter[Seat]()
    for event in events:
        if event.code == "built":
            built[event.params["seat"]] += 1
        elif event.code == "taxed":
            taxed[event.params["seat"]] += event.params["gain"]
    for code, counts, what in (("builder", built, "buildings"), ("treasurer", taxed, "chests")):
        if counts:
            seat, most = min(counts.items(), key=lambda item: (-item[1], item[0]))
            found.append(Seen(code=f"record-{code}", params={"seat": seat, what: most}))
    return tuple(found)


def curves(start: Step[ShogunState], plies: Sequence[Step[ShogunState]]) -> tuple[Seen, ...]:
    """Each seat's points with what a scoring would have given, at the start and after each season.

    After a winter it is the points themselves; a game that ends without one is counted as it stands.
    """
    first: ShogunState = start.state
    if first.phase == "draft":
        first = next((step.state for step in plies if step.state.phase != "draft"), first)
    moments = [worth(first)]
    before = (first.year, first.season)
    for step in plies:
        state: ShogunState = step.state
        now = (state.year, state.season)
        scored = any(event.code == "scored" for event in step.events)
        if state.phase == "over":
            moments.append([p.points for p in state.players] if scored else worth(state))
        elif scored:
            moments.append([p.points for p in state.players])
        elif now != before and state.phase == "plan":
            moments.append(worth(state))
        before = now if state.phase != "draft" else before
    return tuple(
        Seen(code="curve", params={"seat": seat, "points": [moment[seat] for moment in moments]})
        for seat in range(len(first.players))
    )


def worth(state: ShogunState) -> list[int]:
    """Points by seat with what a scoring now would give."""
    found = gains(state, len(state.players))
    return [player.points + gain.all for player, gain in zip(state.players, found, strict=True)]


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
    before: ShogunState = start.state
    model, tower = before.options.tower, list(before.tower)
    for step in plies:
        for battle in fought_in(step.events, model, tower):
            yield battle._replace(year=before.year, season=before.season)
        before = step.state


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
            counts = (params["attackers"], params["defenders"], params["farmers"])
            end = WON.get(event.code, "tie")
            yield Fought(attack.params["seat"], owner, end, odds, attack.params["province"], counts)
            attack = odds = None
