"""Figures: what was measured, in which unit, against which aim; and the page that shows them."""

from __future__ import annotations

import platform
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from os import cpu_count
from pathlib import Path
from statistics import median


@dataclass(frozen=True)
class Figure:
    """One line of the page. `aim` is the most (or, below zero, the least) that we want; None: no aim."""

    name: str
    value: float
    unit: str
    high: float | None = None  # the 95th percentile, where there is one
    aim: float | None = None
    note: str = ""

    @property
    def met(self) -> bool:
        """Whether the aim holds: for the percentile where there is one."""
        measured = self.value if self.high is None else self.high
        return self.aim is None or (measured <= self.aim if self.aim >= 0 else measured >= -self.aim)


@cache
def compiled(tree: Path) -> dict[str, str]:
    """Compiles what is measured in a checkout, as a shipped image has it; what is set for its processes.

    It is kept beside the modules, as that of what is installed is: nothing compiles while it is measured.
    """
    skip = r"^\./(\.venv|tests|data)/"
    subprocess.run([sys.executable, "-m", "compileall", "-q", "-x", skip, "."], cwd=tree, env={}, check=True)
    return {"PYTHONDONTWRITEBYTECODE": ""}


def spread(
    name: str, samples: Sequence[float], unit: str = "ms", aim: float | None = None, note: str = ""
) -> Figure:
    """Median and 95th percentile of samples."""
    ordered = sorted(samples)
    high = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    return Figure(name, median(ordered), unit, high, aim, note or f"{len(ordered)} samples")


def percentile(samples: Sequence[float], part: int) -> float:
    """The smallest sample that `part` percent of them do not exceed; infinite where there is none."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, len(ordered) * part // 100)] if ordered else float("inf")


def number(value: float) -> str:
    """Three digits that count, thousands apart."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def cells(figure: Figure) -> tuple[str, ...]:
    """A figure as the page's columns."""
    high = "" if figure.high is None else number(figure.high)
    aim = "" if figure.aim is None else f"{'≤' if figure.aim >= 0 else '≥'} {number(abs(figure.aim))}"
    verdict = "" if figure.aim is None else "yes" if figure.met else "**no**"
    return figure.name, number(figure.value), high, figure.unit, aim, verdict, figure.note


PAGE = Path("docs/performance.md")
MARKED = re.compile(r"\n<!-- (\w+) -->\n.*?<!-- /\1 -->\n", re.DOTALL)  # by hand or commands of their own
HEADS = ("what", "median or value", "p95", "unit", "aim", "met", "how")


def page(sections: dict[str, list[Figure]], command: str) -> str:
    """The whole of docs/performance.md."""
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    machine = f"Python {platform.python_version()}, {platform.machine()}, {cpu_count()} cores"
    written = f"Written by `{command}` on {day}: {machine}."
    lines = ["# Performance", "", f"{written} Compare ratios of one run, not figures of two machines."]
    for title, figures in sections.items():
        lines += ["", f"## {title}", "", *rows(figures)]
    return "\n".join(lines) + "\n"


def rows(figures: Sequence[Figure]) -> list[str]:
    """The lines of a table of figures."""
    heads = ["| " + " | ".join(HEADS) + " |", "|---|--:|--:|---|--:|---|---|"]
    return heads + ["| " + " | ".join(cells(figure)) + " |" for figure in figures]


def section(name: str, title: str, written: str, figures: Sequence[Figure]) -> str:
    """A section that `name` alone writes anew, with how it was made."""
    lines = ["", f"<!-- {name} -->", f"## {title}", "", written, "", *rows(figures), f"<!-- /{name} -->"]
    return "\n".join(lines) + "\n"


def own_sections(text: str) -> dict[str, str]:
    """The sections of a page that `make bench` leaves as they are, by name."""
    return {found[1]: found[0] for found in MARKED.finditer(text)}


def keep(name: str, text: str) -> None:
    """Puts a section into the page in place of what it was, or at its end."""
    before = PAGE.read_text() if PAGE.exists() else "# Performance\n"
    old = own_sections(before).get(name, "")
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(before.replace(old, text) if old else before.rstrip("\n") + "\n" + text)
