"""Seats that change hands, and players who do not come back.

A seat is offered to whoever comes or to one user, or handed to the bot: by its own player, by a
moderator, where its player is absent, and else by the others' consent.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain

from db.database import Transaction
from db.repositories import actions, aids, drafts, successions, timers, users, votes
from db.rows import Message, OfferRow, SeatRow, VoteRow
from engines.capabilities import Secrets
from engines.opponents import opponent
from engines.protocol import Json, RulesError, Seat
from tables.core import caps, clocks, letters
from tables.core.admission import admit
from tables.core.blocks import may_come, may_name
from tables.core.errors import TableError, refused
from tables.core.house import House
from tables.core.loaded import Loaded
from tables.core.model import Table, User, Vote
from tables.core.moments import moment
from tables.core.options import UNITS
from tables.core.powers import by_own_hand, may_moderate
from tables.play.acting import OUTSIDE, Wish, carry_out, playing, quiet, seal
from tables.play.consent import ask, carried, end_game, others, voters_of
from tables.time.absences import is_removed
from tables.time.outages import unheard

SILENT_MS = 14 * UNITS["d"]  # without a clock, who does not act for so long is absent
GRACE_MS = 1 * UNITS["d"]  # who has left the server may come back, before anybody goes on without them
LEAST_SILENCE, MOST_SILENCE = 1 * UNITS["d"], 7 * UNITS["d"]  # without a clock, before a vote
TURNS_OF_SILENCE = 3  # without a clock: so many turns of the table's average
UNHEARD_MS = 10 * UNITS["m"]  # until a clock is looked at again whose table's posts do not come
TIMED = ("clock", "silent")  # reasons to be left that are a matter of time
BOTS = ("Hatamoto", "Okubo", "Torii", "Mizuno", "Naito", "Sakai", "Honda", "Ii")  # at a table, in this order


@dataclass(frozen=True)
class Successor:
    """Who is to have a seat: one user, the bot at a level, or (neither) whoever comes."""

    user: User | None = None
    level: str | None = None


# -- who is absent -----------------------------------------------------------------------


def absence(loaded: Loaded, seat: SeatRow, now: int) -> str | None:
    """Why a seat counts as left: its clock ran out, its player is gone for a day, or silent for too long."""
    if seat.gone not in (None, OUTSIDE) and (seat.gone_since or 0) + GRACE_MS <= now:
        return seat.gone
    if seat.away or loaded.stands:
        return None
    if clocks.is_out(seat, now) or (seat.acts and seat.flagged):
        return "clock"
    if clocks.pace(loaded.row) is not None:
        return None
    silent = seat.acts and seat.acts_since is not None and seat.acts_since + SILENT_MS <= now
    return "silent" if silent else None


async def why_left(house: House, loaded: Loaded, seat: SeatRow) -> str | None:
    """Why a seat counts as left now; time says nothing where the bot is not in the server."""
    why = absence(loaded, seat, house.clock.now())
    if why not in TIMED:
        return why
    unseen = await is_removed(house, loaded.row.guild_id) or await unheard(
        house, loaded.row.id, loaded.row.guild_id
    )
    return None if unseen else why


def late(loaded: Loaded, seat: Seat, now: int) -> bool:
    """Whether a seat that has to act has let its time run out, as whom it would claim from has."""
    return absence(loaded, loaded.seats[seat], now) in TIMED


def absent_from(loaded: Loaded, seat: SeatRow) -> int | None:
    """When a seat will count as left, ms UTC; None where no time is running."""
    gone = None if seat.gone in (None, OUTSIDE) else (seat.gone_since or 0) + GRACE_MS
    timed = out_of_time(loaded, seat)
    return min((end for end in (gone, timed) if end is not None), default=None)


def out_of_time(loaded: Loaded, seat: SeatRow) -> int | None:
    """When a seat that has to act will have used its time up, ms UTC; None where none is running."""
    if not seat.acts or seat.away or loaded.stands:
        return None
    if clocks.pace(loaded.row) is not None:
        return clocks.runs_out(seat)
    return None if seat.acts_since is None else seat.acts_since + SILENT_MS


def silence(loaded: Loaded) -> int:
    """How long somebody who has to act does nothing at this table before the others may vote, ms.

    By its clock: what a turn brings, or a quarter of the bank. Else three of its average turns, but a day at
    least and a week at most, and a week while no turn is done.
    """
    rate = clocks.pace(loaded.row)
    if rate is not None:
        return max(rate.increment, rate.bank // 4)
    turns = sum(seat.turns for seat in loaded.seats)
    if not turns:
        return MOST_SILENCE
    average = sum(seat.thought_ms for seat in loaded.seats) // turns
    return min(max(TURNS_OF_SILENCE * average, LEAST_SILENCE), MOST_SILENCE)


async def votable_from(house: House, loaded: Loaded, seat: SeatRow) -> int | None:
    """From when on the others may vote about a seat, ms UTC; None where nobody waits for it."""
    ends = [] if seat.gone in (None, OUTSIDE) else [(seat.gone_since or 0) + GRACE_MS]
    if seat.acts and seat.acts_since is not None and not seat.away and loaded.row.paused_at is None:
        last = await actions.last_of(house.database.reads, loaded.row.id, seat.seat, seat.user_id)
        ends.append(max(seat.acts_since, last or 0) + silence(loaded))
    return min(ends, default=None)


async def be_silent(house: House, loaded: Loaded, seat: SeatRow) -> None:
    """Raises `not-absent` (until) or `not-waiting` where a player is there and cannot be voted out."""
    if await why_left(house, loaded, seat) is not None:
        return
    until = None
    if not await is_removed(house, loaded.row.guild_id):
        until = await votable_from(house, loaded, seat)
    if until is None or until > house.clock.now():
        raise still_there(loaded, seat, until)


def still_there(loaded: Loaded, seat: SeatRow, until: int | None) -> TableError:
    """The refusal to go on without somebody who has time until then."""
    return loaded.refusal(
        "not-absent" if until is not None else "not-waiting",
        seat=seat.seat,
        until=None if until is None else moment(until),
    )


def named(loaded: Loaded, by: Seat | None, seat: Seat | None) -> SeatRow:
    """The seat that is meant: the one named, else the only other person, or the only one who has to act.

    Raises `bad-seat`, `which-seat`, `nobody-else` where no other person plays.
    """
    if seat is not None:
        if not 0 <= seat < len(loaded.seats):
            raise loaded.refusal("bad-seat", seat=seat)
        return loaded.seats[seat]
    rest = [s for s in loaded.people if s.seat != by]
    if not rest:
        raise loaded.refusal("nobody-else")
    late = [s for s in rest if s.acts] or rest
    if len(late) != 1:
        raise loaded.refusal("which-seat")
    return late[0]


# -- claiming ----------------------------------------------------------------------------------


async def claim(
    house: House,
    table_id: int,
    user_id: int,
    seat: Seat | None,
    interaction_id: int,
    *,
    removes: bool = False,
) -> Table | Vote:
    """Goes on without a player: at once where time is over or nobody else is left to ask, else by vote.

    A vote wants a silence that the table's pace defines.

    For two the game is won by the other; else the seat resigns. Raises `not-absent` (until), `own-seat`,
    `which-seat`, `bad-seat`, `nobody-else`, `seat-of-bot`, `retired`, `act-first` to who has no time left,
    and what `by_own_hand` raises.
    """
    async with house.once(table_id, interaction_id) as (loaded, done):
        if done is not None:
            return loaded.table() if done.get("vote") is None else await vote_of(house, loaded, done)
        by = playing(loaded, user_id)
        left = named(loaded, by, seat)
        if left.seat == by:
            raise loaded.refusal("own-seat")
        if left.user_id is None:
            raise loaded.refusal("seat-of-bot")
        if out := loaded.retired & {by, left.seat}:
            raise loaded.refusal("retired", seat=min(out))
        why = await why_left(house, loaded, left)
        voters = [other for other in others(loaded, by) if other != left.seat]
        own_hand = by_own_hand(loaded, left, voters, removes=removes)
        at_once = not own_hand and (why == "clock" or (why is not None and not voters))
        if at_once and why in TIMED and late(loaded, by, house.clock.now()):
            raise loaded.refusal("act-first")
        if why is None and not voters:
            raise still_there(loaded, left, absent_from(loaded, left))
        if at_once:
            after = await without(house, loaded, left.seat, by, interaction_id, user_id=user_id)
            return after.table()
        await be_silent(house, loaded, left)
        return await ask(house, loaded, "abandon", by, interaction_id, about={"seat": left.seat})


async def vote_of(house: House, loaded: Loaded, done: dict[str, Json]) -> Vote:
    """The vote that an interaction opened or answered."""
    from tables.play.consent import get

    return await get(house, loaded, int(done["vote"]))


async def without(
    house: House,
    loaded: Loaded,
    left: Seat,
    by: Seat,
    interaction_id: int | None,
    *,
    user_id: int | None = None,
    vote: tuple[VoteRow, Seat] | None = None,
) -> Loaded:
    """Ends the game of two for the one who stayed; at a bigger table the seat resigns."""
    if len(loaded.seats) <= 2:
        winners = tuple(s.seat for s in loaded.seats if s.seat != left)
        row, voter = vote or (None, None)
        return await end_game(
            house,
            loaded,
            "over",
            "claimed",
            interaction_id,
            vote=row,
            voter=voter,
            winners=winners,
            by=by,
            seat=left,
        )
    told = letters.line(loaded, "claimed", by=by, seat=left)
    wish = Wish("resign", user_id, interaction_id, lines=(told,), vote=vote)
    return (await carry_out(house, loaded, left, wish)).after


@carried("abandon")
async def abandoned(house: House, loaded: Loaded, row: VoteRow, voter: Seat, interaction_id: int) -> Loaded:
    """The others agreed to go on without a player."""
    left = int(json.loads(row.payload)["seat"])
    await be_silent(house, loaded, loaded.seats[left])
    return await without(house, loaded, left, row.by_seat, interaction_id, vote=(row, voter))


async def clock_due(house: House, table_id: int) -> None:
    """A clock ran out: that is told once; the game is lost only where the table chose so."""
    async with house.lock(table_id):
        loaded = await house.load(table_id)
        now, rate = house.clock.now(), clocks.pace(loaded.row)
        if await unheard(house, table_id, loaded.row.guild_id):  # what was never posted is not lost
            async with house.writing(table_id, None) as tx:
                await timers.put(tx, clocks.CLOCK, now + UNHEARD_MS, table_id=table_id)
            return
        if await is_removed(house, loaded.row.guild_id):  # its tables wait
            async with house.writing(table_id, None) as tx:
                await timers.put(tx, clocks.CLOCK, now + UNITS["d"], table_id=table_id)
            return
        if rate is None:  # changed for none by a version that left the timer
            async with house.writing(table_id, None) as tx:
                await clocks.disarm(tx, loaded)
            return
        if rate.loses and loaded.row.status == "running":
            out = [s.seat for s in clocks.first_out(loaded.people, now)]
            if out:
                await lost_by_time(house, loaded, out)
                return
        told = [s for s in loaded.people if clocks.is_out(s, now) and not s.flagged]
        seats = tuple(replace(s, flagged=True) if s in told else s for s in loaded.seats)
        after = replace(loaded, seats=seats)
        messages = [] if not told else [clock_line(after, [s.seat for s in told])]
        async with house.revising(after, messages):
            pass


async def lost_by_time(house: House, loaded: Loaded, out: list[Seat]) -> None:
    """Those whose clocks ran out at the same moment lose together; who ran out later has the next turn here.

    Where one of them would win by the others' loss nobody loses: the game ends without a result.
    """
    called = [s.user_id for s in loaded.people if s.user_id is not None]
    rest = [s.seat for s in loaded.seats if s.seat not in out]
    if not rest or await asyncio.to_thread(one_would_win, loaded, out):
        await end_game(
            house, loaded, "cancelled", "cancelled", None, line="ended-clocks", call=called, seats=out
        )
    elif len(loaded.seats) <= 2:
        await end_game(
            house,
            loaded,
            "over",
            "claimed",
            None,
            winners=tuple(rest),
            line="ended-clock",
            call=called,
            by=rest[0],
            seat=out[0],
        )
    else:
        lines = [letters.line(loaded, "clock-lost", called, seats=out)]
        for seat in out:
            if loaded.row.status == "running":
                resigned = await carry_out(house, loaded, seat, Wish("resign", lines=tuple(lines)))
                loaded = resigned.after
            lines.clear()


def one_would_win(loaded: Loaded, out: list[Seat]) -> bool:
    """Whether one of these seats wins when all of them resign one after another."""
    state, rules = loaded.position, loaded.engine
    for seat in out if len(loaded.seats) > 2 else ():
        state = rules.apply(state, seat, rules.parse("resign", state, seat), loaded.chance()).state
        if (result := rules.result(state)) is not None:
            return bool(set(result.winners) & set(out))
    return False


def clock_line(loaded: Loaded, out: list[Seat]) -> Message:
    """Tells who has no time left, and the others that they may claim."""
    mention = [s.user_id for s in loaded.people if s.user_id is not None]
    return letters.at_table(loaded, "claim", mention, code="clock-out", params={"seats": out, "seat": out[0]})


# -- replacing -------------------------------------------------------------------------------------


async def replace_player(  # noqa: PLR0917 - who asks, about whom, for whom
    house: House,
    table_id: int,
    user_id: int,
    seat: Seat | None,
    to: Successor,
    interaction_id: int,
    *,
    moderator: bool = False,
    removes: bool = False,
) -> Table | Vote:
    """Offers a seat or hands it to the bot; somebody else's by vote unless he is absent.

    Raises `not-seated`, `bad-seat`, `retired`, `already-seated`, `unwelcome`, `your-block`, `private-offer`,
    `nobody-reads` in direct messages,
    `no-opponent`, `bad-option`, `knows-too-much`, `alone`, `moderator-sat`, and as `claim` does `not-absent`,
    `not-waiting`, `moderator-gone`.
    """
    async with house.once(table_id, interaction_id) as (loaded, done):
        if done is not None:
            return loaded.table() if done.get("vote") is None else await vote_of(house, loaded, done)
        by = None if moderator and loaded.seat_of(user_id) is None else playing(loaded, user_id)
        if loaded.row.status != "running":
            raise loaded.refusal("not-running", status=loaded.row.status)
        meant = by if seat is None else named(loaded, by, seat).seat
        if by is None:
            await may_moderate(house, loaded, user_id)
        if meant is None:
            raise loaded.refusal("which-seat")
        if meant in loaded.retired:
            raise loaded.refusal("retired", seat=meant)
        await check(house, loaded, meant, to, by=user_id)
        why = await why_left(house, loaded, loaded.seats[meant])
        voters = [] if by is None else [other for other in others(loaded, by) if other != meant]
        own_hand = by not in (None, meant) and by_own_hand(
            loaded, loaded.seats[meant], voters, removes=removes
        )
        if (
            meant == by or by is None or (why is not None and not own_hand)
        ):  # a moderator who plays asks like anybody else
            after = await settle(house, loaded, meant, to, by, interaction_id, by_id=user_id)
            return after.table()
        if not voters and loaded.seats[meant].user_id is not None:
            raise loaded.refusal("not-absent-replace", seat=meant)
        if not voters:
            after = await settle(house, loaded, meant, to, by, interaction_id)
            return after.table()
        if loaded.seats[meant].user_id is not None:
            await be_silent(house, loaded, loaded.seats[meant])
        about: dict[str, Json] = {"seat": meant, "level": to.level}
        if to.user is not None:
            about |= {"user": to.user.id, "name": to.user.name, "account": to.user.account}
        return await ask(house, loaded, "replace", by, interaction_id, about=about)


async def check(house: House, loaded: Loaded, seat: Seat, to: Successor, by: int) -> None:
    """Whether this successor may have the seat at all."""
    row = loaded.row
    if to.level is not None:
        check_level(row.game, to.level)
        if not [s for s in loaded.people if s.seat != seat]:
            raise loaded.refusal("alone")
    elif row.guild_id is None:
        raise loaded.refusal("nobody-reads")
    elif to.user is not None:
        await welcome(house, loaded, seat, to.user.id, by=by)
    elif row.private:
        raise loaded.refusal("private-offer")


def bot_name(seats: Iterable[SeatRow]) -> str:
    """What the bot is called at one more seat: sentences tell its seats apart."""
    used = {seat.name.casefold() for seat in seats}
    return next(name for name in chain(BOTS, map("{} II".format, BOTS)) if name.casefold() not in used)


def check_level(game: str, level: str) -> None:
    """Raises `no-opponent` or `bad-option` where the bot does not play this game so."""
    try:
        levels = opponent(game).LEVELS
    except RulesError as error:
        raise refused(error, game=game) from None
    if level not in levels:
        raise TableError("bad-option", game=game, name="level", value=level, allowed=list(levels))


async def welcome(house: House, loaded: Loaded, seat: Seat, user_id: int, *, by: int | None) -> None:
    """Whether this user may take this seat.

    Who sat at another one knows its secrets. Whom one of the players has blocked does not come, for that
    player's own seat either; `by`, who names him, neither blocks him nor is blocked by him.
    """
    row, reads = loaded.row, house.database.reads
    if loaded.seat_of(user_id) is not None:
        raise loaded.refusal("already-seated")
    if await successions.sat(reads, row.id, user_id) - {seat}:
        raise loaded.refusal("knows-too-much")
    if by is not None:
        await may_name(house, by, [user_id], row.game, row.id)
    there = [s.user_id for s in loaded.people if s.user_id is not None]
    await may_come(house, user_id, there, row.game, row.id)


async def settle(  # noqa: PLR0917 - as above
    house: House,
    loaded: Loaded,
    seat: Seat,
    to: Successor,
    by: Seat | None,
    interaction_id: int,
    *,
    vote: tuple[VoteRow, Seat] | None = None,
    by_id: int | None = None,
) -> Loaded:
    """Carries out a replacement: the seat is offered by this user, or the bot has it at once."""
    now, row = house.clock.now(), loaded.row
    outcome: dict[str, Json] = {} if vote is None else {"vote": vote[0].id}
    if to.level is not None:
        return await hand_over(house, loaded, seat, to, interaction_id, vote=vote)
    user_id = None if to.user is None else to.user.id
    params: dict[str, Json] = {"seat": seat, "user": None if user_id is None else f"<@{user_id}>"}
    code = "offer" if user_id is None else "offer-to"
    told = letters.at_table(loaded, "offer", [] if user_id is None else [user_id], code=code, params=params)
    async with house.writing(row.id, interaction_id, **outcome) as tx:
        if vote is not None:
            await seal(tx, *vote, now)
        if to.user is not None:
            await users.see(tx, to.user.id, to.user.name, None)
        await successions.offer(tx, OfferRow(row.id, seat, user_id, now, by_id=by_id))
        await house.post(tx, [told])
    house.forget(row.id)  # its votes changed
    return loaded


@carried("replace")
async def replacement_agreed(
    house: House, loaded: Loaded, row: VoteRow, voter: Seat, interaction_id: int
) -> Loaded:
    """The others agreed that a seat changes hands."""
    about = json.loads(row.payload)
    user = (
        User(int(about["user"]), about["name"], account=about.get("account", ""))
        if about.get("user")
        else None
    )
    to = Successor(user, about.get("level"))
    if loaded.seats[int(about["seat"])].user_id is not None:
        await be_silent(house, loaded, loaded.seats[int(about["seat"])])
    return await settle(house, loaded, int(about["seat"]), to, row.by_seat, interaction_id, vote=(row, voter))


async def admit_or_asked(house: House, table_id: int, user_id: int, seat: Seat) -> None:
    """Raises `no-table` to who neither may see the table nor was asked by name; before it is loaded."""
    table, offers = await asyncio.gather(
        house.table(table_id), successions.offers(house.database.reads, table_id)
    )
    if seat not in offers or offers[seat].user_id != user_id:
        admit(table, user_id)


async def take(house: House, table_id: int, user: User, seat: Seat, interaction_id: int) -> Table:
    """Takes an offered seat; its own player takes the offer back.

    Raises `no-offer`, `offered-to-another`, `too-many-tables`, and what `welcome` refuses.
    """
    await admit_or_asked(house, table_id, user.id, seat)
    async with house.once(table_id, interaction_id) as (loaded, done):
        if done is not None:
            return loaded.table()
        row = loaded.row
        found = (await successions.offers(house.database.reads, table_id)).get(seat)
        if found is None or row.status != "running" or seat in loaded.retired:
            raise loaded.refusal("no-offer")
        holder = loaded.seats[seat].user_id
        if await back_again(house, loaded, found, holder):
            raise loaded.refusal("no-offer")
        if holder == user.id:
            if found.by_id != user.id and not seated(
                loaded, found.by_id
            ):  # the others' or a moderator's will
                raise loaded.refusal("already-seated")
            async with house.writing(table_id, interaction_id) as tx:
                await successions.withdraw(tx, table_id, seat)
                await house.post(tx, [letters.line(loaded, "offer-withdrawn", seat=seat)])
            return loaded.table()
        if found.by_id == user.id and not seated(loaded, user.id):
            raise loaded.refusal("moderators-own-offer")
        if found.user_id not in (None, user.id):
            raise loaded.refusal("offered-to-another")
        await welcome(house, loaded, seat, user.id, by=None)
        await caps.room_for(house, user.id, row.guild_id, row.game, making=False)
        after = await hand_over(house, loaded, seat, Successor(user), interaction_id)
        return after.table()


async def decline(house: House, table_id: int, user_id: int, seat: Seat, interaction_id: int) -> Table:
    """Who was asked by name does not want the seat: it is offered no more, and who offered it is told.

    Raises `no-offer`, `offered-to-another`.
    """
    await admit_or_asked(house, table_id, user_id, seat)
    async with house.once(table_id, interaction_id) as (loaded, done):
        if done is not None:
            return loaded.table()
        found = (await successions.offers(house.database.reads, table_id)).get(seat)
        if found is None:
            raise loaded.refusal("no-offer")
        if found.user_id != user_id:
            raise loaded.refusal("offered-to-another")
        asked = [] if found.by_id is None else [found.by_id]
        async with house.writing(table_id, interaction_id) as tx:
            await successions.withdraw(tx, table_id, seat)
            told = letters.line(loaded, "offer-declined", asked, seat=seat, user=f"<@{user_id}>")
            await house.post(tx, [told])
        return loaded.table()


def seated(loaded: Loaded, user_id: int | None) -> bool:
    """Whether this user plays here."""
    return loaded.seat_of(user_id) is not None


async def back_again(house: House, loaded: Loaded, found: OfferRow, holder: int | None) -> bool:
    """Whether a player's seat was offered by another one because he was absent, and he has acted since."""
    if holder is None or found.by_id == holder or not seated(loaded, found.by_id):
        return False
    return await actions.acted_since(house.database.reads, loaded.row.id, found.seat, holder, found.at)


async def hand_over(
    house: House,
    before: Loaded,
    seat: Seat,
    to: Successor,
    interaction_id: int,
    *,
    vote: tuple[VoteRow, Seat] | None = None,
) -> Loaded:
    """The successor sits there: buttons of the one before are stale, questions to him lapse."""
    now, old = house.clock.now(), before.seats[seat]
    row = replace(before.row, version=before.row.version + 1, handed=True)
    new = replace(
        old,
        user_id=None if to.user is None else to.user.id,
        name=bot_name(before.seats) if to.user is None else to.user.name,
        account="" if to.user is None else to.user.account,
        level=to.level,
        choice_version=row.version,
        away=False,
        away_until=None,
        gone=None,
        gone_since=None,
        turns=0,
        thought_ms=0,
        acts_since=now if old.acts else None,
        bank=None,
        ticks_since=None,
        flagged=False,
    )
    seats = tuple(new if s.seat == seat else s for s in before.seats)
    rate = clocks.pace(row)
    seats = tuple(clocks.wound(s, row, rate, now, acts=s.acts) if s is new else s for s in seats)
    lapsing = [one for one in before.votes if await concerns(house, before, one, seat)]
    kept = tuple(one for one in before.votes if one not in lapsing and (vote is None or one.id != vote[0].id))
    aided = {other: aid for other, aid in before.aids.items() if other != seat}
    after = replace(before, row=row, seats=seats, votes=kept, aids=aided)
    messages = await announced(house, before, after, seat)
    outcome: dict[str, Json] = {} if vote is None else {"vote": vote[0].id}
    async with house.writing(row.id, interaction_id, **outcome) as tx:
        await close_votes(tx, lapsing, vote, now)
        await successions.withdraw(tx, row.id, seat)
        if old.user_id is not None:
            await successions.handed(tx, row.id, seat, old.user_id, now)
        if to.user is not None:
            await users.see(tx, to.user.id, to.user.name, to.user.locale)
        await drafts.drop(tx, row.id, seat)
        await aids.drop(tx, row.id, seat)
        await house.store(tx, after, messages)
    house.committed(after)
    return after


async def concerns(house: House, loaded: Loaded, vote: VoteRow, seat: Seat) -> bool:
    """Whether who sits at this seat asked, was asked, or is what it is about: nobody inherits a question."""
    about = json.loads(vote.payload)
    if seat in (vote.by_seat, about.get("seat"), *voters_of(loaded, vote.by_seat, about)):
        return True
    return seat in await votes.ballots(house.database.reads, vote.id)


async def close_votes(
    tx: Transaction, lapsing: Iterable[VoteRow], vote: tuple[VoteRow, Seat] | None, now: int
) -> None:
    """Ends the vote that is carried out; those that the one before had part in lapse."""
    for other in lapsing:
        if vote is None or other.id != vote[0].id:
            await votes.end(tx, other.id, "lapsed", now)
    if vote is not None:
        await seal(tx, *vote, now)


async def announced(house: House, before: Loaded, after: Loaded, seat: Seat) -> list[Message]:
    """A line at the table, and the hand to the newcomer alone."""
    new = after.seats[seat]
    mention = [new.user_id] if new.user_id is not None else []
    code = "handed" if new.user_id is not None else "handed-to-bot"
    told = [letters.line(after, code, mention, seat=seat, old=before.seats[seat].name)]
    if after.row.private:
        told.insert(0, letters.at_table(after, "players", left=before.seats[seat].user_id))
    secrets = isinstance(after.engine, Secrets)
    if new.user_id is not None and secrets and new.user_id not in await quiet(house, after):
        told.append(letters.hand(after, seat, new.user_id))
    return told
