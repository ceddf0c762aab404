"""Whatever a moderator asks of a hidden game, he sees what everybody sees; nobody else uses his buttons."""

from __future__ import annotations

import json
from typing import Any

import discord
import pytest

from tests.discord.conftest import answer_of, button
from tests.discord.test_logs import begin, play, secrets
from tests.games import hidden, players
from tests.messages import wording


@pytest.fixture
def moderated(world):
    """With a manager who plays nowhere."""
    role = world.guild.create_role("chief", permissions=discord.Permissions(manage_guild=True))
    world.mod = world.guild.add_member(world.env.create_user("Mod"), roles=[role])
    return world


async def everything_of(given: Any) -> str:
    """All texts of an answer: words, embeds, alt texts, buttons, files."""
    found = []
    for one in given.followups or [given.response]:
        if one is None:
            continue
        found += [wording(one) or "", repr(one.components)]
        found += [str(embed.to_dict()) for embed in one.embeds]
        for file in one.attachments:
            found += [file.filename, str(getattr(file, "description", ""))]
            if file.filename.endswith((".json", ".txt")):
                found.append((await file.read()).decode())
    return "\n".join(found)


SEED = 30  # longer texts than that are no words of a language
ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("admin tables", {}),
    ("admin limits", {}),
    ("admin channels", {}),
    ("admin health", {}),
    ("admin hand-over", {"table": 1, "seat": 9, "level": "easy"}),
    ("admin end", {"table": 1}),
    ("board", {"table": 1}),
    ("hand", {"table": 1}),
    ("game info", {"table": 1}),
    ("game list", {}),
    ("game export", {"table": 1}),
    ("game replay", {"table": 1}),
    ("game verify", {"table": 1}),
    ("move", {"table": 1, "move": "pass"}),
    ("privacy export", {}),
)


@pytest.mark.parametrize("game", [game for game in hidden() if players(game) == 2])
async def test_a_moderator_is_shown_no_secret_also_of_a_table_out_of_order(moderated, game):
    await begin(moderated, game)
    await play(moderated, game, 3)
    hidden = {secret for secret in await secrets(moderated, 1) if "-" in secret or len(secret) > SEED}
    assert hidden
    for state in ("running", "broken"):
        if state == "broken":
            async with moderated.bot.database.transaction() as tx:
                await tx.run('UPDATE actions SET action = \'{"kind": "nonsense"}\' WHERE seq = 1')
                await tx.run("UPDATE snapshots SET state = replace(state, '{', '[')")
            await moderated.restart()
        for words, options in ASKED:
            told = await everything_of(await moderated.mod.slash(moderated.channel, words, **options))
            found = [secret for secret in hidden if secret in told]
            assert found == [], (state, words)
        assert (await moderated.bot.tables.get(1)).status == state
    metrics = json.dumps((await moderated.bot.health.reading()).parameters(), default=str)
    assert [secret for secret in hidden if secret in metrics] == []


async def test_nobody_else_ends_a_table_by_a_moderators_button(moderated):
    await moderated.start()
    asked = answer_of(await moderated.mod.slash(moderated.channel, "admin end", table=1))
    press = button(asked, "End the table")
    for other in (moderated.ann, moderated.cho):
        await moderated.bot.tables.get(1)
        with pytest.raises(Exception, match=r"(?i)ephemeral|not visible|cannot|can't"):
            await other.click(asked, custom_id=press)
    assert (await moderated.bot.tables.get(1)).status == "running"
