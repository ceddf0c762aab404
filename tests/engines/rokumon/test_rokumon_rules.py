import pytest

from engines.chance import Chance
from engines.protocol import RulesError
from engines.record import append, begin, from_position, verify
from engines.rokumon import rules
from engines.rokumon.model import RokumonState
from tests.engines.rokumon.rokumon_tables import ENGINE, Table, dealt, load, outcome, place

BRICKS = "jgjgjgj"  # d3 1, f3 2, h3 3, c4 4, e4 5, g4 6, i4 7
MARU = "fggjjjj"


def tokens(sanada=0, tokugawa=0):
    return {"sanada": {"up": sanada, "down": 0}, "tokugawa": {"up": tokugawa, "down": 0}}


def table(act, colors=BRICKS, stacks=None, **changes):
    return Table(load(place(dealt(act, colors, **changes), **(stacks or {}))))


def refused(table, seat, text):
    with pytest.raises(RulesError) as error:
        table.play(seat, text)
    return error.value.code


# -- the four actions -----------------------------------------------------------------------


def test_a_move_goes_to_another_colour_however_far():
    here = table(2, stacks={"d3": "s2"})
    assert refused(here, 0, "move d3 i4") == "same-colour"
    assert refused(here, 0, "move d3 d3") == "same-colour"
    assert refused(here, 0, "move f3 d3") == "nothing-to-move"
    assert here.play(0, "MOVE  d3-g4").stack("g4") == ("s2",)


def test_a_deploy_needs_an_empty_tile_and_a_warrior_of_the_supply():
    here = table(3, stacks={"d3": "s6", "e4": "t1"})
    assert refused(here, 0, "deploy 4 e4") == "tile-occupied"
    assert refused(here, 0, "deploy 6 f3") == "not-in-supply"
    assert refused(here, 0, "deploy f3") == "name-token"
    assert refused(here, 0, "deploy 5 f3") == "bad-action"
    assert refused(here, 0, "deploy 4 a9") == "no-such-tile"
    assert here.play(0, "deploy 4 f3").stack("f3") == ("s4",)


def test_two_warriors_may_be_covered_only_if_both_are_own():
    here = table(2, stacks={"d3": "s2", "f3": "s2 t1", "c4": "s4 s6"})
    assert refused(here, 0, "move d3 f3") == "stack-full"
    assert here.play(0, "move d3 c4").events[-2].params["how"] == "stack"


def test_uncovering_a_row_loses_even_where_the_warrior_lands_on_it():
    stacks = {"c4": "t1", "e4": "t3", "g4": "t3 s2"}
    assert rules.row_of(table(2, stacks=stacks).state.board, 1) == ()
    here = table(2, stacks=stacks).play(0, "move g4 e4")
    won = next(event for event in here.events if event.code == "act-won")
    assert (won.params["winner"], won.params["how"]) == (1, "uncovered")
    assert won.params["cells"] == ["c4", "e4", "g4"]
    assert here.state.ended.cells == ("c4", "e4", "g4")


def test_a_side_without_an_action_has_lost():
    position = place(dealt(1, "gjgjgj"), a1="s2 t1", b1="s2 t1*", a2="s4 t3", b2="s6 t3", c2="t5")
    stuck = ENGINE.from_position({**position, "supply": {"sanada": [], "tokugawa": []}}, Chance(b"1", 0))
    assert [event.code for event in stuck.events] == ["act-won", "act-dealt"]
    assert stuck.state.act == 2
    assert stuck.state.revenge.sanada.up == 1


def test_fights_and_surprises_come_with_their_acts():
    assert refused(table(2, stacks={"e4": "s2 t1"}), 0, "fight e4") == "not-in-this-act"
    assert refused(table(3), 0, "surprise d3 b3") == "not-in-this-act"
    assert not any("surprise" in text for text in ENGINE.legal(table(3).state, 0).actions)


def test_a_surprise_is_once_an_act_and_locks_its_tile_for_one_turn():
    here = table(4).play(0, "surprise i4 b3")
    assert here.state.locked == "b3"
    assert refused(here, 1, "surprise b3 i4") == "tile-locked"
    assert refused(here, 1, "surprise h3 h3") == "cell-taken"
    assert refused(here, 1, "surprise h3 j4") == "off-pattern"
    assert refused(here, 1, "surprise h3 i4") == "touches-too-few"
    here.play(1, "surprise h3 a4")
    assert here.state.locked == "a4"
    assert refused(here, 0, "surprise b3 h3") == "surprise-used"


def test_a_surprise_can_hand_the_act_to_the_opponent():
    stacks = {"d3": "t1", "f3": "t3", "i4": "t3"}
    here = table(4, stacks=stacks).play(0, "surprise i4 b3")
    won = next(event for event in here.events if event.code == "act-won")
    assert (won.params["winner"], won.params["how"]) == (1, "row")


def test_sanada_maru_is_a_third_colour():
    here = table(5, MARU, stacks={"d3": "s2"})
    targets = {text for text in ENGINE.legal(here.state, 0).actions if text.startswith("move")}
    assert targets == {f"move d3 {cell}" for cell in ("f3", "h3", "c4", "e4", "g4", "i4")}


# -- the Fight and revenge tokens --------------------------------------------------------------


def test_tokens_are_added_in_turn_until_two_additions_of_nothing():
    here = table(3, stacks={"e4": "s2 t3"}, revenge=tokens(2, 2)).play(0, "fight e4 +1")
    assert (here.state.phase, here.seat) == ("revenge", 1)
    assert ENGINE.legal(here.state, 1).actions == ("revenge 0", "revenge 1", "revenge 2")
    assert refused(here, 1, "move e4 f3") == "fight-on"
    assert refused(here, 1, "revenge 3") == "not-enough-tokens"
    assert here.play(1, "revenge 0").seat == 0
    assert here.play(0, "revenge 1").seat == 1
    here.play(1, "revenge 0")
    assert here.stack("e4") == ("s2!",)
    assert here.state.revenge.sanada.down == 2
    assert here.state.revenge.tokugawa.up == 2
    assert here.seat == 1


def test_who_has_no_token_face_up_is_not_asked():
    here = table(3, stacks={"e4": "s2 t3"}, revenge=tokens(1, 0)).play(0, "fight e4")
    assert here.state.phase == "act"
    assert here.stack("e4") == ("t3!",)
    here = table(3, stacks={"e4": "s2 t3"}, revenge=tokens(0, 1)).play(0, "fight e4")
    assert here.seat == 1
    assert here.play(1, "revenge 0").state.phase == "act"


@pytest.mark.parametrize(
    ("stack", "left"),
    [("s6 t1*", ("t1*!",)), ("t1* s6", ("t1*!",)), ("s6 t1", ("s6!",)), ("s4 t5", ("t5!",))],
)
def test_the_lower_warrior_returns_but_the_six_always_to_the_starred_one(stack, left):
    here = table(3, stacks={"e4": stack}).play(0, "fight e4")
    assert here.stack("e4") == left
    assert sum(map(len, (here.state.supply.sanada, here.state.supply.tokugawa))) == 8


def test_no_token_saves_the_six_from_the_starred_one():
    here = table(3, stacks={"e4": "s6 t1*"}, revenge=tokens(3, 0)).play(0, "fight e4 +3")
    assert here.stack("e4") == ("t1*!",)


def test_a_fight_in_progress_is_a_position_and_is_run_on_where_nobody_decides():
    fight = {"at": "e4", "attacker": "sanada", "added": {"sanada": 1, "tokugawa": 0}, "passes": 0}
    position = place(
        dealt(3, BRICKS, phase="revenge", to_move="tokugawa", fight=fight, revenge=tokens(0, 1)), e4="s2 t3"
    )
    state = load(position)
    assert (state.phase, min(ENGINE.to_act(state))) == ("revenge", 1)
    assert ENGINE.position(state)["fight"] == fight
    state = load({**position, "revenge": tokens(0, 0)})
    assert (state.phase, state.to_move) == ("act", "tokugawa")
    assert all(not tile.stack for tile in state.tiles)


def test_a_position_in_the_middle_of_a_fight_does_not_count_as_one_that_came_up():
    fight = {"at": "e4", "attacker": "sanada"}
    position = place(
        dealt(3, BRICKS, phase="revenge", to_move="tokugawa", fight=fight, revenge=tokens(0, 1)), e4="s2 t3"
    )
    state = load(position)
    assert state.history == ()
    assert ENGINE.position(state)["fight"]["passes"] == 0
    assert Table(state).play(1, "revenge 0").codes == ["added", "fought"]  # the attacker has none to add


# -- acts, the story, giving up ---------------------------------------------------------------


def test_the_loser_takes_a_token_and_the_next_act_is_dealt():
    here = Table()
    for act in range(1, 6):
        assert here.state.act == act
        assert here.state.to_move == "sanada"
        here.play(act % 2, "surrender")
    assert here.state.act == 6
    assert (here.state.revenge.sanada.up, here.state.revenge.tokugawa.up) == (2, 3)
    assert sum(tile.down for tile in here.state.tiles) == 1
    here.play(0, "surrender")
    assert "act-again" in here.codes
    assert here.state.act == 6
    here.play(1, "surrender")
    assert outcome(here.state).model_dump() == {"winners": (0,), "scores": (3, 4), "reason": "tokens"}
    assert refused(here, 0, "resign") == "game-over"


def test_a_single_act_ends_the_game():
    here = Table(act=6).play(0, "surrender")
    assert outcome(here.state).winners == (1,)
    assert ENGINE.to_act(here.state) == set()


def test_resigning_ends_the_whole_game_at_any_time():
    here = Table().play(1, "resign")
    assert outcome(here.state).model_dump() == {"winners": (0,), "scores": (0, 0), "reason": "resign"}


def shuttle(here, times):
    for _ in range(times):
        for seat, there in ((0, "d3 f3"), (1, "h3 g4"), (0, "f3 d3"), (1, "g4 h3")):
            here.play(seat, f"move {there}")
    return here


def test_the_third_time_a_position_comes_up_the_act_is_void_and_dealt_afresh():
    here = shuttle(table(2, stacks={"d3": "s2", "h3": "t1"}), 1)
    assert ENGINE.view(here.state, None).repeats == 2
    here = shuttle(here, 1)
    assert here.codes == ["moved", "act-void", "act-dealt"]
    assert (here.state.act, here.state.to_move) == (2, "sanada")
    assert all(not tile.stack for tile in here.state.tiles)
    assert here.state.revenge.sanada.count == here.state.revenge.tokugawa.count == 0


def test_face_down_warriors_that_change_places_are_the_same_position():
    here = table(3, stacks={"d3": "s2", "e4": "s6", "f3": "", "h3": "t1"})
    before = here.state.history
    for seat, there in ((0, "d3 f3"), (1, "h3 g4"), (0, "e4 c4"), (1, "g4 h3"), (0, "f3 e4"), (1, "h3 g4")):
        here.play(seat, f"move {there}")
    here.play(0, "move c4 d3").play(1, "move g4 h3")
    assert here.state.history[-1] == before[0]
    assert here.stack("d3") == ("s6",)


# -- the Code of Honour -------------------------------------------------------------------------


def test_a_take_back_restores_everything_but_only_against_the_bound_player():
    here = table(3, stacks={"d3": "s2"}, revenge=tokens(1, 0))
    before = here.state
    here.play(0, "deploy 6 e4")
    assert ENGINE.view(here.state, 0).takeback
    assert "takeback" not in ENGINE.legal(here.state, 1).actions
    assert refused(here, 1, "takeback") == "no-takeback"
    here.play(0, "takeback")
    assert here.state == before
    assert refused(here, 0, "takeback") == "no-takeback"
    here.play(0, "move d3 f3").play(1, "deploy 1 d3")
    assert refused(here, 0, "takeback") == "no-takeback"
    assert refused(here, 1, "takeback") == "no-takeback"


def test_nobody_takes_back_with_equal_tokens_nor_a_fight_nor_a_surprise_nor_alone():
    assert refused(table(2).play(0, "deploy d3"), 0, "takeback") == "no-takeback"
    fight = table(4, stacks={"e4": "s2 t1"}, revenge={**tokens(), "sanada": {"up": 0, "down": 1}})
    assert refused(fight.play(0, "fight e4"), 0, "takeback") == "no-takeback"
    surprise = table(4, revenge=tokens(1, 0)).play(0, "surprise i4 b3")
    assert refused(surprise, 0, "takeback") == "no-takeback"
    assert refused(Table(solo="medium").play(0, "deploy e4"), 0, "takeback") == "no-takeback"


BLUNDER = {"c4": "t1", "e4": "t3", "g4": "t3 s2", "d3": "s4"}  # Sanada's move off g4 uncovers the row


def blundered(act=2, sanada=1, tokugawa=0, **changes):
    """Sanada has just uncovered Tokugawa's row, which ended the act."""
    here = table(act, stacks=BLUNDER, revenge=tokens(sanada, tokugawa), **changes)
    here.before = here.state
    return here.play(0, "move g4 h3")


def test_a_move_that_ended_the_act_is_taken_back_and_the_new_deal_is_thrown_away():  # 13.0
    here = blundered()
    assert (here.state.act, here.state.revenge.sanada.up) == (3, 2)
    assert ENGINE.view(here.state, 0).takeback
    assert ENGINE.view(here.state, None).courtesy == 0
    assert refused(here, 1, "takeback") == "no-takeback"
    thrown_away = here.state.tiles
    here.play(0, "takeback")
    assert here.codes == ["taken-back-act"]
    assert here.events[0].params == {"seat": 0, "act": 2}
    assert here.state == here.before
    assert refused(here, 0, "takeback") == "no-takeback"
    here.play(0, "move g4 h3")
    assert here.state.act == 3
    assert here.state.tiles != thrown_away  # it is drawn anew


@pytest.mark.parametrize("text", ["deploy 2 d3", "deploy 2 e4"])
def test_the_courtesy_ends_when_anybody_acts_in_the_next_act(text):  # 13.0
    here = blundered().play(0, text)
    assert refused(here, 1, "takeback") == "no-takeback"
    assert ENGINE.view(here.state, 0).takeback  # ... but the new action may be taken back
    here.play(0, "takeback")
    assert here.codes == ["taken-back"]
    assert here.state.act == 3
    assert refused(here, 0, "takeback") == "no-takeback"


def test_the_second_player_takes_a_blunder_back_while_sanada_is_to_begin():  # 13.0
    here = table(2, stacks={"c4": "s2", "e4": "s4", "g4": "s2 t1"}, revenge=tokens(0, 1), to_move="tokugawa")
    before = here.state
    here.play(1, "move g4 h3")
    assert ENGINE.to_act(here.state) == frozenset({0})
    assert here.play(1, "takeback").state == before


def test_who_is_bound_is_asked_when_it_is_taken_back():  # 13.0
    equal = blundered(sanada=0, tokugawa=0)  # nobody was bound before: the loser's new token binds the other
    assert equal.play(0, "takeback").state == equal.before
    assert refused(blundered(sanada=0, tokugawa=1), 0, "takeback") == "no-takeback"  # equal now


def test_an_act_that_a_win_or_a_void_ended_is_taken_back_too():  # 13.0
    won = table(2, stacks={"c4": "s2", "e4": "s4"}, revenge=tokens(3, 0))
    before = won.state
    won.play(0, "deploy g4")
    assert won.codes[:2] == ["deployed", "act-won"]
    assert won.play(0, "takeback").state == before
    here = table(2, stacks={"c4": "s6", "g4": "t1"}, revenge=tokens(1, 0))
    for seat, there in [(0, "c4 d3"), (1, "g4 h3"), (0, "d3 c4"), (1, "h3 g4")] * 2:
        before = here.state
        here.play(seat, f"move {there}")
    assert "act-void" in here.codes
    assert refused(here, 1, "takeback") == "no-takeback"  # Tokugawa is bound
    assert before.act == here.state.act


def test_what_ended_the_game_or_was_no_deploy_or_move_stays():  # 13.0
    last = table(6, stacks=BLUNDER, revenge=tokens(2, 1)).play(0, "move g4 h3")
    assert outcome(last.state).winners == (1,)
    assert refused(last, 0, "takeback") == "game-over"
    alone = Table(load(place(dealt(2, BRICKS, revenge=tokens(1, 0)), **BLUNDER)).model_copy(
        update={"story": False}
    ))  # fmt: skip
    assert refused(alone.play(0, "move g4 h3"), 0, "takeback") == "game-over"
    gave_up = table(2, stacks=BLUNDER, revenge=tokens(1, 0)).play(0, "move d3 f3").play(0, "surrender")
    assert refused(gave_up, 0, "takeback") == "no-takeback"
    fought = table(3, stacks={"c4": "t1", "e4": "t3", "g4": "t5 s2"}, revenge=tokens(0, 0))
    fought.play(0, "fight g4")
    assert "act-won" in fought.codes
    assert refused(fought, 0, "takeback") == "no-takeback"


def test_act_six_played_again_is_taken_back():  # 13.0
    here = table(6, stacks=BLUNDER, revenge=tokens(1, 2), to_move="sanada")
    before = here.state
    here.play(0, "move g4 h3")
    assert "act-again" in here.codes  # two tokens each: nobody is bound
    assert refused(here, 0, "takeback") == "no-takeback"
    assert before.act == here.state.act == 6


def test_a_game_that_began_by_the_older_ruling_goes_on_as_it_was():  # 13.0
    given = place(dealt(2, BRICKS, revenge=tokens(1, 0)), **BLUNDER)
    old = from_position("rokumon", given, b"\0").model_copy(update={"rules": 1})
    history = append(begin(old), 0, "move g4 h3")
    assert isinstance(history.state, RokumonState)
    assert history.state.before is None
    with pytest.raises(RulesError, match="no-takeback"):
        append(history, 0, "takeback")
    new = append(append(begin(from_position("rokumon", given, b"\0")), 0, "move g4 h3"), 0, "takeback")
    assert new.state == begin(new.record).state
    assert verify(new.record).state == new.state


def test_the_view_keeps_no_secret_of_the_act_that_may_be_taken_back():  # 13.0
    here = blundered(act=3)
    for viewer in (None, 0, 1):
        assert "before" not in ENGINE.view(here.state, viewer).model_dump()


def test_tanomo_is_announced_when_the_bound_player_could_win_next():
    stacks = {"c4": "s2", "h3": "t1"}
    here = table(2, stacks=stacks, revenge=tokens(0, 1)).play(0, "deploy e4")
    assert here.codes == ["deployed", "tanomo"]
    assert "tanomo" not in table(2, stacks=stacks).play(0, "deploy e4").codes
    assert "tanomo" not in table(2, stacks=stacks, revenge=tokens(1, 0)).play(0, "deploy e4").codes


@pytest.mark.parametrize(("stack", "announced"), [("s6! t3!", True), ("s6! t3", False), ("s6 t3!", False)])
def test_a_fight_counts_for_tanomo_only_between_warriors_known_to_all(stack, announced):
    stacks = {"c4": "s2", "e4": "s4", "g4": stack, "f3": "s2", "i4": "t1"}
    here = table(3, stacks=stacks, revenge=tokens(0, 1)).play(0, "move f3 h3")
    assert ("tanomo" in here.codes) == announced


# -- Taroma --------------------------------------------------------------------------------------


def test_taroma_opens_by_itself_and_names_its_step():
    here = Table(solo="easy")
    assert ENGINE.roles(here.state) == ("tokugawa",)
    assert ENGINE.to_act(here.state) == {0}
    assert here.state.taroma == "DEPLOY"
    assert len(Table(solo="hard").state.supply.tokugawa) == 4
    assert ENGINE.roles(Table(solo="medium").state) == ("sanada",)


def test_taroma_tells_its_step_in_the_event():
    here = Table(solo="medium").play(0, "deploy e4")
    assert here.events[1].code == "taroma-deploy"
    assert here.events[1].params["step"] == "MATCH" == here.state.taroma


def test_surrendering_a_battle_ends_the_solo_game():
    here = Table(solo="medium").play(0, "surrender")
    assert outcome(here.state).model_dump() == {"winners": (), "scores": (0,), "reason": "battles"}
    assert outcome(Table(solo="hard").play(0, "resign").state).reason == "resign"


# -- options, positions, notation ------------------------------------------------------------------


@pytest.mark.parametrize(
    "options", [{"act": 0}, {"act": 7}, {"solo": "x"}, {"act": 1, "solo": "easy"}, {"a": 1}]
)
def test_wrong_options_are_refused(options):
    with pytest.raises(RulesError) as error:
        ENGINE.read_options(options)
    assert error.value.code == "bad-options"


def test_seats_follow_the_options():
    assert ENGINE.seat_counts(ENGINE.read_options({})) == (2,)
    assert ENGINE.seat_counts(ENGINE.read_options({"solo": "hard"})) == (1,)
    with pytest.raises(RulesError, match="bad-seats"):
        ENGINE.setup(ENGINE.read_options({}), 1, Chance(b"", 0))


@pytest.mark.parametrize("options", [{}, {"act": 4}, {"act": 5}, {"act": 6}, {"solo": "hard"}, {"act": 1}])
def test_a_position_comes_back_as_it_was(options):
    for seed in range(4):
        here = Table(seed=bytes([seed]), **options).at_random(seed * 7)
        position = ENGINE.position(here.state)
        assert ENGINE.position(load(position)) == position


@pytest.mark.parametrize(
    "change",
    [
        {"act": 7},
        {"act": "solo"},
        {"layout": "square"},
        {"tiles": []},
        {"to_move": "takeda"},
        {"supply": {"sanada": ["s9"], "tokugawa": []}},
        {"supply": {"sanada": ["s6", "s6"], "tokugawa": []}},
        {"supply": {"sanada": ["t1"], "tokugawa": []}},
        {"revenge": tokens(-1, 0)},
        {"revenge": tokens(7, 1)},
        {"locked": "z9"},
        {"phase": "revenge"},
        {"colour": "red"},
    ],
)
def test_positions_that_cannot_be_played_on_are_refused(change):
    with pytest.raises(RulesError) as error:
        load({**dealt(4, BRICKS), **change})
    assert error.value.code == "bad-position"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Deploy  1* D3", "deploy 1* d3"),
        ("deploy d3 1*", "deploy 1* d3"),
        ("fight e4 1", "fight e4 +1"),
        ("fight e4 +0", "fight e4"),
        ("fight e4 + 1", "fight e4 +1"),
        ("fight e4+1", "fight e4 +1"),
        ("deploy 1 * d3", "deploy 1* d3"),
        ("surprise i4 f5", "surprise i4 f5"),
        ('{"type":"move","from":"d3","to":"e4"}', "move d3 e4"),
        ('{"type":"deploy","token":"t1*","at":"d3"}', "deploy 1* d3"),
        ('{"type":"Deploy","token":"T1*","at":"D3"}', "deploy 1* d3"),
        ("revenge 2", "revenge 2"),
        ("TAKEBACK", "takeback"),
    ],
)
def test_actions_are_read_in_many_ways_and_written_in_one(text, canonical):
    state = load(dealt(4, BRICKS))
    action = ENGINE.parse(text, state, 1)
    assert ENGINE.format(action) == canonical
    assert ENGINE.parse(ENGINE.format(action), state, 1) == action


@pytest.mark.parametrize(
    "text",
    ["", "deploy", "deploy 9 d3", "move d3", "fight e4 +100", "move d3 e4 f5", "revenge", "{}", "[", "x y"],
)
def test_unreadable_actions_are_refused(text):
    with pytest.raises(RulesError, match="bad-action"):
        ENGINE.parse(text, load(dealt(4, BRICKS)), 1)


def test_completions_are_legal_and_know_what_is_always_possible():
    state = load(dealt(4, BRICKS))
    assert ENGINE.complete("deploy 4 d", state, 0)[0] == "deploy 4 d3"
    assert ENGINE.complete("surr", state, 0) == ["surrender"]
    assert set(ENGINE.complete("", state, 0)) == set(ENGINE.legal(state, 0).actions)
