"""Whatever somebody sends is answered with a sentence: options, moves, paths, notes, names, ids, records.

HATAMOTO_COUNT is the number of inputs over the whole file, 200 where it is not set; PARTS says which kind
has how many of a thousand (what only makes a sentence has more than what plays at a table). What was really
tried is counted, and printed by the last test. A hundred thousand, and what they were:

    HATAMOTO_COUNT=100000 pytest -v -n 1 -rP tests/cogs/test_hostile_inputs.py

Every answer is looked at, of what is refused and of what is taken: a press's answer, the posts that an
action leaves, labels, titles, files and pictures. The tables work in this thread here, the database too:
what is asked is what is said, and a hundred thousand trips to a thread would be most of the run.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import re
import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import aiosqlite.core
import discord
import pytest
from discord.ui import Modal
from discord.webhook.async_ import async_context
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import bot  # noqa: F401 - every handler of a press is registered
from cogs.buttons import controls
from cogs.buttons.custom_ids import BUTTON, LANGUAGE, RULES, SELECT, SHEET, row_of
from cogs.buttons.lasting import HANDLERS, answer_press
from cogs.commands.records import MOST_NOTE, notation
from cogs.panels.following import Following
from cogs.panels.guided import label_of
from cogs.posting.posts import TYPED, Writer, sentence
from cogs.posting.presence import Sightings
from cogs.posting.rooms import Openings
from cogs.services import Services
from cogs.text.answers import OURS, explained, person
from cogs.text.games import playable
from cogs.text.languages import Languages
from cogs.text.letter import Letter
from cogs.text.plain import cleaned, plain
from cogs.text.rules_pages import Plates
from cogs.text.scenes import scene_of
from cogs.text.signs import Signs
from db.database import Database
from db.repositories import outbox
from db.sqlite import Sqlite
from engines.capabilities import random_action
from engines.chance import Chance
from engines.protocol import Prompt, RulesError
from engines.registry import engine
from locales import words
from render import painter
from tables.core.clock import SystemClock
from tables.core.errors import TableError
from tables.core.lane import Lane
from tables.core.model import Panel, Place, Shown, User, Vote
from tables.core.one_each import Door, OneEach, Queues
from tables.core.options import read_clock, read_words
from tables.service import Tables
from tests.hearing import Answers
from tests.locales.catalogue import read
from tests.messages import TEXT, bare, parts_of
from tests.process.attacks import long_record
from tests.unsent import destinations
from workers.heap import give_back

COUNT = int(os.environ.get("HATAMOTO_COUNT") or 200)
PARTS = {
    "options": 260,
    "errors": 160,
    "names": 170,
    "ids": 120,
    "typed": 80,
    "json": 40,
    "paths": 40,
    "notes": 40,
    "presses": 40,
    "deeds": 20,
    "records": 29,
    "pictures": 1,
}  # of a thousand
BATCH = 10  # inputs of an example
MANY = 200  # deeds, among which there is one of everything
SESSION = 100  # examples that hypothesis is begun for
TRIED: Counter[str] = Counter()
DONE: Counter[str] = Counter()  # of deeds that were carried out
RESIDENT: list[float] = []  # MB, about every thousand inputs
MOST_GROWN = 150  # MB over a whole run, whatever its length
MOST_MB = 64
MOST_TITLE = 45  # of a sheet
MOST_LABEL = 100  # of a select's option; a button's own is held shorter by Discord
ENDING = frozenset({"forget"})  # hands every seat to the bot, and there is none here


def share(kind: str) -> int:
    """How many inputs of a kind."""
    return -(-COUNT * PARTS[kind] // sum(PARTS.values()))


def resident_mb() -> float:
    """Memory that this process holds: what waits to be collected, or is kept for later, is given back."""
    gc.collect()
    give_back()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def hostile(
    kind: str, /, **parts: st.SearchStrategy[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Makes a test of what is to hold for one input: its share of inputs is tried, some to an example.

    Hypothesis keeps what it tried until it ends, so it is begun anew for every thousand: what memory grows
    by is the bot's.
    """
    size = min(BATCH, share(kind))
    examples = -(-share(kind) // size)
    batches = st.lists(st.fixed_dictionaries(parts), min_size=size, max_size=size)

    def made(holds: Callable[..., None]) -> Callable[..., None]:
        def test(hall: Hall) -> None:
            def each(batch: list[dict[str, Any]]) -> None:
                for one in batch:
                    holds(hall, **one)
                    TRIED[kind] += 1

            for begun in range(0, examples, SESSION):
                settings(
                    max_examples=min(SESSION, examples - begun),
                    deadline=None,
                    database=None,
                    phases=[Phase.generate, Phase.shrink],
                    suppress_health_check=list(HealthCheck),
                )(given(batch=batches)(each))()
                RESIDENT.append(resident_mb())

        test.__name__, test.__doc__ = holds.__name__, holds.__doc__
        return test

    return made


EVIL = st.sampled_from(
    ["@everyone", "@here", "<@1>", "<@&1>", "<@!12345678901234567>", "```", "```py\n", "`", "**", "*", "__",
     "||", "~~", "../../etc/passwd", "/dev/null", "C:\\\\con", "\u202e", "\u2066", "\u2067", "\u2069",
     "\x00", "\x1b[31m", "\n", "\r\n", "\u2028", "%s", "%n", "{0.__class__}", "{seat:who}", "${HOME}",
     "'; DROP TABLE tables; --", "[x](https://a.example)", "[x](", "](", "\n> ", "> ", ">>> ", "\n# ", "# ",
     "\n### ", "\n- ", "- ", "-# ", "\n-# ", "1. ", "\u200b", "\u200d", "\ufeff", "\u3164", "\u2800",
     "\u0301" * 9, "\ud800", "\udfff", "שלום", "👩\u200d👩\u200d👧", "🇯🇵", "\\", "https://a.example",
     "discord.gg/a", "</x:1>", "<#5>", "<t:0:R>", "<:a:12345678901234567>", "<id:home>", "<a@b.example>",
     "=", "~n", "d8", "resign", "1e400", "NaN", "-1", "9" * 400]
)  # fmt: skip
short = st.lists(st.one_of(EVIL, EVIL, st.text(max_size=8)), max_size=6).map("".join)
long = st.tuples(short, st.integers(2, 400)).map(lambda made: (made[0] * made[1])[:4000])
texts = st.one_of(short, short, short, short, long)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)
ENGLISH = words("en")
ANN, BEN, CHO = User(101, "Ann"), User(102, "Ben"), User(103, "Cho")
STRANGER, ENTRIES = User(109, "Mallory"), 200
AT_THE_TABLE = r"<@10[123]>|<#2>|<t:\d+(:[a-zA-Z])?>|https://discord\.com/channels/[\d@me/]+"
SAFE = re.compile(  # escaped signs, code and what is the table's own, from left to right
    rf"\\.|```.*?```|`[^`\n]*`|{AT_THE_TABLE}", re.DOTALL
)
LABEL = re.compile("[\n\u200b]")  # what a label has no use for
OVERRIDES = re.compile("[\u202a-\u202e\u2066\u2067\x00-\x08\x0b-\x1f\x7f\u2028\u2029\ud800-\udfff]")
MESSAGES = read("en")


def begins(texts: Iterable[str]) -> str:
    """How each of these texts of the catalogue begins, up to its first code or hole, a number left out."""
    found = set[str]()
    for text in texts:
        counted = re.match(r"\{(number|n)\}", text)
        _, end = counted.span() if counted else (0, 0)
        if words := re.split(r"[`{*]", text[end:], maxsplit=1)[0]:
            found.add((r"\d+" if counted else "") + re.escape(words))
    return "|".join(sorted(found))


SMALL = "|".join([  # how each small line of ours begins: in the catalogue, and in the head of a panel
    begins(
        line.removeprefix("-# ")
        for texts in MESSAGES.values()
        for text in texts
        for line in text.split("\n")
        if line.startswith("-# ")
    ),
    begins(MESSAGES["panel.orders"]),
    r"\*\*\#\d",
])  # fmt: skip
ASKED = begins(  # what a panel asks, which is its heading
    text
    for key, texts in MESSAGES.items()
    if re.fullmatch(r"\w+\.(prompt|warning)\..*|panel\.confirm|play\.(which|whom)", key)
    for text in texts
)
TITLES = "|".join(  # of rules pages, which stand as headings there
    re.escape(text)
    for key, texts in MESSAGES.items()
    if re.fullmatch(r"\w+\.rules\.\d+\.title", key)
    for text in texts
)
MARKUP = re.compile(
    r"\|\||~~|\]\(|://|discord(app)?\.(gg|com)/|<(a?:\w|t:|/|id:|\S+@)"
    rf"|^\s*(>{{1,3}}\s|#{{1,2}}\s|###\s(?!(?:{TITLES})$|{ASKED})|-#\s(?!{SMALL}|x$))",
    re.MULTILINE | re.IGNORECASE,
)
FAILED = ENGLISH("error.internal")


ENDS = ("info.won", "info.nobody-won", "info.no-result")
HEADING = re.compile(
    rf"\A# (?={begins(text for key in ENDS for text in MESSAGES[key])})"
)  # of a game's last post
PANEL = re.compile(r"\A-# (\*\*#\d+ [^\n]*\n)### ")  # and how a panel does: what it asks is a heading

WRITTEN = re.compile(r"(\A-# [^\n]*\n### [^\n]*\n)-# (?=`[^`\n]*`$)", re.MULTILINE)  # with its notation small
TYPED_OPTIONS = re.compile(r"^-# (?=`[a-z]+=[^`\n]*`$)", re.MULTILINE)  # a table's options as they are typed


def harmless(said: str) -> None:
    """Pings nobody who does not sit there, breaks out of no quotes, is neither empty nor an apology."""
    assert said.strip()
    assert said != FAILED, "a fault of ours"
    assert "Traceback" not in said
    assert not OVERRIDES.search(said), repr(said)
    assert "@everyone" not in said
    assert "@here" not in said
    rest = TYPED_OPTIONS.sub("", HEADING.sub("", said))
    rest = SAFE.sub("x", PANEL.sub(r"\1", WRITTEN.sub(r"\1", rest)))
    assert not re.search(r"<(@[&!]?|#)\d", rest), repr(said)
    assert "`" not in rest, repr(said)
    assert not (found := MARKUP.search(rest)), (found, said)
    assert rest.count("**") % 2 == 0, repr(said)


def a_label(said: str, typed: str, most: int) -> None:
    """One line of a title, a label or a file, which know no markup: nothing is escaped in it."""
    assert said.strip()
    assert len(said) <= most
    assert not OVERRIDES.search(said), repr(said)
    assert not LABEL.search(said), repr(said)
    assert "\\" not in said or "\\" in typed, repr(said)


class Here:
    """The queue of a connection's thread, whose work is done at once, by who asks for it."""

    def put_nowait(self, asked: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        """Does it."""
        future, work = asked
        try:
            done = work()
        except Exception as error:  # noqa: BLE001 - whatever it is, who asked hears of it
            assert future is not None
            future.set_exception(error)
        else:
            if future is not None:
                future.set_result(done)

    def get(self) -> tuple[None, Callable[[], Any]]:
        """Sends the thread home."""
        return None, lambda: aiosqlite.core._STOP_RUNNING_SENTINEL


async def here(work: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """For `asyncio.to_thread`: in this thread."""
    return work(*given, **named)


class Nobody:
    """No opponent, no picture."""

    async def choose(self, *_: Any) -> str:
        raise AssertionError

    async def draw(self, *_: Any) -> None:
        """None: the texts are looked at here."""

    def expect(self, game: str, locale: str) -> None:
        """Nothing is drawn."""

    async def signs(self) -> dict[str, tuple[str, str, bytes]]:
        """None."""
        return {}

    async def close(self) -> None:
        """Nothing to end."""


def texts_of(message: dict[str, Any]) -> list[str]:
    """All its texts; its controls are named in one line each."""
    parts = parts_of(message)
    for part in parts:
        if part.get("label"):
            a_label(bare(part["label"]), "\\", MOST_LABEL)
    return [in_small_type(part["content"]) for part in parts if part["type"] == TEXT]


def in_small_type(said: str) -> str:
    """What stands below a picture, all of it in small type, as it is without; any other text as it is."""
    lines = said.split("\n")
    quiet = all(line.startswith("-# ") for line in lines)
    return "\n".join(line.removeprefix("-# ") for line in lines) if quiet else said


class Answering(Answers):
    """An interaction's response, and all that is said on any of its ways."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    async def heard(self, message: dict[str, Any]) -> None:
        """A message, or a change of one."""
        assert not message.get("content"), "messages are laid out"
        said = texts_of(message)
        assert said, "an answer without words"
        self.said += said

    async def send_modal(self, sheet: Modal) -> None:
        """A sheet to fill in."""
        self._response_type = discord.InteractionResponseType.modal
        a_label(sheet.title, "\\", MOST_TITLE)


class Hall:
    """Tables of every game, on a loop that hypothesis can run things on."""

    def __init__(self, folder: Path) -> None:
        self.runner = asyncio.Runner()
        self.folder = folder
        self.number = 1
        self.tables: Tables
        self.open: dict[str, int] = {}
        self.known: dict[str, Shown] = {}
        self.panels: dict[str, Panel] = {}
        self.answers = self.studied = 0
        self.runner.run(self._begin())

    async def _begin(self) -> None:
        self.database = await Database.open(self.folder / "hall.db")
        # what is lost when the power fails is not asked here: thousands of commits wait for no disk
        assert isinstance(self.database, Sqlite)
        await self.database._writer.execute_fetchall("PRAGMA synchronous=OFF")
        self.tables = Tables(self.database, SystemClock(), Nobody(), lambda: None)
        self.languages = Languages(self.database)
        self.writer = Writer(self.database, self.tables, self.languages, Nobody())
        self.bot = SimpleNamespace(
            http=SimpleNamespace(proxy=None, proxy_auth=None),
            tables=self.tables,
            database=self.database,
            languages=self.languages,
            studio=Nobody(),
            clock=SystemClock(),
            limiter=SimpleNamespace(wait=lambda *_, **__: 0),
            reading=OneEach(),
            door=Door(),
            refusals=asyncio.Semaphore(1),
            drawing=Queues(),
            leisure=asyncio.Semaphore(1),
            signs=Signs(),
            writing=Lane("writing"),
            plates=Plates(Nobody()),
            sightings=Sightings(SystemClock()),
            openings=Openings(),
            following=Following(SystemClock()),
            part=None,
            get_guild=lambda _: None,
        )

    def next(self) -> int:
        """A new interaction."""
        self.number += 1
        return self.number

    def table(self, game: str) -> int:
        """A running table of this game; a new one where the last is over."""
        return self.runner.run(self._table(game))

    async def _table(self, game: str) -> int:
        if game in self.open and (await self.tables.get(self.open[game])).status == "running":
            return self.open[game]
        two = 2 in engine(game).seats
        table = await self.tables.create(
            ANN, game, "", Place(1, 2), opponents=[BEN] if two else [], interaction_id=self.next()
        )
        for user in (BEN,) if two else (BEN, CHO):
            table = await self.tables.join(table.id, user, self.next())
        if table.status == "open":
            await self.tables.start(table.id, ANN.id, self.next())
        self.open[game] = table.id
        return table.id

    def study(self) -> int:
        """A table with a long record that was imported."""
        if not self.studied:
            table = self.runner.run(self.tables.study(ANN, long_record(ENTRIES), self.next()))
            self.studied = table.id
        return self.studied

    def shown(self, game: str) -> Shown:
        """What everybody sees of a table of this game."""
        if game not in self.known:
            self.known[game] = self.runner.run(self.tables.show(self.table(game), None))
        return self.known[game]

    def panel(self, game: str) -> Panel:
        """What somebody may choose from at a table of this game."""
        if game not in self.panels:
            table = self.runner.run(self.tables.get(self.table(game)))
            user = table.seats[min(table.to_act)].user_id or 0
            self.panels[game] = self.runner.run(self.tables.panel(table.id, user))
        return self.panels[game]

    def refused(self, work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """Does it; a refusal is looked at and is None. So is every post that it leaves."""
        return self.runner.run(self._refused(work))

    async def _refused(self, work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        try:
            done = await work()
        except TableError as error:
            harmless(explained(error, ENGLISH, ("Ann", "Ben", "Cho")))
            return None
        await self._posts()
        return done

    async def _posts(self) -> None:
        """Looks at what waits to be sent, which is then done with."""
        reads = self.database.reads
        places = await destinations(reads)
        if not places:
            return
        for place in places:
            for row in await outbox.waiting(reads, place):
                kind, _, number = place.partition(":")
                table = await self.tables.get(int(number)) if kind == "table" else None
                if row.kind not in ("thread", "players"):
                    try:
                        post = await self.writer.post(row, table)
                        for said in texts_of({"components": post.arguments()["view"].to_components()}):
                            harmless(said)
                    except TableError as error:
                        harmless(explained(error, ENGLISH))
                self.answers += 1
        async with self.database.transaction() as tx:
            tx.put("DELETE FROM outbox")

    def press(self, user: User, custom_id: str, values: Sequence[str] = (), kind: str = "component") -> None:
        """Presses it, whatever it is, and looks at every answer."""
        self.runner.run(self._press(user, custom_id, tuple(values), kind))

    async def _press(self, user: User, custom_id: str, values: tuple[str, ...], kind: str) -> None:
        answering = Answering()
        interaction: Any = SimpleNamespace(
            id=self.next(),
            type=discord.InteractionType[kind],
            user=SimpleNamespace(id=user.id, display_name=user.name, name="typist"),
            data={"custom_id": custom_id, "values": list(values)},
            client=self.bot,
            response=answering,
            application_id=1,
            token="",
            _session=None,
            guild=None,
            guild_id=1,
            guild_locale=None,
            channel_id=2,
            channel=None,
            locale=discord.Locale.british_english,
            permissions=discord.Permissions.none(),
            app_permissions=discord.Permissions.all(),
            command=None,
            message=None,
            created_at=discord.utils.utcnow(),
            extras={},
        )
        async_context.set(cast(Any, answering))
        await answer_press(interaction)
        for said in answering.said:
            harmless(said)
        self.answers += len(answering.said)
        await self._posts()

    def close(self) -> None:
        """Everything, and nothing was written beside the database."""
        self.runner.run(self.tables.close())
        self.runner.run(self.database.close())
        self.runner.close()


class Opened:
    """Files that were opened to be written, or made, removed and renamed, while `on`.

    Python calls a hook at every `id()` and never lets go of it: a copy of a message takes four times as long
    in a process that has one. So there is none before it is needed, and `tests/conftest.py` runs this last.
    """

    def __init__(self) -> None:
        self.on = self.hooked = False
        self.paths: set[str] = set()

    def listen(self) -> None:
        """From now on."""
        if not self.hooked:
            sys.addaudithook(self.hear)
        self.on = self.hooked = True

    def hear(self, event: str, given: tuple[Any, ...]) -> None:
        """An event of the interpreter."""
        if not self.on:
            return
        if event == "open" and isinstance(given[0], str | bytes):
            writes = isinstance(given[1], str) and set(given[1]) & set("wax+")
            if writes or (given[2] or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
                self.paths.add(os.fsdecode(given[0]))
        elif event in ("os.mkdir", "os.remove", "os.rename", "os.rmdir", "sqlite3.connect"):
            self.paths.add(os.fsdecode(given[0]))


OPENED = Opened()


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    folder = tmp_path_factory.mktemp("hall") / "data"
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(asyncio, "to_thread", here)
        patched.setattr(sys, "dont_write_bytecode", True)  # or a late import would write beside the database
        patched.setattr(aiosqlite.core, "SimpleQueue", Here)
        made = Hall(folder)
        for game in playable():  # fonts and grounds are kept once they were drawn with: 180 MB, and no more
            painter(game).board(scene_of(made.shown(game), ENGLISH))
        OPENED.listen()
        yield made
        OPENED.on = False
        assert not made.runner.run(made.tables.check())
        made.close()
    outside = {path for path in OPENED.paths if not Path(path.removeprefix("file:")).is_relative_to(folder)}
    assert {path for path in outside if not path.startswith("/dev/") and "/.hypothesis" not in path} == set()
    assert {file.name.partition(".")[0] for file in folder.iterdir()} == {"hall"}
    assert [file.name for file in folder.parent.iterdir()] == ["data"]


# -- what makes a sentence ---------------------------------------------------------------------------


@hostile("options", game=st.sampled_from([*playable(), "chess"]), typed=texts)
def test_options(hall, game, typed):
    for reading in (read_words, read_clock):
        try:
            reading(game, typed)
        except TableError as error:
            harmless(explained(error, ENGLISH, ("Ann", "Ben")))


def templates(pattern: str) -> list[tuple[str, ...]]:
    """Groups of every msgid that matches."""
    return [match.groups() for key in MESSAGES if (match := re.fullmatch(pattern, key))]


APOLOGIES = frozenset({"internal"})  # a fault of ours, which no table raises
ERRORS = [found for found in templates(r"(?:(\w+)\.)?error\.([\w-]+)") if found[1] not in APOLOGIES]
LINES = [key for (key,) in templates(r"(line\.[\w-]+)")]
HOLES = sorted(
    {
        hole.partition(":")[0]
        for hole in re.findall(
            r"\{(\w+(?::\w+)?)[^}]*\}", "\n".join("\n".join(texts) for texts in MESSAGES.values())
        )
        if not hole.endswith((":who", ":whos"))
    }
    - OURS
    - {"game", "names", "n"}
)


@hostile("errors", error=st.sampled_from(ERRORS), typed=texts, listed=st.booleans())
def test_errors_whatever_they_quote(hall, error, typed, listed):
    """Every error there is, with anything in the place of whatever it names."""
    game, code = error
    value = [typed, "b"] if listed else typed
    params: dict[str, Any] = dict.fromkeys(HOLES, value)
    refused = TableError(code, game=game, rules=game is not None, **params)
    harmless(explained(refused, ENGLISH, ("Ann", "Ben", "Cho")))


WHERE = ("caption", "board in words", "information", "list", "line", "title", "label", "file")


@hostile(
    "names",
    game=st.sampled_from(playable()),
    name=texts,
    where=st.sampled_from(WHERE),
    key=st.sampled_from(LINES),
)
def test_names(hall, game, name, where, key):
    """Wherever a name is shown."""
    member: Any = SimpleNamespace(id=101, display_name=name, name="stranger")
    user = person(member)
    assert user.name
    assert cleaned(user.name) == user.name, "what is kept is as it will be shown"
    shown = hall.shown(game)
    seats = tuple(replace(seat, name=user.name) for seat in shown.table.seats)
    shown = replace(shown, table=replace(shown.table, seats=seats))
    match where:
        case "caption" | "board in words":
            paint, scene = painter(game), scene_of(shown, ENGLISH, spoken=True)
            harmless(
                f"{plain(user.name)}: {paint.caption(scene) if where == 'caption' else paint.describe(scene)}"
            )
        case "information":
            harmless(controls.information(shown.table, ENGLISH))
        case "list":
            harmless(controls.line_of(shown.table, ENGLISH))
        case "line":
            letter = Letter(ROW, {"mention": [102]}, shown.table, ENGLISH, hall.bot.studio)
            others = {"user": "<@101>", "until": "<t:1:R>", "since": "<t:1:R>", "words": "slow"}
            seated = {"seat": 0, "by": 1, "seats": [0, 1]}
            harmless(sentence(letter, key, {**seated, **others, **dict.fromkeys(TYPED, name)}))
        case "title":
            a_label(hall.runner.run(hall.writer.thread_name(shown.table)), name, 100)
        case "label":
            panel = hall.panel(game)
            panel = replace(panel, shown=replace(panel.shown, table=shown.table))
            assert isinstance(panel.step, Prompt)
            for choice in panel.step.choices[:10]:
                a_label(label_of(choice, panel, ENGLISH), name, 1000)
        case "file":
            for line in notation(shown.table, [], ENGLISH).splitlines():
                a_label(line, name, 1000)


ROW: Any = SimpleNamespace(id=1, kind="line")


@hostile("pictures", game=st.sampled_from(playable()), name=texts)
def test_names_in_pictures(hall, game, name):
    """A picture is drawn whatever the names; its file is named by us and its other text is one of words."""
    member: Any = SimpleNamespace(id=101, display_name=name, name="stranger")
    shown = hall.shown(game)
    seats = tuple(replace(seat, name=person(member).name) for seat in shown.table.seats)
    picture = painter(game).board(scene_of(replace(shown, table=replace(shown.table, seats=seats)), ENGLISH))
    assert picture.png.startswith(b"\x89PNG")
    assert re.fullmatch(r"[a-z]+(-\w+)*\.png", picture.filename)
    assert not OVERRIDES.search(picture.alt)


# -- what plays at a table ---------------------------------------------------------------------------


@hostile("typed", game=st.sampled_from(playable()), typed=texts, by=st.sampled_from([ANN, BEN, CHO]))
def test_typed_actions_and_completions(hall, game, typed, by):
    table = hall.table(game)
    offered = hall.refused(lambda: hall.tables.complete(table, by.id, 2, typed))
    assert all(1 <= len(text) <= 100 for text in offered)
    hall.refused(lambda: hall.tables.act(table, by.id, typed, interaction_id=hall.next()))


@hostile("json", game=st.sampled_from(playable()), value=values)
def test_actions_as_json(hall, game, value):
    table, text = hall.table(game), json.dumps(value)
    hall.refused(lambda: hall.tables.act(table, ANN.id, text, interaction_id=hall.next()))


@hostile(
    "paths",
    game=st.sampled_from(playable()),
    path=st.lists(st.one_of(st.from_regex(r"\d{1,4}(\+\d{1,4})*|-", fullmatch=True), short), max_size=6),
    version=st.one_of(st.none(), st.integers(-5, 10**12)),
)
def test_paths_in_the_panel(hall, game, path, version):
    table = hall.table(game)
    hall.refused(lambda: hall.tables.panel(table, ANN.id, path, version))


ids = st.one_of(
    texts,
    *(st.from_regex(pattern, fullmatch=True) for pattern in (BUTTON, SELECT, SHEET, RULES, LANGUAGE)),
    st.builds(
        "r:{}:{}{}".format, st.sampled_from(playable()), st.integers(0, 999), st.sampled_from(["", ":new"])
    ),
)
names_of_presses = st.sampled_from([name for name in sorted(HANDLERS) if name not in ENDING])
known = st.builds(
    lambda name, tail: f"{name}{tail}",
    names_of_presses,
    st.one_of(st.just(""), st.from_regex(r"[.+\-!~\d]{0,12}", fullmatch=True)),
)


@hostile(
    "ids",
    custom_id=ids,
    user=st.sampled_from([ANN, BEN, CHO]),
    kind=st.sampled_from(["component", "modal_submit"]),
)
def test_custom_ids_and_modals_that_nobody_made(hall, custom_id, user, kind):
    row_of(custom_id)
    hall.press(user, custom_id, (), kind)


@hostile(
    "presses",
    game=st.sampled_from(playable()),
    action=known,
    user=st.sampled_from([ANN, BEN, CHO]),
    stale=st.booleans(),
    picked=st.lists(st.one_of(short, st.from_regex(r"\d{1,3}", fullmatch=True)), max_size=3),
)
def test_presses_at_a_running_table(hall, game, action, user, stale, picked):
    table = hall.table(game)
    version = 0 if stale else hall.runner.run(hall.tables.get(table)).version
    hall.press(user, f"t:{table}:{version}:{action}"[:100], picked)


@hostile("notes", note=st.one_of(st.none(), texts, texts, texts))
def test_notes(hall, note):
    table = hall.table("kamisado")
    hall.refused(lambda: hall.tables.write_note(ANN.id, table, note))
    kept = hall.refused(lambda: hall.tables.note(ANN.id, table))
    assert kept is None or len(kept) <= 1000
    if kept is not None:
        harmless(ENGLISH("note.shown", table=table, text=plain(kept, MOST_NOTE)))


BASE: Mapping[str, Any] = {
    "format": 1,
    "game": "kamisado",
    "rules": 1,
    "options": {},
    "seats": 2,
    "seed": "00",
    "actions": [],
}


def records() -> st.SearchStrategy[bytes]:
    """Records with anything in any place, and bytes that are none."""
    keys = st.sampled_from(
        ["game", "rules", "options", "seats", "seed", "commitment", "position", "actions", "players"]
    )
    changed = st.dictionaries(keys, values, max_size=3).map(lambda change: {**BASE, **change})
    named = st.lists(texts, max_size=2).map(lambda ns: {**BASE, "players": [{"name": n} for n in ns]})
    others = st.builds(
        lambda game, options: {**BASE, "game": game, "options": options},
        st.sampled_from(playable()),
        st.dictionaries(texts, texts, max_size=2),
    )
    deep = st.integers(1, 200_000).map(lambda n: b'{"actions":' + b"[" * n)
    wide = st.integers(1, 5000).map(lambda n: json.dumps({**BASE, "actions": [{"undo": 1}] * n}).encode())
    made = st.one_of(changed, changed, named, others).map(lambda value: json.dumps(value).encode())
    return st.one_of(*[made] * 6, *[st.binary(max_size=200)] * 2, deep, wide)


@hostile("records", data=records())
def test_records_for_import(hall, data):
    table = hall.refused(lambda: hall.tables.study(ANN, data, hall.next()))
    if table is not None:
        hall.press(ANN, f"t:{table.id}:{table.version}:at.0.o")
        story = hall.refused(lambda: hall.tables.story(table.id, ANN.id))
        assert notation(table, story, ENGLISH).encode()
        assert json.dumps(
            hall.refused(lambda: hall.tables.export(table.id, ANN.id)), ensure_ascii=False
        ).encode()


# -- what is legal, and done to annoy ------------------------------------------------------------------


async def acted(hall: Hall, table: int, chance: Chance) -> int:
    """Something legal by whoever may act; its user's id."""
    loaded = await hall.tables._house.load(table)
    assert loaded.state is not None
    seat = chance.pick(sorted(loaded.engine.to_act(loaded.state)))
    text = loaded.engine.format(random_action(loaded.engine, loaded.state, seat, chance))
    user = (await hall.tables.get(table)).seats[seat].user_id or 0
    await hall.tables.act(table, user, text, interaction_id=hall.next())
    return user


def acts(hall: Hall, game: str, chance: Chance) -> int | None:
    """The same as everything here is done."""
    table = hall.table(game)
    return hall.refused(lambda: acted(hall, table, chance))  # type: ignore[no-any-return]


def takes_back(hall: Hall, game: str, chance: Chance) -> None:
    """Acts, and takes it back or asks to; the others say yes or no (14.4)."""
    user, table = acts(hall, game, chance), hall.open[game]
    done = hall.refused(lambda: hall.tables.undo(table, user or ANN.id, hall.next()))
    DONE["asked to take back" if isinstance(done, Vote) else "taken back"] += done is not None
    votes(hall, done, agree=chance.happens(1, 2))


def pauses(hall: Hall, game: str, chance: Chance) -> None:
    """Asks for a pause, and withdraws (14.5)."""
    table = hall.table(game)
    asked = hall.refused(lambda: hall.tables.pause(table, ANN.id, hall.next()))
    DONE["asked for a pause"] += asked is not None
    votes(hall, asked, agree=False)


def votes(hall: Hall, vote: Any, *, agree: bool) -> None:
    """Everybody says so; who asked says no."""
    if isinstance(vote, Vote):
        for user in (ANN, BEN, CHO):
            hall.refused(partial(hall.tables.vote, vote.id, user.id, agree, hall.next()))


def invites(hall: Hall, game: str, chance: Chance) -> None:
    """Invites somebody, and calls it off (14.5)."""
    made = partial(hall.tables.create, ANN, game, "", Place(1, 2), opponents=[BEN])
    if (table := hall.refused(lambda: made(interaction_id=hall.next()))) is not None:
        hall.refused(lambda: hall.tables.cancel(table.id, ANN.id, hall.next()))
        DONE["invited"] += 1


def turns_pages(hall: Hall, game: str, chance: Chance) -> None:
    """Presses a replay of a long record at any moment, there or not (14.1)."""
    table = hall.study()
    at, side, whose = chance.below(ENTRIES + 40), chance.pick(["", "f", "b"]), chance.pick("op017")
    hall.press(ANN, f"t:{table}:{chance.below(3)}:at.{at}{side}.{whose}")


def meddles(hall: Hall, game: str, chance: Chance) -> None:
    """Asks at a table of others for what only who sits there may do (14.6, 14.12)."""
    table = hall.table(game)
    for deed in (hall.tables.undo, hall.tables.pause, hall.tables.cancel, hall.tables.resign):
        hall.refused(partial(deed, table, STRANGER.id, hall.next()))


DEEDS = [takes_back, takes_back, pauses, invites, turns_pages, turns_pages, meddles]


@hostile("deeds", deed=st.sampled_from(DEEDS), game=st.sampled_from(playable()), drawn=st.binary(max_size=8))
def test_legal_deeds_that_annoy(hall, deed, game, drawn):
    deed(hall, game, Chance(sha256(drawn).digest(), 1))


# -- what it takes -----------------------------------------------------------------------------------


def test_memory_stays_where_it_is(hall):
    """The same again and again takes no more memory."""

    def work() -> None:
        for number in range(40):
            table = hall.table("kamisado")
            hall.press(ANN, f"t:{table}:{number}:p{number}")
            hall.refused(lambda n=number: hall.tables.write_note(ANN.id, hall.open["kamisado"], "x" * n))
            hall.refused(lambda n=number: hall.tables.study(ANN, b"[" * (n * 400), hall.next()))

    work()
    tracemalloc.start()
    try:
        work()
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        work()
        now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (now - before) / 1e6 < 2
    assert (peak - before) / 1e6 < MOST_MB


def test_what_is_too_big_is_not_even_read(hall):
    with pytest.raises(TableError) as refused:
        hall.runner.run(hall.tables.study(ANN, b"[" * 2_000_000, hall.next()))
    assert refused.value.code == "record-too-big"


def test_every_service_of_the_bot_is_in_the_hall(hall):
    """Or what a press runs into is a hole of this file, and no fault of the bot's."""
    assert set(Services.__annotations__) <= set(vars(hall.bot))


def test_small_print_and_headings_are_known_by_the_catalogue():
    """A small line is the bot's own if it begins as one of the catalogue's does, a heading if it is one."""
    assert all(len(begins) > 4 for begins in SMALL.split("|")), SMALL
    title = ENGLISH("kamisado.rules.1.title")
    harmless(ENGLISH("list.commitment", commitment="ab"))
    harmless(ENGLISH("post.seed", seed="ab", commitment="cd"))
    with pytest.raises(AssertionError):
        harmless("-# small")
    harmless(f"### {title}")
    for key in ENDS:
        harmless(f"# {ENGLISH(key, seats=[0], names=('Ann', 'Ben'))}")
    with pytest.raises(AssertionError):
        harmless("# Something else")
    with pytest.raises(AssertionError):
        harmless(f"### {title}, or not")


def test_an_error_of_the_rules_is_one_of_the_tables():
    assert not issubclass(RulesError, TableError), "both are caught apart"


def test_as_many_as_asked_were_tried_and_memory_stayed_within_bounds():
    """Last: kinds that ran in this process ran in full."""
    RESIDENT.append(resident_mb())
    print(
        f"{TRIED.total()} inputs: {dict(TRIED)}; {dict(DONE)}; "
        f"memory on the way: {[round(mb) for mb in RESIDENT]} MB"
    )
    for kind, tried in TRIED.items():
        assert tried >= share(kind), kind
    if TRIED["deeds"] >= MANY:
        assert all(
            DONE[name] for name in ("asked to take back", "taken back", "invited", "asked for a pause")
        )
    assert max(RESIDENT) - RESIDENT[0] < MOST_GROWN
