"""What is told of a whole log: folded here, filtered for its reader here, and only then let go.

Each task is a question of the archive: its parameters and its answer are JSON. A task holds full states and
the seed, so it runs in a process that neither draws nor thinks, and whoever asks has checked who may know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from db.rows import ActionRow
from engines import record
from engines.chance import commitment
from engines.protocol import Event, Json, RulesError, Step, Viewer
from engines.record import Acted
from tables.core import milestones
from tables.core.errors import TableError, refused
from tables.core.loaded import Loaded, record_of, standing
from tables.core.milestones import Milestones
from tables.core.soundness import STUMBLES
from tables.reading.ledger import Written, written
from tables.reading.records import carried

T = TypeVar("T")


class Folder:
    """Folds the logs of one database."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._kept = Milestones()
        self.tasks: dict[str, Callable[..., Json]] = {
            "moment": self.moment,
            "chronicle": self.chronicle,
            "story": self.story,
            "record": self.record,
            "fault": self.fault,
            "statistics": self.statistics,
            "study": lambda data: list(carried(data)),
        }

    def moment(self, table_id: int, at: int | None, viewer: Viewer) -> Json:
        """What `viewer` saw after `at` entries (None: all): how many those are, of how many."""
        table = self._written(table_id)
        last = len(table.log)
        when = last if at is None else at
        if not 0 <= when <= last:
            game = table.loaded.row.game
            raise refused(RulesError("bad-ply", ply=when, most=last), table_id, game)
        log = table.log[:when]
        step = self._whole(table.loaded, lambda: milestones.after(table.loaded, standing(log), self._kept))
        events = () if log and log[-1].undo is not None else step.events
        then = replace(table.loaded, state=step.state, events=events)
        return {
            "at": when,
            "last": last,
            "view": then.view(viewer).model_dump(mode="json"),
            "seen": seen(events, viewer),
        }

    def chronicle(self, table_id: int) -> Json:
        """Number, time and public events of what stands, the start first."""
        table = self._written(table_id)
        return self._whole(table.loaded, lambda: list(happened(table)))

    def story(self, table_id: int, viewer: Viewer, open_book: bool) -> Json:
        """Every entry as this viewer may know it: number, seat, action, undo, events."""
        table = self._written(table_id)
        return self._whole(table.loaded, lambda: list(tell(table, viewer, open_book)))

    def record(self, table_id: int) -> Json:
        """The record of a game that is over, seed included."""
        table = self._written(table_id)
        self._over(table.loaded)
        return self._whole(table.loaded, lambda: record_of(table.loaded, table.log).json_value())

    def fault(self, table_id: int) -> Json:
        """What is wrong with a finished game, `seed`, `replay` or `position`, and how many entries it has."""
        table = self._written(table_id)
        return [len(table.log), fault_of(table)]

    def statistics(self, table_id: int) -> Json:
        """What a finished game is summed up in."""
        table = self._written(table_id)
        self._over(table.loaded)
        steps = list(walked(table.loaded, standing(table.log)))
        found = table.loaded.engine.statistics(steps[0], steps[1:])
        return [one.model_dump(mode="json") for one in found]

    def _written(self, table_id: int) -> Written:
        return written(self._path, table_id)

    def _over(self, loaded: Loaded) -> None:
        """Raises `not-over`: what is open to all comes of a game that has ended alone."""
        if loaded.row.status not in ("over", "cancelled"):
            raise TableError("not-over", table=loaded.row.id, game=loaded.row.game)

    def _whole(self, loaded: Loaded, work: Callable[[], T]) -> T:
        """What `work` finds in a log. Raises `broken` where it does not replay."""
        try:
            return work()
        except STUMBLES as error:
            raise TableError("broken", table=loaded.row.id, game=loaded.row.game) from error


def walked(loaded: Loaded, stack: list[ActionRow]) -> Iterator[Step]:
    """The start, then one step for each action that stands."""
    step = record.start(record_of(loaded, []))
    yield step
    for row in stack:
        step = milestones.done(loaded, step, row)
        yield step


def happened(table: Written) -> Iterator[Json]:
    """What stands, as everybody may know it."""
    stack = standing(table.log)
    steps = walked(table.loaded, stack)
    yield [0, None, seen(next(steps).events, None)]
    for row, step in zip(stack, steps, strict=True):
        yield [row.seq, row.at, seen(step.events, None)]


def tell(table: Written, viewer: Viewer, open_book: bool) -> Iterator[Json]:
    """The entries as this viewer may know them."""
    rules, whole = table.loaded.engine, record_of(table.loaded, table.log)
    start = record.start(whole)
    before = start.state
    for ply in record.plies(whole, start):
        events, entry = seen(ply.events, viewer), ply.entry
        if isinstance(entry, Acted):
            known = open_book or entry.seat == viewer
            text = rules.format(rules.parse(entry.action, before, entry.seat)) if known else None
            yield [ply.number, entry.seat, text, None, events]
        else:
            yield [ply.number, None, None, entry.undo, events]
        before = ply.state


def fault_of(table: Written) -> str | None:
    """What is wrong with a finished game; None where nothing is."""
    loaded = table.loaded
    if commitment(loaded.row.seed) != loaded.row.commitment:
        return "seed"
    try:
        whole = record_of(loaded, table.log)
        start = record.start(whole)
        state = start.state
        for ply in record.plies(whole, start):
            state = ply.state
    except STUMBLES:
        return "replay"
    if table.snapshot is None:
        return "position"
    same = loaded.engine.dump(state) == loaded.engine.dump(loaded.engine.load(table.snapshot.state))
    return None if same else "position"


def seen(events: tuple[Event, ...], viewer: Viewer) -> list[Any]:
    """Events as this viewer may know them."""
    return [event.seen_by(viewer).model_dump(mode="json") for event in events]
