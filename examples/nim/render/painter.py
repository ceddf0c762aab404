"""Nim: heaps of round stones, and the words below them."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from PIL import Image

from examples.nim.engine.model import ROLES, NimView
from render.canvas import Canvas, Pen, palette
from render.names import named
from render.panels import Panel, ground
from render.scene import Picture, Scene
from render.theme import GOLD, INK, LACQUER, LINE, MUTE, PAPER, SUMI, WASHI, WIDTH, Type
from render.words import joined, shorten

HEIGHT, TOP, RADIUS_OF_STONE = 760, 110, 34
ALT = 990


@named(lambda _: ROLES)
def board(scene: Scene) -> Picture:
    """The heaps; what a prompt offers has a gold ring."""
    view = cast(NimView, scene.view)
    canvas = Canvas(ground(WIDTH, HEIGHT, SUMI), rtl=scene.words.rtl)
    half = (WIDTH - 3 * 16) // 2
    for seat in range(2):
        left = 16 + seat * (half + 16)
        panel = Panel(canvas, (left, 12, left + half, 96), active=view.turn == seat)
        panel.player(
            20, scene.names[seat], say(scene, "term." + ROLES[seat]), room=half - 60, active=view.turn == seat
        )
    offered = {mark for choice in (scene.prompt.choices if scene.prompt else ()) for mark in choice.marks}
    for place, size in enumerate(view.heaps):
        left, width = 16 + place * (WIDTH - 32) // 3, (WIDTH - 32) // 3 - 12
        panel = Panel(canvas, (left, TOP, left + width, HEIGHT - 90), active=f"heap{place + 1}" in offered)
        panel.middle(
            54,
            say(scene, "picture.heap", heap=place + 1, stones=size),
            Type("words", 30),
            PAPER,
            room=width - 20,
        )
        for stone in range(size):
            x = panel.left + width / 2 + (-46 if stone % 2 else 46) * (size > 1)
            canvas.centre(pebble(), x, HEIGHT - 150 - stone // 2 * 84)
    foot = Panel(canvas, (16, HEIGHT - 78, WIDTH - 16, HEIGHT - 12))
    foot.words(20, 44, caption(scene), Type("words", 28), PAPER, room=WIDTH - 80)
    return Picture(canvas.png(colours()), "nim.png", shorten(describe(scene).replace("\n", " "), ALT))


def hand(scene: Scene) -> None:
    """Nothing is hidden: there is no private sheet."""


def caption(scene: Scene) -> str:
    """What happened, and whose turn it is."""
    view = cast(NimView, scene.view)
    told = [scene.words.event(scene.game, seen, scene.names) for seen in scene.events]
    turn = "" if view.turn is None else say(scene, "caption.turn", seat=view.turn)
    return joined([*told, turn])


def describe(scene: Scene) -> str:
    """Every heap, after what happened."""
    view = cast(NimView, scene.view)
    heaps = [say(scene, "picture.heap", heap=place, stones=size) for place, size in enumerate(view.heaps, 1)]
    return "\n".join([caption(scene), joined(f"{heap}." for heap in heaps)])


def say(scene: Scene, key: str, **params: object) -> str:
    """A message of this game."""
    return scene.words(f"{scene.game}.{key}", game=scene.game, names=scene.names, **params)


@lru_cache(maxsize=1)
def pebble() -> Image.Image:
    """One stone."""
    size = 2 * RADIUS_OF_STONE
    pen = Pen(size, size)
    pen.circle(RADIUS_OF_STONE, RADIUS_OF_STONE, RADIUS_OF_STONE - 2, WASHI, INK, 3)
    return pen.sprite()


@lru_cache(maxsize=1)
def colours() -> Image.Image:
    """The fixed palette."""
    flat = (SUMI, LACQUER, LINE, PAPER, MUTE, WASHI, INK, GOLD)
    return palette(
        flat,
        [(PAPER, LACQUER, 20), (MUTE, LACQUER, 12), (WASHI, INK, 12), (INK, LACQUER, 6), (GOLD, LACQUER, 12)],
    )


__all__ = ["board", "caption", "describe", "hand"]
