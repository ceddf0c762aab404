"""Every button of a panel fits a phone, with whatever names stand on it, in every language (15.1).

Games are played through their own panels; the labels of each step are measured as the panel builds them.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cogs.buttons.custom_ids import Spot
from cogs.panels import guided
from cogs.panels.shogun import Sheet, controls_of
from cogs.text.control import Button, Select, option
from cogs.text.games import playable
from cogs.text.layout import Rows
from cogs.text.plain import PHONE_BUTTON, columns
from cogs.text.rules_pages import pages_of, way_to
from cogs.text.signs import Signs
from engines.capabilities import random_action
from engines.chance import Chance
from engines.protocol import Prompt, Ready
from engines.registry import engine
from engines.shogun.data import PLACES
from locales import LANGUAGES, words
from render.lessons import lessons
from tables.core.model import Panel
from tests.games import sample

COUNT = int(os.environ.get("HATAMOTO_COUNT") or 2)
PLIES = 60  # of a random game; half as many of the first, which is all that the quick suite has
PHONE_OPTION = 45  # columns of one line of a select on a phone
NAMES = ("Bartholomew", "Wilhelmina", "Maximiliana", "Christopher", "Evangeline")


def steps(game: str, options: dict[str, Any], seed: int) -> Iterator[tuple[Prompt | Ready, tuple[str, ...]]]:
    """What a game's panels ask one after the other: a random walk down them, and a random action after it."""
    rules, dice = engine(game), random.Random(seed)
    made = rules.read_options(options)
    root = seed.to_bytes(32, "big")
    state, _ = rules.setup(made, max(rules.seat_counts(made)), Chance(root, 0))
    for entry in range(1, PLIES if seed else PLIES // 2):
        seats = sorted(rules.to_act(state))
        if not seats:
            return
        path: tuple[str, ...] = ()
        while True:
            step = rules.choices(state, seats[0], path)
            yield step, path
            if isinstance(step, Ready) or not step.choices:
                break
            wanted = min(max(step.least, 1), max(step.most, 1), len(step.choices))
            picks = sorted(dice.sample(range(len(step.choices)), wanted))
            path += ("+".join(step.choices[pick].key for pick in picks),)
        here = Chance(root, entry)
        state, _ = rules.apply(state, seats[0], random_action(rules, state, seats[0], here), here)


def shown(game: str, language: str, step: Prompt | Ready, path: tuple[str, ...]) -> Rows:
    """The controls of a step, as the panel makes them."""
    table = SimpleNamespace(id=999_999, game=game, version=9999)
    picked = tuple(str(number) for number in range(len(path)))
    panel = Panel(cast(Any, SimpleNamespace(table=table, names=NAMES)), step, (), picked, 9999, undo=True)
    rows, speech = Rows(), words(language)
    if isinstance(step, Ready):
        for warned in (False, True):
            guided.add_confirmation(rows, panel, step, speech, warned=warned)
    else:
        guided.add_choices(rows, panel, step, speech, Spot("p", picked), Signs())
    rows.add_item(guided.typing_button(cast(Any, table), speech))
    guided.add_rules(rows, panel, speech)
    return rows


def too_wide(rows: Rows) -> set[str]:
    """Labels that a phone would cut."""
    found: set[str] = set()
    for item in rows.items:
        if isinstance(item, Button):
            assert item.label
            found |= {item.label} if columns(item.label) > PHONE_BUTTON else set()
        else:
            labels = [one["label"] for one in item.json["options"]]
            found |= {label for label in labels if columns(label) > PHONE_OPTION}
    return found


def variants() -> list[tuple[str, dict[str, Any]]]:
    """Each game with its usual options, and with others where they make another game of it."""
    found: dict[tuple[str, str], tuple[str, dict[str, Any]]] = {}
    for game in playable():
        for options in ({}, sample(game).options, *sample(game).more):
            found.setdefault((game, repr(engine(game).read_options(options))), (game, options))
    return list(found.values())


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.long) for n in range(1, COUNT))])
@pytest.mark.parametrize(("game", "options"), variants())
async def test_whatever_a_panel_asks_its_labels_fit_a_phone(game, options, seed):
    wide: dict[str, str] = {}
    for step, path in steps(game, options, seed):
        for language in LANGUAGES:
            for label in too_wide(shown(game, language, step, path)):
                wide[label] = f"{language} {step}"[:200]
    assert wide == {}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_way_to_any_page_of_the_rules_fits_a_phone(language):
    for game in playable():
        if (taught := lessons(game)) is None:
            continue  # a game that was just begun
        for code in taught.ABOUT:
            link = way_to(game, (code,), words(language))
            assert link is not None, (game, code)
            assert columns(link.label or "") <= PHONE_BUTTON, link.label
        assert pages_of(game, words(language))


@pytest.mark.parametrize("language", LANGUAGES)
async def test_an_order_sheet_fits_a_phone_space_by_space(language):
    rules = engine("shogun")
    state, _ = rules.setup(rules.read_options({}), 5, Chance(bytes(32), 0))
    for seat in range(5):
        view = cast(Any, rules.view(state, seat))
        held = [name for name, province in view.provinces.items() if province.owner == seat]
        longest = max(held, key=lambda name: columns(words(language).term("shogun", name)))
        for before, space in pairwise(PLACES):
            laid: Any = {before: longest}
            sheet = Sheet(
                999_999, "", 9999, view, NAMES, laid, words(language), space, sure=before == "castle"
            )
            assert too_wide(controls_of(sheet, Signs())) == set()


async def test_a_label_that_a_phone_would_cut_is_found_out():
    rows = Rows()
    rows.add_item(Button("Confirm", "a"))
    rows.add_item(Button("Fukushima leader: up to +1", "b"))
    rows.add_item(Button("小早川ダブルカード（5）", "c"))
    rows.add_item(Select("d", [option("x" * 46, "x")]))
    assert too_wide(rows) == {"Fukushima leader: up to +1", "小早川ダブルカード（5）", "x" * 46}


async def test_what_does_not_fit_on_buttons_is_a_select_with_the_rest_said_below():
    step = next(
        step
        for seed in range(8)
        for step, _ in steps("sekigahara", {}, seed)
        if isinstance(step, Prompt) and any(choice.code == "to-for" for choice in step.choices)
    )
    rows = shown("sekigahara", "en", step, ("march",))
    [menu] = [item.json for item in rows.items if isinstance(item, Select)]
    assert any("card" in one.get("description", "") for one in menu["options"])
