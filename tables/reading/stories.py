"""A game told again: step by step in the viewer's own view, as readable notation, and its proof."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from db.repositories import actions
from db.rows import ActionRow
from engines import record
from engines.capabilities import Secrets
from engines.chance import commitment
from engines.protocol import RulesError, Seat, Seen, Viewer
from engines.record import Acted
from tables.core.house import House
from tables.core.loaded import Loaded, as_told, record_of
from tables.core.model import Shown, Table
from tables.core.soundness import reseeded
from tables.reading.access import viewer_of


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
    log = await actions.log(house.database.reads, table_id)
    when = unseen(loaded, log, user_id) if at is None else at
    if not 0 <= when <= len(log):
        raise loaded.refusal(RulesError("bad-ply", ply=when, most=len(log)))
    then = await house.aside.run(moment, loaded, log[:when])
    return Replay(then.shown(viewer), when, len(log), over)


def unseen(loaded: Loaded, log: list[ActionRow], user_id: int | None) -> int:
    """The first entry after this user's own last one; for who does not sit there, the last one of all."""
    if loaded.seat_of(user_id) is None:
        return len(log)
    own = [number for number, entry in enumerate(log, 1) if entry.user_id == user_id]
    return min(max(own, default=0) + 1, len(log))


def moment(loaded: Loaded, log: list[ActionRow]) -> Loaded:
    """The table as it was after these entries."""
    history = record.fold(record_of(loaded, log))
    events = history.plies[-1].events if history.plies else history.start.events
    return replace(loaded, state=history.state, events=events)


async def story(house: House, table_id: int, user_id: int | None) -> list[StoryEntry]:
    """All entries in order. While the game runs, others' actions only where nothing is hidden."""
    loaded = await house.look(table_id)
    viewer = viewer_of(loaded, user_id)
    log = await actions.log(house.database.reads, table_id)
    return await house.aside.run(lambda: list(tell(loaded, log, viewer)))


def tell(loaded: Loaded, log: list[ActionRow], viewer: Viewer) -> Iterator[StoryEntry]:
    """The entries as this viewer may know them."""
    rules = loaded.engine
    open_book = loaded.row.status != "running" or not isinstance(rules, Secrets)
    history = record.begin(record_of(loaded, log))
    for entry in record_of(loaded, log).actions:
        before, number = history.state, len(history.plies) + 1
        history = record.follow(history, entry)
        seen = tuple(event.seen_by(viewer) for event in history.plies[-1].events)
        if isinstance(entry, Acted):
            known = open_book or entry.seat == viewer
            text = rules.format(rules.parse(entry.action, before, entry.seat)) if known else None
            yield StoryEntry(number, entry.seat, text, None, seen)
        else:
            yield StoryEntry(number, None, None, entry.undo, seen)


async def verify(house: House, table_id: int, user_id: int | None) -> Verdict:
    """Checks the seed against the commitment, and that the log replays to the position at the end."""
    loaded = await house.look(table_id)
    viewer_of(loaded, user_id)
    log = await actions.log(house.database.reads, table_id)
    table = loaded.table()
    if table.seed is None:
        return Verdict(table, table.commitment, None, len(log))
    fault = await house.aside.run(fault_of, loaded, log)
    return Verdict(table, table.commitment, table.seed, len(log), fault, earlier_seeds(loaded, log))


def earlier_seeds(loaded: Loaded, log: list[ActionRow]) -> tuple[Earlier, ...]:
    """The seeds that were drawn from before the last one, in order."""
    turns = [(entry.seq, entry.seed) for entry in log if entry.seed is not None]
    seeds = [loaded.row.seed, *(seed for _, seed in turns)]
    return tuple(
        Earlier(until, seed.hex(), commitment(seed)) for (until, _), seed in zip(turns, seeds, strict=False)
    )


def fault_of(loaded: Loaded, log: list[ActionRow]) -> str | None:
    """What is wrong with a finished game: `seed`, `nonces`, `replay` or `position`; None where nothing is."""
    if commitment(loaded.row.seed) != loaded.row.commitment or loaded.row.reseed != reseeded(log):
        return "seed"
    if not all(map(as_told, loaded.seats)):
        return "nonces"
    try:
        history = record.fold(record_of(loaded, log))
    except RulesError:
        return "replay"
    same = loaded.engine.dump(history.state) == loaded.engine.dump(loaded.position)
    return None if same else "position"
