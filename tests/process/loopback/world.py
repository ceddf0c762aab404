"""What this Discord knows, and the log of everything that happened to it.

Objects are the JSON that Discord sends, kept as dictionaries; ids are snowflakes as text.
"""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

Json = dict[str, Any]

EPOCH = 1420070400000  # ms, the start of Discord's snowflakes
NONCE_SECONDS = 300
EPHEMERAL = 1 << 6
EVERYTHING = str((1 << 50) - 1)
THREAD, PRIVATE_THREAD = 11, 12
THREADS = (THREAD, PRIVATE_THREAD)


class RefusedError(Exception):
    """An error that Discord answers with: HTTP status, its own code, its words."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


@dataclass
class Interaction:
    """One interaction: who asked, how it was answered, the messages that answer it."""

    id: str
    token: str
    user_id: str
    channel_id: str
    message_id: str | None = None  # of the message whose button was pressed
    callback: int | None = None  # type of the first answer
    original: str | None = None  # message id that `@original` means
    loading: bool = False  # deferred and not filled yet


@dataclass
class World:
    """The whole of it. Every change goes through `note`, which wakes whoever waits."""

    bot: Json = field(default_factory=dict)
    users: dict[str, Json] = field(default_factory=dict)
    guilds: dict[str, Json] = field(default_factory=dict)
    channels: dict[str, Json] = field(default_factory=dict)
    dms: dict[str, Json] = field(default_factory=dict)  # channels by the user's id
    members: dict[str, set[str]] = field(default_factory=dict)  # user ids of each thread
    messages: dict[str, Json] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)  # ids of ephemeral messages
    commands: list[Json] = field(default_factory=list)
    interactions: dict[str, Interaction] = field(default_factory=dict)  # by token
    closed_dms: set[str] = field(default_factory=set)  # user ids
    app_permissions: str = EVERYTHING
    nonces: dict[tuple[str, str], tuple[float, str]] = field(default_factory=dict)
    log: list[Json] = field(default_factory=list)
    waiting: asyncio.Event = field(default_factory=asyncio.Event)
    last_id: int = 0

    def __post_init__(self) -> None:
        """There is a bot from the beginning."""
        self.bot = self.new_user("Hatamoto", bot=True)

    # -- ids, time, the log -----------------------------------------------------------

    def new_id(self) -> str:
        """A snowflake of now, larger than any before."""
        self.last_id = max(self.last_id + 1, (int(time.time() * 1000) - EPOCH) << 22)
        return str(self.last_id)

    def note(self, kind: str, **what: Any) -> None:
        """Appends to the log and wakes those who wait for it."""
        self.log.append({"n": len(self.log), "at": time.monotonic(), "kind": kind, **what})
        self.waiting.set()
        self.waiting = asyncio.Event()

    # -- people and places -------------------------------------------------------------

    def new_user(self, name: str, *, bot: bool = False) -> Json:
        """A new user; members of every guild without further ado."""
        user: Json = {
            "id": self.new_id(),
            "username": name.lower(),
            "global_name": name,
            "discriminator": "0",
            "avatar": None,
            "bot": bot,
            "public_flags": 0,
        }
        self.users[user["id"]] = user
        return user

    def new_guild(self, name: str, locale: str, shard: tuple[int, int] | None = None) -> Json:
        """A guild with @everyone allowed everything, and no channel; on this shard of so many."""
        guild_id = self.new_id()
        while shard is not None and (int(guild_id) >> 22) % shard[1] != shard[0]:
            self.last_id = ((int(guild_id) >> 22) + 1 << 22) - 1
            guild_id = self.new_id()
        everyone = {
            "id": guild_id,
            "name": "@everyone",
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "position": 0,
            "permissions": EVERYTHING,
            "managed": False,
            "mentionable": False,
            "flags": 0,
        }
        guild = {
            "id": guild_id,
            "name": name,
            "owner_id": self.bot["id"],
            "preferred_locale": locale,
            "roles": [everyone],
            "features": [],
            "emojis": [],
            "stickers": [],
            "member_count": 3,
            "premium_tier": 0,
            "verification_level": 0,
        }
        self.guilds[guild_id] = guild
        return guild

    def new_channel(self, guild_id: str, name: str) -> Json:
        """A text channel in a guild."""
        channel: Json = {
            "id": self.new_id(),
            "type": 0,
            "guild_id": guild_id,
            "name": name,
            "position": 0,
            "permission_overwrites": [],
            "parent_id": None,
            "topic": None,
            "nsfw": False,
            "rate_limit_per_user": 0,
            "last_message_id": None,
        }
        self.channels[channel["id"]] = channel
        return channel

    def new_thread(self, parent: Json, body: Json, thread_id: str | None) -> Json:
        """A thread below `parent`; started from a message it is public and has that message's id.

        One of its own is private unless its type says otherwise, as Discord has it.
        """
        if thread_id in self.channels:
            raise RefusedError(400, 160004, "A thread has already been created for this message")
        thread: Json = {
            "id": thread_id or self.new_id(),
            "type": body.get("type", PRIVATE_THREAD) if thread_id is None else THREAD,
            "guild_id": parent["guild_id"],
            "parent_id": parent["id"],
            "owner_id": self.bot["id"],
            "name": body["name"],
            "message_count": 0,
            "member_count": 1,
            "rate_limit_per_user": 0,
            "last_message_id": None,
            "thread_metadata": {
                "archived": False,
                "auto_archive_duration": 10080,
                "archive_timestamp": now(),
                "locked": False,
                "create_timestamp": now(),
            },
        }
        self.channels[thread["id"]] = thread
        self.members[thread["id"]] = {self.bot["id"]}
        self.note("thread", thread=thread)
        return thread

    def active_threads(self, guild_id: str) -> list[Json]:
        """A guild's threads that are not archived."""
        mine = (c for c in self.channels.values() if c.get("guild_id") == guild_id and c["type"] in THREADS)
        return [thread for thread in mine if not thread["thread_metadata"]["archived"]]

    def seat(self, thread_id: str, user_id: str, *, sits: bool) -> None:
        """Puts a user into a thread or takes him out of it."""
        if self.channel(thread_id)["type"] not in THREADS or user_id not in self.users:
            raise RefusedError(404, 10003, "Unknown Channel")
        (self.members[thread_id].add if sits else self.members[thread_id].discard)(user_id)
        self.note("thread-members", thread=thread_id, users=sorted(self.members[thread_id]))

    def dm(self, user_id: str) -> Json:
        """The DM channel between the bot and a user, opened at the first call."""
        user = self.users[user_id]
        if user_id in self.dms:
            return self.dms[user_id]
        channel: Json = {"id": self.new_id(), "type": 1, "recipients": [user], "last_message_id": None}
        self.channels[channel["id"]] = self.dms[user_id] = channel
        self.note("dm", channel=channel)
        return channel

    def channel(self, channel_id: str) -> Json:
        """A channel, or the refusal that Discord has for it."""
        if channel_id not in self.channels:
            raise RefusedError(404, 10003, "Unknown Channel")
        return self.channels[channel_id]

    def member(self, user: Json) -> Json:
        """A user as a member of any guild."""
        return {
            "user": user,
            "nick": None,
            "roles": [],
            "joined_at": "2026-01-01T00:00:00+00:00",
            "deaf": False,
            "mute": False,
            "flags": 0,
            "permissions": EVERYTHING,
        }

    # -- messages ---------------------------------------------------------------------

    def post(
        self, channel_id: str, body: Json, files: list[Json], *, reply: Interaction | None = None
    ) -> Json:
        """A new message by the bot; the first one again where its nonce was seen (enforce_nonce)."""
        channel = self.channel(channel_id)
        if channel["type"] == 1 and reply is None and channel["recipients"][0]["id"] in self.closed_dms:
            raise RefusedError(403, 50007, "Cannot send messages to this user")
        if channel["type"] in THREADS and channel["thread_metadata"]["archived"]:
            raise RefusedError(400, 50083, "Thread is archived")
        key = (channel_id, str(body.get("nonce")))
        if body.get("nonce") is not None and body.get("enforce_nonce") and key in self.nonces:
            seen, message_id = self.nonces[key]
            if time.monotonic() - seen < NONCE_SECONDS and message_id in self.messages:
                self.note("nonce", message=self.messages[message_id])
                return self.messages[message_id]
        message = self._message(channel_id, body, files)
        self.messages[message["id"]] = message
        if body.get("nonce") is not None:
            self.nonces[key] = (time.monotonic(), message["id"])
        if message["flags"] & EPHEMERAL:
            self.hidden.add(message["id"])
        else:
            channel["last_message_id"] = message["id"]
        self.note("message", message=message, ephemeral=message["id"] in self.hidden)
        return message

    def _message(self, channel_id: str, body: Json, files: list[Json]) -> Json:
        message_id = self.new_id()
        return {
            "id": message_id,
            "channel_id": channel_id,
            "author": self.bot,
            "content": body.get("content") or "",
            "timestamp": now(),
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": self._mentions(body),
            "mention_roles": [],
            "attachments": self._attachments(body, files, []),
            "embeds": body.get("embeds") or [],
            "components": body.get("components") or [],
            "pinned": False,
            "type": 0,
            "flags": body.get("flags") or 0,
            "nonce": body.get("nonce"),
        }

    def edit(self, message_id: str, body: Json, files: list[Json]) -> Json:
        """Changes a message as PATCH does: what is not named stays."""
        message = self.message(message_id)
        for name in ("content", "embeds", "components"):
            if name in body:
                message[name] = body[name] or ([] if name != "content" else "")
        if "flags" in body:
            message["flags"] = (message["flags"] & EPHEMERAL) | (body["flags"] or 0)
        if "attachments" in body or files:
            message["attachments"] = self._attachments(body, files, message["attachments"])
        message["edited_timestamp"] = now()
        self.note("edit", message=message, ephemeral=message_id in self.hidden)
        return message

    def delete(self, message_id: str) -> None:
        """Removes a message for good."""
        message = self.message(message_id)
        del self.messages[message_id]
        self.note("delete", message=message)

    def message(self, message_id: str | None) -> Json:
        """A message, or the refusal that Discord has for it."""
        if message_id is None or message_id not in self.messages:
            raise RefusedError(404, 10008, "Unknown Message")
        return self.messages[message_id]

    def history(self, channel_id: str, before: str | None, after: str | None, limit: int) -> list[Json]:
        """Public messages of a channel, the newest first."""
        found = [
            m
            for m in self.messages.values()
            if m["channel_id"] == channel_id
            and m["id"] not in self.hidden
            and (before is None or int(m["id"]) < int(before))
            and (after is None or int(m["id"]) > int(after))
        ]
        return sorted(found, key=lambda m: -int(m["id"]))[:limit]

    def _mentions(self, body: Json) -> list[Json]:
        """Users who are pinged: written in the text and allowed."""
        allowed = body.get("allowed_mentions") or {}
        users = set(map(str, allowed.get("users", [])))
        everyone = "users" in allowed.get("parse", [])
        text = str(body.get("content")) + str(body.get("components"))
        named = dict.fromkeys(re.findall(r"<@(\d+)>", text))
        return [self.users[i] for i in named if i in self.users and (everyone or i in users)]

    def _attachments(self, body: Json, files: list[Json], old: list[Json]) -> list[Json]:
        """Kept attachments, and the new files with their descriptions."""
        listed = {str(a["id"]): a for a in body.get("attachments") or []}
        kept = [a for a in old if a["id"] in listed] if "attachments" in body else list(old)
        for index, file in enumerate(files):
            about = listed.get(str(index), {})
            url = f"http://127.0.0.1/cdn/{file['filename']}"
            kept.append(
                {
                    **file,
                    "id": self.new_id(),
                    "url": url,
                    "proxy_url": url,
                    "description": about.get("description"),
                }
            )
        return kept


def now() -> str:
    """This moment as Discord writes it."""
    return datetime.now(UTC).isoformat()
