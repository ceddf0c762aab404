"""Buttons and lines about a table, as its posts and answers share them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cogs.buttons.custom_ids import Press
from cogs.buttons.lasting import TableButton
from cogs.text.answers import plain
from cogs.text.control import Button
from cogs.text.layout import Entry, Rows
from cogs.text.plain import called
from engines.capabilities import Secrets
from engines.registry import engine
from locales import Words
from render import Scene, has, stands
from render.words import joined
from tables.core import clocks
from tables.core.model import SeatInfo, Table, Waiting
from tables.core.moments import moment
from tables.core.options import CLOCK_WORDS, TableOptions

TO_READ = (("text", "plain"), ("seed", "plain"))  # of a table that is over
SHOWN = frozenset(CLOCK_WORDS)  # beside `aids`: options of the table itself that its players should know


def view(buttons: Sequence[TableButton]) -> Rows | None:
    """Their rows; None without buttons."""
    return Rows(*buttons) if buttons else None


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


def seat_counts(table: Table) -> tuple[int, ...]:
    """With how many the table may start."""
    rules, wished = engine(table.game), table.table_options.get("seats")
    return (wished,) if isinstance(wished, int) else rules.seat_counts(rules.read_options(table.options))


def wants_start(table: Table) -> bool:
    """Whether somebody has to start the table: one of more than two seats does not start by itself."""
    return max(seat_counts(table)) > 2


def lobby_line(table: Table, words: Words, *, seated: bool = False) -> str:
    """What is next at a table that has not started, or why nothing does: to all, or to who sits there."""
    if table.status != "open":
        return words(f"post.lobby-{table.status}")
    free = len(table.seats) < max(seat_counts(table))
    shut = [plain(seat.name) for seat in table.seats if seat.sealed]
    if shut and all(seat.taken for seat in table.seats) and not free:
        return words("post.lobby-sealed", waited=shut, table=table.id)
    if not wants_start(table):
        code = "post.lobby-private" if table.private else "answer.lobby-open" if seated else "post.lobby-open"
        return words(code if free else "post.lobby-asked")
    lines = [] if seated else [words("post.lobby-join")]
    lines.append(words("post.lobby-start", least=min(seat_counts(table))))
    if free:
        bots = any(seat.level is not None for seat in table.seats)
        lines.append(words("post.lobby-filled" if bots else "post.lobby-bot"))
    return joined(lines)


def lobby(table: Table, words: Words, row: int | None = None) -> list[TableButton]:
    """Under the lobby's message; a two-player game starts by itself and needs no start."""
    if table.status != "open":
        return of_status(table, words, table.version, row)
    actions = [("join", "success")]
    if wants_start(table):
        actions.append(("start", "primary"))
    return row_of_buttons(
        table, words, table.version, row, [*actions, ("leave", "plain"), ("cancel", "plain")]
    )


def seats_to_take(table: Table, words: Words, row: int | None) -> tuple[list[Entry], list[TableButton]]:
    """The seats of a lobby, with the way to sit down beside those that may be taken; the other buttons."""
    lines = [(seat_line(seat, table, words, mention=True), not seat.taken) for seat in table.seats]
    below = lobby(table, words, row)
    if table.status != "open":
        return [Entry("\n".join(line for line, _ in lines))], below
    for seat in range(len(table.seats), max(seat_counts(table))):
        role, who = words("post.seat", n=seat + 1), words("post.seat-free")
        lines.append((words("post.seat-line", role=role, who=who), True))
    free = next((number for number, (_, may) in enumerate(lines) if may), None)
    if free is None:
        return [Entry("\n".join(line for line, _ in lines))], below
    first, rest = ("\n".join(line for line, _ in part) for part in (lines[:free], lines[free:]))
    return [*([Entry(first)] if first else []), Entry(rest, below[0])], below[1:]


def playing(
    table: Table, words: Words, version: int, row: int | None = None, *, secret: bool = False
) -> list[TableButton]:
    """Under a board while the game runs."""
    actions, rules = [("turn", "primary")], engine(table.game)
    if secret or (isinstance(rules, Secrets) and rules.hides(rules.read_options(table.options))):
        actions.append(("hand", "plain"))
    return row_of_buttons(table, words, version, row, [*actions, ("text", "plain")])


def looking(
    scene: Scene, table: Table, version: int, *, focus: bool = False, over: bool = False
) -> list[TableButton]:
    """Below the buttons of a board, in a row of their own: other ways to look at it.

    `focus`: the picture shows one place, and the whole board is to be asked for.
    """
    actions = ["map"] if focus else []
    if not over and has(table.game, "changes"):
        actions.append("news")
    if stands(scene):
        actions.append("standing")
    if over and has(table.game, "finale") and table.place.guild_id is not None:
        actions.append("share")
    return [
        TableButton(Press(table.id, version, action), scene.words(f"button.{action}"), row=1)
        for action in actions
    ]


def after_game(
    table: Table, words: Words, version: int, row: int | None = None, *, secret: bool = False
) -> list[TableButton]:
    """Under the last post."""
    return row_of_buttons(table, words, version, row, [("rematch", "primary"), *TO_READ])


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
    if table.started_at is None:
        return []  # closed before it had a board
    return row_of_buttons(table, words, version, row, TO_READ)


def ballot(table: Table, words: Words, vote: int, row: int | None) -> list[TableButton]:
    """Yes and no to a vote."""
    version = table.version
    return [
        TableButton(Press(table.id, version, f"v{vote}y", row), words("button.yes"), "success"),
        TableButton(Press(table.id, version, f"v{vote}n"), words("button.no"), "danger"),
    ]


def place_link(table: Table) -> str:
    """A mention of the channel or thread where the table is played; of direct messages their address."""
    if table.place.guild_id is None:
        return f"https://discord.com/channels/@me/{table.place.channel_id}"
    channel = table.place.thread_id or table.place.channel_id
    return f"<#{channel}>"


def barred_note(table: Table, words: Words) -> str:
    """That nothing can be posted where the table is, with what to do; empty where posts arrive."""
    if table.barred_at is None:
        return ""
    return words("answer.barred", table=table.id, where=place_link(table))


def board_link(table: Table) -> str:
    """A link to the table's last board; to its channel where there is none yet."""
    return place_link(table) if table.board_message_id is None else board_url(table)


def board_url(table: Table) -> str:
    """The address of the table's last board, or of its channel."""
    guild, channel = table.place.guild_id or "@me", table.place.thread_id or table.place.channel_id
    last = "" if table.board_message_id is None else f"/{table.board_message_id}"
    return f"https://discord.com/channels/{guild}/{channel}{last}"


def way_on(table: Table, words: Words, *, mine: bool) -> Button:
    """Beside a table in a list: the panel where its player has to act, else the way to its board."""
    if mine:
        return TableButton(Press(table.id, table.version, "turn"), words("button.turn"), "primary")
    return Button(words("button.go"), url=board_url(table))


def waiting_entry(waiting: Waiting, words: Words) -> Entry:
    """A user's running game in a list: for whom it waits, since when, and the way on."""
    code = "list.waits-for-you" if waiting.mine else "list.waits-for-others"
    since, where = moment(waiting.since, "R"), board_link(waiting.table)
    line = words(code, heading=heading(waiting.table, words), since=since, where=where)
    text = barred_line(line, waiting.table, words)
    return Entry(text, way_on(waiting.table, words, mine=waiting.mine))


def span(ms: int, words: Words) -> str:
    """A stretch of time in its two biggest units."""
    minutes = max(ms, 0) // 60_000
    parts = (("d", minutes // 1440), ("h", minutes // 60 % 24), ("m", minutes % 60))
    said = [words(f"time.{unit}", n=count) for unit, count in parts if count]
    return " ".join(said[:2]) or words("time.m", n=0)


def time_lines(table: Table, words: Words) -> list[str]:
    """What is known of each seat's clock and whereabouts, while the game runs."""
    lines = [] if table.paused_at is None else [words("info.paused", since=moment(table.paused_at, "R"))]
    for seat in table.seats:
        who = plain(seat.name)
        if seat.bank is not None:
            end = None if seat.ticks_since is None else seat.ticks_since + seat.bank
            left = span(seat.bank, words) if end is None else moment(end, "R")
            lines.append(words("info.clock" if end is None else "info.clock-runs", who=who, left=left))
        if seat.away or seat.gone:
            until = None if seat.away_until is None else moment(seat.away_until, "D")
            away = "info.away" if until is None else "info.away-until"
            lines.append(words(away if seat.away else f"info.gone-{seat.gone}", who=who, until=until))
    return lines


def heading(table: Table, words: Words) -> str:
    """`#12 Kamisado`."""
    return words("post.title", table=table.id, title=words(f"{table.game}.title"))


def seat_line(seat: SeatInfo, table: Table, words: Words, *, mention: bool = False) -> str:
    """One seat: its role once it has one, and who sits there or may."""
    role = words.term(table.game, seat.role) if seat.role else words("post.seat", n=seat.seat + 1)
    if seat.level is not None:
        who = words("post.seat-bot", who=plain(seat.name), level=words(f"choice.level.{seat.level}"))
    elif seat.user_id is not None:
        who = plain(seat.name)
    elif seat.invited is not None and table.status == "open":
        who = words("post.seat-invited", who=f"<@{seat.invited}>" if mention else plain(seat.name))
    else:
        who = plain(called(seat.name, words)) or words("post.seat-free")
    return words("post.seat-line", role=role, who=who)


def options_line(table: Table, words: Words) -> str:
    """The game's options, the clock and the help, in words."""
    chosen = [option_words(table.game, name, value, words) for name, value in sorted(table.options.items())]
    chosen += [clock_words(table.table_options, words), words(f"post.aids.{table.help}")]
    return words("post.options", options=[one for one in chosen if one])


def option_words(game: str, name: str, value: object, words: Words) -> str:
    """A game's option in words; as it is typed, where its catalogue has none. "" where nothing was chosen."""
    if value is None:
        return ""
    typed = str(value).casefold()
    for key in (f"{game}.option.{name}.{typed}", f"{game}.option.{name}"):
        if words.has(key):
            return words(key, value=value)
    return f"`{name}={typed}`"


def clock_words(chosen: Mapping[str, object], words: Words) -> str:
    """A clock's options in words; "" where none of them was chosen."""
    timing = {key: value for key, value in chosen.items() if key in SHOWN}
    if not timing:
        return ""
    pace = clocks.read(TableOptions.model_validate(timing).model_dump_json())
    if pace is None:
        return words("post.clock.none")
    bank, increment, cap = (span(ms, words) for ms in pace[:3])
    timed = words("post.clock.timed", bank=bank, increment=increment, cap=cap)
    if not pace.loses:
        return timed
    return words("post.clock.loses", clock=timed)


def typed_options(table: Table) -> str:
    """The same as `key=value`, the way they are typed: for who wants such a table again."""
    values = {key: value for key, value in table.table_options.items() if key in SHOWN}
    values |= {**table.options, "aids": table.help}
    return " ".join(
        f"{key}={str(value).casefold()}" for key, value in sorted(values.items()) if value is not None
    )


def ending(table: Table, words: Words) -> str:
    """The seed, by which anybody can check that nothing was rigged."""
    if table.seed is None:
        return ""
    seed = words("post.seed", seed=table.seed, commitment=table.commitment)
    if table.nonces is None:
        return seed
    return f"{seed}\n{words('post.nonces', nonces=by_seat(table.nonces))}"


def by_seat(hashes: Sequence[str | None]) -> list[str]:
    """Seat by seat, with a dash where a player added nothing."""
    return ["–" if one is None else f"`{one}`" for one in hashes]


def told_line(table: Table, words: Words) -> str:
    """What was announced of that which the players add to the chances; empty where nobody does."""
    told = [seat.nonce_told for seat in table.seats]
    return words("list.nonces", nonces=by_seat(told)) if any(told) else ""


def outcome_line(table: Table, words: Words, names: Sequence[str]) -> str:
    """Who won, as large as a message can say it."""
    return f"# {result_line(table, words, names)}"


def line_of(table: Table, words: Words) -> str:
    """A table in one line of a list."""
    names = [plain(called(seat.name, words)) for seat in table.seats if seat.name]
    line = words(
        "list.table",
        heading=heading(table, words),
        status=words(f"choice.show.{table.status}"),
        players=names,
        where=place_link(table),
    )
    return barred_line(line, table, words)


def barred_line(line: str, table: Table, words: Words) -> str:
    """A line of a list, with a word on a table where nothing can be posted."""
    live = table.status in ("open", "running")
    return f"{line} · {words('list.barred')}" if live and table.barred_at is not None else line


def result_line(table: Table, words: Words, names: Sequence[str]) -> str:
    """Who won; nothing of a table that was closed before it had a result."""
    won = (table.result or {}).get("winners")
    if table.status == "cancelled":
        return words("info.no-result")
    return words("info.won", seats=won, names=names) if won else words("info.nobody-won")


def information(table: Table, words: Words) -> str:
    """Everything about a table that everybody may know."""
    lines = [f"{heading(table, words)} · {words(f'choice.show.{table.status}')} · {place_link(table)}"]
    lines.append(barred_note(table, words) if table.status in ("open", "running") else "")
    lines += [seat_line(seat, table, words) for seat in table.seats]
    lines += [options_line(table, words), f"-# `{typed_options(table)}`"]
    names = tuple(plain(called(name, words)) for name in table.names)
    if table.result is not None:
        lines.append(result_line(table, words, names))
    if table.status == "running" and table.turn_since is not None:
        since = moment(table.turn_since, "R")
        lines.append(words("list.to-act", seats=sorted(table.to_act), since=since, names=names))
        lines += time_lines(table, words)
    if table.status != "cancelled" and table.seed is None:
        lines.append(words("list.commitment", commitment=table.commitment))
    lines.append(told_line(table, words))
    lines.append(ending(table, words))
    return "\n".join(line for line in lines if line)
