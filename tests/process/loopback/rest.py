"""The REST side: the routes of API v10 that a board game bot uses."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import BodyPartReader, web

from tests.process.loopback.faults import Faults
from tests.process.loopback.gateway import Gateway
from tests.process.loopback.world import EPHEMERAL, Interaction, Json, RefusedError, World

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
MESSAGE, DEFER, DEFER_UPDATE, UPDATE, COMPLETIONS = 4, 5, 6, 7, 8


def answer(data: Any, status: int = 200) -> web.Response:
    """JSON with exactly the content type by which discord.py knows it."""
    return web.Response(
        body=json.dumps(data).encode(), status=status, headers={"Content-Type": "application/json"}
    )


def nothing() -> web.Response:
    """204."""
    return web.Response(status=204)


@web.middleware
async def discord_manners(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Faults first, then the handler, its refusals as Discord words them, and a line in the log."""
    if not request.path.startswith("/api/"):
        return await handler(request)
    world: World = request.app["world"]
    faults: Faults = request.app["faults"]
    line = f"{request.method} {request.path.removeprefix('/api/v10')}"
    await faults.wait("before", line)
    response: web.StreamResponse | None = faults.refuse(line)
    if response is None:
        try:
            response = await handler(request)
        except RefusedError as refusal:
            response = answer({"code": refusal.code, "message": refusal.message}, refusal.status)
        except ConnectionError:  # the bot was killed before we had read it all
            response = nothing()
        except web.HTTPNotFound:
            response = answer({"code": 0, "message": "404: Not Found"}, 404)
    else:
        response.headers["Content-Type"] = "application/json"
    world.note("request", line=line, status=response.status)
    await faults.wait("after", line)
    return response


async def read(request: web.Request) -> tuple[Json, list[Json]]:
    """The JSON body and the files of a request (name, size, digest)."""
    if not request.content_type.startswith("multipart/"):
        return (await request.json() if request.can_read_body else {}), []
    body: Json = {}
    files: list[Json] = []
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader)
        data = await part.read()
        if part.name == "payload_json":
            body = json.loads(data)
        else:
            digest = hashlib.sha256(data).hexdigest()
            kind = "image/png" if data.startswith(b"\x89PNG") else "application/octet-stream"
            files.append(
                {"filename": part.filename, "size": len(data), "content_type": kind, "sha256": digest}
            )
    return body, files


class Rest:
    """Handlers; each is one route."""

    def __init__(self, world: World, gateway: Gateway) -> None:
        self.world = world
        self.gateway = gateway

    def routes(self) -> list[web.RouteDef]:
        """All of them, below /api/v10."""
        table: list[tuple[str, str, Handler]] = [
            ("GET", "/users/@me", self.me),
            ("GET", "/users/{user}", self.user),
            ("GET", "/oauth2/applications/@me", self.application),
            ("GET", "/gateway/bot", self.gateway_bot),
            ("GET", "/gateway", self.gateway_bot),
            ("PUT", "/applications/{app}/commands", self.put_commands),
            ("GET", "/applications/{app}/commands", self.get_commands),
            ("GET", "/applications/{app}/emojis", self.emojis),
            ("POST", "/users/@me/channels", self.open_dm),
            ("GET", "/guilds/{guild}", self.guild),
            ("GET", "/guilds/{guild}/threads/active", self.active_threads),
            ("GET", "/guilds/{guild}/members/{user}", self.member),
            ("GET", "/channels/{channel}", self.get_channel),
            ("PATCH", "/channels/{channel}", self.patch_channel),
            ("POST", "/channels/{channel}/typing", self.typing),
            ("POST", "/channels/{channel}/threads", self.start_thread),
            ("POST", "/channels/{channel}/messages/{message}/threads", self.start_thread),
            ("PUT", "/channels/{channel}/thread-members/{user}", self.thread_member),
            ("DELETE", "/channels/{channel}/thread-members/{user}", self.thread_member),
            ("GET", "/channels/{channel}/messages", self.history),
            ("POST", "/channels/{channel}/messages", self.post),
            ("GET", "/channels/{channel}/messages/{message}", self.get_message),
            ("PATCH", "/channels/{channel}/messages/{message}", self.edit),
            ("DELETE", "/channels/{channel}/messages/{message}", self.delete),
            ("POST", "/interactions/{interaction}/{token}/callback", self.callback),
            ("POST", "/webhooks/{app}/{token}", self.follow_up),
            ("GET", "/webhooks/{app}/{token}/messages/{message}", self.get_answer),
            ("PATCH", "/webhooks/{app}/{token}/messages/{message}", self.edit_answer),
            ("DELETE", "/webhooks/{app}/{token}/messages/{message}", self.delete_answer),
        ]
        return [web.route(method, "/api/v10" + path, handler) for method, path, handler in table]

    # -- who and where ----------------------------------------------------------------

    async def me(self, request: web.Request) -> web.Response:
        """The bot itself; 401 for another token than `loopback`."""
        if request.headers.get("Authorization") != "Bot loopback":
            return answer({"code": 0, "message": "401: Unauthorized"}, 401)
        return answer(self.world.bot)

    async def user(self, request: web.Request) -> web.Response:
        """Anybody."""
        user = self.world.users.get(request.match_info["user"])
        if user is None:
            raise RefusedError(404, 10013, "Unknown User")
        return answer(user)

    async def application(self, request: web.Request) -> web.Response:
        """The application behind the bot."""
        bot = self.world.bot
        about = {
            "description": "",
            "icon": None,
            "summary": "",
            "bot_public": True,
            "bot_require_code_grant": False,
        }
        return answer(
            {
                **about,
                "id": bot["id"],
                "name": "Hatamoto",
                "owner": bot,
                "verify_key": "",
                "flags": 0,
                "team": None,
            }
        )

    async def emojis(self, request: web.Request) -> web.Response:
        """No emojis of its own."""
        return answer({"items": []})

    async def gateway_bot(self, request: web.Request) -> web.Response:
        """Where the gateway is: this very process."""
        gateway = self.gateway
        limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": gateway.at_once}
        url = f"ws://{request.host}/gateway"
        return answer({"url": url, "shards": gateway.shards, "session_start_limit": limit})

    async def guild(self, request: web.Request) -> web.Response:
        """A guild."""
        if request.match_info["guild"] not in self.world.guilds:
            raise RefusedError(404, 10004, "Unknown Guild")
        return answer(self.world.guilds[request.match_info["guild"]])

    async def member(self, request: web.Request) -> web.Response:
        """A member of a guild: everybody is."""
        user = self.world.users.get(request.match_info["user"])
        if user is None:
            raise RefusedError(404, 10007, "Unknown Member")
        return answer(self.world.member(user))

    # -- commands ---------------------------------------------------------------------

    async def put_commands(self, request: web.Request) -> web.Response:
        """Replaces the global commands: what a sync does."""
        old = {c["name"]: c["id"] for c in self.world.commands}
        listed: list[Json] = await request.json()
        app = request.match_info["app"]
        self.world.commands = [
            {**c, "id": old.get(c["name"]) or self.world.new_id(), "application_id": app, "version": "1"}
            for c in listed
        ]
        self.world.note("commands", names=[c["name"] for c in listed])
        return answer(self.world.commands)

    async def get_commands(self, request: web.Request) -> web.Response:
        """The global commands."""
        return answer(self.world.commands)

    # -- channels and messages --------------------------------------------------------

    async def open_dm(self, request: web.Request) -> web.Response:
        """The DM channel with `recipient_id`."""
        body = await request.json()
        return answer(self.world.dm(str(body["recipient_id"])))

    async def get_channel(self, request: web.Request) -> web.Response:
        """A channel or thread."""
        return answer(self.world.channel(request.match_info["channel"]))

    async def patch_channel(self, request: web.Request) -> web.Response:
        """Renames or (un-)archives a thread."""
        channel, body = self.world.channel(request.match_info["channel"]), await request.json()
        for name in ("archived", "locked", "auto_archive_duration"):
            if name in body:
                channel["thread_metadata"][name] = body[name]
        channel["name"] = body.get("name", channel.get("name"))
        self.world.note("channel", channel=channel)
        return answer(channel)

    async def typing(self, request: web.Request) -> web.Response:
        """Accepted and forgotten."""
        return nothing()

    async def start_thread(self, request: web.Request) -> web.Response:
        """A thread below a message, or one of its own."""
        parent, body = self.world.channel(request.match_info["channel"]), await request.json()
        message_id = request.match_info.get("message")
        if message_id is not None:
            self.world.message(message_id)
        thread = self.world.new_thread(parent, body, message_id)
        await self.gateway.dispatch("THREAD_CREATE", thread)
        return answer(thread, 201)

    async def thread_member(self, request: web.Request) -> web.Response:
        """Puts somebody into a thread, or takes him out."""
        where = request.match_info
        self.world.seat(where["channel"], where["user"], sits=request.method == "PUT")
        return nothing()

    async def active_threads(self, request: web.Request) -> web.Response:
        """A guild's threads that are not archived."""
        return answer({"threads": self.world.active_threads(request.match_info["guild"]), "members": []})

    async def history(self, request: web.Request) -> web.Response:
        """The last messages, newest first."""
        channel = self.world.channel(request.match_info["channel"])
        query = request.query
        limit = int(query.get("limit", "50"))
        return answer(self.world.history(channel["id"], query.get("before"), query.get("after"), limit))

    async def post(self, request: web.Request) -> web.Response:
        """A new message."""
        body, files = await read(request)
        message = self.world.post(request.match_info["channel"], body, files)
        guild_id = self.world.channel(message["channel_id"]).get("guild_id")
        await self.gateway.dispatch(
            "MESSAGE_CREATE", {**message, "guild_id": guild_id} if guild_id else message
        )
        return answer(message)

    async def get_message(self, request: web.Request) -> web.Response:
        """One message."""
        return answer(self.world.message(request.match_info["message"]))

    async def edit(self, request: web.Request) -> web.Response:
        """Changes a message."""
        body, files = await read(request)
        return answer(self.world.edit(request.match_info["message"], body, files))

    async def delete(self, request: web.Request) -> web.Response:
        """Removes a message."""
        self.world.delete(request.match_info["message"])
        return nothing()

    # -- answers to interactions ------------------------------------------------------

    def _interaction(self, request: web.Request) -> Interaction:
        found = self.world.interactions.get(request.match_info["token"])
        if found is None:
            raise RefusedError(404, 10062, "Unknown interaction")
        return found

    async def callback(self, request: web.Request) -> web.Response:
        """The first answer, of which there is only one."""
        asked = self._interaction(request)
        body, files = await read(request)
        if asked.callback is not None:
            raise RefusedError(400, 40060, "Interaction has already been acknowledged.")
        kind, data = body["type"], body.get("data") or {}
        asked.callback = kind
        message = None
        if kind == MESSAGE:
            message = self.world.post(asked.channel_id, data, files, reply=asked)
            asked.original = message["id"]
        elif kind == UPDATE:
            message = self.world.edit(self._pressed(asked), data, files)
        elif kind == DEFER:
            asked.loading = True
            message = self.world.post(
                asked.channel_id, {"flags": data.get("flags", 0) | 128}, [], reply=asked
            )
            asked.original = message["id"]
        if kind in {UPDATE, DEFER_UPDATE}:
            asked.original = asked.message_id
        self.world.note("answer", interaction=asked.id, callback=kind, data=data, message=message)
        return (
            answer(self._receipt(asked, kind, data, message))
            if "with_response" in request.query
            else nothing()
        )

    def _pressed(self, asked: Interaction) -> str:
        if asked.message_id is None:
            raise RefusedError(400, 50035, "No message to update")
        return asked.message_id

    def _receipt(self, asked: Interaction, kind: int, data: Json, message: Json | None) -> Json:
        interaction = {
            "id": asked.id,
            "type": 2,
            "response_message_id": asked.original,
            "response_message_loading": kind in {DEFER, DEFER_UPDATE},
            "response_message_ephemeral": bool(data.get("flags", 0) & EPHEMERAL),
        }
        resource = {"type": kind, **({"message": message} if message else {})}
        return {"interaction": interaction, "resource": resource}

    async def follow_up(self, request: web.Request) -> web.Response:
        """A further message; the first one after a deferral fills it."""
        asked = self._interaction(request)
        body, files = await read(request)
        if asked.callback is None:
            raise RefusedError(404, 10015, "Unknown Webhook")
        if asked.loading and asked.callback == DEFER:
            asked.loading = False
            assert asked.original is not None
            message = self.world.edit(asked.original, body, files)
        else:
            message = self.world.post(asked.channel_id, body, files, reply=asked)
        self.world.note("answer", interaction=asked.id, callback=None, data=body, message=message)
        return answer(message)

    def _answer_id(self, request: web.Request) -> str:
        wanted, asked = request.match_info["message"], self._interaction(request)
        if wanted != "@original":
            return wanted
        return str(self.world.message(asked.original)["id"])

    async def get_answer(self, request: web.Request) -> web.Response:
        """A message that answered."""
        return answer(self.world.message(self._answer_id(request)))

    async def edit_answer(self, request: web.Request) -> web.Response:
        """Changes a message that answered, or fills a deferred one."""
        asked = self._interaction(request)
        body, files = await read(request)
        message = self.world.edit(self._answer_id(request), body, files)
        asked.loading = False
        self.world.note("answer", interaction=asked.id, callback=None, data=body, message=message)
        return answer(message)

    async def delete_answer(self, request: web.Request) -> web.Response:
        """Removes a message that answered."""
        asked = self._interaction(request)
        self.world.delete(self._answer_id(request))
        self.world.note("answer", interaction=asked.id, callback=None, data={}, message=None)
        return nothing()
