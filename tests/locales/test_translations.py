"""What every language's catalogue must keep of the English one."""

import re
from string import Formatter
from typing import Any

import pytest
from babel.messages.pofile import read_po

from locales import DOMAIN, FALLBACK, FOLDER, LANGUAGES

TRANSLATED = [language for language in LANGUAGES if language != FALLBACK]
MOST = {"command": 100, "button": 80}  # characters that Discord allows in descriptions and on buttons
TYPED = re.compile("`([^`]*)`")


def messages(language: str) -> dict[str, tuple[str, ...]]:
    """msgid -> msgstrs."""
    with (FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        made = read_po(file)
    found: dict[str, tuple[str, ...]] = {}
    for message in made:
        key: Any = message.id
        texts: Any = message.string
        if key:
            several = isinstance(key, tuple)
            found[key[0] if several else key] = tuple(texts) if several else (texts,)
    return found


ENGLISH = messages(FALLBACK)


def parameters(texts: tuple[str, ...]) -> set[tuple[str, str]]:
    """(name, format) of everything that templates ask for. Raises ValueError where one does not parse."""
    return {
        (name, spec or "")
        for text in texts
        for _, name, spec, _ in Formatter().parse(text)
        if name is not None
    }


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_asks_for_nothing_that_english_is_not_given(language):
    for key, texts in messages(language).items():
        given = {name for name, _ in parameters(ENGLISH[key])}
        assert {name for name, _ in parameters(texts)} <= given, key


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_typed_is_typed_alike_in_every_language(language):
    for key, texts in messages(language).items():
        if any(texts):
            assert set(TYPED.findall(" ".join(texts))) == set(TYPED.findall(" ".join(ENGLISH[key]))), key
        if key.startswith(("command.", "option.")) and key.endswith(".name"):
            assert set(texts) <= {"", *ENGLISH[key]}, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_commands_and_buttons_are_no_longer_than_discord_allows(language):
    for key, texts in messages(language).items():
        most = MOST.get(key.partition(".")[0])
        assert most is None or all(len(text) <= most for text in texts), key
