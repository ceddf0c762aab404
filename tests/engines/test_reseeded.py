"""A record whose seed got a salt on the way: drawn anew from there, and verifiable all the same (14.13)."""

from __future__ import annotations

import json
from hashlib import blake2b

import pytest

from engines import record
from engines.chance import Chance, commitment
from engines.protocol import RulesError
from engines.record import salted

SEED, SALT = b"s" * 32, b"salt"


def stream(seed, entry):
    """The first numbers of a stream, worked out by hand."""
    key = blake2b(seed, digest_size=32).digest()
    return blake2b(entry.to_bytes(8, "big") + bytes(8), key=key, digest_size=32).digest()


def drawn(chance):
    return bytes(chance.below(256) for _ in range(32))


def test_streams_are_the_old_ones_up_to_the_salt_and_others_from_there():  # 14.13
    old = record.new("shogun", 3, SEED)
    new = old.model_copy(update={"reseeded": (salted(5, SALT),)})
    for entry in range(5):
        assert drawn(new.chance(entry)) == drawn(old.chance(entry)) == stream(SEED, entry)
    key = blake2b(SEED, digest_size=32).digest()
    mixed = blake2b(SALT, key=key, digest_size=32, person=b"reseeded").digest()
    assert drawn(new.chance(5)) == stream(mixed, 5) != drawn(old.chance(5))
    assert drawn(new.chance(9)) == stream(mixed, 9)


def test_salts_add_up_in_their_order_also_at_one_entry():  # 14.13
    base = record.new("shogun", 3, SEED)
    one, two = (
        base.model_copy(update={"reseeded": tuple(salted(0, salt) for salt in salts)})
        for salts in ((b"a", b"b"), (b"b", b"a"))
    )
    assert len({drawn(each.chance(0)) for each in (base, one, two)}) == 3


def test_a_salt_is_part_of_the_record_and_a_record_without_one_is_as_before():  # 14.13
    old = record.new("kamisado", 2, SEED)
    assert "reseeded" not in old.json_value()
    new = old.model_copy(update={"reseeded": (salted(1, SALT),)})
    data = json.loads(json.dumps(new.json_value()))
    assert data["reseeded"] == [{"entry": 1, "salt": SALT.hex(), "commitment": commitment(SALT)}]
    assert record.read_record(data) == new
    assert record.verify(record.append(record.fold(new), 0, "d1-d3").record).record.reseeded == new.reseeded


def test_a_salt_that_was_not_committed_to_or_comes_before_an_earlier_one_is_refused():  # 14.13
    new = record.new("kamisado", 2, SEED).model_copy(update={"reseeded": (salted(1, SALT),)})
    data = new.json_value()
    data["reseeded"][0]["salt"] = b"other".hex()
    with pytest.raises(RulesError) as refused:
        record.verify(record.read_record(data))
    assert refused.value.code == "bad-commitment"
    data["reseeded"] = [salted(entry, SALT).model_dump() for entry in (2, 1)]
    with pytest.raises(RulesError) as refused:
        record.read_record(data)
    assert refused.value.code == "bad-record"


def test_a_recorded_game_replays_with_its_salt_alone():  # 14.13
    history = record.fold(record.new("shogun", 3, SEED).model_copy(update={"reseeded": (salted(1, SALT),)}))
    for _ in range(25):
        rules, state = history.record.engine, history.state
        if not (acts := sorted(rules.to_act(state))):
            break
        action = rules.random_action(state, acts[0], Chance(b"picks", len(history.plies)))
        history = record.append(history, acts[0], record.action_json(action))
    whole = history.record
    assert record.state_hash(record.verify(whole).state) == record.state_hash(history.state)
    bare = whole.model_copy(update={"reseeded": ()})
    try:
        other = record.state_hash(record.fold(bare).state)
    except RulesError as error:
        other = error.code
    assert other != record.state_hash(history.state), "what was drawn came from the salt"
