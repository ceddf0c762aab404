"""Every rule that the code cites is in docs/rules, and every rule there is cited where it is carried out."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from engines.registry import GAMES
from tests.docs.rule_citations import ROOT, Passage, Rules, passages, rules_of, uncited, unresolved
from tests.games import released

# What nothing carries out, and why.
WITHOUT_CODE: dict[str, dict[str, str]] = {
    "kamisado": {"P5": "there is no rule about repetition, and the table carries out a draw"},
    "sekigahara": {
        "3.1": "the colours of wooden blocks and how they stand",
        "3.4": "disks, cubes and a marker as pieces; what they mean is ruled elsewhere",
        "7.3.6": "a table of what 7.3.3 to 7.3.5 say",
    },
}


def document(game: str) -> str:
    return (ROOT / f"docs/rules/{game}.md").read_text("utf-8")


@cache
def rules(game: str) -> Rules:
    return rules_of(document(game))


def engine_passages(game: str) -> list[Passage]:
    return [found for path in sorted((ROOT / f"engines/{game}").rglob("*.py")) for found in passages(path)]


def test_the_rules_of_every_game_are_in_the_repository():
    assert [game for game in GAMES if not (ROOT / f"docs/rules/{game}.md").exists()] == []


@pytest.mark.parametrize("game", GAMES)
def test_no_number_and_no_name_of_a_ruling_is_given_twice(game: str):
    numbers, rulings = rules(game).numbers, rules(game).rulings
    assert len(numbers) > (20 if released(game) else 0)
    assert sorted(set(numbers)) == sorted(numbers)
    assert sorted(set(rulings)) == sorted(rulings)


@pytest.mark.parametrize("game", GAMES)
def test_what_the_code_cites_is_in_the_rules(game: str):
    assert [fault for found in engine_passages(game) for fault in unresolved(rules(game), found)] == []


@pytest.mark.parametrize("game", GAMES)
def test_what_the_tests_cite_is_in_the_rules(game: str):
    paths = sorted((ROOT / f"tests/engines/{game}").rglob("*.py"))
    found = [found for path in paths for found in passages(path)]
    assert [fault for passage in found for fault in unresolved(rules(game), passage)] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_cited_where_it_is_carried_out(game: str):
    assert sorted(uncited(rules(game), engine_passages(game))) == sorted(WITHOUT_CODE.get(game, {}))


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_need_no_other_file_than_those_of_the_repository(game: str):
    text = document(game)
    assert "shared/" not in text
    named = [word for word in text.split("`") if word.startswith(("engines/", "tests/"))]
    assert [name for name in named if not (ROOT / name).exists()] == []


# -- the collector itself -------------------------------------------------------------------------

LETTERED = rules_of(
    "## M: moving\n\n- **M1** a\n- **M2** b\n- **M3** c **Ruling: the\n  tower.** d\n- **Solo 1** e\n"
)
SECTIONED = rules_of("## 8 Combat\n\n### 8.1 a\n\n### 8.2 b\n\n### 8.9 c\n\n### 8.10 d\n\n#### 8.10.1 e\n")


def faults(rules: Rules, text: str) -> list[str]:
    return [fault.partition(": ")[2] for fault in unresolved(rules, Passage(Path("x.py"), 1, text))]


@pytest.mark.parametrize(
    "text",
    [
        "A push (M1, M3).",
        "M1-M3: a push.",
        "(rules M)",
        "(Ruling: the tower)",
        "M3. Ruling: the tower. It falls.",
        "Taroma (Solo 1).",
        "`d8-d3`, x3 and 13.M9",
    ],
)
def test_a_citation_that_is_defined_resolves(text: str):
    assert faults(LETTERED, text) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("A push (M4).", "'M4'"),
        ("A push (M1-M4).", "'M1-M4'"),
        ("A push (M3-M1).", "'M3-M1'"),
        ("(rules M, DS)", "'rules M, DS'"),
        ("Taroma (Solo 1-2).", "'Solo 1-2'"),
        ("The tower (Ruling).", "'Ruling'"),
        ("(Ruling: the bridge)", "'Ruling: the bridge'"),
    ],
)
def test_a_citation_that_is_not_defined_is_named(text: str, fault: str):
    assert faults(LETTERED, text) == [fault]


@pytest.mark.parametrize(
    "text", ["(8)", "(8.1, 8.2)", "(8.9-8.10)", "(8.10.1)", "13.4 of an issue", "a bonus of 7", "0.5"]
)
def test_a_section_that_is_defined_resolves(text: str):
    assert faults(SECTIONED, text) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [("(8.3)", "'8.3'"), ("(7, 8.1)", "'7'"), ("(8.1-8.4)", "'8.1-8.4'"), ("(8.10.2)", "'8.10.2'")],
)
def test_a_section_that_is_not_defined_is_named(text: str, fault: str):
    assert faults(SECTIONED, text) == [fault]


def test_a_rule_counts_as_cited_by_its_own_number_only():
    overview = Passage(Path("x.py"), 1, "Moves (M1, M2, M3, Solo 1, Ruling: the tower).", overview=True)
    here = Passage(Path("x.py"), 9, "A push (M1-M3).")
    assert uncited(LETTERED, [overview, here]) == {"M2", "Solo 1", "Ruling: the tower"}
    assert uncited(SECTIONED, []) == {"8.1", "8.2", "8.9", "8.10.1"}


def test_docstrings_and_comments_are_read_and_code_is_not(tmp_path: Path):
    path = tmp_path / "engine.py"
    path.write_text(
        '"""About M1."""\n\nM2 = 5  # M3\n\n\ndef f():\n    """Raises\n    (M4)."""\n    return "M5"\n'
    )
    assert sorted((found.text, found.overview) for found in passages(path)) == [
        ("About M1.", True),
        ("M3", False),
        ("Raises (M4).", False),
    ]
