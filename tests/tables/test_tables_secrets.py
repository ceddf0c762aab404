"""Nothing that leaves the tables tells what its reader may not know."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from db.repositories import users
from tables.core.errors import TableError
from tables.core.loaded import Loaded
from tests.tables.players import ANN, BEN


async def game_with(house, monkeypatch, hands):
    """Everything posted in a game where BEN's cards are these and nobody else's change."""
    from tests.tables import fake_duel

    real = fake_duel.Duel.setup

    def setup(self, options, seats, chance):
        step = real(self, options, seats, chance)
        state = step.state.model_copy(update={"hands": ((10, 20, 30, 40), hands)})
        dealt = step.events[0].model_copy(update={"private": {0: {"cards": [10]}, 1: {"cards": list(hands)}}})
        return step._replace(state=state, events=(dealt,))

    monkeypatch.setattr(fake_duel.Duel, "setup", setup)
    table = await house.new(BEN)
    await house.act(table, BEN, f"bid {hands[0]}")
    await house.act(table, ANN, "bid 10")
    await house.act(table, ANN, "step")
    await house.act(table, ANN, "pass")
    await house.act(table, BEN, f"bid {hands[1]}")
    posts = [post for post in await house.posts() if post[2]["table"] == table.id]
    looks = [(await house.tables.show(table.id, user)).view.model_dump() for user in (ANN.id, None, 999)]
    return table, posts, looks, await house.tables.complete(table.id, ANN.id, 0, "")


def strip(posts, table, reader):
    """The rows that a reader sees, without the table's own number."""
    seen = [post for post in posts if post[0] in (f"table:{table.id}", f"user:{reader}")]
    dropped = ("table", "commitment")
    return [(kind, {k: v for k, v in data.items() if k not in dropped}) for _, kind, data in seen]


async def test_rows_views_and_completions_are_equal_whatever_is_hidden(house, monkeypatch):
    first = await game_with(house, monkeypatch, (1, 2, 3, 4))
    second = await game_with(house, monkeypatch, (1, 9, 8, 7))
    assert strip(first[1], first[0], ANN.id) == strip(second[1], second[0], ANN.id)
    assert strip(first[1], first[0], BEN.id) != strip(second[1], second[0], BEN.id)
    assert first[2:] == second[2:]


async def test_no_row_of_a_running_game_holds_the_seed_or_an_action(house):
    table = await house.new(BEN)
    await house.bid_all(table)
    row = await house.database.reads.one("SELECT seed FROM tables")
    for _, _, data in await house.posts():
        assert row["seed"].hex() not in json.dumps(data)
        assert "action" not in data
    assert (await house.tables.get(table.id)).seed is None


async def test_a_secret_choice_posts_that_it_was_made_and_nothing_twice(house):
    table = await house.new(BEN)
    before = len(await house.posts())
    hand = (await house.tables.show(table.id, ANN.id)).view.hand
    await house.act(table, ANN, f"bid {hand[0]}")
    new = (await house.posts())[before:]
    # BEN's own view changes too: it says who has chosen
    assert [(to, kind) for to, kind, _ in new] == [
        (f"table:{table.id}", "board"), (f"user:{ANN.id}", "hand"), (f"user:{BEN.id}", "hand"),
    ]  # fmt: skip
    assert new[0][2]["mention"] == []


async def test_a_hand_holds_its_readers_own_view_and_no_secret_of_another(house):
    table = await house.new(BEN)
    before = len(await house.posts())
    hands = {user: (await house.tables.show(table.id, user.id)).view.hand for user in (ANN, BEN)}
    await house.act(table, ANN, f"bid {hands[ANN][0]}")
    letters = {to: data for to, kind, data in (await house.posts())[before:] if kind == "hand"}
    for user, bid in ((ANN, hands[ANN][0]), (BEN, None)):
        letter, shown = letters[f"user:{user.id}"], await house.tables.show(table.id, user.id)
        assert letter["view"] == shown.view.model_dump(mode="json")
        assert (letter["seat"], letter["view"]["bid"]) == (shown.seat, bid)


async def test_a_panel_asks_only_its_own_seat_and_offers_no_card_of_another(house):
    table = await house.new(BEN)
    hands = {user: (await house.tables.show(table.id, user.id)).view.hand for user in (ANN, BEN)}
    await house.act(table, ANN, f"bid {hands[ANN][0]}")
    asked = (await house.tables.panel(table.id, BEN.id, [])).step
    assert [choice.key for choice in asked.choices] == [f"bid {card}" for card in hands[BEN]]
    with pytest.raises(TableError, match="not-your-turn"):
        await house.tables.panel(table.id, ANN.id, [])


async def test_who_is_to_act_is_mentioned_once_a_turn(house):
    table = await house.new(BEN)
    winner = await house.bid_all(table)
    for action in ("step", "draw", "pass"):
        await house.act(table, winner, action)
    mentions = [data["mention"] for _, _, data in await house.posts("board")]
    loser = BEN if winner is ANN else ANN
    assert mentions == [[ANN.id, BEN.id], [], [ANN.id] if winner is ANN else [], [], [], [loser.id]]


async def test_no_hand_goes_to_who_does_not_want_it(house):
    async with house.database.transaction() as tx:
        await users.set_dm(tx, BEN.id, "Ben", dm=False)
    await house.new(BEN)
    assert [to for to, _, _ in await house.posts("hand")] == [f"user:{ANN.id}"]


async def test_the_opponent_is_given_a_view_and_chance_of_its_own(house):
    from tables.play.bots import asked

    table = await house.new(bot_seat=True)
    await house.tables.settled()
    async with house.tables._house.lock(table.id):
        loaded = await house.tables._house.load(table.id)
    seats = tuple(replace(seat, acts=seat.level is not None) for seat in loaded.seats)
    acting = Loaded(loaded.row, seats, loaded.state, loaded.events)
    question = asked(acting)
    assert question is not None
    assert question.view["viewer"] == question.seat
    assert question.seed != loaded.row.seed
