"""What a panel shows: the place that it asks about large, with the whole board one press away (16.9)."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from cogs.panels import guided
from cogs.text.signs import Signs
from engines.chance import Chance
from engines.registry import engine
from locales import words
from render import Picture
from tables.core.model import Panel
from tables.core.one_each import Queues


class OneStudio:
    """Says what it was asked for, and gives a picture that is of one place or not."""

    def __init__(self, *, focus: bool) -> None:
        self.parts = list[str]()
        self._focus = focus

    async def draw(self, part, scene):
        self.parts.append(part)
        return Picture(b"png", "picture.png", "alt", focus=self._focus)


@pytest.mark.parametrize("focus", [True, False])
async def test_a_panel_shows_the_place_it_asks_about_and_the_way_to_the_whole_board(focus):  # 16.9
    rules, studio = engine("rokumon"), OneStudio(focus=focus)
    state = rules.setup(rules.read_options({}), 2, Chance(bytes(32), 0)).state
    seat = min(rules.to_act(state))
    seats = (SimpleNamespace(user_id=101), SimpleNamespace(user_id=102))
    table = SimpleNamespace(id=1, game="rokumon", version=3, accounts=(), help="full", seats=seats)
    shown = SimpleNamespace(
        table=table, view=rules.view(state, seat), seat=seat, names=("Ann", "Ben"), events=(), since=None
    )
    panel = Panel(cast(Any, shown), rules.choices(state, seat, ()), (), (), 3)
    client = cast(Any, SimpleNamespace(studio=studio, signs=Signs(), drawing=Queues()))
    made = await guided.screen(client, words("en"), panel)
    assert studio.parts == ["step"]
    labels = [item.label for item in made.view.items]
    assert (words("en")("button.map") in labels) == focus
