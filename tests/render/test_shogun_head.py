"""Shogun's head in a preview: the action to confirm in words."""

from __future__ import annotations

from engines.capabilities import random_action
from engines.chance import Chance
from engines.registry import engine
from locales import words
from render import Scene
from render.shogun.words import now_line
from tests.games import opening, sample

NAMES = ("Aki", "Beni", "Chiyo", "Dai", "Emi")


def test_no_action_to_confirm_is_written_in_notation():  # 16.5
    rules, step, met = engine("shogun"), opening("shogun", sample("shogun").hides), set()
    for ply in range(1, 60):
        if not (acting := rules.to_act(step.state)):
            break
        seat = min(acting)
        made = random_action(rules, step.state, seat, Chance(b"head", ply))
        action = rules.format(made)
        line = now_line(Scene("shogun", rules.view(step.state, seat), NAMES, words("en"), action=action))
        assert line.startswith("to confirm: ")
        assert action not in line
        met.add(action.split()[0])
        step = rules.apply(step.state, seat, made, Chance(b"\1", ply))
    assert {"plan", "special"} <= met, met
