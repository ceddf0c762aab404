"""Tribute: the prize, every player's cards, and a sheet of one's own sealed bid."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from PIL import Image

from examples.tribute.engine.model import CARDS, ROLES, TributeView
from render.canvas import Canvas, palette
from render.names import named
from render.panels import Panel, ground, pill
from render.scene import Picture, Scene
from render.theme import GOLD, INK, LACQUER, LINE, MUTE, NIGHT, PAPER, SUMI, WASHI, WIDTH, Type
from render.words import joined, shorten

ROW, CARD = 118, 84
ALT = 990


@named(lambda _: ROLES)
def board(scene: Scene) -> Picture:
    """Who has what left, and the prize that is bid for."""
    view = view_of(scene)
    canvas = Canvas(ground(WIDTH, 200 + ROW * len(view.players), SUMI), rtl=scene.words.rtl)
    head = Panel(canvas, (16, 12, WIDTH - 16, 96))
    head.words(20, 54, prize_line(scene), Type("words", 34), PAPER, room=WIDTH - 80)
    for seat in range(len(view.players)):
        row(canvas, scene, seat, 108 + ROW * seat)
    foot = Panel(canvas, (16, canvas.image.height - 78, WIDTH - 16, canvas.image.height - 12))
    foot.words(20, 44, caption(scene), Type("words", 28), PAPER, room=WIDTH - 80)
    return Picture(canvas.png(colours()), "tribute.png", alt(scene))


@named(lambda _: ROLES)
def hand(scene: Scene) -> Picture | None:
    """The viewer's cards, the sealed one gold."""
    view = view_of(scene)
    if view.viewer is None:
        return None
    canvas = Canvas(ground(WIDTH, 330, NIGHT), rtl=scene.words.rtl)
    head = Panel(canvas, (16, 12, WIDTH - 16, 96))
    pill(head, 20, 42, say(scene, "sheet.own"), room=460)
    head.words(20, 54, prize_line(scene), Type("words", 30), PAPER, room=460, end=True)
    row(canvas, scene, view.viewer, 108)
    foot = Panel(canvas, (16, 240, WIDTH - 16, 318))
    foot.words(20, 48, own_line(scene), Type("words", 30), PAPER, room=WIDTH - 80)
    return Picture(canvas.png(colours()), "tribute-hand.png", shorten(own_line(scene), ALT))


def row(canvas: Canvas, scene: Scene, seat: int, top: int) -> None:
    """One player: name, points, cards left; what is sealed is told only by `bid`."""
    player = view_of(scene).players[seat]
    waits = view_of(scene).prize is not None and not player.sealed and not player.resigned
    panel = Panel(canvas, (16, top, WIDTH - 16, top + ROW - 12), active=waits)
    under = say(scene, "picture.points", house=ROLES[seat], points=player.points)
    panel.player(20, scene.names[seat], under, room=400, active=waits)
    for place, card in enumerate(CARDS):
        start = 470 + place * (CARD + 16)
        if card in player.hand:
            chosen = card == player.bid
            panel.figure(start, 54, str(card), Type("words", 46), GOLD if chosen else PAPER)
    if player.sealed:
        panel.words(20, 66, say(scene, "picture.sealed"), Type("words", 26), GOLD, room=120, end=True)


def caption(scene: Scene) -> str:
    """What happened, and who is waited for."""
    view = view_of(scene)
    told = [scene.words.event(scene.game, one, scene.names) for one in scene.events]
    waits = [
        seat
        for seat, player in enumerate(view.players)
        if view.prize is not None and not player.sealed and not player.resigned
    ]
    return joined([*told, say(scene, "caption.waits", seats=waits) if waits else ""])


def describe(scene: Scene) -> str:
    """The prize and every player in words."""
    players = [
        say(scene, "alt.player", seat=seat, points=player.points, cards=list(player.hand))
        for seat, player in enumerate(view_of(scene).players)
    ]
    return "\n".join([caption(scene), prize_line(scene), *players])


def alt(scene: Scene) -> str:
    """The whole board, the change first."""
    return shorten(describe(scene).replace("\n", " "), ALT)


def prize_line(scene: Scene) -> str:
    """What is bid for."""
    view = view_of(scene)
    if view.prize is None:
        return say(scene, "picture.over")
    if view.stake:
        return say(scene, "picture.prize-stake", prize=view.prize, stake=view.stake, left=view.left)
    return say(scene, "picture.prize", prize=view.prize, left=view.left)


def own_line(scene: Scene) -> str:
    """The viewer's own bid."""
    bid = view_of(scene).players[view_of(scene).viewer or 0].bid
    return say(scene, "sheet.none") if bid is None else say(scene, "sheet.bid", card=bid)


def view_of(scene: Scene) -> TributeView:
    """The scene's view."""
    return cast(TributeView, scene.view)


def say(scene: Scene, key: str, **params: object) -> str:
    """A message of this game."""
    return scene.words(f"{scene.game}.{key}", game=scene.game, names=scene.names, **params)


@lru_cache(maxsize=1)
def colours() -> Image.Image:
    """The fixed palette."""
    flat = (SUMI, LACQUER, LINE, PAPER, MUTE, WASHI, INK, GOLD, NIGHT)
    blends = [(PAPER, LACQUER, 20), (MUTE, LACQUER, 12), (GOLD, LACQUER, 16), (INK, GOLD, 12)]
    return palette(flat, blends)


__all__ = ["board", "caption", "describe", "hand"]
