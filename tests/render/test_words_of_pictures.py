"""What the painters say is in the catalogue."""

import re
from pathlib import Path

import pytest

import render
from engines.chance import Chance
from engines.registry import GAMES, engine
from locales import LANGUAGES, words
from render.text import FILES, UNSEEN, has
from render.words import joined, shorten
from tests.games import released
from tests.locales.catalogue import read

SAID = re.compile(r'\bsay\(\s*\w+,\s*"([a-z.\-]+)"')
PICKED = re.compile(r'"((?:picture|caption|alt)\.[a-z\-]+)"')


@pytest.mark.parametrize("game", list(GAMES))
def test_every_phrase_of_a_picture_is_in_the_catalogue(game):
    folder = Path(render.__file__).parent
    text = "".join(path.read_text("utf-8") for path in sorted((folder / game).glob("*.py")))
    keys = {*SAID.findall(text), *PICKED.findall(text)}
    assert len(keys) > (15 if released(game) else 0)
    missing = [key for key in keys if not words("en").has(f"{game}.{key}")]
    assert missing == []


DRAWN = re.compile(r"(?:\w+\.)?(?:picture|sheet|hand|score|told|term|count)\.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_fonts_have_every_character_that_a_picture_may_write(language):
    drawn = {key: "".join(texts) for key, texts in read(language).items() if DRAWN.match(key)}
    assert len(drawn) > 400
    for key, text in drawn.items():
        inked = [sign for sign in text if sign not in UNSEEN]
        lost = [sign for sign in inked if not any(has(file, sign) for file in FILES["words"])]
        assert lost == [], key


def test_sentences_are_joined_and_cut_after_a_whole_word():
    assert joined(["One.", "", " Two. "]) == "One. Two."
    assert shorten("short", 10) == "short"
    cut = shorten("Tiles: d3 gold, e4 jade, f5 gold.", 24)
    assert cut == "Tiles: d3 gold, e4…"
    assert len(shorten("word " * 400, 990)) <= 990


def test_japanese_sentences_stand_side_by_side_and_are_cut_after_a_part():
    assert joined(["置きました。", "", "次です。"]) == "置きました。次です。"
    assert joined(["置きました。", "Act 1."]) == "置きました。Act 1."
    assert shorten("タイル：金、緑、真田丸。", 10) == "タイル：金、緑…"
    assert shorten("たのもうたのもう", 5) == "たのもう…"


@pytest.mark.parametrize(("game", "side"), [("kamisado", "Black"), ("sekigahara", "Ishida")])
def test_who_is_said_to_play_a_side_is_not_called_by_it_too(game, side):
    rules = engine(game)
    start = rules.setup(rules.read_options({}), 2, Chance(bytes(32), 0))
    seen = tuple(event.seen_by(None) for event in start.events)
    scene = render.Scene(game, rules.view(start.state, None), ("Ann", "Ben"), words("en"), seen)
    told = render.painter(game).describe(scene)
    assert f"Ann plays {side}" in told
    assert f"Ann ({side}) plays" not in told
