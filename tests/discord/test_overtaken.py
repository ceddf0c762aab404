"""Posts that fell behind: the newest board has the picture, the newest hand is the one that is sent."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from cogs.buttons.custom_ids import row_of
from cogs.posting import chapter_posts, presence
from db.repositories import outbox
from db.rows import Message
from locales import words
from tables.core import letters
from tests.discord.conftest import last_board
from tests.discord.months import delivered
from tests.discord.sekigahara_tables import Two
from tests.discord.test_courier import move, unsent
from tests.discord.test_sekigahara_marches import CAMP
from tests.messages import parts_of, wording

CROWD = 6
MANY = 8 * CROWD  # so that it is one yet when the post that is looked at comes to its turn


async def behind(world, thread, moves, seconds=60):
    """So many moves while nothing is sent for so long, then all of it; the posts that came."""
    before = len(thread.history())
    world.bot.courier._closed = True
    for _ in range(moves):
        await move(world, thread)
    assert len(thread.history()) == before
    await world.env.advance_time(seconds)
    await world.restart()
    await world.env.settle()
    assert await unsent(world) == []
    return thread.history()[before:]


async def test_of_boards_that_wait_the_newest_has_the_picture_and_all_have_their_words(world):
    thread = await world.start()
    first, second, third = await behind(world, thread, 3)
    assert [len(post.attachments) for post in (first, second, third)] == [0, 0, 1]
    assert all(wording(post) for post in (first, second, third))
    assert last_board(thread).id == third.id
    assert [user.id for user in third.mentions] == [(await world.to_move()).id]


async def test_a_board_that_is_not_late_has_its_picture(world):
    posts = await behind(world, await world.start(), 2, seconds=1)
    assert [len(post.attachments) for post in posts] == [1, 1]


async def test_a_board_that_calls_who_has_to_act_has_its_picture_whatever_waits_behind_it(world):
    thread = await world.start()
    mover = await world.to_move()
    before = len(thread.history())
    world.bot.courier._closed = True
    await move(world, thread)
    await move(world, thread)
    called = await world.to_move()
    assert called.id == mover.id
    async with world.bot.database.transaction() as tx:  # as if the first of them alone had called him
        for which, mention in (("min", [called.id]), ("max", [])):
            tx.put(
                "UPDATE outbox SET payload = json_set(payload, '$.mention', json(?)) WHERE state = 'queued' "
                f"AND kind = 'board' AND id = (SELECT {which}(id) FROM outbox WHERE state = 'queued')",
                (json.dumps(mention),),
            )
    await world.env.advance_time(60)
    await world.restart()
    await world.env.settle()
    assert [len(post.attachments) for post in thread.history()[before:]] == [1, 1]


async def crowded(world, waiting, seconds):
    """What a table posts for a move when so many others wait, and it is so late."""
    thread = await world.start()
    before = len(thread.history())
    world.bot.courier._closed = True
    await move(world, thread)
    async with world.bot.database.transaction() as tx:
        others = [Message(None, f"channel:{n}", "said", '{"content": "x"}') for n in range(1, waiting)]
        await outbox.queue(tx, others, world.clock.now())
    await world.env.advance_time(seconds)
    await world.restart()
    await world.env.settle()
    (post,) = thread.history()[before:]
    return post


@pytest.fixture
def small_crowd(monkeypatch):
    """A few posts are a crowd: to send fifty takes longer than a loaded machine is given."""
    monkeypatch.setattr("cogs.posting.courier.CROWD", CROWD)


@pytest.mark.usefixtures("small_crowd")
async def test_a_board_that_is_late_in_a_crowd_goes_out_in_words_and_says_so(world):  # 16.12
    post = await crowded(world, MANY, seconds=4)
    assert post.attachments == []
    assert words("en")("post.crowded") in wording(post)


@pytest.mark.usefixtures("small_crowd")
@pytest.mark.parametrize(("waiting", "seconds"), [(CROWD // 2, 4), (MANY, 1)])
async def test_a_board_has_its_picture_where_few_wait_or_it_is_not_late(world, waiting, seconds):  # 16.12
    post = await crowded(world, waiting, seconds)
    assert len(post.attachments) == 1
    assert words("en")("post.crowded") not in wording(post)


@pytest.mark.usefixtures("small_crowd")
@pytest.mark.parametrize(("waiting", "pictures"), [(MANY, 1), (1, 2)])
async def test_a_hand_that_is_late_in_a_crowd_keeps_its_sheet_and_leaves_out_the_map(
    world, waiting, pictures
):  # 16.12
    two = Two(world)
    await two.begin(CAMP)
    dm = world.ann.user.dm_channel
    world.bot.courier._closed = True
    loaded = await world.bot.tables._house.look(1)
    others = [Message(None, f"channel:{n}", "said", '{"content": "x"}') for n in range(1, waiting)]
    async with world.bot.database.transaction() as tx:
        await outbox.queue(tx, [letters.hand(loaded, 0, world.ann.id), *others], world.clock.now())
    await world.env.advance_time(4)
    await world.restart()
    await world.env.settle()
    post = dm.history(viewer=world.ann.user)[-1]
    assert len(post.attachments) == pictures
    assert (words("en")("post.no-map") in wording(post)) == (pictures == 1)


@pytest.mark.usefixtures("small_crowd")
@pytest.mark.parametrize(("waiting", "times"), [(MANY, 0), (1, 1)])
async def test_who_is_called_by_a_post_that_is_late_in_a_crowd_is_looked_up_at_the_next(
    world, monkeypatch, waiting, times
):
    sought = []

    async def lost(_bot, _guild, user_id):
        sought.append(user_id)
        return False

    monkeypatch.setattr(presence, "lost", lost)
    monkeypatch.setattr(presence.Sightings, "fresh", lambda *_: False)
    thread = await world.start()
    sought.clear()
    world.bot.courier._closed = True
    await move(world, thread)
    async with world.bot.database.transaction() as tx:
        others = [Message(None, f"channel:{n}", "said", '{"content": "x"}') for n in range(1, waiting)]
        await outbox.queue(tx, others, world.clock.now())
    await world.env.advance_time(4)
    await world.restart()
    await world.env.settle()
    assert len(sought) == times
    assert last_board(thread).mentions


async def test_of_hands_that_wait_only_the_newest_is_sent_and_then_edited(world):
    await world.start()
    board = last_board(world.thread())
    kept = await outbox.waiting(world.bot.database.reads, "table:1")
    assert (board is not None, kept) == (True, [])
    dm = world.ann.user.dm_channel
    world.bot.courier._closed = True
    await queue(world, 3)
    await world.restart()
    await world.env.settle()
    (only,) = dm.history(viewer=world.ann.user)
    world.bot.courier._closed = True
    await queue(world, 2)
    await world.restart()
    await world.env.settle()
    assert [post.id for post in dm.history(viewer=world.ann.user)] == [only.id]
    rows = await world.bot.database.reads.all(
        "SELECT message_id FROM outbox WHERE kind = 'hand' AND state = 'sent' ORDER BY id"
    )
    assert [row["message_id"] for row in rows] == [None, None, only.id, only.id, only.id]


async def test_a_chapter_that_is_sent_after_it_has_ended_is_one_message_still(world):  # 17.4
    two = Two(world)
    thread = await two.begin(CAMP)
    await two.by_text(0, "move limited mori")
    before = len(thread.history())
    world.bot.courier._closed = True
    for number, action in enumerate(("march kyoto mori2 > minakuchi", "march kyoto ukita2 > osaka", "end")):
        await world.bot.tables.act(1, world.ann.id, action, interaction_id=number + 1)
    world.bot.courier._closed = False
    world.bot.courier.wake()
    await delivered(world)
    movement, after = thread.history()[before - 1 :]
    assert "Minakuchi" in wording(movement)
    assert "Osaka" in wording(movement)
    assert "Ann ends movement." in wording(after)


async def queue(world, hands):
    """Hands of Ann's at the table, one after another."""
    shown = await world.bot.tables.show(1, world.ann.id)
    payload = {
        "table": 1,
        "game": "kamisado",
        "version": shown.version,
        "names": list(shown.names),
        "view": shown.view.model_dump(mode="json"),
    }
    async with world.bot.database.transaction() as tx:
        message = Message(1, f"user:{world.ann.id}", "hand", json.dumps(payload))
        await outbox.queue(tx, [message] * hands, world.clock.now())
    world.bot.courier.wake()


async def test_a_board_that_was_changed_before_a_kill_is_not_posted_after_its_chapter(world, monkeypatch):
    two = Two(world)
    await two.begin(CAMP)
    await two.by_text(0, "move limited mori")

    def killed(*_):
        raise OSError("between the change and what is written down of it")

    with monkeypatch.context() as patch:
        patch.setattr(chapter_posts, "nudges", killed)
        await two.by_text(0, "march kyoto mori2 > minakuchi")
        await world.env.settle()
    (board,) = [row for row in await outbox.waiting(world.bot.database.reads, "table:1") if row.attempts]
    await two.by_text(0, "end")
    await world.env.advance_time(60)
    await world.env.settle()
    assert await unsent(world) == []
    marks = Counter(
        row_of(part.get("custom_id")) for post in world.thread().history() for part in parts_of(post)
    )
    assert marks[board.mark] == 1
