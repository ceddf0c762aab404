"""The gateway: hello, identify, heartbeat, dispatch by shard, and resume after a lost socket."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from tests.process.loopback.world import THREADS, Json, World

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, INVALID, HELLO, ACK = 0, 1, 2, 6, 9, 10, 11
TOO_SOON_S = 0.9  # of the time between two identifies: clocks and ways differ a little
HEARS = {True: 1 << 9, False: 1 << 12}  # the intents by which messages are heard of, in a guild and in DMs
COUNTED = {"INTERACTION_CREATE", "MESSAGE_CREATE", "THREAD_CREATE"}  # what a session begins with is not


@dataclass
class Session:
    """What a client that identified may resume: everything dispatched to it."""

    id: str
    shard: tuple[int, int] = (0, 1)
    intents: int = 0
    sent: list[Json] = field(default_factory=list)
    socket: web.WebSocketResponse | None = None


class Gateway:
    """Serves sockets and keeps the one session of each shard that counts, the last identified.

    at_once, apart_s   of so many shards one may identify in so many seconds (`max_concurrency`)
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.sessions: dict[int, Session] = {}
        self.requests: list[web.Request] = []
        self.shards, self.at_once, self.apart_s = 1, 1, 0.0
        self._identified: dict[int, float] = {}  # when, by bucket
        self._every = self._events = 0
        self._arrives = True  # what the last event did

    def shard_of(self, guild_id: str | None) -> int:
        """The shard that hears what happens in a guild; what happens in none is heard by the first."""
        return 0 if guild_id is None else (int(guild_id) >> 22) % self.shards

    def connected(self, guild_id: str | None) -> bool:
        """Whether a client listens now to what happens in this guild."""
        session = self.sessions.get(self.shard_of(guild_id))
        return session is not None and session.socket is not None

    async def dispatch(self, name: str, data: Json) -> None:
        """Sends an event to its guild's shard."""
        guild_id = data["id"] if name == "GUILD_CREATE" else data.get("guild_id")
        if guild_id is None and (channel := self.world.channels.get(data.get("channel_id", ""))):
            guild_id = channel.get("guild_id")
        session = self.sessions.get(self.shard_of(guild_id))
        if session is None or (
            name == "MESSAGE_CREATE" and not session.intents & HEARS[guild_id is not None]
        ):
            return
        await self._tell(session, name, data)

    async def _tell(self, session: Session, name: str, data: Json) -> None:
        """Sends an event, or keeps it for the client that will resume."""
        event = {"op": DISPATCH, "t": name, "s": len(session.sent) + 1, "d": data}
        session.sent.append(event)
        if session.socket is not None:
            self._events += name in COUNTED
            cut = 0 < self._every <= self._events
            self._arrives = not (cut and self._arrives)
            if self._arrives:
                await self._send(session.socket, event)
            if cut:
                self._events = 0
                await self.drop()

    def drop_every(self, events: int) -> None:
        """From now on cuts the connections after so many events, or just before the last; 0: no more."""
        self._every, self._events = events, 0

    async def drop(self) -> None:
        """Cuts every connection without a word, as a lost network does."""
        for session in self.sessions.values():
            session.socket = None
        for request in list(self.requests):
            if request.transport is not None:
                request.transport.abort()

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """One connection from hello to its end."""
        socket = web.WebSocketResponse(autoping=True)
        await socket.prepare(request)
        self.requests.append(request)
        self.world.note("gateway", what="connected")
        try:
            await self._send(socket, {"op": HELLO, "d": {"heartbeat_interval": 41250}})
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await self._receive(request, socket, json.loads(message.data))
        finally:
            self.requests.remove(request)
            for session in self.sessions.values():
                if session.socket is socket:
                    session.socket = None
            self.world.note("gateway", what="closed", code=socket.close_code)
        return socket

    async def _receive(self, request: web.Request, socket: web.WebSocketResponse, packet: Json) -> None:
        if packet["op"] == HEARTBEAT:
            await self._send(socket, {"op": ACK})
        elif packet["op"] == IDENTIFY:
            await self._identify(request, socket, packet["d"])
        elif packet["op"] == RESUME:
            await self._resume(socket, packet["d"])

    async def _identify(self, request: web.Request, socket: web.WebSocketResponse, data: Json) -> None:
        world = self.world
        shard, shards = data.get("shard") or (0, 1)
        world.note("gateway", what="identify", intents=data.get("intents"), shard=data.get("shard"))
        if not self._may_identify(shard):
            world.note("gateway", what="too-soon", shard=[shard, shards])
            await self._send(socket, {"op": INVALID, "d": False})
            return
        if shards != self.shards:
            self.sessions.clear()
            self.shards = shards
        self.sessions[shard] = session = Session(
            world.new_id(), (shard, shards), data.get("intents") or 0, socket=socket
        )
        mine = [guild for guild in world.guilds.values() if self.shard_of(guild["id"]) == shard]
        ready: dict[str, Any] = {
            "v": 10,
            "user": world.bot,
            "guilds": [{"id": guild["id"], "unavailable": True} for guild in mine],
            "session_id": session.id,
            "resume_gateway_url": f"ws://{request.host}/gateway",
            "shard": [shard, shards],
            "application": {"id": world.bot["id"], "flags": 0},
        }
        await self._tell(session, "READY", ready)
        for guild in mine:
            await self._tell(session, "GUILD_CREATE", self.whole_guild(guild))

    def _may_identify(self, shard: int) -> bool:
        """Whether long enough ago another shard of its bucket identified."""
        bucket, now = shard % self.at_once, time.monotonic()
        before = self._identified.get(bucket)
        self._identified[bucket] = now
        return before is None or now - before >= self.apart_s * TOO_SOON_S

    async def _resume(self, socket: web.WebSocketResponse, data: Json) -> None:
        known = (session for session in self.sessions.values() if session.id == data["session_id"])
        if (session := next(known, None)) is None:
            self.world.note("gateway", what="refused")
            await self._send(socket, {"op": INVALID, "d": False})
            return
        session.socket = socket
        missed = session.sent[data["seq"] :]
        for event in missed:
            await self._send(socket, event)
        await self._tell(session, "RESUMED", {})
        self.world.note("gateway", what="resumed", replayed=len(missed))

    def whole_guild(self, guild: Json) -> Json:
        """A guild as GUILD_CREATE carries it; of its members only the bot (no members intent)."""
        mine = [c for c in self.world.channels.values() if c.get("guild_id") == guild["id"]]
        return {
            **guild,
            "joined_at": "2026-01-01T00:00:00+00:00",
            "large": False,
            "unavailable": False,
            "members": [self.world.member(self.world.bot)],
            "channels": [c for c in mine if c["type"] not in THREADS],
            "threads": self.world.active_threads(guild["id"]),
            "voice_states": [],
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
        }

    async def _send(self, socket: web.WebSocketResponse, packet: Json) -> None:
        if not socket.closed:
            try:
                await socket.send_str(json.dumps(packet))
            except ConnectionError:
                self.world.note("gateway", what="lost")
