"""Buttons and lines about a table, as its posts and answers share them."""

from __future__ import annotations

from collections.abc import Sequence

from discord import ui

from cogs.answers import plain
from cogs.buttons import TableButton
from cogs.custom_ids import Press
from engines.registry import engine
from locales import Words
from tables.model import SeatInfo, Table


def view(buttons: Sequence[TableButton]) -> ui.View | None:
    """A view that never times out; None without buttons."""
    if not buttons:
        return None
    made = ui.View(timeout=None)
    for button in buttons:
        made.add_item(button)
    return made


def row_of_buttons(
    table: Table, words: Words, version: int, row: int | None, actions: Sequence[tuple[str, str]]
) -> list[TableButton]:
    """Buttons for (action, style) pairs; the first carries the outbox row."""
    return [
        TableButton(
            Press(table.id, version, action, row if first else None), words(f"button.{action}"), style
        )
        for first, (action, style) in zip([True] + [False] * len(actions), actions, strict=False)
    ]


def lobby(table: Table, words: Words, row: int | None = None) -> list[TableButton]:
    """Under the lobby's message; a two-player game starts by itself and needs no start."""
    if table.status != "open":
        return of_status(table, words, table.version, row)
    actions = [("join", "success")]
    if len(table.seats) > 2:
        actions.append(("start", "primary"))
    return row_of_buttons(
        table, words, table.version, row, [*actions, ("leave", "plain"), ("cancel", "plain")]
    )


def playing(
    table: Table, words: Words, version: int, row: int | None = None, *, secret: bool = False
) -> list[TableButton]:
    """Under a board while the game runs."""
    actions = [("turn", "primary")]
    if secret or engine(table.game).hidden:
        actions.append(("hand", "plain"))
    return row_of_buttons(table, words, version, row, [*actions, ("text", "plain")])


def after_game(
    table: Table, words: Words, version: int, row: int | None = None, *, secret: bool = False
) -> list[TableButton]:
    """Under the last post."""
    return row_of_buttons(table, words, version, row, [("rematch", "primary"), ("text", "plain")])


def of_status(
    table: Table, words: Words, version: int, row: int | None = None, *, secret: bool = False
) -> list[TableButton]:
    """Whatever the table's status allows now."""
    if table.status == "running":
        return playing(table, words, version, row, secret=secret)
    if table.status == "over":
        return after_game(table, words, version, row)
    if table.status == "open":
        return lobby(table, words, row)
    return row_of_buttons(table, words, version, row, [("text", "plain")])


def ballot(table: Table, words: Words, vote: int, row: int | None) -> list[TableButton]:
    """Yes and no to a vote."""
    version = table.version
    return [
        TableButton(Press(table.id, version, f"v{vote}y", row), words("button.yes"), "success"),
        TableButton(Press(table.id, version, f"v{vote}n"), words("button.no"), "danger"),
    ]


def place_link(table: Table) -> str:
    """A mention of the channel or thread where the table is played; empty in none."""
    channel = table.place.thread_id or table.place.channel_id
    return f"<#{channel}>"


def heading(table: Table, words: Words) -> str:
    """`#12 Kamisado`."""
    return words("post.title", table=table.id, title=words(f"title.{table.game}"))


def seat_line(seat: SeatInfo, table: Table, words: Words, *, mention: bool = False) -> str:
    """One seat: its role once it has one, and who sits there or may."""
    role = words.term(table.game, seat.role) if seat.role else words("post.seat", n=seat.seat + 1)
    if seat.level is not None:
        who = words("post.seat-bot", level=words(f"choice.level.{seat.level}"))
    elif seat.user_id is not None:
        who = plain(seat.name)
    elif seat.invited is not None:
        who = words("post.seat-invited", who=f"<@{seat.invited}>" if mention else plain(seat.name))
    else:
        who = words("post.seat-free")
    return words("post.seat-line", role=role, who=who)


def options_line(table: Table, words: Words) -> str:
    """Options that were set, as `key=value`, the way they are typed."""
    chosen = [f"`{key}={value}`" for key, value in sorted(table.options.items()) if value is not None]
    return words("post.options", options=chosen) if chosen else ""


def ending(table: Table, words: Words, names: Sequence[str]) -> str:
    """The seed, by which anybody can check that nothing was rigged."""
    if table.seed is None:
        return ""
    return words("post.seed", seed=table.seed, commitment=table.commitment)


def line_of(table: Table, words: Words) -> str:
    """A table in one line of a list."""
    names = [plain(seat.name) for seat in table.seats if seat.name]
    return words(
        "list.table",
        heading=heading(table, words),
        status=words(f"choice.show.{table.status}"),
        players=names,
        where=place_link(table),
    )


def information(table: Table, words: Words) -> str:
    """Everything about a table that everybody may know."""
    lines = [f"{heading(table, words)} · {words(f'choice.show.{table.status}')} · {place_link(table)}"]
    lines += [seat_line(seat, table, words) for seat in table.seats]
    lines.append(options_line(table, words))
    if table.status == "running" and table.turn_since is not None:
        names = tuple(plain(name) for name in table.names)
        since = f"<t:{table.turn_since // 1000}:R>"
        lines.append(words("list.to-act", seats=sorted(table.to_act), since=since, names=names))
    lines.append(words("list.commitment", commitment=table.commitment))
    lines.append(ending(table, words, table.names))
    return "\n".join(line for line in lines if line)
