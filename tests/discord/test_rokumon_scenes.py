"""Rokumon on Discord: a story between two people and a game against Taroma, as their players live them."""

from __future__ import annotations

import os
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.builders import UserHandle

from engines.opponents import opponent
from engines.rokumon.model import RokumonView
from tests.discord.conftest import World, answer_of, button, controls, last_board, menus, text_of
from tests.messages import wording

unseen = pytest.mark.usefixtures("sketches")  # nobody looks at the pictures

COUNT = int(os.environ.get("HATAMOTO_COUNT", "1"))
GIVING_UP = ("Give up", "Surrender", "Resign", "Take back", "Back", "Whole map")  # or only looking


async def story(world: World, options: str = "seat=first") -> Any:
    """Ann leads Sanada, Ben Tokugawa; their thread."""
    await world.ann.slash(world.channel, "game new", game="rokumon", opponent=world.ben.user, options=options)
    await world.ben.slash(world.channel, "game join", table=1)
    return world.thread()


async def does(world: World, player: MemberActor, *moves: str) -> str:
    """The player's actions by `/move`; what the last one was answered with."""
    told = ""
    for move in moves:
        told = text_of(await player.slash(world.thread(), "move", move=move))
    return told


async def insists(world: World, move: str) -> None:
    """Ann's action by `/move`, even where she is asked whether she means it."""
    told = await world.ann.slash(world.thread(), "move", move=move)
    if "Yes, do it" in controls(answer_of(told)).values():
        told = await world.ann.click(answer_of(told), custom_id=button(answer_of(told), "Yes, do it"))
    assert "Played `" in text_of(told)


async def exchange(world: World, *moves: str) -> None:
    """Actions of both by `/move`, in turn, whoever is to act."""
    for move in moves:
        player = await world.to_move()
        assert player is not None
        told = await does(world, player, move)
        assert "Played `" in told, (move, told)


async def presses(player: MemberActor, post: Any, *labels: str) -> Any:
    """The panel of a board, followed by the labels' beginnings; the last answer."""
    shown = await player.click(post, custom_id=button(post, "Your turn"))
    for label in labels:
        panel = answer_of(shown)
        found = [custom_id for custom_id, text in controls(panel).items() if text.startswith(label)]
        assert found, f"no {label!r} among {controls(panel)} of {wording(panel)!r}"
        shown = await player.click(panel, custom_id=found[0])
    return shown


def newest(world: World) -> Any:
    """The last board in the thread."""
    return last_board(world.thread())


async def seen(world: World) -> RokumonView:
    """What everybody sees."""
    view = (await world.bot.tables.show(1, None)).view
    assert isinstance(view, RokumonView)
    return view


def alts(message: Any) -> list[str]:
    """The alt texts of its pictures."""
    return [attachment.description or "" for attachment in message.attachments]


def letters(world: World, player: MemberActor) -> list[Any]:
    """What the player was sent by DM."""
    return list(player.user.dm_channel.history(viewer=player.user))


async def supplies(world: World, player: MemberActor) -> str:
    """The alt text of the player's own sheet by `/hand`."""
    return alts(answer_of(await player.slash(world.thread(), "hand")))[0]


# -- two people ------------------------------------------------------------------------------


@pytest.mark.long
async def test_two_people_live_through_the_whole_story(world):
    """Acts 1 to 6 by command and button, through restarts, with Ann's DMs closed."""
    closed = world.ann.user.dm_channel
    world.env.inject_error("POST", f"/channels/{closed.id}/messages", status=403, code=50007, times=None)
    thread = await story(world)
    await first_act(world)
    await a_take_back_at_the_right_and_at_the_wrong_moment(world)
    await world.restart()
    await a_fight_with_tokens_and_a_survivor_that_all_know(world)
    await a_surprise(world)
    await world.restart()
    await a_surrender_that_is_asked_about(world)
    await the_last_act(world)
    table = await world.bot.tables.get(1)
    assert (table.status, table.result["reason"]) == ("over", "tokens")
    assert table.result["winners"] == [0 if table.result["scores"][0] < table.result["scores"][1] else 1]
    assert all(alts(message) for message in thread.history() if message.attachments)
    assert wording(newest(world)).startswith("# Won by Ann")
    for message in thread.history():
        assert "only you see this" not in " ".join(alts(message))
        assert not any("Your warriors" in alt for alt in alts(message)), "a hand in the channel"


async def first_act(world: World) -> None:
    """Nothing is secret yet: no letters. Ann uncovers a row, after being asked twice."""
    assert letters(world, world.ben) == []
    tiles = (await seen(world)).tiles
    top, bottom = [tile.at for tile in tiles[:3]], [tile.at for tile in tiles[3:]]
    other = next(b for b in tiles[3:] if any(b.color != t.color for t in tiles[:3]))
    over = next(tile.at for tile in tiles[:3] if tile.color != other.color)
    rest = [cell for cell in top if cell != over]
    free = next(cell for cell in bottom if cell != other.at)
    # Tokugawa holds one of the row, Sanada covers it before the others come
    await exchange(world, f"deploy {other.at}", f"deploy {over}", f"move {other.at} {over}")
    await exchange(world, f"deploy {rest[0]}", f"deploy {free}", f"deploy {rest[1]}")
    goal = next(tile.at for tile in tiles if tile.color == other.color and tile.at not in rest)
    asked = answer_of(await world.ann.slash(world.thread(), "move", move=f"move {over} {goal}"))
    assert "uncovers three in a row" in wording(asked)
    assert (await world.bot.tables.get(1)).to_act == {0}
    await she_uncovers_it(world, over, goal)
    await the_blunder_is_taken_back_while_nobody_has_acted(world, tiles)
    await she_uncovers_it(world, over, goal)
    post = newest(world)
    assert "wins act 1: a row was uncovered" in wording(post)
    assert "Act 2 is dealt" in wording(post)
    shown = alts(post)
    assert len(shown) == 2, "the deciding table, then the new one"
    assert shown[0].startswith("Tokugawa wins.")
    assert "Act 1." in shown[0]
    assert "Act 2." in shown[1]


async def she_uncovers_it(world: World, over: str, goal: str) -> None:
    """Ann moves off the row of the other side, by the panel, which asks twice."""
    panel = await presses(world.ann, newest(world), "Move", f"{over} → {goal}: loses", "Confirm")
    assert "uncovers three in a row" in wording(answer_of(panel))
    await world.ann.click(answer_of(panel), custom_id=button(answer_of(panel), "Yes, do it"))


async def the_blunder_is_taken_back_while_nobody_has_acted(world: World, tiles: Any) -> None:  # 13.0
    """The act has ended and the next one is dealt; Ann, who is to begin it, takes her move back."""
    post = newest(world)
    assert "can still take back the action that ended the last act" in wording(post)
    assert "You can take back only" in await does(world, world.ben, "takeback")
    asked = answer_of(await presses(world.ann, post))
    assert set(controls(asked).values()) >= {"Deploy a warrior", "Take back my action"}
    await world.restart()
    again = await presses(world.ann, post, "Take back", "Confirm")
    assert "Played `takeback`" in text_of(again)
    post = newest(world)
    assert "takes back the action that ended act 1" in wording(post)
    assert "can still take back" not in wording(post)
    assert len(post.attachments) == 1
    view = await seen(world)
    assert (view.act, view.revenge.sanada.up) == (1, 0)
    assert {tile.at for tile in view.tiles} == {tile.at for tile in tiles}


async def test_the_replay_stops_at_the_table_that_ended_an_act(world):  # 13.C18
    await story(world)
    await first_act(world)
    last = len(await world.bot.tables.story(1, world.ann.id))
    shown = answer_of(await world.ann.slash(world.thread(), "game replay", at=last))
    assert "Act 2." in alts(shown)[0]
    for label, starts, act in [
        ("Back", "Tokugawa wins.", "Act 1."),
        ("Back", "", "Act 1."),
        ("Forward", "Tokugawa wins.", "Act 1."),
        ("Forward", "", "Act 2."),
    ]:
        shown = answer_of(await world.ann.click(shown, custom_id=button(shown, label)))
        assert alts(shown)[0].startswith(starts)
        assert starts or "wins." not in alts(shown)[0].split("Act")[0]
        assert act in alts(shown)[0]


async def a_take_back_at_the_right_and_at_the_wrong_moment(world: World) -> None:
    """Ann has a token, so Ben is bound: she may take back until he has acted."""
    no = "You can take back only your last"
    await exchange(world, "deploy e4")
    assert no in await does(world, world.ben, "takeback")
    assert "Played `takeback`" in await does(world, world.ann, "takeback")
    assert "takes back the last action" in wording(newest(world))
    await exchange(world, "deploy c4")
    offered = [c["value"] for c in await world.ann.autocomplete(world.thread(), "move", "move", "")]
    assert offered == ["takeback", "surrender", "resign"]
    again = await presses(world.ann, newest(world), "Take back", "Confirm")
    assert "Played `takeback`" in text_of(again)
    await exchange(world, "deploy d3")
    late = answer_of(await presses(world.ann, newest(world), "Take back"))
    await exchange(world, "deploy c4")
    told = await world.ann.click(late, custom_id=button(late, "Confirm"))
    assert "Played" not in text_of(told)
    assert no in await does(world, world.ann, "takeback")
    await exchange(world, "deploy f3", "deploy e4")
    waiting = answer_of(await presses(world.ben, newest(world)))
    assert {"Give up …"} == set(controls(waiting).values())
    assert letters(world, world.ben) == []
    await exchange(world, "deploy h3")
    assert "wins act 2: three in a row" in wording(newest(world))


async def a_fight_with_tokens_and_a_survivor_that_all_know(world: World) -> None:
    """Hands by DM and by button; tokens added by the panel; the survivor shown to both."""
    line = next(m for m in world.thread().history() if "direct message" in wording(m))
    assert [user.id for user in line.mentions] == [world.ann.id]
    opened = answer_of(await world.ann.click(line, custom_id=button(line, "Open your hand")))
    assert "2 in the supply, 2 in the supply, 4 in the supply, 6 in the supply" in alts(opened)[0]
    assert len(letters(world, world.ben)) == 1
    assert "1* in the supply" in alts(letters(world, world.ben)[0])[0]
    tiles = {tile.at: tile.color for tile in (await seen(world)).tiles}
    home = "e4"
    away = next(cell for cell in tiles if tiles[cell] != tiles[home])
    await exchange(world, f"deploy 2 {home}", f"deploy 3 {away}")
    assert "Sanada 2" not in " ".join(alts(newest(world)))
    assert f"2 on {home}" in await supplies(world, world.ann)
    assert f"3 on {away}" in alts(letters(world, world.ben)[-1])[0]
    spare = next(cell for cell in tiles if cell not in (home, away))
    await exchange(world, f"deploy 2 {spare}", f"move {away} {home}")
    asked = await presses(world.ann, newest(world), "Fight", "Add 1 token", "Confirm")
    assert "Played `fight e4 +1`" in text_of(asked)
    assert "can add revenge tokens" in wording(newest(world))
    added = await presses(world.ben, newest(world), "Add 1 token", "Confirm")
    assert "Played `revenge 1`" in text_of(added)
    post = newest(world)
    assert "Sanada 2 +1 against Tokugawa 3 +1" in wording(post)
    assert "e4 " in alts(post)[0]
    assert "with Tokugawa 3" in alts(post)[0], "the survivor is known to all"
    assert "e4" in (await supplies(world, world.ben))
    free = [cell for cell in tiles if cell not in (home, spare)]
    await exchange(world, f"deploy 1 {free[0]}")
    assert "no token" not in wording(newest(world))
    asked = answer_of(await world.ann.slash(world.thread(), "move", move="surrender"))
    assert "You lose act 3" in wording(asked)
    await world.ann.click(asked, custom_id=button(asked, "Yes, do it"))
    assert "wins act 3: surrender" in wording(newest(world))


async def a_surprise(world: World) -> None:
    """A tile goes elsewhere by the panel, and may not be moved next turn."""
    await exchange(world, "deploy 2 c4", "deploy 1 d3")
    moved = await presses(world.ann, newest(world), "Surprise", "From i4", "To f5", "Confirm")
    assert "Played `surprise i4 f5`" in text_of(moved)
    assert "can't be moved now" in alts(newest(world))[0]
    assert "it stays there this turn" in await does(world, world.ben, "surprise f5 i4")
    await exchange(world, "deploy 1* h3", "deploy 2 e4")
    asked = answer_of(await world.ben.slash(world.thread(), "move", move="surrender"))
    await world.ben.click(asked, custom_id=button(asked, "Yes, do it"))
    assert "wins act 4: surrender" in wording(newest(world))


async def a_surrender_that_is_asked_about(world: World) -> None:
    """Ben gives act 5 up while Ann is to act."""
    assert "Sanada Maru" in wording(newest(world))
    asked = await presses(world.ben, newest(world), "Give up …", "Surrender act 5", "Confirm")
    assert "You lose act 5" in wording(answer_of(asked))
    await world.ben.click(answer_of(asked), custom_id=button(answer_of(asked), "Yes, do it"))
    assert "wins act 5: surrender" in wording(newest(world))


async def the_last_act(world: World) -> None:
    """Everything lies open; three in a row end the story."""
    await exchange(world, "deploy 2 d3", "deploy 1 c4", "deploy 2 f3", "deploy 3 e4")
    assert "Tokugawa 3" in alts(newest(world))[0]
    await exchange(world, "deploy 6 h3")


async def test_a_story_is_resigned_by_who_is_not_to_act_after_one_more_question(world):
    await story(world)
    asked = answer_of(await world.ben.slash(world.thread(), "move", move="resign"))
    assert (await world.bot.tables.get(1)).status == "running"
    await world.ben.click(asked, custom_id=next(iter(controls(asked))))
    table = await world.bot.tables.get(1)
    assert (table.status, table.result["reason"], table.result["winners"]) == ("over", "resign", [0])


# -- who only reads --------------------------------------------------------------------------


def best_of(labels: dict[str, str], taken: list[str]) -> str:
    """What a reader of the panel picks: a win, else nothing that loses or gives up, the least used first."""
    sane = {c: label for c, label in labels.items() if not label.startswith(GIVING_UP)}
    wins = [custom_id for custom_id, label in sane.items() if label.endswith(": wins")]
    safe = [custom_id for custom_id, label in sane.items() if not label.endswith(": loses")]
    return min(wins or safe or list(sane), key=lambda custom_id: taken.count(sane[custom_id]))


async def reads_and_presses(player: MemberActor, post: Any, taken: list[str]) -> str:
    """One action by a player who knows nothing but the panel; the answer to it."""
    shown = await player.click(post, custom_id=button(post, "Your turn"))
    for _ in range(8):
        panel = answer_of(shown)
        if "Played `" in wording(panel):
            return wording(panel)
        ways = {option["value"]: option["label"] for menu in menus(panel) for option in menu["options"]}
        labels = {**controls(panel), **ways}
        assert labels, taken[-6:]
        sure = [c for c, label in labels.items() if label in ("Confirm", "Yes, do it")]
        chosen = sure[0] if sure else best_of(labels, taken)
        taken.append(labels[chosen])
        if chosen in ways:
            shown = await player.select(panel, [chosen], custom_id=menus(panel)[0]["custom_id"])
        else:
            shown = await player.click(panel, custom_id=chosen)
        if sure and "Played `" in text_of(shown):
            return text_of(shown)
    raise AssertionError("the panel did not come to an end")


@unseen
async def test_a_newcomer_finishes_act_1_by_the_rules_and_the_panel_alone(world):
    page = answer_of(await world.ann.slash(world.channel, "rules", game="rokumon"))
    page = answer_of(await world.ann.click(page, custom_id=button(page, "Next")))
    for word in ("Act 1", "**Deploy**", "**Move**", "three tiles in a straight line", "you lose at once"):
        assert word in wording(page)
    await story(world, "act=1 seat=first")
    taken: list[str] = []
    for _ in range(60):
        player = await world.to_move()
        if player is None:
            break
        told = await reads_and_presses(player, newest(world), taken)
        assert "Played `" in told
    table = await world.bot.tables.get(1)
    assert table.status == "over"
    assert sorted(table.result["scores"]) == [0, 1]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(COUNT))
async def test_two_readers_of_the_panel_live_through_a_story_with_restarts(world, seed):
    await story(world, "seat=first")
    taken: list[str] = [str(seed)]
    for turn in range(600):
        player = await world.to_move()
        if player is None:
            break
        if turn % 7 == seed % 7:
            await world.restart()
        assert "Played `" in await reads_and_presses(player, newest(world), taken)
    table = await world.bot.tables.get(1)
    assert (table.status, table.result["reason"]) == ("over", "tokens")
    assert await world.bot.tables.check() == []


async def test_the_rules_have_a_page_for_every_act_for_the_solo_game_and_for_options(world):
    page = answer_of(await world.ann.slash(world.channel, "rules", game="rokumon"))
    acts = (f"### Act {act}: " for act in range(1, 7))
    titles = ["### The story", *acts, "### Solo: Taroma", "### Writing moves", "### Options"]
    for number, title in enumerate(titles, start=1):
        assert f"page {number} of 10" in wording(page)
        assert title in wording(page)
        assert len(wording(page)) <= 2000
        if number < len(titles):
            page = answer_of(await world.ann.click(page, custom_id=button(page, "Next")))


# -- against Taroma --------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
async def test_a_solo_table_starts_at_once_and_taroma_tells_its_step(world, level):
    told = text_of(await world.ann.slash(world.channel, "game new", game="rokumon", options=f"solo={level}"))
    assert "started" in told
    await world.restart()
    first = newest(world)
    opens = level != "medium"
    assert ("Taroma (" in wording(first)) == opens
    assert world.ann.id in [user.id for user in first.mentions]
    assert letters(world, world.ann) == []
    moves = await world.moves(world.thread())
    await does(world, world.ann, moves[0])
    post = newest(world)
    steps = ("CONQUER", "COVER", "BLOCK", "MATCH", "BOLSTER", "MANEUVER", "DEPLOY", "MOVE", "RETREAT")
    assert any(f"Taroma ({step})" in wording(post) for step in steps)
    assert "Fight" not in "".join(controls(answer_of(await presses(world.ann, post))).values())


async def test_a_solo_game_is_played_by_buttons_and_commands_through_restarts(world):
    await world.ann.slash(world.channel, "game new", game="rokumon", options="solo=easy")
    taken: list[str] = []
    for turn in range(80):
        if await world.to_move() is None:
            break
        if turn == 3:
            await world.restart()
        if turn % 2:
            view = (await world.bot.tables.show(1, world.ann.id)).view
            wins = [option for option in view.legal if option.wins]
            moves = [m for m in await world.moves(world.thread()) if not wins or m.endswith(wins[0].target)]
            await insists(world, moves[-1])
        else:
            await reads_and_presses(world.ann, newest(world), taken)
    table = await world.bot.tables.get(1)
    assert (table.status, table.result["reason"]) == ("over", "battles")
    boards = [message for message in world.thread().history() if message.attachments]
    dealt = [message for message in boards if "is dealt" in wording(message)]
    assert [len(message.attachments) for message in dealt] == [1] + [2] * (len(dealt) - 1)


async def test_giving_a_battle_up_is_asked_about(world):
    await world.ann.slash(world.channel, "game new", game="rokumon", options="solo=medium")
    asked = answer_of(await world.ann.slash(world.thread(), "move", move="surrender"))
    assert "A lost battle ends the game" in wording(asked)
    await world.ann.click(asked, custom_id=button(asked, "Yes, do it"))
    assert (await world.bot.tables.get(1)).result["winners"] == []


# -- against the bot -------------------------------------------------------------------------


@unseen
@pytest.mark.parametrize("level", opponent("rokumon").LEVELS)
async def test_the_bot_plays_an_act_at_every_level(world, level):
    bot = UserHandle(world.env, world.env.backend.bot_user)
    act = {"easy": 1, "normal": 3, "hard": 2}[level]
    told = text_of(
        await world.ann.slash(
            world.channel,
            "game new",
            game="rokumon",
            opponent=bot,
            options=f"act={act} level={level} seat=last",
        )
    )
    assert "started" in told
    for _ in range(60):
        await world.bot.tables.settled()
        await world.env.settle()
        if await world.to_move() is None:
            break
        await insists(world, (await world.moves(world.thread()))[0])
    assert (await world.bot.tables.get(1)).status == "over"
