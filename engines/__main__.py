"""`python -m engines`: one command from the command line, or many from `serve`, as lines of JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import TextIO

from engines.cli import inputs
from engines.cli.driver import Driver
from engines.protocol import Json, RulesError


def main(words: list[str], out: TextIO) -> int:
    """Carries out the command of `words`; returns the exit status, 1 after an error."""
    if words == ["serve"]:
        return serve(out)
    failed, answer = guarded(lambda: Driver().answer(inputs.check_json(words)))
    many = words[:1] == ["replay"] and isinstance(answer, list)
    out.writelines(line_of(line) for line in (answer if many else [answer]))
    out.flush()
    return failed


def serve(out: TextIO) -> int:
    """Answers each line of standard input with one line, until it ends."""
    driver = Driver(stdin=False)
    if sys.stdin is None:
        out.write(line_of(error_json("bad-path", {"path": "-"})))
        return 1
    for line in sys.stdin.buffer:
        out.write(line_of(guarded(lambda line=line: request(driver, line))[1]))  # type: ignore[misc]
        out.flush()
    return 0


def request(driver: Driver, line: bytes) -> Json:
    """The answer to one line of `serve`. Raises RulesError `bad-json`, `bad-arguments` and others."""
    words = inputs.parse_json(line)
    if not isinstance(words, list):
        raise RulesError("bad-arguments", why="a request is an array")
    return driver.answer(words)


def guarded(work: Callable[[], Json]) -> tuple[int, Json]:
    """(0, the answer) or (1, the error as JSON).

    The last line of defence: a fault of our own becomes the error `internal` that names the
    exception and where it was raised, so that a caller always gets one JSON line.
    """
    try:
        answer = work()
        json.dumps(answer, allow_nan=False)
    except RulesError as error:
        return 1, error_json(error.code, error.params)
    except Exception as error:  # noqa: BLE001
        trace = error.__traceback__
        while trace and trace.tb_next:
            trace = trace.tb_next
        where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""
        return 1, error_json("internal", {"kind": type(error).__name__, "at": where})
    return 0, answer


def error_json(code: str, params: dict[str, Json]) -> Json:
    """The JSON of an error."""
    return {"error": {"code": code, "params": params}}


def line_of(answer: Json) -> str:
    """One line of ASCII JSON."""
    return json.dumps(answer, separators=(",", ":"), default=str) + "\n"


if __name__ == "__main__":
    if sys.stdout is None:
        sys.exit(1)
    try:
        sys.exit(main(sys.argv[1:], sys.stdout))
    except (OSError, KeyboardInterrupt):  # nobody reads on, or nothing more can be written
        sys.stderr.close()
        sys.exit(1)
