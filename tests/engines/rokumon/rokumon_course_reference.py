"""The course of a Rokumon game written a second time from the spec alone: turns, Fights with tokens
added in turn, acts and battles won, third repetitions, take-backs, Tanomo, Taroma, and who sees what.

It knows the spec's JSON and notation, nothing of the engine's code, and works on other terms: cells of
the brick pattern are pairs in which all three lines run along an axis or its diagonal. New tiles it
cannot deal: after an act it waits for `dealt`.
"""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from typing import Any

VALUE = {"s2": 2, "s4": 4, "s6": 6, "t1": 1, "t1*": 1, "t3": 3, "t5": 5}
ARMY = {"s": ["s2", "s2", "s4", "s6"], "t": ["t1", "t1*", "t3", "t3", "t5"]}
CLAN = {"s": "sanada", "t": "tokugawa"}
FOE = {"s": "t", "t": "s"}
ODD = (ord("d") - 3) % 2  # what halving a brick cell's letter less its row leaves
FRESH = {
    "square": {"a1", "b1", "c1", "a2", "b2", "c2"},
    "bricks": {"d3", "f3", "h3", "c4", "e4", "g4", "i4"},
    "hexagon": {"d3", "f3", "c4", "e4", "g4", "d5", "f5"},
}


class RefusedError(Exception):
    """The action is not legal."""


class Course:
    """A game from a position on. `waiting` is True between an act's end and the next deal."""

    def __init__(self, position, *, story=True):
        p = deepcopy(position)
        self.act, self.solo, self.story = p["act"], p["solo"], story
        self.human = {"easy": "t", "medium": "s", "hard": "t"}.get(self.solo or "")
        self.coins = {t["at"]: (t["pips"], t["down"]) for t in p["tiles"]}
        self.piles = {t["at"]: [x.rstrip("!") for x in t["stack"]] for t in p["tiles"]}
        self.marks = {t["at"]: [x.endswith("!") for x in t["stack"]] for t in p["tiles"]}
        self.hands = {c: sorted(p["supply"][CLAN[c]]) for c in "st"}
        self.up = {c: p["revenge"][CLAN[c]]["up"] for c in "st"}
        self.used = {c: p["revenge"][CLAN[c]]["down"] for c in "st"}
        self.done = {c: p["surprised"][CLAN[c]] for c in "st"}
        self.locked, self.turn = p["locked"], p["to_move"][0]
        self.fight: Any = self.fighting(p.get("fight"))
        self.battles = p.get("battles_won", 0)
        self.over = self.waiting = False
        self.winners: list[int] = []
        self.reason = ""
        self.before: Any = None  # what a take-back restores, and who may ask for it
        self.seen = [] if self.fight else [self.spectator()]
        self.events: list[str] = []
        self.ends = 0  # how many acts have ended, void ones too

    @staticmethod
    def fighting(fight):
        """The position's Fight in progress in our terms."""
        if not fight:
            return None
        added = {c: fight["added"][CLAN[c]] for c in "st"}
        return {"at": fight["at"], "by": fight["attacker"][0], "noughts": fight["passes"], **added}

    def decided(self):
        """Whether nobody need act here: a row, a stack or no action."""
        rows = any(self.lined(c) or any(len(pile) > 2 for pile in self.piles.values()) for c in "st")
        return rows or not self.plays(self.turn)

    def run_on(self):
        """A position that was given, until somebody has to decide."""
        self.asked()
        self.taroma_while()

    # -- the ground ----------------------------------------------------------------------

    def colour(self, cell):
        pips, down = self.coins[cell]
        return "maru" if down else ("gold", "jade")[pips % 2]

    def spot(self, cell):
        x, y = ord(cell[0]), int(cell[1:])
        return (x, y) if self.act == 1 else ((x - y) // 2, y)

    def held(self, side, piles=None):
        return {self.spot(c) for c, pile in (piles or self.piles).items() if pile and pile[-1][0] == side}

    def lined(self, side, piles=None):
        """Whether a tile of the side has one of its own on both sides of it along a line."""
        own = self.held(side, piles)
        ways = [(1, 0), (0, 1), (-1, 1)] + ([(1, 1)] if self.act == 1 else [])
        return any({(q + a, r + b), (q - a, r - b)} <= own for q, r in own for a, b in ways)

    def beside(self, cell):
        """The six cells around one of the brick pattern."""
        q, r = self.spot(cell)
        near = ((1, 0), (-1, 0), (0, 1), (0, -1), (-1, 1), (1, -1))
        return {self.cell(q + a, r + b) for a, b in near if r + b > 0}

    @staticmethod
    def cell(q, r):
        """Undoes `spot` for the brick pattern, where letter and row add up to an odd number."""
        return f"{chr(2 * q + r + ODD)}{r}"

    # -- what is legal ---------------------------------------------------------------------

    @property
    def plain(self):
        return self.act in (1, 2, "solo")

    def plays(self, side):
        """Actions of a side as tuples, a Fight once."""
        found: list[Any] = []
        empty = [c for c, pile in self.piles.items() if not pile]
        for cell in empty:
            tokens = ([None] if self.hands[side] else []) if self.plain else sorted(set(self.hands[side]))
            found += [("deploy", token, cell) for token in tokens]
        for cell in self.piles:
            if self.piles[cell] and self.piles[cell][-1][0] == side:
                found += [("move", cell, to) for to in self.piles if self.may_land(side, cell, to)]
        if not self.plain:
            found += [("fight", c) for c, p in self.piles.items() if len(p) == 2 and p[0][0] != p[1][0]]
            if self.act != 3 and not self.done[side]:
                found += [("surprise", c, to) for c in self.piles if c != self.locked for to in self.holes(c)]
        return found

    def may_land(self, side, cell, to):
        if self.colour(cell) == self.colour(to):
            return False
        pile = self.piles[to]
        return len(pile) <= 1 or (len(pile) == 2 and pile[0][0] == pile[1][0] == side)

    def holes(self, cell):
        others = set(self.piles) - {cell}
        touched = Counter(near for other in others for near in self.beside(other))
        return [hole for hole, n in touched.items() if n > 1 and hole not in self.piles]

    def legal(self):
        """Canonical texts of the side to act."""
        if self.fight:
            return {f"revenge {n}" for n in range(self.up[self.turn] + 1)}
        texts = set()
        for play in self.plays(self.turn):
            if play[0] == "deploy":
                texts.add(f"deploy {play[1][1:]} {play[2]}" if play[1] else f"deploy {play[2]}")
            elif play[0] == "fight":
                texts |= {f"fight {play[1]}" + (f" +{n}" if n else "") for n in range(self.up[self.turn] + 1)}
            else:
                texts.add(" ".join(play))
        return texts

    # -- actions ------------------------------------------------------------------------

    def seats(self):
        return {0: self.human} if self.solo else {0: "s", 1: "t"}

    def to_act(self):
        return [] if self.over else [seat for seat, side in self.seats().items() if side == self.turn]

    def do(self, seat, text):
        """Carries out an action. Raises RefusedError; then nothing has changed."""
        side, words = self.seats()[seat], text.split()
        if self.over:
            raise RefusedError
        if text not in ("surrender", "resign", "takeback") and (
            side != self.turn or text not in self.legal()
        ):
            raise RefusedError
        if text == "takeback" and not self.may_take_back(side):
            raise RefusedError
        self.events = []
        if text == "resign":
            self.events += ["resigned"]
            self.end_game([] if self.solo else [1 - seat], "resign")
        elif text == "surrender":
            self.events += ["surrendered"]
            self.won(FOE[side])
        elif text == "takeback":
            old = self.before[1]
            self.events += ["taken-back" if self.ends == old["ends"] else "taken-back-act"]
            self.restore(old)
        elif words[0] == "revenge":
            self.events += ["added"]
            self.add(int(words[1]))
        elif words[0] == "fight":
            self.events += ["fight"]
            self.before = None
            self.fight = {"at": words[1], "by": side, "s": 0, "t": 0, "noughts": 0}
            self.add(int(words[2]) if len(words) > 2 else 0)
        else:
            self.play(self.read(side, words))
        self.taroma_while()

    def restore(self, old):
        """The game as `kept` had it, the deal of a next act thrown away."""
        for name, value in old.items():
            setattr(self, name, value)
        self.before = None

    def kept(self):
        """All that a Deploy or Move may change, also by ending the act."""
        names = [
            "act",
            "coins",
            "piles",
            "marks",
            "hands",
            "up",
            "used",
            "done",
            "locked",
            "turn",
            "seen",
            "ends",
        ]
        return {name: deepcopy(getattr(self, name)) for name in names}

    def read(self, side, words):
        if words[0] == "deploy":
            return ("deploy", side + words[1] if len(words) == 3 else None, words[-1])
        return tuple(words)

    def play(self, play, code=None):
        self.events.append(code or {"deploy": "deployed", "move": "moved", "surprise": "surprised"}[play[0]])
        side = self.turn
        old = self.kept()
        winner = self.carry(side, play)
        self.after(winner)
        self.before = None if play[0] == "surprise" or self.solo or self.over else (side, old)

    def carry(self, side, play):
        """Changes the table; the winner's letter or None. A Fight without tokens."""
        foe = FOE[side]
        self.locked = None
        if play[0] == "fight":
            self.compare(play[1], {"s": 0, "t": 0})
            return self.judge(side, both=True)
        if play[0] == "surprise":
            tables: Any = (self.coins, self.piles, self.marks)
            for table in tables:
                table[play[2]] = table.pop(play[1])
            self.locked, self.done[side] = play[2], True
            return self.judge(side, both=True)
        if play[0] == "deploy":
            token = play[1] or self.hands[side][0]
            self.hands[side].remove(token)
            self.piles[play[2]], self.marks[play[2]] = [token], [False]
            return self.judge(side)
        stood = self.lined(foe)
        token, mark = self.piles[play[1]].pop(), self.marks[play[1]].pop()
        uncovered = self.lined(foe) and not stood
        self.piles[play[2]].append(token)
        self.marks[play[2]].append(mark)
        if uncovered:
            return foe
        return side if len(self.piles[play[2]]) == 3 else self.judge(side)

    def judge(self, side, *, both=False):
        """Who has won after an action of this side, without stacks."""
        foe = FOE[side]
        if self.lined(side):
            return side
        if both and self.lined(foe):
            return foe
        return None if self.plays(foe) else side

    # -- Fights --------------------------------------------------------------------------

    def add(self, count):
        side = self.turn
        self.up[side] -= count
        self.used[side] += count
        self.fight[side] += count
        self.fight["noughts"] = 0 if count else self.fight["noughts"] + 1
        self.turn = FOE[side]
        self.asked()

    def asked(self):
        """Nobody is asked after two additions of 0, nor who has no token to add."""
        if self.fight is None:
            return
        if self.fight["noughts"] == 2:
            self.reveal()
        elif not self.up[self.turn]:
            self.add(0)

    def reveal(self):
        fight, self.fight = self.fight, None
        self.turn, self.locked = fight["by"], None
        left = self.compare(fight["at"], fight)
        self.events.append("fought" if left else "fought-tie")
        self.after(self.judge(self.turn, both=True))

    def compare(self, cell, added):
        """Sends the losers of a Fight home; the token that stays, or None."""
        mine = {token[0]: token for token in self.piles[cell]}
        total = {c: VALUE[mine[c]] + added[c] for c in "st"}
        if (mine["s"], mine["t"]) == ("s6", "t1*"):
            total = {"s": 0, "t": 1}
        stays = [c for c in "st" if total[c] > total[FOE[c]]]
        for c in "st":
            if c not in stays:
                self.hands[c] = sorted([*self.hands[c], mine[c]])
        self.piles[cell] = [mine[c] for c in stays]
        self.marks[cell] = [True] * len(stays)
        return mine[stays[0]] if stays else None

    # -- turns, acts -----------------------------------------------------------------------

    def after(self, winner):
        if winner:
            self.won(winner)
            return
        actor, self.turn = self.turn, FOE[self.turn]
        self.seen.append(self.spectator())
        if self.seen.count(self.seen[-1]) == 3:
            self.events.append("battle-void" if self.solo else "act-void")
            self.next_deal()
        elif self.bound() == actor and self.threat(actor):
            self.events.append("tanomo")

    def won(self, side):
        self.fight = self.before = None
        if self.solo:
            self.events.append("battle-won" if side == self.human else "battle-lost")
            self.battles += side == self.human
            if side == self.human and self.battles < 3:
                self.next_deal()
            else:
                self.end_game([0] if side == self.human else [], "battles")
            return
        self.events.append("act-won")
        self.up[FOE[side]] += 1
        tokens = {c: self.up[c] + self.used[c] for c in "st"}
        if self.story and self.act < 6:
            self.act += 1
            self.next_deal()
        elif self.story and tokens["s"] == tokens["t"]:
            self.events.append("act-again")
            self.next_deal()
        else:
            self.end_game(["st".index(min(tokens, key=lambda c: tokens[c]))], "tokens")

    def end_game(self, winners, reason):
        self.over, self.winners, self.reason = True, winners, reason
        self.fight = self.before = None
        self.events.append("game-over")

    def next_deal(self):
        self.waiting = True
        self.ends += 1
        self.events.append("dealt")
        self.before = self.fight = None

    def dealt(self, tiles):
        """The tiles of the next act or battle, which must be a fresh deal of it; then play goes on."""
        layout = "hexagon" if self.solo else "square" if self.act == 1 else "bricks"
        assert {t["at"] for t in tiles} == FRESH[layout]
        pips = {t["pips"] for t in tiles}
        assert len(pips) == len(tiles)
        assert pips <= set(range(1, 8))
        assert sum(t["down"] for t in tiles) == (not self.solo and self.act > 4)
        self.coins = {t["at"]: (t["pips"], t["down"]) for t in tiles}
        self.piles = {t["at"]: [] for t in tiles}
        self.marks = {t["at"]: [] for t in tiles}
        self.hands = deepcopy(ARMY)
        if self.solo == "hard":
            self.hands["t"].remove("t3")
        self.done, self.locked, self.turn = {"s": False, "t": False}, None, "s"
        self.seen, self.waiting = [self.spectator()], False

    # -- the Code of Honour ------------------------------------------------------------------

    def bound(self):
        tokens = {c: self.up[c] + self.used[c] for c in "st"}
        if self.solo or tokens["s"] == tokens["t"]:
            return None
        return min(tokens, key=lambda c: tokens[c])

    def may_take_back(self, side):
        return bool(self.before) and self.before[0] == side and self.bound() == FOE[side]

    def threat(self, side):
        """Whether the side, to act again at once, would certainly win as everybody sees it."""
        free = deepcopy(self)
        free.locked = None
        for play in free.plays(side):
            if play[0] == "fight" and self.act != 6 and not all(self.marks[play[1]]):
                continue
            if deepcopy(free).carry(side, play) == side:
                return True
        return False

    # -- what is seen ------------------------------------------------------------------------

    def open(self, token, mark, viewer):
        """A warrior as a side sees it, a spectator where `viewer` is None."""
        known = self.act == 6 or (mark and not self.plain)
        own = viewer == token[0] and not self.plain
        return (token[0], token[1:] if known or own else None, known)

    def table(self, viewer):
        return {
            cell: [self.open(token, mark, viewer) for token, mark in zip(pile, self.marks[cell], strict=True)]
            for cell, pile in self.piles.items()
        }

    def spectator(self):
        """The position with the player to move as a spectator sees it, comparable."""
        table = {cell: (self.coins[cell], tuple(pile)) for cell, pile in self.table(None).items()}
        tokens = [(self.up[c], self.used[c], self.done[c], len(self.hands[c])) for c in "st"]
        return (frozenset(table.items()), tuple(tokens), self.locked, self.turn)

    # -- Taroma ----------------------------------------------------------------------------

    def taroma_while(self):
        """Taroma acts while it is to; after a deal it waits for the tiles first."""
        while self.solo and not self.over and not self.waiting and self.turn != self.human:
            self.taroma()

    def outcome(self, side, play):
        after = deepcopy(self)
        return after, after.carry(side, play)

    def wins(self, side):
        return sum(self.outcome(side, play)[1] == side for play in self.plays(side))

    def taroma(self):
        me, you = self.turn, FOE[self.turn]
        rated = []
        for play in self.plays(me):
            after, winner = self.outcome(me, play)
            if winner != you:
                rated.append((play, winner, 0 if winner else after.wins(you)))
        for n, takes in enumerate(self.steps(me, you)):
            found = [entry for entry in rated if takes(*entry)]
            if found:
                play = min(found, key=lambda entry: self.weight(entry[0], entry[2]))[0]
                self.events.append(f"step {n + 1}")
                self.play(play, f"taroma-{play[0]}")
                return
        self.events.append("taroma-surrender")
        self.won(you)

    def weight(self, play, left):
        origin = self.coins[play[1]][0] if play[0] == "move" else 0
        return left, self.coins[play[2]][0], origin

    def steps(self, me, you):
        """The nine steps before SURRENDER, each as a test of (play, winner, wins left to the human)."""
        lone = {cell: pile[0][0] for cell, pile in self.piles.items() if len(pile) == 1}
        now = self.wins(you)
        yours = Counter(self.colour(cell) for cell, side in lone.items() if side == you)
        best = {c for c in yours if yours[c] == max(yours.values())}

        def single(play):
            return play[0] == "move" and play[1] in lone

        def stacked(play):
            return play[0] == "move" and play[1] not in lone

        return (
            lambda play, winner, left: winner == me,
            lambda play, winner, left: single(play) and lone.get(play[2]) == you,
            lambda play, winner, left: play[0] == "deploy" and left < now,
            lambda play, winner, left: play[0] == "deploy" and self.colour(play[2]) in best,
            lambda play, winner, left: single(play) and lone.get(play[2]) == me,
            lambda play, winner, left: stacked(play) and play[2] in lone,
            lambda play, winner, left: play[0] == "deploy",
            lambda play, winner, left: single(play),
            lambda play, winner, left: stacked(play),
        )

    # -- compared with ---------------------------------------------------------------------

    def position(self):
        """The spec's Position, tiles by cell; marks in acts 3 to 5, sides alone where warriors are alike."""
        names = {}
        for cell, pile in self.piles.items():
            if self.plain:
                names[cell] = [token[0] for token in pile]
            elif self.act == 6:
                names[cell] = pile
            else:
                names[cell] = [t + "!" * m for t, m in zip(pile, self.marks[cell], strict=True)]
        fight = self.fight and {
            "at": self.fight["at"],
            "attacker": CLAN[self.fight["by"]],
            "added": {"sanada": self.fight["s"], "tokugawa": self.fight["t"]},
            "passes": self.fight["noughts"],
        }
        return {
            "act": self.act,
            "tiles": {cell: (*self.coins[cell], names[cell]) for cell in self.piles},
            "supply": {CLAN[c]: len(h) if self.plain else h for c, h in self.hands.items()},
            "revenge": {CLAN[c]: {"up": self.up[c], "down": self.used[c]} for c in "st"},
            "surprised": {CLAN[c]: self.done[c] for c in "st"},
            "locked": self.locked,
            "to_move": CLAN[self.turn],
            "phase": "over" if self.over else "revenge" if self.fight else "act",
            "fight": fight,
            "battles_won": self.battles,
        }
