"""Signs and crests are drawn in a square of 100 x 100 units around (0, 0); a `Place` puts them."""

from __future__ import annotations

from collections.abc import Sequence

from render.canvas import Pen, Point


class Place:
    """Where a sign goes: its middle and its size in pixels, and the pen that draws it."""

    def __init__(self, pen: Pen, x: float, y: float, size: float, fill: str, ground: str) -> None:
        self.pen, self.fill, self.ground = pen, fill, ground
        self._x, self._y, self._unit = x, y, size / 100

    def at(self, points: Sequence[Point]) -> list[Point]:
        """Points of the sign's own square as points of the sheet."""
        return [(self._x + x * self._unit, self._y + y * self._unit) for x, y in points]

    def shape(self, points: Sequence[Point], *, hole: bool = False) -> None:
        """A filled shape; a hole shows the ground."""
        self.pen.polygon(self.at(points), self.ground if hole else self.fill)

    def disc(self, x: float, y: float, radius: float, *, hole: bool = False) -> None:
        """A filled disc; a hole shows the ground."""
        ((px, py),) = self.at([(x, y)])
        self.pen.circle(px, py, radius * self._unit, self.ground if hole else self.fill)

    def stroke(self, points: Sequence[Point], width: float, *, hole: bool = False) -> None:
        """A line with round ends."""
        self.pen.line(self.at(points), self.ground if hole else self.fill, width * self._unit)
