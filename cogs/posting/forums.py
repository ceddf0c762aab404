"""Tables in forums: a post each, with tags for the game and for how it stands, which are kept in step.

Tags that are missing are made where the bot may manage the channel; else those are used that are there, by
their name in any of our languages.
"""

from __future__ import annotations

import logging
from functools import cache

import discord

from cogs.posting.codes import refused
from cogs.posting.posts import Post
from cogs.posting.rooms import LONGEST
from cogs.services import Services
from cogs.text.answers import cut
from cogs.text.games import playable
from db.rows import OutboxRow
from locales import LANGUAGES, Words, words
from tables.core.model import Table

log = logging.getLogger("hatamoto.forums")
STATES = ("open", "running", "over")
MOST_TAGS, MOST_APPLIED, MOST_NAME = 20, 5, 20  # of a forum, of a post, characters


async def forum_of(bot: Services, table: Table) -> discord.ForumChannel | None:
    """The forum of a table; None where it is played in any other channel."""
    if table.place.guild_id is None or table.in_place:
        return None
    channel = bot.get_channel(table.place.channel_id)
    return channel if isinstance(channel, discord.ForumChannel) else None


def keys_of(table: Table) -> tuple[str, str]:
    """The messages that name its tags: the game, and how it stands."""
    state = table.status if table.status in ("open", "running") else "over"
    return f"{table.game}.title", f"choice.show.{'running' if table.status == 'broken' else state}"


@cache
def names_of(key: str) -> frozenset[str]:
    """A tag's names in all our languages, small."""
    return frozenset(cut(words(language)(key), MOST_NAME).casefold() for language in LANGUAGES)


@cache
def all_names() -> frozenset[str]:
    """Names of every tag that is ours to set."""
    keys = [*(f"{game}.title" for game in playable()), *(f"choice.show.{state}" for state in STATES)]
    return frozenset().union(*(names_of(key) for key in keys))


def missing_tags(forum: discord.ForumChannel, spoken: Words) -> list[str]:
    """Names of tags that the forum lacks and the bot may not make."""
    if forum.permissions_for(forum.guild.me).manage_channels:
        return []
    keys = [*(f"{game}.title" for game in playable()), *(f"choice.show.{state}" for state in STATES)]
    there = {tag.name.casefold() for tag in forum.available_tags}
    return [cut(spoken(key), MOST_NAME) for key in keys if not names_of(key) & there]


async def tags_for(forum: discord.ForumChannel, table: Table, spoken: Words) -> list[discord.ForumTag]:
    """The tags of a table, made where they are missing and the bot may make them."""
    allowed = forum.permissions_for(forum.guild.me)
    known = {tag.name.casefold(): tag for tag in forum.available_tags}
    lacking = [key for key in keys_of(table) if not names_of(key) & known.keys()]
    if lacking and allowed.manage_channels and len(forum.available_tags) + len(lacking) <= MOST_TAGS:
        made = [discord.ForumTag(name=cut(spoken(key), MOST_NAME)) for key in lacking]
        try:
            changed = await forum.edit(available_tags=[*forum.available_tags, *made])
        except discord.HTTPException as error:
            if not refused(error):
                raise
            log.warning("forum %s takes no tags: %s", forum.id, error)
        else:
            known = {tag.name.casefold(): tag for tag in (changed or forum).available_tags}
    found = [known[name] for key in keys_of(table) for name in names_of(key) & known.keys()]
    return [tag for tag in dict.fromkeys(found) if not tag.moderated or allowed.manage_threads]


async def opened(  # noqa: PLR0917 - a table, its row, and what the post begins with
    bot: Services,
    forum: discord.ForumChannel,
    row: OutboxRow,
    table: Table,
    name: str,
    post: Post,
    *,
    again: bool,
) -> int:
    """The table's post, whose first message has its id; made now, or before a crash (`again`)."""
    if again and (found := await left_behind(bot, forum, row, table)) is not None:
        return found
    spoken = await bot.languages.of_posts(table.place.guild_id, table.locale)
    tags = await tags_for(forum, table, spoken)
    made = await forum.create_thread(
        name=name, applied_tags=tags, auto_archive_duration=LONGEST, **post.arguments()
    )
    return made.thread.id


async def left_behind(bot: Services, forum: discord.ForumChannel, row: OutboxRow, table: Table) -> int | None:
    """The post that an attempt before a crash made: ours, not older than its row, of the table's number."""
    listed = await bot.http.get_active_threads(forum.guild.id)
    for thread in listed["threads"]:
        ours = bot.user is not None and int(thread["owner_id"]) == bot.user.id
        at = discord.utils.snowflake_time(int(thread["id"])).timestamp() * 1000
        named = thread["name"].startswith(f"#{table.id} ")
        if ours and named and int(thread["parent_id"]) == forum.id and at >= row.created_at - 60_000:
            return int(thread["id"])
    return None


async def in_step(bot: Services, table: Table, name: str) -> None:
    """Sets a post's tags to how its table stands now, and its name to who plays; others' tags stay."""
    forum = await forum_of(bot, table)
    thread = bot.get_channel(table.place.thread_id or 0)
    if forum is None or not isinstance(thread, discord.Thread) or thread.archived:
        return
    shown = {tag.name.casefold() for tag in thread.applied_tags}
    if all(names_of(key) & shown for key in keys_of(table)) and len(shown & all_names()) == len(
        keys_of(table)
    ):
        return
    spoken = await bot.languages.of_posts(table.place.guild_id, table.locale)
    wanted = await tags_for(forum, table, spoken)
    others = [tag for tag in thread.applied_tags if tag.name.casefold() not in all_names()]
    tags = [*wanted, *others][:MOST_APPLIED]
    if {tag.id for tag in tags} == {tag.id for tag in thread.applied_tags}:
        return
    try:
        await thread.edit(name=name, applied_tags=tags)
    except discord.HTTPException as error:
        if not refused(error):
            raise
        log.warning("the post of table %s keeps its tags: %s", table.id, error)
