"""Shogun in words: lines in the picture, the caption below it, alt text, the board read aloud."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from engines.protocol import RulesError, Seat
from engines.shogun.data import BUILDINGS, PROVINCES, RICE_LOSS
from engines.shogun.model import Battle, ChooseSpecial, DraftCard, Move, PlanCards, Province, ShogunView
from engines.shogun.notation import parse_action
from engines.shogun.spoken import spoken
from render.scene import Scene
from render.shogun.narration import is_short, narrated
from render.shogun.plan import pending
from render.words import joined, shorten

MOST_ALT = 990
MOST_CAPTION = 1500
ALT_CHANGE = 480  # characters of an alt text for what happened
HOUSE = ("uesugi", "mori", "tokugawa", "takeda", "hashiba")


def view_of(scene: Scene) -> ShogunView:
    """The scene's view, which is Shogun's."""
    return cast(ShogunView, scene.view)


def say(scene: Scene, key: str, /, **params: object) -> str:
    """A phrase of this game with the players' names."""
    return scene.words(f"shogun.{key}", game="shogun", names=scene.names, **params)


def kind(event: str) -> str:
    """An event's kind: three of them exist on two cards each."""
    return event.removesuffix("_1").removesuffix("_2")


# -- in the picture ------------------------------------------------------------------------


def title(scene: Scene) -> str:
    """The year and the season, or that it is over."""
    view = view_of(scene)
    keys = {"over": "picture.end", "draft": "picture.draft"}
    key = keys.get(view.phase, "picture.season")
    line = say(scene, key, year=view.year, season=view.season)
    return f"{line} · #{scene.table}" if scene.table is not None else line


def now_line(scene: Scene) -> str:
    """Who has to do what, in a few words; in a preview the action to confirm."""
    view = view_of(scene)
    if scene.action is not None:
        return would(scene, scene.action)
    if view.phase == "over":
        return say(scene, "picture.over", seats=winners(view))
    if view.phase == "plan":
        return say(scene, "picture.plan", n=len(view.to_act), seats=view.to_act)
    if view.turn is None:
        return ""
    params: dict[str, object] = {"seat": view.turn, "house": HOUSE[view.turn]}
    if view.phase == "action":
        params["source"] = source(view)
        return say(scene, f"picture.{view.pending}", **params)
    return say(scene, f"picture.{view.phase}-turn", **params)


def would(scene: Scene, text: str) -> str:
    """The action to confirm, in words where the map shows it."""
    try:
        action = parse_action(text)
    except RulesError:
        return ""
    if isinstance(action, Battle | Move):
        view = view_of(scene)
        own = view.turn is not None and view.provinces[action.to].owner == view.turn
        kind_ = "move" if own else action.type
        return say(scene, f"picture.would-{kind_}", armies=action.armies, province=action.to)
    if isinstance(action, DraftCard) and action.card is not None:
        return say(scene, "picture.would-draft", armies=action.armies, province=action.card)
    if isinstance(action, ChooseSpecial):
        return say(scene, "picture.would-special", special=action.special)
    if isinstance(action, PlanCards):
        return say(scene, "picture.would-plan")
    said = [say(scene, f"action.{phrase.code}", **phrase.params) for phrase in spoken(view_of(scene), text)]
    return say(scene, "picture.would", action=joined(said)) if said else ""


def is_preview(scene: Scene) -> bool:
    """Whether the picture is a panel's, for its viewer alone."""
    return scene.prompt is not None or scene.action is not None


def is_private(scene: Scene) -> bool:
    """Whether the picture shows what only its viewer may see: his panel, or his plan."""
    return is_preview(scene) or bool(pending(view_of(scene)))


def ranked(view: ShogunView) -> list[Seat]:
    """Seats from the best: points, then chests; who resigned comes last."""

    def key(seat: Seat) -> tuple[bool, int, int]:
        player = view.players[seat]
        return player.passive, -player.points, -player.chests

    return sorted(range(len(view.players)), key=key)


def winners(view: ShogunView) -> list[Seat]:
    """Seats that have won: most points, then most chests, shared if both are equal."""
    order = ranked(view)
    best = view.players[order[0]]
    return sorted(
        seat
        for seat in order
        if not view.players[seat].passive
        and (view.players[seat].points, view.players[seat].chests) == (best.points, best.chests)
    )


def source(view: ShogunView) -> str | None:
    """The province whose card lies open for the seat to fight or move."""
    if view.phase != "action" or view.turn is None or view.pending is None:
        return None
    return view.players[view.turn].plan.get(view.actions[view.action_index])


def own_provinces(view: ShogunView, seat: Seat) -> list[str]:
    """A seat's provinces in the order of the data."""
    return [name for name, province in ordered(view) if province.owner == seat]


# -- around the picture ------------------------------------------------------------------------


def caption(scene: Scene) -> str:
    """What changed, by action and a line each where it is much, and who is to act."""
    now = turn(scene)
    lines = narrated(scene, MOST_CAPTION - len(now) - 2)
    if is_short(scene):
        return joined([*lines, now])
    return "\n".join(line for line in (*lines, now) if line)


def turn(scene: Scene) -> str:
    """Who is to do what."""
    view = view_of(scene)
    if view.phase == "over":
        return "" if scene.events else say(scene, "caption.over", seats=winners(view))
    if view.phase == "plan":
        return say(scene, "caption.plan", seats=view.to_act)
    if view.turn is None:
        return ""
    name = view.pending if view.phase == "action" else view.phase
    return say(scene, f"caption.{name}", seat=view.turn, source=source(view))


def alt(scene: Scene) -> str:
    """The picture in words, the change first: less than 1,000 characters."""
    named = replace(scene, names=with_houses(scene))
    last = narrated(named, ALT_CHANGE)
    if scene.action is not None:
        last = [say(scene, "alt.preview", action=would(scene, scene.action))]
    parts = [*last, turn(named), season_line(scene), *(holding(named, seat) for seat in seats(scene))]
    return shorten(joined(parts), MOST_ALT)


def with_houses(scene: Scene) -> tuple[str, ...]:
    """The players' names, each with its house."""
    return tuple(
        say(scene, "alt.player", name=name, house=house)
        for name, house in zip(scene.names, HOUSE, strict=False)
    )


def seats(scene: Scene) -> tuple[Seat, ...]:
    """Every seat in turn order, by bid while special cards are chosen, by rank at the end."""
    view = view_of(scene)
    if view.phase == "over":
        return tuple(ranked(view))
    if view.bid_order:
        return view.bid_order
    others = [seat for seat in range(len(view.players)) if seat not in view.order]
    return (*view.order, *others)


def season_line(scene: Scene) -> str:
    """The season, the event in force, the events still open."""
    view = view_of(scene)
    line = say(scene, "alt.season", year=view.year, season=view.season)
    if view.event is not None:
        line = joined([line, say(scene, "alt.event", event=say(scene, f"picture.event.{kind(view.event)}"))])
    return line


def holding(scene: Scene, seat: Seat) -> str:
    """What a seat has: provinces, armies, chests, rice, points."""
    view = view_of(scene)
    own = [p for p in view.provinces.values() if p.owner == seat]
    player = view.players[seat]
    return say(
        scene,
        "alt.holding",
        seat=seat,
        provinces=len(own),
        armies=sum(p.armies for p in own),
        chests=player.chests,
        rice=player.rice,
        points=player.points,
    )


def describe(scene: Scene) -> str:
    """The whole board in words: change, turn, season, each seat with its provinces, the tray."""
    named = replace(scene, names=with_houses(scene))
    view = view_of(scene)
    lines = [joined(narrated(named, MOST_CAPTION)), turn(named), season_line(scene)]
    if view.events:
        lines.append(say(scene, "alt.open-events", events=[event_words(scene, e) for e in view.events]))
    for seat in seats(scene):
        own = [land(scene, name, p) for name, p in ordered(view) if p.owner == seat]
        lines.append(joined([holding(named, seat), say(scene, "alt.provinces", provinces=own)]))
    neutral = [land(scene, name, p) for name, p in ordered(view) if p.owner is None]
    if neutral:
        lines.append(say(scene, "alt.neutral", provinces=neutral))
    return "\n".join(line for line in lines if line)


def ordered(view: ShogunView) -> list[tuple[str, Province]]:
    """Provinces in play in the order of the data."""
    return [(name, view.provinces[name]) for name in PROVINCES if name in view.provinces]


def land(scene: Scene, name: str, province: Province) -> str:
    """A province with its armies, buildings and unrest."""
    parts = [scene.words.term("shogun", name)]
    if province.owner is not None:
        parts.append(str(province.armies))
    parts += [scene.words.term("shogun", b) for b in BUILDINGS if getattr(province, b)]
    if province.unrest:
        parts.append(say(scene, "alt.unrest", unrest=province.unrest))
    return " ".join(parts)


def event_words(scene: Scene, event: str) -> str:
    """An event and its loss in winter."""
    return say(
        scene, "alt.event-loss", event=say(scene, f"picture.event.{kind(event)}"), loss=RICE_LOSS[event]
    )
