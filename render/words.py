"""Sentences put together: for captions, alt text and descriptions."""

from __future__ import annotations

from collections.abc import Iterable


def joined(sentences: Iterable[str]) -> str:
    """Sentences one after another, empty ones left out."""
    return " ".join(sentence.strip() for sentence in sentences if sentence.strip())


def shorten(text: str, most: int) -> str:
    """The text cut after a whole word to at most so many characters, with an ellipsis where it was cut."""
    if len(text) <= most:
        return text
    return text[: most - 1].rsplit(" ", 1)[0].rstrip(",;") + "…"
