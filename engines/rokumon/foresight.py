"""What would follow from an action of Rokumon, as far as a view tells: Fights, acts decided, threats."""

from __future__ import annotations

from typing import NamedTuple

from engines.protocol import RulesError, Seen
from engines.rokumon import notation, rules
from engines.rokumon.data import CLANS, GIANT, GIANT_KILLER, STRENGTH, WARRIORS, Clan, Side
from engines.rokumon.model import (
    Fight,
    Play,
    Resign,
    Revenge,
    RokumonAction,
    RokumonView,
    Surrender,
    Takeback,
    bare,
    side_of,
)

NOT_PLAYED = (Revenge, Takeback, Surrender, Resign)


class Bout(NamedTuple):
    """A Fight as one side knows it, with the tokens added so far.

    own, others  the viewer's warrior, and every warrior that the other may be, one as often as it may be
    added        tokens of Sanada and Tokugawa
    up           tokens that the other side can still add
    """

    at: str
    side: Side
    own: str
    others: tuple[str, ...]
    added: tuple[int, int]
    up: int

    def lead(self, other: str) -> int:
        """By how much the viewer's side is ahead of this warrior as it stands; any giant loses by far."""
        pair = {self.own, other}
        if pair == {GIANT, GIANT_KILLER}:
            return -100 if self.own == GIANT else 100
        mine, theirs = self.added[self.side], self.added[1 - self.side]
        return STRENGTH[self.own] + mine - STRENGTH[other] - theirs

    @property
    def other(self) -> str | None:
        """The other warrior, where it is known."""
        return self.others[0] if len(set(self.others)) == 1 else None

    @property
    def counts(self) -> tuple[int, int, int]:
        """As it stands: so many of the warriors that it may be lose, tie and win against the viewer's."""
        leads = [self.lead(other) for other in self.others]
        return sum(n > 0 for n in leads), sum(n == 0 for n in leads), sum(n < 0 for n in leads)

    @property
    def certain(self) -> bool:
        """Whether the end is known: the other warrior is, and no token that can be added changes it."""
        return self.other is not None and (self.up == 0 or not 0 <= self.lead(self.other) <= self.up)

    @property
    def survivor(self) -> str | None:
        """The known warrior that stays as it stands; None where both return, or one is not known."""
        if self.other is None or self.lead(self.other) == 0:
            return None
        return self.own if self.lead(self.other) > 0 else self.other


def read_action(view: RokumonView, text: str) -> RokumonAction | None:
    """The action of a text for the viewer; None where it is none, or the viewer leads no clan."""
    if view.side is None:
        return None
    try:
        return notation.read_text(text, view.side)
    except RulesError:
        return None


def bout_of(view: RokumonView, text: str | None) -> Bout | None:
    """The Fight that an action begins or goes on with; without one the Fight that is on. None: no Fight."""
    side = view.side
    if side is None:
        return None
    action = read_action(view, text) if text is not None else None
    added, spent, at = [0, 0], 0, None
    if view.fight is not None and (text is None or isinstance(action, Revenge)):
        added, at = [view.fight.added.sanada, view.fight.added.tokugawa], view.fight.at
        spent = action.count if isinstance(action, Revenge) else 0
    elif isinstance(action, Fight):
        at, spent = action.at, action.revenge
    board = view.board
    if at is None or at not in board.cells or not rules.contested(board.stack_at(at)):
        return None
    added[side] += spent
    tokens = {side_of(token): bare(token) for token in board.stack_at(at)}
    if tokens[side][1:] == "?":
        return None
    hidden = tokens[1 - side][1:] == "?"
    others = rules.unseen(board, 1 - side) if hidden else (tokens[1 - side],)
    over = isinstance(action, Revenge) and not spent and view.fight is not None and view.fight.passes > 0
    up = 0 if over else view.revenge.of(1 - side).up
    return Bout(at, side, tokens[side], others or WARRIORS[1 - side], (added[0], added[1]), up)


def play_of(view: RokumonView, text: str) -> Play | None:
    """The play that an action is; None for what is none of the four actions."""
    action = read_action(view, text)
    if action is None or isinstance(action, NOT_PLAYED):
        return None
    play = notation.as_play(action)
    board = view.board
    try:
        rules.check(board, play)
    except RulesError:
        return None
    return play


def decided(view: RokumonView, text: str) -> Clan | None:
    """The clan that an action surely makes the winner of the act; None where it decides nothing for sure."""
    play = play_of(view, text)
    if play is None or (play.kind == "fight" and (view.revenge.sanada.up or view.revenge.tokugawa.up)):
        return None
    for side in (0, 1):
        if rules.surely(view.board, play, side):
            return CLANS[side]
    return None


class Threats(NamedTuple):
    """How the other side could surely win next: tiles for a Deploy or Move, and whether by a Surprise."""

    cells: tuple[str, ...] = ()
    surprise: bool = False


def threats(view: RokumonView, text: str) -> Threats:
    """How the other side could surely win after an action, by anything but a Fight, as the viewer knows.

    None after a Fight that may end in more than one way, and after what decides the act.
    """
    play = play_of(view, text)
    if play is None:
        return Threats()
    ends = rules.foreseen(view.board, play)
    if len(ends) != 1 or ends[0].winner is not None:
        return Threats()
    board = ends[0].board
    found = [p for p in rules.legal(board) if p.kind != "fight" and rules.surely(board, p, board.mover)]
    cells = dict.fromkeys(play.target for play in found if play.kind != "surprise")
    return Threats(tuple(cells), any(play.kind == "surprise" for play in found))


def foresee(view: RokumonView, text: str, *, odds: bool) -> tuple[Seen, ...]:
    """The end of a Fight as far as it is known, an act decided; with `odds` counts and threats too."""
    if view.viewer is None or view.viewer != view.seat or view.phase == "over":
        return ()
    bout = bout_of(view, text)
    told = [] if bout is None else fight_lines(view, bout, odds=odds)
    winner = decided(view, text)
    if winner is not None and bout is None:
        told.append(
            Seen(code="wins" if CLANS.index(winner) == view.side else "loses", params={"act": view.act})
        )
    if odds and winner is None:
        told += threat_lines(view, threats(view, text))
    return tuple(told)


def threat_lines(view: RokumonView, found: Threats) -> list[Seen]:
    """How the other side could win next."""
    other = CLANS[1 - (view.side or 0)]
    told = []
    if found.cells:
        told.append(Seen(code="threat", params={"clan": other, "cells": list(found.cells)}))
    if found.surprise:
        told.append(Seen(code="threat-surprise", params={"clan": other}))
    return told


def fight_lines(view: RokumonView, bout: Bout, *, odds: bool) -> list[Seen]:
    """What is to be said of a Fight: its end, or what it may come to."""
    other = CLANS[1 - bout.side]
    if bout.other is not None:
        pair = (bout.own, bout.other) if bout.side == 0 else (bout.other, bout.own)
        params = {"at": bout.at, "sanada": pair[0], "tokugawa": pair[1], "clan": other}
        told = [tie_or_end(bout, params)]
        if not bout.certain:
            told.append(Seen(code="fight-unless", params={"clan": other, "n": max(1, bout.lead(bout.other))}))
        return told
    if not odds:
        return []
    wins, ties, losses = bout.counts
    counts = {"n": len(bout.others), "wins": wins, "ties": ties, "losses": losses}
    told = [Seen(code="fight-odds", params={"at": bout.at, "own": bout.own, **counts})]
    if bout.up:
        told.append(Seen(code="fight-tokens", params={"clan": other, "n": bout.up}))
    return told


def tie_or_end(bout: Bout, params: dict[str, str]) -> Seen:
    """Who stays in a Fight of two known warriors, as it stands."""
    survivor = bout.survivor
    if survivor is None:
        return Seen(code="fight-tie", params=params)
    returned = bout.other if survivor == bout.own else bout.own
    return Seen(code="fight-end", params={**params, "survivor": survivor, "returned": returned})
