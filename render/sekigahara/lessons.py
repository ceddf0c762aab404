"""Moments that Sekigahara's rules pages are shown with (`render.lessons`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from engines.protocol import Json
from engines.sekigahara.data import BLOCK_COUNTS, CARD_COUNTS, OWNER, SIDES
from render.lessons import First, Lesson

(
    AIM,
    PIECES,
    BEGINNING,
    WEEK,
    MODES,
    MARCH,
    OVERRUN,
    MUSTER,
    BATTLE,
    SPECIAL,
    LOYALTY,
    LOSSES,
    SIEGE,
    WRITING,
    OPTIONS,
) = range(1, 16)
ISHIDA, TOKUGAWA = range(2)
HANDS = ("mori mori-sword ukita kobayakawa loyalty", "tokugawa tokugawa-sword maeda date loyalty")
MORI_BOX = ("mori-leader", "mori3", "mori3", "mori3", "mori3")
HOME = {"osaka": "ishida-leader ukita-leader kobayakawa-leader", "edo": "tokugawa-leader date-leader"}
CONTROL = {"kyoto": "ishida", "edo": "tokugawa"}


def position(
    places: Mapping[str, str],
    *,
    hands: tuple[str, str] = HANDS,
    boxes: tuple[str, str] = ("", ""),
    active: str = "ishida",
    week: int = 3,
) -> Callable[[], Json]:
    """Before a movement, with these blocks (blanks between them) beside those at home."""

    def made() -> Json:
        on_map = {place: blocks.split() for place, blocks in {**HOME, **places}.items()}
        held = [hand.split() for hand in hands]
        waiting = [box.split() for box in boxes]
        used = Counter(face for faces in (*on_map.values(), *waiting, MORI_BOX) for face in faces)
        return {
            "options": {},
            "week": week,
            "turn": "A",
            "phase": "move",
            "first": active,
            "active": active,
            "map": {place: by_side(faces) for place, faces in on_map.items()},
            "control": CONTROL,
            "disks": ["hideyori", "sanada"],
            "hands": dict(zip(SIDES, held, strict=True)),
            "decks": {side: left(CARD_COUNTS[side], held[seat]) for seat, side in enumerate(SIDES)},
            "discards": {side: [] for side in SIDES},
            "bags": {side: left(BLOCK_COUNTS[side], list(used.elements())) for side in SIDES},
            "boxes": dict(zip(SIDES, waiting, strict=True)),
            "mori_box": list(MORI_BOX),
            "lost": {side: [] for side in SIDES},
            "battle": None,
            "march": None,
        }

    return made


def by_side(faces: list[str]) -> dict[str, Json]:
    """A place's blocks."""
    found: dict[str, Json] = {side: [face for face in faces if OWNER[face] == side] for side in SIDES}
    return {**found, "besieged": False}


def left(counts: Mapping[str, int], used: list[str]) -> list[str]:
    """What is not in use, in the order of the data."""
    return list((Counter(counts) - Counter(used)).elements())


COLUMN = position({"kyoto": "mori2 ukita2 ukita3 kobayakawa2", "okazaki": "fukushima2 date3"})
OUTNUMBERED = position(
    {"kyoto": "mori2 ukita2 ukita3 kobayakawa2", "minakuchi": "maeda2", "kiyosu": "tokugawa2 tokugawa3"}
)
WORKED = position(  # the worked battle of the rulebook
    {
        "kyoto": "mori-leader ukita2 ukita2 uesugi-gun mori-gun kobayakawa2 kobayakawa3",
        "minakuchi": "maeda-cav tokugawa3 tokugawa3 tokugawa-gun date2 fukushima2",
    },
    hands=(
        "ukita-double uesugi mori-sword kobayakawa loyalty",
        "maeda-sword tokugawa tokugawa tokugawa date loyalty",
    ),
)
FIRST_BLOCKS = (
    "move minimal",
    "march kyoto mori-leader ukita2 ukita2 uesugi-gun mori-gun kobayakawa2 kobayakawa3 > minakuchi",
    "end",
    "combat minakuchi",
    "deploy mori-leader",
    "deploy maeda-cav with maeda-sword",
    "accept",
    "deploy ukita2 ukita2 with ukita-double",
    "accept",
)
MORE_BLOCKS = (
    *FIRST_BLOCKS,
    "deploy tokugawa3 with tokugawa",
    "accept",
    "deploy uesugi-gun with uesugi",
    "accept",
    "deploy tokugawa-gun with tokugawa",
    "accept",
    "deploy mori-gun with mori-sword",
)
ALL_BLOCKS = (*MORE_BLOCKS, "accept", "deploy tokugawa3 with tokugawa", "accept", "done", "done")
BESIEGED = position(
    {"saku": "tokugawa3 tokugawa3 date2 fukushima2", "ueda": "mori2"},
    hands=("mori mori-sword ukita kobayakawa loyalty", "tokugawa tokugawa date maeda loyalty"),
    active="tokugawa",
)
SPLITTING = (
    "march osaka mori2 ukita2 kobayakawa2 > kyoto -ukita2 -kobayakawa2 > sawayama > gifu"
    " / kyoto ukita2 kobayakawa2 > minakuchi -kobayakawa2 > kuwana"
)

LESSONS = (
    Lesson(),
    Lesson(viewer=ISHIDA, part="hand"),
    Lesson(viewer=TOKUGAWA),
    Lesson(viewer=TOKUGAWA, part="hand"),
    Lesson(COLUMN, viewer=ISHIDA, path=()),
    Lesson(
        COLUMN,
        plies=("move minimal", "march kyoto mori2 ukita2 ukita3 kobayakawa2 > minakuchi > kuwana > kiyosu"),
        area="kinai",
    ),
    Lesson(
        OUTNUMBERED,
        plies=("move minimal", "march kyoto mori2 ukita2 ukita3 kobayakawa2 > minakuchi > kuwana"),
        area="kinai",
    ),
    Lesson(
        position({}, boxes=("kobayakawa3 kobayakawa-gun mori2 uesugi3", "date2")),
        plies=("move minimal", "muster osaka kobayakawa3 kobayakawa-gun shown"),
        area="kinai",
    ),
    Lesson(WORKED, plies=FIRST_BLOCKS),
    Lesson(WORKED, plies=(*MORE_BLOCKS, "accept")),
    Lesson(WORKED, plies=MORE_BLOCKS, viewer=TOKUGAWA, path=()),
    Lesson(WORKED, plies=ALL_BLOCKS, viewer=ISHIDA, path=()),
    Lesson(
        BESIEGED,
        plies=(
            "move minimal",
            "march saku tokugawa3 tokugawa3 date2 > ueda",
            "end",
            "combat ueda",
            "inside",
            "deploy tokugawa3 with tokugawa",
            "deploy tokugawa3 with tokugawa",
        ),
    ),
    Lesson(
        position({"osaka": "ishida-leader mori2 ukita2 kobayakawa2", "kyoto": "ukita3"}),
        plies=(
            "move minimal",
            SPLITTING,
        ),
        area="kinai",
    ),
    Lesson(options={"aizu": "revised5"}, area="tohoku"),
)
_STRONG = {card for cards in CARD_COUNTS.values() for card in cards if card.endswith(("-sword", "-double"))}
FIRST = (
    First("march", MARCH, frozenset({"march-from"})),
    First("overrun", OVERRUN, frozenset({"overrun", "march-to/overruns", "march-way/overruns"})),
    First("siege", SIEGE, frozenset({"castle", "siege-impact"})),
    First("battle", BATTLE, frozenset({"combat", "deploy"})),
    First("challenge", LOYALTY, frozenset({"answer", "challenge"})),
    First(
        "special",
        SPECIAL,
        frozenset(f"{asked}/{card}" for asked in ("deploy", "deploy-card") for card in _STRONG),
    ),
)
_PAGES: dict[int, str] = {
    WEEK: "bid bid-first discard first orders-bid-only wrong-discard",
    MODES: (
        "mode movement pay redraw mode-none no-activation no-movement no-redraw orders-move-only wrong-price"
    ),
    MARCH: (
        "march-blocks march-drop march-force march-from march-leader march-onward march-to "
        "march-way bad-drop bad-branch branch-too-far force-drop force-branch moved-already "
        "moved-or-freed no-leader no-such-leader no-path segment-used too-far too-many-blocks "
        "leader-shown"
    ),
    OVERRUN: "enemy-in-way",
    MUSTER: (
        "mori-blocks mori-cards mori-how muster-blocks muster-how muster-unseen muster-to "
        "bad-muster-place mori-leader-last muster-enemy muster-one-block muster-one-mon no-muster "
        "not-in-box not-your-box"
    ),
    BATTLE: "deploy deploy-card combat card-does-not-deploy no-combat-there no-battle done",
    SPECIAL: "leaders-first orders orders-deploy-only",
    LOYALTY: "answer challenge no-loyalty-card no-proof",
    LOSSES: "lose retreat-to bad-retreat not-to-lose wrong-losses",
    SIEGE: "castle retreat-castle unstay all-inside besieged castle-full no-castle not-besieged",
    WRITING: (
        "bad-action bad-action.march no-such-block no-block-named not-in-hand not-there not-now where-to"
    ),
}
ABOUT = {code: page for page, codes in _PAGES.items() for code in codes.split()}
