"""Every case of every game that exists: a start, steps, and what must hold afterwards.

How a case is written: `position` or `options` and `seats`; `steps` in order, refused where
they say `error`; `legal` for a seat; `expect` as a subset of `show --viewer all`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines.cli.driver import Driver
from engines.protocol import RulesError

HERE = Path(__file__).parent
KEYS = {"towers": ("owner", "color"), "tiles": ("at",)}
CASES = [
    pytest.param(case, id=f"{case['game']}: {case['name']}")
    for file in sorted(HERE.glob("*.json"))
    for case in json.loads(file.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("case", CASES)
def test_case(case):
    driver = Driver(stdin=False)
    record = begun(driver, case)
    for step in case.get("steps", []):
        record = stepped(driver, record, step)
    for legal in case.get("legal", []):
        check_legal(driver, record, legal)
    if "expect" in case:
        check(case["expect"], driver.answer(["show", record, "--viewer", "all"]), "")


def begun(driver, case):
    seed = ["--seed", case.get("seed", "00")]
    if "position" in case:
        return driver.answer(["from-position", case["game"], case["position"], *seed])
    words = ["new", case["game"], *seed]
    if "seats" in case:
        words += ["--seats", case["seats"]]
    if "options" in case:
        words += ["--options", case["options"]]
    return driver.answer(words)


def stepped(driver, record, step):
    action = step["action"] if isinstance(step["action"], str) else json.dumps(step["action"])
    words = ["apply", record, "--seat", step["seat"], "--action", action]
    if not step.get("error"):
        return driver.answer(words)
    with pytest.raises(RulesError) as refused:
        driver.answer(words)
    if isinstance(step["error"], str):
        assert refused.value.code == step["error"]
    return record


def check_legal(driver, record, legal):
    actions = set(driver.answer(["legal", record, "--seat", legal["seat"]])["actions"])
    if "exactly" in legal:
        assert actions == set(legal["exactly"])
    assert set(legal.get("includes", [])) <= actions
    assert not set(legal.get("excludes", [])) & actions


def check(want, got, path):
    """Asserts that `want` is a subset of `got`; lists of words compare as multisets."""
    if isinstance(want, dict):
        if isinstance(got, list):
            got = {str(place): item for place, item in enumerate(got)}
        for key, value in want.items():
            check_key(key, value, got, f"{path}.{key}")
    elif isinstance(want, list) and want and isinstance(got, list) and all(isinstance(x, str) for x in want):
        assert sorted(want) == sorted(got), path
    else:
        assert want == got, path


def check_key(key, want, got, path):
    if key == "stacks":
        check_stacks(want, got)
    elif key == "hand_sizes":
        assert {card: len(got["hands"][card]) for card in want} == want, path
    else:
        assert key in got, path
        if key in KEYS and isinstance(want, list):
            items = {tuple(item[k] for k in KEYS[key]): item for item in got[key]}
            for item in want:
                check(item, items[tuple(item[k] for k in KEYS[key])], path)
        else:
            check(want, got[key], path)


def check_stacks(want, got):
    """Cell to warriors, bottom to top, without the marks of known ones; alike ones by side."""
    have = {tile["at"]: [warrior.rstrip("!") for warrior in tile["stack"]] for tile in got["tiles"]}
    if got.get("act") in (1, 2, "solo"):
        have = {cell: [warrior[0] for warrior in stack] for cell, stack in have.items()}
        want = {cell: [warrior[0] for warrior in stack] for cell, stack in want.items()}
    assert have == want
