"""A row of the outbox as its reader gets it, before it is laid out."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import discord
from pydantic import TypeAdapter

from cogs.text.answers import cut, plain
from cogs.text.plain import called
from cogs.text.signs import Signs
from db.rows import OutboxRow
from engines.former import StoredSeen
from engines.protocol import View
from engines.registry import engine
from locales import Words
from render import Picture, Scene
from tables.core.model import Draft, Table
from workers.drawing import Studio

Pictured = Literal["yes", "newer", "crowded"]  # a newer board follows at once; too many wait
MOST_ALT = 1024  # characters
EVENTS = TypeAdapter(tuple[StoredSeen, ...])  # as the row holds them, also one of an older version


def attached(picture: Picture) -> discord.File:
    """A picture as Discord takes it, with its alt text."""
    return discord.File(io.BytesIO(picture.png), picture.filename, description=cut(picture.alt, MOST_ALT))


@dataclass(frozen=True)
class Letter:
    """A row with its payload read, the table it is about, and the language of its reader."""

    row: OutboxRow
    data: dict[str, Any]
    table: Table
    words: Words
    studio: Studio
    draft: Draft | None = None  # of a hand: the reader's own, as it is at this moment
    signs: Signs = field(default_factory=Signs)
    pictured: Pictured = "yes"
    since: View | None = None  # what its reader saw when he last looked

    @property
    def names(self) -> tuple[str, ...]:
        """Plain names by seat, for pictures."""
        return tuple(called(name, self.words) for name in self.data.get("names") or self.table.names)

    @property
    def mention(self) -> tuple[int, ...]:
        """Who is to be pinged."""
        return tuple(self.data.get("mention") or ())

    @property
    def version(self) -> int:
        """The version that the post shows."""
        return int(self.data.get("version") or self.table.version)

    @cached_property
    def view(self) -> View:
        """What the payload shows, as its reader sees it."""
        view: View = engine(self.table.game).view_type.model_validate(self.data["view"])
        return view

    def spoken_names(self) -> tuple[str, ...]:
        """Names for the text: those who are to be pinged as mentions, the others escaped."""
        shown = []
        for seat, name in enumerate(self.names):
            user = self.table.seats[seat].user_id if seat < len(self.table.seats) else None
            shown.append(f"<@{user}>" if user is not None and user in self.mention else plain(name))
        return tuple(shown)

    def scene(self, names: Sequence[str]) -> Scene:
        """The scene of the payload's view. Pictures take plain names, captions spoken ones."""
        events = EVENTS.validate_python(self.data.get("events") or ())
        return Scene(
            game=self.table.game,
            view=self.view,
            names=tuple(names),
            words=self.words,
            events=events,
            table=self.table.id,
            accounts=self.table.accounts,
            since=self.since,
            help=self.table.help,
        )
