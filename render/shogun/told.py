"""What happened in Shogun, told at two lengths: every step, or by action with the most important first.

A reveal runs ten actions for five players: told step by step it is longer than a message and nobody reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engines.protocol import Seen
from render.scene import Scene
from render.words import joined

READABLE = 420  # characters that are read step by step; longer ones are told by action
FIRST = ("game-over", "resigned")
FIGHTS = (  # who took or lost what
    "conquered",
    "conquered-neutral",
    "held",
    "tied",
    "tied-neutral",
    "revolt-held",
    "revolt-lost",
    "starved",
)
CHANGES = ("event-drawn", "order-settled", "winter-came", "year-began", "round-dealt", "events-opened")
LAST = ("scored",)
PARTS = ("built", "rice-gathered", "taxed", "recruited", "moved", "dropped")  # told in an action's line
RANKS: Mapping[str, int] = {
    code: rank for rank, codes in enumerate((FIRST, FIGHTS, CHANGES, LAST)) for code in codes
}


def steps(scene: Scene) -> list[str]:
    """One sentence an event that has one, in their order."""
    return [line for line in (scene.words.event("shogun", e, scene.names) for e in scene.events) if line]


def told(scene: Scene, most: int) -> list[str]:
    """What happened in at most `most` characters: step by step if it is short, else by action."""
    return steps(scene) if is_short(scene, most) else by_action(scene, most)


def is_short(scene: Scene, most: int = READABLE) -> bool:
    """Whether it is read step by step."""
    return len(joined(steps(scene))) <= min(READABLE, most)


def by_action(scene: Scene, most: int) -> list[str]:
    """The important sentences first, then a line an action; what is least important is left out."""
    ranked: list[tuple[int, str]] = []
    for number, event in enumerate(scene.events):
        if event.code in RANKS:
            ranked.append((RANKS[event.code] * 1000 + number, important(scene, event)))
    quiet = [action for action in actions(scene) if action]
    kept: list[tuple[int, str]] = []
    room = most
    for rank, line in [*sorted(ranked), *((9000 - n, line) for n, line in enumerate(reversed(quiet)))]:
        if line and len(line) + 1 <= room:
            kept.append((rank, line))
            room -= len(line) + 1
    return [line for _, line in sorted(kept)]


def important(scene: Scene, event: Seen) -> str:
    """A sentence of its own: the event's, a shorter one where the catalogue has it."""
    short = f"shogun.told.{event.code}"
    if scene.words.has(short):
        return phrase(scene, short, event.params)
    return scene.words.event("shogun", event, scene.names)


def actions(scene: Scene) -> list[str]:
    """A line an action with what each player did in it, in the order they came."""
    lines: list[str] = []
    action, parts = "", list[str]()
    for event in [*scene.events, Seen(code="action-began", params={"action": ""})]:
        if event.code == "action-began":
            lines.append(action_line(scene, action, parts))
            action, parts = str(event.params["action"]), []
        elif event.code in PARTS:
            action = action or str(event.params.get("action", ""))
            parts.append(phrase(scene, f"shogun.told.{event.code}", event.params))
    return lines


def action_line(scene: Scene, action: str, parts: Iterable[str]) -> str:
    """An action's line, empty if nobody did anything in it."""
    done = list(parts)
    if not done:
        return ""
    if not action:
        return phrase(scene, "shogun.told.parts", {"parts": done})
    return phrase(scene, "shogun.told.action", {"action": action, "parts": done})


def phrase(scene: Scene, key: str, params: Mapping[str, Any]) -> str:
    """A phrase of the catalogue with an event's parameters."""
    return scene.words(key, game="shogun", names=scene.names, **params)
