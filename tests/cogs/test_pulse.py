"""The sign of life that a container's health check looks at."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from cogs.ops.pulse import Pulse, alive, sign
from db.database import Database
from tables.core.clock import SystemClock


async def test_a_bot_whose_database_was_deleted_gives_no_sign_of_life(tmp_path):  # 14.15
    path = tmp_path / "h.db"
    database = await Database.open(path)
    heard: Any = SimpleNamespace(is_ready=lambda: True, latency=0.1)
    pulse = Pulse(heard, path, lambda: database.there)
    pulse.beat()
    assert alive(path, SystemClock())
    sign(path).unlink()
    path.rename(tmp_path / "away")
    pulse.stop()
    pulse.beat()
    assert not alive(path, SystemClock())
    (tmp_path / "away").rename(path)
    pulse.stop()
    pulse.beat()
    assert alive(path, SystemClock())
    pulse.stop()
    await database.close()
