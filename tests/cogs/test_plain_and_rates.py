"""What users type does no harm where it is shown, and nobody asks too often."""

from __future__ import annotations

import unicodedata

import pytest
from discord.utils import escape_mentions
from hypothesis import given
from hypothesis import strategies as st

from cogs.ops.rates import MOST_KNOWN, Buckets, Limiter, Rate
from cogs.text.answers import explained
from cogs.text.plain import MOST_NAME, cleaned, plain, plain_label
from locales import words
from tables.core.errors import TableError


class Clock:
    ms = 1_000_000

    def now(self):
        return self.ms


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ann", "Ann"),
        ("**Ann**", r"\*\*Ann\*\*"),
        ("`Ann`", r"\`Ann\`"),
        ("Ann\n# Ben", "Ann # Ben"),
        ("# Ann", r"\# Ann"),
        (">", r"\>"),
        ("> Ann", r"\> Ann"),
        (">>> Ann", r"\>>> Ann"),
        ("\u202eAnn\u202c", "Ann"),
        ("@everyone", "@\u200beveryone"),
        ("<@123>", r"\<@123>"),
        ("<#123>", r"\<#123>"),
        ("https://evil.example/_a_", "https:\u200b//evil.example/\\_a\\_"),
        ("[Ann](https://evil.example)", "\\[Ann]\u200b(https:\u200b//evil.example)"),
        ("[a](b)**`||~~[c](d)", "\\[a]\u200b(b)\\*\\*\\`\\|\\|\\~\\~\\[c]\u200b(d)"),
        ("- Ann", r"\- Ann"),
        ("-# Ann", r"\-# Ann"),
        ("+ Ann", r"\+ Ann"),
        ("1. Ann", r"1\. Ann"),
        ("discord.gg/evil", "discord.gg\u200b/evil"),
        ("Ann\ud800", "Ann"),
        ("\u200d\u3164 \u2800\u0301", ""),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("e" + "\u0301" * 50, "e" + "\u0301" * 4),
        ("דנה", "\u2068דנה\u2069"),
    ],
)
def test_a_name_is_shown_as_text_and_nothing_else(typed, shown):
    assert plain(typed) == shown


@given(st.text(max_size=200))
def test_no_name_brings_controls_lines_or_mentions(typed):
    shown = plain(typed)
    inner = shown.removeprefix("\u2068").removesuffix("\u2069").replace("\u200b", "")
    assert not any(unicodedata.category(c)[0] == "C" and c not in "\u200c\u200d" for c in inner)
    assert "\n" not in shown
    assert escape_mentions(shown) == shown
    assert len(cleaned(typed)) <= MOST_NAME


@given(st.text(max_size=100))
def test_a_word_that_an_error_quotes_does_not_leave_its_quotes(typed):
    said = explained(TableError("bad-option-word", word=typed), words("en"))
    assert said.count("`") == 4, "two around the word, two around the example"
    assert "``" not in said, "nothing to quote is a blank"
    assert "@everyone" not in said


@pytest.mark.parametrize("typed", ["**", "||", "[x](https://a.example)", "`", "<@1>", "~~", "> x", "# x"])
def test_what_an_error_says_without_quotes_is_escaped_as_a_name_is(typed):
    said = explained(TableError("bad-options", why=typed), words("en"))
    assert said == f"I don't understand these options: {plain(typed)}"


def test_the_words_and_the_mentions_of_an_error_are_not_escaped():
    channels = ["<#5>", "<#6>"]
    assert "<#5> or <#6>" in explained(TableError("channel-not-allowed", channels=channels), words("en"))
    which = explained(TableError("which-table", tables=[3, 4]), words("en"))
    assert "#3" in which.replace("\\#", "?")
    assert "#4" in which.replace("\\#", "?")
    unknown = TableError("same-colour", game="rokumon", rules=True, cell="a_b", color="**")
    assert explained(unknown, words("en")).startswith(r"a\_b has the same colour, \*\*")


def test_a_bucket_gives_its_burst_and_then_its_rate():
    clock = Clock()
    buckets = Buckets(Rate(3, 2), clock)
    assert [buckets.take(1) for _ in range(4)] == [0, 0, 0, 0.5]
    assert buckets.take(2) == 0, "another's bucket is its own"
    clock.ms += 500
    assert [buckets.take(1), buckets.take(1) > 0] == [0, True]


def test_a_clock_that_jumps_back_neither_locks_out_nor_fills():
    clock = Clock()
    buckets = Buckets(Rate(1, 1), clock)
    assert buckets.take(1) == 0
    clock.ms -= 3_600_000
    assert buckets.take(1) > 0
    clock.ms += 1000
    assert buckets.take(1) == 0


def test_the_buckets_take_a_bounded_amount_of_memory():
    buckets = Buckets(Rate(1, 1), Clock())
    for key in range(MOST_KNOWN + 10):
        buckets.take(key)
    assert len(buckets) == MOST_KNOWN


def test_looking_has_a_smaller_bucket_than_playing_and_a_server_one_of_all():
    limiter = Limiter(Clock(), factor=0.1)  # bursts of 6, 60 and 300
    asked = [limiter.wait(1, 7, "asking") for _ in range(7)]
    assert asked == [0] * 6 + [10]
    assert limiter.wait(1, 7, "playing") == 0
    assert [limiter.wait(user, 7, "playing") for user in range(2, 400)].count(0) == 300 - 7
    assert Limiter(Clock(), factor=0).wait(1, 7, "asking") == 0


def test_a_label_keeps_the_order_of_its_signs_and_has_no_markup():  # 17: "+1" stood as "1+" in Hebrew
    label = "2. \u2066+1\u2069 אורז"
    assert plain(label).count("\u2066") == 0, "what people are called has no signs of direction"
    assert "\u2066+1\u2069 " in plain_label(label)
    assert plain_label("Tokugawa 1* on d3") == plain("Tokugawa 1* on d3")
    assert plain_label("\u2066+2\u2069 <@7>") == "\u2066+2\u2069 \\<@7>"
