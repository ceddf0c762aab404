"""The guided panel: a whole game without typing, generic over what an engine lets its seat choose.

It is ephemeral and lives in its custom ids alone, so it survives restarts; every press asks the table
again, and one from a board that has moved on is told so and led to the current one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import discord

from cogs.buttons import controls
from cogs.buttons.custom_ids import Press, Spot, picks, spot
from cogs.buttons.lasting import TableButton, on_press
from cogs.panels.met import first_line, first_of
from cogs.panels.own import open_draft
from cogs.services import Services
from cogs.text.answers import Interaction, answer, change, cut, explained, hold, names_at, plain, wait
from cogs.text.control import MOST_OPTION, Select, option
from cogs.text.foresight import foretold
from cogs.text.layout import REFUSED, Rows, accent_of, small
from cogs.text.letter import attached
from cogs.text.pictures import drawn_for_seat
from cogs.text.plain import PHONE_BUTTON, columns, plain_label
from cogs.text.rules_pages import way_to, way_to_page
from cogs.text.scenes import scene_of
from cogs.text.signs import Signs
from cogs.text.spoken import asked as asked_in_words
from cogs.text.spoken import done as done_in_words
from cogs.text.spoken import in_words
from engines.protocol import Choice, Prompt, Ready
from locales import Words
from render.lessons import First
from tables.core.errors import TableError
from tables.core.model import Outcome, Panel, Table, Vote

MOST_BUTTONS = 15  # choices shown as buttons; more become a select
MOST_TRAIL = 100  # characters of what was picked: two lines of a phone
PAGE = 25  # options that a select holds
NAVIGATION = 4  # the last row: back, pages, done
STALE = frozenset({"stale", "stale-path"})
NONE = "-"  # the path's word for picking none


@dataclass(frozen=True)
class Screen:
    """What the panel shows: content, controls, the preview, and the colour of its game."""

    content: str
    view: Rows
    files: tuple[discord.File, ...]
    accented: str

    async def answer(self, interaction: Interaction) -> None:
        """As a new ephemeral answer."""
        await answer(interaction, self.content, view=self.view, files=self.files, accented=self.accented)

    async def replace(self, interaction: Interaction) -> None:
        """In place of what was pressed."""
        await change(interaction, self.content, view=self.view, files=self.files, accented=self.accented)


def label_of(choice: Choice, panel: Panel, words: Words) -> str:
    """A choice in the user's language."""
    game = panel.shown.table.game
    return words(f"{game}.choice.{choice.code}", game=game, names=panel.shown.names, **choice.params)


def about(choice: Choice, panel: Panel, words: Words) -> str | None:
    """What is said below a choice in a select; None where its label says all."""
    game = panel.shown.table.game
    key = f"{game}.about.{choice.code}"
    if not words.has(key):
        return None
    return cut(words(key, game=game, names=panel.shown.names, **choice.params), MOST_OPTION)


def as_buttons(choices: Sequence[Choice], labels: Sequence[str], panel: Panel, words: Words) -> bool:
    """Whether these fit on a phone as buttons: few, short, and with nothing to be said about any."""
    return len(choices) <= MOST_BUTTONS and all(
        columns(label) <= PHONE_BUTTON and about(choice, panel, words) is None
        for choice, label in zip(choices, labels, strict=True)
    )


async def screen(
    client: Services,
    words: Words,
    panel: Panel,
    *,
    at: Spot | None = None,
    before: str = "",
    warned: bool = False,
    first: First | None = None,
) -> Screen:
    """The panel at its step: `at` names page and kept picks, `before` is a line to put first.

    `first` is a rule that matters to this player for the first time.
    """
    scene = dataclasses.replace(
        scene_of(panel.shown, words),
        events=(),
        prompt=panel.step if isinstance(panel.step, Prompt) else None,
        picked=panel.picked,
        action=panel.step.action if isinstance(panel.step, Ready) else None,
    )
    picture, good = await drawn_for_seat(client, panel.shown, "step", scene)
    ahead = foretold(panel.shown.table.game, panel.ahead, words, panel.shown.names)
    trouble = "" if good else words("post.no-picture")
    view = Rows()
    if isinstance(panel.step, Ready):
        warned = warned or panel.step.once
        add_confirmation(view, panel, panel.step, words, warned=warned)
    else:
        add_choices(view, panel, panel.step, words, at or Spot("p", panel.path), client.signs)
    if not panel.begun:
        view.add_item(typing_button(panel.shown.table, words, row=NAVIGATION))
    if (
        picture is not None and picture.focus
    ):  # the place that is asked about: the whole board is one press away
        way = Press(panel.shown.table.id, panel.version, "map")
        view.add_item(TableButton(way, words("button.map"), row=NAVIGATION))
    add_rules(view, panel, words, first)
    news = first_line(panel.shown.table.game, first, words)
    asked = heading(panel, words, client.signs, warned=warned)
    return Screen(
        cut("\n".join(line for line in (before, asked, *ahead, news, trouble) if line)),
        view,
        () if picture is None else (attached(picture),),
        accent_of(panel.shown.table.game),
    )


def heading(panel: Panel, words: Words, signs: Signs, *, warned: bool) -> str:
    """Which table, what was picked, what is asked."""
    table, step = panel.shown.table, panel.step
    names = tuple(plain(name) for name in panel.shown.names)
    title = controls.heading(table, words)
    notes = beside = ""
    if isinstance(step, Prompt):
        asked = words(f"{table.game}.prompt.{step.code}", game=table.game, names=names, **step.params)
        notes = " · ".join(
            words(f"{table.game}.note.{note.code}", game=table.game, names=names, **note.params)
            for note in step.notes
        )
    elif warned and step.warning:
        asked = words(f"{table.game}.warning.{step.warning}", game=table.game, names=names, **step.params)
        phrase = in_words(table.game, panel.said, words, panel.shown.names, signs)
        notes, beside = phrase, small([f"`{step.action}`"])
    else:
        phrase = in_words(table.game, panel.said, words, panel.shown.names, signs)
        asked, beside = asked_in_words(phrase, step.action, words)
    kept = in_words(table.game, panel.left, words, panel.shown.names) or f"`{panel.orders}`"
    left = words("panel.orders", orders=kept) if panel.orders else ""
    way = " › ".join([title, *trail([label_of(choice, panel, words) for choice in panel.picked])])
    if panel.taken:
        labels = [label_of(choice, panel, words) for choice in panel.taken]
        beside = "\n".join(line for line in (beside, small([words("panel.only", choices=labels)])) if line)
    return "\n".join(line for line in (small([way]), f"### {asked}", notes, beside, small([left])) if line)


def trail(labels: Sequence[str]) -> list[str]:
    """The last of what was picked, as many as there is room for."""
    shown = [plain_label(label) for label in labels]
    while len(shown) > 1 and len(" › ".join(shown)) > MOST_TRAIL:
        shown.pop(0)
    return ["…", *shown] if len(shown) < len(labels) else shown


def typing_button(table: Table, words: Words, *, row: int | None = None) -> TableButton:
    """Opens a form for the action as text."""
    return TableButton(Press(table.id, table.version, "type"), words("button.type"), row=row)


def add_rules(view: Rows, panel: Panel, words: Words, first: First | None = None) -> None:
    """The way to the rules page about what is new to the player, else what is asked, where there is room."""
    step, game = panel.step, panel.shown.table.game
    code = step.code if isinstance(step, Prompt) else step.warning or ""
    link = way_to(game, (code,), words) if first is None else way_to_page(game, first.page, words)
    if link is not None:
        link.row = NAVIGATION
        view.add_item(link)


def add_confirmation(view: Rows, panel: Panel, step: Ready, words: Words, *, warned: bool) -> None:
    """Confirm, or once more after a warning; and back."""
    sure = warned and step.warning is not None
    verb = Spot("w" if sure else "c", panel.path)
    label = words("button.sure" if sure else "button.confirm")
    view.add_item(TableButton(press(panel, verb), label, "danger" if sure else "success"))
    if step.then is not None and (sure or step.warning is None):
        game = panel.shown.table.game
        both = words(f"{game}.then.{step.then.code}", game=game, names=panel.shown.names)
        view.add_item(TableButton(press(panel, Spot("e", panel.path)), both))
    add_back(view, panel, words, row=None)


def add_choices(  # noqa: PLR0917 - a panel, a step of it, and what of it is shown
    view: Rows, panel: Panel, step: Prompt, words: Words, at: Spot, signs: Signs
) -> None:
    """The choices as buttons where they fit and one is picked, else as a select with pages.

    What stands beside the question is a button of its own below them.
    """
    several = (step.least, step.most) != (1, 1)
    indexes = [index for index, choice in enumerate(step.choices) if not choice.aside]
    shown = [] if several or len(indexes) > MOST_BUTTONS else [step.choices[index] for index in indexes]
    labels = [label_of(choice, panel, words) for choice in shown]
    if step.most == 0 or not indexes:
        pass  # nothing to pick: only what stands beside, and "none" below
    elif not shown or not as_buttons(shown, labels, panel, words):
        add_select(view, panel, step, words, at, indexes, signs)
    else:
        for number, (index, label) in enumerate(zip(indexes, labels, strict=True)):
            view.add_item(choice_button(panel, step, index, label, signs, row=number // 5))
    for index, choice in enumerate(step.choices):
        if choice.aside:
            label = label_of(choice, panel, words)
            view.add_item(choice_button(panel, step, index, label, signs, row=NAVIGATION - 1))
    if several and 1 < len(indexes) <= step.most and not at.kept:
        place = Spot("p", (*panel.path, picks(indexes)))
        label = words("button.all", n=len(indexes))
        view.add_item(TableButton(press(panel, place), label, row=NAVIGATION))
    if step.least == 0 and not at.kept:
        place = Spot("p", (*panel.path, NONE))
        view.add_item(TableButton(press(panel, place), words("button.none"), row=NAVIGATION))
    add_back(view, panel, words, row=NAVIGATION)
    if panel.undo and not panel.begun:
        undo = Press(panel.shown.table.id, panel.version, "undo")
        view.add_item(TableButton(undo, words("button.undo"), row=NAVIGATION))


def choice_button(
    panel: Panel, step: Prompt, index: int, label: str, signs: Signs, *, row: int
) -> TableButton:
    """A choice as a button."""
    choice, place = step.choices[index], Spot("p", (*panel.path, str(index)))
    emoji = signs.of_choice(panel.shown.table.game, choice)
    return TableButton(press(panel, place), label, choice.style, row=row, emoji=emoji)


def add_select(  # noqa: PLR0917 - a panel, a step of it, and what of it is shown
    view: Rows, panel: Panel, step: Prompt, words: Words, at: Spot, indexes: Sequence[int], signs: Signs
) -> None:
    """One page of the choices; picks on other pages are kept until "done"."""
    paged = len(indexes) > PAGE
    pages = -(-len(indexes) // PAGE)
    page = min(at.page, pages - 1)
    here = indexes[page * PAGE : (page + 1) * PAGE]
    options = [
        option(
            label_of(step.choices[index], panel, words) or str(index + 1),
            str(index),
            description=about(step.choices[index], panel, words),
            default=index in at.kept,
            emoji=signs.of_choice(panel.shown.table.game, step.choices[index]),
        )
        for index in here
    ]
    gathering = paged and step.most > 1
    view.add_item(
        Select(
            str(press(panel, Spot("s", panel.path, page, at.kept))),
            options,
            words(asked_for(step), n=step.most, least=step.least, most=step.most),
            least=0 if gathering else min(step.least, len(options)),
            most=min(step.most, len(options)),
        )
    )
    if not paged:
        return
    for label, to in (("button.previous", page - 1), ("button.next", page + 1)):
        place = Spot("p", panel.path, to % pages, at.kept)
        view.add_item(
            TableButton(press(panel, place), words(label), disabled=not 0 <= to < pages, row=NAVIGATION)
        )
    if gathering and at.kept and step.least <= len(at.kept) <= step.most:
        place = Spot("p", (*panel.path, picks(at.kept)))
        done = words("button.done", n=len(at.kept))
        view.add_item(TableButton(press(panel, place), done, "success", row=NAVIGATION))


def asked_for(step: Prompt) -> str:
    """The message that says how many to pick: exactly so many, up to so many, or from so many to so many."""
    if step.least == step.most:
        return "panel.pick-exactly"
    return "panel.pick-up-to" if step.least == 0 else "panel.pick"


def add_back(view: Rows, panel: Panel, words: Words, *, row: int | None) -> None:
    """One step back, unless this is the first."""
    if panel.begun:
        place = Spot("p", panel.back)
        view.add_item(TableButton(press(panel, place), words("button.back"), row=row))


def press(panel: Panel, place: Spot) -> Press:
    """A control of this panel: its table, its version, a place in it."""
    return Press(panel.shown.table.id, panel.version, str(place))


def turn_button(table_id: int, version: int, words: Words, row: int | None = None) -> TableButton:
    """The way to the current panel."""
    return TableButton(Press(table_id, version, "turn", row), words("button.turn"), "primary")


async def screen_for(
    interaction: Interaction,
    words: Words,
    panel: Panel,
    *,
    at: Spot | None = None,
    before: str = "",
    warned: bool = False,
) -> Screen:
    """The panel for who asks: a rule that matters to them for the first time is named, once."""
    first = await first_of(interaction, panel)
    return await screen(interaction.client, words, panel, at=at, before=before, warned=warned, first=first)


async def open_panel(interaction: Interaction, table_id: int, *, before: str = "") -> None:
    """The current panel, as a new ephemeral answer to an interaction that was deferred."""
    client = interaction.client
    client.following.forget(table_id, interaction.user.id)
    if await open_draft(interaction, table_id, before=before):
        return
    words = await client.languages.of_user(interaction)
    panel = await client.tables.panel(table_id, interaction.user.id)
    shown = await screen_for(interaction, words, panel, before=before)
    await shown.answer(interaction)


async def ask_again(interaction: Interaction, panel: Panel) -> None:
    """A typed action that has a warning: the panel at its confirmation, as a new ephemeral answer."""
    words = await interaction.client.languages.of_user(interaction)
    shown = await screen_for(interaction, words, panel, warned=True)
    await shown.answer(interaction)


@on_press("turn")
async def turn(interaction: Interaction, pressed: Press, _values: tuple[str, ...]) -> None:
    """Your turn: whatever the version of the button, the panel is of the board as it is now."""
    await wait(interaction)
    await open_panel(interaction, pressed.table)


def after_picks(place: Spot, step: Prompt | Ready | None, values: tuple[str, ...]) -> Spot:
    """Where a select's picks lead: to the next level, or to the same one with more kept."""
    picked = sorted(int(value) for value in values if value.isdecimal())
    if isinstance(step, Prompt) and step.most > 1:
        indexes = [index for index, choice in enumerate(step.choices) if not choice.aside]
        if len(indexes) > PAGE:
            here = indexes[place.page * PAGE : (place.page + 1) * PAGE]
            kept = sorted({*(index for index in place.kept if index not in here), *picked})
            return Spot("p", place.path, place.page, tuple(kept))
    return Spot("p", (*place.path, picks(picked)))


@on_press("p", "s")
async def look(interaction: Interaction, pressed: Press, values: tuple[str, ...]) -> None:
    """A step forward or back in the panel."""
    place = spot(pressed.action)
    if place is None:
        return
    await hold(interaction)
    client = interaction.client
    words = await client.languages.of_user(interaction)
    try:
        if place.verb == "s":
            here = await client.tables.step(pressed.table, interaction.user.id, place.path, pressed.version)
            place = after_picks(place, here, values)
        panel = await client.tables.panel(pressed.table, interaction.user.id, place.path, pressed.version)
    except TableError as error:
        await lead_on(interaction, pressed, error, words)
        return
    if isinstance(panel.step, Ready) and panel.step.sure and panel.begun:
        await carry_out(interaction, pressed, panel.step.action, words)
        return
    shown = await screen_for(interaction, words, panel, at=place)
    await shown.replace(interaction)


@on_press("undo")
async def take_back(interaction: Interaction, pressed: Press, _values: tuple[str, ...]) -> None:
    """Takes back the last action, and goes on from there; where the others have to agree they are asked."""
    await hold(interaction)
    client = interaction.client
    words = await client.languages.of_user(interaction)
    found = await client.tables.undo(pressed.table, interaction.user.id, interaction.id)
    if isinstance(found, Vote):
        await change(interaction, words("answer.asked-others"))
        return
    panel = await client.tables.panel(pressed.table, interaction.user.id)
    shown = await screen_for(interaction, words, panel, before=words("answer.undone"))
    await shown.replace(interaction)


@on_press("c", "w", "e")
async def confirm(interaction: Interaction, pressed: Press, _values: tuple[str, ...]) -> None:
    """The action itself; where it has a warning, that comes first, once."""
    place = spot(pressed.action)
    if place is None:
        return
    await hold(interaction)
    client, user = interaction.client, interaction.user
    words = await client.languages.of_user(interaction)
    try:
        panel = await client.tables.panel(pressed.table, user.id, place.path, pressed.version)
        if not isinstance(panel.step, Ready) or (panel.step.warning and place.verb == "c"):
            shown = await screen_for(interaction, words, panel, at=place, warned=True)
            await shown.replace(interaction)
            return
    except TableError as error:
        await lead_on(interaction, pressed, error, words)
        return
    follows = panel.step.then if place.verb == "e" else None
    then = None if follows is None else follows.action
    await carry_out(interaction, pressed, panel.step.action, words, then=then)


async def carry_out(
    interaction: Interaction, pressed: Press, action: str, words: Words, *, then: str | None = None
) -> None:
    """Does an action, and what is to follow; says so, and goes on where it is its player's turn still."""
    client, user = interaction.client, interaction.user
    try:
        outcome = await client.tables.act(
            pressed.table,
            user.id,
            action,
            version=pressed.version,
            interaction_id=interaction.id,
            guild_id=interaction.guild_id,
        )
    except TableError as error:
        await lead_on(interaction, pressed, error, words)
        return
    done = done_line(outcome, words, client.signs)
    if then is not None and not outcome.repeated:
        outcome, told = await and_then(interaction, outcome, then, words)
        done = f"{done}\n{told}"
    if outcome.shown.seat not in outcome.table.to_act:
        await change(interaction, done)
        await stay_open(interaction, outcome.table, done)
        return
    panel = await client.tables.panel(pressed.table, user.id)
    shown = await screen_for(interaction, words, panel, before=f"{done}\n{words('answer.again')}")
    await shown.replace(interaction)


async def and_then(interaction: Interaction, first: Outcome, then: str, words: Words) -> tuple[Outcome, str]:
    """The second action of a press, and what is said of it. Where it is refused the first one stands."""
    table = first.table
    try:
        outcome = await interaction.client.tables.act(
            table.id,
            interaction.user.id,
            then,
            version=table.version,
            interaction_id=None,
            guild_id=interaction.guild_id,
        )
    except TableError as error:
        return first, explained(error, words, await names_at(interaction, error.table))
    return outcome, done_line(outcome, words, interaction.client.signs)


async def stay_open(interaction: Interaction, table: Table, done: str) -> None:
    """The panel that said what was done goes on by itself when it is its owner's turn again."""
    client, user_id = interaction.client, interaction.user.id

    async def go_on() -> None:
        await open_again(interaction, table.id, done)

    client.following.wait(table.id, user_id, go_on)
    now = await client.tables.get(table.id)  # a bot may have answered while this was said
    seat = now.seat_of(user_id)
    if seat in now.to_act:
        client.following.turned(table.id, frozenset({user_id}))


async def open_again(interaction: Interaction, table_id: int, done: str) -> None:
    """The panel in place of what was said, below it, as it is its owner's turn."""
    words = await interaction.client.languages.of_user(interaction)
    before = f"{done}\n{words('answer.your-turn')}"
    if await open_draft(interaction, table_id, before=before, again=True):
        return
    panel = await interaction.client.tables.panel(table_id, interaction.user.id)
    shown = await screen_for(interaction, words, panel, before=before)
    await shown.replace(interaction)


def done_line(outcome: Outcome, words: Words, signs: Signs) -> str:
    """What was done, or which orders are kept; and where nobody else is shown it, that."""
    phrase = in_words(outcome.table.game, outcome.said, words, outcome.shown.names, signs)
    if outcome.action is not None:
        played = done_in_words(phrase, outcome.action, words)
        left = left_line(outcome, words, signs)
        lines = (played, left, controls.barred_note(outcome.table, words))
        return "\n".join(line for line in lines if line)
    return orders_line(outcome.draft, phrase, words) or words("answer.no-orders")


def left_line(outcome: Outcome, words: Words, signs: Signs) -> str:
    """The orders that are left beside what was done of them at once; "" where none are."""
    phrase = in_words(outcome.table.game, outcome.left, words, outcome.shown.names, signs)
    return orders_line(outcome.draft, phrase, words)


def orders_line(draft: str | None, phrase: str, words: Words) -> str:
    """Orders that are kept, in words where the game has them, the notation small below; "" where none are."""
    if not draft:
        return ""
    kept = f"`{draft}`"
    if not phrase:
        return words("answer.orders", orders=kept)
    return f"{words('answer.orders-said', said=phrase)}\n{small([kept])}"


async def lead_on(interaction: Interaction, pressed: Press, error: TableError, words: Words) -> None:
    """Why a panel is of no use any more, and the way to the current one where there is one.

    The panel itself is replaced, but for a confirmation: a second press must not hide that the first worked.
    """
    content = explained(error, words, await names_at(interaction, error.table))
    moved_on = error.code in STALE
    view = Rows()
    if moved_on:
        view.add_item(turn_button(pressed.table, pressed.version, words))
    if moved_on and pressed.action[0] in "ps":
        await change(interaction, content, view=view, accented=REFUSED)
    else:
        await answer(interaction, content, view=view, accented=REFUSED)
