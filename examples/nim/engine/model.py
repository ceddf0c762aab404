"""Nim's values: options, state (the *Position* of the rules), actions and view."""

from __future__ import annotations

from typing import Literal

from engines.protocol import Action, Options, State, View

HEAPS = {"short": (1, 2, 3), "long": (3, 4, 5)}  # R1
ROLES = ("first", "second")


class NimOptions(Options):
    """R1: how large the heaps are."""

    heaps: Literal["short", "long"] = "long"


class NimState(State):
    """heaps by place, who takes next, and who resigned."""

    heaps: tuple[int, ...]
    turn: int = 0
    resigned: int | None = None


class NimView(View):
    """All of it: nothing is hidden."""

    heaps: tuple[int, ...]
    turn: int | None  # None once it is over
    winner: int | None


class Take(Action):
    """R2: `take 2 heap1`, so many stones of a heap, the first is 1."""

    type: Literal["take"] = "take"
    stones: int
    heap: int


class Resign(Action):
    """R4."""

    type: Literal["resign"] = "resign"


NimAction = Take | Resign
