"""What would follow from an action, as far as the view of who asks can tell.

Certain: whom a march meets and overruns, which castle or resource passes, the points after it, what a
deployment adds. With odds also the chances of the battle, dealt out of what is hidden (`odds`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from engines.protocol import Json, RulesError, Seen
from engines.sekigahara import reach
from engines.sekigahara.battle import impact_of_all
from engines.sekigahara.board import SEAT, without
from engines.sekigahara.control import CASTLE_POINTS, RESOURCE_POINTS
from engines.sekigahara.data import (
    CASTLES,
    ISHIDA,
    OTHER,
    RESOURCES,
    SIDES,
    TOKUGAWA,
    Side,
    block_order,
    card_kind,
)
from engines.sekigahara.model import (
    BattleState,
    Branch,
    Combat,
    Deploy,
    March,
    Muster,
    Retreat,
    SekigaharaView,
)
from engines.sekigahara.notation import with_mode
from engines.sekigahara.odds import odds as odds_of

KEYS = {"ishida": ISHIDA, "tokugawa": TOKUGAWA}  # the blocks whose loss ends the game (2.1)


def foresee(view: SekigaharaView, action: str, *, odds: bool) -> tuple[Seen, ...]:
    """What the action of the viewer leads to; () for a spectator or where nothing is worth a word."""
    if view.viewer is None:
        return ()
    side = SIDES[view.viewer]
    try:
        mode, made = with_mode(action)
    except RulesError:
        return ()
    if mode is not None and mode.cards:  # what pays for it is no longer there for a battle
        rest = tuple(without(view.hand or (), mode.cards))
        hands, tops = {**view.hands, side: len(rest)}, {**view.tops, side: mode.cards[-1]}
        view = view.model_copy(update={"hand": rest, "hands": hands, "tops": tops})
    if isinstance(made, March):
        return tuple(_march(view, side, made, odds=odds))
    if isinstance(made, Combat):
        return tuple(_fight(view, side, made.at, odds=odds))
    if isinstance(made, Muster) and made.to in view.map:
        return tuple(_taken(view, side, [made.to]))
    if isinstance(made, Retreat) and made.to in view.map:
        return tuple(_taken(view, side, [made.to]))
    if isinstance(made, Deploy):
        return tuple(_deployment(view, side, made))
    return ()


@dataclass
class After:
    """The map after a march, as far as it is sure: own faces and counts by place, and what happened."""

    mine: dict[str, list[str]]
    theirs: dict[str, int]
    passed: list[str] = field(default_factory=list)
    overrun: list[tuple[str, int]] = field(default_factory=list)


def after_march(view: SekigaharaView, side: Side, march: March) -> After:
    """Where everybody stands after a march and its branches (7.3, 7.4)."""
    enemy = OTHER[side]
    after = After(
        {place: list(here.faces or ()) for place, here in view.map.items()},
        {place: getattr(here, enemy) for place, here in view.map.items()},
    )
    terrain = reach.terrain_of_view(view, side)
    for leg in march.legs:
        _leg(after, terrain, leg)
    return after


def _leg(after: After, terrain: reach.Terrain, leg: March | Branch) -> None:
    """One way: blocks leave, overrun whom they may, drop some on the way, arrive."""
    stack = list(leg.blocks)
    for face in stack:
        if face in after.mine.get(leg.origin, []):
            after.mine[leg.origin].remove(face)
    for place in leg.path:
        if place not in after.mine:
            return
        here = terrain._replace(
            mine={name: len(faces) for name, faces in after.mine.items()}, theirs=after.theirs
        )
        if reach.overruns(here, place, len(stack)):
            after.overrun.append((place, after.theirs[place]))
            after.theirs[place] = 0
        after.passed.append(place)
        stay = stack if place == leg.path[-1] else list((leg.drop or {}).get(place, ()))
        after.mine[place].extend(stay)
        stack = list((Counter(stack) - Counter(stay)).elements())


def meets(view: SekigaharaView, side: Side, after: After, place: str) -> str | None:
    """What follows where a march ends: `siege` of a castle whose side has blocks or a disk inside,
    `castle` where that side may still choose to go inside, `battle`, or None (8.1, 8.9).
    """
    enemy = OTHER[side]
    terrain = reach.terrain_of_view(view, side)
    if not after.mine[place] or not (after.theirs[place] or place in terrain.disks):
        return None
    if view.map[place].holder == enemy:
        return "siege" if view.map[place].besieged or not after.theirs[place] else "castle"
    return "battle"


def _march(view: SekigaharaView, side: Side, march: March, *, odds: bool) -> list[Seen]:
    after = after_march(view, side, march)
    found = [Seen(code="overrun", params={"at": at, "n": n}) for at, n in after.overrun]
    for place in dict.fromkeys(leg.path[-1] for leg in march.legs if leg.path[-1] in after.mine):
        what = meets(view, side, after, place)
        if what is None:
            continue
        faces = after.mine[place]
        found.append(
            Seen(
                code=what,
                params={"at": place, "mine": len(faces), "theirs": after.theirs[place]},
            )
        )
        if odds and what in ("battle", "castle"):
            found += chances(view, side, place, faces, after.theirs[place])
        if KEYS[side] in faces:
            found.append(Seen(code="leader", params={"at": place, "what": KEYS[side]}))
    return [*found, *_taken(view, side, after.passed, after)]


def fights(view: SekigaharaView, side: Side, march: March) -> bool:
    """Whether a battle may follow where a march ends."""
    return meets(view, side, after_march(view, side, march), march.path[-1]) in ("battle", "castle")


def _fight(view: SekigaharaView, side: Side, at: str, *, odds: bool) -> list[Seen]:
    if at not in view.map:
        return []
    faces = list(view.map[at].faces or ())
    theirs = getattr(view.map[at], OTHER[side])
    after = After({at: faces}, {at: theirs})
    what = meets(view, side, after, at)
    if what is None:
        return []
    found = [Seen(code=what, params={"at": at, "mine": len(faces), "theirs": theirs})]
    if odds and what in ("battle", "castle"):
        found += chances(view, side, at, faces, theirs)
    return found


def chances(view: SekigaharaView, side: Side, at: str, faces: list[str], theirs: int) -> list[Seen]:
    """The odds of a battle there between these own blocks and so many of the enemy's."""
    enemy = OTHER[side]
    counts: dict[str, object] = {side: len(faces), enemy: theirs, "faces": tuple(block_order(faces))}
    here = view.map[at].model_copy(update=counts)
    fight = BattleState(at=at, attacker=side, impact={"ishida": 0, "tokugawa": 0})
    supposed = view.model_copy(update={"battle": fight, "map": {**view.map, at: here}})
    found = odds_of(supposed, side)
    if found is None:
        return []
    return [
        Seen(
            code="odds",
            params={
                "at": at,
                "n": found.wins,
                "own": found.own_losses / 10,
                "theirs": found.their_losses / 10,
            },
        )
    ]


def _taken(view: SekigaharaView, side: Side, places: list[str], after: After | None = None) -> list[Seen]:
    """Castles and resources that pass to the side, and the points then (4.2, 4.3)."""
    enemy = OTHER[side]
    gain, loss = 0, 0
    taken: list[Json] = []
    for place in dict.fromkeys(places):
        theirs = after.theirs[place] if after is not None else getattr(view.map[place], enemy)
        if theirs or place in reach.terrain_of_view(view, side).disks:
            continue
        stays = after is None or bool(after.mine[place])
        if place in CASTLES and stays and view.map[place].holder != side:
            taken.append(place)
            gain, loss = gain + CASTLE_POINTS, loss + CASTLE_POINTS
        if place in RESOURCES and view.control.get(place) != side:
            taken.append(place)
            gain += RESOURCE_POINTS
            loss += RESOURCE_POINTS if view.control.get(place) == enemy else 0
    back = [
        place
        for place in CASTLES
        if after is not None
        and view.map[place].holder == side != CASTLES[place]
        and view.map[place].faces
        and not after.mine[place]
    ]  # an empty castle is again its printed side's
    gain, loss = gain - CASTLE_POINTS * len(back), loss - CASTLE_POINTS * len(back)
    found: list[Seen] = []
    if taken:
        found.append(Seen(code="takes", params={"places": taken}))
    if back:
        found.append(Seen(code="leaves", params={"places": list(back), "side": enemy}))
    if taken or back:
        now = {side: view.points[side] + gain, enemy: view.points[enemy] - loss}
        found.append(Seen(code="points", params={"ishida": now["ishida"], "tokugawa": now["tokugawa"]}))
    return found


def _deployment(view: SekigaharaView, side: Side, made: Deploy) -> list[Seen]:
    """What a deployment adds and how the battle stands then, if nobody turns it (8.3, 8.4)."""
    fight = view.battle
    if fight is None:
        return []
    sword = made.card is not None and card_kind(made.card) == "sword" and not fight.siege
    adds = impact_of_all(made.blocks, fight.deployed.get(side, ()), sword=sword)
    now = {one: fight.impact.get(one, 0) for one in SIDES}
    now[side] += adds
    return [
        Seen(
            code="deploys",
            params={"seat": SEAT[side], "n": adds, "ishida": now["ishida"], "tokugawa": now["tokugawa"]},
        )
    ]
