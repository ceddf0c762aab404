"""The week: discards, reinforcements, bids, set-up, positions (5, 6)."""

from typing import Any

import pytest

from engines.chance import Chance
from engines.protocol import RulesError, canonical
from engines.sekigahara.data import PLACES
from engines.sekigahara.model import SekigaharaOptions
from tests.engines.sekigahara.sekigahara_positions import ENGINE, Game


def test_hands_of_less_than_two_cards_are_not_asked_for_discards():
    hands = {"ishida": ["mori"], "tokugawa": ["date", "date", "maeda"]}
    game = Game({}, phase="discard", hands=hands)
    assert game.acts == [1]
    game.play("discard maeda")
    assert (game.phase, game.hand("ishida"), game.hand("tokugawa")) == (
        "bid",
        6,
        8,
    )  # Tokugawa has five castles


def test_the_side_with_more_castles_draws_one_more_and_ties_of_resources_bring_both_a_block():
    game = Game({}, phase="discard").by(0, "discard mori ukita").by(1, "discard maeda date")
    assert (game.hand("ishida"), game.hand("tokugawa")) == (8, 9)
    assert {side: len(box) for side, box in game.state.boxes.items()} == {"ishida": 3, "tokugawa": 3}


def test_an_empty_deck_is_reshuffled_and_an_empty_bag_gives_nothing():
    more: dict[str, Any] = {
        "decks": {"ishida": ["mori"], "tokugawa": []},
        "discards": {"ishida": ["ukita", "uesugi"], "tokugawa": []},
    }
    game = Game({}, phase="discard", bags={"ishida": [], "tokugawa": ["date2"]}, **more)
    game.by(0, "discard mori ukita").by(1, "discard maeda date")
    assert game.hand("ishida") == 3 + 5
    assert game.state.discards["ishida"] == ()
    assert game.hand("tokugawa") == 5
    assert game.state.boxes == {"ishida": (), "tokugawa": ("date2",)}


def test_only_the_last_card_named_shows():
    game = Game({}, phase="discard").by(1, "discard maeda date").by(0, "discard ukita mori")
    assert ENGINE.view(game.state, 1).tops == {"ishida": "mori", "tokugawa": "date"}


def test_an_empty_hand_does_not_bid():
    game = Game({}, phase="bid", hands={"ishida": [], "tokugawa": ["date"]})
    assert game.acts == [1]
    assert game.play("bid date").acts == [1]
    assert game.phase == "first"
    assert Game({}, phase="bid", hands={"ishida": [], "tokugawa": []}).acts == [1]


def test_a_sealed_choice_cannot_be_changed_and_is_kept_secret():
    game = Game({}, phase="bid").by(0, "bid ukita")
    assert game.acts == [1]
    with pytest.raises(RulesError, match="not-your-turn"):
        game.by(0, "bid mori")
    assert ENGINE.view(game.state, 1).sealed is None
    assert ENGINE.view(game.state, 1).sealed_by == ("ishida",)


def test_the_first_player_goes_first_in_both_turns():
    game = Game({}, phase="bid").by(0, "bid loyalty").by(1, "bid date").play("first tokugawa")
    seen = []
    for _ in range(4):
        seen.append((game.state.turn, game.state.active))
        game.play("move minimal", "end")
    assert seen == [("A", "tokugawa"), ("A", "ishida"), ("B", "tokugawa"), ("B", "ishida")]
    assert (game.phase, game.state.week, game.acts) == ("discard", 4, [0, 1])


@pytest.mark.parametrize(("aizu", "blocks", "bag"), [("printed3", 4, 20), ("revised5", 6, 18)])
def test_the_set_up(aizu, blocks, bag):
    state = ENGINE.setup(SekigaharaOptions(aizu=aizu), 2, Chance(b"x", 0)).state
    assert len(state.map["aizu"].ishida) == blocks
    assert [len(state.map[place].ishida) for place in ("osaka", "kyoto", "gifu", "ueda")] == [8, 2, 2, 3]
    assert [len(state.map[p].tokugawa) for p in ("edo", "kanazawa", "kiyosu", "sendai", "okazaki")] == [
        6,
        5,
        4,
        4,
        0,
    ]
    assert (len(state.bags["ishida"]), len(state.boxes["ishida"]), len(state.mori_box)) == (bag, 4, 5)
    assert (len(state.hands["tokugawa"]), len(state.decks["tokugawa"])) == (5, 50)
    assert state.control == {"kyoto": "ishida", "edo": "tokugawa"}
    assert (state.phase, state.week) == ("bid", 1)


def test_a_position_comes_back_as_it_was():
    state = ENGINE.setup(SekigaharaOptions(), 2, Chance(b"x", 0)).state
    position = ENGINE.position(state)
    assert list(position["map"]) == list(PLACES)
    again = ENGINE.from_position(position, Chance(b"y", 0)).state
    assert canonical(ENGINE.position(again)) == canonical(position)
    assert ENGINE.load(ENGINE.dump(state)) == state


@pytest.mark.parametrize(
    "change",
    [
        {"map": {"paris": {"ishida": ["mori2"]}}},
        {"map": {"kyoto": {"ishida": ["date2"]}}},
        {"hands": {"ishida": ["date"]}},
        {"phase": "march"},
        {"phase": "deploy"},
        {"week": 8},
        {"phase": "nothing"},
        {"phase": ["move"]},
        {"phase": {"move": 1}},
        {"bags": {"ishida": ["mori9"]}},
        {"extra": 1},
    ],
)
def test_positions_that_cannot_be_played_on_are_refused(change):
    position = {**ENGINE.position(Game({}).state), **change}
    with pytest.raises(RulesError, match="bad-position"):
        ENGINE.from_position(position, Chance(b"", 0))


@pytest.mark.parametrize(
    "text",
    [
        "discard date loyalty", "bid date-sword", "first ishida", "move limited date", "end", "done",
        "march kyoto mori2 mori3 > minakuchi -mori2 > kuwana leader ukita-leader force mori", "concede",
        "accept", "challenge", "inside", "outside", "show ukita",
        "muster osaka kobayakawa3 shown", "mori ukita = mori3", "combat kiyosu",
        "deploy ukita2 ukita2 with ukita-double", "deploy mori-leader", "lose mori2 sanada",
        "retreat castle mori2 mori3",
        "retreat gifu castle mori3", "standing never", "resign",
    ],
)  # fmt: skip
def test_notation_and_json_say_the_same(text):
    state = Game({}).state
    action = ENGINE.parse(text, state, 0)
    assert ENGINE.format(action) == text
    data = canonical(action.model_dump(mode="json", by_alias=True, exclude_none=True))
    assert ENGINE.parse(data, state, 0) == action


UNREADABLE = [
    "",
    "march",
    "march kyoto",
    "deploy with",
    "mori",
    "retreat",
    "bid",
    "bid a b",
    "{}",
    "x y",
    "lose mori9",
]


@pytest.mark.parametrize("text", [*UNREADABLE, "march kyoto mori2 > a b"])
def test_what_cannot_be_read_is_refused_by_a_code(text):
    game = Game({})
    assert game.refused(text) != "allowed"


def test_a_fight_may_be_given_by_its_essentials():
    battle = {
        "at": "minakuchi",
        "attacker": "ishida",
        "pending": {"side": "ishida", "card": "ukita", "blocks": ["ukita2"]},
    }
    game = Game({"minakuchi": "ukita2 mori2 | date2 date3", "kyoto": "|"}, phase="challenge", battle=battle)
    assert game.acts == [1]
    assert game.state.battle.used["ishida"] == ("ukita",)
    assert game.play("accept").state.battle.impact == {"ishida": 2, "tokugawa": 0}


def test_a_march_lasts_from_its_phase_to_the_end_of_the_turn():
    march = {"mode": "limited", "activated": ["kyoto"], "moved": {"kuwana": ["mori2"]}}
    game = Game({"kuwana": "mori2 |"}, phase="bid", active="tokugawa", march={**march, "moved": {}})
    assert game.state.march is None
    game = Game({"kuwana": "mori2 |", "kyoto": "mori3 |"}, phase="march", march=march)
    assert game.refused("march kuwana mori2 > kiyosu") == "moved-already"
    assert game.play("end").state.march is None


def test_losses_are_gone_on_with_from_a_position():
    battle = {
        "at": "minakuchi",
        "attacker": "ishida",
        "impact": {"ishida": 3, "tokugawa": 8},
        "losses": {"ishida": 2},
    }
    game = Game({"minakuchi": "ukita2 mori2 mori3 | date2 date3", "kyoto": "|"}, phase="lose", battle=battle)
    assert game.acts == [0]
    assert game.refused("lose mori2") == "wrong-losses"
    game.play("lose mori2 ukita2")
    assert game.legal == {"retreat kyoto", "retreat kuwana"}  # nobody marched in this turn: any
