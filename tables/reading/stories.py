"""A game told again: step by step in the viewer's own view, as readable notation, and its proof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from engines.capabilities import Secrets
from engines.protocol import Seat, Seen, Viewer
from tables.core.house import House
from tables.core.model import Shown, Table
from tables.reading.access import moment, seen_of, viewer_of


@dataclass(frozen=True)
class Replay:
    """A moment of a table: after `at` of `last` entries, as `shown.seat` (or the public) saw it.

    open_hands  whether every seat's view may be chosen: the game is over
    """

    shown: Shown
    at: int
    last: int
    open_hands: bool


@dataclass(frozen=True)
class StoryEntry:
    """One entry of a game as its reader may know it: `action` is None where it is somebody's secret."""

    number: int
    seat: Seat | None
    action: str | None
    undo: int | None
    events: tuple[Seen, ...]


class Earlier(NamedTuple):
    """A seed that was drawn from until entry `until`, which took back the end of the game."""

    until: int
    seed: str
    commitment: str


@dataclass(frozen=True)
class Verdict:
    """Whether a finished game is what its seeds and its record make it; `fault` says what is not."""

    table: Table
    commitment: str
    seed: str | None
    entries: int
    fault: str | None = None
    earlier: tuple[Earlier, ...] = ()


async def replay(
    house: House, table_id: int, user_id: int | None, at: int | None = None, seat: Viewer | str = "own"
) -> Replay:
    """The table after `at` entries, in the user's own view; after the end in any seat's.

    at      None: the first entry that the user has not seen, which came after the user's own last one

    seat    `own`, a seat's number, or None for the public
    Raises `not-yours` while it runs, `bad-ply`, `private`, `not-running`.
    """
    loaded = await house.look(table_id)
    own = viewer_of(loaded, user_id)
    over = loaded.row.status != "running"
    viewer: Viewer = own if isinstance(seat, str) else seat
    if viewer is not None and viewer != own and not over:
        raise loaded.refusal("not-yours")
    if viewer is not None and not 0 <= viewer < len(loaded.seats):
        raise loaded.refusal("bad-seat")
    shown, when, last = await moment(house, loaded, at, viewer, user_id)
    return Replay(shown, when, last, over)


async def story(house: House, table_id: int, user_id: int | None) -> list[StoryEntry]:
    """All entries in order. While the game runs, others' actions only where nothing is hidden."""
    loaded = await house.look(table_id)
    viewer = viewer_of(loaded, user_id)
    open_book = loaded.row.status != "running" or not isinstance(loaded.engine, Secrets)
    return await house.archive.ask("story", table_id, viewer, open_book, read=story_of)


def story_of(told: list[list[Any]]) -> list[StoryEntry]:
    """The archive's answer."""
    return [
        StoryEntry(number, seat, action, undo, seen_of(events)) for number, seat, action, undo, events in told
    ]


async def verify(house: House, table_id: int, user_id: int | None) -> Verdict:
    """Checks the seed against the commitment, and that the log replays to the position at the end."""
    loaded = await house.look(table_id)
    viewer_of(loaded, user_id)
    table = loaded.table()
    if table.seed is None:
        return Verdict(table, table.commitment, None, loaded.row.entries)
    entries, fault, earlier = await house.archive.ask("fault", table_id, read=tuple)
    seeds = tuple(Earlier(*one) for one in earlier)
    return Verdict(table, table.commitment, table.seed, entries, fault, seeds)
