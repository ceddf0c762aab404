"""The place in a typed text that an error means (17.3)."""

from __future__ import annotations

import pytest

from cogs.text.misread import block, field_of, place_of, unblocked
from tables.core.errors import TableError


@pytest.mark.parametrize(
    ("text", "params", "place"),
    [
        ("plan castle=kia bid=chest1", {"name": "kia"}, "plan **castle=kia** bid=chest1"),
        ("plan castle=kai rice=Kai", {"card": "Kai"}, "plan castle=kai **rice=Kai**"),
        ("plan castle=kai castle=aki", {"space": "castle"}, "plan castle=kai **castle=aki**"),
        ("plan tax=kai bid=chest4 rice=aki", {"bid": 4, "chests": 1}, "plan tax=kai **bid=chest4** rice=aki"),
        ("a b c d e f g", {"name": "D"}, "… b c **d** e f …"),
        ("plan *a*=kia x", {"name": "kia"}, r"plan **\*a\*=kia** x"),
        ("plan castle=kai", {"cards": 1, "due": 11}, None),
        ("d8-d3", {"to": "d8-d3"}, None),
        ("", {"name": "x"}, None),
    ],
)
def test_the_word_that_an_error_names_is_shown_with_those_around_it(text, params, place):
    assert place_of(text, TableError("any", **params)) == place


def test_the_field_that_an_error_means_is_what_it_quotes_or_what_it_is_called_after():
    typed = {"zone": "Mars", "quiet": "9-5"}
    assert field_of(typed, TableError("unknown", text="mars")) == "zone"
    assert field_of(typed, TableError("bad-quiet")) == "quiet"
    assert field_of(typed, TableError("no-clock")) is None
    clock = {"clock": "custom", "bank": "3d", "increment": "1 w", "cap": "9 y", "timeout": "lose"}
    assert field_of(clock, TableError("bad-option", name="increment", value="1w")) == "increment"
    assert field_of(clock, TableError("bad-option", name="cap", value="?")) == "cap"


@pytest.mark.parametrize("text", ["plain", "```\n```", "a\n\nb", "`", "```x```\n```", "\u05d0`\u05d1"])
def test_a_text_comes_out_of_its_block_as_it_went_in(text):
    assert unblocked(f"before\n{block(text)}\nafter `x`") == text
