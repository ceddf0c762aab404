"""What a finished game of Rokumon is summed up in: tokens by act, how each act was won, Fights, records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from engines.protocol import Event, Json, Seat, Seen, Step
from engines.rokumon.model import RokumonState

COUNTED = {
    "deployed": "deployed",
    "deployed-open": "deployed",
    "moved": "moved",
    "surprised": "surprises",
    "fight": "fights",
}
TAROMA = frozenset({"taroma-deploy", "taroma-move"})
VOID = frozenset({"act-void", "battle-void"})


class Act(NamedTuple):
    """An act or battle that ended with a winner.

    seat    None where Taroma won
    fight   the Fight that decided it: event `fought` or `fought-tie`
    tokens  revenge tokens of Sanada and Tokugawa after it
    """

    number: int
    seat: Seat | None
    how: str
    actions: int
    fight: Event | None
    tokens: tuple[int, int]


def statistics(start: Step[RokumonState], plies: Sequence[Step[RokumonState]]) -> tuple[Seen, ...]:
    """Tokens after each act, how each was won, what each seat did, how the Fights ended, the longest act."""
    steps = [start, *plies]
    acts = acts_of(steps)
    told: list[Seen] = []
    if len(acts) > 1 and not start.state.solo:
        told.append(tokens(acts))
    told += [told_of(act, solo=start.state.solo is not None) for act in acts]
    told += seats(steps)
    fights = [event for step in steps for event in step.events if event.code in ("fought", "fought-tie")]
    if fights:
        told.append(balance(fights))
    if len(acts) > 1:
        longest = max(acts, key=lambda act: act.actions)
        code = "longest-battle" if start.state.solo else "longest"
        told.append(Seen(code=code, params={"act": longest.number, "n": longest.actions}))
    return tuple(told)


def acts_of(steps: Sequence[Step[RokumonState]]) -> list[Act]:
    """The acts and battles that stand: one whose last action was taken back goes on."""
    acts: list[Act] = []
    actions = 0
    for step in steps:
        fight = None
        for event in step.events:
            if event.code in COUNTED or event.code in TAROMA:
                actions += 1
            elif event.code in ("fought", "fought-tie"):
                fight = event
            elif event.code == "taken-back":
                actions -= 1
            elif event.code == "taken-back-act" and acts:
                actions = acts.pop().actions - 1
            elif event.code in VOID:
                actions = 0
            elif event.code in ("act-won", "battle-won", "battle-lost"):
                acts.append(ended(event, step.state, actions, fight))
                actions = 0
    return acts


def ended(event: Event, state: RokumonState, actions: int, fight: Event | None) -> Act:
    """An act or battle that an event says is won."""
    params = event.params
    if event.code == "act-won":
        number, seat = params["act"], params["winner"]
    else:
        number, seat = params["battle"], 0 if event.code == "battle-won" else None
    tokens = (state.revenge.sanada.count, state.revenge.tokugawa.count)
    return Act(number, seat, params["how"], actions, fight, tokens)


def tokens(acts: Sequence[Act]) -> Seen:
    """Revenge tokens after each act: fewer is better."""
    return Seen(
        code="tokens",
        params={
            "sanada": [act.tokens[0] for act in acts],
            "tokugawa": [act.tokens[1] for act in acts],
            "scores": [f"{sanada}:{tokugawa}" for sanada, tokugawa in (act.tokens for act in acts)],
        },
    )


def told_of(act: Act, *, solo: bool) -> Seen:
    """How an act or battle was won."""
    params: dict[str, Json] = {"act": act.number, "seat": act.seat, "how": act.how, "actions": act.actions}
    if solo:
        return Seen(code="battle" if act.seat is not None else "battle-lost", params=params)
    if act.fight is None:
        return Seen(code="act", params=params)
    fought = {name: act.fight.params[name] for name in ("at", "sanada", "tokugawa")}
    return Seen(code="act-fight", params={**params, **fought})


def seats(steps: Sequence[Step[RokumonState]]) -> list[Seen]:
    """What each seat did; what was taken back is left out."""
    done: list[tuple[Seat, str]] = []
    for event in (event for step in steps for event in step.events):
        if event.code in COUNTED:
            done.append((event.params["seat"], COUNTED[event.code]))
        elif event.code in ("taken-back", "taken-back-act"):
            done.pop()  # nobody has acted since
    counts = Counter(done)
    solo = steps[-1].state.solo is not None
    names = ("deployed", "moved", "surprises", "fights")
    return [
        Seen(
            code="seat-solo" if solo else "seat",
            params={"seat": seat, **{name: counts[seat, name] for name in names}},
        )
        for seat in range(1 if solo else 2)
    ]


def balance(fights: Sequence[Event]) -> Seen:
    """How many Fights each clan's warrior survived, and how many ended in a tie."""
    ends = Counter("ties" if fight.code == "fought-tie" else fight.params["survivor"][0] for fight in fights)
    return Seen(
        code="fights",
        params={"n": len(fights), "sanada": ends["s"], "tokugawa": ends["t"], "ties": ends["ties"]},
    )
