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
from engines.capabilities import Drafts, Orders
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


def choose(step: Prompt, dice: random.Random, *, going_on: bool = False) -> list[int]:
    """What is picked: nothing where nothing has to be, half of the time all of a group, else any.

    `going_on`: who did not end the movement at the last confirmation does not end it at the next question.
    """
    ending = not going_on and dice.random() < ENDS_MOVEMENT
    keys = [choice.key for choice in step.choices]
    indexes = [index for index, choice in enumerate(step.choices) if not choice.aside]
    if step.code == "movement":
        ends = [index for index, key in enumerate(keys) if key == "end"]
        others = [index for index in range(len(keys)) if index not in ends]
        return [dice.choice(ends if ends and (not others or ending) else others)]
    if step.code == "redraw" and ending:
        return [keys.index("end")]
    if step.code == "mode":
        mode = dice.choice(sorted({key.partition("_")[0] for key in keys}))
        return [dice.choice([index for index, key in enumerate(keys) if key.partition("_")[0] == mode])]
    if step.code == "deploy":
        return deployments(step, indexes, dice)
    if step.least == 0 and step.most > 0:
        return []
    most = min(step.most, len(indexes))
    if most > step.least and dice.random() < 0.5:
        return indexes[:most]
    return sorted(dice.sample(indexes, dice.randint(max(step.least, min(1, most)), most)))


def deployments(step: Prompt, indexes: list[int], dice: random.Random) -> list[int]:
    """One after the other, or no more, each as likely as any block that is left."""
    blocks = {str(step.choices[index].params.get("blocks", index)) for index in indexes}
    picked = list[int]()
    while len(picked) < min(step.most, len(indexes)) and dice.randrange(len(blocks) + 1 - len(picked)):
        picked.append(dice.choice([index for index in indexes if index not in picked]))
        if len(blocks) <= len(picked):
            break
    done = next(index for index, choice in enumerate(step.choices) if choice.key == "done")
    return sorted(picked) or [done]


class Walked(NamedTuple):
    """Where a walk down the panel led: the action, its presses, and what may be done in the same press."""

    action: str
    presses: int
    then: str | None


def down(
    rules: AnyEngine, state: State, seat: Seat, dice: random.Random, *, going_on: bool = False
) -> Walked:
    """An action by a seat's panel. No picks that exclude each other: the list says what they use."""
    path: tuple[str, ...] = ()
    presses = 0
    while True:
        step = rules.choices(state, seat, path)
        if isinstance(step, Ready):
            return Walked(step.action, presses + cost(step, ()), step.then.action if step.then else None)
        picked = (
            choose(step, dice, going_on=going_on)
            if only_pick(step) is None
            else list(range(len(step.choices)))
        )
        word = "+".join(step.choices[index].key for index in picked) or "-"
        if step.code == "deploy" and len(picked) > 1:
            told = rules.choices(state, seat, (*path, word))
            if isinstance(told, Prompt):
                continue
        presses += cost(step, picked)
        path += (word,)


def planned(rules: Any, state: Any, seat: Seat, chance: Chance) -> tuple[str, int]:
    """A plan on Shogun's order sheet: a press a card, and sending it."""
    action = rules.format(rules.random_action(state, seat, chance))
    own = sum(province.owner == seat for province in rules.view(state, seat).provinces.values())
    return action, cards_due(own) + 1


class Table:
    """A game that is played through its panels."""

    def __init__(self, name: str, seed: int) -> None:
        self.rules, self.dice = engine(name), random.Random(seed)
        options = self.rules.read_options({"match": "standard"} if name == "kamisado" else {})
        seats = max(2, min(self.rules.seat_counts(options)))
        self.root, self.entry = seed.to_bytes(32, "big"), 0
        self.where = f"{name}, seed {seed}"
        self.state: Any = self.rules.setup(options, seats, Chance(self.root, 0)).state
        self.orders: dict[Seat, tuple[str, str]] = {}

    def phase(self) -> str:
        """What is played now."""
        return str(self.rules.position(self.state).get("phase", "turn"))

    def do(self, seat: Seat, action: str) -> None:
        """An action, or orders, and those that are due then."""
        rules: Any = self.rules
        if isinstance(rules, Orders) and (edit := rules.edit(self.state, seat, "", action)) is not None:
            begun = rules.begun(self.state, seat)
            self.orders[seat] = (begun.round if begun else "", edit.draft)
        else:
            self.entry += 1
            try:
                chance = Chance(self.root, self.entry)
                self.state, _ = rules.apply(self.state, seat, rules.parse(action, self.state, seat), chance)
            except RulesError as error:  # the panel offered what the rules refuse
                raise SystemExit(f"{self.where}: {action}: {error}") from error
        for other, (occasion, draft) in list(self.orders.items()):
            begun = rules.begun(self.state, other)
            due = rules.due(self.state, other, draft) if begun and begun.round == occasion else None
            if due is not None:
                self.orders[other] = (occasion, due.draft)
                if due.send is not None:
                    self.do(other, due.send)

    def follows(self, seat: Seat, then: str) -> bool:
        """Whether a player asks for what may follow at once: always where nothing else is left to do."""
        if seat not in self.rules.to_act(self.state) or then != "end":
            return self.dice.random() < ENDS_MOVEMENT
        step = self.rules.choices(self.state, seat)
        left = isinstance(step, Ready) or [choice.key for choice in step.choices] != ["end"]
        return not left or self.dice.random() < ENDS_MOVEMENT


def game(name: str, seed: int) -> Iterator[Turn]:
    """One game, action by action."""
    table = Table(name, seed)
    rules, going_on = table.rules, False
    for _ in range(MOST_ACTIONS):
        acting = sorted(rules.to_act(table.state))
        if not acting:
            return
        seat, phase = acting[0], table.phase()
        if isinstance(rules, Drafts) and phase == "plan":
            action, presses = planned(rules, table.state, seat, Chance(table.root, table.entry + 1))
            walked = Walked(action, presses, None)
        else:
            walked = down(rules, table.state, seat, table.dice, going_on=going_on)
        yield Turn(seat, phase, walked.action, walked.presses)
        table.do(seat, walked.action)
        going_on = walked.then == "end"
        if walked.then is not None and table.follows(seat, walked.then):
            going_on = False
            yield Turn(seat, table.phase(), walked.then, 0)
            table.do(seat, walked.then)


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
