"""What a viewer saw when he last looked, his own view or the public's: cheaply, after restarts too (16.8)."""

from __future__ import annotations

import json

import pytest

from engines.protocol import View
from engines.registry import engine
from tables.core.looks import Looks
from tables.reading import since
from tables.reading.folding import Folder
from tests.tables.players import ANN, BEN, CAT
from tests.tables.test_tables_folds import Stuck
from tests.tables.test_tables_play import refusal

USERS = {0: ANN, 1: BEN}


async def played(house, count, game="kamisado", words="match=marathon seat=first"):
    """A table after so many actions, and each seat's view after its own last one."""
    table, own = await house.new(BEN, game=game, words=words), dict[int, View]()
    for _ in range(count):
        seat = min((await house.tables.get(table.id)).to_act)
        move = (await house.tables.complete(table.id, USERS[seat].id, 0, ""))[0]
        own[seat] = (await house.act(table, USERS[seat], move)).shown.view
    return table, own


def asked(house, monkeypatch):
    """The questions that the archive is asked."""
    archive, questions = house.tables._house.archive, list[str]()
    plain = archive.ask

    async def noted(task, *given, read):
        questions.append(task)
        return await plain(task, *given, read=read)

    monkeypatch.setattr(archive, "ask", noted)
    return questions


@pytest.mark.parametrize("game", ["kamisado", "sekigahara"])
async def test_a_seat_is_shown_what_it_saw_after_its_own_last_action(house, monkeypatch, game):
    table, own = await played(house, 7, game, "seat=first")
    questions = asked(house, monkeypatch)
    for seat, user in USERS.items():
        shown = await house.tables.show(table.id, user.id)
        assert shown.since == own[seat]
        assert shown.since.viewer == shown.view.viewer == seat
    assert questions == []


@pytest.mark.parametrize("game", ["kamisado", "sekigahara"])
async def test_after_a_restart_the_look_is_worked_out_of_the_log_once(house, monkeypatch, game):
    table, own = await played(house, 7, game, "seat=first")
    await house.again()
    questions = asked(house, monkeypatch)
    for _ in range(2):
        for seat, user in USERS.items():
            assert (await house.tables.show(table.id, user.id)).since == own[seat]
    assert questions == ["look", "look"]


async def test_who_has_not_acted_yet_is_shown_what_is_new_since_the_start(house):
    table, _ = await played(house, 1)
    start = Folder(house.path).moment(table.id, 0, 1)["view"]
    waiting = await house.tables.show(table.id, BEN.id)
    assert waiting.since.model_dump(mode="json") == start
    assert waiting.since != waiting.view


async def test_after_an_undo_the_look_is_of_the_action_that_still_stands(house):
    table, _ = await played(house, 2)
    before = (await house.tables.show(table.id, ANN.id)).since
    move = (await house.tables.complete(table.id, ANN.id, 0, ""))[0]
    await house.act(table, ANN, move)
    vote = await house.tables.undo(table.id, ANN.id, next(house.ids))
    await house.tables.vote(vote.id, BEN.id, True, next(house.ids))
    assert (await house.tables.show(table.id, ANN.id)).since == before


async def test_a_letter_older_than_the_last_look_is_compared_with_nothing(house):
    table, _ = await played(house, 3)
    entry = (await house.tables.watch(table.id, ANN.id)).entry
    assert await house.tables.own_look(table.id, 0, entry) is not None
    assert await house.tables.own_look(table.id, 0, entry - 1) is None


async def test_the_public_board_is_compared_with_the_one_before_whatever_is_in_memory(house):
    table, _ = await played(house, 4)
    kept = await house.tables.board(table.id, CAT.id)
    await house.again()
    again = await house.tables.board(table.id, CAT.id)
    assert again.since == kept.since
    assert kept.since.model_dump(mode="json") == Folder(house.path).moment(table.id, 3, None)["view"]


async def test_rows_of_boards_name_the_entry_that_the_one_before_showed(house):
    table, _ = await played(house, 3)
    boards = [data for _, kind, data in await house.posts() if kind == "board"]
    assert [(data.get("since"), data["entry"]) for data in boards] == [(None, 0), (0, 1), (1, 2), (2, 3)]
    assert await house.tables.board_at(table.id, 2) is not None


async def test_a_picture_does_not_wait_for_an_archive_that_does_not_answer(house, monkeypatch):
    table, _ = await played(house, 3)
    await house.again()
    stuck = Stuck()
    monkeypatch.setattr(house.tables._house, "archive", stuck)
    monkeypatch.setattr(since, "PATIENCE_S", 0.01)
    assert (await house.tables.show(table.id, ANN.id)).since is None
    assert (await house.tables.board(table.id, ANN.id)).since is None
    await stuck.close()


async def test_what_is_asked_for_is_refused_where_there_is_no_such_moment(house):
    table, own = await played(house, 3)
    assert (await refusal(house.tables.board(table.id, CAT.id, since.MINE))).code == "not-seated"
    assert (await refusal(house.tables.board(table.id, CAT.id, 4))).code == "bad-ply"
    mine = await house.tables.board(table.id, BEN.id, since.MINE)
    assert mine.view == (await house.tables.watch(table.id, BEN.id)).view
    assert mine.since.model_dump(mode="json") == Folder(house.path).moment(table.id, 2, None)["view"]
    assert (mine.since.viewer, own[1].viewer) == (None, 1)


async def test_a_public_board_since_ones_own_action_shows_nothing_of_ones_own(house):
    table, _ = await played(house, 5, "sekigahara", "seat=first")
    assert (await house.tables.board(table.id, ANN.id, since.MINE)).since.viewer is None
    assert (await house.tables.show(table.id, ANN.id)).since.viewer == 0
    folder = Folder(house.path)
    public = json.dumps(folder.look(table.id, 0, None)[1])
    rules = engine("sekigahara")
    assert rules.view_type.model_validate_json(public).viewer is None


def test_looks_take_a_bounded_amount_of_memory():
    looks, view = Looks(most=3), View(game="x", viewer=None)
    for number in range(10):
        looks.acted(number, 0, number, view)
        looks.posted(number, number, view)
        looks.posted(number, number + 1, view)
    assert len(looks) == 6
    assert looks.of_seat(9, 0) is not None
    assert looks.before_newest(9) == 10
    assert looks.before_newest(0) is None
    looks.forget(9)
    assert (looks.of_seat(9, 0), looks.board(9, 10), looks.before_newest(9)) == (None, None, None)


def test_a_late_answer_never_takes_the_place_of_a_newer_look():
    looks, view = Looks(), View(game="x", viewer=None)
    looks.acted(1, 0, 5, view)
    looks.acted(1, 0, 4, view)
    newest = looks.of_seat(1, 0)
    assert newest is not None
    assert newest.entry == 5
