"""What may be done on the board now: targets, amounts, costs and yields, from public knowledge alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from engines.protocol import Seat
from engines.shogun.data import (
    CHESTS,
    COST,
    RECRUITS,
    RICE,
    SPACES,
    SPECIALS,
    event_is,
    neighbours,
)
from engines.shogun.model import (
    Battle,
    Board,
    ChooseSpecial,
    Draft,
    DraftCard,
    DraftView,
    Move,
    Place,
    Redraw,
    Revolts,
    Stay,
)


def attackable(board: Board, seat: Seat, name: str) -> bool:
    """Whether a province may be entered on a battle card: the temple event shields others' temples (B4)."""
    province = board.provinces[name]
    if province.owner == seat:
        return True
    return not (event_is(board.event, "temple_peace") and province.temple)


def battle_targets(board: Board, seat: Seat, source: str) -> tuple[str, ...]:
    """Where armies may go from `source` on a battle card (A5); () with a single army there."""
    if board.provinces[source].armies < 2:
        return ()
    near = (name for name in neighbours(source) if name in board.provinces)
    return tuple(name for name in near if attackable(board, seat, name))


def move_targets(board: Board, seat: Seat, source: str) -> tuple[str, ...]:
    """Own neighbours of `source`, where armies may go after `recruit1_move` (A4)."""
    if board.provinces[source].armies < 2:
        return ()
    near = (name for name in neighbours(source) if name in board.provinces)
    return tuple(name for name in near if board.provinces[name].owner == seat)


def battle_actions(board: Board, seat: Seat, source: str) -> Iterator[Battle | Stay]:
    """Every way to carry out a battle card laid on `source` (A6; Ruling: forced battles)."""
    targets = battle_targets(board, seat, source)
    for target in targets:
        for armies in range(1, board.provinces[source].armies):
            yield Battle(to=target, armies=armies)
    if targets and not board.options.forced_battles:
        yield Stay()


def move_actions(board: Board, seat: Seat, source: str) -> Iterator[Move | Stay]:
    """Every way to move after `recruit1_move`; staying is one."""
    for target in move_targets(board, seat, source):
        for armies in range(1, board.provinces[source].armies):
            yield Move(to=target, armies=armies)
    yield Stay()


def special_actions(taken: set[str | None], specials: tuple[str, ...]) -> Iterator[ChooseSpecial]:
    """The special cards that are free, in the order of the cards."""
    for special in SPECIALS:
        if special in specials and special not in taken:
            yield ChooseSpecial(special=special)


def revolt_actions(drawn: tuple[str, ...]) -> Iterator[Revolts]:
    """Every order in which the drawn provinces can revolt (W3)."""
    for order in permutations(drawn):
        yield Revolts(provinces=order)


def draft_actions(draft: Draft | DraftView, seat: Seat) -> Iterator[DraftCard | Place | Redraw]:
    """Every way to go on drafting."""
    sizes = tuple(dict.fromkeys(draft.groups[seat]))
    if draft.drawn is not None:
        for size in sizes:
            yield Place(armies=size)
        return
    for card in draft.open:
        for size in sizes:
            yield DraftCard(card=card, armies=size)
    if undrafted(draft):
        yield DraftCard(card=None)
        if may_redraw(draft, seat):
            yield Redraw()


def undrafted(draft: Draft | DraftView) -> int:
    """Cards left in the draft pile."""
    return len(draft.undrafted if isinstance(draft, DraftView) else draft.pile)


def may_redraw(draft: Draft | DraftView, seat: Seat) -> bool:
    """Whether the same two cards lie open as when the seat drafted last (U6)."""
    seen = draft.seen[seat]
    return seen is not None and draft.drawn is None and set(seen) == set(draft.open) and undrafted(draft) > 0


# -- what an action gives, the event first and then the special card (A9) --------------------


def tax_of(name: str, event: str | None, special: str | None) -> int:
    """Chests that taxing a province gains (A10, A11)."""
    chests = CHESTS[name]
    if event_is(event, "tax_max_5"):
        chests = min(chests, 5)
    if event_is(event, "tax_min_6"):
        chests = max(chests, 6)
    return chests + (special == "tax+1")


def rice_of(name: str, event: str | None, special: str | None) -> int:
    """Rice that a province gives (A10, A11)."""
    rice = RICE[name]
    if event_is(event, "rice_min_4"):
        rice = max(rice, 4)
    if event_is(event, "rice_max_3"):
        rice = min(rice, 3)
    return rice + (special == "rice+1")


def recruits_of(action: str, event: str | None, special: str | None) -> int:
    """Armies that a recruiting action places (A10, A11)."""
    if action == "recruit5" and special == "recruit6":
        return 6
    if event_is(event, "recruit_reduced"):
        return {"recruit5": 3, "recruit3": 2}.get(action, RECRUITS[action])
    return RECRUITS[action]


def farmers_of_neutral(event: str | None) -> int:
    """Farmers that defend a neutral province (B3)."""
    return 2 if event_is(event, "neutral_two_farmers") else 1


def no_building(board: Board, name: str, building: str, chests: int, stock: int) -> str | None:
    """Why nothing can be built there: None if it can (A3, U3)."""
    province = board.provinces[name]
    if chests < COST[building]:
        return "too-few-chests"
    if getattr(province, building):
        return "already-built"
    if province.buildings >= SPACES[name]:
        return "no-space"
    return None if stock else "none-left"
