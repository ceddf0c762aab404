"""`/game new options:` words: `key=value`, the table's own or the game's."""

from __future__ import annotations

import json
import re
from typing import Any, Literal, NamedTuple, get_args

from pydantic import BaseModel, Field, ValidationError

from engines.opponents import Level, opponent
from engines.protocol import Json, Options, RulesError, printable
from engines.registry import engine
from engines.typed import plainly
from tables.core.errors import TableError, refused

SPAN = re.compile(r"(?P<count>\d{1,3})(?P<unit>[dhm])")
MOST_WORDS = 400  # characters
UNITS = {"d": 24 * 3600 * 1000, "h": 3600 * 1000, "m": 60 * 1000}


class ClockOptions(BaseModel, frozen=True, extra="forbid"):
    """How long a player may think: `bank` at first, `increment` for each turn done, never over `cap`.

    clock    slow and fast name their own times; custom takes those given
    timeout  what running out does: the others may claim the game, or it is lost at once
    """

    clock: Literal["none", "slow", "fast", "custom"] = "none"
    bank: str = Field(default="14d", pattern=SPAN.pattern)
    increment: str = Field(default="1d", pattern=SPAN.pattern)
    cap: str = Field(default="30d", pattern=SPAN.pattern)
    timeout: Literal["claim", "lose"] = "claim"


class TableOptions(ClockOptions):
    """How a table is set up; `fixed` seats keep the numbers of a rematch.

    aids  how much of what follows is shown (`render.scene.Help`); None: `Table.help` goes by who plays
    """

    seat: Literal["random", "first", "last", "fixed"] = "random"
    level: Level = "normal"
    seats: int | None = Field(default=None, ge=1, le=64)
    private: bool = False
    aids: Literal["full", "basic", "none"] | None = None


def span(text: str) -> int:
    """`7d`, `12h` or `30m` in ms."""
    match = SPAN.fullmatch(text)
    if match is None:
        raise ValueError(f"no span of time: {text!r}")
    return int(match["count"]) * UNITS[match["unit"]]


def read_span(game: str, text: str) -> int:
    """A span of time that somebody typed, in ms: `2d`, `12 h`. Raises `bad-span`."""
    match = SPAN.fullmatch(plainly(text).casefold().replace(" ", ""))
    if match is None or not int(match["count"]):
        raise TableError("bad-span", text=printable(text, 20), game=game)
    return int(match["count"]) * UNITS[match["unit"]]


CUSTOM = "custom"
SPANS: dict[str, list[str]] = {
    "bank": ["3d", "7d", "14d", "30d"],
    "increment": ["0h", "6h", "12h", "1d"],
    "cap": ["3d", "7d", "14d", "30d"],
}
CLOCK_WORDS: dict[str, list[str]] = {
    "clock": ["none", "slow", "fast", CUSTOM],
    **SPANS,
    "timeout": ["claim", "lose"],
}
OFFERED: dict[str, list[str]] = {
    "seat": ["random", "first", "last"],
    "level": list(get_args(Level)),
    **CLOCK_WORDS,
    "private": ["yes", "no"],
    "aids": ["full", "basic", "none"],
}


class Wishes(NamedTuple):
    """Options read: the table's, the game's, and the numbers of seats allowed, the default first."""

    table: TableOptions
    game: Options
    counts: tuple[int, ...]

    @property
    def places(self) -> int:
        """Seats that may be taken."""
        return self.table.seats or max(self.counts)


def read_words(game: str, words: str) -> Wishes:
    """The options of these words.

    Times given without a clock make it a custom one. Raises TableError `bad-option-word` (word,
    example), `option-twice` (name), `unknown-option` (name, allowed), `bad-option` (name, value,
    allowed or why), `needs-custom-clock` (name, clock), `bad-options`, `bad-seats`, `unknown-game`.
    """
    try:
        rules = engine(game)
    except RulesError as error:
        raise refused(error) from None
    pairs = split(words, example(rules.options_type))
    fields = rules.options_type.model_fields
    offered = [*fields, *(["seats"] if len(rules.seats) > 1 else []), *OFFERED]
    for name in pairs:
        if name not in offered:
            raise TableError("unknown-option", name=printable(name, 40), allowed=offered, game=game)
    own = {name: text for name, text in pairs.items() if name in TableOptions.model_fields}
    for name, text in own.items():
        check_word(game, name, text)
    timed(game, own)
    try:
        table = TableOptions.model_validate(own)
    except ValidationError:
        raise bad(game, "seats", own.get("seats", ""), [str(count) for count in rules.seats]) from None
    chosen = read_game_options(game, {name: text for name, text in pairs.items() if name in fields})
    counts = rules.seat_counts(chosen)
    if table.seats is not None and table.seats not in counts:
        raise bad(game, "seats", str(table.seats), [str(count) for count in counts])
    return Wishes(table, chosen, counts)


def levels(game: str) -> list[str]:
    """The levels at which the bot plays a game; all of them where it does not play it."""
    try:
        return list(opponent(game).LEVELS)
    except RulesError:
        return OFFERED["level"]


def check_word(game: str, name: str, text: str) -> None:
    """Raises `bad-option` for a value that a table's option does not take; a span may be any."""
    offers = levels(game) if name == "level" else OFFERED.get(name, [text])
    if text in offers:
        return
    if name in SPANS and SPAN.fullmatch(text) and (span(text) or name == "increment"):
        return  # no bank, or none that is left after a turn, would be lost at once
    raise bad(game, name, text, offers)


def timed(game: str, pairs: dict[str, str]) -> None:
    """Makes the clock of given times a custom one. Raises `needs-custom-clock`."""
    for name in pairs.keys() & SPANS.keys():
        if pairs.setdefault("clock", CUSTOM) != CUSTOM:
            raise TableError("needs-custom-clock", game=game, name=name, clock=pairs["clock"])


def read_clock(game: str, words: str) -> ClockOptions:
    """A clock's options of `key=value` words; `slow` alone stands for `clock=slow`. Errors: `read_words`."""
    words = pairwise(words)
    named, _, others = words.casefold().partition(" ")
    try:
        pairs = split(f"clock={named} {others}" if named in CLOCK_WORDS["clock"] else words)
    except TableError as error:
        raise TableError("bad-clock-word", **error.params) from None
    for name, text in pairs.items():
        if name not in CLOCK_WORDS:
            raise TableError("unknown-option", name=printable(name, 40), allowed=list(CLOCK_WORDS), game=game)
        check_word(game, name, text)
    pairs.setdefault("clock", CUSTOM)
    timed(game, pairs)
    return ClockOptions.model_validate(pairs)


def split(words: str, example: str = "clock=slow") -> dict[str, str]:
    """`key=value` words, case folded. Raises `bad-option-word` (word, example), `option-twice` (name)."""
    if len(words) > MOST_WORDS:
        raise TableError("bad-option-word", word=printable(words, 40), example=example)
    pairs = dict[str, str]()
    for word in pairwise(words).split():
        name, sign, text = word.casefold().partition("=")
        if not (name and sign):
            raise TableError("bad-option-word", word=printable(word, 40), example=example)
        if name in pairs:
            raise TableError("option-twice", name=printable(name, 40))
        pairs[name] = text
    return pairs


def pairwise(words: str) -> str:
    """What was typed with a blank between `key=value` words and none in them."""
    return re.sub(r" *= *", "=", " ".join(plainly(words).replace(",", " ").split()))


def begun(words: str) -> tuple[str, str]:
    """Options as they are being typed: those that are done, and the word that is begun."""
    clean = pairwise(words)
    if not clean or words[-1:].isspace() or words.endswith(","):
        return clean, ""
    before, _, word = clean.rpartition(" ")
    return before, word


def example(model: type[Options]) -> str:
    """Options as they are written, with one of the game's own where it has any that can be listed."""
    own = [f"{name}={words[-1]}" for name in model.model_fields if (words := allowed(model, name))]
    return " ".join([*own[:1], "seat=first"])


def read_game_options(game: str, given: dict[str, str]) -> Options:
    """The game's options from texts; a number or yes/no is read as such where text is refused."""
    rules = engine(game)
    values: dict[str, Json] = {}
    for name, text in given.items():
        for value in readings(text):
            if accepted(rules.options_type, name, value):
                values[name] = value
                break
        else:
            raise bad(game, name, text, allowed(rules.options_type, name))
    try:
        return rules.read_options(values)
    except RulesError as error:
        raise refused(error, game=game) from None


def readings(text: str) -> list[Json]:
    """What a word may mean: itself, or the number or truth value it spells."""
    try:
        return [text, json.loads(text)]
    except ValueError:
        return [text]


def accepted(model: type[Options], name: str, value: Json) -> bool:
    """Whether this field takes this value."""
    try:
        model.model_validate({name: value})
    except ValidationError as error:
        return not any(fault["loc"][:1] == (name,) for fault in error.errors(include_url=False))
    return True


def allowed(model: type[Options], name: str) -> list[str]:
    """The words that a field takes, where they can be listed; those for tests are taken, not listed."""
    fewer = offered(model, name)

    def listed(kind: Any) -> list[str]:
        if kind is bool:
            return ["true", "false"]
        inner = get_args(kind)
        return [t for k in inner for t in ([str(k)] if isinstance(k, str | int) else listed(k))]

    return listed(model.model_fields[name].annotation) if fewer is None else fewer


def offered(model: type[Options], name: str) -> list[str] | None:
    """What a field itself says is offered: fewer than its type has, or a range written out."""
    extra = model.model_fields[name].json_schema_extra
    words = extra.get("offered") if isinstance(extra, dict) else None
    return [str(word) for word in words] if isinstance(words, list) else None


def bad(game: str, name: str, text: str, choices: list[str]) -> TableError:
    """`bad-option`, with what is allowed."""
    return TableError("bad-option", name=name, value=printable(text, 40) or "–", allowed=choices, game=game)
