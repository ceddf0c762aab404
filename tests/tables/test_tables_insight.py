"""What the rules say of a position is worked out once, and never told of another one (issue 12, 7)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.protocol import Ready
from tables.core.insight import Insight
from tables.core.recent import FRESH, Recent
from tables.play import acting
from tests.tables.players import BEN


@pytest.fixture
async def loaded(house):
    return await house.tables._house.look((await house.new(BEN)).id)


@pytest.fixture
def asked(loaded, monkeypatch):
    """What the rules were asked, in order: who acts, and what viewers see."""
    found, rules = [], type(loaded.engine)
    view, to_act = rules.view, rules.to_act

    def seen(*of):
        found.append(of[2])
        return view(*of)

    def acting(*of):
        found.append("acts")
        return to_act(*of)

    monkeypatch.setattr(rules, "view", seen)
    monkeypatch.setattr(rules, "to_act", acting)
    loaded.insight.forget()
    return found


async def test_the_rules_are_asked_once_for_each_viewer_whatever_becomes_of_the_rows(loaded, asked):
    later = loaded.updated(version=loaded.row.version + 1)
    assert [table.view(viewer) for table in (loaded, later) for viewer in (None, 0, 0)]
    assert asked == [None, 0]


async def test_whether_a_seat_acts_is_asked_once_for_all_seats(loaded, asked):
    sights = [loaded.insight.sight(seat) for _ in range(2) for seat in (0, 1)]
    assert asked == [0, "acts", 1]
    assert sights == [loaded.engine.sight(loaded.position, seat) for _ in range(2) for seat in (0, 1)]


async def test_an_equal_position_is_another_one(loaded, asked):
    rules = loaded.engine
    other = replace(loaded, state=rules.load(rules.dump(loaded.position)))
    assert other.view(0) == loaded.view(0)
    assert asked == [0, 0]


async def test_another_position_shows_its_own(loaded, asked):
    state = loaded.position
    hands = tuple(() for _ in state.hands)
    assert replace(loaded, state=state.model_copy(update={"hands": hands})).view(0) != loaded.view(0)
    assert asked == [0, 0]


async def test_a_table_after_an_action_shows_what_is_there_then(house):
    table = await house.new(BEN)
    winner = await house.bid_all(table)
    before = await house.tables._house.look(table.id)
    seat = before.seat_of(winner.id)
    seen = before.view(seat)
    await house.act(table, winner, "draw")
    after = await house.tables._house.look(table.id)
    assert after.view(seat) == after.engine.view(after.position, seat) != seen
    assert before.view(seat) == seen


async def test_an_action_asks_for_no_view_twice(house, loaded, asked):
    table = await house.tables.get(loaded.row.id)
    winner = await house.bid_all(table)
    del asked[:]
    await house.act(table, winner, "draw")
    views = [viewer for viewer in asked if viewer != "acts"]
    assert sorted(views, key=str) == [0, 1, None]


async def test_only_tables_that_are_in_use_keep_their_insight(loaded, asked):
    recent = Recent(most=3 * FRESH)
    insights = [Insight(loaded.row.game, loaded.state) for _ in range(FRESH + 2)]
    tables = [replace(loaded.updated(id=n), insight=insight) for n, insight in enumerate(insights, 1)]
    for table in tables:
        table.view(0)
        recent.keep(table)
    recent.used(3)
    del asked[:]
    for table in tables:
        table.view(0)
    assert asked == [0, 0]  # of the two that were not used for longest
    assert tables[2].insight._views


async def test_a_step_of_a_panel_is_worked_out_once_and_of_an_equal_position_anew(loaded, monkeypatch):
    rules, found = type(loaded.engine), []
    choices = rules.choices

    def chosen(engine, state, seat, path=()):
        found.append(path)
        return choices(engine, state, seat, path)

    monkeypatch.setattr(rules, "choices", chosen)
    loaded.insight.forget()
    user = loaded.seats[0].user_id
    first = acting.panel(loaded, user, (), None)
    second = acting.panel(loaded, user, (*first.path, "0"), None)
    assert len(found) == len(set(found)) > 1, "what a press led to is not asked for again at the next one"
    assert acting.panel(loaded, user, second.path, None) == second
    assert second.step == choices(loaded.engine, loaded.position, 0, found[-1])
    del found[:]
    other = replace(loaded, state=loaded.engine.load(loaded.engine.dump(loaded.position)))
    assert acting.panel(other, user, second.path, None) == second
    assert found


async def test_what_follows_is_worked_out_of_the_action_asked_about_as_far_as_the_help_goes(house):
    table = await house.new(BEN, game="kamisado", words="match=single seat=first aids=full")
    loaded = await house.tables._house.look(table.id)
    view = loaded.view(0)
    for action in ("d8-d3", "d8-d2", "d8-d3"):
        seen = loaded.engine.foresee(view, action, odds=True)
        assert loaded.foreseen(0, action) == seen != ()
        assert loaded.foreseen(0, action) is loaded.foreseen(0, action), "once"
    path = [str(n) for n in (0, 0)]
    ready = acting.panel(loaded, loaded.seats[0].user_id, path, None)
    assert isinstance(ready.step, Ready)
    assert ready.ahead == loaded.engine.foresee(view, ready.step.action, odds=True) != ()
    assert loaded.updated(table_options='{"aids": "none"}').foreseen(0, "d8-d3") == ()


async def test_a_table_that_did_not_begin_shows_nothing(loaded):
    with pytest.raises(ValueError, match="no position"):
        replace(loaded, state=None).insight.view(None)
