"""What stands at a table, read from its end: what an undo needs of the log, and the state before it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from db.repositories import actions
from db.rows import ActionRow
from engines.protocol import State
from tables.core import milestones, trails
from tables.core.house import House
from tables.core.loaded import Loaded
from tables.core.milestones import EVERY, Stood
from tables.core.soundness import STUMBLES
from tables.core.trails import Trail


@dataclass
class Past:
    """A table's log as far as it stands. The caller holds the table's lock."""

    house: House
    loaded: Loaded
    trail: Trail

    async def since(self, place: int) -> list[ActionRow]:
        """What stands after the first `place` actions. Raises `broken` where some of it is gone."""
        wanted = self.trail.seqs[place:]
        if not wanted:
            return []
        rows = await actions.some(self.house.database.reads, self.loaded.row.id, wanted)
        if len(rows) != len(wanted):
            raise self.house.broken(self.loaded)
        return rows

    async def before(self, count: int) -> State:
        """The state before the last `count` actions. Raises `broken` where the log tells otherwise."""
        place = len(self.trail) - count
        begin, text = milestones.nearest(self.trail.keys, place, self.house.milestones)
        rows = await self.since(begin)
        return await self.house.aside.run(self._replayed, begin, text, rows, place)

    def _replayed(self, begin: int, text: str | None, rows: Sequence[ActionRow], place: int) -> State:
        """From a state that was kept on: the state at a place, if what follows leads to the table's."""
        loaded, trail, kept = self.loaded, self.trail, self.house.milestones
        rules = loaded.engine
        try:
            step = milestones.begun(loaded, text)
            found = step.state
            for at, row in enumerate(rows, begin + 1):
                step = milestones.done(loaded, step, Stood(row, trail.seeds[at - 1]))
                if at <= place:
                    found = step.state
                    if at % EVERY == 0:
                        kept.keep(trail.keys[at], rules.dump(step.state))
        except STUMBLES as error:
            raise self.house.broken(loaded) from error
        if rules.dump(step.state) != rules.dump(loaded.position):
            raise self.house.broken(loaded)
        return found


async def recall(house: House, loaded: Loaded) -> Past:
    """What stands at a table: what is known of it, and what was written since. Raises `broken`."""
    number = loaded.row.id
    trail = house.trails.get(number)
    if trail is None or trail.read > loaded.row.entries or trail.keys[0] != milestones.first_digest(loaded):
        trail = trails.begun(loaded)
    rows = await actions.log(house.database.reads, number, trail.read)
    house.trails.drop(number)  # it is half read until its end
    try:
        await asyncio.to_thread(trail.go_on, rows)
    except STUMBLES as error:
        raise house.broken(loaded) from error
    if trail.read != loaded.row.entries:
        raise house.broken(loaded)
    house.trails.keep(number, trail)
    return Past(house, loaded, trail)
