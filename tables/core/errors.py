"""What a table refuses: stable codes with parameters, made into words by the cogs."""

from __future__ import annotations

from engines.protocol import Json, RulesError


class TableError(Exception):
    """A request that the table or the rules refuse.

    code    `no-table`, `stale`, `not-your-turn`, ...; with `rules`, a code of the game's engine
    params  for the words; with `rules`, `legal` holds up to 25 legal actions as text
    table   the number of the table, where there is one
    game    its game, where the code may be the game's own
    """

    def __init__(
        self,
        code: str,
        *,
        table: int | None = None,
        game: str | None = None,
        rules: bool = False,
        **params: Json,
    ) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params
        self.table = table
        self.game = game
        self.rules = rules


def not_played(status: str, *, begun: bool) -> str:
    """The code of a request that wants a running game, where none is running."""
    if status == "open":
        return "not-running"
    return "over" if begun else "never-begun"


def refused(
    error: RulesError, table: int | None = None, game: str | None = None, legal: list[str] | None = None
) -> TableError:
    """The engine's refusal as the table's, with what is legal now."""
    params = {**error.params, **({} if legal is None else {"legal": legal})}
    made = TableError(error.code, table=table, game=game, rules=True)
    made.params = params
    return made
