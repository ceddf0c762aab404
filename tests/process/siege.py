"""Scripted players of any game against the shipped process, and what must be true whatever went wrong.

They look up the position in the database, as no player could, to have something legal to say; what they do
goes through commands as everybody's does.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cogs.buttons.custom_ids import row_of
from cogs.posting.codes import DM_CLOSED
from db.rows import MARKS
from engines.capabilities import Chapters, Secrets, random_action
from engines.chance import Chance
from engines.registry import GAMES, engine
from tests.games import players, sample, words_of
from tests.messages import parts_of
from tests.process.castle import Castle
from tests.process.discord_client import Answer, Discord, Json, User

CLEARED = {"nudge"}  # deleted again when somebody else is called
OUTDATED = "who is called need not act any more"  # why one of these need not be posted at all
PLAIN = {game for game in GAMES if not isinstance(engine(game), (Secrets, Chapters))}  # a board an action


class Deed(NamedTuple):
    """Something legal: who may do it, his seat, and how it is typed."""

    player: User
    seat: int
    text: str


@dataclass
class Siege:
    """One game after another.

    done  what was acknowledged, by table
    shut  ids of players who took no DMs for a time
    """

    castle: Castle
    game: str
    chance: random.Random
    players: list[User]
    done: dict[int, list[tuple[int, str]]] = field(default_factory=dict)
    shut: set[str] = field(default_factory=set)

    @property
    def discord(self) -> Discord:
        """Where it is played."""
        return self.castle.discord

    @property
    def table(self) -> int:
        """The newest table."""
        return max(self.done, default=0)

    # -- playing ---------------------------------------------------------------------------

    async def open_table(self, more: str = "") -> int:
        """A running table of this game, with `more` options."""
        first, *others = self.players
        options = {"options": f"{words_of(sample(self.game).options)} seat=first {more}".strip()}
        if len(others) == 1:
            options |= {"opponent": others[0]}  # type: ignore[dict-item]
        await self.discord.slash(first, self.castle.channel, "game new", game=self.game, **options)
        number = int(self.castle.rows("SELECT max(id) AS n FROM tables")[0]["n"])
        for other in others:
            await self.discord.slash(other, self.castle.channel, "game join", table=number)
        if len(others) > 1:
            await self.discord.slash(first, self.castle.channel, "game start", table=number)
        assert self.row(number)["status"] == "running"
        self.done[number] = []
        return number

    def row(self, number: int) -> Any:
        """The table's row."""
        return self.castle.rows("SELECT * FROM tables WHERE id = ?", number)[0]

    def deed(self, number: int) -> Deed | None:
        """Something legal at this table; None when it is over."""
        if self.row(number)["status"] != "running":
            return None
        rules = engine(self.game)
        state = rules.load(self.castle.rows("SELECT state FROM snapshots WHERE table_id = ?", number)[0][0])
        seat = self.chance.choice(sorted(rules.to_act(state)))
        action = random_action(rules, state, seat, Chance(self.chance.randbytes(32), 1))
        user = self.castle.rows("SELECT user_id FROM seats WHERE table_id = ? AND seat = ?", number, seat)
        player = next(p for p in self.players if p.id == str(user[0]["user_id"]))
        return Deed(player, seat, rules.format(action))

    async def send(self, number: int, deed: Deed) -> str:
        """Types it; the interaction's id."""
        options = {"move": deed.text, "table": number}
        return await self.discord.send(deed.player, self.castle.channel, command="move", options=options)

    async def act(self, number: int, deed: Deed) -> bool:
        """Does it, and says yes where the bot asks once more; whether it was carried out."""
        return await self.heard(number, deed, await self.discord.answer(await self.send(number, deed)))

    async def heard(self, number: int, deed: Deed, answer: Answer) -> bool:
        """Notes what was acknowledged."""
        if not self.castle.accepted(answer, deed.text):
            return False
        self.done[number].append((deed.seat, deed.text))
        return True

    async def play(self, number: int, most: int) -> int:
        """At most so many actions; how many were carried out."""
        carried = 0
        for _ in range(most * 3):
            deed = self.deed(number)
            if deed is None or carried == most:
                break
            carried += await self.act(number, deed)
        return carried

    # -- what must be true -----------------------------------------------------------------

    def log(self, number: int) -> list[tuple[int, str]]:
        """The table's actions as the database has them."""
        rules = engine(self.game)
        sql = "SELECT seat, action FROM actions WHERE table_id = ? AND undo IS NULL ORDER BY seq"
        return [
            (row["seat"], rules.format(rules.parse_json(json.loads(row["action"]))))
            for row in self.castle.rows(sql, number)
        ]

    async def settle(self) -> None:
        """Everything is sent once, nothing acknowledged is lost or doubled."""
        await self.castle.all_sent()
        for number, done in self.done.items():
            assert self.log(number) == done, f"table {number}"
            if self.game in PLAIN:
                sql = "SELECT count(*) AS n FROM outbox WHERE kind IN ('board', 'over') AND table_id = ?"
                assert self.castle.rows(sql, number)[0]["n"] == len(done) + 1, f"boards of table {number}"
        self.each_once()
        await self.hands_reached_their_owners_only()

    async def hands_reached_their_owners_only(self) -> None:
        """Each DM went to whom its row names, and no picture of one is anywhere that others see."""
        places = [entry["channel"] for entry in await self.discord.control("channels")]
        reader = {place["id"]: place["recipients"][0]["id"] for place in places if place.get("recipients")}
        rows = self.castle.rows("SELECT id, destination, nonce FROM outbox")
        destination = {str(row["nonce"]): row["destination"] for row in rows}
        secret, public = set[str](), set[str]()
        for entry in self.discord.entries("message") + self.discord.entries("edit"):
            message, pictures = entry["message"], {a["sha256"] for a in entry["message"]["attachments"]}
            if entry["ephemeral"]:
                continue
            owner = reader.get(message["channel_id"])
            if message["nonce"] is not None:
                to = destination[str(message["nonce"])]
                assert (to == f"user:{owner}") if owner else not to.startswith("user:"), to
            if owner is None:
                public |= pictures
            else:
                secret |= pictures
        assert not secret & public

    def each_once(self) -> None:
        """Every row is one message: no nonce and no mark twice, none that was sent is missing, DMs too.

        A hand for somebody who took no DMs is given up, and the thread has a button for it instead.
        """
        posted = [e["message"] for e in self.discord.entries("message")]
        nonces = Counter(str(m["nonce"]) for m in posted if m["nonce"] is not None)
        assert max(nonces.values(), default=1) == 1, nonces.most_common(3)
        marks = self.marks()
        assert all(count == 1 for count in marks.values()), marks
        shown: dict[int, int] = {}  # the row that a message tells of now, by message: hands are changed
        rows = self.castle.rows("SELECT * FROM outbox ORDER BY id")
        for row in rows:
            if self.refused(row):
                continue
            late = row["kind"] in CLEARED and row["error"] == OUTDATED
            assert row["state"] == ("dropped" if late else "sent"), tuple(row)
            if row["message_id"] is not None and row["kind"] != "thread":
                there = self.discord.posts if row["kind"] in CLEARED else self.discord.messages
                assert str(row["message_id"]) in there, tuple(row)
                shown[row["message_id"]] = int(row["nonce"]) % MARKS
        for hand in (row for row in rows if row["kind"] == "hand" and not self.refused(row)):
            if hand["message_id"] is None:  # it fell behind where none had been sent before
                assert any(follows(later, hand) for later in rows), tuple(hand)
                continue
            newest = shown[hand["message_id"]]
            assert marks[newest] == 1, f"the hand of row {hand['id']} is not what its reader sees"

    def refused(self, row: Any) -> bool:
        """Whether a row was given up because its reader took no DMs."""
        closed = row["state"] == "dropped" and str(DM_CLOSED) in (row["error"] or "")
        return closed and row["destination"].removeprefix("user:") in self.shut

    def marks(self) -> Counter[int]:
        """How many messages carry each row's mark, wherever in it."""
        return Counter(row for m in self.discord.messages.values() for row in marked(m))


def follows(later: Any, hand: Any) -> bool:
    """Whether a row is a newer hand of the same reader at the same table."""
    same = all(later[name] == hand[name] for name in ("kind", "destination", "table_id"))
    return same and later["id"] > hand["id"]


def marked(message: Json) -> set[int]:
    """The row whose mark a message carries; none where it answered an interaction."""
    ids = (part.get("custom_id") for part in parts_of(message))  # a plan that is not whole cannot be sent yet
    return {row for custom_id in ids if (row := row_of(custom_id)) is not None}


async def siege(castle: Castle, game: str, seed: int) -> Siege:
    """Players for this game, in a castle."""
    people = list(castle.players)
    while len(people) < players(game):
        people.append(await castle.discord.user(f"Guest {len(people)}"))
    return Siege(castle, game, random.Random(seed), people)
