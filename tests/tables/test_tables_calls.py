"""Nobody is called again and again by somebody who may ask as often as he likes (14.5)."""

from __future__ import annotations

from tables.core.calls import AGAIN_MS, ALL, OWN
from tests.tables.players import ANN, BEN, CAT, PLACE


async def calls_of(house, user, kind):
    """How many posts call the user; a lobby that is closed calls nobody."""
    posts = [payload for _, _, payload in await house.posts(kind) if payload.get("status", "open") == "open"]
    return sum(user.id in payload["mention"] for payload in posts)


async def invited(house, by):
    """A table made for Ben, and closed again."""
    table = await house.tables.create(by, "duel", "", PLACE, opponents=[BEN], interaction_id=next(house.ids))
    await house.tables.cancel(table.id, by.id, next(house.ids))


async def test_who_invites_and_cancels_calls_the_guest_three_times_and_then_once_in_a_while(house):
    for _ in range(10):
        await invited(house, ANN)
    assert await calls_of(house, BEN, "lobby") == OWN
    assert len([p for p in await house.posts("lobby") if p[2]["status"] == "open"]) == 10  # all are posted
    house.clock.ms += AGAIN_MS
    for _ in range(3):
        await invited(house, ANN)
    assert await calls_of(house, BEN, "lobby") == OWN + 1


async def test_another_person_still_calls_him_and_all_together_so_often(house):
    for _ in range(5):
        await invited(house, ANN)
    await invited(house, CAT)
    assert await calls_of(house, BEN, "lobby") == OWN + 1
    for number in range(50, 70):
        await invited(house, ANN.__class__(number, f"P{number}", "en"))
    assert await calls_of(house, BEN, "lobby") == ALL


async def test_a_lobby_that_changes_calls_nobody_anew_and_costs_no_call(house):
    table = await house.tables.create(
        ANN, "shogun", "seats=4", PLACE, opponents=[BEN, CAT], interaction_id=next(house.ids)
    )
    for number in (60, 61) * 4:
        guest = ANN.__class__(number, f"P{number}", "en")
        await house.tables.join(table.id, guest, next(house.ids))
        await house.tables.leave(table.id, guest.id, next(house.ids))
    await invited(house, ANN)
    assert BEN.id in (await house.posts("lobby"))[-2][2]["mention"]


async def test_who_asks_for_a_pause_and_withdraws_calls_three_times_and_moves_call_as_ever(house):
    table = await house.new(BEN)
    for _ in range(10):
        asked = await house.tables.pause(table.id, ANN.id, next(house.ids))
        await house.tables.vote(asked.id, ANN.id, False, next(house.ids))
    assert len(await house.posts("vote")) == 10
    assert await calls_of(house, BEN, "vote") == OWN
    before = await calls_of(house, BEN, "board")
    hand = (await house.tables.show(table.id, ANN.id)).view.hand
    await house.act(table, ANN, f"bid {hand[0]}")
    assert await calls_of(house, BEN, "board") + await calls_of(house, BEN, "ready") >= before
    asked = await house.tables.pause(table.id, BEN.id, next(house.ids))
    assert ANN.id in (await house.posts("vote"))[-1][2]["mention"]


async def test_who_gives_time_again_and_again_calls_three_times(house):
    table = await house.new(BEN, words="seat=first clock=fast")
    for _ in range(10):
        await house.tables.more_time(table.id, ANN.id, 1, "1h", next(house.ids))
    told = [data for _, _, data in await house.posts("line") if data["code"] == "time-given"]
    assert len(told) == 10
    assert sum(BEN.id in data["mention"] for data in told) == OWN


async def test_who_was_called_too_often_has_no_call_by_dm_for_it(house):
    await house.tables.prefer(BEN, {"call_by": "dm"})
    table = await house.new(BEN)
    before = len(await house.posts("call"))
    for _ in range(10):
        asked = await house.tables.pause(table.id, ANN.id, next(house.ids))
        await house.tables.vote(asked.id, BEN.id, True, next(house.ids))
        await house.tables.pause(table.id, ANN.id, next(house.ids))  # ends it, which calls who is to act
    assert len([data for _, _, data in await house.posts("line") if data["code"] == "resumed"]) == 10
    assert len(await house.posts("call")) - before == OWN
