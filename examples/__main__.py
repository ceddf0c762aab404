"""`python -m examples new GAME --from nim`: a new game as a copy of an example, everywhere it has to be.

What it writes is what `docs/adding-a-game.md` explains, and all that a game needs: a package in `engines/`
and one in `render/`, an English catalogue, its rules, a line in the registry, a sample for the tests.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
EXAMPLES = ("nim", "tribute")
NAME = re.compile(r"[a-z][a-z0-9]{1,29}")


def renamed(text: str, example: str, game: str) -> str:
    """An example's text as the new game's."""
    names = {
        f"examples.{example}.engine": f"engines.{game}",
        f"examples.{example}.render": f"render.{game}",
        example: game,
        example.capitalize(): game.capitalize(),
    }
    return re.sub("|".join(map(re.escape, names)), lambda found: names[found[0]], text)


def plan(root: Path, example: str, game: str) -> dict[Path, str]:
    """Every file to be written below `root`, with its text."""
    source = HERE / example
    places = {source / "engine": root / "engines" / game, source / "render": root / "render" / game}
    files = {
        target / path.name: path.read_text("utf-8")
        for folder, target in places.items()
        for path in sorted(folder.glob("*.py"))
    }
    files[root / f"locales/en/LC_MESSAGES/{game}.po"] = (source / f"{example}.po").read_text("utf-8")
    files[root / f"docs/rules/{game}.md"] = (source / "rules.md").read_text("utf-8")
    if (mixed := source / "otherwise.txt").exists():
        files[root / f"tests/engines/{game}/otherwise.py"] = mixed.read_text("utf-8")
    made = {path: renamed(text, example, game) for path, text in files.items()}
    made[root / "engines/registry.py"] = with_line(
        root / "engines/registry.py", f'    "{game}": "engines.{game}:{game.capitalize()}",\n'
    )
    sample = renamed((source / "sample.txt").read_text("utf-8"), example, game)
    made[root / "tests/games.py"] = with_line(root / "tests/games.py", sample)
    return made


def with_line(path: Path, line: str) -> str:
    """The file with a line more in its table of games: before the brace that ends it."""
    text = path.read_text("utf-8")
    table = re.search(r"^(?:GAMES|SAMPLES): .*?^}$", text, re.MULTILINE | re.DOTALL)
    if table is None:
        raise SystemExit(f"{path}: no table of games found; add the line yourself: {line.strip()}")
    return text[: table.end() - 1] + line + text[table.end() - 1 :]


def main(argv: Sequence[str] | None = None) -> int:
    """Writes the new game; 1 with one line on stderr where it cannot."""
    parser = argparse.ArgumentParser(prog="python -m examples", description=__doc__)
    new = parser.add_subparsers(dest="verb", required=True).add_parser("new", help="begin a game as a copy")
    new.add_argument("game", help="its name: small letters and digits")
    new.add_argument("--from", dest="example", choices=EXAMPLES, default="nim")
    new.add_argument("--root", type=Path, default=HERE.parent, help="the repository (this one)")
    given = parser.parse_args(argv)
    if not NAME.fullmatch(given.game) or (given.root / "engines" / given.game).exists():
        sys.stderr.write(
            f"{given.game}: a name of small letters and digits that no package of engines/ has\n"
        )
        return 1
    for path, text in plan(given.root, given.example, given.game).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        sys.stdout.write(f"{path.relative_to(given.root)}\n")
    sys.stdout.write(f"next: make fmt, make messages, then python -m engines check {given.game}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
