"""Moves, pushes, the end of a round, teeth and the refill (rules T, M, S, DS, TS, F, P)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from engines.kamisado.board import (
    COLOR,
    DEADLOCK,
    FORWARD,
    HOME,
    INDEX,
    MISSING,
    NOWHERE,
    Board,
    tower_number,
)
from engines.kamisado.data import (
    COLOR_OF,
    COLORS,
    FILES,
    MOST_TEETH,
    REACH,
    SIDES,
    SQUARES,
    TOOTH_POINTS,
    Color,
    Side,
)
from engines.kamisado.model import (
    Blocked,
    End,
    Ended,
    How,
    KamisadoState,
    Last,
    Move,
    Push,
    Target,
    Tower,
    other,
    sorted_towers,
)
from engines.protocol import Event, Result, RulesError, Step, game_over


def opening_towers() -> tuple[Tower, ...]:
    """Every tower on the home square of its own colour (B2), without teeth."""
    return tuple(
        Tower(owner=side, color=COLOR_OF[square], square=square)
        for side, rank in (("black", 8), ("white", 1))
        for square in sorted((f"{file}{rank}" for file in FILES), key=lambda s: COLORS.index(COLOR_OF[s]))
    )


def mover(state: KamisadoState) -> Tower | None:
    """The tower that must move (T2); None for a first move, or where the position lacks it."""
    return next((t for t in state.towers if t.owner == state.to_move and t.color == state.forced), None)


def can_move(state: KamisadoState) -> bool:
    """Whether the side to move has a move: not where the position lacks its tower (P7)."""
    board = Board(state.towers)
    if state.forced is not None:
        tower = mover(state)
        return tower is not None and board.movable(tower_number(tower))
    return any(board.steps(tower_number(t)) for t in state.towers if t.owner == state.to_move)


def targets(state: KamisadoState) -> tuple[Target, ...]:
    """Every move that the side to move may make, in the order of the board.

    T1: any tower when no colour is forced, and then nobody pushes. M5: one of them must be made, also if
    it is a push (S11); with others a push is one among them (S10). Empty where nobody can move.
    """
    if state.phase != "move" or state.to_move is None:
        return ()
    board = Board(state.towers)
    found: list[Target] = []
    for tower in state.towers:
        if tower.owner == state.to_move and state.forced in (None, tower.color):
            found += _targets_of(board, tower, may_push=state.forced is not None)
    return tuple(sorted(found, key=lambda t: (t.from_, t.to)))


def _targets_of(board: Board, tower: Tower, *, may_push: bool) -> Iterator[Target]:
    number = tower_number(tower)
    goal = HOME[1 - SIDES.index(tower.owner)]
    for square in board.steps(number):
        yield target("move", tower.square, SQUARES[square], square >> 3 == goal)
    if may_push and board.line(number):
        yield target("push", tower.square, SQUARES[board.at[number] + FORWARD[number >> 3]])


@lru_cache(maxsize=4096)
def target(kind: Literal["move", "push"], from_: str, to: str, wins: bool = False) -> Target:
    """One of them; each is made once, as an opening has a hundred and is asked for again and again."""
    return Target(kind=kind, from_=from_, to=to, wins=wins)


def move(state: KamisadoState, action: Move | Push) -> Step[KamisadoState]:
    """The state after a move or push: the round goes on, or is won.

    Raises RulesError `no-tower`, `wrong-tower` (T2), `not-forward` (M1), `blocked` (M2, M3),
    `too-far` (M2, S1, DS1, TS1), `no-push` (S2-S9).
    """
    tower = _tower_to_move(state, action.from_)
    board = Board(state.towers)
    if isinstance(action, Push):
        return _push(state, board, tower, action)
    _check_step(board, tower, action.to)
    board.move(tower_number(tower), INDEX[action.to])
    last = Last(kind="move", owner=tower.owner, color=tower.color, from_=tower.square, to=action.to)
    after = _placed(state, board, last)
    seat = SIDES.index(tower.owner)
    event = Event(
        code="moved",
        params={
            "seat": seat,
            "tower": tower.color,
            "from": tower.square,
            "to": action.to,
            "color": COLOR_OF[action.to],
        },
    )
    if INDEX[action.to] >> 3 == HOME[1 - seat]:
        return win_round(after, tower.owner, tower.color, "reached", (event,))
    return settle(after, other(tower.owner), COLOR_OF[action.to], (event,), board)


def _tower_to_move(state: KamisadoState, square: str) -> Tower:
    tower = next((t for t in state.towers if t.square == square and t.owner == state.to_move), None)
    if tower is None:
        raise RulesError("no-tower", square=square)
    if state.forced is not None and tower.color != state.forced:
        raise RulesError("wrong-tower", tower=tower.color, forced=state.forced)
    return tower


def _check_step(board: Board, tower: Tower, to: str) -> None:
    number, square = tower_number(tower), INDEX[to]
    if square in board.steps(number):
        return
    start, side = board.at[number], number >> 3
    up, across = ((square >> 3) - (start >> 3)) * (1 if side else -1), abs((square & 7) - (start & 7))
    if up <= 0 or across not in (0, up):
        raise RulesError("not-forward", **{"tower": tower.color, "from": tower.square, "to": to})
    reach = REACH[tower.teeth]
    if up > reach:
        raise RulesError("too-far", tower=tower.color, to=to, n=reach)
    raise RulesError("blocked", tower=tower.color, to=to)


def _push(state: KamisadoState, board: Board, tower: Tower, action: Push) -> Step[KamisadoState]:
    number = tower_number(tower)
    front = board.at[number] + FORWARD[number >> 3]
    line = board.line(number) if state.forced is not None else 0
    if not line or front != INDEX[action.to]:
        why = "first" if state.forced is None else "plain" if not tower.teeth else "line"
        raise RulesError("no-push", tower=tower.color, to=action.to, why=why)
    landed = board.push(number, line)
    squares = tuple(range(front + FORWARD[number >> 3], landed + FORWARD[number >> 3], FORWARD[number >> 3]))
    pushed = tuple(SQUARES[square] for square in squares)
    colors = [COLORS[board.who[square] & 7] for square in squares]
    last = Last(
        kind="push", owner=tower.owner, color=tower.color, from_=tower.square, to=action.to, pushed=pushed
    )
    after = _placed(state, board, last)
    event = Event(
        code="pushed",
        params={
            "seat": SIDES.index(tower.owner),
            "tower": tower.color,
            "from": tower.square,
            "to": action.to,
            "towers": colors,
            "squares": list(pushed),
            "color": COLORS[COLOR[landed]],
            "n": line,
        },
    )
    return settle(after, tower.owner, COLORS[COLOR[landed]], (event,), board)


def _placed(state: KamisadoState, board: Board, last: Last) -> KamisadoState:
    squares = [SQUARES[board.at[tower_number(tower)]] for tower in state.towers]
    towers = tuple(
        tower if tower.square == square else tower.model_copy(update={"square": square})
        for tower, square in zip(state.towers, squares, strict=True)
    )
    return state.model_copy(update={"towers": towers, "last": last})


def settle(
    state: KamisadoState,
    side: Side,
    color: Color,
    events: tuple[Event, ...] = (),
    board: Board | None = None,
) -> Step[KamisadoState]:
    """The state when `side` should move the tower of `color`: blocked towers pass (M6).

    `board` is its towers' where it is there already.

    M8: where the passes never end, whoever made the last real move loses the round. Where the
    tower is missing, the round stays without a result and nobody is to act.
    """
    board = board or Board(state.towers)
    wanted = SIDES.index(side) * 8 + COLORS.index(color)
    follower = board.settle(wanted)
    passes = tuple(_passes(board, wanted, follower))
    events += tuple(
        Event(
            code="blocked",
            params={
                "seat": SIDES.index(p.owner),
                "tower": p.color,
                "square": p.square,
                "next": 1 - SIDES.index(p.owner),
                "color": COLOR_OF[p.square],
            },
        )
        for p in passes
    )
    last = state.last
    if last is not None and last.passes != passes:
        last = last.model_copy(update={"passes": passes})
    if follower == DEADLOCK:
        return _deadlock(state.model_copy(update={"last": last}), side, color, events)
    if follower == MISSING:
        stopped = passes[-1] if passes else None
        side, color = (other(stopped.owner), COLOR_OF[stopped.square]) if stopped else (side, color)
    else:
        side, color = SIDES[follower >> 3], COLORS[follower & 7]
    return Step(state.model_copy(update={"last": last, "to_move": side, "forced": color}), events)


def _passes(board: Board, tower: int, follower: int) -> Iterator[Blocked]:
    """The forced passes from `tower` on until `follower` moves, each tower once (M6)."""
    seen: set[int] = set()
    while tower not in (*seen, follower) and board.at[tower] != NOWHERE:
        seen.add(tower)
        square = SQUARES[board.at[tower]]
        yield Blocked(owner=SIDES[tower >> 3], color=COLORS[tower & 7], square=square)
        tower = (tower & 8 ^ 8) + COLOR[board.at[tower]]


def _deadlock(
    state: KamisadoState, side: Side, color: Color, events: tuple[Event, ...]
) -> Step[KamisadoState]:
    """The round of who made the last real move is lost (M8); the tooth is for the square that it ended on.

    Ruling: the deadlock after a push. The pusher stepped onto that square.
    Ruling: the loaded deadlock. There is no last move: the one who should move `color` wins.
    """
    last = state.last
    winner = other(last.owner) if last else side
    reward = COLOR_OF[last.to] if last else color
    dead = Event(code="deadlock", params={"seat": SIDES.index(other(winner)), "winner": SIDES.index(winner)})
    return win_round(state, winner, reward, "deadlock", (*events, dead))


def win_round(
    state: KamisadoState, winner: Side, color: Color, how: How, events: tuple[Event, ...]
) -> Step[KamisadoState]:
    """A tooth on the winner's tower of `color`, its points (P1), and the match (P3) or the refill."""
    if state.match == "series":
        return win_round_of_series(state, winner, color, how, events)
    tower = next((t for t in state.towers if (t.owner, t.color) == (winner, color)), None)
    if tower is None:  # a study without the tower that the tooth belongs on: no result (P7)
        return Step(state.model_copy(update={"to_move": winner, "forced": color}), events)
    points = TOOTH_POINTS[min(tower.teeth, MOST_TEETH - 1)]
    grown = tower.model_copy(update={"teeth": min(tower.teeth + 1, MOST_TEETH)})
    score = state.score.model_copy(update={winner: state.score.of(winner) + points})
    seat = SIDES.index(winner)
    who = {"seat": seat, "tower": color}
    events += (
        Event(code="round-won", params={**who, "loser": 1 - seat, "round": state.round, "how": how}),
        Event(code="tooth", params={**who, "teeth": grown.teeth, "n": points, **score.model_dump()}),
    )
    towers = tuple(grown if t is tower else t for t in state.towers)
    state = state.model_copy(
        update={"towers": towers, "score": score, "phase": "fill", "to_move": winner, "forced": None}
    )
    if score.of(winner) >= state.target:
        return end_match(state, winner, "points", events)
    return Step(state, events)


def win_round_of_series(
    state: KamisadoState, winner: Side, color: Color, how: How, events: tuple[Event, ...]
) -> Step[KamisadoState]:
    """A point and no tooth; the next round begins with every tower on its own colour (P8).

    Black starts the odd rounds, White the even ones.
    """
    score = state.score.model_copy(update={winner: state.score.of(winner) + 1})
    seat = SIDES.index(winner)
    who = {"seat": seat, "loser": 1 - seat, "round": state.round, "how": how}
    won = Event(code="round-won", params={**who, "tower": color})
    events += (
        won if how == "reached" else Event(code="round-taken", params=who),
        Event(code="point", params={"seat": seat, "n": 1, **score.model_dump()}),
    )
    state = state.model_copy(update={"score": score})
    if score.of(winner) >= state.target:
        return end_match(state, winner, "points", events)
    starts = state.round % 2
    after = state.model_copy(
        update={
            "towers": tuple(_sent_home(tower) for tower in state.towers),
            "round": state.round + 1,
            "to_move": SIDES[starts],
            "forced": None,
            "last": None,
            "ended": Ended(round=state.round, winner=winner, how=how, towers=state.towers, last=state.last),
        }
    )
    return Step(after, (*events, Event(code="next-round", params={"round": after.round, "next": starts})))


def _sent_home(tower: Tower) -> Tower:
    """The tower on the home square of its own colour."""
    home = next(home for home in opening_towers() if (home.owner, home.color) == (tower.owner, tower.color))
    return tower.model_copy(update={"square": home.square})


def end_match(
    state: KamisadoState, winner: Side, reason: str, events: tuple[Event, ...]
) -> Step[KamisadoState]:
    """The match is over."""
    over = {"phase": "over", "to_move": None, "forced": None, "winner": winner, "reason": reason}
    scores = tuple(state.score.of(side) for side in SIDES)
    won = game_over(Result(winners=(SIDES.index(winner),), scores=scores, reason=reason))
    return Step(state.model_copy(update=over), (*events, won))


def refilled(towers: tuple[Tower, ...], end: End) -> tuple[Tower, ...]:
    """Both home ranks refilled from `end`, seen from each player's own side (F2, F3, F4)."""
    placed: list[Tower] = []
    for side in SIDES:
        home = HOME[SIDES.index(side)]
        from_a = (side == "white") == (end == "left")  # White's left is file a, Black's is file h
        files = FILES if from_a else FILES[::-1]
        queue = _refill_order([t for t in towers if t.owner == side], home, files)
        for file, tower in zip(files, queue, strict=False):
            placed.append(tower.model_copy(update={"square": f"{file}{home + 1}"}))
    return sorted_towers(placed)


def _refill_order(towers: list[Tower], home: int, files: str) -> list[Tower]:
    """Nearest to the home rank first; within a rank in the order of `files` (F3, F4)."""

    def nearest(tower: Tower) -> tuple[int, int]:
        return abs((INDEX[tower.square] >> 3) - home), files.index(tower.square[0])

    return sorted(towers, key=nearest)


def fill(state: KamisadoState, end: End) -> Step[KamisadoState]:
    """The next round: the home ranks refilled, the challenger to make a first move (F1, P4)."""
    defender = state.to_move
    if state.phase != "fill" or defender is None:
        raise RulesError("not-now", needed="move")
    challenger = other(defender)
    after = state.model_copy(
        update={
            "towers": refilled(state.towers, end),
            "round": state.round + 1,
            "phase": "move",
            "to_move": challenger,
            "forced": None,
            "last": None,
        }
    )
    params = {
        "seat": SIDES.index(defender),
        "side": end,
        "round": after.round,
        "next": SIDES.index(challenger),
    }
    return Step(after, (Event(code="filled", params=params),))
