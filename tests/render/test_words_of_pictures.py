"""What the painters say is in the catalogue."""

import re
from pathlib import Path

import pytest

import render
from locales import words
from render.words import joined, shorten

SAID = re.compile(r'\bsay\(\s*\w+,\s*"([a-z.\-]+)"')
PICKED = re.compile(r'"((?:picture|caption|alt)\.[a-z\-]+)"')


@pytest.mark.parametrize("game", ["kamisado", "rokumon"])
def test_every_phrase_of_a_picture_is_in_the_catalogue(game):
    folder = Path(render.__file__).parent
    text = "".join(path.read_text("utf-8") for path in sorted(folder.glob(f"{game}*.py")))
    keys = {*SAID.findall(text), *PICKED.findall(text)}
    assert len(keys) > 15
    missing = [key for key in keys if not words("en").has(f"{game}.{key}")]
    assert missing == []


def test_sentences_are_joined_and_cut_after_a_whole_word():
    assert joined(["One.", "", " Two. "]) == "One. Two."
    assert shorten("short", 10) == "short"
    cut = shorten("Tiles: d3 gold, e4 jade, f5 gold.", 24)
    assert cut == "Tiles: d3 gold, e4…"
    assert len(shorten("word " * 400, 990)) <= 990
