"""What a game still lacks: `python -m engines check GAME`, and the conformance tests of every game.

It is run from a checkout: it reads the sources, the catalogues and the tests, and plays a few random games.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from engines.capabilities import Foresight, Secrets, Statistics, random_action
from engines.chance import Chance
from engines.opponents import opponent
from engines.protocol import Json, Ready, RulesError, State
from engines.registry import GAMES, engine, meta
from locales import words
from render import painter

ROOT = Path(__file__).parents[1]
PARTS = ("board", "hand", "caption", "describe")
OPTIONAL = (
    "ended",
    "finale",
    "focus",
    "standing",
    "standing_words",
    "changes",
    "own_ground",
    "AREAS",
    "PLACES",
    "LAYERS",
    "ACCENT",
    "ALIKE",
    "EMOJI",
    "turn",
)
GAMES_PLAYED, PLIES, DEEP, FORESEEN = 3, 60, 12, 2
ERROR = re.compile(r'RulesError\(\s*"([a-z-]+)"')
SEEN = re.compile(r'Seen\(\s*(?:code=)?"([a-z-]+)"')
EVENT = re.compile(r'Event\(\s*code="([a-z-]+)"')
Met = tuple[State, tuple[Any, ...]]  # a position, and the events that led to it
FRAME = frozenset({"bad-position", "bad-options", "bad-seats", "bad-state"})  # no player ever sees them


class Lack(NamedTuple):
    """One thing that is missing: a code, what it is about, and what to do."""

    code: str
    what: str
    do: str


def lacks(game: str) -> list[Lack]:
    """Everything that the game lacks, in the order in which one would mend it."""
    if game not in GAMES:
        return [Lack("not-registered", game, "add its line to engines/registry.py")]
    try:
        engine(game)
    except Exception as error:  # noqa: BLE001 - whatever stops the start is what this is asked for
        return [Lack("does-not-import", f"{type(error).__name__}: {error}", f"mend engines/{game}")]
    found = [*of_files(game), *of_painter(game)]
    try:
        met = list(played(game))
    except Exception as error:  # noqa: BLE001 - as above
        return [
            *found,
            Lack("does-not-play", f"{type(error).__name__}: {error}", "see `python -m engines random`"),
        ]
    return [*found, *of_rules(game), *of_words(game, met), *of_opponent(game), *of_secrets(game)]


def optional(game: str) -> list[str]:
    """Parts that a painter may have and this one has not."""
    drawn = painter(game)
    return [part for part in OPTIONAL if not hasattr(drawn, part)]


def of_files(game: str) -> Iterator[Lack]:
    """Rules, catalogue and sample."""
    if not (ROOT / meta(game).rules).exists():
        yield Lack("no-rules", meta(game).rules, "write the rules down, numbered; the code cites them")
    if not (ROOT / f"locales/en/LC_MESSAGES/{game}.po").exists():
        yield Lack("no-catalogue", f"locales/en/LC_MESSAGES/{game}.po", "write it, then `make messages`")
    if game not in import_module("tests.games").SAMPLES:
        yield Lack("no-sample", "tests/games.py", "add the game's line")


def of_painter(game: str) -> Iterator[Lack]:
    """The parts that every painter has."""
    try:
        drawn = painter(game)
    except Exception as error:  # noqa: BLE001 - as above
        yield Lack("no-painter", f"{type(error).__name__}: {error}", f"mend render/{game}/painter.py")
        return
    for part in PARTS:
        if not hasattr(drawn, part):
            yield Lack("no-painter-part", part, f"export it from render/{game}/painter.py")


def of_rules(game: str) -> Iterator[Lack]:
    """Whether a game can be resigned."""
    rules = engine(game)
    state = start(game, 0)
    for seat in range(len(rules.roles(state))):
        try:
            step = rules.apply(state, seat, rules.parse("resign", state, seat), Chance(b"check", 1))
        except RulesError as error:
            yield Lack(
                "no-resign", f"seat {seat}: {error.code}", "`resign` is possible at any time, out of turn too"
            )
            continue
        if rules.result(step.state) is None and seat not in rules.retired(step.state):
            yield Lack("no-resign", f"seat {seat} still plays", "name it in `retired`, or end the game")


def of_words(game: str, met: Sequence[Met]) -> Iterator[Lack]:
    """Messages that the game needs and the catalogue has not."""
    english = words("en")
    for key in sorted(keys(game, met)):
        if not english.has(key) and not english.has(key.removeprefix(f"{game}.")):
            yield Lack("no-message", key, f"add it to locales/en/LC_MESSAGES/{game}.po")


def of_opponent(game: str) -> Iterator[Lack]:
    """An opponent is no duty; one that is there plays at every level."""
    try:
        brain = opponent(game)
    except RulesError:
        return
    rules, state = engine(game), start(game, 0)
    seat = min(rules.to_act(state))
    for level in brain.LEVELS:
        text = brain.choose(rules.view(state, seat), level, Chance(b"check", 1))
        try:
            rules.apply(state, seat, rules.parse(text, state, seat), Chance(b"check", 1))
        except RulesError as error:
            yield Lack("opponent-errs", f"{level}: {text}: {error.code}", f"mend engines/{game}/opponent.py")


def of_secrets(game: str) -> Iterator[Lack]:
    """A game with secrets says how they may be mixed up, so that the tests can prove that nothing leaks."""
    if isinstance(engine(game), Secrets) and find_spec(f"tests.engines.{game}.otherwise") is None:
        yield Lack(
            "no-otherwise", f"tests/engines/{game}/otherwise.py", "write `otherwise(state, viewer, chance)`"
        )


def keys(game: str, met: Sequence[Met]) -> set[str]:
    """Ids of the messages that this game can need: as its sources name them and random games met them."""
    rules, found = engine(game), {f"{game}.title", f"{game}.rules.1"}
    source = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / package(game)).rglob("*.py")))
    found |= {f"{game}.error.{code}" for code in {*ERROR.findall(source)} - FRAME}
    found |= {f"{game}.event.{code}" for code in EVENT.findall(source)}
    ahead = ROOT / package(game) / "foresight.py"
    if ahead.exists():
        found |= {f"{game}.foresight.{code}" for code in SEEN.findall(ahead.read_text("utf-8"))}
    for state, events in met:
        found |= {f"{game}.term.{role}" for role in rules.roles(state)}
        found |= {f"{game}.event.{event.code}" for event in events}
        for seat in rules.to_act(state):
            found |= of_panel(game, state, seat) | of_foresight(game, state, seat)
    return found


def package(game: str) -> str:
    """The folder of a game's rules."""
    return GAMES[game].partition(":")[0].replace(".", "/")


def of_panel(game: str, state: State, seat: int) -> set[str]:
    """Messages of a seat's panel: its first level, and one way to the end."""
    rules, found, path = engine(game), set[str](), list[str]()
    for _ in range(DEEP):
        level = rules.choices(state, seat, path)
        if isinstance(level, Ready):
            return found | ({f"{game}.warning.{level.warning}"} if level.warning else set())
        found.add(f"{game}.prompt.{level.code}")
        found |= {f"{game}.choice.{choice.code}" for choice in level.choices}
        found |= {f"{game}.note.{note.code}" for note in level.notes}
        picks = [choice.key for choice in level.choices][: max(level.least, 1)]
        path.append("+".join(picks) if picks else "-")
    return found


def of_foresight(game: str, state: State, seat: int) -> set[str]:
    """Messages of what a game foresees of some actions of a seat."""
    rules = engine(game)
    if not isinstance(rules, Foresight):
        return set()
    found, view = set[str](), rules.view(state, seat)
    for number in range(FORESEEN):
        action = random_action(rules, state, seat, Chance(b"foresee", number))
        ahead = rules.foresee(view, rules.format(action), odds=True)
        found |= {f"{game}.foresight.{seen.code}" for seen in ahead}
    return found


def start(game: str, number: int) -> State:
    """The first position of the number-th game that is played here: its options and seats in turn."""
    rules = engine(game)
    sample = import_module("tests.games").SAMPLES.get(game)
    ways: list[dict[str, Json]] = [{}] if sample is None else [sample.options, {}, *sample.more]
    options = rules.read_options(ways[number % len(ways)])
    counts = rules.seat_counts(options)
    return rules.setup(options, counts[number % len(counts)], Chance(b"check", 0)).state


def played(game: str) -> Iterator[Met]:
    """Positions of random games, with the events that led to each."""
    rules = engine(game)
    for number in range(GAMES_PLAYED):
        state = start(game, number)
        yield state, ()
        for ply in range(1, PLIES):
            acting = rules.to_act(state)
            if not acting:
                break
            seat = min(acting)
            chance = Chance(f"check{number}".encode(), ply)
            state, events = rules.apply(state, seat, random_action(rules, state, seat, chance), chance)
            yield state, events


def report(game: str) -> Json:
    """The answer of the command: `{"ok":true}`, or what is missing; parts that may be added are named."""
    found = lacks(game)
    told: dict[str, Json] = {"ok": not found, "missing": [lack._asdict() for lack in found]}
    if not found:
        told |= {"optional": optional(game), "statistics": isinstance(engine(game), Statistics)}
    return told


__all__ = ["Lack", "lacks", "report"]
