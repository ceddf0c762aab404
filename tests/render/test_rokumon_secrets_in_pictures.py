"""What a viewer cannot know changes no byte of a picture and no word of it, in any act (Secrets)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.chance import Chance
from engines.protocol import Prompt, Ready
from locales import words
from render import Scene, changes, ended, focus, painter, standing
from tests.engines.rokumon.rokumon_tables import COUNT, ENGINE, Table
from tests.engines.rokumon.test_rokumon_secrets import FEW, shuffled

PAINT = painter("rokumon")
NAMES = ("Mariko", "Bence")
ENGLISH = words("en")


def scene(state, viewer, events=(), **more):
    """What a viewer is shown."""
    return Scene("rokumon", ENGINE.view(state, viewer), NAMES, ENGLISH, events, **more)


def panels(state, seat, path=()):
    """The seat's own panel down to one confirmation, picked by the places alone."""
    step = ENGINE.choices(state, seat, path)
    if isinstance(step, Ready):
        return [scene(state, seat, action=step.action)]
    assert isinstance(step, Prompt)
    shown = scene(state, seat, prompt=step)
    return [shown, *panels(state, seat, (*path, step.choices[-1 if path else 0].key))]


def pictures(state, viewer, events=()):
    """Every picture and every word that a viewer gets in this state."""
    shown = scene(state, viewer, events)
    told = [PAINT.board(shown), ended(shown), PAINT.caption(shown), PAINT.describe(shown)]
    told += [focus(shown), standing(shown)]
    if viewer is not None:
        told += [PAINT.hand(shown)]
        if viewer in ENGINE.to_act(state):
            told += [PAINT.board(panel) for panel in panels(state, viewer)]
            told += foreseen(state, viewer)
    return told


def foreseen(state, viewer):
    """What is drawn and told to follow from actions that look the same whatever is hidden."""
    view = ENGINE.view(state, viewer)
    texts = [f"fight {option.target}" for option in view.legal if option.kind == "fight"]
    texts += [f"move {o.origin} {o.target}" for o in view.legal if o.kind == "move"][:3]
    told = []
    for text in texts:
        shown = scene(state, viewer, action=text)
        told += [PAINT.board(shown), focus(shown), ENGINE.foresee(view, text, odds=True)]
    return told


def test_what_is_new_tells_nothing_that_its_viewer_cannot_know():  # 16.8
    table = Table(seed=b"since", act=4).at_random(6)
    before = table.state
    table.at_random(5)
    for viewer in (None, 0, 1):
        found = []
        for mixed in (False, True):
            shuffle = sorted if mixed else list
            was, now = (shuffled(state, viewer, shuffle) for state in (before, table.state))
            shown = scene(now, viewer, since=ENGINE.view(was, viewer))
            found.append((PAINT.board(shown), changes(shown)))
        assert found[0] == found[1]


@pytest.mark.parametrize("act", [3, 5, *(pytest.param(act, marks=pytest.mark.long) for act in (1, 2, 4, 6))])
@given(
    seed=st.binary(min_size=2, max_size=2), plies=st.integers(3, 30), mix=st.randoms(use_true_random=False)
)
@FEW
def test_what_a_viewer_cannot_know_changes_no_picture_of_any_act(act, seed, plies, mix):
    table = Table(seed=seed, act=act).at_random(plies)
    for viewer in (None, 0, 1):
        other = shuffled(table.state, viewer, lambda tokens: mix.sample(tokens, len(tokens)))
        events = tuple(event.seen_by(viewer) for event in table.events)
        assert pictures(other, viewer, events) == pictures(table.state, viewer, events)


@pytest.mark.parametrize("act", [3, 4, 5])
def test_the_table_that_an_act_ended_on_tells_no_value_that_nobody_knew(act):
    table = Table(seed=b"ended")
    table.state = Table(seed=b"ended", act=act).state.model_copy(update={"story": True})
    table.at_random(6).play(table.seat, "surrender")
    mixed = [
        warrior.value
        for tile in table.state.ended.tiles
        for warrior in tile.stack
        if not warrior.known and warrior.value is not None
    ]
    assert mixed == []
    events = tuple(event.seen_by(None) for event in table.events)
    shown = ended(scene(table.state, None, events))
    assert shown is not None
    assert shown.png != PAINT.board(scene(table.state, None, events)).png
    assert ended(scene(table.at_random(1).state, None)) is None


@pytest.mark.long
@pytest.mark.parametrize("act", range(1, 7))
def test_what_a_viewer_cannot_know_changes_no_picture_in_many_games(act):
    for number in range(COUNT or 5):
        seed = number.to_bytes(4, "big")
        table, draw = Table(seed=seed, act=act).at_random(4 + number % 20), Chance(b"mix" + seed, 0)
        for viewer in (None, 0, 1):
            other = shuffled(table.state, viewer, lambda tokens, draw=draw: list(draw.shuffled(tokens)))
            assert pictures(other, viewer) == pictures(table.state, viewer)
