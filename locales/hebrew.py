"""What Hebrew does to a word that a sentence brings along: ו ל ב ה ש כ מ are written together with it."""

from __future__ import annotations

PREFIXES = frozenset("ולבהשכמ")
MARKS = frozenset("\u2066\u2067\u2068\u2069\u200e\u200f*_`\"'„”")
VAV = "ו"


def prefixed(prefix: str, text: str) -> str:
    """The text behind its prefix: `בטוקיו`; before other letters, digits and mentions `ב-Edo`.

    A vav that is a consonant is doubled inside a word: `ורוד`, `הוורוד`; three never follow each other.
    """
    at = next((at for at, sign in enumerate(text) if sign not in MARKS), len(text))
    first, second = text[at : at + 1], text[at + 1 : at + 2]
    if not "\u05d0" <= first <= "\u05ea":
        return f"{prefix}-{text}"
    doubled = VAV if first == VAV != second and prefix[-1:] != VAV else ""
    return f"{prefix}{text[:at]}{doubled}{text[at:]}"
