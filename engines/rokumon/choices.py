"""The guided panel of Rokumon: an action, then its warrior and places, level by level."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from engines.listed import branches
from engines.protocol import GAME_OVER, Choice, Prompt, Ready, RulesError, Seat
from engines.rokumon import rules, sight
from engines.rokumon.data import FIGHT_FROM, Side
from engines.rokumon.model import (
    Board,
    Kind,
    Play,
    Resign,
    Revenge,
    RokumonAction,
    RokumonState,
    Surrender,
    Takeback,
    alike,
)
from engines.rokumon.notation import as_action, as_play, write

KINDS: tuple[Kind, ...] = ("deploy", "move", "fight", "surprise")
ALWAYS = frozenset({"takeback", "surrender", "resign"})
WHERE_FROM = {"deploy": "token", "move": "origin", "surprise": "origin"}  # what is picked before the target
MOST_WAYS = 25  # of them with their targets that are one question: what a select holds
GIVE_UP = "give-up"
GIVES_UP = Choice(key=GIVE_UP, code=GIVE_UP, aside=True)
NOT_PLAYED = (Revenge, Takeback, Surrender, Resign)


def panel(state: RokumonState, seat: Seat, path: Sequence[str]) -> Prompt | Ready:
    """The panel after the picks of `path`, from what the seat's own view knows.

    Raises RulesError `game-over`, `not-your-turn`, `stale-path`.
    """
    side = sight.side_at(state, seat)
    if state.phase == "over":
        raise RulesError(GAME_OVER)
    if side is None:
        raise RulesError("not-your-turn")
    if path and path[0] == GIVE_UP:
        return giving_up(state, side, path[1:])
    if path and path[0] in ALWAYS:
        return always(state, side, path)
    if state.mover != side:
        return waiting(state, side, path)
    if state.phase == "revenge":
        return adding(state, side, path)
    return Acting(state, side).after(path)


def waiting(state: RokumonState, side: Side, path: Sequence[str]) -> Prompt:
    """What a side that is not to act may do: take back, give up. Raises RulesError `stale-path`."""
    if path:
        raise RulesError("stale-path")
    back = (taking_back(state),) if sight.may_take_back(state, side) else ()
    return Prompt(code="waiting", choices=(*back, GIVES_UP))


def always(state: RokumonState, side: Side, path: Sequence[str]) -> Ready:
    """What ends a path of one pick: taking back, surrendering, resigning. Raises RulesError `stale-path`."""
    code = path[0]
    if len(path) != 1 or (code == "takeback" and not sight.may_take_back(state, side)):
        raise RulesError("stale-path")
    if code == "surrender":
        warning = "surrender-battle" if state.solo else "surrender"
        return Ready(action=code, warning=warning, params={"act": state.act})
    return Ready(action=code, warning="resign" if code == "resign" else None)


def confirm(state: RokumonState, side: Side, action: RokumonAction) -> Ready:
    """A typed action with the warning that the panel has for it, none where it is not legal."""
    text = write(action)
    if action.type in ALWAYS and state.phase != "over":
        allowed = action.type != "takeback" or sight.may_take_back(state, side)
        return always(state, side, (text,)) if allowed else Ready(action=text)
    if state.phase != "act" or state.mover != side or isinstance(action, NOT_PLAYED):
        return Ready(action=text)
    acting, wanted = Acting(state, side), as_play(action)
    if not wanted.token and not alike(state.act) and wanted.kind == "deploy":
        wanted = wanted._replace(token=(*acting.board.supply[side], "")[0])
    return acting.ready(wanted) if wanted in acting.plays else Ready(action=text)


def giving_up(state: RokumonState, side: Side, path: Sequence[str]) -> Prompt | Ready:
    """What is always there, on a page of its own: no thumb that wants a move meets it."""
    if path:
        return always(state, side, path)
    surrender = "surrender-battle" if state.solo else "surrender"
    choices = (
        Choice(key="surrender", code=surrender, params={"act": state.act}, style="danger"),
        Choice(key="resign", code="resign", style="danger"),
    )
    return Prompt(code=GIVE_UP, choices=choices)


def taking_back(state: RokumonState) -> Choice:
    """The choice to take back the last Deploy or Move."""
    last = state.last
    return Choice(key="takeback", code="takeback", marks=(last.target,) if last else ())


def adding(state: RokumonState, side: Side, path: Sequence[str]) -> Prompt | Ready:
    """Tokens added to the Fight that is on."""
    up, fight = state.revenge.of(side).up, state.fight
    at = fight.at if fight else ""
    if not path:
        counts = tuple(count_choice(count, at) for count in range(up + 1))
        params = {"at": at, "sanada": 0, "tokugawa": 0}
        if fight:
            params |= {"sanada": fight.added.sanada, "tokugawa": fight.added.tokugawa}
        return Prompt(code="revenge", params=params, choices=(*counts, GIVES_UP))
    if len(path) != 1 or path[0] not in map(str, range(up + 1)):
        raise RulesError("stale-path")
    return Ready(action=f"revenge {path[0]}")


def count_choice(count: int, at: str) -> Choice:
    """A number of revenge tokens to add."""
    if count:
        return Choice(key=str(count), code="add", params={"n": count}, marks=(at,))
    return Choice(key="0", code="add-none", marks=(at,), style="primary")


class Acting:
    """The panel of a side that has one of the four actions to choose."""

    def __init__(self, state: RokumonState, side: Side) -> None:
        self.state, self.side = state, side
        self.board: Board = sight.seen_board(state, side)
        self.tokens = state.revenge.of(side).up
        self.unsure = sight.tokens_up(state)
        self.plays = list(rules.legal(self.board, self.tokens))
        self.steps = {kind: self.levels(kind) for kind in KINDS}

    def after(self, path: Sequence[str]) -> Prompt | Ready:
        """The next level. Raises RulesError `stale-path`.

        Where there is but one of the four actions it is not asked for.
        """
        if not path and self.only is None:
            return self.kinds()
        whole = (*(() if self.only is None else (self.only,)), *path)
        left = branches(((self.way(play), play) for play in self.plays), whole)
        if not isinstance(left, dict):
            return self.ready(left[0])
        asked = self.level(whole[0], self.steps[whole[0]][len(whole) - 1], left)
        return asked if path else asked.model_copy(update={"choices": (*asked.choices, GIVES_UP)})

    @cached_property
    def only(self) -> str | None:
        """The only action there is; None where there is a choice, if only to take the last one back."""
        kinds = {play.kind for play in self.plays}
        return kinds.pop() if len(kinds) == 1 and not sight.may_take_back(self.state, self.side) else None

    def way(self, play: Play) -> tuple[str, ...]:
        """What is picked for a play: its kind, then the parts that tell it from others of its kind."""
        return play.kind, *(self.word(play, name) for name in self.steps[play.kind])

    def kinds(self) -> Prompt:
        """The first level: which of the four actions."""
        found = []
        for kind in KINDS:
            plays = [play for play in self.plays if play.kind == kind]
            marks = tuple(dict.fromkeys(play.origin or play.target for play in plays))
            if plays:
                found.append(Choice(key=kind, code=kind, params={"count": len(marks)}, marks=marks))
        if sight.may_take_back(self.state, self.side):
            found.append(taking_back(self.state))
        return Prompt(
            code="act" if self.state.act else "battle",
            params={"act": self.state.act, "battle": self.state.battles_won + 1},
            choices=(*found, GIVES_UP),
        )

    def levels(self, kind: str) -> tuple[str, ...]:
        """What has to be picked for an action of this kind, in turn; from and to at once where they fit."""
        if kind == "fight":
            return ("target", "added") if self.tokens else ("target",)
        if kind == "deploy" and self.state.act < FIGHT_FROM:
            return ("target",)
        first = WHERE_FROM[kind]
        ways = {(self.word(play, first), play.target) for play in self.plays if play.kind == kind}
        one_way = len({start for start, _ in ways}) > 1 and len(ways) <= MOST_WAYS
        return (f"way-{first}",) if one_way else (first, "target")

    @classmethod
    def word(cls, play: Play, name: str) -> str:
        """A part of a play as a pick: a warrior by its value, a cell, a number of tokens."""
        if name.startswith("way-"):
            return f"{cls.word(play, name.removeprefix('way-'))}-{play.target}"
        part = getattr(play, name)
        return part[1:] if name == "token" else str(part)

    def level(self, kind: str, name: str, left: dict[str, list[Play]]) -> Prompt:
        """The choices of one level: what the remaining plays have there."""
        first = next(iter(left.values()))[0]
        return Prompt(
            code=f"{kind}-{name.partition('-')[0]}",
            params={"from": first.origin, "at": first.target},
            choices=tuple(self.choice(name, word, plays) for word, plays in left.items()),
        )

    def choice(self, name: str, word: str, plays: list[Play]) -> Choice:
        """One choice of a level."""
        if name == "token":
            token = plays[0].token
            marks = tuple(dict.fromkeys(play.target for play in plays))
            return Choice(key=word, code="token", params={"token": token}, marks=marks)
        if name == "added":
            return count_choice(plays[0].added, plays[0].target)
        if name == "origin":
            marks = (word, *dict.fromkeys(play.target for play in plays))
            return Choice(key=word, code="from", params={"cell": word}, marks=marks)
        if name.startswith("way-"):
            return self.from_and_to(word, plays[0])
        return self.target(word, plays[0])

    def from_and_to(self, word: str, play: Play) -> Choice:
        """A warrior with the place it goes to, with what happens at once there."""
        to = self.target(play.target, play)
        if play.origin:
            params, marks = {"from": play.origin, **to.params}, (play.origin, play.target)
            return Choice(key=word, code=f"way-{to.code}", params=params, marks=marks, style=to.style)
        params = {"token": play.token, **to.params}
        return Choice(key=word, code=f"put-{to.code}", params=params, marks=(play.target,), style=to.style)

    def target(self, cell: str, play: Play) -> Choice:
        """A place to act on, with what happens at once there."""
        wins, loses = sight.fate(self.board, play, self.side, self.unsure)
        code = "wins" if wins else "loses" if loses else self.target_code(cell)
        style = "primary" if wins else "danger" if loses else "plain"
        return Choice(key=cell, code=code, params={"cell": cell}, marks=(cell,), style=style)

    def target_code(self, cell: str) -> str:
        """How a place is labelled: free cell, empty tile, or how many warriors it holds."""
        if cell not in self.board.cells:
            return "cell"
        stack = self.board.stack_at(cell)
        return f"onto-{len(stack)}" if stack else f"tile-{self.board.color_at(cell)}"

    def ready(self, play: Play) -> Ready:
        """The action to confirm, with a warning where it loses at once, or may."""
        return Ready(action=write(as_action(play)), warning=self.warning(play), params={"cell": play.target})

    def warning(self, play: Play) -> str | None:
        """Why the action should be asked about twice, else None."""
        lost = [done for done in rules.foreseen(self.board, play) if done.winner == 1 - self.side]
        if not lost:
            return None
        if lost[0].how == "uncovered":
            return "uncovers"
        return "hands-over" if sight.fate(self.board, play, self.side, self.unsure)[1] else "may-hand-over"
