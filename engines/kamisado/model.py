"""What a game of Kamisado consists of: towers, the state, actions and the view."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from engines.kamisado.data import (
    COLORS,
    FEWEST_POINTS,
    MOST_POINTS,
    MOST_TEETH,
    SIDES,
    TARGET,
    Color,
    Match,
    Side,
)
from engines.protocol import Action, Options, Seat, State, Value, View

Square = Annotated[str, StringConstraints(pattern=r"^[a-h][1-8]\z")]
Phase = Literal["move", "fill", "over"]
Reason = Literal["points", "resign"]
End = Literal["left", "right"]


How = Literal["reached", "deadlock"]


class KamisadoOptions(Options):
    """How many points a match is played to: 1, 3, 7 or 15; a series of single rounds to `points`, or 3."""

    match: Match = "single"
    points: int | None = Field(
        default=None,
        ge=FEWEST_POINTS,
        le=MOST_POINTS,
        json_schema_extra={"offered": [str(n) for n in range(FEWEST_POINTS, MOST_POINTS + 1)]},
    )

    @model_validator(mode="after")
    def _points_of_a_series(self) -> Self:
        if self.points is not None and self.match != "series":
            raise ValueError("points: of a series only")
        return self


class Tower(Value):
    """A dragon tower; `teeth` makes it plain, sumo, double sumo or triple sumo."""

    owner: Side
    color: Color
    square: Square
    teeth: int = Field(default=0, ge=0, le=MOST_TEETH)


class Score(Value):
    """Points of the match so far."""

    black: int = Field(default=0, ge=0, le=999)
    white: int = Field(default=0, ge=0, le=999)

    def of(self, side: Side) -> int:
        """The points of one side."""
        return self.black if side == "black" else self.white


class Position(Value):
    """The position as the spec has it: of a running match, or of one that is over.

    points  what a series is played to; None for the other matches
    """

    match: Match = "single"
    points: int | None = Field(default=None, ge=FEWEST_POINTS, le=MOST_POINTS)
    score: Score = Score()
    round: int = Field(default=1, ge=1, le=999)
    phase: Phase = "move"
    to_move: Side | None = None
    forced: Color | None = None
    winner: Side | None = None
    towers: tuple[Tower, ...] = Field(max_length=16)

    @model_validator(mode="after")
    def _can_be_played_on(self) -> Self:
        if len({tower.square for tower in self.towers}) < len(self.towers):
            raise ValueError("two towers on one square")
        if len({(tower.owner, tower.color) for tower in self.towers}) < len(self.towers):
            raise ValueError("a tower twice")
        if (self.phase == "over") != (self.winner is not None):
            raise ValueError("a winner when it is over, and only then")
        if (self.phase == "over") != (self.to_move is None):
            raise ValueError("somebody to move until it is over")
        if self.phase != "move" and self.forced is not None:
            raise ValueError("a colour is forced in the phase move only")
        if self.match != "series" and self.points is not None:
            raise ValueError("points are of a series only")
        if self.match == "series" and self.phase == "fill":
            raise ValueError("a series has no fill")
        return self

    @property
    def target(self) -> int:
        """The points that win the match."""
        return self.points or TARGET[self.match]


class Blocked(Value):
    """A tower that had to move and could not: its forced pass (M6)."""

    owner: Side
    color: Color
    square: Square


class Last(Value):
    """The last real move of the round and the forced passes since, for the picture.

    `pushed` are the squares on which the pushed towers stand now, nearest first.
    """

    kind: Literal["move", "push"]
    owner: Side
    color: Color
    from_: Square = Field(alias="from")
    to: Square
    pushed: tuple[Square, ...] = ()
    passes: tuple[Blocked, ...] = ()


class Ended(Value):
    """The last round of a series: its towers at the end, its last move, who won it and how."""

    round: int
    winner: Side
    how: How
    towers: tuple[Tower, ...]
    last: Last | None


class KamisadoState(Position, State):
    """A position, why it is over, the last move, and how the last round of a series ended."""

    reason: Reason | None = None
    last: Last | None = None
    ended: Ended | None = None


class Move(Action):
    """A tower goes forward onto an empty square (M1, M2)."""

    type: Literal["move"] = "move"
    from_: Square = Field(alias="from")
    to: Square


class Push(Action):
    """A sumo pushes; `to` is the square it steps onto (S2)."""

    type: Literal["push"] = "push"
    from_: Square = Field(alias="from")
    to: Square


class Fill(Action):
    """The defender chooses the end from which both refill their home ranks (F1)."""

    type: Literal["fill"] = "fill"
    side: End


class Resign(Action):
    """Gives the match up (P6)."""

    type: Literal["resign"] = "resign"


AnyAction = Move | Push | Fill | Resign


class Target(Value):
    """A move that is legal now: `wins` when it reaches the opponent's home rank."""

    kind: Literal["move", "push"]
    from_: Square = Field(alias="from")
    to: Square
    wins: bool = False


class KamisadoView(View):
    """Everything: Kamisado has no secrets. What a picture of the board needs.

    target     points that win the match
    to_act     the seat to act, None when nobody is
    targets    what the seat to act may play
    last       the last real move of this round with the forced passes after it
    ended      how the last round of a series ended that another one followed
    """

    game: Literal["kamisado"] = "kamisado"
    match: Match
    target: int
    score: Score
    round: int
    phase: Phase
    to_act: Seat | None
    to_move: Side | None
    forced: Color | None
    towers: tuple[Tower, ...]
    targets: tuple[Target, ...]
    last: Last | None
    ended: Ended | None
    winner: Side | None
    reason: Reason | None


def other(side: Side) -> Side:
    """The opponent's side."""
    return "white" if side == "black" else "black"


def sorted_towers(towers: list[Tower]) -> tuple[Tower, ...]:
    """Towers in the order of the data: Black's, then White's, by colour."""
    return tuple(sorted(towers, key=lambda t: (SIDES.index(t.owner), COLORS.index(t.color))))
