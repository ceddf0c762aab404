"""The command line, and those of its verbs that run beside a bot, again and again: a backup, a health check.

What only a bot needs is not read in for them: that took more than a second of a processor each time.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from pydantic import ValidationError

from cogs.ops import journal
from cogs.ops.pulse import alive
from db.errors import DatabaseError
from db.upkeep import copies
from settings import Settings
from tables.core.clock import SystemClock

log = logging.getLogger("hatamoto")
OWN = 0o077  # what it writes is the owner's alone: hands and seeds are in it
BACKUP_NICE = 10  # a copy is in no hurry: who plays goes first


class StartError(Exception):
    """Why it cannot start, in one line."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="bot.py", description="Hatamoto: board games of feudal Japan on Discord"
    )
    verbs = made.add_subparsers(dest="verb", required=True)
    verbs.add_parser("run", help="the bot on Discord; wants DISCORD_TOKEN")
    verbs.add_parser("demo", help="the bot on a simulated Discord, in your browser")
    copy = verbs.add_parser("backup", help="one file with everything, while the bot may run")
    copy.add_argument("path", type=Path)
    check = verbs.add_parser("check", help="the database's integrity, and a replay of every open table")
    check.add_argument("--mend", action="store_true", help="set right what can be, after a copy was made")
    back = verbs.add_parser("restore", help="puts a backup in the database's place; the bot must be stopped")
    back.add_argument("path", type=Path)
    house = verbs.add_parser(
        "move", help="every row into an empty database of the other kind, while no bot runs"
    )
    house.add_argument("source")
    house.add_argument("target")
    verbs.add_parser("health", help="whether a bot runs on this database and Discord hears it")
    return made


def configured() -> Settings:
    """The settings. Raises StartError with the name of the one that is wrong, never with what it was."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = "in the environment or in .env (see the README)"
        why = first["msg"].removeprefix("Value error, ")
        raise StartError(f"{first['loc'][0]}: {why}. Change it {where}.") from None
    except (UnicodeDecodeError, OSError):
        raise StartError(".env: cannot be read as text in UTF-8. Write it anew (see the README).") from None


def carry_out(arguments: argparse.Namespace, settings: Settings) -> int:
    """A backup or a health check; its exit status."""
    if arguments.verb == "backup":
        os.nice(BACKUP_NICE)
        asyncio.run(copies.copy(settings.database, arguments.path))
        log.info("backup written to %s", arguments.path)
    elif not alive(settings.database, SystemClock(), settings.part):
        raise StartError(f"No bot on {settings.database} was heard by Discord in the last two minutes.")
    return 0


def main(
    argv: Sequence[str] | None = None, do: Callable[[argparse.Namespace, Settings], int] = carry_out
) -> int:
    """Exit status 0, or 1 with one line on stderr that says why."""
    arguments = parser().parse_args(argv)
    os.umask(OWN)
    try:
        settings = configured()
        journal.begin(settings.log_level, settings.log_format)
        return do(arguments, settings)
    except (StartError, DatabaseError) as error:
        sys.stderr.write(f"{error}\n")
    except KeyboardInterrupt:
        return 130
    except Exception:  # a traceback would quote what it was about
        log.exception("%s failed", arguments.verb)
    return 1
