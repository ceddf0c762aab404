"""What players add to the chances of a table, from their seat to the record (14.14)."""

from __future__ import annotations

import json
from hashlib import sha256

from engines.chance import commitment, given_nonce, typed_nonce
from engines.record import read_record, verify
from tables.core.model import Vote
from tables.seats.handover import Successor
from tests.tables.players import ANN, BEN, CAT, PLACE


async def again_with_nonces(house):
    """The service, as it runs outside of tests."""
    house.nonces = True
    await house.again()


async def lobby(house, game="rokumon", chance=None):
    return await house.tables.create(
        ANN, game, "seat=first", PLACE, opponents=[BEN], interaction_id=next(house.ids), chance=chance
    )


async def test_the_seed_is_announced_before_others_add_theirs_and_both_are_in_the_record(house):  # 14.14
    await again_with_nonces(house)
    table = await lobby(house, chance="seven blue herons")
    announced = table.commitment
    assert table.nonces_commitment is None
    table = await house.tables.join(table.id, BEN, 4711)
    both = typed_nonce("seven blue herons") + given_nonce(4711)
    assert (table.status, table.commitment) == ("running", announced)
    assert table.nonces_commitment == sha256(both).hexdigest()
    assert table.nonces is None, "not before the end"
    (board, *_) = await house.posts("board")
    assert board[2]["nonces_commitment"] == table.nonces_commitment
    running = await house.tables.export(table.id, ANN.id)
    assert running["nonces_commitment"] == table.nonces_commitment
    assert both[:32].hex() not in str(running)
    await house.tables.resign(table.id, ANN.id, next(house.ids))
    ended = await house.tables.get(table.id)
    assert ended.nonces == (typed_nonce("seven blue herons").hex(), given_nonce(4711).hex())
    data = await house.tables.export(table.id, ANN.id)
    whole = read_record({k: v for k, v in data.items() if k not in ("players", "result")})
    assert verify(whole).state == (await house.tables._house.look(table.id)).position
    assert (await house.tables.verify(table.id, ANN.id)).fault is None
    assert await house.tables.check() == []


async def test_who_sits_there_changes_their_words_until_the_start(house):  # 14.14
    await again_with_nonces(house)
    table = await lobby(house)
    seen = await house.tables.get(table.id)
    await house.tables.join(table.id, ANN, next(house.ids), "after the seed")
    assert await house.tables.get(table.id) == seen
    await house.tables.join(table.id, BEN, next(house.ids), "ben's own")
    await house.tables.resign(table.id, BEN.id, next(house.ids))
    ended = await house.tables.get(table.id)
    assert ended.nonces == (typed_nonce("after the seed").hex(), typed_nonce("ben's own").hex())


async def test_other_words_deal_other_hands(house):  # 14.14
    await again_with_nonces(house)
    dealt = []
    for words in ("one", "two", "one"):
        house.seeds = iter([7])
        table = await lobby(house)
        await house.tables.join(table.id, ANN, next(house.ids), words)
        table = await house.tables.join(table.id, BEN, next(house.ids), words)
        dealt.append((await house.tables._house.look(table.id)).position)
    assert dealt[0] != dealt[1]
    assert dealt[0] == dealt[2]


async def test_what_a_seat_added_stays_when_it_changes_hands_and_a_kill_loses_none(house):  # 14.14
    await again_with_nonces(house)
    table = await lobby(house)
    await house.tables.join(table.id, BEN, next(house.ids), "ben's own")

    done = await house.tables.replace(table.id, BEN.id, None, Successor(user=CAT), next(house.ids))
    assert not isinstance(done, Vote)
    await house.tables.take(table.id, CAT, 1, next(house.ids))
    async with house.database.transaction() as tx:
        await tx.run("DELETE FROM snapshots")
    await house.again()
    assert await house.tables.check() == []
    await house.tables.resign(table.id, CAT.id, next(house.ids))
    ended = await house.tables.get(table.id)
    assert (ended.status, ended.nonces and ended.nonces[1]) == ("over", typed_nonce("ben's own").hex())
    assert (await house.tables.verify(table.id, ANN.id)).fault is None


async def test_nonces_that_are_not_those_announced_are_found_out(house):  # 14.14
    await again_with_nonces(house)
    table = await lobby(house)
    await house.tables.join(table.id, BEN, next(house.ids))
    await house.tables.resign(table.id, ANN.id, next(house.ids))
    await house.again()
    assert (await house.tables.verify(table.id, BEN.id)).fault is None
    async with house.database.transaction() as tx:
        await tx.run("UPDATE seats SET nonce = ? WHERE seat = 0", (typed_nonce("ground"),))
    await house.again()
    assert (await house.tables.verify(table.id, BEN.id)).fault == "nonces"


async def test_a_study_of_such_a_record_replays(house):  # 14.14

    await again_with_nonces(house)
    table = await lobby(house)
    await house.tables.join(table.id, BEN, next(house.ids), "ben's own")
    await house.tables.resign(table.id, ANN.id, next(house.ids))
    data = json.dumps(await house.tables.export(table.id, ANN.id)).encode()
    study = await house.tables.study(CAT, data, next(house.ids))
    assert study.nonces_commitment == (await house.tables.get(table.id)).nonces_commitment
    assert (await house.tables.verify(study.id, CAT.id)).fault is None
    assert commitment(bytes.fromhex("".join(n for n in study.nonces))) == study.nonces_commitment
