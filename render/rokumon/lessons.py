"""Moments that Rokumon's rules pages are shown with (`render.lessons`)."""

from __future__ import annotations

from engines.protocol import Json
from engines.registry import engine
from render.lessons import First, Lesson, played

STORY, BATTLE, BRICKS, FIGHT, SURPRISE, MARU, OPEN, SOLO, WRITING, OPTIONS = range(1, 11)
SANADA, TOKUGAWA = range(2)


def behind() -> Json:
    """Act 2 of a story in which Tokugawa lost the first act, so that the Code of Honour binds Sanada."""
    position = engine("rokumon").position(played(engine("rokumon"), Lesson(options={"act": 2})).state)
    return {
        **position,
        "revenge": {"sanada": {"up": 0, "down": 0}, "tokugawa": {"up": 1, "down": 0}},
    }


LESSONS = (
    Lesson(options={"act": 1}),
    Lesson(
        options={"act": 1},
        plies=("deploy a1", "deploy b1", "deploy a2", "deploy c2", "move a2 b1", "move c2 b2"),
        viewer=SANADA,
        path=(),
    ),
    Lesson(behind, plies=("deploy d3", "deploy g4", "deploy f3")),
    Lesson(
        options={"act": 3},
        plies=(
            "deploy 4 d3",
            "deploy 3 e4",
            "deploy 6 g4",
            "move e4 d3",
            "deploy 2 i4",
            "deploy 1 h3",
            "fight d3",
        ),
    ),
    Lesson(
        options={"act": 4},
        plies=("deploy 4 d3", "deploy 3 e4", "surprise i4 f5"),
    ),
    Lesson(options={"act": 5}, plies=("deploy 4 f3", "deploy 3 e4", "move f3 i4")),
    Lesson(options={"act": 6}, plies=("deploy 4 f3", "deploy 3 e4")),
    Lesson(options={"solo": "easy"}, plies=("deploy e4",)),
    Lesson(options={"act": 3}, viewer=SANADA, part="hand"),
    Lesson(options={"act": 2}),
)
FIRST = (
    First("revenge", FIGHT, frozenset({"revenge"})),
    First("fight", FIGHT, frozenset({"fight", "fight-target", "fought", "fought-tie"})),
    First("tokens", FIGHT, frozenset({"fight-added", "added"})),
)
_PAGES: dict[int, str] = {
    BATTLE: (
        "act move-origin move-target move-way deploy-target deploy-token deploy-way battle tile-occupied"
        " nothing-to-move same-colour stack-full supply-empty uncovers"
    ),
    BRICKS: "no-takeback",
    FIGHT: "revenge fight-target fight-added no-fight-here fight-on no-fight not-enough-tokens may-hand-over",
    SURPRISE: (
        "surprise-origin surprise-target surprise-way surprise-used tile-locked cell-taken off-pattern"
        " touches-too-few hands-over"
    ),
    STORY: "not-in-this-act give-up surrender surrender-battle resign",
    WRITING: "name-token not-in-supply no-such-tile bad-action",
}
ABOUT = {code: page for page, codes in _PAGES.items() for code in codes.split()}
