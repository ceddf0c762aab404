"""How messages are laid out: words, pictures, quiet lines, controls, within Discord's limits (17.1)."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import discord
import pytest

from cogs.buttons.custom_ids import Press, row_of
from cogs.buttons.lasting import TableButton
from cogs.posting.courier import carries
from cogs.posting.posts import Post, Writer
from cogs.text.layout import MOST_ENTRIES, Entry, Rows, laid_out, parts_in
from db.rows import OutboxRow
from locales import LANGUAGES, words
from render import accent
from tables.core.model import Table
from tests.discord.conftest import answer_of, button, controls, last_board, text_of
from tests.discord.test_every_game import one_action, seated
from tests.games import by_game
from tests.messages import TEXT, badly_laid, parts_of, wording


def test_the_check_of_layouts_can_fail():
    plain = {"content": "words", "components": []}
    assert badly_laid(plain)
    (container,) = laid_out("?", rows=Rows(TableButton(Press(1, 1, "p"), "!"))).to_components()
    assert not badly_laid({"content": "", "components": [container]})
    parts = container["components"]
    upside_down = {**container, "components": parts[::-1]}
    assert badly_laid({"content": "", "components": [upside_down]}) == "controls are not at the end"
    crowded = {**container, "components": [*parts, *[parts[-1]] * 20]}
    assert badly_laid({"content": "", "components": [crowded]}) == "more than Discord takes"


def test_a_list_of_any_length_keeps_within_the_limits():
    entries = [
        Entry(f"table {n} " + "x" * 100, TableButton(Press(n, 1, "turn"), "Your turn")) for n in range(20)
    ]
    made = laid_out("", entries=entries, quiet="\n".join("y" * 150 for _ in range(20)))
    message = {"content": "", "components": made.to_components()}
    assert not badly_laid(message)
    assert all(f"table {n} " in wording(message) for n in range(20))
    assert sum(part["type"] == 9 for part in parts_of(message)) == MOST_ENTRIES


def test_more_parts_than_discord_takes_are_refused_before_they_are_sent():
    def buttons(most: int) -> Rows:
        return Rows(*[TableButton(Press(n, 1, "p"), str(n)) for n in range(most)])

    full = laid_out("?", rows=buttons(31))  # with their seven rows, the words and what holds it all
    assert parts_in(full.to_components()[0]) == 40
    with pytest.raises(ValueError, match="more parts"):
        laid_out("?", rows=buttons(32))


def test_a_control_without_room_in_its_row_gets_one_of_its_own():
    rows = Rows(*[TableButton(Press(1, 1, f"p{n}"), str(n), row=0) for n in range(7)])
    assert [len(row["components"]) for row in rows.laid()] == [5, 1, 1]


@pytest.mark.parametrize("game", by_game())
@pytest.mark.usefixtures("sketches")
async def test_every_kind_of_post_keeps_to_the_layout_in_every_language(world, game, monkeypatch):
    kinds, write = set(), Writer.post

    async def checked(
        writer: Writer, row: OutboxRow, table: Table | None, *args: Any, **options: Any
    ) -> Post:
        kinds.add(row.kind)
        for language in LANGUAGES:
            post = await write(writer, row, table, words(language), **options)
            message = {"content": "", "components": post.arguments()["view"].to_components()}
            assert not badly_laid(message), (row.kind, language)
            assert message["components"][0]["accent_color"] == int(accent(game)[1:], 16)
        return await write(writer, row, table, *args, **options)

    monkeypatch.setattr(Writer, "post", checked)
    thread = await seated(world, game)
    people = {member.id: member for member in (world.ann, world.ben, world.cho)}
    dice = random.Random(3)
    for _ in range(2):
        table = await world.bot.tables.get(1)
        await one_action(people[table.seats[min(table.to_act)].user_id], last_board(thread), dice)
    await world.ann.slash(thread, "game pause")
    await world.ann.slash(thread, "game resign")
    await world.ben.slash(thread, "move", move="resign")
    assert {"lobby", "board"} <= kinds


async def test_the_board_says_who_is_to_act_above_and_what_happened_below(world):
    thread = await world.start()
    mover = await world.to_move()
    (move, *_) = await world.moves(thread)
    await mover.slash(thread, "move", move=move)
    (container,) = last_board(thread).components
    assert isinstance(container, discord.Container)
    first, gallery, quiet, *rest = container.children
    assert isinstance(first, discord.TextDisplay)
    assert isinstance(gallery, discord.MediaGalleryComponent)
    assert isinstance(quiet, discord.TextDisplay)
    assert "moves" in quiet.content
    assert quiet.content.startswith("-# ")
    assert "moves the" not in first.content
    assert (await world.to_move()).mention in first.content
    assert rest
    assert all(isinstance(row, discord.ActionRow) for row in rest)


async def test_a_message_from_before_layouts_still_works_and_is_laid_out_when_it_changes(world):
    thread = await world.start()
    mover = await world.to_move()
    panel = answer_of(
        await mover.click(last_board(thread), custom_id=button(last_board(thread), "Your turn"))
    )
    stored = world.env.backend.get_message(panel.channel_id, panel.id)
    rows = [part for part in parts_of(stored) if part["type"] == 1]
    stored.components, stored.content, stored.flags = rows, "an old panel", stored.flags & ~(1 << 15)
    pressed = await mover.click(panel, custom_id=next(iter(controls(panel))))
    changed = answer_of(pressed)
    assert not badly_laid(changed)
    assert not changed.content
    assert "an old panel" not in text_of(pressed)


async def test_the_mark_of_a_post_is_found_in_its_layout(world):
    thread = await world.start()
    board = last_board(thread)
    marks = [mark for part in parts_of(board) if (mark := row_of(part.get("custom_id"))) is not None]
    assert marks
    assert carries(board, marks[0])
    assert not carries(board, marks[0] + 1)


async def test_who_has_to_act_opens_the_panel_from_the_list_of_games(world):
    await world.start()
    mover, waiting = await world.to_move(), await world.other()
    listed = answer_of(await mover.slash(world.channel, "games"))
    panel = answer_of(await mover.click(listed, custom_id=button(listed, "Your turn")))
    assert panel.attachments
    other = answer_of(await waiting.slash(world.channel, "games"))
    links = [part["url"] for part in parts_of(other) if part.get("url")]
    thread = world.thread()
    assert links == [f"https://discord.com/channels/{world.guild.id}/{thread.id}/{last_board(thread).id}"]


def test_a_line_that_is_in_small_type_already_is_not_made_so_twice():
    made = {"components": laid_out("", quiet="-# Fingerprint\nOther").to_components()}
    assert [part["content"] for part in parts_of(made) if part["type"] == TEXT] == [
        "-# Fingerprint\n-# Other"
    ]


async def test_what_a_press_means_stands_in_its_custom_id_alone(world, sketches, monkeypatch):
    def built(*_: Any, **__: Any) -> None:
        raise AssertionError("an object is made of each control of the message")

    await world.start()
    mover = await world.to_move()
    listed = answer_of(await mover.slash(world.channel, "games"))
    monkeypatch.setattr(discord.ui.LayoutView, "from_message", built)
    panel = answer_of(await mover.click(listed, custom_id=button(listed, "Your turn")))
    assert controls(panel)


async def test_what_discord_sends_back_of_an_answer_is_not_read(world, sketches, monkeypatch):
    def read(*_: Any, **__: Any) -> None:
        raise AssertionError("an object is made of an answer")

    await world.start()
    mover, before = await world.to_move(), len(asyncio.all_tasks())
    for name in ("InteractionMessage", "InteractionCallbackResponse"):
        monkeypatch.setattr(discord.interactions, name, read)
    monkeypatch.setattr(discord.webhook.async_.Webhook, "_create_message", read)
    listed = answer_of(await mover.slash(world.channel, "games"))
    panel = answer_of(await mover.click(listed, custom_id=button(listed, "Your turn")))
    await mover.click(panel, custom_id=next(iter(controls(panel))))
    monkeypatch.setattr(world.bot.limiter, "wait", lambda *_: 7)
    assert "7" in text_of(await mover.slash(world.channel, "games"))
    assert len(asyncio.all_tasks()) == before, "nothing waits for what an answer's controls may bring"
