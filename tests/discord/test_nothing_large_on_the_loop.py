"""What grows with a log, or with all that somebody played, is neither read nor written on the loop (14.2)."""

from __future__ import annotations

import json
import sys
import threading
from collections import Counter

import pytest

from tables.core.model import User
from tests.discord.conftest import answer_of, text_of
from tests.tables.test_tables_folds import long_record

pytestmark = pytest.mark.usefixtures("sketches")
OURS = frozenset({"cogs", "tables", "db", "workers", "render", "locales", "bot"})
LARGE = 16_000  # characters of JSON: the largest position has fewer


@pytest.fixture
def heavy(monkeypatch):
    """Modules of ours that read or wrote large JSON on the loop's thread."""
    found, loop = Counter[str](), threading.current_thread()

    def watched(work, size):
        def run(*given, **named):
            result = work(*given, **named)
            if threading.current_thread() is loop and size(given, result) > LARGE:
                name = sys._getframe(1).f_globals.get("__name__", "")
                if name.partition(".")[0] in OURS:
                    found[name] += 1
            return result

        return run

    monkeypatch.setattr(json, "dumps", watched(json.dumps, lambda _given, text: len(text)))
    monkeypatch.setattr(json, "loads", watched(json.loads, lambda given, _found: len(given[0])))
    return found


async def test_the_watch_sees_what_is_read_on_the_loop(heavy, monkeypatch):
    monkeypatch.setitem(globals(), "__name__", "tables.somewhere")
    json.loads("[" + "1," * LARGE + "1]")
    assert heavy == {"tables.somewhere": 1}


async def test_no_look_back_reads_or_writes_much_on_the_loop(world, heavy):  # 14.2
    ann, tables = world.ann, world.bot.tables
    data = json.dumps(long_record(entries=600).record.json_value()).encode()
    heavy.clear()
    study = await tables.study(User(ann.id, "Ann"), data, 77, str)
    said = await ann.slash(world.channel, "game replay", table=study.id)
    assert answer_of(said)
    for command in ("game export", "board", "game verify", "privacy export"):
        options = {} if command == "privacy export" else {"table": study.id}
        if command == "board":
            options["log"] = True
        assert text_of(await ann.slash(world.channel, command, **options))
    assert not heavy


async def test_a_file_of_all_that_somebody_played_is_not_put_together_on_the_loop(world, heavy):  # 14.2
    await world.start()
    async with world.bot.database.transaction() as tx:
        for seq in range(100, 600):
            tx.put(
                "INSERT INTO actions (table_id, seq, seat, action, undo, reveals, passes, user_id, at)"
                " VALUES (1, ?, 0, ?, NULL, 0, 0, ?, 1)",
                (seq, json.dumps({"type": "move", "text": "x" * 50}), world.ann.id),
            )
    said = await world.ann.slash(world.channel, "privacy export")
    (file,) = answer_of(said).attachments
    assert file.size > LARGE
    assert not heavy
