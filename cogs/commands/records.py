"""What a table remembers: replay, records, proofs, results, notes."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Mapping
from typing import Any

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.buttons import controls
from cogs.buttons.custom_ids import MOMENT, NOTE, Press
from cogs.buttons.forms import LONE, Sent, form, long_line, on_form
from cogs.buttons.lasting import TableButton, on_press
from cogs.commands.begin import NO_GAME, BeginButton
from cogs.commands.seats import number_of
from cogs.posting.guests import who_are_here
from cogs.services import Services
from cogs.text.answers import (
    Interaction,
    answer,
    answering,
    caller,
    change,
    cut,
    hold,
    person,
    plain,
    refuse,
    taking_turns,
    wait,
)
from cogs.text.completions import complete_table
from cogs.text.games import game_choices
from cogs.text.layout import Rows, accent_of
from cogs.text.letter import attached
from cogs.text.plain import called, cleaned
from cogs.text.scenes import scene_of
from cogs.text.translator import said, worded
from engines.protocol import Json
from locales import Words
from render import Picture, Scene, has, painter
from render.words import joined
from tables.core.errors import TableError
from tables.core.model import Table
from tables.lobby.studies import MOST_BYTES
from tables.reading.keepers import LEAST
from tables.reading.stories import Replay, StoryEntry
from workers.drawing import drawn

OWN, PUBLIC = "o", "p"  # whose view a replay shows, in its buttons; else a seat's number
MOST_NOTE = 1000
IMPORT = "f:import"  # the form's custom id


# -- replay -------------------------------------------------------------------------------------


def press_at(table: Table, at: int, whose: str) -> Press:
    """The button that shows a moment: `at.12.o`."""
    return Press(table.id, table.version, f"at.{at}.{whose}")


FORWARD, BACK = "f", "b"  # how a moment is come to: the table that its action ended is shown on the way


def replay_view(shown: Replay, whose: str, words: Words, *, ended: bool = False) -> Rows:
    """First, back, forward, last; after the end whose view, too. Each custom id is there once.

    `ended`: what is shown is the table that this action brought to an end, before the next one was laid out.
    """
    table, at, view = shown.shown.table, shown.at, Rows()
    between = has(table.game, "ended")
    back = f"{at}{BACK}" if between and not ended else f"{at - 1}"
    forward = f"{at}" if ended else f"{at + 1}{FORWARD if between else ''}"
    steps = (
        ("first", "0", at > 0),
        ("back-one", back, at > 0),
        ("forward", forward, ended or at < shown.last),
        ("last", str(shown.last), ended or at < shown.last),
    )
    for number, (label, to, inside) in enumerate(steps):
        press = Press(table.id, table.version, f"at.{to if inside else at}.{whose}.{number}")
        view.add_item(TableButton(press, words(f"button.{label}"), disabled=not inside, row=0))
    if shown.open_hands:
        everybody = [(PUBLIC, words("replay.public"))]
        names = [cleaned(called(name, words)) for name in table.names]
        everybody += [(str(seat), name or str(seat + 1)) for seat, name in enumerate(names)]
        for other, label in everybody:
            now = other == (PUBLIC if shown.shown.seat is None else str(shown.shown.seat))
            style = "primary" if now else "plain"
            view.add_item(TableButton(press_at(table, shown.at, other), label, style, disabled=now))
    return view


async def replay_answer(
    interaction: Interaction, number: int, at: int | None, whose: str, side: str = ""
) -> tuple[str, Rows, list[discord.File]]:
    """The moment as text, buttons and a picture.

    `side`: come to from before (FORWARD) or after it (BACK), the table that its action ended lies between.
    """
    client = interaction.client
    seat: int | str | None = "own" if whose == OWN else None if whose == PUBLIC else int(whose)
    found = await client.tables.replay(number, interaction.user.id, at, seat)
    words = await client.languages.of_user(interaction)
    shown = found.shown
    between, _ = await unhurried(client, "ended", scene_of(shown, words)) if side else (None, True)
    if side == BACK and between is None and found.at > 0:
        return await replay_answer(interaction, number, found.at - 1, whose)
    picture, good = between, True
    if between is None:
        picture, good = await unhurried(client, "board", scene_of(shown, words))
    caption = await asyncio.to_thread(painter(shown.table.game).caption, scene_of(shown, words, spoken=True))
    trouble = "" if good else words("post.no-picture")
    title = words(
        "replay.heading", heading=controls.heading(shown.table, words), at=found.at, last=found.last
    )
    content = cut("\n".join(line for line in (title, caption, trouble) if line))
    view = replay_view(found, whose, words, ended=between is not None)
    return content, view, [] if picture is None else [attached(picture)]


async def unhurried(client: Services, part: str, scene: Scene) -> tuple[Picture | None, bool]:
    """A picture that nobody's game waits for: one at a time, so that those of play come in between."""
    async with client.leisure:
        return await drawn(client.studio, part, scene)


@on_press("at")
async def press_at_moment(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """Turns the replay to another moment, in place."""
    moment = MOMENT.fullmatch(press.action)
    if moment is None:
        raise TableError("old-button", table=press.table)
    await hold(interaction)
    at, whose, side = int(moment["at"]), moment["whose"], moment["side"] or ""
    async with interaction.client.reading.turn(interaction.user.id) as mine:
        if not mine:
            return  # a newer press turned the page
        content, view, files = await replay_answer(interaction, press.table, at, whose, side)
        await change(interaction, content, view=view, files=files)


# -- records ----------------------------------------------------------------------------------------


def notation(table: Table, told: list[StoryEntry], words: Words) -> str:
    """A game as text: one line an entry, in the game's notation; a secret as what could be seen of it."""
    names = tuple(cleaned(called(name, words)) for name in table.names)
    colon = words("words.colon")
    lines = [f"#{table.id} {words(f'{table.game}.title')}"]
    lines += [f"{words.term(table.game, seat.role)}{colon}{names[seat.seat]}" for seat in table.seats]
    for one in told:
        if one.undo is not None:
            text = words("record.undo", n=one.undo) if one.undo else words("record.drawn-anew")
        elif one.action is not None:
            text = one.action
        else:
            seen = [words.event(table.game, event, names) for event in one.events]
            text = joined(seen) or words("record.secret")
        who = "" if one.seat is None else f"{names[one.seat]}{colon}"
        lines.append(f"{one.number}. {who}{text}")
    return "\n".join(lines) + "\n"


def written_down(
    table: Table, record: dict[str, Json], told: list[StoryEntry], words: Words
) -> list[discord.File]:
    """The record as JSON and as text."""
    texts = {"json": json.dumps(record, ensure_ascii=False, indent=1), "txt": notation(table, told, words)}
    return [
        discord.File(io.BytesIO(text.encode()), f"hatamoto-{table.id}.{kind}") for kind, text in texts.items()
    ]


class MemoryCommands(commands.Cog):
    """Commands of `/game` that look back."""

    bot: Services

    @app_commands.command(
        name=said("command.game.replay.name"), description=said("command.game.replay.description")
    )
    @worded("game.replay", "at", "table")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def replay(
        self,
        interaction: Interaction,
        at: app_commands.Range[int, 0, 100_000] | None = None,
        table: int | None = None,
    ) -> None:
        """Steps through a game in pictures."""
        await wait(interaction)
        number = await number_of(interaction, table, "played")
        async with taking_turns(interaction):
            content, view, files = await replay_answer(interaction, number, at, OWN)
        await answer(interaction, content, view=view, files=files)

    @app_commands.command(
        name=said("command.game.export.name"), description=said("command.game.export.description")
    )
    @worded("game.export", "table")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def export(self, interaction: Interaction, table: int | None = None) -> None:
        """The record as JSON and as text; until the game is over, only the asker's own view."""
        await wait(interaction)
        number = await number_of(interaction, table, "played")
        found = await self.bot.tables.admitted(number, interaction.user.id)
        words = await self.bot.languages.of_user(interaction)
        async with taking_turns(interaction):
            record = await self.bot.tables.export(number, interaction.user.id)
            told = await self.bot.tables.story(number, interaction.user.id)
            files = await self.bot.writing.run(written_down, found, record, told, words)
        code = "answer.export-running" if found.status == "running" else "answer.export"
        await answer(interaction, words(code, table=number), files=files)

    @app_commands.command(
        name=said("command.game.import.name"), description=said("command.game.import.description")
    )
    @worded("game.import", "record")
    @answering
    async def import_record(self, interaction: Interaction, record: discord.Attachment | None = None) -> None:
        """A record as a study table, for who brought it to step through; without one, the form for it."""
        if record is None:
            await open_import_form(interaction)
            return
        await wait(interaction)
        await study(interaction, record)

    @app_commands.command(
        name=said("command.game.verify.name"), description=said("command.game.verify.description")
    )
    @worded("game.verify", "table")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def verify(self, interaction: Interaction, table: int | None = None) -> None:
        """Whether the chances of a game were those it was begun with."""
        await wait(interaction)
        number = await number_of(interaction, table, "over")
        async with taking_turns(interaction):
            found = await self.bot.tables.verify(number, interaction.user.id)
        words = await self.bot.languages.of_user(interaction)
        code = "running" if found.seed is None else "good" if found.fault is None else f"bad-{found.fault}"
        params: dict[str, Any] = {
            "heading": controls.heading(found.table, words),
            "commitment": found.commitment,
            "seed": found.seed,
            "n": found.entries,
        }
        lines = [words(f"verify.{code}", **params)]
        if told := controls.told_line(found.table, words):
            lines.append(told)
        if found.table.nonces is not None:
            lines.append(words("post.nonces", nonces=controls.by_seat(found.table.nonces)))
        lines += [words("verify.reopened", **one._asdict()) for one in found.earlier]
        await answer(interaction, "\n".join(lines))


# -- people's own -------------------------------------------------------------------------------------


async def show_profile(interaction: Interaction, who: discord.abc.User) -> None:
    """Somebody's results, ratings and turn times, by command or by their menu."""
    client = interaction.client
    words = await client.languages.of_user(interaction)
    lines = [
        words(
            "profile.unrated" if one.rating is None else "profile.line",
            title=words(f"{one.game}.title"),
            games=one.games,
            won=one.won,
            rating=round(one.rating or 0),
            time=None if one.turn_ms is None else controls.span(one.turn_ms, words),
        )
        for one in await client.tables.profile(who.id)
    ]
    heading = words("profile.heading", who=plain(person(who).name))
    rows = (
        None
        if who.bot or who == interaction.user
        else Rows(BeginButton(NO_GAME, f"u{who.id}", words("menu.play-against"), "primary"))
    )
    told = "\n".join([heading, *lines]) if lines else f"{heading}\n{words('profile.none')}"
    await answer(interaction, told, view=rows)


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def profile_of(interaction: discord.Interaction[Any], user: discord.User) -> None:
    """The menu of a person: how they play."""
    await wait(interaction)
    try:
        await show_profile(interaction, user)
    except TableError as error:
        await refuse(interaction, error)


class RecordsCog(commands.Cog):
    """`/profile` and the menu of a person, `/leaderboard`, `/note`."""

    def __init__(self, bot: Services) -> None:
        self.bot = bot
        self._menu = app_commands.ContextMenu(name=said("menu.profile"), callback=profile_of)

    async def cog_load(self) -> None:
        """The menu comes with the cog."""
        self.bot.tree.add_command(self._menu)

    async def cog_unload(self) -> None:
        """And goes with it."""
        self.bot.tree.remove_command(self._menu.name, type=self._menu.type)

    @app_commands.command(name=said("command.profile.name"), description=said("command.profile.description"))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @worded("profile", "player")
    @answering
    async def profile(self, interaction: Interaction, player: discord.User | None = None) -> None:
        """Results, ratings and turn times."""
        await wait(interaction)
        await show_profile(interaction, player or interaction.user)

    @app_commands.command(
        name=said("command.leaderboard.name"), description=said("command.leaderboard.description")
    )
    @app_commands.guild_only()
    @app_commands.allowed_installs(guilds=True, users=False)
    @worded("leaderboard", "game")
    @app_commands.choices(game=game_choices())
    @answering
    async def leaderboard(self, interaction: Interaction, game: str) -> None:
        """A game's best rated players of this server."""
        await wait(interaction)
        words = await self.bot.languages.of_user(interaction)
        best = await who_are_here(interaction, game)
        title = words(f"{game}.title")
        lines = [words("leaderboard.heading", title=title)]
        lines += [
            words(
                "leaderboard.line",
                place=place,
                who=plain(one.name),
                rating=round(one.rating or 0),
                games=one.games,
                won=one.won,
            )
            for place, one in enumerate(best, 1)
        ]
        lines.append(words("leaderboard.how", least=LEAST))
        await answer(interaction, "\n".join(lines) if best else words("leaderboard.none", title=title))

    @app_commands.command(name=said("command.note.name"), description=said("command.note.description"))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @worded("note", "note", "clear", "table")
    @app_commands.autocomplete(table=complete_table)
    @answering
    async def note(
        self,
        interaction: Interaction,
        note: app_commands.Range[str, 1, MOST_NOTE] | None = None,
        clear: bool = False,
        table: int | None = None,
    ) -> None:
        """A note on a table for oneself alone."""
        await wait(interaction)
        user = interaction.user.id
        number = (await self.bot.tables.admitted(await number_of(interaction, table, "played"), user)).id
        if note is not None or clear:
            await self.bot.tables.write_note(user, number, None if clear else note)
        await show_note(interaction, number)


async def show_note(interaction: Interaction, number: int) -> None:
    """A person's note on a table, with the form that changes it."""
    client = interaction.client
    words = await client.languages.of_user(interaction)
    table, kept = await client.tables.get(number), await client.tables.note(interaction.user.id, number)
    told = words("note.none", table=number)
    if kept is not None:
        told = words("note.shown", table=number, text=plain(kept, MOST_NOTE))
    label = words("button.note" if kept is None else "button.note-change")
    await answer(
        interaction,
        told,
        view=Rows(TableButton(Press(number, table.version, "note"), label)),
        accented=accent_of(table.game),
    )


@on_press("note")
async def open_note_form(interaction: Interaction, press: Press, _values: tuple[str, ...]) -> None:
    """The form of a note, with what it says now. Raises `no-table`."""
    await interaction.response.send_modal(await note_form(interaction, f"n:{press.table}", {}))


async def note_form(interaction: Interaction, custom_id: str, typed: Mapping[str, str]) -> ui.Modal:
    """The form of a note with what was typed, else with what it says now. Raises `no-table`."""
    client, user = interaction.client, interaction.user.id
    words = await client.languages.of_user(interaction)
    table = await client.tables.admitted(int(custom_id.partition(":")[2]), user)
    now = typed.get(LONE) or await client.tables.note(user, table.id) or ""
    label = ui.Label[Any](
        text=words("form.note"),
        description=words("form.note-how"),
        component=long_line("note", now, most=MOST_NOTE, wanted=False),
    )
    return form(controls.heading(table, words).strip("*"), custom_id, label)


@on_form(NOTE, "asking", note_form)
async def sent_note(interaction: Interaction, sent: Sent) -> None:
    """Keeps the note that was sent; an empty one is none."""
    await wait(interaction)
    number, text = int(sent.match["table"]), sent.text("note").strip()
    await interaction.client.tables.admitted(number, interaction.user.id)
    await interaction.client.tables.write_note(interaction.user.id, number, text or None)
    await show_note(interaction, number)


async def open_import_form(interaction: Interaction) -> None:
    """The form that takes a record's file."""
    await interaction.response.send_modal(await import_form(interaction, IMPORT, {}))


async def import_form(interaction: Interaction, custom_id: str, _typed: Mapping[str, str]) -> ui.Modal:
    """The form that takes a record's file: a file that was refused is to be picked anew."""
    words = await interaction.client.languages.of_user(interaction)
    upload = ui.FileUpload[Any](custom_id="record", required=True, max_values=1)
    label = ui.Label[Any](text=words("form.record"), description=words("form.record-how"), component=upload)
    return form(words("form.import"), custom_id, label)


@on_form(IMPORT, "importing", import_form)
async def sent_import(interaction: Interaction, sent: Sent) -> None:
    """A record's file as a study table. Raises `no-record` where none came."""
    await wait(interaction)
    if not sent.files:
        raise TableError("no-record")
    await study(interaction, sent.files[0])


async def study(interaction: Interaction, record: discord.Attachment) -> None:
    """A record as a study table, shown from its start. Raises `record-too-big` and what it may lack."""
    client = interaction.client
    if record.size > MOST_BYTES:
        raise TableError("record-too-big", most=MOST_BYTES // 1000)
    words = await client.languages.of_user(interaction)
    async with taking_turns(interaction):
        made = await client.tables.study(
            caller(interaction),
            await record.read(),
            interaction.id,
            lambda number: words("post.seat", n=number),
        )
        content, view, files = await replay_answer(interaction, made.id, 0, PUBLIC)
    told = f"{words('answer.imported', table=made.id)}\n{content}"
    await answer(interaction, told, view=view, files=files)
