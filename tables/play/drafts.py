"""Drafts at a table: a secret choice that grows until it is sent.

They are neither actions nor part of the log, of an export, a view or a post: only who sits there sees his.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from db.database import Transaction
from db.repositories import actions, drafts, users
from db.rows import ActionRow, Message
from engines.capabilities import Begun, Drafts, Edit, Orders, Repeats, Secrets
from engines.protocol import Json, RulesError, Seat
from tables.core import letters
from tables.core.errors import TableError
from tables.core.house import House, mark_of
from tables.core.loaded import Loaded, standing
from tables.core.model import Draft

MOST_LEGAL = 6  # continuations that a refusal names: a draft has very many


def begun(loaded: Loaded, seat: Seat) -> Begun | None:
    """What the seat may draft now."""
    if loaded.row.status != "running" or loaded.state is None:
        return None
    return loaded.insight.begun(seat)


async def text_of(house: House, loaded: Loaded, seat: Seat) -> str | None:
    """The seat's draft as it is now, the one it begins with where it changed nothing; None without one."""
    first = begun(loaded, seat)
    if first is None:
        return None
    kept = await drafts.get(house.database.reads, loaded.row.id, seat, mark_of(first))
    return first.text if kept is None else kept


async def look(house: House, loaded: Loaded, seat: Seat) -> Draft:
    """The seat's draft with its view. Raises `not-your-turn` where there is nothing to draft."""
    text = await text_of(house, loaded, seat)
    if text is None:
        raise loaded.refusal("not-your-turn")
    return Draft(loaded.shown(seat), text, loaded.row.version)


def typed(loaded: Loaded, seat: Seat, wish: str) -> str:
    """A wish as notation, so that JSON is judged as what is typed in words; as it is where it is neither."""
    if not wish.lstrip().startswith("{") or begun(loaded, seat) is None:
        return wish
    rules = loaded.engine
    try:
        return str(rules.format(rules.parse(wish, loaded.position, seat)))
    except RulesError:
        return wish


async def edited(
    house: House, loaded: Loaded, seat: Seat, wish: str | Mapping[str, Json]
) -> tuple[Begun, Edit] | None:
    """What a wish makes of the seat's draft; None where it is an action as ever.

    Raises TableError with the engine's code, and what may be laid next.
    """
    first = begun(loaded, seat)
    if first is None or not isinstance(wish, str) or wish.lstrip().startswith("{") or not wish.strip():
        return None
    rules = loaded.engine
    if isinstance(rules, Orders) and not rules.orders(wish):
        return None  # an action, for which no draft need be looked up
    kept = await drafts.get(house.database.reads, loaded.row.id, seat, mark_of(first))
    draft = first.text if kept is None else kept
    if isinstance(rules, Repeats) and rules.repeats(wish):
        log = standing(await actions.log(house.database.reads, loaded.row.id))
        return first, await asyncio.to_thread(repeated, loaded, seat, draft, log)
    edit = await asyncio.to_thread(changed, loaded, seat, draft, wish)
    return None if edit is None else (first, edit)


def repeated(loaded: Loaded, seat: Seat, draft: str, log: Sequence[ActionRow]) -> Edit:
    """The draft with what the seat sent the round before. Raises TableError as `edited`."""
    rules: Any = loaded.engine
    done = [(row.seat, json.loads(row.action or "null")) for row in log]
    try:
        return cast(Edit, rules.repeat(loaded.state, seat, draft, done))
    except RulesError as error:
        raise loaded.refusal(error) from None


def changed(loaded: Loaded, seat: Seat, draft: str, wish: str) -> Edit | None:
    """What the rules make of a draft; None where the wish is an action. Raises TableError as `edited`."""
    rules = loaded.engine
    if not isinstance(rules, Drafts):
        return None
    try:
        return rules.edit(loaded.state, seat, draft, wish)
    except RulesError as error:
        legal = rules.complete_draft("", loaded.state, seat, draft)[:MOST_LEGAL]
        raise loaded.refusal(error, legal=legal) from None


def sent(loaded: Loaded, seat: Seat, action: str) -> str | None:
    """The draft that this action was sent from; None where it was no draft."""
    first = begun(loaded, seat)
    try:
        edit = None if first is None else changed(loaded, seat, first.text, action)
    except TableError:
        return None
    return edit.draft if edit is not None and edit.send is not None else None


async def put(tx: Transaction, house: House, loaded: Loaded, seat: Seat, text: str) -> None:
    """Keeps a draft for what the seat may draft at this table."""
    first = begun(loaded, seat)
    if first is not None:
        await drafts.put(tx, loaded.row.id, seat, mark=mark_of(first), draft=text, now=house.clock.now())


async def keep(
    house: House,
    loaded: Loaded,
    seat: Seat,
    edited: tuple[Begun, Edit],
    interaction_id: int | None,
    *,
    at_letter: bool = False,
) -> None:
    """Keeps the draft, once. Nothing is posted; the interaction's outcome does not hold it either.

    The sheet that was sent to the seat is to show it, unless it was pressed there (`at_letter`).
    """
    first, edit = edited
    letter = [] if at_letter else await sheets(house, loaded, seat)
    async with house.database.transaction() as tx:
        if interaction_id is not None:
            await house.note(tx, interaction_id, loaded.row.id, draft=True)
        await drafts.put(
            tx, loaded.row.id, seat, mark=mark_of(first), draft=edit.draft, now=house.clock.now()
        )
        await house.post(tx, letter)
    if letter:
        house.queued()


async def sheets(house: House, loaded: Loaded, seat: Seat) -> list[Message]:
    """What has the seat's sheet by DM changed; nothing where its user wants none, or hands show no draft."""
    user_id = loaded.seats[seat].user_id
    if user_id is None or isinstance(loaded.engine, Orders) or not isinstance(loaded.engine, Secrets):
        return []
    unwanted = await users.without_dm(house.database.reads, [user_id])
    return [] if user_id in unwanted else [letters.sheet(loaded, seat, user_id)]
