"""The table service: what the cogs ask for, one method a wish."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence

from db import timers
from db.database import Database
from engines.base import Json, Seen
from tables import consent, drafts, lobby, places, play, reading, reminders
from tables.bots import Bots
from tables.clock import Clock
from tables.errors import TableError
from tables.house import House
from tables.model import Draft, Filters, Outcome, Panel, Place, Shown, Table, User, Vote, Waiting
from tables.opponents import Thinker
from tables.options import read_words
from tables.play import Wish

ANY = Filters()


class Tables:
    """All tables. Every method raises TableError for what is refused and DatabaseError for storage."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        opponents: Thinker,
        queued: Callable[[], None],
        *,
        seed: Callable[[], bytes] = lambda: secrets.token_bytes(32),
        cache: int = 256,
    ) -> None:
        self._house = House(database, clock, queued, seed, cache=cache)
        self._bots = Bots(self._house, opponents)

    async def start_up(self) -> None:
        """Resumes bots that have to move and closes expired lobbies; loads no other table."""
        await lobby.run_due(self._house)
        await self._bots.resume()

    async def close(self) -> None:
        """Lets running commits finish and stops the opponents. The database stays open."""
        await self._bots.close()
        await self._house.close()

    async def settled(self) -> None:
        """Returns when no bot is thinking (for the demo and tests)."""
        await self._bots.settled()

    # -- timers ------------------------------------------------------------------

    async def next_due(self) -> int | None:
        """When the earliest timer is due, ms UTC."""
        return await timers.earliest(self._house.database.reads)

    async def run_due(self) -> None:
        """Does what is due now (lobbies that did not start in 7 days); a crash repeats it."""
        await self._house.whole(lobby.run_due(self._house))

    # -- lobby --------------------------------------------------------------------

    async def create(
        self,
        creator: User,
        game: str,
        words: str,
        place: Place,
        *,
        opponents: Sequence[User] = (),
        bot_seat: bool = False,
        private: bool = False,
        in_place: bool = False,
        guild_locale: str | None = None,
        interaction_id: int,
    ) -> Table:
        """A new table; it runs at once where every seat of a two-player game is taken."""
        asked = lobby.Invitation(
            creator=creator,
            game=game,
            place=place,
            wishes=read_words(game, words),
            guests=tuple(opponents),
            bot_seat=bot_seat,
            private=private,
            in_place=in_place,
            locale=guild_locale,
        )
        return await self._house.whole(lobby.create(self._house, asked, interaction_id))

    async def join(self, table_id: int, user: User, interaction_id: int) -> Table:
        """`user` takes a seat; a two-player game starts when it is full."""
        return await self._house.whole(lobby.join(self._house, table_id, user, interaction_id))

    async def leave(self, table_id: int, user_id: int, interaction_id: int) -> Table:
        """Leaves a table that has not started, or declines an invitation."""
        return await self._house.whole(lobby.leave(self._house, table_id, user_id, interaction_id))

    async def start(self, table_id: int, user_id: int, interaction_id: int) -> Table:
        """Starts with those who are seated; invitations not accepted lapse."""
        return await self._house.whole(lobby.start(self._house, table_id, user_id, interaction_id))

    async def cancel(
        self, table_id: int, user_id: int, interaction_id: int, moderator: bool = False
    ) -> Table | Vote:
        """Closes a table: an open one at once, a running one by vote unless a moderator asks."""
        work = lobby.cancel(self._house, table_id, user_id, interaction_id, moderator=moderator)
        return await self._house.whole(work)

    async def rematch(self, table_id: int, user: User, interaction_id: int) -> Table:
        """The table that follows a finished one, seats swapped; a second press joins it."""
        return await self._house.whole(lobby.rematch(self._house, table_id, user, interaction_id))

    # -- play ----------------------------------------------------------------------

    async def act(
        self,
        table_id: int,
        user_id: int,
        action: str | Mapping[str, Json],
        *,
        version: int | None = None,
        interaction_id: int,
    ) -> Outcome:
        """The user's seat does `action` (notation, JSON text or JSON); `version` of the button, if any.

        Where the game has drafts, a text may change the seat's draft, or send it, instead.
        """
        wish = Wish(action, user_id, interaction_id)
        return await self._house.whole(play.act(self._house, table_id, wish, version))

    async def panel(
        self, table_id: int, user_id: int, path: Sequence[str] = (), version: int | None = None
    ) -> Panel:
        """The guided panel after `path`. `stale`, `not-your-turn`, `not-seated`, `over`."""
        return play.panel(await self._house.look(table_id), user_id, path, version)

    async def draft(self, table_id: int, user_id: int, version: int | None = None) -> Draft:
        """The user's own draft. `stale`, `not-your-turn`, `not-seated`, `over`, `not-running`."""
        loaded = await self._house.look(table_id)
        seat = play.playing(loaded, user_id)
        play.fresh(loaded, seat, version)
        return await drafts.look(self._house, loaded, seat)

    async def statistics(self, table_id: int) -> tuple[Seen, ...]:
        """What a finished game is summed up in; nothing while it runs."""
        return await reading.statistics(self._house, table_id)

    async def complete(self, table_id: int | None, user_id: int, channel_id: int, text: str) -> list[str]:
        """At most 25 completions of at most 100 characters; none but for a seat's own user."""
        try:
            table = await reading.find(self._house, user_id, channel_id, table_id)
            loaded = await self._house.look(table.id)
            return await play.completions(self._house, loaded, user_id, text)
        except TableError:
            return []  # a hint for nobody; the command itself says why

    async def undo(self, table_id: int, user_id: int, interaction_id: int) -> Table | Vote:
        """Takes back the user's last action, alone where that is allowed, else by vote."""
        return await self._house.whole(consent.undo(self._house, table_id, user_id, interaction_id))

    async def resign(self, table_id: int, user_id: int, interaction_id: int) -> Outcome:
        """The game's own `resign`."""
        return await self.act(table_id, user_id, "resign", interaction_id=interaction_id)

    async def offer_draw(self, table_id: int, user_id: int, interaction_id: int) -> Vote:
        """Asks the others for a draw."""
        return await self._house.whole(consent.offer_draw(self._house, table_id, user_id, interaction_id))

    async def vote(self, vote_id: int, user_id: int, agree: bool, interaction_id: int) -> Vote:
        """Answers a vote; carried out at once when all agreed."""
        return await self._house.whole(consent.vote(self._house, vote_id, user_id, agree, interaction_id))

    async def remind(self, table_id: int, user_id: int) -> Table:
        """Mentions the seats to act, at most once in a while (`too-soon`, params until)."""
        table = await self._house.whole(reminders.remind(self._house, table_id, user_id))
        self._bots.wake(table_id)
        return table

    # -- what the courier writes back ----------------------------------------------

    async def placed(
        self,
        table_id: int,
        *,
        thread_id: int | None = None,
        lobby_message_id: int | None = None,
        board_message_id: int | None = None,
    ) -> None:
        """Remembers where a table is shown; None leaves a value as it is."""
        await self._house.whole(
            places.placed(
                self._house,
                table_id,
                thread_id=thread_id,
                lobby_message_id=lobby_message_id,
                board_message_id=board_message_id,
            )
        )

    # -- reading ---------------------------------------------------------------------

    async def find(self, user_id: int, channel_id: int, table_id: int | None = None) -> Table:
        """The table meant: named, else this channel's, else the only one that waits for the user."""
        return await reading.find(self._house, user_id, channel_id, table_id)

    async def get(self, table_id: int) -> Table:
        """The table. Raises `no-table`."""
        return await self._house.table(table_id)

    async def mine(self, user_id: int) -> list[Waiting]:
        """The user's running games, those that wait for the user first, the longest first."""
        return await reading.mine(self._house, user_id)

    async def listing(self, guild_id: int, filters: Filters = ANY) -> list[Table]:
        """A server's tables, newest first; private ones only to who sits there."""
        return await reading.listing(self._house, guild_id, filters)

    async def show(self, table_id: int, user_id: int | None, at: int | None = None) -> Shown:
        """What this user may see, now or after the first `at` entries."""
        return await reading.show(self._house, table_id, user_id, at)

    async def export(self, table_id: int, user_id: int | None) -> dict[str, Json]:
        """The record of a finished game; while it runs, the asker's own view and no seed."""
        return await reading.export(self._house, table_id, user_id)

    async def check(self) -> list[str]:
        """Faults found: database integrity, and running tables whose replay is not their snapshot."""
        return await reading.check(self._house)
