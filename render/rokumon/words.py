"""Rokumon in words, and what the last action or the one to confirm did to the table."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import cast

from engines.rokumon.data import CLANS, LETTERS, OPEN_FROM, ORDER, Clan, color_of
from engines.rokumon.foresight import Bout, Threats, bout_of, threats
from engines.rokumon.model import RokumonView, SeenSupply, SeenTile, SeenWarrior
from render.scene import Scene, once
from render.words import joined, shorten

NAMED = "alt.acts"  # who is to act where the name has its clan already
MOST_ALT = 990
CELL = re.compile(r"[a-z][1-9]")


def view_of(scene: Scene) -> RokumonView:
    """The scene's view, which is Rokumon's."""
    return cast(RokumonView, scene.view)


def say(scene: Scene, key: str, /, **params: object) -> str:
    """A phrase of this game with the players' names."""
    return scene.words(f"rokumon.{key}", game="rokumon", names=scene.names, **params)


# -- the table after an action ---------------------------------------------------------------


@dataclass(frozen=True)
class After:
    """The table to draw, and the action that led to it: the one to confirm, else the last one.

    supply  by side, the values of its warriors, None where they may not be known
    """

    tiles: tuple[SeenTile, ...]
    supply: tuple[tuple[str | None, ...], tuple[str | None, ...]]
    kind: str | None = None
    clan: Clan | None = None
    origin: str | None = None
    target: str | None = None


@once
def after(scene: Scene) -> After:
    """The table as it stands, or as it would be after the action to confirm."""
    view = view_of(scene)
    if is_ended(scene) and view.ended is not None:
        return After(view.ended.tiles, ((), ()))
    now = After(view.tiles, (values(view.supply.sanada), values(view.supply.tokugawa)))
    if scene.action is not None:
        return previewed(now, view, scene.action)
    last = view.last
    if last is None:
        return now
    if view.phase == "revenge":
        return replace(now, kind="fight", clan=view.to_move, target=view.fight.at if view.fight else None)
    return replace(now, kind=last.kind, clan=last.clan, origin=last.origin, target=last.target)


def is_ended(scene: Scene) -> bool:
    """Whether the table is drawn as it was when the last act or battle ended: layer `ended`."""
    ended = view_of(scene).ended
    return scene.layer == "ended" and ended is not None and bool(ended.tiles)


def decided_on(scene: Scene) -> tuple[str, ...]:
    """The cells of the row or stack that decided the act that is drawn."""
    view = view_of(scene)
    played_out = view.result is not None and view.result.reason in ("tokens", "battles")
    if view.ended is None or scene.action is not None or not (is_ended(scene) or played_out):
        return ()
    shown = {tile.at for tile in after(scene).tiles}
    return tuple(cell for cell in view.ended.cells if cell in shown)


def winners(scene: Scene) -> set[Clan]:
    """The clans that won the game, or the act that is drawn."""
    view = view_of(scene)
    if is_ended(scene):
        return {view.ended.winner} if view.ended is not None and view.ended.winner else set()
    return {view.clans[seat] for seat in view.result.winners} if view.result is not None else set()


def values(supply: SeenSupply) -> tuple[str | None, ...]:
    """A supply's warriors one by one."""
    return supply.values if supply.values is not None else (None,) * supply.count


def previewed(now: After, view: RokumonView, action: str) -> After:
    """The table after an action's canonical text; a Fight and its tokens show only where it is."""
    kind, *rest = action.split()
    cells = [word for word in rest if CELL.fullmatch(word)]
    if kind == "deploy" and cells:
        value = next((word for word in rest if word not in cells), None)
        return deployed(now, view, value, cells[-1])
    if kind in ("move", "surprise") and len(cells) == 2:
        step = replace(now, kind=kind, clan=view.to_move, origin=cells[0], target=cells[1])
        return moved(step, *cells) if kind == "move" else shifted(step, *cells)
    at = cells[0] if cells else view.fight.at if view.fight else None
    if kind in ("fight", "revenge"):
        return replace(now, kind="fight", clan=view.to_move, target=at)
    return now


def deployed(now: After, view: RokumonView, value: str | None, at: str) -> After:
    """A warrior goes from the supply onto a tile."""
    side = CLANS.index(view.to_move)
    left = list(now.supply[side])
    left.remove(value if value in left else left[-1])
    warrior = SeenWarrior(clan=view.to_move, value=value, known=view.act >= OPEN_FROM)
    tiles = tuple(t.model_copy(update={"stack": (*t.stack, warrior)}) if t.at == at else t for t in now.tiles)
    both = (tuple(left), now.supply[1]) if side == 0 else (now.supply[0], tuple(left))
    return replace(now, tiles=tiles, supply=both, kind="deploy", clan=view.to_move, target=at)


def moved(now: After, origin: str, target: str) -> After:
    """The top warrior of a tile goes onto another."""
    top = next(tile.stack[-1] for tile in now.tiles if tile.at == origin)
    changed = {
        tile.at: tile.stack[:-1] if tile.at == origin else (*tile.stack, top)
        for tile in now.tiles
        if tile.at in (origin, target)
    }
    return replace(
        now,
        tiles=tuple(t.model_copy(update={"stack": changed.get(t.at, t.stack)}) for t in now.tiles),
    )


def shifted(now: After, origin: str, target: str) -> After:
    """A tile goes to an empty cell with what stands on it."""
    tiles = (t.model_copy(update={"at": target}) if t.at == origin else t for t in now.tiles)
    return replace(now, tiles=tuple(tiles))


def own_warriors(scene: Scene, clan: Clan) -> list[tuple[SeenWarrior, str | None]]:
    """A side's warriors in the order of the data, each with its cell, None in the supply."""
    view = view_of(scene)
    side = CLANS.index(clan)
    found: list[tuple[SeenWarrior, str | None]] = [
        (warrior, tile.at) for tile in view.tiles for warrior in tile.stack if warrior.clan == clan
    ]
    found += [
        (SeenWarrior(clan=clan, value=value, known=False), None) for value in values(view.supply.of(side))
    ]
    return sorted(found, key=lambda one: (ORDER.get(f"{LETTERS[side]}{one[0].value}", 99), one[1] or "z"))


# -- in the picture --------------------------------------------------------------------------------


def title(scene: Scene) -> str:
    """The act, or the battle of a solo game."""
    view = view_of(scene)
    if view.solo:
        won = is_ended(scene) and view.ended is not None and view.ended.winner is not None
        return say(scene, "picture.battle", n=min(view.battles_won + (not won), 3))
    return say(scene, "picture.act", act=view.ended.act if is_ended(scene) and view.ended else view.act)


def now_line(scene: Scene) -> str:
    """What is to be done now, in a few words; in a preview, whether it decides the act."""
    view = view_of(scene)
    if scene.action is not None:
        return preview_line(scene)
    if scene.prompt is not None and scene.prompt.code == "revenge":
        return say(scene, "picture.revenge-you", at=scene.prompt.params["at"])
    if scene.prompt is not None and scene.words.has(f"rokumon.prompt.{scene.prompt.code}"):
        params = {name: value for name, value in scene.prompt.params.items() if name not in ("game", "names")}
        return say(scene, f"prompt.{scene.prompt.code}", **params)
    if is_ended(scene) and view.ended is not None:
        key = "picture.act-won" if view.ended.winner else "picture.act-void"
        return say(scene, key, clan=view.ended.winner)
    if view.result is not None:
        if not view.result.winners:
            return say(scene, "picture.taroma-wins" if view.solo else "picture.nobody")
        return say(scene, "picture.over", winner=view.result.winners[0])
    if view.phase == "revenge" and view.fight is not None:
        return say(scene, "picture.revenge-asked", clan=view.to_move, at=view.fight.at)
    fights = [
        tile.at
        for tile in view.tiles
        if view.act >= 3 and len({w.clan for w in tile.stack}) == 2 == len(tile.stack)
    ]
    if fights:
        return say(scene, "picture.acts-fights", clan=view.to_move, cells=fights)
    return say(scene, "picture.acts", clan=view.to_move)


def preview_line(scene: Scene) -> str:
    """Whether the action to confirm wins or loses the act at once, how a Fight ends, else what it is."""
    return previewed_line(scene)[0]


def previewed_line(scene: Scene) -> tuple[str, bool]:
    """The line of a preview, and whether it is of a danger."""
    if scene.help == "none":
        return action_line(scene), False
    view, now = view_of(scene), after(scene)
    for option in view.legal:
        if (option.kind, option.origin, option.target) == (now.kind, now.origin, now.target):
            if option.wins:
                return say(scene, "picture.would-win"), False
            if option.loses:
                return say(scene, "picture.would-lose"), True
    bout = bout_now(scene)
    if bout is not None and (line := fight_line(scene, bout)):
        return line, False
    found = dangers(scene)
    other = CLANS[1 - (view.side or 0)]
    if found.cells:
        return say(scene, "picture.threat", clan=other, cells=list(found.cells)), True
    if found.surprise:
        return say(scene, "picture.threat-surprise", clan=other), True
    return action_line(scene), False


def action_line(scene: Scene) -> str:
    """The action to confirm in words."""
    kind, *rest = (scene.action or "").split()
    cells = [word for word in rest if CELL.fullmatch(word)]
    others = [word for word in rest if word not in cells]
    view = view_of(scene)
    if kind == "deploy" and cells:
        key = "picture.would-deploy-value" if others else "picture.would-deploy"
        return say(scene, key, value=others[0] if others else None, at=cells[0])
    if kind in ("move", "surprise") and len(cells) == 2:
        return say(scene, f"picture.would-{kind}", **{"from": cells[0], "to": cells[1]})
    if kind in ("fight", "revenge"):
        at = cells[0] if cells else view.fight.at if view.fight else None
        return say(scene, "picture.would-fight", at=at, count=int(others[0]) if others else 0)
    if kind in ("takeback", "surrender", "resign"):
        return say(scene, f"picture.would-{kind}")
    return say(scene, "picture.acts", clan=view.to_move)


def bout_now(scene: Scene) -> Bout | None:
    """The Fight that is on, that a panel asks of, or that the action begins, as far as is known."""
    view = view_of(scene)
    if scene.action is None and scene.prompt is not None and scene.prompt.code == "fight-added":
        return bout_of(view, f"fight {scene.prompt.params['at']}")
    return bout_of(view, scene.action)


def fight_line(scene: Scene, bout: Bout) -> str:
    """How a Fight ends: who stays where both are known; with all aids what the other may be. Else ""."""
    if bout.other is not None:
        key = "picture.fight-tie" if bout.survivor is None else "picture.fight-end"
        return say(scene, key if bout.certain else f"{key}-now", survivor=bout.survivor)
    if scene.help != "full":
        return ""
    wins, ties, losses = bout.counts
    return say(scene, "picture.fight-odds", wins=wins, ties=ties, losses=losses)


@once
def dangers(scene: Scene) -> Threats:
    """With all aids, how the other side could win after the action to confirm."""
    if scene.action is None or scene.help != "full":
        return Threats()
    return threats(view_of(scene), scene.action)


def alarming(scene: Scene) -> bool:
    """Whether the line of now tells of a danger."""
    return scene.action is not None and previewed_line(scene)[1]


def duel(scene: Scene) -> tuple[str, str] | None:
    """Sanada's and Tokugawa's side of a Fight: "4" and "3+1", `?` where it is not known; None without one."""
    view, last = view_of(scene), view_of(scene).last
    at = fight_at(scene)
    if at is None:
        return None
    bout = bout_now(scene)
    if bout is None and view.phase != "revenge":
        if last is None or last.fought is None:
            return None
        added = (last.added.sanada, last.added.tokugawa) if last.added else (0, 0)
        values = [last.fought.of(side).lstrip("st").rstrip("!") for side in (0, 1)]
    else:
        added = (
            bout.added
            if bout
            else (view.fight.added.sanada, view.fight.added.tokugawa)
            if view.fight
            else (0, 0)
        )
        values = [warrior.value or "?" for warrior in fighters(scene, at)]
    sides = [f"{value}+{more}" if more else value for value, more in zip(values, added, strict=True)]
    return sides[0], sides[1]


def fighters(scene: Scene, at: str) -> tuple[SeenWarrior, SeenWarrior]:
    """Sanada's and Tokugawa's warrior on the tile of a Fight."""
    stack = next(tile.stack for tile in view_of(scene).tiles if tile.at == at)
    by_clan = {warrior.clan: warrior for warrior in stack}
    return by_clan["sanada"], by_clan["tokugawa"]


def fight_at(scene: Scene) -> str | None:
    """The tile of the Fight that is on, was asked for, or has just been; None without one."""
    view, bout = view_of(scene), bout_now(scene)
    if is_ended(scene):
        return None
    if bout is not None:
        return bout.at
    if scene.action is not None:
        return None
    if view.phase == "revenge" and view.fight is not None:
        return view.fight.at
    return view.last.target if view.last is not None and view.last.fought is not None else None


# -- around the picture ----------------------------------------------------------------------------


def caption(scene: Scene) -> str:
    """What happened and who is to act."""
    return joined([*happened(scene), *turn(scene)])


def happened(scene: Scene) -> list[str]:
    """One sentence an event."""
    return [scene.words.event("rokumon", event, scene.names) for event in scene.events]


def turn(scene: Scene, acts: str = "caption.acts") -> list[str]:
    """Who is to act and how; `acts` says it where no Fight is on."""
    view = view_of(scene)
    if view.result is not None:
        if scene.events:
            return []
        return [sentence(scene, now_line(replace(scene, action=None)))]
    if view.seat is None:
        return []
    key = "caption.revenge" if view.phase == "revenge" else acts
    at = view.fight.at if view.fight else None
    told = [say(scene, key, seat=view.seat, clan=view.to_move, at=at)]
    if view.courtesy is not None:
        told.append(say(scene, "caption.courtesy", seat=view.courtesy))
    return told


def with_clans(scene: Scene) -> tuple[str, ...]:
    """The players' names, each with its clan: "Mariko (Sanada)"."""
    clans = view_of(scene).clans
    return tuple(say(scene, "alt.player", name=n, clan=c) for n, c in zip(scene.names, clans, strict=False))


def alt(scene: Scene) -> str:
    """The picture in words, the change first: less than 1,000 characters."""
    named = replace(scene, names=with_clans(scene))
    start = [*happened(named), *turn(named, NAMED)]
    if is_ended(scene):
        start = [sentence(scene, now_line(scene))]
    if scene.action is not None:
        lines = dict.fromkeys((action_line(scene), now_line(scene)))
        start = [say(scene, "alt.preview", line=action_line(scene))]
        start += [sentence(scene, line) for line in list(lines)[1:]]
    return shorten(joined([*start, sentence(scene, title(scene)), *state(scene)]), MOST_ALT)


def sentence(scene: Scene, phrase: str) -> str:
    """A picture's phrase with the full stop of its language."""
    return scene.words("words.sentence", phrase=phrase)


def state(scene: Scene) -> list[str]:
    """The tiles, the supplies, the tokens; those with warriors first."""
    now, view = after(scene), view_of(scene)
    tiles = sorted(now.tiles, key=lambda tile: -len(tile.stack))
    told = [tile_words(scene, tile) for tile in tiles]
    lines = [say(scene, "alt.tiles", tiles=told)]
    if is_ended(scene):
        return lines
    for side, clan in enumerate(CLANS):
        lines.append(say(scene, "alt.supply", clan=clan, n=len(now.supply[side])))
        own = view.revenge.of(side)
        if own.count:
            lines.append(say(scene, "alt.revenge", clan=clan, up=own.up, down=own.down))
    if view.locked:
        lines.append(say(scene, "alt.locked", cell=view.locked))
    return lines


def tile_words(scene: Scene, tile: SeenTile) -> str:
    """A tile: its cell, colour, pips, and the warriors on it from top to bottom."""
    color = color_of(tile.pips, tile.down)
    if not tile.stack:
        return say(scene, "alt.tile-empty", cell=tile.at, color=color, pips=tile.pips)
    stack = [warrior_words(scene, warrior) for warrior in reversed(tile.stack)]
    return say(scene, "alt.tile", cell=tile.at, color=color, pips=tile.pips, warriors=stack)


def warrior_words(scene: Scene, warrior: SeenWarrior) -> str:
    """A warrior: its clan, and its value where that may be known."""
    if warrior.value is None:
        return scene.words.term("rokumon", warrior.clan)
    return say(scene, "alt.warrior", clan=warrior.clan, value=warrior.value)


def hand_alt(scene: Scene) -> str:
    """The private sheet in words."""
    view = view_of(scene)
    clan = view.clans[view.viewer or 0]
    cards = [
        say(scene, "alt.card", value=warrior.value, cell=cell)
        if cell
        else say(scene, "alt.card-supply", value=warrior.value)
        for warrior, cell in own_warriors(scene, clan)
    ]
    return shorten(say(scene, "alt.hand", clan=clan, cards=cards), MOST_ALT)


def describe(scene: Scene) -> str:
    """The whole table in words."""
    named = replace(scene, names=with_clans(scene))
    lines = [
        joined(happened(named)),
        joined(turn(named, NAMED)),
        sentence(scene, title(scene)),
        *state(scene),
    ]
    return "\n".join(line for line in lines if line)
