"""What is sent, through everything that can be in its way."""

from __future__ import annotations

import json
from dataclasses import replace

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from cogs.buttons.custom_ids import row_of
from cogs.posting import courier
from cogs.posting.courier import maybe_sent
from db.errors import DatabaseError
from db.repositories import outbox, users
from db.rows import Message, OutboxRow
from db.rows import row_of as row_from
from tests.discord.conftest import answer_of, button, controls, last_board, text_of
from tests.discord.months import delivered
from tests.discord.test_kamisado_matches import quickest
from tests.messages import wording
from tests.unsent import destinations

pytestmark = pytest.mark.usefixtures("sketches")  # nobody looks at the pictures


async def move(world, channel):
    mover = await world.to_move()
    assert mover is not None
    return await mover.slash(channel, "move", move=quickest(await world.moves(channel)))


async def unsent(world):
    return await destinations(world.bot.database.reads)


async def test_after_the_thread_was_deleted_the_game_goes_on_in_the_channel(world):
    thread = await world.start()
    world.env.backend.delete_channel(thread.id)
    await world.env.settle()
    mover = await world.to_move()
    told = await mover.slash(world.channel, "move", move="d8-d4", table=1)
    assert "Played" in text_of(told)
    board = last_board(world.channel)
    assert [user.id for user in board.mentions] == [(await world.to_move()).id]
    await move(world, world.channel)
    assert await unsent(world) == []
    assert (await world.bot.tables.get(1)).place.thread_id == world.channel.id


async def test_a_lobby_message_that_a_moderator_deleted_is_no_hindrance(world):
    await world.ann.slash(world.channel, "game new", game="kamisado", opponent=world.ben.user)
    lobby = world.channel.last_message
    world.env.backend.delete_message(world.channel.id, lobby.id)
    await world.ben.slash(world.channel, "game join", table=1)
    assert last_board(world.channel)
    assert await unsent(world) == []


async def test_a_board_that_a_moderator_deleted_is_followed_by_the_next(world):
    thread = await world.start()
    board = last_board(thread)
    world.env.backend.delete_message(thread.id, board.id)
    assert "Played" in text_of(await move(world, thread))
    assert last_board(thread).id != board.id


async def test_missing_permissions_are_named_before_a_table_is_made(world):
    await deny(world, attach_files=False, read_message_history=False)
    told = text_of(await world.ann.slash(world.channel, "game new", game="kamisado", opponent=world.ben.user))
    assert "Attach Files" in told
    assert "Read Message History" in told
    assert text_of(await world.ann.slash(world.channel, "game list")).startswith("No tables found")


async def test_without_threads_the_game_is_played_in_place(world):
    await deny(world, create_public_threads=False)
    await world.ann.slash(world.channel, "game new", game="kamisado", opponent=world.ben.user)
    await world.ben.slash(world.channel, "game join", table=1)
    assert not world.channel.threads
    assert "Your turn" in controls(last_board(world.channel)).values()


async def test_permissions_lost_during_a_game_are_told_to_the_mover_and_the_post_waits(world):  # 13.A1
    await deny(world, create_public_threads=False)
    await world.ann.slash(world.channel, "game new", game="kamisado", opponent=world.ben.user)
    await world.ben.slash(world.channel, "game join", table=1)
    await deny(world, create_public_threads=False, send_messages=False)
    told = text_of(await move(world, world.channel))
    assert "Send Messages" in told
    assert await unsent(world) == ["table:1"]
    await deny(world, create_public_threads=False)
    before = len(world.channel.history())
    await move(world, world.channel)
    assert len(world.channel.history()) == before, "the first post is tried again in an hour, in its order"
    await world.env.advance_time(3601)
    assert await unsent(world) == []
    assert len(world.channel.history()) == before + 3, "both boards, and that the clocks go on"


async def test_when_discord_is_down_the_post_comes_later_and_once(world):
    thread = await world.start()
    before = len(thread.history())
    world.env.inject_error("POST", f"/channels/{thread.id}/messages", status=503, times=None)
    assert "Played" in text_of(await move(world, thread))
    assert len(thread.history()) == before
    assert await unsent(world) == ["table:1"]
    world.env.backend.faults.clear()
    await world.env.advance_time(3600)
    assert len(thread.history()) == before + 1
    assert await unsent(world) == []


async def test_of_many_places_that_wait_the_outbox_is_not_looked_through_for_each_post(world, monkeypatch):
    looks, heads = [], outbox.heads

    async def counted(*given):
        looks.append(given)
        return await heads(*given)

    monkeypatch.setattr("cogs.posting.courier.AT_ONCE", 2)
    monkeypatch.setattr("cogs.posting.courier.IN_LINE", 6)
    monkeypatch.setattr(outbox, "heads", counted)
    before = len(world.channel.history())
    places = [*range(1, 8), world.channel.id, *range(8, 16)]  # the others are known to nobody
    said = [
        Message(None, f"channel:{n}", "said", json.dumps({"content": f"{k}"})) for n in places for k in "123"
    ]
    await world.bot.tables.say(*said)
    await delivered(world)
    assert await unsent(world) == []
    assert [wording(post) for post in world.channel.history()[before:]] == ["1", "2", "3"]
    assert len(looks) <= len(places) // 2, "16 places, 48 posts"


async def test_a_tables_posts_stay_in_order_when_the_first_has_to_wait(world):
    thread = await world.start()
    before = len(thread.history())
    world.env.inject_error("POST", f"/channels/{thread.id}/messages", status=500, times=5)
    await move(world, thread)
    await move(world, thread)
    await world.env.advance_time(3600)
    posts = thread.history()[before:]
    versions = [int(next(iter(controls(post))).split(":")[2]) for post in posts]
    assert len(versions) == 2
    assert versions == sorted(versions)


async def test_a_post_that_was_in_flight_at_a_crash_is_found_by_its_mark(world):
    thread = await world.start()
    board = last_board(thread)
    row = row_of(next(iter(controls(board))))
    assert row is not None
    async with (
        world.bot.database.transaction() as tx
    ):  # as if it had crashed before it could note the success
        long_ago = world.clock.now() - 600_000
        await tx.run(
            "UPDATE outbox SET state = 'flying', flying_since = ?, attempts = 1, done_at = NULL, payload = ? "
            "WHERE id = ?",
            (long_ago, await payload_like(world), row),
        )
    before = len(thread.history())
    await world.restart()
    await world.env.settle()
    assert len(thread.history()) == before
    assert await unsent(world) == []


async def test_what_was_queued_at_a_crash_is_sent_after_it(world):
    thread = await world.start()
    before = len(thread.history())
    world.bot.courier._closed = True  # the process dies between the commit and the post
    await move(world, thread)
    assert len(thread.history()) == before
    await world.restart()
    await world.env.settle()
    assert len(thread.history()) == before + 1


async def test_a_closed_dm_becomes_a_line_with_an_ephemeral_button(world):
    thread = await world.start()
    dm = world.ann.user.dm_channel
    world.env.inject_error("POST", f"/channels/{dm.id}/messages", status=403, code=50007, times=None)
    await queue_hand(world)
    last = thread.last_message
    assert [user.id for user in last.mentions] == [world.ann.id]
    assert not last.attachments
    opened = await world.ann.click(last, custom_id=button(last, "Open your hand"))
    assert answer_of(opened).ephemeral
    row = await users.get(world.bot.database.reads, world.ann.id)
    assert row is not None
    assert not row.dm, "a closed DM is not tried at every move"
    assert await unsent(world) == []


async def test_a_hand_is_sent_by_dm_and_then_edited(world):
    await world.start()
    await queue_hand(world)
    await queue_hand(world)
    dm = world.ann.user.dm_channel
    assert len(dm.history(viewer=world.ann.user)) == 1
    assert not dm.history(viewer=world.ann.user)[0].mentions


async def test_a_hand_that_may_have_been_sent_changes_the_message_that_carries_it(world):  # 19
    """It was posted when nothing was known to change, and the hand before was written down after that."""
    await world.start()
    await queue_hand(world)
    dm, reads = world.ann.user.dm_channel, world.bot.database.reads
    hands = "SELECT id, message_id FROM outbox WHERE kind = 'hand' ORDER BY id"
    (first,) = await reads.all(hands)
    async with world.bot.database.transaction() as tx:
        await tx.run("UPDATE outbox SET message_id = NULL WHERE id = ?", (first["id"],))
    payload = await queue_hand(world)
    _, second = await reads.all(hands)
    assert second["message_id"] != first["message_id"]
    async with world.bot.database.transaction() as tx:
        await tx.run("UPDATE outbox SET message_id = ? WHERE id = ?", (first["message_id"], first["id"]))
        await tx.run(
            "UPDATE outbox SET state = 'flying', flying_since = created_at, payload = ?, message_id = NULL, "
            "done_at = NULL WHERE id = ?",
            (payload, second["id"]),
        )
    await world.restart()
    await world.env.settle()
    carried = [row_of(next(iter(controls(post)))) for post in dm.history(viewer=world.ann.user)]
    assert len(set(carried)) == 2
    assert [one["message_id"] for one in await reads_of(world, hands)] == [
        first["message_id"],
        second["message_id"],
    ]


async def test_what_was_drawn_while_its_claim_was_lost_is_another_processs_to_send(world, monkeypatch):  # 19
    thread = await world.start()
    before, claims = len(thread.history()), world.bot.database.claims
    tried = list[str]()

    def lost(key):
        tried.append(key)
        return len(tried) > 1

    monkeypatch.setattr(claims, "holds", lost)
    monkeypatch.setattr(courier, "SHORTEST_MS", 0)
    await move(world, thread)
    await world.env.settle()
    assert tried[:2] == ["post:table:1"] * 2
    assert len(thread.history()) == before + 1
    assert await unsent(world) == []


async def test_after_the_database_was_away_any_row_may_have_been_sent(world, monkeypatch):  # 19
    """Also before the newest row is known: what was marked as under way may be lost with the server."""
    await world.start()
    postman, row = world.bot.courier, await first_row(world)

    async def cut(_source):
        raise DatabaseError("unreachable", "there")

    assert not maybe_sent(postman._as_tried(replace(row, id=row.id + 1000)))
    monkeypatch.setattr(outbox, "last", cut)
    with world.env._bot_scope():
        world.bot._returned()
    assert maybe_sent(postman._as_tried(replace(row, id=row.id + 1000)))
    await world.env.settle()
    assert maybe_sent(postman._as_tried(replace(row, id=row.id + 1000, destination="user:7")))


async def test_the_channel_of_a_users_dms_is_asked_for_once_also_when_discord_py_has_forgotten_it(world):
    await world.start()
    await queue_hand(world)
    world.bot._connection._private_channels_by_user.clear()  # as it does when there are more than 128
    world.env.inject_error("POST", "/users/@me/channels", status=500, code=0, times=None)
    await queue_hand(world)
    assert await unsent(world) == []


async def test_an_archived_thread_is_opened_again(world):
    thread = await world.start()
    found = world.bot.get_channel(thread.id)
    assert isinstance(found, discord.Thread)
    await found.edit(archived=True)
    await world.env.settle()
    await move(world, thread)
    again = world.bot.get_channel(thread.id)
    assert isinstance(again, discord.Thread)
    assert not again.archived


async def test_a_stop_while_discord_hangs_leaves_the_post_for_the_next_start(world):
    thread = await world.start()
    before = len(thread.history())
    world.env.inject_error("POST", f"/channels/{thread.id}/messages", status=503, times=1)
    await move(world, thread)
    await world.restart()
    await world.env.advance_time(60)
    assert len(thread.history()) == before + 1


async def deny(world, **permissions):
    """Takes permissions from the bot in the channel; what is not named is as before."""
    me = world.guild.me
    assert me is not None
    channel = world.bot.get_channel(world.channel.id)
    overwrite = discord.PermissionOverwrite(**permissions)
    allow, deny = overwrite.pair()
    stored = world.env.backend.get_channel(world.channel.id)
    stored.overwrites[:] = [
        Overwrite(target_id=me.id, type=OverwriteType.MEMBER, allow=allow.value, deny=deny.value)
    ]
    assert channel is not None


async def payload_like(world):
    """The payload of the board as it is now."""
    shown = await world.bot.tables.show(1, None)
    data = {"version": shown.version, "view": shown.view.model_dump(mode="json"), "events": []}
    return json.dumps({**data, "names": list(shown.names), "mention": []})


async def reads_of(world, sql):
    """Rows, by the database of the bot that runs now."""
    return await world.bot.database.reads.all(sql)


async def first_row(world):
    """A row of the outbox that waits for nothing."""
    (row, *_) = await reads_of(world, "SELECT * FROM outbox ORDER BY id LIMIT 1")
    return replace(row_from(OutboxRow, row), state="queued", flying_since=None, attempts=0)


async def queue_hand(world):
    """A hand for Ann, as a game with secrets queues it; its payload."""
    shown = await world.bot.tables.show(1, world.ann.id)
    data = {"version": shown.version, "view": shown.view.model_dump(mode="json"), "events": []}
    payload = json.dumps({**data, "names": list(shown.names), "mention": []})
    async with world.bot.database.transaction() as tx:
        await outbox.queue(tx, [Message(1, f"user:{world.ann.id}", "hand", payload)], world.clock.now())
    with world.env._bot_scope():
        world.bot.courier.wake()
    await world.env.settle()
    return payload
