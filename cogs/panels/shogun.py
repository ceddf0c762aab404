"""Shogun's order sheet: a plan filled in any order, kept by the table as a draft until it is sent.

Like the generic panel it lives in its custom ids alone: `plan.<what>` on buttons, `L.<what>` on selects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import discord

from cogs.buttons import controls
from cogs.buttons.custom_ids import Press
from cogs.buttons.lasting import TableButton, on_press, pressed_message
from cogs.panels import guided
from cogs.panels.met import first_line, first_met
from cogs.panels.own import Own
from cogs.text.answers import Interaction, change, cut, explained, hold, names_at
from cogs.text.control import MOST_OPTION, Component, Select, option
from cogs.text.foresight import foretold
from cogs.text.layout import Rows, accent_of
from cogs.text.letter import Letter, attached
from cogs.text.pictures import drawn_for
from cogs.text.rules_pages import way_to, way_to_page
from cogs.text.signs import Signs
from cogs.text.spoken import not_laid
from engines.protocol import Prompt, View, digest
from engines.shogun.data import CHEST_CARDS, COST, PLACES, PROVINCES, SPACES
from engines.shogun.forecast import Forecast, forecast, spaces_in_order, troubles
from engines.shogun.foresight import foresee
from engines.shogun.model import Plan, ShogunView
from engines.shogun.planning import bid_cost, cards_due
from engines.shogun.sheet import AGAIN, NO_CARD, first_round, laid, written
from locales import Words
from render import Scene
from render.lessons import First
from render.words import joined
from tables.core.errors import TableError
from tables.core.model import Draft, Help

GAME = "shogun"
PAGE = 24  # cards of one select, beside "leave it empty"
MOST_WARNINGS = 8
SAID = frozenset({"cost", "cost-short", "no-building", "revolt", "revolt-odds"})  # by its costs and doubts
EPHEMERAL = discord.MessageFlags(ephemeral=True).value
MARK = 8  # characters that tell a draft from another one


@dataclass(frozen=True)
class Sheet:
    """An order sheet as its owner sees it: the plan so far, and the space that a card is to be picked for."""

    table_id: int
    heading: str
    version: int
    view: ShogunView
    names: tuple[str, ...]
    plan: Plan
    words: Words
    space: str | None = None
    page: int = 0
    sure: bool = False  # asked whether to send it although something may not work
    row: int | None = None  # the outbox row of a letter
    note: str = ""  # said first
    accounts: tuple[str, ...] = ()  # by seat, for the picture
    since: View | None = None  # what the viewer saw when he last looked
    help: Help = "basic"

    @property
    def mark(self) -> str:
        """Tells this draft from another one: what is sent or cleared is what was shown."""
        return digest(written(self.plan))[:MARK]

    @property
    def own(self) -> list[str]:
        """The viewer's provinces in the order of the data."""
        provinces = self.view.provinces
        return [n for n in PROVINCES if n in provinces and provinces[n].owner == self.view.viewer]

    @property
    def sent(self) -> Plan:
        """The plan that was sent, empty where none was."""
        return self.view.players[self.view.viewer or 0].plan

    @property
    def ready(self) -> bool:
        """Whether a plan was sent."""
        return self.view.players[self.view.viewer or 0].ready

    @property
    def settled(self) -> bool:
        """Whether it is what was sent."""
        return self.ready and self.plan == self.sent

    @property
    def chests(self) -> int:
        """The viewer's chests."""
        return self.view.players[self.view.viewer or 0].chests

    @property
    def full(self) -> bool:
        """Whether it holds as many cards as it must."""
        return len(self.plan) == cards_due(len(self.own))

    def say(self, code: str, **params: Any) -> str:
        """A message of this sheet."""
        return self.words(f"shogun.plan.{code}", game=GAME, names=self.names, **params)

    def press(self, action: str) -> Press:
        """A control of this sheet."""
        return Press(self.table_id, self.version, action)


def sheet_of(draft: Draft, words: Words, space: str | None = None, page: int = 0) -> Sheet:
    """The sheet of a seat's draft."""
    shown = draft.shown
    view = cast(ShogunView, shown.view)
    heading = controls.heading(shown.table, words)
    return Sheet(
        shown.table.id,
        heading,
        draft.version,
        view,
        shown.names,
        laid(draft.text),
        words,
        space,
        page,
        sure=draft.asked,
        accounts=shown.table.accounts,
        since=shown.since,
        help=shown.table.help,
    )


# -- what it says --------------------------------------------------------------------------------


def lines_of(sheet: Sheet) -> list[str]:
    """How far the plan is, what it costs, what is doubtful about it, what is asked."""
    cost = sum(COST.get(space, 0) for space, card in sheet.plan.items() if card not in CHEST_CARDS)
    lines = [sheet.note] if sheet.note else []
    lines += [
        sheet.say("title", laid=len(sheet.plan), cards=cards_due(len(sheet.own))),
        sheet.say("costs", cost=cost, bid=bid_cost(sheet.plan.get("bid")), chests=sheet.chests),
    ]
    if sheet.ready:
        lines.append(sheet.say("sent" if sheet.settled else "not-sent-again"))
    lines += doubts(sheet)
    if sheet.full and sheet.help == "full":
        ahead = foresee(sheet.view, written(sheet.plan), odds=True)
        lines += foretold(GAME, [one for one in ahead if one.code not in SAID], sheet.words, sheet.names)
    if sheet.sure:
        lines.append(sheet.say("sure"))
    elif sheet.space is not None:
        lines.append(sheet.say("which-card", space=sheet.space, cost=COST.get(sheet.space, 0)))
    return lines


def doubts(sheet: Sheet) -> list[str]:
    """What may not work, space by space."""
    found = []
    for space, warn in troubles(sheet.view, sheet.plan):
        text = sheet.words(f"shogun.warning.{warn.code}", game=GAME, names=sheet.names, **warn.params)
        found.append(sheet.say("doubt", space=space, warning=text))
    return found[:MOST_WARNINGS]


def outlook(sheet: Sheet, space: str, card: str) -> str:
    """What an entry would cost and yield, and its first doubt; at most 100 characters."""
    seen = forecast(sheet.view, space, card)
    parts = [sheet.say("cost", chests=seen.cost)] if seen.cost and space != "bid" else []
    if card in CHEST_CARDS:
        parts.append(sheet.say("bids" if space == "bid" else "no-action", chests=seen.cost))
    elif space == "bid":
        parts.append(sheet.say("bids-province"))
    else:
        parts += [*gains(sheet, space, seen), facts(sheet, card)]
    told = [sheet.words("words.separator").join(parts)]
    for warn in seen.warns[:1]:
        text = sheet.words(f"shogun.warning.{warn.code}", game=GAME, names=sheet.names, **warn.params)
        told.insert(0, sheet.say("careful", warning=text))
    return cut(joined(told), MOST_OPTION)


def gains(sheet: Sheet, space: str, seen: Forecast) -> list[str]:
    """The least and most that an action brings."""
    least, most = seen.gain
    if not most:
        return []
    what = space if space in ("tax", "rice") else "armies"
    return [sheet.say(f"gain-{what}", gain=str(least) if least == most else f"{least}–{most}")]


def facts(sheet: Sheet, card: str) -> str:
    """What stands in a province."""
    province = sheet.view.provinces[card]
    free = SPACES[card] - province.buildings
    code = "facts-unrest" if province.unrest else "facts"
    return sheet.say(code, armies=province.armies, free=free, unrest=province.unrest)


# -- what it offers --------------------------------------------------------------------------------


def space_options(sheet: Sheet, signs: Signs) -> list[Component]:
    """The eleven spaces with what lies on them."""
    options = []
    for number, space in enumerate(spaces_in_order(sheet.view), 1):
        card = sheet.plan.get(space)
        mark = str(number) if space in sheet.view.actions else "?"
        params = {"number": "" if space == "bid" else f"{mark}. ", "space": space, "card": card}
        options.append(
            option(
                sheet.say("space-empty" if card is None else "space", **params),
                space,
                description=outlook(sheet, space, card) if card is not None else None,
                default=space == sheet.space,
                emoji=signs.of(GAME, space),
            )
        )
    return options


def cards_of(sheet: Sheet, space: str) -> list[str]:
    """The cards that may go on a space, those in hand first."""
    hand_ = [card for card in (*sheet.own, *CHEST_CARDS) if space != "bid" or bid_cost(card) <= sheet.chests]
    used = set(sheet.plan.values())
    return [card for card in hand_ if card not in used] + [card for card in hand_ if card in used]


def pages_of(sheet: Sheet, space: str) -> int:
    """How many selects the cards for a space fill."""
    return -(-len(cards_of(sheet, space)) // PAGE)


def card_options(sheet: Sheet, space: str, signs: Signs) -> list[Component]:
    """One page of the cards for a space, each with what it would do there."""
    lies = {card: other for other, card in sheet.plan.items()}
    page = sheet.page % pages_of(sheet, space)
    options = []
    for card in cards_of(sheet, space)[page * PAGE : (page + 1) * PAGE]:
        on = lies.get(card)
        key = "card" if on is None or on == space else "card-moves"
        options.append(
            option(
                sheet.say(key, card=card, space=on),
                card.casefold(),
                description=outlook(sheet, space, card),
                default=on == space,
                emoji=signs.of(GAME, card),
            )
        )
    if space in sheet.plan:
        options.append(option(sheet.say("leave-empty"), NO_CARD))
    return options


def controls_of(sheet: Sheet, signs: Signs, first: First | None = None) -> Rows:
    """The selects, and buttons to fill, clear and send; the way to the page on what is new, else on plans."""
    view = Rows()
    view.add_item(Select(str(sheet.press("L.space")), space_options(sheet, signs), sheet.say("pick-space")))
    if sheet.space is not None:
        number = PLACES.index(sheet.space)
        page = f"~{sheet.page}" if sheet.page else ""
        action = f"L.card.{number}{page}"
        picks = card_options(sheet, sheet.space, signs)
        view.add_item(Select(str(sheet.press(action)), picks, sheet.say("pick-card")))
    for item in buttons_of(sheet):
        view.add_item(item)
    view.add_item(TableButton(sheet.press("type"), sheet.words("button.type")))
    words = sheet.words
    rules = way_to(GAME, ("space",), words) if first is None else way_to_page(GAME, first.page, words)
    if rules is not None:
        view.add_item(rules)
    return view


def buttons_of(sheet: Sheet) -> list[TableButton]:
    """Send and its second asking, fill the rest, as last round, clear, more cards.

    What is sent as it lies can be neither sent nor filled: nothing offers to.
    """
    verb = "sure" if sheet.sure else "send"
    send = TableButton(
        sheet.press(f"plan.{verb}.{sheet.mark}")._replace(row=sheet.row),
        sheet.say(f"button-{verb}"),
        "danger" if sheet.sure else "success",
        disabled=not sheet.full,
    )
    fill = TableButton(sheet.press("plan.fill"), sheet.say("button-fill"), "primary", disabled=sheet.full)
    clear = TableButton(
        sheet.press(f"plan.clear.{sheet.mark}")._replace(row=sheet.row if sheet.settled else None),
        sheet.say("button-clear"),
        disabled=not sheet.plan,
    )
    again = TableButton(sheet.press("plan.again"), sheet.say("button-again"), disabled=sheet.full)
    buttons = [send, fill, clear] if first_round(sheet.view) else [send, fill, again, clear]
    if sheet.settled:
        buttons = [clear]
    if sheet.space is not None and pages_of(sheet, sheet.space) > 1:
        turn = f"plan.page.{PLACES.index(sheet.space)}~{(sheet.page + 1) % pages_of(sheet, sheet.space)}"
        buttons.append(TableButton(sheet.press(turn), sheet.say("button-more")))
    return buttons


def scene_of_sheet(sheet: Sheet) -> Scene:
    """The sheet as what is drawn, with the space that a card is asked for."""
    asked = None
    if sheet.space is not None:
        asked = Prompt(code="space", params={"space": sheet.space}, choices=())
    return Scene(
        game=GAME,
        view=sheet.view,
        names=sheet.names,
        words=sheet.words,
        prompt=asked,
        action=previewed(sheet),
        table=sheet.table_id,
        accounts=sheet.accounts,
        since=sheet.since,
        help=sheet.help,
    )


def previewed(sheet: Sheet) -> str | None:
    """The draft as what is drawn, None where it is what was sent."""
    return None if sheet.settled else written(sheet.plan)


async def screen_for(interaction: Interaction, sheet: Sheet, before: str) -> guided.Screen:
    """The sheet for who asks: a rule that matters to them for the first time is named, once."""
    codes = {"space"} if sheet.space is None else {"space", f"space/{sheet.space}"}
    first = await first_met(interaction, GAME, codes)
    return await screen(interaction, sheet, before, first)


async def screen(
    interaction: Interaction, sheet: Sheet, before: str = "", first: First | None = None
) -> guided.Screen:
    """The sheet as a message: `before` is a line to put first, `first` a rule that is new to the player."""
    picture, good = await drawn_for(interaction, "hand", scene_of_sheet(sheet))
    trouble = "" if good else sheet.words("post.no-picture")
    lines = [before, sheet.heading, *lines_of(sheet), first_line(GAME, first, sheet.words), trouble]
    files = () if picture is None else (attached(picture),)
    return guided.Screen(
        cut("\n".join(line for line in lines if line)),
        controls_of(sheet, interaction.client.signs, first),
        files,
        accent_of(GAME),
    )


async def open_sheet(interaction: Interaction, draft: Draft, before: str, *, again: bool = False) -> None:
    """The sheet as a new answer, at the first space that is empty; `again`: in place of what was pressed."""
    words = await interaction.client.languages.of_user(interaction)
    sheet = at_first_empty(sheet_of(draft, words))
    shown = await screen_for(interaction, sheet, before)
    await (shown.replace(interaction) if again else shown.answer(interaction))


def letter(letter_: Letter) -> Own | None:
    """The sheet's lines and controls for a DM; None outside planning."""
    view = cast(ShogunView, letter_.view)
    if view.phase != "plan" or view.viewer is None or view.players[view.viewer].passive:
        return None
    sheet = Sheet(
        letter_.table.id,
        controls.heading(letter_.table, letter_.words),
        letter_.version,
        view,
        letter_.names,
        plan_of(letter_, view),
        letter_.words,
        row=letter_.row.mark,
        help=letter_.table.help,
    )
    return Own("\n".join(lines_of(sheet)), controls_of(sheet, letter_.signs), previewed(sheet))


def plan_of(letter_: Letter, view: ShogunView) -> Plan:
    """The draft as it is, where it is of the round that the letter tells of; else what was sent."""
    draft = letter_.draft
    if draft is not None:
        now = cast(ShogunView, draft.shown.view)
        if (now.year, now.season, now.viewer) == (view.year, view.season, view.viewer):
            return laid(draft.text)
    return view.players[view.viewer or 0].plan


# -- presses ---------------------------------------------------------------------------------------


@on_press("plan", "L")
async def press(interaction: Interaction, pressed: Press, values: tuple[str, ...]) -> None:
    """A press on the sheet: it is changed where it stands."""
    await hold(interaction)
    client = interaction.client
    words = await client.languages.of_user(interaction)
    try:
        sheet = await carried_out(interaction, pressed, values, words)
    except TableError as error:
        await explain(interaction, pressed, error, words)
        return
    if sheet is not None:
        await show(interaction, sheet)


async def show(interaction: Interaction, sheet: Sheet, before: str = "") -> None:
    """The sheet in place of what was pressed."""
    shown = await screen_for(interaction, sheet, before)
    await shown.replace(interaction)


async def carried_out(
    interaction: Interaction, pressed: Press, values: Sequence[str], words: Words
) -> Sheet | None:
    """The sheet after a press; None where that was shown already. Raises TableError."""
    tables, user = interaction.client.tables, interaction.user.id
    what, _, place = pressed.action.partition(".")[2].partition(".")
    if what in ("send", "sure", "clear") and place:
        now = sheet_of(await planned(interaction, pressed, pressed.version), words)
        if now.mark != place:
            return replace(now, note=now.say("changed-elsewhere"))
    if what in ("fill", "clear"):
        return await edited(interaction, pressed, f"plan {what}", words)
    if what == AGAIN:
        return at_first_empty(await edited(interaction, pressed, f"plan {AGAIN}", words))
    if what == "card":
        space = PLACES[int(place.partition("~")[0])]
        after = await edited(interaction, pressed, f"plan {space}={values[0]}", words)
        empty = [s for s in spaces_in_order(after.view) if s not in after.plan]
        return replace(after, space=None if after.full or not empty else next_after(after, space, empty))
    sheet = sheet_of(await planned(interaction, pressed, pressed.version), words)
    if what == "space":
        return replace(sheet, space=values[0])
    if what == "page":
        number, _, page = place.partition("~")
        return replace(sheet, space=PLACES[int(number)], page=int(page))
    if what == "send":
        asked = await tables.doubt(pressed.table, user, "plan ready")
        if isinstance(asked, Draft):
            return sheet_of(asked, words)
    await send(interaction, pressed, words)
    return None


def at_first_empty(sheet: Sheet) -> Sheet:
    """The sheet with the first empty space asked for, where it is not full."""
    empty = [space for space in spaces_in_order(sheet.view) if space not in sheet.plan]
    return replace(sheet, space=empty[0]) if empty and not sheet.full else sheet


def next_after(sheet: Sheet, space: str, empty: Sequence[str]) -> str:
    """The next empty space after this one, in the order of the sheet."""
    order = spaces_in_order(sheet.view)
    later = [other for other in order[order.index(space) + 1 :] if other in empty]
    return later[0] if later else empty[0]


async def planned(interaction: Interaction, pressed: Press, version: int | None = None) -> Draft:
    """The presser's plan. Raises TableError, `stale` too where a forged button names another game's table."""
    draft = await interaction.client.tables.draft(pressed.table, interaction.user.id, version)
    if draft.shown.table.game != GAME:
        raise TableError("stale", table=pressed.table, game=draft.shown.table.game)
    return draft


async def edited(interaction: Interaction, pressed: Press, text: str, words: Words) -> Sheet:
    """The sheet after an edit."""
    outcome = await interaction.client.tables.act(
        pressed.table,
        interaction.user.id,
        text,
        version=pressed.version,
        interaction_id=interaction.id,
        guild_id=interaction.guild_id,
        at_letter=not pressed_message(interaction).get("flags", EPHEMERAL) & EPHEMERAL,
    )
    draft = Draft(outcome.shown, outcome.draft or "plan", outcome.shown.version)
    return replace(sheet_of(draft, words), note=not_laid(outcome, words))


async def send(interaction: Interaction, pressed: Press, words: Words) -> None:
    """The plan is sent; while others plan it may still be changed, else the game goes on."""
    tables, user = interaction.client.tables, interaction.user.id
    outcome = await tables.act(
        pressed.table,
        user,
        "plan ready",
        version=pressed.version,
        interaction_id=interaction.id,
        guild_id=interaction.guild_id,
    )
    view = cast(ShogunView, outcome.shown.view)
    if view.phase == "plan" and view.viewer is not None and view.players[view.viewer].ready:
        draft = Draft(outcome.shown, written(view.players[view.viewer].plan), outcome.shown.version)
        sent = joined([words("shogun.plan.done", game=GAME), controls.barred_note(outcome.table, words)])
        await show(interaction, sheet_of(draft, words), sent)
        await guided.stay_open(interaction, outcome.table, sent)
        return
    done = joined([words("shogun.plan.revealed", game=GAME), controls.barred_note(outcome.table, words)])
    if outcome.shown.seat in outcome.table.to_act and view.phase != "plan":
        shown = await guided.screen_for(
            interaction, words, await tables.panel(pressed.table, user), before=done
        )
        await shown.replace(interaction)
        return
    await change(interaction, done)
    await guided.stay_open(interaction, outcome.table, done)


async def explain(interaction: Interaction, pressed: Press, error: TableError, words: Words) -> None:
    """Why not, above the sheet as it is now; where nothing can be planned any more, the way to the board."""
    names = await names_at(interaction, error.table)
    try:
        draft = await planned(interaction, pressed)
    except TableError:
        await guided.lead_on(interaction, pressed, error, words)
        return
    await show(interaction, sheet_of(draft, words), explained(error, words, names))
