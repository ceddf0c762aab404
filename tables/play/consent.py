"""What needs the others' consent: undo across a turn, a draw, the end of a running game."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from db.repositories import actions, chapters, votes
from db.repositories import drafts as db_drafts
from db.rows import ActionRow, Message, VoteRow
from engines.capabilities import Orders
from engines.opponents import accepts_draw
from engines.protocol import Json, Seat, State
from tables.core import clocks, letters
from tables.core.errors import TableError
from tables.core.house import House
from tables.core.loaded import Loaded, committed
from tables.core.model import Table, Vote, VoteKind
from tables.core.turns import advanced, ended
from tables.play import drafts, reopening
from tables.play.acting import back_at_table, ended_vacation, playing, quiet, seal, seated
from tables.play.past import Past, recall

MOST_ENTRIES = 2_000  # of a log, after which nothing is taken back: six times the longest of random games
CarryOut = Callable[[House, Loaded, VoteRow, Seat, int], Awaitable[Loaded]]
CARRIED: dict[str, CarryOut] = {}  # what a vote leads to, by its kind; undo, draw and cancel live here


TAKING_BACK = frozenset({"undo", "reopen"})
TOGETHER = frozenset({"undo", "draw", "cancel", "clock"})  # is nobody's to decide for one who has left


def carried(kind: VoteKind) -> Callable[[CarryOut], CarryOut]:
    """Registers what is done when all agreed to a vote of this kind: it closes the vote, too."""

    def register(work: CarryOut) -> CarryOut:
        CARRIED[kind] = work
        return work

    return register


async def undo(house: House, table_id: int, user_id: int, interaction_id: int) -> Table | Vote:
    """Takes back the user's last action, with all after it, or asks those who must agree.

    By oneself only where nothing was revealed, drawn or thrown since and the turn did not pass; what the
    one who sat there before did, or ended the game, wants consent in any case. Raises `nothing-to-undo`,
    `not-your-action`, `gone-waits`, `log-full` where the log is as long as it may grow (without undo every
    game comes to its end), and what `reopening.possible` raises.
    """
    async with house.once(table_id, interaction_id) as (loaded, done):
        if done is not None:
            return await answered(house, loaded, done)
        over = reopening.ended_by_action(loaded)
        seat = seated(loaded, user_id) if over else playing(loaded, user_id)
        if loaded.row.entries >= MOST_ENTRIES:
            raise loaded.refusal("log-full")
        past = await recall(house, loaded)
        going = await past.since(past.trail.last_of(seat))
        if not going:
            raise loaded.refusal("nothing-to-undo")
        own = going[0].user_id == user_id
        if not own and alone(loaded, seat):
            raise loaded.refusal("not-your-action")
        if over:
            await reopening.possible(house, loaded, seat, await past.before(len(going)))
        if over and others(loaded, seat):
            return await ask(house, loaded, "reopen", seat, interaction_id, entry=going[0].seq)
        if own and (secretly(loaded, going) or by_oneself(going) or alone(loaded, seat)):
            after = await take_back(house, loaded, past, going, seat, interaction_id=interaction_id)
            return after.table()
        return await ask(house, loaded, "undo", seat, interaction_id, entry=going[0].seq)


def by_oneself(going: list[ActionRow]) -> bool:
    """Whether it is nobody else's business: one action, without news to anybody and of the same turn."""
    return len(going) == 1 and not going[0].reveals and not going[0].passes


def secretly(loaded: Loaded, going: list[ActionRow]) -> bool:
    """Whether it is one secret choice, with others' after it that do not know of it: those stand.

    So it is while nothing was revealed since: the draft that was sent is still a draft.
    """
    if isinstance(loaded.engine, Orders) or any(row.reveals or row.passes for row in going):
        return False
    seats = [row.seat for row in going]
    return all(seat is not None and drafts.begun(loaded, seat) is not None for seat in seats)


def others(loaded: Loaded, seat: Seat) -> list[Seat]:
    """The other persons who play and are there; the bot agrees to everything but a draw."""
    away = loaded.retired | {other.seat for other in loaded.people if other.gone is not None}
    return [other.seat for other in loaded.people if other.seat != seat and other.seat not in away]


def alone(loaded: Loaded, seat: Seat) -> bool:
    """Whether there is nobody to ask. Raises `gone-waits` where all who would have a say count as gone."""
    if others(loaded, seat):
        return False
    all_here(loaded, {seat})
    return True


def all_here(loaded: Loaded, agreed: Collection[Seat]) -> None:
    """Raises `gone-waits` where somebody who has not agreed counts as gone.

    Who left has agreed to nothing: what wants consent waits for them, and a claim goes on without them.
    """
    gone = [s.seat for s in loaded.people if s.gone and s.seat not in loaded.retired | {*agreed}]
    if gone:
        raise TableError("gone-waits", table=loaded.row.id, game=loaded.row.game, seats=gone)


def voters_of(loaded: Loaded, by: Seat, about: Mapping[str, Json]) -> list[Seat]:
    """Who has to answer: the other persons, without the one it is about."""
    return [seat for seat in others(loaded, by) if seat != about.get("seat")]


async def take_back(
    house: House,
    before: Loaded,
    past: Past,
    going: list[ActionRow],
    seat: Seat,
    *,
    interaction_id: int,
    vote: VoteRow | None = None,
    voter: Seat | None = None,
) -> Loaded:
    """Writes the undo: the state before `going`, by replay; an entry of the log itself.

    A secret choice goes alone: what others chose in secret since is written anew behind the undo,
    and the table is told no more than who is to choose. What was sent is a draft again.

    A game that was over goes on from a fresh seed. Raises what `reopening.possible` raises.
    """
    number = before.row.entries + 1
    secret = vote is None and before.row.status != "over" and secretly(before, going)
    again = [replace(row, seq=number + place) for place, row in enumerate(going[1:] if secret else [], 1)]
    state = await house.aside.run(restored, before, await past.before(len(going)), again)
    now, user_id = house.clock.now(), before.seats[seat].user_id
    returned = () if vote is not None else ended_vacation(before, seat, user_id)
    if returned:
        before = back_at_table(before, seat, now)
    seed = None
    if over := before.row.status == "over":
        await reopening.possible(house, before, seat, state)
        seed = house.seed()
        before = before.updated(reseed=seed)
    undone = ActionRow(before.row.id, number, None, None, len(going), False, False, user_id, now, seed)
    rows = [undone, *again]
    by_will = vote is None and not over  # of its player alone
    if by_will and before.row.handed and not (secret or by_oneself(going)):
        before = before.updated(unrated=True)  # nobody was left to refuse it
    after = advanced(
        before,
        state,
        (),
        now,
        actor=seat,
        entries=before.row.entries + len(rows),
        undone=unfed(going[:1] if secret else going, seat, alone=by_will),
    )
    begun_again = await drafts_again(house, before, after, going[:1] if secret else going)
    silent = {user for user in [user_id] if user is not None and vote is None}
    told: dict[str, Json] = {"seat": seat, "n": len(going)}
    if over:
        messages = [letters.line(after, "reopened", **told, commitment=committed(after.row))]
    else:
        messages = [] if secret else [letters.line(after, "undone", **told)]
    messages = [*returned, *messages]
    messages += letters.boards(
        before, after, await quiet(house, after), silent=silent, secret=secret, undone=True
    )
    open_votes = await votes.open_of(house.database.reads, before.row.id)
    async with house.writing(before.row.id, interaction_id, vote=vote.id if vote else None) as tx:
        if vote is not None and voter is not None:
            await votes.answer(tx, vote.id, voter, agree=True, now=now)
        for other in open_votes:
            if vote is not None and other.id == vote.id:
                await votes.end(tx, other.id, "agreed", now)
            elif other.kind == "undo" and (other.entry or 0) >= going[0].seq:
                await votes.end(tx, other.id, "lapsed", now)  # what it asked to take back is gone
        for row in rows:
            await actions.add(tx, row)
        await house.store(tx, after, messages)
        for drafter, edit in begun_again:
            await drafts.put(tx, house, after, drafter, edit)
        await chapters.drop(tx, before.row.id)  # what was told was taken back
        if isinstance(before.engine, Orders):
            await db_drafts.keep_only(tx, before.row.id, [])  # they were left for what has not happened
    house.committed(after)
    house.looks.forget(before.row.id)
    house.forget(before.row.id)  # its votes changed
    return after


def unfed(going: list[ActionRow], seat: Seat, *, alone: bool) -> clocks.Undone:
    """What these actions brought the clocks; `alone` where nobody else agreed that they are taken back."""
    gains = dict[int, int]()
    for row in going:
        for other, gain in json.loads(row.fed or "{}").items():
            gains[int(other)] = gains.get(int(other), 0) + int(gain)
    return clocks.Undone(seat, gains, going[0].at if alone else None)


def restored(loaded: Loaded, state: State, rows: list[ActionRow]) -> State:
    """The state with these secret choices of others made again."""
    for row in rows:
        if row.seat is None:  # an undo is no secret choice
            raise ValueError(f"entry {row.seq} of table {row.table_id} is no action")
        action = loaded.engine.parse_json(json.loads(row.action or "null"))
        state = loaded.engine.apply(state, row.seat, action, loaded.chance_of(row.seq)).state
    return state


async def drafts_again(
    house: House, before: Loaded, after: Loaded, going: list[ActionRow]
) -> list[tuple[Seat, str]]:
    """The drafts of seats whose sent ones were taken back: as they were, with what was changed since."""
    found = []
    for row in {row.seat: row for row in going if row.seat is not None}.values():
        seat = row.seat
        if isinstance(before.engine, Orders) or seat is None or drafts.begun(after, seat) is None:
            continue
        draft = await drafts.text_of(house, before, seat)
        if draft is None:  # the round had gone on: what was sent is all there is
            sent = before.engine.format(before.engine.parse_json(json.loads(row.action or "null")))
            draft = drafts.sent(after, seat, sent)
        if draft is not None:
            found.append((seat, draft))
    return found


# -- votes -------------------------------------------------------------------------------


async def offer_draw(house: House, table_id: int, user_id: int, interaction_id: int) -> Vote:
    """Asks the others for a draw. The bot answers at once: the game ends where nobody else is to be asked.

    Raises `bot-declines` where a bot plays on, `nobody-to-ask`.
    """
    async with house.once(table_id, interaction_id) as (loaded, done):
        if done is not None and done.get("vote") is not None:
            return await get(house, loaded, int(done["vote"]))
        if done is not None:
            return with_bots_alone(loaded, loaded.seat_of(user_id) or 0)
        seat = playing(loaded, user_id)
        bots = [s.seat for s in loaded.seats if s.level is not None and s.seat not in loaded.retired]
        if len(loaded.seats) == 1 or not await house.aside.run(agree_to_draw, loaded, bots):
            raise loaded.refusal("bot-declines")
        if others(loaded, seat):
            return await ask(house, loaded, "draw", seat, interaction_id)
        if not bots or not alone(loaded, seat):
            raise loaded.refusal("nobody-to-ask")
        return with_bots_alone(await end_game(house, loaded, "over", "draw", interaction_id), seat)


def agree_to_draw(loaded: Loaded, bots: Sequence[Seat]) -> bool:
    """Whether all the bots take a draw, each by its own view alone."""
    return all(accepts_draw(loaded.row.game, loaded.view(seat)) for seat in bots)


def with_bots_alone(loaded: Loaded, seat: Seat) -> Vote:
    """A draw to which only bots had to agree: there was no vote."""
    return Vote(0, loaded.table(), "draw", seat, "agreed", (), {seat: True}, None, {})


async def ask(
    house: House,
    loaded: Loaded,
    kind: VoteKind,
    seat: Seat,
    interaction_id: int,
    *,
    entry: int | None = None,
    about: dict[str, Json] | None = None,
) -> Vote:
    """Opens a vote; asking for the same is agreeing to it, and asking again carries it out if all who are
    left have agreed.

    about   what is asked: the `seat` that it is about has no vote, the rest is for carrying it out

    Raises `vote-open` where something else of this kind is asked already, `retired` to who is out of the game
    and would not take that back, `gone-waits` where somebody who has left would have to agree.
    """
    now, reads = house.clock.now(), house.database.reads
    payload = json.dumps(about or {}, sort_keys=True)
    if kind not in TAKING_BACK and seat in loaded.retired:
        raise loaded.refusal("retired", seat=seat)
    for vote in await votes.open_of(reads, loaded.row.id):
        if vote.kind != kind:
            continue
        if vote.entry != entry or vote.payload != payload:
            raise loaded.refusal("vote-open")
        asked = await get(house, loaded, vote.id)
        if vote.by_seat != seat or not asked.wanted:
            return await answer(house, loaded, vote, seat, True, interaction_id=interaction_id)
        return asked
    if kind in TOGETHER:
        all_here(loaded, {seat})
    async with house.changing(loaded.row.id) as tx:  # a number first: the interaction's outcome holds it
        vote_id = await votes.add(
            tx,
            loaded.row.id,
            kind,
            by_seat=seat,
            entry=entry,
            now=now,
            payload=payload,
            version=loaded.row.version,
        )
        await votes.answer(tx, vote_id, seat, agree=True, now=now)
        await house.note(tx, interaction_id, loaded.row.id, vote=vote_id)
        voters = voters_of(loaded, seat, about or {})
        await house.post(tx, [letters.vote(loaded, vote_id, kind, seat, voters, about or {})])
    house.forget(loaded.row.id)  # its votes changed
    house.queued()
    return await get(house, loaded, vote_id)


async def table_of(house: House, vote_id: int) -> int | None:
    """The table that a vote is about; None where there is no such vote."""
    found = await votes.get(house.database.reads, vote_id)
    return None if found is None else found.table_id


async def vote(  # noqa: PLR0917 - who says what to which question
    house: House,
    vote_id: int,
    user_id: int,
    agree: bool,
    interaction_id: int,
    button: tuple[int, int] | None = None,
) -> Vote:
    """A player's answer; carried out at once when all agreed, closed by the first refusal.

    `button` is the table and version that a button was drawn for: one of another table, or older than the
    question, is about something else. Whom it is about has no say in it, nor who is out of the game.
    Raises `no-vote`, `vote-closed`, `own-vote`, `vote-about-you`, `not-seated`, `retired`.
    """
    found = await votes.get(house.database.reads, vote_id)
    if found is None or (button is not None and not belongs(found, *button)):
        raise TableError("no-vote", vote=vote_id)
    async with house.once(found.table_id, interaction_id) as (loaded, done):
        if done is not None:
            return await get(house, loaded, vote_id)
        row = await votes.get(house.database.reads, vote_id) or found
        seat = loaded.seat_of(user_id)
        if seat is None:
            raise loaded.refusal("not-seated")
        if row.status != "open":
            raise loaded.refusal("vote-closed", status=row.status)
        if seat == row.by_seat and agree:
            raise loaded.refusal("own-vote")
        if seat == json.loads(row.payload).get("seat"):
            raise loaded.refusal("vote-about-you")
        if seat != row.by_seat and seat in loaded.retired:
            raise loaded.refusal("retired", seat=seat)
        return await answer(house, loaded, row, seat, agree, interaction_id=interaction_id)


def belongs(row: VoteRow, table_id: int, version: int) -> bool:
    """Whether a button of this table and version may ask this question: it is as old, and of its table."""
    return row.table_id == table_id and row.version <= version


async def answer(
    house: House, loaded: Loaded, row: VoteRow, seat: Seat, agree: bool, *, interaction_id: int
) -> Vote:
    """Writes an answer and what follows from it."""
    given = {**await votes.ballots(house.database.reads, row.id), seat: agree}
    missing = [s for s in voters_of(loaded, row.by_seat, json.loads(row.payload)) if s not in given]
    if agree and not missing:
        if row.kind in TOGETHER:
            all_here(loaded, given)
        others_open = await votes.open_of(house.database.reads, loaded.row.id)
        after = await agreed(house, loaded, row, seat, interaction_id)
        left = {vote.id for vote in await votes.open_of(house.database.reads, loaded.row.id)}
        closed = [vote.kind for vote in others_open if vote.id not in left and vote.id != row.id]
        return replace(await get(house, after, row.id), closed=tuple(closed))
    status: Literal["open", "refused"] = "open" if agree else "refused"
    now = house.clock.now()
    async with house.writing(loaded.row.id, interaction_id, vote=row.id) as tx:
        await votes.answer(tx, row.id, seat, agree=agree, now=now)
        if not agree:
            await votes.end(tx, row.id, status, now)
            code = "withdrawn" if seat == row.by_seat else "refused"
            await house.post(tx, [letters.line(loaded, f"{row.kind}-{code}", by=row.by_seat, seat=seat)])
    house.forget(loaded.row.id)  # its votes changed
    return await get(house, loaded, row.id)


async def agreed(house: House, loaded: Loaded, row: VoteRow, seat: Seat, interaction_id: int) -> Loaded:
    """Carries out what all agreed to."""
    if row.kind in TAKING_BACK:
        past = await recall(house, loaded)
        going = await past.since(bisect_left(past.trail.seqs, row.entry or 0))
        return await take_back(
            house, loaded, past, going, row.by_seat, interaction_id=interaction_id, vote=row, voter=seat
        )
    if row.kind in CARRIED:
        return await CARRIED[row.kind](house, loaded, row, seat, interaction_id)
    status, reason = ("over", "draw") if row.kind == "draw" else ("cancelled", "cancelled")
    return await end_game(house, loaded, status, reason, interaction_id, vote=row, voter=seat)


async def end_game(
    house: House,
    loaded: Loaded,
    status: str,
    reason: str,
    interaction_id: int | None,
    *,
    vote: VoteRow | None = None,
    voter: Seat | None = None,
    winners: tuple[Seat, ...] = (),
    line: str | None = None,
    call: Collection[int] = (),
    **told: Json,
) -> Loaded:
    """Ends a running table by its players' or a moderator's will, or by its clock; the seed is posted.

    winners     who wins, where somebody claimed the game
    line        what is said of it, where that is not the reason
    call        users who did not bring it about, and are called
    told        parameters of the line that says so
    """
    now = house.clock.now()
    after = ended(loaded, status, reason, now, winners)
    messages: list[Message] = [letters.line(after, line or f"ended-{reason}", call, **told)]
    if loaded.state is not None:
        messages.append(
            letters.at_table(after, "over", **letters.scene(after, None), **letters.ending(after))
        )
    async with house.writing(loaded.row.id, interaction_id, vote=vote.id if vote else None) as tx:
        if vote is not None and voter is not None:
            await seal(tx, vote, voter, now)
        for other in await votes.open_of(tx, loaded.row.id):
            await votes.end(tx, other.id, "lapsed", now)
        await house.store(tx, after, messages)
    house.committed(after)
    return after


async def answered(house: House, loaded: Loaded, done: Mapping[str, Json]) -> Table | Vote:
    """What an interaction that arrives once more brought about: the table, or the question that it asked."""
    vote = done.get("vote")
    return loaded.table() if vote is None else await get(house, loaded, int(str(vote)))


async def get(house: House, loaded: Loaded, vote_id: int) -> Vote:
    """A vote as it stands. Raises `no-vote`."""
    row = await votes.get(house.database.reads, vote_id)
    if row is None:
        raise TableError("no-vote", vote=vote_id)
    given = await votes.ballots(house.database.reads, vote_id)
    about = json.loads(row.payload)
    voters = voters_of(loaded, row.by_seat, about) if row.status == "open" else []
    wanted = tuple(seat for seat in voters if seat not in given)
    kind, status = row.kind, row.status
    return Vote(vote_id, loaded.table(), kind, row.by_seat, status, wanted, given, row.entry, about)  # type: ignore[arg-type]
