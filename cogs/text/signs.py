"""The bot's own emoji: uploaded at the start where they are missing or drawn anew; without them, text."""

from __future__ import annotations

import asyncio
import logging

import discord

from engines.values import Choice, Seen
from render.emoji import sign, sign_of
from tables.core.model import Table
from workers.drawing import Signs as Drawn
from workers.drawing import Studio
from workers.process import WorkerError

log = logging.getLogger("hatamoto.emoji")
MOST = 2_000  # emoji of an application
MOST_SAID = 5  # before a phrase


class Signs:
    """Which emoji stands for which code of a game; none until they are known to Discord."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], discord.PartialEmoji] = {}
        self._learning: asyncio.Task[None] | None = None

    def start(self, client: discord.Client, studio: Studio) -> None:
        """Learns beside everything else: what is said meanwhile is said in text."""
        self._learning = asyncio.create_task(self.learn(client, studio), name="emoji")

    async def close(self) -> None:
        """Ends what is being uploaded; the next start goes on with it."""
        if self._learning is not None:
            self._learning.cancel()
            await asyncio.gather(self._learning, return_exceptions=True)

    def of(self, game: str, code: str | None) -> discord.PartialEmoji | None:
        """The emoji of a code; None where there is none."""
        return None if code is None or not self._known else self._known.get((game, sign(game, code) or code))

    def of_choice(self, game: str, choice: Choice) -> discord.PartialEmoji | None:
        """The emoji that stands for a choice of a panel."""
        return self.of(game, sign_of(game, choice))

    def of_phrase(self, game: str, seen: Seen) -> str:
        """The signs of what a phrase names first, as text with a blank after them; "" without any."""
        for value in seen.params.values():
            named = value if isinstance(value, list) else [value]
            found = [self.of(game, code) for code in named if isinstance(code, str)]
            if text := "".join(str(emoji) for emoji in found[:MOST_SAID] if emoji is not None):
                return f"{text} "
        return ""

    def of_user(self, table: Table, user_id: int) -> str:
        """The sign of what somebody plays, as text with a blank after it; "" where there is none."""
        seat = next((seat for seat in table.seats if seat.user_id == user_id), None)
        found = None if seat is None else self.of(table.game, seat.role)
        return "" if found is None else f"{found} "

    async def learn(self, client: discord.Client, studio: Studio) -> None:
        """Uploads what is missing, takes away what is no longer drawn, and knows all of them then.

        Where they cannot be drawn, or Discord does not take them, the messages stay text: it is logged, and
        tried at the next start.
        """
        try:
            await self._learn(client, await studio.signs())
        except (discord.HTTPException, WorkerError) as error:
            log.warning("the emoji could not be uploaded, messages do without: %s", error)

    async def _learn(self, client: discord.Client, wanted: Drawn) -> None:
        there = {emoji.name: emoji for emoji in await client.fetch_application_emojis()}
        for name in [name for name in there if name not in wanted and self._ours(name, wanted)]:
            await there.pop(name).delete()
        for name, (game, code, png) in wanted.items():
            if name not in there and len(there) < MOST:
                there[name] = await client.create_application_emoji(name=name, image=png)
            if name in there:
                self._known[game, code] = discord.PartialEmoji(name=name, id=there[name].id)

    @staticmethod
    def _ours(name: str, wanted: Drawn) -> bool:
        """Whether an emoji is an earlier drawing of one of ours: others belong to whoever uploaded them."""
        stems = {one.rpartition("_")[0] for one in wanted}
        return name.rpartition("_")[0] in stems
