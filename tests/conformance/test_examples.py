"""A new game is begun as a copy of an example, and is whole at once: in a copy of the repository."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from examples.__main__ import EXAMPLES, main

ROOT = Path(__file__).parents[2]
LEFT_OUT = (".*", "data", "bench", "looks", "node_modules", "build")
TRIED = (
    "tests/conformance/test_engines.py",
    "tests/conformance/test_pictures.py",
    "tests/engines/test_registry.py",
)


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of the repository with a game of each example in it."""
    root = tmp_path_factory.mktemp("copy") / "hatamoto"
    shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(*LEFT_OUT))
    for example in EXAMPLES:
        assert main(["new", f"my{example}", "--from", example, "--root", str(root)]) == 0
    run(root, "-m", "locales")
    return root


def run(root: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], cwd=root, capture_output=True, text=True, check=False, timeout=240
    )


@pytest.mark.parametrize("example", EXAMPLES)
def test_a_copy_of_an_example_lacks_nothing(copied, example):
    asked = run(copied, "-m", "engines", "check", f"my{example}")
    assert json.loads(asked.stdout).get("ok"), asked.stdout


def test_a_copy_of_an_example_passes_what_every_game_passes(copied):
    chosen = " or ".join(f"my{example}" for example in EXAMPLES)
    tests = run(copied, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", chosen, *TRIED)
    assert tests.returncode == 0, tests.stdout[-3000:]
    assert tests.stdout.count(".") > 20, "they were run"


def test_what_a_new_game_lacks_is_named(copied):
    (copied / "docs/rules/mynim.md").unlink()
    catalogue = copied / "locales/en/LC_MESSAGES/mynim.po"
    catalogue.write_text(catalogue.read_text().replace("mynim.event.took", "mynim.event.tock"))
    run(copied, "-m", "locales")
    asked = run(copied, "-m", "engines", "check", "mynim")
    assert asked.returncode == 1
    missing = json.loads(asked.stdout)["error"]["params"]["missing"]
    assert [(lack["code"], lack["what"]) for lack in missing] == [
        ("no-rules", "docs/rules/mynim.md"),
        ("no-message", "mynim.event.took"),
    ]


def test_a_name_that_is_taken_or_none_is_refused(capsys):
    for name in ("kamisado", "My Game", "9"):
        assert main(["new", name]) == 1
        assert "small letters" in capsys.readouterr().err
