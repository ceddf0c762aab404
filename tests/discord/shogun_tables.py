"""Four people at a table of Shogun, and what they do there by buttons and by text."""

from __future__ import annotations

import random
from typing import Any

from engines.chance import Chance
from engines.registry import engine
from engines.shogun.notation import NAMES
from locales import words
from render import Scene, painter
from tests.discord.conftest import World, answer_of, button, controls, last_board, menus, text_of
from tests.messages import wording
from tests.sketches import cold

SENDING = ("Yes, send it", "Send", "Fill the rest")  # in the order to be pressed


class Four:
    """A world with four players at table 1."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.dan = world.guild.add_member(world.env.create_user("Dan"))
        self.people = {m.id: m for m in (world.ann, world.ben, world.cho, self.dan)}

    async def begin(self) -> Any:
        """A started table; its thread."""
        world = self.world
        warm_up()
        await world.ann.slash(world.channel, "game new", game="shogun", options="seat=first")
        for member in (world.ben, world.cho, self.dan):
            await member.slash(world.channel, "game join", table=1)
        await world.ann.slash(world.channel, "game start", table=1)
        assert (await world.bot.tables.get(1)).status == "running"
        return world.thread()

    async def view(self) -> Any:
        """What everybody knows."""
        return (await self.world.bot.tables.show(1, None)).view

    async def acting(self) -> list[Any]:
        """Who has to act, by seat."""
        table = await self.world.bot.tables.get(1)
        return [self.people[table.seats[seat].user_id or 0] for seat in sorted(table.to_act)]

    async def own(self, member: Any) -> tuple[Any, int]:
        """A player's own view and seat."""
        shown = await self.world.bot.tables.show(1, member.id)
        assert shown.seat is not None
        return shown.view, shown.seat


def warm_up() -> None:
    """The first pictures load fonts and maps, for which a simulation does not wait."""
    if not cold("shogun tables"):
        return
    rules = engine("shogun")
    state, _ = rules.setup(rules.read_options({}), 4, Chance(bytes(32), 0))
    for viewer in (None, 0):
        scene = Scene("shogun", rules.view(state, viewer), ("Ann", "Ben", "Cho", "Dan"), words("en"))
        painter("shogun").board(scene)
        painter("shogun").hand(scene)


async def lay_by_buttons(member: Any, panel: Any, dice: random.Random, cards: int) -> Any:
    """Picks a space and then a few cards, one after another; the sheet's answer."""
    shown = await member.select(panel, [dice.choice(values(menus(panel)[0]))], custom_id=menu(panel, 0))
    for _ in range(cards):
        panel = answer_of(shown)
        if len(menus(panel)) < 2:
            break
        shown = await member.select(panel, [dice.choice(values(menus(panel)[1]))], custom_id=menu(panel, 1))
    return answer_of(shown)


def values(select: dict[str, Any]) -> list[str]:
    """What a select offers."""
    return [option["value"] for option in select["options"]]


def menu(panel: Any, number: int) -> str:
    """The custom id of a select."""
    return str(menus(panel)[number]["custom_id"])


async def plan_by_buttons(member: Any, post: Any, dice: random.Random, cards: int = 2) -> str:
    """Opens the sheet, lays a few cards, fills the rest and sends; what was said at the end."""
    shown = await member.click(post, custom_id=button(post, "Your turn"))
    assert "Your plan: " in text_of(shown), text_of(shown)
    panel = await lay_by_buttons(member, answer_of(shown), dice, cards)
    for _ in range(40):
        if "No other card is sure to work" in text_of(shown):  # the rest is laid by hand, and warned of
            panel = await lay_by_buttons(member, panel, dice, 1)
        offered = {label: custom_id for custom_id, label in controls(panel).items()}
        press = next(label for label in SENDING if label in offered)
        shown = await member.click(panel, custom_id=offered[press])
        if text_of(shown).startswith("Your plan is sent"):
            return text_of(shown)
        panel = answer_of(shown)
    raise AssertionError(text_of(shown))


async def choose_by_buttons(member: Any, post: Any, dice: random.Random) -> str:
    """A special card, a battle, a move or an order of revolts, by the panel."""
    shown = await member.click(post, custom_id=button(post, "Your turn"))
    for _ in range(12):
        panel = answer_of(shown)
        assert panel.attachments, wording(panel)
        offered = controls(panel)
        sure = [c for c, label in offered.items() if label in ("Confirm", "Yes, do it")]
        if sure:
            shown = await member.click(panel, custom_id=sure[0])
            if "Played `" in text_of(shown):
                return text_of(shown)
        elif menus(panel):
            shown = await member.select(
                panel, [dice.choice(values(menus(panel)[0]))], custom_id=menu(panel, 0)
            )
        else:
            picks = [custom_id for custom_id, label in offered.items() if label != "Back"]
            shown = await member.click(panel, custom_id=dice.choice(picks))
    raise AssertionError("the panel did not come to an end")


def assert_nothing_leaks(four: Four, thread: Any) -> None:
    """No draft or plan in the channel; every message with a picture has its words."""
    for message in [*thread.history(), *four.world.channel.history()]:
        told = " ".join([wording(message), *(a.description or "" for a in message.attachments)])
        assert "Your plan" not in told
        assert "plan castle=" not in told.casefold()
        assert not [word for word in told.casefold().split() if "=" in word and word.split("=")[1] in NAMES]
        assert len(wording(message)) <= 2000
        assert all(attachment.description for attachment in message.attachments)


__all__ = [
    "Four",
    "assert_nothing_leaks",
    "choose_by_buttons",
    "last_board",
    "plan_by_buttons",
    "warm_up",
]
