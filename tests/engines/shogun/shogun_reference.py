"""Shogun by a second program, written from the spec alone on the JSON of positions.

What chance gave (throws, draws, ties, the cards of a round) is read from the engine's events; what it
may give, and everything that follows from it, is reckoned here.
"""

from __future__ import annotations

import copy
import json
from itertools import permutations
from pathlib import Path
from typing import Any

import engines.shogun

Json = dict[str, Any]
DATA: Json = json.loads((Path(engines.shogun.__file__).parent / "shogun.json").read_text(encoding="utf-8"))
MAP: Json = DATA["provinces"]
BORDERS = {frozenset(edge) for edge in (*DATA["edges_land"], *DATA["edges_sea"])}
EVENT_IDS = [event["id"] for event in DATA["events"]]
ACTION_IDS = [action["id"] for action in DATA["actions"]]
SHEET = [*ACTION_IDS, "bid"]
KINDS = {"castle": 3, "temple": 2, "theater": 1}  # also what most of them score
STOCK = {"castle": 28, "temple": 26, "theater": 26}
CHESTS = [f"chest{n}" for n in range(5)]
NOTHING = {"owner": None, "armies": 0, "castle": False, "temple": False, "theater": False, "unrest": 0}
GIVEN = {"thrown", "tower-filled", "event-drawn", "bids-ranked", "starved"}  # events that tell of chance


class Reference:
    """A position and what the rules make of it.

    told   the engine's events of this step, for what chance gave
    dealt  the engine's position after it, for the cards of a new round
    """

    def __init__(self, position: Json) -> None:
        self.p = copy.deepcopy(position)
        self.told: list[Json] = []
        self.dealt: Json = {}

    @property
    def seats(self) -> range:
        return range(len(self.p["players"]))

    @property
    def passive(self) -> list[int]:
        return list(self.p.get("passive", []))

    @property
    def active(self) -> list[int]:
        return [seat for seat in self.seats if seat not in self.passive]

    def chance(self, code: str) -> Json:
        """The next thing that chance gave, which must be of this kind."""
        event = self.told.pop(0)
        assert event["code"] == code, (event, code)
        return dict(event["params"])

    def own(self, seat: int) -> list[str]:
        return [name for name in MAP if self.p["provinces"].get(name, NOTHING)["owner"] == seat]

    def near(self, name: str) -> list[str]:
        return [other for other in self.p["provinces"] if frozenset((name, other)) in BORDERS]

    def event(self, kind: str) -> bool:
        return str(self.p["event"]).rstrip("_12") == kind.rstrip("_12")

    def farmers(self) -> int:
        return int(20 - self.p["tower"][-1] - self.p["tray"][-1])

    # -- who decides what ---------------------------------------------------------------------

    def deciders(self) -> list[int]:
        if self.p["phase"] == "plan":
            return [seat for seat in self.active if self.p["players"][seat]["plan"] is None]
        return [] if self.p["turn"] is None else [self.p["turn"]]

    def legal(self) -> list[str]:
        """What the seat whose turn it is may do, in notation; plans are judged by `is_plan`."""
        p, seat = self.p, self.p["turn"]
        if p["phase"] == "draft":
            return self.drafts(seat)
        if p["phase"] == "special":
            held = [player["special"] for player in p["players"]]
            return [f"special {special}" for special in p["specials"] if special not in held]
        if p["phase"] == "winter":
            return [" ".join(["revolts", *order]).lower() for order in permutations(p["winter"]["revolts"])]
        source = self.card(seat)
        assert source is not None
        most = p["provinces"][source]["armies"] - 1
        word = "battle" if p["pending"] == "battle" else "move"
        found = [
            f"{word} {to.lower()} {n}"
            for to in self.near(source)
            if self.enters(seat, to)
            for n in range(1, most + 1)
        ]
        stays = word == "move" or (found and not p["options"]["forced_battles"])
        return [*found, "stay"] if stays else found

    def drafts(self, seat: int) -> list[str]:
        draft = self.p["draft"]
        sizes = sorted(set(draft["groups"][seat]))
        if draft["drawn"]:
            return [f"place {size}" for size in sizes]
        found = [f"draft {card.lower()} {size}" for card in draft["open"] for size in sizes]
        if draft["pile"]:
            found.append("draft pile")
            seen = draft["seen"][seat]
            if seen is not None and sorted(seen) == sorted(draft["open"]):
                found.append("redraw")
        return found

    def enters(self, seat: int, to: str) -> bool:
        """Whether the card that lies open may go there."""
        if self.p["provinces"][to]["owner"] == seat:
            return True
        if self.p["pending"] == "move":
            return False
        return not (self.event("temple_peace") and self.p["provinces"][to]["temple"])

    def is_plan(self, seat: int, plan: Json) -> bool:
        player, own, cards = self.p["players"][seat], self.own(seat), list(plan.values())
        bid = plan.get("bid", "none")
        return (
            all(space in SHEET for space in plan)
            and all(card in own or card in CHESTS for card in cards)
            and len(cards) == len(set(cards)) == min(11, 5 + len(own))
            and not (bid in CHESTS and CHESTS.index(bid) > player["chests"])
        )

    def card(self, seat: int) -> str | None:
        """The province on the space of the action that is carried out."""
        plan = self.p["players"][seat]["plan"] or {}
        card = plan.get(self.p["actions"][self.p["action_index"]])
        return None if card in CHESTS else card

    # -- an action ------------------------------------------------------------------------------

    def act(self, seat: int, action: Json, told: list[Json], dealt: Json) -> None:
        self.told = [event for event in told if event["code"] in GIVEN]
        self.dealt = dealt
        if action["type"] == "resign":
            self.resign(seat)
        elif action["type"] == "plan":
            self.p["players"][seat]["plan"] = {s: c for s, c in action.items() if s != "type"}
        else:
            self.do(seat, action)
        self.run()

    def load(self, told: list[Json], dealt: Json) -> None:
        """A given position runs on to the next decision."""
        self.told = [event for event in told if event["code"] in GIVEN]
        self.dealt = dealt
        self.run()

    def do(self, seat: int, action: Json) -> None:
        kind = action["type"]
        if kind in {"draft", "place", "redraw"}:
            self.do_draft(seat, action)
        elif kind == "choose_special":
            self.p["players"][seat]["special"] = action["special"]
        elif kind == "revolts":
            self.rise(action["provinces"])
        else:
            source = self.card(seat)
            assert source is not None
            if kind != "stay":
                self.march(seat, source, action["to"], action["armies"])
            self.pass_on()

    def resign(self, seat: int) -> None:
        self.p["passive"] = sorted([*self.passive, seat])
        player = self.p["players"][seat]
        player["plan"] = None
        if self.p["phase"] == "special" and player["special"] is None:
            self.p["bid_order"] = [s for s in self.p["bid_order"] if s != seat] + [seat]
        if self.p["phase"] == "action" and self.p["turn"] == seat and self.p["pending"]:
            self.pass_on()

    def do_draft(self, seat: int, action: Json) -> None:
        draft = self.p["draft"]
        if action["type"] == "redraw":
            under = draft["open"]
            draft["pile"] = [*draft["pile"], *under]
            draft["open"], draft["pile"] = draft["pile"][:2], draft["pile"][2:]
            return
        if action["type"] == "draft":
            draft["seen"][seat] = list(draft["open"])
            if action["card"] is None:
                draft["drawn"] = draft["pile"].pop(0)
                return
            at = draft["open"].index(action["card"])
            del draft["open"][at]
            if draft["pile"]:
                draft["open"].insert(at, draft["pile"].pop(0))
        name = action.get("card") or draft["drawn"]
        draft["drawn"] = None
        draft["groups"][seat].remove(action["armies"])
        self.p["provinces"][name] = {**NOTHING, "owner": seat, "armies": action["armies"]}
        self.p["players"][seat]["supply"] -= action["armies"]
        self.p["turn"] = (seat + 1) % len(self.seats)

    # -- running on -------------------------------------------------------------------------------

    def run(self) -> None:
        while self.p["phase"] != "over":
            if len(self.active) < 2:
                self.finish()
            elif not getattr(self, f"step_{self.p['phase']}")():
                break
        assert not self.told, self.told

    def answered(self) -> bool:
        """Whether the engine answered, because there is one legal answer only."""
        answers = self.legal()
        if len(answers) > 1:
            return False
        word, *rest = answers[0].split()
        names = {name.lower(): name for name in MAP}
        action: Json = {"type": word.replace("special", "choose_special")}
        if word == "special":
            action["special"] = rest[0]
        elif word == "place":
            action["armies"] = int(rest[0])
        elif word == "draft":
            action |= {"card": names[rest[0]], "armies": int(rest[1])} if len(rest) > 1 else {"card": None}
        elif word == "revolts":
            action["provinces"] = [names[name] for name in rest]
        elif word in {"battle", "move"}:
            action |= {"to": names[rest[0]], "armies": int(rest[1])}
        self.do(self.p["turn"], action)
        return True

    def step_draft(self) -> bool:
        p, draft = self.p, self.p["draft"]
        left = [seat for seat in self.active if draft["groups"][seat]]
        if not left or not (draft["open"] or draft["drawn"]):
            self.fill_tower()
            p.update(draft=None, events=p["event_pile"][:4], event_pile=p["event_pile"][4:])
            self.new_round()
            return True
        if p["turn"] in left:
            return self.answered()
        draft["drawn"] = None
        p["turn"] = (p["turn"] + 1) % len(self.seats)
        return True

    def fill_tower(self) -> None:
        fallen = self.chance("tower-filled")["fallen"]
        for seat in self.seats:
            self.p["players"][seat]["supply"] -= 7 - fallen[seat]
        self.p["tower"] = [n - out for n, out in zip([*(7 for _ in self.seats), 10], fallen, strict=True)]
        assert min(self.p["tower"]) >= 0

    def new_round(self) -> None:
        p = self.p
        p.update(phase="plan", turn=None, pending=None, order=[], bid_order=[], action_index=0, event=None)
        for player in p["players"]:
            player.update(plan=None, special=None)
        assert sorted(self.dealt["actions"]) == sorted(ACTION_IDS)
        assert len(set(self.dealt["specials"])) == 5
        p["actions"], p["specials"] = self.dealt["actions"], self.dealt["specials"]

    def step_plan(self) -> bool:
        p = self.p
        if self.deciders():
            return False
        p["event"] = self.chance("event-drawn")["event"]
        p["events"].remove(p["event"])
        worth = {}
        for seat in self.active:
            bid = p["players"][seat]["plan"].get("bid")
            if bid in CHESTS:
                p["players"][seat]["chests"] -= CHESTS.index(bid)
            worth[seat] = {"chest0": -1, None: -2}.get(bid, CHESTS.index(bid) if bid in CHESTS else 0)
        p["bid_order"] = self.chance("bids-ranked")["seats"]
        assert sorted(p["bid_order"]) == list(self.seats)
        ranks = [worth.get(seat, -3) for seat in p["bid_order"]]
        assert ranks == sorted(ranks, reverse=True)
        p["phase"] = "special"
        return True

    def step_special(self) -> bool:
        p = self.p
        waiting = [seat for seat in p["bid_order"] if p["players"][seat]["special"] is None]
        if waiting:
            p["turn"] = waiting[0]
            if waiting[0] not in self.passive:
                return self.answered()
            p["players"][waiting[0]]["special"] = self.legal()[0].split()[1]  # they are listed by space
            return True
        space = {player["special"]: seat for seat, player in enumerate(p["players"])}
        p["order"] = [space[special] for special in p["specials"] if special in space]
        p.update(phase="action", bid_order=[], turn=p["order"][0], action_index=0, pending=None)
        return True

    def pass_on(self) -> None:
        """The next seat, action, season."""
        p = self.p
        p["pending"] = None
        follow = p["order"][p["order"].index(p["turn"]) + 1 :]
        p["turn"] = follow[0] if follow else p["order"][0]
        if follow:
            return
        p["action_index"] += 1
        if p["action_index"] < 10:
            return
        if p["season"] != "autumn":
            p["season"] = {"spring": "summer", "summer": "autumn"}[p["season"]]
            self.new_round()
            return
        p.update(action_index=0, event=None, season="winter", phase="winter")
        (last,) = p["events"]
        loss = next(event["rice_loss"] for event in DATA["events"] if event["id"] == last)
        for player in p["players"]:
            player.update(plan=None, special=None, rice=max(0, player["rice"] - loss))
        self.hunger()

    # -- the ten actions ---------------------------------------------------------------------------

    def step_action(self) -> bool:
        p, seat = self.p, self.p["turn"]
        name, action = self.card(seat), p["actions"][p["action_index"]]
        if p["pending"] is None:
            if name is not None:
                self.carry_out(seat, name, action)
            if p["pending"] is None:
                self.pass_on()
            return True
        if not self.legal():
            self.pass_on()
            return True
        return self.answered()

    def carry_out(self, seat: int, name: str, action: str) -> None:
        player, place = self.p["players"][seat], self.p["provinces"][name]
        cost = next(card["cost"] for card in DATA["actions"] if card["id"] == action)
        if action in KINDS:
            built = sum(place[kind] for kind in KINDS)
            stock = STOCK[action] - sum(other[action] for other in self.p["provinces"].values())
            if player["chests"] < cost or place[action] or built == MAP[name]["spaces"] or stock == 0:
                return
            player["chests"] -= cost
            place[action] = True
            if action == "theater" and self.event("theater_calms"):
                place["unrest"] = max(0, place["unrest"] - 1)
        elif action in {"rice", "tax"}:
            self.harvest(player, name, action)
        elif action.startswith("recruit"):
            armies = self.recruits(player, action)
            if player["chests"] < cost or player["supply"] < armies:
                return
            player["chests"] -= cost
            player["supply"] -= armies
            place["armies"] += armies
            if action == "recruit1_move":
                self.p["pending"] = "move"
        elif place["armies"] > 1:
            self.p["pending"] = "battle"

    def recruits(self, player: Json, action: str) -> int:
        armies = {"recruit5": 5, "recruit3": 3, "recruit1_move": 1}[action]
        if self.event("recruit_reduced"):
            armies = {5: 3, 3: 2, 1: 1}[armies]
        return 6 if action == "recruit5" and player["special"] == "recruit6" else armies

    def harvest(self, player: Json, name: str, action: str) -> None:
        if action == "tax":
            gain = MAP[name]["chests"]
            gain = min(gain, 5) if self.event("tax_max_5") else gain
            gain = max(gain, 6) if self.event("tax_min_6") else gain
            player["chests"] += gain + (player["special"] == "tax+1")
        else:
            gain = MAP[name]["rice"]
            gain = min(gain, 3) if self.event("rice_max_3") else gain
            gain = max(gain, 4) if self.event("rice_min_4") else gain
            player["rice"] += gain + (player["special"] == "rice+1")
        markers = self.p["provinces"][name]["unrest"]
        if markers:
            self.revolt(name, markers)
        else:
            self.p["provinces"][name]["unrest"] = 1

    # -- the tower ------------------------------------------------------------------------------------

    def throw(self, cubes: dict[int, int]) -> None:
        """Cubes by seat (-1 farmers), taken from supply or board already, and the tray."""
        thrown = list(self.p["tray"])
        for seat, n in cubes.items():
            thrown[seat] += n
        event, inside = self.chance("thrown"), self.p["tower"]
        assert event["thrown"] == thrown
        assert event["before"] == self.p["tray"]
        fallen = event["fallen"]
        if self.p["options"]["tower"] == "open":
            assert fallen == [n + m for n, m in zip(thrown, inside, strict=True)]
        if self.p["options"]["tower"] == "swap":
            assert fallen == inside
        self.p["tower"] = [m + n - out for m, n, out in zip(inside, thrown, fallen, strict=True)]
        self.p["tray"] = list(fallen)
        assert min(self.p["tower"] + fallen) >= 0

    def out(self, seat: int) -> int:
        """The counted cubes of a party leave the tray."""
        n = self.p["tray"][seat]
        self.p["tray"][seat] = 0
        return int(n)

    def march(self, seat: int, source: str, to: str, armies: int) -> None:
        here, there = self.p["provinces"][source], self.p["provinces"][to]
        here["armies"] -= armies
        if there["owner"] == seat:
            there["armies"] += armies
            return
        owner, me = there["owner"], self.p["players"][seat]
        extra = min(me["supply"], int(me["special"] == "attack+1"))
        me["supply"] -= extra
        cubes: dict[int, int] = {seat: armies + extra}
        if owner is None:
            cubes[-1] = min(self.farmers(), 2 if self.event("neutral_two_farmers") else 1)
        else:
            him = self.p["players"][owner]
            helped = int(him["special"] == "defense+1")
            helped += int(self.event("castle_defense") and there["castle"])
            helped = min(him["supply"], helped)
            him["supply"] -= helped
            cubes[owner] = there["armies"] + helped
        self.throw(cubes)
        self.decide_battle(seat, to)

    def decide_battle(self, seat: int, to: str) -> None:
        there = self.p["provinces"][to]
        owner = there["owner"]
        attack = self.out(seat)
        defense = 0 if owner is None else self.out(owner)
        help_ = 0 if there["unrest"] else self.out(-1)
        back = {seat: attack} if owner is None else {seat: attack, owner: defense}
        if attack > defense + help_:
            self.lose(to)
            there.update(owner=seat, armies=attack - defense - help_)
            back[seat] -= there["armies"]
        elif defense and defense + help_ > attack:
            lost = max(0, attack - help_)  # farmers are lost first
            there["armies"] = defense - lost
            back[owner] -= there["armies"]
        else:
            self.lose(to)
            there.update(NOTHING)
        for player, cubes in back.items():
            self.p["players"][player]["supply"] += cubes

    def lose(self, name: str) -> None:
        """The entry leaves the loser's plan."""
        for player in self.p["players"]:
            for space, card in list((player["plan"] or {}).items()):
                if card == name:
                    del player["plan"][space]

    def revolt(self, name: str, farmers: int, marker: int = 1) -> None:
        place = self.p["provinces"][name]
        owner = place["owner"]
        self.throw({owner: place["armies"], -1: min(farmers, self.farmers())})
        stand, against = self.out(owner), self.out(-1)
        left = max(0, stand - against)
        self.p["players"][owner]["supply"] += stand - left
        if left:
            place.update(armies=left, unrest=place["unrest"] + marker)
        else:
            self.lose(name)
            place.update(NOTHING)

    # -- winter --------------------------------------------------------------------------------------

    def hunger(self) -> None:
        """The seat whose turn it is draws its revolts."""
        seat = self.p["turn"]
        short = len(self.own(seat)) - self.p["players"][seat]["rice"]
        self.p["winter"] = {"revolts": [], "farmers": 0}
        if short <= 0:
            return
        count, farmers = {1: (1, 1), 2: (1, 2), 3: (2, 2), 4: (2, 2), 5: (2, 3), 6: (2, 3)}.get(short, (3, 3))
        drawn = self.chance("starved")["provinces"]
        assert len(drawn) == len(set(drawn)) == count
        assert set(drawn) <= set(self.own(seat))
        self.p["winter"] = {"revolts": drawn, "farmers": farmers}

    def step_winter(self) -> bool:
        p, revolts = self.p, self.p["winter"]["revolts"]
        if revolts and p["turn"] in self.passive:
            self.rise(revolts)
            return True
        if revolts:
            return self.answered()
        follow = p["order"][p["order"].index(p["turn"]) + 1 :]
        if follow:
            p["turn"] = follow[0]
            self.hunger()
            return True
        self.score()
        if p["year"] == 2:
            self.finish()
            return True
        for place in p["provinces"].values():
            place["unrest"] = 0
        for player in p["players"]:
            player["rice"] = 0
        p.update(year=2, season="spring", winter=None)
        p.update(events=p["event_pile"][:4], event_pile=p["event_pile"][4:])
        self.new_round()
        return True

    def rise(self, order: list[str]) -> None:
        winter = self.p["winter"]
        for name in order:
            self.revolt(name, self.p["provinces"][name]["unrest"] + winter["farmers"], marker=0)
        winter["revolts"] = []

    def score(self) -> None:
        points = [0 for _ in self.seats]
        for place in self.p["provinces"].values():
            if place["owner"] is not None:
                points[place["owner"]] += 1 + sum(place[kind] for kind in KINDS)
        side = self.p["options"]["side"]
        for region in {entry[side] for entry in MAP.values()}:
            for kind, worth in KINDS.items():
                counts = [
                    sum(
                        self.p["provinces"][name][kind]
                        for name in self.own(seat)
                        if MAP[name][side] == region
                    )
                    for seat in self.seats
                ]
                most = [seat for seat in self.seats if counts[seat] == max(counts) > 0]
                for seat in most:
                    points[seat] += worth if len(most) == 1 else worth - 1
        for seat in self.seats:
            self.p["players"][seat]["points"] += points[seat]

    def finish(self) -> None:
        """Over: nothing is left that somebody could decide."""
        self.p.update(phase="over", season="winter", turn=None, pending=None, action_index=0, event=None)
        self.p.update(events=[], order=[], bid_order=[], draft=None, winter=None)
        for player in self.p["players"]:
            player.update(plan=None, special=None)

    def result(self) -> Json | None:
        if self.p["phase"] != "over":
            return None
        players, best = self.p["players"], self.active
        reason = "resigned"
        if len(best) > 1:
            for reason in ("points", "chests"):
                most = max(players[seat][reason] for seat in best)
                best = [seat for seat in best if players[seat][reason] == most]
                if len(best) == 1:
                    break
            else:
                reason = "shared"
        return {"winners": best, "scores": [player["points"] for player in players], "reason": reason}
