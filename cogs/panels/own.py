"""What a game has of its own beside the generic panel: `cogs/panels/<game>.py`, found by its name."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple, Protocol, cast

from cogs.text.answers import Interaction
from cogs.text.layout import Rows
from cogs.text.letter import Letter
from engines.registry import GAMES
from tables.core.errors import TableError
from tables.core.model import Draft

NOTHING_TO_DRAFT = frozenset({"not-your-turn", "not-seated", "over", "not-running"})


class Own(NamedTuple):
    """What a game adds to a hand sent by DM: lines below the title, controls, and the draft to be drawn."""

    lines: str
    view: Rows
    action: str | None


class OwnPanel(Protocol):
    """What `cogs/panels/<game>.py` exports; importing it registers what its buttons do."""

    async def open_sheet(
        self, interaction: Interaction, draft: Draft, before: str, *, again: bool = False
    ) -> None:
        """Shows a seat's draft as a new answer to an interaction that was deferred.

        `again`: in place of the panel that was open.
        """

    def letter(self, letter_: Letter) -> Own | None:
        """What is added to a hand sent by DM; None where there is nothing to choose."""


@cache
def own_panel(game: str) -> OwnPanel | None:
    """The game's own panel, None where the generic one does."""
    name = f"cogs.panels.{game}"
    return cast(OwnPanel, import_module(name)) if find_spec(name) else None


def own_panels() -> tuple[OwnPanel, ...]:
    """Those of all games."""
    return tuple(panel for panel in map(own_panel, GAMES) if panel is not None)


async def open_draft(
    interaction: Interaction, table_id: int, *, before: str = "", again: bool = False
) -> bool:
    """The user's draft; False where there is none, and the generic panel or hand is to be shown.

    `again`: in place of the panel that was open.
    """
    tables = interaction.client.tables
    panel = own_panel((await tables.get(table_id)).game)
    if panel is None:
        return False
    try:
        draft = await tables.draft(table_id, interaction.user.id)
    except TableError as error:
        if error.code in NOTHING_TO_DRAFT:
            return False
        raise
    await panel.open_sheet(interaction, draft, before, again=again)
    return True
