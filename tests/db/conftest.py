"""Fixtures of this folder."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from db.database import Database


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """A new one, in folders that are not there yet, which is not patient with another process."""
    made = await Database.open(tmp_path / "deep" / "er" / "t.db", busy_ms=20)
    yield made
    await made.close()
