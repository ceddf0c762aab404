"""A finished game of Rokumon as a trophy: the winner's crest, the tokens act by act, how each act was won."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from engines.protocol import Json, Seen
from engines.rokumon.data import CLANS, Clan
from engines.rokumon.model import RokumonView
from render import trophy
from render.names import fitting
from render.rokumon import pieces
from render.rokumon.board import colours
from render.rokumon.words import MOST_ALT, now_line, say, sentence, view_of
from render.scene import Picture, Scene
from render.theme import PAPER, ROKUMON, SUMI
from render.trophy import Below, Curve, Moment
from render.words import joined, shorten

ACTS_TOLD = frozenset({"act", "act-fight", "battle", "battle-lost"})
RED_INK = "#F28B7D"  # Sanada's figures, on dark


def finale(scene: Scene) -> Picture | None:
    """The game summed up; its statistics are the scene's events. None while it goes on."""
    view = view_of(scene)
    clan = winner(view)
    if clan is None:
        return None
    curves, ticks = course(scene)
    moments = trophy.chosen([moment(scene, seen) for seen in scene.events if seen.code in ACTS_TOLD])
    if len(moments) < 3:
        moments += [done(scene, seen) for seen in scene.events if seen.code in ("seat", "seat-solo")]
    line = fights(scene)
    below = Below(say(scene, "finale.tokens"), curves, ticks, say(scene, "finale.acts"), moments, line)
    canvas = below.canvas(rtl=scene.words.rtl)
    under = fitting(scene.names, partial(how, scene), trophy.UNDER, 620)
    trophy.header(
        canvas, pieces.warrior(clan, None, 200), title(scene, clan), under, score(scene, clan), scene.table
    )
    below.draw(canvas)
    return Picture(canvas.png(colours()), "rokumon-finale.png", alt(scene))


def winner(view: RokumonView) -> Clan | None:
    """The clan that won the game, Taroma's too; None while it goes on, or where nobody has won."""
    if view.result is None:
        return None
    if view.result.winners:
        return view.clans[view.result.winners[0]]
    return next((clan for clan in CLANS if clan not in view.clans), None)


def title(scene: Scene, clan: Clan) -> str:
    """The clan."""
    return scene.words.term("rokumon", clan)


def how(scene: Scene, names: tuple[str, ...]) -> str:
    """Who led it, and how it was won."""
    view = view_of(scene)
    scene = replace(scene, names=names)
    if view.result is None or not view.result.winners:
        return f"{scene.words.term('rokumon', 'taroma')} · {say(scene, 'finale.lost', seat=0)}"
    if view.result.reason == "resign":
        key = "finale.resigned"
    elif view.solo:
        key = "finale.wins-battles"
    else:
        key = "finale.wins-story" if view.story else "finale.wins-act"
    return f"{names[view.result.winners[0]]} · {say(scene, key, act=view.act)}"


def score(scene: Scene, clan: Clan) -> str:
    """Acts won by the winner and by the other; in solo battles won of those played."""
    view = view_of(scene)
    if view.solo:
        told = [seen.code for seen in scene.events if seen.code in ("battle", "battle-lost")]
        own, lost = told.count("battle"), told.count("battle-lost")
        return f"{own} : {lost}" if clan in view.clans else f"{lost} : {own}"
    won = [act.winner for act in view.won]
    return f"{won.count(clan)} : {len(won) - won.count(clan)}"


def course(scene: Scene) -> tuple[list[Curve], list[str]]:
    """Revenge tokens after each act of a story."""
    params = next((seen.params for seen in scene.events if seen.code == "tokens"), None)
    if params is None:
        return [], []
    looks = ((ROKUMON["sanada"], PAPER, RED_INK), (SUMI, PAPER, PAPER))
    curves = [
        Curve([0, *params[clan]], fill, edge, str(params[clan][-1]), ink, pieces.warrior(clan, None, 46))
        for clan, (fill, edge, ink) in zip(CLANS, looks, strict=True)
    ]
    acts = [seen.params["act"] for seen in scene.events if seen.code in ACTS_TOLD]
    return curves, ["", *map(str, acts)]


def moment(scene: Scene, seen: Seen) -> Moment:
    """How an act or battle was won."""
    params, view = seen.params, view_of(scene)
    clans = (*view.clans, *(clan for clan in CLANS if clan not in view.clans))
    clan = clans[1 if params["seat"] is None else params["seat"]]
    key = "finale.act-fight" if seen.code == "act-fight" else "finale.act"
    what = say(scene, key, how=params["how"], at=params.get("at"))
    number = {"n": params["act"]} if view.solo else {"act": params["act"]}
    when = say(scene, "picture.battle" if view.solo else "picture.act", **number)
    return Moment(when, what, figure(params), pieces.warrior(clan, None, 62))


def done(scene: Scene, seen: Seen) -> Moment:
    """What a seat did, where no long list of acts is to be shown."""
    clan = view_of(scene).clans[seen.params["seat"]]
    what = say(scene, f"finale.{seen.code}", **seen.params)
    return Moment(scene.words.term("rokumon", clan), what, "", pieces.warrior(clan, None, 62))


def figure(params: Mapping[str, Json]) -> str:
    """The warriors of the Fight that decided it, Sanada's first."""
    if "sanada" not in params:
        return ""
    return " : ".join(str(params[clan]).lstrip("st") for clan in CLANS)


def fights(scene: Scene) -> str:
    """How the Fights ended, or what has no room elsewhere."""
    params = next((seen.params for seen in scene.events if seen.code == "fights"), None)
    return "" if params is None else say(scene, "finale.fights", **params)


def alt(scene: Scene) -> str:
    """The same in words."""
    told = [sentence(scene, now_line(scene))]
    told += [say(scene, f"statistics.{seen.code}", **seen.params) for seen in scene.events]
    return shorten(joined(told), MOST_ALT)
