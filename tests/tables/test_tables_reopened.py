"""The undo of the action that ended a game: consent, results, the posted seed, the record (13.A11)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engines.chance import commitment
from engines.protocol import RulesError
from engines.record import fold, read_record, verify
from tables.core.model import Table, Vote
from tables.reading import keepers
from tests.tables.players import ANN, BEN, CAT
from tests.tables.test_tables_play import refusal


async def ended(house, *, game="kamisado", words="seat=first", moves=("d8-d3",)):
    """A game between Ann and Ben that Ann resigned, after some moves by whoever was to act."""
    table = await house.new(BEN, game=game, words=words)
    for move in moves:
        table = await house.tables.get(table.id)
        (seat,) = table.to_act
        await house.act(table, ANN if table.seats[seat].user_id == ANN.id else BEN, move)
    await house.act(table, ANN, "resign")
    table = await house.tables.get(table.id)
    assert table.status == "over"
    return table


async def undo(house, table, user):
    return await house.tables.undo(table.id, user.id, next(house.ids))


async def reopened(house, table, asking=ANN, agreeing=BEN):
    """The table after its end was taken back by consent."""
    asked = await undo(house, table, asking)
    assert isinstance(asked, Vote)
    await house.tables.vote(asked.id, agreeing.id, True, next(house.ids))
    return await house.tables.get(table.id)


async def rows(house, sql):
    return [tuple(row) for row in await house.database.reads.all(sql)]


async def test_the_end_is_taken_back_only_when_the_other_agrees(house):
    table = await ended(house)
    before = (await house.tables.replay(table.id, None, at=1)).shown.view
    asked = await undo(house, table, ANN)
    assert isinstance(asked, Vote)
    assert (asked.kind, asked.wanted) == ("reopen", (1,))
    assert (await house.tables.get(table.id)).status == "over"
    done = await house.tables.vote(asked.id, BEN.id, True, next(house.ids))
    assert done.status == "agreed"
    after = await house.tables.get(table.id)
    assert (after.status, after.result, after.ended_at, after.seed) == ("running", None, None, None)
    assert after.to_act == {1}
    assert (await house.tables.show(table.id, None)).view == before
    assert await house.tables.check() == []
    await house.again()
    assert await house.tables.check() == []
    await house.act(after, BEN, (await house.tables.complete(table.id, BEN.id, 10, ""))[0])


async def test_a_refusal_leaves_the_game_over(house):
    table = await ended(house)
    asked = await undo(house, table, ANN)
    assert (await house.tables.vote(asked.id, BEN.id, False, next(house.ids))).status == "refused"
    assert (await house.tables.get(table.id)).status == "over"
    codes = [data.get("code") for _, _, data in await house.posts("line")]
    assert codes[-1] == "reopen-refused"


async def test_who_lost_to_a_move_takes_back_his_own_with_it(house):
    """Ben may ask as well: his last move goes, and what came after it."""
    table = await ended(house, moves=("d8-d3", "f1-f2"))
    after = await reopened(house, table, BEN, ANN)
    assert after.to_act == {1}
    log = await rows(house, "SELECT seq, undo FROM actions ORDER BY seq")
    assert log[-1] == (4, 2)


@pytest.fixture
def short(monkeypatch):
    """Games that are over after a move are rated."""
    monkeypatch.setattr(keepers, "LEAST", 0)


@pytest.mark.usefixtures("short")
async def test_results_and_ratings_are_taken_back_and_count_anew_at_the_next_end(house):
    table = await ended(house)
    first = await rows(house, "SELECT * FROM ratings ORDER BY user_id")
    assert len(first) == 2
    after = await reopened(house, table)
    assert await rows(house, "SELECT * FROM results") == []
    assert await rows(house, "SELECT * FROM ratings") == []
    assert await house.tables.leaderboard("kamisado", 1, 10) == []
    await house.act(after, BEN, "resign")
    assert (await house.tables.get(table.id)).result["winners"] == [0]
    second = await rows(house, "SELECT * FROM ratings ORDER BY user_id")
    assert [row[2] for row in second] == [row[2] for row in reversed(first)]
    assert len(await rows(house, "SELECT * FROM results")) == 2


@pytest.mark.usefixtures("short")
async def test_a_rating_from_before_comes_back_exactly(house):
    await ended(house)
    before = await rows(house, "SELECT * FROM ratings ORDER BY user_id")
    table = await ended(house)
    assert await rows(house, "SELECT * FROM ratings ORDER BY user_id") != before
    await reopened(house, table)
    assert await rows(house, "SELECT * FROM ratings ORDER BY user_id") == before


@pytest.mark.usefixtures("short")
async def test_games_since_keep_what_they_did_to_the_ratings(house):
    table = await ended(house)
    between = await rows(house, "SELECT mu FROM ratings ORDER BY user_id")
    await ended(house)
    after = await rows(house, "SELECT mu FROM ratings ORDER BY user_id")
    await reopened(house, table)
    left = await rows(house, "SELECT mu, sigma FROM ratings ORDER BY user_id")
    for (mu, sigma), (was,), (now,) in zip(left, between, after, strict=True):
        assert mu == pytest.approx(25 + now - was)
        assert 0 < sigma < 25 / 3
    assert len(await rows(house, "SELECT * FROM results")) == 2


async def test_what_follows_draws_from_a_fresh_seed_whose_commitment_is_told_at_once(house):
    table = await ended(house)
    posted = table.seed
    after = await reopened(house, table)
    (line,) = [data for _, _, data in await house.posts("line") if data["code"] == "reopened"]
    told = line["params"]["commitment"]
    assert told == after.commitment != table.commitment
    assert after.seed is None
    for _, _, data in (await house.posts())[-2:]:
        assert "seed" not in data
    await house.act(after, BEN, "resign")
    over = await house.tables.get(table.id)
    assert over.seed != posted
    assert commitment(bytes.fromhex(over.seed)) == told
    (_, _, end) = (await house.posts("over"))[-1]
    assert (end["seed"], end["commitment"]) == (over.seed, told)


async def test_the_deal_after_a_reopened_end_is_not_the_one_of_the_posted_seed(house):
    """Rokumon in act 1: the deals of the acts to come could be worked out from the seed that was posted."""
    table = await ended(house, game="rokumon", moves=("deploy a1",))
    over = await house.tables.export(table.id, None)
    after = await reopened(house, table)
    await house.act(after, BEN, "surrender")  # the next act is dealt
    dealt = (await house.tables.show(table.id, None)).view
    assert dealt.act == 2
    record = read_record({k: v for k, v in over.items() if k not in ("players", "result")})
    actions = [*record.json_value()["actions"], {"undo": 1}, {"seat": 1, "action": {"type": "surrender"}}]
    guessed: Any = fold(read_record({**record.json_value(), "actions": actions})).state
    assert [tile.pips for tile in guessed.tiles] != [tile.pips for tile in dealt.tiles]
    await house.again()
    assert await house.tables.check() == []


async def test_the_record_of_a_reopened_game_replays_and_is_verified_seed_by_seed(house):
    table = await ended(house, game="rokumon", moves=("deploy a1",))
    posted = table.seed
    after = await reopened(house, table)
    await house.act(after, BEN, "surrender")
    await house.act(after, ANN, "resign")
    again = await reopened(house, table)
    await house.act(again, BEN, "resign")
    verdict = await house.tables.verify(table.id, None)
    assert verdict.fault is None
    assert verdict.earlier[0] == (3, posted, table.commitment)
    assert len(verdict.earlier) == 2
    data = await house.tables.export(table.id, None)
    given = {k: v for k, v in data.items() if k not in ("players", "result")}
    assert given["seed"] == posted
    assert verify(read_record(given)).state == fold(read_record(given)).state
    forged = json.loads(json.dumps(given))
    reseeding = next(entry for entry in forged["actions"] if "seed" in entry)
    reseeding["seed"] = "00" * 32
    with pytest.raises(RulesError, match="bad-commitment"):
        verify(read_record(forged))
    for at in range(len(given["actions"]) + 1):  # every moment is replayed with the seed of its time
        await house.tables.replay(table.id, None, at=at)
    study = await house.tables.study(CAT, json.dumps(data).encode(), next(house.ids))
    assert (await house.tables.verify(study.id, CAT.id)).fault is None


async def test_a_game_with_secrets_is_over_for_good(house):
    table = await ended(house, game="rokumon", words="seat=first act=3", moves=())
    assert (await refusal(undo(house, table, ANN))).code == "ended-secrets"
    assert (await house.tables.get(table.id)).status == "over"


async def test_once_a_rematch_has_begun_the_end_stands(house):
    table = await ended(house)
    asked = await undo(house, table, ANN)
    rematch = await house.tables.rematch(table.id, ANN, next(house.ids))
    assert rematch.status == "open"
    assert isinstance(await undo(house, table, ANN), Vote)  # a lobby is no game yet
    assert (await house.tables.rematch(table.id, BEN, next(house.ids))).status == "running"
    assert (await refusal(undo(house, table, ANN))).code == "rematch-began"
    late = await refusal(house.tables.vote(asked.id, BEN.id, True, next(house.ids)))
    assert (late.code, late.params["status"]) == ("vote-closed", "lapsed")


async def test_an_end_by_agreement_is_no_action_to_be_taken_back(house):
    table = await house.new(BEN, game="kamisado")
    await house.act(table, ANN, "d8-d3")
    offered = await house.tables.offer_draw(table.id, BEN.id, next(house.ids))
    await house.tables.vote(offered.id, ANN.id, True, next(house.ids))
    assert (await refusal(undo(house, table, ANN))).code == "over"


async def test_who_left_the_server_cannot_agree_so_the_end_stands(house):
    table = await house.new(BEN, game="kamisado")
    await house.act(table, ANN, "d8-d3")
    await house.tables.gone(BEN.id, "left", 1)
    await house.act(table, ANN, "resign")
    assert (await refusal(undo(house, table, ANN))).code == "not-all-here"
    assert (await refusal(undo(house, table, CAT))).code == "not-seated"


async def test_against_the_bot_alone_nobody_has_to_agree(house):
    table = await house.new(game="kamisado", words="seat=first", bot_seat=True)
    await house.act(table, ANN, "resign")
    assert (await house.tables.get(table.id)).status == "over"
    after = await undo(house, table, ANN)
    assert isinstance(after, Table)
    assert after.status == "running"
    assert after.to_act == {0}
    assert await rows(house, "SELECT * FROM results") == []


async def test_clocks_run_on_from_what_was_left_and_the_time_between_counts_for_nobody(house):
    table = await house.new(BEN, game="kamisado", words="seat=first clock=fast")
    await house.act(table, ANN, "d8-d3")
    await house.act(table, BEN, "resign")
    left = [seat.bank for seat in (await house.tables.get(table.id)).seats]
    house.clock.ms += 30 * 24 * 3600 * 1000
    after = await reopened(house, table, BEN, ANN)
    assert [seat.bank for seat in after.seats] == left
    assert after.seats[1].ticks_since == house.clock.ms
    assert after.turn_since == house.clock.ms
