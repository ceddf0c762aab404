"""Rokumon written a second time, slowly and straight from the spec, to compare the engine with.

It knows positions as the spec's JSON and nothing of the engine's code.
"""

from copy import deepcopy

STRENGTH = {"s2": 2, "s4": 4, "s6": 6, "t1": 1, "t1*": 1, "t3": 3, "t5": 5}
CLANS = {"s": "sanada", "t": "tokugawa"}
BRICKS, SQUARE = [(2, 0), (1, 1), (1, -1)], [(1, 0), (0, 1), (1, 1), (1, -1)]


def other(letter):
    return "t" if letter == "s" else "s"


def colour(tile):
    return "maru" if tile["down"] else "jade" if tile["pips"] % 2 else "gold"


def xy(cell):
    return ord(cell[0]), int(cell[1:])


class Reference:
    """A position of the spec and what the rules say about it."""

    def __init__(self, position):
        self.p = deepcopy(position)
        self.act = position["act"]
        self.tiles = {tile["at"]: tile for tile in self.p["tiles"]}
        for tile in self.tiles.values():
            tile["stack"] = [token.rstrip("!") for token in tile["stack"]]
        self.known = {
            tile["at"]: [token.endswith("!") or self.act == 6 for token in tile["stack"]]
            for tile in position["tiles"]
        }
        self.supply = {letter: list(self.p["supply"][clan]) for letter, clan in CLANS.items()}
        self.me = position["to_move"][0]

    def copy(self):
        return deepcopy(self)

    # -- rows, stacks ------------------------------------------------------------------

    def rows(self, letter):
        """Whether this side holds three adjacent tiles in a straight line."""
        for cell in self.tiles:
            x, y = xy(cell)
            for dx, dy in SQUARE if self.act == 1 else BRICKS:
                line = [f"{chr(x + n * dx)}{y + n * dy}" for n in range(3)]
                if all(c in self.tiles and self.top(c) == letter for c in line):
                    return True
        return False

    def top(self, cell):
        stack = self.tiles[cell]["stack"]
        return stack[-1][0] if stack else None

    # -- actions -----------------------------------------------------------------------

    def legal(self, me=None, locked=True):
        me = me or self.me
        alike = self.act in (1, 2, "solo")
        found: set[tuple[str | None, ...]] = set()
        for cell, tile in self.tiles.items():
            if not tile["stack"]:
                found |= {("deploy", None if alike else token, cell) for token in self.supply[me]}
            if self.top(cell) == me:
                for to, goal in self.tiles.items():
                    stack = goal["stack"]
                    room = len(stack) < 2 or (len(stack) == 2 and {t[0] for t in stack} == {me})
                    if to != cell and colour(goal) != colour(tile) and room:
                        found.add(("move", cell, to))
            if self.act not in (1, 2, "solo") and sorted(t[0] for t in tile["stack"]) == ["s", "t"]:
                found.add(("fight", cell))
        if self.act in (4, 5, 6) and not self.p["surprised"][CLANS[me]]:
            found |= self.surprises(locked)
        return found

    def surprises(self, locked):
        found = set()
        for cell in self.tiles:
            if locked and cell == self.p["locked"]:
                continue
            rest = set(self.tiles) - {cell}
            for column in range(ord("a"), ord("z") + 1):
                for row in range(1, 10):
                    to = f"{chr(column)}{row}"
                    beside = [(2, 0), (-2, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]
                    near = sum(f"{chr(column + dx)}{row + dy}" in rest for dx, dy in beside)
                    if to not in self.tiles and near >= 2:
                        found.add(("surprise", cell, to))
        return found

    def does(self, action, me=None):
        """The position after the action, and who has won: a letter or None. Tokens add nothing."""
        me, after = me or self.me, self.copy()
        you = other(me)
        kind, both = action[0], False
        after.p["locked"] = None
        if kind == "deploy":
            token = action[1] or after.supply[me][0]
            after.supply[me].remove(token)
            after.tiles[action[2]]["stack"].append(token)
            after.known[action[2]].append(self.act == 6)
        elif kind == "move":
            token, mark = after.tiles[action[1]]["stack"].pop(), after.known[action[1]].pop()
            if not self.rows(you) and after.rows(you):
                return after, you
            after.tiles[action[2]]["stack"].append(token)
            after.known[action[2]].append(mark)
            if len(after.tiles[action[2]]["stack"]) == 3:
                return after, me
        elif kind == "surprise":
            tile = after.tiles.pop(action[1])
            tile["at"] = action[2]
            after.tiles[action[2]] = tile
            after.known[action[2]] = after.known.pop(action[1])
            after.p["surprised"][CLANS[me]] = True
            after.p["locked"] = action[2]
            both = True
        else:
            after.fights(action[1])
            both = True
        after.me = you
        if after.rows(me):
            return after, me
        if both and after.rows(you):
            return after, you
        return after, None if after.legal(you) else me

    def fights(self, cell):
        stack = self.tiles[cell]["stack"]
        values = {token[0]: STRENGTH[token] for token in stack}
        if set(stack) == {"s6", "t1*"}:
            gone = ["s"]
        elif values["s"] == values["t"]:
            gone = ["s", "t"]
        else:
            gone = [min(values, key=lambda letter: values[letter])]
        for token in stack:
            if token[0] in gone:
                self.supply[token[0]].append(token)
        self.tiles[cell]["stack"] = [token for token in stack if token[0] not in gone]
        self.known[cell] = [True] * len(self.tiles[cell]["stack"])

    def text(self, action):
        """Canonical notation."""
        if action[0] == "deploy" and action[1]:
            return f"deploy {action[1][1:]} {action[2]}"
        return " ".join(word for word in action if word)

    # -- the Code of Honour --------------------------------------------------------------

    def threatens(self, me):
        """Whether `me`, to act once more, would surely win, as everybody sees it."""
        for action in self.legal(me, locked=False):
            if action[0] == "fight" and not all(self.known[action[1]]):
                continue
            if self.does(action, me)[1] == me:
                return True
        return False

    # -- Taroma ----------------------------------------------------------------------------

    def wins_of(self, me):
        return sum(self.does(action, me)[1] == me for action in self.legal(me))

    def taroma(self):
        """The step and the action of the automaton, which is to act."""
        me, you = self.me, other(self.me)
        results = {action: self.does(action) for action in self.legal()}
        actions = [action for action, (_, winner) in results.items() if winner != you]
        stack = {cell: tile["stack"] for cell, tile in self.tiles.items()}
        lone = {cell: s[0][0] for cell, s in stack.items() if len(s) == 1}
        left = {action: 0 if results[action][1] else results[action][0].wins_of(you) for action in actions}
        mine = [colour(self.tiles[cell]) for cell, letter in lone.items() if letter == you]
        most = {c for c in mine if mine.count(c) == max(map(mine.count, mine))}
        deploys = [a for a in actions if a[0] == "deploy"]
        moves = [a for a in actions if a[0] == "move"]
        singles = [a for a in moves if a[1] in lone]
        tops = [a for a in moves if a[1] not in lone]
        steps = {
            "CONQUER": [a for a in actions if results[a][1] == me],
            "COVER": [a for a in singles if lone.get(a[2]) == you],
            "BLOCK": [a for a in deploys if left[a] < self.wins_of(you)],
            "MATCH": [a for a in deploys if colour(self.tiles[a[2]]) in most],
            "BOLSTER": [a for a in singles if lone.get(a[2]) == me],
            "MANEUVER": [a for a in tops if a[2] in lone],
            "DEPLOY": deploys,
            "MOVE": singles,
            "RETREAT": tops,
        }
        for step, candidates in steps.items():
            if candidates:
                return step, min(candidates, key=lambda a: (left[a], self.pips(a[2]), self.pips(a[1])))
        return "SURRENDER", None

    def pips(self, cell):
        return self.tiles[cell]["pips"] if cell else 0
