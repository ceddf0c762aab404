"""Who leads castles, temples and theatres in each region of Shogun, and what a scoring now would give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engines.protocol import Seat
from engines.shogun.data import BUILDINGS, MAJORITY, REGION, REGIONS
from engines.shogun.model import ShogunView
from engines.shogun.standing import Lead, gains, leads
from render import marks
from render.canvas import Canvas
from render.panels import Panel
from render.scene import Picture, Scene
from render.shogun.icons import crest, icon
from render.shogun.map import seal
from render.shogun.palette import colours
from render.shogun.panels import PARTS, part_sign
from render.shogun.words import HOUSE, say, title, view_of
from render.theme import GOLD, HEAD, LACQUER, MUTE, PAPER, RAISED, SUMI, WIDTH, Type
from render.words import shorten

HEAD_HEIGHT, ROW, SEAT_ROW = 96, 96, 66
COLUMNS = (318, 566, 814)  # where the columns of the buildings begin, their points beside the sign
CELL = 234
MOST_ALT = 990


class Sum(NamedTuple):
    """What a seat has, and what it would score now."""

    points: int
    provinces: int
    buildings: int
    majorities: int

    @property
    def gain(self) -> int:
        """What a scoring now would give."""
        return self.provinces + self.buildings + self.majorities

    @property
    def total(self) -> int:
        """Points with it; at the end it is in them."""
        return self.points + self.gain


def sums(view: ShogunView) -> list[Sum]:
    """By seat what a scoring now would give; nothing more once the game is over."""
    if view.phase == "over":
        return [Sum(player.points, 0, 0, 0) for player in view.players]
    found = gains(view, len(view.players))
    return [Sum(player.points, *gain) for player, gain in zip(view.players, found, strict=True)]


def order(view: ShogunView) -> list[Seat]:
    """Seats by what they would have, then by chests."""
    found = sums(view)
    return sorted(range(len(found)), key=lambda seat: (-found[seat].total, -view.players[seat].chests, seat))


def standing(scene: Scene) -> Picture:
    """The table of regions and buildings, below it each seat with what it would have."""
    view = view_of(scene)
    shown = [
        region for region in REGIONS if any(REGION[view.options.side][n] == region for n in view.provinces)
    ]
    top = HEAD_HEIGHT + 64 + ROW * len(shown) + 12
    canvas = Canvas.blank(WIDTH, top + 56 + SEAT_ROW * len(view.players) + 12, SUMI, rtl=scene.words.rtl)
    heading(canvas, scene)
    found = leads(view)
    for number, region in enumerate(shown):
        region_row(canvas, scene, HEAD_HEIGHT + 64 + ROW * number, region, found)
    totals(canvas, scene, top)
    return Picture(
        canvas.png(colours()), "standing.png", shorten(standing_words(scene).replace("\n", " "), MOST_ALT)
    )


def heading(canvas: Canvas, scene: Scene) -> None:
    """When it is, what the table says, and what each column is worth."""
    panel = Panel(canvas, (12, 0, WIDTH - 12, HEAD_HEIGHT), drawn=False)
    panel.words(10, 46, say(scene, "standing.title"), HEAD, PAPER, room=620)
    panel.words(10, 84, title(scene), Type("quiet", 28), MUTE, room=620)
    columns = Panel(canvas, (12, HEAD_HEIGHT, WIDTH - 12, HEAD_HEIGHT + 60), drawn=False)
    for start, building, points in zip(COLUMNS, BUILDINGS, MAJORITY.values(), strict=True):
        columns.icon(start + 20, 32, icon(building, 40, PAPER, SUMI))
        word = scene.words.term("shogun", f"{building}/plural")
        columns.words(start + 50, 42, word, Type("words", 28), PAPER, room=CELL - 92)
        columns.figure(start + CELL - 42, 32, str(points), Type("words", 34), GOLD)


def region_row(
    canvas: Canvas, scene: Scene, top: int, region: str, found: Mapping[tuple[str, str], Lead]
) -> None:
    """A region: for each building who leads with how many, who follows, and the points."""
    panel = Panel(canvas, (12, top, WIDTH - 12, top + ROW - 8))
    panel.icon(46, 44, seal(region, 1.2))
    panel.words(88, 55, scene.words.term("shogun", region), Type("words", 32), PAPER, room=222)
    for start, building in zip(COLUMNS, BUILDINGS, strict=True):
        lead = found.get((region, building))
        if lead is None:
            panel.figure(start + CELL / 2 - 20, 44, "–", Type("words", 34), MUTE)
            continue
        cell(panel, start, lead)


def cell(panel: Panel, start: float, lead: Lead) -> None:
    """Crests of who leads with the count, the next ones smaller, and what each leader would get."""
    step, y = 44 if len(lead.seats) < 3 else 30, 31 if lead.next else 44
    for number, seat in enumerate(lead.seats):
        panel.icon(start + 22 + step * number, y, crest(HOUSE[seat], 19))
    end = start + 22 + step * (len(lead.seats) - 1)
    panel.figure(end + 42, y, str(lead.most), Type("words", 36), PAPER)
    for number, seat in enumerate(lead.next):
        panel.icon(start + 14 + 26 * number, 69, crest(HOUSE[seat], 11))
    if lead.next:
        panel.figure(start + 14 + 26 * len(lead.next), 69, str(lead.fewer), Type("words", 26), MUTE)
    if lead.points:
        panel.figure(start + CELL - 42, 44, f"+{lead.points}", Type("words", 38), GOLD)
    else:
        panel.figure(start + CELL - 42, 44, "0", Type("words", 34), MUTE)


def totals(canvas: Canvas, scene: Scene, top: int) -> None:
    """Each seat: points now, what a scoring would add for what, and the sum; the best first."""
    view, found = view_of(scene), sums(view_of(scene))
    at = {"points": 500, **dict(zip(PARTS, (620, 720, 820), strict=True)), "total": 964}
    panel = Panel(canvas, (12, top, WIDTH - 12, top + 48), drawn=False)
    panel.words(10, 36, say(scene, "standing.would"), Type("words", 28), PAPER, room=410)
    panel.words(
        panel.width - at["points"] - 60,
        36,
        say(scene, "standing.now"),
        Type("quiet", 27),
        MUTE,
        room=120,
        end=True,
    )
    for part in PARTS:
        panel.icon(at[part], 26, part_sign(part, 30))
    panel.words(16, 36, say(scene, "standing.sum"), Type("quiet", 27), MUTE, room=150, end=True)
    best = max(one.total for one in found)
    for number, seat in enumerate(order(view)):
        one = found[seat]
        y = top + 52 + SEAT_ROW * number
        row = Panel(canvas, (12, y, WIDTH - 12, y + SEAT_ROW - 6), fill=RAISED if number % 2 else LACQUER)
        row.icon(38, 30, crest(HOUSE[seat], 20))
        row.words(74, 41, scene.names[seat], Type("words", 31), PAPER, room=370)
        row.figure(at["points"], 30, str(one.points), Type("words", 32), MUTE)
        for part in PARTS:
            row.figure(at[part], 30, f"+{getattr(one, part)}", Type("words", 32), PAPER)
        row.figure(at["total"], 30, str(one.total), Type("words", 42), GOLD if one.total == best else PAPER)
        if one.total == best:
            row.icon(at["total"] + 54, 30, marks.star_octagon(16))


def standing_words(scene: Scene) -> str:
    """The same in words: a line a seat, the best first, then a line a region."""
    view, found = view_of(scene), sums(view_of(scene))
    lines = []
    for seat in order(view):
        one = found[seat]
        lines.append(
            say(
                scene,
                "standing.seat",
                seat=seat,
                total=one.total,
                points=one.points,
                provinces=one.provinces,
                buildings=one.buildings,
                majorities=one.majorities,
            )
        )
    every = leads(view)
    for region in REGIONS:
        here = [
            say(
                scene, "standing.lead", building=building, seats=every[region, building].seats,
                most=every[region, building].most, points=every[region, building].points,
            )
            for building in BUILDINGS
            if (region, building) in every
        ]  # fmt: skip
        if here:
            lines.append(say(scene, "standing.region", region=region, leads=here))
    return "\n".join(lines)
