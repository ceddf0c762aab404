"""What an action of Rokumon's opponent was for, as far as a viewer can know: his board, and what was told."""

from __future__ import annotations

from engines.capabilities import Deed
from engines.protocol import Seen
from engines.rokumon import rules
from engines.rokumon.data import CLANS, Side
from engines.rokumon.foresight import Bout
from engines.rokumon.model import Board, RokumonView, bare, side_of

MOST = 3
PLAYED = {"deployed": "deploy", "deployed-open": "deploy", "moved": "move", "surprised": "surprise"}


def reasons(deed: Deed[RokumonView]) -> tuple[Seen, ...]:
    """Why an action was played, the weightiest reason first."""
    side = CLANS.index(deed.before.clans[deed.seat])
    other = CLANS[1 - side]
    codes = {seen.code: seen.params for seen in deed.told}
    if "resigned" in codes:
        return (Seen(code="lost", params={"clan": other}),)
    won = codes.get("act-won")
    if won is not None:
        code = "wins" if won["winner"] == side else "surrender" if "surrendered" in codes else None
        return () if code is None else (Seen(code=code, params={"act": won["act"], "clan": other}),)
    if deed.after.act != deed.before.act or "act-void" in codes or deed.before.solo:
        return ()
    for seen in deed.told:
        if seen.code == "fight":
            return tuple(of_fight(deed, side, seen.params["at"]))[:MOST]
        if seen.code == "added":
            return of_tokens(deed, seen.params["count"])
        if seen.code in PLAYED:
            return tuple(of_play(deed, side))[:MOST]
    return ()


def of_play(deed: Deed[RokumonView], side: Side) -> list[Seen]:
    """What a Deploy, a Move or a Surprise wards off, and what it threatens."""
    before, after = deed.before.board, deed.after.board
    own, other = CLANS[side], CLANS[1 - side]
    found = []
    stopped = [cell for cell in ways(before, 1 - side) if cell not in ways(after, 1 - side)]
    if stopped:
        found.append(Seen(code="blocks", params={"clan": other, "cells": stopped}))
    if cells := ways(after, side):
        found.append(Seen(code="threatens", params={"clan": own, "cells": cells}))
    if not stopped and (n := handing_over(before, side)):
        found.append(Seen(code="avoids", params={"n": n, "clan": other}))
    lines = pairs_on_lines(after, side)
    if not cells and lines > pairs_on_lines(before, side):
        found.append(Seen(code="lines", params={"n": lines}))
    theirs = pairs_on_lines(before, 1 - side) - pairs_on_lines(after, 1 - side)
    if not stopped and theirs > 0:
        found.append(Seen(code="breaks", params={"clan": other}))
    return found


def ways(board: Board, side: Side) -> list[str]:
    """Where the side would surely win if it acted now, by anything but a Fight, as the viewer knows."""
    turn = board._replace(mover=side, locked=None)
    found = (
        play.target for play in rules.legal(turn) if play.kind != "fight" and rules.surely(turn, play, side)
    )
    return list(dict.fromkeys(found))


def handing_over(board: Board, side: Side) -> int:
    """How many actions of the side, but for a Fight, would have let the other win at once."""
    count = 0
    for play in rules.legal(board._replace(mover=side)):
        if play.kind == "fight":
            continue
        done = rules.after(board, play)
        lost = done.winner == 1 - side
        count += lost or (done.winner is None and bool(ways(done.board, 1 - side)))
    return count


def pairs_on_lines(board: Board, side: Side) -> int:
    """Lines of three tiles of which the side has two, and the other none."""
    top = [side_of(stack[-1]) if stack else None for stack in board.stacks]
    lines = [[top[n] for n in row] for row in rules.lines(board.cells, board.act == 1)]
    return sum(row.count(side) == 2 and row.count(1 - side) == 0 for row in lines)


def of_fight(deed: Deed[RokumonView], side: Side, at: str) -> list[Seen]:
    """What a Fight was begun for: what it would ward off, and the odds as the viewer knows them."""
    board = deed.before.board
    found = []
    if cells := ways(board, 1 - side):
        found.append(Seen(code="fights-off", params={"clan": CLANS[1 - side], "cells": cells}))
    tokens = {side_of(token): bare(token) for token in board.stack_at(at)}
    if tokens[side][1:] == "?":
        return found or [Seen(code="fights", params={"at": at, "clan": CLANS[1 - side]})]
    hidden = tokens[1 - side][1:] == "?"
    others = rules.unseen(board, 1 - side) if hidden else (tokens[1 - side],)
    fight = deed.after.fight
    added = (0, 0) if fight is None else (fight.added.sanada, fight.added.tokugawa)
    wins, ties, losses = Bout(at, side, tokens[side], others, added, 0).counts
    params = {"own": tokens[side], "n": len(others), "wins": wins, "ties": ties, "losses": losses}
    if hidden:
        found.append(Seen(code="odds", params=params))
    elif wins:
        found.append(Seen(code="stronger", params={"own": tokens[side], "other": others[0]}))
    else:
        found.append(Seen(code="fights", params={"at": at, "clan": CLANS[1 - side]}))
    return found


def of_tokens(deed: Deed[RokumonView], count: int) -> tuple[Seen, ...]:
    """What tokens were added for, or kept for."""
    if count:
        return (Seen(code="adds", params={"n": count}),)
    return (Seen(code="keeps"),) if deed.before.revenge.of(side_acting(deed)).up else ()


def side_acting(deed: Deed[RokumonView]) -> Side:
    """The side of the seat that acted."""
    return CLANS.index(deed.before.clans[deed.seat])
