"""What the order sheet says about an entry before it is sent; and games that seats leave."""

from typing import Any

from engines.capabilities import random_action
from engines.chance import Chance
from engines.shogun.forecast import chests_short, forecast, troubles
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


def with_supply(view, supply):
    players = list(view.players)
    players[0] = players[0].model_copy(update={"supply": supply})
    return view.model_copy(update={"players": tuple(players)})


def codes(view, plan):
    return [(space, warn.code) for space, warn in troubles(view, plan)]


def test_a_recruit_larger_than_the_supply_is_warned_about():  # 13.B14
    view = sheet(10, Kai=province(0, 1), Suruga=province(0, 3))
    assert codes(with_supply(view, 4), {"recruit5": "Kai"}) == [("recruit5", "few-armies")]
    assert codes(with_supply(view, 2), {"recruit3": "Kai"}) == [("recruit3", "few-armies")]
    assert codes(with_supply(view, 9), {"recruit5": "Kai"}) == []
    both = codes(with_supply(view, 7), {"recruit5": "Kai", "recruit3": "Suruga"})
    assert len(both) == 1, "one of the two starves the other"
    assert both[0][1] == "few-armies"


def test_the_special_card_that_places_six_is_warned_about_where_five_are_left():  # 13.B14
    view = sheet(10, Kai=province(0, 1), Suruga=province(0, 3))
    assert codes(with_supply(view, 5), {"recruit5": "Kai"}) == [("recruit5", "recruit6")]
    assert codes(with_supply(view, 6), {"recruit5": "Kai"}) == []
    behind = codes(with_supply(view, 8), {"recruit5": "Kai", "recruit3": "Suruga"})
    assert [code for _, code in behind] == ["recruit6"]


def last_actions():
    """Positions, one a season, in which the last seat of the last action has to fight or move."""
    found: dict[str, Any] = {}
    for number in range(60):
        picks, entry = Chance(b"last" + bytes([number]), 0), 0
        state = new(3, bytes([number]), setup="fixed")
        while waiting := sorted(ENGINE.to_act(state)):
            if state.pending and state.action_index == 9 and state.turn == state.order[-1]:
                found.setdefault(state.season, state)
            if len(found) == 3:
                return found
            entry += 1
            seat = picks.pick(waiting)
            action = random_action(ENGINE, state, seat, picks)
            state = ENGINE.apply(state, seat, action, Chance(bytes([number]), entry)).state
    raise AssertionError(f"no such position in {found.keys()}")


def test_the_last_but_one_resigning_on_a_seasons_last_action_begins_nothing():  # 13.B14
    for state in last_actions().values():
        others = [seat for seat in range(3) if seat != state.turn]
        two = state.model_copy(update={"passive": (others[0],)})
        step = ENGINE.apply(two, two.turn, ENGINE.parse("resign", two, two.turn), Chance(b"r", 999))
        assert [event.code for event in step.events] == ["resigned", "game-over"]
        assert [p.rice for p in step.state.players] == [p.rice for p in state.players]
        assert step.state.year == state.year


def test_games_that_seats_leave_at_any_moment_stay_counted_and_end():
    ends = set()
    for number in range(6):  # each number of seats with each way to begin
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
