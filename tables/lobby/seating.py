"""A table until it starts: seats, invitations, start, closing, rematch."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from db.database import Transaction
from db.repositories import actions, tables, timers, users, votes
from db.rows import Message, SeatRow, TimerRow
from engines.chance import commitment
from engines.protocol import RulesError
from engines.record import Record
from engines.record import start as first_step
from engines.registry import engine
from tables.core import caps, letters
from tables.core.blocks import may_come, may_name
from tables.core.errors import TableError, not_played
from tables.core.house import House
from tables.core.loaded import Loaded, nonces_of, told_of
from tables.core.model import Place, Table, User, Vote
from tables.core.options import TableOptions, Wishes
from tables.core.powers import may_moderate
from tables.core.seating import Seating, drawn
from tables.core.turns import advanced, ended
from tables.lobby.chances import added, opened, sealed, unopened
from tables.play.acting import quiet
from tables.play.consent import alone, ask, end_game
from tables.seats.handover import bot_name, check_level
from tables.time.absences import away, away_lines

OPEN_MS = 7 * 24 * 3600 * 1000  # a table that has not started by then is closed
LOBBY = "lobby"  # its timer


@dataclass(frozen=True)
class Invitation:
    """What a new table is made of."""

    creator: User
    game: str
    place: Place
    wishes: Wishes
    guests: tuple[User, ...] = ()
    bot_seat: bool = False
    private: bool = False
    in_place: bool = False
    locale: str | None = None
    seal: str | None = None  # on what the creator will add to the chances


async def create(house: House, asked: Invitation, interaction_id: int) -> Table:
    """A new table; it runs at once where all seats of a game for one or two are taken."""
    async with house.asked(-asked.creator.id, interaction_id) as done:  # one at a time for each person
        if done is not None:
            return await house.table(int(done["table"]))
        guests = [guest.id for guest in asked.guests]
        await may_name(house, asked.creator.id, guests, asked.game)
        for guest in guests:
            await may_come(house, guest, guests, asked.game)
        await caps.allowed_here(house, asked.place, asked.game)
        await caps.room_for(house, asked.creator.id, asked.place.guild_id, asked.game, making=True)
        seats, row = seated(asked), first_row(house, asked)
        async with house.database.transaction() as tx:
            await actions.forget(tx, house.clock.now())
            table_id = await tables.add(tx, row)
            for person in (asked.creator, *asked.guests):
                await users.see(tx, person.id, person.name, person.locale)
            loaded = await new_table(tx, table_id, seats)
            after, messages = await settled(house, loaded)
            await finish(house, tx, loaded, after, messages)
            await house.note(tx, interaction_id, table_id)
        house.queued()
        house.committed(after)
        return after.table()


def seated(asked: Invitation) -> list[SeatRow]:
    """Rows of those who are there or invited. Raises `too-many`, `invited-twice`, `no-opponent`."""
    ids = [asked.creator.id, *(guest.id for guest in asked.guests)]
    if len(set(ids)) < len(ids):
        raise TableError("invited-twice", game=asked.game)
    by = asked.creator
    rows = [SeatRow(0, 0, user_id=by.id, name=by.name, account=by.account, nonce_told=asked.seal)]
    rows += [
        SeatRow(0, 0, name=guest.name, invited=guest.id, account=guest.account) for guest in asked.guests
    ]
    if asked.bot_seat:
        check_level(asked.game, asked.wishes.table.level)
        rows.append(SeatRow(0, 0, name=bot_name(rows), level=asked.wishes.table.level))
    if len(rows) > asked.wishes.places:
        raise TableError("too-many", game=asked.game, most=asked.wishes.places)
    return [replace(row, seat=number) for number, row in enumerate(rows)]


def first_row(house: House, asked: Invitation) -> dict[str, object]:
    """Column values of a new table."""
    seed = house.seed()
    options = asked.wishes.game.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {
        "game": asked.game,
        "rules": engine(asked.game).rules,
        "status": "open",
        "options": json.dumps(options),
        "table_options": json.dumps(asked.wishes.table.model_dump(mode="json", exclude_unset=True)),
        "guild_id": asked.place.guild_id,
        "channel_id": asked.place.channel_id,
        "thread_id": asked.place.thread_id,
        "in_place": asked.in_place,
        "locale": asked.locale,
        "private": asked.private,
        "creator_id": asked.creator.id,
        "commitment": commitment(seed),
        "seed": seed,
        "created_at": house.clock.now(),
    }


async def new_table(tx: Transaction, table_id: int, seats: list[SeatRow]) -> Loaded:
    """The table as it was just written."""
    row = await tables.get(tx, table_id)
    if row is None:
        raise ValueError(f"table {table_id} vanished")
    return Loaded(row, tuple(replace(seat, table_id=table_id) for seat in seats))


async def settled(house: House, loaded: Loaded) -> tuple[Loaded, list[Message]]:
    """Starts a table for one or two with all seats taken and seals open; any other waits in its lobby."""
    if places(loaded) <= 2 and len(taken(loaded)) == places(loaded) and not sealed(loaded.seats):
        return await begun(house, loaded)
    after = loaded.updated(version=loaded.row.version + 1)
    return after, [letters.lobby(after)]


async def finish(
    house: House, tx: Transaction, before: Loaded, after: Loaded, messages: list[Message]
) -> None:
    """Writes a lobby's change; its timer runs as long as it is open.

    Once a rematch has begun, nobody is asked any more to take back the end of the game before it.
    """
    if after.row.status == "running" and after.row.rematch_of is not None:
        for vote in await votes.open_of(tx, after.row.rematch_of):
            await votes.end(tx, vote.id, "lapsed", house.clock.now())
    await tables.clear_seats(tx, before.row.id)
    await house.store(tx, after, messages)
    if after.row.status == "open":
        await timers.keep(tx, LOBBY, after.row.created_at + OPEN_MS, table_id=after.row.id)
    else:
        await timers.remove(tx, LOBBY, table_id=after.row.id)


# -- those who come and go --------------------------------------------------------------


def wishes(loaded: Loaded) -> TableOptions:
    """The table's own options."""
    return TableOptions.model_validate_json(loaded.row.table_options)


def counts(loaded: Loaded) -> tuple[int, ...]:
    """Numbers of seats that the game allows."""
    chosen = loaded.engine.read_options(json.loads(loaded.row.options))
    wished = wishes(loaded).seats
    return loaded.engine.seat_counts(chosen) if wished is None else (wished,)


def places(loaded: Loaded) -> int:
    """Seats that may be taken."""
    return max(counts(loaded))


def taken(loaded: Loaded) -> list[SeatRow]:
    """Seats with a person or the bot."""
    return [seat for seat in loaded.seats if seat.user_id is not None or seat.level is not None]


def in_lobby(loaded: Loaded) -> None:
    """Raises `not-open` where the table has started, `over` or `never-begun` where it is closed."""
    status, begun = loaded.row.status, loaded.row.started_at is not None
    if status != "open":
        code = not_played(status, begun=begun) if status in ("over", "cancelled") else "not-open"
        raise loaded.refusal(code, status=status)


def seated_in_lobby(loaded: Loaded, user_id: int) -> None:
    """What `in_lobby` raises, and `not-seated` to who does not sit there."""
    in_lobby(loaded)
    if loaded.seat_of(user_id) is None:
        raise loaded.refusal("not-seated")


def room_in_lobby(loaded: Loaded) -> None:
    """Raises `full` where every seat is taken or kept for somebody, `unsealed` where a seal was opened."""
    unopened(loaded)
    if len(loaded.seats) >= places(loaded):
        raise loaded.refusal("full", most=places(loaded))


async def join(
    house: House, table_id: int, user: User, interaction_id: int, chance: str | None = None
) -> Table:
    """`user` sits down; a game for two starts when it is full.

    chance  words that the user adds to the chances of the game, or a seal on them; the way to open it too

    Raises `not-open`, `already-seated`, `private`, `reserved`, `full`, and what `chances.added` raises.
    """
    async with house.once(table_id, interaction_id) as (loaded, done):
        if done is not None:
            return loaded.table()
        in_lobby(loaded)
        if chance and loaded.seat_of(user.id) is not None:
            return await add_chance(house, loaded, user, interaction_id, chance)
        unopened(loaded)
        there = [n for s in loaded.seats for n in (s.user_id, s.invited) if n is not None and n != user.id]
        await may_come(house, user.id, there, loaded.row.game, table_id)
        await caps.room_for(house, user.id, loaded.row.guild_id, loaded.row.game, making=False)
        filled = replace(loaded, seats=with_user(loaded, user, chance))
        after, messages = await settled(house, filled)
        async with house.writing(table_id, interaction_id) as tx:
            await users.see(tx, user.id, user.name, user.locale)
            await finish(house, tx, loaded, after, messages)
        house.committed(after)
        return after.table()


async def add_chance(house: House, loaded: Loaded, user: User, interaction_id: int, chance: str) -> Table:
    """What who sits there adds to the chances, once; or the words that open their seal.

    A seal opens when nobody is missing: what the others add is told by then, and can change no more.
    """
    mine = next(seat for seat in loaded.seats if seat.user_id == user.id)
    if mine.nonce_told is not None and mine.nonce is None:
        complete(loaded)
        then = opened(loaded, mine, chance)
    else:
        unopened(loaded)
        then = added(loaded, mine, chance)
    seats = tuple(then if seat.seat == mine.seat else seat for seat in loaded.seats)
    after, messages = await settled(house, replace(loaded, seats=seats))
    async with house.writing(loaded.row.id, interaction_id) as tx:
        await finish(house, tx, loaded, after, messages)
    house.committed(after)
    return after.table()


def with_user(loaded: Loaded, user: User, chance: str | None) -> tuple[SeatRow, ...]:
    """The seats with this user at the one kept for him, or at a free one."""
    row = loaded.row
    if loaded.seat_of(user.id) is not None:
        raise loaded.refusal("already-seated")
    for seat in loaded.seats:
        if seat.invited == user.id and seat.user_id is None:
            kept = replace(seat, user_id=user.id, name=user.name, account=user.account, invited=None)
            kept = added(loaded, kept, chance)
            return tuple(kept if other.seat == seat.seat else other for other in loaded.seats)
    if row.private:
        raise loaded.refusal("private")
    if len(loaded.seats) >= places(loaded):
        code = "full" if len(taken(loaded)) == len(loaded.seats) else "reserved"
        raise loaded.refusal(code, most=places(loaded))
    number = min(set(range(places(loaded))) - {seat.seat for seat in loaded.seats})
    new = SeatRow(row.id, number, user_id=user.id, name=user.name, account=user.account)
    return tuple(sorted((*loaded.seats, added(loaded, new, chance)), key=lambda seat: seat.seat))


async def invite(house: House, table_id: int, user_id: int, guest: User, interaction_id: int) -> Table:
    """Keeps a seat for `guest`, who is told; the way to fill a private table of several.

    Raises `not-open`, `not-seated`, `already-seated`, `invited-twice`, `full`, `unwelcome`, `your-block`, and
    `nobody-reads` in direct messages.
    """
    async with house.once(table_id, interaction_id) as (loaded, done):
        row = loaded.row
        if done is not None:
            return loaded.table()
        seated_in_lobby(loaded, user_id)
        if row.guild_id is None:
            raise loaded.refusal("nobody-reads")
        if loaded.seat_of(guest.id) is not None:
            raise loaded.refusal("already-there")
        if any(seat.invited == guest.id for seat in loaded.seats):
            raise loaded.refusal("invited-twice")
        room_in_lobby(loaded)
        there = [n for s in loaded.seats for n in (s.user_id, s.invited) if n is not None]
        await may_name(house, user_id, [guest.id], row.game, table_id)
        await may_come(house, guest.id, there, row.game, table_id)
        number = min(set(range(places(loaded))) - {seat.seat for seat in loaded.seats})
        kept = SeatRow(row.id, number, name=guest.name, invited=guest.id, account=guest.account)
        seats = tuple(sorted((*loaded.seats, kept), key=lambda seat: seat.seat))
        after = replace(loaded, seats=seats).updated(version=row.version + 1)
        by = loaded.seat_of(user_id)
        told = letters.line(after, "invited", [guest.id], by=by, user=f"<@{guest.id}>")
        async with house.writing(table_id, interaction_id) as tx:
            await users.see(tx, guest.id, guest.name, None)
            await finish(house, tx, loaded, after, [letters.lobby(after), told])
        house.committed(after)
        return after.table()


async def seat_bot(house: House, table_id: int, user_id: int, interaction_id: int) -> Table:
    """The bot takes a free seat of a table that has not started, at the level the table wishes.

    Raises `not-open`, `not-seated`, `full`, `no-opponent`, `bad-option`.
    """
    async with house.once(table_id, interaction_id) as (loaded, done):
        if done is not None:
            return loaded.table()
        seated_in_lobby(loaded, user_id)
        room_in_lobby(loaded)
        after, messages = await settled(house, with_bots(loaded, 1))
        async with house.writing(table_id, interaction_id) as tx:
            await finish(house, tx, loaded, after, messages)
        house.committed(after)
        return after.table()


def with_bots(loaded: Loaded, more: int) -> Loaded:
    """The bot at `more` of the free seats. Raises `no-opponent`, `bad-option`."""
    level = wishes(loaded).level
    if more:
        check_level(loaded.row.game, level)
    seats = list(loaded.seats)
    free = sorted(set(range(places(loaded))) - {seat.seat for seat in seats})
    for number in free[:more]:
        seats.append(SeatRow(loaded.row.id, number, name=bot_name(seats), level=level))
    return replace(loaded, seats=tuple(sorted(seats, key=lambda seat: seat.seat)))


def filled_up(loaded: Loaded) -> Loaded:
    """Where the bot plays already and nobody is still asked, it plays as many seats as the game needs."""
    here = len(taken(loaded))
    enough = [count for count in counts(loaded) if count >= here]
    if not enough or here < len(loaded.seats) or all(seat.level is None for seat in loaded.seats):
        return loaded
    return with_bots(loaded, min(enough) - here)


def complete(loaded: Loaded) -> Loaded:
    """With as many as the game needs, the bot among them where it was asked to. Raises `not-enough`."""
    ready = filled_up(loaded)
    if len(taken(ready)) not in counts(ready):
        have, allowed = len(taken(loaded)), sorted(counts(loaded))
        raise loaded.refusal("not-enough", have=have, least=allowed[0], allowed=allowed)
    return ready


async def leave(house: House, table_id: int, user_id: int, interaction_id: int | None) -> Table:
    """Gives the seat or the invitation back; a table that everybody left is closed.

    So is one where a seal was opened already: who came instead could choose what they add by it.

    Raises `not-open`, `under-way` (to a player), `not-seated`.
    """
    async with house.once(table_id, interaction_id) as (loaded, done):
        if done is not None:
            return loaded.table()
        if loaded.row.status == "running" and loaded.seat_of(user_id) is not None:
            raise loaded.refusal("under-way")
        in_lobby(loaded)
        was_there = loaded.seat_of(user_id) is not None
        left = tuple(s for s in loaded.seats if user_id not in (s.user_id, s.invited))
        if len(left) == len(loaded.seats):
            raise loaded.refusal("not-seated")
        after = replace(loaded, seats=left).updated(version=loaded.row.version + 1)
        if not after.people or (was_there and any(seat.unsealed for seat in loaded.seats)):
            after = ended(after, "cancelled", "cancelled", house.clock.now())
        async with house.writing(table_id, interaction_id) as tx:
            await finish(house, tx, loaded, after, [letters.lobby(after)])
        house.committed(after)
        return after.table()


async def start(house: House, table_id: int, user_id: int, interaction_id: int) -> Table:
    """Starts with those who sit there, and the bot where it was asked to and more are needed.

    Raises `not-open`, `not-seated`, `not-enough`, `sealed`.
    """
    async with house.once(table_id, interaction_id) as (loaded, done):
        if done is not None:
            return loaded.table()
        seated_in_lobby(loaded, user_id)
        ready = complete(loaded)
        if shut := sealed(ready.seats):
            raise loaded.refusal("sealed", waited=[seat.name for seat in shut])
        after, messages = await begun(house, ready)
        async with house.writing(table_id, interaction_id) as tx:
            await finish(house, tx, loaded, after, messages)
        house.committed(after)
        return after.table()


# -- the start ------------------------------------------------------------------------------


async def begun(house: House, loaded: Loaded) -> tuple[Loaded, list[Message]]:
    """The table with its first state, and what is posted of it."""
    row, now = loaded.row, house.clock.now()
    seats, told = ordered(loaded)
    seating = None if told is None else told.model_dump_json()
    ready = replace(loaded, seats=seats).updated(seating=seating)
    record = Record(
        game=row.game,
        rules=row.rules,
        options=json.loads(row.options),
        seats=len(seats),
        seed=row.seed.hex(),
        commitment=row.commitment,
        nonces=nonces_of(seats),
        nonce_commitments=told_of(seats),
    )
    try:
        state, events = first_step(record)
    except RulesError as error:
        raise loaded.refusal(error) from None
    roles = loaded.engine.roles(state)
    named = tuple(replace(seat, role=roles[seat.seat]) for seat in seats)
    ready = (await away(house, replace(ready, seats=named))).updated(started_at=now)
    after = advanced(ready, state, events, now, actor=None, entries=0)
    opening = [letters.lobby(after)]
    if not row.in_place and row.thread_id is None:
        opening.append(letters.at_table(after, "thread"))
    opening += away_lines(after)
    return after, [*opening, *letters.boards(None, after, await quiet(house, after))]


def ordered(loaded: Loaded) -> tuple[tuple[SeatRow, ...], Seating | None]:
    """Those who play, in seating order by the creator's wish, and how that was drawn; None: it was given."""
    wish = wishes(loaded).seat
    present = [replace(seat, invited=None) for seat in taken(loaded)]
    told = None
    if wish != "fixed":
        creator = next((n for n, s in enumerate(present) if s.user_id == loaded.row.creator_id), None)
        told = drawn(loaded.row.seed, [seat.nonce for seat in present], wish, creator)
        present = [present[place] for place in told.order]
    return tuple(replace(seat, seat=number) for number, seat in enumerate(present)), told


# -- closing ------------------------------------------------------------------------------


async def cancel(
    house: House, table_id: int, user_id: int, interaction_id: int, *, moderator: bool
) -> Table | Vote:
    """Closes a lobby (its creator or a moderator), or a running game (moderator, else by vote).

    A moderator who plays with others asks them; who sat there leaves it to another (`moderator-sat`).
    """
    async with house.asked(table_id, interaction_id) as done:
        row, seats = await house.rows(table_id)
        loaded = Loaded(row, seats) if row.status != "running" else await stateful(house, Loaded(row, seats))
        if done is not None:
            return loaded.table()
        if row.status not in ("open", "running"):
            code = not_played(row.status, begun=row.started_at is not None)
            raise loaded.refusal(code, status=row.status)
        seat = loaded.seat_of(user_id)
        if row.status == "open":
            if not moderator and user_id != row.creator_id:
                raise loaded.refusal("not-creator")
            return await close(house, loaded, "lobby-cancelled", interaction_id)
        if moderator and (seat is None or loaded.state is None):
            await may_moderate(house, loaded, user_id)
            return (await end_game(house, loaded, "cancelled", "cancelled", interaction_id)).table()
        if loaded.state is None:
            raise house.broken(loaded)
        if seat is None:
            raise loaded.refusal("not-seated")
        if alone(loaded, seat):
            return (await end_game(house, loaded, "cancelled", "cancelled", interaction_id)).table()
        return await ask(house, loaded, "cancel", seat, interaction_id)


async def stateful(house: House, loaded: Loaded) -> Loaded:
    """With its state where that loads; a moderator may close a broken table too."""
    try:
        return await house.load(loaded.row.id)
    except TableError as error:
        if error.code != "broken":
            raise
        return loaded


async def close(house: House, loaded: Loaded, code: str, interaction_id: int | None) -> Table:
    """Closes a lobby with a line; the caller holds the lock."""
    after = ended(loaded, "cancelled", "cancelled", house.clock.now())
    async with house.writing(loaded.row.id, interaction_id) as tx:
        await finish(house, tx, loaded, after, [letters.lobby(after), letters.line(after, code)])
    house.committed(after)
    return after.table()


async def lobby_due(house: House, timer: TimerRow) -> None:
    """Closes a lobby that did not start in time; the timer goes with the same transaction."""
    async with house.lock(timer.table_id):
        row, seats = await house.rows(timer.table_id)
        if row.status == "open":
            await close(house, Loaded(row, seats), "lobby-expired", None)
        else:
            async with house.writing(row.id, None) as tx:
                await timers.remove(tx, timer.kind, table_id=timer.table_id)


# -- rematch -------------------------------------------------------------------------------


async def rematch(
    house: House, table_id: int, user: User, interaction_id: int, spot: tuple[Place, bool] | None = None
) -> Table:
    """The next table of the same people, seats swapped; a second press joins it.

    It is played where the last one was, or at `spot`, with whether it is played right there.

    Raises `not-over`, `not-running`, `never-begun`, `not-seated`, `unwelcome`, `your-block`.
    """
    async with house.asked(table_id, interaction_id) as done:
        if done is not None:
            return await house.table(int(done["table"]))
        row, seats = await house.rows(table_id)
        old = Loaded(row, seats)
        if row.status not in ("over", "cancelled") or row.started_at is None:
            code = "not-over" if row.started_at is not None else not_played(row.status, begun=False)
            raise old.refusal(code)
        if old.seat_of(user.id) is None:
            raise old.refusal("not-seated")
        others_there = [s.user_id for s in seats if s.user_id is not None and s.user_id != user.id]
        await may_name(house, user.id, others_there, row.game, table_id)
        if row.rematch_id is None:
            if spot is not None:
                await caps.allowed_here(house, spot[0], row.game)
            await caps.room_for(house, user.id, row.guild_id, row.game, making=True)
            return await follow_up(house, old, user, interaction_id, spot)
        next_id = row.rematch_id
    return await accept(house, next_id, user, interaction_id)


async def accept(house: House, table_id: int, user: User, interaction_id: int) -> Table:
    """Joins the next table; who sits there already, or comes too late, is shown it."""
    try:
        return await join(house, table_id, user, interaction_id)
    except TableError as error:
        if error.code not in ("already-seated", "not-open", "over", "never-begun"):
            raise
        return await house.table(table_id)


async def follow_up(
    house: House, old: Loaded, user: User, interaction_id: int, spot: tuple[Place, bool] | None
) -> Table:
    """Makes the next table: who pressed sits, the others are invited; the caller holds the old one's lock."""
    options = wishes(old).model_copy(update={"seat": "fixed", "seats": len(old.seats)})
    chosen = old.engine.read_options(json.loads(old.row.options))
    before = Place(old.row.guild_id, old.row.channel_id, old.row.thread_id if old.row.in_place else None)
    place, in_place = spot or (before, old.row.in_place)
    asked = Invitation(
        creator=user,
        game=old.row.game,
        place=place,
        wishes=Wishes(options, chosen, (len(old.seats),)),
        private=old.row.private,
        in_place=in_place,
        locale=old.row.locale,
    )
    async with house.writing(old.row.id, None) as tx:
        table_id = await tables.add(tx, {**first_row(house, asked), "rematch_of": old.row.id})
        await users.see(tx, user.id, user.name, user.locale)
        loaded = await new_table(tx, table_id, swapped(old, user))
        after, messages = await settled(house, loaded)
        await finish(house, tx, loaded, after, messages)
        await house.note(tx, interaction_id, table_id)
    house.forget(old.row.id)
    house.committed(after)
    return after.table()


def swapped(old: Loaded, user: User) -> list[SeatRow]:
    """The old table's people one seat on; those who have not pressed yet are invited."""
    count = len(old.seats)
    rows = []
    for seat in old.seats:
        number = (seat.seat + 1) % count
        if seat.level is not None:
            rows.append(SeatRow(0, number, name=seat.name, level=seat.level))
        elif seat.user_id == user.id:
            rows.append(SeatRow(0, number, user_id=user.id, name=user.name, account=user.account))
        elif seat.user_id is not None:  # a player who is forgotten leaves his seat free
            rows.append(SeatRow(0, number, name=seat.name, invited=seat.user_id, account=seat.account))
    return sorted(rows, key=lambda row: row.seat)
