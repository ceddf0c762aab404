"""Beside the questions of a battle: odds from what a side may know, orders, scores, and the summary."""

from __future__ import annotations

import os
import time
from typing import Any

import pytest

from engines.chance import Chance
from engines.protocol import Follow, Ready, RulesError, Seen
from engines.sekigahara.data import OTHER, SIDES, TOKUGAWA
from engines.sekigahara.odds import odds
from tests.engines.sekigahara.sekigahara_games import random_game
from tests.engines.sekigahara.sekigahara_positions import ENGINE, Game
from tests.engines.sekigahara.test_sekigahara_secrets import permuted

COUNT = int(os.environ.get("HATAMOTO_COUNT", "3"))
SLOWEST_S = 1.0  # far above what is measured: the panel must never hang on its odds


def fight(ishida: str, tokugawa: str, **more: Any) -> Game:
    """A battle at Kiyosu that Ishida has just declared."""
    march = {"mode": "total", "activated": ["kyoto"], "entered": {"kiyosu": ["kuwana"]}}
    game = Game({"kiyosu": f"{ishida} | {tokugawa}"}, phase="combat", march=march, **more)
    return game.play("combat kiyosu")


def known(game: Game, seat: int) -> Any:
    """The odds for a seat."""
    return odds(ENGINE.view(game.state, seat), SIDES[seat])


# -- odds ------------------------------------------------------------------------------------


def test_odds_go_with_the_strength_that_is_seen():
    strong = fight("mori3 mori3 mori2 mori-gun ukita3 ukita3", "maeda2")
    weak = fight("mori2", "maeda3 maeda3 tokugawa3 tokugawa3 tokugawa2")
    assert known(strong, 0).wins > 75
    assert known(weak, 0).wins < 40
    assert known(weak, 1).wins > 75
    assert known(weak, 0).own_losses > known(weak, 0).their_losses


def test_without_a_card_or_a_leader_a_side_cannot_win():
    bare = fight("mori2 mori3", "maeda2", hands={"ishida": [], "tokugawa": ["maeda", "maeda-sword"]})
    assert known(bare, 0).wins == 0, "the defender wins where both have nothing"


def test_a_siege_and_a_spectator_have_no_odds():
    game = Game({"okazaki": "mori3 mori3 | fukushima2"}, phase="combat", march={"mode": "total"})
    game.play("combat okazaki", "inside")
    assert known(game, 0) is None
    assert odds(ENGINE.view(fight("mori2", "maeda2").state, None), "ishida") is None


def check_odds(seeds):
    """Odds of these games are the same whatever is hidden, and come at once; how many were compared."""
    compared = 0
    for seed in seeds:
        for state, _seat, _action in random_game(seed):
            if state.battle is None or state.battle.siege or state.phase not in ("deploy", "challenge"):
                continue
            for viewer in (0, 1):
                mixed = permuted(state, OTHER[SIDES[viewer]], Chance(b"odds", seed))
                start = time.process_time()
                first = odds(ENGINE.view(state, viewer), SIDES[viewer], 10)
                assert time.process_time() - start < SLOWEST_S
                assert first == odds(ENGINE.view(mixed, viewer), SIDES[viewer], 10)
                assert first is not None
                assert 0 <= first.wins <= 100
                compared += 1
    return compared


def test_odds_follow_from_the_own_view_alone():
    assert check_odds(range(1)) > 10


@pytest.mark.long
def test_odds_of_many_games_follow_from_the_own_view_alone():
    assert check_odds(range(1, 1 + COUNT)) > 10


# -- the panel ---------------------------------------------------------------------------------


def test_every_deployment_says_what_it_scores_and_what_the_score_is_then():
    game = fight("mori3 mori-gun", "maeda2").play("deploy mori3 with mori", "accept")
    assert game.acts == [1]
    game.play("deploy maeda2 with maeda", "accept")
    prompt = ENGINE.choices(game.state, 1)
    assert {choice.key for choice in prompt.choices if not choice.aside} == set(), "nothing is left to deploy"
    game.play("done")
    offered = {c.key: c for c in ENGINE.choices(game.state, 0).choices}
    assert offered["mori-sword_mori-gun"].params == {
        "what": "mori-gun", "card": "mori-sword", "n": 4, "own": 7, "other": 2,
    }  # fmt: skip
    ready = ENGINE.choices(game.state, 0, ("mori-sword_mori-gun",))
    then = Follow(code="done", action="orders done")
    assert ready == Ready(action="deploy mori-gun with mori-sword", warning="deploy", once=True, then=then)


def test_several_are_deployed_at_once_the_first_now_and_the_others_as_orders():  # 17.4
    game = fight("mori3 mori-gun", "maeda2")
    prompt = ENGINE.choices(game.state, 0)
    assert (prompt.code, prompt.least, prompt.most) == ("deploy", 1, 2)
    ready = ENGINE.choices(game.state, 0, ("mori_mori3+mori-sword_mori-gun",))
    assert ready.action == "orders deploy mori3 with mori; deploy mori-gun with mori-sword"
    assert (ready.warning, ready.once) == ("deploy-several", True)
    assert edited(game, 0, ready.action).draft == ready.action.removeprefix("orders ")


def test_what_cannot_be_deployed_together_is_asked_about_anew():  # 17.4
    game = fight("mori3 mori-gun", "maeda2")
    again = ENGINE.choices(game.state, 0, ("mori_mori3+mori_mori-gun",))
    assert again.code == "deploy"
    assert "not-together" in [note.code for note in again.notes]
    ready = ENGINE.choices(game.state, 0, ("mori_mori3+mori_mori-gun", "mori_mori3"))
    assert ready.action == "deploy mori3 with mori"


def test_no_more_is_deployed_unasked_where_nothing_can_be():  # 17.4
    game = fight("mori3 mori-gun", "maeda2").play("deploy mori3 with mori", "accept")
    game.play("deploy maeda2 with maeda", "accept")
    assert ENGINE.choices(game.state, 1, ("done",)).sure
    game.play("done")
    assert not ENGINE.choices(game.state, 0, ("done",)).sure


def test_who_waits_has_choices_but_no_action_of_the_phase():
    game = fight("mori3 mori-gun", "maeda2")
    keys = [choice.key for choice in ENGINE.choices(game.state, 1).choices]
    assert keys == ["odds", "orders", "never"]
    assert ENGINE.choices(game.state, 1, ("never",)).action == "standing never"
    with pytest.raises(RulesError, match="stale-path"):
        ENGINE.choices(game.state, 1, ("done",))


# -- orders --------------------------------------------------------------------------------------


def edited(game: Game, seat: int, text: str, draft: str = "") -> Any:
    return ENGINE.edit(game.state, seat, draft, text)


def test_orders_are_checked_as_if_those_before_had_stood():
    game = fight("mori3 mori3 mori-gun", "maeda2")
    both = edited(game, 0, "orders deploy mori3 with mori; DEPLOY mori-gun with mori-sword ; done")
    assert both.draft == "deploy mori3 with mori; deploy mori-gun with mori-sword; done"
    assert both.send is None
    for text, code in (
        ("orders deploy mori3 with mori; deploy mori3 with mori", "not-in-hand"),
        ("orders deploy mori2 with mori", "no-such-block"),
        ("orders done; deploy mori3 with mori", "orders-deploy-only"),
        ("orders accept", "orders-deploy-only"),
        ("orders deploy mori3 by mori", "bad-action"),
    ):
        with pytest.raises(RulesError) as refused:
            edited(game, 0, text)
        assert refused.value.code == code
    assert edited(game, 0, "deploy mori3 with mori") is None, "an action as ever"
    assert edited(game, 0, "orders", both.draft).draft == ""


def test_orders_wait_for_the_initiative_and_are_dropped_once_impossible():
    game = fight("mori3 mori-gun", "maeda2")
    mine = "deploy maeda2 with maeda; done"
    assert ENGINE.due(game.state, 1, mine) is None
    game.play("deploy mori3 with mori", "accept")
    due = ENGINE.due(game.state, 1, mine)
    assert (due.send, due.draft) == ("deploy maeda2 with maeda", "done")
    gone = ENGINE.due(game.state, 1, "deploy tokugawa3 with tokugawa; done")
    assert (gone.send, gone.draft) == (None, "")


def test_orders_are_for_one_battle_and_not_for_who_is_done_or_besieged():
    game = fight("mori3 mori-gun", "maeda2")
    assert ENGINE.begun(game.state, 0).round != ENGINE.begun(fight("mori3", "maeda2", week=4).state, 0).round
    assert not ENGINE.begun(game.state, 0).asks
    game.play("done")
    assert ENGINE.begun(game.state, 0) is None
    siege = Game({"okazaki": "mori3 mori3 | fukushima2"}, phase="combat", march={"mode": "total"})
    siege.play("combat okazaki", "inside")
    assert ENGINE.begun(siege.state, 1) is None
    assert ENGINE.begun(siege.state, 0) is not None


def test_orders_are_completed_one_deployment_after_the_other():
    game = fight("mori3 mori-gun", "maeda2")
    first = ENGINE.complete_draft("orders", game.state, 0, "")
    assert "orders deploy mori3 with mori" in first
    assert "orders done" in first
    more = ENGINE.complete_draft("orders deploy mori3 with mori;", game.state, 0, "")
    assert "orders deploy mori3 with mori; deploy mori-gun with mori-sword" in more
    assert all(text.startswith("orders deploy mori3 with mori; ") and len(text) <= 100 for text in more)
    assert not [t for t in ENGINE.complete_draft("orders", game.state, 1, "") if "mori" in t]


# -- chapters ------------------------------------------------------------------------------------------


def test_a_battle_is_one_chapter_and_is_summed_up_when_it_is_over():
    game = fight("mori3 mori-gun ukita2", "maeda2 maeda3")
    name, told = ENGINE.chapter(game.state), list[Seen]()
    assert name is not None
    for text in ("deploy mori3 with mori", "accept", "deploy maeda3 with maeda", "challenge", "concede"):
        game.play(text)
        told += [event.seen_by(None) for event in game.events]
        assert ENGINE.chapter(game.state) == name
    while game.phase != "over" and ENGINE.chapter(game.state) == name:
        game.play("done" if "done" in game.legal else min(game.legal))
        told += [event.seen_by(None) for event in game.events]
    facts = {fact.code: fact.params for fact in ENGINE.recap(told)}
    assert facts["battle"]["at"] == "kiyosu"
    assert facts["defected"] == {"seat": 1, "blocks": ["maeda3"]}
    assert ENGINE.recap(told[:3]) == (), "not over yet"


def test_a_leader_whose_loss_ends_the_game_is_asked_about_when_typed():
    game = fight("mori3", "maeda2")
    lose = ENGINE.parse(f"lose {TOKUGAWA}", game.state, 1)
    assert ENGINE.confirm(game.state, 1, lose).warning == "leader-lost"
    assert ENGINE.confirm(game.state, 0, ENGINE.parse("done", game.state, 0)).warning is None
