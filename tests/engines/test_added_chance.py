"""What players add to the chances of a game: part of every draw, checked like the seed (14.14)."""

from __future__ import annotations

from hashlib import sha256

import pytest

from engines import record
from engines.chance import Chance, commitment, given_nonce, mixed, typed_nonce
from engines.protocol import RulesError

SEED = bytes(32)
WORDS, NUMBER = typed_nonce("seven blue herons"), given_nonce(1456074443980800025)
BOTH = (WORDS.hex(), NUMBER.hex())


def with_nonces(game="rokumon", nonces=BOTH, told=None):
    bare = record.new(game, 2, SEED)
    told = commitment(b"".join(bytes.fromhex(n) for n in nonces if n)) if told is None else told
    return record.read_record({**bare.json_value(), "nonces": list(nonces), "nonces_commitment": told})


def refused(work, *given):
    with pytest.raises(RulesError) as caught:
        work(*given)
    return caught.value.code


def test_all_is_drawn_from_the_hash_of_the_seed_and_what_the_players_added():  # 14.14
    game = with_nonces()
    key = sha256(SEED + WORDS + NUMBER).digest()
    assert mixed(SEED, [WORDS, NUMBER]) == key
    assert [game.chance(3).below(1000) for _ in "ab"] == [Chance(key, 3).below(1000)] * 2
    assert record.start(game).state != record.start(record.new("rokumon", 2, SEED)).state
    other = with_nonces(nonces=(WORDS.hex(), typed_nonce("other").hex()))
    assert record.start(game).state != record.start(other).state


def test_without_anything_added_a_record_draws_and_reads_as_before():  # 14.14
    bare = record.new("rokumon", 2, SEED)
    assert "nonces" not in bare.json_value()
    assert "nonces_commitment" not in bare.json_value()
    assert bare.chance(0).below(1000) == Chance(SEED, 0).below(1000)
    record.verify(bare)


def test_verify_holds_what_was_added_against_what_was_announced():  # 14.14
    game = with_nonces()
    played = record.append(record.begin(game), min(game.engine.to_act(record.start(game).state)), "resign")
    assert record.verify(record.read_record(played.record.json_value())).state == played.state
    assert refused(record.verify, with_nonces(told=commitment(WORDS))) == "bad-commitment"
    assert refused(record.verify, with_nonces(told="")) == "bad-commitment"
    hidden = {**record.new("rokumon", 2, SEED).json_value(), "nonces_commitment": commitment(WORDS)}
    assert refused(record.verify, record.read_record(hidden)) == "bad-commitment"


ODD: tuple[list[object], ...] = ([], [WORDS.hex()], [None, None], ["00", None], ["x" * 64, None], [7, None])


@pytest.mark.parametrize("nonces", ODD)
def test_what_does_not_fit_the_seats_is_no_record(nonces):  # 14.14
    bare = record.new("rokumon", 2, SEED).json_value()
    assert refused(record.read_record, {**bare, "nonces": nonces}) == "bad-record"


def test_a_later_seed_is_mixed_with_what_was_added_as_the_first_one():  # 14.14
    other = bytes([7]) * 32
    anew = record.Undone(undo=0, seed=other.hex(), commitment=commitment(other))
    game = with_nonces(nonces=(None, WORDS.hex()))
    later = record.follow(record.begin(game), anew).record
    assert later.chance().below(10**6) == Chance(sha256(other + WORDS).digest(), 2).below(10**6)
    record.verify(later)
