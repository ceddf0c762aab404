"""`/help` and the greeting: how to begin, and a language that Discord does not speak (15.5)."""

from __future__ import annotations

from locales import LANGUAGES, words
from tests.discord.conftest import answer_of, button, controls, text_of
from tests.messages import wording

HEBREW = words("he")("language.name")


async def test_help_says_how_to_begin_and_has_every_language_by_its_own_name(world):  # 15.5
    told = answer_of(await world.ann.slash(world.channel, "help"))
    assert "`/game new`" in wording(told)
    assert list(controls(told).values()) == ["Play", *(words(one)("language.name") for one in LANGUAGES)]
    assert len(controls(told)) == len(LANGUAGES) + 1


async def test_who_presses_a_language_is_answered_in_it_from_then_on(world):  # 15.5
    told = answer_of(await world.ann.slash(world.channel, "help"))
    pressed = await world.ann.click(told, custom_id=button(told, HEBREW))
    assert wording(answer_of(pressed)).startswith(words("he")("help.text"))
    assert text_of(await world.ann.slash(world.channel, "games")) == words("he")("answer.no-games")
    assert text_of(await world.ben.slash(world.channel, "games")) == words("en")("answer.no-games")
    back = answer_of(pressed)
    await world.ann.click(back, custom_id=button(back, "English"))
    assert text_of(await world.ann.slash(world.channel, "games")) == words("en")("answer.no-games")


async def test_a_button_of_a_language_is_never_called_out_of_date(world, monkeypatch):  # 15.5
    said: list[str] = []

    async def heard(interaction: object, content: str, **_: object) -> None:
        said.append(content)

    told = answer_of(await world.ann.slash(world.channel, "help"))
    monkeypatch.setattr("cogs.buttons.lasting.answer", heard)
    await world.ann.click(told, custom_id=button(told, HEBREW))
    assert said == [], "only the button itself answers"


async def test_a_new_server_is_greeted_with_the_languages_and_anybody_may_choose_his(world):  # 15.5
    guild = world.bot.get_guild(world.guild.id)
    cog = world.bot.get_cog("HelpCog")
    await cog.on_guild_join(guild)
    assert world.channel.history() == [], "a server that has no place for greetings is left alone"
    await guild.edit(system_channel=guild.get_channel(world.channel.id))
    await world.env.settle()
    await cog.on_guild_join(guild)
    (post,) = world.channel.history()
    assert wording(post).startswith(words("en")("help.welcome"))
    pressed = await world.ben.click(post, custom_id=button(post, HEBREW))
    assert wording(answer_of(pressed)).startswith(words("he")("help.text"))
    assert text_of(await world.ben.slash(world.channel, "games")) == words("he")("answer.no-games")
    assert text_of(await world.cho.slash(world.channel, "games")) == words("en")("answer.no-games")


async def test_a_place_for_greetings_that_is_closed_to_the_bot_is_left_alone(world):  # 15.5
    guild = world.bot.get_guild(world.guild.id)
    place = guild.get_channel(world.channel.id)
    await guild.edit(system_channel=place)
    await place.set_permissions(guild.me, send_messages=False)
    await world.env.settle()
    await world.bot.get_cog("HelpCog").on_guild_join(guild)
    assert world.channel.history() == []
