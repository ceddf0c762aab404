"""What games have of their own beside the generic panel: who opens a seat's draft, who writes its letter."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, NamedTuple

from discord import ui

from cogs.answers import Interaction
from tables.errors import TableError
from tables.model import Draft

if TYPE_CHECKING:
    from cogs.posts import Letter

Opener = Callable[[Interaction, Draft, str], Awaitable[None]]


class Own(NamedTuple):
    """What a game adds to a hand sent by DM: lines below the title, controls, and the draft to be drawn."""

    lines: str
    view: ui.View
    action: str | None


LetterWriter = Callable[["Letter"], Own | None]
OPENERS: dict[str, Opener] = {}
LETTERS: dict[str, LetterWriter] = {}
NOTHING_TO_DRAFT = frozenset({"not-your-turn", "not-seated", "over", "not-running"})


def opens_drafts(game: str) -> Callable[[Opener], Opener]:
    """Registers how a game shows a seat's draft, as a new answer to an interaction that was deferred."""

    def register(opener: Opener) -> Opener:
        OPENERS[game] = opener
        return opener

    return register


def writes_letters(game: str) -> Callable[[LetterWriter], LetterWriter]:
    """Registers what a game adds to a hand that is sent by DM; None where there is nothing to choose."""

    def register(writer: LetterWriter) -> LetterWriter:
        LETTERS[game] = writer
        return writer

    return register


async def open_draft(interaction: Interaction, table_id: int, *, before: str = "") -> bool:
    """The user's draft; False where there is none, and the generic panel or hand is to be shown."""
    tables = interaction.client.tables
    opener = OPENERS.get((await tables.get(table_id)).game)
    if opener is None:
        return False
    try:
        draft = await tables.draft(table_id, interaction.user.id)
    except TableError as error:
        if error.code in NOTHING_TO_DRAFT:
            return False
        raise
    await opener(interaction, draft, before)
    return True


async def show_draft(interaction: Interaction, draft: Draft) -> None:
    """A draft that was to be sent, with the question whether its player is sure."""
    await OPENERS[draft.shown.table.game](interaction, draft, "")
