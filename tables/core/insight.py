"""What the rules say of one position: worked out when it is first asked for, and kept with the loaded table.

One action asks some ten times what a viewer sees, who acts and what a seat may draft. A position is a value,
so what was worked out of it still holds; views and the rest are values too: nobody changes them, and any
thread may ask.
"""

from __future__ import annotations

from engines.capabilities import Begun, Drafts
from engines.protocol import AnyEngine, Seat, Sight, State, View, Viewer
from engines.registry import engine


class Insight:
    """The rules' answers about one position of a game; without a position there are none."""

    def __init__(self, game: str, state: State | None) -> None:
        self.game, self.state = game, state
        self._views: dict[Viewer, View] = {}
        self._begun: dict[Seat, Begun | None] = {}
        self._acting: frozenset[Seat] | None = None

    @property
    def _asked(self) -> tuple[AnyEngine, State]:
        """Whom to ask about what."""
        if self.state is None:
            raise ValueError("no position, no insight")
        return engine(self.game), self.state

    @property
    def acting(self) -> frozenset[Seat]:
        """Seats that have to decide."""
        if self._acting is None:
            rules, state = self._asked
            self._acting = rules.to_act(state)
        return self._acting

    def view(self, viewer: Viewer) -> View:
        """What this viewer may know, without what a seat settled beside the log."""
        if (view := self._views.get(viewer)) is None:
            rules, state = self._asked
            known = next(iter(self._views.values()), None) if rules.one_view else None
            view = rules.view(state, viewer) if known is None else known.model_copy(update={"viewer": viewer})
            self._views[viewer] = view
        return view

    def sight(self, seat: Seat) -> Sight[View]:
        """What a seat sees, and whether it has to decide."""
        return Sight(self.view(seat), seat in self.acting)

    def begun(self, seat: Seat) -> Begun | None:
        """What a seat may draft; None where it drafts nothing."""
        if seat not in self._begun:
            rules, state = self._asked
            self._begun[seat] = rules.begun(state, seat) if isinstance(rules, Drafts) else None
        return self._begun[seat]

    def mark(self, seat: Seat) -> str:
        """Changes when what the seat may choose changes."""
        rules, state = self._asked
        return rules.choices_mark(state, seat, self.sight(seat))

    def forget(self) -> None:
        """It can all be worked out again."""
        self._views, self._begun, self._acting = {}, {}, None


NO_INSIGHT = Insight("", None)
"""Of a table without a position."""
