"""The course of a Rokumon game: acts dealt, turns, Fights with tokens added in turn, acts won, Taroma.

Every function takes a state and returns a new one; what happened is appended to `events`.
"""

from __future__ import annotations

from engines.chance import Chance
from engines.protocol import GAME_OVER, Event, Result, RulesError, Seat, Step, game_over
from engines.rokumon import rules, sight, taroma
from engines.rokumon.data import (
    ACTS,
    ACTS_TAKEN_BACK,
    BATTLES,
    CLANS,
    MARU_FROM,
    OPEN_FROM,
    PIPS,
    REPEATS,
    SOLO,
    Layout,
    Side,
    cells_of,
    layout_of,
    warriors_of,
)
from engines.rokumon.model import (
    ActBefore,
    Before,
    Both,
    Ended,
    Fight,
    FightOn,
    Last,
    Play,
    Resign,
    Revenge,
    RokumonAction,
    RokumonOptions,
    RokumonState,
    Surrender,
    Takeback,
    Tile,
    Tokens,
    Won,
    alike,
    bare,
    side_of,
)
from engines.rokumon.notation import as_play

Events = list[Event]


# -- dealing -------------------------------------------------------------------------------


def begin(options: RokumonOptions, chance: Chance) -> Step[RokumonState]:
    """The first act or battle dealt, run on to the human where Taroma opens."""
    act = SOLO if options.solo else options.act or 1
    fresh = RokumonState(
        act=act,
        layout=layout_of(act),
        tiles=(),
        supply=Both(sanada=(), tokugawa=()),
        revenge=Both(sanada=Tokens(), tokugawa=Tokens()),
        surprised=Both(sanada=False, tokugawa=False),
        solo=options.solo,
        story=options.act is None,
        rules=ACTS_TAKEN_BACK,
    )
    events: Events = []
    return Step(settle(deal(fresh, act, chance, events), chance, events), tuple(events))


def deal(state: RokumonState, act: int, chance: Chance, events: Events) -> RokumonState:
    """An act's setup: tiles at random, all warriors in the supplies (L4), Sanada to act (T1)."""
    tiles = deal_tiles(act, layout_of(act), chance)
    dealt = state.model_copy(
        update={
            "act": act,
            "layout": layout_of(act),
            "tiles": tiles,
            "supply": Both(sanada=warriors_of(0, state.solo), tokugawa=warriors_of(1, state.solo)),
            "surprised": Both(sanada=False, tokugawa=False),
            "locked": None,
            "to_move": "sanada",
            "phase": "act",
            "fight": None,
            "before": None,
            "last": None,
            "taroma": None,
        }
    )
    events.append(dealt_event(dealt))
    return dealt.model_copy(update={"history": (sight.key(dealt),)})


def deal_tiles(act: int, layout: Layout, chance: Chance) -> tuple[Tile, ...]:
    """Coin tiles left to right, top row first (L4).

    Act 1 leaves one out (L1), acts 5 and 6 draw Sanada Maru first (L5).
    """
    maru = chance.pick(PIPS) if act >= MARU_FROM else None
    pips = chance.shuffled(PIPS)
    return tuple(
        Tile(at=cell, pips=count, down=count == maru)
        for cell, count in zip(cells_of(layout), pips, strict=False)
    )


def dealt_event(state: RokumonState) -> Event:
    """What everybody is told of a deal."""
    if state.solo:
        return Event(code="battle-dealt", params={"battle": state.battles_won + 1}, reveals=True)
    maru = [tile.pips for tile in state.tiles if tile.down]
    if maru:
        return Event(code="act-dealt-maru", params={"act": state.act, "pips": maru[0]}, reveals=True)
    return Event(code="act-dealt", params={"act": state.act}, reveals=True)


# -- what players do -------------------------------------------------------------------------


def act_on(state: RokumonState, seat: Seat, action: RokumonAction, chance: Chance) -> Step[RokumonState]:
    """The state after a player's action, run on to the next decision.

    Raises RulesError `bad-seat`, `game-over`, `not-your-turn`, `no-takeback`, `fight-on`, `no-fight`,
    `not-enough-tokens`, and what `rules.check` raises.
    """
    if not 0 <= seat < len(sight.clans(state)):
        raise RulesError("bad-seat", seat=seat, seats=len(sight.clans(state)))
    if state.phase == "over":
        raise RulesError(GAME_OVER)
    side = CLANS.index(sight.clans(state)[seat])
    events: Events = []
    match action:
        case Resign():
            after = resign(state, seat, side, events)
        case Surrender():
            events.append(Event(code="surrendered", params={"seat": seat}))
            after = end_act(state, given_up(state, side), chance, events)
        case Takeback():
            after = take_back(state, seat, side, events)
        case _:
            if state.mover != side:
                raise RulesError("not-your-turn")
            after = take_turn(state, action, chance, events)
    return Step(settle(after, chance, events), tuple(events))


def take_turn(state: RokumonState, action: RokumonAction, chance: Chance, events: Events) -> RokumonState:
    """One of the four actions, or tokens added to the Fight that is on."""
    if isinstance(action, Revenge):
        return add_tokens(state, action.count, events)
    if state.phase == "revenge":
        raise RulesError("fight-on")
    play = as_play(action)  # type: ignore[arg-type]
    rules.check(state.board, play)
    if isinstance(action, Fight):
        return open_fight(state, action, events)
    return carry_out(state, play, chance, events)


def carry_out(state: RokumonState, play: Play, chance: Chance, events: Events) -> RokumonState:
    """A Deploy, Move or Surprise, and whose turn it is then.

    Deploys and Moves can be taken back (H2; Ruling: what is taken back).
    """
    side = state.mover
    if play.kind == "deploy" and not play.token:
        play = play._replace(token=state.supply.of(side)[0])
    events.append(played_event(state, play))
    done = rules.after(state.board, play)
    tile = (play.origin, play.target) if play.kind == "surprise" else ("", "")
    before = Before(tiles=state.tiles, supply=state.supply, locked=state.locked, last=state.last)
    laid = state.laid_out(done.board, *tile).model_copy(
        update={
            "before": None if play.kind == "surprise" or state.solo else before,
            "last": last_of(state, play),
            "taroma": state.taroma,
        }
    )
    return kept_to_take_back(state, laid, conclude(laid, done, chance, events))


def kept_to_take_back(state: RokumonState, laid: RokumonState, after: RokumonState) -> RokumonState:
    """An act that a Deploy or Move ended is kept until anybody acts in the next one (H2).

    Ruling: a take-back after the act.

    state, laid, after: before the action, with it carried out, and with what followed from it. Not where
    the game is over; games that began by older rulings do not know of it.
    """
    if (
        laid.before is None
        or after.before is not None
        or after.phase == "over"
        or state.rules < ACTS_TAKEN_BACK
    ):
        return after
    act = ActBefore(
        by=state.to_move,
        act=state.act,
        layout=state.layout,
        revenge=state.revenge,
        surprised=state.surprised,
        history=state.history,
        won=state.won,
        ended=state.ended,
    )
    return after.model_copy(update={"before": laid.before.model_copy(update={"act": act})})


def last_of(state: RokumonState, play: Play) -> Last:
    """The last action, as the state remembers it."""
    return Last(
        kind=play.kind,
        clan=state.to_move,
        seat=sight.seat_of(state, state.mover),
        origin=play.origin or None,
        target=play.target,
        token=None if alike(state.act) or play.kind != "deploy" else play.token,
    )


def played_event(state: RokumonState, play: Play) -> Event:
    """What is told of an action. A face-down warrior's value is told to its owner alone.

    Taroma has no seat: its actions are told by event `taroma`, with its step.
    """
    seat = sight.seat_of(state, state.mover)
    if seat is None:
        places = {"from": play.origin, "to": play.target} if play.origin else {"to": play.target}
        return Event(code=f"taroma-{play.kind}", params={"step": state.taroma, **places})
    params = {"seat": seat, "to": play.target}
    if play.kind != "deploy":
        return Event(code=EVENT_OF[play.kind], params={**params, "from": play.origin})
    if alike(state.act):
        return Event(code="deployed", params=params)
    if state.act >= OPEN_FROM:
        return Event(code="deployed-open", params={**params, "token": play.token})
    return Event(code="deployed", params=params, private={seat: {"token": play.token}})


EVENT_OF = {"move": "moved", "surprise": "surprised"}


# -- the Fight -------------------------------------------------------------------------------


def open_fight(state: RokumonState, action: Fight, events: Events) -> RokumonState:
    """A Fight begins: the attacker adds tokens with it, then the other side is asked (T5).

    Ruling: adding tokens.
    """
    spend(state, action.revenge)
    fight = FightOn(at=action.at, attacker=state.to_move, added=Both(sanada=0, tokugawa=0), passes=0)
    seat = sight.seat_of(state, state.mover)
    events.append(Event(code="fight", params={"seat": seat, "at": action.at, "count": action.revenge}))
    return add(state.model_copy(update={"phase": "revenge", "fight": fight, "before": None}), action.revenge)


def add_tokens(state: RokumonState, count: int, events: Events) -> RokumonState:
    """The side that is asked adds tokens to the Fight that is on."""
    if state.fight is None:
        raise RulesError("no-fight")
    spend(state, count)
    events.append(Event(code="added", params={"seat": sight.seat_of(state, state.mover), "count": count}))
    return add(state, count)


def spend(state: RokumonState, count: int) -> None:
    """Raises RulesError `not-enough-tokens` where the side to act has fewer tokens face up."""
    up = state.revenge.of(state.mover).up
    if count > up:
        raise RulesError("not-enough-tokens", count=count, up=up)


def add(state: RokumonState, count: int) -> RokumonState:
    """Tokens of the side to act turned down for the Fight that is on; the other side is asked next (T5)."""
    side, fight = state.mover, state.fight
    if fight is None:
        raise RulesError("no-fight")
    tokens = state.revenge.of(side)
    return state.model_copy(
        update={
            "revenge": state.revenge.put(side, Tokens(up=tokens.up - count, down=tokens.down + count)),
            "fight": fight.model_copy(
                update={
                    "added": fight.added.put(side, fight.added.of(side) + count),
                    "passes": 0 if count else fight.passes + 1,
                }
            ),
            "to_move": CLANS[1 - side],
        }
    )


def reveal(state: RokumonState, fight: FightOn, chance: Chance, events: Events) -> RokumonState:
    """Both warriors revealed (T6), after two additions of 0 in a row."""
    attacker = CLANS.index(fight.attacker)
    state = state.model_copy(update={"to_move": fight.attacker, "phase": "act", "fight": None})
    board = state.board
    own = {side_of(token): bare(token) for token in board.stack_at(fight.at)}
    done = rules.after_fight(board, fight.at, (fight.added.sanada, fight.added.tokugawa))
    stays = done.board.stack_at(fight.at)
    winner = CLANS[side_of(stays[0])] if stays else None
    events.append(fought_event(state, fight, own, winner))
    last = Last(
        kind="fight",
        clan=fight.attacker,
        seat=sight.seat_of(state, attacker),
        target=fight.at,
        fought=Both(sanada=own[0], tokugawa=own[1]),
        added=fight.added,
        winner=winner,
    )
    return conclude(state.laid_out(done.board).model_copy(update={"last": last}), done, chance, events)


def fought_event(state: RokumonState, fight: FightOn, own: dict[int, str], winner: str | None) -> Event:
    """What everybody is told of a Fight: both warriors, the tokens added, who returns."""
    params = {
        "seat": sight.seat_of(state, state.mover),
        "at": fight.at,
        "sanada": own[0],
        "tokugawa": own[1],
        "sanada_added": fight.added.sanada,
        "tokugawa_added": fight.added.tokugawa,
    }
    if winner is None:
        return Event(code="fought-tie", params=params, reveals=True)
    survivor = CLANS.index(winner)
    params |= {"survivor": own[survivor], "returned": own[1 - survivor]}
    return Event(code="fought", params=params, reveals=True)


# -- the turn passes, an act ends ----------------------------------------------------------


def conclude(state: RokumonState, done: rules.After, chance: Chance, events: Events) -> RokumonState:
    """After a whole action: the act is won, void by the third repetition, or the turn passes."""
    if done.winner is not None:
        return end_act(state, done, chance, events)
    actor = state.mover
    passed = state.model_copy(update={"to_move": CLANS[1 - actor]})
    passed = passed.model_copy(update={"history": (*state.history, sight.key(passed))})
    if sight.repeats(passed) >= REPEATS:
        return void(passed, chance, events)
    if actor == sight.bound(passed) and could_win(passed, actor):
        events.append(Event(code="tanomo", params={"seat": sight.seat_of(passed, actor)}))
    return passed


def could_win(state: RokumonState, side: Side) -> bool:
    """Whether the side could certainly win if the other's turn were skipped, as all can see (H3).

    A Fight counts only where both warriors are known to all; revenge tokens are left aside.
    Ruling: a win that one player knows.
    """
    board = sight.seen_board(state, None)._replace(mover=side, locked=None)
    return any(
        rules.surely(board, play, side)
        for play in rules.legal(board)
        if play.kind != "fight" or not any("?" in token for token in board.stack_at(play.target))
    )


def void(state: RokumonState, chance: Chance, events: Events) -> RokumonState:
    """The same position a third time: the act or battle is void and dealt afresh (W6).

    Ruling: the third repetition.
    """
    code = "battle-void" if state.solo else "act-void"
    events.append(Event(code=code, params={"act": state.act}))
    ended = Ended(act=state.act, winner=None, how="void", tiles=sight.seen_tiles(state, None))
    return deal(state.model_copy(update={"ended": ended}), state.act, chance, events)


def given_up(state: RokumonState, side: Side) -> rules.After:
    """The act or battle surrendered by this side (W3)."""
    return rules.After(state.board, 1 - side, "surrender")


def end_act(state: RokumonState, done: rules.After, chance: Chance, events: Events) -> RokumonState:
    """An act or battle is won, the loser takes a token (G2); the next one is dealt, or the game is over."""
    winner = done.winner
    if winner is None or done.how is None:
        raise ValueError("an act that nobody has won does not end")
    ended = Ended(
        act=state.act,
        winner=CLANS[winner],
        how=done.how,
        cells=done.cells,
        tiles=sight.seen_tiles(state, None),
    )
    state = state.model_copy(update={"ended": ended, "phase": "act", "fight": None, "before": None})
    if state.solo:
        return end_battle(state, winner, chance, events)
    loser = 1 - winner
    tokens = state.revenge.of(loser)
    params = {"act": state.act, "winner": winner, "loser": loser, "how": done.how, "cells": list(done.cells)}
    events.append(Event(code="act-won", params=params))
    state = state.model_copy(
        update={
            "revenge": state.revenge.put(loser, tokens.model_copy(update={"up": tokens.up + 1})),
            "won": (*state.won, Won(act=state.act, winner=CLANS[winner])),
        }
    )
    if state.story and state.act < ACTS:
        return deal(state, state.act + 1, chance, events)
    counts = (state.revenge.sanada.count, state.revenge.tokugawa.count)
    if state.story and counts[0] == counts[1]:
        events.append(Event(code="act-again", params={"act": state.act, "n": counts[0]}))
        return deal(state, state.act, chance, events)
    return over(state, by_tokens(state), events)


def by_tokens(state: RokumonState) -> Result:
    """The player with fewer revenge tokens, either side up, wins (G3)."""
    counts = (state.revenge.sanada.count, state.revenge.tokugawa.count)
    winners = tuple(side for side in (0, 1) if counts[side] < counts[1 - side])
    return Result(winners=winners, scores=counts, reason="tokens")


def end_battle(state: RokumonState, winner: Side, chance: Chance, events: Events) -> RokumonState:
    """Solo: three battles in a row win, a lost one ends the game (Solo 5)."""
    won = sight.seat_of(state, winner) is not None
    battle, how = state.battles_won + 1, state.ended.how if state.ended else ""
    events.append(Event(code="battle-won" if won else "battle-lost", params={"battle": battle, "how": how}))
    if won:
        state = state.model_copy(update={"battles_won": battle})
    if won and battle < BATTLES:
        return deal(state, SOLO, chance, events)
    return over(state, by_battles(state), events)


def by_battles(state: RokumonState) -> Result:
    """Solo: the human wins with three battles in a row."""
    winners = (0,) if state.battles_won >= BATTLES else ()
    return Result(winners=winners, scores=(state.battles_won,), reason="battles")


def resign(state: RokumonState, seat: Seat, side: Side, events: Events) -> RokumonState:
    """A player gives the whole game up (G4)."""
    events.append(Event(code="resigned", params={"seat": seat}))
    if state.solo:
        return over(state, by_battles(state).model_copy(update={"winners": (), "reason": "resign"}), events)
    counts = by_tokens(state).scores
    return over(state, Result(winners=(1 - side,), scores=counts, reason="resign"), events)


def over(state: RokumonState, result: Result, events: Events) -> RokumonState:
    """The game is over."""
    events.append(game_over(result))
    return state.model_copy(update={"phase": "over", "outcome": result, "fight": None, "before": None})


# -- the Code of Honour: a take-back -------------------------------------------------------


def take_back(state: RokumonState, seat: Seat, side: Side, events: Events) -> RokumonState:
    """The last Deploy or Move is as if it had not been (H2). Raises `no-takeback`.

    Where it ended the act, that act goes on, and the deal of the next one is thrown away.
    """
    before = state.before
    if before is None or not sight.may_take_back(state, side):
        raise RulesError("no-takeback")
    restored = {
        "tiles": before.tiles,
        "supply": before.supply,
        "locked": before.locked,
        "last": before.last,
        "to_move": CLANS[side],
        "before": None,
    }
    if before.act is None:
        events.append(Event(code="taken-back", params={"seat": seat}))
        return state.model_copy(update={**restored, "history": state.history[:-1]})
    events.append(Event(code="taken-back-act", params={"seat": seat, "act": before.act.act}))
    act = {name: getattr(before.act, name) for name in ActBefore.model_fields if name != "by"}
    return state.model_copy(update={**restored, **act})


# -- running on ------------------------------------------------------------------------------


def settle(state: RokumonState, chance: Chance, events: Events) -> RokumonState:
    """Runs a position on until somebody has to decide: Fights that nobody adds to, Taroma's turns."""
    while state.phase != "over":
        if state.phase == "revenge" and state.fight is not None:
            if state.fight.passes >= 2:
                state = reveal(state, state.fight, chance, events)
            elif state.revenge.of(state.mover).up == 0:
                state = add(state, 0)
            else:
                break
        elif state.solo and sight.seat_of(state, state.mover) is None:
            state = taroma_acts(state, chance, events)
        else:
            break
    return state


def taroma_acts(state: RokumonState, chance: Chance, events: Events) -> RokumonState:
    """Taroma's turn, by its first step that has a candidate (Solo 1)."""
    step, play = taroma.decide(state.board)
    state = state.model_copy(update={"taroma": step})
    if play is not None:
        return carry_out(state, play, chance, events)
    events.append(Event(code="taroma-surrender", params={"step": step}))
    return end_act(state, given_up(state, state.mover), chance, events)


def run_on(state: RokumonState, chance: Chance) -> Step[RokumonState]:
    """A position from outside run on: an act that is decided ends, Taroma acts, a Fight is revealed."""
    events: Events = []
    if state.phase == "act":
        done = rules.standing(state.board)
        if done is not None:
            state = end_act(state, done, chance, events)
    return Step(settle(state, chance, events), tuple(events))
