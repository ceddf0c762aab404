"""The flood of `python -m bench.flood` at the shipped process: it is answered, and play goes on (14)."""

from __future__ import annotations

import re

import pytest

from bench import flood

pytestmark = pytest.mark.long


async def test_a_flood_is_answered_to_its_last_request_and_moves_are_played():  # 14.1-14.3
    found = {figure.name: figure for figure in await flood.measure(20, floods=1)}
    for label in ("quiet", "flood"):
        moves, played = map(int, re.findall(r"\d+", found[f"{label}: a move, p50"].note))
        assert moves == played > 0
    note = found["a flood, until its last answer: the longest"].note
    sent, floods, accounts, silent = map(int, re.findall(r"\d+", note))
    assert (sent, floods) == (flood.PRESSES + flood.IMPORTS + flood.COMPLETIONS, 1)
    assert accounts == flood.ACCOUNTS
    assert silent == 0, note
