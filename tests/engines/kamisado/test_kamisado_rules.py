"""Kamisado's rules: what the cases do not say, notation, positions, panels and perft."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engines.chance import Chance
from engines.cli.driver import random_game
from engines.kamisado import Kamisado
from engines.kamisado.data import COLOR_OF, COLORS
from engines.kamisado.notation import ways
from engines.kamisado.rules import targets
from engines.protocol import Prompt, Ready, RulesError
from engines.record import fold, new, verify

ENGINE: Any = Kamisado()
NONE = Chance(b"\x00", 0)


def tower(owner, color, square, teeth=0):
    return {"owner": owner, "color": color, "square": square, "teeth": teeth}


def position(*towers, **changes):
    start = {"match": "marathon", "score": {"black": 0, "white": 0}, "round": 2, "phase": "move"}
    return {**start, "to_move": "white", "forced": "purple", "towers": list(towers), **changes}


def loaded(*towers, **changes):
    return ENGINE.from_position(position(*towers, **changes), NONE).state


def after(state, seat, text):
    return ENGINE.apply(state, seat, ENGINE.parse(text, state, seat), NONE)


def refused(state, seat, text):
    with pytest.raises(RulesError) as caught:
        after(state, seat, text)
    return caught.value.code


@pytest.fixture
def opening():
    return ENGINE.setup(ENGINE.read_options({}), 2, NONE).state


@pytest.mark.parametrize(
    "text",
    [
        *(
            "d8-d3",
            " D8 - D3 ",
            "d8 d3",
            "pink d3",
            "d3 PINK",
            "pink forward 5",
            "5 forward pink",
            "d8–d3",
            "d8—d3",
        ),
        '{"type":"move","from":"d8","to":"d3"}',
    ],
)
def test_all_ways_to_write_a_move_mean_the_same(opening, text):
    assert ENGINE.format(ENGINE.parse(text, opening, 0)) == "d8-d3"


def test_left_is_as_the_mover_sees_it(opening):
    assert ENGINE.format(ENGINE.parse("pink left 2", opening, 0)) == "d8-f6"
    assert ENGINE.format(ENGINE.parse("pink right 2", opening, 0)) == "d8-b6"
    assert ENGINE.format(ENGINE.parse("pink left 2", opening, 1)) == "e1-c3"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "x",
            "d8",
            "d8-d9",
            "pink",
            "pink green red d3",
            "pink push green",
            "pink forward 8",
            "pink left",
            "fill",
            "fill up",
        ),
        *("{}", "[]", '{"type":"move"}', '{"type":"move","from":"d8","to":"d3","x":1}', '{"type":["move"]}'),
        *('{"type":"move","from":"d8\\n","to":"d3"}', "d8-d3 d8-d3", "d8--d3"),
    ],
)
def test_what_cannot_be_read_is_a_bad_action(opening, text):
    assert refused(opening, 0, text) == "bad-action"


def test_each_refusal_names_its_rule(opening):
    assert refused(opening, 1, "e1-e3") == "not-your-turn"
    assert refused(opening, 0, "e1-e3") == "no-tower"
    assert refused(opening, 0, "d8-e6") == "not-forward"
    assert refused(opening, 0, "d8-d1") == "blocked"
    assert refused(opening, 0, "d8xd7") == "no-push"
    assert refused(opening, 0, "fill left") == "not-now"
    assert refused(opening, 0, "pink left 6") == "off-board"
    moved = after(opening, 0, "d8-d3").state  # purple's square
    assert refused(moved, 1, "e1-e3") == "wrong-tower"
    assert refused(loaded(tower("white", "purple", "d3", 2)), 1, "d3-d8") == "too-far"
    assert refused(loaded(tower("white", "purple", "d3", 2)), 1, "pink d4") == "no-such-tower"


def test_a_first_move_is_never_a_push():  # S2
    state = loaded(tower("white", "purple", "d3", 1), tower("black", "pink", "d4"), forced=None)
    assert "d3xd4" not in ENGINE.legal(state, 1).actions
    assert refused(state, 1, "purple push") == "no-push"


def test_a_push_tells_what_went_where():
    state = loaded(
        tower("white", "purple", "d3", 2), tower("black", "pink", "d4", 1), tower("black", "red", "d5")
    )
    step = after(state, 1, "purple push")
    assert step.events[0].code == "pushed"
    assert step.events[0].params["towers"] == ["pink", "red"]
    assert step.events[0].params["squares"] == ["d5", "d6"]
    assert step.state.to_move == "white"  # S3
    assert step.state.forced == "red"  # the square d6
    assert ENGINE.to_act(step.state) == frozenset()  # White has no red tower here


def test_nobody_is_pushed_off_the_board_nor_through_an_own_tower():  # S6, S9
    edge = loaded(tower("white", "purple", "d7", 1), tower("black", "pink", "d8"))
    assert "d7xd8" not in ENGINE.legal(edge, 1).actions
    own = loaded(tower("white", "purple", "d3", 2), tower("black", "pink", "d4"), tower("white", "red", "d5"))
    assert "d3xd4" not in ENGINE.legal(own, 1).actions


@pytest.mark.parametrize(("teeth", "points"), [(0, 1), (1, 2), (2, 4), (3, 8)])
def test_a_tooth_scores_by_its_number_and_the_winner_refills(teeth, points):
    step = after(loaded(tower("white", "purple", "d7", teeth), tower("black", "red", "a8")), 1, "d7-d8")
    assert [event.code for event in step.events] == ["moved", "round-won", "tooth"]
    assert step.state.score.white == points
    assert step.state.towers[1].teeth == teeth + 1
    assert step.state.phase == "fill"
    assert ENGINE.legal(step.state, 1).actions == ("fill left", "fill right")
    assert refused(step.state, 1, "d8-d7") == "not-now"
    filled = after(step.state, 1, "fill right").state
    assert (filled.round, filled.to_move, filled.forced) == (3, "black", None)
    assert [t.square for t in filled.towers] == ["a8", "h1"]


def test_the_target_ends_the_match_at_once():
    state = loaded(tower("white", "purple", "d7", 1), match="standard", score={"black": 0, "white": 1})
    step = after(state, 1, "d7-d8")
    assert step.events[-1].code == "game-over"
    assert ENGINE.result(step.state).model_dump() == {"winners": (1,), "scores": (0, 3), "reason": "points"}
    assert ENGINE.position(step.state)["winner"] == "white"
    assert refused(step.state, 0, "resign") == "game-over"
    assert ENGINE.from_position(ENGINE.position(step.state), NONE).state.reason == "points"


@pytest.mark.parametrize("seat", [0, 1])
def test_anyone_may_resign_at_any_time(opening, seat):
    step = after(opening, seat, "resign")
    assert ENGINE.result(step.state).winners == (1 - seat,)
    assert step.state.score.of("black") == step.state.score.of("white") == 0
    assert ENGINE.to_act(step.state) == frozenset()


def test_a_missing_tower_leaves_nobody_to_act():
    state = loaded(tower("white", "red", "d3"))
    assert ENGINE.to_act(state) == frozenset()
    assert ENGINE.result(state) is None
    assert targets(state) == ()


def test_a_loaded_blocked_tower_passes_at_once():  # M6
    blocked = [tower("black", "red", "c4"), tower("black", "blue", "d4"), tower("black", "brown", "e4")]
    step = ENGINE.from_position(position(tower("white", "purple", "d3"), *blocked), NONE)  # d3 is purple
    assert [event.code for event in step.events] == ["blocked"]
    assert ENGINE.position(step.state)["to_move"] == "black"
    assert ENGINE.position(step.state)["forced"] == "purple"


@pytest.mark.parametrize(
    "change",
    [
        {"to_move": None},
        {"phase": "over"},
        {"phase": "fill"},
        {"forced": "mauve"},
        {"match": "epic"},
        {"score": {"black": -1, "white": 0}},
        {"score": {"red": 1}},
        {"round": 0},
        {"towers": [tower("white", "red", "i1")]},
        {"towers": [tower("white", "red", "d3\n")]},
        {"towers": [tower("white", "red", "d3", 5)]},
        {"towers": [tower("white", "red", "d3"), tower("black", "red", "d3")]},
        {"towers": [tower("white", "red", "d3"), tower("white", "red", "d4")]},
        {"towers": 7},
    ],
    ids=str,
)
def test_a_position_that_cannot_be_played_on_is_refused(change):
    with pytest.raises(RulesError, match="bad-position"):
        ENGINE.from_position({**position(tower("white", "purple", "d3")), **change}, NONE)


def test_completions_are_legal_and_wins_come_first(opening):
    legal = set(ENGINE.legal(opening, 0).actions)
    for text in ("", "d8", "D8-", "pink", "pink d", "d6", "purple e"):
        found = ENGINE.complete(text, opening, 0)
        assert found
        assert set(found) <= legal
    assert all(move.startswith("d8") for move in ENGINE.complete("pink d", opening, 0))
    assert ENGINE.complete("zzz", opening, 0) == []
    assert ENGINE.complete("d8", opening, 1) == []
    assert ENGINE.complete("", loaded(tower("white", "purple", "d6")), 1)[0] in ("d6-b8", "d6-d8", "d6-f8")


def test_every_way_to_write_a_move_is_completed(opening):
    white = opening.model_copy(update={"to_move": "white"})
    for state, seat in ((opening, 0), (white, 1)):
        for text in ("pink forward 3", "PINK left 2", "right 1 pink", "pink forw"):
            found = ENGINE.complete(text, state, seat)
            assert found
            if any(word.isdigit() for word in text.split()):
                meant = ENGINE.format(ENGINE.parse(text, state, seat))
                assert found == [meant]


def test_a_panel_leads_to_every_legal_move_and_no_other(opening):
    ends = set()
    for choice in ENGINE.choices(opening, 0).choices:
        for target in ENGINE.choices(opening, 0, [choice.key]).choices:
            ready = ENGINE.choices(opening, 0, [choice.key, target.key])
            assert isinstance(ready, Ready)
            assert ready.warning is None
            ends.add(ready.action)
    assert ends == set(ENGINE.legal(opening, 0).actions)
    for path in (["mauve"], ["pink", "d8"], ["pink", "d3", "x"]):
        with pytest.raises(RulesError, match="stale-path"):
            ENGINE.choices(opening, 0, path)
    with pytest.raises(RulesError, match="not-your-turn"):
        ENGINE.choices(opening, 1)
    assert ENGINE.choices(opening, 1, ["resign"]) == Ready(action="resign", warning="resign")
    assert isinstance(ENGINE.choices(after(opening, 0, "d8-d3").state, 1), Prompt)


def test_perft_counts_what_independent_programs_counted(opening):
    assert ENGINE.perft(opening, 5) == (102, 1150, 11332, 107068, 928716)


@pytest.mark.long
def test_perft_to_depth_seven(opening):
    assert ENGINE.perft(opening, 7)[5:] == (7690460, 59115328)


@pytest.mark.parametrize("seed", range(4))
def test_the_fast_count_is_the_count_of_legal_actions(seed, monkeypatch):
    from engines.perft import perft

    record = new("kamisado", 2, bytes([seed]), {"match": "marathon"})
    state = random_game(record, 90 + 7 * seed).state
    fast = perft(ENGINE, state, 3, b"\x00", 1)
    monkeypatch.setattr(Kamisado, "perft", lambda *_: None)
    assert perft(ENGINE, state, 3, b"\x00", 1) == fast


@pytest.mark.parametrize(
    ("match", "seed"),
    [*(("single", n) for n in range(3)), ("standard", 0), ("standard", 1), ("long", 0), ("marathon", 0)],
)
def test_random_matches_keep_their_promises(match, seed):
    history: Any = random_game(new("kamisado", 2, bytes([seed, 7]), {"match": match}))
    goal = {"single": 1, "standard": 3, "long": 7, "marathon": 15}[match]
    for state in history.standing:
        assert len({t.square for t in state.towers}) == len({(t.owner, t.color) for t in state.towers}) == 16
        for side in ("black", "white"):
            worth = sum(2**t.teeth - 1 for t in state.towers if t.owner == side)
            assert worth == state.score.of(side)
        if state.phase != "over":
            assert len(ENGINE.to_act(state)) == 1
            assert max(state.score.black, state.score.white) < goal
        assert ENGINE.load(ENGINE.dump(state)) == state
    result = ENGINE.result(history.state)
    assert result.scores[result.winners[0]] >= goal
    assert verify(history.record).state == history.state
    middle = history.standing[len(history.standing) // 2]
    again = ENGINE.from_position(json.loads(json.dumps(ENGINE.position(middle))), NONE).state
    assert ENGINE.position(again) == ENGINE.position(middle)
    assert fold(history.record, 1).state == history.at(1)


# -- a series of single rounds -----------------------------------------------------------------


def series(*towers, **changes):
    return loaded(*towers, **{"match": "series", "points": 3, "forced": "purple", **changes})


def test_a_round_of_a_series_is_a_point_no_tooth_and_a_new_start():  # 13.0
    state = series(tower("white", "purple", "d7"), tower("black", "red", "c2"))
    step = after(state, 1, "d7-d8")
    assert [event.code for event in step.events] == ["moved", "round-won", "point", "next-round"]
    assert ENGINE.position(step.state) == {
        "match": "series",
        "points": 3,
        "score": {"black": 0, "white": 1},
        "round": 3,
        "phase": "move",
        "to_move": "black",
        "forced": None,
        "towers": [tower("black", "red", "f8"), tower("white", "purple", "f1")],
    }


@pytest.mark.parametrize(("round_", "starts"), [(1, "white"), (2, "black"), (3, "white"), (8, "black")])
def test_black_starts_the_odd_rounds_of_a_series_whoever_won(round_, starts):  # 13.0
    for winner, start, end in (("white", "d7", "d8"), ("black", "d2", "d1")):
        state = series(tower(winner, "purple", start), round=round_, to_move=winner)
        assert after(state, int(winner == "white"), f"{start}-{end}").state.to_move == starts


def test_a_series_ends_at_its_points_on_the_board_that_decided_it():  # 13.0
    state = series(tower("white", "purple", "d7"), score={"black": 2, "white": 2})
    step = after(state, 1, "d7-d8")
    assert [event.code for event in step.events] == ["moved", "round-won", "point", "game-over"]
    assert ENGINE.result(step.state).model_dump() == {"winners": (1,), "scores": (2, 3), "reason": "points"}
    assert step.state.towers[0].square == "d8"
    assert ENGINE.from_position(ENGINE.position(step.state), NONE).state.reason == "points"


DEADLOCKED = {  # once Black's blue goes to g5
    "black": "blue f6 brown e3 green f5 orange f3 pink c4 purple d6 red f4 yellow c3",
    "white": "blue c6 brown d4 green c5 orange e4 pink e6 purple e5 yellow d5 red d3",
}


def test_a_deadlock_in_a_series_is_a_point_and_no_tooth():  # 13.0, M8
    towers = [
        tower(side, *pair)
        for side, words in DEADLOCKED.items()
        for pair in zip(words.split()[::2], words.split()[1::2], strict=True)
    ]
    step = after(series(*towers, to_move="black", forced="blue", round=4), 0, "f6-g5")
    codes = [event.code for event in step.events]
    assert codes[-4:] == ["deadlock", "round-taken", "point", "next-round"]
    assert (step.state.score.white, step.state.to_move, step.state.forced) == (1, "black", None)
    assert all(COLOR_OF[t.square] == t.color and t.teeth == 0 for t in step.state.towers)


def test_a_series_is_played_to_three_points_or_to_as_many_as_are_chosen():  # 13.0
    for options, target in (({"match": "series"}, 3), ({"match": "series", "points": 9}, 9)):
        step = ENGINE.setup(ENGINE.read_options(options), 2, NONE)
        assert step.events[0].code == "started-series"
        assert ENGINE.view(step.state, None).target == target
        assert ENGINE.position(step.state)["points"] == target
    given = {"match": "series", "towers": [tower("white", "red", "d3")], "to_move": "white"}
    assert ENGINE.position(ENGINE.from_position(given, NONE).state)["points"] == 3
    assert "points" not in ENGINE.position(loaded(tower("white", "purple", "d3")))


@pytest.mark.parametrize(
    "options",
    [
        *({"match": "series", "points": points} for points in (1, 10, "many")),
        *({"match": match, "points": 3} for match in ("single", "standard", "long", "marathon")),
        {"points": 3},
    ],
    ids=str,
)
def test_points_are_two_to_nine_and_of_a_series_alone(options):  # 13.0
    with pytest.raises(RulesError, match="bad-options"):
        ENGINE.read_options(options)
    with pytest.raises(RulesError, match="bad-position"):
        ENGINE.from_position({**position(tower("white", "purple", "d3")), "match": "single", **options}, NONE)


def test_a_series_has_no_fill():  # 13.0
    with pytest.raises(RulesError, match="bad-position"):
        series(tower("white", "purple", "d3"), phase="fill", forced=None)
    assert refused(series(tower("white", "purple", "d3")), 1, "fill left") == "not-now"


# -- the rulebook's written form -----------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["pink left 2 brown", "Pink Left 2 BROWN", "pink f6 brown", "2 left pink brown"]
)
def test_a_move_may_name_the_colour_that_it_reaches(opening, text):  # 13.0
    assert COLOR_OF["f6"] == "brown"
    assert ENGINE.format(ENGINE.parse(text, opening, 0)) == "d8-f6"


@pytest.mark.parametrize("text", ["pink left 2 green", "pink f6 pink", "pink left 2 pink"])
def test_a_wrong_colour_is_refused_with_the_right_one(opening, text):  # 13.0
    with pytest.raises(RulesError) as caught:
        ENGINE.parse(text, opening, 0)
    assert caught.value.code == "wrong-color"
    assert caught.value.params["color"] == "brown"
    assert caught.value.params["written"] == text.split()[-1]


@pytest.mark.parametrize("way", ["forward", "left", "right"])
def test_what_is_completed_in_the_written_form_is_also_read_and_nothing_else(opening, way):  # 13.0
    met = 0
    for tower_ in opening.towers[:8]:
        for steps in range(1, 8):
            for onto in COLORS:
                text = f"{tower_.color} {way} {steps} {onto}"
                found = ENGINE.complete(text, opening, 0)
                try:
                    meant = ENGINE.format(ENGINE.parse(text, opening, 0))
                except RulesError:
                    assert found == [], text
                else:
                    assert found == [meant] * (meant in ENGINE.legal(opening, 0).actions), text
                    met += bool(found)
    assert met == len([t for t in targets(opening) if way in ways(t, 0)])


# -- positions whose score is too low for their teeth ----------------------------------------------


def test_a_score_too_low_for_the_teeth_is_taken_as_given():  # 13.16
    state = loaded(tower("white", "purple", "d7", 3), score={"black": 0, "white": 0})
    assert ENGINE.position(state)["score"] == {"black": 0, "white": 0}
    step = after(state, 1, "d7-d8")
    assert (step.state.score.white, step.state.towers[0].teeth, step.state.phase) == (8, 4, "fill")
    assert ENGINE.result(step.state) is None


def test_a_tower_with_four_teeth_goes_on_as_a_triple_sumo():  # 13.16
    champion = tower("white", "purple", "d3", 4)
    state = loaded(champion)
    assert set(ENGINE.legal(state, 1).actions) == {"d3-c4", "d3-d4", "d3-e4"}
    assert refused(state, 1, "d3-d5") == "too-far"
    doubles = [tower("black", color, f"d{n}", 2) for n, color in enumerate(("pink", "red", "blue"), 4)]
    assert "d3xd4" in ENGINE.legal(loaded(champion, *doubles), 1).actions
    equal = loaded(champion, tower("black", "pink", "d4", 3))
    assert "d3xd4" not in ENGINE.legal(equal, 1).actions


def test_a_tower_with_four_teeth_gets_no_fifth_and_scores_eight_again():  # 13.16
    state = loaded(tower("white", "purple", "d7", 4), score={"black": 0, "white": 0})
    step = after(state, 1, "d7-d8")
    assert (step.state.score.white, step.state.towers[0].teeth, step.state.phase) == (8, 4, "fill")
    last = after(loaded(tower("white", "purple", "d7", 4), score={"black": 0, "white": 8}), 1, "d7-d8")
    assert ENGINE.result(last.state).winners == (1,)
