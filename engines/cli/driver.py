"""The headless driver: every command of `python -m engines` as a function from words to JSON."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

from engines.capabilities import random_action
from engines.chance import Chance
from engines.cli import inputs
from engines.cli.inputs import Command, Words
from engines.opponents import opponent
from engines.perft import perft
from engines.protocol import GAME_OVER, Json, Result, RulesError, Seat, canonical, printable
from engines.record import (
    Acted,
    History,
    Ply,
    Record,
    append,
    begin,
    check_seat,
    fold,
    from_position,
    new,
    read_record,
    state_hash,
    verify,
)

DEFAULT_SEED = "00"
DEEPEST_PERFT = 30
KEPT = 16  # histories that a driver remembers

COMMANDS = {
    "new": Command(("game",), {"seats": None, "seed": DEFAULT_SEED, "options": None}),
    "apply": Command(("record",), required=("seat", "action")),
    "show": Command(("record",), {"viewer": "public", "at": None}),
    "legal": Command(("record",), {"prefix": ""}, required=("seat",)),
    "from-position": Command(("game", "position"), {"seed": DEFAULT_SEED}),
    "perft": Command(("record", "depth")),
    "replay": Command(("record",)),
    "verify": Command(("record",)),
    "choose": Command(("record",), {"seed": DEFAULT_SEED}, required=("seat", "level")),
    "check": Command(("game",)),
    "random": Command(("game",), {"seats": None, "options": None, "max-plies": None}, required=("seed",)),
}


class Driver:
    """Answers commands. It remembers the last histories, so that a game that is built up
    action by action is not replayed from its start each time.

    `stdin` tells whether `-` may name the standard input.
    """

    def __init__(self, *, stdin: bool = True) -> None:
        self._stdin = stdin
        self._known: OrderedDict[str, History] = OrderedDict()
        self._carry_out: dict[str, Callable[[dict[str, Json]], Json]] = {
            "new": self._new,
            "apply": self._apply,
            "show": self._show,
            "legal": self._legal,
            "from-position": self._from_position,
            "perft": self._perft,
            "replay": self._replay,
            "verify": self._verify,
            "choose": self._choose,
            "check": self._check,
            "random": self._random,
        }

    def answer(self, words: Words) -> Json:
        """The answer to the words of one command. Raises RulesError for anything wrong with them."""
        if not words:
            raise RulesError("unknown-command", commands=list(COMMANDS))
        name = words[0]
        if not isinstance(name, str) or name not in COMMANDS:
            raise RulesError("unknown-command", command=printable(str(name)), commands=list(COMMANDS))
        return self._carry_out[name](inputs.read_words(COMMANDS[name], words[1:]))

    # -- commands ---------------------------------------------------------------------

    def _new(self, given: dict[str, Json]) -> Json:
        return _new_record(given).json_value()

    def _apply(self, given: dict[str, Json]) -> Json:
        history = self._history(given["record"])
        seat = _seat(history.record, given["seat"])
        action = given["action"]
        if not isinstance(action, dict):
            action = inputs.text(action, "action")
        return self._remember(append(history, seat, action)).record.json_value()

    def _show(self, given: dict[str, Json]) -> Json:
        history = self._history(given["record"])
        at = len(history.plies) if given["at"] is None else inputs.number(given["at"], "bad-ply")
        state = history.at(at)
        engine = history.record.engine
        shown = {"to_act": sorted(engine.to_act(state)), "result": _result(engine.result(state))}
        viewer = given["viewer"]
        if viewer == "all":
            return {**shown, "position": engine.position(state)}
        seat = None if viewer == "public" else _seat(history.record, viewer)
        return {**shown, "view": engine.view(state, seat).model_dump(mode="json", by_alias=True)}

    def _legal(self, given: dict[str, Json]) -> Json:
        history = self._history(given["record"])
        engine, state = history.record.engine, history.state
        seat = _seat(history.record, given["seat"])
        prefix = inputs.text(given["prefix"], "prefix")
        if seat not in engine.to_act(state):
            return {"complete": True, "actions": []}
        legal = engine.legal(state, seat, prefix)
        actions = list(legal.actions)
        if legal.complete:
            start = " ".join(prefix.split()).casefold()
            actions = [action for action in actions if action.casefold().startswith(start)]
        return {"complete": legal.complete, "actions": actions}

    def _from_position(self, given: dict[str, Json]) -> Json:
        game, seed = inputs.text(given["game"], "game"), inputs.seed(given["seed"])
        position = inputs.document(given["position"], stdin=self._stdin)
        return from_position(game, position, seed).json_value()

    def _perft(self, given: dict[str, Json]) -> Json:
        history = self._history(given["record"])
        depth = inputs.number(given["depth"], "bad-depth")
        if not 1 <= depth <= DEEPEST_PERFT:
            raise RulesError("bad-depth", least=1, most=DEEPEST_PERFT)
        record = history.record
        entry, seed = len(record.actions) + 1, bytes.fromhex(record.seed)
        counts = perft(record.engine, history.state, depth, seed, entry)
        return {str(plies): count for plies, count in enumerate(counts, 1)}

    def _replay(self, given: dict[str, Json]) -> Json:
        return [_ply_json(ply) for ply in self._history(given["record"]).plies]

    def _verify(self, given: dict[str, Json]) -> Json:
        history = verify(self._record(given["record"]))
        return {"ok": True, "entries": len(history.plies), "hash": state_hash(history.state)}

    def _check(self, given: dict[str, Json]) -> Json:
        """What a game lacks, for those who add one. It reads sources and tests, so it wants a checkout."""
        game = inputs.text(given["game"], "game")
        if find_spec("kit") is None:
            raise RulesError("no-kit", why="`check` is run from a checkout of the repository")
        report: Json = import_module("kit.check").report(game)
        if not report["ok"]:
            raise RulesError("incomplete", game=printable(game), missing=report["missing"])
        return report

    def _choose(self, given: dict[str, Json]) -> Json:
        """What the built-in opponent does, from the seat's own view.

        Its chance is a stream of its own, not the one that the action itself will draw from.
        Raises RulesError `bad-seat`, `bad-level`, `bad-seed`, `no-opponent`, `game-over`, `not-your-turn`.
        """
        history, seed = self._history(given["record"]), inputs.seed(given["seed"])
        record, state = history.record, history.state
        seat, player = _seat(record, given["seat"]), opponent(record.game)
        level = next((level for level in player.LEVELS if level == given["level"]), None)
        if level is None:
            raise RulesError("bad-level", levels=list(player.LEVELS))
        if record.engine.result(state) is not None:
            raise RulesError(GAME_OVER)
        if seat not in record.engine.to_act(state):
            raise RulesError("not-your-turn", seat=seat)
        chance = Chance(b"choose" + seed, len(record.actions) + 1)
        return {"action": player.choose(record.engine.view(state, seat), level, chance)}

    def _random(self, given: dict[str, Json]) -> Json:
        most = None if given["max-plies"] is None else inputs.number(given["max-plies"], "bad-ply")
        if most is not None and most < 0:
            raise RulesError("bad-ply", ply=most)
        return self._remember(random_game(_new_record(given), most)).record.json_value()

    # -- records ----------------------------------------------------------------------

    def _record(self, word: Json) -> Record:
        return read_record(inputs.document(word, stdin=self._stdin))

    def _history(self, word: Json) -> History:
        """The history of a record, from the one before its last entry where that is remembered."""
        record = self._record(word)
        known = self._known.get(_key(record))
        if known is None:
            earlier = record.model_copy(update={"actions": record.actions[:-1]})
            known = self._known.get(_key(earlier))
        return self._remember(fold(record, known=known))

    def _remember(self, history: History) -> History:
        key = _key(history.record)
        self._known[key] = history
        self._known.move_to_end(key)
        if len(self._known) > KEPT:
            self._known.popitem(last=False)
        return history


def random_game(record: Record, most: int | None = None) -> History:
    """A game of random legal actions, to its end or to `most` plies.

    Seats and actions are picked from a stream apart from the game's own draws.
    """
    history = begin(record)
    engine = record.engine
    picks = Chance(b"random" + bytes.fromhex(record.seed), 0)
    while most is None or len(history.plies) < most:
        state = history.state
        seats = sorted(engine.to_act(state))
        if not seats or engine.result(state) is not None:
            break
        seat = picks.pick(seats)
        action = random_action(engine, state, seat, picks)
        history = append(history, seat, engine.format(action))
    return history


def _new_record(given: dict[str, Json]) -> Record:
    game, seed = inputs.text(given["game"], "game"), inputs.seed(given["seed"])
    seats = None if given["seats"] is None else inputs.number(given["seats"], "bad-seats")
    options = given["options"]
    return new(game, seats, seed, inputs.parse_json(options) if isinstance(options, str) else options)


def _seat(record: Record, word: Json) -> Seat:
    seat = inputs.number(word, "bad-seat")
    check_seat(record, seat)
    return seat


def _key(record: Record) -> str:
    return canonical(record.json_value())


def _result(result: Result | None) -> Json:
    return None if result is None else result.model_dump(mode="json")


def _ply_json(ply: Ply) -> Json:
    entry = ply.entry
    return {
        "ply": ply.number,
        "seat": entry.seat if isinstance(entry, Acted) else None,
        "action": entry.action if isinstance(entry, Acted) else entry.model_dump(),
        "events": [event.model_dump(mode="json", by_alias=True) for event in ply.events],
        "hash": state_hash(ply.state),
    }
