"""What the order sheet says about an entry before it is sent; and games that seats leave."""

from engines.capabilities import random_action
from engines.chance import Chance
from engines.shogun.forecast import chests_short, forecast
from engines.shogun.play import counted
from tests.engines.shogun.shogun_scenes import ENGINE, loaded, new, position, province


def sheet(chests=10, **provinces):
    given = position({"Hoki": province(2, 3), "Aki": province(1, 3), **provinces}, event=None, phase="plan",
                     turn=None, order=[], chests=chests)  # fmt: skip
    given["events"] = ["tax_max_5", "rice_min_4", "recruit_reduced", "temple_peace_1"]
    given["event_pile"] = [
        "theater_calms_1", "theater_calms_2", "neutral_two_farmers", "castle_defense_1", "castle_defense_2",
        "tax_min_6", "temple_peace_2", "rice_max_3",
    ]  # fmt: skip
    for player in given["players"]:
        player.update(plan=None, special=None)
    return ENGINE.view(loaded(given), 0)


def test_yields_span_what_the_open_events_can_make_of_them():
    view = sheet(Suruga=province(0, 3))
    assert forecast(view, "tax", "Suruga").gain == (5, 7)
    assert forecast(view, "rice", "Suruga").gain == (3, 4)
    assert forecast(view, "recruit5", "Suruga")[:2] == (3, (3, 5))
    assert forecast(view, "bid", "chest3").cost == 3
    assert forecast(view, "castle", "chest3").cost == 0


def test_what_cannot_work_is_warned_about():
    view = sheet(2, Kai=province(0, 1, "temple", unrest=2))
    assert [w.code for w in forecast(view, "castle", "Kai").warns] == ["cannot-pay", "cannot-build"]
    assert [w.code for w in forecast(view, "battle_a", "Kai").warns] == ["one-army"]
    assert [w.code for w in forecast(view, "tax", "Kai").warns] == ["will-revolt"]
    assert forecast(view, "recruit3", "Kai").warns == ()


def test_chests_are_followed_through_the_plan():
    view = sheet(3, Kai=province(0, 1), Suruga=province(0, 3))
    assert view.actions == ("castle", "temple", "theater", "rice", "tax")
    assert chests_short(view, {"castle": "Kai", "temple": "Suruga"}) == {"temple": 2}
    assert chests_short(view, {"castle": "Kai", "bid": "chest1"}) == {"castle": 1}
    assert chests_short(view, {"castle": "Kai", "tax": "Suruga", "recruit5": "Kai"}) == {}


def test_games_that_seats_leave_at_any_moment_stay_counted_and_end():
    ends = set()
    for number in range(24):
        seed = bytes([number])
        picks = Chance(b"leave" + seed, 0)
        state = new(3 + number % 3, seed, setup=("draft", "fixed")[number % 2])
        entry = 0
        while waiting := sorted(ENGINE.to_act(state)):
            entry += 1
            leaves = picks.happens(1, 25)
            seat = picks.pick([s for s in range(len(state.players)) if s not in state.passive])
            if not leaves:
                seat = picks.pick(waiting)
            action = (
                ENGINE.parse("resign", state, seat) if leaves else random_action(ENGINE, state, seat, picks)
            )
            state = ENGINE.apply(state, seat, action, Chance(seed, entry)).state
            assert counted(state)
            assert not ENGINE.to_act(state) & set(state.passive)
            assert ENGINE.from_position(ENGINE.position(state), Chance(b"", 0)).state == state
        result = ENGINE.result(state)
        assert not set(result.winners) & set(state.passive)
        assert result.winners
        ends.add(result.reason)
    assert ends >= {"resigned", "points"}
