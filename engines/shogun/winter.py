"""Winter: rice falls, the hungry revolt, points are scored, and the year ends (rules W)."""

from __future__ import annotations

from typing import NamedTuple

from engines.protocol import Seat
from engines.shogun.battle import revolt
from engines.shogun.data import BUILDINGS, MAJORITY, OPEN_EVENTS, REGION, REGIONS, RICE_LOSS, hunger
from engines.shogun.model import Board, Winter
from engines.shogun.play import Play


def begin_winter(play: Play) -> None:
    """All lose rice by the event card left over (W1); then revolts go in autumn's turn order (W2)."""
    play.phase, play.season = "winter", "winter"
    loss = RICE_LOSS[play.events[0]]
    play.tell("winter-came", event=play.events[0], loss=loss)
    for seat in play.seats:
        purse = play.players[seat]
        lost = min(loss, purse.rice)
        purse.rice -= lost
        play.tell("rice-lost", seat=seat, lost=lost, rice=purse.rice)
    play.turn = play.order[0]
    starve(play, play.order[0])


def starve(play: Play, seat: Seat) -> None:
    """Chance draws as many of the seat's provinces, all at once, as the winter table says (W2)."""
    own = play.owned(seat)
    unfed = max(0, len(own) - play.players[seat].rice)
    revolts, farmers = hunger(unfed)
    drawn = tuple(play.chance.shuffled(own)[:revolts]) if revolts else ()
    play.winter = Winter(revolts=drawn, farmers=farmers)
    if drawn:
        play.tell(
            "starved", reveals=True, seat=seat, unfed=unfed, provinces=list(drawn), extra_farmers=farmers
        )
    else:
        play.tell("fed", seat=seat, provinces=len(own))


def rise(play: Play, order: tuple[str, ...]) -> None:
    """The drawn provinces revolt in this order, with their markers' farmers and the table's (W3)."""
    farmers = play.winter.farmers if play.winter else 0
    for name in order:
        revolt(play, name, play.provinces[name].unrest + farmers, markers=False)
    play.winter = Winter(farmers=farmers)


class Majority(NamedTuple):
    """Who has most of a building in a region, and what each of them scores."""

    region: str
    building: str
    seats: tuple[Seat, ...]
    points: int


def majorities(board: Board) -> list[Majority]:
    """Every region's majorities, none where nothing of the kind is built (W4)."""
    found: list[Majority] = []
    regions = REGION[board.options.side]
    for region in REGIONS:
        for building in BUILDINGS:
            counts: dict[Seat, int] = {}
            for name, province in board.provinces.items():
                if regions[name] == region and province.owner is not None and getattr(province, building):
                    counts[province.owner] = counts.get(province.owner, 0) + 1
            best = tuple(sorted(seat for seat, n in counts.items() if n == max(counts.values())))
            if best:
                points = MAJORITY[building] - (len(best) > 1)
                found.append(Majority(region, building, best, points))
    return found


def score(play: Play) -> None:
    """A point for each province and building, and the majorities (W4)."""
    bonus = [0] * len(play.players)
    for majority in majorities(play):
        for seat in majority.seats:
            bonus[seat] += majority.points
        play.tell(
            "majority",
            region=majority.region,
            building=majority.building,
            seats=list(majority.seats),
            points=majority.points,
        )
    for seat in play.seats:
        own = play.owned(seat)
        buildings = sum(play.provinces[name].buildings for name in own)
        gain = len(own) + buildings + bonus[seat]
        play.players[seat].points += gain
        play.tell(
            "scored",
            seat=seat,
            provinces=len(own),
            buildings=buildings,
            majorities=bonus[seat],
            gain=gain,
            points=play.players[seat].points,
        )


def end_year(play: Play) -> bool:
    """Scoring; after year 1 markers and rice go and four new events open (W5). True when the game goes on."""
    score(play)
    play.events = []
    play.winter = None
    play.order = []
    play.turn = None
    if play.year == 2:
        return False
    play.year, play.season = 2, "spring"
    for name, province in play.provinces.items():
        if province.unrest:
            play.provinces[name] = province.model_copy(update={"unrest": 0})
    for purse in play.players:
        purse.rice = 0
    play.tell("year-began", year=play.year)
    open_events(play)
    return True


def open_events(play: Play) -> None:
    """The next four events of the pile lie open for the year."""
    play.events, play.event_pile = play.event_pile[:OPEN_EVENTS], play.event_pile[OPEN_EVENTS:]
    play.tell("events-opened", reveals=True, events=list(play.events))
