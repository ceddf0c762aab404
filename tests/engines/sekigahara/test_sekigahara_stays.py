"""A castle that stays inside for the rest of the siege (17.4), or until that is taken back."""

from __future__ import annotations

from engines.chance import Chance
from engines.protocol import Ready
from tests.engines.sekigahara.sekigahara_positions import ENGINE, Game
from tests.engines.sekigahara.test_sekigahara_combat import siege


def stayed(**more) -> Game:
    """Two blocks in Ueda have said that they stay inside, and were besieged once."""
    game = siege("mori2 mori3", **more)
    assert game.legal == {"inside", "outside"}
    game.by(0, "standing inside ueda")
    assert (game.phase, game.state.battle.siege, game.acts) == ("deploy", True, [1])
    return game.play("done")


def test_a_castle_that_stays_inside_is_asked_no_more_whoever_is_active():
    game = stayed()
    assert game.phase == "move", "the next turn"
    side = game.acts[0]
    game.play("move minimal", "end", "combat ueda")
    assert game.phase != "castle"
    if side == 0:
        assert game.acts == [1], "besieged and active: nothing happened"


def test_it_is_asked_again_when_besiegers_come_or_go_and_when_help_comes():
    for march in ("march saku fukushima2 > ueda", "march ueda date2 > saku"):
        game = stayed()
        while game.acts != [1]:
            game.play("move minimal", "end", "combat ueda")
        game.play("move minimal", march, "end", "combat ueda")
        assert (game.phase, game.acts) == ("castle", [0])
        assert game.state.stays == {}, "for good"


def test_it_is_taken_back_and_holds_for_no_other_castle():
    game = stayed()
    assert game.refused("standing inside osaka") == "not-besieged"
    game.by(0, "standing ask ueda")
    while game.acts != [1]:
        game.play("move minimal", "end", "combat ueda", "inside")
    assert game.play("move minimal", "end", "combat ueda").phase == "castle"


def test_nobody_else_sees_it_and_a_state_without_it_is_written_as_before():
    game = stayed()
    assert ENGINE.view(game.state, 0).stays == ("ueda",)
    assert ENGINE.view(game.state, 1).stays == ()
    assert ENGINE.view(game.state, None).stays is None
    assert ENGINE.position(game.state)["stays"] == {"ishida": {"ueda": [2, 3]}}
    again = ENGINE.from_position(ENGINE.position(game.state), Chance(b"", 0)).state
    assert again.stays == game.state.stays
    game.by(0, "standing ask ueda")
    assert game.events == ()
    assert "stays" not in ENGINE.position(game.state)


def test_the_panel_offers_it_with_the_question_and_takes_it_back_where_one_waits():
    game = siege("mori2 mori3")
    assert ENGINE.choices(game.state, 0, ("stay",)) == Ready(action="standing inside ueda")
    game.by(0, "standing inside ueda")
    waiting = ENGINE.choices(game.state, 0)
    assert "unstay" in [choice.key for choice in waiting.choices]
    assert [note.params for note in waiting.notes if note.code == "stays"] == [{"places": ["ueda"]}]
    asked = ENGINE.choices(game.state, 0, ("unstay", "ueda"))
    assert (asked.action, asked.sure) == ("standing ask ueda", True)


def test_what_the_table_keeps_of_it_is_dropped_with_the_siege():
    game = siege("mori2 mori3")
    stand = ENGINE.parse("standing inside ueda", game.state, 0)
    aid = ENGINE.aid(game.state, stand, 0, "never")
    assert aid == "never; inside ueda 2 3"
    assert ENGINE.answer(game.state, 0, aid) == "inside"
    assert ENGINE.settled_still(game.state, 0, aid) == aid
    game.play("outside")
    assert ENGINE.settled_still(game.state, 0, "never; inside ueda 2 2") == "never"
    again = ENGINE.parse("standing ask ueda", game.state, 0)
    assert ENGINE.aid(game.state, again, 0, aid) == "never"
