"""Every game by buttons and selects alone, whatever it asks; hands only to those who hold them."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from cogs.text.games import playable
from engines.registry import engine
from tests.discord.conftest import (
    World,
    answer_of,
    button,
    controls,
    fixed_seed,
    last_board,
    menus,
    text_of,
)
from tests.discord.months import warmed
from tests.games import by_game, hidden, one_of_each_kind, sample, words_of
from tests.messages import wording

LONG = min(int(os.environ.get("HATAMOTO_COUNT", "25")), 200)  # actions of a long run
SEEDS = range(3 if os.environ.get("HATAMOTO_COUNT") else 1)  # of long runs: their chance is fixed
OTHERS = ("Back", "Next", "Previous", "Type it")
DONE = ("Played `", "Your secret orders are saved")
SHEET = ("Yes, send it", "Send", "Fill the rest")  # of a draft, in the order to be pressed


async def one_action(mover: Any, post: Any, dice: random.Random) -> None:
    """From the board to a confirmed action, picking at random."""
    shown = await mover.click(post, custom_id=button(post, "Your turn"))
    for _ in range(40):
        panel = answer_of(shown)
        told = wording(panel).partition("It is still your turn.")[0]
        if any(done in told for done in DONE):
            return
        offered = controls(panel)
        sheet = sorted((SHEET.index(label), c) for c, label in offered.items() if label in SHEET)
        if sheet:
            shown = await mover.click(panel, custom_id=sheet[0][1])
            if text_of(shown).startswith("Your plan is sent"):
                return
            continue
        sure = [c for c, label in offered.items() if label in ("Confirm", "Yes, do it")]
        if sure:
            shown = await mover.click(panel, custom_id=sure[0])
            if any(done in text_of(shown) for done in DONE):
                return
            continue
        if found := menus(panel):
            menu = found[0]
            values = [option["value"] for option in menu["options"]]
            wanted = max(menu.get("min_values", 1), min(1, menu.get("max_values", 1)))
            picked = dice.sample(values, wanted)
            shown = await mover.select(panel, picked, custom_id=menu["custom_id"])
            done = [c for c, label in controls(answer_of(shown)).items() if label.startswith("Done (")]
            if done:
                shown = await mover.click(answer_of(shown), custom_id=done[0])
        else:
            picks = [custom_id for custom_id, label in offered.items() if label not in OTHERS]
            shown = await mover.click(panel, custom_id=dice.choice(picks))
    raise AssertionError("the panel did not come to an end")


async def seated(world: World, game: str, chosen: dict[str, Any] | None = None, *, seed: int = 0) -> Any:
    """A started table of this game, with as few players as it allows; its thread."""
    fixed_seed(world, seed)
    rules = engine(game)
    options = rules.read_options(chosen or {})
    two = min(rules.seat_counts(options)) <= 2
    warmed(game, chosen)
    wish = words_of(chosen or {})
    await world.ann.slash(world.channel, "game new", game=game, opponent=world.ben.user, options=wish)
    await world.ben.slash(world.channel, "game join", table=1)
    if not two:
        await world.cho.slash(world.channel, "game join", table=1)
    if (await world.bot.tables.get(1)).status == "open":
        await world.ann.slash(world.channel, "game start", table=1)
    assert (await world.bot.tables.get(1)).status == "running"
    return world.thread()


@pytest.mark.parametrize(
    ("game", "actions", "seed"),
    [
        *[pytest.param(game, 2, 0) for game in one_of_each_kind(playable())],
        *[pytest.param(game, LONG, seed, marks=pytest.mark.long) for game in playable() for seed in SEEDS],
    ],
)
async def test_a_game_is_played_by_buttons_and_selects(world, game, actions, seed):
    thread = await seated(world, game, seed=seed)
    dice = random.Random(seed)
    people = {member.id: member for member in (world.ann, world.ben, world.cho)}
    for _ in range(actions):
        table = await world.bot.tables.get(1)
        if table.status == "over":
            break
        seat = min(table.to_act)
        await one_action(people[table.seats[seat].user_id], last_board(thread), dice)
    assert (await world.bot.tables.get(1)).version > 2
    for message in thread.history():
        assert all(attachment.description for attachment in message.attachments)


@pytest.mark.parametrize("game", by_game(hidden()))
async def test_hands_go_by_dm_to_who_holds_them_and_by_button_where_dms_are_closed(world, game):
    closed = world.ann.user.dm_channel
    world.env.inject_error("POST", f"/channels/{closed.id}/messages", status=403, code=50007, times=None)
    thread = await seated(world, game, sample(game).hides)
    private = world.ben.user.dm_channel.history(viewer=world.ben.user)
    assert len(private) == 1
    assert private[0].attachments
    line = next(m for m in thread.history() if "direct message" in wording(m))
    assert [user.id for user in line.mentions] == [world.ann.id]
    assert not line.attachments
    opened = answer_of(await world.ann.click(line, custom_id=button(line, "Open your hand")))
    assert opened.attachments
    assert (
        "don't play"
        in wording(answer_of(await world.cho.click(line, custom_id=button(line, "Open your hand"))))
        or len((await world.bot.tables.get(1)).seats) > 2
    )
