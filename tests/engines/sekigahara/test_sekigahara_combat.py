"""Combat: castles, battles, loyalty, losses, retreats, sieges, cards, ends (8, 2)."""

import pytest

from engines.chance import Chance
from engines.protocol import RulesError
from tests.engines.sekigahara.sekigahara_positions import ENGINE, Game


def battle(ishida: str, tokugawa: str, *, others: dict[str, str] | None = None, **more) -> Game:
    """Ishida has attacked Minakuchi from Kyoto and may deploy."""
    places = {"kyoto": f"{ishida} |", "minakuchi": f"| {tokugawa}", **(others or {})}
    game = Game(places, **more).play("move minimal", f"march kyoto {ishida} > minakuchi", "end")
    return game.play("combat minakuchi")


def hands(ishida: str, tokugawa: str) -> dict[str, list[str]]:
    return {"ishida": ishida.split(), "tokugawa": tokugawa.split()}


def test_the_worked_battle_of_the_rulebook():
    game = battle(
        "mori-leader ukita2 ukita2 uesugi-gun mori-gun kobayakawa2 kobayakawa3",
        "maeda-cav tokugawa3 tokugawa3 tokugawa-gun date2 fukushima2",
        others={"hakone": "uesugi-cav | date-cav besieged"},
        hands=hands(
            "ukita-double uesugi mori-sword kobayakawa loyalty",
            "maeda-sword tokugawa tokugawa tokugawa date loyalty",
        ),
    )
    steps = [
        ("deploy mori-leader", 1, 0),
        ("deploy maeda-cav with maeda-sword", 1, 3),
        ("deploy ukita2 ukita2 with ukita-double", 6, 3),
        ("deploy tokugawa3 with tokugawa", 6, 6),
        ("deploy uesugi-gun with uesugi", 7, 6),
        ("deploy tokugawa-gun with tokugawa", 7, 8),
        ("deploy mori-gun with mori-sword", 13, 8),
        ("deploy tokugawa3 with tokugawa", 13, 13),
    ]
    for text, ishida, tokugawa in steps:
        game.play(text)
        if game.phase == "challenge":
            game.play("accept")
        assert game.state.battle.impact == {"ishida": ishida, "tokugawa": tokugawa}
    game.play("done", "done")
    assert game.state.battle.losses == {"ishida": 2, "tokugawa": 1}
    assert game.play("lose ukita2 kobayakawa2", "lose maeda-cav").at("minakuchi")[0] == ""
    assert len(game.at("kyoto")[0].split()) == 5
    assert (game.hand("ishida"), game.hand("tokugawa")) == (6, 6)


def test_leaders_come_without_cards_until_the_first_card_and_are_not_challenged():
    game = battle("ukita-leader mori-leader mori2", "date2 maeda2", hands=hands("mori mori", "date loyalty"))
    game.play("deploy mori-leader")
    assert (game.phase, game.acts) == ("deploy", [1])
    assert game.refused("deploy date2") == "no-such-leader"
    game.play("done", "deploy mori2 with mori", "accept")
    assert game.refused("deploy ukita-leader") == "leaders-first"


def test_a_loyalty_card_does_not_end_the_time_of_the_leaders():
    game = battle("ukita2 mori2", "date-leader date2", hands=hands("ukita ukita", "loyalty date"))
    game.play("deploy ukita2 with ukita", "challenge", "show ukita", "deploy date-leader")
    assert game.state.battle.impact == {"ishida": 2, "tokugawa": 1}


def test_special_attacks_count_the_same_kind_of_any_mon_and_defectors():
    game = battle("ukita-gun mori2", "date-gun date2", hands=hands("ukita-sword", "loyalty date-sword"))
    game.play("deploy ukita-gun with ukita-sword", "challenge", "concede")
    assert game.state.battle.impact == {"ishida": 0, "tokugawa": 1}
    assert game.state.battle.defected["ishida"] == ("ukita-gun",)
    assert game.acts == [0]
    game.play("done", "deploy date-gun with date-sword")
    assert game.state.battle.impact["tokugawa"] == 1 + 1 + 2 + 2  # the hand of Ishida is empty: not asked


def test_both_blocks_of_a_double_defect_and_the_second_counts_the_first():
    game = battle("ukita2 ukita3", "date2 maeda2", hands=hands("ukita-double mori", "loyalty date"))
    game.play("deploy ukita2 ukita3 with ukita-double", "challenge", "concede")
    assert game.state.battle.impact == {"ishida": 0, "tokugawa": 6}
    assert game.legal == {"done"}


def test_a_double_deploys_one_block_for_the_block_of_ishida_and_no_special():
    game = battle(
        "ishida-leader ukita-cav ukita-gun",
        "date2 maeda2",
        others={"osaka": "|"},
        hands=hands("ukita-double", "date"),
    )
    assert game.refused("deploy ishida-leader ukita-cav with ukita-double") == "too-many-blocks"
    assert "deploy ukita-gun ukita-cav with ukita-double" in game.legal
    game.play("deploy ukita-gun ukita-cav with ukita-double", "accept")
    assert game.state.battle.impact["ishida"] == 1 + 2


def test_any_daimyo_card_proves_the_block_of_ishida_but_no_loyalty_card_does():
    game = battle(
        "ishida-leader mori2",
        "date2 maeda2",
        others={"osaka": "|"},
        hands=hands("ukita mori loyalty", "loyalty"),
    )
    game.play("deploy ishida-leader with ukita", "challenge")
    assert game.legal == {"show mori", "concede"}


def test_a_challenge_is_asked_without_a_loyalty_card_too_but_not_with_an_empty_hand():
    game = battle("ukita2 mori2", "date2 maeda2", hands=hands("ukita", "date"))
    game.play("deploy ukita2 with ukita")
    assert (game.phase, game.legal) == ("challenge", {"accept"})
    assert game.refused("challenge") == "no-loyalty-card"
    game = battle("ukita2 mori2", "date2 maeda2", hands=hands("ukita", ""))
    assert game.play("deploy ukita2 with ukita").phase == "deploy"


def test_a_standing_answer_answers_at_once_and_is_secret():
    game = battle("ukita2 mori2", "date2 maeda2", hands=hands("ukita mori", "loyalty"))
    game.by(1, "standing never")
    assert game.events == ()
    assert ENGINE.view(game.state, 0).standing == "ask"
    game.play("deploy ukita2 with ukita")
    assert (game.phase, game.acts) == ("deploy", [1])
    game.by(1, "standing ask").play("done", "deploy mori2 with mori")
    assert game.phase == "challenge"
    assert game.by(1, "standing never").phase == "deploy"


def test_a_done_side_may_still_challenge():
    game = battle("ukita2 mori2", "date2 maeda2", hands=hands("ukita mori", "date loyalty"))
    game.play("deploy ukita2 with ukita", "accept", "done", "deploy mori2 with mori", "challenge", "concede")
    assert game.state.battle.impact == {"ishida": 2, "tokugawa": 2}


def test_a_battle_without_impact_is_the_defenders():
    game = battle("ukita2 mori2", "date2 maeda2")
    game.play("done", "done")
    assert game.acts == [0]
    assert game.legal == {"lose ukita2", "lose mori2"}


def test_defectors_are_lost_first():
    game = battle("ukita2 ukita3 mori2", "date2 maeda2", hands=hands("ukita mori", "loyalty date"))
    game.play("deploy ukita3 with ukita", "challenge", "concede", "done", "done")
    assert game.state.lost["ishida"] == ("ukita3",)  # exactly the defectors: by itself
    assert game.at("kyoto") == ("mori2 ukita2", "")


def test_with_more_defectors_than_losses_the_owner_chooses_among_them():
    game = battle("ukita2 ukita3 mori2", "date2 maeda2", hands=hands("ukita-double mori", "loyalty date"))
    game.play("deploy ukita2 ukita3 with ukita-double", "challenge", "concede", "done", "done")
    assert game.legal == {"lose ukita2", "lose ukita3"}


def test_attackers_go_back_where_they_came_from_and_defenders_elsewhere():
    game = battle("ukita2 mori2", "date2 maeda2", hands=hands("ukita", "date"))
    game.play("deploy ukita2 with ukita", "accept", "done", "done", "lose date2")
    assert game.phase == "move"  # Minakuchi touches only Kyoto and Kuwana: one target
    assert game.at("kuwana")[1] == "maeda2"
    assert game.state.control["kuwana"] == "tokugawa"


def test_a_defender_with_no_free_place_goes_anywhere():
    game = battle("ukita2 mori2", "date2 maeda2", others={"kuwana": "ukita3 |"}, hands=hands("ukita", "date"))
    game.play("deploy ukita2 with ukita", "accept", "done", "done", "lose date2")
    assert game.legal == {"retreat kyoto", "retreat kuwana"}


def test_a_retreat_into_enemies_is_a_battle_at_once_and_its_loser_may_go_anywhere():
    game = battle(
        "ukita2 mori2", "date2 maeda2 maeda3", others={"kuwana": "ukita3 |"}, hands=hands("ukita", "date")
    )
    game.play("deploy ukita2 with ukita", "accept", "done", "done", "lose date2", "retreat kuwana")
    assert (game.phase, game.state.battle.at, game.state.battle.attacker) == ("deploy", "kuwana", "tokugawa")
    assert game.acts == [1]
    game.play("done", "done", "lose maeda2")
    assert game.legal == {"retreat anotsu", "retreat kiyosu", "retreat minakuchi"}
    game.play("retreat minakuchi")  # again into enemies
    assert (game.phase, game.state.battle.at) == ("deploy", "minakuchi")
    assert game.state.march.fought == ("minakuchi", "kuwana")


def test_the_ways_of_blocks_that_were_overrun_do_not_bind_a_battle_caused_by_a_retreat():
    game = Game(
        {
            "kyoto": "mori2 ukita2 |",
            "anotsu": "ukita3 |",
            "kuwana": "mori3 mori3 mori-gun |",
            "minakuchi": "| date2 date3 maeda2 maeda3 maeda-gun",
            "kiyosu": "| fukushima2 fukushima3",
        },
        hands={"ishida": ["mori", "mori"], "tokugawa": ["date"]},
        mori_box=[],
    )
    game.play(
        "move limited mori", "march kuwana mori3 mori3 mori-gun > kiyosu", "march anotsu ukita3 > kuwana"
    )
    game.play("march kyoto mori2 ukita2 > minakuchi", "end", "combat minakuchi")
    game.play("deploy mori2 with mori", "accept", "done", "done", "lose maeda-gun", "retreat kuwana")
    assert game.state.lost["ishida"] == ("ukita3",)
    game.play("combat kiyosu", "done", "done", "lose mori-gun")  # goes back to Kuwana by itself
    assert (game.phase, game.state.battle.at, game.state.battle.attacker) == ("deploy", "kuwana", "ishida")
    game.play("done", "done", "lose mori3")
    assert game.legal == {"retreat anotsu", "retreat kiyosu", "retreat minakuchi"}


def test_a_retreat_may_end_in_an_overrun_and_the_cards_come_in_one_go():
    game = Game(
        {
            "kyoto": "mori2 ukita2 |",
            "minakuchi": "| date2 date3 maeda2 maeda3 maeda-gun",
            "kuwana": "ukita3 |",
        },
        hands=hands("mori", "date"),
    )
    game.play("move minimal", "march kyoto mori2 ukita2 > minakuchi", "end", "combat minakuchi")
    game.play("deploy mori2 with mori", "accept", "done", "done", "lose maeda-gun", "retreat kuwana")
    assert game.at("kuwana") == ("", "maeda2 maeda3 date2 date3")
    assert game.state.lost["ishida"] == ("ukita3",)
    assert (game.hand("ishida"), game.hand("tokugawa")) == (1, 1)


def siege(inside: str, place: str = "ueda", **more) -> Game:
    """Tokugawa has marched from Saku to Ueda and declared."""
    game = Game(
        {"saku": "| tokugawa3 tokugawa3 date2 fukushima2", place: f"{inside} |"}, active="tokugawa", **more
    )
    game.play("move minimal", "march saku tokugawa3 tokugawa3 date2 > ueda", "end", "combat ueda")
    return game


def test_a_disk_alone_is_besieged_without_a_question():
    game = siege("", hands=hands("mori", "tokugawa tokugawa"))
    assert game.state.battle.siege
    assert game.state.map["ueda"].besieged
    game.play("deploy tokugawa3 with tokugawa", "deploy tokugawa3 with tokugawa", "done")
    assert game.state.disks == ("hideyori",)
    assert game.hand("ishida") == 1  # no card for a disk
    assert ENGINE.view(game.state, None).points["tokugawa"] == 2 * 6 + 1


def test_three_blocks_fight_before_the_castle_and_none_of_them_is_asked():
    game = siege("mori2 mori3 ukita2")
    assert (game.phase, game.state.battle.siege) == ("deploy", False)


def test_outside_means_a_battle():
    game = siege("mori2")
    assert game.legal == {"inside", "outside"}
    assert not game.play("outside").state.battle.siege


def test_no_specials_and_no_challenges_in_a_siege():
    game = Game(
        {"saku": "| date-cav fukushima-cav", "ueda": "mori2 |"},
        active="tokugawa",
        hands=hands("loyalty", "date-sword fukushima-sword"),
    )
    game.play("move minimal", "march saku date-cav fukushima-cav > ueda", "end", "combat ueda", "inside")
    game.play("deploy date-cav with date-sword", "deploy fukushima-cav with fukushima-sword")
    assert game.state.battle.impact == {"ishida": 0, "tokugawa": 2}
    assert game.play("done").state.map["ueda"].besieged
    assert game.hand("tokugawa") == 2


def test_the_besieged_draw_a_card_for_each_block_lost():
    game = siege("mori2", hands=hands("mori", "tokugawa tokugawa"))
    game.play(
        "inside", "deploy tokugawa3 with tokugawa", "deploy tokugawa3 with tokugawa", "done", "lose mori2"
    )
    assert game.hand("ishida") == 2
    assert game.state.map["ueda"].besieged  # the disk is left


def test_hideyori_is_the_last_to_go_and_ends_the_game():
    places = {
        "kyoto": "ishida-leader |",
        "himeji": "| tokugawa3 tokugawa3 tokugawa3 tokugawa2",
        "osaka": "ukita2 |",
    }
    cards = hands("mori", "tokugawa tokugawa tokugawa tokugawa")
    game = Game(places, active="tokugawa", hands=cards, mori_box=[]).play("move minimal")
    game.play("march himeji tokugawa3 tokugawa3 tokugawa3 tokugawa2 > osaka", "end", "combat osaka", "inside")
    game.play("deploy tokugawa3 with tokugawa", "deploy tokugawa3 with tokugawa")
    assert game.state.battle.impact["tokugawa"] == 7
    game.play("deploy tokugawa3 with tokugawa", "deploy tokugawa2 with tokugawa", "done")  # 7 + 5 + 5
    result = ENGINE.result(game.state)
    assert (result.winners, result.reason) == ((1,), "hideyori")
    assert game.hand("tokugawa") == 0


def test_the_mori_box_joins_when_osaka_is_attacked():
    game = Game(
        {"kyoto": "| tokugawa3 tokugawa3", "osaka": "ukita2 |", "gifu": "ishida-leader |"}, active="tokugawa"
    )
    game.play("move minimal", "march kyoto tokugawa3 tokugawa3 > osaka", "end", "combat osaka")
    assert (game.phase, game.state.battle.siege, game.state.mori_box) == ("deploy", False, ())
    assert len(game.at("osaka")[0].split()) == 6


def test_the_mori_box_overruns_a_lone_attacker():
    game = Game({"kyoto": "| tokugawa3", "osaka": "|", "gifu": "ishida-leader |"}, active="tokugawa")
    game.play("move minimal", "march kyoto tokugawa3 > osaka", "end", "combat osaka")
    assert game.state.lost["tokugawa"] == ("tokugawa3",)
    assert game.phase == "move"


def test_a_besieged_active_side_may_stay_inside_or_sally():
    game = Game({"gifu": "mori2 | date2 besieged"}).play("move minimal", "end", "combat gifu")
    assert game.acts == [0]
    assert game.play("inside").phase == "move"
    assert game.state.map["gifu"].besieged
    game = Game({"gifu": "mori2 | date2 besieged"}).play("move minimal", "end", "combat gifu", "outside")
    assert game.state.battle.attacker == "ishida"


def test_only_a_disk_declares_no_combat():
    game = Game({"ueda": "| date2 besieged"}).play("move minimal", "end")
    assert (game.phase, game.state.active) == ("move", "tokugawa")


def test_the_side_that_held_a_castle_first_is_its_castle_side():
    game = Game(
        {"anotsu": "mori2 ukita2 |", "kumano": "| date2 date3 maeda2"},
        active="tokugawa",
        hands=hands("", "date"),
    )
    game.play("move minimal", "march kumano date2 date3 maeda2 > anotsu")
    assert game.state.map["anotsu"].holder == "ishida"
    game.play("end", "combat anotsu")
    assert game.acts == [0]
    game.play("outside", "deploy date3 with date", "done", "done")
    game.play("lose mori2")
    assert "retreat castle ukita2" in game.legal
    assert "retreat kuwana" in game.legal
    game.play("retreat castle ukita2")
    assert (game.state.map["anotsu"].besieged, game.state.map["anotsu"].holder) == (True, "ishida")


def test_a_loser_goes_even_if_the_winner_has_none_left():
    game = battle("ukita2 ukita3 mori2", "date3", hands=hands("ukita-double", "date date"))
    game.play("deploy ukita2 ukita3 with ukita-double", "accept", "done")
    game = game.play("done")
    assert game.at("minakuchi")[0] != ""  # the lone defender died: nobody retreats
    assert game.state.lost["tokugawa"] == ("date3",)


def test_both_leaders_in_one_battle_are_ishidas_victory():
    game = battle("ishida-leader", "tokugawa-leader", others={"osaka": "|", "edo": "|"}, hands=hands("", ""),
                  battle=None)  # fmt: skip
    state = game.state.model_copy(
        update={"battle": game.state.battle.model_copy(update={"impact": {"ishida": 7, "tokugawa": 7}})}
    )
    game.state = state
    game.play("done", "done")
    result = ENGINE.result(game.state)
    assert (result.winners, result.reason) == ((0,), "leader")


def test_a_resignation_in_a_battle_puts_used_cards_down_and_draws_nothing():
    game = battle("ukita2 mori2", "date2 maeda2", hands=hands("ukita", "date"))
    game.play("deploy ukita2 with ukita").by(0, "resign")
    assert game.state.discards["ishida"] == ("ukita",)
    assert game.hand("ishida") == 0
    assert (game.state.battle, game.state.march, game.acts) == (None, None, [])
    result = ENGINE.result(game.state)
    assert (result.winners, result.scores, result.reason) == ((1,), (9, 11), "resign")


@pytest.mark.parametrize("seat", [0, 1])
def test_nobody_acts_out_of_turn(seat):
    game = Game({"kyoto": "mori2 |"}, active="tokugawa" if seat == 0 else "ishida")
    with pytest.raises(RulesError, match="not-your-turn"):
        ENGINE.apply(game.state, seat, ENGINE.parse("move minimal", game.state, seat), Chance(b"", 1))


def test_a_lost_defector_leaves_an_equal_block_of_his_owner_standing():
    fight = {
        "at": "kuwana",
        "attacker": "ishida",
        "siege": False,
        "holder": None,
        "impact": {"ishida": 2, "tokugawa": 6},
        "deployed": {"ishida": ["mori2"], "tokugawa": ["mori2", "date2", "date3"]},
        "defected": {"ishida": ["mori2"], "tokugawa": []},
        "used": {"ishida": [], "tokugawa": []},
        "done": ["ishida", "tokugawa"],
        "pending": None,
        "losses": {"ishida": 1},
        "lost": {"ishida": [], "tokugawa": []},
    }
    game = Game({"kuwana": "mori2 mori2 | date2 date3"}, phase="lose", battle=fight)
    assert game.phase == "retreat"
    assert game.state.battle.deployed == {"ishida": ("mori2",), "tokugawa": ("date2", "date3")}
    assert game.state.battle.defected["ishida"] == ()
