"""What is secret makes no noise: two histories that differ only in secret aids are equal for everybody else.

13.B12, 14.11: standing answers and orders of Sekigahara, plans of Shogun that are laid and sent once more.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest

from db.repositories import actions
from engines.capabilities import Secrets, random_action
from engines.chance import Chance
from engines.protocol import RulesError
from engines.registry import GAMES, engine
from tables.core import letters
from tables.core.errors import TableError
from tables.core.model import Filters
from tables.core.turns import advanced
from tables.reading.since import MINE
from tests.discord.sekigahara_tables import FIGHTS, RULES
from tests.tables.players import ANN, BEN, CAT, Fixture

PEOPLE = (ANN, BEN, CAT)
HOUR = 3_600_000
FIGHT = {**FIGHTS, "phase": "combat"}


@pytest.fixture
def houses(tmp_path, monkeypatch):
    """Makes services that know nothing of each other."""
    return lambda name: Fixture(tmp_path / f"{name}.db", monkeypatch)


async def inside(house, table):
    return await house.tables._house.look(table.id)


async def place(house, table, position):
    """Puts a table at which nothing was done yet at a position, as an imported record would be."""
    inner = house.tables._house
    async with inner.lock(table.id):
        loaded = await inner.load(table.id)
        step = RULES.from_position(position, Chance(loaded.row.seed, 0))
        after = advanced(loaded, step.state, step.events, inner.clock.now(), actor=None, entries=0)
        after = after.updated(position=json.dumps(position))
        async with inner.writing(table.id, None) as tx:
            await inner.store(tx, after, letters.boards(None, after))
        inner.committed(after)


async def at_random(house, table, ply):
    """One random legal action of the first seat that has to act, the same in every run."""
    loaded = await inside(house, table)
    waiting = sorted(loaded.to_act)
    if not waiting:
        return
    action = random_action(loaded.engine, loaded.position, waiting[0], Chance(b"noise", ply))
    await house.act(table, PEOPLE[waiting[0]], loaded.engine.format(action))


async def seen_by_others(house, table, hidden):
    """All that anybody but the player of the seat `hidden` sees of a table, with its numbers and times."""
    tables, reads = house.tables, house.database.reads
    now = await tables.get(table.id)
    entries = await actions.count(reads, table.id)
    found = {"table": asdict(now), "entries": entries, "choices": []}
    for user in [user for seat, user in enumerate(PEOPLE[: len(now.seats)]) if seat != hidden]:
        found[user.name] = [
            asdict(await tables.show(table.id, user.id)),
            await tables.export(table.id, user.id),
            await tables.story(table.id, user.id),
            await tables.chronicle(table.id, user.id),
            await tables.mine(user.id),
            await tables.complete(table.id, user.id, 10, ""),
            [await tables.replay(table.id, user.id, at=number) for number in range(entries + 1)],
            [asdict(await tables.board(table.id, user.id, number)) for number in range(entries + 1)],
            asdict(await tables.board(table.id, user.id)),
            asdict(await tables.board(table.id, user.id, MINE)),
            await tables.verify(table.id, user.id),
            await tables.statistics(table.id),
            [await tables.board_at(table.id, number) for number in range(entries + 1)],
            await refused(tables.why(table.id, user.id)),
            await refused(tables.board(table.id, user.id, entries + 1)),
            await refused(tables.show(table.id, user.id, entries + 1)),
        ]
    stranger = CAT.id + 90
    found["stranger"] = [
        asdict(await tables.board(table.id, stranger)),
        await tables.listing(now.place.guild_id or 0, Filters(most=20)),
        await tables.profile(BEN.id),
    ]
    for name, sql in {
        "posts": "SELECT destination, kind, payload, due_at, created_at FROM outbox "
        f"WHERE destination <> 'user:{PEOPLE[hidden].id}' ORDER BY id",
        "timers": "SELECT * FROM timers ORDER BY kind, table_id",
        "votes": "SELECT * FROM votes",
        "log": "SELECT seq, seat, undo, reveals, passes, at FROM actions ORDER BY seq",
    }.items():
        found[name] = [tuple(row) for row in await reads.all(sql)]
    seats = (await inside(house, table)).seats
    found["seats"] = [replace(seat, choice_mark="") if seat.seat == hidden else seat for seat in seats]
    return found


async def refused(asked):
    """What is asked, or with which words it is refused."""
    try:
        return await asked
    except (TableError, RulesError) as error:
        return [error.code, error.params]


async def played(house, game, plies, aids, *, hidden=0, position=None):
    """A game by one stream of chance, in which seat `hidden` also does what `aids` says before a ply."""
    guests = (BEN,) if game == "sekigahara" else (BEN, CAT)
    table = await house.new(*guests, game=game, words="seat=first clock=fast")
    if game == "shogun":
        table = await house.tables.start(table.id, ANN.id, next(house.ids))
    if position is not None:
        await place(house, table, position)
        await house.act(table, ANN, "combat kiyosu")
    for ply in range(plies):
        house.clock.ms += HOUR
        for aid in aids.get(ply, ()):
            await house.act(table, PEOPLE[hidden], aid)
        await at_random(house, table, ply)
    return table


async def both(houses, game, plies, aids, *, hidden=0, **more):
    """What others see of a game without and with the aids, while it runs and once it has ended."""
    found = []
    for name, done in (("without", {}), ("with", aids)):
        house = await houses(name).begin()
        try:
            table = await played(house, game, plies, done, hidden=hidden, **more)
            running = await seen_by_others(house, table, hidden)
            assert await house.tables.check() == []
            await house.tables.resign(table.id, BEN.id, next(house.ids))
            found.append((running, await seen_by_others(house, table, hidden)))
        finally:
            await house.end()
    return found


@pytest.mark.parametrize("plies", [3, *(pytest.param(plies, marks=pytest.mark.long) for plies in (12, 30))])
async def test_standing_answers_that_answer_nothing_are_noticed_by_nobody(houses, plies):
    aids = dict.fromkeys(range(plies), ("standing never", '{"type":"standing","answer":"ask"}'))
    without, noisy = await both(houses, "sekigahara", plies, aids)
    assert without == noisy


async def test_orders_and_standing_answers_in_a_battle_are_noticed_by_nobody(houses):
    aids = {0: ("standing never", "orders done", "standing ask", "orders")}
    without, noisy = await both(houses, "sekigahara", 1, aids, hidden=1, position=FIGHT)
    assert without == noisy


# by game: options, and which of the completions differs from the first in what is secret alone
SECRETS = {"sekigahara": ("", 1), "rokumon": ("act=4 ", 7), "shogun": ("", 0)}


async def chosen(house, game, other):
    """A table at which Ann has made a secret choice, or the `other` one, that only she can tell apart."""
    words, which = SECRETS[game]
    guests = (BEN, CAT) if game == "shogun" else (BEN,)
    table = await house.new(*guests, game=game, words=f"{words}seat=first clock=fast")
    if game != "shogun":
        choices = await house.tables.complete(table.id, ANN.id, 10, "")
        await house.act(table, ANN, choices[which * other])
        return table
    table = await house.tables.start(table.id, ANN.id, next(house.ids))
    await house.act(table, ANN, "plan fill")
    draft = dict(part.split("=") for part in (await house.tables.draft(table.id, ANN.id)).text.split()[1:])
    if other:
        await house.act(table, ANN, f"plan castle={draft['temple']} temple={draft['castle']}")
    await house.act(table, ANN, "plan ready")
    return table


@pytest.mark.parametrize("game", SECRETS)
async def test_what_was_chosen_in_secret_is_noticed_by_nobody_else(houses, game):  # 14.11
    seen = []
    for other in (False, True):
        house = await houses(str(other)).begin()
        try:
            table = await chosen(house, game, other)
            own = (await house.tables.show(table.id, ANN.id)).view.model_dump_json()
            seen.append((own, await seen_by_others(house, table, 0)))
        finally:
            await house.end()
    assert seen[0][0] != seen[1][0]
    assert seen[0][1] == seen[1][1]


def test_of_the_games_with_secrets_none_is_left_out():
    assert {game for game in GAMES if isinstance(engine(game), Secrets)} == SECRETS.keys()


async def planned(house, again):
    """Three plan; Ann has sent hers and lays and sends it anew."""
    table = await house.new(BEN, CAT, game="shogun", words="seat=first clock=fast")
    table = await house.tables.start(table.id, ANN.id, next(house.ids))
    await house.act(table, ANN, "plan fill")
    await house.act(table, ANN, "plan ready")
    for user in (None, BEN):
        if user is not None:
            await house.act(table, user, "plan fill")
            await house.act(table, user, "plan ready")
        house.clock.ms += HOUR
        for _ in range(2 if again else 0):
            card = (await inside(house, table)).position.players[0].plan["castle"]
            await house.act(table, ANN, f"plan castle=none tax={card}")
            await house.act(table, ANN, "plan castle=none")
            await house.act(table, ANN, "plan fill")
            await house.act(table, ANN, "plan ready")
    return table


async def test_a_plan_sent_once_more_is_noticed_by_nobody(houses):
    seen = []
    for again in (False, True):
        house = await houses(str(again)).begin()
        try:
            table = await planned(house, again)
            await house.tables.offer_draw(table.id, BEN.id, next(house.ids))
            seen.append(await seen_by_others(house, table, 0))
            assert await house.tables.check() == []
        finally:
            await house.end()
    assert seen[0] == seen[1]


async def test_a_plan_sent_once_more_is_the_one_that_counts_after_a_restart_and_in_the_record(house):
    table = await house.new(BEN, CAT, game="shogun", words="seat=first")
    table = await house.tables.start(table.id, ANN.id, next(house.ids))
    for user in (ANN, BEN):
        await house.act(table, user, "plan fill")
        await house.act(table, user, "plan ready")
    old = dict((await inside(house, table)).position.players[0].plan)
    swapped = {**old, "castle": old["temple"], "temple": old["castle"]}
    text = "plan " + " ".join(f"{space}={card}" for space, card in swapped.items())
    sent = await house.act(table, ANN, text)
    assert sent.table.to_act == {2}
    async with house.database.transaction() as tx:
        await tx.run("DELETE FROM snapshots")
    await house.again()
    assert (await inside(house, table)).position.players[0].plan == swapped
    assert await house.tables.check() == []
    assert await actions.count(house.database.reads, table.id) == 2
    assert (await house.tables.undo(table.id, ANN.id, next(house.ids))).to_act == {0, 2}


# -- 13.B12 ---------------------------------------------------------------------------------------


async def battle(house, words="seat=first clock=fast"):
    table = await house.new(BEN, game="sekigahara", words=words)
    await place(house, table, FIGHT)
    await house.act(table, ANN, "combat kiyosu")
    return table


async def test_a_standing_answer_leaves_the_others_undo_alone(house):
    table = await house.new(BEN, game="sekigahara", words="seat=first")
    await house.act(table, ANN, (await house.tables.complete(table.id, ANN.id, 10, ""))[0])
    await house.act(table, BEN, "standing never")
    after = await house.tables.undo(table.id, ANN.id, next(house.ids))
    assert after.to_act == {0, 1}, "not a vote"


async def test_a_standing_answer_lapses_no_offer_of_a_draw(house):
    table = await battle(house)
    await house.tables.offer_draw(table.id, ANN.id, next(house.ids))
    await house.act(table, BEN, "standing never")
    rows = await house.database.reads.all("SELECT status FROM votes")
    assert [row["status"] for row in rows] == ["open"]


async def test_who_only_repeats_a_standing_answer_runs_out_of_time(house):
    table = await battle(house, "seat=first clock=fast timeout=lose")
    (seat,) = (await house.tables.get(table.id)).to_act
    for _ in range(14):
        house.clock.ms += 23 * HOUR // 2
        await house.tables.run_due()
        table = await house.tables.get(table.id)
        if table.status == "over":
            break
        await house.act(table, PEOPLE[seat], "standing never")
    assert (table.status, table.result["winners"]) == ("over", [1 - seat])


async def test_a_standing_answer_answers_with_the_deployment_and_calls_nobody(house):
    table = await battle(house)
    await house.act(table, BEN, "standing never")
    await house.again()
    before = len(await house.database.reads.all("SELECT * FROM outbox WHERE kind = 'board'"))
    await house.act(table, ANN, "deploy ukita2 ukita2 with ukita-double")
    now = await inside(house, table)
    assert now.position.phase == "deploy"
    assert now.position.battle.deployed["ishida"] == ("ukita2", "ukita2")
    posts = await house.database.reads.all("SELECT payload FROM outbox WHERE kind = 'board' ORDER BY id")
    assert len(posts) == before + 1
    log = await actions.log(house.database.reads, table.id)
    assert [(row.seat, json.loads(row.action or "{}")["type"], row.user_id) for row in log] == [
        (0, "combat", ANN.id), (0, "deploy", ANN.id), (1, "accept", None),
    ]  # fmt: skip
    assert await house.tables.check() == []


async def test_a_standing_answer_is_shown_to_its_own_seat_alone_and_answers_what_is_asked_already(house):
    table = await battle(house)
    await house.act(table, ANN, "deploy ukita2 ukita2 with ukita-double")
    done = await house.act(table, BEN, "standing never")
    assert (await inside(house, table)).position.phase == "deploy"
    assert done.action == "accept"
    assert (await house.tables.show(table.id, BEN.id)).view.standing == "never"
    assert (await house.tables.show(table.id, ANN.id)).view.standing == "ask"
    panel = await house.tables.panel(table.id, BEN.id, ())
    assert "ask" in [choice.key for choice in panel.step.choices]


SIEGE = {
    **FIGHT,
    "phase": "move",
    "march": None,
    "map": {
        **FIGHT["map"],
        "kuwana": {},
        "kiyosu": {"ishida": ["mori2"]},
    },
}


async def test_a_castle_that_stays_inside_calls_nobody_and_is_asked_when_more_come(house):  # 17.4
    table = await house.new(BEN, game="sekigahara", words="seat=first")
    await place(house, table, SIEGE)
    await house.act(table, BEN, "standing inside okazaki")
    assert (await house.tables.show(table.id, BEN.id)).view.stays == ("okazaki",)
    await house.act(table, ANN, "move minimal")
    await house.act(table, ANN, "end")
    await house.act(table, ANN, "combat okazaki")
    assert (await inside(house, table)).position.battle.siege
    log = await actions.log(house.database.reads, table.id)
    assert log[-1].action is not None
    assert (log[-1].seat, json.loads(log[-1].action), log[-1].user_id) == (
        1, {"type": "castle", "inside": True}, None,
    )  # fmt: skip
    assert (await house.tables.show(table.id, ANN.id)).view.stays == ()
    assert await house.tables.check() == []


async def test_a_castle_that_stayed_inside_is_asked_once_the_siege_is_another_one(house):  # 17.4
    table = await house.new(BEN, game="sekigahara", words="seat=first")
    await place(house, table, SIEGE)
    await house.act(table, BEN, "standing inside okazaki")
    await house.act(table, BEN, "standing never")
    await house.act(table, ANN, "move minimal")
    await house.act(table, ANN, "march kiyosu mori2 > okazaki")
    kept = await house.database.reads.all("SELECT seat, aid FROM aids")
    assert [tuple(row) for row in kept] == [(1, "never")]
    await house.again()
    await house.act(table, ANN, "end")
    await house.act(table, ANN, "combat okazaki")
    now = await inside(house, table)
    assert (now.position.phase, now.to_act) == ("castle", {1})


async def test_that_a_castle_would_stay_inside_is_noticed_by_nobody(houses):  # 14.11
    aids = {0: ("standing inside okazaki", "standing ask okazaki"), 2: ("standing inside okazaki",)}
    without, noisy = await both(houses, "sekigahara", 1, aids, hidden=1, position=FIGHT)
    assert without == noisy


async def test_of_several_deployments_the_first_is_done_and_the_others_are_orders(house):  # 17.4
    table = await battle(house)
    text = "orders deploy ukita2 ukita2 with ukita-double; deploy mori3 with mori"
    done = await house.act(table, ANN, text)
    assert (done.action, done.draft) == ("deploy ukita2 ukita2 with ukita-double", "deploy mori3 with mori")
    assert [seen.code for seen in done.said] == ["deploy"]
    now = await inside(house, table)
    assert (now.position.phase, now.to_act) == ("challenge", {1})


async def test_a_log_of_before_that_holds_a_standing_answer_replays_and_can_be_ended(house):
    position = {**FIGHT, "standing": {"ishida": "ask", "tokugawa": "never"}}
    table = await house.new(BEN, game="sekigahara", words="seat=first")
    await place(house, table, position)
    await house.act(table, ANN, "combat kiyosu")
    await house.act(table, BEN, "standing ask")
    assert (await house.tables.show(table.id, BEN.id)).view.standing == "ask"
    await house.act(table, ANN, "deploy ukita2 ukita2 with ukita-double")
    assert (await inside(house, table)).position.phase == "challenge"
    assert await house.tables.check() == []
