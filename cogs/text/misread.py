"""The place in a typed text that an error means, shown with a few words around it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from cogs.text.plain import plain
from tables.core.errors import TableError

AROUND = 2  # words before and after
MOST_WORD = 40  # characters of one
REST = "…"
FENCE = "```"
INSIDE = "\u200b"  # keeps backticks of the text from ending its block
BLOCK = re.compile(rf"{FENCE}\n(.*?)\n{FENCE}", re.DOTALL)


def place_of(text: str, error: TableError) -> str | None:
    """The word that an error means, bold, with those around it; None where it means all of it, or none.

    A word is meant where it, or a side of its `=`, is what the error names; of several alike the last one,
    as the one before it was read without fault.
    """
    words = text.split()
    scores = [score(word, error.params) for word in words]
    best = max(scores, default=0)
    if best == 0 or len(words) == 1:
        return None
    at = max(number for number, one in enumerate(scores) if one == best)
    before, after = words[max(at - AROUND, 0) : at], words[at + 1 : at + 1 + AROUND]
    parts = [*(plain(word, MOST_WORD) for word in before), f"**{plain(words[at], MOST_WORD)}**"]
    parts += [plain(word, MOST_WORD) for word in after]
    if at > AROUND:
        parts.insert(0, REST)
    if at + 1 + AROUND < len(words):
        parts.append(REST)
    return " ".join(parts)


def score(word: str, params: Mapping[str, Any]) -> int:
    """How many of the things that an error names are in a word: its values, or what a number is of."""
    sides = {word.casefold(), *word.casefold().split("=")} - {""}
    named = {str(value).casefold() for value in params.values() if isinstance(value, str)}
    counted = {name for name, value in params.items() if isinstance(value, int)}
    return len(sides & named) + len(sides & counted)


def field_of(typed: Mapping[str, str], error: TableError) -> str | None:
    """The field of a form that an error means: what it quotes was typed there, or it names it."""
    named = {close(str(value)) for value in error.params.values() if isinstance(value, str)}
    quoted = [name for name, value in typed.items() if value and close(value) in named]
    return next(iter(quoted or [name for name in typed if name in {*named, *error.code.split("-")}]), None)


def close(text: str) -> str:
    """A text as it is compared: without spaces, which some fields are read without."""
    return "".join(text.split()).casefold()


def block(text: str) -> str:
    """A text as it was typed, apart from all else."""
    return f"{FENCE}\n{text.replace('`', '`' + INSIDE)}\n{FENCE}"


def unblocked(said: str) -> str | None:
    """The text of such a block within what a message says; None without one."""
    found = BLOCK.search(said)
    return None if found is None else found[1].replace("`" + INSIDE, "`")
