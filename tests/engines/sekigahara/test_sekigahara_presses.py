"""What one pick settles: a whole stack, a muster and how it comes, a mode and its march, a bid and a wish."""

from __future__ import annotations

from typing import Any

import pytest

from engines.protocol import Prompt, RulesError
from engines.sekigahara.data import BIDS, BLOCK_COUNTS, MON
from engines.sekigahara.model import March, Move
from engines.sekigahara.notation import with_mode
from tests.engines.sekigahara.sekigahara_positions import ENGINE, Game

CAMP = {"kyoto": "mori2 mori3 ukita2 |", "gifu": "ukita3 |", "kuwana": "| maeda2"}


def keys(found: Prompt) -> list[str]:
    """Those of a question's choices."""
    return [choice.key for choice in found.choices]


def carried_out(game: Game, seat: int, text: str) -> str:
    """Orders as a table carries them out: one action after the other; what is left of them."""
    draft = ENGINE.edit(game.state, seat, "", text).draft
    while (due := ENGINE.due(game.state, seat, draft)) is not None:
        if due.send is not None:
            game.by(seat, due.send)
        draft = due.draft
    return str(draft)


# -- movement --------------------------------------------------------------------------------------


def test_all_blocks_of_a_place_march_in_one_pick():  # 17.4
    game = Game(CAMP).play("move minimal")
    first = ENGINE.choices(game.state, 0)
    codes = {choice.key: choice.code for choice in first.choices}
    assert codes["all_kyoto"] == "march-all"
    assert codes["march_kyoto"] == "march-some"
    assert codes["march_gifu"] == "march-at"
    assert "all_gifu" not in codes, "one block is all there is"
    ready = ENGINE.choices(game.state, 0, ("all_kyoto", "minakuchi"))
    assert ready.action == "march kyoto mori2 mori3 ukita2 > minakuchi"
    with pytest.raises(RulesError, match="stale-path"):
        ENGINE.choices(game.state, 0, ("all_edo",))


def test_a_stack_too_large_to_march_whole_is_offered_in_parts_only():  # 17.4
    game = Game({"kyoto": " ".join(["mori2"] * 6 + ["ukita2"] * 6 + ["mori3"] * 5) + " |"}).play(
        "move minimal"
    )
    assert "march_kyoto" in keys(ENGINE.choices(game.state, 0))
    assert "all_kyoto" not in keys(ENGINE.choices(game.state, 0))


def test_whole_stacks_are_left_out_where_one_select_could_not_hold_them():  # 17.4
    places = "aizu anotsu gifu ayabe himeji kanazawa kiyosu kuwana kyoto matsumoto minakuchi okazaki sawayama"
    game = Game(dict.fromkeys(places.split(), "mori2 ukita2 |")).play("move minimal")
    found = keys(ENGINE.choices(game.state, 0))
    assert "march_kyoto" in found
    assert not [key for key in found if key.startswith("all_")]


def test_a_muster_is_one_pick_of_what_comes_and_how():  # 17.4
    game = Game({}, boxes={"ishida": ["kobayakawa2", "kobayakawa3", "mori2"], "tokugawa": []})
    game.play("move minimal")
    how = ENGINE.choices(game.state, 0, ("muster_osaka",))
    home = [key for key in keys(how) if key.startswith("shown_")]
    assert home[0] == "shown_kobayakawa2_kobayakawa3", "all of a mon come first"
    assert set(keys(how)) == {*home, "kobayakawa2", "kobayakawa3", "mori2"}
    for key in home:
        ready = ENGINE.choices(game.state, 0, ("muster_osaka", key))
        faces = key.removeprefix("shown_").replace("_", " ")
        assert ready.action == f"muster osaka {faces} shown"
        assert game.refused(ready.action) == "allowed"


def test_a_box_with_too_many_groups_asks_for_the_mon_first():  # 17.4
    box = [face for face in BLOCK_COUNTS["ishida"] if MON[face] == "kobayakawa"] * 3
    box = [face for face in box for _ in range(2)]
    game = Game({}, boxes={"ishida": box, "tokugawa": []}).play("move minimal")
    found = ENGINE.choices(game.state, 0, ("muster_osaka",))
    assert {"kobayakawa", *box} == set(keys(found))
    which = ENGINE.choices(game.state, 0, ("muster_osaka", "kobayakawa"))
    assert (which.code, which.least) == ("muster-blocks", 1)


def test_a_mode_is_paid_for_with_what_it_allows():  # 17.4
    game = Game(CAMP)
    next_ = ENGINE.choices(game.state, 0, ("limited_mori",))
    assert next_.code == "movement"
    assert game.phase == "move", "nothing is spent by looking"
    assert {"all_kyoto", "march_gifu", "end", "pay"} <= set(keys(next_))
    assert ENGINE.choices(game.state, 0, ("limited_mori", "pay")).action == "move limited mori"
    ready = ENGINE.choices(game.state, 0, ("limited_mori", "all_kyoto", "minakuchi"))
    assert ready.action == "orders move limited mori; march kyoto mori2 mori3 ukita2 > minakuchi"
    assert not ready.sure
    assert ready.then is not None
    assert carried_out(game, 0, ready.action) == ""
    assert game.at("minakuchi")[0] == "mori2 mori3 ukita2"
    assert game.hand("ishida") == 4


def test_a_payment_is_always_confirmed():  # 17.4
    alone = Game({}, mori_box=[], boxes={"ishida": [], "tokugawa": []})
    del alone.state.map["osaka"]
    found = ENGINE.choices(alone.state, 0, ("limited_mori", "end"))
    assert found.action == "orders move limited mori; end"
    assert not found.sure


def test_orders_for_a_movement_phase_are_checked_as_if_those_before_had_been_done():  # 17.4
    game = Game(CAMP)
    both = "orders move limited mori; march kyoto mori2 > minakuchi; march gifu ukita3 > kiyosu; end"
    assert ENGINE.edit(game.state, 0, "", both).draft == both.removeprefix("orders ")
    for text, code in (
        ("orders march kyoto mori2 > minakuchi", "orders-move-only"),
        ("orders move limited mori; bid ukita", "orders-move-only"),
        ("orders move none; discard mori", "orders-move-only"),  # it would draw cards
        ("orders move limited mori; end; march kyoto mori2 > minakuchi", "orders-move-only"),
        ("orders move limited maeda", "not-in-hand"),
        ("orders move minimal; march kyoto mori2 > minakuchi; march gifu ukita3 > kiyosu", "no-activation"),
    ):
        with pytest.raises(RulesError, match=code):
            ENGINE.edit(game.state, 0, "", text)
    assert carried_out(game, 0, both) == ""
    assert game.phase != "march"
    assert ENGINE.begun(Game(CAMP).state, 1) is None, "the other side has nothing to order"


def test_orders_for_a_movement_phase_are_completed_one_action_after_the_other():  # 17.4
    game = Game({"kyoto": "mori2 |"})
    assert "orders move limited mori" in ENGINE.complete_draft("orders ", game.state, 0, "")
    more = ENGINE.complete_draft("orders move limited mori; ", game.state, 0, "")
    assert "orders move limited mori; march kyoto mori2 > minakuchi" in more
    assert ENGINE.complete_draft("orders move minimal; end; ", game.state, 0, "") == []


def test_what_a_march_leads_to_is_foreseen_with_the_cards_that_are_left():  # 17.4
    game = Game({"kyoto": "mori2 mori3 ukita2 |", "minakuchi": "| maeda2 maeda3"})
    march = "march kyoto mori2 mori3 ukita2 > minakuchi"
    mode, last = with_mode(f"orders move total mori mori-sword; {march}")
    assert isinstance(mode, Move)
    assert isinstance(last, March)
    assert (mode.cards, last.path) == (("mori", "mori-sword"), ("minakuchi",))
    paid = Game({"kyoto": "mori2 mori3 ukita2 |", "minakuchi": "| maeda2 maeda3"})
    paid.play("move total mori mori-sword")
    ahead = ENGINE.foresee(
        ENGINE.view(game.state, 0), f"orders move total mori mori-sword; {march}", odds=True
    )
    assert ahead
    assert ahead == ENGINE.foresee(ENGINE.view(paid.state, 0), march, odds=True)


# -- the bid -----------------------------------------------------------------------------------------


def bidding() -> Game:
    """Both sides are to bid."""
    return Game({}, phase="bid")


def test_a_bid_says_who_goes_first_and_that_confirms_it():  # 17.4
    game = bidding()
    asked = ENGINE.choices(game.state, 0, ("mori",))
    assert (asked.code, keys(asked)) == ("bid-first", ["ishida", "tokugawa", "later"])
    wish = ENGINE.choices(game.state, 0, ("mori", "tokugawa"))
    assert (wish.action, wish.sure) == ("orders bid mori; first tokugawa", True)
    later = ENGINE.choices(game.state, 0, ("mori", "later"))
    assert (later.action, later.sure) == ("bid mori", True)


@pytest.mark.parametrize("last", ["winner", "loser"])
def test_who_wins_the_bid_is_not_asked_again_and_who_loses_it_has_no_say(last):  # 17.4
    game = bidding()
    high = max(game.state.hands["ishida"], key=lambda card: BIDS["ishida"][card])
    low = min(game.state.hands["tokugawa"], key=lambda card: BIDS["tokugawa"][card])
    assert BIDS["ishida"][high] > BIDS["tokugawa"][low]
    orders = [(0, f"orders bid {high}; first tokugawa"), (1, f"orders bid {low}; first tokugawa")]
    left = dict[int, str]()
    for seat, text in orders if last == "loser" else reversed(orders):
        left[seat] = carried_out(game, seat, text)
    if last == "loser":
        assert left == {0: "first tokugawa", 1: "first tokugawa"}
        assert ENGINE.begun(game.state, 1) is None, "the wish of the side that lost is forgotten"
        due: Any = ENGINE.due(game.state, 0, left[0])
        assert (due.send, due.draft) == ("first tokugawa", "")
        game.by(0, due.send)
    assert game.state.first == "tokugawa"
    assert game.phase == "move"


def test_a_wish_is_kept_under_one_name_from_the_bid_to_the_choice_and_for_no_other_week():  # 17.4
    game = bidding()
    before = ENGINE.begun(game.state, 0)
    game.by(0, "bid mori")
    assert ENGINE.begun(game.state, 0) == before
    game.by(1, f"bid {min(game.state.hands['tokugawa'], key=BIDS['tokugawa'].__getitem__)}")
    winner = game.acts[0]
    assert game.phase == "first"
    assert ENGINE.begun(game.state, winner) == before
    game.by(winner, "first ishida")
    assert ENGINE.begun(game.state, 0) != before


def test_who_has_bid_may_wish_otherwise_until_the_other_has():  # 17.4
    game = bidding()
    game.by(0, "bid mori")
    waiting = ENGINE.choices(game.state, 0)
    assert {"ishida", "tokugawa", "later"} <= set(keys(waiting))
    kept = ""
    for key, left in (("tokugawa", "first tokugawa"), ("ishida", "first ishida"), ("later", "")):
        ready = ENGINE.choices(game.state, 0, (key,))
        assert ready.sure
        kept = ENGINE.edit(game.state, 0, kept, ready.action).draft
        assert kept == left
    elsewhere = Game({}).state
    assert not {"ishida", "later"} & set(keys(ENGINE.choices(elsewhere, 1))), "there is no bid to win"


def test_orders_with_a_bid_are_a_bid_and_who_goes_first():  # 17.4
    game = bidding()
    for text, code in (
        ("orders bid mori", "orders-bid-only"),
        ("orders first ishida", "orders-bid-only"),
        ("orders bid maeda; first ishida", "not-in-hand"),
        ("orders deploy mori3 with mori", "orders-bid-only"),
    ):
        with pytest.raises(RulesError, match=code):
            ENGINE.edit(game.state, 0, "", text)
    assert "orders bid mori; first ishida" in ENGINE.complete_draft("orders b", game.state, 0, "")
    game.by(0, "bid mori")
    assert ENGINE.edit(game.state, 0, "", "orders first ishida").draft == "first ishida"
    assert ENGINE.edit(game.state, 0, "first ishida", "orders").draft == "", "and it is withdrawn"
    assert ENGINE.complete_draft("orders", game.state, 0, "") == [
        "orders first ishida",
        "orders first tokugawa",
    ]
