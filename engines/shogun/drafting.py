"""Set-up: the fixed provinces or the draft, the tower, the first events (rules U)."""

from __future__ import annotations

from engines.chance import Chance
from engines.protocol import Seat
from engines.shogun.data import (
    ARMIES,
    EVENTS,
    GROUPS,
    SETUPS,
    START_CHESTS,
    TOWER_ARMIES,
    TOWER_FARMERS,
    in_play,
)
from engines.shogun.model import NEUTRAL, Draft, Player, ShogunOptions, ShogunState
from engines.shogun.planning import deal_round
from engines.shogun.play import Play
from engines.shogun.tower import throw
from engines.shogun.winter import open_events


def bare_board(options: ShogunOptions, seats: int, chance: Chance, rules: int) -> Play:
    """Everything before a province is given out (U2), as the draft begins; the event pile is shuffled."""
    names = in_play(options.side, seats)
    players = (Player(chests=START_CHESTS[seats], supply=ARMIES),) * seats
    state = ShogunState(
        rules=rules,
        options=options,
        year=1,
        season="spring",
        phase="draft",
        turn=0,
        provinces=dict.fromkeys(names, NEUTRAL),
        players=players,
        tower=(0,) * (seats + 1),
        tray=(0,) * (seats + 1),
        event_pile=tuple(chance.shuffled(EVENTS)),
    )
    return Play(state, chance)


def begin_draft(play: Play) -> None:
    """Two cards open, the rest a pile, all army groups to be placed; seat 0 begins (U5)."""
    cards = play.chance.shuffled(list(play.provinces))
    seats = len(play.players)
    play.draft = Draft(
        open=tuple(cards[:2]),
        pile=tuple(cards[2:]),
        seen=(None,) * seats,
        groups=(GROUPS[seats],) * seats,
    )
    play.tell("draft-began", reveals=True, cards=cards[:2])


def fixed_provinces(play: Play) -> None:
    """The rulebook's set-up for the sun side: A is seat 0, B seat 1 and so on (U4)."""
    for seat, provinces in enumerate(SETUPS[len(play.players)]):
        for name, armies in provinces:
            settle(play, seat, name, armies)
        play.tell("provinces-given", seat=seat, provinces=[name for name, _ in provinces])


def settle(play: Play, seat: Seat, name: str, armies: int) -> None:
    """A seat's army group goes to a province."""
    play.change(name, owner=seat, armies=armies)
    play.players[seat].supply -= armies


def begin_game(play: Play) -> None:
    """The tower is filled with one throw, what falls out goes back; events and the first round (U8).

    What was not drafted stays neutral (U7).
    """
    play.draft = None
    play.turn = None
    seats = len(play.players)
    for purse in play.players:
        purse.supply -= TOWER_ARMIES
    cubes = [*(TOWER_ARMIES,) * seats, TOWER_FARMERS]
    result = throw(play.options.tower, play.tower, cubes, play.chance)
    for seat, purse in enumerate(play.players):
        purse.supply += result.fallen[seat]
    play.tower = list(result.inside)
    play.tell(
        "tower-filled",
        reveals=True,
        thrown=list(result.thrown),
        fallen=list(result.fallen),
        before=[0] * (seats + 1),
        tray=[0] * (seats + 1),
        cubes=sum(result.thrown),
        out=sum(result.fallen),
    )
    open_events(play)
    deal_round(play)


# -- the draft ------------------------------------------------------------------------


def take_open(play: Play, seat: Seat, card: str, armies: int) -> None:
    """An open card and an army group for it; the card is replaced at once (U5)."""
    draft = _drafting(play)
    lying, pile = list(draft.open), list(draft.pile)
    place = lying.index(card)
    lying[place : place + 1] = pile[:1]
    play.draft = draft.model_copy(
        update={"open": tuple(lying), "pile": tuple(pile[1:]), "seen": _saw(draft, seat)}
    )
    play.tell("drafted", seat=seat, province=card, armies=armies)
    if pile:
        play.tell("draft-opened", reveals=True, province=pile[0])
    _give(play, seat, card, armies)


def turn_up(play: Play, seat: Seat) -> None:
    """The top of the pile is turned up for all; the seat then chooses its army group (U5)."""
    draft = _drafting(play)
    drawn = draft.pile[0]
    play.draft = draft.model_copy(update={"pile": draft.pile[1:], "drawn": drawn, "seen": _saw(draft, seat)})
    play.tell("turned-up", reveals=True, seat=seat, province=drawn)


def place_drawn(play: Play, seat: Seat, armies: int) -> None:
    """An army group goes to the province turned up."""
    draft = _drafting(play)
    if draft.drawn is None:
        raise ValueError("no province was turned up")
    play.draft = draft.model_copy(update={"drawn": None})
    play.tell("drafted", seat=seat, province=draft.drawn, armies=armies)
    _give(play, seat, draft.drawn, armies)


def redraw(play: Play, seat: Seat) -> None:
    """Both open cards go under the pile in the order shown and two new ones are opened (U6)."""
    draft = _drafting(play)
    pile = (*draft.pile, *draft.open)
    play.draft = draft.model_copy(update={"open": pile[:2], "pile": pile[2:]})
    play.tell("redrawn", reveals=True, seat=seat, before=list(draft.open), cards=list(pile[:2]))


def _give(play: Play, seat: Seat, name: str, armies: int) -> None:
    draft = _drafting(play)
    sizes = list(draft.groups[seat])
    sizes.remove(armies)
    groups = (*draft.groups[:seat], tuple(sizes), *draft.groups[seat + 1 :])
    play.draft = draft.model_copy(update={"groups": groups})
    settle(play, seat, name, armies)
    play.turn = (seat + 1) % len(play.players)


def _saw(draft: Draft, seat: Seat) -> tuple[tuple[str, ...] | None, ...]:
    return (*draft.seen[:seat], draft.open, *draft.seen[seat + 1 :])


def _drafting(play: Play) -> Draft:
    if play.draft is None:
        raise ValueError("no draft is going on")
    return play.draft
