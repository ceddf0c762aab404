"""The spec's Position of a Rokumon game, out and in."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

from pydantic import Field

from engines.chance import Chance
from engines.protocol import Json, RulesError, Value, read
from engines.rokumon import flow, rules, sight
from engines.rokumon.data import (
    ACTS_TAKEN_BACK,
    CLANS,
    LETTERS,
    PIPS,
    REVENGE_TOKENS,
    SOLO,
    WARRIORS,
    Clan,
    Layout,
    Level,
    cells_of,
    layout_of,
    warriors_of,
)
from engines.rokumon.model import (
    Both,
    FightOn,
    Phase,
    RokumonState,
    Tile,
    Tokens,
    bare,
    in_order,
    reading_order,
    side_of,
)


class HalfOpen(Value):
    """Supplies of a position; a clan left out holds what does not stand on the tiles."""

    sanada: tuple[str, ...] | None = None
    tokugawa: tuple[str, ...] | None = None


class TokensOf(Value):
    """Revenge tokens of a position."""

    sanada: Tokens = Tokens()
    tokugawa: Tokens = Tokens()


class SurprisedOf(Value):
    """Surprises used in a position."""

    sanada: bool = False
    tokugawa: bool = False


class Position(Value):
    """The spec's Position; fields left out have the values of a fresh act."""

    act: int | Literal["solo"] | None = None
    layout: Layout | None = None
    tiles: tuple[Tile, ...] | None = None
    supply: HalfOpen = HalfOpen()
    revenge: TokensOf = TokensOf()
    surprised: SurprisedOf = SurprisedOf()
    locked: str | None = None
    to_move: Clan = "sanada"
    phase: Phase = "act"
    fight: FightOn | None = None
    solo: Level | None = None
    battles_won: int = Field(default=0, ge=0, le=3)


def write(state: RokumonState) -> dict[str, Json]:
    """The whole position as the spec's JSON."""
    data: dict[str, Json] = state.model_dump(
        mode="json",
        include={
            "layout",
            "tiles",
            "supply",
            "revenge",
            "surprised",
            "locked",
            "to_move",
            "phase",
            "fight",
            "solo",
        },
    )
    battles = {"battles_won": state.battles_won} if state.solo else {}
    return {"act": "solo" if state.act == SOLO else state.act, **data, **battles}


def load(data: Json, chance: Chance) -> RokumonState:
    """The state of a position, not yet run on. Tiles left out are dealt. Raises RulesError `bad-position`."""
    given = read(Position, data, "bad-position")
    act = _act(given)
    layout = _layout(act, given)
    tiles = given.tiles if given.tiles is not None else flow.deal_tiles(act, layout, chance)
    _check_tiles(layout, given, tiles)
    state = RokumonState(
        act=act,
        layout=layout,
        tiles=tuple(sorted(tiles, key=lambda tile: reading_order(tile.at))),
        supply=_supply(given, tiles),
        revenge=Both(sanada=given.revenge.sanada, tokugawa=given.revenge.tokugawa),
        surprised=Both(sanada=given.surprised.sanada, tokugawa=given.surprised.tokugawa),
        locked=given.locked,
        to_move=given.to_move,
        phase=given.phase,
        fight=given.fight,
        solo=given.solo,
        battles_won=given.battles_won,
        rules=ACTS_TAKEN_BACK,
    )
    _check_phase(state)
    if state.phase == "over":
        result = flow.by_battles(state) if state.solo else flow.by_tokens(state)
        return state.model_copy(update={"outcome": result})
    if state.fight is not None:  # a position in the middle of an action is none that could come up again
        return state
    return state.model_copy(update={"history": (sight.key(state),)})


def refuse(why: str, **params: Any) -> RulesError:
    """The error for a position that cannot be played on."""
    return RulesError("bad-position", why=why, **params)


def _act(given: Position) -> int:
    act = given.act if given.act is not None else "solo" if given.solo else 1
    if (act == "solo") != (given.solo is not None):
        raise refuse("solo: a level goes with act solo, and only with it")
    if act == "solo":
        return SOLO
    if not 1 <= act <= 6:
        raise refuse("act: 1 to 6 or solo")
    return act


def _layout(act: int, given: Position) -> Layout:
    """The layout: bricks and hexagon are one pattern, so any act but the first can be played on either."""
    layout = given.layout or layout_of(act)
    if (layout == "square") != (layout_of(act) == "square"):
        raise refuse(f"layout: act {given.act} is played on {layout_of(act)}")
    return layout


def _check_tiles(layout: Layout, given: Position, tiles: tuple[Tile, ...]) -> None:
    cells = [tile.at for tile in tiles]
    if len(tiles) != len(cells_of(layout)) or len(set(cells)) != len(cells):
        raise refuse(f"tiles: {len(cells_of(layout))} on different cells")
    if len({tile.pips for tile in tiles}) != len(tiles) or not {tile.pips for tile in tiles} <= set(PIPS):
        raise refuse("tiles: different pips from 1 to 7")
    if layout == "square" and set(cells) != set(cells_of("square")):
        raise refuse("tiles: cells of the square")
    if layout != "square" and any(sum(rules.place(cell)) % 2 == 0 for cell in cells):
        raise refuse("tiles: cells of the brick pattern")
    if given.locked is not None and given.locked not in cells:
        raise refuse("locked: no such tile")
    for tile in tiles:
        sides = {token[:1] for token in tile.stack}
        if len(tile.stack) > rules.HIGH or (len(tile.stack) == rules.HIGH and len(sides) > 1):
            raise refuse("tiles: no such stack", cell=tile.at)


def _supply(given: Position, tiles: tuple[Tile, ...]) -> Both[tuple[str, ...]]:
    """The supplies, checked: nobody has a warrior more often than the clan does."""
    known = set(WARRIORS[0]) | set(WARRIORS[1])
    placed = [token.removesuffix("!") for tile in tiles for token in tile.stack]
    supplies: list[tuple[str, ...]] = []
    for side, supply in enumerate((given.supply.sanada, given.supply.tokugawa)):
        if any(token not in known for token in (*placed, *(supply or ()))):
            raise refuse("warriors: unknown name")
        if any(side_of(token) != side for token in supply or ()):
            raise refuse(f"supply: warriors of {CLANS[side]} only")
        full = Counter(WARRIORS[side])
        out = Counter(token for token in placed if token[0] == LETTERS[side])
        rest = (Counter(warriors_of(side, given.solo)) - out).elements()
        held = tuple(rest) if supply is None else supply
        if Counter(held) + out - full:
            raise refuse(f"warriors: {CLANS[side]} has {len(WARRIORS[side])}")
        supplies.append(in_order(held))
    return Both(sanada=supplies[0], tokugawa=supplies[1])


def _check_phase(state: RokumonState) -> None:
    fight = state.fight
    if (state.phase == "revenge") != (fight is not None):
        raise refuse("fight: goes with phase revenge, and only with it")
    if state.revenge.sanada.count + state.revenge.tokugawa.count > REVENGE_TOKENS:
        raise refuse(f"revenge: there are {REVENGE_TOKENS} tokens")
    if fight is not None:
        stacks = {tile.at: tile.stack for tile in state.tiles}
        if state.solo or not rules.contested(tuple(map(bare, stacks.get(fight.at, ())))):
            raise refuse("fight: two warriors, one of each side")
        if any(not 0 <= fight.added.of(side) <= REVENGE_TOKENS for side in (0, 1)):
            raise refuse("fight: tokens added")
