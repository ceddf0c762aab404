"""Rokumon's values: the state as the spec's Position, the board as the rules see it, actions, views."""

from __future__ import annotations

from typing import Annotated, Generic, Literal, NamedTuple, Self, TypeVar

from pydantic import Field, model_validator

from engines.protocol import Action, Options, Result, Seat, State, Value, View
from engines.rokumon.data import CLANS, LETTERS, ORDER, SOLO, Clan, Layout, Level, Side, color_of

T = TypeVar("T")

Phase = Literal["act", "revenge", "over"]
Kind = Literal["deploy", "move", "fight", "surprise"]
How = Literal["row", "stack", "uncovered", "no-action", "surrender"]
MOST_TOKENS = 99  # more than the seven of the box only where a given position starts with too many
Cell = Annotated[str, Field(pattern=r"^[a-z][1-9]$")]


class RokumonOptions(Options):
    """`act` left out: the whole story, else a single act (G1); `solo` left out: two players (Solo 4)."""

    act: int | None = Field(default=None, ge=1, le=6, json_schema_extra={"offered": [*"123456"]})
    solo: Level | None = None

    @model_validator(mode="after")
    def _one_or_the_other(self) -> Self:
        if self.act is not None and self.solo is not None:
            raise ValueError("solo has battles, not acts")
        return self


class Both(Value, Generic[T]):
    """Something that each clan has."""

    sanada: T
    tokugawa: T

    def of(self, side: Side) -> T:
        """What this side has."""
        return self.tokugawa if side else self.sanada

    def put(self, side: Side, thing: T) -> Self:
        """The same with `thing` for this side."""
        return self.model_copy(update={CLANS[side]: thing})


# -- the board as the rules see it ---------------------------------------------------------


class Board(NamedTuple):
    """An act as it lies on the table: what the four actions need, and nothing else.

    act        1..6, 0 in solo (SOLO)
    cells      of the tiles, row by row
    pips       1..7, by tile
    colors     jade, gold or maru, by tile
    stacks     warriors from bottom to top, by tile; `s?` and `t?` where the value is not known
    supply     warriors by side, in the order of the data
    surprised  by side, whether the act's Surprise is used
    locked     cell of the tile that a Surprise may not move now
    mover      the side to act
    """

    act: int
    cells: tuple[str, ...]
    pips: tuple[int, ...]
    colors: tuple[str, ...]
    stacks: tuple[tuple[str, ...], ...]
    supply: tuple[tuple[str, ...], tuple[str, ...]]
    surprised: tuple[bool, bool]
    locked: str | None
    mover: Side

    def color_at(self, cell: str) -> str:
        """The colour of the tile at a cell."""
        return self.colors[self.cells.index(cell)]

    def stack_at(self, cell: str) -> tuple[str, ...]:
        """The warriors on the tile at a cell."""
        return self.stacks[self.cells.index(cell)]


class Play(NamedTuple):
    """One of the four actions on a board: `origin` is a cell for a Move and a Surprise, else empty.

    token  the warrior of a Deploy, empty where warriors are alike (acts 1, 2, solo)
    added  revenge tokens that the attacker adds to a Fight
    """

    kind: Kind
    origin: str
    target: str
    token: str = ""
    added: int = 0


def bare(token: str) -> str:
    """The warrior without the mark of one known to all."""
    return token.rstrip("!")


def side_of(token: str) -> Side:
    """The side of a warrior."""
    return LETTERS.index(token[0])


def in_order(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Warriors in the order of the data, without marks: a supply tells nothing by its order."""
    return tuple(sorted(map(bare, tokens), key=lambda token: ORDER.get(token, len(ORDER))))


def reading_order(cell: str) -> tuple[int, str]:
    """Sorts cells row by row, left to right."""
    return int(cell[1:]), cell[0]


# -- the state -------------------------------------------------------------------------------


class Tile(Value):
    """A coin tile: its cell, pips 1..7, whether it lies face down, warriors from bottom to top."""

    at: Cell
    pips: int
    down: bool = False
    stack: tuple[str, ...] = ()

    @property
    def color(self) -> str:
        """jade, gold or maru."""
        return color_of(self.pips, self.down)


class Tokens(Value):
    """A side's revenge tokens: face up, and turned down in a Fight."""

    up: int = Field(default=0, ge=0, le=MOST_TOKENS)
    down: int = Field(default=0, ge=0, le=MOST_TOKENS)

    @property
    def count(self) -> int:
        """Tokens with either side up."""
        return self.up + self.down


class FightOn(Value):
    """A Fight before the reveal: tokens added so far, and additions of 0 in a row."""

    at: Cell
    attacker: Clan
    added: Both[int] = Both(sanada=0, tokugawa=0)
    passes: int = Field(default=0, ge=0, le=2)


class Last(Value):
    """The last action. `token` is the deployed warrior, a secret of its owner in acts 3-5.

    seat    None when Taroma acted
    winner  of a Fight: the surviving warrior's clan, None where both returned
    """

    kind: Kind
    clan: Clan
    seat: Seat | None
    origin: str | None = Field(default=None, alias="from")
    target: str = Field(alias="to")
    token: str | None = None
    fought: Both[str] | None = None
    added: Both[int] | None = None
    winner: Clan | None = None


class Before(Value):
    """What the last Deploy or Move changed, for a take-back (H2).

    act  where it ended the act: what that changed as well
    """

    tiles: tuple[Tile, ...]
    supply: Both[tuple[str, ...]]
    locked: str | None
    last: Last | None
    act: ActBefore | None = None


class ActBefore(Value):
    """An act that its last Deploy or Move, by the clan `by`, ended: as it stood before that."""

    by: Clan
    act: int
    layout: Layout
    revenge: Both[Tokens]
    surprised: Both[bool]
    history: tuple[str, ...]
    won: tuple[Won, ...]
    ended: Ended | None


class Ended(Value):
    """How the last act or battle ended, and the tiles at its end with values known to all.

    winner  None where the act was void
    cells   of the row or the stack that decided
    """

    act: int
    winner: Clan | None
    how: How | Literal["void"]
    cells: tuple[str, ...] = ()
    tiles: tuple[SeenTile, ...] = ()


class Won(Value):
    """An act of the story and the clan that won it."""

    act: int
    winner: Clan


class RokumonState(State):
    """The spec's Position, and around it what a running game remembers.

    act      1..6, or 0 in solo (the spec's "solo")
    story    True while acts follow one another; a single act ends the game
    history  digests of the positions since the act was dealt, as a spectator sees them
    before   set after a Deploy or Move, as long as nobody acted since, in the next act neither
    taroma   step that Taroma took last, e.g. "COVER"
    """

    act: int
    layout: Layout
    tiles: tuple[Tile, ...]
    supply: Both[tuple[str, ...]]
    revenge: Both[Tokens]
    surprised: Both[bool]
    locked: str | None = None
    to_move: Clan = "sanada"
    phase: Phase = "act"
    fight: FightOn | None = None
    solo: Level | None = None
    battles_won: int = 0
    story: bool = True
    won: tuple[Won, ...] = ()
    history: tuple[str, ...] = ()
    before: Before | None = None
    last: Last | None = None
    ended: Ended | None = None
    taroma: str | None = None
    outcome: Result | None = None

    @property
    def mover(self) -> Side:
        """The side to act."""
        return CLANS.index(self.to_move)

    @property
    def board(self) -> Board:
        """The act as the rules see it."""
        return Board(
            act=self.act,
            cells=tuple(tile.at for tile in self.tiles),
            pips=tuple(tile.pips for tile in self.tiles),
            colors=tuple(tile.color for tile in self.tiles),
            stacks=tuple(tile.stack for tile in self.tiles),
            supply=(self.supply.sanada, self.supply.tokugawa),
            surprised=(self.surprised.sanada, self.surprised.tokugawa),
            locked=self.locked,
            mover=self.mover,
        )

    def laid_out(self, board: Board, origin: str = "", target: str = "") -> RokumonState:
        """The state with the board's tiles and supplies; a Surprise moved a tile from `origin` to `target`.

        Whose turn it is stays: passing the turn is the flow's work.
        """
        stacks = dict(zip(board.cells, board.stacks, strict=True))
        tiles = []
        for tile in self.tiles:
            at = target if tile.at == origin else tile.at
            tiles.append(tile.model_copy(update={"at": at, "stack": stacks[at]}))
        return self.model_copy(
            update={
                "tiles": tuple(sorted(tiles, key=lambda tile: reading_order(tile.at))),
                "supply": Both(sanada=board.supply[0], tokugawa=board.supply[1]),
                "surprised": Both(sanada=board.surprised[0], tokugawa=board.surprised[1]),
                "locked": board.locked,
            }
        )


# -- actions ---------------------------------------------------------------------------------


class Deploy(Action):
    """`deploy 4 d3`; `token` may be left out where warriors are alike."""

    type: Literal["deploy"] = "deploy"
    token: str | None = None
    at: Cell


class Move(Action):
    """`move d3 e4`."""

    type: Literal["move"] = "move"
    origin: Cell = Field(alias="from")
    target: Cell = Field(alias="to")


class Fight(Action):
    """`fight e4 +1`: the attacker adds `revenge` tokens with it."""

    type: Literal["fight"] = "fight"
    at: Cell
    revenge: int = Field(default=0, ge=0, le=MOST_TOKENS)


class Revenge(Action):
    """`revenge 1`: tokens added to the Fight that is on."""

    type: Literal["revenge"] = "revenge"
    count: int = Field(ge=0, le=MOST_TOKENS)


class Surprise(Action):
    """`surprise i4 f5`."""

    type: Literal["surprise"] = "surprise"
    origin: Cell = Field(alias="from")
    target: Cell = Field(alias="to")


class Takeback(Action):
    """`takeback`: my very last Deploy or Move (H2)."""

    type: Literal["takeback"] = "takeback"


class Surrender(Action):
    """`surrender`: the act or battle."""

    type: Literal["surrender"] = "surrender"


class Resign(Action):
    """`resign`: the game."""

    type: Literal["resign"] = "resign"


RokumonAction = Deploy | Move | Fight | Revenge | Surprise | Takeback | Surrender | Resign


# -- views -----------------------------------------------------------------------------------


class SeenWarrior(Value):
    """A warrior as a viewer sees it.

    value  "4", "1*", or None where he may not know it (or values do not matter)
    known  True where everybody knows the value
    """

    clan: Clan
    value: str | None
    known: bool


class SeenTile(Value):
    """A coin tile as a viewer sees it; Sanada Maru's pips are public."""

    at: str
    pips: int
    down: bool
    color: str
    stack: tuple[SeenWarrior, ...]


class SeenSupply(Value):
    """A supply: how many warriors, and their values in the order of the data where they may be known."""

    count: int
    values: tuple[str, ...] | None


class SeenLast(Value):
    """The last action; `value` of a deployed warrior only where the viewer may know it."""

    kind: Kind
    clan: Clan
    seat: Seat | None
    origin: str | None = Field(alias="from")
    target: str = Field(alias="to")
    value: str | None = None
    fought: Both[str] | None = None
    added: Both[int] | None = None
    winner: Clan | None = None


class Option(Value):
    """A legal action by its places, for the preview: whether it surely wins or loses the act at once."""

    kind: Kind
    origin: str | None = Field(alias="from")
    target: str = Field(alias="to")
    wins: bool
    loses: bool


class RokumonView(View):
    """What one viewer may know, the public if `viewer` is None.

    act       1..6, 0 in solo
    seat      that has to act, None when it is over
    legal     what the viewer may do, empty for everybody who need not act
    repeats   how often this position has come up with this player to move; the third time is void
    takeback  True where the viewer may take back his last Deploy or Move now
    courtesy  seat that may take back the Deploy or Move that ended the last act
    bound     clan that the Code of Honour binds
    won       acts of the story so far, the replays of act 6 too
    """

    act: int
    layout: Layout
    story: bool
    clans: tuple[Clan, ...]
    won: tuple[Won, ...]
    tiles: tuple[SeenTile, ...]
    supply: Both[SeenSupply]
    revenge: Both[Tokens]
    surprised: Both[bool]
    locked: str | None
    to_move: Clan
    seat: Seat | None
    phase: Phase
    fight: FightOn | None
    last: SeenLast | None
    ended: Ended | None
    legal: tuple[Option, ...]
    repeats: int
    takeback: bool
    courtesy: Seat | None
    bound: Clan | None
    solo: Level | None
    battles_won: int
    taroma: str | None
    result: Result | None

    @property
    def side(self) -> Side | None:
        """The viewer's clan as a side, None for the public."""
        return None if self.viewer is None else CLANS.index(self.clans[self.viewer])

    @property
    def board(self) -> Board:
        """The board as this viewer sees it: `s?` and `t?` stand for warriors whose value he does not know."""
        return Board(
            act=self.act,
            cells=tuple(tile.at for tile in self.tiles),
            pips=tuple(tile.pips for tile in self.tiles),
            colors=tuple(tile.color for tile in self.tiles),
            stacks=tuple(tuple(map(as_token, tile.stack)) for tile in self.tiles),
            supply=(supply_tokens(0, self.supply.sanada), supply_tokens(1, self.supply.tokugawa)),
            surprised=(self.surprised.sanada, self.surprised.tokugawa),
            locked=self.locked,
            mover=CLANS.index(self.to_move),
        )


def as_token(seen: SeenWarrior) -> str:
    """A seen warrior as a board's token."""
    letter = LETTERS[CLANS.index(seen.clan)]
    return f"{letter}{seen.value or '?'}{'!' if seen.known and seen.value else ''}"


def supply_tokens(side: Side, seen: SeenSupply) -> tuple[str, ...]:
    """A seen supply as a board's tokens."""
    if seen.values is None:
        return (f"{LETTERS[side]}?",) * seen.count
    return tuple(f"{LETTERS[side]}{value}" for value in seen.values)


def alike(act: int) -> bool:
    """True in the acts where values do not matter and warriors are alike: 1, 2 and solo."""
    return act in (SOLO, 1, 2)


Ended.model_rebuild()
Before.model_rebuild()
RokumonState.model_rebuild()
