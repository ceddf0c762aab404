"""How often an action and its posts go to the database: a commit waits for the disk, a trip for a thread."""

from __future__ import annotations

import pytest

import db.sqlite
import db.trips
from tests.discord.conftest import answer_of, menus
from tests.discord.sekigahara_tables import Two
from tests.discord.test_sekigahara_marches import CAMP
from tests.messages import wording

COMMITS, TRIPS = 4, 12  # were 8 and 28; ten trips by now


@pytest.fixture
def trips(monkeypatch):
    """What the database's threads were asked to do, a list of statements for each trip."""
    made, in_thread = [], db.trips.in_thread

    async def counted(connection, work, *given):
        steps, *last = given or ([],)
        made.append([one.sql for one in steps] + last[:1])
        return await in_thread(connection, work, *given)

    monkeypatch.setattr(db.sqlite, "in_thread", counted)
    return made


async def test_what_stands_beside_a_panel_is_looked_up_once_for_a_pick_in_a_select(world, trips):
    two = Two(world)
    await two.begin(CAMP)
    await two.by_text(0, "move limited mori")
    panel = await two.look(0, "march_kyoto")
    menu = menus(panel)[0]
    trips.clear()
    where = answer_of(await world.ann.select(panel, ["0", "1"], custom_id=menu["custom_id"]))
    assert "2 blocks" in wording(where)
    asked = [sql for trip in trips for sql in trip]
    assert len(asked) == len(set(asked)), asked


async def test_a_bid_and_its_three_posts_are_four_commits_and_twelve_trips_at_most(world, trips):
    two = Two(world)  # 12.7
    thread = await two.begin()
    bids = [str((await member.autocomplete(thread, "move", "move", ""))[0]["value"]) for member in two.people]
    for seat, bid in enumerate(bids):
        trips.clear()
        await two.by_text(seat, bid)
        commits = [sql for trip in trips for sql in trip if sql == "COMMIT"]
        assert len(commits) <= COMMITS, trips  # those who stand in line together share one
        assert len(trips) <= TRIPS, "\n".join(str(trip) for trip in trips)
    assert await world.bot.database.reads.all("SELECT 1 FROM outbox WHERE state <> 'sent'") == []
