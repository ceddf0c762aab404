"""`chance:` as a player sees it: the seed announced first, all named at the end (14.14)."""

from __future__ import annotations

from engines.chance import typed_nonce
from tests.discord.conftest import answer_of, button, last_board, text_of
from tests.discord.months import delivered, warmed


async def test_words_of_ones_own_are_part_of_the_chances_and_are_named_at_the_end(world):  # 14.14
    warmed("rokumon")
    await world.ann.slash(
        world.channel,
        "game new",
        game="rokumon",
        opponent=world.ben.user,
        options="seat=first",
        chance="ann's",
    )
    await delivered(world)
    table = await world.bot.tables.get(1)
    assert table.commitment in world.channel.last_message.content, "before Ben adds anything"
    again = text_of(await world.ann.slash(world.channel, "game join", table=1, chance="ann's other"))
    assert typed_nonce("ann's other").hex() in again
    told = text_of(await world.ben.slash(world.channel, "game join", table=1))
    assert "SHA-256" not in told, "who types nothing hears nothing of it"
    await delivered(world)
    table = await world.bot.tables.get(1)
    assert table.nonces_commitment in last_board(world.thread()).content
    assert table.nonces_commitment in text_of(await world.ann.slash(world.thread(), "game info"))
    await world.bot.tables.resign(1, world.ann.id, 5)
    await delivered(world)
    board = last_board(world.thread())
    seed = answer_of(await world.ben.click(board, custom_id=button(board, "Seed"))).content
    assert typed_nonce("ann's other").hex() in seed
    checked = text_of(await world.ben.slash(world.thread(), "game verify", table=1))
    assert "all is well" in checked
    assert table.nonces_commitment in checked
