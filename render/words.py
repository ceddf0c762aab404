"""Sentences put together: for captions, alt text and descriptions."""

from __future__ import annotations

from collections.abc import Iterable

FULL_WIDTH = ("。", "！", "？")  # what ends a sentence and brings its own blank
ENDS = " 、。"  # after which a text may be cut


def joined(sentences: Iterable[str]) -> str:
    """Sentences one after another, empty ones left out."""
    said = [sentence.strip() for sentence in sentences if sentence.strip()]
    return "".join(one if one.endswith(FULL_WIDTH) else f"{one} " for one in said).rstrip()


def shorten(text: str, most: int) -> str:
    """The text cut after a whole word to at most so many characters, with an ellipsis where it was cut."""
    if len(text) <= most:
        return text
    kept = text[: most - 1]
    whole = kept[: max(kept.rfind(end) for end in ENDS)] if any(end in kept for end in ENDS) else kept
    return whole.rstrip(",;") + "…"
