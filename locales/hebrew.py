"""What Hebrew does to a word that a sentence brings along: ו ל ב ה ש כ מ are written together with it."""

from __future__ import annotations

PREFIXES = frozenset("ולבהשכמ")
MARKS = frozenset("\u2066\u2067\u2068\u2069\u200e\u200f*_`\"'")


def prefixed(prefix: str, text: str) -> str:
    """The text behind its prefix: `בטוקיו`; before other letters, digits and mentions `ב-Edo`."""
    first = next((sign for sign in text if sign not in MARKS), "")
    return f"{prefix}{text}" if "\u05d0" <= first <= "\u05ea" else f"{prefix}-{text}"
