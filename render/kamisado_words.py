"""Kamisado in words: lines in the picture, the caption below it, alt text, the board read aloud."""

from __future__ import annotations

from typing import cast

from engines.base import Seen
from engines.kamisado.data import COLOR_OF, SIDES, Side
from engines.kamisado.model import KamisadoView, Tower
from render.scene import Scene
from render.words import joined, shorten

MOST_ALT = 990


def seen(scene: Scene) -> KamisadoView:
    """The scene's view, which is Kamisado's."""
    return cast(KamisadoView, scene.view)


def say(scene: Scene, key: str, /, **params: object) -> str:
    """A phrase of this game with the players' names."""
    return scene.words(f"kamisado.{key}", game="kamisado", names=scene.names, **params)


def with_roles(scene: Scene) -> tuple[str, ...]:
    """The players' names, each with its side: "Bence (Black)"."""
    return tuple(
        say(scene, "alt.player", name=name, side=side) for name, side in zip(scene.names, SIDES, strict=False)
    )


# -- in the picture ------------------------------------------------------------------------


def title(scene: Scene) -> tuple[str, str]:
    """The round, and the points that win."""
    view = seen(scene)
    under = say(scene, "picture.target", points=view.target)
    if scene.table is not None:
        under = f"{under} · #{scene.table}"
    return say(scene, "picture.round", round=view.round), under


def now_line(scene: Scene) -> str:
    """What is to be done now, in a few words; in a preview, what is asked or what would follow."""
    view = seen(scene)
    if scene.action is not None:
        return preview_line(scene)
    if view.winner is not None:
        return say(scene, "picture.over", winner=SIDES.index(view.winner))
    if view.to_act is None:
        return say(scene, "picture.nobody")
    key = "fill" if view.phase == "fill" else "forced" if view.forced else "first"
    return say(scene, f"picture.{key}", side=view.to_move, color=view.forced)


def preview_line(scene: Scene) -> str:
    """What the action to confirm would lead to."""
    view, action = seen(scene), scene.action or ""
    if action.startswith("fill"):
        return say(scene, f"picture.would-{action.replace(' ', '-')}")
    wins = any(t.wins for t in view.targets if action == f"{t.from_}-{t.to}")
    if wins:
        return say(scene, "picture.would-win")
    if action[2:3] == "-" and action[3:] in COLOR_OF and view.to_move is not None:
        rival = SIDES[1 - SIDES.index(view.to_move)]
        return say(scene, "picture.would-move", side=rival, color=COLOR_OF[action[3:]])
    if action[2:3] == "x" and view.to_move is not None:
        return say(scene, "picture.would-push", side=view.to_move)
    return say(scene, "picture.would-resign") if action == "resign" else action


def last_line(scene: Scene) -> str:
    """The last move, in a few words."""
    last = seen(scene).last
    if last is None:
        return ""
    if last.passes:
        return say(scene, "picture.blocked", color=last.passes[-1].color, square=last.passes[-1].square)
    params = {"color": last.color, "from": last.from_, "to": last.to, "onto": COLOR_OF[last.to]}
    if last.kind == "push":
        return say(scene, "picture.pushed", n=len(last.pushed), **params)
    return say(scene, "picture.moved", **params)


# -- around the picture ----------------------------------------------------------------------


def caption(scene: Scene) -> str:
    """What changed, whose turn it is, what is forced, and what wins now."""
    return joined([*changes(scene), *turn(scene)])


def changes(scene: Scene) -> list[str]:
    """What happened, one sentence an event; without events the last move, if there was one."""
    told = [scene.words.event("kamisado", event, scene.names) for event in scene.events]
    last = seen(scene).last
    if any(told) or last is None:
        return told
    seat = SIDES.index(last.owner)
    params = {
        "seat": seat,
        "tower": last.color,
        "from": last.from_,
        "to": last.to,
        "color": COLOR_OF[last.to],
    }
    if last.kind == "push":
        landed = last.pushed[-1:] or (last.to,)
        params |= {"color": COLOR_OF[landed[0]], "n": len(last.pushed), "squares": list(last.pushed)}
    return [
        scene.words.event(
            "kamisado", Seen(code=f"{last.kind}ed".replace("ee", "e"), params=params), scene.names
        )
    ]


def turn(scene: Scene) -> list[str]:
    """Who is to act, with what, and where he would win."""
    view = seen(scene)
    if view.winner is not None:
        return [] if scene.events else [say(scene, "caption.over", winner=SIDES.index(view.winner))]
    if view.to_act is None:
        return [say(scene, "caption.nobody")]
    if view.phase == "fill":
        return [say(scene, "caption.fill", seat=view.to_act)]
    wins = [target.to for target in view.targets if target.wins]
    if view.forced is None:
        return [say(scene, "caption.first", seat=view.to_act)]
    square = next((t.square for t in view.towers if (t.owner, t.color) == (view.to_move, view.forced)), None)
    key = "caption.forced-wins" if wins else "caption.forced"
    return [say(scene, key, seat=view.to_act, color=view.forced, square=square, squares=wins)]


def alt(scene: Scene) -> str:
    """The picture in words, the change first: less than 1,000 characters."""
    named = Scene(**{**scene.__dict__, "names": with_roles(scene)})
    parts = [*changes(named), *turn(named)]
    if scene.action is not None or scene.prompt is not None:
        parts = [say(named, "alt.preview", line=now_line(scene))]
    parts.append(score(scene))
    parts += [towers(scene, side) for side in sides_in_order(scene)]
    return shorten(joined(parts), MOST_ALT)


def score(scene: Scene) -> str:
    """The points of both, the round, the target."""
    view = seen(scene)
    return say(
        scene,
        "alt.score",
        black=0,
        white=1,
        black_points=view.score.black,
        white_points=view.score.white,
        round=view.round,
        target=view.target,
    )


def sides_in_order(scene: Scene) -> tuple[Side, ...]:
    """The side to move first."""
    return tuple(sorted(SIDES, key=lambda side: side != seen(scene).to_move))


def towers(scene: Scene, side: Side) -> str:
    """Where a side's towers stand."""
    own = [tower for tower in seen(scene).towers if tower.owner == side]
    return say(scene, "alt.towers", side=side, towers=[tower_words(scene, tower) for tower in own])


def tower_words(scene: Scene, tower: Tower) -> str:
    """A tower's colour, square and teeth."""
    if not tower.teeth:
        return say(scene, "alt.tower", color=tower.color, square=tower.square)
    return scene.words.plural("kamisado.alt.tower-teeth", tower.teeth, color=tower.color, square=tower.square)


def describe(scene: Scene) -> str:
    """The whole board in words: change, turn, score, both sides' towers, where one may go."""
    view = seen(scene)
    named = Scene(**{**scene.__dict__, "names": with_roles(scene)})
    lines = [joined(changes(named)), joined(turn(named)), score(scene)]
    lines += [towers(scene, side) for side in sides_in_order(scene)]
    starts = {target.from_ for target in view.targets}
    if len(starts) == 1:
        squares = [
            say(scene, "alt.target", square=t.to, color=COLOR_OF[t.to])
            for t in sorted(view.targets, key=lambda t: (not t.wins, t.to))
        ]
        lines.append(say(scene, "alt.targets", squares=squares, color=view.forced))
    return "\n".join(line for line in lines if line)
