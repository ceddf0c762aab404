"""Battles of Sekigahara on Discord: to the second week by buttons and by text, with all that may happen."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
from simcord.actors import MemberActor

from cogs.posting.chapter_posts import outdated
from db.repositories import drafts
from engines.chance import Chance
from engines.protocol import Ready
from tables.core.elsewhere import NUDGE
from tables.core.house import mark_of
from tables.core.model import SeatInfo
from tests.discord.conftest import answer_of, button, controls, last_board, offered, pick, text_of
from tests.discord.sekigahara_tables import FIGHTS, RULES, STORY, Two, keys_to_indexes
from tests.messages import wording

unseen = pytest.mark.usefixtures("sketches")  # nobody looks at the pictures

KIYOSU = slice(0, 15)  # the actions of STORY before somebody retreats
HOUR_S = 3600


def position_after(count: int) -> dict[str, Any]:
    """The position after the first actions of STORY."""
    state, _ = RULES.from_position(FIGHTS, Chance(bytes(32), 0))
    for number, (seat, action) in enumerate(STORY[:count], 1):
        state, _ = RULES.apply(state, seat, RULES.parse(action, state, seat), Chance(bytes(32), number))
    return RULES.position(state)


def boards(thread: Any) -> list[Any]:
    """Posts with a picture."""
    return [message for message in thread.history() if message.attachments]


def lines(thread: Any) -> list[Any]:
    """Lines that tell who has to act below a board."""
    return [message for message in thread.history() if "it is your turn. The board above" in wording(message)]


async def to_the_second_week(two: Two, start: int, restarts: Any) -> str:
    """Plays STORY by buttons from there on, and looks at what was posted; all that was said."""
    thread = await two.begin(position_after(start))
    for number, (seat, action) in enumerate(STORY[start:], start):
        if restarts(number):
            await two.world.restart()
        asked = await two.by_buttons(seat, action)
        unasked = action == "done" and not asked  # nothing could be deployed any more
        assert ("can't undo" in asked) == (action.startswith(("deploy", "done")) and not unasked)
    state = await two.state()
    assert (state.week, state.phase) == (2, "discard")
    assert await two.world.bot.tables.check() == []
    return "\n".join(wording(message) for message in thread.history())


@pytest.mark.long
@unseen
async def test_to_the_second_week_by_buttons_through_restarts_in_the_middle_of_a_battle(world):
    told = await to_the_second_week(Two(world), 10, lambda number: number in (10, 16))
    assert re.search(r"Battle of Kiyosu: Ben beats Ann\.\*\* Impact: Ishida 8 : 9 Tokugawa", told)
    assert re.search(r"Battle of Kuwana: Ben beats Ann", told)
    assert "Siege of Okazaki" in told


@pytest.mark.long
async def test_all_of_it_by_buttons_with_a_restart_before_every_action(world):
    told = await to_the_second_week(Two(world), 0, lambda _number: True)
    assert "1 challenge failed." in told
    assert re.search(r"Uesugi 3 left Ann", told)


@unseen
@pytest.mark.long
async def test_to_the_second_week_by_text_each_battle_in_one_message(world):
    two = Two(world)
    thread = await two.begin(FIGHTS)
    before = len(boards(thread))
    for number, (seat, action) in enumerate(STORY[KIYOSU]):
        if number in (2, 3):  # asked to challenge, asked to prove
            await world.restart()
        await two.by_text(seat, action)
        assert len(lines(thread)) <= 1
    assert len(boards(thread)) == before + 1, "one message for the battle, edited"
    battle = boards(thread)[-1]
    assert battle.edited_at is not None
    assert "challenge" in wording(battle)
    seat, action = STORY[15]
    acting = await world.bot.tables.get(1)
    assert [user.id for user in lines(thread)[0].mentions] == [acting.seats[seat].user_id]
    for seat, action in STORY[15:]:
        await two.by_text(seat, action)
    assert not lines(thread), "the line goes when a new board is posted"
    assert (await two.state()).week == 2
    assert len(boards(thread)) < before + 10
    told = "\n".join(wording(message) for message in thread.history())
    assert "1 challenge failed." in told
    assert re.search(r"Uesugi 3 left Ann", told)
    for message in thread.history():
        assert all(attachment.description for attachment in message.attachments)


@unseen
async def test_orders_that_were_due_when_the_process_ended_are_carried_out_by_the_next_one(world):
    two = Two(world)
    await two.begin(position_after(8))
    begun = RULES.begun(await two.state(), 0)
    assert begun is not None
    async with world.bot.database.transaction() as tx:
        order = "deploy uesugi3 with uesugi"
        await drafts.put(tx, 1, 0, mark=mark_of(begun), draft=order, now=world.clock.now())
    await world.restart()
    state = await two.state()
    assert state.phase == "challenge"
    assert state.battle.pending.blocks == ("uesugi3",)


def test_a_line_for_somebody_who_has_acted_meanwhile_is_not_sent():
    seats = (SeatInfo(0, "ishida", 7, "Ann", None), SeatInfo(1, "tokugawa", 8, "Ben", None))
    table: Any = SimpleNamespace(seats=seats, to_act=frozenset({1}))
    for user, gone in ((7, True), (8, False)):
        row: Any = SimpleNamespace(kind=NUDGE, content={"mention": [user]})
        assert outdated(row, table) is gone


@unseen
async def test_an_old_message_of_a_battle_is_left_alone_and_so_is_one_that_something_followed(world):
    two = Two(world)
    thread = await two.begin(position_after(1))
    await two.by_text(*STORY[1])
    count = len(boards(thread))
    await two.by_text(*STORY[2])
    assert len(boards(thread)) == count
    await world.env.advance_time(HOUR_S + 60)
    await two.by_text(*STORY[3])
    assert len(boards(thread)) == count + 1
    assert "challenge" in wording(boards(thread)[-1]), "what happened before stands in the new one, too"
    await world.ann.slash(thread, "game offer-draw")
    await two.by_text(*STORY[4])
    assert len(boards(thread)) == count + 2


@unseen
async def test_a_deployment_is_offered_with_its_score_and_asked_about_once(world):
    two = Two(world)
    await two.begin(position_after(8))
    panel = await two.look(0)
    labels = set(controls(panel).values())
    under = offered(panel)["Uesugi 3: +3"]  # 15.1: too long for a button
    assert under == "with an Uesugi card; makes it 8:6"
    assert "Ishida 5 : 6 Tokugawa" in wording(panel)
    assert "initiative: Ann" in wording(panel)
    assert {"Odds", "Give orders", "Never challenge"} <= labels
    weighed = await two.press(0, panel, "Odds")
    assert "on average you lose" in wording(weighed)
    assert "Odds" not in controls(weighed).values()
    panel = await two.press(0, weighed, "Back")
    ready = answer_of(await pick(world.ann, panel, "Uesugi 3: +3"))
    assert "can't undo" in wording(ready)
    assert set(controls(ready).values()) == {"Yes, do it", "Then stop deploying", "Back"}
    shown = await world.ann.click(ready, custom_id=button(ready, "Yes, do it"))
    assert "Played `deploy uesugi3 with uesugi`" in text_of(shown)
    told = text_of(await world.ann.slash(world.thread(), "game undo"))
    assert "agree" in told or "asked" in told
    assert (await two.state()).phase == "challenge", "nothing is taken back without the other"


@unseen
async def test_who_never_challenges_is_not_asked(world):
    two = Two(world)
    await two.begin(position_after(8))
    waiting = await two.look(1)
    assert "Waiting for the other side" in wording(waiting)
    done = await world.ben.click(waiting, custom_id=button(waiting, "Never challenge"))
    assert "Played `standing never`" in text_of(done), "nothing is lost by it, so it is not asked about"
    await two.by_text(0, "deploy uesugi3 with uesugi")
    state = await two.state()
    assert state.phase == "deploy"
    assert state.battle.impact == {"ishida": 8, "tokugawa": 6}
    assert "Ask me each time" in controls(await two.look(1)).values()


async def leave(two: Two, seat: int, *keys: str) -> str:
    """Orders left through the panel; the answer."""
    panel = await two.look(seat, *keys)
    member: MemberActor = two.people[seat]
    return text_of(await member.click(panel, custom_id=button(panel, "Confirm")))


@unseen
async def test_orders_are_carried_out_as_long_as_they_can_be(world):
    two = Two(world)
    thread = await two.begin(position_after(4))  # the initiative is Ben's
    await two.by_text(0, "standing never")
    await two.by_text(1, "standing never")
    told = await leave(two, 0, "orders", "uesugi_uesugi3", "mori_mori3", "done")
    assert "deploy uesugi3 with uesugi; deploy mori3 with mori; done" in told
    assert "Your orders: Deploy Uesugi 3" in (wording(await two.look(0)))
    assert "Your orders" not in (wording(await two.look(1)))
    assert not any("orders" in wording(message).casefold() for message in thread.history())
    await world.restart()
    await two.by_text(1, "deploy tokugawa3 with tokugawa")  # 5:3, still Ben's
    assert (await two.state()).battle.impact == {"ishida": 5, "tokugawa": 3}
    await two.by_text(
        1, "deploy tokugawa2 with tokugawa-sword"
    )  # 5:6, so that the first order is carried out
    fight = (await two.state()).battle
    assert fight.impact == {"ishida": 8, "tokugawa": 6}
    assert "Your orders: Deploy Mori 3 with a Mori card · Stop deploying" in (wording(await two.look(0)))
    await two.by_text(1, "done")
    state = await two.state()
    assert state.phase == "lose", "with nobody against him Ann deployed on and was done"
    assert await world.bot.tables.check() == []


@unseen
async def test_orders_are_left_and_withdrawn_by_text_and_dropped_when_they_cannot_be_carried_out(world):
    two = Two(world)
    thread = await two.begin(position_after(8))
    offered = await world.ann.autocomplete(thread, "move", "move", "orders deploy uesugi3")
    assert "orders deploy uesugi3 with uesugi" in [choice["value"] for choice in offered]
    refused = text_of(await world.ann.slash(thread, "move", move="orders deploy date2 with date"))
    assert "kept" not in refused
    told = text_of(await world.ben.slash(thread, "move", move="orders deploy maeda2 with maeda; done"))
    assert "secret orders are saved: Deploy Maeda 2 with a Maeda card · Stop deploying" in told
    assert "no orders left" in text_of(await world.ben.slash(thread, "move", move="orders"))
    assert "Your orders" not in (wording(await two.look(1)))
    told = text_of(await world.ann.slash(thread, "move", move="orders deploy uesugi3 with uesugi"))
    assert (await two.state()).phase == "challenge", "Ann has the initiative: it was done at once"
    await two.by_text(1, "challenge")
    await two.by_text(0, "concede")
    assert (await two.state()).phase == "deploy"


async def seen_by(two: Two, member: MemberActor, seat: int | None) -> list[Any]:
    """All that a player (or a stranger) gets to see: posts, panels, odds, completions, hands."""
    thread = two.world.thread()
    board = last_board(thread)
    found: list[Any] = [wording(board), [(a.description, await a.read()) for a in board.attachments]]
    found += [choice["value"] for choice in await member.autocomplete(thread, "move", "move", "")]
    found += [choice["value"] for choice in await member.autocomplete(thread, "move", "move", "orders")]
    state = await two.state()
    for keys in () if seat is None else ((), ("odds",), ("orders",)):
        assert seat is not None
        panel = await two.look(seat, *keys)
        found.append((wording(panel), sorted(controls(panel).values()), keys_to_indexes(state, seat, keys)))
        found += [(a.description, a.size) for a in panel.attachments]
    hand = text_of(await member.slash(thread, "hand"))
    return [*found, hand]


async def test_nothing_hidden_is_to_be_seen_by_the_other_side_or_a_stranger(world):
    two = Two(world)
    await two.begin(position_after(8))
    shown = [await seen_by(two, world.ben, 1), await seen_by(two, world.cho, None)]
    other = position_after(8)
    other["hands"]["ishida"] = ["kobayakawa", "kobayakawa-sword", "loyalty", "mori-double"]
    here = other["map"]["kiyosu"]["ishida"]
    assert len(here) == 5
    here[here.index("uesugi3")], here[here.index("mori2")] = "kobayakawa2", "ukita-gun"
    other["map"]["okazaki"]["ishida"] = ["kobayakawa3", "mori-cav"]
    await two.place(other)
    again = [await seen_by(two, world.ben, 1), await seen_by(two, world.cho, None)]
    assert again == shown
    own = await two.look(0)
    assert "Uesugi 3 with an Uesugi card: +3 · 8:6" not in controls(own).values(), (
        "the change is one that Ann sees"
    )


async def test_closed_dms_in_a_battle_lead_to_a_button_and_both_pictures(world):
    closed = world.ann.user.dm_channel
    world.env.inject_error("POST", f"/channels/{closed.id}/messages", status=403, code=50007, times=None)
    two = Two(world)
    thread = await two.begin(position_after(8))
    await two.by_text(*STORY[8])
    private = world.ben.user.dm_channel.history(viewer=world.ben.user)
    assert len(private) == 1, "one message, changed"
    assert [a.filename for a in private[0].attachments] == ["hand.png"]
    line = next(m for m in thread.history() if "direct message" in wording(m))
    opened = answer_of(await world.ann.click(line, custom_id=button(line, "Open your hand")))
    assert [a.filename for a in opened.attachments] == ["hand.png", "sekigahara.png"]


def test_orders_of_the_panel_are_the_notation_that_is_typed():
    state, _ = RULES.from_position(position_after(8), Chance(bytes(32), 0))
    path: tuple[str, ...] = ("orders", "uesugi_uesugi3", "mori_mori3", "done")
    found = RULES.choices(state, 0, path)
    assert isinstance(found, Ready)
    assert found.action == "orders deploy uesugi3 with uesugi; deploy mori3 with mori; done"
