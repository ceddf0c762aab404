"""docs/performance.md: each command writes its own part and leaves the others as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import figures
from bench.figures import Figure, keep, own_sections, section


def test_a_section_is_written_anew_and_all_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "performance.md"
    monkeypatch.setattr(figures, "PAGE", page)
    by_hand = "\n<!-- notes -->\n## By hand\n\nNobody measures this.\n<!-- /notes -->\n"
    measured = [section("load", "Load", "now", [Figure("an action", value, "ms")]) for value in (7.0, 8.0)]
    page.write_text("# Performance\n" + measured[0] + by_hand)
    keep("load", measured[1])
    assert page.read_text() == "# Performance\n" + measured[1] + by_hand
    assert own_sections(page.read_text()) == {"load": measured[1], "notes": by_hand}
