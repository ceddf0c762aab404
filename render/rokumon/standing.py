"""The standing of a story of Rokumon: who won which act, the revenge tokens, who would win now."""

from __future__ import annotations

from typing import Final

from engines.rokumon.data import ACTS, CLANS, Clan
from engines.rokumon.model import RokumonView
from render import marks
from render.canvas import Canvas
from render.panels import Panel
from render.rokumon import pieces
from render.rokumon.board import colours, player
from render.rokumon.words import say, sentence, title, view_of
from render.scene import Picture, Scene
from render.theme import GOLD, MUTE, PAPER, WIDTH, Type
from render.words import joined, shorten

HEAD, BLOCK, GAP, FOOT = 100, 268, 12, 76
LABEL: Final = Type("quiet", 31)


def standing(scene: Scene) -> Picture | None:
    """Both clans with the acts that they won and their tokens; None but in a story."""
    view = view_of(scene)
    if not view.story or view.solo:
        return None
    canvas = Canvas.blank(WIDTH, HEAD + 2 * (BLOCK + GAP) + FOOT, rtl=scene.words.rtl)
    top = Panel(canvas, (12, 0, WIDTH - 12, HEAD), drawn=False)
    top.words(12, 64, title(scene), Type("words", 42), PAPER, room=360)
    top.words(12, 62, say(scene, "standing.story"), LABEL, MUTE, room=640, end=True)
    for number, clan in enumerate(CLANS):
        block(canvas, scene, clan, HEAD + number * (BLOCK + GAP))
    foot = Panel(canvas, (12, canvas.image.height - FOOT, WIDTH - 12, canvas.image.height), drawn=False)
    foot.middle(44, verdict(scene), Type("words", 36), GOLD, room=foot.width - 24)
    return Picture(canvas.png(colours()), "rokumon-standing.png", shorten(standing_words(scene), 990))


def block(canvas: Canvas, scene: Scene, clan: Clan, top: int) -> None:
    """A clan: its player, its acts in order, its tokens."""
    view = view_of(scene)
    ahead = leader(view) == clan
    panel = Panel(canvas, (12, top, WIDTH - 12, top + BLOCK), active=ahead)
    panel.icon(72, 74, pieces.warrior(clan, None, 96))
    used = panel.words(142, 66, scene.words.term("rokumon", clan), Type("words", 44), PAPER, room=300)
    if ahead:
        panel.icon(142 + used + 40, 52, marks.star_octagon(24))
    panel.words(142, 112, player(scene, clan), Type("quiet", 34), MUTE, room=320)
    own = view.revenge.of(CLANS.index(clan))
    panel.words(24, 82, str(own.count), Type("words", 72), PAPER, room=90, end=True)
    step = min(66.0, 360 / max(1, own.count))
    for number in range(own.count):
        panel.icon(panel.width - 150 - step * number, 66, pieces.revenge(number < own.up, 64))
    won = [act.act for act in view.won if act.winner == clan]
    played = [act.act for act in view.won]
    for act in range(1, ACTS + 1):
        middle = 88 + (panel.width - 176) / (ACTS - 1) * (act - 1)
        if act in won:
            panel.icon(middle, 192, pieces.warrior(clan, None, 78))
        else:
            panel.icon(middle, 192, pieces.later(78, now=act == view.act and act not in played))
        panel.figure(middle, 250, str(act), Type("words", 30), PAPER if act in won else MUTE)


def leader(view: RokumonView) -> Clan | None:
    """The clan with fewer tokens, None where they are even."""
    sanada, tokugawa = view.revenge.sanada.count, view.revenge.tokugawa.count
    return None if sanada == tokugawa else "sanada" if sanada < tokugawa else "tokugawa"


def verdict(scene: Scene) -> str:
    """Who would win the story as it stands."""
    clan = leader(view_of(scene))
    return say(scene, "standing.even") if clan is None else say(scene, "standing.leads", clan=clan)


def standing_words(scene: Scene) -> str:
    """The same in words; "" but in a story."""
    view = view_of(scene)
    if not view.story or view.solo:
        return ""
    acts = [say(scene, "standing.act", act=won.act, clan=won.winner) for won in view.won]
    lines = [say(scene, "standing.acts", acts=acts)] if acts else []
    for side, clan in enumerate(CLANS):
        won = sum(act.winner == clan for act in view.won)
        lines.append(say(scene, "standing.side", clan=clan, won=won, n=view.revenge.of(side).count))
    return joined([sentence(scene, title(scene)), *lines, verdict(scene)])
