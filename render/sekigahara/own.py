"""What only the viewer knows, on his own map: his hand, his box, or the blocks of the chosen stack."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from PIL import Image

from engines.sekigahara.data import BIDS, Side
from engines.sekigahara.model import Bid, Discard, March, Mori, Move, Muster
from render import marks
from render import text as lines
from render.canvas import Box, Canvas, Pen
from render.kept import kept
from render.panels import Panel
from render.scene import Scene
from render.sekigahara.pieces import block, card_face
from render.sekigahara.places import previewed, ticked
from render.sekigahara.words import own_side, say, view_of
from render.theme import GOLD, INK, MUTE, NIGHT, PAPER, WIDTH, Type

STRIP = 104  # the height of the strip below a part of the map


def chosen_origin(scene: Scene) -> str | None:
    """Where the stack stands that the panel asks about or whose march is to be confirmed."""
    action = previewed(scene)
    if isinstance(action, March):
        return action.origin
    if scene.prompt is None or not scene.prompt.code.startswith("march"):
        return None
    picked = [choice.marks[0] for choice in scene.picked if len(choice.marks) == 1]
    return picked[0] if picked else None


def going(scene: Scene) -> Counter[str]:
    """The blocks that were picked to march."""
    action = previewed(scene)
    if isinstance(action, March):
        return Counter(action.blocks)
    whole = [choice.params["blocks"] for choice in scene.picked if choice.code == "march-all"]
    if whole and isinstance(whole[0], list):
        return Counter(str(face) for face in whole[0])
    return Counter(
        choice.key.partition(".")[0]
        for choice in scene.picked
        if choice.code in ("block", "block-of") and not choice.marks
    )


def paid(scene: Scene) -> Counter[str]:
    """The cards that the action to confirm spends."""
    action = previewed(scene)
    if isinstance(action, Bid):
        return Counter([action.card])
    if isinstance(action, Discard | Move | Mori):
        return Counter(action.cards)
    if isinstance(action, March) and action.force:
        return Counter([action.force])
    return Counter()


def shown(scene: Scene) -> tuple[str, list[tuple[Image.Image, bool]]]:
    """The title, and blocks or cards large enough to read, each with whether it is chosen; see `content`."""
    title, kind, names, picked = content(scene)
    side = own_side(scene)
    if side is None:
        return "", []
    found = []
    left = Counter(picked)
    for name in names:
        taken = left[name] > 0
        left[name] -= taken
        image = small_card(name, side, picked=taken) if kind == "card" else own_block(name, picked=taken)
        found.append((image, taken))
    return title, found


def content(scene: Scene) -> tuple[str, str, Sequence[str], Counter[str]]:
    """The title, `block` or `card`, what is shown, and what of it is chosen."""
    view = view_of(scene)
    at = chosen_origin(scene)
    if at is not None and view.map[at].faces:
        faces = view.map[at].faces or ()
        chosen = going(scene)
        total = chosen.total() or len(faces)
        return say(scene, "picture.stack", at=at, n=total), "block", faces, chosen
    action = previewed(scene)
    code = scene.prompt.code if scene.prompt is not None else ""
    if code.startswith("muster") or isinstance(action, Muster):
        chosen = Counter(action.blocks) if isinstance(action, Muster) else Counter()
        return say(scene, "hand.box"), "block", view.box or (), chosen
    return say(scene, "picture.your-hand"), "card", view.hand or (), paid(scene)


@kept
def own_block(face: str, *, picked: bool) -> Image.Image:
    """A block, gold-edged where it was chosen."""
    image = Image.new("RGBA", (66, 70))
    if picked:
        pen = Pen(66, 70)
        pen.box((0, 0, 66, 70), 12, GOLD)
        pen.box((4, 4, 62, 66), 9, NIGHT)
        image = pen.sprite()
    inside = block(face, 52)
    image.alpha_composite(inside, ((66 - inside.width) // 2, (70 - inside.height) // 2))
    return image


@kept
def small_card(card: str, side: Side, *, picked: bool) -> Image.Image:
    """A card: its field, and what it is worth as a bid."""
    pen = Pen(66, 84)
    pen.box((0, 0, 66, 84), 8, INK)
    pen.box((1, 1, 65, 83), 7, GOLD if picked else PAPER)
    image = pen.sprite()
    bid = BIDS[side].get(card)
    tall = 46 if bid is not None else 76
    image.alpha_composite(card_face(card, side, 58, tall), (4, 4))
    if bid is not None:
        lines.write_centred(image, 33, 66, str(bid), Type("words", 27), INK)
    return image


def corner(canvas: Canvas, scene: Scene, box: tuple[int, int, int, int]) -> None:
    """The panel on the whole map's sea: the movement phase in a line, then what `shown` gives.

    It is as tall as that needs, from the bottom of the box up.
    """
    title, images = shown(scene)
    moving = view_of(scene).march is not None and view_of(scene).phase in ("move", "march")
    top = 72 if moving else 8
    left, above, right, bottom = box
    tall = rows_tall(images, bottom - above - top - 46, right - left - 20)
    panel = Panel(
        canvas, (left, max(above, bottom - top - 46 - tall), right, bottom), fill=NIGHT, afloat=True
    )
    if moving:
        movement_lines(panel, scene)
    panel.icon(28, top + 18, marks.eye(30, GOLD, NIGHT))
    panel.words(52, top + 27, title, Type("words", 26), GOLD, room=panel.width - 66)
    rows(panel, images, top + 38, panel.height - top - 46, panel.width - 20)


def rows(
    panel: Panel, images: Sequence[tuple[Image.Image, bool]], top: float, tall: float, wide: float
) -> None:
    """Sprites in as many rows as there is room for, shrunk or lapped where they are many."""
    if not images:
        panel.words(14, top + 30, "–", Type("words", 28), MUTE, room=40)
        return
    sprite = images[0][0]
    lanes, best = lanes_of(len(images), sprite, tall, wide)
    per = -(-len(images) // lanes)
    step, row_tall = (sprite.width + 3) * best, (sprite.height + 3) * best
    for number, (image, _) in enumerate(images):
        row, column = divmod(number, per)
        fitted = image if best == 1 else smaller(image, best)
        panel.icon(10 + step * (column + 0.5), top + row_tall * (row + 0.5), fitted)


def rows_tall(images: Sequence[tuple[Image.Image, bool]], tall: float, wide: float) -> int:
    """How much of the room in height `rows` takes."""
    if not images:
        return 38
    sprite = images[0][0]
    lanes, best = lanes_of(len(images), sprite, tall, wide)
    return min(math.ceil(tall), math.ceil((sprite.height + 3) * best) * lanes + 2)


def lanes_of(count: int, sprite: Image.Image, tall: float, wide: float) -> tuple[int, float]:
    """In how many rows so many sprites are largest, and at what part of their size."""
    best = min(1.0, tall / sprite.height)
    lanes = 1
    for number in (1, 2, 3, 4):
        per = -(-count // number)
        size = min(1.0, wide / (per * (sprite.width + 3)), (tall / number) / (sprite.height + 2))
        if number == 1 or size > best + 0.01:
            best, lanes = size, number
    return lanes, best


def smaller(image: Image.Image, part: float) -> Image.Image:
    """A sprite reduced."""
    size = round(image.width * part), round(image.height * part)
    return image.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)


def strip(canvas: Canvas, scene: Scene, top: int) -> None:
    """The same in a strip below a part of the map."""
    canvas.image.paste(NIGHT, (0, top, WIDTH, top + STRIP))
    canvas.image.paste(GOLD, (0, top, WIDTH, top + 2))
    panel = Panel(canvas, (8, top + 2, WIDTH - 8, top + STRIP), drawn=False)
    title, images = shown(scene)
    panel.icon(28, 50, marks.eye(34, GOLD, NIGHT))
    panel.words(56, 60, title, Type("words", 28), GOLD, room=200)
    inner = Panel(canvas, (268, top + 2, WIDTH - 8, top + STRIP), drawn=False)
    rows(inner, images, 7, STRIP - 14, inner.width - 16)


def movement_lines(panel: Panel, scene: Scene) -> None:
    """The mode, the places activated, whether there was a muster: two lines."""
    march = view_of(scene).march
    if march is None:
        return
    most = {"none": 0, "minimal": 1, "limited": 3}.get(march.mode)
    used = len(march.activated)
    count = str(used) if most is None else f"{used} / {most}"
    panel.words(14, 34, say(scene, f"picture.mode.{march.mode}"), Type("words", 27), PAPER, room=290)
    length = panel.words(14, 34, count, Type("words", 27), PAPER, room=70, end=True)
    panel.icon(panel.width - 34 - length, 25, ticked())
    mustered = say(scene, "picture.mustered" if march.mustered else "picture.not-mustered")
    panel.words(14, 66, mustered, Type("quiet", 26), MUTE, room=panel.width - 28)


def box_of(box: tuple[int, int, int, int]) -> Box:
    """A panel's box as the labels keep out of it."""
    return box[0] - 4, box[1] - 4, box[2] + 4, box[3] + 4
