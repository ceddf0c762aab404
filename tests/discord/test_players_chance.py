"""`chance:` as a player sees it: told as it is added, sealed where wished, all named at the end (14.14)."""

from __future__ import annotations

from engines.chance import commitment, typed_nonce
from tests.discord.conftest import answer_of, button, last_board, text_of
from tests.discord.months import delivered, warmed
from tests.messages import wording

WORDS = "seven blue herons"
SEAL = commitment(typed_nonce(WORDS))
REEDS = typed_nonce("reeds")


async def opened(world, **more):
    warmed("rokumon")
    ben = world.ben.user
    given = await world.ann.slash(
        world.channel, "game new", game="rokumon", opponent=ben, options="seat=first", **more
    )
    await delivered(world)
    return text_of(given)


async def types(world, who, chance):
    said = text_of(await who.slash(world.channel, "game join", table=1, chance=chance))
    await delivered(world)
    return said


async def test_words_of_ones_own_are_told_at_once_and_what_they_add_is_named_at_the_end(world):  # 14.14
    refused = await opened(world, chance=WORDS)
    assert "before the seed is announced" in refused
    await opened(world)
    table = await world.bot.tables.get(1)
    assert table.commitment in wording(world.channel.last_message), "before anybody adds anything"
    assert SEAL in await types(world, world.ann, WORDS)
    assert SEAL in wording(world.channel.last_message), "before Ben adds anything"
    assert "that can't be changed" in await types(world, world.ann, "others")
    told = text_of(await world.ben.slash(world.channel, "game join", table=1))
    assert "SHA-256" not in told, "who types nothing hears nothing of it"
    await delivered(world)
    assert SEAL in wording(last_board(world.thread()))
    assert SEAL in text_of(await world.ann.slash(world.thread(), "game info"))
    assert typed_nonce(WORDS).hex() not in text_of(
        await world.ann.slash(world.thread(), "game verify", table=1)
    )
    await world.bot.tables.resign(1, world.ann.id, 5)
    await delivered(world)
    board = last_board(world.thread())
    seed = wording(answer_of(await world.ben.click(board, custom_id=button(board, "Seed"))))
    assert f"`{typed_nonce(WORDS).hex()}`" in seed
    assert "–" in seed, "Ben's seat"
    checked = text_of(await world.ben.slash(world.thread(), "game verify", table=1))
    assert "all good" in checked
    assert "[" not in checked.splitlines()[-1], "a list is said as the language says it"
    assert SEAL in checked
    assert typed_nonce(WORDS).hex() in checked


async def test_a_seal_is_announced_and_the_lobby_says_whom_the_game_waits_for(world):  # 14.14
    assert SEAL in await opened(world, chance=SEAL)
    assert SEAL in wording(world.channel.last_message)
    assert commitment(REEDS) in await types(world, world.ben, "reeds")
    lobby = wording(world.channel.last_message)
    assert "must open the seal" in lobby
    assert commitment(REEDS) in lobby
    assert "aren't the words" in await types(world, world.ann, "other")
    assert "part of the game's randomness" in await types(world, world.ann, WORDS)
    assert (await world.bot.tables.get(1)).status == "running"
    board = wording(last_board(world.thread()))
    assert SEAL in board
    assert commitment(REEDS) in board
