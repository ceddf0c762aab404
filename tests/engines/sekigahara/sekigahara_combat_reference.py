"""Combat by a second program, written from the spec alone on the JSON of positions (8, 9, Order)."""

from __future__ import annotations

import copy
from collections import Counter
from itertools import combinations
from typing import Any

from engines.sekigahara.data import BLOCK_ORDER, CASTLES, DISKS, NEIGHBOURS, OTHER, RESOURCES

SEATS = {"ishida": 0, "tokugawa": 1}
Json = dict[str, Any]


def mon(name: str) -> str:
    """Of a block or a card."""
    return name.partition("-")[0].rstrip("234")


def strength(face: str) -> int:
    """Printed mon."""
    return int(face[-1]) if face[-1] in "234" else 1


def fits(card: str, face: str) -> bool:
    """Whether a card deploys a block."""
    return card != "loyalty" and (face in {"ii4", "ishida-leader"} or mon(card) == mon(face))


def in_order(faces: Any) -> list[str]:
    """As the data has them."""
    return sorted(faces, key=lambda face: BLOCK_ORDER[face])


def less(whole: list[str], part: Any) -> list[str]:
    """A multiset less another."""
    return list((Counter(whole) - Counter(part)).elements())


class Combat:
    """The combats of one turn, from the moment after movement to its end."""

    def __init__(self, position: Json) -> None:
        self.p = copy.deepcopy(position)
        self.map: Json = self.p["map"]
        self.active = self.p["active"]
        self.entered: Json = self.p["march"]["entered"]
        self.fought: list[str] = list(self.p["march"]["fought"])
        self.caused = False
        self.b: Any = None
        self.winner: str | None = None
        self.phase = "combat"
        self.run_on()

    # -- the board

    def n(self, side: str, place: str) -> int:
        return len(self.map[place][side])

    def disk(self, side: str, place: str) -> str | None:
        here = [disk for disk in self.p["disks"] if DISKS[disk] == place]
        return here[0] if here and side == "ishida" else None

    def units(self, side: str, place: str) -> bool:
        return bool(self.n(side, place) or self.disk(side, place))

    def look(self, place: str) -> None:
        """Who holds the castle now, and whether it is besieged."""
        here = self.map[place]
        there = [side for side in SEATS if self.units(side, place)]
        if place not in CASTLES:
            here["besieged"], here["holder"] = False, None
        elif len(there) == 2:
            here["besieged"] = here["besieged"] or not self.n(here["holder"], place)
        else:
            here["besieged"], here["holder"] = False, there[0] if there else CASTLES[place]

    def come(self, side: str, place: str, faces: list[str]) -> None:
        if not self.units(side, place):
            self.map[place]["besieged"] = False
        self.map[place][side] = [*self.map[place][side], *faces]
        self.look(place)

    def go(self, side: str, place: str, faces: Any) -> None:
        self.map[place][side] = less(self.map[place][side], faces)
        self.look(place)

    def overrun(self, side: str, place: str) -> list[str]:
        """The dead of the other side."""
        enemy = OTHER[side]  # type: ignore[index]
        dead = list(self.map[place][enemy])
        if not dead or self.map[place]["holder"] == enemy or self.n(side, place) < 4 * len(dead):
            return []
        self.go(enemy, place, dead)
        self.p["lost"][enemy] += dead
        return dead

    def ends(self, blocks: Any, disks: Any = ()) -> bool:
        """Instant victory."""
        if "tokugawa-leader" in blocks:
            self.winner = "ishida"
        elif "ishida-leader" in blocks or "hideyori" in disks:
            self.winner = "tokugawa"
        if self.winner:
            for side in SEATS:
                self.p["discards"][side] += self.b["used"][side] if self.b else []
            self.phase, self.b = "over", None
        return bool(self.winner)

    def draw(self, side: str, number: int) -> None:
        self.p["hands"][side] += self.p["decks"][side][:number]
        del self.p["decks"][side][:number]

    def control(self, side: str, place: str) -> None:
        if place in RESOURCES and not self.n(OTHER[side], place):  # type: ignore[index]
            self.p["control"][place] = side

    # -- what has to be decided

    def open(self) -> list[str]:
        enemy = OTHER[self.active]
        return [
            place
            for place in self.map
            if self.n(self.active, place) and self.units(enemy, place) and place not in self.fought
        ]

    def run_on(self) -> None:
        while self.phase not in {"over", "turn over"} and self.alone():
            pass

    def alone(self) -> bool:
        """Does what nobody has to decide."""
        if self.phase == "combat" and not self.open():
            self.phase = "turn over"
        elif self.phase == "castle" and self.n(self.b["holder"], self.b["at"]) not in {1, 2}:
            self.castle(inside=not self.n(self.b["holder"], self.b["at"]))
        elif self.phase == "deploy" and len(self.b["done"]) == 2 - self.b["siege"]:
            self.decided()
        elif self.phase == "challenge" and not self.p["hands"][self.decider()]:
            self.accept()
        elif self.phase == "lose":
            return self.lose_alone()
        elif self.phase == "retreat":
            return self.retreat_alone()
        else:
            return False
        return True

    def decider(self) -> str:
        b: Any = self.b
        if self.phase == "combat":
            return str(self.active)
        if self.phase == "castle":
            return str(b["holder"])
        if self.phase in {"challenge", "answer"}:
            side = b["pending"]["side"]
            return str(side if self.phase == "answer" else OTHER[side])
        if self.phase == "lose":
            order = [self.defender] if b["siege"] else [self.loser, OTHER[self.loser]]  # type: ignore[index]
            return next(side for side in order if b["losses"].get(side))
        if self.phase == "retreat":
            return self.loser
        attacker, impact = b["attacker"], b["impact"]
        if b["siege"] or self.defender in b["done"]:
            return str(attacker)
        behind = impact[self.defender] < impact[attacker] or attacker in b["done"]
        return self.defender if behind else str(attacker)

    @property
    def defender(self) -> str:
        return str(OTHER[self.b["attacker"]])

    @property
    def loser(self) -> str:
        impact = self.b["impact"]
        return self.defender if impact[self.b["attacker"]] > impact[self.defender] else self.b["attacker"]

    # -- a combat begins

    def begin(self, place: str, attacker: str, *, caused: bool) -> None:
        self.fought.append(place)
        self.caused, self.phase, self.b = caused, "combat", None
        if place == "osaka" and attacker == "tokugawa" and self.p["mori_box"]:
            joins, self.p["mori_box"] = self.p["mori_box"], []
            self.come("ishida", place, joins)
            dead = self.overrun("ishida", place)
            if dead:
                if not self.ends(dead):
                    self.draw("tokugawa", len(dead) // 2)
                return
        both: Json = {side: [] for side in SEATS}
        self.b = {
            "at": place,
            "attacker": attacker,
            "siege": False,
            "holder": self.map[place]["holder"],
            "impact": dict.fromkeys(SEATS, 0),
            **{key: copy.deepcopy(both) for key in ("deployed", "defected", "used", "lost")},
            "done": [],
            "pending": None,
            "losses": {},
        }
        self.phase = "castle" if place in CASTLES else "deploy"

    def castle(self, *, inside: bool) -> None:
        at, holder = self.b["at"], self.b["holder"]
        self.map[at]["besieged"] = inside
        self.phase = "deploy"
        if inside and holder == self.active and self.n(holder, at):
            self.b, self.phase = None, "combat"
        elif inside:
            self.b["siege"] = True

    # -- deployments

    def deploy(self, side: str, card: str | None, blocks: list[str]) -> None:
        if card is None:
            self.stand(side, blocks, "")
            return
        self.p["hands"][side] = less(self.p["hands"][side], [card])
        self.b["used"][side].append(card)
        if self.b["siege"]:
            self.stand(side, blocks, "")
        else:
            self.b["pending"] = {"side": side, "card": card, "blocks": blocks}
            self.phase = "challenge"

    def stand(self, side: str, blocks: list[str], card: str) -> None:
        stands = self.b["deployed"][side]
        for face in blocks:
            kind = face.split("-")[-1]
            more = strength(face) + len([other for other in stands if mon(other) == mon(face)])
            if card.endswith("-sword") and kind in {"gun", "cav"}:
                more += 2 + 2 * len([other for other in stands if other.endswith(f"-{kind}")])
            self.b["impact"][side] += more
            stands.append(face)
        self.b["pending"], self.phase = None, "deploy"

    def accept(self) -> None:
        waits = self.b["pending"]
        self.stand(waits["side"], waits["blocks"], waits["card"])

    def concede(self, side: str) -> None:
        blocks = self.b["pending"]["blocks"]
        self.b["defected"][side] += blocks
        self.stand(OTHER[side], blocks, "")  # type: ignore[index]

    # -- what it costs

    def decided(self) -> None:
        at, impact = self.b["at"], self.b["impact"]
        self.phase = "lose"
        for side in SEATS:
            due = impact[OTHER[side]] // 7 + (side == self.loser)  # type: ignore[index]
            most = self.n(side, at)
            if self.b["siege"]:
                due = impact[self.b["attacker"]] // 7 if side == self.defender else 0
                most += bool(self.disk(side, at))
            self.b["losses"][side] = min(due, most)

    def pool(self, side: str) -> tuple[list[str], list[str]]:
        """Blocks and disks that may be named."""
        at, due = self.b["at"], self.b["losses"][side]
        blocks = self.b["defected"][side] or self.map[at][side]
        disk = self.disk(side, at) if self.b["siege"] else None
        last = disk == "hideyori" and due <= self.n(side, at)
        return list(blocks), [disk] if disk and not last else []

    def take(self, side: str, blocks: list[str], disks: list[str]) -> None:
        b = self.b
        self.go(side, b["at"], blocks)
        self.p["disks"] = less(self.p["disks"], disks)
        self.look(b["at"])
        self.p["lost"][side] += blocks
        b["lost"][side] += blocks
        b["losses"][side] -= len(blocks) + len(disks)
        b["defected"][side] = less(b["defected"][side], blocks)
        self.gone_disks = [*getattr(self, "gone_disks", []), *disks]

    def lose_alone(self) -> bool:
        b = self.b
        if not any(b["losses"].values()):
            self.settled()
            return True
        side = self.decider()
        defected = b["defected"][side]
        if defected and len(defected) <= b["losses"][side]:
            self.take(side, list(defected), [])
            return True
        blocks, disks = self.pool(side)
        if b["losses"][side] >= len(blocks) + len(disks):
            self.take(side, blocks, disks)
            return True
        return False

    def settled(self) -> None:
        b = self.b
        if self.ends([*b["lost"]["ishida"], *b["lost"]["tokugawa"]], getattr(self, "gone_disks", [])):
            return
        if b["siege"] or not self.n(self.loser, b["at"]):
            self.conclude(None, [])
        else:
            self.phase = "retreat"

    # -- retreat, control, cards

    def targets(self) -> list[str]:
        at, near, winner = self.b["at"], NEIGHBOURS[self.b["at"]], OTHER[self.loser]  # type: ignore[index]
        used = [] if self.caused else self.entered.get(at, [])
        if self.loser == self.b["attacker"]:
            return [place for place in near if place in used] or list(near)
        free = [place for place in near if not self.units(winner, place) and place not in used]
        return free or list(near)

    def retreat_alone(self) -> bool:
        own_castle = self.b["at"] in CASTLES and self.b["holder"] == self.loser
        if own_castle or len(self.targets()) > 1:
            return False
        self.retreat(self.targets()[0], [])
        return True

    def retreat(self, to: str | None, castle: list[str]) -> None:
        at, side = self.b["at"], self.loser
        if castle:
            self.map[at]["besieged"] = True
        self.conclude(to, less(self.map[at][side], castle))

    def conclude(self, to: str | None, leaving: list[str]) -> None:
        b, side = self.b, self.loser
        at, dead, joins = b["at"], [], True
        if to:
            joins = self.units(side, to)
            self.go(side, at, leaving)
            self.come(side, to, leaving)
            dead = self.overrun(side, to)
            if dead and self.ends(dead):
                return
        self.look(at)
        left = [one for one in SEATS if self.n(one, at)]
        if len(left) == 1:
            self.control(left[0], at)
        if to:
            self.control(side, to)
        for one in SEATS:
            lost = len(b["lost"][one])
            cards = len(b["used"][one]) + (lost if b["siege"] else lost // 2)
            cards += len(dead) // 2 if one != side else 0
            self.p["discards"][one] += b["used"][one]
            self.draw(one, cards)
        self.b, self.phase = None, "combat"
        if to and not joins and self.units(OTHER[side], to):  # type: ignore[index]
            self.begin(to, side, caused=True)

    # -- actions

    def act(self, action: Json) -> None:
        """Carries out an action of whoever decides, and runs on."""
        side, kind = self.decider(), action["type"]
        if kind == "combat":
            self.begin(action["at"], self.active, caused=False)
        elif kind == "castle":
            self.castle(inside=action["inside"])
        elif kind == "deploy":
            self.deploy(side, action["card"], action["blocks"])
        elif kind == "done":
            self.b["done"].append(side)
        elif kind == "challenge":
            self.p["hands"][side] = less(self.p["hands"][side], ["loyalty"])
            self.b["used"][side].append("loyalty")
            self.phase = "answer"
        elif kind in {"accept", "show"}:
            self.accept()
        elif kind == "concede":
            self.concede(side)
        elif kind == "lose":
            self.take(side, action["blocks"], action["disks"])
        else:
            self.retreat(action["to"], action["castle"])
        self.run_on()

    def legal(self) -> set[str]:
        """All actions of whoever decides, in notation."""
        if self.phase == "combat":
            return {f"combat {place}" for place in self.open()}
        if self.phase == "castle":
            return {"inside", "outside"}
        if self.phase == "challenge":
            return {"accept", *(["challenge"] if "loyalty" in self.p["hands"][self.decider()] else [])}
        if self.phase == "answer":
            face = self.b["pending"]["blocks"][0]
            hand = self.p["hands"][self.decider()]
            return {"concede", *(f"show {card}" for card in hand if fits(card, face))}
        return {"deploy": self.deployments, "lose": self.losses, "retreat": self.retreats}[self.phase]()

    def deployments(self) -> set[str]:
        side = self.decider()
        out = Counter(self.b["deployed"]["ishida"]) + Counter(self.b["deployed"]["tokugawa"])
        free = in_order((Counter(self.map[self.b["at"]][side]) - out).elements())
        found = {"done"}
        if set(self.b["used"][side]) <= {"loyalty"}:
            found |= {f"deploy {face}" for face in free if face.endswith("-leader")}
        for card in self.p["hands"][side]:
            found |= {f"deploy {face} with {card}" for face in free if fits(card, face)}
            if card.endswith("-double"):
                own = [face for face in free if mon(face) == mon(card)]
                found |= {f"deploy {one} {two} with {card}" for one, two in combinations(own, 2)}
        return found

    def losses(self) -> set[str]:
        side = self.decider()
        blocks, disks = self.pool(side)
        units = [*in_order(blocks), *disks]
        return {f"lose {' '.join(gone)}" for gone in combinations(units, self.b["losses"][side])}

    def retreats(self) -> set[str]:
        at, side = self.b["at"], self.loser
        here = in_order(self.map[at][side])
        most = 2 if at in CASTLES and self.b["holder"] == side else 0
        found = set()
        for number in range(min(most, len(here)) + 1):
            for inside in combinations(here, number):
                castle = f" castle {' '.join(inside)}" if inside else ""
                if number == len(here):
                    found.add(f"retreat{castle}")
                else:
                    found |= {f"retreat {to}{castle}" for to in self.targets()}
        return found
