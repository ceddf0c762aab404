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
BEING_WRITTEN = "*.pyc.*"  # by another process of the tests: gone before it is copied


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of the repository with a game of each example in it."""
    root = tmp_path_factory.mktemp("copy") / "hatamoto"
    shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(*LEFT_OUT, BEING_WRITTEN))
    for example in EXAMPLES:
        assert main(["new", f"my{example}", "--from", example, "--root", str(root)]) == 0
    run(root, "-m", "locales")
    return root


def run(root: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], cwd=root, capture_output=True, text=True, check=False, timeout=240
    )


@pytest.mark.long
@pytest.mark.parametrize("example", EXAMPLES)
def test_a_copy_of_an_example_lacks_nothing(copied, example):
    asked = run(copied, "-m", "engines", "check", f"my{example}")
    assert json.loads(asked.stdout).get("ok"), asked.stdout


def named(root: Path, game: str) -> list[tuple[str, str]]:
    """What the command says that the game lacks."""
    run(root, "-m", "locales")
    asked = run(root, "-m", "engines", "check", game)
    assert asked.returncode == 1
    return [(one["code"], one["what"]) for one in json.loads(asked.stdout)["error"]["params"]["missing"]]


@pytest.fixture
def broken(copied):
    """Puts something else in the place of a text of the copy, and everything back at the end."""
    before: dict[Path, str] = {}

    def put(path: str, *texts: str) -> None:
        before.setdefault(copied / path, (copied / path).read_text())
        for old, new in zip(texts[::2], texts[1::2], strict=True):
            source = (copied / path).read_text()
            assert old in source
            (copied / path).write_text(source.replace(old, new, 1))

    yield put
    for path, text in before.items():
        path.write_text(text)


def test_what_a_new_game_lacks_is_named(copied, broken):
    broken("locales/en/LC_MESSAGES/mynim.po", "mynim.event.took", "mynim.event.tock")
    broken("docs/rules/mynim.md")
    (copied / "docs/rules/mynim.md").unlink()
    assert named(copied, "mynim") == [
        ("no-rules", "docs/rules/mynim.md"),
        ("no-message", "mynim.event.took"),
    ]


def test_words_of_pictures_roles_and_faults_of_an_opponent_are_named(copied, broken):  # 12.3
    broken(
        "locales/en/LC_MESSAGES/mytribute.po",
        *("mytribute.picture.sealed", "mytribute.picture.seeled"),
        *("{seat:who} has bid.", "{seet:who} has bid."),
        *("mytribute.warning.resign", "mytribute.warning.resigns"),
    )
    broken(
        "engines/mytribute/flow.py",
        "ROLES[: len(state.players)]",
        "(*ROLES, 'reed')[: len(state.players) + 1]",
    )
    broken("engines/mytribute/opponent.py", "hand = seen.", "hand = seen.no_such.")
    found = named(copied, "mytribute")
    assert [one for one in found if one[0] not in {"no-role", "does-not-play"}] == [
        ("no-message", "mytribute.term.reed"),
        ("no-message", "mytribute.warning.resign"),
        ("no-message", "mytribute.picture.sealed"),
        ("no-parameter", "mytribute.event.sealed: seet"),
        ("opponent-errs", "easy: AttributeError: 'MytributeView' object has no attribute 'no_such'"),
    ]
    assert ("no-role", "2 seats, roles: crane, pine, plum") in found


@pytest.mark.long
def test_a_secret_that_leaks_is_named(copied, broken):  # 12.3
    broken(
        "engines/mytribute/flow.py",
        *("bid=one.sealed if seat == viewer else None", "bid=one.sealed if seat in {viewer, 0} else None"),
        *('params={"seat": seat}, private=', 'params={"seat": seat, "card": action.card}, private='),
    )
    found = named(copied, "mytribute")
    assert {code for code, _ in found} == {"promise-broken"}
    told = {what.partition(":")[0] for _, what in found}
    assert "what a viewer cannot know changes nothing for that viewer" in told
    assert "two actions that look alike to a viewer are told alike" in told


def test_resigning_that_ends_nothing_is_named(copied, broken):  # 12.3: at three seats, where others play on
    broken(
        "engines/mytribute/flow.py",
        "return frozenset(range(len(state.players))) - {*self._playing(state)}",
        "return frozenset()",
    )
    assert ("no-resign", "seat 2: still plays") in named(copied, "mytribute")


def test_a_name_that_is_taken_or_none_is_refused(capsys):
    for name in ("kamisado", "My Game", "9"):
        assert main(["new", name]) == 1
        assert "small letters" in capsys.readouterr().err
