"""Every question that all have to agree on, in every game: refused, withdrawn, agreed to after a restart."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from engines.registry import GAMES
from tables.seats.handover import MOST_SILENCE
from tests.discord.conftest import answer_of, controls
from tests.discord.months_tables import Months, begun
from tests.games import by_game, players
from tests.messages import wording

pytestmark = pytest.mark.usefixtures("sketches")


class Question(NamedTuple):
    """How it is asked, what the table reads then, and what after a no and after a change of mind."""

    command: str
    asked: str
    refused: str
    withdrawn: str
    options: dict[str, Any] = {}  # noqa: RUF012 - never changed


QUESTIONS = {
    "draw": Question("game offer-draw", "offers a draw", "declines the draw", "no longer offers a draw"),
    "pause": Question("game pause", "asks for a pause", "doesn't want a pause", "no longer asks for a pause"),
    "clock": Question(
        "game clock",
        "asks for a different clock: 14 days to think plus 1 day after each turn",
        "keep the clock",
        "no longer asks for a different",
        {"clock": "slow"},
    ),
    "undo": Question("game undo", "asks to take back", "nothing changes", "no longer asks to take back"),
    "cancel": Question(
        "game cancel", "end this game without", "wants to play on", "wants to play on after all"
    ),
    "abandon": Question("game claim", "wants to go on without", "wants to wait", "wants to wait after all"),
    "replace": Question("game replace", "wants to offer", "keeps their seat", "no longer asks for another"),
}
FIRST = next(iter(GAMES))
OF_SEVERAL = ("abandon", "replace")  # two players have nobody else to ask
ASKED = [
    pytest.param(game, kind, marks=one.marks if game == FIRST or kind == "undo" else pytest.mark.long)
    for one in by_game()
    for game in one.values
    for kind in QUESTIONS
    if players(str(game)) > 2 or kind not in OF_SEVERAL
]


async def ask(months: Months, kind: str, asker: Any, about: Any) -> Any:
    """The question at the table, with its two buttons."""
    question = QUESTIONS[kind]
    options = {**question.options, **({"player": about.user} if kind in OF_SEVERAL else {})}
    result = await asker.slash(months.thread, question.command, **options)
    if kind == "cancel":
        sure = answer_of(result)
        await asker.click(sure, custom_id=next(iter(controls(sure))))
    await months.posted()
    return months.said(question.asked)


@pytest.mark.parametrize(("game", "kind"), ASKED)
async def test_a_question_is_refused_withdrawn_and_at_last_agreed_to(world, game, kind):
    months, question = await begun(world, game), QUESTIONS[kind]
    start = await months.standing()
    asker = await months.all_act() if kind == "undo" else months.players[0]
    about = months.players[-1] if kind in OF_SEVERAL else None
    voters = months.others(asker, about)
    if kind in OF_SEVERAL:  # who is there is not voted out
        await world.env.advance_time(MOST_SILENCE // 1000)
        await world.env.settle()
    before = await months.standing()

    post = await ask(months, kind, asker, about)
    assert {user.id for user in post.mentions} == {voter.id for voter in voters}
    assert "don't play" in await months.press(months.dan, post, "Yes")
    assert "your own question" in await months.press(asker, post, "Yes")
    if about is not None:
        for answer in ("Yes", "No"):  # who is to go cannot hold it up
            assert "about your own seat" in await months.press(about, post, answer)
    for voter in voters[1:]:
        assert "Others still have to answer" in await months.press(voter, post, "Yes")
    await months.press(voters[0], post, "No")
    assert question.refused in wording(months.thread.history()[-1])
    assert "already closed" in await months.press(voters[0], post, "Yes")
    assert await months.standing() == before

    post = await ask(months, kind, asker, about)
    await months.press(asker, post, "No")
    assert question.withdrawn in wording(months.thread.history()[-1])
    assert "already closed" in await months.press(voters[0], post, "Yes")
    assert await months.standing() == before

    post = await ask(months, kind, asker, about)
    await world.restart()
    for voter in voters:
        assert await months.standing() == before
        await months.press(voter, post, "Yes")
    await months.posted()
    await AGREED[kind](months, start, about)


async def drawn(months: Months, _start: Any, _about: Any) -> None:
    """Over, without a winner."""
    table = await months.table()
    assert (table.status, (table.result or {}).get("reason")) == ("over", "draw")
    assert months.said("ends in a draw")


async def paused(months: Months, _start: Any, _about: Any) -> None:
    """Paused until anybody ends it; no reminder comes meanwhile."""
    assert "Paused <t:" in await months.say(months.dan, "game info")
    await months.world.env.advance_time(5 * 24 * 3600)
    assert months.count("your turn; it began") == 0
    assert "goes on" in await months.say(months.players[-1], "game pause")
    assert (await months.table()).paused_at is None
    await months.world.env.advance_time(24 * 3600)
    assert months.count("your turn; it began") == 1


async def clocked(months: Months, _start: Any, _about: Any) -> None:
    """Another clock, with a full bank for all."""
    assert (await months.table()).table_options["clock"] == "slow"
    assert "full time" in wording(months.said("The clock has been changed"))
    assert "clock" in await months.say(months.dan, "game info")


async def taken_back(months: Months, start: Any, _about: Any) -> None:
    """The position is the one at the start again."""
    assert await months.standing() == start
    assert months.said("took back the last action")


async def cancelled(months: Months, _start: Any, _about: Any) -> None:
    """Ended without a result."""
    table = await months.table()
    assert (table.status, (table.result or {}).get("winners", [])) == ("cancelled", [])
    assert months.said("ended without a result")


async def abandoned(months: Months, _start: Any, about: Any) -> None:
    """The seat has resigned; the others play on."""
    table = await months.table()
    assert table.status == "running"
    assert table.seat_of(about.id) not in table.to_act
    assert months.said("decides to go on without")


async def offered(months: Months, _start: Any, about: Any) -> None:
    """The seat is anybody's who comes."""
    post = months.said("free: anybody can take it")
    assert "You now play at table #1" in await months.press(months.dan, post, "Take the seat")
    assert (await months.table()).seat_of(about.id) is None


AGREED = {
    "draw": drawn,
    "pause": paused,
    "clock": clocked,
    "undo": taken_back,
    "cancel": cancelled,
    "abandon": abandoned,
    "replace": offered,
}
