"""Every trouble in every game: no acknowledged action lost or doubled, no message doubled, none missing.

A few pairs run in `make test`, where nothing is drawn; the others are `long` and draw, all of them with
HATAMOTO_COUNT=36 or more.
"""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import pytest

from cogs.text.games import playable
from tests.process.castle import Castle
from tests.process.hatamoto_process import Launcher
from tests.process.siege import siege
from tests.process.troubles import TROUBLES, Trial

SEVERAL = {
    ("full_disk", "rokumon"),
    ("second_process", "rokumon"),
    ("clock_back", "rokumon"),
    ("hour_of_503", "rokumon"),
    ("gateway_drops", "kamisado"),
    ("closed_dms", "rokumon"),
}
PAIRS = [
    pytest.param(trouble, game, marks=() if (trouble, game) in SEVERAL else pytest.mark.long)
    for trouble in TROUBLES
    for game in playable()
]


@pytest.mark.parametrize(("trouble", "game"), PAIRS)
async def test_nothing_is_lost_or_doubled_by(
    castle: Castle, by: Launcher, quick: Launcher, tmp_path: Path, trouble: str, game: str
) -> None:
    played = await siege(castle, game, crc32(f"{trouble} {game}".encode()))
    await TROUBLES[trouble](Trial(played, quick if (trouble, game) in SEVERAL else by, tmp_path))
