"""Counts what a thumb has to press: `python -m bench.presses`, presses by game and phase.

Whole games are played down the panels that people press, without Discord: each question is answered by a
choice at random, what may be left out is left out. A press is a button, a select, a page of one or a
confirmation; a panel that is open goes on by itself, so opening it is not counted. What leaves no choice
costs nothing. Shogun's plan is not walked but worked out: a press a card on its order sheet, and one to send.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import mean
from typing import Any, NamedTuple

from cogs.panels.guided import PAGE
from engines.capabilities import Drafts
from engines.chance import Chance
from engines.protocol import AnyEngine, Prompt, Ready, RulesError, Seat, State, only_pick
from engines.registry import GAMES, engine
from engines.shogun.planning import cards_due

GAMES_EACH = 6
MOST_ACTIONS = 900
BATTLE = {"deploy", "challenge", "answer", "lose", "retreat", "castle"}
ENDS_MOVEMENT = 0.25  # of the times that a movement phase asks, if it may go on


class Turn(NamedTuple):
    """An action by the panel: whose, in which phase, what it came to, and how many presses it cost."""

    seat: Seat
    phase: str
    action: str
    presses: int


def cost(step: Prompt | Ready, picked: Sequence[int]) -> int:
    """Presses for one step: a confirmation with its second asking, a choice, or the pages of a select."""
    if isinstance(step, Ready):
        return 0 if step.sure else 1 + (step.warning is not None and not step.once)
    if only_pick(step) is not None:
        return 0
    if step.most > 1 and len(step.choices) > PAGE:
        pages = {index // PAGE for index in picked}
        return len(pages) + max(pages, default=0) + 1  # a pick a page, the ways to them, "done"
    first = min(picked, default=0)
    return 1 + first // PAGE


def choose(step: Prompt, dice: random.Random) -> list[int]:
    """What is picked: nothing where nothing has to be, all of a group half of the time, else at random."""
    indexes = [index for index, choice in enumerate(step.choices) if not choice.aside or choice.key == "done"]
    if step.least == 0 and step.most > 0 and step.code != "redraw":
        return []
    if step.code == "movement":
        indexes = list(range(len(step.choices)))
        ends = [index for index in indexes if step.choices[index].key == "end"]
        others = [index for index in indexes if index not in ends]
        return [dice.choice(ends if ends and (not others or dice.random() < ENDS_MOVEMENT) else others)]
    most = min(step.most, len(indexes))
    if most > step.least and dice.random() < 0.5:
        return indexes[:most]
    return sorted(dice.sample(indexes, dice.randint(max(step.least, min(1, most)), most)))


def down(rules: AnyEngine, state: State, seat: Seat, dice: random.Random) -> tuple[str, int]:
    """An action by a seat's panel, and its presses."""
    path: tuple[str, ...] = ()
    presses = 0
    while True:
        step = rules.choices(state, seat, path)
        if isinstance(step, Ready):
            return step.action, presses + cost(step, ())
        picked = choose(step, dice) if only_pick(step) is None else list(range(len(step.choices)))
        presses += cost(step, picked)
        path += ("+".join(step.choices[index].key for index in picked) or "-",)


def planned(rules: Any, state: Any, seat: Seat, chance: Chance) -> tuple[str, int]:
    """A plan on Shogun's order sheet: a press a card, and sending it."""
    action = rules.format(rules.random_action(state, seat, chance))
    own = sum(province.owner == seat for province in rules.view(state, seat).provinces.values())
    return action, cards_due(own) + 1


def game(name: str, seed: int) -> Iterator[Turn]:
    """One game, action by action."""
    rules, dice = engine(name), random.Random(seed)
    options = rules.read_options({"match": "standard"} if name == "kamisado" else {})
    seats = max(2, min(rules.seat_counts(options)))
    root = seed.to_bytes(32, "big")
    state, _ = rules.setup(options, seats, Chance(root, 0))
    for entry in range(1, MOST_ACTIONS):
        acting = sorted(rules.to_act(state))
        if not acting:
            return
        seat, chance = acting[0], Chance(root, entry)
        phase = str(rules.position(state).get("phase", "turn"))
        if isinstance(rules, Drafts) and phase == "plan":
            action, presses = planned(rules, state, seat, chance)
        else:
            action, presses = down(rules, state, seat, dice)
        yield Turn(seat, phase, action, presses)
        try:
            state, _ = rules.apply(state, seat, rules.parse(action, state, seat), chance)
        except RulesError as error:  # the panel offered what the rules refuse
            raise SystemExit(f"{name}, seed {seed}: {action}: {error}") from error


def turns_of(found: Sequence[Turn]) -> Iterator[tuple[str, int]]:
    """What is told of a game: presses by phase, and of what several actions make together."""
    for turn in found:
        word = turn.action.split()[0]
        yield f"{turn.phase}: {word}" if turn.phase == "march" else turn.phase, turn.presses
    yield from runs(
        found, {"deploy", "challenge", "answer", "lose", "retreat", "castle"}, "a battle, each side"
    )
    yield from runs(found, {"move", "march"}, "a movement phase")


def runs(found: Sequence[Turn], phases: set[str], name: str) -> Iterator[tuple[str, int]]:
    """Presses of each side in rows of actions of these phases."""
    spent: dict[Seat, int] = defaultdict(int)
    for turn in (*found, Turn(-1, "", "", 0)):
        if turn.phase in phases:
            spent[turn.seat] += turn.presses
        elif spent:
            yield from ((name, presses) for presses in spent.values())
            spent.clear()


def weeks(found: Sequence[Turn], state: str = "bid") -> Iterator[int]:
    """Presses of each side from bid to bid."""
    spent: dict[Seat, int] = defaultdict(int)
    bids: set[Seat] = set()
    for turn in found:
        if turn.phase == state and turn.seat in bids:
            yield from spent.values()
            spent.clear()
            bids.clear()
        if turn.phase == state:
            bids.add(turn.seat)
        spent[turn.seat] += turn.presses


def counted(name: str, games: int) -> list[tuple[str, str, str, str]]:
    """Rows of the table: game, what, presses on average, times."""
    found: dict[str, list[int]] = defaultdict(list)
    for seed in range(games):
        turns = list(game(name, seed))
        for what, presses in turns_of(turns):
            found[what].append(presses)
        if name == "sekigahara":
            found["a week, each side"] += weeks(turns)
        found["an action"] += [turn.presses for turn in turns]
    return [(name, what, f"{mean(spent):.1f}", str(len(spent))) for what, spent in sorted(found.items())]


def main() -> None:
    """Prints a line for each: game, what, presses on average, how often."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES_EACH)
    parser.add_argument("--only", choices=sorted(GAMES))
    given = parser.parse_args()
    rows = [
        row for name in ([given.only] if given.only else sorted(GAMES)) for row in counted(name, given.games)
    ]
    for row in rows:
        sys.stdout.write("\t".join(row) + "\n")


if __name__ == "__main__":
    main()
