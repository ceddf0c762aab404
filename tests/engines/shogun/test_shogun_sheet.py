"""The order sheet: what edits it, what completes it, and when it may be sent."""

from contextlib import suppress
from typing import Any

import pytest

from engines.chance import Chance
from engines.protocol import RulesError
from engines.shogun import sheet
from engines.shogun.data import CHEST_CARDS
from engines.shogun.forecast import troubles
from engines.shogun.planning import bid_cost, cards_due, check_plan, filled
from engines.shogun.sheet import begun, complete, laid, owned, written
from tests.engines.shogun.shogun_scenes import ENGINE


def edit(state, seat, draft, text):
    found: Any = sheet.edit(state, seat, draft, text)
    return found


@pytest.fixture
def state():
    return ENGINE.setup(ENGINE.read_options({}), 4, Chance(b"sheet", 0)).state


def test_a_sheet_is_begun_only_while_players_plan_by_those_who_play(state):
    first = begun(state, 1)
    assert first is not None
    assert first.text == "plan"
    assert begun(state, 4) is None
    assert begun(state.model_copy(update={"passive": (1,)}), 1) is None
    assert begun(state.model_copy(update={"phase": "special"}), 1) is None


def test_random_edits_keep_a_sheet_that_can_be_read_and_filled(state):
    chance = Chance(b"edits", 0)
    draft = "plan"
    for _ in range(200):
        offers = complete("plan", state, 2, draft)
        text = chance.pick([offer for offer in offers if offer != "plan ready"])
        done = edit(state, 2, draft, text)
        assert done is not None, text
        assert done.send is None
        draft = done.draft
        cards = laid(draft)
        assert len(set(cards.values())) == len(cards)
    full = filled(laid(draft), owned(state, 2), state.players[2].chests)
    assert full is not None
    whole = written(full)
    check_plan(laid(whole), owned(state, 2), state.players[2].chests)
    assert laid(draft).items() <= laid(whole).items()
    sent = edit(state, 2, whole, "plan ready")
    assert sent.send == whole


def test_a_bid_above_the_chests_is_refused_and_not_offered(state):
    poor = state.players[0].model_copy(update={"chests": 1})
    state = state.model_copy(update={"players": (poor, *state.players[1:])})
    with pytest.raises(RulesError, match="bid-too-high"):
        edit(state, 0, "plan", "plan bid=chest2")
    assert "plan bid=chest1" in complete("plan bid=", state, 0, "plan")
    assert "plan bid=chest2" not in complete("plan bid=", state, 0, "plan")


def test_a_whole_plan_is_sent_in_place_of_the_draft(state):
    whole = edit(state, 0, "plan", "plan fill").draft
    sent = edit(state, 0, "plan castle=chest0", whole)
    assert (sent.send, sent.draft) == (whole, whole)


def test_sending_is_doubtful_where_something_may_not_work_typed_or_ready(state):
    whole = edit(state, 0, "plan", "plan fill").draft
    poor = state.players[0].model_copy(update={"chests": 2})
    short = state.model_copy(update={"players": (poor, *state.players[1:])})
    own = owned(state, 0)
    dear = written(filled({"castle": own[0], "recruit5": own[1]}, own, 2) or {})
    assert not edit(state, 0, whole, "plan ready").doubtful
    assert edit(short, 0, dear, "plan ready").doubtful
    assert edit(short, 0, "plan", dear).doubtful


def test_other_actions_are_no_edits(state):
    assert edit(state, 0, "plan", "resign") is None


def new_doubts(state, seat, before, after):
    view = ENGINE.view(state, seat)
    return {space for space, _ in troubles(view, after)} - {space for space, _ in troubles(view, before)}


@pytest.mark.parametrize("seed", range(12))
def test_fill_the_rest_makes_no_plan_that_it_must_warn_of(seed):  # 13.B14
    chance = Chance(f"fill{seed}".encode(), 0)
    state = ENGINE.setup(ENGINE.read_options({}), 3 + seed % 3, chance).state
    poor = [
        p.model_copy(update={"chests": chance.below(8), "supply": chance.below(9)}) for p in state.players
    ]
    state = state.model_copy(update={"players": tuple(poor)})
    done = 0
    for seat in range(len(state.players)):
        draft: dict[str, str] = {}
        for _ in range(chance.below(4)):
            text = chance.pick([t for t in complete("plan", state, seat, written(draft)) if "=" in t])
            draft = laid(edit(state, seat, written(draft), text).draft)
        with suppress(RulesError):  # where nothing more can be laid without a doubt
            plan = laid(edit(state, seat, written(draft), "plan fill").draft)
            done += 1
            assert draft.items() <= plan.items()
            assert new_doubts(state, seat, draft, plan) == set()
    assert done


def test_an_empty_sheet_at_the_start_is_filled_whole_without_a_doubt(state):  # 13.B14
    for seat in range(4):
        plan = laid(edit(state, seat, "plan", "plan fill").draft)
        check_plan(plan, owned(state, seat), state.players[seat].chests)
        assert troubles(ENGINE.view(state, seat), plan) == []


# -- as last round (17.4) --------------------------------------------------------------------------

Done = list[tuple[int, Any]]


def a_round_on(state: Any) -> tuple[Any, Done]:
    """The state at the next planning, and what was done until there."""
    done: Done = []
    begun_at = (state.year, state.season)
    while (state.year, state.season) == begun_at or state.phase != "plan":
        seat = min(ENGINE.to_act(state))
        chance = Chance(b"a round", len(done))
        action = ENGINE.random_action(state, seat, chance)
        done.append((seat, action.model_dump(mode="json")))
        state = ENGINE.apply(state, seat, action, chance).state
    return state, done


def plan_of(done: Done, seat: int) -> dict[str, str]:
    """The plan that a seat sent, without its type."""
    sent = next(action for who, action in done if who == seat and action["type"] == "plan")
    return {space: card for space, card in sent.items() if space != "type"}


def test_the_plan_of_the_round_before_is_laid_where_it_still_may_and_the_rest_is_named(state):
    state, done = a_round_on(state)
    poor = state.players[1].model_copy(update={"chests": 0})
    state = state.model_copy(update={"players": (state.players[0], poor, *state.players[2:])})
    for seat in range(4):
        sent, own = plan_of(done, seat), owned(state, seat)
        found = ENGINE.repeat(state, seat, "plan", done)
        fit = {
            space: card
            for space, card in sent.items()
            if (card in own or card in CHEST_CARDS)
            and not (space == "bid" and bid_cost(card) > state.players[seat].chests)
        }
        assert laid(found.draft) == fit
        assert len(found.lacking) == len(sent) - len(fit)
        assert found.send is None
        assert len(fit) <= cards_due(len(own))


def test_what_is_laid_already_stays_where_it_lies(state):
    state, done = a_round_on(state)
    sent = plan_of(done, 0)
    space, other = [space for space, card in sent.items() if card in CHEST_CARDS][:2]
    mine = {space: sent[other]}
    found = laid(ENGINE.repeat(state, 0, written(mine), done).draft)
    assert found[space] == sent[other]
    assert other not in found, "its card lies elsewhere"
    assert sent[space] not in found.values(), "its space is taken"


def test_the_round_before_is_not_the_plan_that_was_just_sent(state):
    state, done = a_round_on(state)
    now = ENGINE.random_action(state, 0, Chance(b"now", 0)).model_dump(mode="json")
    later = [*done, (0, now), (2, {"type": "resign"}), (1, now), (0, now)]
    assert sheet.sent_before(0, later) == sheet.sent_before(0, done) == laid(written(plan_of(done, 0)))


def test_before_the_second_round_there_is_nothing_to_lay_again(state):
    sent = [(0, ENGINE.random_action(state, 0, Chance(b"one", 0)).model_dump(mode="json"))]
    with pytest.raises(RulesError, match="no-plan-before"):
        ENGINE.repeat(state, 0, "plan", sent)
    assert "plan again" not in complete("plan ", state, 0, "plan")
    later, done = a_round_on(state)
    assert "plan again" in complete("plan ", later, 0, "plan")
    assert "plan again" in complete("plan a", later, 0, "plan")
    draft = ENGINE.repeat(later, 0, "plan", done).draft
    assert laid(draft)
