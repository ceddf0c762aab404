"""How a march is asked for, completed and refused: branches, and item 15 of issue 13."""

from __future__ import annotations

from typing import Any

import pytest

from engines.chance import Chance
from engines.protocol import Ready, RulesError
from engines.sekigahara import opponent, steps
from engines.sekigahara.board import board_of
from locales import words
from tests.engines.sekigahara.sekigahara_positions import ENGINE, Game

SPLIT = (
    "march osaka mori2 ukita2 kobayakawa2 > kyoto -ukita2 -kobayakawa2 > sawayama > gifu"
    " / kyoto ukita2 kobayakawa2 > minakuchi -kobayakawa2 > kuwana"
)


def camp() -> Game:
    return Game({"osaka": "ishida-leader mori2 ukita2 kobayakawa2 |"}).play("move minimal")


def test_when_no_stack_may_start_any_more_that_is_said():
    game = camp()
    codes = [note.code for note in ENGINE.choices(game.state, 0).notes]
    assert "stacks-left" in codes
    game.play("march osaka mori2 ukita2 kobayakawa2 > kyoto -ukita2 > sawayama")
    codes = [note.code for note in ENGINE.choices(game.state, 0).notes]
    assert "no-stack-left" in codes
    assert "stacks-left" not in codes


def test_every_order_of_branches_is_listed_and_may_be_done():
    game = Game({"kyoto": "mori2 ukita2 kobayakawa2 |"}, hands={"ishida": [], "tokugawa": []}, mori_box=[])
    del game.state.map["osaka"]
    game.play("move minimal")
    listed = ENGINE.legal(game.state, 0)
    assert listed.complete
    one = ("march kyoto mori2 ukita2 kobayakawa2 > sawayama -ukita2 -kobayakawa2 > gifu"
           " / sawayama {} > tsuruga")  # fmt: skip
    assert {one.format("ukita2"), one.format("kobayakawa2"), one.format("ukita2 kobayakawa2")} <= game.legal
    for text in listed.actions:
        assert game.refused(text) == "allowed", text


def test_every_listed_march_is_reached_by_completions_word_by_word():  # 13.15
    none: dict[str, Any] = {"ishida": [], "tokugawa": []}
    game = Game({"gifu": "mori2 ukita2 kobayakawa2 |"}, hands=none, mori_box=[])
    del game.state.map["osaka"]
    game.play("move minimal")
    board = board_of(game.state)
    marches = [text for text in ENGINE.legal(game.state, 0).actions if text.startswith("march")]
    assert any("/" in text for text in marches)
    for text in marches[:: max(1, len(marches) // 150)]:
        typed = text.split()
        for number in range(1, len(typed)):
            if typed[number - 1] not in steps.OPENING:
                found = steps.grown(board, "ishida", " ".join(typed[:number]) + " ")
                assert any(text == line or text.startswith(f"{line} ") for line in found), typed[:number]


def test_a_march_that_is_too_long_for_one_completion_grows_step_by_step():  # 13.15
    blocks = "mori2 mori3 ukita2 ukita3 uesugi3 kobayakawa2 kobayakawa3 mori-cav"
    game = Game({"osaka": f"{blocks} ishida-leader |"}).play("move minimal")
    text = "march osaka"
    for word in blocks.split():
        assert f"{text} {word}" in ENGINE.complete(text, game.state, 0)[:25], text
        text = f"{text} {word}"
    assert f"{text} > kyoto" in ENGINE.complete(f"{text} > ky", game.state, 0)
    assert all(len(line) <= 100 for line in ENGINE.complete(text, game.state, 0))
    assert ENGINE.complete("march osaka", game.state, 1) == []


@pytest.mark.parametrize(
    "typed",
    ["march >", "march / osaka", "march osaka /", "march osaka > / >", "march osaka mori2 > kyoto - -",
     "march nowhere mori2 > x", "march osaka mori2 mori2 > kyoto", "march osaka leader", "march -"],
)  # fmt: skip
def test_junk_is_completed_by_nothing_strange(typed):
    for line in ENGINE.complete(typed, camp().state, 0):
        assert line.startswith("march")


def test_the_panel_asks_who_of_those_left_behind_goes_on():
    game = camp()
    path: tuple[str, ...] = (
        "march",
        "osaka",
        "mori2+ukita2+kobayakawa2",
        "drop",
        "gifu",
        "ukita2+kobayakawa2",
    )
    asked = ENGINE.choices(game.state, 0, path)
    assert (asked.code, asked.params["at"]) == ("march-onward", "kyoto")
    stay = ENGINE.choices(game.state, 0, (*path, "-"))
    assert (
        stay.action == "march osaka mori2 ukita2 kobayakawa2 > kyoto -ukita2 -kobayakawa2 > sawayama > gifu"
    )
    path = (*path, "ukita2+kobayakawa2", "drop", "kuwana", "kobayakawa2")
    assert ENGINE.choices(game.state, 0, path).action == SPLIT
    with pytest.raises(RulesError, match="stale-path"):
        ENGINE.choices(game.state, 0, (*path, "-"))


def test_the_panel_asks_again_while_some_are_left():
    game = camp()
    group = "mori2+ukita2+kobayakawa2"
    path = ("march", "osaka", group, "drop", "sawayama", "ukita2+kobayakawa2", "ukita2", "ayabe")
    again = ENGINE.choices(game.state, 0, path)
    assert again.code == "march-onward"
    assert [choice.key for choice in again.choices] == ["kobayakawa2"]
    assert ENGINE.choices(game.state, 0, (*path, "kobayakawa2", "minakuchi")).action.endswith(
        "/ kyoto ukita2 > ayabe / kyoto kobayakawa2 > minakuchi"
    )


def test_the_panel_warns_of_an_overrun_on_a_branch():
    places = {"osaka": "mori2 ukita2 ukita3 kobayakawa2 |", "minakuchi": "mori3 | date2"}
    game = Game(places).play("move minimal")
    left = "ukita2+ukita3+kobayakawa2"
    ready = ENGINE.choices(
        game.state, 0, ("march", "osaka", f"mori2+{left}", "drop", "sawayama", left, left, "minakuchi")
    )
    assert isinstance(ready, Ready)
    assert ready.warning == "overrun"


def test_where_a_leader_or_a_card_would_do_the_panel_offers_both():  # 13.15
    game = Game({"suwa": "ukita-leader mori2 |"}).play("move minimal")
    targets = ENGINE.choices(game.state, 0, ("march", "suwa", "mori2"))
    numazu = next(choice for choice in targets.choices if choice.key == "numazu")
    assert numazu.params["costs"] == ["leader-or-card"]
    ways = ENGINE.choices(game.state, 0, ("march", "suwa", "mori2", "numazu"))
    assert [choice.params["costs"] for choice in ways.choices] == [["leader-is-shown"], ["card-is-spent"]]
    first = ENGINE.choices(game.state, 0, ("march", "suwa", "mori2", "numazu", "1"))
    assert first.action == "march suwa mori2 > kofu > numazu leader ukita-leader"
    paid = ENGINE.choices(game.state, 0, ("march", "suwa", "mori2", "numazu", "2", "loyalty"))
    assert paid.action == "march suwa mori2 > kofu > numazu force loyalty"


def test_a_musters_panel_offers_only_what_is_legal():  # 13.15
    box = ["mori2", "mori3", "kobayakawa2", "kobayakawa3", "uesugi2"]
    game = Game({}, boxes={"ishida": [face for face in box if face != "uesugi2"], "tokugawa": []})
    game.play("move minimal")

    def check(path: tuple[str, ...]) -> int:
        asked = ENGINE.choices(game.state, 0, path)
        if isinstance(asked, Ready):
            assert game.refused(asked.action) == "allowed"
            return 1
        keys = [choice.key for choice in asked.choices]
        picks = {*keys, "+".join(keys[: asked.most])} if asked.most > 1 else set(keys)
        return sum(check((*path, pick)) for pick in sorted(picks))

    assert check(("muster",)) > 5


def test_the_mori_boxs_panel_offers_only_what_is_legal():  # 13.15
    hands = {"ishida": ["mori"] * 5, "tokugawa": []}
    game = Game({}, hands=hands).play("move minimal")
    some = ENGINE.choices(game.state, 0, ("mori", "some"))
    assert {choice.params["what"] for choice in some.choices} == {"mori3"}
    cards = "+".join(["mori", *(f"mori.{n}" for n in range(2, 6))])
    everybody = ENGINE.choices(game.state, 0, ("mori", "all", cards)).action
    assert game.play(everybody).state.mori_box == ()


def test_a_march_that_cannot_be_read_is_answered_with_its_syntax():  # 13.15
    for text in ("march", "march kyoto", "march kyoto mori2", "march kyoto mori2 >", "march / kyoto > osaka"):
        with pytest.raises(RulesError, match="bad-action") as caught:
            ENGINE.parse(text, camp().state, 0)
        error = caught.value
        for language in ("en", "hu", "he", "ja"):
            told = words(language).error(error.code, error.params, "sekigahara")
            assert "march osaka mori2 ukita2 > kyoto -ukita2 > sawayama" in told, (language, text)
    with pytest.raises(RulesError, match="bad-action") as caught:
        ENGINE.parse("jump", camp().state, 0)
    other = caught.value
    assert "march" not in words("en").error(other.code, other.params, "sekigahara")


def test_one_step_is_told_as_one():  # 13.15
    told = words("en").error("too-far", {"n": 5, "steps": 1}, "sekigahara")
    assert "can take 1 step here" in told
    assert "1 steps" not in words("en").error("too-far", {"n": 1, "steps": 1}, "sekigahara")


def test_the_opponent_splits_a_stack_where_that_gains_more():
    places = {"osaka": "ishida-leader |", "minakuchi": "mori2 mori3 ukita-leader |"}  # one road each way
    none: dict[str, Any] = {"ishida": [], "tokugawa": []}
    game = Game(places, boxes=none, mori_box=[]).play("move minimal")
    text = opponent.choose(ENGINE.view(game.state, 0), "easy", Chance(b"o", 1))
    assert " / kuwana " in text
    game.play(text)
    assert {game.state.map[place].holder for place in ("anotsu", "okazaki")} == {"ishida"}


def test_a_march_is_three_picks_and_leaves_nobody_behind_unless_asked_to():  # 17.4
    game = camp()
    first = ENGINE.choices(game.state, 0)
    assert first.code == "movement"
    begins = {choice.code for choice in first.choices if not choice.aside}
    assert begins <= {"march-at", "march-all", "march-some", "muster-at"}
    ready = ENGINE.choices(game.state, 0, ("march_osaka", "mori2+ukita2+kobayakawa2", "gifu"))
    assert ready.action == "march osaka mori2 ukita2 kobayakawa2 > kyoto > sawayama > gifu"
    where = ENGINE.choices(game.state, 0, ("march_osaka", "mori2+ukita2+kobayakawa2"))
    assert [choice.key for choice in where.choices if choice.aside] == ["drop"]
    alone = ENGINE.choices(game.state, 0, ("march_osaka", "mori2"))
    assert not [choice for choice in alone.choices if choice.aside], "one block cannot leave anybody"


def test_the_end_of_a_movement_is_not_asked_about_where_nothing_else_is_left():  # 17.4
    game = Game({"osaka": "mori2 |"}).play("move minimal")
    assert not ENGINE.choices(game.state, 0, ("end",)).sure, "a march would be lost"
    game.play("march osaka mori2 > kyoto")
    only = ENGINE.choices(game.state, 0)
    if [choice.key for choice in only.choices] == ["end"]:
        assert ENGINE.choices(game.state, 0, ("end",)).sure
    else:
        assert not ENGINE.choices(game.state, 0, ("end",)).sure
