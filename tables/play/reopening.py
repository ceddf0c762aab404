"""The undo of the action that ended a game: by consent of all others, until a rematch has begun.

With the end the seed was posted and every record opened. So what follows draws from a fresh seed, whose
commitment is told at once, and a game in which somebody still holds a secret is over for good.
"""

from __future__ import annotations

from db.repositories import results, tables
from engines.capabilities import Secrets
from engines.protocol import Seat, State
from tables.core.errors import TableError
from tables.core.house import House
from tables.core.loaded import Loaded


def ended_by_action(loaded: Loaded) -> bool:
    """Whether the game is over by what a seat did; not by agreement, a clock, a moderator, nor a study."""
    row = loaded.row
    if row.status != "over" or row.study or loaded.state is None:
        return False
    return loaded.engine.result(loaded.state) is not None


async def possible(house: House, loaded: Loaded, seat: Seat, state: State) -> None:
    """Whether the game may be taken up again in this state.

    Raises `rematch-began`, `over`, `ended-secrets` where the state holds secrets that everybody may know
    by now, and `not-all-here` where somebody who would have to agree, or to play on, is not there.
    """
    row = loaded.row
    following = None if row.rematch_id is None else await tables.get(house.database.reads, row.rematch_id)
    if following is not None and following.started_at is not None:
        raise TableError("rematch-began", table=row.id, game=row.game, rematch=following.id)
    counted = await results.of_table(house.database.reads, row.id)
    if any(one.rated and one.mu_after is None for one in counted):  # it ended before that was written down
        raise TableError("over", table=row.id, game=row.game)
    if isinstance(loaded.engine, Secrets) and loaded.engine.secrets(state):
        raise TableError("ended-secrets", table=row.id, game=row.game)
    if any(s.seat != seat and (s.gone or (s.user_id is None and s.level is None)) for s in loaded.seats):
        raise TableError("not-all-here", table=row.id, game=row.game)
