"""What the contracts of imports cannot say about who may call what."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "cogs").rglob("*.py"))


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
