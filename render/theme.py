"""Lacquer, washi, ink: the palette, the type and the measures that every picture shares."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

# -- colours ----------------------------------------------------------------------

SUMI, LACQUER, RAISED, LINE = "#191C22", "#232833", "#303744", "#4A5363"  # frame, panel, raised, line
PAPER, MUTE = "#F7F0E1", "#B9B3A6"  # words on dark, quiet words on dark
WASHI, COAST_NEAR, COAST_FAR = "#F1E7D3", "#EADCC0", "#E2D2B0"  # land and its coast bands
INK, QUIET_INK = "#1D1A17", "#5B5146"
SEA, WAVE = "#2B4257", "#5F7F98"
GOLD = "#E3B341"  # to act, chosen, now
SHU, SHU_DARK = "#C63D2B", "#8F2417"  # fight, unrest, loss; seals
NIGHT = "#1F2A3A"  # the ground of a private sheet
WHITE = "#FFFFFF"  # marks that must show on any colour
WOOD = "#6B4F35"  # the edge of a board

FRAMED = (SUMI, LACQUER, RAISED, LINE, PAPER, MUTE, INK)  # what the frame of every picture is made of

KAMISADO = MappingProxyType(
    {
        "orange": "#F16717",
        "blue": "#263973",
        "purple": "#9179AC",
        "pink": "#FCA9C5",
        "yellow": "#FFE66B",
        "red": "#B81209",
        "green": "#508F78",
        "brown": "#3A2820",
    }
)
ROKUMON = MappingProxyType(
    {
        "sanada": "#B93A2B",
        "tokugawa": "#2B292E",
        "jade": "#5E9E83",
        "gold": "#DDAE3E",
        "maru": "#E8DFCB",
        "table": "#27313F",
    }
)
SHOGUN = MappingProxyType(
    {"uesugi": "#2C66A6", "mori": "#E6B637", "tokugawa": "#B93A2B", "takeda": "#2B292E", "hashiba": "#B79DCE"}
)
SEKIGAHARA = MappingProxyType(
    {"ishida": "#E0AC33", "tokugawa": "#24222B", "plate": "#FBF6EA", "highway": "#D9694F", "road": "#6E5F47"}
)

# -- type ---------------------------------------------------------------------------

LEAST_SIZE = 26  # pixels at 1080 wide: nothing is written smaller


@dataclass(frozen=True)
class Type:
    """A cut of the typeface (`words`, `quiet`, `narrow`, `map`, `seals`) and a size in pixels."""

    cut: str
    size: int


WORDS = Type("words", 28)
QUIET = Type("quiet", 26)
HEAD = Type("words", 34)
NAME = Type("words", 32)
SCORE = Type("words", 54)
LABEL = Type("words", 25)
FIGURE = Type("words", 37)

# -- measures, in pixels ---------------------------------------------------------------

WIDTH, TALLEST = 1080, 1350
RADIUS = 12
EDGE, ACTIVE_EDGE = 2, 4  # a panel's line, and of the one who is to act
PIECE_EDGE = 2.5
MOST_BYTES = 250_000
