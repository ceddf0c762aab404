"""Lines of both directions that keep their order wherever they are shown.

An app may set a line from left to right although it is Hebrew: its full stop then stands on the wrong side,
and what comes after a name stands before it. Such a line says for itself which way it runs.
"""

from __future__ import annotations

import re
import unicodedata

from locales import END_ISOLATE, outside

RIGHT_ISOLATE = "\u2067"  # what is between it and END_ISOLATE runs from right to left
FENCE = "```"
HEAD = re.compile(  # what is read only where a line begins, and stars that make letters bold only before them
    r"(?:-# |#{1,3} |> |[-*] )*(?:\*{1,3}|_{1,2}|~~)?"
)
TAIL = re.compile(r"(?:\*{1,3}|_{1,2}|~~)$")
SILENT = re.compile(r"`[^`]*`|<[^<>\s]*>|https?://\S+")  # mentions, moments, emoji, what is typed


def in_order(text: str) -> str:
    """The text, each line of it that runs from right to left between isolates; blocks of code as they are."""
    if text.isascii():
        return text
    lines, code = [], False
    for line in text.split("\n"):
        fences = line.count(FENCE)
        lines.append(line if code or fences or not runs_left(line) else apart(line))
        code ^= fences % 2 == 1
    return "\n".join(lines)


def label_in_order(text: str, most: int) -> str:
    """A text of a control that runs from right to left, apart if it is more than words and may be as long."""
    mixed = runs_left(text) and any(
        not sign.isspace() and unicodedata.bidirectional(sign) not in ("R", "AL") for sign in text
    )
    return f"{RIGHT_ISOLATE}{text}{END_ISOLATE}" if mixed and len(text) + 2 <= most else text


def runs_left(line: str) -> bool:
    """Whether the first letter of its own is one of a language that is written from right to left."""
    if line.isascii():
        return False
    for sign in outside(SILENT.sub(" ", line)):
        direction = unicodedata.bidirectional(sign)
        if direction in ("L", "R", "AL"):
            return direction != "L"
    return False


def apart(line: str) -> str:
    """A line between isolates, behind what has to begin it, before the stars that end it."""
    begins, ends = HEAD.match(line), TAIL.search(line)
    first, last = begins.end() if begins else 0, ends.start() if ends else len(line)
    return f"{line[:first]}{RIGHT_ISOLATE}{line[first:last]}{END_ISOLATE}{line[last:]}"
