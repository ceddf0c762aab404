"""Walks that bring forth as many kinds of message as they can, in any language: nothing is found by words.

Pictures are grey strips: `python -m render.sheet` shows them as they are.
"""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import discord
from PIL import Image
from simcord.backend.errors import SetupError
from simcord.builders import UserHandle

from cogs.buttons.custom_ids import PATH
from engines.capabilities import random_action
from engines.chance import Chance
from engines.registry import GAMES
from render import Picture
from render import Scene as Drawn
from tables.core import letters
from tables.core.errors import TableError
from tables.core.turns import advanced
from tests.discord.conftest import World, last_board
from tests.discord.months import delivered
from tests.discord.sekigahara_tables import FIGHTS, RULES, STORY
from tests.discord.test_sekigahara_marches import CAMP
from tests.games import sample, words_of
from tests.looks.gallery import Gallery, kind
from tests.messages import parts_of
from workers.drawing import HereStudio

DEEP = 12  # presses of one walk down a panel
LEAVES = ("adminend", "forget", "leave", "resign", "cancel", "close", "decline")  # what would end the table
STRIP = (320, 40)
DAY = 24 * 3600


class StripStudio(HereStudio):
    """A grey strip for each picture."""

    _made: bytes = b""

    def _draw(self, part: str, scene: Drawn) -> Picture | None:
        if not self._made:
            file = io.BytesIO()
            Image.new("RGB", STRIP, (110, 110, 120)).save(file, "PNG")
            self._made = file.getvalue()
        return Picture(self._made, f"{part}.png", f"({part})")


class Walk:
    """A world and the gallery that listens to it."""

    def __init__(self, world: World, gallery: Gallery, seed: int = 1) -> None:
        self.world, self.gallery = world, gallery
        self.dice = random.Random(seed)
        self._pressed = set[str]()
        role = world.guild.create_role("boss", permissions=discord.Permissions.all())
        self.dan = world.guild.add_member(world.env.create_user("Dan"))
        self.eve = world.guild.add_member(world.env.create_user("Eve"), roles=[role])
        self.people = {one.id: one for one in (world.ann, world.ben, world.cho, self.dan, self.eve)}

    # -- single steps --------------------------------------------------------------------------

    async def say(self, member: Any, place: Any, command: str, /, **options: Any) -> Any:
        """A command; its answer, None where a form was opened or nothing said."""
        try:
            return await self.told(member, await member.slash(place, command, **options))
        except (SetupError, TimeoutError) as error:  # not to be had here, or a machine that others load
            print(command, str(error).split("\n")[0][:120])
            return None

    async def told(self, member: Any, result: Any) -> Any:
        """The newest answer of a result; a form is noted and sent as it was filled."""
        if result.modal:
            self.gallery.form(result.modal)
            return await self.sent(member, result)
        answers = [one for one in (result.response, *result.followups) if one is not None]
        return answers[-1] if answers else None

    async def sent(self, member: Any, shown: Any) -> Any:
        """A form with nonsense in it, then what is offered for correcting it."""
        values: dict[str, Any] = {}
        for part in shown.modal["components"]:
            inner = part.get("component") or {}
            if inner.get("type") == 4:
                values[inner["custom_id"]] = "d8 what=7"[: inner.get("max_length") or 9]
            elif inner.get("type") in (3, 21) and inner.get("options"):
                values[inner["custom_id"]] = (
                    [inner["options"][-1]["value"]] if inner["type"] == 3 else inner["options"][-1]["value"]
                )
            elif inner.get("type") == 19:
                values[inner["custom_id"]] = [("r.json", b"{}")]
        try:
            result = await member.submit_modal(shown, values)
        except SetupError as error:
            print("form", kind(shown.modal["custom_id"]), repr(error)[:200])
            return None
        answers = [one for one in (result.response, *result.followups) if one is not None]
        return answers[-1] if answers else None

    async def press(self, member: Any, message: Any, part: dict[str, Any]) -> Any:
        """A button, or so many of a select; the message after it, the same where it came to nothing."""
        with suppress(SetupError, TimeoutError):
            return await self._press(member, message, part)
        return message

    async def _press(self, member: Any, message: Any, part: dict[str, Any]) -> Any:
        if part["type"] == 2:
            result = await member.click(message, custom_id=part["custom_id"])
        elif part["type"] == 3:
            least, most = part.get("min_values", 1), min(part.get("max_values", 1), 3)
            values = [option["value"] for option in part["options"]]
            count = min(len(values), self.dice.randint(max(least, 1), max(most, least, 1)))
            result = await member.select(
                message, self.dice.sample(values, count), custom_id=part["custom_id"]
            )
        else:
            chosen = self.world.channel if part["type"] == 8 else self.world.cho.user
            result = await member.select(message, [chosen], custom_id=part["custom_id"])
        answer = await self.told(member, result)
        return answer if answer is not None else message

    async def free(self) -> int:
        """The number of the next table."""
        number = 1
        while True:
            try:
                await self.world.bot.tables.get(number)
            except TableError:
                return number
            number += 1

    # -- walks ---------------------------------------------------------------------------------

    async def down(self, member: Any, message: Any, *, confirms: bool = True) -> None:
        """Down a panel by picks at random, what no walk pressed yet first."""
        for _ in range(DEEP):
            offered = [one for one in controls(message) if not ends(one)]
            if not confirms:
                offered = [one for one in offered if verb(one) not in ("c", "w", "e")]
            new = [one for one in offered if sort(one) not in self._pressed]
            sure = [one for one in offered if verb(one) in ("c", "w", "e")]
            picks = [one for one in offered if verb(one) in ("p", "s") or "L." in one["custom_id"]]
            if new:
                part = self.dice.choice(new)
            elif sure and self.dice.random() < 0.6:
                part = self.dice.choice(sure)
            elif picks:
                part = self.dice.choice(picks)
            else:
                return
            self.pressed(part)
            before = message
            message = await self.press(member, message, part)
            if message is None or (message is before and part["type"] == 2):
                return

    def pressed(self, part: dict[str, Any]) -> bool:
        """Whether no walk has pressed a control like this one, with this label."""
        new = sort(part) not in self._pressed
        self._pressed.add(sort(part))
        return new

    async def around(self, member: Any, message: Any, depth: int = 2) -> None:
        """Every kind of control of a message that was not pressed yet, and those of what answers."""
        if message is None or depth == 0:
            return
        for part in controls(message):
            if not ends(part) and self.pressed(part):
                try:
                    answer = await self.press(member, message, part)
                except (SetupError, TimeoutError):  # gone meanwhile: the others are pressed
                    continue
                if answer is not message:
                    await self.around(member, answer, depth - 1)

    async def acts(self) -> tuple[Any, Any, int] | None:
        """Who has to act first, the loaded table, the seat."""
        loaded = await self.world.bot.tables._house.look(1)
        table = await self.world.bot.tables.get(1)
        if table.status != "running" or not table.to_act:
            return None
        seat = min(seat for seat in table.to_act if table.seats[seat].user_id in self.people)
        return self.people[table.seats[seat].user_id or 0], loaded, seat

    async def play_on(self, count: int, *, panels: int = 0, typos: bool = True) -> None:
        """So many actions at random by text, some after a walk down the panel and a word typed wrong."""
        thread = self.world.thread()
        for number in range(count):
            await self.rest()
            acting = await self.acts()
            if acting is None:
                return
            member, loaded, seat = acting
            if number < panels or self.dice.random() < 0.1:
                opened = await self.turn(member)
                if opened is not None:
                    await self.down(member, opened)
                await self.rest()
                if (acting := await self.acts()) is None:
                    return
                member, loaded, seat = acting
            action = random_action(loaded.engine, loaded.state, seat, Chance(self.dice.randbytes(32), number))
            text = loaded.engine.format(action)
            if typos and self.dice.random() < 0.5:
                await self.say(member, thread, "move", move=self.garbled(text))
                continue
            answer = await self.say(member, thread, "move", move=text)
            sure = [one for one in controls(answer) if not ends(one) and verb(one) not in ("p", "s")]
            if answer is not None and sure:
                await self.around(member, answer, 1)

    def garbled(self, text: str) -> str:
        """An action with a word left out, doubled, or taken from elsewhere."""
        words = text.split()
        if len(words) > 1 and self.dice.random() < 0.8:
            at = self.dice.randrange(len(words))
            how = self.dice.randrange(3)
            words[at : at + 1] = ([], [words[at]] * 2, [self.dice.choice(words)])[how]
        else:
            words[0] = words[0][::-1]
        return " ".join(words) or "x"

    async def turn(self, member: Any) -> Any:
        """The panel that opens below the newest board."""
        board = last_board(self.world.thread())
        turn = next((one for one in controls(board) if kind(one["custom_id"]) == "turn"), None)
        if turn is None:
            return None
        return await self.told(member, await member.click(board, custom_id=turn["custom_id"]))

    async def rest(self) -> None:
        """Until all is posted; later, so that nobody is asked to slow down."""
        await self.world.bot.tables.settled()
        await self.world.env.settle()
        await self.world.env.advance_time(20)

    async def begin(self, game: str, extra: str = "") -> Any:
        """A running table; its thread."""
        world, number = self.world, await self.free()
        wish = f"{words_of({**sample(game).options, **read(extra)})} seat=first"
        await world.ann.slash(world.channel, "game new", game=game, opponent=world.ben.user, options=wish)
        await world.ben.slash(world.channel, "game join", table=number)
        if (await world.bot.tables.get(number)).status == "open":
            await world.cho.slash(world.channel, "game join", table=number)
            await world.ann.slash(world.channel, "game start", table=number)
        assert (await world.bot.tables.get(number)).status == "running"
        await self.rest()
        return world.thread()

    async def place(self, position: dict[str, Any]) -> None:
        """Puts table 1, at which nothing was done yet, at a position."""
        house = self.world.bot.tables._house
        async with house.lock(1):
            loaded = await house.load(1)
            step = loaded.engine.from_position(position, Chance(loaded.row.seed, 0))
            after = advanced(loaded, step.state, step.events, house.clock.now(), actor=None, entries=0)
            after = after.updated(position=json.dumps(position))
            async with house.writing(1, None) as tx:
                await house.store(tx, after, letters.boards(None, after))
            house.committed(after)
        await self.rest()


def controls(message: Any) -> list[dict[str, Any]]:
    """Buttons and selects that can be pressed."""
    if message is None:
        return []
    return [
        part
        for part in parts_of(message)
        if part["type"] in (2, 3, 5, 8) and "custom_id" in part and not part.get("disabled")
    ]


def sort(part: dict[str, Any]) -> str:
    """What sort of control it is, with its label."""
    key = f"{kind(part['custom_id'])} {part.get('label') or part.get('placeholder') or ''}"
    return re.sub(r"\d+", "#", key) if verb(part) in ("p", "s", "c", "w", "e") else key


def verb(part: dict[str, Any]) -> str:
    """`p`, `s`, `c`, `w`, `e` for a control of a panel, else nothing."""
    found = re.fullmatch(r"t:\d+:\d+:([^@]*)(?:@\d+)?", part["custom_id"])
    match = PATH.fullmatch(found[1]) if found else None
    return match["verb"] if match else ""


def ends(part: dict[str, Any]) -> bool:
    """Whether it would end the table, or go on in another language."""
    custom_id = part["custom_id"]
    return custom_id.startswith("l:") or any(word in custom_id for word in LEAVES)


def read(options: str) -> dict[str, Any]:
    """Options as they are typed, by name."""
    return dict(word.split("=", 1) for word in options.split())


# -- scenes ------------------------------------------------------------------------------------------


async def story(walk: Walk, game: str, *, panels: int, most: int, extra: str = "") -> None:
    """A game from its lobby to its end, and all that can be asked about it."""
    world = walk.world
    thread = await walk.begin(game, extra)
    await walk.play_on(most // 3, panels=panels)
    await asked(walk, thread)
    await walk.play_on(most, panels=panels // 2)
    await walk.rest()
    table = await world.bot.tables.get(1)
    if table.status == "running":
        for member in (world.ann, world.ben, world.cho):
            question = await walk.say(member, thread, "game resign")
            for part in controls(question):
                if "resign" in part["custom_id"]:
                    await walk.press(member, question, part)
                    break
    await walk.rest()
    await delivered(world)
    for message in thread.history()[-3:]:
        await walk.around(world.ann, message)
    await walk.say(world.ann, thread, "leaderboard", game=game)
    await asked(walk, thread)


async def asked(walk: Walk, thread: Any) -> None:
    """Everything that can be asked at a table, by a player, who waits, and a stranger."""
    for member in (walk.world.ann, walk.world.ben, walk.eve):
        for command, options in (
            ("hand", {}),
            ("board", {}),
            ("board", {"text": True}),
            ("board", {"log": True}),
            ("board", {"area": "x"}),
            ("board", {"layer": "x"}),
            ("game replay", {}),
            ("game replay", {"at": 2}),
            ("game info", {}),
            ("game export", {}),
            ("game verify", {}),
            ("game why", {}),
            ("note", {}),
            ("move", {"move": "xyzzy"}),
        ):
            answer = await walk.say(member, thread, command, **options)
            await walk.around(member, answer)
            await walk.rest()
    for member in (walk.world.ann, walk.world.ben):
        try:
            opened = await walk.turn(member)
        except Exception:  # noqa: BLE001 - the board has no such button any more
            continue
        await walk.around(member, opened, 1)


async def kamisado(walk: Walk) -> None:
    """A match, its panels and its end."""
    await story(walk, "kamisado", panels=6, most=60, extra="aids=full")


async def rokumon(walk: Walk) -> None:
    """Act 6, with all its actions."""
    await story(walk, "rokumon", panels=30, most=200, extra="act=6 aids=full")


async def shogun(walk: Walk) -> None:
    """Plans, reveals, battles, a winter; then all that happened, as the log and a replay tell it."""
    await story(walk, "shogun", panels=12, most=110, extra="aids=full")
    ann, thread, turned = walk.world.ann, walk.world.thread(), set[str]()
    page = await walk.say(ann, thread, "board", log=True)
    while earlier := [one for one in controls(page)[:1] if one["custom_id"] not in turned]:
        turned.add(earlier[0]["custom_id"])
        page = await walk.press(ann, page, earlier[0])
        await walk.rest()
    for number in range((await walk.world.bot.tables._house.look(1)).row.entries + 1):
        await walk.say(ann, thread, "game replay", at=number)
        await walk.rest()


async def sekigahara(walk: Walk) -> None:
    """Weeks of bids, marches and battles."""
    await story(walk, "sekigahara", panels=16, most=110, extra="aids=full")


def fight(count: int) -> Callable[[Walk], Awaitable[None]]:
    """Panels of a battle after so many actions of the tests' story."""

    async def walked(walk: Walk) -> None:
        state, _ = RULES.from_position(FIGHTS, Chance(bytes(32), 0))
        for number, (seat, action) in enumerate(STORY[:count], 1):
            state, _ = RULES.apply(state, seat, RULES.parse(action, state, seat), Chance(bytes(32), number))
        await walk.begin("sekigahara", "aids=full")
        await walk.place(RULES.position(state))
        for _ in range(6):
            for member in (walk.world.ann, walk.world.ben):
                opened = await walk.turn(member)
                if opened is not None:
                    await walk.down(member, opened, confirms=False)
        await walk.play_on(6, panels=6, typos=False)

    return walked


async def camp(walk: Walk) -> None:
    """Marches."""
    await walk.begin("sekigahara", "aids=full")
    await walk.place(CAMP)
    for _ in range(8):
        opened = await walk.turn(walk.world.ann)
        await walk.down(walk.world.ann, opened, confirms=False)
    await walk.play_on(12, panels=12)


async def tour(walk: Walk) -> None:
    """What the bot says around its games."""
    world = walk.world
    ann, ben, cho, eve, here = world.ann, world.ben, world.cho, walk.eve, world.channel
    bot = UserHandle(world.env, world.env.backend.bot_user)
    options: Any
    for command in (
        "help",
        "play",
        "settings",
        "games",
        "rules",
        "privacy export",
        "privacy delete",
        "profile",
    ):
        answer = await walk.say(ann, here, command)
        await walk.around(ann, answer, 3)
        await walk.rest()
    for options in (
        {"remind": 12},
        {"quiet": "23-7"},
        {"quiet": "x"},
        {"zone": "Asia/Tokyo"},
        {"zone": "Moon"},
        {"next": True},
        {"vacation": 5},
        {"vacation": 0},
        {"block": cho.user},
        {"unblock": cho.user},
        {"block": ann.user},
        {"call": "dm"},
        {"call": "digest"},
        {"call": "table"},
        {"digest": "6pm"},
        {"digest": "x"},
        {"dm": False},
        {"dm": True},
        {"threads": False},
        {"server-language": walk.gallery.language},
    ):
        for member in (ann, eve):
            await walk.say(member, here, "settings", **options)
        await walk.rest()
    for command, options in (
        ("admin channels", {"channel": here, "allowed": True}),
        ("admin channels", {"channel": here, "allowed": False}),
        ("admin channels", {}),
        ("admin limits", {"per-user": 5}),
        ("admin limits", {}),
        ("admin tables", {}),
        ("admin health", {}),
    ):
        await walk.say(eve, here, command, **options)
    await walk.say(eve, here, "game new", game="kamisado")
    await walk.say(eve, here, "admin channels", channel=here, allowed=True)
    await walk.say(ann, here, "game new", game="kamisado", options="clock=soon")
    await walk.say(ann, here, "game new", game="kamisado", options="match=long")
    await walk.say(ann, here, "game new", game="shogun", options="seats=9")
    await walk.say(ann, here, "game new", game="kamisado", opponent=ann.user)
    for game, opponent, options in (
        ("kamisado", None, "match=single"),
        ("rokumon", ben.user, "act=2 clock=fast chance=1"),
        ("shogun", None, "seats=4 clock=slow private=yes"),
        ("sekigahara", bot, "level=easy"),
        ("kamisado", ben.user, "private=yes rated=no"),
        ("kamisado", bot, "level=hard match=standard"),
        ("kamisado", ben.user, "clock=custom bank=3d increment=6h cap=5d timeout=lose undo=no"),
    ):
        how = {"opponent": opponent} if opponent is not None else {}
        answer = await walk.say(ann, here, "game new", game=game, options=options, **how)
        await walk.around(ann, answer)
        await walk.rest()
    for message in list(here.history()):
        await walk.around(ann, message)
        await walk.around(cho, message)
        await walk.rest()
    for command, options in (
        ("game list", {}),
        ("game list", {"show": "open"}),
        ("game list", {"show": "mine"}),
        ("game list", {"show": "over"}),
        ("games", {}),
        ("game info", {"table": 1}),
        ("game info", {"table": 99}),
        ("game invite", {"player": cho.user, "table": 1}),
        ("game start", {"table": 3}),
        ("game join", {"table": 1}),
        ("game leave", {"table": 2}),
        ("game cancel", {"table": 2}),
        ("game resign", {"table": 2}),
        ("leaderboard", {"game": "kamisado"}),
        ("profile", {"player": ben.user}),
        ("move", {"move": "x"}),
        ("game rematch", {"table": 2}),
        ("game undo", {"table": 1}),
        ("game move-here", {"table": 4}),
        ("admin end", {"table": 4}),
    ):
        for member in (eve,) if command.startswith("admin") else (ann, ben, eve):
            answer = await walk.say(member, here, command, **options)
            await walk.around(member, answer, 1)
            await walk.rest()
    await menus(walk)


async def forms(walk: Walk) -> None:
    """Each form as it opens, with what it holds, and once more with what was refused in it."""
    ann, here = walk.world.ann, walk.world.channel
    shown = await walk.say(ann, here, "settings")
    for part in controls(shown):
        if part["custom_id"] == "o:times:change":
            await anew(walk, ann, await walk.press(ann, shown, part))
    await anew(walk, ann, await walk.say(ann, here, "game import"))
    for game in GAMES:
        thread = await walk.begin(game)
        await anew(walk, ann, await walk.say(ann, thread, "game clock"))
        for _ in range(2):  # there is none, then there is one
            shown = await walk.say(ann, thread, "note")
            for part in controls(shown):
                await walk.press(ann, shown, part)
        opened = await walk.turn(ann)
        for name in ("plan fill", "type"):  # a draft first, where there is one
            for part in controls(opened):
                if kind(part["custom_id"]) == name:
                    opened = await walk.press(ann, opened, part)
                    break
        await anew(walk, ann, opened)


async def anew(walk: Walk, member: Any, refused: Any) -> None:
    """Opens a form that was refused once more."""
    for part in controls(refused):
        if part["custom_id"].startswith("e:"):
            await walk.press(member, refused, part)
    await walk.rest()


async def menus(walk: Walk) -> None:
    """The menus of a person, and a forum."""
    ann, ben, eve, here, world = walk.world.ann, walk.world.ben, walk.eve, walk.world.channel, walk.world
    for name in ("Profile", "Play against"):
        for target in (ben, ann):
            await walk.told(ann, await ann.context_menu(here, name, target))
    forum = world.guild.create_forum_channel("posts")
    await walk.say(eve, here, "settings", forum=forum)
    await walk.say(ann, here, "game new", game="kamisado", opponent=ben.user)


ASKED: tuple[tuple[str, dict[str, Any]], ...] = (  # of the others, or at once
    ("game more-time", {"time": "2d"}),
    ("game clock", {"clock": "slow"}),
    ("game clock", {"clock": "none"}),
    ("game pause", {}),
    ("game undo", {}),
    ("game offer-draw", {}),
    ("game replace", {}),
    ("game cancel", {}),
    ("game resign", {}),
    ("game leave", {}),
)


async def talk(walk: Walk) -> None:
    """What is asked of the others at a table: refused, asked again, agreed to."""
    world = walk.world
    ann, ben, cho = world.ann, world.ben, world.cho
    await walk.say(ann, world.channel, "settings", next=True)
    for command, options in ASKED:
        thread = await walk.begin("kamisado", "match=standard clock=fast")
        offered = await ann.autocomplete(thread, "move", "move", "")
        await walk.say(ann, thread, "move", move=str(offered[0]["value"]))
        await walk.rest()
        for answer in "ny":
            told = await walk.say(ann, thread, command, **options)
            for part in controls(told):
                await walk.press(ann, told, part)
                break
            await walk.rest()
            await walk.say(cho, thread, command, **options)
            await voted(walk, thread, answer, ben)
        for message in thread.history()[-3:]:
            await walk.around(ben, message, 1)


async def voted(walk: Walk, thread: Any, answer: str, member: Any) -> None:
    """The newest question of a thread, answered by somebody."""
    for message in reversed(thread.history()):
        for part in controls(message):
            if re.search(rf":v\d+{answer}", part["custom_id"]):
                await walk.press(member, message, part)
                await walk.rest()
                return


async def people(walk: Walk) -> None:
    """Seats, calls, what is typed wrong."""
    world = walk.world
    ann, ben, cho, eve = world.ann, world.ben, world.cho, walk.eve
    await walk.say(ben, world.channel, "settings", call="dm")
    thread = await walk.begin("kamisado", "match=standard")
    for command, options in (
        ("game more-time", {"time": "2d"}),
        ("game more-time", {"time": "x"}),
        ("game clock", {}),
        ("game replace", {"new": cho.user}),
        ("game claim", {}),
        ("game remind", {}),
        ("game invite", {"player": cho.user}),
        ("note", {"note": "d8"}),
        ("note", {"clear": True}),
        ("game rematch", {}),
        ("game start", {}),
        ("game join", {}),
        ("game verify", {}),
        ("game import", {}),
        ("game move-here", {"table": 1}),
        ("board", {"since": "x"}),
        ("game replay", {"at": 99}),
        ("hand", {}),
        ("game why", {}),
    ):
        for member in (ann, ben, cho):
            answer = await walk.say(member, thread, command, **options)
            if member is not cho:
                await walk.around(member, answer, 1)
            await walk.rest()
    for message in thread.history()[-3:]:
        await walk.around(cho, message, 1)
    await walk.say(eve, thread, "admin hand-over", table=1, seat=2, player=walk.dan.user)
    await walk.rest()
    for message in thread.history()[-2:]:
        await walk.around(walk.dan, message, 1)
    asked = await walk.say(eve, thread, "admin end", table=1)
    for part in controls(asked):
        await walk.press(eve, asked, part)
        break
    await walk.rest()
    await letters_of(walk)


async def clocks(walk: Walk) -> None:
    """Days pass, at a table where running out loses and at one where it may be claimed."""
    world = walk.world
    ann, ben = world.ann, world.ben
    await walk.say(ben, world.channel, "settings", call="digest")
    for timeout in ("claim", "lose"):
        extra = f"match=standard clock=custom bank=3d increment=1d cap=3d timeout={timeout}"
        thread = await walk.begin("kamisado", extra)
        await walk.say(ann, thread, "game info")
        for _ in range(5):
            await world.env.advance_time(DAY)
            await delivered(world)
            for message in thread.history()[-2:]:
                await walk.around(ann, message, 1)
                await walk.around(ben, message, 1)
        await walk.say(ben, thread, "game claim")
        await walk.say(ann, thread, "game info")
        await walk.say(ann, thread, "games")
    thread = await walk.begin("rokumon")
    for _ in range(8):
        await world.env.advance_time(DAY)
        await delivered(world)
    await letters_of(walk)


async def letters_of(walk: Walk) -> None:
    """What is offered below direct messages."""
    for member in (walk.world.ann, walk.world.ben):
        for message in list(member.user.dm_channel.history(viewer=member.user))[-12:]:
            for part in controls(message):
                if walk.pressed(part) and not ends(part):
                    with suppress(SetupError, TimeoutError):
                        await member.user.click(message, custom_id=part["custom_id"])


async def pages(walk: Walk) -> None:
    """The rules of each game, page by page."""
    ann, here = walk.world.ann, walk.world.channel
    for game in GAMES:
        page, number = await walk.say(ann, here, "rules", game=game), 2
        while following := [one for one in controls(page) if one["custom_id"] == f"r:{game}:{number}"]:
            page, number = await walk.press(ann, page, following[0]), number + 1
            await walk.rest()


async def bots(walk: Walk) -> None:
    """Against the bot, and why it did what it did."""
    world = walk.world
    bot = UserHandle(world.env, world.env.backend.bot_user)
    for number, game in enumerate(("kamisado", "rokumon", "sekigahara"), 1):
        await walk.say(
            world.ann, world.channel, "game new", game=game, opponent=bot, options="level=easy seat=first"
        )
        await walk.rest()
        thread = world.thread()
        for _ in range(6):
            offered = await world.ann.autocomplete(thread, "move", "move", "")
            if offered:
                told = await walk.say(world.ann, thread, "move", move=str(offered[0]["value"]))
                for part in controls(told)[:1]:
                    await walk.press(world.ann, told, part)
            await walk.rest()
            await walk.say(world.ann, thread, "game why", table=number)
        told = await walk.say(world.ann, thread, "game resign", table=number)
        for part in controls(told)[:1]:
            await walk.press(world.ann, told, part)
        await walk.rest()
        await walk.around(world.ann, await walk.say(world.ann, thread, "game why", table=number))


WALKS: dict[str, Callable[[Walk], Awaitable[None]]] = {
    "tour": tour,
    "menus": menus,
    "forms": forms,
    "talk": talk,
    "people": people,
    "clocks": clocks,
    "pages": pages,
    "bots": bots,
    "kamisado": kamisado,
    "rokumon": rokumon,
    "shogun": shogun,
    "sekigahara": sekigahara,
    "camp": camp,
    **{f"fight{count}": fight(count) for count in (1, 4, 8, 22)},
}
