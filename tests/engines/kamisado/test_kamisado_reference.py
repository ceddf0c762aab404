"""Whole matches and studies are those of a second program that was written from the spec alone."""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import Any

import pytest

from engines.chance import Chance
from engines.kamisado import Kamisado
from engines.protocol import RulesError
from engines.record import History, append, begin, from_position, new
from tests.engines.kamisado.kamisado_reference import GOALS, LINES, Match, RefusedError, colour
from tests.engines.many_games import met_in

ENGINE: Any = Kamisado()
COUNT = int(os.environ.get("HATAMOTO_COUNT", "0"))
SIDES = ["black", "white"]
COLOURS = LINES[-1]
SQUARES = [f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)]


def study(chance: Chance) -> dict[str, Any]:
    """Towers with teeth anywhere, often crowded on few ranks so that they block, some missing at times."""
    crowd = chance.pick([8, 8, 5, 4, 3])
    low = 1 + chance.below(9 - crowd)
    squares = chance.shuffled([s for s in SQUARES if low <= int(s[1]) < low + crowd])
    names = [(side, color) for side in SIDES for color in COLOURS]
    if not chance.below(4):
        names = chance.shuffled(names)[: 4 + chance.below(12)]
    towers = [
        {"owner": side, "color": color, "square": squares.pop(), "teeth": chance.pick([0, 0, 1, 1, 2, 3])}
        for side, color in names
    ]
    triple = {tower["owner"] for tower in towers if tower["teeth"] == 3}
    phase = chance.pick(["move", "move", "move", "move", "fill"])
    series = phase == "move" and not triple and not chance.below(3)
    return {
        "match": "marathon"
        if triple
        else "series"
        if series
        else chance.pick(["long", "marathon", "marathon"]),
        **({"points": 2 + chance.below(8)} if series else {}),
        "score": {side: chance.below(6) + (7 if side in triple else 0) for side in SIDES},
        "round": 1 + chance.below(5),
        "phase": phase,
        "to_move": chance.pick(SIDES),
        "forced": chance.pick([None, *COLOURS, *COLOURS]) if phase == "move" else None,
        "towers": towers,
    }


def deadlocked(given: dict[str, Any]) -> bool:
    """Whether towers answer each other for ever before anybody moved: the spec has no winner for it."""
    try:
        Match(given)
    except TypeError:  # there is no last move
        return True
    return False


def tight(chance: Chance) -> dict[str, Any]:
    """A study in which the towers stand head on in two ranks but for a few: deadlocks are near."""
    given = study(chance)
    rank = 2 + chance.below(5)
    files = chance.shuffled("abcdefgh"), chance.shuffled("abcdefgh")
    for n, tower in enumerate(t for t in given["towers"] if t["owner"] == "white"):
        tower["square"], tower["teeth"] = f"{files[0][n]}{rank}", 0
    for n, tower in enumerate(t for t in given["towers"] if t["owner"] == "black"):
        tower["square"], tower["teeth"] = f"{files[1][n]}{rank + 1}", 0
    free = chance.pick(given["towers"])
    free["square"] = f"{free['square'][0]}{1 + chance.below(rank - 1) if free['owner'] == 'white' else 8}"
    if not chance.below(3):
        given |= {"match": "series", "points": 2 + chance.below(8)}
    return {**given, "phase": "move", "to_move": free["owner"], "forced": free["color"]}


def start(chance: Chance) -> tuple[History, Match]:
    """A new match or a study."""
    kind = chance.below(4)
    if kind == 0:
        history = begin(new("kamisado", 2, b"\0", {"match": chance.pick(list(GOALS))}))
        return history, Match(ENGINE.position(history.state))
    while deadlocked(given := (tight if kind == 1 else study)(chance)):
        pass
    history, match = begin(from_position("kamisado", given, b"\0")), Match(given)
    assert [event.code for event in history.start.events] == match.events
    return history, match


def compare(history: History, match: Match) -> None:
    """The position, who acts, the list of actions, the result."""
    state: Any = history.state
    given, known = ENGINE.position(state), match.position()
    again = ENGINE.from_position(json.loads(json.dumps(given)), Chance(b"", 0)).state
    assert ENGINE.position(again) == given  # loading a position changes nothing
    for position in (given, known):
        position["towers"] = sorted(position["towers"], key=lambda t: (t["owner"], t["color"]))
    assert given == known
    assert sorted(ENGINE.to_act(state)) == match.to_act()
    for seat in (0, 1):
        texts = ENGINE.legal(state, seat).actions
        assert len(texts) == len(set(texts))
        assert set(texts) == (match.legal() if seat in match.to_act() else set())
    result = ENGINE.result(state)
    assert (result is None) == (match.phase != "over")
    if result:
        assert result.winners == (SIDES.index(match.winner),)
        assert result.scores == (match.score["black"], match.score["white"])


def refuses(history: History, match: Match, chance: Chance) -> None:
    """Both refuse what is not in the list: any two squares as a move and as a push."""
    for sign in "-x":
        seat, text = chance.below(2), f"{chance.pick(SQUARES)}{sign}{chance.pick(SQUARES)}"
        if seat in match.to_act() and text in match.legal():
            continue
        with pytest.raises(RefusedError):
            match.do(seat, text)
        with pytest.raises(RulesError):
            append(history, seat, text)


def spoken(text: str, match: Match, chance: Chance) -> str:
    """The action in one of the forms of the spec."""
    if text.startswith("fill") or match.phase != "move":
        return text
    tower: Any = match.on(text[:2])
    color, side = tower["color"], tower["owner"]
    if "x" in text:
        return chance.pick([text, text.upper(), f"{color} push", f"{color.upper()}  push"])
    across = "abcdefgh".index(text[3]) - "abcdefgh".index(text[0])
    left = across < 0 if side == "white" else across > 0
    way = "forward" if not across else "left" if left else "right"
    far = abs(int(text[4]) - int(text[1]))
    onto = colour(text[3:])  # the rulebook's written form has it, as a check
    named = [f"{color} {text[3:]}", f"{color} {way} {far}", f"{color} {way} {far} {onto}"]
    return chance.pick([text, text.upper(), *named, f"{color} {text[3:]} {onto}"])


def play(seed: int, plies: int = 80) -> Counter[str]:
    """Plays a match twice and compares at each ply; the codes met."""
    chance = Chance(b"kamisado" + seed.to_bytes(4, "big"), 0)
    history, match = start(chance)
    met: Counter[str] = Counter(match.events)
    for _ in range(plies):
        compare(history, match)
        refuses(history, match, chance)
        if not match.to_act():
            break
        seat, texts = match.to_act()[0], sorted(match.legal())
        pushes = [text for text in texts if "x" in text]
        text = chance.pick(pushes if pushes and chance.below(3) else texts)
        if not chance.below(300):
            seat, text = chance.below(2), "resign"
        said = spoken(text, match, chance) if text != "resign" else text
        history = append(history, seat, said)
        match.do(seat, text)
        assert [event.code for event in history.plies[-1].events] == match.events, (seed, text)
        met.update(match.events)
    return met


def test_matches_go_as_the_rules_written_twice_say():
    met = met_in(play, range(COUNT or 6))
    assert {"moved", "pushed", "blocked", "round-won", "filled"} <= set(met)


@pytest.mark.long
def test_many_matches_go_as_the_rules_written_twice_say():
    met = met_in(play, range(1000, 1000 + (COUNT or 600)))
    assert {"deadlock", "game-over", "resigned", "next-round", "round-taken"} <= set(met)


@pytest.mark.parametrize("seed", range(6))
def test_lines_are_counted_as_the_rules_written_twice_count_them(seed):
    chance = Chance(b"lines" + bytes([seed]), 0)
    while deadlocked(given := study(chance)) or given["phase"] != "move" or Match(given).stuck:
        pass
    state = ENGINE.from_position(given, chance).state
    expected = Match(given)
    if expected.to_act():
        assert ENGINE.perft(state, 3) == tuple(expected.lines(depth) for depth in (1, 2, 3))


def test_the_printed_board_has_each_colour_once_a_rank_and_is_the_same_from_both_sides():
    for rank in range(1, 9):
        assert len({colour(f"{file}{rank}") for file in "abcdefgh"}) == 8
    for square in SQUARES:
        opposite = f"{'hgfedcba'['abcdefgh'.index(square[0])]}{9 - int(square[1])}"
        assert colour(square) == colour(opposite)
