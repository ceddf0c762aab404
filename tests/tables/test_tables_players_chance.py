"""What players add to the chances of a table, from their seat to the record (14.14)."""

from __future__ import annotations

import json

import pytest

from engines.chance import commitment, typed_nonce
from engines.record import read_record, verify
from tables.core.errors import TableError
from tables.core.model import Vote
from tables.seats.handover import Successor
from tests.tables.players import ANN, BEN, CAT, DAN, PLACE

WORDS = "seven blue herons"
SEAL = commitment(typed_nonce(WORDS))


async def lobby(house, *guests, game="rokumon", options="seat=first", **more):
    return await house.tables.create(
        ANN, game, options, PLACE, opponents=guests, interaction_id=next(house.ids), **more
    )


async def joins(house, table, who, chance=None):
    return await house.tables.join(table.id, who, next(house.ids), chance)


async def refused(work):
    with pytest.raises(TableError) as caught:
        await work
    return caught.value.code


async def position(house, table):
    return (await house.tables._house.look(table.id)).position


async def resigned(house, table, who):
    await house.tables.resign(table.id, who.id, next(house.ids))
    return await house.tables.get(table.id)


async def test_each_is_told_as_it_is_added_and_all_are_in_the_record_at_the_end(house):  # 14.14
    table = await lobby(house, BEN)
    announced = table.commitment
    table = await joins(house, table, ANN, WORDS)
    assert [seat.nonce_told for seat in table.seats] == [SEAL, None], "before Ben types anything"
    table = await joins(house, table, BEN, "reeds")
    told = [SEAL, commitment(typed_nonce("reeds"))]
    assert (table.status, table.commitment) == ("running", announced)
    assert [seat.nonce_told for seat in table.seats] == told
    assert table.nonces is None, "not before the end"
    running = await house.tables.export(table.id, BEN.id)
    assert running["nonce_commitments"] == told
    assert typed_nonce(WORDS).hex() not in str(running)
    ended = await resigned(house, table, BEN)
    assert ended.nonces == (typed_nonce(WORDS).hex(), typed_nonce("reeds").hex())
    data = await house.tables.export(table.id, ANN.id)
    whole = read_record({k: v for k, v in data.items() if k not in ("players", "result")})
    assert verify(whole).state == await position(house, table)
    assert (await house.tables.verify(table.id, ANN.id)).fault is None
    assert await house.tables.check() == []


async def test_who_types_nothing_leaves_the_house_nothing_to_draw_once_words_are_known(house):  # 14.14
    table = await lobby(house, BEN)
    await joins(house, table, ANN, WORDS)
    drawn = house.seeds
    house.seeds = iter(())  # whoever draws now is found out
    table = await joins(house, table, BEN)
    assert table.status == "running"
    house.seeds = drawn
    ended = await resigned(house, table, BEN)
    assert ended.nonces == (typed_nonce(WORDS).hex(), None)
    bots = await house.tables.export((await resigned(house, await bot_game(house), ANN)).id, ANN.id)
    assert "nonces" not in bots


async def bot_game(house):
    return await lobby(house, game="kamisado", options="level=easy", bot_seat=True)


async def test_nobody_changes_what_they_added(house):  # 14.14
    table = await lobby(house, BEN)
    await joins(house, table, ANN, WORDS)
    assert await refused(joins(house, table, ANN, "other words")) == "chance-given"
    assert await refused(joins(house, table, ANN, "0" * 64)) == "chance-given"
    assert (await house.tables.get(table.id)).seats[0].nonce_told == SEAL


async def test_words_typed_before_the_seed_is_announced_are_refused_and_a_seal_is_not(house):  # 14.14
    assert await refused(lobby(house, BEN, chance=WORDS)) == "chance-early"
    table = await lobby(house, BEN, chance=SEAL.upper())
    assert (table.seats[0].nonce_told, table.seats[0].sealed) == (SEAL, True)


async def test_a_sealed_game_for_two_waits_for_the_words_and_starts_with_them(house):  # 14.14
    table = await lobby(house, BEN, chance=SEAL)
    assert await refused(joins(house, table, ANN, WORDS)) == "not-enough", "Ben may add his first"
    table = await joins(house, table, BEN, "reeds")
    assert table.status == "open"
    assert await refused(house.tables.start(table.id, BEN.id, next(house.ids))) == "sealed"
    assert await refused(joins(house, table, ANN, "seven red herons")) == "chance-differs"
    table = await joins(house, table, ANN, f" {WORDS} ")
    assert table.status == "running"
    ended = await resigned(house, table, ANN)
    assert ended.nonces == (typed_nonce(WORDS).hex(), typed_nonce("reeds").hex())
    assert (await house.tables.verify(table.id, BEN.id)).fault is None


async def test_a_sealed_game_against_the_bot_waits_too(house):  # 14.14
    table = await lobby(house, game="kamisado", options="level=easy", bot_seat=True, chance=SEAL)
    assert table.status == "open"
    table = await joins(house, table, ANN, WORDS)
    assert table.status == "running"
    assert [seat.nonce_told for seat in table.seats if seat.user_id == ANN.id] == [SEAL]


async def test_once_a_seal_is_open_nobody_comes_or_adds_and_who_leaves_closes_the_table(house):  # 14.14
    table = await lobby(house, game="shogun", options="", chance=SEAL)
    for who in (BEN, CAT):
        table = await joins(house, table, who)
    other = commitment(typed_nonce("reeds"))
    await joins(house, table, BEN, other)
    await joins(house, table, ANN, WORDS)
    assert await refused(joins(house, table, CAT, "late")) == "unsealed"
    assert await refused(joins(house, table, DAN)) == "unsealed"
    assert await refused(house.tables.invite(table.id, ANN.id, DAN, next(house.ids))) == "unsealed"
    assert await refused(house.tables.seat_bot(table.id, ANN.id, next(house.ids))) == "unsealed"
    assert await refused(house.tables.start(table.id, ANN.id, next(house.ids))) == "sealed"
    closed = await house.tables.leave(table.id, BEN.id, next(house.ids))
    assert (closed.status, closed.nonces) == ("cancelled", None)


async def test_other_words_deal_other_hands_and_other_seats(house):  # 14.14
    dealt = []
    for words in ("one", "two", "one"):
        house.seeds = iter([7])
        table = await lobby(house, BEN)
        await joins(house, table, ANN, words)
        dealt.append(await position(house, await joins(house, table, BEN, words)))
    assert dealt[0] != dealt[1]
    assert dealt[0] == dealt[2]
    first = set()
    for number in range(12):
        house.seeds = iter([7])
        table = await lobby(house, BEN, game="kamisado", options="seat=random")
        await joins(house, table, BEN, f"words {number}")
        first.add((await house.tables.get(table.id)).seats[0].user_id)
        await house.tables.resign(table.id, ANN.id, next(house.ids))
    assert first == {ANN.id, BEN.id}


async def test_what_a_seat_added_stays_when_it_changes_hands_and_a_kill_loses_none(house):  # 14.14
    table = await lobby(house, BEN)
    await joins(house, table, BEN, WORDS)
    done = await house.tables.replace(table.id, BEN.id, None, Successor(user=CAT), next(house.ids))
    assert not isinstance(done, Vote)
    await house.tables.take(table.id, CAT, 1, next(house.ids))
    async with house.database.transaction() as tx:
        await tx.run("DELETE FROM snapshots")
    await house.again()
    assert await house.tables.check() == []
    ended = await resigned(house, table, CAT)
    assert (ended.status, ended.nonces) == ("over", (None, typed_nonce(WORDS).hex()))
    assert (await house.tables.verify(table.id, ANN.id)).fault is None


async def test_a_rematch_has_none_until_its_players_add_some_after_its_own_seed_is_told(house):  # 14.14
    table = await lobby(house, BEN)
    table = await joins(house, table, BEN, WORDS)
    await resigned(house, table, ANN)
    again = await house.tables.rematch(table.id, ANN, next(house.ids))
    assert (again.status, [seat.nonce_told for seat in again.seats]) == ("open", [None, None])
    await joins(house, again, ANN, "reeds")
    again = await joins(house, again, BEN, WORDS)
    ended = await resigned(house, again, ANN)
    assert sorted(ended.nonces) == sorted((typed_nonce("reeds").hex(), typed_nonce(WORDS).hex()))


async def test_a_nonce_that_is_not_the_one_told_is_found_out(house):  # 14.14
    table = await lobby(house, BEN)
    await joins(house, table, BEN, WORDS)
    await resigned(house, table, ANN)
    assert (await house.tables.verify(table.id, BEN.id)).fault is None
    async with house.database.transaction() as tx:
        await tx.run("UPDATE seats SET nonce = ? WHERE seat = 1", (typed_nonce("ground"),))
    await house.again()
    assert (await house.tables.verify(table.id, BEN.id)).fault == "nonces"


async def test_a_study_of_such_a_record_replays_and_one_with_another_nonce_is_refused(house):  # 14.14
    table = await lobby(house, BEN)
    await joins(house, table, BEN, WORDS)
    ended = await resigned(house, table, ANN)
    data = await house.tables.export(table.id, ANN.id)
    study = await house.tables.study(CAT, json.dumps(data).encode(), next(house.ids))
    assert (study.nonces, study.seats[1].nonce_told) == (ended.nonces, SEAL)
    assert (await house.tables.verify(study.id, CAT.id)).fault is None
    forged = json.dumps({**data, "nonces": [None, typed_nonce("ground").hex()]}).encode()
    assert await refused(house.tables.study(CAT, forged, next(house.ids))) == "bad-commitment"


async def test_a_told_hash_that_the_disk_changed_is_found_and_mended_from_the_game_that_replays(
    house,
):  # 14.14
    table = await lobby(house, BEN)
    await joins(house, table, BEN, WORDS)
    async with house.database.transaction() as tx:
        await tx.run("UPDATE seats SET nonce_told = ? WHERE seat = 1", ("0" * 64,))
    await house.again()
    (found,) = [fault for fault in await house.tables.faults() if "chances" in fault.text]
    await found.mend()
    await house.again()
    assert await house.tables.check() == []
    assert (await house.tables.get(table.id)).seats[1].nonce_told == SEAL


@pytest.mark.parametrize(
    "typed", ["  ", "\ud800", "\u202e" + "x" * 199, "f" * 63, "0x" + "f" * 62, "ｆ" * 64]
)
async def test_odd_words_are_words_and_blanks_add_nothing(house, typed):  # 14.14
    table = await lobby(house, BEN)
    table = await joins(house, table, BEN, typed)
    told = [seat.nonce_told for seat in table.seats]
    assert table.status == "running"
    assert (told[1] is None) == (not typed.strip())
    assert await house.tables.check() == []


async def test_a_seal_of_a_game_for_one_waits_as_well(house):  # 14.14
    table = await lobby(house, options="solo=easy", chance=SEAL)
    assert (table.status, len(table.seats)) == ("open", 1)
    table = await joins(house, table, ANN, WORDS)
    assert table.status == "running"


async def test_who_may_not_see_a_private_table_learns_nothing_by_adding_chance(house):  # 14.12
    table = await lobby(house, BEN, private=True)
    assert await refused(joins(house, table, CAT, WORDS)) == "no-table"
    await joins(house, table, BEN, WORDS)


async def test_a_redelivered_interaction_adds_once(house):  # 14.14
    table = await lobby(house, BEN)
    first = await house.tables.join(table.id, ANN, 4711, WORDS)
    again = await house.tables.join(table.id, ANN, 4711, WORDS)
    assert first == again


# -- who sits where ---------------------------------------------------------------------------------


@pytest.mark.parametrize("wish", ["random", "first", "last"])
async def test_verify_works_out_again_who_sits_where(house, wish):  # 14.14
    seats = set[tuple[int | None, ...]]()
    for number in range(6):
        table = await lobby(house, BEN, options=f"seat={wish}")
        await joins(house, table, ANN, f"{WORDS} {number}")
        ended = await resigned(house, await joins(house, table, BEN, "reeds"), BEN)
        seats.add(tuple(seat.user_id for seat in ended.seats))
        assert (await house.tables.verify(table.id, ANN.id)).fault is None
    assert len(seats) == (2 if wish == "random" else 1)


@pytest.mark.parametrize(
    "other",
    [
        lambda told: told | {"order": told["order"][::-1]},
        lambda told: told | {"wish": "last"},
        lambda told: told | {"order": [0]},
    ],
)
async def test_a_table_whose_seats_were_chosen_and_not_drawn_is_found_by_verify(house, other):  # 14.14
    table = await lobby(house, BEN)
    await joins(house, table, ANN, WORDS)
    await resigned(house, await joins(house, table, BEN, "reeds"), BEN)
    async with house.database.transaction() as tx:
        row = await tx.one("SELECT seating FROM tables")
        tx.put("UPDATE tables SET seating = ?", (json.dumps(other(json.loads(row["seating"]))),))
    assert (await house.tables.verify(table.id, ANN.id)).fault == "seating"


async def test_tables_from_before_seats_were_written_down_verify_as_ever(house):  # 14.14
    table = await lobby(house, BEN)
    await joins(house, table, ANN, WORDS)
    await resigned(house, await joins(house, table, BEN), BEN)
    async with house.database.transaction() as tx:
        tx.put("UPDATE tables SET seating = NULL")
    assert (await house.tables.verify(table.id, ANN.id)).fault is None
