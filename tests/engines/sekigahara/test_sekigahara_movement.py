"""Movement: modes, marches, overruns, muster, Mori box, control (7, 9.3)."""

import pytest

from engines.sekigahara import reach
from engines.sekigahara.board import Board
from engines.sekigahara.reach import terrain_of_board, terrain_of_view
from tests.engines.sekigahara.sekigahara_positions import ENGINE, Game

FOUR = "mori2 ukita2 ukita3 kobayakawa2"


def test_mode_none_only_redraws_once_uses_the_mori_box_and_ends():
    game = Game({"kyoto": "mori2 |"}, boxes={"ishida": ["mori3"]}).play("move none")
    assert game.refused("march kyoto mori2 > minakuchi") == "mode-none"  # 13.15
    assert game.refused("muster himeji mori3") == "mode-none"  # 13.15
    game.play("discard loyalty ukita")
    assert game.hand("ishida") == 5
    assert game.state.discards["ishida"] == ("loyalty", "ukita")
    assert game.refused("discard mori") == "no-redraw"
    assert game.refused("discard") == "no-redraw"
    assert game.play("mori mori = mori3", "end").state.active == "tokugawa"


def test_minimal_is_one_stack_or_a_muster_and_marches_from_it_are_free():
    game = Game({"kyoto": "mori2 ukita2 |", "kiso": "ukita3 |"}, boxes={"ishida": ["mori3"]}).play(
        "move minimal"
    )
    game.play("march kyoto mori2 > minakuchi", "march kyoto ukita2 > ayabe")
    assert game.refused("march kiso ukita3 > suwa") == "no-activation"
    assert game.refused("muster himeji mori3") == "no-muster"


def test_total_takes_two_cards_every_stack_and_one_muster():
    game = Game({"kyoto": "mori2 |", "kiso": "ukita3 |"}, boxes={"ishida": ["mori3", "mori2"]})
    assert game.refused("move total mori") == "wrong-price"
    game.play("move total mori loyalty", "march kyoto mori2 > minakuchi", "march kiso ukita3 > suwa")
    game.play("march osaka ishida-leader > himeji", "muster himeji mori3 mori2 shown")
    assert game.refused("muster himeji mori3") in {"no-muster", "not-in-box"}
    assert game.hand("ishida") == 3


def test_a_segment_serves_one_stack_a_phase():
    game = Game({"kyoto": "mori2 ukita2 |"}).play("move minimal", "march kyoto mori2 > minakuchi")
    assert game.refused("march kyoto ukita2 > minakuchi") == "segment-used"


def test_as_many_of_a_face_may_march_as_began_there():
    game = Game({"kyoto": "mori2 |", "minakuchi": "mori2 |"}).play("move total mori ukita")
    game.play("march kyoto mori2 > minakuchi")
    assert game.refused("march minakuchi mori2 mori2 > kuwana") == "moved-already"
    game.play("march minakuchi mori2 > kuwana")
    assert game.refused("march minakuchi mori2 > kyoto") == "moved-already"


@pytest.mark.parametrize(
    ("size", "steps"), [(1, 4), (4, 4), (5, 3), (8, 3), (9, 2), (12, 2), (13, 1), (16, 1), (17, 0)]
)
def test_every_four_blocks_beyond_the_first_four_cost_a_step(size, steps):
    assert reach.allowance(size, highway=True, leadership=True, force=True) == steps


def test_a_leader_that_stands_there_leads_and_serves_later_stacks():
    game = Game({"suwa": "ukita-leader mori2 ukita2 |"}).play("move minimal")
    assert game.refused("march suwa mori2 > kofu > numazu") == "too-far"
    assert game.refused("march suwa mori2 > kofu > numazu leader mori-leader") == "no-leader"
    game.play("march suwa mori2 > kofu > numazu leader ukita-leader")
    assert game.state.march.leaders == ("suwa",)
    game.play("march suwa ukita2 > kiso > matsumoto")
    assert game.at("suwa") == ("ukita-leader", "")


def test_a_leader_mustered_this_turn_leads_without_going_along():
    game = Game({"himeji": "ukita2 |"}, boxes={"ishida": ["ukita-leader"]}).play("move limited mori")
    game.play("muster himeji ukita-leader")
    assert game.refused("march himeji ukita-leader > osaka") == "moved-already"
    game.play("march himeji ukita2 > ayabe > miyazu leader ukita-leader")


def test_a_force_march_costs_a_card_and_forbids_drops():
    game = Game({"kiso": "mori2 ukita2 |"}).play("move minimal")
    assert game.refused("march kiso mori2 ukita2 > suwa -mori2 > saku > takasaki force mori") == "force-drop"
    assert game.refused("march kiso mori2 ukita2 > suwa > saku > takasaki force date") == "not-in-hand"
    game.play("march kiso mori2 ukita2 > suwa > saku > takasaki force mori")
    assert game.state.discards["ishida"] == ("mori",)
    assert game.state.control["takasaki"] == "ishida"


def test_an_enemy_castle_or_capital_gives_no_leadership():
    game = Game({"anotsu": "mori2 |", "edo": "ukita2 | "}).play("move total mori ukita")
    assert game.refused("march anotsu mori2 > kumano > tanabe") == "too-far"
    assert game.refused("march edo ukita2 > mito > iwaki") == "too-far"


def test_a_stack_stops_at_enemies_and_at_a_disk():
    game = Game({"kyoto": "mori2 mori3 ukita2 |", "minakuchi": "| maeda2"}).play("move minimal")
    assert game.refused("march kyoto mori2 mori3 ukita2 > minakuchi > kuwana") == "enemy-in-way"
    game = Game({"saku": "| date2 date3 maeda2 maeda3"}, active="tokugawa").play("move minimal")
    assert game.refused("march saku date2 > ueda > arato force tokugawa") == "enemy-in-way"


def test_an_overrun_counts_blocks_that_came_earlier_and_those_stay():
    game = Game({"kyoto": "mori2 ukita2 |", "kuwana": "mori3 ukita3 |", "minakuchi": "| maeda2"})
    game.play("move limited ukita", "march kuwana mori3 ukita3 > minakuchi")
    assert game.at("minakuchi") == ("mori3 ukita3", "maeda2")
    game.play("march kyoto mori2 ukita2 > minakuchi")
    assert game.at("minakuchi") == ("mori2 mori3 ukita2 ukita3", "")
    assert game.refused("march minakuchi mori3 > kuwana") == "moved-already"


def test_an_overrun_is_counted_before_the_drop_there():
    game = Game({"kyoto": f"{FOUR} |", "minakuchi": "| maeda2"}).play("move minimal")
    game.play(f"march kyoto {FOUR} > minakuchi -mori2 > kuwana")
    assert game.at("minakuchi") == ("mori2", "")
    assert len(game.at("kuwana")[0].split()) == 3


def test_the_owner_draws_a_card_for_each_two_overrun():
    eight = f"{FOUR} kobayakawa3 uesugi3 mori-gun mori-cav"
    game = Game({"kyoto": f"{eight} |", "minakuchi": "| maeda2 maeda3"}).play("move minimal")
    game.play(f"march kyoto {eight} > minakuchi")
    assert game.at("minakuchi")[1] == ""
    assert (game.hand("ishida"), game.hand("tokugawa")) == (5, 6)


def test_enemies_that_control_a_castle_are_not_overrun():
    game = Game({"ayabe": f"{FOUR} |", "miyazu": "| date2"}).play(
        "move minimal", f"march ayabe {FOUR} > miyazu"
    )
    assert game.at("miyazu")[1] == "date2"
    assert not game.state.map["miyazu"].besieged


def test_besieged_blocks_help_to_overrun_and_may_then_march():
    game = Game({"iwamura": "mori2 ukita2 ukita3 |", "gifu": "kobayakawa2 | date2 besieged"})
    game.play("move total mori loyalty")
    assert game.refused("march gifu kobayakawa2 > kiyosu") == "besieged"
    game.play("march iwamura mori2 ukita2 ukita3 > gifu")
    assert game.at("gifu")[1] == ""
    game.play("march gifu kobayakawa2 > kiyosu")


def test_besiegers_may_march_away_in_part():
    game = Game({"miyazu": "mori2 ukita2 | date2 besieged"}).play(
        "move minimal", "march miyazu mori2 > ayabe"
    )
    assert game.state.map["miyazu"].besieged
    game.play("march miyazu ukita2 > tsuruga")
    assert not game.state.map["miyazu"].besieged


def test_a_muster_into_enemies_needs_own_blocks_of_the_map():
    game = Game({"himeji": "| date2"}, boxes={"ishida": ["mori3"]}).play("move limited mori")
    assert game.refused("muster himeji mori3") == "muster-enemy"
    game.play("march osaka ishida-leader > himeji", "muster himeji mori3")
    besieged = Game({"aizu": "uesugi3 | date2 besieged"}, boxes={"ishida": ["mori3"]}).play("move minimal")
    assert besieged.refused("muster aizu mori3") == "allowed"


def test_a_disk_and_mori_blocks_do_not_open_a_place_for_a_muster():
    game = Game({"osaka": "| date2 date3 besieged", "kyoto": "ishida-leader |"}, boxes={"ishida": ["ukita2"]})
    game.play("move limited mori", "mori ukita = mori3")
    assert game.refused("muster osaka ukita2") == "muster-enemy"
    game.play("march kyoto ishida-leader > osaka", "muster osaka ukita2")


def test_mustered_and_mori_blocks_overrun():
    game = Game({"osaka": "ishida-leader | date2 besieged"}).play("move minimal")
    game.play("mori mori ukita = mori3 mori3")
    assert game.at("osaka")[1] == "date2"
    game.play("mori loyalty = mori3")
    assert game.at("osaka")[1] == ""
    assert game.play("march osaka ishida-leader > kyoto").at("kyoto")[0] == "ishida-leader"
    box = ["kobayakawa2", "kobayakawa3", "kobayakawa3"]
    game = Game({"osaka": "ishida-leader | date2 besieged"}, boxes={"ishida": box}).play("move minimal")
    assert game.play("muster osaka kobayakawa2 kobayakawa3 kobayakawa3 shown").at("osaka")[1] == ""


def test_a_muster_frees_nobody_to_march():
    box = ["kobayakawa2", "kobayakawa3", "kobayakawa3"]
    game = Game({"osaka": "ishida-leader | date2 besieged"}, boxes={"ishida": box})
    game.play("move total mori ukita", "muster osaka kobayakawa2 kobayakawa3 kobayakawa3 shown")
    assert game.at("osaka")[1] == ""
    assert game.refused("march osaka ishida-leader > kyoto") == "moved-or-freed"  # 13.15


def test_only_what_moves_in_takes_a_resource():
    game = Game({"kiso": "mori2 |", "takasaki": "| date2"}).play("move minimal")
    assert "kiso" not in game.state.control
    game = Game({"saku": "mori2 |", "takasaki": "| date2"}, control={"takasaki": "tokugawa"}).play(
        "move minimal"
    )
    assert game.play("march saku mori2 > takasaki").state.control["takasaki"] == "tokugawa"


def test_reach_knows_what_a_stack_needs_and_is_the_same_from_a_view():
    game = Game({"suwa": "ukita-leader mori2 ukita2 |"}).play("move minimal")
    board = Board.of(game.state, None)  # type: ignore[arg-type]
    terrain = terrain_of_board(board, "ishida")
    assert (
        terrain_of_view(ENGINE.view(game.state, 0), "ishida")._replace(
            mine=terrain.mine, theirs=terrain.theirs
        )
        == terrain
    )
    found = reach.reach(terrain, "suwa", 2, leader=True, force=True)
    assert found["kofu"][0][1:3] == (False, False)
    assert found["numazu"][0][1:3] == (True, False)
    assert found["hakone"][0][1:3] == (True, True)
    assert set(reach.reach(terrain, "suwa", 2, leader=False, force=False)) == {
        "kiso",
        "kofu",
        "saku",
        "iwamura",
        "takasaki",
    }


def test_a_place_where_nothing_is_dropped_says_nothing():
    game = Game({"kyoto": "mori2 ukita2 |"}).play("move minimal")
    march = {"type": "march", "from": "kyoto", "blocks": ["ukita2", "mori2"], "path": ["minakuchi", "kuwana"]}
    action = ENGINE.parse({**march, "drop": {"minakuchi": []}}, game.state, 0)
    assert ENGINE.format(action) == "march kyoto mori2 ukita2 > minakuchi > kuwana"
    assert action == ENGINE.parse(march, game.state, 0)


def test_legal_lists_every_march_of_a_small_position():
    game = Game({"kyoto": "mori2 |"}, hands={"ishida": [], "tokugawa": []}, mori_box=[]).play("move minimal")
    legal = ENGINE.legal(game.state, 0)
    assert legal.complete
    assert "march kyoto mori2 > minakuchi > kuwana > kiyosu" in legal.actions
    for text in legal.actions:
        assert game.refused(text) == "allowed"
