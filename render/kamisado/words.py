"""Kamisado in words: lines in the picture, the caption below it, alt text, the board read aloud."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from engines.kamisado.data import COLOR_OF, SIDES, Color, Side
from engines.kamisado.foresight import Answer, answer_to, loses, losing
from engines.kamisado.model import KamisadoView, Tower
from engines.kamisado.rules import refilled
from engines.protocol import Seen
from render.scene import Scene
from render.words import joined, shorten

MOST_ALT = 990
SAYS_SIDES = frozenset({"started", "started-series"})  # events whose words say who plays Black
ENDED = "ended"  # the layer of a round's end


def view_of(scene: Scene) -> KamisadoView:
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


def is_preview(scene: Scene) -> bool:
    """Whether this is a panel's picture, for its player alone."""
    return scene.prompt is not None or scene.action is not None


def answer(scene: Scene) -> Answer | None:
    """What the action to confirm forces, where it may be told."""
    if scene.action is None or scene.help == "none":
        return None
    return answer_to(view_of(scene), scene.action)


def at_the_end(scene: Scene) -> Scene | None:
    """The end of the round of a series, where this step began the next one: the layer `ended`."""
    view = view_of(scene)
    if view.ended is None or all(event.code != "next-round" for event in scene.events):
        return None
    shown = {
        "round": view.ended.round,
        "towers": view.ended.towers,
        "last": view.ended.last,
        "phase": "over",
        "winner": view.ended.winner,
        "to_act": None,
        "to_move": None,
        "targets": (),
    }
    return replace(scene, view=view.model_copy(update=shown), layer=ENDED, since=None)


# -- in the picture ------------------------------------------------------------------------


def title(scene: Scene) -> tuple[str, str]:
    """The round, and the points that win."""
    view = view_of(scene)
    under = say(scene, "picture.target", points=view.target)
    if scene.table is not None:
        under = f"{under} · #{scene.table}"
    return say(scene, "picture.round", round=view.round), under


def now_line(scene: Scene) -> str:
    """What is to be done now, in a few words; in a preview, what is asked or what would follow."""
    view = view_of(scene)
    if scene.action is not None:
        return preview_line(scene)
    if scene.layer == ENDED and view.winner is not None:
        return say(scene, "picture.round-won", side=view.winner, round=view.round)
    if view.winner is not None:
        return say(scene, "picture.over", winner=SIDES.index(view.winner))
    if view.to_act is None:
        return say(scene, "picture.nobody")
    if view.phase == "fill":
        rank = 1 if view.to_move == "white" else 8
        left, right = (f"a{rank}", f"h{rank}") if view.to_move == "white" else (f"h{rank}", f"a{rank}")
        return say(scene, "picture.fill", side=view.to_move, left=left, right=right)
    side, color = next_mover(scene)
    return say(scene, "picture.forced" if color else "picture.first", side=side, color=color)


def next_mover(scene: Scene) -> tuple[Side | None, Color | None]:
    """The side and the tower to move; in a preview after the picks, or after the action to confirm."""
    view, step = view_of(scene), step_of(scene.action)
    if step is None:
        picked = [t.color for t in view.towers if scene.picked and t.square in scene.picked[0].marks]
        return view.to_move or view.winner, view.forced or (picked[0] if picked else None)
    following = answer(scene)
    if following is not None:
        return following.side, following.color
    return view.to_move, next((t.color for t in view.towers if t.square == step[0]), None)


def preview_line(scene: Scene) -> str:
    """What the action to confirm would lead to; what it is, where no more may be told."""
    view, action = view_of(scene), scene.action or ""
    step = step_of(action)
    if step is None:
        return say(scene, f"picture.would-{action.replace(' ', '-')}")
    if any(target.wins for target in view.targets if (target.from_, target.to) == step[:2]):
        return say(scene, "picture.would-win")
    following = answer(scene)
    if following is not None:
        key = "picture.would-push" if following.again else "picture.would-move"
        return say(scene, key, side=following.side, color=following.color)
    if scene.help != "none" and loses(view, action):
        return say(scene, "picture.would-lose")
    color = next((tower.color for tower in view.towers if tower.square == step[0]), None)
    return say(scene, "picture.would", color=color, **{"from": step[0], "to": step[1]})


def under_line(scene: Scene) -> tuple[str, bool]:
    """The second line of the foot, and whether it is of a danger: what would follow, else the last move."""
    if scene.action is not None:
        following = answer(scene)
        return ("", False) if following is None else follow_line(scene, following)
    view = view_of(scene)
    starts = {t.from_ for t in view.targets}
    if len(starts) != 1:
        starts &= {mark for choice in scene.picked for mark in choice.marks}
    if scene.prompt is not None and scene.help == "full" and len(starts) == 1 and losing(view, *starts):
        other = SIDES[1 - SIDES.index(view.to_move or "black")]
        return say(scene, "picture.risky", side=other), True
    return last_line(scene), False


def follow_line(scene: Scene, following: Answer) -> tuple[str, bool]:
    """Where the tower that must be moved next would win, and whether that is a danger."""
    if scene.help != "full":
        return scene.words.plural("kamisado.picture.reach", len(following.targets)), False
    if not following.wins:
        return ("" if following.again else say(scene, "picture.safe", side=following.side)), False
    key = "picture.chance" if following.again else "picture.threat"
    return say(scene, key, side=following.side, squares=list(following.wins)), not following.again


def step_of(action: str | None) -> tuple[str, str, bool] | None:
    """From, to, and whether it pushes, of a move's canonical text; None for other actions."""
    if (
        action
        and len(action) == 5
        and action[2] in "-x"
        and action[:2] in COLOR_OF
        and action[3:] in COLOR_OF
    ):
        return action[:2], action[3:], action[2] == "x"
    return None


def pushed_from(view: KamisadoView, start: str, to: str) -> dict[str, str]:
    """Where each tower of the line goes that is pushed by a tower stepping from `start` to `to`."""
    taken = {tower.square for tower in view.towers}
    way = int(to[1]) - int(start[1])
    line, at = {}, to
    while at in taken:
        after = f"{at[0]}{int(at[1]) + way}"
        line[at] = after
        at = after
    return line


def previewed(scene: Scene) -> tuple[Tower, ...]:
    """The towers after the action to confirm, else as they stand. How a refill goes, the rules say."""
    view = view_of(scene)
    if scene.action in ("fill left", "fill right"):
        return refilled(view.towers, "left" if scene.action == "fill left" else "right")
    step = step_of(scene.action)
    if step is None:
        return view.towers
    start, to, push = step
    moved = {start: to, **(pushed_from(view, start, to) if push else {})}
    return tuple(t.model_copy(update={"square": moved.get(t.square, t.square)}) for t in view.towers)


def last_line(scene: Scene) -> str:
    """The last move, in a few words."""
    last = view_of(scene).last
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
    return joined([*happened(scene), *turn(scene)])


def happened(scene: Scene, named: Sequence[str] = ()) -> list[str]:
    """What happened, one sentence an event; without events the last move, if there was one.

    `named` are names for sentences that do not say themselves who plays what.
    """
    named = named or scene.names
    told = [
        scene.words.event("kamisado", event, scene.names if event.code in SAYS_SIDES else named)
        for event in scene.events
    ]
    last = view_of(scene).last
    if any(told) or last is None:
        return told
    seat = SIDES.index(last.owner)
    params: dict[str, object] = {"seat": seat, "tower": last.color, "from": last.from_, "to": last.to}
    params["color"] = COLOR_OF[last.to]
    if last.kind == "push":
        standing = {tower.square: tower.color for tower in view_of(scene).towers}
        pushed = [standing.get(square) for square in last.pushed]
        params.update(color=COLOR_OF[last.pushed[-1]], n=len(pushed), towers=pushed, squares=last.pushed)
    event = Seen(code="pushed" if last.kind == "push" else "moved", params=params)
    return [scene.words.event("kamisado", event, named)]


def turn(scene: Scene) -> list[str]:
    """Who is to act, with what, and where he would win."""
    view = view_of(scene)
    if view.winner is not None:
        return [] if scene.events else [say(scene, "caption.over", winner=SIDES.index(view.winner))]
    if view.to_act is None:
        return [say(scene, "caption.nobody")]
    if view.phase == "fill":
        return [say(scene, "caption.fill", seat=view.to_act)]
    wins = [target.to for target in view.targets if target.wins]
    if view.forced is None:
        told = {"started", "started-series", "filled", "next-round"} & {
            event.code for event in scene.events
        }  # these say it already
        return [] if told else [say(scene, "caption.first", seat=view.to_act)]
    square = next((t.square for t in view.towers if (t.owner, t.color) == (view.to_move, view.forced)), None)
    key = "caption.forced-wins" if wins else "caption.forced"
    return [say(scene, key, seat=view.to_act, color=view.forced, square=square, squares=wins)]


def alt(scene: Scene) -> str:
    """The picture in words, the change first: less than 1,000 characters."""
    named = replace(scene, names=with_roles(scene))
    parts = [*happened(scene, named.names), *turn(named)]
    if scene.action is not None:
        lines = [line for line in (now_line(scene), under_line(scene)[0]) if line]
        parts = [say(named, "alt.preview", line=lines[0]), *(sentence(scene, line) for line in lines[1:])]
    elif scene.prompt is not None:
        parts = [*turn(named), reach(scene)]
    parts.append(score(scene))
    parts += [towers(scene, side) for side in sides_in_order(scene)]
    return shorten(joined(parts), MOST_ALT)


def sentence(scene: Scene, phrase: str) -> str:
    """A picture's phrase with the full stop of its language."""
    return scene.words("words.sentence", phrase=phrase)


def score(scene: Scene) -> str:
    """The points of both, the round, the target."""
    view = view_of(scene)
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
    return tuple(sorted(SIDES, key=lambda side: side != view_of(scene).to_move))


def towers(scene: Scene, side: Side) -> str:
    """Where a side's towers stand."""
    own = [tower for tower in previewed(scene) if tower.owner == side]
    return say(scene, "alt.towers", side=side, towers=[tower_words(scene, tower) for tower in own])


def tower_words(scene: Scene, tower: Tower) -> str:
    """A tower's colour, square and teeth."""
    if not tower.teeth:
        return say(scene, "alt.tower", color=tower.color, square=tower.square)
    return scene.words.plural("kamisado.alt.tower-teeth", tower.teeth, color=tower.color, square=tower.square)


def describe(scene: Scene) -> str:
    """The whole board in words: change, turn, score, both sides' towers, where one may go."""
    named = replace(scene, names=with_roles(scene))
    lines = [joined(happened(scene, named.names)), joined(turn(named)), score(scene)]
    lines += [towers(scene, side) for side in sides_in_order(scene)]
    lines.append(reach(scene))
    return "\n".join(line for line in lines if line)


def reach(scene: Scene) -> str:
    """Where the tower may go that must move or was picked; "" where none is."""
    view = view_of(scene)
    picked = {mark for choice in scene.picked for mark in choice.marks}
    starts = {target.from_ for target in view.targets}
    if len(starts) != 1:
        starts &= picked
    found = sorted(
        (t for t in view.targets if t.from_ in starts), key=lambda t: (not t.wins, t.kind == "move", t.to)
    )
    if not found:
        return ""
    squares = [
        say(scene, "alt.push" if t.kind == "push" else "alt.target", square=t.to, color=COLOR_OF[t.to])
        for t in found
    ]
    return say(scene, "alt.targets", squares=squares)
