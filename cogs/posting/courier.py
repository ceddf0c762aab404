"""The courier: sends what the tables queued, in order for each destination, through crashes and refusals.

A commit, a due row or start-up wakes it; it starts a short task for each destination that has a due row,
at most `AT_ONCE`, and is gone when none is left. Where more wait they stand in a line, and the outbox is
looked through again when that has ended: not once for each post, as it takes the longer the more wait.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import Any, NamedTuple

import discord
from discord.http import MultipartParameters, handle_message_parameters

from cogs.buttons.custom_ids import row_of
from cogs.ops.alarm import Alarm
from cogs.ops.journal import fault
from cogs.posting import chapter_posts, forums, presence, rooms
from cogs.posting.codes import (
    ARCHIVED,
    DM_CLOSED,
    NO_MEMBER,
    NO_USER,
    THREADS_FULL,
    TROUBLE,
    names_place,
    refused,
)
from cogs.posting.posts import Post, Writer
from cogs.services import Services
from cogs.text.letter import Pictured
from db.errors import DatabaseError
from db.repositories import outbox
from db.repositories.outbox import Head
from db.rows import Message, OutboxRow
from locales import Words
from tables.core.elsewhere import CALL, DIGEST, WISHED
from tables.core.errors import TableError
from tables.core.model import Table
from tables.core.places import Delivery
from tables.reading.trophies import TROPHY

log = logging.getLogger("hatamoto.courier")

AT_ONCE = 8  # most of them wait: for a picture, for Discord, for the disk
IN_LINE = 64  # destinations, those under way among them, that are found by one look
ROWS = 10  # of a destination that are read at once
SHORTEST_MS = 6_000
UNCLAIMED_S = 1.0  # until a destination is claimed again, after the database was away
LONGEST_MS = 600_000
FARTHEST_MS = 3_600_000  # a row that is due later than this was put off before the clock went back
MOST_ATTEMPTS = 8  # of a row that fails by a fault of ours
MARKED_AFTER_MS = 120_000  # the nonce no longer protects a row that flew this long ago
LOOKED_THROUGH = 50  # last messages of a channel that are searched for a row's mark
HANDED = frozenset({"handed", "handed-to-bot"})  # lines: somebody else plays from now on
TAGS = "tags"  # a row that says nothing: the tags of a forum's post are to be set
STATED = frozenset({"reopened", "out-of-order", "in-order"})  # lines with which a table stands otherwise
LATE_MS = 2_500  # a post that waited for longer is hurried (a board goes out without its picture) while
CROWD = 50  # or more rows are due: drawing them all would make each of them later than the one before
COUNTED_MS = 500  # how long their count is good for
MOST_DMS = 20_000
ANY_ROW = sys.maxsize
BEHIND_MS = 5_000  # a board that waited for longer has no picture of its own where a newer one follows


class Fate(Enum):
    """What became of a row."""

    SENT = "sent"
    LATER = "later"
    DROPPED = "dropped"


class End(NamedTuple):
    """How an attempt ended: what it brought about, or why it failed and how long Discord wants us to wait."""

    fate: Fate
    delivery: Delivery = Delivery()
    why: str = ""
    pause_ms: int = 0


def arrived(message_id: int | None = None, **more: Any) -> End:
    """A row that was sent, with what else `Delivery` has."""
    return End(Fate.SENT, Delivery(message_id, **more))


def is_due(due_at: int, now: int) -> bool:
    """Whether a row may be sent: its time has come, or is too far away to have been meant so."""
    return due_at <= now or due_at > now + FARTHEST_MS


def maybe_sent(row: OutboxRow) -> bool:
    """Whether a row may have been sent, or shown by an edit, though that was not written down."""
    return row.state == "flying" or row.attempts > 0


def wished(row: OutboxRow) -> bool:
    """Whether a row calls somebody to a turn by DM who wishes it so."""
    return row.kind == DIGEST or (row.kind == CALL and row.content.get("code") in WISHED)


def is_idle(row: OutboxRow, table: Table, user_id: int) -> bool:
    """Whether a row calls somebody to a turn who need not act any more."""
    acting = {table.seats[seat].user_id for seat in table.to_act}
    return wished(row) and user_id not in acting


def readable(row: OutboxRow) -> bool:
    """Whether a row's content is a JSON object still."""
    try:
        return row.content is not None
    except (ValueError, TypeError):
        return False


def carries(message: discord.Message, mark: int) -> bool:
    """Whether a message has this row's mark in one of its buttons."""
    return any(row_of(getattr(part, "custom_id", None)) == mark for part in parts_of(message.components))


def whole(params: MultipartParameters) -> None:
    """Gives aiohttp each picture as its bytes: from a file it would read it piece by piece, in a thread."""
    for part, file in zip((params.multipart or ())[1:], params.files or (), strict=True):
        part["value"] = file.fp.read()


def parts_of(components: Iterable[object]) -> Iterator[object]:
    """All components of a message, with what lies in containers, rows and sections."""
    for part in components:
        yield part
        yield from parts_of(getattr(part, "children", ()))
        if (accessory := getattr(part, "accessory", None)) is not None:
            yield accessory


class Courier:
    """Owns its tasks; everything it has to remember stands in the outbox."""

    def __init__(self, bot: Services) -> None:
        self._bot = bot
        self._writer = Writer(bot.database, bot.tables, bot.languages, bot.studio, bot.signs)
        self._alarm = Alarm(bot.clock, self.wake)
        self._sweep: asyncio.Task[None] | None = None
        self._again = False
        self._tasks: dict[str, asyncio.Task[bool]] = {}
        self._line: deque[str] = deque()  # destinations with due rows beyond those that have a task
        self._left_out = False  # a destination was busy when it was looked for rows
        self._newest_before = 0
        self._met: set[str] = set()
        self._tried: dict[int, int] = {}
        self._closed = False
        self._dms: dict[int, int] = {}  # channels of DMs by user, the last used last
        self._crowd = 0, 0  # when rows that are due were counted, and how many there were

    def doubt(self) -> None:
        """From now on the first row of each destination may have been under way."""
        self._met.clear()
        self._newest_before = ANY_ROW

    async def begin(self) -> None:
        """Takes over from the process before: the first row of each destination may have been under way.

        So where the database was away: the mark of what was under way may be lost. Until the newest row is
        known, or where it cannot be read, each may have been.
        """
        self.doubt()
        self._newest_before = await outbox.last(self._bot.database.reads)

    # -- waking, and going to sleep again ------------------------------------------------------

    def wake(self) -> None:
        """Looks for due rows. Cheap; called after each commit."""
        if self._closed:
            return
        self._again = True
        if self._sweep is None or self._sweep.done():
            self._sweep = asyncio.create_task(self._look(), name="courier")

    async def close(self, patience: float = 5.0) -> None:
        """Starts nothing more, and lets what is being sent arrive for `patience` seconds."""
        self._closed = True
        self._alarm.cancel()
        running = [task for task in (self._sweep, *self._tasks.values()) if task is not None]
        if not running:
            return
        _, late = await asyncio.wait(running, timeout=patience)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late)

    async def _look(self) -> None:
        try:
            while self._again and not self._closed and not self._line and len(self._tasks) < AT_ONCE:
                self._again = False
                await self._start_tasks()
        except DatabaseError as error:
            log.warning("the outbox cannot be read: %s", error)
            self._alarm.set(self._bot.clock.now() + SHORTEST_MS)

    async def _start_tasks(self) -> None:
        """A task for each destination whose first row is due; the alarm for the first that is not."""
        bot, part, busy = self._bot, self._bot.part, set(self._tasks)
        now = bot.clock.now()
        # of these a part is under way: here, and to users by other processes
        heads = await outbox.heads(bot.database.reads, now, now + FARTHEST_MS, IN_LINE, part)
        self._left_out |= len(heads) == IN_LINE and is_due(heads[-1].row.due_at, now)  # more may be
        if part is not None and not bot.is_ready():  # its servers are not known yet: it wakes when they are
            heads = [head for head in heads if head.row.destination.startswith("user:")]
        for head in heads:
            destination = head.row.destination
            if not is_due(head.row.due_at, now) or self._closed:
                continue
            if destination in self._tasks:
                self._left_out = True
                continue
            if len(self._tasks) >= AT_ONCE:
                self._line.append(destination)
                continue
            first = None if destination in busy else head  # else it may have been sent since it was read
            if bot.database.claims.shared:
                first = None  # nor is it this process's yet
            self._start(destination, first)
        waits = [head.row.due_at for head in heads if not is_due(head.row.due_at, now)]
        self._alarm.set(min(waits, default=None))

    def _start(self, destination: str, head: Head | None) -> None:
        task = asyncio.create_task(self._deliver(destination, head), name=f"courier to {destination}")
        self._tasks[destination] = task
        task.add_done_callback(partial(self._ended, destination))

    def _ended(self, destination: str, task: asyncio.Task[bool]) -> None:
        del self._tasks[destination]
        while self._line and not self._closed and len(self._tasks) < AT_ONCE:
            following = self._line.popleft()
            if following not in self._tasks:
                self._start(following, None)  # its row may have been changed, or sent, since it was seen
        if (
            self._left_out
            or self._again
            or task.cancelled()
            or task.exception() is not None
            or not task.result()
        ):
            self._left_out = False
            self.wake()  # rows that came meanwhile or have to wait, and destinations beyond the line

    async def _deliver(self, destination: str, head: Head | None) -> bool:
        """Sends a destination's rows in order, if no other process does; whether there is nothing more to do.

        `head` is its first row as it was just read; where nothing waits behind it nothing more is read.
        """
        claims, key = self._bot.database.claims, f"post:{destination}"
        try:
            if not await claims.take(key):
                return True  # who sends there hears of each row that comes
        except DatabaseError as error:
            log.warning("%s waits: %s", destination, error)
            await asyncio.sleep(UNCLAIMED_S)
            return False
        try:
            return await self._deliver_all(destination, head)
        finally:
            claims.let_go(key)

    async def _deliver_all(self, destination: str, head: Head | None) -> bool:
        reads, clock = self._bot.database.reads, self._bot.clock
        try:
            rows = [head.row] if head is not None else await outbox.waiting(reads, destination, most=ROWS)
            while rows:
                for row in rows:
                    if self._closed or not is_due(row.due_at, clock.now()) or not await self._its_turn(row):
                        return False
                whole = len(rows) < ROWS if head is None else head.waiting == 1
                if whole and not self._bot.database.claims.shared:
                    return True  # who queued another since has woken the courier
                head, rows = None, await outbox.waiting(reads, destination, most=ROWS)
        except DatabaseError as error:
            log.warning("%s waits: %s", destination, error)
            await asyncio.sleep(SHORTEST_MS / 1000)  # nothing could be written down: the row is still due
            return False
        return True

    async def _its_turn(self, row: OutboxRow) -> bool:
        """Sends a row; where there are other processes, only if it is this one's, and marked so."""
        claims = self._bot.database.claims
        taken = await claims.depart(f"post:{row.destination}", row, self._bot.clock.now())
        return taken is not None and await self._send(taken)

    # -- one row -------------------------------------------------------------------------------

    async def _send(self, row: OutboxRow) -> bool:
        """Sends a row and writes down what became of it; True where the next may follow.

        Nothing is written before: that a row is under way is remembered here, and a process that takes
        over knows that only the first row of a destination can have been.
        """
        tables, clock = self._bot.tables, self._bot.clock
        row = self._as_tried(row)
        self._tried.setdefault(row.id, clock.now())
        end = await self._attempt(row)
        if end.fate is Fate.SENT:
            await tables.delivered(row, end.delivery)
            await tables.post_taken(row, end.delivery)
        elif end.fate is Fate.DROPPED:
            log.warning("row %s (%s to %s) is given up: %s", row.id, row.kind, row.destination, end.why)
            await tables.given_up(row, end.why)
        else:
            pause = max(min(SHORTEST_MS << min(row.attempts, 7), LONGEST_MS), min(end.pause_ms, FARTHEST_MS))
            log.warning("row %s waits %d s: %s", row.id, pause // 1000, end.why)
            await tables.put_off(row, clock.now() + pause, end.why)
        del self._tried[row.id]
        return end.fate is not Fate.LATER

    def _as_tried(self, row: OutboxRow) -> OutboxRow:
        """A row, marked as `flying` since it may first have been tried where it may have been sent already.

        One that was tried by this process has an attempt; of one from before nobody knows.
        """
        since = self._tried.get(row.id)
        if since is not None:
            return replace(row, state="flying", flying_since=since, attempts=max(row.attempts, 1))
        if row.id > self._newest_before or row.destination in self._met:
            return row
        self._met.add(row.destination)
        return row if row.state == "flying" else replace(row, state="flying", flying_since=row.created_at)

    async def _attempt(self, row: OutboxRow) -> End:
        """Sends a row. Too fast, or trouble on the way: later. What Discord refuses it would refuse again."""
        if row.damaged or not readable(row):
            return End(Fate.DROPPED, why="its content cannot be read")
        try:
            return await self._try(row)
        except discord.RateLimited as error:
            return End(Fate.LATER, why="rate limit", pause_ms=int(error.retry_after * 1000))
        except TROUBLE as error:
            self._bot.tables.post_failed(row.destination, everywhere=True)
            return End(Fate.LATER, why=repr(error))
        except discord.HTTPException as error:
            if not refused(error):
                if error.status >= 500:
                    self._bot.tables.post_failed(row.destination, everywhere=False)
                return End(Fate.LATER, why=str(error))
            return await self._refused(row, error)
        except TableError as error:
            return End(Fate.DROPPED, why=error.code)
        except DatabaseError:
            raise
        except Exception as error:  # a fault of ours must not stop a table for ever
            log.exception("row %s (%s to %s) failed", row.id, row.kind, row.destination)
            return End(Fate.LATER if row.attempts < MOST_ATTEMPTS else Fate.DROPPED, why=fault(error))

    async def _refused(self, row: OutboxRow, error: discord.HTTPException) -> End:
        """What Discord would refuse again. A table's post waits where its place is what is refused.

        Whom any other refused post of a table called is called by DM.
        """
        tables, table_id = self._bot.tables, row.table_id
        place = names_place(error)
        if not place:
            log.exception("Discord refused row %s (%s)", row.id, row.kind)
        if table_id is not None and row.destination.startswith("table:"):
            if row.kind == "offer" and place and await self._offered_by_dm(row):
                return End(Fate.DROPPED, why=str(error))
            if not place:
                await tables.call(table_id, row.content.get("mention") or ())
            elif not await tables.is_removed((await tables.get(table_id)).place.guild_id) and (
                await tables.barred(table_id)
            ):
                return End(Fate.LATER, why=str(error), pause_ms=FARTHEST_MS)
        return End(Fate.DROPPED, why=str(error))

    async def _offered_by_dm(self, row: OutboxRow) -> bool:
        """A seat of a private table, whose channel takes no posts while its thread does, is offered by DM."""
        table, called = await self._bot.tables.get(row.table_id or 0), row.content.get("mention") or ()
        if not table.private or table.place.thread_id is None or not called:
            return False
        rows = [Message(row.table_id, f"user:{user}", "offer", row.payload) for user in called]
        await self._bot.tables.say(*rows)
        return True

    async def _try(self, row: OutboxRow) -> End:
        kind, _, number = row.destination.partition(":")
        if kind == "user":
            return await self._to_user(row, int(number))
        if kind == "channel":
            if row.kind == TAGS:
                await self._tags(row)
                return arrived()
            channel = self._bot.get_partial_messageable(int(number))
            about = None if row.kind != TROPHY else await self._bot.tables.get(row.table_id or 0)
            return arrived(await self._post(row, channel, await self._made(row, about)))
        table = await self._bot.tables.get(int(number))
        if row.kind == "thread":
            return await self._open_thread(row, table)
        if row.kind == "lobby":
            end = await self._lobby(row, table)
            await self._in_step(row)
            return end
        if row.kind == "players":
            await rooms.change_of_players(self._bot, row, table)
            return arrived()
        end = await self._to_table(row, table)
        if row.kind in ("board", "over") or row.content.get("code") in STATED:
            await self._in_step(row)
        if row.content.get("code") in HANDED:
            await rooms.named_anew(self._bot, table, await self._writer.thread_name(table))
        return end

    async def _in_step(self, row: OutboxRow) -> None:
        """A table's post in a forum has the tags of how it stands now.

        Its row is sent by then: what goes wrong here must not send it once more. The next board tries again;
        after the last one the tags have a row of their own.
        """
        try:
            await self._tags(row)
        except (discord.HTTPException, discord.RateLimited, *TROUBLE) as error:
            table = await self._bot.tables.get(row.table_id or 0)
            log.warning("the post of table %s has its tags later: %s", table.id, error)
            if table.status not in ("open", "running"):
                await self._bot.tables.say(Message(table.id, f"channel:{table.place.thread_id}", TAGS, "{}"))

    async def _tags(self, row: OutboxRow) -> None:
        """Sets the tags of a table's post in a forum, where it has one."""
        table = await self._bot.tables.get(row.table_id or 0)
        if await forums.has_post(self._bot, table):
            await forums.in_step(self._bot, table, await self._writer.thread_name(table))

    async def _made(
        self, row: OutboxRow, table: Table | None, words: Words | None = None, *, pictured: Pictured = "yes"
    ) -> Post:
        """A row's post. Raises DatabaseError `overtaken` where its claim was lost while it was drawn.

        Another process sends it by then, and perhaps what follows it: this one would put it there once more.
        """
        post = await self._writer.post(row, table, words, pictured=pictured)
        database = self._bot.database
        if not database.claims.holds(f"post:{row.destination}"):
            raise DatabaseError("overtaken", str(database.where))
        return post

    async def _forum_post(self, row: OutboxRow, table: Table, post: Post) -> int | None:
        """The table's post in its forum, begun by this message; None where it is played in no forum."""
        forum = await forums.forum_of(self._bot, table)
        if forum is None:
            return None
        name = await self._writer.thread_name(table)
        made = await forums.opened(self._bot, forum, row, table, name, post, again=maybe_sent(row))
        await self._bot.tables.placed(table.id, thread_id=made)
        await self._bot.openings.opened(await self._bot.tables.get(table.id))
        return made

    async def _post(self, row: OutboxRow, channel: Any, post: Post, *, marked: bool = False) -> int:
        """Sends a post once: by its nonce, and by its mark where the nonce is too old.

        marked  it may have been sent without a nonce: what begins a post of a forum has none
        """
        now = self._bot.clock.now()
        tried_at = row.flying_since if row.state == "flying" else row.created_at if row.attempts else None
        if tried_at is not None and (marked or now - tried_at > MARKED_AFTER_MS):
            found = await self._marked(row.mark, channel)
            if found is not None:
                return found
        common = self._bot.allowed_mentions
        with handle_message_parameters(
            **post.arguments(), nonce=row.nonce, previous_allowed_mentions=common
        ) as params:
            whole(params)
            # `send` would make a message of the answer, with all its parts, and only its number is needed
            message = await self._bot.http.send_message(channel.id, params=params)
        return int(message["id"])

    async def _carrier(self, row: OutboxRow, channel: Any, found: int | None) -> int | None:
        """The message that a row changes: of one that may have been sent, rather that which carries its mark.

        It may have been posted when nothing was known that it could change: what another process had sent
        there before was written down only then.
        """
        if found is None or not maybe_sent(row):
            return found
        return await self._marked(row.mark, channel) or found

    async def _marked(self, mark: int, channel: Any) -> int | None:
        """The message among the channel's last that carries this row's mark, or None."""
        try:
            async for message in channel.history(limit=LOOKED_THROUGH):
                if carries(message, mark):
                    return int(message.id)
        except discord.Forbidden:
            log.warning("the history cannot be read for mark %s", mark)
        return None

    # -- places --------------------------------------------------------------------------------

    async def _to_table(self, row: OutboxRow, table: Table) -> End:
        """To the table's thread; to the channel above it where the thread is gone or closed to the bot."""
        hurried = await self._is_hurried(row)
        called = await presence.present(self._bot, row, table, hurried=hurried)
        if called is None:
            return End(Fate.DROPPED, why="nobody is there to be called")
        row = called
        overtaken = row.kind == "board" and await self._is_overtaken(row, table)
        # asked together: one trip to the database
        line, below, words = await asyncio.gather(
            self._last_line(row, table),
            chapter_posts.nudged(self._bot, row, table),
            self._writer.words(row, table),
        )
        pictured: Pictured = "newer" if overtaken else "crowded" if hurried and row.kind == "board" else "yes"
        post = await self._made(row, table, words, pictured=pictured)
        place = table.place
        here = self._channel(table, place.thread_id or place.channel_id)
        line = await self._carrier(row, here, line)
        if line is not None and await self._edited(here, line, post):
            return arrived(line)
        if chapter_posts.outdated(row, table):
            return End(Fate.DROPPED, why="who is called need not act any more")
        if below is not None:
            await chapter_posts.clear(table, here, below)
        old = await self._changed_before(row, table, here) or await self._carrier(
            row, here, await chapter_posts.standing(self._bot, row, table)
        )
        if old is not None and (overtaken or await self._edited(here, old, post)):
            told = chapter_posts.nudges(row, table)
            return arrived(old, lines=told, chapter=chapter_posts.chapter_of(row))
        outside = row.kind == "offer" and table.private  # who is asked is not in a private thread yet
        closed, shown, lines = False, dict[str, int](), tuple[Message, ...]()
        message_id: int | None = None
        if place.thread_id is not None and place.thread_id != place.channel_id and not outside:
            try:
                message_id = await self._to_thread(row, table, place.thread_id, post)
            except discord.HTTPException as error:
                if not names_place(error) and error.code != THREADS_FULL:
                    raise
                if await self._bot.tables.is_removed(place.guild_id):
                    raise  # its place is as it was when the bot is invited again
                message_id = await self._moved(row, table, post, error)
                closed = message_id is None
        if message_id is None and place.thread_id is None and not outside:
            message_id = await self._forum_post(row, table, post)
        if message_id is None:
            message_id = await self._post(row, self._channel(table, place.channel_id), post)
            if closed:  # and only now: where its channel is closed too, its thread may open again
                shown["thread_id"] = place.channel_id
                lines = (rooms.line(table, rooms.NOT_PRIVATE),) if table.private else ()
        chapter = None
        if row.kind in ("board", "over"):
            shown["board_message_id"], chapter = message_id, chapter_posts.chapter_of(row)
        return arrived(message_id, shown=shown, chapter=chapter, lines=lines)

    async def _changed_before(self, row: OutboxRow, table: Table, channel: Any) -> int | None:
        """The message that a try without an end changed into this board: its chapter may be over since."""
        if not maybe_sent(row) or table.board_message_id is None or chapter_posts.chapter_of(row) is None:
            return None
        try:
            message = await channel.fetch_message(table.board_message_id)
        except (discord.NotFound, discord.Forbidden):
            return None
        return int(message.id) if carries(message, row.mark) else None

    async def _is_overtaken(self, row: OutboxRow, table: Table) -> bool:
        """Whether it is late, and a newer board calls those of this one who still have to act."""
        if row.attempts or self._bot.clock.now() - row.created_at < BEHIND_MS:
            return False
        newer = await outbox.newer_board(self._bot.database.reads, row)
        return newer is not None and chapter_posts.called(row, table) <= chapter_posts.mentioned(newer)

    async def _is_hurried(self, row: OutboxRow) -> bool:
        """Whether a post is late while a crowd waits: then it says what is to be said, and looks nothing up.

        A board has no picture then. A hand has no map beside it: the hand itself is what its reader acts on.
        """
        now = self._bot.clock.now()
        if row.attempts or now - row.created_at < LATE_MS:
            return False
        at, many = self._crowd
        if not at <= now < at + COUNTED_MS:
            many = await outbox.due(self._bot.database.reads, now)
            self._crowd = now, many
        return many >= CROWD

    async def _moved(self, row: OutboxRow, table: Table, post: Post, why: Exception) -> int | None:
        """The post in another private thread, where the table had one; None: it has to go to the channel."""
        if table.private:
            name = await self._writer.thread_name(table)
            thread_id = (await rooms.private_thread(self._bot, table, name, again=True)).thread_id
            if thread_id not in (None, table.place.thread_id):
                await self._bot.tables.placed(table.id, thread_id=thread_id)
                return await self._post(row, self._channel(table, thread_id or 0), post)
        log.info("table %s has no thread any more: %s", table.id, why)
        return await self._forum_post(row, table, post)

    async def _last_line(self, row: OutboxRow, table: Table) -> int | None:
        """The line that told who was ready, to be changed, while it is young and no board came after it."""
        if row.kind != "ready":
            return None
        since = self._bot.clock.now() - chapter_posts.EDITABLE_MS
        last = await outbox.last_sent(
            self._bot.database.reads, row.destination, row.kind, row.table_id, since
        )
        return None if last is None or last < (table.board_message_id or 0) else last

    async def _to_thread(self, row: OutboxRow, table: Table, thread_id: int, post: Post) -> int:
        """Into a thread, which is opened again where it was archived."""
        channel = self._bot.get_partial_messageable(thread_id)
        guild = self._bot.get_guild(table.place.guild_id or 0)
        marked = await forums.has_post(self._bot, table)
        if guild is not None and guild.get_thread(thread_id) is None:
            await self._unarchive(thread_id)  # open threads are known as soon as their server is
        try:
            return await self._post(row, channel, post, marked=marked)
        except discord.HTTPException as error:
            if error.code != ARCHIVED:
                raise
        await self._unarchive(thread_id)
        return await self._post(row, channel, post, marked=marked)

    async def _unarchive(self, thread_id: int) -> None:
        thread = await self._bot.fetch_channel(thread_id)
        if isinstance(thread, discord.Thread) and thread.archived:
            await thread.edit(archived=False)

    def _channel(self, table: Table, channel_id: int) -> discord.PartialMessageable:
        return self._bot.get_partial_messageable(channel_id, guild_id=table.place.guild_id)

    async def _open_thread(self, row: OutboxRow, table: Table) -> End:
        """A thread of the table's own; posts go to the channel where there is none."""
        if table.place.thread_id is not None:
            return arrived()
        name = await self._writer.thread_name(table)
        thread_id = await rooms.opened(self._bot, table, name, again=maybe_sent(row))
        if thread_id is not None:
            await self._bot.tables.placed(table.id, thread_id=thread_id)
            await self._bot.openings.opened(await self._bot.tables.get(table.id))
        return arrived(thread_id)

    async def _lobby(self, row: OutboxRow, table: Table) -> End:
        """The lobby's message: changed while it is young and there, else posted anew."""
        post = await self._made(row, table)
        forum = await forums.forum_of(self._bot, table)
        inside = table.place.thread_id if table.in_place or forum is not None else None
        channel = self._channel(table, inside or table.place.channel_id)
        old = await self._carrier(row, channel, table.lobby_message_id)
        if old is not None:
            age = self._bot.clock.now() - int(discord.utils.snowflake_time(old).timestamp() * 1000)
            if age < chapter_posts.EDITABLE_MS and await self._edited(channel, old, post):
                return arrived(old)
            if table.status != "open":  # what the lobby became is told by the posts that follow
                return arrived()
        if forum is not None and inside is None:
            message_id = await self._forum_post(row, table, post) or 0
        else:
            message_id = await self._post(row, channel, post, marked=forum is not None)
        return arrived(message_id, shown={"lobby_message_id": message_id})

    async def _edited(self, channel: Any, message_id: int, post: Post) -> bool:
        """Changes a message; False where that is refused, as it is gone or too old: it is posted anew."""
        try:
            with handle_message_parameters(**post.changes()) as params:
                whole(params)
                await self._bot.http.edit_message(channel.id, message_id, params=params)
        except discord.HTTPException as error:
            if refused(error):
                return False
            raise
        return True

    async def _to_user(self, row: OutboxRow, user_id: int) -> End:
        """A hand by DM, in place of the last one while that is young; never to the channel.

        A sheet whose draft was changed elsewhere is changed there as well, or not at all. Of several that
        wait only the newest is sent; one that was tried before may be there already.
        """
        reads, since = self._bot.database.reads, self._bot.clock.now() - chapter_posts.EDITABLE_MS
        changed = row.kind == "sheet"
        last, followed, words = await asyncio.gather(  # one trip to the database
            outbox.last_sent(reads, row.destination, "hand", row.table_id, since),
            outbox.followed(reads, row),
            self._writer.words(row, None),
        )
        if followed and changed:
            return arrived()
        if followed and row.kind == "hand" and not row.attempts:
            return arrived(await self._sent_before(row, user_id) or last)
        table = None if row.table_id is None else await self._bot.tables.get(row.table_id)
        if table is not None and is_idle(row, table, user_id):
            return End(Fate.DROPPED, why="who is called need not act any more")
        hurried = row.kind == "hand" and await self._is_hurried(row)
        post = await self._made(row, table, words, pictured="crowded" if hurried else "yes")
        if row.kind == DIGEST and not post.entries:
            return End(Fate.DROPPED, why="nothing waits any more")
        try:
            channel = await self._dm(user_id)
            if row.kind in ("hand", "sheet"):
                last = await self._carrier(row, channel, last)
                if last is not None and await self._edited(channel, last, post):
                    return arrived(last)
            if changed:
                return arrived()  # an old sheet says so when it is pressed
            message_id = await self._post(row, channel, post)
            await self._calls_once(row, table, channel, message_id)
            return arrived(message_id)
        except (discord.Forbidden, discord.NotFound, discord.HTTPException) as error:
            if error.code not in (DM_CLOSED, NO_USER, NO_MEMBER):
                raise
            guild = None if table is None else self._bot.get_guild(table.place.guild_id or 0)
            if error.code == NO_USER:
                await self._bot.tables.gone(user_id, "deleted")
            elif guild is None or not await presence.lost(self._bot, guild, user_id):
                await self._dm_is_closed(row, user_id)
            return End(Fate.DROPPED, why=str(error))

    async def _calls_once(self, row: OutboxRow, table: Table | None, channel: Any, message_id: int) -> None:
        """Takes away the call by DM before this one, to the same table: one at a time tells enough."""
        if table is None or not wished(row):
            return
        reads = self._bot.database.reads
        last = await outbox.last_sent(reads, row.destination, CALL, table.id, 0)
        if last not in (None, message_id):
            await chapter_posts.clear(table, channel, last or 0)

    async def _sent_before(self, row: OutboxRow, user_id: int) -> int | None:
        """The message of a row that the process before may have sent by DM, or None."""
        if not maybe_sent(row):
            return None
        return await self._marked(row.mark, await self._dm(user_id))

    async def _dm(self, user_id: int) -> discord.PartialMessageable:
        """The channel of DMs to a user, which stays the same.

        discord.py remembers those of 128 users: a post to any other would be a request more.
        """
        known = self._dms.pop(user_id, None)
        if known is None:
            known = (await self._bot.create_dm(discord.Object(user_id))).id
        self._dms[user_id] = known  # the last one
        if len(self._dms) > MOST_DMS:
            del self._dms[next(iter(self._dms))]
        return self._bot.get_partial_messageable(known)

    async def _dm_is_closed(self, row: OutboxRow, user_id: int) -> None:
        """No more hands by DM to this user; a line at the table offers an ephemeral button instead."""
        if wished(row):
            await self._bot.tables.call_refused(row, user_id)
            return
        if row.kind not in ("hand", "sheet"):
            return  # it only called
        told = []
        if row.table_id is not None:
            payload = json.dumps({"code": "dm-closed", "params": {}, "mention": [user_id]})
            told = [Message(row.table_id, f"table:{row.table_id}", "line", payload)]
        await self._bot.tables.dm_closed(user_id, *told)
