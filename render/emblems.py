"""Emblems that more than one game draws: a keep, a gate, a bowl of rice, crossed swords."""

from __future__ import annotations

from render.canvas import arc_points
from render.place import Place


def keep(place: Place) -> None:
    """A castle's keep: three roofs, one above the other."""
    for top, half, down in ((-44, 20, 24), (-16, 32, 26), (14, 44, 30)):
        place.shape(
            [
                (-half * 0.28, top),
                (half * 0.28, top),
                (half, top + down - 8),
                (half, top + down - 3),
                (-half, top + down - 3),
                (-half, top + down - 8),
            ]
        )


def gate(place: Place) -> None:
    """A temple's gate."""
    place.shape([(-46, -40), (46, -40), (42, -24), (-42, -24)])
    place.shape([(-38, -12), (38, -12), (38, 0), (-38, 0)])
    for side in (-1, 1):
        place.shape([(side * 20, -26), (side * 30, -26), (side * 34, 42), (side * 23, 42)])
    place.shape([(-5, -26), (5, -26), (5, -8), (-5, -8)])


def bowl(place: Place) -> None:
    """A bowl heaped with rice."""
    place.shape([(x, y - 2) for x, y in arc_points(0, -4, 33, 180, 360)])
    place.shape([(x, y + 4) for x, y in arc_points(0, 0, 42, 0, 180)])
    place.shape([(-16, 38), (16, 38), (20, 48), (-20, 48)])
    place.stroke([(-44, 1), (44, 1)], 4, hole=True)


def crossed_swords(place: Place) -> None:
    """Battle."""
    for side in (-1, 1):
        place.stroke([(-side * 38, 38), (side * 38, -40)], 11)
        place.stroke([(-side * 36, 10), (-side * 8, 36)], 10)
