"""What the rules say of one position: worked out when it is first asked for, and kept with the loaded table.

One action asks some ten times what a viewer sees, who acts and what a seat may draft. A position is a value,
so what was worked out of it still holds; views and the rest are values too: nobody changes them, and any
thread may ask.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from engines.capabilities import Begun, Drafts, Foresight
from engines.protocol import AnyEngine, Prompt, Ready, Seat, Seen, Sight, State, View, Viewer
from engines.registry import engine

STEPS = 16  # of panels that are kept: a thumb goes forth and back, and confirms where it came to


class Insight:
    """The rules' answers about one position of a game; without a position there are none."""

    def __init__(self, game: str, state: State | None) -> None:
        self.game, self.state = game, state
        self._views: dict[Viewer, View] = {}
        self._begun: dict[Seat, Begun | None] = {}
        self._acting: frozenset[Seat] | None = None
        self._step: Callable[[Seat, tuple[str, ...]], Prompt | Ready] | None = None
        self._ahead: dict[Viewer, tuple[View, str, bool, tuple[Seen, ...]]] = {}

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

    def step(self, seat: Seat, path: tuple[str, ...]) -> Prompt | Ready:
        """A step of a seat's panel. Raises what `choices` of the rules does."""
        if self._step is None:
            rules, state = self._asked
            self._step = lru_cache(STEPS)(partial(rules.choices, state))
        return self._step(seat, path)

    def foreseen(self, view: View, action: str, *, odds: bool) -> tuple[Seen, ...]:
        """What would follow from an action of who has this view; the last answer to each is kept."""
        kept = self._ahead.get(view.viewer)
        if kept is not None and kept[0] is view and kept[1:3] == (action, odds):
            return kept[3]
        rules, _ = self._asked
        seen = rules.foresee(view, action, odds=odds) if isinstance(rules, Foresight) else ()
        self._ahead[view.viewer] = view, action, odds, seen
        return seen

    def mark(self, seat: Seat) -> str:
        """Changes when what the seat may choose changes."""
        rules, state = self._asked
        return rules.choices_mark(state, seat, self.sight(seat))

    def forget(self) -> None:
        """It can all be worked out again."""
        self._views, self._begun, self._acting, self._step, self._ahead = {}, {}, None, None, {}


NO_INSIGHT = Insight("", None)
"""Of a table without a position."""
