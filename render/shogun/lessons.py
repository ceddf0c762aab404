"""Moments that Shogun's rules pages are shown with (`render.lessons`)."""

from __future__ import annotations

from typing import Any

from engines.protocol import Json
from engines.registry import engine
from render.lessons import First, Lesson, played

(
    AIM,
    PIECES,
    BEGINNING,
    SEASON,
    PLAN,
    BID,
    HOME,
    ATTACK,
    TOWER,
    REVOLT,
    WINTER,
    WRITING,
    OPTIONS,
) = range(1, 14)
PLANS = (
    (
        "plan castle=suruga temple=sagami theater=izu rice=mino tax=tamba recruit5=chest4 recruit3=chest3"
        " recruit1_move=chest1 battle_a=harima battle_b=musashi bid=chest2"
    ),
    (
        "plan castle=awa-shikoku temple=shimotsuke theater=hitachi rice=kaga tax=kii recruit5=chest4"
        " recruit3=chest3 recruit1_move=chest1 battle_a=echizen battle_b=yamato bid=chest2"
    ),
    (
        "plan castle=bitchu temple=bingo theater=etchu rice=hoki tax=settsu recruit5=shinano recruit3=chest4"
        " recruit1_move=chest3 battle_a=omi battle_b=bizen bid=chest2"
    ),
)
SPECIALS = (*PLANS, "special attack+1", "special defense+1", "special rice+1")
BATTLE_A = (*SPECIALS, "battle wakasa 3", "battle mimasaka 2", "battle wakasa 2")
BATTLE_B = (*BATTLE_A, "battle harima 4", "battle kozuke 2")
LAST = "battle omi 4"  # after it the season ends


def moment(plies: tuple[str, ...]) -> dict[str, Any]:
    """The position after these actions, to be changed."""
    return engine("shogun").position(played(engine("shogun"), Lesson(plies=plies)).state)


def restless() -> Json:
    """Before the first battle; the provinces that will pay taxes have paid before."""
    position = moment((*SPECIALS, "battle wakasa 3", "battle mimasaka 2"))
    for name in ("Tamba", "Kii", "Settsu"):
        position["provinces"][name]["unrest"] = 2
    return position


def hungry() -> Json:
    """Before the last action of an autumn; the second player has little rice."""
    position = moment(BATTLE_B)
    position["season"] = "autumn"
    position["events"] = position["events"][:1]
    for player, rice in zip(position["players"], (9, 3, 9), strict=True):
        player["rice"] = rice
    return position


LESSONS = (
    Lesson(plies=(*BATTLE_B, LAST)),
    Lesson(),
    Lesson(seats=5),
    Lesson(plies=PLANS),
    Lesson(plies=PLANS[:1], viewer=0, part="hand"),
    Lesson(plies=PLANS, viewer=2, path=()),
    Lesson(plies=BATTLE_A),
    Lesson(plies=SPECIALS, viewer=2, path=()),
    Lesson(plies=(*BATTLE_A, "battle harima 4")),
    Lesson(restless, plies=("battle wakasa 2",)),
    Lesson(hungry, plies=(LAST,)),
    Lesson(plies=PLANS[:2], viewer=1, part="hand"),
    Lesson(options={"setup": "draft"}, seats=4),
)
FIRST = (
    First("plan", PLAN, frozenset({"space"})),
    First("bid", BID, frozenset({"space/bid", "special", "bids-ranked"})),
    First("battle", ATTACK, frozenset({"battle", "attacked", "attacked-neutral"})),
    First("tower", TOWER, frozenset({"thrown"})),
    First("event", SEASON, frozenset({"event-drawn"})),
    First("famine", WINTER, frozenset({"starved", "rice-lost"})),
    First("revolt", REVOLT, frozenset({"revolt", "revolted"})),
)
_PAGES: dict[int, str] = {
    PLAN: (
        "space bid-too-high card-twice not-your-card space-twice wrong-number-of-cards cannot-fill"
        " cannot-fill-safely no-plan-before"
    ),
    BID: "special illegal-choose-special",
    HOME: "move illegal-move",
    ATTACK: "battle armies illegal-battle illegal-stay",
    WINTER: "revolt illegal-revolts",
    WRITING: "bad-action bad-seat plan-word-alone unknown-name wrong-phase",
    OPTIONS: "draft group resigned illegal-draft illegal-place illegal-redraw",
}
ABOUT = {code: page for page, codes in _PAGES.items() for code in codes.split()}
