"""The table service: what the cogs ask for, one method a wish."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence

from db.database import Database
from engines.base import Json
from tables.clock import Clock
from tables.model import Filters, Outcome, Panel, Place, Shown, Table, User, Vote, Waiting
from tables.opponents import Thinker

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
        raise NotImplementedError

    async def start_up(self) -> None:
        """Resumes bots that have to move and closes expired lobbies; loads no other table."""
        raise NotImplementedError

    async def close(self) -> None:
        """Lets running commits finish and stops the opponents. The database stays open."""
        raise NotImplementedError

    async def settled(self) -> None:
        """Returns when no bot is thinking (for the demo and tests)."""
        raise NotImplementedError

    # -- timers ------------------------------------------------------------------

    async def next_due(self) -> int | None:
        """When the earliest timer is due, ms UTC."""
        raise NotImplementedError

    async def run_due(self) -> None:
        """Does what is due now (lobbies that did not start in 7 days); a crash repeats it."""
        raise NotImplementedError

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
        raise NotImplementedError

    async def join(self, table_id: int, user: User, interaction_id: int) -> Table:
        """`user` takes a seat; a two-player game starts when it is full."""
        raise NotImplementedError

    async def leave(self, table_id: int, user_id: int, interaction_id: int) -> Table:
        """Leaves a table that has not started, or declines an invitation."""
        raise NotImplementedError

    async def start(self, table_id: int, user_id: int, interaction_id: int) -> Table:
        """Starts with those who are seated; invitations not accepted lapse."""
        raise NotImplementedError

    async def cancel(
        self, table_id: int, user_id: int, interaction_id: int, moderator: bool = False
    ) -> Table | Vote:
        """Closes a table: an open one at once, a running one by vote unless a moderator asks."""
        raise NotImplementedError

    async def rematch(self, table_id: int, user: User, interaction_id: int) -> Table:
        """The table that follows a finished one, seats swapped; a second press joins it."""
        raise NotImplementedError

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
        """The user's seat does `action` (notation, JSON text or JSON); `version` of the button, if any."""
        raise NotImplementedError

    async def panel(
        self, table_id: int, user_id: int, path: Sequence[str] = (), version: int | None = None
    ) -> Panel:
        """The guided panel after `path`. `stale`, `not-your-turn`, `not-seated`, `over`."""
        raise NotImplementedError

    async def complete(self, table_id: int | None, user_id: int, channel_id: int, text: str) -> list[str]:
        """At most 25 completions of at most 100 characters; none but for a seat's own user."""
        raise NotImplementedError

    async def undo(self, table_id: int, user_id: int, interaction_id: int) -> Table | Vote:
        """Takes back the user's last action, alone where that is allowed, else by vote."""
        raise NotImplementedError

    async def resign(self, table_id: int, user_id: int, interaction_id: int) -> Outcome:
        """The game's own `resign`."""
        raise NotImplementedError

    async def offer_draw(self, table_id: int, user_id: int, interaction_id: int) -> Vote:
        """Asks the others for a draw."""
        raise NotImplementedError

    async def vote(self, vote_id: int, user_id: int, agree: bool, interaction_id: int) -> Vote:
        """Answers a vote; carried out at once when all agreed."""
        raise NotImplementedError

    async def remind(self, table_id: int, user_id: int) -> Table:
        """Mentions the seats to act, at most once in a while (`too-soon`, params until)."""
        raise NotImplementedError

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
        raise NotImplementedError

    # -- reading ---------------------------------------------------------------------

    async def find(self, user_id: int, channel_id: int, table_id: int | None = None) -> Table:
        """The table meant: named, else this channel's, else the only one that waits for the user."""
        raise NotImplementedError

    async def get(self, table_id: int) -> Table:
        """The table. Raises `no-table`."""
        raise NotImplementedError

    async def mine(self, user_id: int) -> list[Waiting]:
        """The user's running games, those that wait for the user first, the longest first."""
        raise NotImplementedError

    async def listing(self, guild_id: int, filters: Filters = ANY) -> list[Table]:
        """A server's tables, newest first; private ones only to who sits there."""
        raise NotImplementedError

    async def show(self, table_id: int, user_id: int | None, at: int | None = None) -> Shown:
        """What this user may see, now or after the first `at` entries."""
        raise NotImplementedError

    async def export(self, table_id: int, user_id: int | None) -> dict[str, Json]:
        """The record of a finished game; while it runs, the asker's own view and no seed."""
        raise NotImplementedError

    async def check(self) -> list[str]:
        """Faults found: database integrity, and running tables whose replay is not their snapshot."""
        raise NotImplementedError
