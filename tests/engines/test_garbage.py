"""Whatever is typed, in every game and position: an action, a step, or RulesError, and nothing else.

HATAMOTO_COUNT is the number of texts a game; 30 where it is not set.
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.capabilities import Drafts, random_action
from engines.chance import Chance
from engines.protocol import MAX_TEXT, RulesError
from engines.record import action_json
from engines.registry import GAMES, engine

COUNT = int(os.environ.get("HATAMOTO_COUNT") or 30)
many = settings(max_examples=COUNT, deadline=None, database=None)
PLIES = 90  # of the games whose positions are tried
EVERY = 9
EVIL = [
    "", " ", "\t", "\x00", "\n", "\u202e", "\u3000", "\ud800", "İ", "ß", "١", "²", "½", "１", "→", "−", "–",
    "=", "==", "=x", "x=", "-", "--", ">", "> >", "+", "+8", "-1", "0", "00", "1e9", "NaN", "9" * 30,
    "9" * 5000,
    "{", "{}", "[]", "null", '{"type":1}', "[" * 3000, "plan", "plan =", "plan castle", "draft", "battle 1 1",
    "move", "castle", "lose", "march > >", "with", "force", "leader", "shown", "retreat castle", "mori =",
    "surprise", "pink", "pink push",
]  # fmt: skip


@cache
def positions(game: str) -> list[Any]:
    """Positions of a random game of as many plies."""
    rules: Any = engine(game)
    options = rules.read_options({})
    state = rules.setup(options, rules.seat_counts(options)[0], Chance(b"garbage", 0)).state
    found = [state]
    for ply in range(1, PLIES):
        acting = rules.to_act(state)
        if not acting:
            break
        seat, chance = min(acting), Chance(b"garbage", ply)
        state = rules.apply(state, seat, random_action(rules, state, seat, chance), chance).state
        if ply % EVERY == 0:
            found.append(state)
    return found


@cache
def actions(game: str) -> list[Any]:
    """Some real actions of those positions, in the order of their notation."""
    rules: Any = engine(game)
    found = {}
    for number, state in enumerate(positions(game)):
        for seat in sorted(rules.to_act(state)):
            for turn in range(3):
                action = random_action(rules, state, seat, Chance(b"action", 100 * number + turn))
                found[rules.format(action)] = action
    return [found[text] for text in sorted(found)]


def typed(game: str) -> st.SearchStrategy[str]:
    """Texts of real notation cut up, mixed and spoilt; JSON of real actions with other values."""
    rules: Any = engine(game)
    texts = [rules.format(action) for action in actions(game)]
    words = sorted(
        {word for text in texts for part in (text, text.replace("=", " ")) for word in part.split()}
    )
    word = st.one_of(
        st.sampled_from(words), st.sampled_from(EVIL), st.text(max_size=6), st.integers().map(str)
    )
    mixed = st.tuples(st.lists(word, max_size=14), st.sampled_from([" ", "", "=", "  "])).map(
        lambda parts: parts[1].join(parts[0])
    )
    cut = st.tuples(st.sampled_from(texts), st.integers(0, 60), st.integers(0, 60), word).map(
        lambda parts: parts[0][: parts[1]] + parts[3] + parts[0][parts[2] :]
    )
    return st.one_of(st.sampled_from(texts), mixed, cut, spoilt(game), st.sampled_from(EVIL))


def spoilt(game: str) -> st.SearchStrategy[str]:
    """JSON of a real action in which one value is another."""
    values = st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.sampled_from(EVIL[:24]),
        st.lists(st.one_of(st.integers(), st.sampled_from(EVIL[:24])), max_size=3),
    )  # fmt: skip
    real = st.sampled_from([action_json(action) for action in actions(game)])

    def other(parts: tuple[dict[str, Any], int, Any]) -> str:
        action, place, value = parts
        key = sorted(action)[place % len(action)]
        return json.dumps({**action, key: value})

    return st.tuples(real, st.integers(0, 20), values).map(other)


@pytest.mark.parametrize("game", GAMES)
def test_a_text_is_an_action_or_a_rules_error_and_so_is_its_step(game):
    rules: Any = engine(game)
    states, seen = positions(game), {"read": 0, "played": 0}

    @many
    @given(st.data())
    def tried(data):
        state, text = data.draw(st.sampled_from(states)), data.draw(typed(game))
        seat = data.draw(st.integers(0, len(rules.roles(state)) - 1))
        if rules.to_act(state) and data.draw(st.integers(0, 3)) == 0:
            seat = min(rules.to_act(state))
            text = rules.format(
                random_action(rules, state, seat, Chance(b"real", data.draw(st.integers(0, 9))))
            )
        try:
            action = rules.parse(text, state, seat)
        except RulesError:
            return
        seen["read"] += 1
        rules.confirm(state, seat, action)
        try:
            rules.apply(state, seat, action, Chance(b"tried", 1))
        except RulesError:
            return
        seen["played"] += 1
        assert rules.parse(rules.format(action), state, seat) == action

    tried()
    assert seen["read"] >= seen["played"] > 0, "some of it is real"


@pytest.mark.parametrize("game", GAMES)
def test_no_text_breaks_the_notation_itself_nor_what_completes_and_drafts_it(game):
    rules: Any = engine(game)
    states = positions(game)

    @many
    @given(st.data())
    def tried(data):
        state, text = data.draw(st.sampled_from(states)), data.draw(typed(game))
        seat = data.draw(st.integers(0, len(rules.roles(state)) - 1))
        asked = [
            lambda: rules.parse_text(text, state, seat),
            lambda: rules.complete(text[:100], state, seat),
            lambda: rules.legal(state, seat, text[:100]),
            lambda: rules.choices(state, seat, tuple(text.split())),
        ]
        if isinstance(rules, Drafts):
            begun = rules.begun(state, seat)
            draft = "" if begun is None else begun.text
            asked += [
                lambda: rules.edit(state, seat, draft, text),
                lambda: rules.complete_draft(text[:100], state, seat, draft),
            ]
        for ask in asked:
            try:
                ask()
            except RulesError:
                continue

    tried()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "text", ["", " ", "\x00", "9" * 5000, "{" * 9, "[" * 3000, '{"type":1}', "x" * (MAX_TEXT + 1)]
)
def test_the_worst_texts_are_refused_in_few_words(game, text):
    rules: Any = engine(game)
    for state in positions(game)[:3]:
        with pytest.raises(RulesError) as refusal:
            rules.parse(text, state, min(rules.to_act(state)))
        assert refusal.value.code == "bad-action"
        for value in refusal.value.params.values():
            assert not isinstance(value, str) or (len(value) <= 80 and value.isprintable())


def test_an_action_copied_out_of_a_sentence_from_right_to_left_is_read():
    rules: Any = engine("kamisado")
    state = positions("kamisado")[0]
    assert rules.parse(" \u2068d8-d3\u2069 ", state, 0) == rules.parse("d8-d3", state, 0)
    assert rules.parse("d8\u2068-d3", state, 0) == rules.parse("d8-d3", state, 0)  # 13.C23
