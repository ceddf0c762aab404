"""What the contracts of imports cannot say about who may call what."""

import ast
from collections.abc import Iterator
from pathlib import Path

from engines.registry import GAMES

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "cogs").rglob("*.py"))
PACKAGES = ("cogs", "db", "engines", "kit", "locales", "render", "tables", "workers")


def calls(source: str, name: str) -> list[int]:
    """Lines that call a method of this name."""
    found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [node.lineno for node in found if isinstance(node.func, ast.Attribute) and node.func.attr == name]


def test_the_discord_layer_reads_the_database_and_leaves_writing_to_the_tables():
    """Issue 12, 7: nothing in cogs opens a transaction."""
    assert MODULES
    for module in MODULES:
        assert calls(module.read_text("utf-8"), "transaction") == [], module


def test_a_transaction_would_be_found():
    source = "async def f(bot):\n    async with bot.database.transaction() as tx:\n        tx.put('')"
    assert calls(source, "transaction") == [2]


def imported(source: str) -> Iterator[str]:
    """Modules that are imported anywhere in this one, also for types alone."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{name.name}" for name in node.names)


def foreign(module: Path, source: str) -> list[str]:
    """What a module imports of a game that it is no part of."""
    own = {*module.parts[:2], module.stem}
    if not any(game in source for game in GAMES if game not in own):
        return []  # as of most: they need not be parsed
    parts = [name.split(".") for name in imported(source)]
    return [".".join(one) for one in parts if len(one) > 1 and one[1] in GAMES and one[1] not in own]


def test_no_game_imports_another_and_what_all_share_imports_none():  # 12.1: also a game that was just begun
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            assert foreign(path.relative_to(ROOT), path.read_text("utf-8")) == [], path


def test_another_games_module_would_be_found():
    source = "def f():\n    from render.shogun import map\n    import engines.kamisado.model\n"
    found = ["render.shogun.map", "engines.kamisado.model"]
    assert foreign(Path("render/sheet.py"), source) == found
    assert foreign(Path("cogs/panels/shogun.py"), source) == found[1:]
    assert foreign(Path("engines/kamisado/flow.py"), "from engines import rokumon") == ["engines.rokumon"]


def listed(source: str) -> list[int]:
    """Lines with all the games in one list."""
    if not all(game in source for game in GAMES):
        return []  # as of most: they need not be parsed
    shown = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Tuple | ast.List | ast.Set))
    return [node.lineno for node in shown if all(f"'{game}'" in ast.dump(node) for game in GAMES)]


def test_no_test_lists_the_games_by_hand():  # 12.3: it would leave out the next one
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        assert listed(path.read_text("utf-8")) == [], path
    assert listed(f"PLAYED = [{', '.join(f'({game!r}, 2)' for game in GAMES)}]") == [1]
