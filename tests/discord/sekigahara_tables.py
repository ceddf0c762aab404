"""A table of Sekigahara that starts in the middle, and what two people do there by buttons and by text."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

from cogs.buttons.custom_ids import picks
from engines.chance import Chance
from engines.protocol import Ready
from engines.sekigahara import Sekigahara
from locales import words
from render import Scene, own_ground, painter
from tables.core import letters
from tables.core.turns import advanced
from tests.discord.conftest import World, answer_of, button, controls, last_board, menus, text_of
from tests.discord.months import delivered
from tests.messages import wording
from tests.sketches import cold

RULES = Sekigahara()

# Ishida is beaten at Kiyosu, where he came by Kuwana: there Tokugawa stands by now. Okazaki is besieged.
FIGHTS: dict[str, Any] = {
    "options": {},
    "week": 1,
    "turn": "B",
    "phase": "combat",
    "first": "tokugawa",
    "active": "ishida",
    "map": {
        "osaka": {"ishida": ["ishida-leader"]},
        "edo": {"tokugawa": ["tokugawa-leader"]},
        "kiyosu": {
            "ishida": ["ukita2", "ukita2", "uesugi3", "mori2", "mori3"],
            "tokugawa": ["tokugawa3", "tokugawa2", "tokugawa2", "maeda2"],
        },
        "kuwana": {"tokugawa": ["maeda3"]},
        "okazaki": {"ishida": ["mori3", "mori3"], "tokugawa": ["fukushima2"]},
    },
    "control": {"kyoto": "ishida", "edo": "tokugawa"},
    "hands": {
        "ishida": ["ukita-double", "ukita", "uesugi", "mori", "mori-sword"],
        "tokugawa": ["tokugawa", "tokugawa-sword", "loyalty", "loyalty", "maeda"],
    },
    "decks": {"ishida": ["kobayakawa"] * 20, "tokugawa": ["fukushima"] * 20},
    "bags": {"ishida": ["ukita2"] * 5, "tokugawa": ["maeda2"] * 5},
    "mori_box": ["mori-leader", "mori3", "mori3", "mori3", "mori3"],
    "march": {
        "mode": "total",
        "activated": ["minakuchi"],
        "entered": {"kiyosu": ["kuwana"]},
        "moved": {"kiyosu": ["ukita2", "ukita2", "uesugi3", "mori2", "mori3"]},
    },
}

# Who does what there, to the second week. A challenge is refuted, another is not.
STORY: tuple[tuple[int, str], ...] = (
    (0, "combat kiyosu"),
    (0, "deploy ukita2 ukita2 with ukita-double"),
    (1, "challenge"),
    (0, "show ukita"),
    (1, "deploy tokugawa3 with tokugawa"),
    (0, "accept"),
    (1, "deploy tokugawa2 with tokugawa-sword"),
    (0, "accept"),
    (0, "deploy uesugi3 with uesugi"),
    (1, "challenge"),
    (0, "concede"),
    (0, "deploy mori3 with mori"),
    (1, "accept"),
    (0, "done"),
    (1, "done"),
    (0, "lose mori2"),
    (1, "lose tokugawa2"),
    (0, "done"),  # at Kuwana, where the beaten met the next enemy
    (1, "done"),
    (0, "lose ukita2"),
    (0, "retreat anotsu"),
    (0, "combat okazaki"),
    (1, "inside"),
    (0, "deploy mori3 with mori-sword"),
    (0, "done"),
)


def warm_up() -> None:
    """The first pictures load fonts and maps, for which a simulation does not wait."""
    if not cold("sekigahara tables"):
        return
    start, _ = RULES.setup(RULES.read_options({}), 2, Chance(bytes(32), 0))
    fight, _ = RULES.from_position({**FIGHTS, "phase": "combat"}, Chance(bytes(32), 0))
    fight, _ = RULES.apply(fight, 0, RULES.parse("combat kiyosu", fight, 0), Chance(bytes(32), 1))
    for state in (start, fight):
        for viewer in (None, 0, 1):
            scene = Scene("sekigahara", RULES.view(state, viewer), ("Ann", "Ben"), words("en"))
            painter("sekigahara").board(scene)
            painter("sekigahara").hand(scene)
            own_ground(scene)


class Two:
    """Ann plays Ishida and Ben Tokugawa, at table 1."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.people = (world.ann, world.ben)

    async def begin(self, position: dict[str, Any] | None = None) -> Any:
        """A started table, at a position if one is named; its thread."""
        world = self.world
        warm_up()
        await world.ann.slash(
            world.channel, "game new", game="sekigahara", opponent=world.ben.user, options="seat=first"
        )
        await world.ben.slash(world.channel, "game join", table=1)
        if position is not None:
            await self.place(position)
        await delivered(world)
        return world.thread()

    async def place(self, position: dict[str, Any]) -> None:
        """Puts a table at which nothing was done yet at a position, as an imported record would be."""
        house = self.world.bot.tables._house
        async with house.lock(1):
            loaded = await house.load(1)
            step = RULES.from_position(position, Chance(loaded.row.seed, 0))
            after = advanced(loaded, step.state, step.events, house.clock.now(), actor=None, entries=0)
            after = after.updated(position=json.dumps(position))
            async with house.writing(1, None) as tx:
                await house.store(tx, after, letters.boards(None, after))
            house.committed(after)
        await self.world.env.settle()
        await delivered(self.world)

    async def state(self) -> Any:
        """The whole position, which only a test may look at."""
        return (await self.world.bot.tables._house.look(1)).state

    async def by_text(self, seat: int, action: str) -> str:
        """An action by `/move`; what was answered."""
        told = text_of(await self.people[seat].slash(self.world.thread(), "move", move=action))
        assert "Played `" in told, told
        await delivered(self.world)
        return told

    async def by_buttons(self, seat: int, action: str) -> str:
        """An action through the panel, from the newest board on; the words of its last step."""
        member, path = self.people[seat], way_to(await self.state(), seat, action)
        assert path is not None, f"the panel has no way to {action}"
        board = last_board(self.world.thread())
        shown = await member.click(board, custom_id=button(board, "Your turn"))
        for depth, word in enumerate(path):
            shown = await step(member, answer_of(shown), path[: depth + 1], word) or shown
        if "Played `" in text_of(shown):
            await delivered(self.world)
            return ""  # nothing was lost by it, so it was not asked about
        panel = answer_of(shown)
        for _ in range(2):
            sure = [c for c, label in controls(panel).items() if label in ("Confirm", "Yes, do it")]
            asked = wording(panel)
            assert sure, asked
            shown = await member.click(panel, custom_id=sure[0])
            if "Played `" in text_of(shown):
                await delivered(self.world)
                return str(asked)
            panel = answer_of(shown)
        raise AssertionError(wording(panel))

    async def look(self, seat: int, *path: str) -> Any:
        """A step of the panel, by the keys that lead there."""
        member, indexes = self.people[seat], keys_to_indexes(await self.state(), seat, path)
        board = last_board(self.world.thread())
        shown = await member.click(board, custom_id=button(board, "Your turn"))
        for depth, word in enumerate(indexes):
            shown = await step(member, answer_of(shown), indexes[: depth + 1], word) or shown
        return answer_of(shown)

    async def press(self, seat: int, panel: Any, label: str) -> Any:
        """Presses a button of a panel; the panel after it."""
        return answer_of(await self.people[seat].click(panel, custom_id=button(panel, label)))


async def step(member: Any, panel: Any, path: tuple[str, ...], word: str) -> Any:
    """One step down: a button where there is one, else the select; None where the panel took it by itself."""
    place, above = (
        ".".join(part if part == "-" else picks(map(int, part.split("+"))) for part in way)
        for way in (path, path[:-1])
    )
    found = [c for c in controls(panel) if c.endswith(f":p{place}")]
    if found:
        return await member.click(panel, custom_id=found[0])
    menu = next((one for one in menus(panel) if one["custom_id"].endswith(f":s{above}")), None)
    return None if menu is None else await member.select(panel, word.split("+"), custom_id=menu["custom_id"])


KINDS = {"discard": "redraw", "move": "pay"}  # actions whose choices have another name


def way_to(
    state: Any, seat: int, action: str, path: tuple[str, ...] = (), keys: tuple[str, ...] = ()
) -> tuple[str, ...] | None:
    """Indexes of the picks that lead to an action."""
    found = RULES.choices(state, seat, keys)
    if isinstance(found, Ready):
        return path if found.action == action else None
    if "orders" in keys and len(keys) > 1:
        return None
    begun = action.partition(" > ")[0].split() if action.startswith("march ") else []
    verb = action.split(maxsplit=1)[0]
    for size in range(found.least, found.most + 1):
        for picked in combinations(range(len(found.choices)), size):
            word = "+".join(map(str, picked)) or "-"
            key = "+".join(found.choices[index].key for index in picked) or "-"
            if found.code == "movement" and key.partition("_")[0] != KINDS.get(verb, verb):
                continue
            if key == "odds" or (begun and not leads_to(found.code, key, begun)):
                continue
            way = way_to(state, seat, action, (*path, word), (*keys, key))
            if way is not None:
                return way
    return None


def leads_to(code: str, key: str, begun: list[str]) -> bool:
    """Whether a pick is of a march that begins so: a stack has too many ways to try them all."""
    names = sorted(word.partition(".")[0] for word in key.split("+"))
    wanted = {"movement": [f"march_{begun[1]}"], "march-blocks": sorted(begun[2:])}
    return code not in wanted or names == wanted[code]


def keys_to_indexes(state: Any, seat: int, keys: tuple[str, ...]) -> tuple[str, ...]:
    """A path of keys as a path of indexes."""
    indexes: list[str] = []
    for depth, word in enumerate(keys):
        found = RULES.choices(state, seat, keys[:depth])
        assert not isinstance(found, Ready)
        names = [choice.key for choice in found.choices]
        indexes.append("+".join(str(names.index(key)) for key in word.split("+")))
    return tuple(indexes)
