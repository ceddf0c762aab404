"""What a viewer cannot know changes nothing that he sees (DESIGN.md, Secrets)."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engines.chance import Chance
from engines.protocol import Prompt, RulesError
from engines.rokumon import opponent
from engines.rokumon.data import LETTERS
from engines.rokumon.model import in_order
from tests.engines.rokumon.rokumon_tables import COUNT, ENGINE, Table

VIEWERS = (None, 0, 1)
OPEN = 6
ACTS = [3, 5, *(pytest.param(act, marks=pytest.mark.long) for act in (1, 2, 4, 6))]
FEW = settings(
    max_examples=COUNT or 3, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)


def secret(state, viewer, token):
    """Whether the viewer may not know this warrior's value."""
    if state.act in (1, 2):
        return True
    return state.act < OPEN and not token.endswith("!") and (viewer is None or token[0] != LETTERS[viewer])


def shuffled(state, viewer, mix):
    """The state with the warriors of each side that the viewer cannot know dealt anew among their places."""
    tiles, supply = [list(tile.stack) for tile in state.tiles], [list(state.supply.of(s)) for s in (0, 1)]
    for letter in LETTERS:
        places = [
            (group, n)
            for group in (*tiles, *supply)
            for n, token in enumerate(group)
            if token[0] == letter and secret(state, viewer, token)
        ]
        drawn = mix([group[n] for group, n in places])
        for (group, n), token in zip(places, drawn, strict=True):
            group[n] = token
    if state.last is not None and state.last.token is not None and secret(state, viewer, state.last.token):
        values = {"s": ("s2", "s4", "s6"), "t": ("t1", "t1*", "t3", "t5")}[state.last.token[0]]
        state = state.model_copy(
            update={"last": state.last.model_copy(update={"token": mix(list(values))[0]})}
        )
    laid = [
        tile.model_copy(update={"stack": tuple(stack)})
        for tile, stack in zip(state.tiles, tiles, strict=True)
    ]
    held = state.supply.put(0, in_order(tuple(supply[0]))).put(1, in_order(tuple(supply[1])))
    return state.model_copy(update={"tiles": tuple(laid), "supply": held})


def prompts(state, seat, path=()):
    """The whole panel of a seat, every level of it."""
    try:
        prompt = ENGINE.choices(state, seat, path)
    except RulesError as error:
        return error.code
    if not isinstance(prompt, Prompt):
        return prompt.model_dump()
    below = {choice.key: prompts(state, seat, (*path, choice.key)) for choice in prompt.choices}
    return prompt.model_dump(), below


def seen(state, viewer):
    """All that the engine tells a viewer."""
    if viewer is None:
        return ENGINE.view(state, None).model_dump_json()
    told = (
        ENGINE.view(state, viewer).model_dump_json(),
        ENGINE.legal(state, viewer),
        ENGINE.complete("", state, viewer),
        ENGINE.complete("d", state, viewer),
        ENGINE.choices_mark(state, viewer),
        prompts(state, viewer),
    )
    if viewer in ENGINE.to_act(state):
        return told, opponent.choose(ENGINE.view(state, viewer), "normal", Chance(b"same", 0))
    return told


@pytest.mark.parametrize("act", ACTS)
@given(
    seed=st.binary(min_size=2, max_size=2), plies=st.integers(0, 30), mix=st.randoms(use_true_random=False)
)
@FEW
def test_what_a_viewer_cannot_know_changes_nothing_he_sees(act, seed, plies, mix):
    state = Table(seed=seed, act=act).at_random(plies).state
    for viewer in VIEWERS:
        other = shuffled(state, viewer, lambda tokens: mix.sample(tokens, len(tokens)))
        assert seen(other, viewer) == seen(state, viewer)


@pytest.mark.parametrize("act", ACTS)
@given(
    seed=st.binary(min_size=2, max_size=2), plies=st.integers(0, 30), mix=st.randoms(use_true_random=False)
)
@FEW
def test_what_happens_is_told_without_what_a_viewer_cannot_know(act, seed, plies, mix):
    table = Table(seed=seed, act=act).at_random(plies)
    if ENGINE.result(table.state):
        return
    state, seat = table.state, table.seat
    text = Chance(b"next" + seed, plies).pick(ENGINE.legal(state, seat).actions)
    if text.startswith("fight") or state.phase == "revenge":
        return  # a Fight reveals: what happens is not secret any more
    for viewer in (None, 1 - seat):
        other = shuffled(state, viewer, lambda tokens: mix.sample(tokens, len(tokens)))
        told = []
        for before in (state, other):
            # The opponent cannot tell which warrior was deployed, so any one of the mover's will do.
            words = text.split()
            if words[0] == "deploy" and len(words) == 3 and act < OPEN:
                words[1] = before.supply.of(seat)[0][1:]
            after, events = ENGINE.apply(
                before, seat, ENGINE.parse(" ".join(words), before, seat), Chance(seed, 999)
            )
            told.append(([event.seen_by(viewer) for event in events], seen(after, viewer)))
        assert told[0] == told[1]


def test_a_deployed_warrior_is_told_to_its_owner_alone():
    table = Table(act=3).play(0, "deploy 6 e4")
    told = table.events[0]
    assert told.seen_by(0).params["token"] == "s6"
    assert "token" not in told.seen_by(1).params
    assert "token" not in told.seen_by(None).params
    view = ENGINE.view(table.state, 1)
    assert view.supply.sanada.values is None
    assert view.supply.sanada.count == 3
    assert view.supply.tokugawa.values == ("1", "1*", "3", "3", "5")
    values = [seen.last and seen.last.value for seen in (ENGINE.view(table.state, 0), view)]
    assert values == ["6", None]
