"""What is new on a Kamisado board since its viewer last looked: moves, pushes, points."""

from __future__ import annotations

from typing import NamedTuple

from engines.kamisado.data import SIDES, Color, Side
from engines.kamisado.model import KamisadoView
from render.kamisado.words import ENDED, say, view_of
from render.scene import Scene
from render.words import joined


class Path(NamedTuple):
    """A tower that stands elsewhere than it did; `back` where it was pushed there."""

    owner: Side
    color: Color
    start: str
    end: str
    back: bool


class News(NamedTuple):
    """What is new: towers that moved in this round, points by seat, whether another round has begun."""

    paths: tuple[Path, ...] = ()
    points: tuple[int, int] = (0, 0)
    new_round: bool = False


def news(scene: Scene) -> News:
    """What to mark: nothing without `since`, in a preview, or at a round's end."""
    was, now = scene.since, view_of(scene)
    if not isinstance(was, KamisadoView) or scene.action is not None or scene.layer == ENDED:
        return News()
    points = (now.score.black - was.score.black, now.score.white - was.score.white)
    new_round = was.round != now.round
    return News(() if new_round else tuple(paths(was, now)), points, new_round)


def paths(was: KamisadoView, now: KamisadoView) -> list[Path]:
    """The towers that moved or were pushed."""
    stood = {(tower.owner, tower.color): tower.square for tower in was.towers}
    found = []
    for tower in now.towers:
        start = stood.get((tower.owner, tower.color))
        if start is not None and start != tower.square:
            up = int(tower.square[1]) - int(start[1])
            back = up < 0 if tower.owner == "white" else up > 0
            found.append(Path(tower.owner, tower.color, start, tower.square, back))
    return found


def changes(scene: Scene) -> str:
    """The same in words: what moved, what was pushed, points, a new round."""
    seen = news(scene)
    told = []
    for key, back in (("news.moved", False), ("news.pushed", True)):
        moved = [
            say(scene, "news.path", side=path.owner, color=path.color, **{"from": path.start, "to": path.end})
            for path in seen.paths
            if path.back == back
        ]
        if moved:
            told.append(say(scene, key, moves=moved))
    score = view_of(scene).score
    for seat, gained in enumerate(seen.points):
        if gained > 0:
            told.append(say(scene, "news.points", seat=seat, gained=gained, points=score.of(SIDES[seat])))
    if seen.new_round:
        told.append(say(scene, "news.round", round=view_of(scene).round))
    return joined(told)
