"""What a finished game is summed up in: the curve of points, its decisive battles, its records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from engines.protocol import Event, Json, Seat, Seen, Step
from engines.sekigahara.control import CASTLE_POINTS, RESOURCE_POINTS
from engines.sekigahara.data import CASTLES, SIDES, Side
from engines.sekigahara.model import SekigaharaState

BATTLES = 5  # how many of them are told
TURNED = 3  # what a castle that changed hands weighs beside a block that was lost


class Fought(NamedTuple):
    """A battle or siege: where and when, its end, what it cost each seat, whether a castle fell.

    nth  1, or which of its kind at that place in that week it was
    """

    week: int
    at: str
    siege: bool
    winner: Seat
    ishida: int
    tokugawa: int
    lost: tuple[int, int]
    fell: bool
    nth: int = 1

    @property
    def weight(self) -> int:
        """How much it decided."""
        return sum(self.lost) + (TURNED if self.fell else 0)

    @property
    def code(self) -> str:
        """What it is told by: two of a kind at one place in a week are told apart."""
        return ("siege" if self.siege else "battle") + ("-again" if self.nth > 1 else "")


def statistics(start: Step[SekigaharaState], plies: Sequence[Step[SekigaharaState]]) -> tuple[Seen, ...]:
    """The curve of points, the decisive battles as they came, then the records."""
    steps = [start, *plies]
    fights = fought(steps)
    chosen = sorted(fights, key=lambda fight: -fight.weight)[:BATTLES]
    told = [
        Seen(
            code=fight.code,
            params={
                "week": fight.week,
                "at": fight.at,
                "seat": fight.winner,
                "ishida": fight.ishida,
                "tokugawa": fight.tokugawa,
                "lost": sum(fight.lost),
                "lost_ishida": fight.lost[0],
                "lost_tokugawa": fight.lost[1],
                "fell": fight.fell,
                "nth": fight.nth,
            },
        )
        for fight in fights
        if fight in chosen
    ]
    return (curve(steps), *told, *records(steps, fights))


def points(state: SekigaharaState) -> dict[Side, int]:
    """Victory points as they stand (2.2)."""
    holders = Counter(
        (state.map[place].holder if place in state.map else None) or CASTLES[place] for place in CASTLES
    )
    owners = Counter(state.control.values())
    return {side: CASTLE_POINTS * holders[side] + RESOURCE_POINTS * owners[side] for side in SIDES}


def curve(steps: Sequence[Step[SekigaharaState]]) -> Seen:
    """The points at the end of each week, and each change with when it came, in thousandths of a week."""
    sizes = Counter(step.state.week for step in steps)
    seen: Counter[int] = Counter()
    at: list[Json] = []
    sides: dict[Side, list[Json]] = {side: [] for side in SIDES}
    weeks: dict[int, str] = {}
    for step in steps:
        week = step.state.week
        now = points(step.state)
        when = 1000 * (week - 1) + 1000 * seen[week] // sizes[week]
        seen[week] += 1
        weeks[week] = f"{now['ishida']}:{now['tokugawa']}"
        if not at or any(sides[side][-1] != now[side] for side in SIDES):
            at.append(when)
            for side in SIDES:
                sides[side].append(now[side])
    return Seen(
        code="points",
        params={
            "weeks": list(weeks.values()),
            "at": at,
            "ishida": sides["ishida"],
            "tokugawa": sides["tokugawa"],
            "end": 1000 * steps[-1].state.week,
        },
    )


def fought(steps: Sequence[Step[SekigaharaState]]) -> list[Fought]:
    """All battles and sieges, as they came."""
    found: list[Fought] = []
    week = 1
    for step in steps:
        for event in step.events:
            if event.code in ("battle-over", "siege-over"):
                fight = _begun(event, week)
                alike = [(one.week, one.at, one.siege) for one in found].count(fight[:3])
                found.append(fight._replace(nth=alike + 1))
            elif event.code == "lost" and found and event.params["at"] == found[-1].at:
                last, lost = found[-1], list(found[-1].lost)
                lost[int(event.params["seat"])] += int(event.params["n"])
                found[-1] = last._replace(lost=(lost[0], lost[1]))
            elif event.code == "castle-fell" and found and event.params["at"] == found[-1].at:
                found[-1] = found[-1]._replace(fell=True, winner=int(event.params["seat"]))
        week = step.state.week
    return found


def _begun(event: Event, week: int) -> Fought:
    at, siege = str(event.params["at"]), event.code == "siege-over"
    if siege:
        seat, n = int(event.params["seat"]), int(event.params["n"])
        return Fought(week, at, True, seat, n if seat == 0 else 0, n if seat == 1 else 0, (0, 0), False)
    ishida, tokugawa = int(event.params["ishida"]), int(event.params["tokugawa"])
    return Fought(week, at, False, int(event.params["winner"]), ishida, tokugawa, (0, 0), False)


def records(steps: Sequence[Step[SekigaharaState]], fights: Sequence[Fought]) -> list[Seen]:
    """What was largest and longest in this game."""
    events = [event for step in steps for event in step.events]
    found: list[Seen] = []
    impacts = [
        (impact, -number, seat, fight)
        for number, fight in enumerate(fights)
        for seat, impact in enumerate((fight.ishida, fight.tokugawa))
    ]
    if impacts:
        impact, _, seat, fight = max(impacts)
        found.append(
            Seen(code="impact", params={"seat": seat, "impact": impact, "at": fight.at, "week": fight.week})
        )
    marches = [event for event in events if event.code == "marched"]
    if marches:
        longest = max(marches, key=lambda event: (len(event.params["path"]), int(event.params["n"])))
        found.append(
            Seen(
                code="march",
                params={
                    "seat": longest.params["seat"],
                    "origin": longest.params["origin"],
                    "to": longest.params["to"],
                    "n": len(longest.params["path"]),
                },
            )
        )
    beaten = Counter[int]()
    for event in events:
        if event.code == "overrun":
            beaten[int(event.params["seat"])] += int(event.params["n"])
    for seat, number in sorted(beaten.items()):
        found.append(Seen(code="overrun", params={"seat": seat, "n": number}))
    lost = {f"lost_{side}": len(steps[-1].state.lost.get(side, ())) for side in SIDES}
    found.append(Seen(code="lost", params={**lost}))
    return found
