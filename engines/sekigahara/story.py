"""A movement phase or a battle as a chapter: what its boards are gathered under, what it is summed up in."""

from __future__ import annotations

from collections.abc import Sequence

from engines.protocol import Json, Seen
from engines.sekigahara.data import block_order
from engines.sekigahara.model import SekigaharaState

ENDS, DECIDED = "combat-over", frozenset({"battle-over", "siege-over"})


def chapter(state: SekigaharaState) -> str | None:
    """The movement phase, or the battle or siege that is fought, by week, turn and place; else None."""
    if state.phase == "march":
        return f"movement {state.week}{state.turn}"
    fight = state.battle
    return None if fight is None else f"battle {state.week}{state.turn} {fight.attacker} {fight.at}"


def recap(told: Sequence[Seen]) -> tuple[Seen, ...]:
    """The last battle or siege that was decided, from its public events; nothing where none was.

    An event list may run on into the battle that a retreat caused: that is another chapter.
    """
    parts: list[list[Seen]] = [[]]
    for event in told:
        parts[-1].append(event)
        if event.code == ENDS:
            parts.append([])
    decided = [part for part in parts if any(event.code in DECIDED for event in part)]
    return _summed(decided[-1]) if decided else ()


def _summed(events: Sequence[Seen]) -> tuple[Seen, ...]:
    """The result, then for each side what it deployed, what left it, what it lost."""
    end = next(event for event in events if event.code in DECIDED)
    lines = [Seen(code="battle" if end.code == "battle-over" else "siege", params=end.params)]
    for seat in (0, 1):
        brought = _of(events, {"led", "deployed"}, seat, "blocks")
        gone = _of(events, {"defected"}, seat, "blocks")
        lost = _of(events, {"lost"}, seat, "units")
        for code, names in (("deployed", brought), ("defected", gone), ("lost", lost)):
            if names:
                lines.append(Seen(code=code, params={"seat": seat, "blocks": names}))
    refuted = sum(event.code == "shown" for event in events)
    return (*lines, Seen(code="refuted", params={"n": refuted})) if refuted else tuple(lines)


def _of(events: Sequence[Seen], codes: set[str], seat: int, key: str) -> list[Json]:
    names = [
        name for e in events if e.code in codes and e.params.get("seat") == seat for name in e.params[key]
    ]
    disks = [name for name in names if name in {"hideyori", "sanada"}]
    return [*block_order(name for name in names if name not in disks), *disks]
