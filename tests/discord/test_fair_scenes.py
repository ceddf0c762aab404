"""Fair play as it is seen on Discord: moderators who play, vacations, who is gone (issue 14, 13.A6)."""

from __future__ import annotations

import discord
import pytest

from tests.discord.conftest import answer_of, controls, text_of
from tests.discord.months_tables import DAY, Months, begun
from tests.messages import wording

pytestmark = pytest.mark.usefixtures("sketches")


def promoted(world, member, **more):
    """Gives a player the rights of a moderator."""
    rights = discord.Permissions(manage_messages=True, manage_guild=True, **more)
    role = world.guild.create_role("chief", permissions=rights)
    world.env.backend.add_member_role(world.guild.id, member.id, role.id)


async def cancelled(months: Months, member) -> str:
    """`/game cancel` with its second question; what is answered at last."""
    sure = answer_of(await member.slash(months.thread, "game cancel", table=1))
    if not (found := controls(sure)):
        return str(wording(sure))
    return text_of(await member.click(sure, custom_id=next(iter(found))))


async def test_a_moderator_who_plays_asks_and_one_who_played_is_refused(world):  # 14.6
    months = await begun(world, "rokumon")
    mod, other = months.players
    promoted(world, mod)
    told = await cancelled(months, mod)
    assert (await months.table()).status == "running"
    assert "asked" in told.casefold()
    await months.press(other, months.said("end this game without"), "No")
    await months.say(mod, "game replace")
    await months.press(months.dan, months.said("seat"), "Take the seat")
    assert await months.seat_of(mod) is None
    assert "another moderator" in await cancelled(months, mod)
    assert "another moderator" in text_of(
        await mod.slash(months.thread, "admin hand-over", table=1, seat=2, level="easy")
    )
    assert "another moderator" in await months.say(mod, "game replace", player=other.user)
    table = await months.table()
    assert (table.status, table.seed) == ("running", None)


async def test_a_vacation_shows_its_days_and_ends_where_one_plays(world):  # 13.A6
    months = await begun(world, "kamisado", "clock=fast")
    away = (await months.acting())[0]
    assert "30 of 30 days" in await months.say(months.dan, "settings")
    told = await months.say(away, "settings", vacation=20)
    assert "10 of 30 days" in told
    assert "is on vacation until <t:" in await months.say(months.dan, "game info")
    await world.env.advance_time(10 * DAY)
    await world.env.settle()
    await months.say(away, "settings", vacation=15)
    assert months.count("is away until") == 2
    assert "more vacation than you have left" in await months.say(away, "settings", vacation=25)
    await months.play_as(away)
    assert months.count("is back") == 1
    assert "on vacation" not in await months.say(months.dan, "game info")


async def test_nothing_is_taken_back_or_called_off_while_the_other_has_left(world):  # 14.10
    months = await begun(world, "kamisado")
    first = (await months.acting())[0]
    await months.play_as(first)
    other = months.others(first)[0]
    await world.bot.tables.gone(other.id, "left", world.guild.id)
    assert "would have to agree" in await months.say(first, "game undo")
    assert "would have to agree" in await cancelled(months, first)
    assert "still has time" in await months.say(first, "game claim", player=other.user)
    assert (await months.table()).status == "running"


async def test_a_moderator_who_may_have_removed_the_other_cannot_go_on_without_them(world):  # 14.6
    months = await begun(world, "kamisado")
    mod, other = months.players
    promoted(world, mod, kick_members=True)
    world.env.backend.remove_member(world.guild.id, other.id)
    await world.bot.tables.gone(other.id, "left", world.guild.id)
    await world.env.advance_time(2 * DAY)
    for name in ("game claim", "game replace"):
        assert "you are allowed to remove members" in await months.say(mod, name, player=other.user)
    table = await months.table()
    assert (table.status, table.seed) == ("running", None)
