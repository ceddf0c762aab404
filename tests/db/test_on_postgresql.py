"""What is tested of tables, storage and processes with a file is tested with a PostgreSQL server as well."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.postgres import WHY_NOT, binaries, wanted

ROOT = Path(__file__).parents[2]


@pytest.mark.long
@pytest.mark.skipif(binaries() is None, reason=WHY_NOT)
@pytest.mark.skipif(wanted(), reason="this is that")
@pytest.mark.parametrize("folder", ["db", "tables", "process"])
def test_on_postgresql(folder):  # 19.1
    """The quick tests of a folder, in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        "0",
        "-m",
        "not long",
        "-q",
        "--tb=short",
        f"tests/{folder}",
    ]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "HATAMOTO_TEST_DATABASE": "postgresql"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:]
    assert " passed" in done.stdout
