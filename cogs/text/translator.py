"""Names and descriptions of commands, options and choices, from the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import discord
from discord import app_commands
from discord.app_commands import locale_str

from locales import words

C = TypeVar("C")
ENGLISH = "en"
SPOKEN = {  # asked ten thousand times at a start: of most locales there is no catalogue
    locale: spoken for locale in discord.Locale if (spoken := words(locale.value)).locale != ENGLISH
}


def said(key: str) -> locale_str:
    """The message `key`: in English for the command's base, in each other language by the translator."""
    return locale_str(words(ENGLISH)(key), key=key)


def worded(path: str, *options: str) -> Callable[[C], C]:
    """Names and describes the options of the command at `path` ("game.new") from the catalogue."""

    def decorate(command: C) -> C:
        named = app_commands.rename(**{option: said(f"option.{option}.name") for option in options})
        described = app_commands.describe(**{option: said(f"command.{path}.{option}") for option in options})
        return named(described(command)) if options else command

    return decorate


class CatalogueTranslator(app_commands.Translator):
    """Discord's locales from the catalogues that exist; English is what the commands are built with."""

    async def translate(
        self,
        string: locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The text in this locale, or None where it has no catalogue or says the same as English."""
        spoken = SPOKEN.get(locale)
        key = None if spoken is None else string.extras.get("key")
        if spoken is None or key is None:
            return None
        text = spoken(key)
        return text if text != string.message else None
