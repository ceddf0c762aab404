"""Whole games are those of a second program that was written from the spec alone."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from engines.chance import Chance
from engines.protocol import Event, RulesError
from engines.record import History, append, begin, from_position, new
from tests.engines.many_games import met_in
from tests.engines.rokumon.rokumon_course_reference import ARMY, CLAN, FRESH, Course, RefusedError
from tests.engines.rokumon.rokumon_tables import COUNT
from tests.engines.rokumon.rokumon_tables import ENGINE as ROKUMON

ENGINE: Any = ROKUMON
TOKENS = 7  # in the box; a story that was given with many of them may lead to more
PLAIN = (1, 2, "solo")
CLAN_LETTER = {clan: letter for letter, clan in CLAN.items()}
NAMES = {
    "deployed-open": "deployed",
    "act-dealt": "dealt",
    "act-dealt-maru": "dealt",
    "battle-dealt": "dealt",
}
STEPS = ["CONQUER", "COVER", "BLOCK", "MATCH", "BOLSTER", "MANEUVER", "DEPLOY", "MOVE", "RETREAT"]


def start(chance: Chance) -> tuple[History, Course]:
    """A new game with any options, a fresh act with any tokens, or a table in the middle of things."""
    kind = chance.below(9)
    seed = bytes([1, kind, chance.below(256)])
    if kind < 2:
        options: dict[str, Any] = {"solo": chance.pick(LEVELS)} if kind else {"act": 1 + chance.below(6)}
        history = begin(new("rokumon", None, seed, options))
        return history, Course(ENGINE.position(history.state), story=bool(kind))
    given = fresh(chance) if kind < 5 else scattered(chance)
    history = begin(from_position("rokumon", given, seed))
    if kind < 5:
        return history, Course(ENGINE.position(history.state))
    course = Course(given)
    course.run_on()
    if course.waiting:
        course.dealt(ENGINE.position(history.state)["tiles"])
        course.taroma_while()
    assert codes_of(history.start.events) == course.events, given
    return history, course


LEVELS = ["easy", "medium", "hard"]
FLAGS = [True, False]


def scattered(chance: Chance) -> dict[str, Any]:
    """A table that is not decided, warriors and (from act 4 on) tiles anywhere, at times amid a Fight."""
    while True:
        given = anywhere(chance)
        if not Course(given).decided():
            return given


def anywhere(chance: Chance) -> dict[str, Any]:
    """A table as `scattered` wants it, or one that is decided."""
    act = chance.pick([1, 2, 3, 4, 4, 5, 6, "solo", "solo"])
    cells = sorted(FRESH["hexagon" if act == "solo" else "square" if act == 1 else "bricks"])
    if act in (4, 5, 6):
        cells = moved(cells, chance)
    pips = chance.shuffled(range(1, 8))
    hands = {letter: chance.shuffled(army) for letter, army in ARMY.items()}
    stacks: list[list[str]] = [[] for _ in cells]
    for letter, hand in hands.items():
        for _ in range(chance.below(len(hand) + 1)):
            pile = chance.pick([pile for pile in stacks if len(pile) < 2])
            pile.append(hand.pop() + "!" * (act in (3, 4, 5) and not chance.below(4)))
        hands[letter] = sorted(hand)
    stacks = [chance.shuffled(pile) for pile in stacks]
    tiles: list[dict[str, Any]] = [
        {"at": at, "pips": count, "down": act in (5, 6) and count == 1, "stack": pile}
        for at, count, pile in zip(cells, pips, stacks, strict=False)
    ]
    if act in (5, 6):
        tiles[0 if all(t["pips"] != 1 for t in tiles) else 1]["down"] |= not any(t["down"] for t in tiles)
    out = len(set(cells) - FRESH["bricks"]) if act in (4, 5, 6) else 0  # Surprises that there were
    mixed = [t["at"] for t in tiles if len(t["stack"]) == 2 and t["stack"][0][0] != t["stack"][1][0]]
    fight = mixed and act in (3, 4, 5, 6) and not chance.below(3)
    return {
        "act": act,
        "solo": chance.pick(LEVELS) if act == "solo" else None,
        "tiles": tiles,
        "supply": {CLAN[letter]: hand for letter, hand in hands.items()},
        "revenge": {clan: {"up": chance.below(3), "down": chance.below(2)} for clan in CLAN_LETTER}
        if act != "solo"
        else {clan: {"up": 0, "down": 0} for clan in CLAN_LETTER},
        "surprised": {
            clan: act in (4, 5, 6) and (out > n or chance.pick(FLAGS)) for n, clan in enumerate(CLAN_LETTER)
        },
        "locked": chance.pick([None, None, cells[0]]) if act in (4, 5, 6) and not fight else None,
        "to_move": chance.pick(list(CLAN_LETTER)),
        "phase": "revenge" if fight else "act",
        "fight": {
            "at": chance.pick(mixed),
            "attacker": chance.pick(list(CLAN_LETTER)),
            "added": {clan: chance.below(3) for clan in CLAN_LETTER},
            "passes": chance.below(2),
        }
        if fight
        else None,
        "battles_won": chance.below(3) if act == "solo" else 0,
    }


def moved(cells: list[str], chance: Chance) -> list[str]:
    """Cells after up to two Surprises."""
    for _ in range(chance.below(3)):
        table = {"act": 4, "tiles": [tile(at, n) for n, at in enumerate(cells, 1)]}
        course = Course({**EMPTY, **table})
        away = chance.pick(cells)
        cells = [at for at in cells if at != away] + [chance.pick(sorted(course.holes(away)))]
    return cells


def tile(at: str, pips: int) -> dict[str, Any]:
    """An empty tile."""
    return {"at": at, "pips": pips, "down": False, "stack": []}


NOBODY = {"up": 0, "down": 0}
EMPTY: dict[str, Any] = {
    "solo": None,
    "supply": {"sanada": [], "tokugawa": []},
    "revenge": {"sanada": NOBODY, "tokugawa": NOBODY},
    "surprised": {"sanada": False, "tokugawa": False},
    "locked": None,
    "to_move": "sanada",
}


def fresh(chance: Chance) -> dict[str, Any]:
    """An act that nobody has begun, tokens as they may be."""
    tokens = {
        side: {"up": up, "down": chance.below(2)}
        for side in ("sanada", "tokugawa")
        for up in [chance.pick([0, 0, 1, 2, 3])]
    }
    if tokens["sanada"]["up"] + tokens["tokugawa"]["up"] > 5:
        tokens["sanada"]["up"] = 0
    return {"act": chance.pick([1, 2, 3, 3, 4, 4, 5, 6, 6]), "revenge": tokens}


def compare(history: History, course: Course) -> None:
    """The position, whose turn it is, every list of actions, the result, and what each viewer sees."""
    state: Any = history.state
    assert sorted(ENGINE.to_act(state)) == course.to_act()
    given, known = alike(ENGINE.position(state)), told(course)
    if not course.solo:
        del known["battles_won"]
    assert {key: given[key] for key in known} == known
    for seat in course.seats():
        texts = ENGINE.legal(state, seat).actions
        assert len(texts) == len(set(texts))
        assert set(texts) == (course.legal() if seat in course.to_act() else set())
    given = ENGINE.position(state)
    if sum(course.up.values()) + sum(course.used.values()) <= TOKENS:  # loading a position changes nothing
        again = ENGINE.from_position(json.loads(json.dumps(given)), Chance(b"", 0)).state
        assert ENGINE.position(again) == given
    result = ENGINE.result(state)
    assert (result is None) == (not course.over)
    if result:
        assert (list(result.winners), result.reason) == (course.winners, course.reason)
    for viewer in (None, *course.seats()):
        seen(ENGINE.view(state, viewer), course, viewer)


def told(course: Course) -> dict[str, Any]:
    """The reference's position in the spec's form."""
    known: dict[str, Any] = course.position()
    tiles = sorted(known["tiles"].items(), key=lambda tile: (int(tile[0][1:]), tile[0]))
    known["tiles"] = [
        {"at": at, "pips": pips, "down": down, "stack": pile} for at, (pips, down, pile) in tiles
    ]
    return known


def alike(position: dict[str, Any]) -> dict[str, Any]:
    """An exported position as the reference tells it: sides alone, or without marks in act 6."""
    cut = {1: 1, 2: 1, "solo": 1, 6: 9}.get(position["act"])
    if cut is None:
        return position
    tiles = [{**t, "stack": [w.rstrip("!")[:cut] for w in t["stack"]]} for t in position["tiles"]]
    supply = {c: len(held) if cut == 1 else held for c, held in position["supply"].items()}
    return {**position, "tiles": tiles, "supply": supply}


def seen(view: Any, course: Course, viewer: int | None) -> None:
    """A view holds the values that the viewer may know and no other."""
    side = None if viewer is None else course.seats()[viewer]
    for tile in view.tiles:
        have = [(CLAN_LETTER[w.clan], w.value, w.known) for w in tile.stack]
        assert have == course.table(side)[tile.at]
        assert (tile.pips, tile.down, tile.color) == (*course.coins[tile.at], course.colour(tile.at))
    for letter, clan in CLAN.items():
        held = view.supply.of("st".index(letter))
        shown = course.act not in PLAIN and (course.act == 6 or side == letter)
        assert held.count == len(course.hands[letter])
        assert held.values == (tuple(t[1:] for t in course.hands[letter]) if shown else None), clan
    assert view.takeback == (side is not None and course.may_take_back(side))
    assert view.bound == (CLAN[course.bound()] if course.bound() else None)
    assert bool(view.legal) == (viewer in course.to_act() and not course.fight)


def codes_of(events: tuple[Event, ...]) -> list[str]:
    """Events in the reference's words."""
    found = []
    for event in events:
        if event.code.startswith("taroma-") and event.params["step"] in STEPS:
            found.append(f"step {1 + STEPS.index(event.params['step'])}")
        found.append(NAMES.get(event.code, event.code))
    return found


def pick(history: History, course: Course, chance: Chance, gone: list[str]) -> tuple[int, str]:
    """A seat and an action: often a move back, a Fight or a take-back, seldom giving up."""
    seats = list(course.seats())
    odd = chance.below(40)
    if course.before and course.may_take_back(course.before[0]) and not chance.below(5):
        return "st".index(course.before[0]), "takeback"
    if odd < 5:
        return chance.pick(seats), "takeback" if odd else chance.pick(["surrender", "resign", "revenge 1"])
    seat = course.to_act()[0]
    texts = sorted(course.legal())
    back = [" ".join(["move", *text.split()[:0:-1]]) for text in gone if text.startswith("move")]
    if course.solo and chance.below(3):
        won = [t for t in texts if course.outcome(course.turn, course.read(course.turn, t.split()))[1]]
        back = won or back
    for wanted in ([t for t in texts if t in back], [t for t in texts if t.startswith("fight")]):
        if wanted and chance.below(5) < 3:
            return seat, chance.pick(wanted)
    return seat, chance.pick(texts)


def spoken(text: str, history: History, seat: int, chance: Chance) -> str:
    """The action as it may be typed: in capitals, with blanks, places and values in any order, as JSON."""
    verb, *rest = text.split()
    if verb in ("deploy", "fight"):
        rest = chance.shuffled(rest)
    blank = chance.pick([" ", "  ", "\t", "\u00a0"])
    typed = blank.join([verb, *rest])
    state: Any = history.state
    data = ENGINE.parse(text, state, seat).model_dump(mode="json", by_alias=True)
    short = {key: value for key, value in data.items() if value is not None}
    return chance.pick([typed, typed.upper(), text, json.dumps(short), json.dumps(data)])


def play(seed: int, plies: int = 60) -> Counter[str]:
    """Plays a game twice and compares at each ply; the codes met."""
    chance = Chance(b"course" + seed.to_bytes(4, "big"), 0)
    history, course = start(chance)
    met: Counter[str] = Counter()
    gone: list[str] = []
    for _ in range(plies):
        compare(history, course)
        if course.over:
            break
        seat, text = pick(history, course, chance, gone[-2:])
        try:
            course.do(seat, text)
        except RefusedError:
            with pytest.raises(RulesError):
                append(history, seat, text)
            met["refused"] += 1
            continue
        history = append(history, seat, spoken(text, history, seat, chance))
        gone.append(text)
        if course.waiting:
            course.dealt(ENGINE.position(history.state)["tiles"])
            course.taroma_while()
        assert codes_of(history.plies[-1].events) == course.events, (seed, text)
        met.update(course.events)
    return met


def test_games_go_as_the_rules_written_twice_say():
    assert {"fought", "dealt", "refused", "taken-back"} <= set(met_in(play, range(COUNT or 3)))


@pytest.mark.long
def test_many_games_go_as_the_rules_written_twice_say():
    met = met_in(play, range(1000, 1000 + (COUNT or 150)))
    assert {
        "taken-back-act",
        "tanomo",
        "act-void",
        "fought-tie",
        "act-again",
        "battle-won",
        "surprised",
    } <= set(met)
