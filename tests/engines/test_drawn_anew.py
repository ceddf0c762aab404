"""The undo of nothing with a seed: what follows is drawn from that one, and nothing else changes (14.13)."""

from __future__ import annotations

import pytest

from engines import record
from engines.chance import Chance, commitment
from engines.protocol import RulesError

SEED, OTHER = b"s" * 32, b"o" * 32


def played(history, plies):
    for _ in range(plies):
        rules, state = history.record.engine, history.state
        seat = min(rules.to_act(state))
        action = rules.random_action(state, seat, Chance(b"picks", len(history.plies)))
        history = record.append(history, seat, record.action_json(action))
    return history


def test_a_game_is_drawn_anew_from_the_entry_that_says_so():  # 14.13
    history = played(record.fold(record.new("shogun", 3, SEED)), 4)
    anew = record.Undone(undo=0, seed=OTHER.hex(), commitment=commitment(OTHER))
    after = record.follow(history, anew)
    assert after.state == history.state
    assert after.standing == history.standing
    drawn = [chance.below(2**64) for chance in (after.record.chance(3), after.record.chance(6))]
    assert drawn == [Chance(SEED, 3).below(2**64), Chance(OTHER, 6).below(2**64)]
    again = record.read_record(played(after, 3).record.json_value())
    assert record.verify(again).seed == OTHER.hex()


def test_an_undo_of_nothing_without_a_seed_is_none_and_a_seed_is_held_against_its_commitment():  # 14.13
    data = record.new("shogun", 3, SEED).json_value()
    for entry, code in (
        ({"undo": 0}, "bad-record"),
        ({"undo": 0, "seed": OTHER.hex(), "commitment": commitment(SEED)}, "bad-commitment"),
    ):
        with pytest.raises(RulesError) as refused:
            record.verify(record.read_record({**data, "actions": [entry]}))
        assert refused.value.code == code
