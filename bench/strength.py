"""`python -m bench.strength`: how strong the opponents are, in `docs/strength.md`.

    python -m bench.strength kamisado rokumon --games 20     a ladder: everybody against everybody
    python -m bench.strength rokumon --match hard before:hard --options act=6 --games 200
    python -m bench.strength shogun --first hard before:normal --seats 4 --games 200

A ladder is a round robin of `random`, the levels and the plans of `bench.plans`, seats balanced: every pair
plays each seed twice, seats swapped. A rating is that of Bradley and Terry with a normal prior (Bayesian:
finite for who lost every game), in points of which 400 more win ten times as often; normal is 1000. The
error is the standard one, from the curvature at the best fit. A match is one pair, by options. First places
are those of one among several of another, each seat in turn; a shared win is a share of one.

Figures are kept in `docs/strength.json`, a game's ladder or a match replacing the one before; the page
is written from them. A seed gives the same game on every machine.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from bench.arena import BEFORE, Outcome, opponents, play
from engines.protocol import Json
from engines.registry import GAMES

DOCS = Path(__file__).parent.parent / "docs"
FIGURES, PAGE = DOCS / "strength.json", DOCS / "strength.md"
OPTIONS: dict[str, dict[str, Json]] = {"kamisado": {"match": "standard"}}
SEATS = {"shogun": 4}  # at a ladder's table; two elsewhere
OPENINGS = {"kamisado": 4, "rokumon": 2}  # first actions at random: opponents without chance repeat
MIDDLE, MEAN = "normal", 1000.0  # whose rating is fixed, and at what
SPREAD = 400.0  # points for ten to one
PRIOR = 600.0  # points: how far apart opponents are before anything is known
STEPS = 200

Pairs = dict[tuple[str, str], tuple[float, float]]  # of two names, each one's points against the other


class Rated(NamedTuple):
    """An opponent's place on a ladder: `points` of `games`, a tie counting half."""

    name: str
    rating: float
    error: float
    points: float
    games: float


def ladder(game: str) -> list[str]:
    """Who plays on a game's ladder."""
    return [name for name in opponents(game) if not name.startswith(BEFORE)]


def opening(game: str, *pair: str) -> int:
    """How many actions at random a game begins with; none where somebody plays so anyway."""
    return 0 if "random" in pair else OPENINGS.get(game, 0)


def seatings(one: str, other: str, seats: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A table of both in turn, and the same with seats swapped."""
    table = tuple((one, other)[seat % 2] for seat in range(seats))
    return table, tuple(one if name == other else other for name in table)


def contests(game: str, one: str, other: str, games: int, options: Mapping[str, Json]) -> Iterator[Outcome]:
    """So many games, an even number: each seed from both sides; points and scores as if `one` sat first."""
    tables = seatings(one, other, SEATS.get(game, 2))
    for number in range(games):
        found = play(game, tables[number % 2], number // 2, options, opening(game, one, other))
        if number % 2:
            found = found._replace(points=turned(found.points), scores=turned(found.scores))
        yield found


def turned(by_seat: Sequence[Any]) -> tuple[Any, ...]:
    """Neighbouring seats swapped."""
    swapped = list(by_seat)
    for seat in range(0, len(swapped) - 1, 2):
        swapped[seat], swapped[seat + 1] = swapped[seat + 1], swapped[seat]
    return tuple(swapped)


def shared(outcome: Outcome) -> tuple[float, float]:
    """What a game gave the even and the odd seats: 1 among them, by how many each of them is ahead of."""
    even = total = 0.0
    for seat, (points, score) in enumerate(ranks(outcome)):
        for other, (theirs, their_score) in enumerate(ranks(outcome)):
            if seat % 2 == 0 and other % 2 == 1:
                total += 1
                ahead = (points, score) > (theirs, their_score)
                even += 1.0 if ahead else 0.5 if (points, score) == (theirs, their_score) else 0.0
    return even / total, 1 - even / total


def ranks(outcome: Outcome) -> list[tuple[float, float]]:
    """By seat what it is ranked by: having won, then the score where more than two play."""
    count = len(outcome.points)
    scores = outcome.scores if count > 2 and len(outcome.scores) == count else (0,) * count
    return list(zip(outcome.points, map(float, scores), strict=True))


# -- ratings -----------------------------------------------------------------------------------


def rated(pairs: Pairs) -> list[Rated]:
    """Everybody's rating and its error, the best first."""
    names = sorted({name for pair in pairs for name in pair})
    at = {name: n for n, name in enumerate(names)}
    scale = math.log(10) / SPREAD
    strength = [0.0] * len(names)
    for _ in range(STEPS):
        slope, curve = slopes(pairs, at, strength, scale)
        step = solved(curve, slope)
        strength = [old + max(-PRIOR, min(PRIOR, move)) for old, move in zip(strength, step, strict=True)]
        if max(map(abs, step)) < 1e-6:
            break
    _, curve = slopes(pairs, at, strength, scale)
    middle = at.get(MIDDLE, 0)
    found = []
    for name, n in at.items():
        column = solved(curve, [float(m == n) - float(m == middle) for m in range(len(names))])
        error = math.sqrt(max(0.0, column[n] - column[middle]))
        mine = [(p[0], sum(p)) for pair, p in pairs.items() if pair[0] == name]
        mine += [(p[1], sum(p)) for pair, p in pairs.items() if pair[1] == name]
        points, games = sum(one for one, _ in mine), sum(all_ for _, all_ in mine)
        found.append(Rated(name, MEAN + strength[n] - strength[middle], error, points, games))
    return sorted(found, key=lambda one: -one.rating)


def slopes(
    pairs: Pairs, at: Mapping[str, int], strength: Sequence[float], scale: float
) -> tuple[list[float], list[list[float]]]:
    """The slope of what is likely, by strength, and its curvature turned round, both with the prior's."""
    slope = [-value / PRIOR**2 for value in strength]
    curve = [[1 / PRIOR**2 * (n == m) for m in range(len(strength))] for n in range(len(strength))]
    for (one, other), (won, lost) in pairs.items():
        a, b = at[one], at[other]
        chance = 1 / (1 + math.exp(scale * (strength[b] - strength[a])))
        games = won + lost
        pull = scale * (won - games * chance)
        slope[a] += pull
        slope[b] -= pull
        weight = scale**2 * games * chance * (1 - chance)
        for n, m, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
            curve[n][m] += sign * weight
    return slope, curve


def solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The solution of linear equations, by elimination; the matrix is that of a curvature, so it has one."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for n in range(size):
        best = max(range(n, size), key=lambda m: abs(rows[m][n]))
        rows[n], rows[best] = rows[best], rows[n]
        for m in range(size):
            if m != n:
                factor = rows[m][n] / rows[n][n]
                rows[m] = [x - factor * y for x, y in zip(rows[m], rows[n], strict=True)]
    return [rows[n][size] / rows[n][n] for n in range(size)]


# -- figures and the page ------------------------------------------------------------------------


def round_robin(game: str, games: int, options: Mapping[str, Json]) -> dict[str, Json]:
    """A game's ladder: points of every pair."""
    pairs = []
    for one, other in combinations(ladder(game), 2):
        begun = time.process_time()
        won = sum(shared(end)[0] for end in contests(game, one, other, games, options))
        pairs.append([one, other, won, games - won])
        print(
            f"{game}: {one} {won:g} of {games} against {other} ({time.process_time() - begun:.0f} s)",
            flush=True,
        )
    return {"options": dict(options), "seats": SEATS.get(game, 2), "pairs": pairs}


def match(game: str, one: str, other: str, games: int, options: Mapping[str, Json]) -> dict[str, Json]:
    """One pair, by options: points of the first from the first seats, from the second, and games of each."""
    points = [0.0, 0.0]
    for number, end in enumerate(contests(game, one, other, games, options)):
        points[number % 2] += shared(end)[0]
        print(f"{game} {dict(options)}: {one} {sum(points):g} of {number + 1} against {other}", flush=True)
    return {
        "game": game,
        "options": dict(options),
        "one": one,
        "other": other,
        "points": points,
        "games": [(games + 1) // 2, games // 2],
    }


def first_places(
    game: str, pair: tuple[str, str], seats: int, games: int, options: Mapping[str, Json]
) -> dict[str, Json]:
    """How often one comes first at a table of so many seats, all others being another's."""
    (one, other), firsts, scores = pair, 0.0, [0.0, 0.0]
    for number in range(games):
        seat = number % seats
        table = [one if at == seat else other for at in range(seats)]
        end = play(game, table, number, options, opening(game, one, other))
        firsts += end.points[seat]
        scores[0] += end.scores[seat]
        scores[1] += (sum(end.scores) - end.scores[seat]) / (seats - 1)
        print(f"{game}: {one} first in {firsts:g} of {number + 1} among {seats - 1} {other}", flush=True)
    told = {"game": game, "options": dict(options), "one": one, "other": other, "seats": seats}
    return {
        **told,
        "firsts": round(firsts, 2),
        "games": games,
        "scores": [round(s / games, 1) for s in scores],
    }


def read() -> dict[str, Any]:
    """The figures that there are."""
    if not FIGURES.exists():
        return {"ladders": {}, "matches": []}
    found: dict[str, Any] = json.loads(FIGURES.read_text("utf-8"))
    return found


def page(figures: Mapping[str, Any]) -> str:
    """The page of all figures."""
    told = [HEAD]
    for game, kept in sorted(figures["ladders"].items()):
        pairs = {(one, other): (won, lost) for one, other, won, lost in kept["pairs"]}
        told += [f"## {game.title()}\n", f"{kept['seats']} seats, {words_of(kept['options'])}.\n"]
        told += ["| Opponent | Rating | Won |", "|---|---|---|"]
        told += [
            f"| {one.name} | {one.rating:.0f} ± {one.error:.0f} | {one.points:g} of {one.games:g} |"
            for one in rated(pairs)
        ]
        told += ["", "Of each pair, what the first won:", ""]
        told += [
            f"- {one} against {other}: {won:g} of {won + lost:g}" for one, other, won, lost in kept["pairs"]
        ]
        told.append("")
    if figures["matches"]:
        told += ["## Matches\n", "`before:` is the opponent of commit da23b97.\n"]
        told += [
            "| Game | First | Second | First won | as first seat | as second seat |",
            "|---|---|---|---|---|---|",
        ]
        for kept in figures["matches"]:
            points, games = kept["points"], kept["games"]
            of = [f"{won:g} of {count}" for won, count in zip(points, games, strict=True)]
            share = 100 * sum(points) / sum(games)
            name = f"{kept['game'].title()}, {words_of(kept['options'])}"
            told.append(
                f"| {name} | {kept['one']} | {kept['other']} | {sum(points):g} of {sum(games)} ({share:.0f}%)"
                f" | {of[0]} | {of[1]} |"
            )
        told.append("")
    if figures.get("firsts"):
        told += ["## First places\n", "One at each seat in turn, all others the second's.\n"]
        told += [
            "| Game | Seats | First | Others | First place | Points, and the others' |",
            "|---|---|---|---|---|---|",
        ]
        for kept in figures["firsts"]:
            mine, theirs = kept["scores"]
            share = 100 * kept["firsts"] / kept["games"]
            name = f"{kept['game'].title()}, {words_of(kept['options'])}"
            told.append(
                f"| {name} | {kept['seats']} | {kept['one']}"
                f" | {kept['other']} | {kept['firsts']:g} of {kept['games']} ({share:.0f}%)"
                f" | {mine}, {theirs} |"
            )
        told.append("")
    return "\n".join(told)


def words_of(options: Mapping[str, Json]) -> str:
    """Options as they are typed."""
    return (
        " ".join(f"`{name}={value}`" for name, value in options.items())
        or "options as they are by themselves"
    )


HEAD = """# How strong the opponents are

Written by `python -m bench.strength` (see there for how): do not edit. A rating is Bradley and Terry's,
normal is 1000, 400 more win ten times as often; ± is one standard error, of the distance to normal. Seats are
balanced: every seed is played from both sides; a match of Kamisado begins with 4 random moves, an act of
Rokumon with 2 random actions, since opponents without chance repeat themselves; not so against `random`,
which plays any legal action. `greedy-…` are plans of `bench/plans`.
"""


def keep(figures: Mapping[str, Any]) -> None:
    """Writes the figures and the page."""
    FIGURES.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    PAGE.write_text(page(figures).rstrip() + "\n", "utf-8")


def options_of(texts: Sequence[str]) -> dict[str, Json]:
    """Options as they are typed: `act=6`."""
    pairs = (text.split("=", 1) for text in texts)
    return {name: int(value) if value.isdecimal() else value for name, value in pairs}


def main() -> None:
    """Plays what the command line asks for; without a game the page is written anew."""
    reader = argparse.ArgumentParser(prog="bench.strength", description="How strong the opponents are.")
    reader.add_argument("games_of", nargs="*", metavar="game", choices=[*GAMES, []])
    reader.add_argument("--games", type=int, default=20, help="of each pair, an even number")
    reader.add_argument("--match", nargs=2, metavar=("ONE", "OTHER"))
    reader.add_argument("--first", nargs=2, metavar=("ONE", "OTHERS"))
    reader.add_argument("--seats", type=int, default=4, help="of a table for --first")
    reader.add_argument("--options", nargs="*", default=[], metavar="NAME=VALUE")
    given = reader.parse_args()
    if given.games % 2 and given.first is None:
        reader.error("--games must be even: each seed is played from both sides")
    for game in given.games_of:
        if given.first is not None:
            one, other = given.first
            found = first_places(game, (one, other), given.seats, given.games, options_of(given.options))
            figures = read()
            table = ("game", "options", "one", "other", "seats")
            firsts = [
                old for old in figures.get("firsts", []) if any(old[key] != found[key] for key in table)
            ]
            figures["firsts"] = [*firsts, found]
        elif given.match is None:
            options = options_of(given.options) or OPTIONS.get(game, {})
            found = round_robin(game, given.games, options)
            figures = read()  # others may have written while it played
            figures["ladders"][game] = found
        else:
            one, other = given.match
            found = match(game, one, other, given.games, options_of(given.options))
            figures = read()
            same = ("game", "options", "one", "other")
            kept = [old for old in figures["matches"] if any(old[key] != found[key] for key in same)]
            figures["matches"] = [*kept, found]
        keep(figures)
    if not given.games_of:
        keep(read())


if __name__ == "__main__":
    main()
