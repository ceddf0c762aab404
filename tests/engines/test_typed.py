"""What people type is put into plain signs once, before every parser (13.C23)."""

import pytest

from cogs.text.times import Times, preferences, quiet_hours
from engines.capabilities import random_action
from engines.chance import Chance
from engines.protocol import RulesError
from engines.registry import GAMES, engine
from engines.typed import plainly
from tables.core.errors import TableError
from tables.core.options import begun, read_clock, read_words

KAMISADO = (
    "d1-d5",
    "ｄ１－ｄ５",
    "`d1-d5`",
    "```\nd1-d5\n```",
    "“d1-d5”",
    "'d1 - d5'",
    "d1-d5.",
    "d1-d5。",
    "d1\u200b-\u2060d5\ufeff",
    "\u2068d1-d5\u2069",
    "d1—d5",
    "d1 − d5",
    "d1　d5",
    '{"type": "move", "from": "d1", "to": "d5"}.',
    "`{“type”: “move”, “from”: “d1”, “to”: “d5”}`",
)


@pytest.mark.parametrize("typed", KAMISADO)
def test_a_move_is_read_however_a_keyboard_writes_its_signs(typed):
    rules = engine("kamisado")
    state = rules.setup(rules.read_options({}), 2, Chance(bytes(32), 0)).state
    action = rules.parse(typed, state, 0)
    assert rules.format(action) == "d1-d5"


@pytest.mark.parametrize("game", GAMES)
def test_every_games_own_notation_stands_as_it_is(game):
    rules = engine(game)
    options, seats = rules.read_options({}), rules.seats[-1]
    state = rules.setup(options, seats, Chance(bytes(32), 0)).state
    for step in range(1, 60):
        seat = min(rules.to_act(state), default=None)
        if seat is None:
            break
        chance = Chance(bytes(32), step)
        action = random_action(rules, state, seat, chance)
        text = rules.format(action)
        assert plainly(text) == text
        assert rules.parse(f"`{text.replace('-', '–')}`.", state, seat) == action
        state = rules.apply(state, seat, action, chance).state


def test_plain_text_reads_as_the_same_text_with_one_sign_that_is_not_plain():  # 16.12: it takes a short way
    for text in (" a  b ", "`x`~y.", '{"a": 1} ', 'it\'s; "so"..', "a\tb\nc", ""):
        assert plainly(text) == plainly(text + "\u200b")


def test_an_action_too_long_is_still_refused():
    rules = engine("kamisado")
    state = rules.setup(rules.read_options({}), 2, Chance(bytes(32), 0)).state
    with pytest.raises(RulesError) as caught:
        rules.parse("d1-d5" + "\u200b" * 4000, state, 0)
    assert caught.value.params["why"] == "too-long"


@pytest.mark.parametrize(
    "words",
    [
        "match=standard private=yes",
        "match = standard, private = yes",
        "ｍａｔｃｈ＝ｓｔａｎｄａｒｄ　ｐｒｉｖａｔｅ＝ｙｅｓ",
        "`match=standard` `private=yes`",
        "match=“standard”、private=yes.",
        "match\u200b=standard private=yes",
    ],
)
def test_options_are_read_however_they_are_written(words):
    wishes = read_words("kamisado", words)
    assert wishes.table.private
    assert wishes.game.model_dump()["match"] == "standard"


def test_a_clock_is_read_as_options_are():
    assert read_clock("kamisado", "ｓｌｏｗ.").clock == "slow"
    assert read_clock("kamisado", "clock = custom , bank = 7d").bank == "7d"


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("match = sta", ("", "match=sta")),
        ("match = standard se", ("match=standard", "se")),
        ("match = standard ", ("match=standard", "")),
        ("", ("", "")),
    ],
)
def test_options_are_completed_from_what_was_typed_in_plain_signs(typed, expected):
    assert begun(typed) == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("22—8", (22 * 60, 8 * 60)),
        ("２２－８", (22 * 60, 8 * 60)),
        ("22〜8", (22 * 60, 8 * 60)),
        ("`22:30 – 7:15`.", (22 * 60 + 30, 7 * 60 + 15)),
        ("10pm-8am", (22 * 60, 8 * 60)),
        ("10:30 PM – 12 a.m.", (22 * 60 + 30, 0)),
        ("12pm-1pm", (12 * 60, 13 * 60)),
        ("“off”", (None, None)),
    ],
)
def test_quiet_hours_are_read_however_they_are_written(typed, expected):
    assert quiet_hours(typed) == expected


@pytest.mark.parametrize("typed", ["25-8", "13pm-8", "0am-8", "22:61-8", "8-8", "12am-0", "22"])
def test_no_time_of_day_is_no_quiet_hour(typed):
    with pytest.raises(TableError) as caught:
        quiet_hours(typed)
    assert caught.value.code == "bad-quiet"


def test_a_zone_is_read_with_blanks_and_in_full_width():
    assert preferences(Times(None, None, "ａｍｅｒｉｃａ/new york", None))["zone"] == "America/New_York"
