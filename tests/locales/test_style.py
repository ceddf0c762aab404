"""The English of every catalogue by its guide, `docs/words.md` (15.2)."""

import ast
import re
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from tests.locales.catalogue import read

ROOT = Path(__file__).parents[2]
ENGLISH = read("en")
TEXTS = [(key, text) for key, texts in ENGLISH.items() for text in texts]
CODE = ("cogs", "engines", "render", "tables")  # what fills messages

OLD = re.compile(r"\b(he|his|him|himself|she|her|whom|shall|shan't)\b", re.IGNORECASE)
STRING = re.compile(r"""(?<=["'])[\w.-]+(?=["'])""")  # of one word, as keys are
CODES_OWN = re.compile(r"\b(entry|entries|payload|row version)\b", re.IGNORECASE)
MOST_ON_A_BUTTON = 20
MOST_DESCRIBED = 100  # Discord's, for a command and for an option

# Parameters that count things: before a noun they are `{armies:n army}`, or the `n` of a plural message.
COUNTS = {
    "armies", "attackers", "bag", "blocks", "cards", "chests", "count", "cubes", "days", "defenders",
    "farmers", "games", "hours", "have", "least", "left", "lobbies", "loss", "lost", "moves", "most", "n",
    "out", "own", "placed", "points", "running", "seats", "sides", "supply", "theirs", "tokens", "unfed",
    "wins", "won",
}  # fmt: skip
# "moves 3": three what? Not where the sentence has just said it: "collects 2 chests and now has 5".
THINGS = {
    "armies": "army", "chests": "chest", "farmers": "farmer", "lobbies": "table", "placed": "army",
    "running": "game", "unfed": "province",
}  # fmt: skip
SENTENCES = {"answer", "error", "event", "line", "prompt", "told", "warning"}
# What may follow a bare number: no noun that it counts, or one without a plural.
NO_NOUNS = {
    "a", "against", "and", "at", "each", "for", "from", "goes", "in", "is", "left", "more", "not", "of", "on",
    "or", "out", "there", "to",
    "d", "h", "kb", "mb", "gb", "min", "ms", "s",
    "impact", "revenge", "rice",
}  # fmt: skip

# Shown by Discord as "2 days ago" or "in 2 days" (`moment(…, "R")`); where one is made is counted below.
RELATIVE = {
    "admin.stuck-barred": "since",
    "admin.stuck-lobby": "since",
    "admin.stuck-unsent": "since",
    "admin.stuck-waiting": "since",
    "answer.later": "until",
    "info.clock-runs": "left",
    "info.paused": "since",
    "line.call-reminder": "since",
    "line.reminder": "since",
    "list.to-act": "since",
    "list.waits-for-others": "since",
    "list.waits-for-you": "since",
}
MADE = {
    "cogs/buttons/controls.py": 4,
    "cogs/commands/admin.py": 1,
    "cogs/commands/seats.py": 1,
    "tables/time/reminders.py": 1,
}
PREPOSITIONS = "after at before by during for from in on since till to until within"


def faults(pattern: re.Pattern[str]) -> dict[str, str]:
    """The messages in which something is found that should not be there; names of parameters do not count."""
    return {key: text for key, text in TEXTS if pattern.search(re.sub(r"\{[^{}]*\}", "{}", text))}


def is_button(key: str) -> bool:
    """Whether a message stands on a button: the frame's, a sheet's, or a choice, which is one among few."""
    first, second, *_ = [*key.split("."), "", ""]
    return first == "button" or second == "choice" or re.fullmatch(r"\w+\.\w+\.button-.*", key) is not None


def bare(key: str, text: str) -> list[tuple[str, str]]:
    """Numbers that stand before a noun without a plural form of their own."""
    plural = len(ENGLISH[key]) > 1
    return [
        (name, noun)
        for name, noun in re.findall(r"\{(\w+)\}[*`]* ([A-Za-z]+)", text)
        if name in COUNTS and noun.casefold() not in NO_NOUNS and not (plural and name == "n")
    ]


def alone(text: str) -> set[str]:
    """Things that a text counts without saying what they are."""
    return {
        name
        for name in re.findall(r"\{(\w+)\}", text)
        if name in THINGS and f":n {THINGS[name]}}}" not in text
    }


def test_nobody_is_he_or_whom_and_nothing_shall_be():
    assert faults(OLD) == {}


def test_no_word_of_the_code_is_said_to_a_player():
    assert faults(CODES_OWN) == {}


def test_the_theater_is_spelled_as_it_is_typed():  # 15
    assert faults(re.compile("theatre", re.IGNORECASE)) == {}


def test_no_bare_number_stands_before_a_noun():
    assert {key: found for key, text in TEXTS if (found := bare(key, text))} == {}


def test_things_are_never_a_number_alone_in_a_sentence():
    told = {key: text for key, text in TEXTS if SENTENCES & {*key.split(".")[:2]}}
    assert len(told) > len(TEXTS) / 4
    assert {key: found for key, text in told.items() if (found := alone(text))} == {}


def test_a_number_alone_is_found_out():
    assert alone("{seat:who} moves {armies}.") == {"armies"}
    assert alone("{seat:who} gets {gain:n chest} and now has {chests}.") == set()


def test_a_number_with_a_word_has_the_word_in_a_plural_message():
    """`{cards:n card}` is plural `count.card`, the game's own or the frame's; or none has a word."""
    for key, text in TEXTS:
        for what in re.findall(r"\{\w+:n ([^{}]*)\}", text):
            names = [f"{key.split('.')[0]}.count.{what}", f"count.{what}"]
            plural = any(len(set(ENGLISH.get(name, ()))) > 1 for name in names)
            assert plural or any(f"{name}.none" in ENGLISH for name in names), (key, what)


def test_a_bare_number_before_a_noun_is_found_out():
    assert bare("answer.kept", "You have {armies} armies") == [("armies", "armies")]
    assert bare("answer.kept", "You have {n} **blocks**") == []
    assert bare("answer.kept", "**{n}** blocks, {most} of {n}, {left:n day} left") == [("n", "blocks")]
    assert bare("settings.remind", "after {n} hours") == []


def test_a_button_fits_a_phone():
    fixed = {key: text for key, text in TEXTS if is_button(key) and "{" not in text}
    counted = {key: text.replace("{n}", "12") for key, text in TEXTS if key.startswith("button.")}
    assert len(fixed) > len(counted) > 30
    assert {key: text for key, text in {**fixed, **counted}.items() if len(text) > MOST_ON_A_BUTTON} == {}


@cache
def literals() -> frozenset[str]:
    """The strings of one word in the code, as keys are written there."""
    files = chain(*((ROOT / folder).rglob("*.py") for folder in CODE))
    return frozenset(text for file in files for text in STRING.findall(file.read_text("utf-8")))


def test_what_the_code_writes_on_a_button_is_known_as_a_button():
    """Every literal key between `TableButton(` and its end is one that the check of widths looks at."""
    named: set[str] = set()
    for path in (ROOT / "cogs").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"TableButton", "RulesButton"}:
                texts = {leaf.value for leaf in ast.walk(node) if isinstance(leaf, ast.Constant)}
                named |= {text for text in texts if isinstance(text, str) and text in ENGLISH}
    assert {"button.yes", "button.undo", "button.turn"} <= named
    assert {key for key in named if not is_button(key)} == set()


def test_every_button_of_the_frame_is_one_that_the_code_makes():
    made = {key for key in ENGLISH if key.startswith("button.")}
    known = {key for key in made if key in literals() or key.removeprefix("button.") in literals()}
    assert made - known == set()


def test_a_relative_time_has_no_preposition():
    """Not "since 2 days ago", not "before in 2 days"."""
    before = re.compile(rf"\b({'|'.join(PREPOSITIONS.split())}) \{{(\w+)\}}", re.IGNORECASE)
    for key, name in RELATIVE.items():
        texts = ENGLISH[key]
        assert all(f"{{{name}}}" in text for text in texts), key
        assert [text for text in texts if name in {found for _, found in before.findall(text)}] == [], key


def test_every_place_that_makes_a_relative_time_is_known_to_this_test():
    made = {}
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*.py")):
            count = path.read_text().count(', "R")')
            if count:
                made[str(path.relative_to(ROOT))] = count
    assert made == MADE


@pytest.mark.parametrize("kind", ["command", "option"])
def test_commands_and_options_are_described_within_discords_limit(kind):
    told = {key: text for key, text in TEXTS if key.startswith(f"{kind}.")}
    assert told
    assert {key: len(text) for key, text in told.items() if not 1 <= len(text) <= MOST_DESCRIBED} == {}


def test_how_many_to_pick_is_said_as_it_is_meant():
    """Exactly two is not "2 to 2"."""
    assert ENGLISH["panel.pick-exactly"] == ("Choose…", "Choose {most}…")
    assert ENGLISH["panel.pick-up-to"] == ("Choose…", "Choose up to {most}…")
    assert ENGLISH["panel.pick"][1] == "Choose {least} to {most}…"
