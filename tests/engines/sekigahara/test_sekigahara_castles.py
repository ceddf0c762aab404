"""Castles, relief, retreats into sieges, and the combats that retreats cause (8.8.4, 8.8.5, 8.9)."""

from tests.engines.sekigahara.sekigahara_positions import ENGINE, Game


def hands(ishida: str, tokugawa: str) -> dict[str, list[str]]:
    return {"ishida": ishida.split(), "tokugawa": tokugawa.split()}


def test_relief_and_garrison_are_one_force_and_three_fight_outside():
    game = Game(
        {"gifu": "mori2 | date2 date3 besieged", "iwamura": "ukita2 ukita3 |"}, hands=hands("mori", "date")
    )
    game.play("move minimal", "march iwamura ukita2 ukita3 > gifu")
    assert game.state.map["gifu"].besieged
    game.play("end", "combat gifu")
    assert (game.phase, game.state.battle.attacker, game.state.map["gifu"].besieged) == (
        "deploy",
        "ishida",
        False,
    )
    assert "deploy mori2 with mori" in game.legal


def test_a_beaten_attacker_that_held_the_castle_may_go_back_inside():
    game = Game(
        {"gifu": "mori2 | date2 date3 besieged", "iwamura": "ukita2 ukita3 |"}, hands=hands("", "date")
    )
    game.play("move minimal", "march iwamura ukita2 ukita3 > gifu", "end", "combat gifu")
    game.play("done", "deploy date3 with date", "done", "lose mori2")
    assert game.legal == {
        "retreat iwamura",
        "retreat iwamura castle ukita2",
        "retreat iwamura castle ukita3",
        "retreat castle ukita2 ukita3",
    }
    assert game.refused("retreat kiyosu") == "bad-retreat"
    assert game.refused("retreat iwamura castle ukita2 ukita3") == "all-inside"
    assert game.refused("retreat castle ukita2") == "where-to"
    game.play("retreat iwamura castle ukita2")
    assert (game.at("gifu"), game.at("iwamura")) == (("ukita2", "date2 date3"), ("ukita3", ""))
    assert (game.state.map["gifu"].besieged, game.state.map["gifu"].holder) == (True, "ishida")


def test_who_did_not_hold_the_castle_cannot_enter_it():
    game = Game(
        {"iwamura": "| date2 date3 maeda2", "gifu": "mori2 |"}, active="tokugawa", hands=hands("mori", "")
    )
    game.play(
        "move minimal", "march iwamura date2 date3 maeda2 > gifu", "end", "combat gifu", "outside", "done"
    )
    game.play("deploy mori2 with mori", "done", "lose date2")
    assert game.at("iwamura")[1] == "maeda2 date3"  # one way in, no castle: by itself


def test_a_retreat_joins_besieged_friends_even_above_two():
    game = Game(
        {"kiyosu": "mori2 mori3 |", "okazaki": "| date2", "gifu": "ukita2 ukita3 | maeda2 maeda3 besieged",
         "kuwana": "| fukushima2", "hamamatsu": "|"},
        active="tokugawa", hands=hands("", "date"),
    )  # fmt: skip
    game.play("move limited date", "march okazaki date2 > kiyosu", "march kuwana fukushima2 > kiyosu", "end")
    game.state = game.state.model_copy(update={"hands": {"ishida": (), "tokugawa": ("date",)}})
    game.play("combat kiyosu", "deploy date2 with date", "done", "done", "lose mori2")
    assert game.legal == {"retreat gifu", "retreat kuwana", "retreat okazaki"}  # enemies on every road
    game.play("retreat gifu")
    assert game.at("gifu") == ("mori3 ukita2 ukita3", "maeda2 maeda3")
    assert game.play("combat gifu").state.battle.siege is False


def test_a_retreat_against_a_castle_asks_its_side():
    game = Game(
        {
            "saku": "| date2 date3",
            "suwa": "mori2 mori3 ukita3 |",
            "ueda": "ukita2 |",
            "takasaki": "kobayakawa2 |",
        },
        hands=hands("mori", ""),
    )
    game.play("move minimal", "march suwa mori2 mori3 > saku", "end", "combat saku")
    game.play("deploy mori3 with mori", "done", "done", "lose date2")
    assert game.acts == [1]
    game.play("retreat ueda")
    assert (game.phase, game.acts) == ("castle", [0])
    assert game.play("inside").phase == "move"  # the active side stays inside: nothing happens
    assert game.state.map["ueda"].besieged


def test_a_retreat_against_a_disk_alone_is_a_siege_at_once():
    game = Game(
        {"saku": "| date2 date3", "suwa": "mori2 mori3 ukita3 |", "takasaki": "kobayakawa2 |"},
        hands=hands("mori", ""),
    )
    game.play("move minimal", "march suwa mori2 mori3 > saku", "end", "combat saku")
    game.play("deploy mori3 with mori", "done", "done", "lose date2", "retreat ueda")
    assert (game.phase, game.acts, game.state.battle.siege) == ("deploy", [1], True)
    game.play("done")
    assert game.state.map["ueda"].besieged
    assert game.state.disks == ("hideyori", "sanada")


def test_the_siege_goes_on_every_turn():
    game = Game({"ueda": "mori2 | date2 date3 besieged"}, active="tokugawa").play("move minimal", "end")
    assert game.legal == {"combat ueda"}
    game.play("combat ueda", "inside", "done")
    assert (game.phase, game.state.active) == ("move", "ishida")
    game.play("move minimal", "end", "combat ueda", "inside")
    assert (game.state.turn, game.state.active) == ("B", "tokugawa")


def test_combats_are_declared_in_any_order_each_once():
    places = {"gifu": "mori2 | date2 besieged", "ueda": "ukita2 | maeda2 besieged"}
    game = Game(places, active="tokugawa").play("move minimal", "end")
    assert game.legal == {"combat gifu", "combat ueda"}
    game.play("combat ueda", "inside", "done")
    assert game.legal == {"combat gifu"}
    assert game.refused("combat ueda") == "no-combat-there"


def test_the_march_so_far_is_part_of_the_position():
    game = Game({"osaka": "ishida-leader mori2 ukita2 kobayakawa2 |"}).play("move limited mori")
    game.play("march osaka mori2 ukita2 > kyoto -ukita2 > minakuchi")
    march = ENGINE.position(game.state)["march"]
    assert march == {
        "mode": "limited",
        "activated": ["osaka"],
        "mustered": False,
        "redrawn": False,
        "moved": {"kyoto": ["ukita2"], "minakuchi": ["mori2"]},
        "segments": [["kyoto", "minakuchi"], ["kyoto", "osaka"]],
        "entered": {"kyoto": ["osaka"], "minakuchi": ["kyoto"]},
        "leaders": [],
        "fought": [],
    }


def test_a_besieged_castle_counts_for_the_besieged():
    game = Game({"gifu": "mori2 | date2 date3 besieged"})
    assert ENGINE.view(game.state, None).points == {"ishida": 9, "tokugawa": 11}
