"""What happened in Shogun, told at two lengths: every step, or by action; always in the order it happened.

A reveal runs ten actions for five players: told step by step it is longer than a message and nobody reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from engines.protocol import Seen
from render.scene import Scene
from render.words import joined

READABLE = 420  # characters that are read step by step; longer ones are told by action
FIRST = ("game-over",)  # the result comes before how it came about
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
PARTIES = ("seat", "owner")  # of a fight, a revolt, a score
SCORES = ("resigned", "winter-came", "scored", "year-began")
CHANGES = ("event-drawn", "order-settled", "round-dealt", "events-opened")
LAST = ("rice-lost",)
PARTS = ("built", "rice-gathered", "taxed", "recruited", "moved", "dropped")  # told in an action's line
RANKS: Mapping[str, int] = {
    code: rank for rank, codes in enumerate((FIRST, SCORES, FIGHTS, CHANGES, LAST)) for code in codes
}


def steps(scene: Scene) -> list[str]:
    """One sentence an event that has one, in their order."""
    return [line for line in (scene.words.event("shogun", e, scene.names) for e in scene.events) if line]


def narrated(scene: Scene, most: int) -> list[str]:
    """What happened in at most `most` characters: step by step if it is short, else by action."""
    return steps(scene) if is_short(scene, most) else by_action(scene, most)


def is_short(scene: Scene, most: int = READABLE) -> bool:
    """Whether it is read step by step."""
    return len(joined(steps(scene))) <= min(READABLE, most)


def by_action(scene: Scene, most: int) -> list[str]:
    """What was important a sentence each, the rest a line an action, in the order in which it happened.

    Where that is too long, what matters least is told shorter, then left out; a viewer's own come first.
    """
    found = [*sentences(scene), *actions(scene)]
    kept: dict[Line, str] = {}
    room = most
    for line in sorted(found, key=lambda line: (line.rank, line.at)):
        if len(line.short) + 1 <= room:
            kept[line] = line.short
            room -= len(line.short) + 1
    for line in sorted(kept, key=lambda line: not line.own):
        if len(line.full) - len(line.short) <= room:
            kept[line] = line.full
            room -= len(line.full) - len(line.short)
    return [kept[line] for line in sorted(kept, key=lambda line: (line.rank != 0, line.at))]


class Line(NamedTuple):
    """A line that may be told: where in the events it stands, how much it matters (0: most), its words.

    own: whether the viewer had a part in it
    """

    at: int
    rank: int
    full: str
    short: str
    own: bool = False


def sentences(scene: Scene) -> Iterator[Line]:
    """A sentence of its own for each event that has a rank."""
    for number, event in enumerate(scene.events):
        if event.code in RANKS:
            full = scene.words.event("shogun", event, scene.names)
            viewer = scene.view.viewer
            own = viewer is not None and viewer in {event.params.get(part) for part in PARTIES}
            yield Line(number, RANKS[event.code], full, important(scene, event), own)


def important(scene: Scene, event: Seen) -> str:
    """A sentence of its own: the event's, a shorter one where the catalogue has it."""
    short = f"shogun.told.{event.code}"
    if scene.words.has(short):
        return phrase(scene, short, event.params)
    return scene.words.event("shogun", event, scene.names)


def actions(scene: Scene) -> Iterator[Line]:
    """A line an action with what each player did in it, where it began; the last ones matter most."""
    action, parts, began = "", list[str](), 0
    count = len(scene.events)
    for number, event in enumerate([*scene.events, Seen(code="action-began", params={"action": ""})]):
        if event.code == "action-began":
            if line := action_line(scene, action, parts):
                yield Line(began, len(RANKS) + count - number, line, line)
            action, parts, began = str(event.params["action"]), [], number
        elif event.code in PARTS:
            action = action or str(event.params.get("action", ""))
            parts.append(phrase(scene, f"shogun.told.{event.code}", event.params))


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
