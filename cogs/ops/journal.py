"""The log: one line a record, as text or JSON, and never a secret in it.

A fault is written with its kind and where it happened; its own words only where they come from Discord, the
network or the storage. Those of a rule or of a validation could quote a hand. Libraries that log what they
send and receive stay at INFO whatever is asked for.
"""

from __future__ import annotations

import asyncio
import json
import logging
from datetime import UTC, datetime
from functools import cache
from typing import Any, Literal, TextIO

from db.errors import DatabaseError
from workers.trace import places

TALKATIVE = ("discord", "aiosqlite", "aiohttp", "asyncio")
EXTRAS = ("table", "row", "interaction", "destination")  # what a record may name beside its message


@cache
def open_words() -> tuple[type[BaseException], ...]:
    """Errors whose words hold no secret."""
    import aiohttp
    import discord

    return discord.DiscordException, aiohttp.ClientError, OSError, DatabaseError


def fault(error: BaseException) -> str:
    """What happened and where, without what it was about."""
    words = f": {error}" if isinstance(error, open_words()) else ""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    after = f" after {fault(cause)}" if cause is not None else ""
    return f"{type(error).__name__}{words} at {places(error) or '?'}{after}"


class Journal(logging.Formatter):
    """Formats records; `kind` is `text` or `json`."""

    def __init__(self, kind: Literal["text", "json"]) -> None:
        super().__init__()
        self._json = kind == "json"

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        message = " ".join(record.getMessage().splitlines())
        error = record.exc_info[1] if record.exc_info else None
        if not self._json:
            end = "" if error is None else f" ({fault(error)})"
            return f"{at} {record.levelname} {record.name}: {message}{end}"
        line = {"at": at, "level": record.levelname, "logger": record.name, "message": message}
        line |= {name: getattr(record, name) for name in EXTRAS if hasattr(record, name)}
        if error is not None:
            line["fault"] = fault(error)
        return json.dumps(line, ensure_ascii=False)


def unheard(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What a loop has to tell of a task that nobody waited for; its own way quotes the error's words."""
    logging.getLogger("hatamoto.loop").error("%s", context["message"], exc_info=context.get("exception"))


def begin(level: str, kind: Literal["text", "json"], stream: TextIO | None = None) -> None:
    """Sets the program's log up, on stderr where no stream is given."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Journal(kind))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(max(logging.INFO, logging.getLogger().level))
