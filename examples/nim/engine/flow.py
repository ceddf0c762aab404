"""The engine of Nim: what `Listed` asks for, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable

from engines.chance import Chance
from engines.listed import Listed
from engines.protocol import (
    GAME_OVER,
    Event,
    Json,
    Result,
    RulesError,
    Seat,
    Step,
    Viewer,
    game_over,
    read,
)
from examples.nim.engine.model import (
    HEAPS,
    ROLES,
    NimAction,
    NimOptions,
    NimState,
    NimView,
    Resign,
    Take,
)


class Nim(Listed[NimOptions, NimState, NimAction, NimView]):
    """Two players take stones in turn."""

    game = "nim"
    seats = (2,)
    options_type = NimOptions
    state_type = NimState
    view_type = NimView
    action_types = {"take": Take, "resign": Resign}  # noqa: RUF012

    def setup(self, options: NimOptions, seats: int, chance: Chance) -> Step[NimState]:
        """R1. Raises RulesError `bad-seats`."""
        if seats not in self.seats:
            raise RulesError("bad-seats", seats=seats, allowed=list(self.seats))
        heaps = HEAPS[options.heaps]
        return Step(NimState(heaps=heaps), (Event(code="laid-out", params={"heaps": list(heaps)}),))

    def to_act(self, state: NimState) -> frozenset[Seat]:
        """R2: in turn."""
        return frozenset() if self.result(state) else frozenset({state.turn})

    def apply(self, state: NimState, seat: Seat, action: NimAction, chance: Chance) -> Step[NimState]:
        """R2, R3, R4. Raises RulesError `game-over`, `not-your-turn`, `no-such-heap`, `too-many`."""
        if self.result(state):
            raise RulesError(GAME_OVER)
        if isinstance(action, Resign):
            after = state.model_copy(update={"resigned": seat})
            told = Event(code="resigned", params={"seat": seat})
        else:
            after = self._taken(state, seat, action)
            told = Event(code="took", params={"seat": seat, "stones": action.stones, "heap": action.heap})
        result = self.result(after)
        return Step(after, (told, *((game_over(result),) if result else ())))

    def _taken(self, state: NimState, seat: Seat, take: Take) -> NimState:
        """R2."""
        if seat != state.turn:
            raise RulesError("not-your-turn", seat=seat)
        if not 1 <= take.heap <= len(state.heaps):
            raise RulesError("no-such-heap", heap=take.heap, most=len(state.heaps))
        left = state.heaps[take.heap - 1]
        if not 1 <= take.stones <= left:
            raise RulesError("too-many", heap=take.heap, stones=take.stones, left=left)
        heaps = [*state.heaps]
        heaps[take.heap - 1] -= take.stones
        return state.model_copy(update={"heaps": tuple(heaps), "turn": 1 - seat})

    def view(self, state: NimState, viewer: Viewer) -> NimView:
        """The same for everybody."""
        result = self.result(state)
        return NimView(
            game=self.game,
            viewer=viewer,
            heaps=state.heaps,
            turn=None if result else state.turn,
            winner=result.winners[0] if result else None,
        )

    def result(self, state: NimState) -> Result | None:
        """R3: who took the last stone has won; R4."""
        if state.resigned is not None:
            return self._won(1 - state.resigned, "resign")
        return None if any(state.heaps) else self._won(1 - state.turn, "last")

    def _won(self, seat: Seat, reason: str) -> Result:
        return Result(winners=(seat,), scores=tuple(int(one == seat) for one in range(2)), reason=reason)

    def roles(self, state: NimState) -> tuple[str, ...]:
        """Who begins, and the other."""
        return ROLES

    def position(self, state: NimState) -> dict[str, Json]:
        """`{"heaps":[3,4,5],"turn":0}`, with `resigned` where somebody has."""
        return state.model_dump(mode="json", exclude_defaults=True, include={"heaps", "turn", "resigned"})

    def from_position(self, position: Json, chance: Chance) -> Step[NimState]:
        """Raises RulesError `bad-position`."""
        state = read(NimState, position, "bad-position")
        if len(state.heaps) != 3 or min(state.heaps) < 0 or max(state.heaps) > 9 or state.turn not in (0, 1):
            raise RulesError("bad-position", why="three heaps of up to nine stones, and turn 0 or 1")
        if state.resigned not in (None, 0, 1):
            raise RulesError("bad-position", why="resigned: 0, 1 or nobody")
        return Step(state, ())

    def format(self, action: NimAction) -> str:
        """`take 2 heap1`, `resign`."""
        return f"take {action.stones} heap{action.heap}" if isinstance(action, Take) else action.type

    def actions(self, state: NimState, seat: Seat) -> Iterable[NimAction]:
        """R2: any number of stones of one heap."""
        return [
            Take(stones=stones, heap=heap)
            for heap, size in enumerate(state.heaps, 1)
            for stones in range(1, size + 1)
        ]

    def ways(self, state: NimState, seat: Seat) -> Iterable[tuple[tuple[str, ...], NimAction]]:
        """The panel asks for a heap, then how many of it."""
        for action in self.actions(state, seat):
            if isinstance(action, Take):
                yield (f"heap{action.heap}", str(action.stones)), action
