"""Points by castle and resource: who has which, what is contested, what one of them would change."""

from __future__ import annotations

from engines.sekigahara.control import CASTLE_POINTS, RESOURCE_POINTS
from engines.sekigahara.data import CASTLES, RESOURCES, SIDES, Side
from render import marks
from render.canvas import Canvas
from render.panels import Panel
from render.scene import Picture, Scene
from render.sekigahara.fresh import fresh
from render.sekigahara.geography import kind_of
from render.sekigahara.head import TOP, head, patch
from render.sekigahara.palette import colours
from render.sekigahara.pieces import marker
from render.sekigahara.words import say, term, view_of
from render.theme import GOLD, MUTE, PAPER, SUMI, WIDTH, Type
from render.words import joined

ROW = 58
HEADING = 54


def leader(scene: Scene) -> Side:
    """Who would win if the game ended now: a tie is Ishida's (2.2)."""
    points = view_of(scene).points
    return "tokugawa" if points["tokugawa"] > points["ishida"] else "ishida"


def castles_of(scene: Scene, side: Side) -> list[str]:
    """The castles that a side holds."""
    return [place for place in CASTLES if view_of(scene).map[place].holder == side]


def resources_of(scene: Scene, side: Side | None) -> list[str]:
    """The resources that a side controls; None: that nobody does."""
    return [place for place in RESOURCES if view_of(scene).control.get(place) == side]


def contested(scene: Scene) -> list[str]:
    """Castles and resources where both sides stand: the next fight may turn them."""
    view = view_of(scene)
    hideyori = {"osaka"} if "hideyori" in view.disks else set()
    sanada = {"ueda"} if "sanada" in view.disks else set()
    return [
        place
        for place in (*CASTLES, *RESOURCES)
        if view.map[place].tokugawa and (view.map[place].ishida or place in hideyori | sanada)
    ]


def swing(place: str) -> int:
    """By how many points the lead changes where a place passes from one side to the other."""
    return 2 * (CASTLE_POINTS if place in CASTLES else RESOURCE_POINTS)


def margin(scene: Scene) -> int:
    """By how many points the other side would have to gain on the leader to win."""
    points = view_of(scene).points
    ahead = points["tokugawa"] - points["ishida"]
    return ahead if ahead > 0 else 1 - ahead


def standing(scene: Scene) -> Picture:
    """The table."""
    sizes = [
        max(len(castles_of(scene, side)) for side in SIDES),
        max(len(resources_of(scene, side)) for side in SIDES),
    ]
    nobody = resources_of(scene, None)
    tall = HEADING * 2 + ROW * sum(sizes) + 28
    top = TOP + 14
    height = top + tall + 12 + 136 + (56 if nobody else 0)
    canvas = Canvas.blank(WIDTH, height, SUMI, rtl=scene.words.rtl)
    head(canvas, scene)
    half = (WIDTH - 36) // 2
    for seat, side in enumerate(SIDES):
        left = 12 + (half + 12) * seat
        column(canvas, scene, side, (left, top, left + half, top + tall), sizes[0])
    bottom(canvas, scene, (12, top + tall + 12, WIDTH - 12, height - 12), nobody)
    return Picture(canvas.png(colours()), "sekigahara-standing.png", standing_words(scene)[:990])


def column(canvas: Canvas, scene: Scene, side: Side, box: tuple[int, int, int, int], castles: int) -> None:
    """What a side has, with its points."""
    panel = Panel(canvas, box, active=leader(scene) == side)
    y = 0.0
    for name, places, worth in (
        ("castle", castles_of(scene, side), CASTLE_POINTS),
        ("resource", resources_of(scene, side), RESOURCE_POINTS),
    ):
        heading = say(scene, f"standing.{name}", n=len(places), points=worth)
        panel.words(20, y + 40, heading, Type("quiet", 28), MUTE, room=panel.width - 110)
        total = Type("words", 40)
        panel.words(24, y + 44, str(worth * len(places)), total, PAPER, room=80, end=True)
        for number, place in enumerate(places):
            row(panel, scene, side, place, y + HEADING + ROW * number)
        y += HEADING + ROW * castles


def row(panel: Panel, scene: Scene, side: Side, place: str, y: float) -> None:
    """A place: its marker, its name, its blocks; swords and what is at stake where both sides stand."""
    new, view = fresh(scene), view_of(scene)
    middle = y + ROW / 2
    kind = kind_of(place)
    if place in new.castles or place in new.resources:
        panel.icon(46, middle, patch(58, ROW - 4))
    panel.icon(46, middle, marker(kind, side, 0.9))
    if place in contested(scene):
        panel.words(84, middle + 10, term(scene, place), Type("words", 31), GOLD, room=210)
        panel.icon(panel.width - 116, middle, marks.swords(19))
        panel.words(24, middle + 10, f"±{swing(place)}", Type("words", 31), GOLD, room=70, end=True)
        return
    panel.words(84, middle + 10, term(scene, place), Type("words", 31), PAPER, room=220)
    here = view.map[place]
    guard = here.ishida if side == "ishida" else here.tokugawa
    if guard:
        panel.words(
            24,
            middle + 10,
            say(scene, "standing.blocks", n=guard),
            Type("quiet", 27),
            MUTE,
            room=190,
            end=True,
        )


def bottom(canvas: Canvas, scene: Scene, box: tuple[int, int, int, int], nobody: list[str]) -> None:
    """Who would win now, by how much it stands, and what nobody has."""
    panel = Panel(canvas, box)
    side = leader(scene)
    panel.words(
        20, 48, say(scene, "standing.now", side=side), Type("words", 33), PAPER, room=panel.width - 40
    )
    line = say(scene, "standing.margin", side=other(side), n=margin(scene))
    panel.words(20, 96, line, Type("quiet", 29), MUTE, room=panel.width - 40)
    if nobody:
        line = say(scene, "standing.nobody", places=nobody)
        panel.words(20, 146, line, Type("quiet", 29), MUTE, room=panel.width - 40)


def other(side: Side) -> Side:
    """The other side."""
    return "tokugawa" if side == "ishida" else "ishida"


def standing_words(scene: Scene) -> str:
    """The same in lines."""
    points = view_of(scene).points
    none = [say(scene, "standing.none")]
    lines = [
        say(
            scene,
            "standing.side",
            side=side,
            points=points[side],
            castles=[term(scene, place) for place in castles_of(scene, side)] or none,
            resources=[term(scene, place) for place in resources_of(scene, side)] or none,
        )
        for side in SIDES
    ]
    disputed = contested(scene)
    if disputed:
        told = [say(scene, "standing.stake", at=place, by=swing(place)) for place in disputed]
        lines.append(say(scene, "standing.contested", places=told))
    if nobody := resources_of(scene, None):
        lines.append(say(scene, "standing.nobody", places=nobody))
    side = leader(scene)
    now = joined(
        [
            say(scene, "standing.now", side=side),
            say(scene, "standing.margin", side=other(side), n=margin(scene)),
        ]
    )
    return "\n".join([*lines, now])
