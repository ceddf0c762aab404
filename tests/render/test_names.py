"""Names in pictures: whole, or the account's, and no two alike (13.C22)."""

from dataclasses import replace

import pytest
from PIL import Image

from engines.chance import Chance
from engines.registry import GAMES, engine
from locales import words
from render import Scene, drawing
from render.names import pictured
from render.text import drawable, runs, width, write
from render.theme import Type

SIDES = ("Black", "White", "Red")
ACCOUNTS = ("ann.k", "ben_7", "cho")


def one(name, account="ann.k"):
    return pictured([name], [account], SIDES[:1])[0]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("𝓜𝓪𝓻𝓲𝓴𝓸", "Mariko"),  # compatible letters are the letters themselves
        ("Ｍａｒｉ", "Mari"),
        ("ｶﾅﾀﾞ", "カナダ"),
        ("鷗外 齋藤", "鷗外 齋藤"),  # JIS level 2
        ("Zoë", "Zoë"),
        ("מריקו", "מריקו"),
    ],
)
def test_a_name_that_our_fonts_have_is_drawn(name, shown):
    assert one(name) == shown


@pytest.mark.parametrize(
    "name",
    [
        "अमिताभ", "রবীন্দ্র", "အောင်", "สมชาย", "محمد", "김철수",  # scripts without a font here
        "Z̴̧a̶l̷g̸o̵", "🐉 Bence", "🌸🌸", "→", "\u200d", "Ann \U000e0041", "Mari\u0915\u094d",
    ],
)  # fmt: skip
def test_a_name_with_a_sign_that_no_font_has_is_the_accounts_and_never_a_part(name):
    assert one(name) == "ann.k"


def test_where_there_is_no_account_the_side_stands_for_it():
    assert one("สมชาย", "") == "Black"
    assert pictured(["สมชาย", "Ben"], [], SIDES[:2]) == ("Black", "Ben")


def test_three_players_of_one_name_are_told_apart():
    assert pictured(["Ann", "Ann", "ＡＮＮ"], ACCOUNTS, SIDES) == ("ann.k", "ben_7", "cho")
    assert pictured(["Ann", "Ann", "Cho"], ["", "", ""], SIDES) == ("Black", "White", "Cho")
    assert pictured(["Ann", "Ann", "ann.k"], ["ann.k", "ben_7", "x"], SIDES) == ("Black", "ben_7", "Red")


def test_marks_go_with_their_letter_or_not_at_all():
    style = Type("words", 30)
    for line in ("अमिताभ", "รัก", "Z\u0335\u0489"):
        for _, piece in runs(line, "words"):
            assert drawable(piece)
    assert width("ก\u0e31", style) == 0
    image = Image.new("L", (200, 60))
    write(image, 10, 40, "ก\u0e31\u0e48", style, "white")
    assert image.getbbox() is None  # no box, no dotted circle


@pytest.mark.parametrize("game", GAMES)
def test_all_games_draw_the_accounts_name_for_one_without_a_font(game):
    rules = engine(game)
    state = rules.setup(rules.read_options({}), rules.seats[-1], Chance(bytes(32), 0)).state
    scene = Scene(game, rules.view(state, None), ("",) * len(rules.roles(state)), words("en"))
    accounts = tuple(f"account{seat}" for seat in range(len(scene.names)))
    strange = drawing("board")(replace(scene, names=("สมชาย",) * len(accounts), accounts=accounts))
    plain = drawing("board")(replace(scene, names=accounts))
    assert strange is not None
    assert plain is not None
    assert strange.png == plain.png
