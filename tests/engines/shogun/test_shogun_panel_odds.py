"""The panel of a battle names the odds, from what everybody may know."""

from engines.shogun.odds import battle_odds
from tests.engines.shogun.shogun_scenes import ENGINE, loaded, position, province


def attack(other_plan=None):
    given = position(
        {
            "Kai": province(0, 6),
            "Suruga": province(0, 1),
            "Musashi": province(1, 3, "castle"),
            "Aki": province(2, 3),
        },
        {0: {"battle_a": "Kai"}, 1: {"bid": "chest1"}, 2: other_plan or {}},
        first=("battle_a",),
        event="castle_defense_1",
        tower=(3, 2, 1, 4),
        tray=(0, 1, 0, 2),
        pending="battle",
    )
    given["options"] = {"tower": "measured"}
    return loaded(given)


def test_targets_and_counts_carry_the_odds_of_the_throw():
    state = attack()
    view = ENGINE.view(state, 0)
    targets = {choice.key: choice for choice in ENGINE.choices(state, 0).choices}
    assert targets["musashi"].params["win"] == round(100 * battle_odds(view, 0, "Musashi", 5).win)
    assert "win" not in targets["suruga"].params
    counts = ENGINE.choices(state, 0, ("musashi",)).choices
    assert [choice.params["armies"] for choice in counts] == [5, 4, 3, 2, 1]
    for choice in counts:
        odds = battle_odds(view, 0, "Musashi", choice.params["armies"])
        assert choice.params["win"] == round(100 * odds.win)
        assert choice.params["win"] + choice.params["tie"] + choice.params["lose"] == 100
    assert {choice.code for choice in ENGINE.choices(state, 0, ("suruga",)).choices} == {"armies"}


def test_the_odds_know_nothing_of_what_others_planned():
    one, other = attack({"tax": "Aki"}), attack({"battle_b": "Aki", "rice": "chest3"})
    for path in ((), ("musashi",)):
        assert ENGINE.choices(one, 0, path) == ENGINE.choices(other, 0, path)
