"""Sentences in lines that fit, without an ellipsis."""

from __future__ import annotations

from render import text as lines
from render.theme import Type


def fitted(text: str, style: Type, least: int, room: float) -> tuple[str, Type]:
    """The line and its type: narrow letters before small ones, none below `least` if it fits."""
    for size in range(style.size, least - 1, -1):
        for cut in (style.cut, "narrow"):
            smaller = Type(cut, size)
            if lines.width(text, smaller) <= room:
                return text, smaller
    return lines.fit(text, style, room)


def wrapped(text: str, style: Type, room: float) -> list[str]:
    """The text in lines that fit: broken at blanks, and where a script has none, at any sign."""
    found: list[str] = []
    line, long = "", 0.0
    for piece in pieces(text):
        over = long + lines.width(piece.rstrip(), style) - room
        if line and abs(over) < style.size:  # near the end it is measured whole: what is apart may be nearer
            over = lines.width((line + piece).rstrip(), style) - room
        if line and over > 0:
            found.append(line.strip())
            line, long = "", 0.0
        line += piece
        long += lines.width(piece, style)
    return [*found, line.strip()] if line.strip() else found


def pieces(text: str) -> list[str]:
    """Words with the blank behind them; a word of Japanese sign by sign, marks kept with what they follow."""
    found: list[str] = []
    for word in text.split(" "):
        if word.isascii() or not any("\u3040" <= sign <= "\u9fff" for sign in word):
            found.append(word + " ")
            continue
        for sign in word:
            if sign in "、。」）ーっゃゅょん！？" and found:
                found[-1] += sign
            else:
                found.append(sign)
        found[-1] += " "
    return found
