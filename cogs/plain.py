"""What users typed, as it may stand in a message: no markup, no mention, no other direction."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from discord.utils import escape_markdown, escape_mentions

MOST_NAME = 80  # characters; Discord's own names have 32
MOST_MARKS = 4  # accents upon one another
JOINERS = "\u200c\u200d"  # part of words and of emoji
FIRST_ISOLATE, END_ISOLATE = "\u2068", "\u2069"
BREAK = "\u200b"  # keeps an address from becoming a link
TO_THE_LEFT = frozenset({"R", "AL", "AN"})


def cleaned(text: str, most: int = MOST_NAME) -> str:
    """One line of at most `most` visible characters: no controls, no overrides, no towers of marks."""
    line = " ".join("".join(visible(text[: most * 8])).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def visible(text: str) -> Iterator[str]:
    """The characters that are shown, blanks for every kind of line end."""
    marks = 0
    for sign in text:
        kind = unicodedata.category(sign)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind in ("Zl", "Zp", "Zs") or sign in "\t\n\r\v\f\x85":
            yield " "
        elif sign in JOINERS or (kind[0] != "C" and marks <= MOST_MARKS):
            yield sign


def plain(name: str, most: int = MOST_NAME) -> str:
    """A name that a user typed: no markdown, no mention, no link, one line; a Hebrew one keeps to itself."""
    line = cleaned(name, most)
    escaped = escape_markdown(line, ignore_links=False).replace("<", "\\<")
    shown = escape_mentions(escaped).replace("://", f":{BREAK}//").replace("](", f"]{BREAK}(")
    shown = shown.replace("#", "\\#") if shown.startswith("#") else shown
    shown = f"\\{shown}" if shown.startswith(">") else shown  # a quote, once a word follows the name
    if any(unicodedata.bidirectional(sign) in TO_THE_LEFT for sign in line):
        return f"{FIRST_ISOLATE}{shown}{END_ISOLATE}"
    return shown


def quotable(text: str) -> str:
    """Typed text as it may stand between backticks: it does not end them, and pings nobody."""
    return escape_mentions(cleaned(text, 200).replace("`", "'")).replace("<@", f"<{BREAK}@")
