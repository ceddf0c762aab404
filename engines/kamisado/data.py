"""Facts of the printed game: the board's colours, the matches and what teeth are worth."""

from __future__ import annotations

from typing import Literal, get_args

Side = Literal["black", "white"]
Color = Literal["brown", "green", "red", "yellow", "pink", "purple", "blue", "orange"]
Match = Literal["single", "standard", "long", "marathon", "series"]

SIDES: tuple[Side, ...] = get_args(Side)  # by seat
COLORS: tuple[Color, ...] = get_args(Color)  # from left to right on each player's home rank

FILES = "abcdefgh"
RANKS: tuple[str, ...] = (  # rank 1 first, files a to h (B1)
    "brown  green  red    yellow pink   purple blue   orange",
    "purple brown  yellow blue   green  pink   orange red",
    "blue   yellow brown  purple red    orange pink   green",
    "yellow red    green  brown  orange blue   purple pink",
    "pink   purple blue   orange brown  green  red    yellow",
    "green  pink   orange red    purple brown  yellow blue",
    "red    orange pink   green  blue   yellow brown  purple",
    "orange blue   purple pink   yellow red    green  brown",
)

SQUARES: tuple[str, ...] = tuple(f"{file}{rank}" for rank in range(1, 9) for file in FILES)
COLOR_OF: dict[str, Color] = {
    f"{FILES[file]}{rank}": COLORS[COLORS.index(name)]
    for rank, line in enumerate(RANKS, 1)
    for file, name in enumerate(line.split())
}

# points that win (P2)
TARGET: dict[Match, int] = {"single": 1, "standard": 3, "long": 7, "marathon": 15, "series": 3}
FEWEST_POINTS, MOST_POINTS = 2, 9  # that a series may be played to (P8)
TOOTH_POINTS = (1, 2, 4, 8)  # the first to the fourth tooth of a tower (P1)
MOST_TEETH = 4  # the fourth ends a marathon, so no tower moves with it unless a position's score is too low
STRONGEST = 3  # a tower that goes on with four teeth is a triple sumo (B3)

REACH = (7, 5, 3, 1, 1)  # squares a tower may move, by its teeth (M2, S1, DS1, TS1)
PUSHES = (0, 1, 2, 3, 3)  # towers it may push, by its teeth (S7, DS7, TS7)
