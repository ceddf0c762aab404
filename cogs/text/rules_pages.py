"""Where the rules of a game are explained: their pages, the way to one, and the pictures beside them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from cogs.text.control import Button
from cogs.text.plain import PHONE_BUTTON, columns
from locales import Words
from render import Picture
from render.lessons import lesson_of, page_about, staged
from workers.drawing import Studio, drawn

MOST_KEPT = 24  # pictures of pages, of some 100 KB each


def pages_of(game: str, words: Words) -> int:
    """How many pages the catalogue has for a game."""
    count = 0
    while words.has(f"{game}.rules.{count + 1}"):
        count += 1
    return count


def rules_id(game: str, page: int, *, apart: bool) -> str:
    """The custom id of a button that leads to a page, in place or `apart`."""
    return f"r:{game}:{page}" + (":new" if apart else "")


def way_to(game: str | None, codes: tuple[str, ...], words: Words) -> Button | None:
    """A button to the page that explains the first of these codes that any page does; None for none."""
    page = next((found for code in codes if (found := page_about(game, code)) is not None), None)
    if game is None or page is None:
        return None
    return way_to_page(game, page, words)


def way_to_page(game: str, page: int, words: Words) -> Button | None:
    """A button to a page; None where the catalogue has none of this number."""
    if page > pages_of(game, words):
        return None
    label = words("button.rules-of", title=words(f"{game}.rules.{page}.title", game=game))
    if columns(label) > PHONE_BUTTON:
        label = words("button.rules-page", page=page)
    return Button(label, rules_id(game, page, apart=True))


class Plates:
    """The pictures of rules pages, kept while they are asked for."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._kept: OrderedDict[tuple[str, int, str], Picture] = OrderedDict()

    async def of(self, game: str, page: int, words: Words) -> Picture | None:
        """The picture of a page in one language; None where it has none or it cannot be drawn."""
        lesson, key = lesson_of(game, page), (game, page, words.locale)
        if lesson is None:
            return None
        if key not in self._kept:
            scene = await asyncio.to_thread(
                staged, game, lesson, words
            )  # a lesson plays its game up to there
            picture, _ = await drawn(self._studio, lesson.part, scene)
            if picture is None:
                return None
            self._kept[key] = picture
        self._kept.move_to_end(key)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return self._kept[key]
