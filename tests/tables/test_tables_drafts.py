"""Drafts: secret choices that grow at the table, by Shogun's order sheet."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.buttons.custom_ids import Press
from cogs.panels.shogun import planned
from db.repositories import drafts
from engines.capabilities import random_action
from engines.chance import Chance
from tables.core.errors import TableError
from tests.tables.players import ANN, BEN, CAT, DAN


async def planning(house):
    """A table of three at its first planning."""
    table = await house.new(BEN, CAT, game="shogun")
    return await house.tables.start(table.id, ANN.id, next(house.ids))


async def own(house, table, user):
    """A player's provinces."""
    shown = await house.tables.show(table.id, user.id)
    return [name for name, p in shown.view.provinces.items() if p.owner == shown.seat]


async def text(house, table, user):
    return (await house.tables.draft(table.id, user.id)).text


async def rows(house):
    found = await house.database.reads.all("SELECT seat, draft FROM drafts ORDER BY seat")
    return [tuple(row) for row in found]


async def test_a_draft_grows_moves_clears_and_is_sent(house):
    table = await planning(house)
    one, two = (await own(house, table, ANN))[:2]
    outcome = await house.act(table, ANN, f"plan castle={one} tax={two.upper()}")
    assert outcome.action is None
    assert outcome.draft == f"plan castle={one.casefold()} tax={two.casefold()}"
    await house.act(table, ANN, f"plan castle=none rice={two}")
    assert await text(house, table, ANN) == f"plan rice={two.casefold()}"
    await house.act(table, ANN, "plan clear")
    assert await text(house, table, ANN) == "plan"
    await house.act(table, ANN, f"PLAN  bid = chest1 castle={one}")
    await house.act(table, ANN, "plan fill")
    whole = await text(house, table, ANN)
    assert f"castle={one.casefold()}" in whole
    assert "bid=chest1" in whole
    sent = await house.act(table, ANN, "plan ready")
    assert sent.action == whole
    assert sent.table.to_act == {1, 2}
    assert await rows(house) == []


async def test_a_whole_plan_is_sent_at_once_and_a_plan_as_json_is_no_edit(house):
    table = await planning(house)
    await house.act(table, ANN, "plan fill")
    whole = await text(house, table, ANN)
    await house.act(table, ANN, "plan clear")
    assert (await house.act(table, ANN, whole)).action == whole
    data = {"type": "plan", **dict(word.split("=") for word in whole.split()[1:])}
    assert (await house.act(table, ANN, json.dumps(data))).action == whole


async def test_what_was_sent_is_where_the_next_draft_begins(house):
    table = await planning(house)
    await house.act(table, ANN, "plan fill")
    await house.act(table, ANN, "plan ready")
    whole = await text(house, table, ANN)
    await house.act(table, ANN, "plan bid=none")
    assert await text(house, table, ANN) != whole
    view = (await house.tables.show(table.id, ANN.id)).view
    assert view.players[0].ready
    assert "bid" in view.players[0].plan


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("plan castle=ezo", "unknown-name"),
        ("plan keep=chest1", "unknown-name"),
        ("plan castle", "unknown-name"),
        ("plan ready now=x", "plan-word-alone"),
        ("plan castle=chest1 castle=chest2", "space-twice"),
        ("plan castle=chest1 tax=chest1", "card-twice"),
        ("plan ready", "wrong-number-of-cards"),
        ("plan", "bad-action"),
    ],
)
async def test_a_refused_edit_leaves_the_draft_as_it_was(house, entry, code):
    table = await planning(house)
    await house.act(table, ANN, "plan rice=chest0")
    with pytest.raises(TableError) as refusal:
        await house.act(table, ANN, entry)
    assert refusal.value.code == code
    assert refusal.value.rules
    assert all(legal.startswith("plan ") for legal in refusal.value.params["legal"])
    assert await text(house, table, ANN) == "plan rice=chest0"


async def test_another_seats_card_and_a_stranger_are_refused(house):
    table = await planning(house)
    (foreign,) = (await own(house, table, BEN))[:1]
    with pytest.raises(TableError, match="not-your-card"):
        await house.act(table, ANN, f"plan castle={foreign}")
    with pytest.raises(TableError, match="not-seated"):
        await house.act(table, DAN, "plan castle=chest1")
    with pytest.raises(TableError, match="not-seated"):
        await house.tables.draft(table.id, DAN.id)


async def test_a_draft_survives_a_kill_and_a_redelivered_edit_changes_nothing(house):
    table = await planning(house)
    await house.act(table, ANN, "plan castle=chest1", iid=5)
    await house.act(table, ANN, "plan castle=chest2", iid=6)
    await house.again()
    again = await house.act(table, ANN, "plan castle=chest1", iid=5)
    assert again.repeated
    assert again.draft == await text(house, table, ANN) == "plan castle=chest2"


async def test_drafts_go_when_the_round_moves_on(house):
    table = await planning(house)
    for user in (ANN, BEN, CAT):
        await house.act(table, user, "plan fill")
    await house.act(table, ANN, "plan ready")
    await house.act(table, ANN, "plan bid=none")  # ready, and changes without sending
    await house.act(table, BEN, "plan ready")
    assert len(await rows(house)) == 2
    await house.act(table, CAT, "plan ready")
    assert await rows(house) == []
    with pytest.raises(TableError, match="not-your-turn"):
        await house.tables.draft(table.id, ANN.id)
    async with (
        house.database.transaction() as tx
    ):  # one that was left behind is not taken for another round's
        await drafts.put(tx, table.id, 0, mark="another", draft="plan castle=chest4", now=0)
    assert await drafts.get(house.database.reads, table.id, 0, "1 summer: plan") is None


async def test_completions_go_on_from_the_draft(house):
    table = await planning(house)
    one, two = (await own(house, table, ANN))[:2]
    complete = house.tables.complete
    assert "plan fill" in await complete(table.id, ANN.id, 0, "")
    await house.act(table, ANN, f"plan castle={one}")
    offers = await complete(table.id, ANN.id, 0, "plan temple=")
    assert f"plan temple={two.casefold()}" in offers
    assert f"plan temple={one.casefold()}" not in offers
    assert "plan castle=none" in await complete(table.id, ANN.id, 0, "plan castle=")
    assert await complete(table.id, ANN.id, 0, "plan te") == offers
    begun = await complete(table.id, ANN.id, 0, f"plan temple={two} ri")
    assert all(offer.startswith(f"plan temple={two.casefold()} rice=") for offer in begun)
    assert begun
    await house.act(table, ANN, "plan fill")
    assert (await complete(table.id, ANN.id, 0, "plan "))[0] == "plan ready"
    for offer in await complete(table.id, BEN.id, 0, "plan "):
        await house.act(table, BEN, offer)


async def told(house, table):
    """Everything that anybody but ANN is told or may ask for."""
    others = [
        (
            (await house.tables.show(table.id, user)).view.model_dump(),
            await house.tables.complete(table.id, user, 0, "plan "),
            await house.tables.export(table.id, user),
        )
        for user in (BEN.id, CAT.id, None)
        if user is not None
    ]
    posts = [post for post in await house.posts() if post[0] != f"user:{ANN.id}"]
    public = (await house.tables.show(table.id, None)).view.model_dump()
    sheets = [await text(house, table, user) for user in (BEN, CAT)]
    return others, posts, public, sheets


async def test_nothing_that_others_see_depends_on_a_draft_or_a_sent_plan(house, tmp_path):
    table = await planning(house)
    one, two = (await own(house, table, ANN))[:2]
    empty = await told(house, table)
    await house.act(table, ANN, f"plan castle={one} bid=chest3")
    assert await told(house, table) == empty
    await house.act(table, ANN, f"plan tax={one} castle={two} bid=chest0")
    assert await told(house, table) == empty
    await house.act(table, ANN, "plan fill")
    await house.act(table, ANN, "plan ready")
    sent = await told(house, table)
    await house.act(table, ANN, f"plan tax={two} castle={one}")
    await house.act(table, ANN, "plan ready")
    other = await told(house, table)
    assert [sent[0], sent[2:]] == [other[0], other[2:]]
    assert sent[1] == other[1], "a changed plan posts nothing to others"


async def test_neither_the_log_nor_an_outcome_holds_a_draft(house):
    table = await planning(house)
    await house.act(table, ANN, "plan castle=chest4 tax=chest3")
    for name in ("actions", "interactions", "outbox", "snapshots"):
        for row in await house.database.reads.all(f"SELECT * FROM {name}"):
            assert "=chest4" not in str(tuple(row)), name
    exported = await house.tables.export(table.id, ANN.id)
    assert "castle=chest4" not in json.dumps(exported)
    assert await house.tables.check() == []


async def test_who_is_ready_is_told_in_a_line_that_mentions_nobody(house):
    table = await planning(house)
    first = await house.posts("board")
    assert [data["mention"] for _, _, data in first] == [[ANN.id, BEN.id, CAT.id]]
    await house.act(table, BEN, "plan fill")
    await house.act(table, BEN, "plan ready")
    ((to, _, data),) = await house.posts("ready")
    assert (to, data["mention"], data["to_act"]) == (f"table:{table.id}", [], [0, 2])
    assert len(await house.posts("board")) == 1
    assert [to for to, _, _ in await house.posts("hand")] == [
        *(f"user:{user.id}" for user in (ANN, BEN, CAT)),
        f"user:{BEN.id}",
    ]


async def test_everybody_is_mentioned_once_when_a_round_begins_and_gets_a_sheet(house):
    table = await planning(house)
    users = {user.id: user for user in (ANN, BEN, CAT)}
    chance = Chance(b"round", 0)
    while (await house.posts("board"))[-1][2]["view"]["season"] == "spring":
        found = await house.tables.get(table.id)
        user = users[found.seats[min(found.to_act)].user_id]
        if (await house.tables.show(table.id, None)).view.phase == "plan":
            await house.act(table, user, "plan fill")
            await house.act(table, user, "plan ready")
        else:
            offers = await house.tables.complete(table.id, user.id, 0, "")
            await house.act(table, user, chance.pick(offers))
    boards = await house.posts("board")
    assert boards[-1][2]["mention"] == [ANN.id, BEN.id, CAT.id]
    for _, _, data in boards[1:-1]:
        assert len(data["mention"]) <= 1
    letters = [to for to, _, data in await house.posts("hand") if data["version"] == boards[-1][2]["version"]]
    assert sorted(letters) == [f"user:{user.id}" for user in (ANN, BEN, CAT)]


async def ready(house, table, user, *entries):
    """Lays entries, fills the rest and sends it; what was sent."""
    for entry in entries:
        await house.act(table, user, entry)
    await house.act(table, user, "plan fill")
    return (await house.act(table, user, "plan ready")).action


async def test_a_plan_taken_back_is_a_draft_again_and_the_channel_hears_who_plans_and_no_more(house):
    table = await planning(house)
    sent = await ready(house, table, ANN)
    before = len(await house.posts())
    await house.tables.undo(table.id, ANN.id, next(house.ids))
    assert await text(house, table, ANN) == sent
    assert not (await house.tables.show(table.id, ANN.id)).view.players[0].ready
    new = [(to, kind) for to, kind, _ in (await house.posts())[before:]]
    assert new == [(f"table:{table.id}", "ready"), (f"user:{ANN.id}", "hand")]
    assert (await house.act(table, ANN, "plan ready")).action == sent
    assert await house.tables.check() == []


async def test_a_changed_plan_is_taken_back_whole_and_keeps_what_was_laid_since(house):  # 14.11
    table = await planning(house)
    first = await ready(house, table, ANN)
    seen = await house.tables.get(table.id)
    second = await ready(house, table, ANN, "plan clear", "plan rice=chest1")
    await house.act(table, ANN, "plan bid=none")
    draft = await text(house, table, ANN)
    assert await house.tables.get(table.id) == seen, "nobody sees that it was changed"
    after = await house.tables.undo(table.id, ANN.id, next(house.ids))
    assert first != second
    assert after.to_act == {0, 1, 2}
    assert await house.posts("line") == []
    assert not (await house.tables.show(table.id, ANN.id)).view.players[0].ready
    assert await text(house, table, ANN) == draft


async def test_a_plan_is_taken_back_alone_though_others_have_sent_theirs_since(house):
    table = await planning(house)
    mine = await ready(house, table, ANN)
    theirs = await ready(house, table, BEN)
    after = await house.tables.undo(table.id, ANN.id, next(house.ids))
    assert after.to_act == {0, 2}, "nobody was asked, and Ben's plan stands"
    assert await text(house, table, ANN) == mine
    assert await text(house, table, BEN) == theirs
    await house.again()
    assert await house.tables.check() == []
    await house.act(table, CAT, "plan fill")
    await house.act(table, CAT, "plan ready")
    await house.act(table, ANN, "plan ready")
    assert (await house.tables.show(table.id, None)).view.phase == "special"
    assert await house.tables.check() == []
    record = await house.tables.export(table.id, ANN.id)
    assert record


async def test_a_doubtful_plan_is_kept_and_asked_about_typed_ready_whole_or_as_json(house):
    table = await house.new(BEN, CAT, DAN, game="shogun")  # four have 15 chests
    table = await house.tables.start(table.id, ANN.id, next(house.ids))
    doubt = house.tables.doubt
    await house.act(table, ANN, "plan fill")  # with chest cards on the dear actions
    sure = await text(house, table, ANN)
    assert await doubt(table.id, ANN.id, "plan ready") is None
    assert await doubt(table.id, ANN.id, sure) is None
    dear = ("recruit5", "recruit3", "castle", "temple", "theater", "recruit1_move")  # 12 chests, the bid 4
    cards = zip(dear, await own(house, table, ANN), strict=False)
    await house.act(table, ANN, "plan bid=chest4 " + " ".join(f"{space}={card}" for space, card in cards))
    await house.act(table, ANN, "plan fill")
    plan = dict(word.split("=") for word in (await text(house, table, ANN)).split()[1:])
    await house.act(table, ANN, "plan clear")
    typed = "plan " + " ".join(f"{space}={card}" for space, card in plan.items())
    asked = await doubt(table.id, ANN.id, typed)
    assert asked is not None
    assert asked.asked
    assert dict(word.split("=") for word in (await text(house, table, ANN)).split()[1:]) == plan
    assert await doubt(table.id, ANN.id, "plan ready") == asked
    assert await doubt(table.id, ANN.id, json.dumps({"type": "plan", **plan})) == asked
    assert not (await house.tables.show(table.id, ANN.id)).view.players[0].ready
    assert (await house.act(table, ANN, "plan ready")).action == asked.text


async def test_the_plan_of_the_round_before_is_laid_again_from_the_log_though_some_of_it_was_taken_back(
    house,
):
    table, people, chance = await planning(house), (ANN, BEN, CAT), Chance(bytes(32), 0)
    for user in people:
        await house.act(table, user, "plan fill")
    before = await text(house, table, ANN)
    for user in people:
        await house.act(table, user, "plan ready")
    while "summer" not in (loaded := await house.tables._house.look(table.id)).state.season:
        seat = min(loaded.to_act)
        action = random_action(loaded.engine, loaded.state, seat, chance)
        await house.act(table, people[seat], loaded.engine.format(action))
    laid = await house.act(table, ANN, "plan again")
    assert laid.action is None
    assert laid.draft == await text(house, table, ANN)
    kept = [word for word in before.split() if word in laid.draft.split()]
    assert len(kept) == len(laid.draft.split())
    assert len(before.split()) - len(kept) == len(laid.lacking)
    await house.act(table, ANN, "plan clear")
    assert await text(house, table, ANN) == "plan", "what was laid may be cleared"


async def test_in_the_first_round_nothing_can_be_laid_again(house):
    table = await planning(house)
    with pytest.raises(TableError, match="no-plan-before"):
        await house.act(table, ANN, "plan again")


async def test_a_forged_button_of_a_sheet_finds_no_plan_at_another_games_table(house):
    table = await house.new(
        BEN, game="sekigahara", words="seat=first"
    )  # what is left for later is a draft too
    client = SimpleNamespace(tables=house.tables)
    interaction: Any = SimpleNamespace(client=client, user=SimpleNamespace(id=ANN.id))
    assert await text(house, table, ANN) == ""
    with pytest.raises(TableError) as caught:
        await planned(interaction, Press(table.id, table.version, "L.a"))
    assert (caught.value.code, caught.value.game) == ("stale", "sekigahara")
