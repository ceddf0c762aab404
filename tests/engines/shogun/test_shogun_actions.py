"""The ten actions, events and special cards, battles and revolts: a test a ruling."""

import pytest

from engines.protocol import RulesError
from engines.shogun.battle import outcome
from tests.engines.shogun.shogun_scenes import ENGINE, act, acted, codes, loaded, position, province, started

# Seat 0 waits with a battle card in Aki; what comes before it is carried out on loading.
WAIT = {"Aki": province(0, 3)}
HOME = {"Settsu": province(1, 3), "Hoki": province(2, 3)}


def after(provinces, plans, first, **more):
    """The position when seat 0 is asked for the battle from Aki, after the actions `first`."""
    plans = {**plans, 0: {**plans.get(0, {}), "battle_b": "Aki"}}
    return started(position({**HOME, **WAIT, **provinces}, plans, first=(*first, "battle_b"), **more))


def test_the_calming_event_takes_a_marker_where_a_theater_is_built():
    state, events = after({"Kai": province(0, 2, unrest=2)}, {0: {"theater": "Kai"}}, ("theater",))
    assert state.provinces["Kai"].unrest == 1
    assert state.provinces["Kai"].theater
    assert "calmed" in codes(events)


@pytest.mark.parametrize(
    ("place", "chests", "why"),
    [
        (province(0, 2), 2, "too-few-chests"),
        (province(0, 2, "castle"), 9, "already-built"),
        (province(0, 2, "temple"), 9, "no-space"),
    ],
)
def test_what_cannot_be_built_is_dropped_and_nothing_paid(place, chests, why):
    state, events = after({"Kai": place}, {0: {"castle": "Kai"}}, ("castle",), chests=chests)
    assert [e.params["why"] for e in events if e.code == "dropped"] == [why]
    assert state.players[0].chests == chests


def test_with_none_left_in_stock_a_building_is_dropped():
    names = list(loaded(position({**HOME, **WAIT}, seats=5, specials=(None,) * 5)).provinces)
    built = {n: province(1, 1, "castle") for n in names if n not in (*HOME, "Aki", "Kai")}
    full = dict(list(built.items())[:28])
    state, events = after({**full, "Kai": province(0, 2)}, {0: {"castle": "Kai"}}, ("castle",), seats=5)
    assert [e.params["why"] for e in events if e.code == "dropped"] == ["none-left"]
    assert not state.provinces["Kai"].castle


@pytest.mark.parametrize(
    ("event", "special", "name", "action", "gain"),
    [
        ("tax_max_5", None, "Suruga", "tax", 5),
        ("tax_max_5", "tax+1", "Suruga", "tax", 6),
        ("tax_min_6", None, "Sagami", "tax", 6),
        ("tax_min_6", "tax+1", "Suruga", "tax", 8),
        ("rice_min_4", "rice+1", "Kai", "rice", 5),
        ("rice_max_3", "rice+1", "Shimosa", "rice", 4),
    ],
)
def test_the_event_comes_first_then_the_special_card(event, special, name, action, gain):
    events = ["recruit_reduced", "temple_peace_1", "temple_peace_2"]
    state, _ = after(
        {name: province(0, 2)}, {0: {action: name}}, (action,),
        event=event, events=events, specials=(special, None, None),
        event_pile=[e for e in ALL if e not in (event, *events)][:8],
    )  # fmt: skip
    goods = state.players[0].chests - 10 if action == "tax" else state.players[0].rice
    assert goods == gain
    assert state.provinces[name].unrest == 1


ALL = [
    "theater_calms_1", "theater_calms_2", "neutral_two_farmers", "castle_defense_1", "castle_defense_2",
    "temple_peace_1", "tax_max_5", "tax_min_6", "temple_peace_2", "rice_min_4", "rice_max_3",
    "recruit_reduced",
]  # fmt: skip


def test_recruit6_with_five_in_supply_places_none():
    state, events = after(
        {"Kai": province(0, 54)}, {0: {"recruit5": "Kai"}}, ("recruit5",), specials=("recruit6", None, None)
    )
    assert state.players[0].supply == 5
    assert state.provinces["Kai"].armies == 54
    assert [e.params["why"] for e in events if e.code == "dropped"] == ["too-few-armies"]


def test_without_a_chest_recruit1_move_places_and_moves_nothing():
    state, events = after(
        {"Kai": province(0, 4), "Musashi": province(0, 1)}, {0: {"recruit1_move": "Kai"}},
        ("recruit1_move",), chests=0,
    )  # fmt: skip
    assert state.pending == "battle"
    assert "dropped" in codes(events)


def test_recruit1_move_without_an_own_neighbour_pays_places_and_stays():
    state, events = after({"Kai": province(0, 1)}, {0: {"recruit1_move": "Kai"}}, ("recruit1_move",))
    assert state.provinces["Kai"].armies == 2
    assert state.players[0].chests == 9
    assert "stayed" in codes(events)


def test_a_battle_card_with_one_army_is_passed_over():
    _, events = after({"Kai": province(0, 1)}, {0: {"battle_a": "Kai"}}, ("battle_a",))
    assert [e.params["why"] for e in events if e.code == "dropped"] == ["one-army"]


def test_a_battle_card_with_every_neighbour_at_peace_is_passed_over():
    temples = {n: province(1, 1, "temple") for n in ("Kazusa",)}
    pile = [e for e in ALL if e not in ("temple_peace_1", "recruit_reduced", "rice_max_3", "rice_min_4")]
    _, events = after(
        {"Awa-Boso": province(0, 3), **temples, "Izu": province(2, 1, "temple")},
        {0: {"battle_a": "Awa-Boso"}}, ("battle_a",), seats=4, event="temple_peace_1", event_pile=pile[:8],
    )  # fmt: skip
    assert [e.params["why"] for e in events if e.code == "dropped"] == ["no-target"]


def test_the_temple_event_leaves_own_temples_open_to_moves():
    pile = [e for e in ALL if e not in ("temple_peace_1", "recruit_reduced", "rice_max_3", "rice_min_4")]
    state = loaded(
        position(
            {**HOME, "Kozuke": province(0, 2), "Musashi": province(0, 2, "temple"),
             "Shinano": province(1, 2, "temple")},
            {0: {"battle_a": "Kozuke"}}, first=("battle_a",), event="temple_peace_1", event_pile=pile[:8],
        )
    )  # fmt: skip
    assert ENGINE.legal(state, 0).actions == ("battle musashi 1", "battle shimosa 1", "battle shimotsuke 1")


def test_one_legal_battle_is_fought_by_the_engine():
    _, events = after(
        {"Awa-Boso": province(0, 2), "Kazusa": province(0, 1), "Izu": province(1, 1, "temple")},
        {0: {"battle_a": "Awa-Boso"}}, ("battle_a",), seats=4, event="temple_peace_1",
        event_pile=[e for e in ALL if e not in ("temple_peace_1", "recruit_reduced", "rice_max_3",
                                                "rice_min_4")][:8],
    )  # fmt: skip
    assert "moved" in codes(events)


def test_without_forced_battles_the_mover_may_stay():
    given = position({**HOME, **WAIT}, {0: {"battle_a": "Aki"}}, first=("battle_a",), seats=4)
    given["options"]["forced_battles"] = False
    state = loaded(given)
    assert "stay" in ENGINE.legal(state, 0).actions
    assert "stayed" in codes(acted(state, 0, "stay")[1])


def attack(attacker, target, armies, event="theater_calms_1", specials=(None, None, None), **more):
    """Seat 0 attacks Kozuke from Shinano; seat 2 then waits with a battle card in Hoki."""
    provinces = {"Shinano": attacker, "Settsu": province(1, 3), "Hoki": province(2, 3)}
    if target:
        provinces["Kozuke"] = target
    pile = [e for e in ALL if e not in (event, "recruit_reduced", "rice_max_3", "rice_min_4")][:8]
    plans = {0: {"battle_a": "Shinano"}, 1: {"castle": "Kozuke"} if target else {}, 2: {"battle_b": "Hoki"}}
    given = position(
        provinces,
        plans,
        first=("battle_a", "battle_b"),
        event=event,
        event_pile=pile,
        specials=specials,
        **more,
    )
    return acted(loaded(given), 0, f"battle kozuke {armies}")


def test_both_extras_of_the_defender_add_up():
    state, events = attack(
        province(0, 6), province(1, 2, "castle"), 5, "castle_defense_1", (None, "defense+1", None)
    )
    thrown = next(e for e in events if e.code == "thrown")
    assert thrown.params["thrown"] == [5, 4, 0, 0]
    assert state.provinces["Kozuke"].armies == 1
    assert state.provinces["Kozuke"].owner == 0


def test_an_extra_without_a_cube_in_supply_is_lost():
    _, events = attack(
        province(0, 62), province(1, 2, "castle"), 5, "castle_defense_1", ("attack+1", "defense+1", None)
    )
    thrown = next(e for e in events if e.code == "thrown")
    assert thrown.params["thrown"] == [5, 4, 0, 0]


def test_a_defender_with_one_cube_in_supply_adds_one():
    _, events = attack(
        province(0, 6), province(1, 58, "castle"), 5, "castle_defense_1", ("attack+1", "defense+1", None)
    )
    assert next(e for e in events if e.code == "thrown").params["thrown"] == [6, 59, 0, 0]


def test_a_neutral_province_throws_two_farmers_under_its_event_and_what_there_is():
    assert thrown_farmers("neutral_two_farmers", (0, 0, 0, 0)) == 2
    assert thrown_farmers("theater_calms_1", (0, 0, 0, 0)) == 1
    assert thrown_farmers("neutral_two_farmers", (0, 0, 0, 19)) == 1
    assert thrown_farmers("theater_calms_1", (0, 0, 0, 20)) == 0


def thrown_farmers(event, tower):
    _, events = attack(province(0, 6), None, 5, event, tower=tower)
    return next(e for e in events if e.code == "thrown").params["thrown"][-1]


def test_farmers_do_not_help_where_there_is_unrest_and_stay_in_the_tray():
    state, _ = attack(province(0, 6), province(1, 2, unrest=1), 3, tray=(0, 0, 1, 2))
    assert state.provinces["Kozuke"] == state.provinces["Kozuke"].model_copy(
        update={"owner": 0, "armies": 1, "unrest": 1}
    )
    assert state.tray == (0, 0, 1, 2)


def test_after_a_tie_other_colours_and_farmers_under_unrest_stay():
    state, _ = attack(province(0, 6), province(1, 3, "castle", unrest=1), 3, tray=(0, 0, 2, 3))
    assert state.provinces["Kozuke"].owner is None
    assert not state.provinces["Kozuke"].castle
    assert state.tray == (0, 0, 2, 3)


def test_old_cubes_of_both_parties_count():
    state, _ = attack(province(0, 6), province(1, 3), 3, tray=(4, 1, 0, 0))
    assert state.provinces["Kozuke"].armies == 3
    assert state.tray == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("cubes", "end", "armies"),
    [
        ((4, 3, 0), "won", 1),
        ((3, 1, 1), "won", 1),
        ((3, 2, 2), "held", 1),
        ((1, 2, 3), "held", 2),
        ((2, 1, 1), "tie", 0),
        ((0, 0, 0), "tie", 0),
        ((1, 0, 2), "tie", 0),
        ((0, 0, 1), "tie", 0),
    ],
)
def test_losses_come_from_farmers_first(cubes, end, armies):
    assert outcome(*cubes) == (end, armies)


def test_the_planned_card_of_a_conquered_province_is_lost_and_shown():
    state, events = attack(province(0, 6), province(1, 1), 5)
    lost = next(e for e in events if e.code == "card-lost")
    assert lost.params == {"seat": 1, "province": "Kozuke", "space": "castle"}
    assert state.players[1].plan == {}
    assert state.provinces["Kozuke"].owner == 0
    assert not state.provinces["Kozuke"].castle


def test_a_revolt_is_won_only_with_strictly_more():
    won, _ = after({"Kai": province(0, 3, unrest=2)}, {0: {"tax": "Kai"}}, ("tax",))
    assert (won.provinces["Kai"].armies, won.provinces["Kai"].unrest) == (1, 3)
    assert won.players[0].chests == 16
    lost, _ = after({"Kai": province(0, 2, "castle", unrest=2)}, {0: {"tax": "Kai"}}, ("tax",))
    assert lost.provinces["Kai"].owner is None
    assert lost.players[0].chests == 16


def test_a_revolt_counts_all_farmers_of_the_tray_and_leaves_other_colours():
    state, _ = after({"Kai": province(0, 3, unrest=1)}, {0: {"rice": "Kai"}}, ("rice",), tray=(0, 2, 0, 2))
    assert state.provinces["Kai"].owner is None
    assert state.tray == (0, 2, 0, 0)


def test_refused_are_wrong_armies_wrong_places_and_other_seats():
    state = loaded(position({**HOME, **WAIT}, {0: {"battle_a": "Aki"}}, first=("battle_a",)))
    for text, code in (
        ("battle bingo 3", "illegal-battle"),
        ("battle kai 1", "illegal-battle"),
        ("stay", "illegal-stay"),
        ("move bingo 1", "wrong-phase"),
        ("battle edo 1", "unknown-name"),
        ("jump", "bad-action"),
    ):
        with pytest.raises(RulesError) as refused:
            act(state, 0, text)
        assert refused.value.code == code
    with pytest.raises(RulesError) as refused:
        act(state, 1, "battle bingo 1")
    assert refused.value.code == "not-your-turn"


def test_a_first_unrest_marker_is_told():
    provinces = {"Kai": province(0, 2), "Suruga": province(0, 2)}
    state, events = after(provinces, {0: {"tax": "Suruga", "rice": "Kai"}}, ("tax", "rice"))
    told = [e.params for e in events if e.code == "unrest"]
    assert told == [{"seat": 0, "province": name, "unrest": 1} for name in ("Suruga", "Kai")]
    assert [state.provinces[name].unrest for name in ("Suruga", "Kai")] == [1, 1]
