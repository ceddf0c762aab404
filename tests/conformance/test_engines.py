"""Every registered game, whatever it is: what the protocol promises holds. A new game is run as it is."""

from __future__ import annotations

from importlib import import_module

import pytest

from engines.capabilities import Drafts, Orders, Secrets, random_action
from engines.chance import Chance
from engines.opponents import opponent
from engines.protocol import (
    GAME_OVER,
    MOST_COMPLETION,
    AnyEngine,
    Json,
    Prompt,
    Ready,
    RulesError,
    State,
    written,
)
from engines.record import append, begin, fold, new, read_record, state_hash
from engines.registry import GAMES, engine
from kit.check import Lack, lacks
from tests.games import SAMPLES, hidden, opening, released, sample

every_game = pytest.mark.parametrize("game", GAMES)
PLIES, ASKED = 120, 10
DEEP = 60


def ways(game: str) -> list[dict[str, Json]]:
    """Options of the games that are played: the sample's, and the others it names."""
    return [sample(game).options, *sample(game).more]


def test_every_game_has_one_sample_and_every_sample_a_game():
    assert list(SAMPLES) == list(GAMES)


@pytest.mark.long  # whoever adds a game asks `check`, which this is
@every_game
def test_a_game_lacks_nothing(game):
    assert lacks(game) == list[Lack]()


@every_game
def test_a_random_game_keeps_every_promise(game):
    rules = engine(game)
    for options in ways(game):
        step = opening(game, options)
        for ply in range(1, PLIES):
            state = step.state
            stored = rules.dump(state)
            assert rules.dump(rules.load(stored)) == stored
            acting = rules.to_act(state)
            if rules.result(state) is not None:
                assert acting == frozenset()
                break
            assert acting <= frozenset(range(len(rules.roles(state)))) - rules.retired(state)
            seat = min(acting)
            assert rules.load(written(state)) == state
            for viewer in (None, seat):
                view = rules.view(state, viewer)
                assert (view.game, view.viewer) == (game, viewer)
            if rules.one_view:
                public = rules.view(state, None)
                assert rules.view(state, seat) == public.model_copy(update={"viewer": seat})
            if ply % ASKED == 1:
                asked(game, state, seat)
            action = random_action(rules, state, seat, Chance(b"conform", ply))
            assert rules.parse(rules.format(action), state, seat) == action
            step = rules.apply(state, seat, action, Chance(b"\0", ply))
            assert rules.dump(state) == stored, "apply changed its argument"
            again = rules.apply(state, seat, action, Chance(b"\0", ply))
            assert (rules.dump(again.state), again.events) == (rules.dump(step.state), step.events)


def asked(game: str, state: State, seat: int) -> None:
    """What a player who acts is shown leads to what is legal."""
    rules = engine(game)
    legal = rules.legal(state, seat)
    for text in legal.actions[:8]:
        rules.apply(state, seat, rules.parse(text, state, seat), Chance(b"\0", 1))
    completions = rules.complete("", state, seat)
    assert all(len(text) <= MOST_COMPLETION for text in completions)
    for pick in (0, -1):
        path: list[str] = []
        for _ in range(DEEP):
            level = rules.choices(state, seat, path)
            if isinstance(level, Ready) and drafted(rules, state, seat, level.action):
                break
            if isinstance(level, Ready):
                rules.apply(state, seat, rules.parse(level.action, state, seat), Chance(b"\0", 1))
                break
            assert isinstance(level, Prompt)
            assert len({choice.key for choice in level.choices}) == len(level.choices)
            assert not any(sign in choice.key for choice in level.choices for sign in "/+: ")
            inside = [choice for choice in level.choices if not choice.aside] or list(level.choices)
            picks = [inside[pick]] if level.most == 1 else inside[: max(1, level.least)]
            path.append("+".join(choice.key for choice in picks) if picks else "-")
        else:
            raise AssertionError(f"the panel of {game} does not come to an end: {path}")


def drafted(rules: AnyEngine, state: State, seat: int, text: str) -> bool:
    """Whether the text is one of a draft, which grows before it is sent."""
    begun = rules.begun(state, seat) if isinstance(rules, Drafts) else None
    return (
        begun is not None
        and isinstance(rules, Drafts)
        and rules.edit(state, seat, begun.text, text) is not None
    )


@every_game
def test_a_seat_that_need_not_act_is_refused_and_after_the_end_everybody(game):
    rules = engine(game)
    state = opening(game, sample(game).options).state
    idle = sorted(frozenset(range(len(rules.roles(state)))) - rules.to_act(state))
    assert all(rules.legal(state, seat).actions == () for seat in idle)
    ended = state
    for seat in range(len(rules.roles(state))):
        if rules.result(ended) is None:
            ended = rules.apply(ended, seat, rules.parse("resign", ended, seat), Chance(b"\0", 1)).state
    assert rules.result(ended) is not None
    with pytest.raises(RulesError) as refused:
        rules.apply(ended, 0, rules.parse("resign", ended, 0), Chance(b"\0", 9))
    assert refused.value.code == GAME_OVER


@every_game
def test_a_position_written_and_read_is_the_same_position(game):
    rules = engine(game)
    step = opening(game, sample(game).options)
    for ply in range(1, 40):
        acting = rules.to_act(step.state)
        if not acting:
            break
        written = rules.position(step.state)
        back = rules.from_position(written, Chance(b"\0", 0)).state
        assert rules.position(back) == written
        seat = min(acting)
        action = random_action(rules, step.state, seat, Chance(b"position", ply))
        step = rules.apply(step.state, seat, action, Chance(b"\0", ply))


@every_game
def test_a_record_replays_to_the_same_hash_and_the_samples_opening_is_legal(game):
    rules = engine(game)
    made = rules.read_options(sample(game).options)
    history = begin(new(game, rules.seat_counts(made)[0], b"\0", sample(game).options))
    for text in sample(game).plies:
        history = append(history, min(rules.to_act(history.state)), text)
    for _ in range(8):
        acting = rules.to_act(history.state)
        if acting:
            seat = min(acting)
            entry = len(history.plies)
            action = random_action(rules, history.state, seat, Chance(b"record", entry))
            history = append(history, seat, rules.format(action))
    again = fold(read_record(history.record.json_value()))
    assert state_hash(again.state) == state_hash(history.state)


@every_game
def test_an_opponent_plays_legally_at_each_of_its_levels_from_a_view_alone(game):
    try:
        brain = opponent(game)
    except RulesError:
        pytest.skip("it has none")
    rules = engine(game)
    for level in brain.LEVELS:
        step = opening(game, sample(game).options)
        for ply in range(1, 3 if released(game) else 12):  # a released game's own tests play many
            acting = rules.to_act(step.state)
            if not acting:
                break
            seat = min(acting)
            text = brain.choose(rules.view(step.state, seat), level, Chance(b"level", ply))
            step = rules.apply(step.state, seat, rules.parse(text, step.state, seat), Chance(b"\0", ply))


@pytest.mark.parametrize("game", hidden())
def test_what_a_viewer_cannot_know_changes_nothing_for_that_viewer(game):
    rules = engine(game)
    assert isinstance(rules, Secrets)
    mixed = import_module(f"tests.engines.{game}.otherwise")
    step, differed = opening(game, sample(game).hides or {}), 0
    for ply in range(1, 40):
        state, acting = step.state, rules.to_act(step.state)
        if not acting:
            break
        for viewer in (None, *range(len(rules.roles(state)))):
            other = mixed.otherwise(state, viewer, Chance(b"mixed", ply))
            differed += rules.dump(other) != rules.dump(state)
            assert rules.view(other, viewer) == rules.view(state, viewer)
            if viewer is not None:
                assert rules.complete("", other, viewer) == rules.complete("", state, viewer)
                assert rules.choices_mark(other, viewer) == rules.choices_mark(state, viewer)
                if viewer in acting:
                    assert rules.choices(other, viewer) == rules.choices(state, viewer)
        seat = min(acting)
        action = random_action(rules, state, seat, Chance(b"hidden", ply))
        step = rules.apply(state, seat, action, Chance(b"\0", ply))
    assert differed > 0, "nothing was mixed up"


@pytest.mark.parametrize("game", hidden())
def test_two_actions_that_look_alike_to_a_viewer_are_told_alike(game):
    """What an event gives away, the view would have to: where nothing is revealed, and no view differs."""
    rules = engine(game)
    step = opening(game, sample(game).hides or {})
    for ply in range(1, 40):
        state, acting = step.state, rules.to_act(step.state)
        if not acting:
            break
        seat = sorted(acting)[ply % len(acting)]
        actions = [random_action(rules, state, seat, Chance(b"alike", 2 * ply + n)) for n in range(2)]
        one, other = (rules.apply(state, seat, action, Chance(b"\0", ply)) for action in actions)
        quiet = not any(event.reveals for event in (*one.events, *other.events))
        for viewer in {None, *range(len(rules.roles(state)))} - {seat} if quiet else ():
            if rules.view(one.state, viewer) == rules.view(other.state, viewer):
                told = [[event.seen_by(viewer) for event in events] for events in (one.events, other.events)]
                assert told[0] == told[1], actions
        step = one


@every_game
def test_drafts_begin_as_they_say_and_orders_wait_until_they_are_due(game):
    rules = engine(game)
    if not isinstance(rules, Drafts):
        pytest.skip("no drafts")
    state = opening(game, sample(game).options).state
    for seat in range(len(rules.roles(state))):
        begun = rules.begun(state, seat)
        if begun is not None:
            assert begun.round
            assert all(
                len(text) <= MOST_COMPLETION for text in rules.complete_draft("", state, seat, begun.text)
            )
            if isinstance(rules, Orders):
                rules.due(state, seat, begun.text)
