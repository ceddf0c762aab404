"""What users typed, as it may stand in a message: no markup, no mention, no other direction."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from discord.utils import escape_mentions

from locales import END_ISOLATE, FIRST_ISOLATE, Words
from tables.privacy import FORGOTTEN

MOST_TEXT = 2000  # characters of a message
MOST_NAME = 80  # characters; Discord's own names have 32
PHONE_BUTTON = 20  # columns that a phone shows of a button (docs/words.md)
MOST_MARKS = 4  # accents upon one another
JOINERS = "\u200c\u200d"  # part of words and of emoji
BREAK = "\u200b"  # keeps an address from becoming a link
TO_THE_LEFT = frozenset({"R", "AL", "AN"})
BLANK_LETTERS = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # letters that show nothing
MARKUP = re.compile(r"[\\*_~|`<\[]")  # each by itself: what is escaped in pairs leaves out what stands inside
STARTS = frozenset("#>-+")  # of a heading, a quote, a list, where they begin a line
NUMBERED = re.compile(r"^(\d+)(\.\s)")  # of a list, too
INVITE = re.compile(r"(discord(?:app)?\.(?:gg|com))/", re.IGNORECASE)  # shown as a card even without https
MOST_WHY = 200  # characters of what an error quotes
ORDER = re.compile("([\u2066-\u2069\u200e\u200f])")  # which way what follows runs
NOTHING = " "  # between backticks, where nothing of what was typed can be shown


def cleaned(text: str, most: int = MOST_NAME) -> str:
    """One line of at most `most` visible characters: no controls, no overrides, no towers of marks.

    Empty where nothing of it would be seen. For labels, pictures, titles and files, which know no markup.
    """
    line = " ".join("".join(visible(text[: most * 8])).split())
    if all(unicodedata.category(sign)[0] in "MCZ" for sign in line):
        return ""
    return line if len(line) <= most else line[: most - 1] + "…"


def visible(text: str) -> Iterator[str]:
    """The characters that are shown, blanks for every kind of line end and for letters without ink."""
    marks = 0
    for sign in text:
        kind = unicodedata.category(sign)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind in ("Zl", "Zp", "Zs") or sign in "\t\n\r\v\f\x85" or sign in BLANK_LETTERS:
            yield " "
        elif sign in JOINERS or (kind[0] != "C" and marks <= MOST_MARKS):
            yield sign


def columns(text: str) -> int:
    """How wide a text is: two for a character of Japanese, none for one that is not seen."""
    if text.isascii():
        return len(text)
    shown = [sign for sign in text if unicodedata.category(sign) not in ("Cf", "Mn")]
    return len(shown) + sum(unicodedata.east_asian_width(sign) in "WF" for sign in shown)


def cut(text: str, most: int = MOST_TEXT) -> str:
    """`text` in at most `most` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def called(name: str, words: Words) -> str:
    """What a seat's player is called; who was forgotten is so by the language's own word."""
    return words("term.forgotten") if name == FORGOTTEN else name


@lru_cache(maxsize=512)
def plain(name: str, most: int = MOST_NAME) -> str:
    """What a user typed, in a message: no markdown, no mention, no link, one line; Hebrew keeps to itself."""
    line = cleaned(name, most)
    shown = escaped(line)
    shown = NUMBERED.sub(r"\g<1>\\\g<2>", f"\\{shown}" if shown[:1] in STARTS else shown)
    if any(unicodedata.bidirectional(sign) in TO_THE_LEFT for sign in line):
        return f"{FIRST_ISOLATE}{shown}{END_ISOLATE}"
    return shown


def escaped(line: str) -> str:
    """Text within a line without markdown, mentions and links."""
    shown = escape_mentions(MARKUP.sub(r"\\\g<0>", line)).replace("://", f":{BREAK}//")
    return INVITE.sub(rf"\g<1>{BREAK}/", shown.replace("](", f"]{BREAK}("))


def plain_label(label: str) -> str:
    """A label of ours within a line: no markup, and what keeps a `+2` in its order stays."""
    return "".join(part if ORDER.fullmatch(part) else escaped(part) for part in ORDER.split(label))


def quotable(text: str) -> str:
    """Typed text as it may stand between backticks: it does not end them, and pings nobody."""
    line = cleaned(text, MOST_WHY).replace("`", "'") or NOTHING
    return escape_mentions(line).replace("<@", f"<{BREAK}@")


def shown_in_error(text: str, *, quoted: bool) -> str:
    """Text of a parameter of an error: between the backticks of its sentence, or without them."""
    return quotable(text) if quoted else plain(text, MOST_WHY)
