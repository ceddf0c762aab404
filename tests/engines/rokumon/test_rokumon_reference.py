"""The engine against the rules written a second time, on positions of random games."""

import pytest

from engines.chance import Chance
from tests.engines.rokumon.rokumon_reference import Reference
from tests.engines.rokumon.rokumon_tables import COUNT, ENGINE, Table, outcome

TOKENS = {"sanada": {"up": 0, "down": 1}, "tokugawa": {"up": 0, "down": 0}}


def stacks(position):
    """Warriors by cell, known marks too."""
    return {tile["at"]: tile["stack"] for tile in position["tiles"]}


def expected(after):
    """The reference's warriors by cell, as an export names them."""
    marked = {}
    for cell, tile in after.tiles.items():
        marks = after.known[cell] if after.act in (3, 4, 5) else [False] * len(tile["stack"])
        marked[cell] = [
            f"{token}!" if mark else token for token, mark in zip(tile["stack"], marks, strict=True)
        ]
    return marked


def unmarked(position):
    return {cell: [token.rstrip("!") for token in stack] for cell, stack in stacks(position).items()}


def compare(state):
    """Every action of a position: the list, what follows, who wins, and the announcement."""
    state = state.model_copy(update={"history": (), "before": None})
    position = ENGINE.position(state)
    told, seat = Reference(position), min(ENGINE.to_act(state))
    actions = {told.text(action): action for action in told.legal()}
    assert set(ENGINE.legal(state, seat).actions) == set(actions)
    for text, action in actions.items():
        after, winner = told.does(action)
        step = ENGINE.apply(state, seat, ENGINE.parse(text, state, seat), Chance(b"", 0))
        codes = [event.code for event in step.events]
        if winner:
            won = next(event for event in step.events if event.code == "act-won")
            assert won.params["winner"] == "st".index(winner), text
            continue
        assert "act-won" not in codes, text
        exported = ENGINE.position(step.state)
        if told.act in (3, 4, 5):
            assert stacks(exported) == expected(after), text
        else:
            assert unmarked(exported) == {cell: tile["stack"] for cell, tile in after.tiles.items()}, text
        assert exported["locked"] == after.p["locked"]
        for letter, clan in (("s", "sanada"), ("t", "tokugawa")):
            assert sorted(exported["supply"][clan]) == sorted(after.supply[letter]), text
        bound = {"s": 1, "t": 0}  # revenge tokens: Tokugawa has fewer
        announced = told.me == "t" and bound["t"] < bound["s"] and after.threatens("t")
        assert ("tanomo" in codes) == announced, (position, text)


def random_state(act, number, plies):
    table = Table(seed=number.to_bytes(4, "big"), act=act)
    table.state = table.state.model_copy(update={"story": True})
    return table.at_random(plies, until=lambda state: state.act != act).state


def check_acts(act, count):
    compared = 0
    for number in range(count * 3):
        plies = 4 + number % 15
        state = random_state(act, number, plies)
        if state.act != act or state.phase != "act":
            continue
        revenge = type(state.revenge).model_validate(TOKENS)
        compare(state.model_copy(update={"revenge": revenge}))
        compared += 1
        if compared == count:
            return
    assert compared, "no position was reached"


@pytest.mark.parametrize("act", range(1, 7))
def test_the_engine_agrees_with_the_rules_written_twice(act):
    check_acts(act, 3 if act < 4 else 1)


@pytest.mark.long
@pytest.mark.parametrize("act", range(1, 7))
def test_the_engine_agrees_with_the_rules_written_twice_on_many_positions(act):
    check_acts(act, COUNT or 10)


def check_taroma(count):
    """Taroma's answers in random solo games; the steps it took."""
    taken = set()
    for number in range(count):
        table = Table(seed=number.to_bytes(4, "big"), solo=("easy", "medium", "hard")[number % 3])
        for _ in range(40):
            state, seat = table.state, 0
            if ENGINE.result(state):
                break
            text = Chance(b"human" + number.to_bytes(4, "big"), table.entry).pick(
                ENGINE.legal(state, seat).actions
            )
            told = Reference(ENGINE.position(state))
            action = next(a for a in told.legal() if told.text(a) == text)
            after, winner = told.does(action)
            table.play(0, text)
            if winner or {"battle-void", "battle-dealt"} & set(table.codes):
                continue
            step, play = after.taroma()
            answer = next(event for event in table.events if event.code.startswith("taroma-"))
            assert answer.params["step"] == step, (ENGINE.position(state), text)
            taken.add(step)
            if play is not None:
                assert (answer.params.get("from"), answer.params["to"]) == (play[1], play[2])
    return taken


def anywhere(number):
    """A solo position with warriors anywhere, Taroma to act; None where the battle is decided already."""
    draw = Chance(b"anywhere" + number.to_bytes(4, "big"), 0)
    level, clan, left_out = draw.pick(LEVELS)
    stacks: dict[str, list[str]] = {cell: [] for cell in HEXAGON}
    supply = {"sanada": ["s2", "s2", "s4", "s6"], "tokugawa": ["t1", "t1*", "t3", "t3", "t5"][left_out:]}
    for held in supply.values():
        for _ in range(draw.pick(range(len(held) + 1))):
            cell = draw.pick([cell for cell, stack in stacks.items() if len(stack) < 2])
            stacks[cell].append(held.pop())
    pips = draw.shuffled(range(1, 8))
    tiles = [
        {"at": cell, "pips": count, "down": False, "stack": draw.shuffled(stacks[cell])}
        for cell, count in zip(HEXAGON, pips, strict=True)
    ]
    position = {"act": "solo", "solo": level, "tiles": tiles, "supply": supply, "to_move": clan}
    told = Reference(position)
    decided = told.rows("s") or told.rows("t") or not told.legal()
    return None if decided else position


HEXAGON = ("d3", "f3", "c4", "e4", "g4", "d5", "f5")
LEVELS = (("easy", "sanada", 0), ("medium", "tokugawa", 0), ("hard", "sanada", 1))


def check_anywhere(numbers):
    """Taroma's first answer from positions that no game need lead to; the steps it took."""
    taken = set()
    for position in filter(None, map(anywhere, numbers)):
        step, play = Reference(position).taroma()
        events = ENGINE.from_position(position, Chance(b"", 0)).events
        answer = next(event for event in events if event.code.startswith("taroma-"))
        assert answer.params["step"] == step, position
        if play is not None:
            assert (answer.params.get("from"), answer.params["to"]) == (play[1], play[2]), position
        taken.add(step)
    return taken


STEPS = {"CONQUER", "COVER", "BLOCK", "MATCH", "BOLSTER", "MANEUVER", "DEPLOY", "MOVE", "RETREAT"}


def test_taroma_acts_as_the_rules_written_twice_say():
    assert {"COVER", "MATCH"} <= check_taroma(2)
    assert len(check_anywhere(range(20))) >= 5


def test_taroma_gives_up_where_every_action_loses_at_once():
    stacks = {"c4": ["s2"], "e4": ["s2"], "g4": ["s4", "t5"]}
    tiles = [
        {"at": cell, "pips": n, "stack": stacks.get(cell, [])} for n, cell in enumerate(HEXAGON, start=1)
    ]
    supply = {"sanada": ["s6"], "tokugawa": []}
    position = {"act": "solo", "solo": "medium", "tiles": tiles, "supply": supply, "to_move": "tokugawa"}
    step = ENGINE.from_position({**position, "battles_won": 2}, Chance(b"", 0))
    assert [event.code for event in step.events] == ["taroma-surrender", "battle-won", "game-over"]
    assert outcome(step.state).winners == (0,)


@pytest.mark.long
def test_taroma_acts_as_the_rules_written_twice_say_in_many_games():
    assert len(check_taroma(COUNT or 40)) >= 5
    assert len(check_anywhere(range(max(COUNT, 400))) & STEPS) >= 8
