"""What a test may do to this Discord: people, places, interactions, faults, and the log of it all."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from aiohttp import web

from tests.process.loopback.faults import Faults
from tests.process.loopback.gateway import Gateway
from tests.process.loopback.lag import Lag
from tests.process.loopback.world import EPHEMERAL, Interaction, Json, World

COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT = 2, 3, 4, 5
GROUP, USER, ATTACHMENT = 2, 6, 11
BUTTON = 2


class Control:
    """Handlers below /control; each takes and returns JSON."""

    def __init__(self, world: World, gateway: Gateway, faults: Faults) -> None:
        self.world, self.gateway, self.faults = world, gateway, faults
        self._lag = Lag()
        self._files: list[Path] = []  # that users attached
        self._host = ""

    def routes(self) -> list[web.RouteDef]:
        """All of them."""
        handlers = {
            "bot": self.bot,
            "user": self.user,
            "guild": self.guild,
            "channel": self.channel,
            "channels": self.channels,
            "interact": self.interact,
            "limit": self.limit,
            "freeze": self.freeze,
            "thaw": self.thaw,
            "drop": self.drop,
            "shards": self.shards,
            "close-dm": self.close_dm,
            "open-dm": self.open_dm,
            "delete": self.delete,
            "log": self.log,
            "lag": self.lag,
        }
        posts = [web.post(f"/control/{name}", handler) for name, handler in handlers.items()]
        return [*posts, web.get("/control/file/{number}", self.file)]

    async def bot(self, request: web.Request) -> web.Response:
        """The bot's own user."""
        return web.json_response(self.world.bot)

    async def user(self, request: web.Request) -> web.Response:
        """A new user called `name`."""
        return web.json_response(self.world.new_user((await request.json())["name"]))

    async def guild(self, request: web.Request) -> web.Response:
        """A new guild, on the `shard` [i, n] if it is to be on one."""
        body = await request.json()
        guild = self.world.new_guild(body["name"], body.get("locale", "en-US"), body.get("shard"))
        await self.gateway.dispatch("GUILD_CREATE", self.gateway.whole_guild(guild))
        return web.json_response(guild)

    async def channel(self, request: web.Request) -> web.Response:
        """A new text channel in `guild`."""
        body = await request.json()
        channel = self.world.new_channel(body["guild"], body["name"])
        await self.gateway.dispatch("CHANNEL_CREATE", channel)
        return web.json_response(channel)

    async def channels(self, request: web.Request) -> web.Response:
        """All channels."""
        return web.json_response([{"channel": channel} for channel in self.world.channels.values()])

    async def log(self, request: web.Request) -> web.Response:
        """The log from entry `start` on; waits up to `seconds` for one that is not there yet.

        With `kinds` only those, without what a message holds beside its content.
        """
        body = await request.json()
        if len(self.world.log) <= body["start"]:
            waiting = self.world.waiting
            try:
                await asyncio.wait_for(waiting.wait(), body["seconds"])
            except TimeoutError:
                return web.json_response([])
        entries = self.world.log[body["start"] :]
        return web.json_response(briefly(entries, body["kinds"]) if "kinds" in body else entries)

    async def lag(self, request: web.Request) -> web.Response:
        """How late this process was, in ms, once every five since the last call."""
        return web.json_response(self._lag.read())

    # -- faults -----------------------------------------------------------------------

    async def limit(self, request: web.Request) -> web.Response:
        """429, or `status`, for the next `count` requests that match `pattern`."""
        body = await request.json()
        self.faults.rate_limit(
            body["count"],
            body.get("pattern", ""),
            body.get("retry_after", 0.2),
            body.get("everywhere", False),
            body.get("status", 429),
            body.get("code", 0),
        )
        return web.json_response({})

    async def freeze(self, request: web.Request) -> web.Response:
        """Matching requests hang before or after they are carried out."""
        body = await request.json()
        self.faults.freeze(body["when"], body.get("pattern", ""))
        return web.json_response({})

    async def thaw(self, request: web.Request) -> web.Response:
        """They go on."""
        self.faults.thaw()
        return web.json_response({})

    async def drop(self, request: web.Request) -> web.Response:
        """Cuts the gateway's sockets: now, or after each `every` events from now on (0: no more)."""
        every = (await request.json()).get("every")
        if every is None:
            await self.gateway.drop()
        else:
            self.gateway.drop_every(every)
        return web.json_response({})

    async def shards(self, request: web.Request) -> web.Response:
        """From now on this Discord wants `shards`, `at_once` of which may identify in `apart_s` seconds."""
        body = await request.json()
        self.gateway.shards, self.gateway.at_once = body["shards"], body["at_once"]
        self.gateway.apart_s = body["apart_s"]
        return web.json_response({})

    async def close_dm(self, request: web.Request) -> web.Response:
        """From now on `user` takes no DMs from the bot."""
        self.world.closed_dms.add((await request.json())["user"])
        return web.json_response({})

    async def open_dm(self, request: web.Request) -> web.Response:
        """He does again."""
        self.world.closed_dms.discard((await request.json())["user"])
        return web.json_response({})

    async def delete(self, request: web.Request) -> web.Response:
        """A moderator removes the message `message`."""
        message_id = (await request.json())["message"]
        channel_id = self.world.message(message_id)["channel_id"]
        self.world.delete(message_id)
        await self.gateway.dispatch("MESSAGE_DELETE", {"id": message_id, "channel_id": channel_id})
        return web.json_response({})

    # -- interactions -----------------------------------------------------------------

    async def interact(self, request: web.Request) -> web.Response:
        """Sends an interaction; 409 while no bot listens, 422 for what no user could send.

        `id` sends one again; with `missed` it waits in the session for the bot to resume.
        """
        body = await request.json()
        self._host = request.host
        try:
            data, kind = self._data(body)
        except LookupError as impossible:
            return web.json_response({"error": str(impossible)}, status=422)
        guild_id = self.world.channel(body["channel"]).get("guild_id")
        if not (self.gateway.connected(guild_id) or body.get("missed")):
            return web.json_response({"error": "no bot listens"}, status=409)
        asked = Interaction(
            body.get("id") or self.world.new_id(),
            "",
            body["user"],
            body["channel"],
            message_id=body.get("message"),
        )
        asked.token = f"token-{asked.id}-{len(self.world.interactions)}"
        self.world.interactions[asked.token] = asked
        self.world.note("interaction", interaction=asked.id)
        await self.gateway.dispatch("INTERACTION_CREATE", self._payload(asked, kind, data, body))
        return web.json_response({"id": asked.id})

    def _payload(self, asked: Interaction, kind: int, data: Json, body: Json) -> Json:
        channel = self.world.channel(asked.channel_id)
        user = self.world.users[asked.user_id]
        payload: Json = {
            "id": asked.id,
            "application_id": self.world.bot["id"],
            "type": kind,
            "token": asked.token,
            "version": 1,
            "data": data,
            "channel_id": channel["id"],
            "channel": {**channel, "permissions": self.world.app_permissions},
            "locale": body.get("locale", "en-US"),
            "app_permissions": self.world.app_permissions,
            "entitlements": [],
            "attachment_size_limit": 10 * 1024 * 1024,
        }
        if channel.get("guild_id"):
            guild = self.world.guilds[channel["guild_id"]]
            payload |= {
                "guild_id": guild["id"],
                "guild": {"id": guild["id"], "locale": guild["preferred_locale"], "features": []},
                "guild_locale": guild["preferred_locale"],
                "member": self.world.member(user),
                "authorizing_integration_owners": {"0": guild["id"]},
                "context": 0,
            }
        else:
            payload |= {"user": user, "authorizing_integration_owners": {"1": user["id"]}, "context": 1}
        if asked.message_id is not None:
            payload["message"] = self.world.message(asked.message_id)
        return payload

    def _data(self, body: Json) -> tuple[Json, int]:
        """The interaction's data and type. Raises LookupError for what is not offered."""
        if "command" in body:
            kind = AUTOCOMPLETE if body.get("focused") else COMMAND
            return self._command(body["command"].split(), body.get("options", {}), body.get("focused")), kind
        if "fields" in body:
            rows = [
                {"type": 18, "component": {"type": 4, "custom_id": name, "value": value}}
                for name, value in body["fields"].items()
            ]
            return {"custom_id": body["press"], "components": rows}, SUBMIT
        return self._press(body), COMPONENT

    def _attached(self, number: str, path: Path) -> Json:
        """A file of the machine's as a user attaches it; the bot fetches it here."""
        self._files.append(path)
        url = f"http://{self._host}/control/file/{len(self._files) - 1}"
        size = path.stat().st_size
        return {"id": number, "filename": path.name, "size": size, "url": url, "proxy_url": url}

    async def file(self, request: web.Request) -> web.StreamResponse:
        """What a user attached."""
        return web.FileResponse(self._files[int(request.match_info["number"])])

    def _press(self, body: Json) -> Json:
        message = self.world.message(body["message"])
        if message["id"] in self.world.hidden and not message["flags"] & EPHEMERAL:
            raise LookupError("not this user's message")
        for part in parts(message["components"]):
            if part.get("custom_id") == body["press"] and not part.get("disabled"):
                data: Json = {"custom_id": body["press"], "component_type": part["type"]}
                return data if part["type"] == BUTTON else {**data, "values": body["values"], "resolved": {}}
        raise LookupError(f"nothing to press called {body['press']}")

    def _command(self, words: list[str], options: Json, focused: str | None) -> Json:
        """The nested data of a slash command, by the definitions that the bot has synced."""
        command = next((c for c in self.world.commands if c["name"] == words[0]), None)
        if command is None:
            raise LookupError(f"no command called {words[0]}")
        data: Json = {"id": command["id"], "name": words[0], "type": 1, "options": [], "resolved": {}}
        level, definition = data["options"], command
        for word in words[1:]:
            definition = option(definition, word)
            inner: Json = {"name": word, "type": definition["type"], "options": []}
            level.append(inner)
            level = inner["options"]
        for name, value in options.items():
            known = option(definition, name)
            entry = {"name": name, "type": known["type"], "value": value}
            level.append({**entry, "focused": True} if name == focused else entry)
            if known["type"] == USER:
                user = self.world.users[value]
                member = {k: v for k, v in self.world.member(user).items() if k != "user"}
                data["resolved"].setdefault("users", {})[value] = user
                data["resolved"].setdefault("members", {})[value] = member
            if known["type"] == ATTACHMENT:
                level[-1]["value"] = number = self.world.new_id()
                data["resolved"].setdefault("attachments", {})[number] = self._attached(number, Path(value))
        return data


def option(definition: Json, name: str) -> Json:
    """The option or subcommand of this name. Raises LookupError."""
    for known in definition.get("options", []):
        if known["name"] == name:
            found: Json = known
            return found
    raise LookupError(f"{definition['name']} has no {name}")


def parts(components: Any) -> list[Json]:
    """Every component of a message, nested ones too."""
    found: list[Json] = []
    for component in components:
        found.append(component)
        found += parts(component.get("components", []))
        if "accessory" in component:
            found += parts([component["accessory"]])
    return found


def words_of(message: Json) -> str:
    """What a message says, whether as its content or in its parts."""
    said = [message.get("content"), *(part.get("content") for part in parts(message.get("components") or []))]
    return "\n".join(str(text) for text in said if text)


def briefly(entries: list[Json], kinds: list[str]) -> list[Json]:
    """Entries of these kinds, with no more of a message than its words and how many pictures it has.

    The last entry in any case.
    """
    return [
        {"n": e["n"], "at": e["at"], "kind": e["kind"], "interaction": e.get("interaction"),
         "callback": e.get("callback"),
         "message": {"content": words_of(e.get("message") or {}),
                     "pictures": len((e.get("message") or {}).get("attachments") or ())}}
        for e in entries
        if e["kind"] in kinds or e is entries[-1]
    ]  # fmt: skip
