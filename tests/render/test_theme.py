"""The palette: words that can be read, colours that can be told apart, also by the colour-blind."""

from itertools import combinations

import pytest

from render import theme
from render.colour import SIGHT, ciede2000, contrast, distance, mix, seen_as
from render.kamisado.signs import ink_on

GROUNDS = (theme.SUMI, theme.LACQUER, theme.RAISED, theme.NIGHT)
WORDS_ON = [
    *((word, ground) for word in (theme.PAPER, theme.MUTE) for ground in GROUNDS),
    *((theme.GOLD, ground) for ground in (theme.SUMI, theme.LACQUER)),
    *((theme.INK, ground) for ground in (theme.GOLD, theme.WASHI, theme.PAPER, theme.ROKUMON["maru"])),
    *((theme.INK, theme.SHOGUN[house]) for house in ("mori", "hashiba")),
    *((theme.PAPER, theme.SHOGUN[house]) for house in ("uesugi", "tokugawa", "takeda")),
    *((theme.PAPER, theme.ROKUMON[clan]) for clan in ("sanada", "tokugawa")),
    *((theme.PAPER, ground) for ground in (theme.SHU_DARK, theme.INK)),
    (theme.QUIET_INK, theme.WASHI),
]


@pytest.mark.parametrize(("word", "ground"), WORDS_ON)
def test_words_stand_out_from_their_ground(word, ground):
    assert round(contrast(word, ground), 1) >= 5.0


@pytest.mark.parametrize("hue", theme.KAMISADO.values())
def test_a_sign_stands_out_from_its_colour(hue):
    assert contrast(ink_on(hue), hue) >= 4.5


@pytest.mark.parametrize("sight", [None, *SIGHT])
@pytest.mark.parametrize(
    ("colours", "least"),
    [(theme.KAMISADO, 12.9), (theme.SHOGUN, 16.9)],
    ids=["kamisado", "shogun"],
)
def test_a_games_colours_can_be_told_apart(colours, least, sight):
    least = max(least, 15.9) if sight else least
    seen = [seen_as(colour, sight) if sight else colour for colour in colours.values()]
    assert min(distance(a, b) for a, b in combinations(seen, 2)) >= least


@pytest.mark.parametrize("sight", SIGHT)
def test_sides_can_be_told_apart_and_from_their_ground(sight):
    def apart(one, other):
        return distance(seen_as(one, sight), seen_as(other, sight))

    rokumon = theme.ROKUMON
    assert apart(rokumon["sanada"], rokumon["tokugawa"]) >= 25
    tiles = [rokumon["jade"], rokumon["gold"], rokumon["maru"]]
    assert min(apart(a, b) for a, b in combinations(tiles, 2)) >= 14
    assert min(apart(tile, rokumon["table"]) for tile in tiles) >= 25
    assert min(apart(theme.SEKIGAHARA[side], theme.WASHI) for side in ("ishida", "tokugawa")) >= 20


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [  # from Sharma, Wu and Dalal 2005, table 1
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, -1, 2), (50, 0, 0), 2.3669),
        ((50, 2.5, 0), (50, 0, -2.5), 4.3065),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_ciede2000_is_the_published_one(one, other, expected):
    assert ciede2000(one, other) == pytest.approx(expected, abs=1e-4)
    assert ciede2000(other, one) == pytest.approx(expected, abs=1e-4)


def test_mixing_and_contrast_at_their_ends():
    assert mix("#000000", "#FFFFFF", 0) == "#000000"
    assert mix("#000000", "#FFFFFF", 1) == "#FFFFFF"
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#777777") == 1
    assert distance("#123456", "#123456") == 0
