"""Sekigahara in words: lines in the picture, the caption below it, alt text, the board read aloud."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from engines.sekigahara.data import CASTLES, PLACES, RESOURCES, SIDES, Side
from engines.sekigahara.model import PlaceView, SekigaharaView
from render.scene import Scene
from render.words import joined, shorten

MOST_ALT, MOST_CAPTION = 990, 1500
STARTED = "started"  # the event whose words say who plays what


def view_of(scene: Scene) -> SekigaharaView:
    """The scene's view, which is Sekigahara's."""
    return cast(SekigaharaView, scene.view)


def say(scene: Scene, key: str, /, **params: object) -> str:
    """A phrase of this game with the players' names."""
    return scene.words(f"sekigahara.{key}", game="sekigahara", names=scene.names, **params)


def is_private(scene: Scene) -> bool:
    """Whether the picture is for its viewer alone: it may show what only he knows."""
    return view_of(scene).viewer is not None or scene.prompt is not None or scene.action is not None


def own_side(scene: Scene) -> Side | None:
    """The side of the viewer, None for a spectator."""
    viewer = view_of(scene).viewer
    return SIDES[viewer] if viewer is not None else None


def term(scene: Scene, code: str) -> str:
    """A place, a block, a card or a side in words."""
    return scene.words.term("sekigahara", code)


# -- in the picture ------------------------------------------------------------------------


def week_line(scene: Scene) -> str:
    """The week."""
    line = say(scene, "picture.week", week=view_of(scene).week)
    return f"{line} · #{scene.table}" if scene.table is not None else line


def phase_line(scene: Scene) -> str:
    """The turn and the phase."""
    view = view_of(scene)
    if view.phase == "over":
        return say(scene, "picture.won" if view.winner else "picture.over", side=view.winner)
    phase = say(scene, f"picture.phase.{view.phase}")
    if view.phase in ("discard", "bid", "first"):
        return phase
    return say(scene, "picture.turn", turn=view.turn, phase=phase)


def waiting_seats(scene: Scene) -> list[int]:
    """Seats that have to decide."""
    return [SIDES.index(side) for side in view_of(scene).waiting]


# -- around the picture ------------------------------------------------------------------------


def sentences(scene: Scene, named: Sequence[str] = ()) -> list[str]:
    """What happened, one sentence an event that has one.

    `named` are names for sentences that do not say themselves who plays what.
    """
    named = named or scene.names
    told = [
        scene.words.event("sekigahara", event, scene.names if event.code == STARTED else named)
        for event in scene.events
    ]
    return [line for line in told if line]


def caption(scene: Scene) -> str:
    """What changed and who is to act; when there is too much the oldest goes first."""
    lines, now = sentences(scene), turn(scene)
    while lines and len(joined([*lines, now])) > MOST_CAPTION:
        lines.pop(0)
    return joined([*lines, now])


def turn(scene: Scene) -> str:
    """Who is to do what."""
    view = view_of(scene)
    if view.phase == "over":
        if scene.events or view.winner is None:
            return ""
        return say(scene, "caption.over", seat=SIDES.index(view.winner))
    return say(scene, f"caption.{view.phase}", seats=waiting_seats(scene), at=view.battle and view.battle.at)


def with_sides(scene: Scene) -> tuple[str, ...]:
    """The players' names, each with its side."""
    return tuple(
        say(scene, "alt.player", name=name, side=side) for name, side in zip(scene.names, SIDES, strict=False)
    )


def alt(scene: Scene) -> str:
    """The picture in words, the change first: less than 1,000 characters."""
    named = replace(scene, names=with_sides(scene))
    first = sentences(scene, named.names)[-4:]
    if scene.action is not None:
        first = [say(scene, "alt.preview", action=scene.action)]
    parts = [*first, turn(named), score(named)]
    if view_of(scene).battle is not None:
        parts.append(battle(scene))
    parts += [stacks(scene, side) for side in SIDES]
    return shorten(joined(parts), MOST_ALT)


def score(scene: Scene) -> str:
    """The week, points, castles, hands."""
    view = view_of(scene)
    lines = [say(scene, "picture.week", week=view.week)]
    for seat, side in enumerate(SIDES):
        lines.append(
            say(
                scene,
                "alt.score",
                seat=seat,
                points=view.points[side],
                cards=view.hands[side],
                box=view.boxes[side],
                bag=view.bags[side],
            )
        )
    return joined(scene.words("words.sentence", phrase=line) for line in lines)


def battle(scene: Scene) -> str:
    """Where the battle is and how it stands."""
    found = view_of(scene).battle
    if found is None:
        return ""
    impact = {side: found.impact.get(side, 0) for side in SIDES}
    return say(scene, "alt.battle", at=found.at, ishida=impact["ishida"], tokugawa=impact["tokugawa"])


def stacks(scene: Scene, side: Side) -> str:
    """Where a side's blocks stand and how many; faces where the viewer knows them."""
    view = view_of(scene)
    places = [place for place in PLACES if place in view.map and getattr(view.map[place], side)]
    words = [stack(scene, place, view.map[place], side) for place in places]
    return say(scene, "alt.stacks", side=side, places=words) if words else ""


def stack(scene: Scene, place: str, here: PlaceView, side: Side) -> str:
    """One stack."""
    count = here.ishida if side == "ishida" else here.tokugawa
    if here.faces and own_side(scene) == side:
        return say(scene, "alt.stack-faces", at=place, n=count, faces=here.faces)
    return f"{term(scene, place)} {count}"


def describe(scene: Scene) -> str:
    """The whole board in words."""
    named = replace(scene, names=with_sides(scene))
    view = view_of(scene)
    lines = [joined(sentences(scene, named.names)), turn(named), score(named), battle(scene)]
    lines += [stacks(scene, side) for side in SIDES]
    none = [say(scene, "standing.none")]
    for side in SIDES:
        held = [term(scene, p) for p in RESOURCES if view.control.get(p) == side]
        castles = [term(scene, p) for p in CASTLES if view.map[p].holder == side]
        lines.append(say(scene, "alt.holds", side=side, castles=castles or none, resources=held or none))
    if view.mori_box:
        lines.append(say(scene, "alt.mori", blocks=list(view.mori_box)))
    lost = {side: len(view.lost.get(side, ())) for side in SIDES}
    lines.append(say(scene, "alt.lost", **lost))
    if view.hand is not None and view.box is not None:
        lines.append(say(scene, "alt.hand", cards=list(view.hand), blocks=list(view.box)))
    return "\n".join(line for line in lines if line)
