"""What English does to a word that a sentence brings along: `a`, `an`, a capital at the beginning."""

from __future__ import annotations

import re

SILENT = ("hono", "hour", "heir")
SPOKEN = ("uni", "use", "eu", "one")  # written with a vowel, said with a consonant


def article(text: str, wanted: str) -> str:
    """The text behind `a` or `an`: `an army`, `a castle`, `an 8`."""
    word = re.sub(r"^\W+", "", text).casefold()
    number = re.match(r"\d+", word)
    if number:
        vowel = word[0] == "8" or (word[:2] in {"11", "18"} and len(number[0]) % 3 == 2)
    else:
        vowel = word.startswith(SILENT) or (word[:1] in tuple("aeiou") and not word.startswith(SPOKEN))
    return f"{wanted}{'n' if vowel else ''} {text}"


def capitalised(text: str, _wanted: str) -> str:
    """The text with a capital, as the first word of a line: `Build a castle`."""
    return text[:1].upper() + text[1:]
