"""Pictures of the rules pages: a moment of a game, drawn by its own painter.

A game with lessons has `render/<game>/lessons.py`, which exports

LESSONS  a Lesson a page of `<game>.rules.N`, in order
ABOUT    the page that a refusal, a question of a panel or an event is explained on, by its code
FIRST    a First for each rule that players are told of when it first matters to them, in order
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from engines.chance import Chance
from engines.protocol import AnyEngine, Choice, Json, Prompt, Ready, State, Step, Viewer
from engines.registry import engine
from locales import Words
from render.scene import Scene

SEED = bytes(32)  # lessons are the same for everybody, for ever
NAMES = ("Aki", "Beni", "Chiyo", "Daiki", "Emi")  # who plays, by seat: no real person


@dataclass(frozen=True)
class Lesson:
    """A moment of a game, and how it is looked at.

    position  makes the position (JSON of the spec) that it begins with; None: a new game of `options`
    seats     of a new game, the fewest by default
    plies     actions in notation, each by the lowest seat that has to act; what the last one brought about
              is marked in the picture as on a board in play
    viewer    whose view is drawn, None for the public one
    part      what is drawn (`render.drawing`)
    path      picks of the viewer's panel: the picture previews what they lead to
    action    in notation: the picture previews it
    """

    position: Callable[[], Json] | None = None
    options: Mapping[str, Json] = field(default_factory=dict)
    seats: int | None = None
    plies: tuple[str, ...] = ()
    viewer: Viewer = None
    part: str = "board"
    path: tuple[str, ...] | None = None
    action: str | None = None
    area: str | None = None
    layer: str | None = None


@dataclass(frozen=True)
class First:
    """A rule that a player is told of once: the page on it, and what brings it up.

    codes  of a question, a choice, a note or an event that the player is shown; `question/value` for a choice
           whose parameters hold the value
    """

    rule: str
    page: int
    codes: frozenset[str]


def first_rules(game: str, codes: Collection[str]) -> tuple[First, ...]:
    """The rules that one of these codes brings up, in the order of the game."""
    module = lessons(game)
    known: tuple[First, ...] = () if module is None else module.FIRST
    return tuple(first for first in known if not first.codes.isdisjoint(codes))


def lesson_of(game: str, page: int) -> Lesson | None:
    """What a page, from 1, is shown with; None where the game has no lessons or no such page."""
    module = lessons(game)
    made: tuple[Lesson, ...] = () if module is None else module.LESSONS
    return made[page - 1] if 0 < page <= len(made) else None


def page_about(game: str | None, code: str) -> int | None:
    """The page that explains a refusal, a question or an event of this code; None where none does."""
    module = None if game is None else lessons(game)
    about: Mapping[str, int] = {} if module is None else module.ABOUT
    return about.get(code)


@cache
def lessons(game: str) -> ModuleType | None:
    """The module of a game's lessons, None where it has none."""
    found = find_spec(f"render.{game}") and find_spec(f"render.{game}.lessons")
    return import_module(f"render.{game}.lessons") if found else None


def played(rules: AnyEngine, lesson: Lesson) -> Step[State]:
    """The lesson's state and what its last action brought about. Raises RulesError where it is none."""
    chance = Chance(SEED, 0)
    if lesson.position is None:
        options = rules.read_options(dict(lesson.options))
        step = rules.setup(options, lesson.seats or rules.seat_counts(options)[0], chance)
    else:
        step = rules.from_position(lesson.position(), chance)
    for entry, text in enumerate(lesson.plies, 1):
        seat = min(rules.to_act(step.state))
        action = rules.parse(text, step.state, seat)
        step = rules.apply(step.state, seat, action, Chance(SEED, entry))
    return step


def staged(game: str, lesson: Lesson, words: Words) -> Scene:
    """The scene of a lesson in one language. Raises RulesError."""
    rules = engine(game)
    state, events = played(rules, lesson)
    prompt, action, picked = None, lesson.action, list[Choice]()
    if lesson.path is not None and lesson.viewer is not None:
        for end in range(len(lesson.path)):
            level = rules.choices(state, lesson.viewer, lesson.path[:end])
            if isinstance(level, Prompt):
                keys = lesson.path[end].split("+")
                picked += [choice for choice in level.choices if choice.key in keys]
        level = rules.choices(state, lesson.viewer, lesson.path)
        prompt, action = (None, level.action) if isinstance(level, Ready) else (level, None)
    return Scene(
        game=game,
        view=rules.view(state, lesson.viewer),
        names=NAMES[: len(rules.roles(state))],
        words=words,
        events=tuple(event.seen_by(lesson.viewer) for event in events) if lesson.plies else (),
        prompt=prompt,
        picked=tuple(picked),
        action=action,
        area=lesson.area,
        layer=lesson.layer,
    )
