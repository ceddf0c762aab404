"""`/settings`: languages, threads, hands by DM."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import discord
from discord import app_commands
from discord.ext import commands

from cogs.posting.forums import missing_tags
from cogs.services import Services
from cogs.text.answers import Interaction, answer, answering, caller, plain, wait
from cogs.text.languages import GuildSettings
from cogs.text.translator import said, worded
from db.repositories import users
from db.rows import UserRow
from engines.protocol import printable
from engines.typed import plainly
from locales import LANGUAGES, Words, words
from tables.choices import OwnChoices, ServerChoices
from tables.core.elsewhere import BY_DM, DIGEST, TABLE
from tables.core.errors import TableError
from tables.core.quiet import zones
from tables.time.absences import DAYS_A_YEAR

CALLED = (TABLE, BY_DM, DIGEST)
AUTOMATIC = "auto"  # follows Discord
OFF = "off"
HOUR = r"(\d{1,2})(?:[:.](\d{2}))? ?(?:([ap])\.?m\.?)?"
QUIET = re.compile(rf"{HOUR} ?- ?{HOUR}", re.IGNORECASE)
DAY_MS = 24 * 3600 * 1000
MOST_AWAY = DAYS_A_YEAR  # days


def language_choices() -> list[app_commands.Choice[str]]:
    """Automatic, and each catalogue by its own name for itself."""
    named = [app_commands.Choice(name=words(code)("language.name"), value=code) for code in LANGUAGES]
    return [app_commands.Choice(name=said("choice.language.auto"), value=AUTOMATIC), *named][:25]


def call_choices() -> list[app_commands.Choice[str]]:
    """Where one may be called."""
    return [app_commands.Choice(name=said(f"choice.call.{way}"), value=way) for way in CALLED]


class Times(NamedTuple):
    """What was typed about reminders."""

    remind: int | None
    quiet: str | None
    zone: str | None
    next: bool | None
    call: str | None = None
    digest: str | None = None


def preferences(times: Times) -> dict[str, Any]:
    """What was typed as values of the user's row. Raises `bad-quiet`, `bad-zone`, `bad-hour`."""
    values: dict[str, Any] = {}
    if times.remind is not None:
        values["remind_hours"] = times.remind
    if times.quiet is not None:
        values["quiet_from"], values["quiet_to"] = quiet_hours(times.quiet)
    if times.zone is not None:
        known = {zone.casefold(): zone for zone in zones()}
        typed = plainly(times.zone).replace(" ", "_").casefold()
        if typed not in known:
            raise TableError("bad-zone", zone=printable(times.zone, 40))
        values["zone"] = known[typed]
    if times.next is not None:
        values["next_ping"] = times.next
    if times.call is not None:
        values["call_by"] = times.call
    if times.digest is not None:
        values["digest_at"] = hour_of(times.digest)
    return values


def hour_of(text: str) -> int:
    """`18`, `18:30` or `6pm` in minutes after midnight. Raises `bad-hour`."""
    match = re.fullmatch(HOUR, plainly(text), re.IGNORECASE)
    found = None if match is None else minute(*match.groups())
    if found is None:
        raise TableError("bad-hour", text=printable(text, 20))
    return found


def quiet_hours(text: str) -> tuple[int | None, int | None]:
    """`22-8`, `22:30-7:15` or `10pm-8am` in minutes after midnight; `off` for none. Raises `bad-quiet`."""
    typed = plainly(text)
    if typed.casefold() == OFF:
        return None, None
    match = QUIET.fullmatch(typed)
    if match is None:
        raise TableError("bad-quiet", text=printable(text, 20))
    start, end = minute(*match.groups()[:3]), minute(*match.groups()[3:])
    if start is None or end is None or start == end:
        raise TableError("bad-quiet", text=printable(text, 20))
    return start, end


def minute(hour: str, past: str | None, half: str | None) -> int | None:
    """A time of day in minutes after midnight, by the clock of 24 hours or of twice 12; None for none."""
    hours, minutes = int(hour), int(past or 0)
    if half is not None:
        if not 1 <= hours <= 12:
            return None
        hours = hours % 12 + (12 if half.casefold() == "p" else 0)
    return hours * 60 + minutes if hours < 24 and minutes < 60 else None


def time_lines(row: UserRow, said_in: Words) -> list[str]:
    """Reminders, quiet hours and vacation as they are now."""
    quiet = said_in("settings.off")
    if row.quiet_from is not None and row.quiet_to is not None:
        quiet = f"{clock_time(row.quiet_from)}–{clock_time(row.quiet_to)} ({row.zone})"
    lines = [
        said_in("settings.remind", n=row.remind_hours)
        if row.remind_hours
        else said_in("settings.remind-off"),
        said_in("settings.quiet", value=quiet),
        call_line(row, said_in),
        *([said_in("settings.zone-hint")] if timed(row) and row.zone == UserRow.zone else []),
        *([said_in("settings.zone-gone", zone=plain(row.zone))] if row.zone not in zones() else []),
        said_in("settings.next", value=said_in("settings.on" if row.next_ping else "settings.off")),
    ]
    if row.away_until is not None:
        lines.append(said_in("settings.vacation", until=f"<t:{row.away_until // 1000}:D>"))
    return lines


def timed(row: UserRow) -> bool:
    """Whether something goes by the person's own clock."""
    return row.quiet_from is not None or row.call_by == DIGEST


def call_line(row: UserRow, said_in: Words) -> str:
    """Where the person is called."""
    value = said_in(f"choice.call.{row.call_by}")
    if row.call_by == DIGEST:
        value = said_in("settings.digest", value=value, time=f"{clock_time(row.digest_at)} ({row.zone})")
    return said_in("settings.call", value=value)


def clock_time(minutes: int) -> str:
    """Minutes after midnight as `22:30`."""
    return f"{minutes // 60}:{minutes % 60:02}"


async def complete_zone(_: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Zones whose name contains what was typed: places in the world, the shortest names first."""
    part = plainly(typed).replace(" ", "_").casefold()
    found = sorted((zone for zone in zones() if part in zone.casefold()), key=lambda zone: (len(zone), zone))
    return [app_commands.Choice(name=zone, value=zone) for zone in found[:25]]


async def complete_quiet(_: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Usual nights, and none."""
    offers = ["22-8", "23-7", "21-9", "0-8", OFF]
    return [
        app_commands.Choice(name=text, value=text)
        for text in offers
        if text.startswith(plainly(typed).casefold())
    ]


class SettingsCog(commands.Cog):
    """One command: what is given is set, then everything is shown."""

    def __init__(self, bot: Services) -> None:
        self.bot = bot

    @app_commands.command(
        name=said("command.settings.name"), description=said("command.settings.description")
    )
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @worded(
        "settings", "language", "dm", "server_language", "threads",
        "remind", "quiet", "zone", "next", "vacation", "block", "unblock", "call", "digest", "forum",
    )  # fmt: skip
    @app_commands.choices(
        language=language_choices(), server_language=language_choices(), call=call_choices()
    )
    @app_commands.autocomplete(zone=complete_zone, quiet=complete_quiet)
    @answering
    async def settings(  # noqa: PLR0917 - the options of a command
        self,
        interaction: Interaction,
        language: str | None = None,
        dm: bool | None = None,
        server_language: str | None = None,
        threads: bool | None = None,
        remind: app_commands.Range[int, 0, 720] | None = None,
        quiet: app_commands.Range[str, 1, 40] | None = None,
        zone: app_commands.Range[str, 1, 60] | None = None,
        next: bool | None = None,  # noqa: A002 - what users read
        vacation: app_commands.Range[int, 0, MOST_AWAY] | None = None,
        block: discord.User | None = None,
        unblock: discord.User | None = None,
        call: str | None = None,
        digest: app_commands.Range[str, 1, 20] | None = None,
        forum: discord.ForumChannel | None = None,
    ) -> None:
        """Sets and shows settings; the server's want the permission to manage it."""
        await wait(interaction)
        await self.set_times(interaction, Times(remind, quiet, zone, next, call, digest))
        await self.set_people(interaction, vacation, block, unblock)
        if server_language is not None or threads is not None or forum is not None:
            await self.set_server(interaction, server_language, threads=threads, forum=forum)
        await self.set_own(interaction, language, dm=dm)
        await answer(interaction, await self.summary(interaction))

    async def set_times(self, interaction: Interaction, times: Times) -> None:
        """When to be reminded and when to be left alone."""
        values = preferences(times)
        if values:
            await self.bot.tables.prefer(caller(interaction), values)

    async def set_people(
        self,
        interaction: Interaction,
        vacation: int | None,
        block: discord.User | None,
        unblock: discord.User | None,
    ) -> None:
        """Away for so many days (0: back), and whom not to meet at a table. Raises `block-yourself`."""
        user, tables = caller(interaction), self.bot.tables
        if vacation is not None:
            until = self.bot.clock.now() + vacation * DAY_MS if vacation else None
            await tables.vacation(user, until)
        if block is not None:
            if block.id == user.id or block.bot:
                raise TableError("block-yourself")
            await tables.block(user, block.id, on=True)
        if unblock is not None:
            await tables.block(user, unblock.id, on=False)

    async def set_own(self, interaction: Interaction, language: str | None, *, dm: bool | None) -> None:
        """The user's own settings."""
        chosen = OwnChoices()
        if language is not None:
            chosen["language"] = None if language == AUTOMATIC else language
        if dm is not None:
            chosen["dm"] = dm
        if chosen:
            await self.bot.tables.choose(caller(interaction), chosen)

    async def set_server(
        self,
        interaction: Interaction,
        language: str | None,
        *,
        threads: bool | None,
        forum: discord.ForumChannel | None,
    ) -> None:
        """The server's settings; tables are played in threads again once `threads` is said.

        Raises `no-server`, `not-a-manager`.
        """
        guild = interaction.guild_id
        if guild is None:
            raise TableError("no-server")
        if not interaction.permissions.manage_guild:
            raise TableError("not-a-manager")
        chosen = ServerChoices()
        if language is not None:
            chosen["language"] = None if language == AUTOMATIC else language
        if threads is not None:
            chosen["threads"], chosen["forum"] = threads, None
        if forum is not None:
            chosen["forum"] = forum.id
        await self.bot.tables.choose_for_server(guild, chosen)

    async def summary(self, interaction: Interaction) -> str:
        """All settings as they are now."""
        said_in = await self.bot.languages.of_user(interaction)
        row = await users.get(self.bot.database.reads, interaction.user.id)

        def language(code: str | None) -> str:
            return said_in("choice.language.auto") if code is None else words(code)("language.name")

        def switch(on: bool) -> str:
            return said_in("settings.on" if on else "settings.off")

        lines = [
            said_in("settings.language", value=language(None if row is None else row.language)),
            said_in("settings.dm", value=switch(row is None or row.dm)),
            *time_lines(row or UserRow(0, "", None, None, True), said_in),
        ]
        left = await self.bot.tables.vacation_left(interaction.user.id)
        lines.append(said_in("settings.vacation-left", n=left, days=DAYS_A_YEAR))
        blocked = await self.bot.tables.blocked(interaction.user.id)
        if blocked:
            lines.append(said_in("settings.blocked", users=[f"<@{user}>" for user in blocked]))
        if interaction.guild_id is not None:
            guild = await self.bot.languages.of_guild(interaction.guild_id)
            lines.append(said_in("settings.server-language", value=language(guild.locale)))
            lines += self.places(interaction, guild, said_in)
        return "\n".join([*lines, said_in("settings.how")])

    def places(self, interaction: Interaction, guild: GuildSettings, said_in: Words) -> list[str]:
        """Where the server's new tables are played; what the bot needs to tag their posts in a forum."""
        if guild.forum is None:
            return [
                said_in("settings.threads", value=said_in("settings.on" if guild.threads else "settings.off"))
            ]
        lines = [said_in("settings.forum", where=f"<#{guild.forum}>")]
        server = self.bot.get_guild(interaction.guild_id or 0)
        forum = None if server is None else server.get_channel(guild.forum)
        if isinstance(forum, discord.ForumChannel) and (tags := missing_tags(forum, said_in)):
            lines.append(
                said_in("settings.forum-tags", permission=said_in("permission.manage_channels"), tags=tags)
            )
        return lines
