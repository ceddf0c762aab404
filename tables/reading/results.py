"""What a finished game leaves behind: results, ratings, turn times, and players' own notes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

from openskill.models import PlackettLuce

from db.database import Transaction
from db.repositories import results, users
from db.rows import RatingRow, ResultRow
from engines.protocol import Result, Seat
from tables.core.errors import TableError
from tables.core.house import House
from tables.core.loaded import Loaded
from tables.core.options import UNITS
from tables.reading.fading import all_faded, faded
from tables.reading.keepers import Keeper, keepers

MODEL = PlackettLuce()
MOST_NOTE = 1000  # characters
UNPLAYED = frozenset({"cancelled"})
YEAR_MS = 365 * UNITS["d"]  # in which meetings are counted
FORGOTTEN = 0  # no user's id: plays a part in a rating, and has none


@dataclass(frozen=True)
class Standing:
    """A player at one game: `rating` is what is sure of the strength, None while no game was rated."""

    user_id: int
    name: str
    game: str
    rating: float | None
    games: int
    won: int
    turn_ms: int | None = None  # on average


async def arm(tx: Transaction, after: Loaded) -> None:
    """Stores the results of a table that has just ended, and what they mean for the ratings.

    Those of a game that is taken up again after its end are taken back.
    """
    row = after.row
    if row.status == "running" and row.reseed is not None:
        await take_back(tx, row.id)
    if row.status != "over" or row.result is None or row.study or await results.known(tx, row.id):
        return
    result = Result.model_validate_json(row.result)
    if result.reason in UNPLAYED:
        return
    ranks = places(result, len(after.seats), after.retired)
    kept, long = await keepers(tx, after)
    rated = long and not row.unrated and one_each(kept, len(after.seats)) and not won_by_bot(after, result)
    found = [
        ResultRow(
            row.id,
            one.seat.seat,
            one.user_id or FORGOTTEN,
            row.game,
            row.guild_id,
            ranks[one.seat.seat],
            one.seat.seat in result.winners,
            rated,
            one.seat.turns if one.here else 0,
            one.seat.thought_ms if one.here else 0,
            row.ended_at or 0,
        )
        for one in kept
    ]
    if rated:
        ids = [one.user_id for one in found]
        known, last = await results.ratings(tx, row.game, ids), await results.last_rated(tx, row.game, ids)
        for one in kept:
            if one.rating is not None:
                known[FORGOTTEN] = RatingRow(row.game, FORGOTTEN, *one.rating)
        worth = all_faded(known, last, row.ended_at or 0)
        met = await meetings(tx, row.game, ids, (row.ended_at or 0) - YEAR_MS)
        made = [
            weighed(old, new, weight(new.user_id, ids, met))
            for new in new_ratings(row.game, found, worth)
            for old in [worth.get(new.user_id)]
        ]
        await results.put_ratings(tx, [new for new in made if new.user_id != FORGOTTEN])
        found = [with_ratings(one, known.get(one.user_id), new) for one, new in zip(found, made, strict=True)]
    await results.add_results(tx, [one for one in found if one.user_id != FORGOTTEN])


async def meetings(tx: Transaction, game: str, ids: Sequence[int], since: int) -> dict[tuple[int, int], int]:
    """How often each of these has met each other one, and those forgotten since, who may be that one.

    Else one partner would be a new one each time: all that was known of whoever forgets himself is gone. Who
    had finished a rated game before is somebody else.
    """
    met = await results.meetings(tx, game, ids, since)
    forgotten = await results.met_forgotten(tx, game, ids, since)
    first = await results.first_rated(tx, game, ids)
    return {
        (one, other): met.get(frozenset((one, other)), 0)
        + sum(who == one and at < first.get(other, inf) for who, at in forgotten)
        for one in ids
        for other in ids
    }


def one_each(kept: Sequence[Keeper], seats: int) -> bool:
    """Whether every seat has a person of its own to keep its result, at most one of them forgotten."""
    return len({one.user_id for one in kept}) == len(kept) == seats > 1


def won_by_bot(after: Loaded, result: Result) -> bool:
    """Whether the bot won for a person: that shows nothing of the person's strength."""
    return any(seat.user_id is None and seat.seat in result.winners for seat in after.seats)


def weight(user_id: int, ids: Sequence[int], met: Mapping[tuple[int, int], int]) -> float:
    """How much a game counts: the second of the same two within a year half, the third a third, and so on."""
    shares = [1 / (1 + met[user_id, other]) for other in ids if other != user_id]
    return sum(shares) / len(shares)


def weighed(old: RatingRow | None, new: RatingRow, share: float) -> RatingRow:
    """The way from the rating before to the one after, gone by this share."""
    first = MODEL.rating()
    mu, sigma = (first.mu, first.sigma) if old is None else (old.mu, old.sigma)
    if share == 1:
        return new
    return replace(new, mu=mu + share * (new.mu - mu), sigma=sigma + share * (new.sigma - sigma))


def with_ratings(result: ResultRow, old: RatingRow | None, new: RatingRow) -> ResultRow:
    """The result with what it did to the rating, so that it can be taken back."""
    return replace(
        result,
        mu_before=None if old is None else old.mu,
        sigma_before=None if old is None else old.sigma,
        mu_after=new.mu,
        sigma_after=new.sigma,
    )


async def take_back(tx: Transaction, table_id: int) -> None:
    """Takes the results of a table back, and what they did to ratings."""
    found = await results.of_table(tx, table_id)
    if not found:
        return
    await results.remove(tx, table_id)
    known = await results.ratings(tx, found[0].game, [one.user_id for one in found])
    for one in found:
        rating = known.get(one.user_id)
        if rating is None or one.mu_after is None or one.sigma_after is None:
            continue
        if one.mu_before is None and (rating.mu, rating.sigma) == (one.mu_after, one.sigma_after):
            await results.remove_rating(tx, one.game, one.user_id)  # it was the first rated game
        else:
            await results.put_ratings(tx, [without(rating, one)])


def without(rating: RatingRow, result: ResultRow) -> RatingRow:
    """The rating as if this result had not been: exact where no other came after it.

    Games since keep what they did: the difference of the means, and the ratio of the deviations.
    """
    first = MODEL.rating()
    mu = first.mu if result.mu_before is None else result.mu_before
    sigma = first.sigma if result.sigma_before is None else result.sigma_before
    if (rating.mu, rating.sigma) == (result.mu_after, result.sigma_after):
        return replace(rating, mu=mu, sigma=sigma)
    return replace(
        rating,
        mu=rating.mu + mu - (result.mu_after or mu),
        sigma=rating.sigma * sigma / (result.sigma_after or sigma),
    )


def places(result: Result, count: int, retired: Collection[Seat] = ()) -> list[int]:
    """By seat, 1 for the winners; behind them by points at a table of several, else together.

    Where nobody won all are first; who is out of the game is behind all others.
    """
    points = result.scores if len(result.scores) == count > 2 and result.winners else (0,) * count
    keys = [
        (0, 0) if seat in result.winners else (2, 0) if seat in retired else (1, -points[seat])
        for seat in range(count)
    ]
    return [1 + sum(other < key for other in keys) for key in keys]


def new_ratings(game: str, found: Sequence[ResultRow], known: dict[int, RatingRow]) -> list[RatingRow]:
    """Ratings after a game, by openskill's Plackett-Luce model."""
    before = [
        [MODEL.rating(mu=row.mu, sigma=row.sigma) if (row := known.get(one.user_id)) else MODEL.rating()]
        for one in found
    ]
    after = MODEL.rate(before, ranks=[float(one.place) for one in found])
    return [
        RatingRow(game, one.user_id, team[0].mu, team[0].sigma)
        for one, team in zip(found, after, strict=True)
    ]


def shown_rating(row: RatingRow | None) -> float | None:
    """The part of a rating that is sure: three deviations below the mean, from 1000 in steps of 40."""
    return None if row is None else 1000 + 40 * (row.mu - 3 * row.sigma)


async def profile(house: House, user_id: int) -> list[Standing]:
    """A player's standing at each game, the most played first."""
    reads = house.database.reads
    user = await users.get(reads, user_id)
    found = await results.results(reads, user_id)
    standings = []
    for game in {one.game for one in found}:
        own = [one for one in found if one.game == game]
        rated = (await results.ratings(reads, game, [user_id])).get(user_id)
        last = (await results.last_rated(reads, game, [user_id])).get(user_id)
        rating = None if rated is None else faded(rated, last, house.clock.now())
        turns = sum(one.turns for one in own)
        standings.append(
            Standing(
                user_id,
                "" if user is None else user.name,
                game,
                shown_rating(rating),
                len(own),
                sum(one.won for one in own),
                sum(one.thought_ms for one in own) // turns if turns else None,
            )
        )
    return sorted(standings, key=lambda one: (-one.games, one.game))


async def leaderboard(house: House, game: str, guild_id: int, most: int) -> list[Standing]:
    """A game's best rated players among those who finished a rated game in this server and are there."""
    now = house.clock.now()
    standings = [
        Standing(
            one.rating.user_id,
            one.name,
            game,
            shown_rating(faded(one.rating, one.last, now)),
            one.games,
            one.won,
        )
        for one in await results.rated_in(house.database.reads, game, guild_id)
    ]
    return sorted(standings, key=lambda one: (-(one.rating or 0), one.user_id))[:most]


# -- notes -----------------------------------------------------------------------------------


async def note(house: House, user_id: int, table_id: int) -> str | None:
    """The user's own note on a table; nobody else's can be asked for."""
    return await results.note(house.database.reads, user_id, table_id)


async def write_note(house: House, user_id: int, table_id: int, text: str | None) -> None:
    """Keeps a note in place of the one before, None takes it away. Raises `note-too-long` (most)."""
    if text is not None and len(text) > MOST_NOTE:
        raise TableError("note-too-long", table=table_id, most=MOST_NOTE)
    kept = None if text is None else text.encode("utf-8", "replace").decode()  # half a surrogate is no text
    async with house.database.transaction() as tx:
        await results.put_note(tx, user_id, table_id, kept, house.clock.now())
