"""Moments that Kamisado's rules pages are shown with (`render.lessons`)."""

from __future__ import annotations

from engines.protocol import Json
from render.lessons import First, Lesson

AIM, MOVING, WRITING, MATCHES, SUMO, OPTIONS = range(1, 7)


def position(to_move: str, forced: str | None, *towers: str, phase: str = "move", score: int = 0) -> Json:
    """A standard match with these towers, written `white purple d3` or, with a tooth, `white purple d3 1`."""
    fields = [tower.split() for tower in towers]
    return {
        "match": "standard",
        "score": {"black": score, "white": score},
        "round": 1 + 2 * score,
        "phase": phase,
        "to_move": to_move,
        "forced": forced,
        "towers": [
            {"owner": owner, "color": color, "square": square, "teeth": int(*teeth) if teeth else 0}
            for owner, color, square, *teeth in fields
        ],
    }


def about_to_win() -> Json:
    """White's orange tower must move, and the enemy's home rank lies open before it."""
    return position(
        "white",
        "orange",
        *("white orange c5", "white red d3", "white blue g1", "white green b1", "white yellow e2"),
        *("black orange a8", "black blue e8", "black red f6", "black pink d6", "black green g5"),
    )


def pushing() -> Json:
    """White's sumo must move, and a black tower stands right before it."""
    return position(
        "white",
        "purple",
        *("white purple d4 1", "white red f2", "white green b1", "white brown a1", "white blue g1"),
        *("black pink d5", "black green b7", "black red f8", "black brown h8", "black blue g6"),
        score=1,
    )


LESSONS = (
    Lesson(about_to_win, viewer=1, path=("c8",)),
    Lesson(options={"match": "single"}, plies=("d8-d5",), viewer=1, path=()),
    Lesson(options={"match": "single"}, plies=("d8-d5", "h1-e4")),
    Lesson(about_to_win, plies=("c5-c8",)),
    Lesson(pushing, plies=("d4xd5",)),
    Lesson(),
)
FIRST = (
    First("fill", MATCHES, frozenset({"fill"})),
    First("push", SUMO, frozenset({"push", "pushed"})),
    First("sumo", SUMO, frozenset({"tooth", *(f"target/teeth:{teeth}" for teeth in (1, 2, 3))})),
)
ABOUT = {
    "tower": AIM,
    "target": MOVING,
    "fill": MATCHES,
    "no-tower": WRITING,
    "no-such-tower": WRITING,
    "wrong-tower": AIM,
    "not-forward": MOVING,
    "too-far": SUMO,
    "blocked": MOVING,
    "off-board": MOVING,
    "no-push": SUMO,
    "not-now": MATCHES,
    "wrong-color": WRITING,
    "bad-action": WRITING,
}
