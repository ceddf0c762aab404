"""The audit of dependencies: a verdict, silence of the service, and a crash of the tool are three things."""

from __future__ import annotations

import importlib.util
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

FILE = Path(__file__).parents[2] / ".ci" / "audit"
CLEAN = '{"dependencies": [{"name": "aiohttp", "version": "1", "vulns": []}], "fixes": []}'
KNOWN = '{"dependencies": [{"name": "aiohttp", "version": "1", "vulns": [{"id": "CVE-1"}]}], "fixes": []}'
SKIPPED = '{"dependencies": [{"name": "aiohttp", "skip_reason": "not found"}], "fixes": []}'


@pytest.fixture
def audit(monkeypatch):
    loader = SourceFileLoader("audit", str(FILE))
    spec = importlib.util.spec_from_loader("audit", loader)
    assert spec is not None
    made: Any = importlib.util.module_from_spec(spec)
    loader.exec_module(made)
    return made


@pytest.mark.parametrize(
    ("ran", "status", "told"),
    [
        ((0, CLEAN, ""), 0, "no known fault"),
        ((1, KNOWN, "Found 1 known vulnerability"), 1, "aiohttp 1: CVE-1"),
        ((0, SKIPPED, ""), 0, "NOT CHECKED"),
        ((1, "", "requests.exceptions.ConnectionError: Max retries exceeded with url"), 0, "NOT CHECKED"),
        (
            (1, "", "Traceback (most recent call last):\nImportError: cannot import name 'x'"),
            2,
            "itself failed",
        ),
        ((1, "", "/usr/bin/python: No module named pip_audit"), 2, "No module named pip_audit"),
        ((-11, "", ""), 2, "exit status -11"),
        ((2, "", "usage: pip-audit\npip-audit: error: unrecognized arguments"), 2, "unrecognized arguments"),
    ],
)
def test_a_crash_of_the_tool_is_no_silence_of_the_service(audit, monkeypatch, capsys, ran, status, told):
    names = ("returncode", "stdout", "stderr")
    done = SimpleNamespace(**dict(zip(names, ran, strict=True)))
    monkeypatch.setattr(audit.subprocess, "run", lambda *_, **__: done)
    assert audit.main() == status
    assert told in capsys.readouterr().out
