"""No wall of words on a phone: what is long is shown by its sentences or moves at one end (17)."""

from __future__ import annotations

from cogs.panels.guided import MOST_TRAIL, trail
from cogs.text.answers import LEGAL_ROOM, end_of, explained, few, start_of
from cogs.text.spoken import in_words
from engines.protocol import Seen
from locales import words
from tables.core.errors import TableError

TOLD = "Ann marches. Ben marches! Cho fights at Edo. Dan waits."


def test_of_a_long_story_the_last_sentences_are_shown():
    assert end_of(TOLD, 100) == TOLD
    assert end_of(TOLD, 30) == "… Dan waits."
    assert end_of(TOLD, 31) == "… Cho fights at Edo. Dan waits."
    assert end_of("Ann waits.\nBen waits.", 14) == "… Ben waits."
    assert end_of("春です。夏です。秋です。", 10) == "… 夏です。秋です。"
    assert len(end_of("x" * 900, 100)) == 100


def test_of_a_long_entry_of_the_log_the_first_sentences_are_shown():
    assert start_of(TOLD, 100) == TOLD
    assert start_of(TOLD, 30) == "Ann marches. Ben marches! …"
    assert start_of("春です。夏です。秋です。", 9) == "春です。夏です。…"
    assert len(start_of("x" * 900, 100)) == 100


def test_a_sentence_does_not_end_behind_a_numeral():  # Hungarian: `A 4. akció`
    told = "Felfordul a 8. akció: adószedés. A 4. akció következik."
    assert start_of(told, len(told) - 1) == "Felfordul a 8. akció: adószedés. …"
    assert end_of(told, len(told) - 1) == "… A 4. akció következik."


def test_of_a_long_trail_the_last_steps_are_shown_whole():
    cards = [f"Kobayakawa sword card {number}" for number in range(9)]
    shown = trail(cards)
    assert shown == ["…", *cards[-3:]]
    assert len(" › ".join(shown[1:])) <= MOST_TRAIL
    assert trail(cards[:2]) == cards[:2]
    assert trail(["x" * 100]) == ["x" * 100]


def test_of_several_actions_in_words_each_is_seen_to_begin():
    said = [Seen(code="end"), Seen(code="first", params={"side": "ishida"})]
    told = in_words("sekigahara", said, words("en"), ())
    assert told == "End movement · Ishida goes first"
    spent = [Seen(code="move-limited"), Seen(code="spent", params={"cards": ["mori"]})]
    assert in_words("sekigahara", spent, words("en"), ()) == "Limited movement, paid with Mori card"


def test_a_refusal_names_a_few_moves_and_says_that_there_are_more():
    moves = [f"muster edo tokugawa{number}" for number in range(25)]
    told = explained(TableError("bad-action", game="sekigahara", rules=True, legal=moves), words("en"))
    assert told.endswith(
        "\nLegal now, for example: `muster edo tokugawa0`, `muster edo tokugawa1`, `muster edo tokugawa2`"
    )
    long = [f"{number}{'x' * LEGAL_ROOM}" for number in range(3)]
    assert few(long) == long[:1]
    told = explained(TableError("bad-action", game="kamisado", legal=["d8-d3", "d8-d4"]), words("en"))
    assert told.endswith("\nLegal moves: `d8-d3`, `d8-d4`")
    assert explained(
        TableError("bad-action", game="kamisado", legal=["d8-d3", "d8-d4"]), words("ja")
    ).endswith("`d8-d3`、`d8-d4`")
