"""States on the way of tables' logs: every so many standing actions one is kept, as many as a bound allows.

What an undo or a replay asks for is then a few actions away. A state is found by a digest of all that led to
it, so that a mended log, or another table under the same number, never meets a state that is not its own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from threading import Lock
from typing import NamedTuple

from db.rows import ActionRow
from engines import record
from engines.chance import Chance, mixed
from engines.protocol import RulesError, State, Step
from engines.record import Acted
from tables.core.loaded import Loaded, added_by, entry_of, record_of

EVERY = 16  # standing actions: the dearest of them take some 5 ms each, and a state is read in one
MOST = 4_000_000  # characters of states, as they are stored


class Milestones:
    """States as text, by what led to them; the one that was not used for longest is the first to go."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[bytes, str] = OrderedDict()
        self._lock = Lock()  # threads ask
        self.size = 0

    def get(self, key: bytes) -> str | None:
        """A state, if it is there."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: bytes, state: str) -> None:
        """Keeps a state."""
        with self._lock:
            self.size += len(state) - len(self._kept.pop(key, ""))
            self._kept[key] = state
            while self.size > self._most:
                self.size -= len(self._kept.popitem(last=False)[1])


class Stood(NamedTuple):
    """An action that stands, and the seed that it drew from."""

    row: ActionRow
    seed: bytes


def stood(loaded: Loaded, log: Sequence[ActionRow]) -> list[Stood]:
    """The actions of a log that were not taken back. Raises ValueError for an undo of more."""
    stack, seed = list[Stood](), loaded.row.seed
    for row in log:
        if row.undo is None:
            stack.append(Stood(row, seed))
            continue
        if row.undo > len(stack):
            raise ValueError(f"entry {row.seq} takes back more than stands")
        del stack[len(stack) - row.undo :]
        seed = row.seed or seed
    return stack


def after(loaded: Loaded, stack: Sequence[Stood], kept: Milestones) -> Step[State]:
    """The state after these standing actions of the table's log, and the events of the last of them.

    What was taken back in between has no part in it: an action's chance comes from its own number and seed.
    Raises RulesError `does-not-replay`, ValueError for an entry that cannot be read.
    """
    rules, keys = loaded.engine, digests(loaded, stack)
    begin, text = nearest(keys, max(len(stack) - 1, 0), kept)
    step = begun(loaded, text)
    for place, one in enumerate(stack[begin:], begin + 1):
        step = done(loaded, step, one)
        if place % EVERY == 0:
            kept.keep(keys[place], rules.dump(step.state))
    return step


def nearest(keys: Sequence[bytes], most: int, kept: Milestones) -> tuple[int, str | None]:
    """The last place, of `most` at most, whose state is kept, and the state; else the start, without."""
    for place in range(most // EVERY * EVERY, 0, -EVERY):
        if (text := kept.get(keys[place])) is not None:
            return place, text
    return 0, None


def begun(loaded: Loaded, text: str | None) -> Step[State]:
    """A state that was kept, or without one the start."""
    if text is None:
        return record.start(record_of(loaded, []))
    return Step[State](loaded.engine.load(text), ())


def done(loaded: Loaded, before: Step[State], one: Stood) -> Step[State]:
    """One standing action more. Raises what `after` raises."""
    rules, entry, number = loaded.engine, entry_of(one.row), one.row.seq
    if not isinstance(entry, Acted):
        raise ValueError(f"entry {number} is no action")  # noqa: TRY004 - of the log, not of a caller
    try:
        if not 0 <= entry.seat < len(loaded.seats):
            raise RulesError("bad-seat", seat=entry.seat, seats=len(loaded.seats))  # noqa: TRY301
        action = rules.parse(entry.action, before.state, entry.seat)
        return rules.apply(
            before.state, entry.seat, action, Chance(mixed(one.seed, added_by(loaded.seats)), number)
        )
    except RulesError as error:
        raise RulesError("does-not-replay", ply=number, error=error.code, params=error.params) from None


def digests(loaded: Loaded, stack: Sequence[Stood]) -> list[bytes]:
    """One for the start, then one after each action: of everything that led there."""
    found = [first_digest(loaded)]
    for one in stack:
        found.append(next_digest(found[-1], one))
    return found


def next_digest(before: bytes, one: Stood) -> bytes:
    """Of everything that led to the place after one more action."""
    what = repr((one.row.seq, one.row.seat, one.row.action, one.seed)).encode("utf-8", "replace")
    return blake2b(what, key=before, digest_size=16).digest()


def first_digest(loaded: Loaded) -> bytes:
    """Of everything that the start depends on."""
    row = loaded.row
    start = (
        row.id,
        row.game,
        row.rules,
        row.options,
        row.position,
        row.seed,
        len(loaded.seats),
        added_by(loaded.seats),
    )
    return blake2b(repr(start).encode("utf-8", "replace"), digest_size=16).digest()
