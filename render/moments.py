"""Moments of played games, as scenes of every kind of picture: what `render.sheet` draws.

A game is played from a fixed seed by its own opponent, or at random, so the same moments come again after a
change of a painter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from engines.capabilities import Secrets, Statistics, random_action
from engines.chance import Chance
from engines.opponents import opponent
from engines.protocol import Choice, Ready, RulesError, Seat, State, Step, Viewer
from engines.registry import engine
from locales import Words
from render import ended, has, layers, painter
from render.lessons import NAMES, lesson_of, staged
from render.scene import Scene

SEED = b"sheet"
SPREAD = 6  # boards that are spread over a game
BEFORE = 5  # actions that a public board is compared over
DEEP = 16  # levels of a panel at most
CROPS = 2  # pictures round single places, which are all alike


@dataclass(frozen=True)
class Ply:
    """An action of a played game: the state before, who acted, and what came of it. The start has no seat."""

    number: int
    before: State
    step: Step[State]
    seat: Seat | None


class Shot(NamedTuple):
    """One picture to draw: its kind, what it shows, and a part of a scene."""

    kind: str
    label: str
    part: str
    scene: Scene

    @property
    def name(self) -> str:
        """For a file."""
        words = "".join(letter if letter.isalnum() else "-" for letter in self.label.casefold())
        return f"{self.kind}-{words}".strip("-")


def played(game: str, number: int, plies: int) -> list[Ply]:
    """The number-th game of the sheet: the fewest seats, then the most; its opponent where it has one."""
    rules, seed = engine(game), SEED + bytes([number])
    options = rules.read_options({})
    counts = sorted(rules.seat_counts(options))
    step = rules.setup(options, counts[-(number % 2)], Chance(seed, 0))
    made = [Ply(0, step.state, step, None)]
    while (acting := rules.to_act(step.state)) and len(made) <= plies:
        seat, state, ply = min(acting), step.state, len(made)
        text = chosen(game, state, seat, Chance(seed, ply))
        step = rules.apply(state, seat, rules.parse(text, state, seat), Chance(seed, ply))
        made.append(Ply(ply, state, step, seat))
    return made


def chosen(game: str, state: State, seat: Seat, chance: Chance) -> str:
    """What the opponent does, a random action now and then, so that no two games are alike."""
    rules = engine(game)
    if chance.below(8):
        try:
            brain = opponent(game)
            return brain.choose(rules.view(state, seat), brain.LEVELS[0], chance)
        except RulesError:
            pass  # nobody plays it
    return rules.format(random_action(rules, state, seat, chance))


def limited(shots: Iterable[Shot], most: int | None) -> Iterator[Shot]:
    """At most so many of each kind."""
    count = Counter[str]()
    for shot in shots:
        count[shot.kind] += 1
        if most is None or count[shot.kind] <= most:
            yield shot


def shots(game: str, plies: Sequence[Ply], words: Words) -> Iterator[Shot]:
    """Every kind of picture of a played game."""
    yield from boards(game, plies, words)
    yield from steps(game, plies, words)
    yield from panels(game, plies, words)
    yield from news(game, plies, words)
    yield from endings(game, plies, words)


def spread(plies: Sequence[Ply]) -> list[Ply]:
    """Some of the plies, first and last among them."""
    last = len(plies) - 1
    return [plies[place] for place in sorted({round(last * part / SPREAD) for part in range(SPREAD + 1)})]


def scene_of(game: str, ply: Ply, viewer: Viewer, words: Words, **more: Any) -> Scene:
    """What a viewer sees after a ply."""
    rules, state = engine(game), ply.step.state
    return Scene(
        game=game,
        view=rules.view(state, viewer),
        names=NAMES[: len(rules.roles(state))],
        words=words,
        events=tuple(event.seen_by(viewer) for event in ply.step.events),
        table=7,
        **more,
    )


def boards(game: str, plies: Sequence[Ply], words: Words) -> Iterator[Shot]:
    """Boards, private boards and sheets, standings; of the middle its areas and layers, too."""
    rules, some = engine(game), spread(plies)
    for ply in some:
        label = f"{ply.number:03}"
        yield Shot("board", label, "board", scene_of(game, ply, None, words))
        if has(game, "standing"):
            yield Shot("standing", label, "standing", scene_of(game, ply, None, words))
        if isinstance(rules, Secrets):
            for viewer in range(min(2, len(rules.roles(ply.step.state)))):
                own = scene_of(game, ply, viewer, words)
                yield Shot("own", f"{label}-{viewer}", "board", own)
                yield Shot("hand", f"{label}-{viewer}", "hand", own)
                if has(game, "own_ground"):
                    yield Shot("ground", f"{label}-{viewer}", "own_ground", own)
    middle = some[len(some) // 2]
    yield Shot("flip", f"{middle.number:03}", "board", scene_of(game, middle, None, words, flip=True))
    crops = (*getattr(painter(game), "AREAS", ()), *tuple(getattr(painter(game), "PLACES", ()))[:CROPS])
    for area in crops:
        yield Shot("area", area, "board", scene_of(game, middle, None, words, area=area))
    for layer in layers(game):
        yield Shot("layer", layer, "board", scene_of(game, middle, None, words, layer=layer))


def steps(game: str, plies: Sequence[Ply], words: Words) -> Iterator[Shot]:
    """The first step with each kind of event, as it is posted, and where it is in one place that alone."""
    met = set[str]()
    for ply in plies[1:]:
        new = [event.code for event in ply.step.events if event.code not in met]
        if not new:
            continue
        met |= {*new}
        scene = scene_of(game, ply, None, words, since=engine(game).view(ply.before, None))
        label = f"{ply.number:03}-{new[0]}"
        yield Shot("step", label, "step", scene)
        if has(game, "focus"):
            yield Shot("focus", label, "focus", scene)


def panels(game: str, plies: Sequence[Ply], words: Words) -> Iterator[Shot]:
    """Each kind of question, and a confirmation at the end of each way to one."""
    rules, met = engine(game), set[str]()
    for ply in plies:
        for seat in sorted(rules.to_act(ply.step.state)):
            yield from panel(game, ply, seat, words, met)


def panel(game: str, ply: Ply, seat: Seat, words: Words, met: set[str]) -> Iterator[Shot]:
    """One way through a seat's panel: the levels whose question was not met yet, and its confirmation."""
    rules, chance, state = engine(game), Chance(SEED, ply.number), ply.step.state
    keys, picked, new = list[str](), list[Choice](), ""
    own = replace(scene_of(game, ply, seat, words), events=())
    for _ in range(DEEP):
        level = rules.choices(state, seat, keys)
        label = f"{ply.number:03}-{new or 'plain'}"
        if isinstance(level, Ready):
            if new or "confirm" not in met:
                met.add("confirm")
                scene = replace(own, picked=tuple(picked), action=level.action)
                yield Shot("confirm", label, "step", scene)
            return
        if level.code not in met:
            met.add(level.code)
            new = level.code
            yield Shot(
                "prompt",
                f"{ply.number:03}-{level.code}",
                "step",
                replace(own, prompt=level, picked=tuple(picked)),
            )
        some = [choice for choice in level.choices if not choice.aside] or list(level.choices)
        count = max(level.least, min(1, level.most, len(some)))
        taken = [some.pop(chance.below(len(some))) for _ in range(min(count, len(some)))]
        picked += taken
        keys.append("+".join(choice.key for choice in level.choices if choice in taken) or "-")


def news(game: str, plies: Sequence[Ply], words: Words) -> Iterator[Shot]:
    """Boards with marks of what is new: the public's over some actions, a seat's since its own last one."""
    rules = engine(game)
    for ply in spread(plies)[1:]:
        label = f"{ply.number:03}"
        then = plies[max(0, ply.number - BEFORE)].step.state
        yield Shot("since", label, "board", scene_of(game, ply, None, words, since=rules.view(then, None)))
        for viewer in range(min(2, len(rules.roles(ply.step.state)))):
            own = next((one for one in reversed(plies[: ply.number]) if one.seat == viewer), plies[0])
            earlier = rules.view(own.step.state, viewer)
            scene = scene_of(game, ply, viewer, words, since=earlier)
            yield Shot("own-since", f"{label}-{viewer}", "board", scene)


def endings(game: str, plies: Sequence[Ply], words: Words) -> Iterator[Shot]:
    """What ended on the way, the trophy, and the moments of the rules pages."""
    rules, last = engine(game), plies[-1]
    if has(game, "ended"):
        for ply in plies[1:]:
            scene = scene_of(game, ply, None, words)
            if ended(scene) is not None:
                yield Shot("ended", f"{ply.number:03}", "ended", scene)
    if rules.result(last.step.state) is not None and has(game, "finale"):
        told: tuple[Any, ...] = ()
        if isinstance(rules, Statistics):
            told = rules.statistics(plies[0].step, [ply.step for ply in plies[1:]])
        yield Shot(
            "finale", f"{last.number:03}", "finale", replace(scene_of(game, last, None, words), events=told)
        )


def lessons(game: str, words: Words) -> Iterator[Shot]:
    """The moments of the rules pages."""
    page = 1
    while (lesson := lesson_of(game, page)) is not None:
        yield Shot("lesson", f"{page:02}", lesson.part, staged(game, lesson, words))
        page += 1
