"""Replays, exports, studies, results, ratings, notes, and the proof that nothing was rigged."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import floats, integers

from db.rows import RatingRow
from engines.protocol import Result
from tables.core.options import UNITS
from tables.lobby import studies
from tables.lobby.studies import MOST_BYTES
from tables.reading import keepers, results
from tables.reading.fading import FIRST, faded
from tables.reading.folding import unseen
from tables.reading.records import MOST_DEPTH, MOST_PLIES, depth
from tables.seats.handover import Successor
from tests.tables.players import ANN, BEN, CAT
from tests.tables.test_tables_play import refusal

DAY = UNITS["d"]


async def finished(house, *guests, words="seat=first goal=1", loser=ANN):
    table = await house.new(*guests or (BEN,), words=words)
    hand = (await house.tables.show(table.id, ANN.id)).view.hand
    await house.act(table, ANN, f"bid {hand[0]}")
    house.clock.ms += 5000
    await house.tables.resign(table.id, loser.id, next(house.ids))
    return await house.tables.get(table.id)


# -- replay, story, proof ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("users", "user", "opens_at"),
    [
        ([1, 2, 2, 3], 1, 2),  # the first that came after Ann's own
        ([1, 2, 1, 3, 2], 1, 4),
        ([2, 1], 1, 2),  # Ann's own is the newest
        ([2, 3], 1, 1),  # Ann has not acted yet
        ([2, 3], 9, 2),  # no player: the newest
        ([9, 2, 3], 9, 3),  # no player any more: what a spectator gets
        ([], 1, 0),
        ([1, None, None], 1, 2),  # the bot's
    ],
)
def test_a_replay_opens_at_the_first_entry_that_one_has_not_seen(users, user, opens_at):  # 13.C24
    table: Any = SimpleNamespace(seat_of=lambda who: 0 if who in {1, 2, 3} else None)
    log: Any = [SimpleNamespace(user_id=one) for one in users]
    assert unseen(table, log, user) == opens_at


async def test_a_running_game_is_told_again_in_ones_own_view(house):
    table = await house.new(BEN)
    hand = (await house.tables.show(table.id, ANN.id)).view.hand
    await house.act(table, ANN, f"bid {hand[0]}")
    first = await house.tables.replay(table.id, ANN.id, 0)
    assert (first.at, first.last, first.shown.view.hand) == (0, 1, hand)
    now = await house.tables.replay(table.id, ANN.id)
    assert (now.at, now.shown.view.bid) == (1, hand[0])
    assert (await house.tables.replay(table.id, BEN.id)).shown.view.bid is None
    assert (await refusal(house.tables.replay(table.id, BEN.id, 1, 0))).code == "not-yours"
    assert (await refusal(house.tables.replay(table.id, BEN.id, 2))).code == "bad-ply"
    assert [t.action for t in await house.tables.story(table.id, ANN.id)] == [f"bid {hand[0]}"]
    assert [t.action for t in await house.tables.story(table.id, BEN.id)] == [None]
    assert [t.action for t in await house.tables.story(table.id, CAT.id)] == [None]


async def test_a_finished_game_is_everybodys(house):
    table = await finished(house)
    for user in (ANN, BEN, CAT):
        seen = await house.tables.replay(table.id, user.id, 0, 0)
        assert seen.open_hands
        assert seen.shown.view.hand is not None
        assert [t.action for t in await house.tables.story(table.id, user.id)][1] == "resign"
    assert (await house.tables.replay(table.id, ANN.id, 0, None)).shown.view.hand is None
    assert (await refusal(house.tables.replay(table.id, ANN.id, 0, 5))).code == "bad-seat"


async def test_the_proof_names_no_seed_before_the_end_and_finds_what_was_changed(house):
    table = await house.new(BEN)
    early = await house.tables.verify(table.id, CAT.id)
    assert (early.seed, early.commitment) == (None, table.commitment)
    table = await finished(house)
    assert (await house.tables.verify(table.id, CAT.id)).fault is None
    async with house.database.transaction() as tx:
        tx.put('UPDATE actions SET action = \'{"type": "draw"}\' WHERE table_id = ? AND seq = 1', (table.id,))
    assert (await house.tables.verify(table.id, CAT.id)).fault == "replay"
    async with house.database.transaction() as tx:
        tx.put("UPDATE tables SET seed = ? WHERE id = ?", (b"\0", table.id))
    await house.again()
    assert (await house.tables.verify(table.id, CAT.id)).fault == "seed"


# -- studies ----------------------------------------------------------------------------------------


async def test_an_export_comes_back_as_a_study_of_its_importer_alone(house):
    table = await finished(house)
    data = json.dumps(await house.tables.export(table.id, CAT.id)).encode()
    study = await house.tables.study(CAT, data, 50)
    assert (await house.tables.study(CAT, data, 50)).id == study.id
    assert (study.status, study.study, study.names) == ("over", True, table.names)
    assert (await house.tables.replay(study.id, CAT.id, 0, 1)).shown.view.hand is not None
    assert (await house.tables.verify(study.id, CAT.id)).fault is None
    for user in (ANN, BEN):
        assert (await refusal(house.tables.replay(study.id, user.id))).code == "no-table"
    assert (await refusal(house.tables.rematch(study.id, CAT, 51))).code == "not-seated"
    assert await house.tables.listing(1) == [table]
    assert await house.tables.profile(CAT.id) == []
    await house.again()
    assert await house.tables.check() == []
    assert (await house.tables.replay(study.id, CAT.id)).last == 2


async def test_what_a_running_game_exports_cannot_be_studied(house):
    table = await house.new(BEN)
    exported = await house.tables.export(table.id, ANN.id)
    assert "seed" not in exported
    error = await refusal(house.tables.study(ANN, json.dumps(exported).encode(), 9))
    assert error.code == "bad-record"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"no", "bad-record"),
        (b"[]", "bad-record"),
        (b"\xff\xfe", "bad-record"),
        (b" " * (MOST_BYTES + 1), "record-too-big"),
        (b"[" * (MOST_DEPTH + 1) + b"]" * (MOST_DEPTH + 1), "record-too-deep"),
        (b'{"game": "chess", "seats": 2, "seed": "00"}', "unknown-game"),
        (b'{"game": "duel", "seats": 2, "seed": "00", "commitment": "ab"}', "bad-commitment"),
        (b'{"game": "duel", "seats": 2, "seed": "00", "actions": [{"undo": 3}]}', "does-not-replay"),
    ],
)
async def test_a_record_that_cannot_be_studied_says_why_and_leaves_nothing(house, data, code):
    assert (await refusal(house.tables.study(ANN, data, 9))).code == code
    assert await house.database.reads.all("SELECT 1 FROM tables") == []


async def test_a_record_of_endless_length_is_refused_before_it_is_carried_out(house):
    record = {"game": "duel", "seats": 2, "seed": "00", "actions": [{"undo": 1}] * (MOST_PLIES + 1)}
    assert (await refusal(house.tables.study(ANN, json.dumps(record).encode(), 9))).code == "record-too-long"


async def test_the_oldest_study_goes_where_there_are_too_many(house, monkeypatch):
    monkeypatch.setattr(studies, "MOST_STUDIES", 2)
    record = json.dumps({"game": "duel", "seats": 2, "seed": "00"}).encode()
    made = [(await house.tables.study(ANN, record, number)).id for number in (1, 2, 3)]
    other = await house.tables.study(BEN, record, 4)
    assert (await refusal(house.tables.replay(made[0], ANN.id))).code == "no-table"
    for number in made[1:]:
        assert (await house.tables.replay(number, ANN.id)).last == 0
        assert (await house.tables.verify(number, ANN.id)).fault is None
    assert other.id > made[2] > made[1] > made[0]
    assert await house.tables.check() == []


def test_brackets_in_strings_are_not_depth():
    assert depth('{"a": "[[[[\\"[[[", "b": [[]]}') == 3
    assert depth('[{"a": {}}, [], "]"]') == 3
    assert depth("[" * 5) == 5
    assert depth("[{" * 500_000) == depth("[" * 90 + "]" * 90) == MOST_DEPTH + 1
    assert depth("[]{}" * 200_000 + '"' + "[" * 90) == 1


# -- results ---------------------------------------------------------------------------------------


async def test_a_game_is_rated_once_and_shown_to_its_server(house, monkeypatch):
    monkeypatch.setattr(keepers, "LEAST", 0)
    table = await finished(house)
    (ann,), (ben,) = await house.tables.profile(ANN.id), await house.tables.profile(BEN.id)
    assert ben.rating > 1000 > ann.rating
    assert (ann.games, ann.won, ben.won) == (1, 0, 1)
    assert ann.turn_ms == 0
    assert ben.turn_ms == 5000
    best = await house.tables.leaderboard("duel", 1)
    assert [one.name for one in best] == ["Ben", "Ann"]
    assert await house.tables.leaderboard("duel", 2) == []
    await house.again()
    assert await house.tables.profile(BEN.id) == [ben]
    assert table.status == "over"


async def test_a_draw_keeps_equals_equal_and_what_was_called_off_counts_for_nothing(house):
    table = await house.new(BEN)
    vote = await house.tables.offer_draw(table.id, ANN.id, next(house.ids))
    await house.tables.vote(vote.id, BEN.id, True, next(house.ids))
    (ann,), (ben,) = await house.tables.profile(ANN.id), await house.tables.profile(BEN.id)
    assert ann.rating == ben.rating
    assert ann.won == ben.won == 0
    other = await house.new(BEN)
    await house.tables.cancel(other.id, CAT.id, next(house.ids), moderator=True)
    assert (await house.tables.profile(ANN.id))[0].games == 1


async def test_games_with_the_bot_or_a_handed_seat_are_remembered_but_not_rated(house):
    table = await house.new(BEN)
    await house.tables.replace(table.id, BEN.id, None, Successor(user=CAT), next(house.ids))
    await house.tables.take(table.id, CAT, 1, next(house.ids))
    await house.tables.resign(table.id, CAT.id, next(house.ids))
    (ben,) = await house.tables.profile(BEN.id)  # whose seat it was: giving up is no action of CAT's
    assert (ben.rating, ben.games) == (None, 1)
    assert await house.tables.profile(CAT.id) == []
    assert await house.tables.leaderboard("duel", 1) == []


@pytest.mark.parametrize(
    ("winners", "scores", "ranks"),
    [
        ((1,), (0, 3), [2, 1]),
        ((0,), (5, 9), [1, 2]),  # the winner may have fewer points
        ((), (), [1, 1]),
        ((2,), (4, 7, 9), [3, 2, 1]),
        ((0, 2), (9, 7, 9, 7), [1, 3, 1, 3]),
        ((0,), (), [1, 2, 2]),
    ],
)
def test_places_follow_from_winners_and_points(winners, scores, ranks):
    assert results.places(Result(winners=winners, scores=scores, reason="points"), len(ranks)) == ranks


# -- notes -------------------------------------------------------------------------------------------


async def test_a_note_is_its_writers_alone(house):
    table = await house.new(BEN)
    await house.tables.write_note(ANN.id, table.id, "watch *d8*")
    await house.tables.write_note(ANN.id, table.id, "watch **e8**")
    assert await house.tables.note(ANN.id, table.id) == "watch **e8**"
    assert await house.tables.note(BEN.id, table.id) is None
    assert (await refusal(house.tables.write_note(ANN.id, table.id, "x" * 1001))).code == "note-too-long"
    await house.tables.write_note(ANN.id, table.id, None)
    assert await house.tables.note(ANN.id, table.id) is None


# -- absence (13.A10) ------------------------------------------------------------------------------


async def test_uncertainty_grows_with_absence_and_ends_with_the_next_game(house, monkeypatch):
    monkeypatch.setattr(keepers, "LEAST", 0)
    await finished(house)
    (before,) = await house.tables.profile(BEN.id)
    house.clock.ms += 20 * DAY
    assert (await house.tables.profile(BEN.id))[0].rating == before.rating, "a month says nothing"
    house.clock.ms += 400 * DAY
    (after,) = await house.tables.profile(BEN.id)
    assert after.rating < before.rating
    assert (await house.tables.leaderboard("duel", 1))[0].rating == after.rating
    await finished(house)
    assert (await house.tables.profile(BEN.id))[0].rating > after.rating


@given(sigma=floats(0.5, FIRST), days=integers(0, 5000), more=integers(0, 5000), mu=floats(-50, 50))
def test_a_deviation_never_shrinks_by_absence_and_never_passes_the_first(sigma, days, more, mu):
    row = RatingRow("duel", 1, mu, sigma)
    one, two = (faded(row, 0, span * DAY) for span in (days, days + more))
    assert sigma <= one.sigma <= two.sigma <= FIRST
    assert one.mu == mu


async def test_who_has_left_the_server_is_not_on_its_leaderboard_until_he_is_back(house, monkeypatch):
    monkeypatch.setattr(keepers, "LEAST", 0)
    await finished(house)
    await house.tables.gone(BEN.id, "left", 1)
    assert [one.name for one in await house.tables.leaderboard("duel", 1)] == ["Ann"]
    await house.tables.here(BEN.id, 1)
    assert [one.name for one in await house.tables.leaderboard("duel", 1)] == ["Ben", "Ann"]
    await house.tables.gone(ANN.id, "deleted")
    assert [one.name for one in await house.tables.leaderboard("duel", 1)] == ["Ben"]
