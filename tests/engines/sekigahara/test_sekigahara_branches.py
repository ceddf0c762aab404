"""A stack may split where it arrives: branches of a march (7.3.1), item 0 of issue 13."""

from __future__ import annotations

import json
import os
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.capabilities import random_action
from engines.chance import Chance
from engines.protocol import RulesError
from engines.record import append, begin, fold, from_position, read_record, state_hash, take_back, verify
from engines.sekigahara.data import NEIGHBOURS
from engines.sekigahara.model import March
from tests.engines.sekigahara.sekigahara_games import ENGINE, random_game
from tests.engines.sekigahara.sekigahara_positions import Game

COUNT = int(os.environ.get("HATAMOTO_COUNT", "20"))
CAMP = "ishida-leader mori2 ukita2 kobayakawa2 |"
SPLIT = (
    "march osaka mori2 ukita2 kobayakawa2 > kyoto -ukita2 -kobayakawa2 > sawayama > gifu"
    " / kyoto ukita2 kobayakawa2 > minakuchi -kobayakawa2 > kuwana"
)


ONE_STAYS = "march osaka mori2 ukita2 > kyoto -ukita2 > sawayama"


def camp(**more: Any) -> Game:
    return Game({"osaka": CAMP, **more}).play("move minimal")


def test_a_stack_splits_and_what_it_dropped_goes_on():
    game = camp(kyoto="ukita3 |").play(SPLIT)
    assert {p: game.at(p)[0] for p in ("osaka", "kyoto", "gifu", "minakuchi", "kuwana")} == {
        "osaka": "ishida-leader",
        "kyoto": "ukita3",
        "gifu": "mori2",
        "minakuchi": "kobayakawa2",
        "kuwana": "ukita2",
    }
    march = game.state.march
    assert march.activated == ("osaka",), "one march, one activation"
    assert march.moved == {"gifu": ("mori2",), "minakuchi": ("kobayakawa2",), "kuwana": ("ukita2",)}
    assert len(march.segments) == 5
    assert game.state.control["kuwana"] == "ishida"
    assert game.refused("march kuwana ukita2 > kiyosu") == "no-activation"
    assert game.refused("march osaka ishida-leader > kyoto") == "segment-used"
    assert game.play("march osaka ishida-leader > wakayama").at("wakayama")[0] == "ishida-leader"


def test_only_where_some_are_left_has_anybody_marched_in():
    game = camp().play(SPLIT)
    assert game.state.march.entered == {
        "gifu": ("sawayama",),
        "minakuchi": ("kyoto",),
        "kuwana": ("minakuchi",),
    }
    half = camp().play("march osaka mori2 ukita2 kobayakawa2 > kyoto -ukita2 -kobayakawa2 > sawayama"
                       " / kyoto ukita2 > minakuchi")  # fmt: skip
    assert half.state.march.entered["kyoto"] == ("osaka",)


def test_each_path_is_told_when_it_begins_and_its_faces_to_its_own_side():
    game = camp().play(
        "march osaka mori2 ukita2 > kyoto -ukita2 > minakuchi > kuwana / kyoto ukita2 > sawayama"
    )
    assert [event.code for event in game.events] == ["marched", "took", "branched"]
    told = game.events[-1]
    public = {"seat": 0, "origin": "kyoto", "path": ["sawayama"], "to": "sawayama", "n": 1, "drop": {}}
    assert told.params == public
    assert told.seen_by(0).params["blocks"] == ["ukita2"]
    assert told.seen_by(1) == told.seen_by(None)
    assert told.seen_by(1).params == public


@pytest.mark.parametrize(
    ("text", "code"),
    [
        # whole path from the start: Kyoto - Ayabe is a road, so no highway bonus; 5 blocks lose a step
        (f"{ONE_STAYS} / kyoto ukita2 > ayabe > himeji",
         "branch-too-far"),
        (f"{ONE_STAYS} / kyoto ukita2 > minakuchi > kuwana > kiyosu",
         "branch-too-far"),
        (f"{ONE_STAYS} / kyoto ukita2 > sawayama", "segment-used"),
        (f"{ONE_STAYS} / kyoto ukita2 > osaka", "segment-used"),
        (f"{ONE_STAYS} / kyoto ukita2 > kuwana", "no-path"),
        # only what this march dropped there, and as often as it dropped it
        (f"{ONE_STAYS} / kyoto ukita3 > minakuchi", "bad-branch"),
        (f"{ONE_STAYS} / kyoto mori2 > minakuchi", "bad-branch"),
        (f"{ONE_STAYS} / osaka kobayakawa2 > wakayama", "bad-branch"),
        ("march osaka mori2 ukita2 > kyoto / kyoto ukita2 > minakuchi", "bad-branch"),
        ("march osaka mori2 ukita2 > kyoto > sawayama / kyoto ukita2 > minakuchi", "bad-branch"),
        (f"{ONE_STAYS} / sawayama mori2 > gifu", "bad-branch"),
        ("march osaka mori2 ukita2 > kyoto -ukita2 > gifu / kyoto ukita2 > ayabe / kyoto ukita2 > minakuchi",
         "no-path"),
        (f"{ONE_STAYS} / kyoto ukita2 > minakuchi / kyoto ukita2 > ayabe", "bad-branch"),
        (f"{ONE_STAYS} / kyoto > minakuchi", "no-block-named"),
        (f"{ONE_STAYS} / kyoto ukita2 > minakuchi -ukita2 > kuwana",
         "bad-drop"),
        (f"{ONE_STAYS} / kyoto ukita2 > minakuchi -ukita2",
         "bad-drop"),
        (f"{ONE_STAYS} force mori / kyoto ukita2 > minakuchi",
         "force-branch"),
        ("march osaka mori2 ukita2 > kyoto > sawayama force mori / kyoto ukita2 > minakuchi", "force-branch"),
    ],
)  # fmt: skip
def test_what_a_branch_may_not_do_is_refused_by_its_reason(text, code):
    game = camp(kyoto="ukita3 |")
    before = game.state
    assert game.refused(text) == code
    assert game.state == before


def test_the_size_of_the_whole_stack_sets_the_steps_of_each_branch():
    five = Game({"osaka": "mori2 mori3 ukita2 ukita3 kobayakawa2 ishida-leader |"}).play("move minimal")
    text = "march osaka mori2 mori3 ukita2 {} > kyoto -ukita2 > sawayama / kyoto ukita2 > minakuchi > kuwana"
    assert five.refused(text.format("ukita3 kobayakawa2")) == "branch-too-far"
    assert five.refused(text.format("ukita3")) == "allowed"


def test_the_leadership_of_the_origin_serves_the_branches():
    game = Game({"suwa": "ukita-leader mori2 ukita2 |"}).play("move minimal")
    split = "march suwa mori2 ukita2 > kiso -ukita2 > matsumoto{} / kiso ukita2 > iwamura"
    assert game.refused(split.format("")) == "too-far"
    game.play(split.format(" leader ukita-leader"))
    assert game.at("iwamura")[0] == "ukita2"
    assert game.state.march.leaders == ("suwa",)


def test_a_highway_counts_only_where_the_whole_path_is_highway():
    game = Game({"kyoto": "mori2 ukita2 |", "gifu": "mori3 ukita3 |"}, control={}).play("move limited mori")
    split = "march kyoto mori2 ukita2 > sawayama -ukita2 > tsuruga / sawayama ukita2 > gifu > {}"
    assert game.refused(split.format("iwamura")) == "allowed", "its own path is highway all the way"
    assert game.refused(split.format("kiyosu")) == "branch-too-far"
    road = "march gifu mori3 ukita3 > kiyosu -ukita3 > okazaki / kiyosu ukita3 > kuwana{}"
    assert game.refused(road.format("")) == "allowed"
    assert game.refused(road.format(" > minakuchi")) == "branch-too-far", "the first step was by road"


def test_what_a_branch_dropped_may_branch_again():
    game = Game({"gifu": "mori2 ukita2 kobayakawa2 |"}).play("move minimal")
    split = (
        "march gifu mori2 ukita2 kobayakawa2 > sawayama -ukita2 -kobayakawa2 > tsuruga"
        " / sawayama ukita2 kobayakawa2 > kyoto -kobayakawa2 > osaka / kyoto kobayakawa2 > {}"
    )
    assert game.refused(split.format("ayabe")) == "branch-too-far", "by a road the whole path has two steps"
    assert game.refused(split.format("osaka")) == "segment-used"
    assert (
        game.refused(split.format("minakuchi").replace(" -kobayakawa2 > osaka", " > osaka")) == "bad-branch"
    )
    game.play(split.format("minakuchi"))
    assert [game.at(p)[0] for p in ("tsuruga", "osaka", "minakuchi", "sawayama", "kyoto")] == [
        "mori2", "ukita2 ishida-leader", "kobayakawa2", "", ""
    ]  # fmt: skip
    assert [event.code for event in game.events].count("branched") == 2


def test_enemies_stop_a_branch_and_are_fought_later():
    game = camp(minakuchi="| date2")
    onward = ONE_STAYS + " / kyoto ukita2 > minakuchi{}"
    assert game.refused(onward.format(" > kuwana")) == "enemy-in-way"
    game.play(onward.format(""), "end")
    assert game.legal == {"combat minakuchi"}


def test_a_branch_overruns_as_the_group_that_it_is_when_it_arrives():
    four = "mori2 ukita2 ukita3 kobayakawa2"
    game = Game({"osaka": f"{four} mori3 ishida-leader |", "minakuchi": "| date2"}).play("move minimal")
    text = "march osaka {} > kyoto {} > sawayama / kyoto {} > minakuchi > kuwana"
    three = text.format(four, "-ukita2 -ukita3 -kobayakawa2", "ukita2 ukita3 kobayakawa2")
    assert game.refused(three) == "enemy-in-way"
    friend = Game({"osaka": f"{four} |", "minakuchi": "mori3 | date2", "kyoto": "|"}, phase="move")
    friend.play("move minimal").play(three)
    assert friend.at("minakuchi") == ("mori3", ""), "with the friend there they are four"
    assert [event.code for event in friend.events][:3] == ["marched", "branched", "overrun"]
    assert friend.hand("tokugawa") == 5
    assert friend.at("kuwana")[0] == "ukita2 ukita3 kobayakawa2"


def test_what_an_overrun_brought_is_drawn_by_the_enemy_for_each_path():
    places = {"osaka": "mori2 mori3 ukita2 ukita3 |", "sawayama": "mori-gun mori-cav | date2", "minakuchi":
              "ukita-gun kobayakawa-gun ukita-cav | date3"}  # fmt: skip
    game = Game(places).play("move minimal")
    game.play("march osaka mori2 mori3 ukita2 ukita3 > kyoto -ukita3 > sawayama / kyoto ukita3 > minakuchi")
    assert [event.code for event in game.events] == ["marched", "overrun", "branched", "overrun"]
    assert game.hand("tokugawa") == 5, "one card for two blocks of one overrun"
    assert game.state.lost["tokugawa"] == ("date2", "date3")


def test_no_branch_is_carried_out_after_an_overrun_has_ended_the_game():
    places = {"osaka": "mori2 ukita2 ukita3 kobayakawa2 |", "edo": "|"}
    game = Game({**places, "sawayama": "mori-gun | tokugawa-leader"}).play("move minimal")
    split = (
        "march osaka mori2 ukita2 ukita3 kobayakawa2 > kyoto -ukita2 > sawayama / kyoto ukita2 > minakuchi"
    )
    game.play(split)
    assert game.phase == "over"
    assert "branched" not in [event.code for event in game.events]
    assert game.at("kyoto")[0] == "ukita2"


def test_a_branch_besieges_a_disk():
    game = Game({"takeda": "| maeda2 maeda3 date-leader"}, active="tokugawa").play("move minimal")
    split = "march takeda maeda2 maeda3 > arato -maeda2 > matsumoto{} / arato maeda2 > ueda"
    assert game.refused(split.format("")) == "too-far"
    game.play(split.format(" leader date-leader"))
    assert game.state.map["ueda"].besieged
    assert game.play("end").legal == {"combat ueda"}


def test_besiegers_branch_off_from_where_they_came_and_a_castle_that_is_passed_is_taken():
    game = Game({"minakuchi": "mori2 mori3 ukita-leader |", "anotsu": "|", "okazaki": "| date2"})
    game.play("move minimal")
    game.play("march minakuchi mori2 mori3 > kuwana -mori3 > kiyosu > okazaki leader ukita-leader"
              " / kuwana mori3 > anotsu")  # fmt: skip
    assert game.state.map["anotsu"].holder == "ishida"
    assert game.state.map["okazaki"].holder == "tokugawa"
    assert game.play("end").legal == {"combat okazaki"}


def test_branches_are_read_and_written_in_both_notations():
    game = camp()
    typed = ("MARCH osaka kobayakawa2 ukita2 mori2>kyoto -kobayakawa2 -ukita2>sawayama>gifu/"
             "kyoto kobayakawa2 ukita2>minakuchi-kobayakawa2>kuwana")  # fmt: skip
    action = ENGINE.parse(typed, game.state, 0)
    assert ENGINE.format(action) == SPLIT
    written = action.model_dump(mode="json", by_alias=True, exclude_none=True)
    assert written["branches"] == [
        {"from": "kyoto", "blocks": ["kobayakawa2", "ukita2"], "path": ["minakuchi", "kuwana"],
         "drop": {"minakuchi": ["kobayakawa2"]}}
    ]  # fmt: skip
    assert ENGINE.parse(json.dumps(written), game.state, 0) == action


def test_a_march_without_branches_is_written_as_ever():
    nothing: list[dict[str, Any]] = [{}, {"branches": []}, {"branches": None}]
    for branches in nothing:
        given = {"type": "march", "from": "osaka", "blocks": ["mori2"], "path": ["kyoto"], **branches}
        action = ENGINE.parse(json.dumps(given), camp().state, 0)
        assert action.model_dump(mode="json", by_alias=True, exclude_none=True) == {
            "type": "march", "from": "osaka", "blocks": ["mori2"], "path": ["kyoto"]
        }  # fmt: skip


@pytest.mark.parametrize(
    "branches",
    [[1], ["kyoto"], [{}], [{"from": "kyoto", "blocks": ["mori2"]}], "kyoto", {"from": "kyoto"},
     [{"from": "nowhere", "blocks": [], "path": []}], [{"from": "kyoto", "blocks": ["x"], "path": ["gifu"]}],
     [{"from": "kyoto", "blocks": ["mori2"], "path": ["gifu"], "drop": {"x": ["mori2"]}}],
     [{"from": "kyoto", "blocks": ["mori2"], "path": ["gifu"], "force": "mori"}]],
)  # fmt: skip
def test_branches_that_are_none_are_not_read(branches):
    said = {"type": "march", "from": "osaka", "blocks": ["mori2"], "path": ["kyoto"], "branches": branches}
    with pytest.raises(RulesError, match="bad-action"):
        ENGINE.parse(json.dumps(said), camp().state, 0)


def test_a_game_with_branches_is_replayed_from_its_record_and_taken_back():
    position = ENGINE.position(Game({"osaka": CAMP, "kyoto": "ukita3 |"}).state)
    history = begin(from_position("sekigahara", position, b"\1"))
    states = [history.state]
    for text in ("move minimal", SPLIT, "march osaka ishida-leader > wakayama", "end"):
        history = append(history, 0, text)
        states.append(history.state)
    again = verify(read_record(json.loads(history.record.model_dump_json())))
    assert again.state == history.state
    assert [ply.events for ply in again.plies] == [ply.events for ply in history.plies]
    assert take_back(history, 3).state == states[1]
    assert fold(history.record, 2).state == states[2]


def test_a_record_from_before_there_were_branches_replays_to_the_same_bytes():
    path = Path(__file__).with_name("record_before_branches.json")
    history = verify(read_record(json.loads(path.read_text(encoding="utf-8"))))
    events = [[event.model_dump(mode="json") for event in ply.events] for ply in history.plies]
    assert len(history.plies) == 79
    assert state_hash(history.state).startswith("7ebf8061334ae6f1")
    end = events[-1].pop()  # called otherwise when the record was written; the rest is as it was
    assert (end["code"], end["params"]["winners"]) == ("game-over", [1])
    events[-1].append({**end, "code": "over", "params": {"winner": 1, "reason": end["params"]["reason"]}})
    assert sha256(json.dumps(events).encode()).hexdigest().startswith("0bccac41dd6d4ff8")


# -- whatever is marched -------------------------------------------------------------------------


@settings(max_examples=COUNT, deadline=None)
@given(st.integers(0, 10**6))
def test_a_march_moves_blocks_along_its_own_paths_and_nothing_else(seed):
    chance = Chance(b"split" + seed.to_bytes(4, "big"), 0)
    faces = chance.shuffled(["mori2", "mori3", "ukita2", "ukita3", "kobayakawa2", "ukita-gun"])
    number = 2 + chance.below(4)
    enemies = dict.fromkeys(
        chance.shuffled(["gifu", "kuwana", "tsuruga", "ayabe"])[: chance.below(3)], "| date2"
    )
    places = {"kyoto": " ".join(faces[:number]) + " |", "minakuchi": "mori-gun |", **enemies}
    game = Game(places).play("move minimal")
    while True:
        action = random_action(ENGINE, game.state, 0, chance)
        if action.type == "march" and (action.branches or chance.below(8) == 0):
            break
    before = game.state
    game.play(ENGINE.format(action))
    ends: Counter[tuple[str, str]] = Counter()
    used: list[frozenset[str]] = []
    for leg in action.legs:
        used += [frozenset(pair) for pair in zip((leg.origin, *leg.path), leg.path, strict=False)]
        ends.subtract((leg.origin, face) for face in leg.blocks)
        stay = [(place, face) for place, some in (leg.drop or {}).items() for face in some]
        gone = Counter(face for _, face in stay)
        ends.update(stay)
        ends.update((leg.path[-1], face) for face in (Counter(leg.blocks) - gone).elements())
    assert len(used) == len(set(used))
    assert {frozenset(pair) for pair in game.state.march.segments} == set(used)
    for place in before.map:
        was, now = Counter(before.map[place].ishida), Counter(game.state.map[place].ishida)
        change = Counter({face: n for (p, face), n in ends.items() if p == place})
        assert all(now[face] - was[face] == change[face] for face in {*was, *now, *change}), place
    assert game.state.march.activated == (action.origin,)


def test_in_random_games_stacks_split_and_the_other_side_sees_no_face():
    split = 0
    for seed in range(2):
        for state, seat, action in random_game(seed):
            if seat is None or not isinstance(action, March) or action.branches is None:
                continue
            split += 1
            assert all(branch.path[0] in NEIGHBOURS[branch.origin] for branch in action.branches)
            events = ENGINE.apply(state, seat, action, Chance(b"e", 1)).events
            told = [event.seen_by(1 - seat).params for event in events if event.code == "branched"]
            assert all("blocks" not in params for params in told)
    assert split
