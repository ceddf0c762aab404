"""The built-in opponents: one entry a game, each plays on its own view alone."""

from __future__ import annotations

from typing import Literal, Protocol, cast

from engines.chance import Chance
from engines.protocol import RulesError, View, printable
from engines.registry import GAMES, part

Level = Literal["easy", "normal", "hard"]


class Opponent(Protocol):
    """`engines/<game>/opponent.py` exports `LEVELS` and `choose`."""

    LEVELS: tuple[Level, ...]

    def choose(self, view: View, level: Level, chance: Chance) -> str:
        """The action in canonical notation for the seat `view.viewer`, which has to act.

        A fixed node budget for each level: the same answer on every machine. It may resign what is lost
        whatever it does.
        """


def opponent(game: str) -> Opponent:
    """The opponent of this game. Raises RulesError `no-opponent` where it has none.

    A fault inside its module is no missing opponent: it is raised as it is.
    """
    module = part(game, "opponent") if game in GAMES else None
    if module is None:
        raise RulesError("no-opponent", game=printable(game))
    return cast(Opponent, module)


def accepts_draw(game: str, view: View) -> bool:
    """Whether the opponent agrees to a draw that is offered to the seat `view.viewer`, at a glance.

    By its module's own `accepts_draw`, from its seat's view alone; without one it plays on.
    """
    judge = getattr(opponent(game), "accepts_draw", None)
    return bool(judge is not None and judge(view))
