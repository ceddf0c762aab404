"""Marks of what follows and of what is new: told apart by the colour-blind, seen on any ground."""

import io
from collections import Counter
from itertools import combinations

import pytest
from PIL import Image

from engines.registry import GAMES
from locales import words
from render import painter, theme
from render.canvas import plain
from render.colour import SIGHT, contrast, distance, seen_as
from render.emoji import drawn, signs
from render.kamisado.pieces import THREAT
from render.moments import played, scene_of
from render.sekigahara.battle import REACHED
from render.shogun import board, targets
from render.shogun.map import outline

GROUNDS = {"dark": "#313338", "light": "#FFFFFF"}  # of Discord
FRESH_TO = {"paper": theme.PAPER, "white": theme.WHITE, "land": theme.WASHI}  # what is not new lies on these
LANDS = [*theme.SHOGUN.values(), *theme.KAMISADO.values(), *theme.ROKUMON.values(), theme.WASHI, theme.SEA]


def pixels(image):
    """How often each colour stands in it."""
    data = image.convert("RGB").tobytes()
    return Counter(f"#{data[at : at + 3].hex()}" for at in range(0, len(data), 3))


def apart(one, other, sight):
    return distance(seen_as(one, sight), seen_as(other, sight)) if sight else distance(one, other)


@pytest.mark.parametrize("sight", [None, *SIGHT])
def test_what_is_new_is_told_from_what_is_not(sight):  # 16.8
    for name, ground in FRESH_TO.items():
        assert apart(theme.GOLD, ground, sight) >= 18.5, name
    assert contrast(theme.INK, theme.GOLD) >= 5  # a fresh building, a figure on gold


@pytest.mark.parametrize("sight", [None, *SIGHT])
def test_winning_a_tie_and_losing_are_told_apart(sight):  # 16.7
    shares = (theme.INK, theme.MUTE, theme.SHU)
    assert min(apart(a, b, sight) for a, b in combinations(shares, 2)) >= 25
    assert min(apart(share, theme.PAPER, sight) for share in shares) >= 14


@pytest.mark.parametrize("sight", [None, *SIGHT])
def test_an_answer_and_a_threat_are_told_from_all_else(sight):  # 16.7
    assert apart(theme.SHU, theme.WHITE, sight) >= 40  # the diamond of an answer, the swords of a medal
    assert apart(theme.GOLD, theme.WHITE, sight) >= 25  # a march's medal from a battle's, a new trail's
    assert apart(theme.GOLD, theme.SHU, sight) >= 20
    for word in (THREAT, REACHED):
        assert apart(word, theme.PAPER, sight) >= 19
        assert contrast(word, theme.LACQUER) >= 5
        assert contrast(word, theme.NIGHT) >= 5


@pytest.mark.parametrize("land", LANDS)
def test_a_mark_edged_in_ink_and_white_is_seen_on_any_land(land):  # 16.5
    assert max(contrast(theme.INK, land), contrast(theme.WHITE, land)) >= 4.5


def on_grey(shape):
    """A shape of stencils on land that is neither light nor dark."""
    land = plain(shape.width, shape.height, "#404040")
    shape.onto(land, 0, 0)
    return land


def test_lines_round_targets_differ_in_form():
    """Own and enemy targets, conquered land, what is chosen: without any colour."""
    chosen, target, own, taken = (
        sum(value > 120 for value in on_grey(outline("Kai", kind)[0]).convert("L").tobytes())
        for kind in ("chosen", "target", "own", "taken")
    )
    for more, less in ((chosen, taken), (taken, target), (target, own)):  # whole, long dashes, dashes, dots
        assert more > 1.2 * less


def test_medals_of_a_battle_and_of_a_march_differ_in_form():
    battle, march = (
        board.disc(1.0, 0.0, theme.WHITE, 1, swords=swords).convert("L").tobytes() for swords in (True, False)
    )
    assert battle != march


def test_the_shares_of_the_odds_lie_in_one_order_and_have_their_figures():
    one, other = (targets.plate(*odds, large=True).tobytes() for odds in ((60, 30, 10), (10, 30, 60)))
    assert one != other
    image = targets.plate(40, 20, 40, large=True).convert("RGB")
    found = ["#" + image.crop((x, 62, x + 1, 63)).tobytes().hex().upper() for x in (30, 73, 110)]
    assert found == [theme.INK, theme.MUTE, theme.SHU]


@pytest.mark.parametrize("name", GROUNDS)
@pytest.mark.parametrize("game", GAMES)
def test_an_emoji_is_seen_on_discords_grounds(game, name):  # 17.2
    ground, size = GROUNDS[name], (44, 44)  # as in a sentence, on a phone
    for code in signs(game):
        base = Image.new("RGBA", size, ground)
        base.alpha_composite(Image.open(io.BytesIO(drawn(game, code))).convert("RGBA").resize(size))
        seen = sum(n for colour, n in pixels(base).items() if contrast(colour, ground) >= 3)
        assert seen >= 0.07 * size[0] * size[1], code


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_brings_its_own_ground(game):
    """It is opaque: its marks are the same on both of Discord's grounds, and its frame is seen on white."""
    ply = played(game, 0, 0)[0]
    image = Image.open(io.BytesIO(painter(game).board(scene_of(game, ply, None, words("en"))).png))
    assert image.convert("RGBA").getchannel("A").getextrema() == (255, 255)
    assert contrast(theme.SUMI, GROUNDS["light"]) >= 10
