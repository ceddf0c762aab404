"""What an action of Sekigahara's opponent was for, as far as a viewer can know: counts and what was told."""

from __future__ import annotations

from typing import Any

from engines.capabilities import Deed
from engines.protocol import Json, Seen
from engines.sekigahara.data import CASTLES, DISK_AT, LAST_WEEK, NEIGHBOURS, OTHER, SIDES, Side
from engines.sekigahara.model import SekigaharaView

MOST = 3
GATHERED = 4  # blocks that are a stack worth the name


def reasons(deed: Deed[SekigaharaView]) -> tuple[Seen, ...]:
    """Why an action was chosen, the weightiest reason first."""
    told = {seen.code: seen.params for seen in deed.told}
    side = SIDES[deed.seat]
    if "resigned" in told:
        return (Seen(code="lost", params={"side": OTHER[side]}),)
    for code, of in _BY_EVENT.items():
        if code in told:
            return tuple(of(deed, side, told[code]))[:MOST]
    return ()


def _march(deed: Deed[SekigaharaView], side: Side, params: dict[str, Any]) -> list[Seen]:
    """What a march gains on its way, and whom it meets at the end of it."""
    to = params["to"]
    found = _gains(deed, side)
    after = deed.after.map.get(to)
    if deed.after.winner is not None or after is None:
        return found
    mine, theirs = getattr(after, side), getattr(after, OTHER[side])
    if theirs:
        found.append(_seen("attacks", at=to, mine=mine, theirs=theirs))
    elif side == "tokugawa" and DISK_AT.get(to) in deed.after.disks:
        found.append(_seen("besieges", at=to, mine=mine))
    elif side == "ishida" and to == "osaka":
        found.append(_seen("guards", at=to, what="hideyori"))
    elif mine > params["n"] and mine >= GATHERED:
        found.append(_seen("gathers", at=to, mine=mine))
    elif not found and (near := _next(deed.after, side, to)):
        found.append(_seen("nears", at=near))
    return found


def _gains(deed: Deed[SekigaharaView], side: Side) -> list[Seen]:
    """Blocks overrun, places won."""
    dead = [seen.params for seen in deed.told if seen.code == "overrun" and seen.params["seat"] == deed.seat]
    found = [_seen("overruns", at=one["at"], n=one["n"]) for one in dead]
    won = [p for p, owner in deed.after.control.items() if owner == side != deed.before.control.get(p)]
    won += [
        p for p in CASTLES if deed.after.map[p].holder == side != deed.before.map[p].holder and p not in won
    ]
    return [*found, _seen("takes", places=won)] if won else found


def _next(view: SekigaharaView, side: Side, place: str) -> str | None:
    """A place next to this one that is worth going on to: a castle or a stack of the enemy's."""
    enemy = OTHER[side]
    near = [p for p in NEIGHBOURS[place] if view.map[p].holder == enemy or getattr(view.map[p], enemy)]
    return max(near, key=lambda p: (view.map[p].holder == enemy, getattr(view.map[p], enemy)), default=None)


def _muster(deed: Deed[SekigaharaView], side: Side, params: dict[str, Any]) -> list[Seen]:
    gains = _gains(deed, side)
    return [*gains, _seen("gathers", at=params["to"], mine=getattr(deed.after.map[params["to"]], side))]


def _mode(_deed: Deed[SekigaharaView], _side: Side, params: dict[str, Any]) -> list[Seen]:
    return [_seen("pays", n=params["n"]) if params["n"] else _seen("saves")]


def _mori(deed: Deed[SekigaharaView], _side: Side, params: dict[str, Any]) -> list[Seen]:
    return [_seen("mori", n=params["n"], mine=deed.after.map["osaka"].ishida)]


def _first(deed: Deed[SekigaharaView], _side: Side, params: dict[str, Any]) -> list[Seen]:
    if params["first"] == deed.seat:
        return [_seen("strikes-first")]
    return [_seen("last-word" if deed.before.week == LAST_WEEK else "waits")]


def _combat(deed: Deed[SekigaharaView], side: Side, params: dict[str, Any]) -> list[Seen]:
    here = deed.before.map[params["at"]]
    mine, theirs = getattr(here, side), getattr(here, OTHER[side])
    if not theirs:
        return [_seen("besieges", at=params["at"], mine=mine)]
    return [_seen("attacks", at=params["at"], mine=mine, theirs=theirs)]


def _castle(deed: Deed[SekigaharaView], side: Side, params: dict[str, Any]) -> list[Seen]:
    here = deed.before.map[params["at"]]
    code = "inside" if any(seen.code == "inside" for seen in deed.told) else "outside"
    return [_seen(code, mine=getattr(here, side), theirs=getattr(here, OTHER[side]))]


def _challenge(deed: Deed[SekigaharaView], side: Side, _params: dict[str, Any]) -> list[Seen]:
    cards = deed.before.hands[OTHER[side]]
    return [_seen("no-proof") if not cards else _seen("few-proofs", n=cards)]


def _deployed(deed: Deed[SekigaharaView], side: Side, _params: dict[str, Any]) -> list[Seen]:
    fight = deed.before.battle
    if fight is None or fight.siege:
        return []
    behind = fight.impact.get(OTHER[side], 0) - fight.impact.get(side, 0)
    return [_seen("behind", n=behind)] if behind > 0 else [_seen("ahead")] if behind < 0 else []


def _retreated(deed: Deed[SekigaharaView], side: Side, params: dict[str, Any]) -> list[Seen]:
    near = sum(getattr(deed.after.map[p], OTHER[side]) for p in NEIGHBOURS[params["to"]])
    return [_seen("retreats", to=params["to"], n=near)]


def _proof(_deed: Deed[SekigaharaView], _side: Side, _params: dict[str, Any]) -> list[Seen]:
    return [_seen("proves")]


def _seen(code: str, **params: Json) -> Seen:
    return Seen(code=code, params=params)


# the event by which an action is known -> its reasons; the first that was told counts
_BY_EVENT = {
    "marched": _march, "mustered": _muster, "mustered-shown": _muster, "mode": _mode, "mori": _mori,
    "first": _first, "combat": _combat, "inside": _castle, "outside": _castle, "challenged": _challenge,
    "shown": _proof, "deployed": _deployed, "led": _deployed, "retreated": _retreated,
}  # fmt: skip
