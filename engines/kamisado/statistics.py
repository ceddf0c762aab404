"""What a finished match of Kamisado is summed up in: points by round, the rounds that told, records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from engines.kamisado import rules
from engines.kamisado.choices import action_of
from engines.kamisado.data import SIDES, Side
from engines.kamisado.model import KamisadoState, other
from engines.protocol import Event, Json, Seat, Seen, Step

MOST_ROUNDS = 5  # that are told one by one
ENDS = frozenset({"round-won", "round-taken"})
COUNTED = {"moved": "moves", "pushed": "pushes", "blocked": "passes"}


class Round(NamedTuple):
    """A round that somebody won.

    end     how: it was reached, `forced` where no other move of the loser could prevent it, or a deadlock
    tower   that won it; None where a series' round was taken by a deadlock
    score   points of Black and White after it
    """

    number: int
    seat: Seat
    end: str
    tower: str | None
    moves: int
    score: tuple[int, int]

    @property
    def params(self) -> dict[str, Json]:
        """Itself as an event's parameters."""
        black, white = self.score
        return {
            "round": self.number,
            "seat": self.seat,
            "loser": 1 - self.seat,
            "tower": self.tower,
            "moves": self.moves,
            "black": black,
            "white": white,
        }


def statistics(start: Step[KamisadoState], plies: Sequence[Step[KamisadoState]]) -> tuple[Seen, ...]:
    """Points after each round, what each side did, the rounds that told most, the longest push."""
    steps = [start, *plies]
    rounds = list(rounds_of(steps))
    told: list[Seen] = []
    if len(rounds) > 1:
        told.append(points(rounds))
    told += sides(steps)
    told += [Seen(code=f"round-{one.end}", params=one.params) for one in decisive(rounds)]
    if push := longest_push(steps):
        told.append(push)
    if len(rounds) > 1:
        longest = max(rounds, key=lambda one: one.moves)
        told.append(Seen(code="longest", params={"round": longest.number, "n": longest.moves}))
    return tuple(told)


def rounds_of(steps: Sequence[Step[KamisadoState]]) -> Iterator[Round]:
    """The rounds that were won, in turn."""
    began, moves = 0, 0
    for number, step in enumerate(steps):
        moves += sum(event.code in ("moved", "pushed") for event in step.events)
        won = next((event for event in step.events if event.code in ENDS), None)
        if won is not None:
            yield round_of(steps[began : number + 1], won, moves)
            began, moves = number, 0


def round_of(steps: Sequence[Step[KamisadoState]], won: Event, moves: int) -> Round:
    """The round that these steps played, the state before it first."""
    end = won.params["how"]
    if end == "reached" and unavoidable(steps, SIDES[won.params["seat"]]):
        end = "forced"
    score = steps[-1].state.score
    return Round(
        number=won.params["round"],
        seat=won.params["seat"],
        end=end,
        tower=won.params.get("tower"),
        moves=moves,
        score=(score.black, score.white),
    )


def unavoidable(steps: Sequence[Step[KamisadoState]], winner: Side) -> bool:
    """Whether every move that the loser could make at last would have let the winner win at once."""
    befores = [step.state for step in steps[:-1] if step.state.to_move == other(winner)]
    if not befores or befores[-1].phase != "move":
        return False
    last = befores[-1]
    return all(
        wins_at_once(rules.move(last, action_of(target)).state, winner) for target in rules.targets(last)
    )


def wins_at_once(state: KamisadoState, side: Side) -> bool:
    """Whether the side is to move and reaches the home rank."""
    return state.phase == "move" and state.to_move == side and any(t.wins for t in rules.targets(state))


def points(rounds: Sequence[Round]) -> Seen:
    """Points after each round."""
    return Seen(
        code="points",
        params={
            "black": [one.score[0] for one in rounds],
            "white": [one.score[1] for one in rounds],
            "scores": [f"{black}:{white}" for black, white in (one.score for one in rounds)],
        },
    )


def sides(steps: Sequence[Step[KamisadoState]]) -> Iterator[Seen]:
    """What each side did, and among how many moves it could choose each time, first moves left aside.

    A side that chose among none is said to have done only what it did; one that did nothing is not named.
    """
    done: Counter[tuple[Seat, str]] = Counter()
    free: dict[Seat, list[int]] = {0: [], 1: []}
    for before, step in pairwise(steps):
        for event in step.events:
            if event.code in COUNTED:
                done[event.params["seat"], COUNTED[event.code]] += 1
        state = before.state
        if state.to_move and state.forced and any(e.code in ("moved", "pushed") for e in step.events):
            free[SIDES.index(state.to_move)].append(len(rules.targets(state)))
    for seat in range(len(SIDES)):
        counts = {name: done[seat, name] for name in COUNTED.values()}
        if free[seat]:
            mean = round(sum(free[seat]) / len(free[seat]), 1)
            yield Seen(code="seat", params={"seat": seat, **counts, "free": free[seat], "mean": mean})
        elif any(counts.values()):
            yield Seen(code="seat-bound", params={"seat": seat, **counts})


def decisive(rounds: Sequence[Round]) -> list[Round]:
    """The rounds that told most: the last one, then deadlocks, those that could not be saved, rich ones."""
    gains = dict(zip(rounds, gained(rounds), strict=True))
    weight = {"deadlock": 2, "forced": 1, "reached": 0}
    best = sorted(rounds, key=lambda one: (one is rounds[-1], weight[one.end], gains[one]), reverse=True)
    return sorted(best[:MOST_ROUNDS], key=lambda one: one.number)


def gained(rounds: Sequence[Round]) -> list[int]:
    """The points that each round brought."""
    sums = [0, *(sum(one.score) for one in rounds)]
    return [after - before for before, after in pairwise(sums)]


def longest_push(steps: Sequence[Step[KamisadoState]]) -> Seen | None:
    """The push that moved most towers, the first of several; None without one of two or more."""
    best: Seen | None = None
    for step in steps:
        for event in step.events:
            if event.code == "pushed" and event.params["n"] > (best.params["n"] if best else 1):
                kept = {name: event.params[name] for name in ("seat", "tower", "to", "n")}
                best = Seen(code="push", params={**kept, "round": step.state.round})
    return best
