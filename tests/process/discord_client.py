"""The test's hand on the loopback Discord: it sends what users send and waits for what they see."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import aiohttp

from tests.messages import parts_of

Json = dict[str, Any]
T = TypeVar("T")

ROOT = Path(__file__).resolve().parents[2]
SERVER = ("-m", "tests.process.loopback")
DEADLINE = float(os.environ.get("HATAMOTO_DEADLINE", "60"))  # seconds that nothing healthy ever needs
DEFER, DEFER_UPDATE = 5, 6


class UnansweredError(Exception):
    """The bot was gone, or went, before it answered an interaction."""


@dataclass(frozen=True)
class User:
    """A person on this Discord."""

    id: str
    name: str


@dataclass
class Answer:
    """How the bot answered one interaction: every part of it, the last message in full."""

    id: str
    callback: int | None = None
    parts: list[Json] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Answered for the user to see: a deferral alone does not count."""
        return bool(self.parts) and (self.callback not in {DEFER, DEFER_UPDATE} or len(self.parts) > 1)

    @property
    def message(self) -> Json:
        """The message that answers, as it is now."""
        shown = [p["message"] for p in self.parts if p["message"]]
        return shown[-1] if shown else {}

    @property
    def text(self) -> str:
        """Everything that the user can read in it."""
        return readable(self.message)

    @property
    def completions(self) -> list[str]:
        """What an autocomplete offers."""
        return [str(c["value"]) for c in self.parts[-1]["data"].get("choices", [])]


class Discord:
    """One loopback Discord; its log is mirrored here whenever something is awaited."""

    def __init__(self, session: aiohttp.ClientSession, address: str) -> None:
        self.session = session
        self.address = address
        self.log: list[Json] = []
        self.messages: dict[str, Json] = {}  # public and ephemeral, as they are now
        self.posts: list[str] = []  # ids of public messages in the order in which they were posted
        self.answers: dict[str, Answer] = {}
        self.patient = False  # sends also while no bot listens: the session keeps it for the resume

    @property
    def api(self) -> str:
        """What DISCORD_API_BASE has to be."""
        return f"{self.address}/api/v10"

    async def control(self, what: str, **body: Any) -> Any:
        """One call below /control; LookupError for what no user could do."""
        async with self.session.post(f"{self.address}/control/{what}", json=body) as response:
            if response.status == 409:
                raise UnansweredError(what)
            found = await response.json()
            if response.status == 422:
                raise LookupError(found["error"])
            assert response.status == 200, found
            return found

    # -- people and places -------------------------------------------------------------

    async def user(self, name: str) -> User:
        """A new person."""
        return User((await self.control("user", name=name))["id"], name)

    async def bot(self) -> User:
        """The bot as an opponent."""
        found = await self.control("bot")
        return User(found["id"], found["username"])

    async def guild(
        self, name: str = "Castle", locale: str = "en-US", shard: tuple[int, int] | None = None
    ) -> str:
        """A new guild's id; it is on this shard of so many."""
        return str((await self.control("guild", name=name, locale=locale, shard=shard))["id"])

    async def channel(self, guild: str, name: str = "games") -> str:
        """A new channel's id."""
        return str((await self.control("channel", guild=guild, name=name))["id"])

    # -- waiting ----------------------------------------------------------------------

    async def read(self, seconds: float) -> None:
        """Takes over what is new in the log; waits up to `seconds` for something."""
        for entry in await self.control("log", start=len(self.log), seconds=seconds):
            self.log.append(entry)
            self._take(entry)

    def _take(self, entry: Json) -> None:
        message: Json = entry.get("message") or {}
        if entry["kind"] in {"message", "edit"}:
            self.messages[message["id"]] = message
            if entry["kind"] == "message" and not entry["ephemeral"]:
                self.posts.append(message["id"])
        elif entry["kind"] == "delete":
            self.messages.pop(message["id"], None)
        elif entry["kind"] == "answer":
            answer = self.answers.setdefault(entry["interaction"], Answer(entry["interaction"]))
            if entry["callback"] is not None:
                answer.callback = entry["callback"]
            answer.parts.append(entry)

    async def until(self, found: Callable[[], T | None], what: str) -> T:
        """What `found` returns, as soon as it is not empty. Fails after DEADLINE seconds, saying `what`."""
        end = asyncio.get_running_loop().time() + DEADLINE
        while not (value := found()):
            left = end - asyncio.get_running_loop().time()
            assert left > 0, f"waited in vain for {what}; the log ends with {str(self.log[-5:])[-800:]}"
            await self.read(min(left, 0.2))
        return value

    def entries(self, kind: str, start: int = 0) -> list[Json]:
        """The log's entries of a kind."""
        return [e for e in self.log[start:] if e["kind"] == kind]

    async def connected(self, start: int = 0) -> None:
        """Until the bot has identified itself after the log's entry `start`."""
        await self.until(
            lambda: any(e["what"] == "identify" for e in self.entries("gateway", start)),
            "the bot to identify",
        )

    # -- what users do ----------------------------------------------------------------

    async def send(self, user: User, channel: str, **what: Any) -> str:
        """Sends an interaction and returns its id without waiting for the answer."""
        what.setdefault("missed", self.patient)
        return str((await self.control("interact", user=user.id, channel=channel, **what))["id"])

    async def answer(self, interaction: str) -> Answer:
        """The answer to an interaction, once the user can see it."""

        def complete() -> Answer | None:
            found = self.answers.get(interaction)
            return found if found and found.complete else None

        return await self.until(complete, f"an answer to interaction {interaction}")

    async def slash(self, user: User, channel: str, command: str, **options: Any) -> Answer:
        """A slash command; `command` with its subcommand, a User as an option is resolved."""
        plain = {k.rstrip("_"): v.id if isinstance(v, User) else v for k, v in options.items()}
        return await self.answer(await self.send(user, channel, command=command, options=plain))

    async def complete(
        self, user: User, channel: str, command: str, option: str, text: str, **others: Any
    ) -> list[str]:
        """What autocomplete offers for `text` in `option`."""
        options = {**others, option: text}
        sent = await self.send(user, channel, command=command, options=options, focused=option)
        return (await self.answer(sent)).completions

    async def press(
        self, user: User, message: Json, custom_id: str, values: list[str] | None = None
    ) -> Answer:
        """A button, or a select with `values`."""
        what: Json = {"message": message["id"], "press": custom_id}
        if values is not None:
            what["values"] = values
        return await self.answer(await self.send(user, message["channel_id"], **what))

    def posted(self, channel: str) -> list[Json]:
        """Public messages of a channel that are still there, oldest first, as they are now."""
        return [m for i in self.posts if (m := self.messages.get(i)) and m["channel_id"] == channel]


def buttons(message: Json) -> list[str]:
    """Custom ids of what can be pressed in a message, in order."""
    return [c["custom_id"] for c in parts_of(message) if "custom_id" in c and not c.get("disabled")]


def readable(message: Json) -> str:
    """All the words of a message: content, embeds, text displays, alt texts."""
    embeds = message.get("embeds", [])
    words = [message.get("content", "")]
    words += [e.get(k) or "" for e in embeds for k in ("title", "description")]
    words += [c.get("content") or "" for c in parts_of(message)]
    words += [a.get("description") or "" for a in message.get("attachments", [])]
    return "\n".join(w for w in words if w)


@asynccontextmanager
async def loopback() -> AsyncIterator[Discord]:
    """A loopback Discord in a process of its own, ended at the end."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, *SERVER, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        line = json.loads(await asyncio.wait_for(process.stdout.readline(), DEADLINE))
        async with aiohttp.ClientSession() as session:
            yield Discord(session, f"http://{line['host']}:{line['port']}")
    finally:
        process.kill()
        await process.wait()


class Loopbacks:
    """Loopback Discords from a process that has imported what they need: half a second less each."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def _order(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    @asynccontextmanager
    async def one(self) -> AsyncIterator[Discord]:
        """One in a process of its own, ended at the end."""
        assert self._process.stdout is not None
        self._order("")
        line = json.loads(await asyncio.wait_for(asyncio.to_thread(self._process.stdout.readline), DEADLINE))
        try:
            async with aiohttp.ClientSession() as session:
                yield Discord(session, f"http://{line['host']}:{line['port']}")
        finally:
            self._order(line["pid"])


@contextmanager
def loopbacks() -> Iterator[Loopbacks]:
    """What starts them, gone at the end with all of them."""
    with subprocess.Popen(
        [sys.executable, *SERVER, "each"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield Loopbacks(process)
