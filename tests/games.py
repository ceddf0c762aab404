"""One sample a game: all that a test which goes over every game has to know of one in particular.

A new game adds its line here; what it leaves out is worked out from the engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from _pytest.mark.structures import ParameterSet

from engines.capabilities import Secrets
from engines.chance import Chance
from engines.protocol import Json, State, Step
from engines.registry import GAMES, engine, meta


@dataclass(frozen=True)
class Sample:
    """What generic tests play.

    options  of a game that is short, or that has the most to show
    hides    options of a game in which seats hold secrets from its start; None where none ever do
    moment   actions after which something is hidden in a game of `options`
    plies    the first actions of a game of `options` and seed 00, each by the lowest seat that acts
    more     other options that make another game (a draft, solo), for tests that want several
    """

    options: dict[str, Json] = field(default_factory=dict)
    hides: dict[str, Json] | None = None
    moment: int = 0
    plies: tuple[str, ...] = ()
    more: tuple[dict[str, Json], ...] = ()


SAMPLES: dict[str, Sample] = {
    "kamisado": Sample(options={"match": "single"}, plies=("d8-d3",)),
    "rokumon": Sample(options={"act": 3}, hides={"act": 3}, moment=3),
    "shogun": Sample(hides={}, moment=2, more=({"setup": "draft"},)),
    "sekigahara": Sample(hides={}, moment=1),
}


def sample(game: str) -> Sample:
    """A game's sample; one of nothing but defaults fails `tests/conformance` where it does not fit."""
    return SAMPLES[game]


def words_of(options: dict[str, Json]) -> str:
    """Options as `/game new options:` takes them."""
    return " ".join(f"{name}={str(value).lower()}" for name, value in options.items())


def players(game: str) -> int:
    """People at the smallest table of the sample's game, two at least."""
    rules = engine(game)
    return max(2, min(rules.seat_counts(rules.read_options(sample(game).options))))


def table_words(game: str) -> str:
    """The sample's options, and so many seats that the smallest table is full."""
    rules = engine(game)
    counts = rules.seat_counts(rules.read_options(sample(game).options))
    seats = "" if len(counts) == 1 else f" seats={players(game)}"
    return f"{words_of(sample(game).options)}{seats}".strip()


def hidden() -> tuple[str, ...]:
    """Games whose seats hold secrets."""
    return tuple(game for game in GAMES if isinstance(engine(game), Secrets))


def for_two() -> tuple[str, ...]:
    """Games that two may play."""
    return tuple(game for game in GAMES if 2 in engine(game).seats)


def by_game(games: Sequence[str] = tuple(GAMES)) -> list[ParameterSet]:
    """For what goes the same way at a table of every game: one open and one hidden in the quick suite.

    So are those that were just begun; the others run in the long one.
    """
    quick = one_of_each_kind(games)
    return [pytest.param(game, marks=() if game in quick else pytest.mark.long) for game in games]


def one_of_each_kind(games: Sequence[str] = tuple(GAMES)) -> list[str]:
    """An open game and a hidden one, and those that were just begun: what the quick suite has of these."""
    kinds = [isinstance(engine(game), Secrets) for game in games]
    quick = {kinds.index(kind) for kind in set(kinds)}
    return [game for number, game in enumerate(games) if number in quick or not released(game)]


def released(game: str) -> bool:
    """Whether it is one of the house's own games, of which more is known than of one that was just begun."""
    return meta(game).stage == "released"


def opening(game: str, options: dict[str, Json] | None = None, seed: bytes = b"\0") -> Step[State]:
    """The first step of a game of these options, with as many seats as it has by itself."""
    rules = engine(game)
    made = rules.read_options(options or {})
    return rules.setup(made, rules.seat_counts(made)[0], Chance(seed, 0))
