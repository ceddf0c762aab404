"""Rules as docs/rules numbers them, and the citations of them in docstrings and comments.

A game's citations look as its document's numbers do: `M6`, `DS2-DS8` where it has letters, `Solo 1-3` and
`A year 4` where it has words, `7.3.3`, `8.7-8.10` and, in brackets, `(5)` where it has sections; `rules M, S`
are all of a letter, and `Ruling: its name` is in every game.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]

NUMBER = r"[A-Z]{1,2}\d+|(?:Solo|A year) \d+|\d+(?:\.\d+)*"
DEFINITION = re.compile(rf"^(?:#{{2,4}} |- \*\*)({NUMBER})(?:\*\*)?(?= |$)", re.MULTILINE)
GROUP = re.compile(r"^## ([A-Z]{1,2}): ", re.MULTILINE)
RULING = re.compile(r"\*\*Ruling: ([^*]+)\.\*\*")

LETTERS = re.compile(r"(?<![\w.#+-])([A-Z]{1,2})(\d+)(?:-([A-Z]{1,2})(\d+))?(?![\w-])")
WORDS = re.compile(r"\b(Solo|A year) (\d+)(?:-(\d+))?\b")
LONGEST = r"(?:[1-9]|1[0-2])"  # 13.2 is an item of an issue
SECTIONS = re.compile(rf"(?<![\w.+-])({LONGEST}(?:\.\d+)+)(?:-({LONGEST}(?:\.\d+)+))?(?![\w-]|\.\d)")
BRACKETS = re.compile(r"\(((?:[\d.]+(?:-[\d.]+)?|Ruling[^,;)]*)(?:[,;] [^(),;]+)*)\)")
GROUPS = re.compile(r"\brules ((?:[A-Z]{1,2}, )*[A-Z]{1,2})\b")
RULINGS = re.compile(r"\bRulings?\b(?:: ([^.;)]+))?")


class Rules(NamedTuple):
    """What a document defines: numbers in its order, sections by letter, names of rulings."""

    numbers: tuple[str, ...]
    groups: tuple[str, ...]
    rulings: tuple[str, ...]

    @property
    def by_section(self) -> bool:
        """Whether the numbers are a rulebook's sections."""
        return self.numbers[0].isdigit()

    def has_parts(self, number: str) -> bool:
        """Whether a section is only the heading of others."""
        return any(other.startswith(f"{number}.") for other in self.numbers)


class Citation(NamedTuple):
    """A citation as it is written, and the numbers (or `Ruling: name`) that it means."""

    text: str
    numbers: tuple[str, ...]


@dataclass(frozen=True)
class Passage:
    """A docstring or a comment; `overview` is a module's docstring."""

    path: Path
    line: int
    text: str
    overview: bool = False

    @property
    def where(self) -> str:
        """For messages."""
        return f"{self.path.relative_to(ROOT) if self.path.is_relative_to(ROOT) else self.path}:{self.line}"


def rules_of(text: str) -> Rules:
    """What a document of docs/rules defines."""
    return Rules(
        tuple(DEFINITION.findall(text)), tuple(GROUP.findall(text)), tuple(RULING.findall(_flat(text)))
    )


@cache
def passages(path: Path) -> tuple[Passage, ...]:
    """The docstrings and comments of a Python file, each on one line; read once, as many ask for them."""
    return tuple(_passages(path))


def _passages(path: Path) -> Iterator[Passage]:
    source = path.read_text("utf-8")
    tree = ast.parse(source)
    for node in ast.walk(tree):  # a string that stands alone is a docstring, of whatever it follows
        match node:
            case ast.Expr(value=ast.Constant(value=str(said))):
                yield Passage(path, node.lineno, _flat(said), overview=node is tree.body[0])
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Passage(path, token.start[0], _flat(token.string.lstrip("#")))


def citations(rules: Rules, text: str) -> Iterator[Citation]:
    """Every citation in a docstring or comment, resolved or not."""
    for found in RULINGS.finditer(text):
        yield Citation(found[0], (f"Ruling: {(found[1] or '').strip()}",))
    plain = RULINGS.sub("Ruling", text)
    if rules.by_section:
        yield from _sections(rules, plain)
        return
    for found in LETTERS.finditer(plain):
        prefix, first, other, last = found.groups()
        same = other in (None, prefix)
        span = range(int(first), int(last or first) + 1) if same else ()
        yield Citation(found[0], tuple(f"{prefix}{n}" for n in span) or (found[0],))
    for found in WORDS.finditer(plain):
        span = range(int(found[2]), int(found[3] or found[2]) + 1)
        yield Citation(found[0], tuple(f"{found[1]} {n}" for n in span) or (found[0],))
    for found in GROUPS.finditer(plain):
        yield Citation(found[0], tuple(f"rules {letter}" for letter in found[1].split(", ")))


def _sections(rules: Rules, text: str) -> Iterator[Citation]:
    for found in SECTIONS.finditer(text):
        yield Citation(found[0], _from_to(rules, found[1], found[2]))
    for group in BRACKETS.findall(text):  # (6), (4, 6, 7, 9.3)
        for part in re.split(r"[,;] ", group):
            if re.fullmatch(LONGEST, part):
                yield Citation(part, (part,))


def _from_to(rules: Rules, first: str, last: str | None) -> tuple[str, ...]:
    """8.7-8.10: the sections of one level from the first to the last."""
    if last is None:
        return (first,)
    above, _, start = first.rpartition(".")
    if last.rpartition(".")[0] != above or int(start) > int(last.rpartition(".")[2]):
        return (f"{first}-{last}",)
    return tuple(f"{above}.{n}" for n in range(int(start), int(last.rpartition(".")[2]) + 1))


@cache
def known(rules: Rules) -> frozenset[str]:
    """All that may be cited."""
    return frozenset(
        {*rules.numbers, *(f"Ruling: {r}" for r in rules.rulings), *(f"rules {g}" for g in rules.groups)}
    )


def unresolved(rules: Rules, found: Passage) -> list[str]:
    """The citations of a passage that the document does not define, with their place."""
    return [
        f"{found.where}: {citation.text!r}"
        for citation in citations(rules, found.text)
        if not known(rules).issuperset(citation.numbers)
    ]


def carried_out(rules: Rules, found: Passage) -> set[str]:
    """What a passage cites by its own number where something is carried out.

    A range cites only its ends, and what a module is about (`overview`) carries nothing out.
    """
    if found.overview:
        return set()
    cited = citations(rules, found.text)
    return {number for citation in cited for number in (citation.numbers[0], citation.numbers[-1])}


def uncited(rules: Rules, found: list[Passage]) -> set[str]:
    """Rules and rulings that no passage cites by their own number; headings of sections need no citation."""
    cited = {number for passage in found for number in carried_out(rules, passage)}
    numbers = {number for number in rules.numbers if not rules.has_parts(number)}
    return (numbers | {f"Ruling: {name}" for name in rules.rulings}) - cited


def _flat(text: str) -> str:
    return " ".join(text.split())
