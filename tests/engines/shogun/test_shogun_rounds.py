"""Setup, draft, planning, bids, winter, the end and seats that resign: a test a ruling."""

import pytest

from engines.capabilities import random_action
from engines.chance import Chance
from engines.protocol import Ready, RulesError
from engines.shogun.data import ACTIONS, EVENTS, PLACES, SPECIALS
from tests.engines.shogun.shogun_scenes import (
    ENGINE,
    act,
    acted,
    codes,
    loaded,
    new,
    position,
    province,
    random_game,
    started,
)

HOME = {"Settsu": province(1, 3), "Hoki": province(2, 3)}


def refused(code, state, seat, text):
    with pytest.raises(RulesError) as error:
        act(state, seat, text)
    assert error.value.code == code


# -- setup and draft ----------------------------------------------------------------------


def test_the_moon_has_no_fixed_set_up_and_two_or_six_seats_are_refused():
    with pytest.raises(RulesError):
        ENGINE.read_options({"side": "moon"})
    for seats in (2, 6):
        with pytest.raises(RulesError):
            new(seats)


@pytest.mark.parametrize(("seats", "chests", "board"), [(3, 18, 27), (4, 15, 25), (5, 12, 23)])
def test_the_fixed_set_up_gives_chests_and_armies_by_number_of_players(seats, chests, board):
    state = new(seats, tower="swap")
    assert [p.chests for p in state.players] == [chests] * seats
    assert [p.supply for p in state.players] == [62 - board - 7] * seats
    assert state.tower == (*[7] * seats, 10)
    assert len(state.provinces) == (37 if seats == 3 else 45)
    assert len(state.events) == 4
    assert len(state.event_pile) == 8


def draft_position(seen=(None, None, None), groups=([3, 2], [2], [2]), open_=("Kai", "Omi"), **more):
    given = position({}, phase="draft", events=[], event=None, event_pile=list(EVENTS), actions=[])
    given["order"] = given["specials"] = []
    for player in given["players"]:
        player.update(plan=None, special=None)
    draft = {"open": list(open_), "pile": ["Mino", "Hida", "Kaga", "Noto"], "seen": list(seen)}
    given["draft"] = {**draft, "groups": list(groups), "drawn": None, **more}
    return given


def test_an_open_card_taken_is_replaced_at_once():
    state = act(loaded(draft_position()), 0, "draft kai 3")
    assert state.draft.open == ("Mino", "Omi")
    assert state.draft.groups[0] == (2,)
    assert state.provinces["Kai"].armies == 3
    assert state.turn == 1


def test_a_card_from_the_pile_is_shown_and_then_given_a_group():
    state = act(loaded(draft_position()), 0, "draft pile")
    assert (state.draft.drawn, state.turn) == ("Mino", 0)
    assert ENGINE.legal(state, 0).actions == ("place 3", "place 2")
    state = act(state, 0, "place 2")
    assert state.provinces["Mino"].armies == 2
    state, events = acted(state, 1, "draft pile")
    assert "drafted" in codes(events)  # one group left: the engine places it
    assert state.turn == 2


def test_a_draft_that_names_neither_a_card_nor_the_pile_is_refused():
    refused("bad-action", loaded(draft_position()), 0, '{"type":"draft"}')
    assert act(loaded(draft_position()), 0, '{"type":"draft","card":null}').draft.drawn == "Mino"


def test_redraw_needs_the_same_two_cards_and_puts_them_under_the_pile():
    assert "redraw" not in ENGINE.legal(loaded(draft_position()), 0).actions
    state = loaded(draft_position(seen=(["Omi", "Kai"], None, None)))
    assert "redraw" in ENGINE.legal(state, 0).actions
    state = act(state, 0, "redraw")
    assert state.draft.open == ("Mino", "Hida")
    assert state.draft.pile == ("Kaga", "Noto", "Kai", "Omi")
    assert "redraw" not in ENGINE.legal(state, 0).actions


def test_after_the_last_group_the_tower_is_filled_and_the_first_round_dealt():
    state = loaded(draft_position(groups=([2], [], [])))
    state = act(state, 0, "draft kai 2")
    assert (state.phase, state.season, state.turn) == ("plan", "spring", None)
    assert state.events == EVENTS[:4]
    assert state.draft is None
    assert state.tray == (0, 0, 0, 0)
    assert sorted(state.actions) == sorted(ACTIONS)


# -- planning and bids --------------------------------------------------------------------


def planning(*bids, chests=10, own=None):
    """Three seats with a province each; seats 0 and on have sent these bids."""
    provinces = own or {**HOME, "Kai": province(0, 3)}
    given = position(
        provinces, phase="plan", turn=None, event=None, order=[], chests=chests,
        events=["recruit_reduced", "rice_max_3", "rice_min_4", "temple_peace_2"],
    )  # fmt: skip
    given["event_pile"] = [e for e in EVENTS if e not in given["events"]]
    for seat, player in enumerate(given["players"]):
        bid = bids[seat] if seat < len(bids) else None
        player.update(special=None, plan={"bid": bid} if bid else None)
    return given


FIVE = "plan castle=kai temple=chest0 theater=chest1 rice=chest2 tax=chest3 bid=chest4"


def test_a_plan_holds_five_cards_and_one_a_province():
    state = loaded(planning())
    refused("wrong-number-of-cards", state, 0, FIVE.replace(" tax=chest3", ""))
    refused("wrong-number-of-cards", state, 0, "plan")
    refused("not-your-card", state, 0, FIVE.replace("kai", "settsu"))
    refused("card-twice", state, 0, FIVE.replace("chest0", "chest1"))
    refused("space-twice", state, 0, FIVE + " bid=chest0")
    refused("bid-too-high", loaded(planning(chests=3)), 0, FIVE)
    refused("wrong-phase", state, 0, "special tax+1")


def test_a_ready_player_may_send_another_plan_until_the_last_is_in():
    state = act(loaded(planning()), 0, FIVE)
    assert ENGINE.to_act(state) == {1, 2}
    assert ENGINE.legal(state, 0).actions == ()
    state, events = acted(state, 0, FIVE.replace("castle=kai", "battle_a=kai"))
    assert codes(events) == []  # nobody is told
    assert state.players[0].plan["battle_a"] == "Kai"


def test_a_seat_without_provinces_still_plans_its_chest_cards():
    state = loaded(planning(own={"Settsu": province(1, 3), "Hoki": province(2, 3)}))
    assert 0 in ENGINE.to_act(state)
    plan = "plan castle=chest0 temple=chest1 theater=chest2 rice=chest3 tax=chest4"
    assert act(state, 0, plan).players[0].plan is not None


@pytest.mark.parametrize(
    ("bids", "order", "chests"),
    [
        (("chest3", "chest4", "chest1"), (1, 0, 2), [7, 6, 9]),
        (("chest0", "Settsu", "chest1"), (2, 1, 0), [10, 10, 9]),
    ],
)
def test_bids_rank_chests_then_a_province_then_chest_card_0_then_none(bids, order, chests):
    state = loaded(planning(*bids))
    assert state.bid_order == order
    assert [p.chests for p in state.players] == chests
    assert state.turn == order[0]


def test_no_card_ranks_last_and_ties_are_drawn_at_the_reveal():
    given = planning("chest0", "Settsu", "chest1")
    given["players"][2]["plan"] = {"castle": "Hoki"}
    assert loaded(given).bid_order[-1] == 2
    tied = planning("chest1", "chest1", "chest1")
    drawn = {loaded(tied, bytes([n])).bid_order for n in range(40)}
    assert len(drawn) == 6


def test_the_event_of_the_round_is_drawn_from_the_open_ones():
    drawn = {loaded(planning("chest1", "chest2", "chest3"), bytes([n])).event for n in range(40)}
    assert drawn == {"recruit_reduced", "rice_max_3", "rice_min_4", "temple_peace_2"}


def test_special_cards_give_the_place_in_the_turn_order_and_empty_spaces_are_skipped():
    state = loaded(planning("chest3", "chest2", "chest1"))
    for seat, special in ((0, "defense+1"), (1, "tax+1"), (2, "recruit6")):
        state = act(state, seat, f"special {special}")
    assert state.season == "summer"  # nobody planned an action
    given = planning("chest3", "chest2", "chest1")
    given["players"][0]["plan"]["battle_a"] = "Kai"
    state = loaded(given)
    for seat, special in ((0, "defense+1"), (1, "tax+1"), (2, "recruit6")):
        state = act(state, seat, f"special {special}")
    assert state.order == (1, 2, 0)


def test_with_five_players_the_last_special_card_is_taken_by_the_engine():
    given = position(
        {n: province(s, 3) for s, n in enumerate(("Kai", "Aki", "Omi", "Iyo", "Kii"))}, seats=5,
        phase="special", turn=3, order=[], bid_order=[0, 1, 2, 3, 4],
        specials=("tax+1", "rice+1", "recruit6", None, None), plans={4: {"battle_a": "Kii"}},
    )  # fmt: skip
    state = act(loaded(given), 3, "special attack+1")
    assert state.phase == "action"
    assert state.players[4].special == "defense+1"


# -- winter and the end --------------------------------------------------------------------


def autumn(provinces, year=1, rice=0, **more):
    """The last battle of autumn: seat 2 moves one army from Hoki to Bitchu, its own."""
    own = {"Hoki": province(2, 3), "Bitchu": province(2, 1), **provinces}
    given = position(
        own, {2: {"battle_b": "Hoki"}}, season="autumn", turn=2, pending="battle", action_index=9,
        actions=[a for a in ACTIONS if a != "battle_b"] + ["battle_b"], year=year, rice=rice,
        events=["tax_max_5"], **more,
    )  # fmt: skip
    used = ("tax_max_5", "theater_calms_1")
    given["event_pile"] = [e for e in EVENTS if e not in used][: 8 if year == 1 else 4]
    return given


def test_winter_asks_for_the_order_of_two_revolts_and_fights_them_with_the_tables_farmers():
    names = ("Kai", "Mino", "Omi", "Kii")
    given = autumn({n: province(0, 5, unrest=1) for n in names}, rice=1)
    for seat in (1, 2):
        given["players"][seat]["rice"] = 9
    state = act(loaded(given), 2, "battle bitchu 1")
    assert (state.phase, state.turn) == ("winter", 0)
    first, second = state.winter.revolts
    assert state.winter.farmers == 2
    assert len(ENGINE.legal(state, 0).actions) == 2
    refused("illegal-revolts", state, 0, f"revolts {first.casefold()}")
    state, events = acted(state, 0, f"revolts {second.casefold()} {first.casefold()}")
    assert [e.params["province"] for e in events if e.code == "revolted"] == [second, first]
    assert [e.params["farmers"] for e in events if e.code == "revolted"] == [3, 3]
    assert [e.params["unrest"] for e in events if e.code == "revolt-held"] == [1, 1]
    assert state.year == 2
    assert all(p.unrest == 0 for p in state.provinces.values())


@pytest.mark.parametrize("unfed", range(1, 9))
def test_the_winter_table_says_how_many_revolt(unfed):
    names = ("Kai", "Mino", "Omi", "Kii", "Ise", "Owari", "Tamba", "Hida")[:unfed]
    given = autumn({n: province(0, 5) for n in names})
    for seat in (1, 2):
        given["players"][seat]["rice"] = 9
    _, events = acted(loaded(given), 2, "battle bitchu 1")
    starved = next(e for e in events if e.code == "starved")
    revolts, farmers = {1: (1, 1), 2: (1, 2), 3: (2, 2), 4: (2, 2), 5: (2, 3), 6: (2, 3)}.get(unfed, (3, 3))
    assert len(set(starved.params["provinces"])) == revolts
    assert starved.params["extra_farmers"] == farmers


def test_tied_majorities_score_one_less_each_and_zero_is_never_a_majority():
    given = autumn(
        {
            "Kai": province(0, 3, "castle"), "Izu": province(1, 3, "castle", "temple", "theater"),
            "Suruga": province(0, 3, "theater"),
        },
        rice=9,
    )  # fmt: skip
    state, events = acted(loaded(given), 2, "battle bitchu 1")
    won = {
        e.params["building"]: (e.params["seats"], e.params["points"]) for e in events if e.code == "majority"
    }
    assert won == {"castle": ([0, 1], 2), "temple": ([1], 2), "theater": ([0, 1], 0)}
    assert [p.points for p in state.players] == [2 + 2 + 2, 1 + 3 + 4, 2]


@pytest.mark.parametrize(
    ("chests", "winners", "reason"), [((9, 4, 0), (0,), "chests"), ((5, 5, 0), (0, 1), "shared")]
)
def test_most_points_then_most_chests_then_a_shared_win(chests, winners, reason):
    given = autumn({"Kai": province(0, 3), "Omi": province(1, 3)}, year=2, rice=9)
    for seat, count in enumerate(chests):
        given["players"][seat]["chests"] = count
        given["players"][seat]["points"] = 10 if seat < 2 else 0
    state = act(loaded(given), 2, "battle bitchu 1")
    result = ENGINE.result(state)
    assert (result.winners, result.reason, result.scores) == (winners, reason, (11, 11, 2))
    assert state.phase == "over"
    assert [p.rice for p in state.players] == [9, 9, 9]
    assert ENGINE.to_act(state) == frozenset()
    refused("game-over", state, 0, "resign")


# -- resigned seats --------------------------------------------------------------------------


def test_a_seat_that_resigns_ranks_last_and_takes_the_lowest_free_special():
    state = loaded(planning("chest1", "chest2"))
    state = act(state, 2, "resign")
    assert state.bid_order == (1, 0, 2)
    state = act(act(state, 1, f"special {SPECIALS[0]}"), 0, f"special {SPECIALS[3]}")
    assert state.season == "summer"
    assert ENGINE.to_act(state) == {0, 1}
    assert state.provinces["Hoki"].armies == 3
    refused("resigned", state, 2, "resign")
    again = loaded(ENGINE.position(state))
    assert again == state


def test_a_resigned_seat_cannot_win_and_the_last_one_left_does():
    state = act(loaded(planning()), 0, "resign")
    state = act(state, 2, "resign")
    result = ENGINE.result(state)
    assert (result.winners, result.reason) == ((1,), "resigned")


def test_revolts_of_a_resigned_seat_go_in_the_order_drawn():
    given = autumn({n: province(0, 5) for n in ("Kai", "Mino", "Omi")})
    given["passive"] = [0]
    for seat in (1, 2):
        given["players"][seat]["rice"] = 9
    state, events = acted(loaded(given), 2, "battle bitchu 1")
    drawn = next(e.params["provinces"] for e in events if e.code == "starved")
    assert [e.params["province"] for e in events if e.code == "revolted"] == drawn
    assert state.year == 2


def test_resigning_with_a_card_open_passes_the_turn_on():
    given = position({**HOME, "Aki": province(0, 3)}, {0: {"battle_a": "Aki"}, 2: {"battle_b": "Hoki"}},
                     first=("battle_a", "battle_b"), seats=4)  # fmt: skip
    state = act(loaded(given), 0, "resign")
    assert (state.turn, state.action_index) == (2, 1)


# -- panels, prefixes, positions -------------------------------------------------------------


def test_the_guided_panel_ends_in_a_legal_plan_whatever_is_picked():
    for number in range(30):
        state = new(3 + number % 3)
        if number % 2:
            state = loaded(planning(chests=number % 5))
        picks = Chance(bytes([number]), 0)
        path: list[str] = []
        while not isinstance(step := ENGINE.choices(state, 0, path), Ready):
            path.append(picks.pick(step.choices).key)
        assert len(path) == len(PLACES)
        act(state, 0, step.action)


def test_plans_are_listed_by_prefix_as_whole_legal_plans():
    state = new(3)
    listed = ENGINE.legal(state, 0, "plan castle=suruga temple=m")
    assert not listed.complete
    assert {text.split()[2] for text in listed.actions} == {"temple=mino", "temple=musashi"}
    for text in (*listed.actions, *ENGINE.legal(state, 0).actions):
        act(state, 0, text)
    assert all(text.startswith("plan castle=suruga temple=m") for text in listed.actions)
    assert all(ENGINE.legal(state, 0, bad).actions == () for bad in ("plan castle=settsu", "plan castle=tax"))


def test_a_listed_plan_goes_on_where_the_prefix_ends():
    state = loaded(planning())
    for prefix in ("plan castle=kai", "plan temple=chest0", "plan theater=chest0 tax=kai"):
        listed = ENGINE.legal(state, 0, prefix).actions
        assert listed
        assert all(text.startswith(prefix) for text in listed)


def test_wherever_a_plan_is_cut_the_listed_ones_go_on():
    state, picks = loaded(planning()), Chance(b"cut", 0)
    for _ in range(60):
        whole = ENGINE.format(random_action(ENGINE, state, 0, picks))
        cut = whole[: picks.below(len(whole) + 1)]
        listed = ENGINE.legal(state, 0, cut).actions
        assert listed, cut
        assert all(text.startswith(cut) for text in listed), cut


def test_a_name_that_another_begins_with_is_not_the_end_of_a_prefix():
    seats = {"Settsu": province(1, 3), "Hoki": province(2, 3), "Kai": province(3, 3)}
    own = {"Izu": province(0, 3), "Izumo": province(0, 3)}
    given = planning(own={**seats, **own})
    given.update(tower=[0] * 5, tray=[0] * 5)
    given["players"].append({**given["players"][0], "supply": 59})
    for text, cards in (("plan castle=izu", {"izu", "izumo"}), ("plan castle=izu ", {"izu"})):
        listed = ENGINE.legal(loaded(given), 0, text).actions
        assert {plan.split()[1].removeprefix("castle=") for plan in listed} == cards
    whole = "plan castle=izumo temple=chest0 theater=chest1 rice=chest2 tax=chest3 recruit5=chest4 bid=izu"
    assert ENGINE.legal(loaded(given), 0, whole).actions == (whole,)


def test_completions_of_a_plan_are_whole_legal_plans_that_fit_and_none_where_they_are_too_long():
    assert ENGINE.complete("", new(3), 0) == []
    state = loaded(planning(own=HOME))
    found = ENGINE.complete("plan castle=chest0", state, 0)
    assert found
    for text in found:
        assert len(text) <= 100
        act(state, 0, text)
    for illegal in ("plan castle=settsu", "plan castle=chest0 temple=chest0", "plan castle=bid"):
        assert ENGINE.complete(illegal, state, 0) == []


def test_completions_find_words_anywhere_in_an_action():
    names = {**HOME, "Kai": province(0, 3), "Musashi": province(0, 1)}
    state = loaded(position(names, {0: {"battle_a": "Kai"}}, first=("battle_a",)))
    assert ENGINE.complete("musashi", state, 0) == ["battle musashi 1", "battle musashi 2"]
    assert ENGINE.complete("battle m", state, 0)[:1] == ["battle musashi 1"]


def test_a_plan_may_have_blanks_around_its_equals_signs():
    spread = FIVE.replace("=", " = ").upper()
    assert ENGINE.format(ENGINE.parse(spread, new(3), 0)) == FIVE


def test_panels_of_every_decision_lead_to_legal_actions():
    kinds = set()
    for state in random_game(4, b"panels", setup="draft", forced_battles=False):
        for seat in ENGINE.to_act(state):
            if state.phase == "plan":
                continue
            paths: list[list[str]] = [[]]
            found = set()
            while paths:
                path = paths.pop()
                step = ENGINE.choices(state, seat, path)
                if isinstance(step, Ready):
                    found.add(step.action)
                    kinds.add(step.action.split()[0])
                else:
                    paths += [[*path, choice.key] for choice in step.choices]
            assert found == set(ENGINE.legal(state, seat).actions)
    assert kinds >= {"draft", "special", "battle", "move", "stay"}


def test_others_readiness_does_not_spoil_a_planners_buttons():
    state = new(3)
    ready = ENGINE.apply(state, 1, random_action(ENGINE, state, 1, Chance(b"p", 0)), Chance(b"\0", 1)).state
    assert ENGINE.choices_mark(state, 0) == ENGINE.choices_mark(ready, 0)
    assert ENGINE.choices_mark(state, 1) != ENGINE.choices_mark(ready, 1)


@pytest.mark.parametrize(
    "fault",
    [
        {"tower": [1, 0, 0, 0]},
        {"tray": [0, 0, 0, 21]},
        {"tray": [0, 0, 0]},
        {"turn": 7},
        {"order": [0, 1]},
        {"actions": []},
        {"events": ["rice_max_3"]},
        {"event": "typhoon"},
        {"event": None},
        {"pending": "move"},
        {"season": "winter"},
        {"players": []},
        {"extra": 1},
        {"provinces": {"Edo": province(0, 1)}},
        {"provinces": {"Izumo": province(0, 1)}},
        {"provinces": {"Kai": {"owner": None, "armies": 2}}},
        {"provinces": {"Kai": {"owner": 0, "armies": -1}}},
    ],
)
def test_what_cannot_be_played_on_is_refused(fault):
    given = position({**HOME, "Kai": province(0, 3)}, {0: {"battle_a": "Kai"}}, first=("battle_a",))
    started(given)
    with pytest.raises(RulesError) as error:
        started({**given, **fault})
    assert error.value.code == "bad-position"


def test_unknown_cards_are_refused_when_it_is_over_too():
    over = position(
        {**HOME, "Kai": province(0, 3)}, phase="over", turn=None, event=None, order=[], year=2, events=[]
    )
    assert ENGINE.result(loaded(over)).reason == "shared"
    for fault in ({"actions": ["castle", "siege"]}, {"specials": ["tax+2"]}):
        with pytest.raises(RulesError):
            loaded({**over, **fault})


def test_options_left_out_are_the_default():
    given = position({**HOME, "Kai": province(0, 3)}, {0: {"battle_a": "Kai"}}, first=("battle_a",))
    del given["options"]
    shown = ENGINE.position(loaded(given))["options"]
    assert shown == {"side": "sun", "setup": "fixed", "tower": "measured", "forced_battles": True}


def test_a_position_written_and_read_again_is_the_same():
    for seats, options in ((3, {}), (5, {"setup": "draft", "side": "moon"})):
        for state in random_game(seats, b"again", **options):
            step = ENGINE.from_position(ENGINE.position(state), Chance(b"\1", 0))
            assert step.state == state
            assert step.events == ()


def test_actions_survive_notation_and_json():
    texts = ("draft suruga 5", "draft pile", "place 5", "redraw", "special attack+1", "battle kozuke 4",
             "move awa-boso 4", "stay", "revolts kai mino", "resign", FIVE)  # fmt: skip
    state = new(3)
    for text in texts:
        action = ENGINE.parse(f"  {text.upper()} ", state, 0)
        assert ENGINE.format(action) == text
        dumped = action.model_dump(mode="json", exclude_none=True)
        assert ENGINE.parse(dumped, state, 0) == action
        assert ENGINE.parse(action.model_dump_json(), state, 0) == action
