"""What a game still lacks: `python -m engines check GAME`, and the conformance tests of every game.

It is run from a checkout: it reads the sources, the catalogues and the tests, and plays a few random games.
Where nothing is missing, the command runs the tests of every game for this one, and names those that fail.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

import pytest

from engines.capabilities import Foresight, Secrets, Statistics, random_action
from engines.chance import Chance
from engines.opponents import opponent
from engines.protocol import Json, Options, Ready, RulesError, State
from engines.registry import GAMES, engine, meta
from locales import FALLBACK, LANGUAGES, Typed, Words, catalogue, words
from render import Scene, painter
from render.lessons import NAMES

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
PROMISES = (  # tests of every game
    "tests/conformance/test_engines.py",
    "tests/conformance/test_pictures.py",
    "tests/conformance/test_parts_of_pictures.py",
    "tests/engines/test_registry.py",
    "tests/render/test_moments_drawn.py",
    "tests/render/test_names.py",
)
GAMES_PLAYED, PLIES, DEEP, FORESEEN = 3, 60, 12, 2
ASKED, DRAWN = 7, 40  # a position of so many is asked about resigning, and drawn
ERROR = re.compile(r'RulesError\(\s*"([a-z-]+)"')
SEEN = re.compile(r'Seen\(\s*(?:code=)?"([a-z-]+)"')
EVENT = re.compile(r'Event\(\s*code="([a-z-]+)"')
Met = tuple[State, tuple[Any, ...]]  # a position, and the events that led to it
MEND = {"no-message": "add it to", "no-parameter": "it is not given: mend"}
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
    found, met = [*of_files(game), *of_painter(game)], list[Met]()
    for part in (of_play, of_roles, of_rules, of_words, of_pictures, of_opponent, of_secrets):
        try:
            found += part(game, met)
        except Exception as error:  # noqa: BLE001 - as above
            found.append(Lack("does-not-play", f"{type(error).__name__}: {error}", f"mend engines/{game}"))
            if not met:
                break
    return list(dict.fromkeys(found))


def optional(game: str) -> list[str]:
    """Parts that a painter may have and this one has not."""
    drawn = painter(game)
    return [part for part in OPTIONAL if not hasattr(drawn, part)]


def of_files(game: str) -> Iterator[Lack]:
    """Rules, catalogue and sample."""
    if not (ROOT / meta(game).rules).exists():
        yield Lack("no-rules", meta(game).rules, "write the rules down, numbered; the code cites them")
    for language in LANGUAGES if meta(game).stage == "released" else (FALLBACK,):
        source = f"locales/{language}/LC_MESSAGES/{game}.po"
        if not (ROOT / source).exists():
            yield Lack("no-catalogue", source, "write it, then `make messages`")
        elif not (ROOT / source).with_suffix(".mo").exists():
            yield Lack("not-compiled", source, "`make messages`")
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


def of_play(game: str, met: list[Met]) -> Iterator[Lack]:
    """Whether random games are played to their end; their positions are what the others look at."""
    met += played(game)
    yield from ()


def of_roles(game: str, _: Sequence[Met]) -> Iterator[Lack]:
    """A role for each seat."""
    for number in range(GAMES_PLAYED):
        roles, seats = engine(game).roles(start(game, number)), table_of(game, number)[1]
        if len(roles) != seats:
            yield Lack(
                "no-role", f"{seats} seats, roles: {', '.join(roles)}", "`roles` has one for each seat"
            )


def of_rules(game: str, met: Sequence[Met]) -> list[Lack]:
    """Whether a game can be resigned, at any time and by whoever still plays."""
    rules, found = engine(game), dict[Lack, None]()
    for state, _ in met[::ASKED]:
        if rules.result(state) is not None:
            continue
        for seat in sorted(frozenset(range(len(rules.roles(state)))) - rules.retired(state)):
            try:
                step = rules.apply(state, seat, rules.parse("resign", state, seat), Chance(b"check", 1))
            except RulesError as error:
                what, do = error.code, "`resign` is possible at any time, out of turn too"
            else:
                if rules.result(step.state) is not None or seat in rules.retired(step.state):
                    continue
                what, do = "still plays", "name it in `retired`, or end the game"
            found[Lack("no-resign", f"seat {seat}: {what}", do)] = None
    return list(found)


def of_words(game: str, met: Sequence[Met]) -> Iterator[Lack]:
    """Messages that the game needs and the catalogue has not."""
    english = words("en")
    for key in sorted(keys(game, met)):
        if not english.has(key) and not english.has(key.removeprefix(f"{game}.")):
            yield Lack("no-message", key, f"add it to locales/en/LC_MESSAGES/{game}.po")


def of_pictures(game: str, met: Sequence[Met]) -> list[Lack]:
    """Messages that the painter and the events need; how they are drawn is what `PROMISES` are about."""
    if any(of_painter(game)):
        return []
    rules, spoken = engine(game), Noted()
    try:
        for number, (state, events) in enumerate(met):
            for viewer in (None, min(rules.to_act(state), default=0)):
                told = tuple(event.seen_by(viewer) for event in events)
                names = NAMES[: len(rules.roles(state))]
                scene = Scene(game, rules.view(state, viewer), names, spoken, told)
                painter(game).caption(scene)
                painter(game).describe(scene)
                for one in told:
                    spoken.event(game, one, names)
                if number % DRAWN == 0 or rules.result(state) is not None:
                    painter(game).board(scene)
                    painter(game).hand(scene)
    except Exception as error:  # noqa: BLE001 - as above
        return [Lack("does-not-draw", f"{type(error).__name__}: {error}", f"mend render/{game}/painter.py")]
    return [
        Lack(code, what, f"{MEND[code]} locales/en/LC_MESSAGES/{game}.po")
        for code, what in sorted(spoken.lacking)
    ]


class Noted(Words):
    """English that remembers what it was asked for in vain: messages, and parameters that nobody gave."""

    def __init__(self) -> None:
        super().__init__(FALLBACK, catalogue(FALLBACK))
        self.lacking: set[tuple[str, str]] = set()

    def _say(
        self, key: str, game: str | None, names: Sequence[str], params: Mapping[str, object], typed: Typed
    ) -> str:
        said = self._template(key, None)
        if said is None:
            self.lacking.add(("no-message", key))
        else:
            wanted = {name for _, name, _, _ in Formatter().parse(said) if name}
            self.lacking |= {("no-parameter", f"{key}: {name}") for name in wanted - params.keys()}
        return super()._say(key, game, names, params, typed)


def of_opponent(game: str, _: Sequence[Met]) -> Iterator[Lack]:
    """An opponent is no duty; one that is there plays at every level."""
    rules, state, level = engine(game), start(game, 0), "no level"
    seat = min(rules.to_act(state))
    try:
        brain = opponent(game)
        for level in brain.LEVELS:
            text = brain.choose(rules.view(state, seat), level, Chance(b"check", 1))
            rules.apply(state, seat, rules.parse(text, state, seat), Chance(b"check", 1))
        if not brain.LEVELS:
            yield Lack("opponent-errs", "no LEVELS", f"name them in engines/{game}/opponent.py")
    except Exception as error:  # noqa: BLE001 - as above
        if not (isinstance(error, RulesError) and error.code == "no-opponent"):
            what = f"{level}: {type(error).__name__}: {error}"
            yield Lack("opponent-errs", what, f"mend engines/{game}/opponent.py")


def of_secrets(game: str, _: Sequence[Met]) -> Iterator[Lack]:
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
        found |= of_resigning(game, state)
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


def of_resigning(game: str, state: State) -> set[str]:
    """The warning of who is about to resign, where the panel knows the word."""
    acting = sorted(engine(game).to_act(state))
    try:
        ready = engine(game).choices(state, acting[0], ["resign"]) if acting else None
    except RulesError:
        return set()
    return {f"{game}.warning.{ready.warning}"} if isinstance(ready, Ready) and ready.warning else set()


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


def table_of(game: str, number: int) -> tuple[Options, int]:
    """Options and seats of the number-th game that is played here: all of them in turn."""
    rules = engine(game)
    sample = import_module("tests.games").SAMPLES.get(game)
    ways: list[dict[str, Json]] = [{}] if sample is None else [sample.options, {}, *sample.more]
    options = rules.read_options(ways[number % len(ways)])
    counts = rules.seat_counts(options)
    return options, counts[number % len(counts)]


def start(game: str, number: int) -> State:
    """The first position of the number-th game that is played here."""
    return engine(game).setup(*table_of(game, number), Chance(b"check", 0)).state


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


class Promises:
    """A plugin of pytest: it runs the cases of one game, and keeps which tests failed, and why."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.broken: dict[str, str] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Only what is run for each game, and for this one."""
        cases = ((item, getattr(item, "callspec", None)) for item in items)
        items[:] = [item for item, case in cases if case is not None and self.game in case.params.values()]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A sentence that does not hold of the game."""
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            why = str(report.longrepr) if crash is None else crash.message
            name = report.nodeid.partition("[")[0].rpartition("::")[2]
            self.broken[name.removeprefix("test_").replace("_", " ")] = why.splitlines()[0]


def promises(game: str) -> list[Lack]:
    """What holds of every game and not of this one."""
    watch = Promises(game)
    with redirect_stdout(io.StringIO()) as told, redirect_stderr(told):
        code = pytest.main([f"--rootdir={ROOT}", *(str(ROOT / test) for test in PROMISES)], plugins=[watch])
    if not watch.broken and code != pytest.ExitCode.OK:
        watch.broken["the tests of every game run"] = told.getvalue().strip()[-300:]
    do = f"`pytest {' '.join(PROMISES)} -k {game}` says where"
    return [Lack("promise-broken", f"{promise}: {why}", do) for promise, why in watch.broken.items()]


def report(game: str) -> Json:
    """The answer of the command: `{"ok":true}`, or what is missing; parts that may be added are named."""
    found = lacks(game) or promises(game)
    told: dict[str, Json] = {"ok": not found, "missing": [lack._asdict() for lack in found]}
    if not found:
        told |= {"optional": optional(game), "statistics": isinstance(engine(game), Statistics)}
    return told


__all__ = ["Lack", "lacks", "report"]
