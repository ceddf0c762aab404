"""Near misses: each is refused by the code that fits, with every parameter that its words name."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engines.chance import Chance
from engines.protocol import RulesError
from tests.engines.sekigahara.sekigahara_positions import ENGINE, Game
from tests.locales.catalogue import read


@pytest.fixture(scope="module")
def templates() -> dict[str, str]:
    return {key: " ".join(texts) for key, texts in read("en").items()}


def refusal(game: Game, text: str, templates: dict[str, str]) -> tuple[str, dict[str, Any]]:
    """The code and parameters with which whoever has to decide is refused; its words can be filled."""
    seat = min(ENGINE.to_act(game.state))
    with pytest.raises(RulesError) as caught:
        ENGINE.apply(game.state, seat, ENGINE.parse(text, game.state, seat), Chance(b"x", 1))
    code, params = caught.value.code, caught.value.params
    words = templates.get(f"sekigahara.error.{code}") or templates[f"error.{code}"]
    assert {name for name in re.findall(r"{(\w+)", words) if params.get(name) in (None, "", [])} == set(), (
        text
    )
    return code, params


def check(game: Game, templates: dict[str, str], cases: dict[str, str]) -> None:
    assert {text: refusal(game, text, templates)[0] for text in cases} == cases


def moving() -> Game:
    places = {
        "kyoto": "mori2 ukita2 mori-leader |",
        "minakuchi": "| date2",
        "gifu": "kobayakawa2 | date2 besieged",
        "himeji": "ukita3 |",
    }
    return Game(places, boxes={"ishida": ["mori3", "ukita-cav", "kobayakawa2"], "tokugawa": []})


def test_declarations(templates):
    check(moving(), templates, {
        "move": "bad-action", "move total mori": "wrong-price", "move none mori": "wrong-price",
        "move total mori date": "not-in-hand", "move limited uesugi": "not-in-hand", "end": "not-now",
        "march kyoto mori2 > minakuchi": "not-now", "discard mori": "not-now", "done": "not-now",
    })  # fmt: skip


def test_movement(templates):
    game = moving().play("move limited mori")
    check(game, templates, {
        "move none": "not-now", "discard mori": "no-redraw", "combat gifu": "not-now", "inside": "not-now",
        "march kyoto > sawayama": "no-block-named", "march kyoto mori3 > sawayama": "not-there",
        "march gifu kobayakawa2 > kiyosu": "besieged", "march edo mori2 > oshi": "not-there",
        "march kyoto mori2 > gifu": "no-path", "march kyoto mori2 > minakuchi > kyoto": "segment-used",
        "march kyoto mori2 > minakuchi > kuwana": "enemy-in-way",
        "march kyoto mori2 > sawayama > gifu > iwamura > kiso": "too-far",
        "march kyoto mori2 > sawayama -mori2 > gifu": "bad-drop",
        "march kyoto mori2 ukita2 > sawayama -mori2 > gifu force ukita": "force-drop",
        "march kyoto mori2 > sawayama leader ukita-leader": "no-leader",
        "march kyoto mori2 > sawayama force date": "not-in-hand",
        "muster osaka mori3 shown": "muster-one-mon", "muster himeji mori3 ukita-cav shown": "muster-one-mon",
        "muster osaka": "no-block-named", "muster himeji mori3 mori2 shown": "not-in-box",
        "muster osaka kobayakawa2 mori3": "muster-one-block", "muster edo mori3": "bad-muster-place",
        "mori ukita = mori-leader": "mori-leader-last", "mori ukita = mori3 mori3": "mori-cards",
        "mori date = mori3": "not-in-hand", "mori ukita = ukita2": "not-in-box",
    })  # fmt: skip
    game.play("march kyoto mori2 > ayabe", "march himeji ukita3 > osaka", "muster himeji mori3")
    check(game, templates, {
        "march ayabe mori2 > miyazu": "no-activation", "march kyoto ukita2 > ayabe": "segment-used",
        "muster himeji ukita-cav": "no-muster", "march himeji mori3 > ayabe": "moved-already",
    })  # fmt: skip


def test_only_what_is_missing_is_named(templates):
    assert refusal(moving(), "move total mori date", templates)[1]["cards"] == ["date"]
    game = moving().play("move minimal")
    assert refusal(game, "march kyoto mori2 mori3 > sawayama", templates)[1]["blocks"] == ["mori3"]
    assert refusal(game, "muster himeji mori3 mori2 shown", templates)[1]["blocks"] == ["mori2"]


def test_what_may_be_done_now_is_named(templates):
    game = moving()
    assert refusal(game, "end", templates)[1]["may"] == ["move"]
    game.play("move none")
    assert refusal(game, "done", templates)[1]["may"] == ["mori", "discard", "end"]
    assert refusal(moving().play("move minimal"), "done", templates)[1]["may"] == [
        "march",
        "muster",
        "mori",
        "end",
    ]


def fighting() -> Game:
    hands = {"ishida": ["ukita-double", "mori", "ukita", "loyalty"], "tokugawa": ["date", "loyalty", "maeda"]}
    places = {
        "kyoto": "ukita2 ukita3 mori-leader mori-gun |",
        "minakuchi": "| date2 date3 date-leader",
        "gifu": "mori2 | date-cav besieged",
    }
    game = Game(places, hands=hands).play("move minimal")
    return game.play("march kyoto ukita2 ukita3 mori-leader mori-gun > minakuchi", "end")


def test_battles(templates):
    game = fighting()
    check(game, templates, {"combat kyoto": "no-combat-there", "end": "not-now"})
    check(game.play("combat minakuchi"), templates, {
        "deploy": "no-block-named", "deploy ukita2": "no-such-leader", "challenge": "not-now",
        "deploy mori-leader ukita2": "no-such-leader", "deploy ukita2 with mori": "card-does-not-deploy",
        "deploy ukita2 with ukita-sword": "not-in-hand", "deploy ukita2 ukita3 with ukita": "too-many-blocks",
        "deploy ukita2 mori-gun with ukita-double": "card-does-not-deploy",
        "deploy ukita2 ukita2 with ukita-double": "no-such-block", "deploy date2 with date": "no-such-block",
        "deploy ukita2 with loyalty": "card-does-not-deploy",
    })  # fmt: skip
    check(game.play("deploy ukita2 ukita3 with ukita-double"), templates, {"done": "not-now"})
    check(game.play("challenge"), templates, {
        "show loyalty": "no-proof", "show mori": "no-proof", "show ukita-double": "not-in-hand",
        "accept": "not-now",
    })  # fmt: skip
    check(game.play("concede"), templates, {"deploy mori-leader": "leaders-first"})
    check(game.play("done", "done"), templates, {
        "lose": "wrong-losses", "lose ukita2 ukita3": "wrong-losses", "lose mori-gun": "not-to-lose",
        "lose sanada": "not-to-lose", "retreat kyoto": "not-now",
    })  # fmt: skip
    assert refusal(game, "lose mori-gun", templates)[1]["pool"] == ["ukita2", "ukita3"]


def test_retreats(templates):
    game = Game({"gifu": "mori2 mori3 ukita2 ukita3 | date2 date3 besieged"}, phase="combat")
    game.play("combat gifu", "done", "done", "lose ukita3")
    check(game, templates, {
        "retreat kyoto": "bad-retreat", "retreat castle mori2": "where-to",
        "retreat kiyosu castle date2": "not-there",
        "retreat kiyosu castle mori2 mori3 ukita2": "castle-full",
    })  # fmt: skip


def test_an_exchange_of_no_cards_is_used_up_and_told(templates):
    game = Game({}).play("move none", "discard")
    assert [event.code for event in game.events] == ["redrawn-none"]
    assert game.events[0].seen_by(1) == game.events[0].seen_by(None)
    assert ENGINE.view(game.state, None).march.redrawn
    assert refusal(game, "discard", templates)[0] == "no-redraw"
