"""Settings as they are now, each with what changes it beside: a switch, a select, a form for times."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import discord
from discord import ui

from cogs.buttons.custom_ids import SWITCH, WAYS
from cogs.buttons.forms import Sent, form, line, on_form
from cogs.buttons.lasting import on_control
from cogs.posting.forums import missing_tags
from cogs.text.answers import Interaction, answer, caller, plain, wait
from cogs.text.control import Button, Select, option
from cogs.text.languages import GuildSettings
from cogs.text.layout import Entry, Rows
from cogs.text.times import OFF, Times, clock_time, preferences
from db.repositories import users
from db.rows import UserRow
from engines.protocol import printable
from locales import Words, words
from tables.core.elsewhere import BY_DM, DIGEST, TABLE
from tables.core.errors import TableError
from tables.core.moments import moment
from tables.core.quiet import zones
from tables.time.absences import DAYS_A_YEAR

CALLED = (TABLE, BY_DM, DIGEST)  # where one may be called
TIMES = "f:times"  # the form's custom id
MOST_REMIND = 720  # hours
ON, CHANGE = "on", "change"


def switch(setting: str, to: str, label: str) -> Button:
    """Turns a setting on or off, or opens the form of what is typed."""
    return Button(label, f"o:{setting}:{to}")


@on_control(SWITCH, "asking")
async def press_switch(interaction: Interaction, match: re.Match[str], _values: tuple[str, ...]) -> None:
    """Somebody pressed a switch."""
    if match["to"] == CHANGE:
        await open_times(interaction)
    else:
        await turn(interaction, setting=match["setting"], on=match["to"] == ON)


def ways(now: str, said_in: Words) -> Select:
    """Where one may be called, with what is chosen now."""
    offers = [option(said_in(f"choice.call.{way}"), way, default=way == now) for way in CALLED]
    return Select(WAYS, offers)


@on_control(WAYS, "asking")
async def pick_way(interaction: Interaction, _match: re.Match[str], values: tuple[str, ...]) -> None:
    """Where one is called was picked."""
    chosen = next((way for way in values if way in CALLED), TABLE)
    await prefer(interaction, {"call_by": chosen})


async def prefer(interaction: Interaction, values: dict[str, Any]) -> None:
    """Sets what a person wishes, and shows how all is set now."""
    await wait(interaction)
    await interaction.client.tables.prefer(caller(interaction), values)
    await show(interaction)


async def turn(interaction: Interaction, *, setting: str, on: bool) -> None:
    """Turns one of a person's settings, or of the server's. Raises `not-a-manager`."""
    if setting == "next":
        await prefer(interaction, {"next_ping": on})
        return
    await wait(interaction)
    tables, guild = interaction.client.tables, interaction.guild_id
    if setting == "dm":
        await tables.choose(caller(interaction), {"dm": on})
    elif guild is not None:
        if not interaction.permissions.manage_guild:
            raise TableError("not-a-manager")
        await tables.choose_for_server(guild, {"threads": on, "forum": None})
    await show(interaction)


async def open_times(interaction: Interaction) -> None:
    """The form of reminders, quiet hours, the zone and the hour of the daily list, as they are now."""
    await interaction.response.send_modal(await times_form(interaction, TIMES, {}))


async def times_form(interaction: Interaction, custom_id: str, typed: Mapping[str, str]) -> ui.Modal:
    """The form of times, with what was typed, else with how they are now."""
    said_in = await interaction.client.languages.of_user(interaction)
    row = await users.get(interaction.client.database.reads, interaction.user.id) or nobody()
    quiet = OFF if row.quiet_from is None or row.quiet_to is None else night(row)
    now = {"remind": str(row.remind_hours), "quiet": quiet, "zone": row.zone}
    now |= {"digest": clock_time(row.digest_at), **typed}
    fields = (
        line("remind", now["remind"], most=3),
        line("quiet", now["quiet"], most=40, example="22:30-7"),
        line("zone", now["zone"], most=60, example="Europe/Budapest"),
        line("digest", now["digest"], most=20, example="18:30"),
    )
    labels = [ui.Label[Any](text=said_in(f"form.{field.custom_id}"), component=field) for field in fields]
    return form(said_in("form.times"), custom_id, *labels)


@on_form(TIMES, "asking", times_form)
async def sent_times(interaction: Interaction, sent: Sent) -> None:
    """Sets the times that were sent; a field that was left empty stays. Raises what `preferences` does."""
    await wait(interaction)
    typed = {name: sent.text(name).strip() or None for name in ("remind", "quiet", "zone", "digest")}
    hours = typed["remind"]
    if hours is not None and not (hours.isdecimal() and int(hours) <= MOST_REMIND):
        raise TableError("bad-remind", text=printable(hours, 20), most=MOST_REMIND)
    remind = None if hours is None else int(hours)
    times = Times(remind, typed["quiet"], typed["zone"], None, digest=typed["digest"])
    await prefer(interaction, preferences(times))


# -- as they are now ------------------------------------------------------------------------------


def nobody() -> UserRow:
    """Settings of somebody who has chosen nothing yet."""
    return UserRow(0, "", None, None, dm=True)


async def show(interaction: Interaction) -> None:
    """All settings as they are now."""
    client = interaction.client
    said_in = await client.languages.of_user(interaction)
    row = await users.get(client.database.reads, interaction.user.id) or nobody()
    left = await client.tables.vacation_left(interaction.user.id)
    blocked = await client.tables.blocked(interaction.user.id)
    others = [said_in("settings.vacation", until=moment(row.away_until, "D"))] if row.away_until else []
    others.append(said_in("settings.vacation-left", n=left, days=DAYS_A_YEAR))
    if blocked:
        others.append(said_in("settings.blocked", users=[f"<@{user}>" for user in blocked]))
    entries = [
        Entry(said_in("settings.language", value=language(row.language, said_in))),
        switched("dm", said_in, on=row.dm),
        switched("next", said_in, on=row.next_ping),
        Entry("\n".join(time_lines(row, said_in)), switch("times", CHANGE, said_in("button.change"))),
        Entry("\n".join(others)),
    ]
    if interaction.guild_id is not None:
        entries += places(interaction, await client.languages.of_guild(interaction.guild_id), said_in)
    entries.append(Entry(call_line(row, said_in)))  # the select below changes it
    how = said_in("settings.how").removeprefix("-# ")
    await answer(interaction, "", entries=entries, quiet=how, view=Rows(ways(row.call_by, said_in)))


def language(code: str | None, said_in: Words) -> str:
    """A language by its own name for itself; None follows Discord."""
    return said_in("choice.language.auto") if code is None else words(code)("language.name")


def value_of(said_in: Words, *, on: bool) -> str:
    """On or off."""
    return said_in("settings.on" if on else "settings.off")


def switched(setting: str, said_in: Words, *, on: bool) -> Entry:
    """A setting that is on or off, with its switch."""
    text = said_in(f"settings.{setting}", value=value_of(said_in, on=on))
    to, label = (OFF, "button.turn-off") if on else (ON, "button.turn-on")
    return Entry(text, switch(setting, to, said_in(label)))


def places(interaction: Interaction, guild: GuildSettings, said_in: Words) -> list[Entry]:
    """The server's language, and where its new tables are played, with a switch for who manages it.

    In a forum: what the bot needs to tag its posts.
    """
    made = [Entry(said_in("settings.server-language", value=language(guild.locale, said_in)))]
    if guild.forum is None:
        shown = switched("threads", said_in, on=guild.threads)
        return [*made, shown if interaction.permissions.manage_guild else Entry(shown.text)]
    lines = [said_in("settings.forum", where=f"<#{guild.forum}>")]
    server = interaction.client.get_guild(interaction.guild_id or 0)
    forum = None if server is None else server.get_channel(guild.forum)
    if isinstance(forum, discord.ForumChannel) and (tags := missing_tags(forum, said_in)):
        permission = said_in("permission.manage_channels")
        lines.append(said_in("settings.forum-tags", permission=permission, tags=tags))
    return [*made, Entry("\n".join(lines))]


def time_lines(row: UserRow, said_in: Words) -> list[str]:
    """Reminders and quiet hours as they are now."""
    quiet = said_in("settings.off")
    if row.quiet_from is not None and row.quiet_to is not None:
        quiet = f"{night(row)} ({row.zone})"
    remind = said_in("settings.remind", n=row.remind_hours) if row.remind_hours else None
    return [
        remind or said_in("settings.remind-off"),
        said_in("settings.quiet", value=quiet),
        *([said_in("settings.zone-hint")] if timed(row) and row.zone == UserRow.zone else []),
        *([said_in("settings.zone-gone", zone=plain(row.zone))] if row.zone not in zones() else []),
    ]


def night(row: UserRow) -> str:
    """The quiet hours, as they are typed too."""
    return f"{clock_time(row.quiet_from or 0)}–{clock_time(row.quiet_to or 0)}"


def timed(row: UserRow) -> bool:
    """Whether something goes by the person's own clock."""
    return row.quiet_from is not None or row.call_by == DIGEST


def call_line(row: UserRow, said_in: Words) -> str:
    """Where the person is called."""
    value = said_in(f"choice.call.{row.call_by}")
    if row.call_by == DIGEST:
        value = said_in("settings.digest", value=value, time=f"{clock_time(row.digest_at)} ({row.zone})")
    return said_in("settings.call", value=value)
