"""The shipped process as its container runs it: it can write to its data folder only, has no rights, no home.

Made with namespaces of one's own, which want no root rights where the kernel gives them to everybody.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.process.castle import Castle
from tests.process.discord_client import ROOT
from tests.process.hatamoto_process import running, start
from tests.process.siege import siege

pytestmark = pytest.mark.long

NOBODY = "65534"
SETTINGS = {"PYTHONDONTWRITEBYTECODE": "1"}
RIGHTS = "import os; print(os.getuid(), 'HOME' in os.environ, open('/proc/self/status').read())"


def sealed(data: Path) -> list[str]:
    """A command that runs what is behind it as nobody, who can write to this folder alone."""
    folder = shlex.quote(str(data))
    script = (
        f"mount --bind {folder} {folder} && mount -o remount,bind,ro / && exec unshare --user "
        f"--map-user={NOBODY} --map-group={NOBODY} env -u HOME -u TMPDIR setpriv --no-new-privs"
        ' "$@"'
    )
    return ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sealed"]


def tried(command: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """What it did."""
    return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)


@pytest.fixture
def within(tmp_path: Path) -> list[str]:
    """The command; skips where the machine has no such namespaces."""
    if missing := [name for name in ("unshare", "setpriv", "mount") if shutil.which(name) is None]:
        pytest.skip(f"wants util-linux, and here is no {missing[0]}")
    data = tmp_path / "data"
    data.mkdir()
    command = sealed(data)
    if (done := tried(command, "true")).returncode:
        pytest.skip(f"this machine lets its users mount nothing for themselves: {done.stderr.strip()}")
    return command


def test_the_seal_holds(tmp_path: Path, within: list[str]) -> None:
    said = tried(within, "python3", "-c", RIGHTS).stdout
    assert said.startswith(f"{NOBODY} False ")
    assert "CapEff:\t0000000000000000" in said
    for place in (tmp_path, ROOT, Path("/tmp")):
        assert "Read-only" in tried(within, "touch", str(place / "probe")).stderr
    assert tried(within, "touch", str(tmp_path / "data" / "probe")).returncode == 0


async def test_it_needs_nothing_but_its_data_folder(
    castle: Castle, tmp_path: Path, within: list[str]
) -> None:
    played = await siege(castle, "shogun", 5)
    castle.database = tmp_path / "data" / "hatamoto.db"
    copied = tmp_path / "data" / "copy.db"

    async def verb(*arguments: str) -> None:
        done = await start(castle.database, *arguments, log="verb", more=SETTINGS, within=within)
        assert await done.ended() == 0, done.words

    async with running(castle.discord, castle.database, more=SETTINGS, within=within) as bot:
        number = await played.open_table()
        await played.play(number, 4)
        await played.settle()
        assert any(message["attachments"] for message in castle.new_posts(0)), "pictures are drawn"
        await verb("backup", str(copied))
        await verb("check")
        await castle.discord.until(castle.database.with_name("hatamoto.db.alive").exists, "a sign of life")
        await verb("health")
        assert await bot.stop() == 0, bot.words
    await verb("restore", str(copied))
    for word in ("Traceback", "Read-only", "Permission"):
        assert word not in bot.words
