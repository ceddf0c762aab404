"""Every translation beside English: the same messages, parameters and commands, and Discord's limits."""

import re
from string import Formatter

import discord
import pytest

from engines.registry import GAMES, meta
from locales import FALLBACK, LANGUAGES
from tests.locales.catalogue import read

OTHERS = tuple(language for language in LANGUAGES if language != FALLBACK)
CHOICE = re.compile(r"show:[^`]*")  # Discord offers these choices by their translated names


ENGLISH = read(FALLBACK)
SHOWN_BY_DISCORD = {locale.value.split("-")[0] for locale in discord.Locale}  # there is no Hebrew
OF_DISCORD = ("command", "option")  # what only Discord shows, in the language of its own


def in_discord(language: str) -> bool:
    """Whether Discord speaks the language; else nobody ever reads the names of commands in it."""
    return language in SHOWN_BY_DISCORD


def found(pattern: str, texts: tuple[str, ...]) -> set[str]:
    return {CHOICE.sub("show:", part) for text in texts for part in re.findall(pattern, text)}


def parameters(texts: tuple[str, ...]) -> set[str]:
    """What a message brings along; how it is written (its format, its particles) is each language's own."""
    return {name for text in texts for _, name, _, _ in Formatter().parse(text) if name is not None}


def untranslated(own, without):
    """Messages of English that say something and that a language lacks, but for those it need not have.

    They begin with a name in `without`: of a game not released yet, or of what Discord shows.
    """
    said = [key for key, texts in ENGLISH.items() if all(texts) and key.split(".")[0] not in without]
    return [key for key in said if not all(own.get(key, ("",)))]


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_that_says_something_is_translated(language):
    own = read(language)
    unknown = set(own) - set(ENGLISH)  # but a language may need more roles of a word than English does
    assert {key for key in unknown if key.partition("/")[0] not in ENGLISH or "/" not in key} == set()
    without = {game for game in GAMES if meta(game).stage != "released"}
    assert untranslated(own, without if in_discord(language) else without | {*OF_DISCORD}) == []


@pytest.mark.parametrize("language", OTHERS)
def test_what_discord_cannot_show_is_not_asked_of_a_translator(language):  # 15.5
    asked = {key for key in read(language) if key.split(".")[0] in OF_DISCORD}
    assert bool(asked) is in_discord(language)
    assert len({key for key in ENGLISH if key.split(".")[0] in OF_DISCORD}) > 180


def test_a_language_that_discord_lacks_quotes_the_permissions_that_its_settings_show():  # 15.5
    named = {key: texts[0] for key, texts in ENGLISH.items() if key.startswith("permission.")}
    for language in OTHERS:
        if not in_discord(language):
            own = read(language)
            assert {key for key, name in named.items() if not own[key][0].startswith(name)} == set()
            for key, texts in ENGLISH.items():
                for name in named.values():
                    if f"**{name}**" in texts[0]:
                        assert f"**{name}**" in own[key][0], key


def test_a_game_that_is_not_released_needs_no_translation():  # 12.2
    own = {key: texts for key, texts in ENGLISH.items() if not key.startswith("shogun.")}
    assert untranslated(own, {"shogun"}) == []
    assert "shogun.title" in untranslated(own, set())


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_parameters_and_the_typed_words_of_english(language):
    for key, texts in read(language).items():
        english = ENGLISH[key if key in ENGLISH else key.partition("/")[0]]
        own, given = parameters(texts), parameters(english)
        assert own == given or (own < given and len(texts) < len(english)), key  # fewer forms may say less
        assert found(r"`[^`]*`", texts) >= found(r"`[^`]*`", english), key
        assert all(text.count("**") % 2 == 0 and text.count("`") % 2 == 0 for text in texts), key
        assert all(text.startswith("-# ") == english[0].startswith("-# ") for text in texts), key


@pytest.mark.parametrize("language", OTHERS)
def test_no_seat_and_no_term_stands_as_its_bare_number_or_code(language):
    """Where English names a parameter only through the formatter, so does every other language."""
    bare = {}
    for key, texts in read(language).items():
        source = ENGLISH[key if key in ENGLISH else key.partition("/")[0]]
        english = found(r"\{(\w+):(?:[^{}]*~)?(?:who|term)", source) - found(r"\{(\w+)\}", source)
        if naked := english & found(r"\{(\w+)\}", texts):
            bare[key] = naked
    assert bare == {}


@pytest.mark.parametrize("language", OTHERS)
def test_commands_and_buttons_keep_discords_limits(language):
    for key, texts in read(language).items():
        kind = key.split(".")[1] if key.split(".")[0] not in {"command", "option", "button"} else "command"
        most = {"command": 80 if key.startswith("button.") else 100, "choice": 80}.get(kind)
        if most is not None:
            assert all(1 <= len(text) <= most for text in texts), key
        if key.startswith("option."):
            assert texts == ENGLISH[key], "options are typed"


@pytest.mark.parametrize("language", OTHERS)
def test_no_rules_page_is_too_long_for_a_post(language):
    pages = {key: texts[0] for key, texts in read(language).items() if re.search(r"\.rules\.\d+$", key)}
    assert pages
    assert {key: len(text) for key, text in pages.items() if len(text) > 1900} == {}


@pytest.mark.parametrize("language", OTHERS)
def test_choices_named_in_a_sentence_are_those_that_discord_offers(language):
    """In a language that Discord lacks it offers them in English (15.5)."""
    own = read(language)
    shown = own if in_discord(language) else ENGLISH
    offered = {texts[0] for key, texts in shown.items() if key.startswith("choice.show.")}
    named = {name for texts in own.values() for text in texts for name in re.findall(r"show:([^`]+)`", text)}
    assert named <= offered


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_done_and_how_it_is_typed_do_not_begin_alike(language):  # 17: one stands below the other
    done, typed = (read(language)[f"answer.{name}"][0].partition("{")[0] for name in ("said", "played"))
    assert done != typed


@pytest.mark.parametrize("language", ["he", "ja"])
def test_a_space_of_a_plan_is_called_by_its_action_not_by_a_building(language):  # 17, docs/glossary.md
    assert [
        key for key, texts in read(language).items() if any("{space:term}" in text for text in texts)
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("key", "typed"), [("shogun.error.unknown-name", "`{name}`"), ("form.here-field", "`{text}`")]
)
def test_what_was_typed_wrong_stands_between_backticks(language, key, typed):  # 17
    assert typed in read(language)[key][0]
