"""Positions of Shogun with one right answer, made from the rules.

The tower is `open`, everything falls out, so what an answer leads to can be played out. Where it can be,
the rules judge an answer: the game is played to its end and the lead over the best rival compared.
Plans are judged by what the position asks for: rice that feeds all, a majority that is taken, no revolt.
"""

from collections.abc import Callable, Set
from typing import Any, NamedTuple

from engines.chance import Chance
from engines.shogun.data import ACTIONS, EVENTS, RICE
from tests.engines.shogun.shogun_scenes import ENGINE, loaded, position, province

SEATS = 4
FED = 40  # rice for any winter


class Problem(NamedTuple):
    """A position where seat 0 decides; `right` judges the text of an answer."""

    name: str
    given: dict[str, Any]
    right: Callable[[str], bool]


def late(provinces: dict[str, Any], plan: dict[str, str], last: str, **changes: Any) -> dict[str, Any]:
    """The last turn of the last action of the last autumn: seat 0 has the card of `last` before it."""
    given = position(
        provinces,
        {0: plan},
        seats=SEATS,
        first=tuple(a for a in ACTIONS if a != last),
        event=None,
        specials=("tax+1", "rice+1", "recruit6", "attack+1"),
        year=2,
        rice=FED,
        **{"season": "autumn", "action_index": 9, "order": [1, 2, 3, 0], **changes},
    )
    for player in given["players"]:
        player["special"] = player["special"] and {"attack+1": "defense+1"}.get(
            player["special"], player["special"]
        )
    return with_events(given, ("recruit_reduced",), given["phase"])


def with_events(given: dict[str, Any], left: tuple[str, ...], phase: str) -> dict[str, Any]:
    """The open events, and one in force where a round is on that changes nothing here."""
    event = "tax_max_5" if phase in ("action", "special") else None
    others = [e for e in EVENTS if e not in left and e != event]
    given.update(events=list(left), event=event, event_pile=others[: 4 if given["year"] == 2 else 8])
    return given


def margins(given: dict[str, Any]) -> dict[str, int]:
    """Every answer, and by how much seat 0 then leads the best other at the end."""
    state = loaded(given)
    found = {}
    for text in ENGINE.legal(state, 0).actions:
        after = ENGINE.apply(state, 0, ENGINE.parse(text, state, 0), Chance(b"end", 1)).state
        scores = [player.points for player in after.players]
        assert after.phase == "over"
        found[text] = scores[0] - max(scores[1:])
    return found


def played_out(name: str, given: dict[str, Any]) -> Problem:
    """A problem that the rules judge."""
    return Problem(name, given, lambda text: (m := margins(given))[text] == max(m.values()))


# -- the last battle ---------------------------------------------------------------------------


def last_battles() -> list[Problem]:
    """The last battle card: where it pays most, and with how many."""
    plan, found = {"battle_b": "Kai"}, []

    def add(name: str, **around: Any) -> None:
        provinces = {"Kai": province(0, 6), "Tosa": province(0, 2), **around}
        found.append(played_out(name, late(provinces, plan, "battle_b", pending="battle")))

    add("a castle that can be taken, not one that cannot", Musashi=province(1, 2, "castle"),
        Suruga=province(2, 9, "castle", "temple"), Totomi=province(3, 3))  # fmt: skip
    add("two buildings rather than none", Musashi=province(1, 3, "castle", "temple"),
        Suruga=province(1, 3), Totomi=province(1, 2))  # fmt: skip
    add("the majority of castles", Musashi=province(1, 3, "castle"), Sagami=province(0, 1, "castle"),
        Totomi=province(1, 3, "theater"), Shinano=province(1, 3, "theater"))  # fmt: skip
    add("all five armies", Musashi=province(1, 4, "castle", "temple"),
        Suruga=province(2, 6, "castle"), Totomi=province(3, 6))  # fmt: skip
    add("a temple's majority", Musashi=province(1, 4, "temple"), Izu=province(0, 1, "temple"),
        Shinano=province(2, 4, "theater"), Noto=province(0, 1, "theater"))  # fmt: skip
    add("a lead that is broken", Musashi=province(1, 2, "castle"), Sagami=province(1, 2, "castle"),
        Izu=province(0, 2, "castle"), Totomi=province(2, 2, "castle"))  # fmt: skip
    for armies in (3, 5, 8):
        provinces = {
            "Kai": province(0, armies + 2),
            "Musashi": province(1, armies, "castle", "theater"),
            "Sagami": province(1, armies + 1, "castle", "temple", "theater"),
            "Shinano": province(1, armies + 2, "castle", "temple", "theater"),
            "Totomi": province(2, armies - 1),
            "Suruga": province(2, armies - 2),
        }
        given = late(provinces, plan, "battle_b", pending="battle")
        found.append(played_out(f"what {armies + 1} armies can take", given))
    blocked = {
        "Kai": province(0, 4),
        "Musashi": province(1, 8),
        "Sagami": province(1, 8),
        "Shinano": province(1, 8),
        "Totomi": province(1, 8),
        "Suruga": province(0, 2, "castle"),
    }
    for name in ("Suruga", "Totomi", "Sagami"):
        around = {n: dict(p) for n, p in blocked.items()}
        around["Suruga"] = province(1, 8)
        around[name] = province(2, 2, "castle", "temple")
        found.append(
            played_out(f"the one weak neighbour, {name}", late(around, plan, "battle_b", pending="battle"))
        )
    return found


# -- armies to save a hungry province ----------------------------------------------------------


def hungry_moves() -> list[Problem]:
    """Both provinces will revolt in winter, two farmers each or more: armies move so that both hold."""
    found = []
    for here, there, unrest in ((6, 1, 0), (7, 2, 0), (8, 1, 1), (9, 2, 1), (10, 1, 2), (6, 2, 0), (5, 1, 0)):
        provinces = {
            "Kai": province(0, here),
            "Musashi": province(0, there, "castle", "temple", unrest=unrest),
            "Aki": province(1, 5, "castle"),
            "Tosa": province(2, 5),
            "Noto": province(3, 5),
        }
        given = late(provinces, {"recruit1_move": "Kai"}, "recruit1_move", pending="move")
        given["players"][0]["rice"] = 0
        name = f"{here} and {there} armies against hunger, {unrest} markers"
        given["events"] = ["neutral_two_farmers"]  # takes 3 rice: two provinces without any
        given["event_pile"] = [e for e in EVENTS if e not in ("neutral_two_farmers", "tax_max_5")][:4]
        found.append(Problem(name, given, saves(given)))
    return found


def saves(given: dict[str, Any]) -> Callable[[str], bool]:
    """Whether each province that may revolt holds: more armies than two farmers and its markers (R2)."""

    def right(text: str) -> bool:
        state = loaded(given)
        moved = int(text.rsplit(maxsplit=1)[-1]) if text != "stay" else 0
        kai, musashi = state.provinces["Kai"], state.provinces["Musashi"]
        return bool(kai.armies - moved > 2 and musashi.armies + moved > 2 + musashi.unrest)

    return right


# -- the order of revolts ----------------------------------------------------------------------


def revolts() -> list[Problem]:
    """Farmers lie in the tray: the province that can stand them revolts first and takes them away."""
    found = []
    for strong, weak, lying in ((9, 3, 4), (8, 4, 5), (10, 3, 6), (7, 3, 3), (12, 4, 8), (9, 4, 6)):
        for order in (("Kai", "Aki"), ("Aki", "Kai")):
            armies = dict(zip(order, (strong, weak), strict=True))
            provinces = {name: province(0, armies[name], "castle") for name in ("Kai", "Aki")}
            provinces |= {"Noto": province(1, 4), "Tosa": province(2, 4), "Mino": province(3, 4)}
            given = late(
                provinces, {}, "tax", tray=(0, 0, 0, 0, lying), phase="winter", turn=0, order=[1, 2, 3, 0],
                action_index=0, winter={"revolts": ["Kai", "Aki"], "farmers": 2}, season="winter",
            )  # fmt: skip
            for player in given["players"]:
                player.update(plan=None, special=None)
            given["event"] = None
            found.append(played_out(f"{strong} armies before {weak}, {lying} farmers lie", given))
    return found


# -- plans of the last autumn ------------------------------------------------------------------


def planned(provinces: dict[str, Any], *, chests: int, rice: int, season: str = "autumn") -> dict[str, Any]:
    """Everybody plans."""
    given = position(
        provinces, seats=SEATS, event=None, specials=(None,) * SEATS, chests=chests, rice=FED,
        year=2, season=season, phase="plan", turn=None, order=[],
    )  # fmt: skip
    for player in given["players"]:
        player["plan"] = None
    given["players"][0]["rice"] = rice
    left: tuple[str, ...] = ("neutral_two_farmers", "temple_peace_1")  # 3 rice, both
    if season == "summer":
        left = (*left, "rice_min_4")  # and so does the third
    return with_events(given, left, "plan")


def cards(text: str) -> dict[str, str]:
    """A plan's spaces and cards."""
    return dict(part.split("=") for part in text.split()[1:])


SMALL = ("Izu", "Totomi", "Suruga", "Kai", "Musashi")  # two or three rice, neighbours


def feeding() -> list[Problem]:
    """One province alone has rice enough for all in winter; the others' is one or more short."""
    found = []
    for rich, grain in (
        ("Kaga", 5),
        ("Mino", 5),
        ("Hoki", 5),
        ("Shimosa", 5),
        ("Omi", 2),
        ("Kii", 4),
        ("Bingo", 4),
    ):
        own = (rich, *SMALL)
        provinces = {name: province(0, 3) for name in own}
        if grain == 2:  # the others' rice would come with a revolt that they cannot stand
            provinces = {name: province(0, 1, unrest=int(name != rich)) for name in own}
        provinces |= {"Iyo": province(1, 4), "Noto": province(2, 4), "Mutsu": province(3, 4)}
        given = planned(provinces, chests=2, rice=len(own) + 3 - grain)
        found.append(Problem(f"{rich} feeds all", given, lays("rice", {rich.casefold()})))
    return found


def lays(space: str, right: Set[str]) -> Callable[[str], bool]:
    """Whether a plan lays one of these provinces there."""
    return lambda text: cards(text).get(space) in right


def spares(provinces: Set[str]) -> Callable[[str], bool]:
    """Whether a plan takes neither tax nor rice from these provinces."""
    return lambda text: not {cards(text).get("tax"), cards(text).get("rice")} & provinces


def calm() -> list[Problem]:
    """Rice and tax from a province with a marker and one army would lose it; others have no marker."""
    found = []
    for season in ("summer", "autumn"):
        for marked in (("Kai", "Suruga"), ("Musashi", "Totomi"), ("Izu", "Kai", "Suruga")):
            provinces = {
                name: province(0, 1 if name in marked else 4, "castle", unrest=int(name in marked))
                for name in (*SMALL, "Sagami", "Kozuke")
            }
            provinces |= {"Iyo": province(1, 4), "Noto": province(2, 4), "Mutsu": province(3, 4)}
            given = planned(provinces, chests=6, rice=6, season=season)
            bad = {name.casefold() for name in marked}
            found.append(
                Problem(
                    f"no revolt in {' '.join(marked)}, {season}",
                    given,
                    spares(bad),
                )
            )
    return found


def castles() -> list[Problem]:
    """Chests for one castle: in one region it takes the majority, elsewhere somebody is far ahead."""
    found = []
    wide = {
        "brown": ("Shinano", "Noto"),
        "purple": ("Kii", "Ise"),
        "green": ("Aki", "Bitchu"),
        "red": ("Omi", "Harima"),
    }
    ahead = {
        "brown": ("Etchu", "Kaga"), "purple": ("Iyo", "Yamato"), "green": ("Hoki", "Bingo"),
        "red": ("Hida", "Owari"),
    }  # fmt: skip
    for open_, places in wide.items():
        provinces: dict[str, Any] = {}
        for region, names in wide.items():
            provinces |= {name: province(0, 3) for name in names}
            for name in ahead[region]:
                built = ("temple", "theater") if region == open_ else ("castle", "temple")
                provinces[name] = province(1, 5, *built)
        provinces |= {"Mutsu": province(2, 4), "Izu": province(3, 4)}
        given = planned(provinces, chests=3, rice=FED)
        good = {name.casefold() for name in places}
        found.append(Problem(f"a castle in the {open_} region", given, lays("castle", good)))
    return found


# -- special cards ------------------------------------------------------------------------------


def specials() -> list[Problem]:
    """The last to choose: one more rice feeds all, where a province would revolt and fall."""
    found = []
    for rich, rest in (("Kaga", ("Kai", "Noto")), ("Mino", ("Kai", "Izu")), ("Hoki", ("Aki", "Bitchu")),
                       ("Kii", ("Ise", "Settsu")), ("Bingo", ("Aki", "Hoki"))):  # fmt: skip
        own = (rich, *rest)
        provinces = {name: province(0, 1, "castle") for name in own}
        provinces |= {"Iyo": province(1, 4), "Etchu": province(2, 4), "Mutsu": province(3, 4)}
        given = special_choice(provinces, rich, len(own))
        found.append(Problem(f"rice+1 for {rich}", given, lambda text: text == "special rice+1"))
    return found


def special_choice(provinces: dict[str, Any], rich: str, own: int) -> dict[str, Any]:
    """Seat 0 is the last to choose and has planned rice that is one short."""
    given = position(
        provinces, {0: {"rice": rich}}, seats=SEATS, event=None,
        specials=(None, "tax+1", "defense+1", "attack+1"),
        year=2, season="autumn", phase="special", turn=0, order=[], bid_order=[1, 2, 3, 0], rice=FED,
    )  # fmt: skip
    given["players"][0]["rice"] = own + 3 - RICE[rich] - 1
    return with_events(given, ("neutral_two_farmers",), "special")


def problems() -> list[Problem]:
    """All of them."""
    return [*last_battles(), *hungry_moves(), *revolts(), *feeding(), *calm(), *castles(), *specials()]
