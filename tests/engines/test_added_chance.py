"""What players add to the chances of a game: part of every draw, checked like the seed (14.14)."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import record
from engines.chance import Chance, commitment, mixed, typed_nonce
from engines.protocol import RulesError

SEED = bytes(32)
HERONS, REEDS = typed_nonce("seven blue herons"), typed_nonce("reeds")
BOTH = (HERONS.hex(), REEDS.hex())
BEFORE = {  # records that the program wrote before players added anything, and what `verify` made of them
    "rokumon": "baf15e482e830af46bbeecfa8c05566b",
    "shogun": "a302b1d007a62dd8bf43e40c7329e7be",
}


def told_of(nonces):
    return [None if one is None else commitment(bytes.fromhex(one)) for one in nonces]


def with_nonces(game="rokumon", nonces=BOTH, told=None):
    bare = record.new(game, 2, SEED).json_value()
    told = told_of(nonces) if told is None else told
    return record.read_record({**bare, "nonces": list(nonces), "nonce_commitments": told})


def refused(work, *asked):
    with pytest.raises(RulesError) as caught:
        work(*asked)
    return caught.value.code


def test_all_is_drawn_from_the_hash_of_the_seed_and_what_the_players_added():  # 14.14
    game = with_nonces()
    key = sha256(SEED + HERONS + REEDS).digest()
    assert mixed(SEED, [HERONS, REEDS]) == key
    assert [game.chance(3).below(1000) for _ in "ab"] == [Chance(key, 3).below(1000)] * 2


ADDED = st.lists(st.one_of(st.none(), st.binary(min_size=32, max_size=32)), min_size=2, max_size=2)


@settings(max_examples=60, deadline=None)
@given(ADDED, st.integers(0, 1), st.binary(min_size=32, max_size=32))
def test_one_other_nonce_shuffles_otherwise_and_the_same_ones_shuffle_the_same(first, place, other):  # 14.14
    hexes = [None if one is None else one.hex() for one in first]
    changed = [other.hex() if seat == place else one for seat, one in enumerate(hexes)]
    games = [
        with_nonces(nonces=ones) if any(ones) else record.new("rokumon", 2, SEED) for ones in (hexes, changed)
    ]
    cards = [[game.chance(0).shuffled(range(52)) for _ in "ab"] for game in games]
    assert cards[0][0] == cards[0][1]
    assert (cards[0] == cards[1]) == (hexes == changed)
    assert record.start(games[0]) == record.start(games[0])


@pytest.mark.parametrize(("game", "hashed"), BEFORE.items())
def test_a_record_from_before_verifies_and_is_written_as_it_was_byte_for_byte(game, hashed):  # 14.14
    text = Path(__file__).with_name("before_nonces").joinpath(f"{game}.json").read_text().rstrip("\n")
    old = record.read_record(json.loads(text))
    assert json.dumps(old.json_value(), separators=(",", ":")) == text
    assert record.state_hash(record.verify(old).state) == hashed


def test_verify_holds_each_nonce_against_what_was_told_of_it():  # 14.14
    game = with_nonces()
    played = record.append(record.begin(game), min(game.engine.to_act(record.start(game).state)), "resign")
    assert record.verify(record.read_record(played.record.json_value())).state == played.state
    told = told_of(BOTH)
    good, other = told_of(BOTH), typed_nonce("ground").hex()
    tampered = [
        with_nonces(nonces=(other, BOTH[1]), told=good),
        with_nonces(nonces=(BOTH[1], BOTH[0]), told=good),
        with_nonces(nonces=(BOTH[0], None), told=good),
        with_nonces(told=[told[0], None]),
        with_nonces(told=[]),
        record.read_record({**record.new("rokumon", 2, SEED).json_value(), "nonce_commitments": told}),
    ]
    assert {refused(record.verify, one) for one in tampered} == {"bad-commitment"}


ODD: tuple[list[object], ...] = ([], [BOTH[0]], [None, None], ["00", None], ["x" * 64, None], [7, None])


@pytest.mark.parametrize("nonces", ODD)
def test_what_does_not_fit_the_seats_is_no_record(nonces):  # 14.14
    bare = record.new("rokumon", 2, SEED).json_value()
    assert refused(record.read_record, {**bare, "nonces": nonces}) == "bad-record"


def test_a_later_seed_is_mixed_with_what_was_added_as_the_first_one():  # 14.14
    other = bytes([7]) * 32
    anew = record.Undone(undo=0, seed=other.hex(), commitment=commitment(other))
    game = with_nonces(nonces=(None, HERONS.hex()))
    later = record.follow(record.begin(game), anew).record
    assert later.chance().below(10**6) == Chance(sha256(other + HERONS).digest(), 2).below(10**6)
    record.verify(later)
    for kept_back in ({"seed": None}, {"commitment": None}, {"commitment": commitment(SEED)}):
        forged = game.extended(anew.model_copy(update={"undo": 0, **kept_back}))
        assert refused(record.verify, forged) == "bad-commitment"
