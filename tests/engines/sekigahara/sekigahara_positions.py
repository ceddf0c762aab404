"""Small positions to test rulings in: what is not named is empty or ordinary."""

from __future__ import annotations

from typing import Any

from engines.chance import Chance
from engines.protocol import Event, RulesError
from engines.sekigahara import Sekigahara

ENGINE: Any = Sekigahara()
HANDS = {
    "ishida": ["mori", "mori-sword", "ukita", "kobayakawa", "loyalty"],
    "tokugawa": ["tokugawa", "tokugawa-sword", "maeda", "date", "loyalty"],
}
MORI_BOX = ["mori-leader", "mori3", "mori3", "mori3", "mori3"]


class Game:
    """A position that is played on; a place's blocks are written `ishida faces | tokugawa faces`."""

    def __init__(
        self, places: dict[str, str], active: str = "ishida", phase: str = "move", **more: Any
    ) -> None:
        here = {}
        for place, text in {"osaka": "ishida-leader |", "edo": "| tokugawa-leader", **places}.items():
            ishida, _, tokugawa = text.removesuffix(" besieged").partition("|")
            here[place] = {
                "ishida": ishida.split(),
                "tokugawa": tokugawa.split(),
                "besieged": text.endswith(" besieged"),
            }
        position = {
            "options": {},
            "week": 3,
            "turn": "A",
            "phase": phase,
            "first": active,
            "active": active,
            "map": here,
            "control": {"kyoto": "ishida", "edo": "tokugawa"},
            "disks": ["hideyori", "sanada"],
            "hands": HANDS,
            "decks": {"ishida": ["uesugi"] * 20, "tokugawa": ["fukushima"] * 20},
            "bags": {"ishida": ["ukita2"] * 5, "tokugawa": ["maeda2"] * 5},
            "mori_box": MORI_BOX,
            **more,
        }
        self.entry = 0
        self.state: Any = ENGINE.from_position(position, Chance(b"seed", 0)).state
        self.events: tuple[Event, ...] = ()

    def play(self, *texts: str) -> Game:
        """Each text is played by whoever has to decide, the lower seat if both do."""
        for text in texts:
            self.by(min(ENGINE.to_act(self.state)), text)
        return self

    def by(self, seat: int, text: str) -> Game:
        """One action of one seat."""
        self.entry += 1
        action = ENGINE.parse(text, self.state, seat)
        step = ENGINE.apply(self.state, seat, action, Chance(b"seed", self.entry))
        self.state, self.events = step.state, step.events
        return self

    def refused(self, text: str) -> str:
        """The code with which the action of whoever has to decide is refused."""
        seat = min(ENGINE.to_act(self.state))
        try:
            action = ENGINE.parse(text, self.state, seat)
            ENGINE.apply(self.state, seat, action, Chance(b"seed", self.entry + 1))
        except RulesError as error:
            return str(error.code)
        return "allowed"

    def at(self, place: str) -> tuple[str, str]:
        """The blocks at a place."""
        here = self.state.map[place]
        return " ".join(here.ishida), " ".join(here.tokugawa)

    def hand(self, side: str) -> int:
        """How many cards a side holds."""
        return len(self.state.hands[side])

    @property
    def legal(self) -> set[str]:
        """What whoever has to decide may do."""
        return set(ENGINE.legal(self.state, min(ENGINE.to_act(self.state))).actions)

    @property
    def acts(self) -> list[int]:
        """The seats that have to decide."""
        return sorted(ENGINE.to_act(self.state))

    @property
    def phase(self) -> str:
        """The phase."""
        return str(self.state.phase)
