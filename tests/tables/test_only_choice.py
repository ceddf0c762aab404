"""A question that leaves no choice is answered by itself (17.4)."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any, cast

from engines.protocol import Choice, Prompt, Ready, only_pick
from tables.core.model import Panel
from tables.play import acting

ONE, TWO, BESIDE = Choice(key="a", code="a"), Choice(key="b", code="b"), Choice(key="o", code="o", aside=True)


def asked(*choices: Choice, least: int = 1, most: int = 1) -> Prompt:
    return Prompt(code="x", choices=choices, least=least, most=most)


def test_only_what_leaves_no_decision_is_taken():  # 17.4
    assert only_pick(asked(ONE)) == "a"
    assert only_pick(asked(ONE, TWO, least=2, most=2)) == "a+b", "all of them must be given"
    assert only_pick(asked(ONE, TWO)) is None
    assert only_pick(asked(ONE, BESIDE)) is None, "what stands beside is a choice"
    assert only_pick(asked(ONE, least=0)) is None, "none is a choice"
    assert only_pick(asked(least=0, most=0)) is None
    assert only_pick(Ready(action="a")) is None


class Rules:
    """Asks a, which is the only choice, then a or b, then a; and ends."""

    STEPS = (asked(ONE), asked(ONE, TWO), asked(ONE), Ready(action="done"))

    def choices(self, _state: Any, _seat: int, path: tuple[str, ...] = ()) -> Prompt | Ready:
        return self.STEPS[len(path)]


def panel(monkeypatch: Any, *path: str) -> Panel:
    """The panel of these rules after a path."""
    monkeypatch.setattr(acting, "playing", lambda *_: 0)
    monkeypatch.setattr(acting, "fresh", lambda *_: None)
    loaded = SimpleNamespace(
        steps=lambda seat: partial(Rules().choices, None, seat),
        engine=Rules(),
        to_act={0},
        row=SimpleNamespace(version=1),
        shown=lambda _: None,
        spoken=lambda *_: (),
        foreseen=lambda *_: (),
    )
    return acting.panel(cast(Any, loaded), 1, path, None)


def test_a_panel_goes_past_what_leaves_no_choice_and_back_before_it(monkeypatch):  # 17.4
    begun = panel(monkeypatch)
    assert (begun.path, begun.taken, begun.begun) == (("0",), (ONE,), False)
    chosen = panel(monkeypatch, "0", "1")
    assert chosen.step == Ready(action="done")
    assert chosen.path == ("0", "1", "0")
    assert chosen.picked == (ONE, TWO, ONE)
    assert chosen.taken == (ONE, ONE)
    assert chosen.begun
    assert chosen.back == ("0",), "back leads to the last real choice"
    assert panel(monkeypatch, *chosen.back).step == Rules.STEPS[1]
