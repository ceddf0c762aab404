"""What is told of a whole log: folded here, filtered for its reader here, and only then let go.

Each task is a question of the archive: its parameters and its answer are JSON. A task holds full states and
the seed, so it runs in a process that neither draws nor thinks, and whoever asks has checked who may know.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from db.address import Where
from db.belongings import belongings
from db.errors import DatabaseError
from db.rows import ActionRow
from engines import record
from engines.capabilities import Deed, Reasons, Secrets, Statistics
from engines.chance import commitment
from engines.protocol import Event, Json, RulesError, Seat, State, Step, Viewer
from engines.record import Acted
from tables.core import milestones
from tables.core.errors import TableError
from tables.core.loaded import Loaded, as_told, record_of
from tables.core.milestones import Milestones, Stood
from tables.core.seating import as_drawn
from tables.core.soundness import STUMBLES, reseeded
from tables.reading.ledger import Written, written
from tables.reading.records import carried

T = TypeVar("T")
MOST_ASKED = 12  # actions of a bot, the newest first, that are looked at for one with a reason


class Folder:
    """Folds the logs of one database."""

    def __init__(self, path: Where) -> None:
        self._path = path
        self._kept = Milestones()
        self.tasks: dict[str, Callable[..., Json]] = {
            "moment": self.moment,
            "look": self.look,
            "chronicle": self.chronicle,
            "story": self.story,
            "record": self.record,
            "fault": self.fault,
            "statistics": self.statistics,
            "why": self.why,
            "about": self.about,
            "study": lambda data: list(carried(data)),
        }

    def moment(self, table_id: int, at: int | None, viewer: Viewer, user_id: int | None = None) -> Json:
        """What `viewer` saw after `at` entries, of how many; None: to the first that is new to the user."""
        table = self._written(table_id)
        last = len(table.log)
        when = unseen(table.loaded, table.log, user_id) if at is None else at
        if not 0 <= when <= last:
            raise table.loaded.refusal(RulesError("bad-ply", ply=when, most=last))
        log = table.log[:when]
        step = self._whole(
            table.loaded,
            lambda: milestones.after(table.loaded, milestones.stood(table.loaded, log), self._kept),
        )
        events = () if log and log[-1].undo is not None else step.events
        then = replace(table.loaded, state=step.state, events=events)
        return {
            "at": when,
            "last": last,
            "view": then.view(viewer).model_dump(mode="json"),
            "seen": seen(events, viewer),
        }

    def look(self, table_id: int, seat: Seat, viewer: Viewer) -> Json:
        """What `viewer` saw after a seat's own last action that stands, or at the start where it has none.

        After how many entries of the log that was, and the view.
        """
        table = self._written(table_id)

        def then() -> tuple[int, State]:
            stack = milestones.stood(table.loaded, table.log)
            own = max((place for place, one in enumerate(stack, 1) if one.row.seat == seat), default=0)
            step = milestones.after(table.loaded, stack[:own], self._kept)
            return (stack[own - 1].row.seq if own else 0), step.state

        entry, state = self._whole(table.loaded, then)
        return [entry, replace(table.loaded, state=state).view(viewer).model_dump(mode="json")]

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
        """How many entries a finished game has, what is wrong (`fault_of`), and its `earlier_seeds`."""
        table = self._written(table_id)
        self._over(table.loaded)
        return [len(table.log), fault_of(table), earlier_seeds(table)]

    def statistics(self, table_id: int) -> Json:
        """What a finished game is summed up in."""
        table = self._written(table_id)
        self._over(table.loaded)
        rules = table.loaded.engine
        if not isinstance(rules, Statistics):
            return []
        steps = list(walked(table.loaded, milestones.stood(table.loaded, table.log)))
        return [one.model_dump(mode="json") for one in rules.statistics(steps[0], steps[1:])]

    def why(self, table_id: int, viewer: Viewer) -> Json:
        """The seat of the newest action of an opponent that has a reason, its text and the reasons; or None.

        As `viewer` can know, after the end as the one who acted knew. A secret choice gives no reason yet:
        the one before it is told, so that nothing says that it was made.
        """
        table = self._written(table_id)
        return self._whole(table.loaded, lambda: reasoned(table, viewer, self._kept))

    def about(self, user_id: int) -> Json:
        """Everything that is kept about a person, as text of JSON."""
        found = belongings(self._path, user_id)
        if not found:
            raise TableError("nothing-stored")
        told = {"format": 1, "discord_id": str(user_id), **found}
        return json.dumps(told, ensure_ascii=False, indent=1, default=bytes.hex)  # bytes: a lost bit's

    def _written(self, table_id: int) -> Written:
        return written(self._path, table_id)

    def _over(self, loaded: Loaded) -> None:
        """Raises `not-over`: what is open to all comes of a game that has ended alone."""
        if loaded.row.status not in ("over", "cancelled"):
            raise loaded.refusal("not-over")

    def _whole(self, loaded: Loaded, work: Callable[[], T]) -> T:
        """What `work` finds in a log. Raises `broken` where it does not replay."""
        try:
            return work()
        except STUMBLES as error:
            raise loaded.refusal("broken") from error


def answered(folder: Folder, question: list[Any]) -> Json:
    """What a task answers, or what it refuses."""
    task, *given = question
    try:
        return {"found": folder.tasks[task](*given)}
    except TableError as error:
        refusal = {"code": error.code, "params": error.params, "rules": error.rules}
        return {"refused": {**refusal, "table": error.table, "game": error.game}}
    except RulesError as error:
        return {"rules": {"code": error.code, "params": error.params}}
    except DatabaseError as error:
        return {"storage": error.code}


def unseen(loaded: Loaded, log: list[ActionRow], user_id: int | None) -> int:
    """The first entry after this user's own last one; the last one of all for who has no seat (any more)."""
    if loaded.seat_of(user_id) is None:
        return len(log)
    own = [number for number, entry in enumerate(log, 1) if entry.user_id == user_id]
    return min(max(own, default=0) + 1, len(log))


def walked(loaded: Loaded, stack: list[Stood]) -> Iterator[Step[State]]:
    """The start, then one step for each action that stands."""
    step = record.start(record_of(loaded, []))
    yield step
    for one in stack:
        step = milestones.done(loaded, step, one)
        yield step


def reasoned(table: Written, viewer: Viewer, kept: Milestones) -> Json:
    """What `Folder.why` answers."""
    loaded, rules = table.loaded, table.loaded.engine
    if not isinstance(rules, Reasons):
        return None
    stack = milestones.stood(loaded, table.log)
    of_bots = [place for place, one in enumerate(stack) if by_bot(loaded, one)]
    for place in reversed(of_bots[-MOST_ASKED:]):
        seat, number = stack[place].row.seat, stack[place].row.seq
        before = milestones.after(loaded, stack[:place], kept)
        after = milestones.done(loaded, before, stack[place])
        eye = seat if loaded.row.status == "over" else viewer
        open_ = eye == seat or not (isinstance(rules, Secrets) and rules.secrets(before.state))
        action = rules.parse(json.loads(stack[place].row.action or "null"), before.state, seat or 0)
        text = rules.format(action) if open_ else None
        views = [replace(loaded, state=step.state).view(eye) for step in (before, after)]
        told = tuple(event.seen_by(eye) for event in after.events)
        found = rules.reasons(Deed(seat or 0, views[0], views[1], told, text))
        if found:
            return [number, seat, text, [one.model_dump(mode="json") for one in found]]
    return None


def by_bot(loaded: Loaded, one: Stood) -> bool:
    """Whether the bot acted, on a seat that it has now."""
    seat = one.row.seat
    return seat is not None and one.row.user_id is None and loaded.seats[seat].level is not None


def happened(table: Written) -> Iterator[Json]:
    """What stands, as everybody may know it."""
    stack = milestones.stood(table.loaded, table.log)
    steps = walked(table.loaded, stack)
    yield [0, None, seen(next(steps).events, None)]
    for one, step in zip(stack, steps, strict=True):
        yield [one.row.seq, one.row.at, seen(step.events, None)]


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
    """What is wrong with a finished game: `seed`, `nonces`, `seating`, `replay`, `position`, or nothing."""
    loaded = table.loaded
    row = loaded.row
    if commitment(row.seed) != row.commitment or row.reseed != reseeded(table.log):
        return "seed"
    if not all(map(as_told, loaded.seats)):
        return "nonces"
    if not as_drawn(loaded):
        return "seating"
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


def earlier_seeds(table: Written) -> Json:
    """Until which entry each seed but the last was drawn from, the seed, and its commitment, in order."""
    turns = [(entry.seq, entry.seed) for entry in table.log if entry.seed is not None]
    seeds = [table.loaded.row.seed, *(seed for _, seed in turns)]
    return [[until, seed.hex(), commitment(seed)] for (until, _), seed in zip(turns, seeds, strict=False)]


def seen(events: tuple[Event, ...], viewer: Viewer) -> list[Any]:
    """Events as this viewer may know them."""
    return [event.seen_by(viewer).model_dump(mode="json") for event in events]
