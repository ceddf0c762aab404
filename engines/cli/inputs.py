"""What the driver is given: command words, files and JSON, checked before anything uses them."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from engines.protocol import Json, RulesError, printable

MOST_BYTES = 64_000_000  # of a file
DEEPEST = 60  # levels that JSON may be nested

Words = Sequence[Json]


class Command(NamedTuple):
    """The words a command takes: positional names in order, then options with their default."""

    needs: tuple[str, ...] = ()
    options: Mapping[str, Json] = {}
    required: tuple[str, ...] = ()


def read_words(command: Command, words: Words) -> dict[str, Json]:
    """The words after a command's name as values by name, still unread.

    Raises RulesError `bad-arguments` for a missing, repeated or unknown word.
    """
    found: dict[str, Json] = {}
    places = list(command.needs)
    rest = iter(words)
    for word in rest:
        if isinstance(word, str) and word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            if name not in command.options and name not in command.required:
                raise RulesError("bad-arguments", why="unknown-option", word=printable(word))
            if name in found:
                raise RulesError("bad-arguments", why="repeated", word=printable(word))
            found[name] = value if equals else _after(rest, word)
        elif places:
            found[places.pop(0)] = word
        else:
            raise RulesError("bad-arguments", why="unexpected", word=printable(str(word)))
    for missing in (*places, *(name for name in command.required if name not in found)):
        raise RulesError("bad-arguments", why="missing", word=missing)
    return {**command.options, **found}


def _after(rest: Iterator[Json], word: str) -> Json:
    for value in rest:
        return value
    raise RulesError("bad-arguments", why="missing-value", word=printable(word))


def text(value: Json, name: str) -> str:
    """A word that must be text. Raises RulesError `bad-arguments`."""
    if not isinstance(value, str):
        raise RulesError("bad-arguments", why="not-text", word=name)
    return value


def number(value: Json, code: str) -> int:
    """A word that must be a whole number. Raises RulesError `code`."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9:
        return value
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}", value):
        return int(value)
    raise RulesError(code, given=printable(str(value)) if isinstance(value, str) else None)


def seed(value: Json) -> bytes:
    """A seed from hex: 1 to 64 bytes. Raises RulesError `bad-seed`."""
    if isinstance(value, str) and re.fullmatch(r"(?:[0-9a-fA-F]{2}){1,64}", value):
        return bytes.fromhex(value)
    raise RulesError("bad-seed", given=printable(value) if isinstance(value, str) else None)


def parse_json(raw: str | bytes) -> Json:
    """JSON that is UTF-8, finite and not nested too deep. Raises RulesError `bad-json`."""
    try:
        data = json.loads(raw, parse_constant=_no_number, parse_float=_finite)
    except RecursionError:
        raise RulesError("bad-json", why="nested too deep") from None
    except ValueError as error:
        raise RulesError("bad-json", why=printable(str(error))) from None
    return check_json(data)


def check_json(data: Json) -> Json:
    """The same data. Raises RulesError `bad-json` for lone surrogates and deep nesting."""
    level: list[Json] = [data]
    for _ in range(DEEPEST):
        if not level:
            return data
        below: list[Json] = []
        for item in level:
            if isinstance(item, dict):
                below += [*item.keys(), *item.values()]
            elif isinstance(item, list):
                below += item
            elif isinstance(item, str) and not _encodable(item):
                raise RulesError("bad-json", why="lone surrogate")
        level = below
    raise RulesError("bad-json", why="nested too deep")


def _encodable(words: str) -> bool:
    return not any("\ud800" <= sign <= "\udfff" for sign in words) if not words.isascii() else True


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is not a number")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("number too large")
    return value


def document(value: Json, *, stdin: bool) -> Json:
    """The JSON that a RECORD or POSITION word means: an object itself, a path, or `-` for stdin.

    `stdin` is False in `serve`, whose standard input carries the requests.
    Raises RulesError `bad-path`, `bad-json`.
    """
    if isinstance(value, dict):
        return value
    if not isinstance(value, str):
        raise RulesError("bad-arguments", why="not-a-path", word=printable(str(value)))
    if value == "-" and not stdin:
        raise RulesError("bad-path", path="-")
    try:
        raw = _standard_input() if value == "-" else _file(value)
    except (OSError, ValueError):
        raise RulesError("bad-path", path=printable(value)) from None
    if len(raw) > MOST_BYTES:
        raise RulesError("bad-path", path=printable(value), why="too-large")
    return parse_json(raw)


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return sys.stdin.buffer.read(MOST_BYTES + 1)


def _file(path: str) -> bytes:
    with Path(path).open("rb") as file:
        return file.read(MOST_BYTES + 1)
