"""What an attacker with an account does beside a game, all at once and at any time (14).

Each attack is sent and not waited for: it goes on while the others play, while something is broken, and
while the bot is killed. What is begun and taken back at the table itself is `Siege.begin_and_take_back`.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from engines import record
from engines.capabilities import random_action
from engines.chance import Chance
from tests.messages import parts_of
from tests.process.castle import Castle
from tests.process.discord_client import DEADLINE, Discord, Json, UnansweredError, User

ENTRIES = 200  # of the record that is imported and stepped through
PRESSES, IMPORTS, COMPLETIONS = 6, 2, 6  # of one attack


def long_record(entries: int) -> bytes:
    """A game of Kamisado in which moves are taken back, again and again, up to this length."""
    told = record.begin(record.new("kamisado", None, bytes(32), {"match": "marathon"}))
    rules = told.record.engine
    while len(told.plies) < entries:
        number, acting = len(told.plies), sorted(rules.to_act(told.state))
        if not acting or number % 9 == 8:
            told = record.take_back(told, 1 if acting else 40)
            continue
        action = random_action(rules, told.state, acting[0], Chance(bytes(32), number + 1))
        told = record.append(told, acting[0], record.action_json(action))
    return json.dumps(told.record.json_value()).encode()


@dataclass
class Attacker:
    """Somebody who sits nowhere, in the players' channel.

    file   a record to import
    asked  commands, with the bot's start in which they were asked; an import's answer is a replay to press
    sent   how many attacks of each kind
    """

    castle: Castle
    user: User
    chance: random.Random
    file: Path
    asked: dict[str, int] = field(default_factory=dict)
    sent: dict[str, int] = field(default_factory=dict)

    @property
    def discord(self) -> Discord:
        """Where it is."""
        return self.castle.discord

    async def attack(self, table: int) -> None:
        """One attack of a kind by chance, some of which are on this table; nothing while no bot listens."""
        name = self.chance.choice(sorted(ATTACKS))
        try:
            await ATTACKS[name](self, table)
        except UnansweredError:
            return
        self.sent[name] = self.sent.get(name, 0) + 1

    async def command(self, command: str, **options: str | int) -> None:
        """Sends one."""
        what: Json = {"command": command, "options": options}
        asked = await self.discord.send(self.user, self.castle.channel, **what)
        self.asked[asked] = self.starts

    @property
    def starts(self) -> int:
        """How often the bot was started so far."""
        return sum(entry["what"] == "identify" for entry in self.discord.entries("gateway"))

    def unheard(self) -> list[str]:
        """Commands of this start that have no answer yet: they may still write something."""
        now = self.starts
        return [asked for asked, start in self.asked.items() if start == now and not self.heard(asked)]

    async def settle(self) -> None:
        """Until all are answered."""
        end = time.monotonic() + DEADLINE
        while unheard := self.unheard():
            said = [self.discord.answers.get(asked) for asked in unheard]
            assert time.monotonic() < end, f"an attacker was not answered: {said}"
            await self.discord.read(0.2)

    def heard(self, asked: str) -> bool:
        """Whether an interaction was answered."""
        answer = self.discord.answers.get(asked)
        return answer is not None and answer.complete

    def replay(self) -> Json | None:
        """The newest replay that somebody could press."""
        for asked in reversed(self.asked):
            if self.heard(asked) and steps(message := self.discord.answers[asked].message):
                return message
        return None


def steps(message: Json) -> list[str]:
    """The buttons that go through a game."""
    ids = [
        part["custom_id"] for part in parts_of(message) if not part.get("disabled") and "custom_id" in part
    ]
    return [custom_id for custom_id in ids if ":at." in custom_id]


async def presses(attacker: Attacker, table: int) -> None:
    """Presses a replay as fast as it goes, or brings one along where there is none yet (14.1)."""
    shown = attacker.replay()
    if shown is None:
        await imports(attacker, table)
        return
    for _ in range(PRESSES):
        what: Json = {"message": shown["id"], "press": attacker.chance.choice(steps(shown))}
        with suppress(LookupError):  # the message has come to show another moment
            await attacker.discord.send(attacker.user, shown["channel_id"], **what)


async def imports(attacker: Attacker, _table: int) -> None:
    """Imports a long record, again and again (14.2)."""
    if not attacker.file.exists():
        attacker.file.write_bytes(long_record(ENTRIES))
    for _ in range(IMPORTS):
        await attacker.command("game import", record=str(attacker.file))


async def looks(attacker: Attacker, table: int) -> None:
    """Has the whole log of a table told in every way there is (14.1)."""
    for command in ("game export", "game verify", "game replay"):
        await attacker.command(command, table=table)
    await attacker.command("board", table=table, log=True)
    await attacker.command("privacy export")


async def completions(attacker: Attacker, table: int) -> None:
    """Types, and never sends (14.1)."""
    for _ in range(COMPLETIONS):
        what: Json = {"command": "move", "options": {"move": "", "table": table}, "focused": "move"}
        await attacker.discord.send(attacker.user, attacker.castle.channel, **what)


async def calls(attacker: Attacker, _table: int) -> None:
    """Invites a player, and calls it off, so that the player is called again and again (14.5)."""
    sql = "SELECT id FROM tables WHERE creator_id = ? AND status = 'open'"
    for row in attacker.castle.rows(sql, int(attacker.user.id)):
        await attacker.command("game cancel", table=row["id"])
    opponent = attacker.chance.choice(attacker.castle.players)
    await attacker.command("game new", game="kamisado", opponent=opponent.id)


async def meddling(attacker: Attacker, table: int) -> None:
    """Asks at a table of others for what only who sits there may ask (14.6, 14.12)."""
    for command in ("game undo", "game pause", "game cancel", "game resign", "game claim"):
        await attacker.command(command, table=table)


Attack = Callable[[Attacker, int], Awaitable[None]]
ATTACKS: dict[str, Attack] = {
    attack.__name__: attack for attack in (presses, imports, looks, completions, calls, meddling)
}


async def attacker(castle: Castle, seed: int) -> Attacker:
    """A stranger in the players' channel."""
    user = await castle.discord.user("Mallory")
    return Attacker(castle, user, random.Random(seed), castle.database.with_name("brought.json"))
