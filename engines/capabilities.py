"""What only some games have: an engine takes a capability as a base, a caller asks `isinstance`.

Secrets     seats know what others do not: hands by DM and `/hand`
Drafts      an action grows at the table before it is sent
Orders      drafts that the table carries out by itself when they are due
Repeats     drafts that may be laid as they were sent the round before
Aids        a seat settles in secret how the table answers for it
OutOfTurn   a seat that need not act has choices too
Chapters    the public follows several actions in one message
Counting    perft: where a line ends, a fast way of the game's own
Sampling    the legal actions are too many to list, so a random one is made up
Statistics  a finished game is summed up
Foresight   what would follow from an action, as far as who looks can know
Spoken      an action said in words, in place of its notation
Reasons     what the built-in opponent's action was for, as far as who asks can know
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic

from engines.chance import Chance
from engines.protocol import A, Engine, OptionsT, S, V
from engines.values import Json, Seat, Seen, Sight, Step, Value


class Secrets(Engine[OptionsT, S, A, V]):
    """A game whose seats hold secrets; a base in place of `Engine`."""

    hushed: ClassVar[frozenset[str]] = frozenset()  # events of a secret choice: told in a line, no board

    def secrets(self, state: S) -> bool:
        """Whether seats hold secrets in this state, so that their own sheets are sent to them."""
        return True

    def hides(self, options: OptionsT) -> bool:
        """Whether seats ever hold secrets with these options, so that a hand is worth a button."""
        return True

    def hand_changed(
        self, before: S, after: S, seat: Seat, sights: tuple[Sight[V], Sight[V]] | None = None
    ) -> bool:
        """Whether the seat's hand is to be sent anew: it sees something else, or came to act or to wait.

        `sights`: the seat's own before and after, from who has them already.
        """
        was, now = sights or (self.sight(before, seat), self.sight(after, seat))
        return was != now


class Begun(Value):
    """What a seat may draft now, an action that grows before it is sent.

    round  names the occasion: a draft made for another one is dropped
    text   the draft that it begins with, canonical: empty, or what the seat has sent already
    asks   False where nobody waits for it: orders that a seat may leave, or not
    waits  whether such orders may wait for others; False where all of them are done at once
    """

    round: str
    text: str
    asks: bool = True
    waits: bool = True


class Edit(Value):
    """What a text made of a draft: the draft now, and the action to carry out at once where it is sent.

    doubtful  whether sending it should be asked about once more: something in it may not work
    lacking   what of the round before could not be laid again; codes are message ids below `<game>.lacking.`
    """

    draft: str
    send: str | None = None
    doubtful: bool = False
    lacking: tuple[Seen, ...] = ()


class Drafts(ABC, Generic[S]):
    """Secret choices that grow at the table until they are sent."""

    @abstractmethod
    def begun(self, state: S, seat: Seat) -> Begun | None:
        """What the seat may draft now; None where its actions are done at once."""

    @abstractmethod
    def edit(self, state: S, seat: Seat, draft: str, text: str) -> Edit | None:
        """What `text` makes of the seat's draft; None where it is an action as ever.

        Raises RulesError for an edit that is refused, and for sending a draft that is not complete.
        """

    @abstractmethod
    def complete_draft(self, text: str, state: S, seat: Seat, draft: str) -> list[str]:
        """Completions for a seat that has a draft: whole texts of at most 100 characters, best first."""


SEPARATOR = "; "  # between the actions of orders


class Orders(Drafts[S]):
    """Drafts that are orders: the table carries them out when they are due.

    Their text is actions, with `SEPARATOR` between them.
    """

    @abstractmethod
    def orders(self, text: str) -> bool:
        """Whether a text leaves orders or withdraws them; any other is an action."""

    @abstractmethod
    def due(self, state: S, seat: Seat, draft: str) -> Edit | None:
        """What the orders in a seat's draft do now: the action to `send` and the orders that are left.

        None where they wait; without an action where the next one has become impossible.
        """


class Repeats(Drafts[S]):
    """Drafts that may be laid as they were sent the round before.

    What that was stands in the log, so a position need not remember it.
    """

    @abstractmethod
    def repeats(self, text: str) -> bool:
        """Whether this text, typed or pressed, asks for it."""

    @abstractmethod
    def repeat(self, state: S, seat: Seat, draft: str, done: Sequence[tuple[Seat, Json]]) -> Edit:
        """The draft with what the seat sent in the round before, as far as it may still be laid.

        `done`: the actions that stand, as JSON, the oldest first. Of others nothing may be used that the
        seat does not know. Raises RulesError where there is nothing to lay.
        """


class Aids(ABC, Generic[S, A]):
    """Actions by which a seat settles in secret how a question to it is answered.

    They change nothing that anybody else can see, do or time, so the table keeps them beside the log:
    they are no entries, no turns and no news.
    """

    @abstractmethod
    def aid(self, state: S, action: A, seat: Seat, kept: str | None) -> str | None:
        """What is settled with the action, as the table keeps it; None where it is an action of the game.

        `kept`: what the seat had settled before.
        """

    @abstractmethod
    def aided(self, state: S, seat: Seat, aid: str) -> S:
        """The state as this seat is to see it: with what it settled."""

    @abstractmethod
    def answer(self, state: S, seat: Seat, aid: str) -> str | None:
        """The action by which the table answers for the seat now; None where nothing is asked of it."""

    def settled_still(self, state: S, seat: Seat, aid: str) -> str:
        """What is left of it after an action of anybody's: what it was meant for may have changed."""
        return aid


class OutOfTurn:
    """A seat that need not act has choices too: to take back, to give up, to leave orders.

    Its panel opens and its moves are completed while others act. Nothing to implement.
    """


class Chapters(ABC, Generic[S]):
    """What the public follows in one message, such as a battle."""

    @abstractmethod
    def chapter(self, state: S) -> str | None:
        """Names what is going on while its boards are one message; None for a board a step."""

    @abstractmethod
    def recap(self, told: Sequence[Seen]) -> tuple[Seen, ...]:
        """What a chapter that has ended is summed up in, from all its public events.

        Codes are message ids below `<game>.recap.`.
        """


class Counting(Generic[S]):
    """Perft (`engines.perft`) that ends where a round ends, or counts in a fast way."""

    line_ends: ClassVar[frozenset[str]] = frozenset()  # event codes that end a line, beside the game's end

    def perft(self, state: S, depth: int) -> tuple[int, ...] | None:
        """Lines of exactly 1..depth actions by a fast way of the game's own; None without one."""
        return None


class Sampling(ABC, Generic[S, A]):
    """Legal actions that are too many to list (`Legal.complete` is False)."""

    @abstractmethod
    def random_action(self, state: S, seat: Seat, chance: Chance) -> A:
        """A random legal action of a seat that has to act."""


class Statistics(ABC, Generic[S]):
    """A finished game summed up."""

    @abstractmethod
    def statistics(self, start: Step[S], plies: Sequence[Step[S]]) -> tuple[Seen, ...]:
        """From its start and its standing actions; public, as the game is over.

        Codes are message ids below `<game>.statistics.`.
        """


class Foresight(ABC, Generic[V]):
    """What would follow from an action, worked out from a view: it cannot know more than who looks."""

    @abstractmethod
    def foresee(self, view: V, action: str, *, odds: bool) -> tuple[Seen, ...]:
        """Of a legal action of the viewer, canonical text; () where nothing is worth a word.

        Certain consequences; with `odds` also chances and threats. Codes are message ids below
        `<game>.foresight.`. A viewer of None foresees nothing.
        """


class Spoken(ABC, Generic[V]):
    """An action in words, to who does it: worked out from that seat's view, so it tells nothing more."""

    @abstractmethod
    def spoken(self, view: V, action: str) -> tuple[Seen, ...]:
        """The phrases that say a legal action, canonical text, before it is done; () for none.

        Codes are message ids below `<game>.action.`; the phrases are joined by the frame, which adds the
        full stop or the question mark.
        """


@dataclass(frozen=True)
class Deed(Generic[V]):
    """An action as one viewer knows it: the seat that did it, a player, or the public.

    seat    that acted
    before  what the viewer saw before it, and `after` it
    told    its events as the viewer may know them
    action  canonical text; None where the viewer may not know it: it is a secret of the seat's
    """

    seat: Seat
    before: V
    after: V
    told: tuple[Seen, ...]
    action: str | None


class Reasons(ABC, Generic[V]):
    """The built-in opponent says what an action was for.

    It is worked out anew from what a viewer knows: while the game is on from what everybody, or who asks, may
    know, never from the opponent's own view; so it can give nothing away. After the end from the seat's own.
    """

    @abstractmethod
    def reasons(self, deed: Deed[V]) -> tuple[Seen, ...]:
        """The weightiest reason first, three at most; () where this viewer can see none.

        Codes are message ids below `<game>.why.`.
        """


def random_action(engine: Engine[OptionsT, S, A, V], state: S, seat: Seat, chance: Chance) -> A:
    """A random legal action: one of those that the game lists, or one that it makes up."""
    if isinstance(engine, Sampling):
        made: A = engine.random_action(state, seat, chance)
        return made
    return engine.parse(chance.pick(engine.legal(state, seat).actions), state, seat)
