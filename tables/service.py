"""The table service: what the cogs ask for, one method a wish."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from db.database import Database
from db.repositories import guilds, timers, users
from db.rows import Message, OutboxRow
from engines.protocol import Json, Prompt, Ready, Seen, View
from engines.registry import engine
from engines.typed import plainly
from tables import choices, met, moderation, privacy, timing
from tables.choices import OwnChoices, ServerChoices
from tables.core import clocks, places
from tables.core.admission import admit, admitted_only, may_see
from tables.core.archive import Archive
from tables.core.clock import Clock
from tables.core.elsewhere import WISHES
from tables.core.errors import TableError
from tables.core.house import House
from tables.core.loaded import Loaded
from tables.core.model import (
    Draft,
    Filters,
    Happened,
    Outcome,
    Panel,
    Place,
    Purpose,
    Shown,
    Table,
    User,
    Vote,
    Waiting,
    Why,
)
from tables.core.one_each import OneEach, Queues
from tables.core.options import read_words
from tables.core.places import Delivery
from tables.lobby import chances, seating, studies
from tables.moderation import Limits, Stuck
from tables.play import acting, consent, drafts
from tables.play.acting import Wish
from tables.play.bots import Bots
from tables.privacy import Forgotten
from tables.reading import access, results, since, stories, trophies
from tables.reading.archive import HereLibrary
from tables.reading.results import Standing
from tables.reading.stories import Replay, StoryEntry, Verdict
from tables.repair import repairs
from tables.repair.mending import Fault
from tables.seats import handover
from tables.seats.handover import Successor
from tables.time import absences, barred, digests, outages, pauses, reminders
from workers.thinking import Thinker

ANY = Filters()
MOST_OFFERED, MOST_COMPLETED = 25, 100  # completions, and characters of one
STARTING = -2  # no table's number: the lock under which one process takes up what was left
AGAIN_MS = 60_000  # until timers are looked at again while nobody can act


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
        cache: int = 4096,
        archive: Archive | None = None,
    ) -> None:
        """`archive` folds whole logs: in a thread of this process unless another is given."""
        folds = archive or HereLibrary(database.where)
        self._house = House(database, clock, queued, seed, cache=cache, archive=folds)
        self._house.followers += [reminders.arm, clocks.arm, results.arm, privacy.arm]
        self._typing = OneEach[int]()
        self._panels = Queues()
        self._watch = outages.OutageWatch(self._house)
        self._bots = Bots(self._house, opponents)

    def on_turns(
        self,
        turned: Callable[[int, frozenset[int]], None],
        awaited: Callable[[int], bool] = lambda _table: False,
    ) -> None:
        """Calls `turned` after each commit with the table and the users who have to act there.

        awaited  whether a turn at a table is waited for: then what other processes commit there counts, too
        """
        self._house.watched, self._house.awaited = turned, awaited

    async def start_up(self) -> None:
        """Tells of a backup that was put in place, looks at tables that were set aside, resumes bots that
        have to move, closes expired lobbies. Loads no other table.
        """
        async with self._house.lock(STARTING):
            await self._start_up()
        await self._bots.resume()

    async def _start_up(self) -> None:
        await digests.read_wishes(self._house)
        await self._watch.begin()
        await repairs.restored(self._house)
        await repairs.look_again(self._house)
        await reminders.arm_all(self._house)
        await timing.run_due(self._house)
        await acting.resume(self._house)

    async def heard(self, table_ids: Collection[int]) -> None:
        """Other processes have changed these tables."""
        if WISHES in table_ids:
            await digests.read_wishes(self._house)
        await self._house.heard(table_ids)

    async def take_over(self) -> None:
        """Bots that have to act, and nobody thinks for: who did may be gone."""
        await self._bots.resume()

    async def close(self) -> None:
        """Lets running commits finish and stops the opponents. The database stays open."""
        await self._bots.close()
        await self._house.close()
        await self._watch.close()

    async def settled(self) -> None:
        """Returns when no bot is thinking (for the demo and tests)."""
        await self._bots.settled()

    # -- timers ------------------------------------------------------------------

    async def next_due(self) -> int | None:
        """When the earliest timer is due, ms UTC; while nobody can act anywhere, in a minute."""
        due = await timers.earliest(self._house.database.reads)
        if due is not None and self._house.unheard():
            return max(due, self._house.clock.now() + AGAIN_MS)
        return due

    async def run_due(self) -> None:
        """Does what is due now: lobbies to close, reminders, clocks, vacations; a crash repeats it."""
        await self._watch.look()
        await self._house.finish(timing.run_due(self._house))

    # -- whether anybody can act ---------------------------------------------------

    async def alive(self, *, heard: bool = True) -> None:
        """Once a minute: the process runs, and hears Discord. The mark from which an outage is counted."""
        await self._house.finish(self._watch.mark(heard=heard))

    def post_failed(self, destination: str, *, everywhere: bool) -> None:
        """Discord was in trouble when it was to take a post: there, or (a broken line) `everywhere`."""
        self._watch.post_failed(destination, everywhere=everywhere)

    async def post_taken(self, row: OutboxRow, delivery: Delivery) -> None:
        """Discord took a post: a table that was barred goes on, and late is not late before it came."""
        if self._watch.failing:
            await self._house.finish(self._watch.post_taken())
        if row.table_id is None or not row.destination.startswith("table:") or delivery.message_id is None:
            return
        if self._house.clock.now() - row.created_at > outages.SHORTEST_MS:
            await self._house.finish(outages.heard_late(self._house, row.table_id, row.created_at))
        if row.kind != "thread" and (await self._house.rows(row.table_id))[0].barred_at is not None:
            await self._house.finish(barred.unbar(self._house, row.table_id))

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
        chance: str | None = None,
    ) -> Table:
        """A new table; it runs at once where every seat of a two-player game is taken.

        chance  a seal on the words that the creator will add to the chances of the game (docs/fair-play.md)
        """
        wishes = read_words(game, words)
        asked = seating.Invitation(
            creator=creator,
            game=game,
            place=place,
            wishes=wishes,
            guests=tuple(opponents),
            bot_seat=bot_seat,
            private=private or wishes.table.private,
            in_place=in_place,
            locale=guild_locale,
            seal=None if chance is None else chances.first_seal(chance),
        )
        return await self._house.finish(seating.create(self._house, asked, interaction_id))

    @admitted_only
    async def join(self, table_id: int, user: User, interaction_id: int, chance: str | None = None) -> Table:
        """`user` takes a seat, adds to the chances or opens a seal; two start when nothing is missing."""
        return await self._house.finish(seating.join(self._house, table_id, user, interaction_id, chance))

    @admitted_only
    async def invite(self, table_id: int, user_id: int, guest: User, interaction_id: int) -> Table:
        """Keeps a seat of a table that has not started for `guest`."""
        return await self._house.finish(seating.invite(self._house, table_id, user_id, guest, interaction_id))

    @admitted_only
    async def seat_bot(self, table_id: int, user_id: int, interaction_id: int) -> Table:
        """Gives a free seat of a table that has not started to the bot."""
        return await self._house.finish(seating.seat_bot(self._house, table_id, user_id, interaction_id))

    @admitted_only
    async def leave(self, table_id: int, user_id: int, interaction_id: int) -> Table:
        """Leaves a table that has not started, or declines an invitation."""
        return await self._house.finish(seating.leave(self._house, table_id, user_id, interaction_id))

    async def left(self, table_id: int, user_id: int) -> Table:
        """Somebody who sits at a table that has not started has left the server."""
        return await self._house.finish(seating.leave(self._house, table_id, user_id, None))

    @admitted_only
    async def start(self, table_id: int, user_id: int, interaction_id: int) -> Table:
        """Starts with those who are seated; invitations not accepted lapse."""
        return await self._house.finish(seating.start(self._house, table_id, user_id, interaction_id))

    @admitted_only
    async def cancel(
        self, table_id: int, user_id: int, interaction_id: int, moderator: bool = False
    ) -> Table | Vote:
        """Closes a table: an open one at once, a running one by vote unless a moderator asks."""
        work = seating.cancel(self._house, table_id, user_id, interaction_id, moderator=moderator)
        return await self._house.finish(work)

    @admitted_only
    async def rematch(
        self, table_id: int, user: User, interaction_id: int, spot: tuple[Place, bool] | None = None
    ) -> Table:
        """The table that follows a finished one, seats swapped; a second press joins it.

        `spot` is where it is played, and whether right there; None: where the finished one was.
        """
        return await self._house.finish(seating.rematch(self._house, table_id, user, interaction_id, spot))

    # -- play ----------------------------------------------------------------------

    @admitted_only
    async def act(
        self,
        table_id: int,
        user_id: int,
        action: str | Mapping[str, Json],
        *,
        version: int | None = None,
        interaction_id: int | None,
        guild_id: int | None = acting.UNKNOWN,
        at_letter: bool = False,
    ) -> Outcome:
        """The user's seat does `action` (notation, JSON text or JSON); `version` of the button, if any.

        Where the game has drafts, a text may change the seat's draft, or send it, instead; `at_letter`
        where that was pressed at the sheet sent by DM, which another change of the draft refreshes.
        `guild_id` is where it was asked for: who has left the table's server may play on by DM (None).
        `interaction_id` is None of the second action of a press: it is known by the first.
        """
        await self._watch.look()
        read = plainly(action) if isinstance(action, str) else action
        wish = Wish(read, user_id, interaction_id, guild_id=guild_id, at_letter=at_letter)
        return await self._house.finish(acting.act(self._house, table_id, wish, version))

    @admitted_only
    async def panel(
        self, table_id: int, user_id: int, path: Sequence[str] = (), version: int | None = None
    ) -> Panel:
        """The guided panel after `path`. `stale`, `not-your-turn`, `not-seated`, `over`."""
        loaded = await self._house.look(table_id)
        found = await self._panel(loaded, user_id, path, version)
        found = replace(found, shown=await since.marked(self._house, found.shown))
        return await acting.beside(self._house, found, loaded)

    @admitted_only
    async def step(
        self, table_id: int, user_id: int, path: Sequence[str], version: int | None
    ) -> Prompt | Ready:
        """What the guided panel asks after `path`, and nothing beside it. Raises what `panel` does."""
        return (await self._panel(await self._house.look(table_id), user_id, path, version)).step

    async def _panel(self, loaded: Loaded, user_id: int, path: Sequence[str], version: int | None) -> Panel:
        if loaded.engine.quick:
            return acting.panel(loaded, user_id, path, version)
        async with self._panels.of(user_id):  # odds take a while
            return await asyncio.to_thread(acting.panel, loaded, user_id, path, version)

    @admitted_only
    async def draft(self, table_id: int, user_id: int, version: int | None = None) -> Draft:
        """The user's own draft. `stale`, `not-your-turn`, `not-seated`, `over`, `not-running`."""
        loaded = await self._house.look(table_id)
        seat = acting.playing(loaded, user_id)
        acting.fresh(loaded, seat, version)
        found = await drafts.look(self._house, loaded, seat)
        return replace(found, shown=await since.marked(self._house, found.shown))

    async def statistics(self, table_id: int) -> tuple[Seen, ...]:
        """What a finished game is summed up in; nothing while it runs."""
        return await access.statistics(self._house, table_id)

    @admitted_only
    async def share(self, table_id: int, user_id: int, channel_id: int, interaction_id: int) -> Table:
        """Posts a finished game as a trophy to a channel. `not-over`, `already-shared`, `shared-often`."""
        return await self._house.finish(
            trophies.share(self._house, table_id, user_id, channel_id, interaction_id)
        )

    @admitted_only
    async def doubt(self, table_id: int, user_id: int, action: str) -> Panel | Draft | None:
        """What a typed action should be asked about twice with, else None.

        The panel at its confirmation; of a draft that was to be sent, the draft, which is kept.
        """
        table = await self._house.table(table_id)
        if table.status == "running" and not acting.doubts(engine(table.game)):
            return None  # doing it says whatever is wrong with it
        return await self._house.finish(acting.doubt(self._house, table_id, user_id, plainly(action)))

    async def complete(self, table_id: int | None, user_id: int, channel_id: int, text: str) -> list[str]:
        """At most 25 completions of at most 100 characters; none but for a seat's own user.

        Where several tables may be meant, those of each that waits for the user, headed by its number. One
        at a time for each user, and the newest instead of those that wait: it has what was typed since.
        """
        async with self._typing.turn(user_id) as newest:
            return await self._completed(table_id, user_id, channel_id, text) if newest else []

    async def _completed(self, table_id: int | None, user_id: int, channel_id: int, text: str) -> list[str]:
        named, text = access.headed(plainly(text))
        table_id = named or table_id
        try:
            if table_id is None:
                meant = await access.meant(self._house, user_id, channel_id, "running")
            else:
                meant = [await access.find(self._house, user_id, channel_id, table_id)]
            found: list[str] = []
            asked = access.waiting_for(meant, user_id) or meant
            each = -(-MOST_OFFERED // max(len(asked), 1))  # so that no table's moves hide another's
            for table in sorted(asked, key=lambda table: (table.turn_since or 0, table.id)):
                loaded = await self._house.look(table.id)
                head = f"#{table.id} " if named or len(meant) > 1 else ""
                offered = await acting.completions(self._house, loaded, user_id, text)
                found += [f"{head}{action}" for action in offered[:each]]
        except TableError:
            return []  # a hint for nobody; the command itself says why
        return [action for action in found if len(action) <= MOST_COMPLETED][:MOST_OFFERED]

    @admitted_only
    async def undo(self, table_id: int, user_id: int, interaction_id: int) -> Table | Vote:
        """Takes back the user's last action, alone where that is allowed, else by vote."""
        return await self._house.finish(consent.undo(self._house, table_id, user_id, interaction_id))

    @admitted_only
    async def resign(self, table_id: int, user_id: int, interaction_id: int) -> Outcome:
        """The game's own `resign`."""
        return await self.act(table_id, user_id, "resign", interaction_id=interaction_id)

    @admitted_only
    async def offer_draw(self, table_id: int, user_id: int, interaction_id: int) -> Vote:
        """Asks the others for a draw."""
        return await self._house.finish(consent.offer_draw(self._house, table_id, user_id, interaction_id))

    async def vote(
        self,
        vote_id: int,
        user_id: int,
        agree: bool,
        interaction_id: int,
        button: tuple[int, int] | None = None,
    ) -> Vote:
        """Answers a vote, by a button of a table and version where one was pressed; carried out at once when
        all agreed.
        """
        table_id = await consent.table_of(self._house, vote_id)
        if table_id is not None and not may_see(await self._house.table(table_id), user_id):
            raise TableError("no-vote", vote=vote_id)
        work = consent.vote(self._house, vote_id, user_id, agree, interaction_id, button)
        return await self._house.finish(work)

    @admitted_only
    async def remind(self, table_id: int, user_id: int) -> Table:
        """Mentions the seats to act, at most once in a while (`too-soon`)."""
        table = await self._house.finish(reminders.remind(self._house, table_id, user_id))
        self._bots.wake(table_id)
        return table

    # -- time and people -------------------------------------------------------------

    @admitted_only
    async def snooze(self, table_id: int, user_id: int) -> int:
        """ "Not now": the next reminder comes in a day or when it would have, the later; when, ms UTC."""
        return await self._house.finish(reminders.snooze(self._house, table_id, user_id))

    @admitted_only
    async def pause(self, table_id: int, user_id: int, interaction_id: int) -> Table | Vote:
        """Asks for a pause, or ends one."""
        return await self._house.finish(pauses.pause(self._house, table_id, user_id, interaction_id))

    @admitted_only
    async def change_clock(
        self, table_id: int, user_id: int, words: str, interaction_id: int
    ) -> Table | Vote:
        """Asks for another clock: `slow`, `none`, or `clock=custom bank=7d increment=12h cap=10d`."""
        work = pauses.change_clock(self._house, table_id, user_id, words, interaction_id)
        return await self._house.finish(work)

    @admitted_only
    async def claim(
        self, table_id: int, user_id: int, seat: int | None, interaction_id: int, *, removes: bool = False
    ) -> Table | Vote:
        """Goes on without a player, at once where the clock ran out, else by vote. `not-absent`.

        removes  whether the user may remove members of the table's server
        """
        await self._watch.look()
        work = handover.claim(self._house, table_id, user_id, seat, interaction_id, removes=removes)
        return await self._house.finish(work)

    @admitted_only
    async def replace(
        self,
        table_id: int,
        user_id: int,
        seat: int | None,
        to: Successor,
        interaction_id: int,
        *,
        moderator: bool = False,
        removes: bool = False,
    ) -> Table | Vote:
        """Offers a seat (None: one's own), or hands it to the bot; somebody else's by vote.

        removes  whether the user may remove members of the table's server
        """
        work = handover.replace_player(
            self._house,
            table_id,
            user_id,
            seat,
            to,
            interaction_id,
            moderator=moderator,
            removes=removes,
        )
        return await self._house.finish(work)

    async def take(self, table_id: int, user: User, seat: int, interaction_id: int) -> Table:
        """Takes an offered seat."""
        return await self._house.finish(handover.take(self._house, table_id, user, seat, interaction_id))

    async def decline(self, table_id: int, user_id: int, seat: int, interaction_id: int) -> Table:
        """Does not want a seat that was offered to this user by name."""
        return await self._house.finish(
            handover.decline(self._house, table_id, user_id, seat, interaction_id)
        )

    @admitted_only
    async def more_time(
        self,
        table_id: int,
        user_id: int,
        seat: int | None,
        span: str,
        interaction_id: int,
        *,
        late: bool = False,
    ) -> Table | Vote:
        """Asks for more time on one clock (None: one's own), `12h` or `2d`; the others have to agree.

        late  only while that clock has run out
        """
        work = pauses.more_time(self._house, table_id, user_id, seat, span, interaction_id, late=late)
        return await self._house.finish(work)

    async def prefer(self, user: User, values: Mapping[str, Json]) -> None:
        """Sets when a user wants to be reminded and when to be left alone (`users.PREFERENCES`)."""
        await self._house.finish(absences.prefer(self._house, user, values))

    async def choose(self, user: User, chosen: OwnChoices) -> None:
        """Sets a user's language and whether hands go by DM; what is not named stays."""
        await self._house.finish(choices.choose(self._house, user, chosen))

    async def choose_for_server(self, guild_id: int, chosen: ServerChoices) -> None:
        """Sets a server's language and whether each table gets a thread; what is not named stays."""
        await self._house.finish(choices.choose_for_server(self._house, guild_id, chosen))

    async def first_met(self, user_id: int, game: str, rules: Sequence[str]) -> str | None:
        """The first of these rules of a game that the user has not met yet, who has met it then."""
        return await met.first(self._house, user_id, game, rules)

    async def asleep(self, user_ids: Sequence[int]) -> set[int]:
        """Those of the users whose quiet hours it is now."""
        return await absences.asleep(self._house, user_ids)

    async def vacation(self, user: User, until: int | None) -> None:
        """The user is away until then, ms UTC; None: he is back."""
        await self._house.finish(absences.vacation(self._house, user, until))

    async def vacation_left(self, user_id: int) -> int:
        """Whole days of vacation that the user has left this year."""
        return await absences.days_left(self._house, user_id)

    async def block(self, user: User, other_id: int, *, on: bool) -> None:
        """Whether the user wants nothing to do with another at a table."""
        await self._house.finish(absences.block(self._house, user, other_id, on=on))

    async def blocked(self, user_id: int) -> list[int]:
        """Whom the user has blocked."""
        return await users.blocked_by(self._house.database.reads, user_id)

    async def gone(self, user_id: int, why: str, guild_id: int | None = None) -> None:
        """A player `left` this server, or was `deleted`."""
        await self._house.finish(absences.gone(self._house, user_id, why, guild_id))

    async def here(self, user_id: int, guild_id: int | None = None) -> None:
        """A player was found: in this server, or (None) on Discord at least."""
        await self._house.finish(absences.here(self._house, user_id, guild_id))

    async def servers(self) -> tuple[list[int], list[int]]:
        """Servers with live tables, as far as is known: where the bot is, and that removed it."""
        found = await guilds.with_live_tables(self._house.database.reads)
        return [number for number, left in found if not left], [number for number, left in found if left]

    async def is_removed(self, guild_id: int | None) -> bool:
        """Whether the bot was removed from this server."""
        return await absences.is_removed(self._house, guild_id)

    async def removed(self, guild_id: int) -> None:
        """The bot was removed from a server."""
        await self._house.finish(absences.removed(self._house, guild_id))

    async def invited_back(self, guild_id: int) -> None:
        """The bot is in a server again."""
        await self._house.finish(absences.invited_back(self._house, guild_id))

    # -- places that are closed to the bot -------------------------------------------------

    async def barred(self, table_id: int) -> bool:
        """Nothing can be posted where a table is; whether its posts wait."""
        return await self._house.finish(barred.bar(self._house, table_id))

    async def call(self, table_id: int, user_ids: Sequence[int]) -> None:
        """By DM to those whom a post that was refused called."""
        await self._house.finish(barred.call(self._house, table_id, user_ids))

    @admitted_only
    async def move(
        self,
        table_id: int,
        user_id: int,
        place: Place,
        in_place: bool,
        interaction_id: int,
        *,
        moderator: bool = False,
    ) -> Table:
        """Takes a table to another channel of its server. Raises `other-server`, `already-here`, ..."""
        work = barred.move(
            self._house, table_id, user_id, place, interaction_id, in_place=in_place, moderator=moderator
        )
        return await self._house.finish(work)

    async def place_lost(self, guild_id: int, channel_id: int) -> None:
        """A channel or thread was deleted or closed to the bot: the tables there are shown anew."""
        await self._house.finish(barred.shown_elsewhere(self._house, guild_id, channel_id))

    async def try_again(self, guild_id: int) -> None:
        """A server's channels changed: what could not be posted there is tried now."""
        await self._house.finish(barred.try_again(self._house, guild_id))

    async def out_of_reach(self, guild_id: int) -> None:
        """Discord cannot reach a server."""
        await self._house.finish(outages.out_of_reach(self._house, guild_id))

    async def within_reach(self, guild_id: int) -> None:
        """Discord reaches a server (again)."""
        await self._house.finish(outages.within_reach(self._house, guild_id))

    @admitted_only
    async def chronicle(self, table_id: int, user_id: int) -> list[Happened]:
        """What happened, as it was posted. Raises `no-table`, `not-running`."""
        return await access.chronicle(self._house, table_id, user_id)

    # -- memory ------------------------------------------------------------------------

    @admitted_only
    async def replay(
        self, table_id: int, user_id: int, at: int | None = None, seat: int | str | None = "own"
    ) -> Replay:
        """A moment of a table in the user's own view; after the end in any seat's, or the public's (None)."""
        return await stories.replay(self._house, table_id, user_id, at, seat)

    @admitted_only
    async def story(self, table_id: int, user_id: int) -> list[StoryEntry]:
        """All entries, as the user may know them."""
        return await stories.story(self._house, table_id, user_id)

    @admitted_only
    async def verify(self, table_id: int, user_id: int) -> Verdict:
        """Whether the seed is the one committed to, and the record replays; no seed while it runs."""
        return await stories.verify(self._house, table_id, user_id)

    async def study(
        self, creator: User, data: bytes, interaction_id: int, unnamed: Callable[[int], str] = str
    ) -> Table:
        """A study table of a record (JSON), its creator's alone; `unnamed` names seats by number, from 1."""
        return await self._house.finish(studies.study(self._house, creator, data, interaction_id, unnamed))

    async def profile(self, user_id: int) -> list[Standing]:
        """A player's standing at each game."""
        return await results.profile(self._house, user_id)

    async def leaderboard(self, game: str, guild_id: int, most: int = 10) -> list[Standing]:
        """A game's best rated players of a server."""
        return await results.leaderboard(self._house, game, guild_id, most)

    async def note(self, user_id: int, table_id: int) -> str | None:
        """The user's own note on a table."""
        await self.admitted(table_id, user_id)
        return await results.note(self._house, user_id, table_id)

    async def write_note(self, user_id: int, table_id: int, text: str | None) -> None:
        """Keeps a note; None takes it away."""
        await self.admitted(table_id, user_id)
        await self._house.finish(results.write_note(self._house, user_id, table_id, text))

    # -- moderators, and what is kept about people ---------------------------------------

    async def channels(self, guild_id: int) -> list[int]:
        """Channels where tables may be made; none means everywhere."""
        return await moderation.channels(self._house, guild_id)

    async def allow_channel(self, guild_id: int, channel_id: int, *, allowed: bool) -> list[int]:
        """Puts a channel on that list, or takes it off."""
        return await self._house.finish(moderation.allow(self._house, guild_id, channel_id, allowed=allowed))

    async def limits(self, guild_id: int, **given: int | None) -> Limits:
        """Sets `user_tables` and `server_tables` where given; all limits."""
        return await self._house.finish(moderation.limits(self._house, guild_id, given))

    async def stuck(self, guild_id: int) -> list[Stuck]:
        """A server's tables that do not go on."""
        return await moderation.stuck(self._house, guild_id)

    async def of_guild(self, guild_id: int, table_id: int) -> Table:
        """A table of this server. Raises `no-table`."""
        return await moderation.own_table(self._house, guild_id, table_id)

    async def end(self, guild_id: int, table_id: int, user_id: int, interaction_id: int) -> Table | Vote:
        """A moderator ends a table of his server."""
        work = moderation.end(self._house, guild_id, table_id, user_id, interaction_id)
        return await self._house.finish(work)

    async def hand_over(  # noqa: PLR0917 - a moderator, a seat and whose it will be
        self, guild_id: int, table_id: int, user_id: int, seat: int, to: Successor, interaction_id: int
    ) -> Table | Vote:
        """A moderator offers a seat of his server's table, or gives it to the bot; never has it himself."""
        work = moderation.hand_over(self._house, guild_id, table_id, user_id, seat, to, interaction_id)
        return await self._house.finish(work)

    async def about(self, user_id: int) -> bytes:
        """All that is kept about a person, as a file of JSON. Raises `nothing-stored`, ArchiveError."""
        return await privacy.export(self._house, user_id)

    async def kept(self, user_id: int) -> None:
        """Raises `nothing-stored` where nothing is kept about a person."""
        await privacy.kept(self._house, user_id)

    async def seats_to_lose(self, user_id: int) -> tuple[int, int]:
        """How many running games and how many lobbies a person leaves who wants to be forgotten."""
        return await privacy.plan(self._house, user_id)

    async def forget(self, user_id: int, interaction_id: int) -> Forgotten:
        """Gives up a person's seats and forgets him."""
        return await self._house.finish(privacy.forget(self._house, user_id, interaction_id))

    # -- what the courier writes back ----------------------------------------------

    async def delivered(self, row: OutboxRow, delivery: Delivery) -> None:
        """A row arrived: that, and where its table is shown now, in one transaction."""
        await self._house.finish(places.delivered(self._house, row, delivery))

    async def put_off(self, row: OutboxRow, until: int, why: str) -> None:
        """A row was not taken: it is tried again at `until`, ms UTC."""
        await self._house.finish(places.put_off(self._house, row, until, why))

    async def given_up(self, row: OutboxRow, why: str) -> None:
        """A row is not sent any more."""
        await self._house.finish(places.given_up(self._house, row, why))

    async def say(self, *messages: Message) -> None:
        """Queues what the Discord layer has to tell at a table."""
        await self._house.finish(places.say(self._house, list(messages)))

    async def dm_closed(self, user_id: int, *told: Message) -> None:
        """No more hands by DM to this user."""
        await self._house.finish(places.dm_closed(self._house, user_id, list(told)))

    async def call_refused(self, row: OutboxRow, user_id: int) -> None:
        """A call by DM could not be sent: the user is called at the table, now and from now on."""
        await self._house.finish(digests.call_refused(self._house, row, user_id))

    async def placed(
        self,
        table_id: int,
        *,
        thread_id: int | None = None,
        lobby_message_id: int | None = None,
        board_message_id: int | None = None,
    ) -> None:
        """Remembers where a table is shown; None leaves a value as it is."""
        await self._house.finish(
            places.placed(
                self._house,
                table_id,
                thread_id=thread_id,
                lobby_message_id=lobby_message_id,
                board_message_id=board_message_id,
            )
        )

    # -- reading ---------------------------------------------------------------------

    async def find(  # noqa: PLR0917 - who asks, where, about what
        self,
        user_id: int,
        channel_id: int,
        table_id: int | None = None,
        guild_id: int | None = None,
        purpose: Purpose = "any",
        power: access.Power = access.powerless,
    ) -> Table:
        """The table meant: named (one's own or of this server), else this channel's, else what waits."""
        return await access.find(self._house, user_id, channel_id, table_id, guild_id, purpose, power)

    async def get(self, table_id: int) -> Table:
        """The table. Raises `no-table`."""
        return await self._house.table(table_id)

    async def mine(self, user_id: int) -> list[Waiting]:
        """The user's running games, those that wait for the user first, the longest first."""
        return await access.mine(self._house, user_id)

    async def daily(self, user_id: int) -> list[Waiting]:
        """Of those the ones that wait for the user and where time runs: what the list of the day names."""
        wanted = {table_id async for table_id in digests.waiting(self._house, user_id)}
        return [one for one in await access.mine(self._house, user_id) if one.table.id in wanted]

    async def listing(self, guild_id: int, filters: Filters = ANY) -> list[Table]:
        """A server's tables, newest first; private ones only to who sits there."""
        return await access.listing(self._house, guild_id, filters)

    @admitted_only
    async def watch(self, table_id: int, user_id: int) -> Shown:
        """The public view, for who may watch. Raises `no-table`."""
        return await access.watch(self._house, table_id, user_id)

    @admitted_only
    async def board(self, table_id: int, user_id: int, earlier: int | str | None = None) -> Shown:
        """The public view, for who may watch, with the one before the last post.

        `earlier`: the public view after so many entries of the log instead, or after the user's own last
        action (`since.MINE`). Raises `no-table`, `not-seated`, `bad-ply` of the rules.
        """
        if earlier is None:
            return await since.marked(self._house, await self.watch(table_id, user_id))
        return await since.public(self._house, table_id, user_id, earlier)

    async def board_at(self, table_id: int, entry: int) -> View | None:
        """What the public saw after so many entries of the log; None where that cannot be found now."""
        return await since.board(self._house, table_id, entry)

    async def own_look(self, table_id: int, seat: int, entry: int) -> View | None:
        """What a seat saw after its own last action, if that came before so many entries of the log."""
        look = await since.own(self._house, table_id, seat)
        return None if look is None or look.entry > entry else look.view

    async def admitted(self, table_id: int, user_id: int, *, moderator: bool = False) -> Table:
        """The table, for whom it is there, or who moderates where it is. Raises `no-table`."""
        table = await self._house.table(table_id)
        if not moderator:
            admit(table, user_id)
        return table

    @admitted_only
    async def show(self, table_id: int, user_id: int | None, at: int | None = None) -> Shown:
        """What this user may see, now (and saw when he last looked) or after the first `at` entries."""
        shown = await access.show(self._house, table_id, user_id, at)
        return shown if at is not None else await since.marked(self._house, shown)

    @admitted_only
    async def why(self, table_id: int, user_id: int) -> Why:
        """What the bot's last action was for, as far as the user may know. Raises `no-bot`, `no-reason`."""
        return await access.why(self._house, table_id, user_id)

    @admitted_only
    async def export(self, table_id: int, user_id: int | None) -> dict[str, Json]:
        """The record of a finished game; while it runs, the asker's own view and no seed."""
        return await access.export(self._house, table_id, user_id)

    async def check(self) -> list[str]:
        """Faults found: the file, running tables whose replay is not their snapshot, what waits for ever."""
        return [fault.text for fault in await self.faults() if not fault.aside]

    async def faults(self) -> list[Fault]:
        """The same, with what would set each of them right; and the tables that were set aside."""
        return await repairs.examine(self._house)

    async def restored(self) -> None:
        """Where a backup was put in place: tells every running table, and shows its board; once."""
        await self._house.finish(repairs.restored(self._house))
