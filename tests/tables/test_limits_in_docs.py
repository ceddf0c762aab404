"""The limits that the owner reads of are those that the code has (14.16)."""

from __future__ import annotations

from pathlib import Path

from tables.core import caps
from tables.reading import records, results

ROOT = Path(__file__).parents[2]


def test_the_numbers_in_the_manual_are_the_codes():  # 14.16
    manual = " ".join((ROOT / "docs/operations.md").read_text("utf-8").split())
    decided = (ROOT / "docs/decisions.md").read_text("utf-8")
    assert f"{records.MOST_DEPTH} levels and {records.MOST_PLIES} entries" in manual
    assert f"length ({records.MOST_PLIES} entries)" in decided
    assert f"notes {results.MOST_NOTE}," in manual
    assert f"{caps.USER_TABLES} tables, a server {caps.SERVER_TABLES};" in manual
