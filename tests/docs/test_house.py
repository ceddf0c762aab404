"""The page about the house says what is there."""

import re
import subprocess
from pathlib import Path

from engines.registry import GAMES

ROOT = Path(__file__).parents[2]
LINE = re.compile(r"^(?P<indent> *)(?P<names>(?:[\w-]+/ ?)+)", re.MULTILINE)


def written() -> set[str]:
    """Folders of the page's first picture, with their parents."""
    page = (ROOT / "docs" / "house.md").read_text("utf-8").split("```")[1]
    found, parent = set(), ""
    for match in LINE.finditer(page):
        names = [name.rstrip("/") for name in match["names"].split()]
        if not match["indent"]:
            parent = names[0]
            found.add(parent)
        else:
            found |= {f"{parent}/{name}" for name in names}
    return found


def there() -> set[str]:
    """Folders that git tracks, two deep; of the tests only their own."""
    files = subprocess.run(["git", "ls-files"], capture_output=True, text=True, cwd=ROOT, check=True).stdout
    parts = [line.split("/")[:-1] for line in files.splitlines()]
    named = [["GAME" if part in GAMES and path[0] != "examples" else part for part in path] for path in parts]
    deep = {"/".join(path[:2]) for path in named if path and path[0] not in {"tests", "docs", "bench"}}
    return {name for name in {*deep, *(path[0] for path in parts if path)} if not name.startswith(".")}


def test_every_folder_is_on_the_page_and_every_folder_on_the_page_is_there():
    assert written() == there()
