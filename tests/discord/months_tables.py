"""Tables of any game that have begun, for the scenes of months: who sits there, and what they do and see."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, replace
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle, UserHandle

from engines.capabilities import Secrets, random_action
from engines.chance import Chance
from engines.registry import engine
from tables.core.model import Place, Table, User
from tests.discord.conftest import World, answer_of, button, controls, last_board, text_of
from tests.discord.months import delivered, said, warmed
from tests.games import by_game, for_two, hidden, table_words
from tests.messages import wording

HIDDEN, TWO = hidden(), for_two()
DAY = 24 * 3600

every_game = pytest.mark.parametrize("game", by_game())
every_hidden_game = pytest.mark.parametrize("game", by_game(HIDDEN))


@dataclass(frozen=True)
class File:
    """An attachment: its name, its alt text, its bytes."""

    name: str
    alt: str | None
    data: bytes


@dataclass(frozen=True)
class Look:
    """What one answer or post showed: its text, its files, the labels of its buttons."""

    text: str
    files: tuple[File, ...]
    labels: tuple[str, ...]


async def look(message: Any) -> Look:
    """A message as its reader has it."""
    files = [File(a.filename, a.description, await a.read()) for a in message.attachments]
    return Look(wording(message), tuple(files), tuple(controls(message).values()))


class Months:
    """Table 1 of any game, with Ann at seat 0, Ben and, where three are needed, Cho; Dan and Eve look on."""

    numbers = itertools.count(1)  # of interactions that no Discord made

    def __init__(self, world: World, game: str) -> None:
        self.world = world
        self.game = game
        self.rules = engine(game)
        seats = len((world.ann, world.ben)) if 2 in self.rules.seats else 3
        self.players = [world.ann, world.ben, world.cho][:seats]
        self.dan, self.eve = (world.guild.add_member(world.env.create_user(name)) for name in ("Dan", "Eve"))
        self.everybody = [*self.players, self.dan, self.eve]
        self.thread: ChannelHandle = world.channel

    async def begin(self, extra: str = "") -> None:
        """The table runs. Made by the service, as the scenes are about what follows."""
        with self.world.env._bot_scope():  # or its timers would wait on the wall clock
            await self._begin(extra)
        await self.posted()
        self.thread = self.world.thread()

    async def _begin(self, extra: str) -> None:
        warmed(self.game)
        tables, channel = self.world.bot.tables, self.world.channel
        ann, *guests = [User(member.id, member.name, "en-GB") for member in self.players]
        table = await tables.create(
            ann,
            self.game,
            f"{table_words(self.game)} seat=first {extra}",
            Place(self.world.guild.id, channel.id),
            opponents=guests,
            guild_locale="en-GB",
            interaction_id=next(self.numbers),
        )
        for guest in guests:
            table = await tables.join(table.id, guest, next(self.numbers))
        if table.status == "open":
            table = await tables.start(table.id, ann.id, next(self.numbers))
        assert (table.id, table.status) == (1, "running")
        order = {seat.user_id: seat.seat for seat in table.seats}
        self.players.sort(key=lambda member: order[member.id])

    # -- the table -------------------------------------------------------------------------

    async def table(self) -> Table:
        """The table as everybody may know it."""
        return await self.world.bot.tables.get(1)

    async def state(self) -> Any:
        """The whole position, which only a test may look at."""
        return (await self.world.bot.tables._house.look(1)).state

    async def standing(self) -> tuple[Any, ...]:
        """All that a refused question must leave as it is."""
        table = await self.table()
        seats = [(seat.user_id, seat.level) for seat in table.seats]
        position = self.rules.dump(await self.state())
        return position, table.to_act, table.status, table.table_options, table.paused_at, seats

    async def place(self, state: Any) -> None:
        """Puts another position in place of the one that the table has in memory."""
        house = self.world.bot.tables._house
        house.keep(replace(await house.look(1), state=state))

    async def acting(self) -> list[MemberActor]:
        """The people who have to act, by seat."""
        table = await self.table()
        return [self.at(table, seat) for seat in sorted(table.to_act)]

    def at(self, table: Table, seat: int) -> MemberActor:
        """Who sits there."""
        return next(m for m in self.everybody if m.id == table.seats[seat].user_id)

    async def seat_of(self, member: MemberActor) -> int | None:
        """Where somebody sits, None who only looks on."""
        return (await self.table()).seat_of(member.id)

    def others(self, *members: MemberActor | None) -> list[MemberActor]:
        """The players but these."""
        return [player for player in self.players if player not in members]

    async def play(self, count: int) -> None:
        """So many actions, each by the first who has to act."""
        for number in range(count):
            table, state = await self.table(), await self.state()
            seat = min(table.to_act)
            action = random_action(self.rules, state, seat, Chance(b"months", number))
            member = self.at(table, seat)
            with self.world.env._bot_scope():
                await self.world.bot.tables.act(
                    1, member.id, self.rules.format(action), interaction_id=next(self.numbers)
                )
        await self.posted()

    async def play_as(self, member: MemberActor) -> None:
        """Somebody's actions until he has to act no more."""
        number, seat = 0, await self.seat_of(member)
        assert seat is not None
        while seat in (await self.table()).to_act:
            action = random_action(self.rules, await self.state(), seat, Chance(b"months alone", number))
            with self.world.env._bot_scope():
                await self.world.bot.tables.act(
                    1, member.id, self.rules.format(action), interaction_id=next(self.numbers)
                )
            number += 1
        await self.posted()

    async def secretly(self) -> None:
        """Plays until seats hold secrets that are sent to them."""
        assert isinstance(self.rules, Secrets)
        while not self.rules.secrets(await self.state()):
            await self.play(1)

    async def all_act(self) -> MemberActor:
        """Each seat has acted once; who acted first."""
        first = (await self.acting())[0]
        await self.play(len(self.players))
        return first

    async def end(self) -> None:
        """All but the last seat resign."""
        for loser in self.players[:-1]:
            with self.world.env._bot_scope():
                await self.world.bot.tables.resign(1, loser.id, next(self.numbers))
        await self.posted()
        assert (await self.table()).status == "over"

    async def posted(self) -> None:
        """All that the table has to say is in its channel and in the letters."""
        await self.world.env.settle()
        await delivered(self.world)

    # -- what people do ---------------------------------------------------------------------

    async def say(self, member: MemberActor, command: str, **options: Any) -> str:
        """A command at the table; the answer."""
        return text_of(await member.slash(self.thread, command, **options))

    async def press(self, member: MemberActor, message: Any, label: str) -> str:
        """A button; the answer, which only who pressed can see."""
        return str(wording(answer_of(await member.click(message, custom_id=button(message, label)))))

    def said(self, part: str) -> Any:
        """The newest message of the table that says this."""
        return said(self.thread, part)

    def count(self, part: str) -> int:
        """How many messages of the table say this."""
        return sum(part in wording(message) for message in self.thread.history())

    def letters(self, member: MemberActor) -> list[Any]:
        """What the player was sent by direct message, without answers to what he pressed there."""
        sent = member.user.dm_channel.history(viewer=member.user)
        return [message for message in sent if not message.flags.ephemeral]

    async def hand_over(self, old: MemberActor, new: MemberActor) -> str:
        """Offers a seat to somebody, who takes it; what the newcomer is told."""
        await self.say(old, "game replace", new=new.user)
        offer = self.said("would you like to take")
        told = await self.press(new, offer, "Take the seat")
        await self.posted()
        return told

    def board(self) -> Any:
        """The newest board of the table."""
        return last_board(self.thread)

    async def used_to_the_rules(self, member: MemberActor) -> None:
        """Opens the hand until no rule of it is new to its reader: each is named once."""
        while "New to you" in text_of(await member.slash(self.thread, "hand")):
            pass

    async def looks(self, member: MemberActor) -> dict[str, Look]:
        """All that somebody sees who asks for everything that can be asked for."""
        commands: dict[str, tuple[str, dict[str, Any]]] = {
            "board": ("board", {}),
            "words": ("board", {"text": True}),
            "log": ("board", {"log": True}),
            "hand": ("hand", {}),
            "info": ("game info", {}),
            "now": ("game replay", {}),
            "start": ("game replay", {"at": 0}),
            "export": ("game export", {}),
            "verify": ("game verify", {}),
        }
        found = {}
        for name, (command, options) in commands.items():
            result = await member.slash(self.thread, command, **options)
            answers = [m for m in (result.response, *result.followups) if m is not None]
            found[name] = await look(answers[-1])
        offered = await member.autocomplete(self.thread, "move", "move", "")
        found["move"] = Look(json.dumps(offered), (), ())
        return found


async def begun(world: World, game: str, extra: str = "") -> Months:
    """A running table of this game, with options beside the usual ones."""
    months = Months(world, game)
    await months.begin(extra)
    return months


def the_bot(world: World) -> UserHandle:
    """The bot itself, as a user whom a command can name."""
    return UserHandle(world.env, world.env.backend.bot_user)
