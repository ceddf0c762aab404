"""Cards of a hand, and the private part of a battle: the viewer's cards, blocks, what they would score."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from engines.protocol import Choice
from engines.sekigahara.battle import impact_of_all
from engines.sekigahara.data import BIDS, OWNER, Side, card_kind
from engines.sekigahara.model import BattleState, Deploy, Lose
from render import marks
from render import text as lines
from render.canvas import Canvas, Pen
from render.kept import kept
from render.panels import Panel, frame, pill
from render.scene import Scene
from render.sekigahara.pieces import block, card_face, card_parts
from render.sekigahara.places import previewed
from render.sekigahara.score import other
from render.sekigahara.words import say, term, view_of
from render.theme import GOLD, INK, LACQUER, LINE, MUTE, NIGHT, PAPER, SHU, SUMI, WIDTH, Type

CARDS = 486  # the height of the private part of a battle
NO_HAND, NO_BLOCKS = 250, 140  # by how much less without a card, or without anything below them
LARGE, SMALL = 242, 124  # a card's height
FEW = 5  # cards that fit into one row of large ones


def knows_more(scene: Scene, found: BattleState, own: Side) -> bool:
    """Whether the private part would show anything."""
    asked = scene.prompt is not None or scene.action is not None
    return asked or bool(view_of(scene).hand or undeployed(scene, found, own))


def own_tall(scene: Scene, found: BattleState, own: Side) -> int:
    """The height of the private part."""
    asked = scene.prompt is not None or scene.action is not None
    below = asked or undeployed(scene, found, own)
    return CARDS - (0 if view_of(scene).hand else NO_HAND) - (0 if below else NO_BLOCKS)


def own_part(canvas: Canvas, scene: Scene, found: BattleState, own: Side, top: int) -> None:
    """The viewer's hand, and below it his blocks there, or what the panel asks about them."""
    canvas.image.paste(NIGHT, (0, top, WIDTH, canvas.image.height))
    canvas.paste(marks.tape(WIDTH, 12, SUMI), 0, top)
    panel = Panel(canvas, (12, top + 12, WIDTH - 12, canvas.image.height), drawn=False)
    pill(panel, 8, 34, say(scene, "picture.private"), room=400)
    action = previewed(scene)
    chosen = action.card if isinstance(action, Deploy) else None
    hand = list(view_of(scene).hand or ())
    hand_rows(panel, scene, own, 66, hand, chosen)
    if not hand:  # what is below it moves up
        panel = Panel(canvas, (12, top + 12 - NO_HAND, WIDTH - 12, canvas.image.height), drawn=False)
    if isinstance(action, Deploy):
        options(panel, scene, found, own, [(action.card, list(action.blocks), score(found, own, action))])
    elif scene.prompt is not None and scene.prompt.code == "deploy-card":
        asked = [offer(choice) for choice in scene.prompt.choices]
        options(panel, scene, found, own, asked)
    else:
        blocks(panel, scene, found, own)


# -- the hand ---------------------------------------------------------------------------------


def hand_rows(
    panel: Panel, scene: Scene, own: Side, top: int, hand: list[str], chosen: str | None = None
) -> int:
    """The hand in one row of large cards or two of small ones; returns where it ends."""
    small = len(hand) > FEW
    rows = -(-len(hand) // 8) if small else 1
    if small and rows < 2:
        rows = 2
    per = -(-len(hand) // rows) if hand else 1
    width = min(196, (panel.width - 10 - 12 * (per - 1)) // per)
    tall = SMALL if small else LARGE
    for number, card in enumerate(hand):
        row, column = divmod(number, per)
        x, y = 6 + (width + 12) * column + width / 2, top + (tall + 8) * row + tall / 2
        picked = card == chosen
        if picked:
            chosen = None
        one_card(panel, scene, own, card, (x, y), (width, tall), picked=picked)
    return top + (tall + 8) * rows


def one_card(
    panel: Panel,
    scene: Scene,
    own: Side,
    card: str,
    middle: tuple[float, float],
    size: tuple[int, int],
    *,
    picked: bool,
) -> None:
    """A card with its daimyo, its kind and its bid; small ones have no words for the kind."""
    (x, y), (width, tall) = middle, size
    panel.icon(x, y, card_sprite(card, own, width, tall, picked=picked))
    daimyo, kind = card_parts(card)
    start = x - width / 2 + 12
    bid = BIDS[own].get(card)
    if tall == LARGE:
        panel.words(start, y + 59, term(scene, daimyo), Type("words", 27), INK, room=width - 22)
        what = say(scene, f"picture.card.{kind}")
        panel.words(start, y + 100, what, Type("quiet", 26), INK, room=width - 66)
        if bid is not None:
            panel.icon(x + width / 2 - 28, y + 92, number_disc(bid))
    else:
        panel.words(start, y + 50, term(scene, daimyo), Type("words", 26), INK, room=width - 20)
        if bid is not None:
            panel.icon(x - width / 2 + 28, y - tall / 2 + 28, number_disc(bid))


@kept
def card_sprite(card: str, side: str, width: int, tall: int, *, picked: bool) -> Image.Image:
    """A card of the hand without its words."""
    pen = Pen(width + 4, tall + 4)
    pen.box((0, 2, width + 4, tall + 4), 12, INK)
    pen.box((0, 0, width + 2, tall), 12, GOLD if picked else PAPER)
    image = pen.sprite()
    field = 140 if tall == LARGE else tall - 46
    image.alpha_composite(card_face(card, side, width - 10, field), (6, 6))
    return image


@kept
def number_disc(number: int) -> Image.Image:
    """What a card is worth as a bid."""
    pen = Pen(42, 42)
    pen.circle(21, 21, 20, INK)
    image = pen.sprite()
    lines.write_centred(image, 21, 21, str(number), Type("words", 26), PAPER)
    return image


# -- blocks and what they would score -----------------------------------------------------------


def blocks(panel: Panel, scene: Scene, found: BattleState, own: Side) -> None:
    """The viewer's blocks here that are not deployed; a ring where the panel offers one."""
    view = view_of(scene)
    faces = undeployed(scene, found, own)
    asked = offered(scene)
    action = previewed(scene)
    losing = list(action.blocks) if isinstance(action, Lose) else []
    if losing or (scene.prompt is not None and scene.prompt.code == "lose"):
        faces = list(view.map[found.at].faces or ())
    step = 76 if len(faces) <= 13 else (panel.width - 20) // len(faces)
    for number, face in enumerate(faces):
        x = 42 + step * number
        panel.icon(x, 404, block(face, 60 if step == 76 else step - 14))
        if face in asked:
            panel.icon(x, 404, ring(76 if step == 76 else step))
        if face in losing:
            losing.remove(face)
            panel.icon(x, 404, struck())


def offered(scene: Scene) -> set[str]:
    """The blocks that the panel asks about."""
    choices = scene.prompt.choices if scene.prompt is not None else ()
    named = [choice.params.get("blocks") or [choice.params.get("what") or choice.key] for choice in choices]
    return {str(face) for faces in named for face in faces}


def undeployed(scene: Scene, found: BattleState, own: Side) -> list[str]:
    """The viewer's blocks at the battle that nobody else has seen there."""
    faces = list(view_of(scene).map[found.at].faces or ())
    shown = [*found.deployed.get(own, ()), *found.deployed.get(other(own), ())]
    shown += found.pending.blocks if found.pending is not None else ()
    for face in shown:
        if face in faces:
            faces.remove(face)
    return faces


@lru_cache(maxsize=4)
def ring(size: int) -> Image.Image:
    """Round a block that may be picked."""
    pen = Pen(size, size + 6)
    pen.box((0, 0, size, size + 6), 12, "#FFFFFF")
    pen.box((4, 4, size - 4, size + 2), 9, None)
    return pen.sprite()


@lru_cache(maxsize=1)
def struck() -> Image.Image:
    """A block that will be lost."""
    pen = Pen(66, 66)
    pen.line([(6, 60), (60, 6)], INK, 12)
    pen.line([(6, 60), (60, 6)], SHU, 7)
    return pen.sprite()


def offer(choice: Choice) -> tuple[str | None, list[str], int]:
    """A choice of the panel: the card, the blocks, the score."""
    card = choice.params.get("what")
    return card and str(card), [str(f) for f in choice.params["blocks"]], int(choice.params["n"])


def score(found: BattleState, own: Side, action: Deploy) -> int:
    """What a deployment adds if it stands."""
    sword = action.card is not None and card_kind(action.card) == "sword" and not found.siege
    return impact_of_all(action.blocks, found.deployed.get(own, ()), sword=sword)


def options(
    panel: Panel, scene: Scene, found: BattleState, own: Side, offers: list[tuple[str | None, list[str], int]]
) -> None:
    """What may be deployed: blocks, the card, `+6 · 13:8`; a single one, to be confirmed, in gold."""
    single = scene.action is not None
    wide = (panel.width - 12 * 2) // 3
    for number, (card, faces, value) in enumerate(offers[:6]):
        row, column = divmod(number, 3)
        if len(offers) > 3:
            box = (wide + 12) * column, 346 + 60 * row, 56
        else:
            box = (wide + 12) * column, 348, 112
        option(panel, scene, box, wide, (card, faces, value), gold=single, total=_total(found, own, value))


def _total(found: BattleState, own: Side, value: int) -> str:
    return f"{found.impact.get(own, 0) + value}:{found.impact.get(other(own), 0)}"


def option(
    panel: Panel,
    scene: Scene,
    box: tuple[float, float, int],
    wide: int,
    offered: tuple[str | None, list[str], int],
    *,
    gold: bool,
    total: str,
) -> None:
    """One offer: its blocks, its score with the state of the battle after it, its card in words."""
    (start, top, tall), (card, faces, value) = box, offered
    edge = (GOLD, 4) if gold else (LINE, 2)
    panel.icon(start + wide / 2, top + tall / 2, frame(wide, tall, LACQUER, *edge))
    size = 60 if tall > 80 else 40
    for number, face in enumerate(faces):
        panel.icon(start + 44 + (size + 8) * number, top + tall / 2, block(face, size))
    words = start + 30 + (size + 10) * max(1, len(faces))
    line = f"+{value} · {total}"
    room = wide - (words - start) - 12
    if tall <= 80:
        if card is not None:
            panel.icon(start + wide - 50, top + tall / 2, card_face(card, OWNER[faces[0]], 76, 44))
        panel.words(words, top + 37, line, Type("words", 27), PAPER, room=room - 84)
        return
    panel.words(words, top + 50, line, Type("words", 32), PAPER, room=room)
    name = say(scene, "picture.no-card") if card is None else term(scene, card)
    panel.words(words, top + 86, name, Type("quiet", 26), MUTE, room=room)
