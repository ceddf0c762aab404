"""Shogun's reveal: the choice after which the engine runs ten actions for five players by itself."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from bench.figures import Figure, spread
from bench.play import House, house
from cogs.ops.garbage import set_aside
from cogs.posting.posts import Writer
from cogs.text.languages import Languages
from db.repositories import outbox
from tables.core.model import Place, Table, User

REVEALS = 12
PLAYERS = tuple(User(n, name) for n, name in enumerate(("Ann", "Ben", "Cho", "Dan", "Eve"), 1))
NO_CHOICE = "plan battle_a=chest1 battle_b=chest2 recruit1_move=chest3 bid=chest0"  # nobody has to be asked
PROVINCES = ("castle", "temple", "theater", "rice", "tax", "recruit5")  # "fill" does the last space


@dataclass
class Measured:
    """Milliseconds and kilobytes of each reveal."""

    commits: list[float] = field(default_factory=list)
    boards: list[float] = field(default_factory=list)
    sheets: list[float] = field(default_factory=list)
    sizes: list[float] = field(default_factory=list)


async def planned(home: House) -> int:
    """A table of five at which all have sent a plan that asks nothing of anybody later."""
    tables, ids = home.tables, home.ids
    made = await tables.create(
        PLAYERS[0],
        "shogun",
        "seat=first",
        Place(1, 2),
        in_place=True,
        guild_locale="en",
        interaction_id=next(ids),
    )
    for player in PLAYERS[1:]:
        await tables.join(made.id, player, next(ids))
    await tables.start(made.id, PLAYERS[0].id, next(ids))
    for player in PLAYERS:
        shown = await tables.show(made.id, player.id)
        provinces = shown.view.model_dump()["provinces"]
        own = [name for name, province in provinces.items() if province["owner"] == shown.seat]
        entries = " ".join(f"{space}={card}" for space, card in zip(PROVINCES, own, strict=False))
        for text in (f"{NO_CHOICE} {entries}", "plan fill", "plan ready"):
            await tables.act(made.id, player.id, text, interaction_id=next(ids))
    return made.id


async def reveal(home: House, table: int) -> float:
    """Every seat takes a special card; how long the commit of the last one took, ms."""
    took = 0.0
    while (found := await home.tables.get(table)).to_act and len(found.to_act) == 1:
        (seat,) = found.to_act
        player = next(p for p in PLAYERS if p.id == found.seats[seat].user_id)
        (choice, *_) = await home.tables.complete(table, player.id, 2, "")
        begin = time.perf_counter()
        await home.tables.act(table, player.id, choice, interaction_id=next(home.ids))
        took = (time.perf_counter() - begin) * 1000
    return took


async def pictures(home: House, table: int, writer: Writer, measured: Measured) -> None:
    """Draws what the last commit queued: the board, and everybody's order sheet for the next round."""
    found = await home.tables.get(table)
    sheets = [await drawn(home, found, f"user:{player.id}", writer, measured) for player in PLAYERS]
    measured.boards.append(await drawn(home, found, f"table:{table}", writer, measured))
    measured.sheets.append(sum(sheets))


async def drawn(home: House, table: Table, destination: str, writer: Writer, measured: Measured) -> float:
    """How long the last post for this destination took to write and draw, ms."""
    rows = await outbox.waiting(home.database.reads, destination)
    begin = time.perf_counter()
    post = await writer.post([row for row in rows if row.table_id == table.id][-1], table)
    took = (time.perf_counter() - begin) * 1000
    if post.picture is not None:
        measured.sizes.append(len(post.picture.png) / 1024)
    return took


async def measure() -> list[Figure]:
    """A dozen reveals, each at a table of its own."""
    measured = Measured()
    async with house() as home:
        writer = Writer(home.database, home.tables, Languages(home.database))
        for number in range(REVEALS + 1):
            if number == 1:
                measured = Measured()  # the very first picture loads fonts and maps
                set_aside()  # as the bot does when it starts
            table = await planned(home)
            measured.commits.append(await reveal(home, table))
            await pictures(home, table, writer, measured)
            async with home.database.transaction() as tx:
                tx.put("UPDATE outbox SET state = 'sent'")
    return [
        spread("ten actions for five players, commit, shogun", measured.commits, aim=100.0),
        spread("its picture, shogun", measured.boards, aim=250.0),
        spread("the next round's five order sheets together, shogun", measured.sheets),
        spread(
            "the board and these five sheets together, shogun",
            [board + sheets for board, sheets in zip(measured.boards, measured.sheets, strict=True)],
            aim=250.0,
        ),
        spread("each of these pictures, shogun", measured.sizes, unit="KB", aim=400.0),
    ]
