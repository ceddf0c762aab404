"""What people type, before anything reads it: one step for actions, options and settings alike."""

from __future__ import annotations

from unicodedata import category, normalize

DASHES = "‐‑‒–—―−〜~"  # what keyboards make of a hyphen, and how a span is written in Japanese
DOUBLE, SINGLE = "“”„‟«»″「」", "‘’‚‛′´"
SIGNS = str.maketrans({
    **dict.fromkeys(DASHES, "-"),
    **dict.fromkeys(DOUBLE, '"'),
    **dict.fromkeys(SINGLE, "'"),
    "×": "x",
    "、": ",",
    "`": None,
})  # fmt: skip
QUOTES = str.maketrans("", "", "\"'")
STOPS = ".。"


def plainly(text: str) -> str:
    """`text` as a parser wants it: the same words in plain signs, one blank between them.

    Full-width and other compatible signs become the usual ones (NFKC), every dash a hyphen. Backticks,
    quotes, signs that are not seen (zero-width blanks, directions, isolates) and a full stop at the end fall
    away.
    JSON keeps its quotes, and its lines. Case is left to the parser.
    """
    plain = text.isascii()  # nothing is composed, nothing unseen
    seen = text if plain else "".join(sign for sign in normalize("NFKC", text) if not unseen(sign))
    clean = seen.translate(SIGNS).strip().rstrip(STOPS).rstrip()
    if clean.strip("\"' ").startswith("{"):
        return clean.strip("' ")
    return " ".join(clean.translate(QUOTES).rstrip(STOPS).split())


def unseen(sign: str) -> bool:
    """Whether a sign has no ink and no place: a format character, or one that picks the look of another."""
    return category(sign) == "Cf" or "\ufe00" <= sign <= "\ufe0f"
