"""What two people do in a channel: open a table, sit down, move, and look at what is kept of it."""

from __future__ import annotations

import json
import random
import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import psycopg

from db.address import Address, Where
from db.ledger import reading
from db.rows import MARKS, Row
from engines.registry import engine
from locales import words
from tests.places import served
from tests.process.discord_client import Answer, Discord, Json, User, buttons

WORDS = words("en")
MARK = re.compile(r"t:(?P<table>\d+):(?P<version>\d+):(?P<action>[a-z]+)[^@]*(?:@(?P<row>\d+))?")


class Turn(NamedTuple):
    """Who has to move, and what may be played."""

    player: User
    moves: list[str]


class Entry(NamedTuple):
    """One line of a table's log as the database keeps it."""

    seat: int
    action: str


@dataclass
class Castle:
    """A channel with two players; `database` is the file of the bot that serves them.

    eyes  the folder where we see the file, if it is on a disk that only the bot has
    """

    discord: Discord
    guild: str
    channel: str
    players: tuple[User, User]
    database: Path
    eyes: Path | None = None

    # -- playing ----------------------------------------------------------------------

    async def open_table(self, options: str = "match=single seat=first") -> str:
        """Ann invites Ben, Ben presses Join; the place where the game is played, with its first board."""
        ann, ben = self.players
        begin = len(self.discord.posts)
        await self.discord.slash(
            ann, self.channel, "game new", game="kamisado", opponent=ben, options=options
        )
        lobby = await self.discord.until(
            lambda: next((m for m in self.new_posts(begin) if self.button(m, "join")), None), "a lobby"
        )
        await self.discord.press(ben, lobby, self.button(lobby, "join") or "")
        table = self.table_of(lobby)

        def first_board() -> Json | None:
            posts = (m for m in self.new_posts(begin) if m["attachments"])
            return next((m for m in posts if self.table_of(m) == table), None)

        board = await self.discord.until(first_board, "the first board")
        return str(board["channel_id"])

    async def against_the_bot(self) -> None:
        """Ann plays against a hard bot and has moved first: it thinks about its answer."""
        ann, _ = self.players
        opponent = await self.discord.bot()
        options = "match=single seat=first level=hard"
        await self.discord.slash(
            ann, self.channel, "game new", game="kamisado", opponent=opponent, options=options
        )
        place = str((await self.discord.until(self.boards, "a board"))[0]["channel_id"])
        await self.play(place, ann, "a8-a4")

    def new_posts(self, begin: int) -> list[Json]:
        """Public messages since the `begin`-th that are still there."""
        return [m for i in self.discord.posts[begin:] if (m := self.discord.messages.get(i))]

    @staticmethod
    def table_of(message: Json) -> int | None:
        """The table that a message is about, by its first button."""
        match = MARK.fullmatch(next(iter(buttons(message)), ""))
        return int(match["table"]) if match else None

    @staticmethod
    def button(message: Json, action: str) -> str | None:
        """The custom id of the button that does `action`."""
        marks = ((MARK.fullmatch(b), b) for b in buttons(message))
        return next((b for match, b in marks if match and match["action"] == action), None)

    async def turn(self, place: str) -> Turn | None:
        """Who has to move, as autocomplete knows it; None when the game is over."""
        for player in self.players:
            moves = await self.discord.complete(player, place, "move", "move", "")
            if moves:
                return Turn(player, moves)
        return None

    async def play(self, place: str, player: User, action: str) -> None:
        """One move by command; fails unless the bot says that it was played."""
        answer = await self.discord.slash(player, place, "move", move=action)
        assert self.accepted(answer, action), answer.text

    @staticmethod
    def accepted(answer: Answer, action: str) -> bool:
        """Whether the bot acknowledged the action."""
        return WORDS("answer.played", action=f"`{action}`") in answer.text

    async def play_on(self, place: str, chance: random.Random, most: int = 500) -> int:
        """Random moves until the game is over, or `most`; how many they were."""
        for ply in range(most):
            turn = await self.turn(place)
            if turn is None:
                return ply
            await self.play(place, turn.player, chance.choice(turn.moves))
        return most

    @property
    def where(self) -> Where:
        """The database that the bot is told of."""
        return served(self.database)

    # -- what is kept -----------------------------------------------------------------

    def rows(self, sql: str, *params: object) -> Sequence[Row]:
        """What the database answers to a query, beside the running bot."""
        if isinstance(self.where, Address):
            with reading(self.where) as server:
                return server.execute(sql, params).fetchall()
        with TemporaryDirectory() as folder:
            file = self.database if self.eyes is None else self.copied(Path(folder), self.eyes)
            with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
                connection.row_factory = sqlite3.Row
                return connection.execute(sql, params).fetchall()

    def lived(self, ms: int) -> None:
        """As if the bot had run for so long since it stopped: what its marks say."""
        longer = "UPDATE meta SET value = CAST(CAST(value AS BIGINT) + {} AS TEXT) WHERE key = 'alive'"
        if isinstance(self.where, Address):
            with closing(psycopg.connect(self.where.url, autocommit=True)) as server:
                server.execute(longer.format("%s"), (ms,))
            return
        with closing(sqlite3.connect(self.database)) as connection, connection:
            connection.execute(longer.format("?"), (ms,))

    def copied(self, folder: Path, eyes: Path) -> Path:
        """The database with its log as they are now: SQLite itself would not find another's disks.

        Right as long as the bot does not begin its log anew, which it does after 4 MB.
        """
        for end in ("", "-wal"):
            if (there := eyes / f"{self.database.name}{end}").exists():
                shutil.copyfile(there, folder / there.name)
        return folder / self.database.name

    def log(self, table: int = 1) -> list[Entry]:
        """The actions of a table in order."""
        sql = "SELECT seat, action FROM actions WHERE table_id = ? ORDER BY seq"
        rules = engine("kamisado")
        return [
            Entry(r["seat"], rules.format(rules.parse_json(json.loads(r["action"]))))
            for r in self.rows(sql, table)
        ]

    def unsent(self) -> int:
        """Outbox rows that are still to be sent."""
        sql = "SELECT count(*) AS n FROM outbox WHERE state IN ('queued', 'flying')"
        return int(self.rows(sql)[0]["n"])

    def marks(self) -> Counter[int]:
        """How many public messages carry each outbox row's mark."""
        found: Counter[int] = Counter()
        for message in self.new_posts(0):
            ids = buttons(message)
            match = MARK.fullmatch(ids[0]) if ids else None
            if match and match["row"]:
                found[int(match["row"])] += 1
        return found

    def boards(self) -> list[Json]:
        """Public messages with a picture, oldest first."""
        return [m for m in self.new_posts(0) if m["attachments"]]

    async def all_sent(self) -> None:
        """Until the outbox is empty: every post that it held is there."""
        await self.discord.until(lambda: not self.unsent() or None, "the outbox to be empty")
        await self.discord.read(0)

    def assert_sent_once(self) -> None:
        """Every row for the table is one message, no more and no less."""
        marks = self.marks()
        sql = """SELECT id, nonce, kind, state, error, message_id FROM outbox
                 WHERE kind IN ('board', 'over', 'line', 'vote') ORDER BY id"""
        rows = self.rows(sql)
        shown = {row["message_id"]: int(row["nonce"]) % MARKS for row in rows}  # an edit has the newer row's
        for row in rows:
            assert row["state"] == "sent", tuple(row)
            assert marks[shown[row["message_id"]]] == 1, (tuple(row), marks)
        assert all(count == 1 for count in marks.values()), marks
