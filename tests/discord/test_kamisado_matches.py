"""Whole matches of Kamisado between two people, and against the bot."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from simcord.builders import UserHandle

from tests.discord.conftest import World, answer_of, button, controls, last_board, text_of
from tests.messages import wording

unseen = pytest.mark.usefixtures("sketches")  # nobody looks at the pictures

MATCHES = min(int(os.environ.get("HATAMOTO_COUNT", "1")), 10)  # about a minute each


def quickest(moves: list[str]) -> str:
    """The move that goes farthest; a fill or a push where nothing moves."""

    def distance(move: str) -> int:
        start, dash, goal = move.partition("-")
        return abs(int(start[1]) - int(goal[1])) if dash else 0

    return max(moves, key=distance)


async def play_by_commands(world: World, restarts: Any, limit: int = 400) -> int:
    """Plays table 1 to its end by `/move`; the number of moves."""
    thread = world.thread()
    for ply in range(limit):
        mover = await world.to_move()
        if mover is None:
            return ply
        if restarts(ply):
            await world.restart()
        told = text_of(await mover.slash(thread, "move", move=quickest(await world.moves(thread))))
        assert "Played `" in told, told
    raise AssertionError("the match did not end")


async def press_through(world: World, dice: random.Random, restarts: Any) -> bool:
    """One action by buttons, from the newest board to its confirmation; False when the match is over."""
    mover = await world.to_move()
    if mover is None:
        return False
    thread = world.thread()
    board = last_board(thread)
    shown = await mover.click(board, custom_id=button(board, "Your turn"))
    for _ in range(6):
        if restarts():
            await world.restart()
        panel = answer_of(shown)
        if "Played `" in text_of(shown):
            return True  # nothing was lost by it, so it was not asked about
        assert panel.attachments, wording(panel)
        assert all(attachment.description for attachment in panel.attachments)
        offered = controls(panel)
        confirm = [custom_id for custom_id, label in offered.items() if label in ("Confirm", "Yes, do it")]
        if confirm:
            shown = await mover.click(panel, custom_id=confirm[0])
            assert "Played `" in text_of(shown)
            return True
        picks = [custom_id for custom_id, label in offered.items() if label != "Back"]
        picks = [custom_id for custom_id in picks if "win" in offered[custom_id].casefold()] or picks
        shown = await mover.click(panel, custom_id=dice.choice(picks))
    raise AssertionError("the panel did not come to an end")


def pings(world: World) -> list[list[int]]:
    """Whom each post in the thread mentions."""
    return [[user.id for user in message.mentions] for message in world.thread().history()]


async def assert_it_ended_well(world: World) -> None:
    table = await world.bot.tables.get(1)
    assert table.status == "over"
    assert table.result is not None
    assert max(table.result["scores"]) >= 3
    last = last_board(world.thread())
    assert "Rematch" in controls(last).values()
    assert table.seed is not None
    assert table.seed not in wording(last)
    assert wording(last).startswith("# Won by ")
    boards = [message for message in world.thread().history() if message.attachments]
    assert all(a.description for message in boards for a in message.attachments), "alt text"
    assert len({message.id for message in boards}) == len(boards)


@unseen
async def test_two_people_play_a_standard_match_by_commands_through_restarts(world):
    await world.start()
    plies = await play_by_commands(world, lambda ply: ply % 5 == 2)
    await assert_it_ended_well(world)
    boards = [message for message in world.thread().history() if message.attachments]
    assert len(boards) == plies + 1, "one board for the start and one for each action"


@pytest.mark.long
@unseen
async def test_two_people_play_a_standard_match_by_buttons_through_restarts(world):
    await world.start()
    dice = random.Random(3)
    for _ in range(400):
        if not await press_through(world, dice, lambda: dice.random() < 0.07):
            break
    await assert_it_ended_well(world)


@unseen
@pytest.mark.long
@pytest.mark.parametrize("seed", range(MATCHES))
async def test_a_restart_between_any_two_actions_loses_nothing(world, seed):
    await world.start()
    if seed % 2:
        await play_by_commands(world, lambda _ply: True)
    else:
        dice = random.Random(seed)
        for _ in range(400):
            if not await press_through(world, dice, lambda: True):
                break
    await assert_it_ended_well(world)


@unseen
async def test_the_mover_is_mentioned_once_a_turn_by_the_post_with_the_board(world):
    thread = await world.start()
    for _ in range(6):
        mover = await world.to_move()
        before = len(thread.history())
        assert mover is not None
        await mover.slash(thread, "move", move=quickest(await world.moves(thread)))
        posts = thread.history()[before:]
        following = await world.to_move()
        if following is None:
            break
        told = [[user.id for user in message.mentions] for message in posts]
        expected = [[following.id]] if following is not mover else [[]]
        assert told == expected
        assert posts[0].attachments


@unseen
async def test_a_newcomer_beats_or_loses_to_the_bot_in_a_single_round(world):
    result = await world.ann.slash(
        world.channel,
        "game new",
        game="kamisado",
        opponent=UserHandle(world.env, world.env.backend.bot_user),
        options="level=easy seat=first",
    )
    assert "started" in text_of(result)
    thread = world.thread()
    for _ in range(60):
        await world.bot.tables.settled()
        await world.env.settle()
        if await world.to_move() is None:
            break
        await world.ann.slash(thread, "move", move=quickest(await world.moves(thread)))
    assert (await world.bot.tables.get(1)).status == "over"


async def test_a_series_is_offered_and_played_to_its_points_and_its_rounds_end_on_their_own_board(  # 13.0
    world,
):
    offered = await world.ann.autocomplete(
        world.channel, "game new", "options", "match=series points=", game="kamisado"
    )
    assert "match=series points=9" in [choice["value"] for choice in offered]
    told = text_of(
        await world.ann.slash(
            world.channel, "game new", game="kamisado", opponent=world.ben.user, options="match=long points=3"
        )
    )
    assert "`points=9` go only with `match=series`" in told
    thread = await world.start("match=series points=2 seat=first")
    assert "to 2 points" in wording(thread.history()[0]) + wording(thread.history()[-1])
    plies = await play_by_commands(world, lambda ply: ply == 9)
    table = await world.bot.tables.get(1)
    assert max(table.result["scores"]) == 2
    boards = [message for message in thread.history() if message.attachments]
    assert len(boards) == plies + 1
    pairs = [message for message in boards[:-1] if len(message.attachments) == 2]
    assert len(pairs) == sum(table.result["scores"]) - 1, "each round that another one follows"
    for message in pairs:
        assert {a.filename for a in message.attachments} == {"kamisado-ended.png", "kamisado.png"}
        assert "back on its own colour" in wording(message)
