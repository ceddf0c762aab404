"""The gateway: hello, identify, heartbeat, dispatch, and resume after a lost socket."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from tests.process.loopback.world import THREADS, Json, World

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, INVALID, HELLO, ACK = 0, 1, 2, 6, 9, 10, 11
COUNTED = {"INTERACTION_CREATE", "MESSAGE_CREATE", "THREAD_CREATE"}  # what a session begins with is not


@dataclass
class Session:
    """What a client that identified may resume: everything dispatched to it."""

    id: str
    sent: list[Json] = field(default_factory=list)
    socket: web.WebSocketResponse | None = None


class Gateway:
    """Serves sockets and keeps the one session that counts, the last identified."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.session: Session | None = None
        self.requests: list[web.Request] = []
        self._every = self._events = 0
        self._arrives = True  # what the last event did

    @property
    def connected(self) -> bool:
        """Whether a client listens now."""
        return self.session is not None and self.session.socket is not None

    async def dispatch(self, name: str, data: Json) -> None:
        """Sends an event, or keeps it for the client that will resume."""
        if self.session is None:
            return
        event = {"op": DISPATCH, "t": name, "s": len(self.session.sent) + 1, "d": data}
        self.session.sent.append(event)
        if self.session.socket is not None:
            self._events += name in COUNTED
            cut = 0 < self._every <= self._events
            self._arrives = not (cut and self._arrives)
            if self._arrives:
                await self._send(self.session.socket, event)
            if cut:
                self._events = 0
                await self.drop()

    def drop_every(self, events: int) -> None:
        """From now on cuts the connections after so many events, or just before the last; 0: no more."""
        self._every, self._events = events, 0

    async def drop(self) -> None:
        """Cuts every connection without a word, as a lost network does."""
        if self.session is not None:
            self.session.socket = None
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
            if self.session is not None and self.session.socket is socket:
                self.session.socket = None
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
        self.session = Session(world.new_id(), socket=socket)
        world.note("gateway", what="identify", intents=data.get("intents"), shard=data.get("shard"))
        ready: dict[str, Any] = {
            "v": 10,
            "user": world.bot,
            "guilds": [{"id": g, "unavailable": True} for g in world.guilds],
            "session_id": self.session.id,
            "resume_gateway_url": f"ws://{request.host}/gateway",
            "shard": data.get("shard") or [0, 1],
            "application": {"id": world.bot["id"], "flags": 0},
        }
        await self.dispatch("READY", ready)
        for guild in world.guilds.values():
            await self.dispatch("GUILD_CREATE", self.whole_guild(guild))

    async def _resume(self, socket: web.WebSocketResponse, data: Json) -> None:
        session = self.session
        if session is None or session.id != data["session_id"]:
            self.world.note("gateway", what="refused")
            await self._send(socket, {"op": INVALID, "d": False})
            return
        session.socket = socket
        missed = session.sent[data["seq"] :]
        for event in missed:
            await self._send(socket, event)
        await self.dispatch("RESUMED", {})
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
