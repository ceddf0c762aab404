"""What would follow from an action, from a view alone (16.7)."""

import pytest

from engines.capabilities import Foresight
from engines.chance import Chance
from engines.protocol import Seen
from engines.shogun.odds import battle_odds, revolt_odds
from engines.shogun.spoken import spoken
from locales import LANGUAGES, words
from tests.engines.shogun.shogun_scenes import ENGINE, loaded, position, province

NAMES = ("Ann", "Ben", "Cho")


def battle(**more):
    return loaded(
        position(
            {
                "Kai": province(0, 6),
                "Musashi": province(1, 3, "castle", unrest=1),
                "Sagami": province(0, 2),
                "Aki": province(2, 3),
            },
            {0: {"battle_a": "Kai"}},
            first=("battle_a",),
            pending="battle",
            **more,
        )
    )


def planning(unrest=0):
    state = ENGINE.setup(ENGINE.read_options({}), 3, Chance(bytes(32), 0)).state
    own = next(name for name, p in state.provinces.items() if p.owner == 0)
    land = {**state.provinces, own: state.provinces[own].model_copy(update={"unrest": unrest})}
    return state.model_copy(update={"provinces": land}), own


def seen(state, text, *, odds=True, viewer=0):
    return {one.code: one.params for one in ENGINE.foresee(ENGINE.view(state, viewer), text, odds=odds)}


def test_an_attack_has_its_odds_what_stays_and_what_a_tie_destroys():
    state = battle()
    found = seen(state, "battle musashi 4")
    chances = battle_odds(ENGINE.view(state, 0), 0, "Musashi", 4)
    assert found["odds"]["win"] == round(100 * chances.win)
    assert found["odds"]["win"] + found["odds"]["tie"] + found["odds"]["lose"] == 100
    assert found["stays"] == {"province": "Kai", "armies": 2}
    assert found["spoils"] == {"province": "Musashi", "buildings": ["castle"]}
    assert "farmers-idle" in found


def test_without_odds_only_what_is_certain_is_said():
    found = seen(battle(), "battle musashi 4", odds=False)
    assert {"odds", "left"}.isdisjoint(found)
    assert "stays" in found


def test_a_march_to_own_land_joins_the_armies_there():
    assert seen(battle(), "battle sagami 3")["joins"] == {"province": "Sagami", "armies": 5}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_doubt_about_an_action_names_it_once(language):  # 17
    named = words(language).term("shogun", "castle/verb")
    doubt = words(language)("shogun.warning.cannot-pay", game="shogun", action="castle")
    assert named not in doubt
    assert words(language).term("shogun", "castle") not in doubt


def test_a_plan_says_what_it_costs_and_whether_that_is_too_much():
    state, own = planning()
    chests = state.players[0].chests
    found = seen(state, f"plan castle={own.casefold()} bid=chest2")
    assert found["cost"] == {"cost": 3, "bid": 2, "left": chests - 5}
    poor = (state.players[0].model_copy(update={"chests": 4}), *state.players[1:])
    found = seen(state.model_copy(update={"players": poor}), f"plan castle={own.casefold()} bid=chest2")
    assert found["cost-short"]["short"] == 1


def test_a_harvest_feeds_and_stirs_up_and_where_there_is_unrest_revolts():
    state, own = planning()
    found = seen(state, f"plan rice={own.casefold()}")
    assert found["rice"]["rice"] >= 1
    assert found["rice"]["least"] <= found["rice"]["most"] <= found["rice"]["rice"]
    assert found["unrest"] == {"province": own}
    state, own = planning(unrest=2)
    held = revolt_odds(ENGINE.view(state, 0), own, 2).held
    assert seen(state, f"plan tax={own.casefold()}")["revolt-odds"]["held"] == round(100 * held)
    assert seen(state, f"plan tax={own.casefold()}", odds=False)["revolt"] == {"province": own, "markers": 2}


def test_a_winter_that_is_known_leaves_so_much_not_from_so_much_to_so_much():  # 17: "0 to 0"
    state, own = planning()
    known = state.model_copy(update={"events": state.events[:1]})
    found = seen(known, f"plan rice={own.casefold()}")
    assert "rice" not in found
    assert found["rice-sure"]["most"] <= found["rice-sure"]["rice"]


def test_nothing_is_foreseen_by_who_only_watches_or_of_what_is_no_action():
    state = battle()
    assert isinstance(ENGINE, Foresight)
    assert seen(state, "battle musashi 4", viewer=None) == {}
    assert seen(state, "nonsense") == {}
    assert seen(state, "resign") == {}


def test_armies_that_go_to_a_province_of_ones_own_are_not_said_to_attack():
    view = ENGINE.view(battle(), 0)
    assert [one.code for one in spoken(view, "battle musashi 4")] == ["battle"]
    assert [one.code for one in spoken(view, "battle sagami 3")] == ["move"]


def test_rice_that_is_sure_is_one_number_and_none_is_no_zero():
    for language in LANGUAGES:
        for most in (0, 3):
            text = words(language)(
                "shogun.foresight.rice-sure", game="shogun", rice=5, provinces=9, most=most
            )
            assert "0" not in text
            assert ("3" in text) == (most == 3)


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_a_battle_nothing_is_said_that_is_none(language):
    counts = {"attackers": 2, "defenders": 1, "farmers": 0, "armies": 3}
    places = {"seat": 0, "owner": 1, "source": "aki", "province": "bingo"}
    thrown = {"attack_extra": 0, "defense_extra": 0, "defending": 4, "armies": 2, "farmers": 1}
    ends = ("conquered", "conquered-neutral", "held", "tied", "tied-neutral")
    begins = ("attacked", "attacked-neutral")
    for code, params in [(code, counts) for code in ends] + [(code, thrown) for code in begins]:
        told = words(language).event("shogun", Seen(code=code, params={**places, **params}), NAMES)
        assert "0" not in told
        assert "{" not in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_has_words(language):
    state, own = planning(unrest=1)
    known = state.model_copy(update={"events": state.events[:1]})
    lines = [
        *ENGINE.foresee(ENGINE.view(battle(), 0), "battle musashi 4", odds=True),
        *ENGINE.foresee(ENGINE.view(battle(), 0), "battle sagami 3", odds=True),
        *ENGINE.foresee(ENGINE.view(state, 0), f"plan tax={own.casefold()} bid=chest4", odds=True),
        *ENGINE.foresee(ENGINE.view(known, 0), f"plan rice={own.casefold()}", odds=True),
    ]
    assert len(lines) >= 7
    for line in lines:
        text = words(language)(f"shogun.foresight.{line.code}", game="shogun", names=NAMES, **line.params)
        assert "shogun." not in text
        assert "{" not in text
