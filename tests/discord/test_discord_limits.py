"""Discord's limits, for the whole command tree and for everything that the games may put into it."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path
from typing import Any

import pytest

from bot import build_bot
from cogs.buttons import custom_ids
from cogs.buttons.custom_ids import BUTTON, SELECT, Press, Spot, row_of, spot
from cogs.buttons.lasting import CONTROLS
from cogs.commands.admin import AdminCog
from cogs.commands.begin import BeginCog
from cogs.commands.game import GameCog
from cogs.commands.help import HelpCog
from cogs.commands.play import PlayCog
from cogs.commands.privacy import PrivacyCog
from cogs.commands.records import RecordsCog
from cogs.commands.settings import SettingsCog
from cogs.ops.health import Health
from cogs.text.completions import options_of
from cogs.text.games import playable
from engines.capabilities import random_action
from engines.chance import Chance
from engines.protocol import Prompt
from engines.registry import engine
from locales import words
from settings import Settings

ROOT = Path(__file__).parents[2]
NAME = re.compile(r"[-_'\w]{1,32}")
COMMANDS = {"game", "move", "board", "hand", "games", "rules", "settings", "profile", "leaderboard", "note"}
COMMANDS |= {"privacy", "admin", "help", "play", "Play against", "Profile"}
SLASH = 1  # the type of a command that is typed; the menus of people and messages have others
GROUP = 2  # the type of an option that is a group of commands; 1 is a command
COUNT = int(os.environ.get("HATAMOTO_COUNT", "2"))


async def payload() -> list[dict[str, Any]]:
    bot = build_bot(Settings(_env_file=None))
    players = (GameCog(bot), PlayCog(bot), SettingsCog(bot), RecordsCog(bot))
    for cog in (*players, HelpCog(bot), BeginCog(bot), PrivacyCog(bot), AdminCog(bot, Health(bot, None, ""))):
        await bot.add_cog(cog)
    return await bot.commands_in_all_languages()


def every_option(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [node, *(found for option in node.get("options", ()) for found in every_option(option))]


def length(command: dict[str, Any]) -> int:
    own = len(command["name"]) + len(command.get("description", ""))
    own += sum(len(choice["name"]) + len(str(choice["value"])) for choice in command.get("choices", ()))
    return own + sum(length(option) for option in command.get("options", ()))


async def test_the_command_tree_keeps_discords_limits():
    commands = await payload()
    assert {c["name"] for c in commands} == COMMANDS
    assert len(commands) <= 100
    for command in commands:
        assert length(command) <= 8000
        for node in every_option(command):
            names = [node["name"], *node.get("name_localizations", {}).values()]
            if node is command and command["type"] != SLASH:  # a menu has a name as people write it, no more
                assert all(1 <= len(name) <= 32 for name in names), names
                continue
            texts = [node["description"], *node.get("description_localizations", {}).values()]
            assert all(NAME.fullmatch(name) and name == name.lower() for name in names), names
            assert all(1 <= len(text) <= 100 for text in texts), texts
            assert len(node.get("options", ())) <= 25
            assert len(node.get("choices", ())) <= 25
            options = [option for option in node.get("options", ()) if option["type"] > GROUP]
            assert len({option["name"] for option in node.get("options", ())}) == len(node.get("options", ()))
            wanted = [option.get("required", False) for option in options]
            assert wanted == sorted(wanted, reverse=True), "what is required comes first"
            for choice in node.get("choices", ()):
                shown = [choice["name"], *choice.get("name_localizations", {}).values()]
                assert all(1 <= len(text) <= 100 for text in shown)


async def test_the_limits_are_those_of_every_command_that_the_bot_brings(world):
    assert {command.name for command in world.bot.tree.get_commands()} == COMMANDS


async def test_the_game_commands_are_those_of_the_design():
    game = next(c for c in await payload() if c["name"] == "game")
    assert {option["name"] for option in game["options"]} >= {
        "new", "join", "leave", "start", "cancel", "list", "info",
        "resign", "offer-draw", "undo", "replace", "remind", "export", "replay", "rematch",
        "import", "verify", "claim", "pause", "clock", "invite",
    }  # fmt: skip


def test_every_key_that_the_cogs_name_is_in_the_catalogue():
    english = words("en")
    pattern = re.compile(
        r"\"((?:answer|button|choice|command|error|language|line|list|option|panel|permission|post|rules"
        r"|settings|title)\.[a-z0-9._-]+)\""
    )
    keys = {key for file in (ROOT / "cogs").rglob("*.py") for key in pattern.findall(file.read_text("utf-8"))}
    assert len(keys) > 100
    assert [key for key in sorted(keys) if not english.has(key)] == []


def test_every_code_that_the_tables_refuse_with_has_its_sentence():
    english = words("en")
    raised = re.compile(r"TableError\(\s*\"([a-z-]+)\"")
    codes = {
        code
        for folder in ("tables", "cogs")
        for file in (ROOT / folder).rglob("*.py")
        for code in raised.findall(file.read_text("utf-8"))
    }
    assert codes
    assert [code for code in sorted(codes) if not english.has(f"error.{code}")] == []


@pytest.mark.parametrize(
    ("action", "place"),
    [
        ("p", Spot("p", ())),
        ("p0.3", Spot("p", ("0", "3"))),
        ("c1+2.-", Spot("c", ("1+2", "-"))),
        ("s4~2", Spot("s", ("4",), 2)),
        ("p!30+41~1", Spot("p", (), 1, (30, 41))),
    ],
)
def test_a_place_in_the_panel_reads_back_from_its_custom_id(action, place):
    assert spot(action) == place
    assert str(place) == action


@pytest.mark.parametrize(
    "action",
    ["start", "turn", "cancel", "rematch", "v12y", "hand", "p0", "s0", "s", "at.3.o.f", "take.1", "later"],
)
def test_a_custom_id_belongs_to_exactly_one_kind_of_item(action):
    custom_id = str(Press(12, 345, action))
    kinds = [pattern.pattern for pattern in CONTROLS if pattern.fullmatch(custom_id)]
    assert kinds == [SELECT if re.fullmatch(r"s\d*", action) else BUTTON]


def test_every_kind_of_custom_id_is_answered():
    ids = custom_ids
    kinds = {ids.BUTTON, ids.SELECT, ids.SHEET, ids.GUESTS, ids.CHANNELS, ids.RULES, ids.LANGUAGE, ids.BEGIN}
    kinds |= {ids.RIVALS, ids.SWITCH, ids.WAYS, ids.ANEW}
    assert {pattern.pattern for pattern in CONTROLS} == kinds


def test_the_mark_of_a_row_reads_back():
    assert row_of(str(Press(1, 2, "turn", 77))) == 77
    assert row_of(str(Press(1, 2, "turn"))) is None
    assert row_of("something else") is None


def positions(game: str, seed: int, plies: int) -> Any:
    """Random positions of a random game, with the seats that have to act."""
    rules = engine(game)
    chance = Chance(seed.to_bytes(32, "big"), 0)
    options = rules.read_options({})
    state, _ = rules.setup(options, rules.seat_counts(options)[0], chance)
    for entry in range(plies):
        seats = sorted(rules.to_act(state))
        if not seats:
            return
        yield state, seats
        here = Chance(seed.to_bytes(32, "big"), entry + 1)
        state, _ = rules.apply(state, seats[0], random_action(rules, state, seats[0], here), here)


@pytest.mark.parametrize("game", playable())
def test_completions_fit_into_a_choice(game):
    for seed in range(COUNT):
        for state, seats in positions(game, seed, 30):
            for seat in seats:
                assert all(1 <= len(text) <= 100 for text in engine(game).complete("", state, seat))


@pytest.mark.parametrize("game", playable())
def test_panels_fit_into_messages(game):
    english = words("en")
    dice = random.Random(7)
    for seed in range(COUNT):
        for state, seats in positions(game, seed, 30):
            path: tuple[str, ...] = ()
            indexes: tuple[str, ...] = ()
            while isinstance(step := engine(game).choices(state, seats[0], path), Prompt):
                assert english.has(f"{game}.prompt.{step.code}"), step.code
                assert step.choices or step.least == 0
                for choice in step.choices:
                    assert english.has(f"{game}.choice.{choice.code}"), choice.code
                wanted = min(max(step.least, 1), step.most)
                picks = sorted(dice.sample(range(len(step.choices)), wanted))
                path += ("+".join(step.choices[pick].key for pick in picks) or "-",)
                indexes += ("+".join(map(str, picks)) or "-",)
                assert Press(999_999, 99_999, str(Spot("p", indexes))).fits(), indexes
            assert step.warning is None or english.has(f"{game}.warning.{step.warning}")


@pytest.mark.parametrize("game", playable())
def test_options_are_offered_as_words(game):
    for name, values in options_of(game).items():
        assert re.fullmatch(r"[a-z_]+", name)
        assert all(len(f"{name}={value}") <= 100 for value in values)
