"""The Rokumon table: coin tiles, warriors in stacks, supplies and tokens; and a player's own sheet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from math import hypot

from PIL import Image

from engines.protocol import Prompt
from engines.rokumon.data import ACTS, BATTLES, CLANS, OPEN_FROM, SURPRISE_FROM, Clan, layout_of
from engines.rokumon.model import RokumonView, SeenTile, SeenWarrior, alike
from render import marks
from render.canvas import Canvas, Point, curve, palette, unit
from render.colour import mix
from render.kept import kept
from render.names import fitting
from render.panels import Panel, pill
from render.rokumon import pieces
from render.rokumon.fresh import moved_tiles, news
from render.rokumon.words import (
    After,
    action_line,
    after,
    alarming,
    alt,
    bout_now,
    dangers,
    decided_on,
    duel,
    fight_at,
    fight_line,
    hand_alt,
    is_ended,
    now_line,
    own_warriors,
    say,
    title,
    view_of,
    winners,
)
from render.scene import Picture, Scene
from render.theme import (
    FRAMED,
    GOLD,
    INK,
    LACQUER,
    LINE,
    MUTE,
    NIGHT,
    PAPER,
    ROKUMON,
    SHU,
    SHU_DARK,
    SUMI,
    WHITE,
    WIDTH,
    Type,
)

HEAD = 146
SIDE = 144  # a side's panel
BAND = 306  # the two warriors of a Fight, large
TALLEST_BOARD = 1350 - HEAD - 2 * SIDE - 4 * 12
NOW, NAME, SMALL = Type("words", 37), Type("words", 35), Type("quiet", 30)
THREAT = "#F28B7D"  # words of a danger, on dark
WAYS = ("way-", "put-")  # codes of choices that name where a warrior comes from, too
WIDEST = 226  # between two tiles of a row
AROUND = 8  # of a tile's sprite, empty at its sides and above: there the next tile's begins


@dataclass(frozen=True)
class Grid:
    """Where cells lie in the picture: they are placed so that every tile fits, wherever a Surprise put it.

    pitch is between two tiles of a row, `left` and `top` the middle of the first column and row.
    """

    square: bool
    pitch: float
    step: float
    left: float
    top: float
    column: int
    row: int

    def at(self, cell: str) -> Point:
        """The middle of a cell."""
        across = self.pitch if self.square else self.pitch / 2
        return (
            self.left + (ord(cell[0]) - self.column) * across,
            self.top + (int(cell[1:]) - self.row) * self.step,
        )

    @property
    def tile(self) -> int:
        """A tile's diameter."""
        return round(self.pitch) - 8

    @property
    def warrior(self) -> int:
        """A warrior's width."""
        return warrior_of(self.tile)


def warrior_of(tile: float) -> int:
    """A warrior's width on a tile of this diameter."""
    return max(pieces.LEAST_WARRIOR, round(tile * 0.37))


def grid_of(
    view: RokumonView, cells: set[str], top: float, most: float = TALLEST_BOARD
) -> tuple[Grid, float]:
    """The grid for these cells below `top`, at most `most` high, and how high it is."""
    columns = sorted(ord(cell[0]) for cell in cells)
    rows = sorted(int(cell[1:]) for cell in cells)
    square = view.layout == "square"
    wide = (columns[-1] - columns[0]) / (1 if square else 2) + 1
    high = rows[-1] - rows[0]
    pitch = min(WIDEST, (WIDTH - 24) / wide, (most - 36) / (high * 1.1 + 1))
    step = min(pitch * 1.16, (most - 36 - pitch) / high) if high else pitch
    left = WIDTH / 2 - (wide - 1) * pitch / 2
    height = high * step + pitch + 36
    grid = Grid(square, pitch, step, left, top + pitch / 2 + 10, columns[0], rows[0])
    return grid, height


def board(scene: Scene) -> Picture:
    """The table as the viewer sees it; with a prompt or an action, the preview of a panel."""
    return drawn(scene, band=False)


def focus(scene: Scene) -> Picture | None:
    """The table under the two warriors of a Fight, where it is one that everything is about."""
    at = fight_at(scene)
    fought = any(event.code in ("fight", "added", "fought", "fought-tie") for event in scene.events)
    if (
        at is None
        or ended(scene) is not None
        or (scene.action is None and scene.prompt is None and not fought)
    ):
        return None
    return replace(drawn(scene, band=True), filename="rokumon-fight.png")


def drawn(scene: Scene, *, band: bool) -> Picture:
    """The table; with a `band` the warriors of a Fight large above it."""
    if is_ended(scene):
        scene = replace(scene, view=at_the_end(view_of(scene)))
    view = view_of(scene)
    now = after(scene)
    private = view.viewer is not None
    above = BAND + 12 if band else 0
    room = TALLEST_BOARD - above
    grid, high = grid_of(view, cells_shown(scene, now), HEAD + above + 12 + SIDE + 12, room)
    height = round(HEAD + above + high + 2 * SIDE + 48)
    cloth = NIGHT if private else ROKUMON["table"]
    canvas = Canvas.blank(WIDTH, height, cloth, rtl=scene.words.rtl)
    head(canvas, scene, action_line if band and scene.action is not None else now_line)
    if band:
        arena(canvas, scene, HEAD + 12)
    side_panel(canvas, scene, "tokugawa", HEAD + above + 12)
    side_panel(canvas, scene, "sanada", height - SIDE - 12)
    for tile in now.tiles:
        lay(canvas, grid, tile, cloth)
    under(canvas, scene, grid, now)
    crossed = now.kind in ("move", "surprise") or bool(moved_tiles(scene))  # by arrows
    for tile in now.tiles:
        x, y = grid.at(tile.at)
        if crossed:
            canvas.centre(pieces.pips_again(tile.color, tile.pips, grid.tile), x, y)
        stack(canvas, scene, grid, tile)
    over(canvas, scene, grid, now, band=band)
    return Picture(canvas.png(colours()), "rokumon.png", alt(scene))


ENDS = frozenset({"act-won", "act-void", "battle-won", "battle-void"})


def ended(scene: Scene) -> Picture | None:
    """The table that an act or battle ended on, where this step dealt the next one."""
    if view_of(scene).result is not None or all(event.code not in ENDS for event in scene.events):
        return None
    return board_at_end(scene)


def board_at_end(scene: Scene) -> Picture:
    """The layer `ended`, under a name of its own: it is posted beside the new table."""
    drawn = board(replace(scene, layer="ended"))
    return replace(drawn, filename="rokumon-ended.png")


def at_the_end(view: RokumonView) -> RokumonView:
    """The view as it was when the last act or battle ended: its act and layout, nothing of the next one."""
    if view.ended is None:
        return view
    past = {"act": view.ended.act, "layout": layout_of(view.ended.act), "last": None, "locked": None}
    return view.model_copy(update={**past, "bound": None, "taroma": None})


def cells_shown(scene: Scene, now: After) -> set[str]:
    """Every cell that the picture must have room for."""
    view = view_of(scene)
    cells = {tile.at for tile in now.tiles} | set(marked(scene))
    if view.last is not None and view.last.kind == "surprise" and view.last.origin:
        cells.add(view.last.origin)
    if now.origin:
        cells.add(now.origin)
    cells.update(start for start, _ in moved_tiles(scene))
    return cells


def marked(scene: Scene) -> list[str]:
    """The cells that the panel offers: what is picked itself, or where a picked warrior could go."""
    prompt = scene.prompt
    if prompt is None or scene.action is not None or prompt.code in ("act", "battle", "waiting"):
        return []
    cells = [[choice.key] if is_cell(choice.key) else [*choice.marks] for choice in prompt.choices]
    return list(dict.fromkeys(chain.from_iterable(cells)))


def is_cell(mark: str) -> bool:
    """Whether a mark is a cell's name."""
    return len(mark) == 2 and mark[0].isalpha() and mark[1].isdigit()


@lru_cache(maxsize=1)
def colours() -> Image.Image:
    """The fixed palette: flat colours and the mixtures that soft edges need."""
    table = ROKUMON["table"]
    tiles = [ROKUMON["jade"], ROKUMON["gold"], ROKUMON["maru"]]
    clans = [ROKUMON["sanada"], ROKUMON["tokugawa"]]
    flat = [
        *ROKUMON.values(),
        *FRAMED,
        GOLD,
        WHITE,
        NIGHT,
        SHU,
        SHU_DARK,
        THREAT,
    ]
    flat += [mix(tile, INK, 0.35) for tile in tiles]
    blends = (
        [(tile, INK, 4) for tile in tiles]
        + [(clan, PAPER, 5) for clan in clans]
        + [(clan, INK, 2) for clan in clans]
    )
    blends += [(table, ink, 3) for ink in (INK, PAPER, WHITE, GOLD)] + [
        (LACQUER, word, 5) for word in (PAPER, MUTE, GOLD)
    ]
    blends += [(SUMI, word, 4) for word in (PAPER, MUTE, GOLD, LINE)] + [
        (NIGHT, word, 3) for word in (PAPER, GOLD, MUTE, INK)
    ]
    blends += [
        (INK, WHITE, 4),
        (INK, PAPER, 4),
        (INK, GOLD, 4),
        (SHU_DARK, PAPER, 4),
        (SHU, WHITE, 3),
        (SHU, PAPER, 3),
        (SUMI, THREAT, 4),
        (GOLD, WHITE, 2),
    ]
    blends += [
        (LACQUER, SHU_DARK, 2),
        (LACQUER, LINE, 2),
        (tiles[0], WHITE, 2),
        (tiles[1], WHITE, 2),
        (PAPER, GOLD, 2),
    ]
    blends += [(tile, clan, 2) for tile in tiles for clan in clans] + [
        (mix(t, INK, 0.35), table, 1) for t in tiles
    ]
    return palette(flat, chain(blends))


# -- head and sides ------------------------------------------------------------------------------


def head(canvas: Canvas, scene: Scene, said: Callable[[Scene], str]) -> None:
    """The act, who won the acts before it, and below what is `said` of what is to be done now."""
    private = view_of(scene).viewer is not None
    canvas.image.paste(SUMI, (0, 0, WIDTH, HEAD - (12 if private else 3)))
    if private:
        canvas.paste(marks.tape(WIDTH, 12, SUMI), 0, HEAD - 12)
    else:
        canvas.image.paste(GOLD, (0, HEAD - 3, WIDTH, HEAD))
    panel = Panel(canvas, (12, 0, WIDTH - 12, HEAD), drawn=False)
    used = panel.words(12, 54, title(scene), Type("words", 40), PAPER, room=300) + 42
    for medal in medals(scene):
        panel.icon(used + 18, 40, pieces.act_medal(medal))
        used += 46
    if private:
        pill(panel, 12, 40, say(scene, "picture.private"), room=panel.width - used - 30, end=True)
    elif scene.table is not None:
        panel.words(12, 52, f"#{scene.table}", SMALL, MUTE, room=160, end=True)
    room = panel.width - 24
    line = fitting(scene.names, lambda names: said(replace(scene, names=names)), NOW, room)
    panel.words(12, 112, line, NOW, THREAT if alarming(scene) else GOLD, room=room)


def medals(scene: Scene) -> list[str]:
    """One medal an act or battle: who won it, the one that is played, those to come."""
    view = view_of(scene)
    if view.solo:
        human = view.clans[0]
        now = [] if view.result is not None or is_ended(scene) else ["now"]
        row = [human] * view.battles_won + now
        return (row + ["later"] * BATTLES)[:BATTLES]
    if not view.story:
        return []
    winners = {won.act: won.winner for won in view.won}  # of act 6 the last replay
    over = view.result is not None or (is_ended(scene) and view.ended is not None and view.ended.winner)
    current = {} if over else {view.act: "now"}
    by_act: dict[int, str] = {**winners, **current}
    return [by_act.get(act, "later") for act in range(1, ACTS + 1)]


def side_panel(canvas: Canvas, scene: Scene, clan: Clan, top: int) -> None:
    """A side: its crest and player, supply, revenge tokens, Surprise."""
    view = view_of(scene)
    now = after(scene)
    running = view.phase != "over" and not is_ended(scene)
    active = view.to_move == clan and running
    panel = Panel(canvas, (12, top, WIDTH - 12, top + SIDE), active=active)
    panel.icon(50, 50, pieces.warrior(clan, None, 66))
    used = panel.words(96, 46, scene.words.term("rokumon", clan), NAME, PAPER, room=214)
    if active:
        panel.to_act(96 + used + 22, 35)
    elif clan in winners(scene):
        panel.icon(96 + used + 30, 36, marks.star_octagon(20))
    panel.words(96, 87, player(scene, clan), SMALL, MUTE, room=252)
    if view.bound == clan and running:
        panel.words(96, 127, say(scene, "picture.bound"), SMALL, GOLD, room=252)
    elif view.solo and clan not in view.clans and view.taroma:
        step = scene.words.term("rokumon", view.taroma)
        panel.words(96, 127, step, Type("words", 30), GOLD, room=252)
    supply(panel, scene, clan, now)
    tokens(panel, scene, clan)
    if view.act >= SURPRISE_FROM and not is_ended(scene):
        panel.words(16, 44, say(scene, "picture.surprise"), SMALL, MUTE, room=152, end=True)
        panel.icon(panel.width - 70, 98, pieces.surprise_arrow(view.surprised.of(CLANS.index(clan))))


def player(scene: Scene, clan: Clan) -> str:
    """The name of the player who leads a clan."""
    clans = view_of(scene).clans
    if clan not in clans:
        return scene.words.term("rokumon", "taroma")
    return scene.names[clans.index(clan)]


def supply(panel: Panel, scene: Scene, clan: Clan, now: After) -> None:
    """The warriors that are not on the table."""
    if is_ended(scene):  # it is not known any more
        return
    panel.words(366, 44, say(scene, "picture.supply"), SMALL, MUTE, room=200)
    values = now.supply[CLANS.index(clan)]
    for number, value in enumerate(values):
        panel.icon(398 + 67 * number, 98, pieces.warrior(clan, value, 60))
    if not values:
        panel.words(366, 108, say(scene, "picture.none"), SMALL, MUTE, room=200)


def tokens(panel: Panel, scene: Scene, clan: Clan) -> None:
    """Revenge tokens, those face up first; many are laid over each other."""
    view = view_of(scene)
    own = view.revenge.of(CLANS.index(clan))
    if view.solo:
        return
    used = panel.words(716, 44, say(scene, "picture.revenge"), SMALL, MUTE, room=140)
    if spent := news(scene).spent[CLANS.index(clan)]:
        panel.icon(716 + used + 40, 34, pieces.gain(f"\u2212{spent}"))
    step = min(64.0, 116 / max(1, own.count - 1))
    for number in reversed(range(own.count)):
        panel.icon(746 + step * number, 98, pieces.revenge(number < own.up))
    if not own.count:
        panel.words(716, 108, say(scene, "picture.none"), SMALL, MUTE, room=180)


# -- the table --------------------------------------------------------------------------------------


def lay(canvas: Canvas, grid: Grid, tile: SeenTile, cloth: str) -> None:
    """A tile on the empty table: with the cloth around it, which reaches no other tile."""
    image, (x, y) = laid(tile.color, tile.pips, grid.tile, cloth), grid.at(tile.at)
    half = grid.tile / 2 + pieces.ROOM
    left, top = round(x - half) + AROUND, round(y - half) + AROUND
    canvas.paste(image, left, top)


@kept
def laid(color: str, pips: int, size: int, cloth: str) -> Image.Image:
    """A tile on cloth, in the palette: a fourth of its pixels' memory, and nothing that has to be mixed."""
    sprite = pieces.tile(color, pips, size)
    canvas = Canvas.blank(sprite.width - 2 * AROUND, sprite.height - AROUND, cloth)
    canvas.paste(sprite, -AROUND, -AROUND)
    return canvas.ground(colours())


def spots(count: int, size: float) -> list[Point]:
    """Where a stack's warriors lie around their tile's middle, bottom to top: lower ones left below.

    None of them lies on the tile's pips.
    """
    wide = warrior_of(size)
    low = 0.29 * size - wide / 2 - 13
    step = wide * (0.6 if count == 2 else 0.42)
    first = min(low, -0.045 * size + (count - 1) / 2 * step * 1.1)
    return [((n - (count - 1) / 2) * step, first - n * step * 1.1) for n in range(count)]


def stack(canvas: Canvas, scene: Scene, grid: Grid, tile: SeenTile) -> None:
    """The warriors on a tile; an eye on those that everybody knows, gold round those that are new."""
    view, fresh = view_of(scene), news(scene)
    x, y = grid.at(tile.at)
    gone = fresh.gone.get(tile.at, ())
    around = spots(max(len(tile.stack), *(place + 1 for place, _ in gone)) if gone else 0, grid.tile)
    for place, warrior in gone:
        if place >= len(tile.stack):
            dx, dy = around[place]
            canvas.centre(pieces.warrior_ghost(warrior.clan, grid.warrior), x + dx, y + dy)
    new = fresh.placed.get(tile.at, ())
    for place, (dx, dy) in enumerate(spots(len(tile.stack), grid.tile)):
        warrior = tile.stack[place]
        if place in new:
            canvas.centre(pieces.halo(warrior.clan, grid.warrior), x + dx, y + dy)
        canvas.centre(pieces.warrior(warrior.clan, warrior.value, grid.warrior), x + dx, y + dy)
        if warrior.known and warrior.value and view.act < OPEN_FROM:
            canvas.centre(marks.eye_medal(), x + dx + grid.warrior * 0.32, y + dy - grid.warrior * 0.4)


def under(canvas: Canvas, scene: Scene, grid: Grid, now: After) -> None:
    """Between tiles and warriors: outlines, free cells, the last move."""
    colors = {tile.at: tile.color for tile in now.tiles}
    for cell in marked(scene):
        if cell in colors:
            canvas.centre(pieces.outline(colors[cell], grid.tile, WHITE, True), *grid.at(cell))
        else:
            canvas.centre(pieces.empty_cell(grid.tile, WHITE), *grid.at(cell))
            canvas.centre(pieces.plate(cell), *grid.at(cell))
    for cell in chosen(scene, now):
        if cell in colors:
            canvas.centre(pieces.outline(colors[cell], grid.tile, GOLD, False), *grid.at(cell))
    for cell in decided_on(scene):
        canvas.centre(pieces.outline(colors[cell], grid.tile, GOLD, False), *grid.at(cell))
    for start, end in moved_tiles(scene):
        canvas.centre(pieces.empty_cell(grid.tile, MUTE), *grid.at(start))
        marks.arrow(canvas, bowed(grid.at(start), grid.at(end), grid.tile * 0.6, 60.0), GOLD)
    if now.kind is not None:
        trace(canvas, grid, now)


def bowed(start: Point, end: Point, gap: float, bow: float) -> list[Point]:
    """A curve from one point to another that stops `gap` before it."""
    dx, dy = unit(end[0] - start[0], end[1] - start[1])
    bend = ((start[0] + end[0]) / 2 + dy * bow, (start[1] + end[1]) / 2 - dx * bow)
    dx, dy = unit(end[0] - bend[0], end[1] - bend[1])
    return curve(start, bend, (end[0] - dx * gap, end[1] - dy * gap))


def chosen(scene: Scene, now: After) -> list[str]:
    """The cells that were picked, or that the action to confirm ends on."""
    if scene.action is not None:
        return [now.target] if now.target else []
    return [choice.key for choice in scene.picked if is_cell(choice.key)]


def trace(canvas: Canvas, grid: Grid, now: After) -> None:
    """The last action, or the one to confirm: ghost and arrow."""
    if now.kind == "fight" or not now.target or now.clan is None:
        return
    ex, ey = grid.at(now.target)
    tiles = {tile.at: tile for tile in now.tiles}
    if now.kind == "deploy":
        line = [(ex + grid.tile * 0.02, ey - grid.tile * 0.56), (ex + grid.tile * 0.02, ey - grid.tile * 0.3)]
        if len(tiles[now.target].stack) > 1:
            return
    elif not now.origin:
        return
    else:
        sx, sy = grid.at(now.origin)
        dx, dy = unit(ex - sx, ey - sy)
        if now.kind == "surprise":
            canvas.centre(pieces.empty_cell(grid.tile, MUTE), sx, sy)
            begin, gap, bow = (sx + dx * grid.tile * 0.1, sy + dy * grid.tile * 0.1), grid.tile * 0.6, 74.0
        else:
            count = len(tiles[now.origin].stack) if now.origin in tiles else 0
            ox, oy = spots(count + 1, grid.tile)[-1]
            sx, sy = sx + ox, sy + oy
            tx, ty = spots(len(tiles[now.target].stack), grid.tile)[-1]
            ex, ey = ex + tx, ey + ty
            dx, dy = unit(ex - sx, ey - sy)
            canvas.centre(pieces.warrior_ghost(now.clan, grid.warrior), sx, sy)
            begin, gap, bow = (sx, sy), grid.warrior * 0.74, min(0.3 * hypot(ex - sx, ey - sy), 190.0)
        if outwards(grid, now, (sx, sy), (ex, ey)):
            bow = -bow
        line = bowed(begin, (ex, ey), gap, bow)
    marks.arrow(canvas, line)


def outwards(grid: Grid, now: After, start: Point, end: Point) -> bool:
    """Whether an arrow should bow to its right: away from the table's middle, above its own row's pips."""
    if abs(start[1] - end[1]) < grid.step / 2:
        return end[0] < start[0]
    spots_of = [grid.at(tile.at) for tile in now.tiles]
    mx = sum(x for x, _ in spots_of) / len(spots_of) - start[0]
    my = sum(y for _, y in spots_of) / len(spots_of) - start[1]
    return (end[0] - start[0]) * my - (end[1] - start[1]) * mx < 0


def over(canvas: Canvas, scene: Scene, grid: Grid, now: After, *, band: bool) -> None:
    """Above the warriors: names of cells, locks, fights, what wins and what loses, dangers."""
    view = view_of(scene)
    half = grid.tile / 2
    verdicts, values = outcomes(scene), duel(scene)
    fought = now.target if now.kind == "fight" and values else None
    threatened = dangers(scene).cells
    if fought and values and not band:  # clear of the plate of the tile to the right below
        x, y = grid.at(fought)
        badge = pieces.duel(*values)
        canvas.centre(badge, x + 6 - badge.width / 2, y + half + 12)
    for tile in now.tiles:
        x, y = grid.at(tile.at)
        canvas.centre(pieces.plate(tile.at), *plate_at(grid, tile.at))
        side = x + half - 14, y + half - 14
        if view.locked == tile.at and scene.action is None and not is_ended(scene):
            canvas.centre(marks.lock(), x + half - 16, y - half + 16)
        if verdicts.get(tile.at) == "wins":
            canvas.centre(marks.star_octagon(26), *side)
        elif verdicts.get(tile.at) == "loses":
            canvas.centre(pieces.warning(), *side)
        elif tile.at in threatened:
            canvas.centre(pieces.danger(), *side)
        elif view.phase != "over" and not is_ended(scene) and (tile.at == fought or may_fight(view, tile)):
            canvas.centre(marks.swords(25), *side)


def plate_at(grid: Grid, cell: str) -> Point:
    """The middle of the plate with a cell's name: at the tile's edge, clear of what stands on it."""
    x, y = grid.at(cell)
    half = grid.tile / 2
    return x - half + 24, y + min(20 - half, -0.045 * grid.tile - grid.warrior / 2 - 16)


def may_fight(view: RokumonView, tile: SeenTile) -> bool:
    """Two warriors, one of each side, in an act that has the Fight."""
    return view.act >= 3 and sorted(warrior.clan for warrior in tile.stack) == ["sanada", "tokugawa"]


def outcomes(scene: Scene) -> dict[str, str]:
    """For the cells that a panel offers, or that the action ends on: what wins or loses at once."""
    if scene.action is None:
        return offered(scene.prompt)
    now = after(scene)
    return {
        option.target: "wins" if option.wins else "loses" if option.loses else ""
        for option in view_of(scene).legal
        if (option.kind, option.origin, option.target) == (now.kind, now.origin, now.target)
    }


def offered(prompt: Prompt | None) -> dict[str, str]:
    """What wins or loses at once on the cells of a question; of several ways to one, what any or all do."""
    codes: dict[str, set[str]] = {}
    for choice in () if prompt is None else prompt.choices:
        if is_cell(choice.key):
            codes.setdefault(choice.key, set()).add(choice.code)
        elif choice.code.startswith(WAYS):
            codes.setdefault(choice.marks[-1], set()).add(choice.code.partition("-")[2])
    return {cell: "wins" if "wins" in some else min(some) for cell, some in codes.items() if fated(some)}


def fated(codes: set[str]) -> bool:
    """Whether any of them wins, or all lose."""
    return "wins" in codes or codes == {"loses"}


# -- a Fight, large ------------------------------------------------------------------------------------


def arena(canvas: Canvas, scene: Scene, top: int) -> None:
    """The two warriors of a Fight with the tokens added, and how it ends or may end."""
    at = fight_at(scene)
    values = duel(scene)
    if at is None or values is None:
        return
    panel = Panel(canvas, (12, top, WIDTH - 12, top + BAND), fill=SUMI)
    middle = panel.width / 2
    over_now, survivor = fight_end(scene)
    for side, clan in enumerate(CLANS):
        value, _, added = values[side].partition("+")
        x = middle + (-1, 1)[side] * 285
        known = None if value == "?" else value
        if survivor == clan:
            panel.icon(x, 118, pieces.halo(clan, 168))
        panel.icon(x, 118, pieces.warrior(clan, known, 168))
        if (survivor is not None and survivor != clan) or (over_now and survivor is None):
            panel.icon(x + 72, 182, pieces.returns())
        out = (-1, 1)[side] * 152
        if added:
            panel.icon(x + out, 118, pieces.plus(f"+{added}"))
        if survivor == clan:
            panel.icon(x - (-1, 1)[side] * 72, 182, marks.star_octagon(32))
    panel.icon(middle, 92, marks.swords(58))
    panel.icon(middle, 180, pieces.plate(at))
    line = fight_words(scene)
    if line:
        panel.middle(274, line, Type("words", 36), PAPER, room=panel.width - 40)


def fight_end(scene: Scene) -> tuple[bool, Clan | None]:
    """Whether a Fight's end is known, and the clan whose warrior stays; None where none does."""
    view, bout = view_of(scene), bout_now(scene)
    if bout is None:
        if view.phase == "revenge" or view.last is None or view.last.fought is None:
            return False, None
        return True, view.last.winner
    if scene.help == "none" or not bout.certain:
        return False, None
    return True, None if bout.survivor is None else CLANS["st".index(bout.survivor[0])]


def fight_words(scene: Scene) -> str:
    """What is said of the Fight below its warriors."""
    view, bout = view_of(scene), bout_now(scene)
    if bout is not None:
        return "" if scene.help == "none" else fight_line(scene, bout)
    last = view.last
    if view.phase == "revenge" or last is None or last.fought is None:
        return ""
    if last.winner is None:
        return say(scene, "picture.fight-tied")
    survivor = last.fought.of(CLANS.index(last.winner)).rstrip("!")
    return say(scene, "picture.fight-ended", survivor=survivor)


# -- the private sheet ---------------------------------------------------------------------------------


def hand(scene: Scene) -> Picture | None:
    """A player's warriors with their values and where they are; None in acts that hide nothing."""
    view = view_of(scene)
    if view.viewer is None or alike(view.act) or view.act >= OPEN_FROM:
        return None
    clan = view.clans[view.viewer]
    canvas = Canvas.blank(WIDTH, 450, NIGHT, rtl=scene.words.rtl)
    canvas.image.paste(SUMI, (0, 0, WIDTH, 92))
    canvas.paste(marks.tape(WIDTH, 12, SUMI), 0, 92)
    top = Panel(canvas, (12, 0, WIDTH - 12, 92), drawn=False)
    top.icon(50, 46, pieces.warrior(clan, None, 60))
    used = pill(top, 12, 46, say(scene, "picture.private"), room=400, end=True)
    line = say(scene, "picture.hand", clan=clan)
    top.words(100, 58, line, Type("words", 37), PAPER, room=top.width - used - 130)
    own = own_warriors(scene, clan)
    gap = 12
    each = (WIDTH - 24 - gap * (len(own) - 1)) / len(own)
    for number, (warrior, where) in enumerate(own):
        left = round(12 + number * (each + gap))
        card(canvas, scene, (left, 124, round(left + each), 438), warrior, where)
    return Picture(canvas.png(colours()), "rokumon-hand.png", hand_alt(scene))


def card(
    canvas: Canvas, scene: Scene, box: tuple[int, int, int, int], warrior: SeenWarrior, where: str | None
) -> None:
    """One warrior: its value, and the cell it stands on, or the supply."""
    panel = Panel(canvas, box)
    panel.icon(panel.width / 2, 104, pieces.warrior(warrior.clan, warrior.value, 128))
    if warrior.known:
        panel.icon(panel.width / 2 + 58, 46, marks.eye_medal())
    place = where or say(scene, "picture.supply")
    panel.middle(226, place, Type("words", 38), PAPER if where else MUTE, room=panel.width - 16)
    note = say(scene, "picture.known") if warrior.known else say(scene, "picture.hidden")
    panel.middle(278, note, Type("quiet", 31), MUTE, room=panel.width - 16)
