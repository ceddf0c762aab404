"""Outbox rows. Each payload holds only what its reader may know.

Every payload has `table`, `game`, `version`, `locale`, `names`, `users` (ids by seat), `mention`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from db.rows import Message
from engines.capabilities import Secrets
from engines.protocol import Json, Seat, Viewer, written
from tables.core.chapter_events import Chapter
from tables.core.elsewhere import LAST, NUDGE
from tables.core.loaded import Loaded, committed

FEW = 2  # people: the last of so few knows it without being told


def at_table(loaded: Loaded, kind: str, mention: Iterable[int] = (), **more: Json) -> Message:
    """A message to wherever the table is."""
    return message(loaded, f"table:{loaded.row.id}", kind, mention, **more)


def message(
    loaded: Loaded, destination: str, kind: str, mention: Iterable[int] = (), **more: Json
) -> Message:
    """A message with what every payload has."""
    row = loaded.row
    payload = {
        "table": row.id,
        "game": row.game,
        "version": row.version,
        "locale": row.locale,
        "names": list(loaded.names),
        "users": [seat.user_id for seat in loaded.seats],
        "mention": sorted(set(mention)),
        **({"direct": True} if row.guild_id is None else {}),  # played in direct messages
        **more,
    }
    return Message(row.id, destination, kind, written(payload))


def lobby(loaded: Loaded) -> Message:
    """The lobby message, new or to be edited: seats, options and status come from the table itself."""
    invited = [s.invited for s in loaded.seats if s.user_id is None and s.invited is not None]
    return at_table(loaded, "lobby", invited, status=loaded.row.status)


def line(loaded: Loaded, code: str, mention: Iterable[int] = (), **params: Json) -> Message:
    """One sentence, `line.<code>` of the catalogue."""
    return at_table(loaded, "line", mention, code=code, params=params)


def in_order(loaded: Loaded) -> Message:
    """A table that was set aside goes on; who has to act is told."""
    return line(loaded, "in-order", expected(loaded))


def board_again(loaded: Loaded) -> Message:
    """The board as it is now, for who has to act."""
    return at_table(loaded, "board", expected(loaded), **scene(loaded, None))


def expected(loaded: Loaded) -> list[int]:
    """Users who have to act and are not away."""
    return [s.user_id for s in loaded.people if s.acts and s.user_id is not None and not s.away]


def calls(loaded: Loaded, messages: Iterable[Message]) -> list[Message]:
    """By DM to each whom these messages call to a table where nothing can be posted."""
    if loaded.row.barred_at is None:
        return []
    here = f"table:{loaded.row.id}"
    called = {
        user for m in messages if m.destination == here for user in json.loads(m.payload).get("mention") or ()
    }
    return [call(loaded, user, "called") for user in sorted(called)]


def call(loaded: Loaded, user_id: int, code: str) -> Message:
    """One sentence by DM, `line.<code>` of the catalogue, with the way to act from there."""
    return message(loaded, f"user:{user_id}", "call", (), code=code, params={})


def vote(  # noqa: PLR0917 - a question and whom it is for
    loaded: Loaded, vote_id: int, kind: str, by: Seat, wanted: Iterable[Seat], about: dict[str, Json]
) -> Message:
    """A question to the seats `wanted`, with two buttons."""
    users = [s.user_id for s in loaded.seats if s.seat in set(wanted) and s.user_id is not None]
    return at_table(loaded, "vote", users, params={**about, "vote": vote_id, "kind": kind, "by": by})


def last(before: Loaded | None, after: Loaded) -> list[Message]:
    """All others have chosen: who is the last for whom several people wait is told so."""
    if before is None or after.row.status != "running" or len(after.people) <= FEW:
        return []
    waited = [s for s in after.people if s.acts and not s.away and s.user_id is not None]
    if not (len(before.to_act) > 1 and len(after.to_act) == 1 and after.to_act < before.to_act) or not waited:
        return []
    by = next(iter(before.to_act - after.to_act))
    mention = [seat.user_id for seat in waited if seat.user_id is not None]
    return [at_table(after, NUDGE, mention, code=LAST, params={"by": by})]


def scene(loaded: Loaded, viewer: Viewer) -> dict[str, Json]:
    """What a picture for this viewer needs; its values are written with the message."""
    return {
        "seat": viewer,
        "view": loaded.view(viewer),
        "events": loaded.seen(viewer),
        "to_act": sorted(loaded.to_act),
        "entry": loaded.row.entries,
    }


def boards(
    before: Loaded | None,
    after: Loaded,
    quiet: Collection[int] = (),
    *,
    silent: Collection[int] = (),
    upcoming: Seat | None = None,
    chapter: Chapter | None = None,
    secret: bool = False,
    undone: bool = False,
) -> list[Message]:
    """What is posted of a change: the board to all, hands to those whose own view changed.

    before  None at the start of a game
    quiet   users who do not want hands by DM
    silent  users who need not be pinged, as they brought this about
    upcoming  a seat whose player wants to hear that it is next
    chapter  what goes on in one message, and what has ended
    secret   a secret choice was taken back: who is to make it is told in a line
             (what a bot has chosen is no news: nobody waited for it)
    undone   something was taken back: nothing on the board is new
    """
    if before is not None and (secret or hushed(after)):
        told = secret or any(not after.seats[seat].level for seat in before.to_act ^ after.to_act)
        posts = [at_table(after, "ready", (), **scene(after, None))] if told else []
    else:
        posts = [] if unchanged(before, after) else [board(before, after, silent, upcoming, chapter, undone)]
        if chapter is not None and chapter.recap:
            posts.insert(0, at_table(after, "recap", (), recap=chapter.summed()))
    posts += [] if undone else last(before, after)
    if isinstance(after.engine, Secrets) and after.row.status == "running":
        posts += [
            hand(after, seat.seat, seat.user_id)
            for seat in after.people
            if seat.user_id is not None
            and seat.user_id not in quiet
            and own_changed(before, after, seat.seat)
        ]
    return posts


def unchanged(before: Loaded | None, after: Loaded) -> bool:
    """Whether the public sees no difference: somebody chose in secret."""
    return (
        before is not None
        and after.row.status == "running"
        and not after.events
        and before.to_act == after.to_act
        and before.view(None) == after.view(None)
    )


def hushed(after: Loaded) -> bool:
    """Whether all that happened is told in a line, without a board: who has made his secret choice."""
    if not isinstance(after.engine, Secrets) or after.row.status != "running":
        return False
    codes = {event.code for event in after.events}
    return bool(codes) and codes <= after.engine.hushed


def board(  # noqa: PLR0917 - what a board tells
    before: Loaded | None,
    after: Loaded,
    silent: Collection[int],
    upcoming: Seat | None = None,
    chapter: Chapter | None = None,
    undone: bool = False,
) -> Message:
    """The board for everybody; at the end `over`, with the result and the seed.

    `since` is the entry that the board before this one showed; what was told in lines since changed no board.
    """
    mention = [
        s.user_id
        for s in after.people
        if s.user_id is not None
        and asked_anew(before, after, s.seat)
        and s.user_id not in silent
        and not s.away  # the reminder after the vacation will tell
    ]
    first: dict[str, Json] = {"commitment": committed(after.row)} if before is None else {}
    following = None if upcoming is None else after.seats[upcoming].user_id
    if following is not None:
        mention = [*mention, following]
        first["next"] = upcoming
    if chapter is not None:
        first.update(chapter.payload())
    if before is not None and not undone:
        first["since"] = before.row.entries
    if after.row.status == "running":
        return at_table(after, "board", mention, **{**scene(after, None), **first})
    return at_table(after, "over", mention, **{**scene(after, None), **first, **ending(after)})


def asked_anew(before: Loaded | None, after: Loaded, seat: Seat) -> bool:
    """Whether a seat has to act that had not, or has to draft something new."""
    if seat not in after.to_act:
        return False
    if before is None or seat not in before.to_act:
        return True
    begun = after.insight.begun(seat)
    return begun is not None and begun.asks and begun != before.insight.begun(seat)


def ending(loaded: Loaded) -> dict[str, Json]:
    """How it ended, and the seed that anyone may check against the commitment."""
    result = None if loaded.row.result is None else json.loads(loaded.row.result)
    return {"result": result, "seed": loaded.drawn.hex(), "commitment": committed(loaded.row)}


def own_changed(before: Loaded | None, after: Loaded, seat: Seat) -> bool:
    """Whether this seat's hand is another one, or asks for something else."""
    rules = after.engine
    if not isinstance(rules, Secrets):
        return False
    if before is None:
        return rules.secrets(after.state)
    was, now = before.insight, after.insight
    return rules.hand_changed(before.state, after.state, seat, (was.sight(seat), now.sight(seat)))


def sheet(loaded: Loaded, seat: Seat, user_id: int) -> Message:
    """That the sheet in a seat's last hand is to be changed: its draft was, elsewhere.

    It holds no draft: the one of the moment of sending is shown, to its own user only.
    """
    return message(loaded, f"user:{user_id}", "sheet", (), **scene(loaded, seat))


def hand(loaded: Loaded, seat: Seat, user_id: int) -> Message:
    """A seat's own view by DM."""
    return message(loaded, f"user:{user_id}", "hand", (), **scene(loaded, seat))
