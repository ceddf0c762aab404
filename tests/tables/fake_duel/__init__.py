"""A tiny game with everything that is hard for a table: hidden cards, bids at once, chance, a free move.

Each seat holds secret cards (`hand`). Both bid a card at once (`bid N`); when all have bid, the highest
wins a point, equal bids are decided by lot, and the turn goes to the winner, who may `step` (up to two
times, nothing revealed, turn kept), `draw` (a secret card by chance, turn kept) and `pass`, which begins
the next bid. Three points win.
"""

from __future__ import annotations

from typing import Literal

from engines.capabilities import Secrets
from engines.meta import Meta
from engines.protocol import (
    Action,
    Choice,
    Event,
    Legal,
    Options,
    Prompt,
    Ready,
    Result,
    RulesError,
    State,
    Step,
    View,
    read,
)  # fmt: skip


class DuelOptions(Options):
    goal: Literal[1, 3] = 3
    three: bool = False


class DuelState(State):
    hands: tuple[tuple[int, ...], ...]
    bids: tuple[int | None, ...]
    points: tuple[int, ...]
    goal: int
    turn: int | None = None
    steps: int = 0
    out: int | None = None


class DuelView(View):
    hand: tuple[int, ...] | None
    bid: int | None
    cards: tuple[int, ...]
    has_bid: tuple[bool, ...]
    points: tuple[int, ...]
    turn: int | None
    steps: int


class Do(Action):
    type: Literal["bid", "step", "draw", "pass", "resign"]
    card: int | None = None


def put(items, index, value):
    return (*items[:index], value, *items[index + 1 :])


META = Meta(game="duel", title="Duel", seats=(2, 3), stage="experimental", rules="")


class Duel(Secrets[DuelOptions, DuelState, Do, DuelView]):
    game = "duel"
    seats = (2, 3)
    options_type = DuelOptions
    state_type = DuelState
    view_type = DuelView

    def setup(self, options, seats, chance):
        hands = tuple(tuple(sorted(1 + chance.below(50) for _ in range(4))) for _ in range(seats))
        state = DuelState(hands=hands, bids=(None,) * seats, points=(0,) * seats, goal=options.goal)
        dealt = Event(
            code="dealt", private={s: {"cards": list(hands[s])} for s in range(seats)}, reveals=True
        )
        return Step(state, (dealt,))

    def seat_counts(self, options):
        return (2, 3) if options.three else (2,)

    def to_act(self, state):
        if self.result(state):
            return frozenset()
        if state.turn is not None:
            return frozenset({state.turn})
        return frozenset(s for s, bid in enumerate(state.bids) if bid is None)

    def apply(self, state, seat, action, chance):
        if action.type == "resign" and not self.result(state):
            return Step(
                state.model_copy(update={"out": seat}), (Event(code="resigned", params={"seat": seat}),)
            )
        if seat not in self.to_act(state):
            raise RulesError("not-your-turn", seat=seat)
        if (action.type == "bid") != (state.turn is None):
            raise RulesError("wrong-time")
        return getattr(self, f"do_{action.type}")(state, seat, action, chance)

    def do_bid(self, state, seat, action, chance):
        if action.card not in state.hands[seat]:
            raise RulesError("not-in-hand", card=action.card)
        hand = list(state.hands[seat])
        hand.remove(action.card)
        state = state.model_copy(
            update={"hands": put(state.hands, seat, tuple(hand)), "bids": put(state.bids, seat, action.card)}
        )
        if None in state.bids:
            return Step(state, ())
        best = [s for s, bid in enumerate(state.bids) if bid == max(state.bids)]
        won = best[0] if len(best) == 1 else chance.pick(best)
        shown = Event(code="shown", params={"bids": list(state.bids), "winner": won}, reveals=True)
        points = put(state.points, won, state.points[won] + 1)
        after = {"points": points, "bids": (None,) * len(points), "turn": won, "steps": 0}
        return Step(state.model_copy(update=after), (shown,))

    def do_step(self, state, seat, action, chance):
        if state.steps == 2:
            raise RulesError("too-far")
        return Step(state.model_copy(update={"steps": state.steps + 1}), (Event(code="stepped"),))

    def do_draw(self, state, seat, action, chance):
        card = 1 + chance.below(50)
        hands = put(state.hands, seat, tuple(sorted((*state.hands[seat], card))))
        drew = Event(code="drew", params={"seat": seat}, private={seat: {"card": card}}, reveals=True)
        return Step(state.model_copy(update={"hands": hands}), (drew,))

    def do_pass(self, state, seat, action, chance):
        hands = tuple(hand or (7,) for hand in state.hands)
        return Step(state.model_copy(update={"turn": None, "hands": hands}), (Event(code="passed"),))

    def view(self, state, viewer):
        own = viewer is not None
        return DuelView(
            game=self.game,
            viewer=viewer,
            hand=state.hands[viewer] if own else None,
            bid=state.bids[viewer] if own else None,
            cards=tuple(len(hand) for hand in state.hands),
            has_bid=tuple(bid is not None for bid in state.bids),
            points=state.points,
            turn=state.turn,
            steps=state.steps,
        )

    def result(self, state):
        if state.out is not None:
            rest = tuple(s for s in range(len(state.points)) if s != state.out)
            return Result(winners=rest, scores=state.points, reason="resign")
        if max(state.points) < state.goal:
            return None
        return Result(winners=(state.points.index(state.goal),), scores=state.points, reason="points")

    def roles(self, state):
        return ("red", "blue", "green")[: len(state.points)]

    def position(self, state):
        return state.model_dump(mode="json")

    def from_position(self, position, chance):
        return Step(read(DuelState, position, "bad-position"), ())

    def parse_text(self, text, state, seat):
        words = text.casefold().split()
        if len(words) == 2 and words[0] == "bid" and words[1].isdecimal():
            return Do(type="bid", card=int(words[1]))
        if words in (["step"], ["draw"], ["pass"], ["resign"]):
            return Do(type=words[0])
        raise RulesError("bad-action", text=text[:20])

    def parse_json(self, data):
        return read(Do, data, "bad-action")

    def format(self, action):
        return f"bid {action.card}" if action.type == "bid" else action.type

    def legal(self, state, seat, prefix=""):
        if seat not in self.to_act(state):
            return Legal(complete=True, actions=())
        if state.turn is None:
            return Legal(
                complete=True, actions=tuple(f"bid {card}" for card in sorted(set(state.hands[seat])))
            )
        return Legal(complete=True, actions=("step", "draw", "pass") if state.steps < 2 else ("draw", "pass"))

    def choices(self, state, seat, path=()):
        legal = self.legal(state, seat).actions
        if path:
            if path[0] not in legal:
                raise RulesError("stale-path")
            return Ready(action=path[0])
        return Prompt(code="do", choices=tuple(Choice(key=action, code="do") for action in legal))

    def choices_mark(self, state, seat, sight=None):
        """Others' secret bids leave a seat's own choices alone."""
        return str((seat in self.to_act(state), state.turn, state.hands[seat], state.steps, state.points))
