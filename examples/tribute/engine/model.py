"""Tribute's values: options, state (the *Position* of the rules), actions and view."""

from __future__ import annotations

from typing import Literal

from engines.protocol import Action, Options, State, Value, View

CARDS = (1, 2, 3, 4, 5)  # R1: the same for every player, and of the prizes
ROLES = ("crane", "pine", "plum", "bamboo")


class TributeOptions(Options):
    """R6: whether a prize that nobody got waits for the next round."""

    ties: Literal["lost", "kept"] = "lost"


class Player(Value):
    """hand: cards left, ascending; sealed: the one bid this round; points so far."""

    hand: tuple[int, ...] = CARDS
    sealed: int | None = None
    points: int = 0
    resigned: bool = False


class TributeState(State):
    """prizes: those to come, the open one first; stake: what lies on the table beside it."""

    ties: Literal["lost", "kept"] = "lost"
    prizes: tuple[int, ...]
    stake: int = 0
    players: tuple[Player, ...]


class SeenPlayer(Value):
    """A player as others see one; `bid` is the viewer's own sealed card."""

    hand: tuple[int, ...]  # which cards are left is known: what was bid is shown after every round
    sealed: bool
    points: int
    resigned: bool
    bid: int | None = None


class TributeView(View):
    """Everything but sealed cards and the order of the prizes to come."""

    prize: int | None
    left: int
    stake: int
    players: tuple[SeenPlayer, ...]
    winners: tuple[int, ...] | None


class Bid(Action):
    """R3: `bid 4`, in secret; a bid stands."""

    type: Literal["bid"] = "bid"
    card: int


class Resign(Action):
    """R7."""

    type: Literal["resign"] = "resign"


TributeAction = Bid | Resign
