"""What is new on a Rokumon table since its viewer last looked: warriors, tiles, tokens, acts."""

from __future__ import annotations

from typing import NamedTuple

from engines.rokumon.data import CLANS
from engines.rokumon.model import RokumonView, SeenWarrior
from render.rokumon.words import is_ended, say, view_of
from render.scene import Scene, once
from render.words import joined


class News(NamedTuple):
    """What is new.

    placed  by cell, the places in its stack of the warriors that have come
    gone    by cell, the warriors that are not there any more, with their places in the stack
    tiles   where tiles were and where they are now
    spent   tokens turned down, by side
    begun   whether another act or battle was dealt
    """

    placed: dict[str, tuple[int, ...]]
    gone: dict[str, tuple[tuple[int, SeenWarrior], ...]]
    tiles: tuple[tuple[str, str], ...] = ()
    spent: tuple[int, int] = (0, 0)
    begun: bool = False


NOTHING = News({}, {})


@once
def news(scene: Scene) -> News:
    """What to mark: nothing without `since` or in a preview.

    The table of an act's end is compared with what was seen of that act, as is that of the game's end.
    """
    was, now = scene.since, view_of(scene)
    if not isinstance(was, RokumonView) or scene.action is not None:
        return NOTHING
    begun = (was.act, was.won, was.battles_won, was.ended) != (now.act, now.won, now.battles_won, now.ended)
    standing, dealt = now.tiles, begun and now.result is None
    if is_ended(scene):
        if now.ended is None or (was.act, was.ended) == (now.act, now.ended) or was.act != now.ended.act:
            return NOTHING
        standing, dealt = now.ended.tiles, False
    before = {} if dealt else {tile.pips: tile for tile in was.tiles}
    placed, gone, tiles = {}, {}, []
    for tile in standing:
        stood = before.get(tile.pips)
        stack = () if stood is None else stood.stack
        kept = alike(stack, tile.stack)
        if len(tile.stack) > kept:
            placed[tile.at] = tuple(range(kept, len(tile.stack)))
        if len(stack) > kept:
            gone[tile.at] = tuple(enumerate(stack))[kept:]
        if stood is not None and stood.at != tile.at:
            tiles.append((stood.at, tile.at))
    if is_ended(scene):
        return News(placed, gone, tuple(tiles))
    spent = tuple(max(0, now.revenge.of(side).down - was.revenge.of(side).down) for side in (0, 1))
    return News(placed, gone, tuple(tiles), (spent[0], spent[1]), begun)


def alike(before: tuple[SeenWarrior, ...], now: tuple[SeenWarrior, ...]) -> int:
    """How many warriors from the bottom on may be those that stood there."""
    for number, (old, new) in enumerate(zip(before, now, strict=False)):
        if old.clan != new.clan or (None not in (old.value, new.value) and old.value != new.value):
            return number
    return min(len(before), len(now))


def changes(scene: Scene) -> str:
    """The same in words."""
    seen, view = news(scene), view_of(scene)
    told = []
    if seen.begun and isinstance(scene.since, RokumonView):
        told += [
            say(scene, "news.won", clan=won.winner, act=won.act) for won in view.won[len(scene.since.won) :]
        ]
        if view.result is None:
            dealt = {"battle": view.battles_won + 1} if view.solo else {"act": view.act}
            told.append(say(scene, "news.battle" if view.solo else "news.act", **dealt))
    stacks = {tile.at: tile.stack for tile in view.tiles}
    come = [on(scene, at, stacks[at][place]) for at, places in seen.placed.items() for place in places]
    left = [on(scene, at, warrior) for at, ones in seen.gone.items() for _, warrior in ones]
    told += [say(scene, "news.placed", warriors=come)] if come else []
    told += [say(scene, "news.gone", warriors=left)] if left else []
    told += [say(scene, "news.tile", **{"from": start, "to": end}) for start, end in seen.tiles]
    for clan, count in zip(CLANS, seen.spent, strict=True):
        if count:
            told.append(say(scene, "news.spent", clan=clan, count=count))
    return joined(told)


def on(scene: Scene, at: str, warrior: SeenWarrior) -> str:
    """A warrior and where it stands or stood: by its value, where that may be known."""
    if warrior.value is None:
        return say(scene, "news.on", clan=warrior.clan, at=at)
    return say(scene, "news.on-value", clan=warrior.clan, value=warrior.value, at=at)


def moved_tiles(scene: Scene) -> tuple[tuple[str, str], ...]:
    """Tiles that were moved since, but for the one that the last action moved, which has its own arrow."""
    last = view_of(scene).last
    shown = {last.target} if last is not None and last.kind == "surprise" else set()
    return tuple((start, end) for start, end in news(scene).tiles if end not in shown)
