"""What a message says and holds, however it is laid out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from locales import END_ISOLATE
from locales.direction import RIGHT_ISOLATE

TEXT = 10  # the type of a text display


def parts_of(message: Any) -> list[dict[str, Any]]:
    """All components of a message from top to bottom, with what lies in others, as Discord's JSON."""

    def walk(parts: Any) -> Iterator[dict[str, Any]]:
        for part in parts or ():
            one = part if isinstance(part, dict) else part.to_dict()
            yield one
            yield from walk(one.get("components"))
            yield from walk(filter(None, [one.get("accessory")]))

    return list(walk(message.get("components") if isinstance(message, dict) else message.components))


def wording(message: Any) -> str:
    """Its words: those of a plain message, or of all its texts, small type as any other."""
    content = message["content"] if isinstance(message, dict) else message.content
    texts = [part["content"] for part in parts_of(message) if part["type"] == TEXT]
    lines = "\n".join(text for text in [content, *texts] if text).split("\n")
    return "\n".join(bare(line.removeprefix("-# ")) for line in lines)


def bare(line: str) -> str:
    """A line without the isolates around all of it: what a reader of its language sees."""
    if RIGHT_ISOLATE not in line:
        return line
    return "".join(line.replace(RIGHT_ISOLATE, "", 1).rpartition(END_ISOLATE)[::2])


CONTAINER, ROW, GALLERY = 17, 1, 12
MOST_PARTS, MOST_SAID = 40, 4_000  # Discord's own limits


def badly_laid(message: Any) -> str:
    """What is wrong with how a message is laid out; "" where it is one container of the order of all."""
    (container,) = [part for part in parts_of(message) if part["type"] == CONTAINER] or [{"components": []}]
    kinds = [part["type"] for part in container["components"]]
    rows = [n for n, kind in enumerate(kinds) if kind == ROW]
    if not kinds or not container.get("accent_color"):
        return "no container with an accent"
    if any(line.startswith("-# ") for line in wording(message).split("\n")):
        return "in small type twice"
    if len(parts_of(message)) > MOST_PARTS or len(wording(message)) > MOST_SAID:
        return "more than Discord takes"
    if rows != list(range(len(kinds) - len(rows), len(kinds))):
        return "controls are not at the end"
    for gallery in (part for part in container["components"] if part["type"] == GALLERY):
        if kinds[0] != TEXT or not all(item.get("description") for item in gallery["items"]):
            return "a picture without words"
    return ""
