"""The engine of Tribute: sealed bids that are opened once all are there."""

from __future__ import annotations

from collections.abc import Iterable

from engines.capabilities import Secrets
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
    digest,
    game_over,
    read,
)
from examples.tribute.engine.model import (
    CARDS,
    ROLES,
    Bid,
    Player,
    Resign,
    SeenPlayer,
    TributeAction,
    TributeOptions,
    TributeState,
    TributeView,
)


class Tribute(
    Listed[TributeOptions, TributeState, TributeAction, TributeView],
    Secrets[TributeOptions, TributeState, TributeAction, TributeView],
):
    """Two to four players."""

    game = "tribute"
    seats = (2, 3, 4)
    options_type = TributeOptions
    state_type = TributeState
    view_type = TributeView
    action_types = {"bid": Bid, "resign": Resign}  # noqa: RUF012
    hushed = frozenset({"sealed"})

    def setup(self, options: TributeOptions, seats: int, chance: Chance) -> Step[TributeState]:
        """R1, R2. Raises RulesError `bad-seats`."""
        if seats not in self.seats:
            raise RulesError("bad-seats", seats=seats, allowed=list(self.seats))
        left, prizes = [*CARDS], list[int]()
        while left:
            prizes.append(left.pop(chance.below(len(left))))
        state = TributeState(ties=options.ties, prizes=tuple(prizes), players=(Player(),) * seats)
        return Step(state, (self._shown(state),))

    def to_act(self, state: TributeState) -> frozenset[Seat]:
        """R3: all who have not bid yet."""
        if self.result(state):
            return frozenset()
        return frozenset(seat for seat in self._playing(state) if state.players[seat].sealed is None)

    def apply(
        self, state: TributeState, seat: Seat, action: TributeAction, chance: Chance
    ) -> Step[TributeState]:
        """R3, R7. Raises RulesError `game-over`, `not-your-turn`, `no-such-card`."""
        if self.result(state):
            raise RulesError(GAME_OVER)
        if state.players[seat].resigned:
            raise RulesError("not-your-turn", seat=seat)
        if isinstance(action, Resign):
            after = _changed(state, seat, resigned=True, sealed=None)
            told = [Event(code="resigned", params={"seat": seat})]
        else:
            if state.players[seat].sealed is not None:
                raise RulesError("not-your-turn", seat=seat)
            if action.card not in state.players[seat].hand:
                raise RulesError("no-such-card", card=action.card, hand=list(state.players[seat].hand))
            after = _changed(state, seat, sealed=action.card)
            told = [Event(code="sealed", params={"seat": seat}, private={seat: {"card": action.card}})]
        result = self.result(after)
        if result is None and not self.to_act(after):
            after, opened = self._opened(after)
            told += opened
            result = self.result(after)
        return Step(after, (*told, *((game_over(result),) if result else ())))

    def _playing(self, state: TributeState) -> list[Seat]:
        return [seat for seat, player in enumerate(state.players) if not player.resigned]

    def _opened(self, state: TributeState) -> tuple[TributeState, list[Event]]:
        """R4, R5, R6: the bids are shown, the highest that is alone takes the prize."""
        bids = {seat: state.players[seat].sealed or 0 for seat in self._playing(state)}
        best = [seat for seat, card in bids.items() if card == max(bids.values())]
        worth = state.prizes[0] + state.stake
        told = [
            Event(
                code="opened",
                params={"seats": list(bids), "cards": list(bids.values())},
                reveals=True,
            )
        ]
        for seat, card in bids.items():
            hand = tuple(one for one in state.players[seat].hand if one != card)
            points = state.players[seat].points + (worth if best == [seat] else 0)
            state = _changed(state, seat, hand=hand, sealed=None, points=points)
        if len(best) == 1:
            told.append(Event(code="won", params={"seat": best[0], "points": worth}))
        else:
            told.append(Event(code="tied-kept" if state.ties == "kept" else "tied", params={"points": worth}))
        stake = worth if len(best) > 1 and state.ties == "kept" else 0
        state = state.model_copy(update={"prizes": state.prizes[1:], "stake": stake})
        return state, told if self.result(state) else [*told, self._shown(state)]

    def _shown(self, state: TributeState) -> Event:
        """R2."""
        return Event(code="prize", params={"prize": state.prizes[0]}, reveals=True)

    def view(self, state: TributeState, viewer: Viewer) -> TributeView:
        """R3: a sealed card is its own player's; so is nobody's the order of the prizes."""
        result = self.result(state)
        return TributeView(
            game=self.game,
            viewer=viewer,
            prize=state.prizes[0] if state.prizes and not result else None,
            left=max(0, len(state.prizes) - 1),
            stake=state.stake,
            players=tuple(
                SeenPlayer(
                    hand=one.hand,
                    sealed=one.sealed is not None,
                    points=one.points,
                    resigned=one.resigned,
                    bid=one.sealed if seat == viewer else None,
                )
                for seat, one in enumerate(state.players)
            ),
            winners=result.winners if result else None,
        )

    def choices_mark(self, state: TributeState, seat: Seat, sight: object = None) -> str:
        """What others seal changes nothing of what a seat may choose."""
        return digest(
            [state.players[seat].model_dump(mode="json"), len(state.prizes), self.result(state) is None]
        )

    def result(self, state: TributeState) -> Result | None:
        """R5: after the last prize the most points win, together where equal; R7: the last who plays."""
        playing = self._playing(state)
        scores = tuple(player.points for player in state.players)
        if len(playing) <= 1:
            return Result(winners=tuple(playing), scores=scores, reason="resign")
        if state.prizes:
            return None
        most = max(scores[seat] for seat in playing)
        winners = tuple(seat for seat in playing if scores[seat] == most)
        return Result(winners=winners, scores=scores, reason="points")

    def retired(self, state: TributeState) -> frozenset[Seat]:
        """R7."""
        return frozenset(range(len(state.players))) - {*self._playing(state)}

    def roles(self, state: TributeState) -> tuple[str, ...]:
        """A house by seat."""
        return ROLES[: len(state.players)]

    def position(self, state: TributeState) -> dict[str, Json]:
        """The state as it is."""
        return state.model_dump(mode="json", exclude={"rules"})

    def from_position(self, position: Json, chance: Chance) -> Step[TributeState]:
        """Raises RulesError `bad-position`."""
        state = read(TributeState, position, "bad-position")
        if len(state.players) not in self.seats or not {*state.prizes} <= {*CARDS}:
            raise RulesError("bad-position", why="two to four players, and prizes of 1 to 5")
        rounds = len(state.prizes)
        for player in state.players:
            if player.resigned:
                continue
            if len(player.hand) != rounds or not {*player.hand} <= {*CARDS}:
                raise RulesError("bad-position", why="as many cards in each hand as prizes to come")
            if player.sealed is not None and player.sealed not in player.hand:
                raise RulesError("bad-position", why="a sealed card is one of the hand")
        if self.result(state) is None and not self.to_act(state):
            state, told = self._opened(state)
            return Step(state, tuple(told))
        return Step(state, ())

    def format(self, action: TributeAction) -> str:
        """`bid 4`, `resign`."""
        return f"bid {action.card}" if isinstance(action, Bid) else action.type

    def actions(self, state: TributeState, seat: Seat) -> Iterable[TributeAction]:
        """R3: any card of the hand."""
        return [Bid(card=card) for card in state.players[seat].hand]


def _changed(state: TributeState, seat: Seat, **values: Json) -> TributeState:
    """The state with these values of a player."""
    players = [*state.players]
    players[seat] = players[seat].model_copy(update=values)
    return state.model_copy(update={"players": tuple(players)})
