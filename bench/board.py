"""Draws docs/board.png, the README's picture: a Kamisado match, by the renderer that the bot uses."""

from __future__ import annotations

from pathlib import Path

from engines.capabilities import random_action
from engines.chance import Chance
from engines.registry import engine
from locales import words
from render import Scene, painter

PICTURE = Path("docs/board.png")


def main() -> None:
    """The board after a few moves."""
    rules = engine("kamisado")
    state, events = rules.setup(rules.read_options({"match": "standard"}), 2, Chance(bytes(32), 0))
    for ply in range(9):
        seat = min(rules.to_act(state))
        chance = Chance(bytes(32), ply + 40)
        state, events = rules.apply(state, seat, random_action(rules, state, seat, chance), chance)
    scene = Scene(
        game="kamisado",
        view=rules.view(state, None),
        names=("Ann", "Ben"),
        words=words("en"),
        events=tuple(event.seen_by(None) for event in events),
        table=12,
    )
    PICTURE.write_bytes(painter("kamisado").board(scene).png)
    print(f"{PICTURE}: {PICTURE.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
