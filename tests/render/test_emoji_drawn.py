"""The bot's own emoji: Discord's measures, and each sign told from the others."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

from engines.registry import GAMES
from engines.sekigahara.data import PLACES
from engines.shogun.data import PROVINCES
from engines.values import Choice
from render.emoji import MOST_NAME, SIZE, all_drawn, drawn, sign_of, signs

MOST_BYTES = 256_000


@pytest.mark.parametrize("game", [game for game in GAMES if signs(game)])
def test_every_sign_is_as_large_as_discord_wants_it_and_unlike_the_others(game):
    made = {code: drawn(game, code) for code in signs(game)}
    assert made
    for png in made.values():
        assert Image.open(io.BytesIO(png)).size == (SIZE, SIZE)
        assert len(png) <= MOST_BYTES
    alike = {code for code in made if list(made.values()).count(made[code]) > 1}
    assert all(
        any(word in code for word in ("recruit", "battle", "attack", "tax", "chest", "rice", "armies"))
        for code in alike
    ), alike


def test_names_of_emoji_are_such_as_discord_takes():
    for name in all_drawn():
        assert re.fullmatch(r"[a-z0-9_]{2,32}", name)
        assert len(name) <= MOST_NAME


def test_a_choice_is_shown_by_its_key_or_by_what_it_is_about():
    assert sign_of("kamisado", Choice(key="orange", code="tower")) == "orange"
    assert sign_of("kamisado", Choice(key="d4", code="move", params={"color": "pink"})) == "pink"
    assert sign_of("kamisado", Choice(key="left", code="fill-left")) is None


def test_places_and_provinces_are_read_by_shape():  # 17.2
    def of(place):
        return sign_of("sekigahara", Choice(key=f"march_{place}", code="march-at", params={"what": place}))

    assert [of(place) for place in ("kyoto", "osaka", "kanazawa", "kuwana", "minakuchi")] == [
        "capital", "castle-ishida", "castle-tokugawa", "resource", "town",
    ]  # fmt: skip
    assert all(of(place) in signs("sekigahara") for place in PLACES)
    assert {sign_of("shogun", Choice(key=name, code="province")) for name in PROVINCES} == set(PROVINCES)
