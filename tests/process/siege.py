"""Scripted players of any game against the shipped process, and what must be true whatever went wrong.

They look up the position in the database, as no player could, to have something legal to say; what they do
goes through commands as everybody's does.
"""

from __future__ import annotations

import json
import random
import re
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
from tests.process.attacks import Attacker, attacker
from tests.process.castle import Castle
from tests.process.discord_client import Answer, Discord, Json, User, buttons

ATTACKED = 4  # one action in so many has an attack beside it, and one in so many is taken back
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

    done      what was acknowledged and stands, by table
    shut      ids of players who took no DMs for a time
    attacker  somebody else in the channel, who attacks meanwhile
    """

    castle: Castle
    game: str
    chance: random.Random
    players: list[User]
    attacker: Attacker
    done: dict[int, list[tuple[int, str]]] = field(default_factory=dict)
    shut: set[str] = field(default_factory=set)
    taken_back: int = 0  # how often something was
    sketches: bool = False  # nothing is drawn: all pictures are one

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
        sql = "SELECT max(id) AS n FROM tables WHERE creator_id = ?"
        number = int(self.castle.rows(sql, int(first.id))[0]["n"])
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
            if self.chance.randrange(ATTACKED) == 0:
                await self.attacker.attack(number)
            carried += await self.act(number, deed)
            if self.chance.randrange(ATTACKED) == 0:
                await self.begin_and_take_back(number)
        return carried

    # -- what is begun and taken back --------------------------------------------------------

    async def begin_and_take_back(self, number: int) -> None:
        """Acts and takes it back; asks for a pause, and no more (14.4, 14.5)."""
        deed = self.deed(number)
        if deed is None or not await self.act(number, deed) or self.deed(number) is None:
            return
        for command in ("game undo", "game pause"):
            await self.discord.slash(deed.player, self.castle.channel, command, table=number)
        await self.answer_votes(number)
        self.note_undone(number, deed.seat)

    async def ask_back(self, number: int, deed: Deed) -> str:
        """Asks to take back the last action of the one who is to act; the interaction's id."""
        options = {"table": number}
        return await self.discord.send(deed.player, self.castle.channel, command="game undo", options=options)

    async def answer_votes(self, number: int) -> None:
        """The others let it be taken back, who asked for a pause withdraws; where the question is seen."""
        await self.discord.read(0)
        seats = self.castle.rows("SELECT seat, user_id FROM seats WHERE table_id = ?", number)
        users = {row["seat"]: str(row["user_id"]) for row in seats}
        sql = "SELECT id, kind, by_seat FROM votes WHERE table_id = ? AND status = 'open'"
        for vote in self.castle.rows(sql, number):
            agree = vote["kind"] == "undo"
            for player in self.players:
                if (player.id == users[vote["by_seat"]]) != agree:
                    await self.answer_vote(player, f"v{vote['id']}{'y' if agree else 'n'}")

    async def answer_vote(self, player: User, action: str) -> None:
        """Presses the button that does this, where it can be seen."""
        for message in self.castle.new_posts(0):
            for custom_id in buttons(message):
                if re.fullmatch(rf"t:\d+:\d+:{action}(@\d+)?", custom_id):
                    await self.discord.press(player, message, custom_id)

    def note_undone(self, number: int, seat: int) -> None:
        """What stands after somebody asked to take back: the same, or all up to some action.

        Alone goes the last action of this seat, without what came after it where that is secret; by a vote
        whatever it asked for, which others may have agreed to only now.
        """
        done, now, entries = self.done[number], self.log(number), self.standing(number)
        last = max((n for n, (by, _) in enumerate(done) if by == seat), default=len(done))
        sql = "SELECT entry FROM votes WHERE table_id = ? AND kind = 'undo' AND status = 'agreed'"
        cuts = {sum(n < row["entry"] for n in entries) for row in self.castle.rows(sql, number)} | {last}
        assert now in (done, done[:last] + done[last + 1 :], *(done[:cut] for cut in cuts)), f"table {number}"
        self.taken_back += now != done
        self.done[number] = now

    # -- what must be true -----------------------------------------------------------------

    def log(self, number: int) -> list[tuple[int, str]]:
        """The table's actions that stand, as the database has them."""
        return list(self.standing(number).values())

    def standing(self, number: int) -> dict[int, tuple[int, str]]:
        """The same by the numbers of their entries."""
        rules, stands = engine(self.game), dict[int, tuple[int, str]]()
        sql = "SELECT seq, seat, action, undo FROM actions WHERE table_id = ? ORDER BY seq"
        for row in self.castle.rows(sql, number):
            for _ in range(row["undo"] or 0):
                stands.popitem()
            if row["undo"] is None:
                action = rules.parse_json(json.loads(row["action"]))
                stands[row["seq"]] = row["seat"], rules.format(action)
        return stands

    async def settle(self) -> None:
        """Everything is sent once, nothing acknowledged is lost or doubled."""
        await self.attacker.settle()
        await self.castle.all_sent()
        for number, done in self.done.items():
            log = self.log(number)
            assert log == done, f"table {number}: {log} is not {done}"
            if self.game in PLAIN:
                sql = "SELECT count(*) AS n FROM outbox WHERE kind IN ('board', 'over') AND table_id = ?"
                entries = self.row(number)["entries"]  # a board for what is taken back as well
                assert self.castle.rows(sql, number)[0]["n"] == entries + 1, f"boards of table {number}"
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
        assert self.sketches or not secret & public

    def each_once(self) -> None:
        """Every row is one message: no nonce and no mark twice, none that was sent is missing, DMs too.

        A hand for somebody who took no DMs is given up, and the thread has a button for it instead.
        """
        posted = [e["message"] for e in self.discord.entries("message")]
        nonces = Counter(str(m["nonce"]) for m in posted if m["nonce"] is not None)
        assert max(nonces.values(), default=1) == 1, nonces.most_common(3)
        marks = self.marks()
        assert all(count == 1 for count in marks.values()), self.doubled(marks)
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

    def doubled(self, marks: Counter[int]) -> str:
        """For each mark that several messages carry: its row, and what was done with these messages."""
        rows = {int(row["nonce"]) % MARKS: tuple(row) for row in self.castle.rows("SELECT * FROM outbox")}
        told = []
        for mark in (mark for mark, count in marks.items() if count > 1):
            told.append(f"row {rows.get(mark)}")
            for id_ in (id_ for id_, message in self.discord.messages.items() if mark in marked(message)):
                told += [
                    f"  {number} {e['kind']} of {id_} in {e['message']['channel_id']}, "
                    f"ephemeral {e['ephemeral']}, nonce {e['message']['nonce']}, marks {marked(e['message'])}"
                    for number, e in enumerate(self.discord.log)
                    if e["kind"] in {"message", "edit"} and e["message"]["id"] == id_
                ]
        return "\n".join(told)

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
    return Siege(castle, game, random.Random(seed), people, await attacker(castle, seed))
