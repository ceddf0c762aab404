"""Custom ids `t:<table>:<version>:<action>[@<row>]`: what a button or select of ours means, for ever.

The row is the mark of the outbox row that posted the message (`OutboxRow.mark`), on its first button only:
after a crash the courier recognises by it what was sent already. It is random, for the row's number would
tell how many rows went to others. Numbers have at most 18 digits: more do not go into the database,
and nobody of us made them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

MOST = 100  # characters Discord allows
SELECT = r"t:(?P<table>\d{1,18}):(?P<version>\d{1,18}):(?P<action>s[\d.+\-]*(?:![\d+]*)?(?:~\d+)?)"
BUTTON = (
    r"t:(?P<table>\d{1,18}):(?P<version>\d{1,18}):"
    r"(?P<action>(?!s[\d.+\-!~]*$)[a-z][\w.+\-!~]*)(?:@(?P<row>\d{1,18}))?"
)
SHEET = r"t:(?P<table>\d{1,18}):(?P<version>\d{1,18}):(?P<action>L\.[a-z][\w.~]*)"  # selects of a draft
GUESTS = r"t:(?P<table>\d{1,18}):(?P<version>\d{1,18}):(?P<action>G\.guests)"  # whom to invite
CHANNELS = r"t:(?P<table>\d{1,18}):(?P<version>\d{1,18}):(?P<action>C\.share)"  # where to show a trophy
RULES = r"r:(?P<game>[a-z]+):(?P<page>\d{1,3})(?P<apart>:new)?"
LANGUAGE = r"l:(?P<language>[a-zA-Z_-]{2,20})"
# of `/play`: a game, and against whom
BEGIN = r"g:(?P<game>[a-z]+|-):(?P<whom>ask|bot(?:-easy|-hard)?|solo|open|u\d{1,20})"
FORM = r"m:(?P<table>\d{1,18})"  # where an action is typed
NOTE = r"n:(?P<table>\d{1,18})"  # a form, where a note is written
CLOCK = r"f:clock:(?P<table>\d{1,18})"  # a form, where a clock is made
RIVALS = r"gs:(?P<game>[a-z]+)"  # whom to play a game against
ANEW = (  # a form that was refused, with what was typed into its short fields
    r"e:(?P<form>m:\d{1,18}|n:\d{1,18}|f:clock:\d{1,18}|f:times|f:import)(?:\?(?P<typed>.*))?"
)
SWITCH = r"o:(?P<setting>dm|next|threads|times):(?P<to>on|off|change)"  # of a setting
WAYS = r"os:call"  # where one is called
PATH = re.compile(r"(?P<verb>[pcwse])(?P<path>[\d.+\-]*)(?:!(?P<kept>[\d+]*))?(?:~(?P<page>\d+))?")
VOTE = re.compile(r"v(?P<vote>\d{1,18})(?P<answer>[yn])")
OF_SEAT = re.compile(r"[a-z]+\.(?P<seat>\d{1,3})")
MOMENT = re.compile(  # of a replay, from which side it is come to, and whose view
    r"at\.(?P<at>\d{1,9})(?P<side>[fb])?\.(?P<whose>[op]|\d{1,3})(?:\.\w+)?"
)
MARK = re.compile(r"t:\d+:\d+:[^@]+@(?P<row>\d{1,18})")


class Press(NamedTuple):
    """What was pressed: a table, the version it was drawn at, an action, and the message's row if marked."""

    table: int
    version: int
    action: str
    row: int | None = None

    def __str__(self) -> str:
        mark = "" if self.row is None else f"@{self.row}"
        return f"t:{self.table}:{self.version}:{self.action}{mark}"

    def fits(self) -> bool:
        """Whether Discord takes it."""
        return len(str(self)) <= MOST

    @classmethod
    def of(cls, match: re.Match[str]) -> Press:
        """The press of a matched custom id."""
        row = match.groupdict().get("row")
        return cls(
            int(match["table"]), int(match["version"]), match["action"], None if row is None else int(row)
        )


class Spot(NamedTuple):
    """A place in the panel: `p` look, `c` confirm, `w` confirm after the warning, `s` a select's picks.

    `e` confirms and does what may follow at once.

    path    indexes of the choices picked so far, level by level; several as `1+3`, none of them as `-`
    page    of the choices, where there are more than one select holds
    kept    picks of this level made on other pages
    """

    verb: str
    path: tuple[str, ...]
    page: int = 0
    kept: tuple[int, ...] = ()

    def __str__(self) -> str:
        kept = f"!{'+'.join(map(str, self.kept))}" if self.kept else ""
        page = f"~{self.page}" if self.page else ""
        return f"{self.verb}{'.'.join(self.path)}{kept}{page}"


def picks(indexes: Iterable[int]) -> str:
    """Indexes as a word of a path: `0+2-5`, three or more in a row as a range; `-` for none."""
    runs: list[list[int]] = []
    for index in sorted(set(indexes)):
        if runs and index == runs[-1][-1] + 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    parts = [f"{run[0]}-{run[-1]}" if len(run) > 2 else "+".join(map(str, run)) for run in runs]
    return "+".join(parts) or "-"


def spot(action: str) -> Spot | None:
    """The panel place that an action names, or None if it is no panel action."""
    match = PATH.fullmatch(action)
    if match is None:
        return None
    path = tuple(match["path"].split(".")) if match["path"] else ()
    kept = tuple(int(index) for index in (match["kept"] or "").split("+") if index)
    return Spot(match["verb"], path, int(match["page"] or 0), kept)


def row_of(custom_id: str | None) -> int | None:
    """The mark of an outbox row that a custom id carries, or None."""
    match = MARK.fullmatch(custom_id or "")
    return None if match is None else int(match["row"])
