"""The opponent that looks ahead: its fast form keeps the rules, it sees a view only, it is often right."""

from functools import cache
from typing import Any

import pytest

from engines.capabilities import Deed, random_action
from engines.chance import Chance
from engines.shogun import opponent
from engines.shogun.data import ACTIONS, BUILDINGS, EVENTS, PROVINCES, RANK
from engines.shogun.field import NOTHING, Field, field_of
from engines.shogun.odds import battle_odds, endings
from engines.shogun.play import Play
from engines.shogun.thinking import Thinker
from engines.shogun.winter import score
from tests.engines.shogun.otherwise import otherwise
from tests.engines.shogun.shogun_problems import problems
from tests.engines.shogun.shogun_scenes import ENGINE, acted, loaded, new, position, province


def board(field: Field) -> list[Any]:
    return [field.owner, field.armies, field.unrest, field.built, field.chests, field.rice, field.supply]


def cubes(field: Field) -> list[Any]:
    return [field.tower, field.tray]


def nowhere(field: Field, seat: int, source: int) -> tuple[int, int]:
    raise AssertionError("the test says itself where armies go")


@pytest.mark.parametrize("tower", ["open", "swap"])
def test_a_round_in_the_fast_form_ends_as_in_the_rules_where_chance_has_no_part(tower):
    state, compared = new(4, b"fast", tower=tower), 0
    for ply in range(1, 80):
        seat = min(ENGINE.to_act(state), default=None)
        if seat is None:
            break
        fast = field_of(ENGINE.view(state, seat), nowhere) if state.phase == "action" else None
        action = random_action(ENGINE, state, seat, Chance(b"fast", ply))
        after = ENGINE.apply(state, seat, action, Chance(b"\0", ply)).state
        if fast is not None and after.phase == "action" and after.action_index == state.action_index:
            plans = [[RANK.get((p.plan or {}).get(a, ""), NOTHING) for a in ACTIONS] for p in state.players]
            source = plans[seat][ACTIONS.index(state.actions[state.action_index])]
            where = (RANK[action.to], action.armies) if hasattr(action, "to") else (NOTHING, 0)
            fast.go(seat, source, where, plans)
            between = state.order[state.order.index(seat) + 1 : after.order.index(after.turn) + 1]
            kind = ACTIONS.index(state.actions[state.action_index])
            for other in between:
                name = plans[other][kind]
                if name >= 0 and (kind < 8 or fast.armies[name] < 2):
                    fast.act(other, kind, name, plans)
            rules = field_of(ENGINE.view(after, seat), nowhere)
            assert board(fast) == board(rules)
            assert cubes(fast) == cubes(rules)
            compared += 1
        state = after
    assert compared > 8


def test_a_scoring_in_the_fast_form_gives_what_the_rules_give():
    state = new(5, b"score")
    for ply in range(1, 60):
        seat = min(ENGINE.to_act(state))
        action = random_action(ENGINE, state, seat, Chance(b"score", ply))
        state = ENGINE.apply(state, seat, action, Chance(b"s", ply)).state
    assert any(getattr(p, kind) for p in state.provinces.values() for kind in BUILDINGS)
    play = Play(state, Chance(b"", 0))
    before = [purse.points for purse in play.players]
    score(play)
    gains = [purse.points - was for purse, was in zip(play.players, before, strict=True)]
    assert field_of(ENGINE.view(state, 0), nowhere).scoring() == gains


def test_the_endings_of_a_battle_add_up_to_its_odds():
    state = new(4, b"ends")
    view = ENGINE.view(state, 0)
    for target, armies in (("Ise", 4), ("Iga", 3), ("Mino", 4), ("Harima", 2)):
        if target not in view.provinces or view.provinces[target].owner == 0:
            continue
        odds, found = battle_odds(view, 0, target, armies), endings(view, 0, target, armies)
        assert sum(e.chance for e in found) == pytest.approx(1, abs=1e-4)
        assert sum(e.chance for e in found if e.end == "won") == pytest.approx(odds.win)
        assert sum(e.chance * e.armies for e in found if e.end == "won") == pytest.approx(odds.left)


@cache
def moments() -> list[Any]:
    """Positions of one game in planning, at the special cards and with a card open, each with a seat."""
    state = new(3, b"moments")
    found: dict[Any, Any] = {}
    for ply in range(1, 40):
        seat = min(ENGINE.to_act(state))
        found.setdefault(state.phase, (state, seat))
        text = opponent.choose(ENGINE.view(state, seat), "normal", Chance(b"moments", ply))
        state, _ = acted(state, seat, text, ply)
    return [found[phase] for phase in ("plan", "special", "action")]


@cache
def answer(moment: int) -> Any:
    """What hard does at one of these moments."""
    state, seat = moments()[moment]
    return opponent.choose(ENGINE.view(state, seat), "hard", Chance(b"alike", 1))


@pytest.mark.parametrize("moment", range(3))
def test_hard_answers_alike_each_time_and_whatever_others_hide(moment):
    state, seat = moments()[moment]
    other = otherwise(state, seat, Chance(b"hidden", moment))
    assert opponent.choose(ENGINE.view(other, seat), "hard", Chance(b"alike", 1)) == answer(moment)


def test_hard_looks_at_no_more_worlds_than_its_budget():
    state, seat = moments()[0]
    thinker = Thinker(ENGINE.view(state, seat), seat, Chance(b"budget", 1))
    thinker.plan(opponent.EFFORT)
    assert 0 < thinker.trials <= sum(many * number for many, number, _ in opponent.EFFORT)


def test_every_plan_near_another_is_legal_with_few_provinces_and_with_many():
    for own in ((), ("Kai",), ("Kai", "Musashi", "Aki"), PROVINCES[:7], PROVINCES[:20]):
        board_ = {name: province(0, 2) for name in own} | {"Tosa": province(1, 3), "Mutsu": province(2, 3)}
        given = position(board_, seats=4, phase="plan", turn=None, order=[], event=None, chests=2,
                         specials=(None,) * 4)  # fmt: skip
        given["events"].append("temple_peace_1")
        given["event_pile"] = [e for e in EVENTS if e not in given["events"]]
        for player in given["players"]:
            player["plan"] = None
        state = loaded(given)
        thinker = Thinker(ENGINE.view(state, 0), 0, Chance(b"near", 1))
        draft = thinker.first()
        for _ in range(60):
            plan = thinker.laid(draft)
            text = " ".join(["plan", *(f"{space}={card.casefold()}" for space, card in plan.items())])
            acted(state, 0, text)
            draft = thinker.changed(draft)


def last_autumn(behind: int, passive: int) -> Any:
    """Seat 0 so many points behind in the last autumn's planning; the last seats have resigned."""
    given = position({"Kai": province(0, 3), "Aki": province(1, 3), "Mino": province(2, 3)},
                     phase="plan", turn=None, order=[], event=None, specials=(None,) * 3,
                     year=2, season="autumn")  # fmt: skip
    given.update(events=["recruit_reduced", "rice_max_3"], event_pile=list(EVENTS[:4]))
    for player in given["players"]:
        player["plan"] = None
    given["players"][1]["points"] = behind
    state = loaded(given)
    return acted(state, 2, "resign")[0] if passive else state


def test_what_is_lost_for_sure_is_resigned_against_one_rival_and_played_on_among_several():
    assert opponent.choose(ENGINE.view(last_autumn(80, 1), 0), "hard", Chance(b"lost", 1)) == "resign"
    for behind, passive in ((80, 0), (20, 1)):
        state = last_autumn(behind, passive)
        assert opponent.choose(ENGINE.view(state, 0), "hard", Chance(b"lost", 1)).startswith("plan ")
    assert told(last_autumn(80, 1), 0, "resign", None) == ["lost"]


def told(state: Any, seat: int, text: str, viewer: int | None) -> list[str]:
    after, _ = acted(state, seat, text)
    before, later = ENGINE.view(state, viewer), ENGINE.view(after, viewer)
    action = text if viewer == seat or not text.startswith("plan ") else None
    return [seen.code for seen in ENGINE.reasons(Deed(seat, before, later, (), action))]


def test_why_a_plan_was_laid_is_said_to_its_own_seat_alone():
    state, seat = moments()[0]
    assert told(state, seat, answer(0), seat)
    assert told(state, seat, answer(0), None) == []


def test_why_names_the_odds_of_an_attack_and_what_stands_there():
    found = next(p for p in problems() if p.name.startswith("a castle that can be taken"))
    state = loaded(found.given)
    assert told(state, 0, "battle musashi 5", None) == ["odds", "spoils"]
    assert told(state, 0, "battle musashi 5", 0) == ["odds", "spoils"]


def test_why_names_the_province_that_revolts_first():
    found = next(p for p in problems() if "farmers lie" in p.name)
    assert told(loaded(found.given), 0, "revolts kai aki", None) == ["first"]


@pytest.mark.parametrize("problem", problems()[::14], ids=lambda problem: problem.name)
def test_a_problem_can_be_answered_right_and_wrong_and_hard_answers_it_right(problem):
    state = loaded(problem.given)
    if state.phase != "plan":
        judged = [problem.right(text) for text in ENGINE.legal(state, 0).actions]
        assert any(judged)
        assert not all(judged)
    text = opponent.choose(ENGINE.view(state, 0), "hard", Chance(b"right", 1))
    assert problem.right(text)


@pytest.mark.long
def test_hard_answers_nine_in_ten_problems_right():
    found = problems()
    assert len(found) >= 40
    right = 0
    for problem in found:
        state = loaded(problem.given)
        text = opponent.choose(ENGINE.view(state, 0), "hard", Chance(b"right", 1))
        ENGINE.apply(state, 0, ENGINE.parse(text, state, 0), Chance(b"right", 2))
        right += problem.right(text)
    assert right >= 0.9 * len(found)
