"""Actions, panels and completions at a running table."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from db.database import Transaction
from db.repositories import actions, users, votes
from db.repositories import drafts as db_drafts
from db.rows import ActionRow, ChapterRow, Message, VoteRow
from engines.capabilities import SEPARATOR, Aids, Drafts, Orders, OutOfTurn, Secrets
from engines.chance import Chance
from engines.protocol import (
    Action,
    AnyEngine,
    Choice,
    Engine,
    Event,
    Json,
    Prompt,
    Ready,
    RulesError,
    Seat,
    View,
    only_pick,
)
from engines.record import action_json
from engines.registry import GAMES, engine
from tables.core import chapter_events, clocks, letters
from tables.core.chapter_events import Chapter
from tables.core.errors import TableError, not_played
from tables.core.house import House, Packed, pack
from tables.core.loaded import Loaded
from tables.core.model import Draft, Outcome, Panel, Shown
from tables.core.turns import advanced, passes
from tables.play import aids, drafts, orders
from tables.play.past import recall

MOST_RANGE = 200  # choices that a range in a pick may span
MOST_LEGAL = 25  # named in a refusal, and completions of a move
MANY = 3  # seats from which on somebody may want to hear that he is next


OUTSIDE = "outside"  # has left the server and plays on by DM: that he has left is told once
LEFT = ("left", OUTSIDE)
UNKNOWN = -1  # no server's number: it does not matter where an action was asked for


@dataclass(frozen=True)
class Wish:
    """An action asked for: by a user at a button of `version`, or by the bot (no user)."""

    action: str | Mapping[str, Json]
    user_id: int | None = None
    interaction_id: int | None = None
    lines: tuple[Message, ...] = ()  # posted before the board
    vote: tuple[VoteRow, Seat] | None = None  # that this carries out, and who agreed last
    orders: orders.Due | None = None  # that brought this about
    guild_id: int | None = UNKNOWN  # the server where it was asked for, None in a DM
    at_letter: bool = False  # pressed at the hand that was sent, which shows the change itself


class Beside(NamedTuple):
    """What an action's posts depend on beside the position.

    told   of the chapter that goes on
    quiet  users who do not want hands by DM
    pinged_next  users who want to hear that they are next
    """

    told: ChapterRow | None
    quiet: frozenset[int]
    pinged_next: frozenset[int]


class Done(NamedTuple):
    """An action as it is written down: what the rules made of it, what is posted, what its actor sees.

    Of several entries those after the first are answers that other seats had settled. `since` is what the
    public saw before them.
    """

    text: str
    entries: list[ActionRow]
    after: Loaded
    chapter: Chapter | None
    posts: list[Message]
    packed: Packed
    shown: Shown
    since: View


def playing(loaded: Loaded, user_id: int) -> Seat:
    """The seat of this user at a running table. Raises `not-running`, `over`, `never-begun`, `not-seated`."""
    row = loaded.row
    if row.status != "running":
        code = not_played(row.status, begun=row.started_at is not None)
        raise loaded.refusal(code, status=row.status)
    return seated(loaded, user_id)


def seated(loaded: Loaded, user_id: int) -> Seat:
    """The seat of this user. Raises `not-seated`."""
    seat = loaded.seat_of(user_id)
    if seat is None:
        raise loaded.refusal("not-seated")
    return seat


def fresh(loaded: Loaded, seat: Seat, version: int | None) -> None:
    """Raises `stale` where the seat's choices changed since `version`."""
    row = loaded.row
    if version is not None and not loaded.seats[seat].choice_version <= version <= row.version:
        raise loaded.refusal("stale", version=row.version)


async def act(house: House, table_id: int, wish: Wish, version: int | None) -> Outcome:
    """A user's action, once."""
    async with house.once(table_id, wish.interaction_id) as (loaded, done):
        if done is not None:
            seat = loaded.seat_of(wish.user_id)
            draft = (
                await drafts.text_of(house, loaded, seat) if done.get("draft") and seat is not None else None
            )
            shown = loaded.shown(seat)
            return Outcome(loaded.table(), done.get("action"), shown, repeated=True, draft=draft)
        seat = playing(loaded, wish.user_id or 0)
        fresh(loaded, seat, version)
        settled = None
        if isinstance(loaded.engine, Aids):
            settled = aids.wished(loaded, seat, wish.action)  # a notation that `decided` reads, too
        if settled is not None:
            asked = aids.answer(replace(loaded, aids={seat: settled[0]}))
            after = await aids.keep(house, loaded, seat, settled, None if asked else wish.interaction_id)
            if asked is None:
                shown = await asyncio.to_thread(after.shown, seat)
                return Outcome(after.table(), settled[1], shown, said=loaded.spoken(seat, settled[1]))
            return await acted(house, after, seat, replace(wish, action=asked[1]))
        return await acted(house, loaded, seat, wish)


async def acted(house: House, loaded: Loaded, seat: Seat, wish: Wish) -> Outcome:
    """An edit of a draft, or an action of the game, with what follows from it. The caller holds the lock."""
    edited = await drafts.edited(house, loaded, seat, wish.action)
    if edited is not None:
        edit = edited[1]
        if edit.send is None:
            await drafts.keep(house, loaded, seat, edited, wish.interaction_id, at_letter=wish.at_letter)
            after, went = await followed(house, loaded, new=True)
            if own := [text for mover, text in went if mover == seat]:
                left, made = await drafts.text_of(house, after, seat), SEPARATOR.join(own)
                said, still = loaded.spoken(seat, made), after.spoken(seat, left) if left else ()
                return Outcome(after.table(), made, after.shown(seat), draft=left, said=said, left=still)
            said = loaded.spoken(seat, edit.draft) if isinstance(loaded.engine, Orders) else ()
            return Outcome(
                after.table(), None, after.shown(seat), draft=edit.draft, said=said, lacking=edit.lacking
            )
        wish = replace(wish, action=edit.send)
    done = await carry_out(house, loaded, seat, wish)
    after = await follow(house, done.after)
    shown = done.shown if after is done.after else await asyncio.to_thread(after.shown, seat)
    return Outcome(after.table(), done.text, shown, said=loaded.spoken(seat, done.text))


async def follow(house: House, loaded: Loaded, *, new: bool = False) -> Loaded:
    """Carries out orders as long as some are due; the table after them. The caller holds the lock.

    `new`: some may be that wait for nobody, so that only who has just left them, or a crash, leaves any.
    """
    return (await followed(house, loaded, new=new))[0]


async def followed(house: House, loaded: Loaded, *, new: bool) -> tuple[Loaded, list[tuple[Seat, str]]]:
    """The same, with what was done, and by which seats."""
    went = list[tuple[Seat, str]]()
    while (
        isinstance(loaded.engine, Orders)
        and (due := await orders.first_due(house, loaded, new=new)) is not None
    ):
        if due.edit.send is None:  # refused now: the player is asked himself
            async with house.database.transaction() as tx:
                await orders.keep(tx, house, loaded.row.id, due)
            continue
        wish = Wish(due.edit.send, loaded.seats[due.seat].user_id, orders=due)
        done = await carry_out(house, loaded, due.seat, wish)
        loaded = done.after
        went.append((due.seat, done.text))
    return loaded, went


async def resume(house: House) -> None:
    """Carries out the orders that were due when the process ended."""
    games = [game for game in GAMES if isinstance(engine(game), Orders)]
    for table_id in await db_drafts.tables_with(house.database.reads, games):
        async with house.lock(table_id):
            try:
                loaded = await house.load(table_id)
            except TableError:
                continue  # a broken table is told about where it is played
            await follow(house, loaded, new=True)


def unread(loaded: Loaded, seat: Seat, action: str | Mapping[str, Json]) -> bool:
    """Whether a seat that has to wait wrote what is no action at all: then it is told to wait."""
    if seat in loaded.to_act:
        return False
    try:
        loaded.engine.parse(action, loaded.position, seat)
    except RulesError:
        return True
    return False


async def carry_out(house: House, before: Loaded, seat: Seat, wish: Wish) -> Done:
    """Asks the engine and commits: entry, snapshot, rows and messages in one transaction.

    The caller holds the lock. Raises TableError with the engine's code and what is legal now.
    """
    row, now, known = before.row, house.clock.now(), before
    if wish.orders is None and (lines := ended_vacation(before, seat, wish.user_id)):
        before, wish = back_at_table(before, seat, now), replace(wish, lines=(*lines, *wish.lines))
    beside = await known_beside(house, before)
    done = await asyncio.to_thread(decided, before, seat, wish, now, beside)
    after = done.after
    if wish.vote is None and made_anew(known, after, seat):
        return await in_its_place(house, known, done, seat, wish, beside)
    lapsing = await lapsing_votes(house, before, after, seat)
    outcome: dict[str, Json] = {} if wish.vote is None else {"vote": wish.vote[0].id}
    async with house.writing(row.id, wish.interaction_id, action=done.text, **outcome) as tx:
        if wish.vote is not None:
            await seal(tx, *wish.vote, now)
        for entry in done.entries:
            await actions.add(tx, entry)
        for vote in lapsing:
            if wish.vote is None or vote.id != wish.vote[0].id:
                await votes.end(tx, vote.id, "lapsed", now)
        if wish.orders is not None:
            await orders.keep(tx, house, row.id, wish.orders)
        await chapter_events.keep(tx, after, done.chapter)
        await aids.changed(tx, before, after)
        await house.store(tx, after, [*wish.lines, *done.posts], done.packed)
    house.committed(after, done.packed.size)
    house.looks.posted(row.id, before.row.entries, done.since)
    house.looks.acted(row.id, seat, after.row.entries, done.shown.view)
    if before.votes:
        house.forget(row.id)  # some of them lapsed
    return done


def made_anew(before: Loaded, after: Loaded, seat: Seat) -> bool:
    """Whether a seat only made a secret choice anew that it had made: nobody else is to notice that."""
    if seat in before.to_act or isinstance(before.engine, Orders) or drafts.begun(before, seat) is None:
        return False
    return letters.unchanged(before, after)


async def in_its_place(  # noqa: PLR0917 - a change at a table
    house: House, before: Loaded, done: Done, seat: Seat, wish: Wish, beside: Beside
) -> Done:
    """Writes a secret choice in the place of the one that the seat had made.

    No entry, version, turn or clock tells of it, and no row but the seat's own sheet.
    """
    past = await recall(house, before)
    old = past.trail.seqs[past.trail.last_of(seat)]
    seats = tuple(
        replace(one, choice_mark=done.after.seats[seat].choice_mark) if one.seat == seat else one
        for one in before.seats
    )
    after = replace(before, seats=seats, state=done.after.state)
    user_id = before.seats[seat].user_id
    posts = []
    if user_id is not None and user_id not in beside.quiet and letters.own_changed(before, after, seat):
        posts.append(letters.hand(after, seat, user_id))
    packed = await asyncio.to_thread(pack, after)
    action = done.entries[0].action or ""
    house.trails.drop(before.row.id)  # its digests were of the other choice
    async with house.writing(before.row.id, wish.interaction_id, action=done.text) as tx:
        await actions.rewrite(tx, before.row.id, old, action, wish.user_id)
        await house.store(tx, after, posts, packed)
    house.committed(after, packed.size)
    shown = after.shown(seat)
    house.looks.acted(before.row.id, seat, after.row.entries, shown.view)
    return done._replace(after=after, shown=shown, packed=packed, posts=posts)


def ended_vacation(loaded: Loaded, seat: Seat, user_id: int | None) -> tuple[Message, ...]:
    """Who plays is not away, at this table: what is told of it."""
    if not loaded.seats[seat].away or user_id is None or loaded.seats[seat].user_id != user_id:
        return ()
    return (letters.line(loaded, "returned", seat=seat),)


def back_at_table(loaded: Loaded, seat: Seat, now: int) -> Loaded:
    """The table with this seat's player no more away, and the turn counted from now."""
    row = loaded.seats[seat]
    back = replace(row, away=False, away_until=None, acts_since=now if row.acts else None)
    return replace(loaded, seats=tuple(back if s is row else s for s in loaded.seats))


async def known_beside(house: House, before: Loaded) -> Beside:
    """What an action's posts depend on beside the position."""
    ids = [seat.user_id for seat in before.people if seat.user_id is not None]
    if not ids or not (isinstance(before.engine, Secrets) or len(before.seats) >= MANY):
        return Beside(await chapter_events.going_on(house.database, before), frozenset(), frozenset())
    told, people = await asyncio.gather(
        chapter_events.going_on(house.database, before), users.some(house.database.reads, ids)
    )
    quiet = [user.id for user in people.values() if isinstance(before.engine, Secrets) and not user.dm]
    return Beside(told, frozenset(quiet), frozenset(user.id for user in people.values() if user.next_ping))


def decided(before: Loaded, seat: Seat, wish: Wish, now: int, beside: Beside) -> Done:
    """The action as the rules write it, its row of the log, the table after it, and what is posted of it.

    Runs in a thread, because a chain of automatic steps takes longer than others' first answers may wait.
    Raises TableError with the engine's code and what is legal now.
    """
    rules, row, chance = before.engine, before.row, before.chance()
    try:
        action = rules.parse(wish.action, before.position, seat)
        state, events = rules.apply(before.position, seat, action, chance)
    except RulesError as error:
        why = RulesError("not-your-turn") if unread(before, seat, wish.action) else error
        raise before.refusal(why, legal=legal_now(before, seat)) from None
    after = advanced(before, state, events, now, actor=seat, entries=row.entries + 1)
    if before.seats[seat].gone in LEFT and wish.guild_id not in (UNKNOWN, row.guild_id):
        after = replace(
            after, seats=tuple(replace(s, gone=OUTSIDE) if s.seat == seat else s for s in after.seats)
        )
    entries = [written(before, after, seat, action, wish.user_id, news(chance, events), now)]
    after = aids.still(after)
    while (asked := aids.answer(after)) is not None:
        after, entry = answered(before, after, seat, asked, now)
        after = aids.still(after)
        entries.append(entry)
    entries[0] = replace(entries[0], fed=clocks.fed(before, after, now))
    chapter, following = chapter_events.turned(before, after, beside.told), upcoming(before, after, beside)
    posts = letters.boards(before, after, beside.quiet, upcoming=following, chapter=chapter)
    shown, since = after.shown(seat), before.view(None)
    return Done(rules.format(action), entries, after, chapter, posts, pack(after), shown, since)


def news(chance: Chance, events: Sequence[Event]) -> bool:
    """Whether something was drawn or revealed."""
    return chance.used or any(event.reveals for event in events)


def written(  # noqa: PLR0917 - what an entry holds
    before: Loaded, after: Loaded, seat: Seat, action: Action, user_id: int | None, reveals: bool, now: int
) -> ActionRow:
    """The entry of an action that led from one table to the other."""
    return ActionRow(
        table_id=before.row.id,
        seq=after.row.entries,
        seat=seat,
        action=json.dumps(action_json(action)),
        undo=None,
        reveals=reveals,
        passes=passes(before, after),
        user_id=user_id,
        at=now,
    )


def answered(
    before: Loaded, asking: Loaded, actor: Seat, answer: tuple[Seat, str], now: int
) -> tuple[Loaded, ActionRow]:
    """The table once a seat's question is answered as it settled, and the entry of that.

    For clocks, calls and posts it was never asked: they go by the table `before` the actor's action.
    """
    seat, text = answer
    rules, number = asking.engine, asking.row.entries + 1
    action, chance = rules.parse(text, asking.position, seat), asking.chance_of(number)
    state, events = rules.apply(asking.position, seat, action, chance)
    after = advanced(before, state, (*asking.events, *events), now, actor=actor, entries=number)
    return after, written(asking, after, seat, action, None, news(chance, events), now)


async def seal(tx: Transaction, vote: VoteRow, voter: Seat, now: int) -> None:
    """Closes a vote with the last answer it waited for."""
    await votes.answer(tx, vote.id, voter, agree=True, now=now)
    await votes.end(tx, vote.id, "agreed", now)


def upcoming(before: Loaded, after: Loaded, beside: Beside) -> Seat | None:
    """The seat that acts after the one to which the turn just passed, where its player wants to hear so."""
    if after.row.status != "running" or len(after.seats) < MANY or after.to_act == before.to_act:
        return None
    seat = after.engine.upcoming(after.position)
    return seat if seat is not None and after.seats[seat].user_id in beside.pinged_next else None


def legal_now(loaded: Loaded, seat: Seat) -> list[str]:
    """Up to 25 actions that the seat may do now."""
    if seat not in loaded.to_act:
        return []
    return loaded.engine.complete("", loaded.position, seat)[:MOST_LEGAL]


async def quiet(house: House, loaded: Loaded) -> set[int]:
    """Those at the table who do not want hands by DM."""
    ids = [seat.user_id for seat in loaded.people if seat.user_id is not None]
    if not ids or not isinstance(loaded.engine, Secrets):
        return set()
    return await users.without_dm(house.database.reads, ids)


async def lapsing_votes(house: House, before: Loaded, after: Loaded, actor: Seat) -> list[VoteRow]:
    """Votes that an action ends: an undo by any, a draw by who did not agree to it, all at the end.

    A vote about a player ends when he acts, as he is there after all, and when he is out of the game.
    """
    reads, ended = house.database.reads, after.row.status != "running"
    lapsing = []
    for vote in before.votes:
        agreed = (await votes.ballots(reads, vote.id)).get(actor, False)
        about = json.loads(vote.payload).get("seat")
        there = about == actor and vote.kind != "time"
        refuted = about is not None and (there or about in after.retired)
        if ended or refuted or vote.kind == "undo" or (vote.kind == "draw" and not agreed):
            lapsing.append(vote)
    return lapsing


# -- panels --------------------------------------------------------------------------


def panel(loaded: Loaded, user_id: int, path: Sequence[str], version: int | None) -> Panel:
    """The guided panel after the picks of `path`: indexes, several joined by '+', '-' for none.

    A question that leaves no choice is answered by itself, and the path goes on with its answer.

    Raises `not-running`, `over`, `not-seated`, `stale`, `not-your-turn`, and `stale-path` of the rules.
    """
    seat = playing(loaded, user_id)
    row = loaded.row
    fresh(loaded, seat, version)
    if seat not in loaded.to_act and not isinstance(loaded.engine, OutOfTurn):
        raise loaded.refusal("not-your-turn", version=row.version)
    steps, keys = loaded.steps(seat), list[str]()
    picked, taken, alone, way = list[Choice](), list[Choice](), set[int](), list(path)
    try:
        step = steps(())
        while len(keys) < len(way) or only_pick(step) is not None:
            forced = only_pick(step) is not None
            if len(keys) == len(way) and isinstance(step, Prompt):
                way.append("+".join(str(index) for index in range(len(step.choices))))
            chosen = picks(step, way[len(keys)])
            picked += chosen
            if forced:
                alone.add(len(keys))
                taken += chosen
            keys.append("+".join(choice.key for choice in chosen) or "-")
            step = steps(tuple(keys))
    except RulesError as error:
        raise loaded.refusal(error) from None
    ready = step.action if isinstance(step, Ready) else None
    return Panel(
        loaded.shown(seat),
        step,
        tuple(picked),
        tuple(way),
        row.version,
        said=loaded.spoken(seat, ready),
        ahead=() if ready is None else loaded.foreseen(seat, ready),
        alone=frozenset(alone),
        taken=tuple(taken),
    )


async def beside(house: House, found: Panel, loaded: Loaded) -> Panel:
    """The panel with the orders that its seat has left, and whether it may take an action back alone."""
    seat = found.shown.seat
    if seat is None or not isinstance(loaded.engine, Orders):
        return found
    last = await actions.last(house.database.reads, loaded.row.id)
    own = last is not None and last.seat == seat and last.user_id == loaded.seats[seat].user_id
    undo = last is not None and own and not (last.reveals or last.passes)
    orders = await drafts.text_of(house, loaded, seat)
    return replace(found, orders=orders, undo=undo, left=loaded.spoken(seat, orders))


def warns(rules: AnyEngine) -> bool:
    """Whether the game has warnings for some typed actions."""
    return type(rules).confirm is not Engine.confirm


def doubts(rules: AnyEngine) -> bool:
    """Whether a typed action of the game, or a draft that is sent, may have to be asked about."""
    return isinstance(rules, Drafts) or warns(rules)


async def doubt(house: House, table_id: int, user_id: int, action: str) -> Panel | Draft | None:
    """What sending a draft, or a typed action, is to be asked about with; None where it is done at once.

    A draft that was to be sent is kept as it was typed, so that nothing is lost by asking.
    """
    async with house.lock(table_id):
        loaded = await house.load(table_id)
        seat = playing(loaded, user_id)
        try:
            edited = await drafts.edited(house, loaded, seat, drafts.typed(loaded, seat, action))
        except TableError:
            return None  # doing it says why
        if edited is not None and edited[1].send is not None and edited[1].doubtful:
            if await drafts.text_of(house, loaded, seat) != edited[1].draft:
                await drafts.keep(house, loaded, seat, edited, None)
            return Draft(loaded.shown(seat), edited[1].draft, loaded.row.version, asked=True)
    if edited is not None or not warns(loaded.engine):
        return None
    return await asyncio.to_thread(doubtful_action, loaded, user_id, action)


def doubtful_action(loaded: Loaded, user_id: int, action: str) -> Panel | None:
    """The panel at the confirmation of a typed action that has a warning; None where it is done at once.

    An action that is refused has none: doing it says why.
    """
    seat, rules = playing(loaded, user_id), loaded.engine
    try:
        ready = rules.confirm(loaded.position, seat, rules.parse(action, loaded.position, seat))
    except RulesError:
        return None
    path = path_to(loaded, seat, ready.action) if ready.warning else None
    return None if path is None else panel(loaded, user_id, path, None)


def path_to(
    loaded: Loaded, seat: Seat, action: str, path: tuple[str, ...] = (), keys: tuple[str, ...] = ()
) -> tuple[str, ...] | None:
    """The panel's path to this action, by one choice a level; None where there is none."""
    step = loaded.engine.choices(loaded.position_of(seat), seat, keys)
    if isinstance(step, Ready):
        return path if step.action == action else None
    ways = (
        path_to(loaded, seat, action, (*path, str(index)), (*keys, choice.key))
        for index, choice in enumerate(step.choices)
        if not choice.tells
    )
    return next((way for way in ways if way is not None), None)


def picks(step: Prompt | Ready, word: str) -> list[Choice]:
    """The choices that a word of a path names. Raises RulesError `stale-path`."""
    if not isinstance(step, Prompt):
        raise RulesError("stale-path")
    indexes = [] if word == "-" else [index for part in word.split("+") for index in spread(part)]
    if not all(index.isascii() and index.isdecimal() and int(index) < len(step.choices) for index in indexes):
        raise RulesError("stale-path")
    if not step.least <= len(indexes) <= step.most or len(set(indexes)) < len(indexes):
        raise RulesError("stale-path")
    return [step.choices[int(index)] for index in indexes]


def spread(part: str) -> list[str]:
    """The indexes of a part of a pick: itself, or those of a range `2-5`. Raises RulesError `stale-path`."""
    first, dash, last = part.partition("-")
    if not dash:
        return [part]
    if not (first.isascii() and first.isdecimal() and last.isascii() and last.isdecimal()):
        raise RulesError("stale-path")
    if not int(first) < int(last) <= int(first) + MOST_RANGE:
        raise RulesError("stale-path")
    return [str(index) for index in range(int(first), int(last) + 1)]


async def completions(house: House, loaded: Loaded, user_id: int, text: str) -> list[str]:
    """Whole actions, or edits of the seat's draft, that continue `text`; none but for a seat's own user."""
    seat = loaded.seat_of(user_id)
    if loaded.row.status != "running" or seat is None:
        return []
    draft = await drafts.text_of(house, loaded, seat)
    if draft is None and seat not in loaded.to_act and not isinstance(loaded.engine, OutOfTurn):
        return []
    try:
        rules, short = loaded.engine, text[:100]
        if draft is not None and isinstance(rules, Drafts):
            found = await house.hints.run(rules.complete_draft, short, loaded.state, seat, draft)
        elif rules.quick:
            found = rules.complete(short, loaded.position, seat)
        else:
            found = await house.hints.run(rules.complete, short, loaded.position, seat)
    except RulesError:
        return []  # what cannot be read has no continuation; `/move` itself says why
    return [action for action in found if len(action) <= 100][:MOST_LEGAL]
