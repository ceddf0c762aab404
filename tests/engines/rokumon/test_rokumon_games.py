import pytest

from locales import words
from tests.engines.rokumon.rokumon_tables import COUNT, ENGINE, Table, outcome

ENDS = {"tokens", "battles"}


def finished(seed, **options):
    """A random game played to its end, with its state checked at every ply."""
    table = Table(seed=seed.to_bytes(4, "big"), **options)
    for _ in range(4000):
        if ENGINE.result(table.state):
            break
        table.at_random(1)
        assert ENGINE.load(ENGINE.dump(table.state)) == table.state
        assert (ENGINE.result(table.state) is None) == bool(ENGINE.to_act(table.state))
        if "act-won" in table.codes or "battle-won" in table.codes:
            assert table.state.ended.winner is not None
        if "act-void" in table.codes or "battle-void" in table.codes:
            assert len(table.state.history) == 1
            assert all(not tile.stack for tile in table.state.tiles) or table.state.solo
    assert outcome(table.state).reason in ENDS
    return table


@pytest.mark.parametrize("act", range(1, 7))
def test_random_games_of_an_act_end(act):
    for seed in range(3):
        table = finished(seed, act=act)
        assert sum(outcome(table.state).scores) == 1


@pytest.mark.parametrize("solo", ["easy", "medium", "hard"])
def test_random_solo_games_end(solo):
    for seed in range(3):
        finished(seed, solo=solo)


def test_a_random_story_has_six_acts_in_order_and_fewer_tokens_win():
    table = finished(7)
    acts = [won.act for won in table.state.won]
    assert acts[:6] == [1, 2, 3, 4, 5, 6]
    assert set(acts[6:]) <= {6}
    scores = outcome(table.state).scores
    assert scores[outcome(table.state).winners[0]] == min(scores) < max(scores)


@pytest.mark.long
@pytest.mark.parametrize("act", range(1, 7))
def test_many_random_games_of_an_act_end(act):
    for seed in range(COUNT or 20):
        finished(seed, act=act)


@pytest.mark.long
def test_many_random_solo_games_end():
    for seed in range(COUNT or 20):
        finished(seed, solo=("easy", "medium", "hard")[seed % 3])


@pytest.mark.parametrize("options", [{}, {"act": 4}, {"solo": "easy"}, {"solo": "medium"}])
def test_what_happens_can_be_told_in_english(options):
    english = words("en")
    table = Table(seed=b"told", **options)
    told = set()
    for _ in range(200):
        if ENGINE.result(table.state):
            break
        table.at_random(1)
        told |= {event.code for event in table.events}
        for event in table.events:
            text = english.event("rokumon", event.seen_by(None), ("Ann", "Bo"))
            assert "–" not in text
            assert "rokumon." not in text
    assert told
    assert all(english.has(f"rokumon.event.{code}") for code in told)
