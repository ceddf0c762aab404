"""Words: every path of a template, plurals, fallbacks, and that what is committed is what was written."""

import gettext
import io
import re
import struct
import subprocess
import sys
import tracemalloc
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from engines.protocol import Seen
from locales import DASH, FOLDER, LANGUAGES, LONGEST, Words, words
from locales.__main__ import compiled
from locales.compiled import Compiled


def catalogue(locale: str, messages: dict[Any, Any]) -> gettext.GNUTranslations:
    made = Catalog(locale=locale)
    for key, text in messages.items():
        made.add(key, text)
    out = io.BytesIO()
    write_mo(out, made)
    out.seek(0)
    return gettext.GNUTranslations(out)


ENGLISH = {
    "demo.event.moved": "{seat:who} moved {tower:term} to {to}.",
    "demo.event.quiet": " ",
    "demo.term.pink": "pink",
    "term.board": "board",
    "demo.list": "{cards:terms}; {seats:whos}; {squares:list}",
    "demo.sum": "{points:+d}, {ratio:.1f}, {{braces}}",
    "demo.broken": "{oops",
    ("demo.towers", "demo.towers.plural"): ("{n} tower", "{n} towers"),
    "demo.army": "{armies:n army} and {cards:n card}, {x:n nothing}",
    ("demo.count.army", "demo.count.army.plural"): ("{n} army", "{n} armies"),
    ("count.card", "count.card.plural"): ("{n} card", "{n} cards"),
    ("demo.event.pushed", "demo.event.pushed.plural"): ("pushed one", "pushed {n}"),
    "demo.error.wrong-tower": "Move {forced:term}.",
    "error.not-your-turn": "It is {seat:who}'s turn.",
    "words.decimal": ".",
    "words.separator": ", ",
    "words.and": "{rest} and {last}",
    "words.or": "{rest} or {last}",
    ("demo.out", "demo.out.plural"): ("{seats:whos and} has lost", "{seats:whos and} have lost"),
    "demo.ways": "{squares:list or} or {cards:terms and}",
}


@pytest.fixture
def english():
    return Words("en", catalogue("en", ENGLISH))


@pytest.fixture
def hungarian():
    own = {
        "demo.term.pink": "rózsaszín",
        "demo.bare": "{ratio}; {points}; {ratios:list}; {name}",
        "words.decimal": ",",
        ("demo.towers", "demo.towers.plural"): ("{n} torony", "{n} torony (tsz)"),
    }
    return Words("hu", catalogue("hu", own), catalogue("en", ENGLISH))


def test_each_format_says_what_it_should(english):
    moved = Seen(code="moved", params={"seat": 1, "tower": "pink", "to": "f6"})
    assert english.event("demo", moved, ("Bence", "Mariko")) == "Mariko moved pink to f6."
    said = english(
        "demo.list", cards=["pink", "board"], seats=[1, 0, 7], squares=("a1", "b2"), names=("Bence", "Mariko")
    )
    assert said == f"pink, board; Mariko, Bence, {DASH}; a1, b2"
    assert english("demo.sum", points=3, ratio=0.25) == "+3, 0.2, {braces}"


@pytest.mark.parametrize(
    ("seats", "said"),
    [
        ([0], "Ann has lost"),
        ([1, 0], "Ben and Ann have lost"),
        ((0, 1, 2), "Ann, Ben and Cho have lost"),
        (frozenset({1, 2}), "Ben and Cho have lost"),
        ([], f"{DASH} have lost"),
    ],
)
def test_a_list_before_a_verb_ends_with_and_and_the_verb_follows_its_length(english, seats, said):
    assert english("demo.out", seats=seats, names=("Ann", "Ben", "Cho")) == said


def test_names_with_braces_and_other_lists_end_as_they_should(english, hungarian):
    assert english("demo.out", seats=[0, 1], names=("{x}", "B{")) == "{x} and B{ have lost"
    assert english("demo.ways", squares=["a1"], cards=["pink"]) == "a1 or pink"
    assert english("demo.ways", squares=["a1", "b2", "c3"], cards=["x", "y"]) == "a1, b2 or c3 or x and y"
    assert hungarian("demo.out", seats=[0, 1], names=("Éva", "Ödön")) == "Éva and Ödön have lost"
    bare = Words("en", catalogue("en", {"demo.bare": "{seats:whos and}"}))
    assert bare("demo.bare", seats=[0, 1]) == f"{DASH}, {DASH}"


def test_a_list_of_what_is_typed_stands_between_backticks_in_every_language():  # 15.2
    for language in LANGUAGES:
        told = words(language)("error.bad-option", name="map", value="x", allowed=["sun", "moon"])
        assert all(f"`{one}`" in told for one in ("map", "x", "sun", "moon"))
        none = words(language)("error.bad-option", name="map", value="x", allowed=[])
        assert f"`{DASH}`" not in none


def test_a_fraction_has_the_point_of_its_language_and_nothing_else_changes(english, hungarian):
    assert hungarian("demo.sum", points=3, ratio=0.25) == "+3, 0,2, {braces}"
    assert hungarian("demo.bare", ratio=1.5, points=2, ratios=[0.5, 3], name="v1.5") == "1,5; 2; 0,5, 3; v1.5"
    assert english("demo.sum", points=3, ratio=0.25) == "+3, 0.2, {braces}"


@pytest.mark.parametrize(
    ("own", "theirs", "said"),
    [
        (1.0, 0.0, ("1 block", "no blocks")),
        (2.1, 0.5, ("2.1 blocks", "0.5 blocks")),
        (0, 1, ("no blocks", "1 block")),
    ],
)
def test_a_fraction_is_counted_as_many_a_whole_one_has_no_point_and_none_its_own_word(own, theirs, said):
    for code in ("sekigahara.foresight.odds", "sekigahara.note.odds"):
        told = words("en")(code, n=60, wins=60, own=own, theirs=theirs)
        assert f"on average you lose {said[0]}, they lose {said[1]}" in told
        for language in LANGUAGES:
            told = words(language)(code, n=60, wins=60, own=own, theirs=theirs)
            assert not re.search(r"\b0\b(?![.,])|[.,]0", told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_winter_that_takes_no_rice_or_leaves_none_says_so(language):
    left = [{"seat": 0, "lost": 0, "rice": 4}, {"seat": 0, "lost": 2, "rice": 0}]
    for code, params in (("winter-came", {"loss": 0}), *(("rice-lost", one) for one in left)):
        assert "0" not in words(language).event("shogun", Seen(code=code, params=params), ["Ann"])


def test_an_event_with_an_empty_template_says_nothing(english):
    assert english.event("demo", Seen(code="quiet"), ()) == ""
    assert english.has("demo.event.quiet")


def test_plurals_are_chosen_by_n(english, hungarian):
    assert english.plural("demo.towers", 1) == "1 tower"
    assert english.plural("demo.towers", 4) == "4 towers"
    assert english("demo.towers", n=0) == "0 towers"
    assert english.event("demo", Seen(code="pushed", params={"n": 2}), ()) == "pushed 2"
    assert english.event("demo", Seen(code="pushed"), ()) == "pushed one"
    assert hungarian.plural("demo.towers", 3) == "3 torony (tsz)"


def test_a_sentence_with_several_counts_has_each_in_its_own_form(english):
    assert english("demo.army", armies=1, cards=2, x=3) == "1 army and 2 cards, 3"
    assert english("demo.army", armies=0, cards=1) == f"0 armies and 1 card, {DASH}"


def test_a_range_is_counted_by_its_last_number(english):  # 15.3
    assert english("demo.army", armies="3–5", cards="1") == "3–5 armies and 1 card, –"
    assert english("demo.army", armies="0–1", cards="x") == "0–1 army and x card, –"


def test_an_event_with_a_count_of_nothing_may_have_a_sentence_of_its_own():  # 15.2
    english = Words("en", catalogue("en", {"demo.event.a": "adds {count}", "demo.event.a.none": "adds none"}))
    assert english.event("demo", Seen(code="a", params={"count": 2}), []) == "adds 2"
    assert english.event("demo", Seen(code="a", params={"count": 0}), []) == "adds none"


def test_what_a_language_lacks_is_said_in_english(hungarian):
    assert hungarian("demo.event.moved", seat=0, tower="pink", to="a1", names=["Éva"]) == (
        "Éva moved rózsaszín to a1."
    )
    assert hungarian.plural("demo.towers", 1) == "1 torony"
    assert hungarian("demo.nothing") == "demo.nothing"
    assert not hungarian.has("demo.nothing")


@pytest.mark.parametrize("value", [None, "missing"])
def test_a_missing_parameter_shows_as_a_dash(english, value):
    params = {} if value == "missing" else {"seat": None, "tower": None, "to": None}
    assert english("demo.event.moved", **params) == f"{DASH} moved {DASH} to {DASH}."
    assert english("demo.list", cards=[], seats=None, squares=[None]) == f"{DASH}; {DASH}; {DASH}"


def test_odd_values_never_raise(english):
    assert english("demo.sum", points="three", ratio=None) == f"three, {DASH}, {{braces}}"
    assert english("demo.broken", x=1) == "{oops"
    assert english("demo.event.moved", seat="black", tower=3, to=["x"]) == f"{DASH} moved 3 to ['x']."
    assert english.event("demo", Seen(code="moved", params={"game": "x", "names": "y", "self": 1}), ()) == (
        f"{DASH} moved {DASH} to {DASH}."
    )


def test_a_games_own_error_comes_before_the_frames(english):
    assert english.error("wrong-tower", {"forced": "pink"}, "demo") == "Move pink."
    assert english.error("not-your-turn", {"seat": 0}, "demo", ("Bence",)) == "It is Bence's turn."
    assert english.error("not-your-turn", {"seat": 0}, None, ("Bence",)) == "It is Bence's turn."
    assert english.error("unheard-of", {}, "demo") == "error.unheard-of"


@pytest.mark.parametrize("locale", [None, "en", "en-GB", "en_US", "zh-CN", "", "../..", "xx"])
def test_an_unknown_locale_is_english(locale):
    assert words(locale).locale == "en"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_found_by_its_name_and_by_its_variants(language):
    assert words(language).locale == language
    assert words(f"{language}-XX").locale == language
    assert words(language) is words(language)
    assert words(language).rtl == (language in {"he", "ar"})


def test_texts_that_somebody_typed_are_not_kept(english):  # 14: 8,192 of them came to 130 MB
    tracemalloc.start()
    try:
        for number in range(200):
            long = "名" * 4000 + str(number)
            assert english.term("demo", long) == long
            assert english.error("wrong-tower", {"why": long, "forced": "pink"}, "demo") == "Move pink."
        del long
        assert tracemalloc.get_traced_memory()[0] < 500_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_is_longer_than_what_is_looked_up(language):
    for file in (FOLDER / language / "LC_MESSAGES").glob("*.po"):
        with file.open("rb") as opened:
            for message in read_po(opened):
                keys = message.id if isinstance(message.id, tuple) else (message.id,)
                assert all(len(key) <= LONGEST for key in keys)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_is_current(language):
    sources = sorted((FOLDER / language / "LC_MESSAGES").glob("*.po"))
    assert len(sources) > 1
    for po in sources:
        now: Any = gettext.GNUTranslations(io.BytesIO(compiled(po)))
        with po.with_suffix(".mo").open("rb") as file:
            committed: Any = gettext.GNUTranslations(file)
        assert committed._catalog == now._catalog, "run python -m locales"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_looked_up_in_a_file_is_what_gettext_reads_of_it(language):
    for mo in (FOLDER / language / "LC_MESSAGES").glob("*.mo"):
        ours = Compiled(mo)
        with mo.open("rb") as file:
            theirs: Any = gettext.GNUTranslations(file)
        for key in {one[0] if isinstance(one, tuple) else one for one in theirs._catalog} - {""}:
            assert key not in theirs._catalog or ours.gettext(key) == theirs.gettext(key)
            for n in (0, 1, 2, 3, 5, 10, 11, 21, 100):
                assert ours.ngettext(key, f"{key}.plural", n) == theirs.ngettext(key, f"{key}.plural", n)
        for key in ("no.such", "\ud800", "a\0b"):
            assert ours.gettext(key) == key


def test_a_catalogue_that_is_damaged_is_not_read(tmp_path):
    whole, mo = (FOLDER / "ja" / "LC_MESSAGES" / "shogun.mo").read_bytes(), tmp_path / "shogun.mo"
    for size in (0, 10, 1000, len(whole) - 2):
        mo.write_bytes(whole[:size])
        with pytest.raises((ValueError, IndexError, struct.error)):
            Compiled(mo)


def test_a_catalogue_takes_the_memory_of_its_file(tmp_path):
    mo = FOLDER / "ja" / "LC_MESSAGES" / "hatamoto.mo"
    tracemalloc.start()
    try:
        read = Compiled(mo)
        assert tracemalloc.get_traced_memory()[0] < 1.1 * mo.stat().st_size
    finally:
        tracemalloc.stop()
    assert read.gettext("language.name") == "日本語"


def test_every_po_is_compiled_and_an_empty_english_message_is_kept_as_silence(tmp_path):
    po = tmp_path / "en" / "LC_MESSAGES" / "hatamoto.po"
    po.parent.mkdir(parents=True)
    po.write_text('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "a.b"\nmsgstr ""\n')
    made = Words("en", gettext.GNUTranslations(io.BytesIO(compiled(po))))
    assert made.has("a.b")
    assert made("a.b") == ""
    other = tmp_path / "hu" / "LC_MESSAGES" / "hatamoto.po"
    other.parent.mkdir(parents=True)
    other.write_text(po.read_text())
    assert not Words("hu", gettext.GNUTranslations(io.BytesIO(compiled(other)))).has("a.b")


def test_the_package_needs_only_the_standard_library():
    code = (
        "import sys, locales; print([m for m in sys.modules if m.split('.')[0] in ('babel','discord','PIL')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=FOLDER.parent, check=True
    )
    assert done.stdout.strip() == "[]"


HEBREW = {
    "demo.moved": "{seat:who}: מגדל {tower:term} אל {to}, {points}",
    "demo.all": "{seats:whos and}: {squares:list}, `{word}`, `{squares:list}`, {where}",
    "demo.more": "{part}; {parts:list}",
    "demo.term.pink": "ורוד",
    "words.and": "{rest} ו-{last}",
    "words.separator": ", ",
}


@pytest.fixture
def hebrew():
    return Words("he", catalogue("he", HEBREW), catalogue("en", ENGLISH))


def test_from_right_to_left_what_is_inserted_in_other_letters_keeps_to_itself(hebrew):
    said = hebrew("demo.moved", seat=0, tower="pink", to="f6", points=3, names=("Bence", "דנה"))
    assert said == "\u2068Bence\u2069: מגדל ורוד אל \u2068f6\u2069, 3"
    assert hebrew("demo.moved", seat=1, tower="board", names=("Bence", "דנה")) == (
        f"דנה: מגדל \u2068board\u2069 אל {DASH}, {DASH}"
    )


def test_from_right_to_left_a_list_goes_on_so_and_what_is_copied_is_left_alone(hebrew):
    said = hebrew(
        "demo.all",
        seats=[0, 1, 2],
        squares=["a1", "b2"],
        word="d8-d3",
        where="https://example.org/1",
        names=("Bence", "\u2068דנה Levy\u2069", "<@7>"),
    )
    assert said == (
        "\u2068Bence\u2069, \u2068דנה Levy\u2069 ו-\u2068<@7>\u2069: \u2068a1\u2069, \u2068b2\u2069, "
        "`d8-d3`, `a1, b2`, https://example.org/1"
    )


def test_from_right_to_left_a_sentence_in_a_sentence_is_isolated_once(hebrew):
    inner = hebrew("demo.moved", seat=0, tower="pink", to="f6", points=3, names=("Bence",))
    assert hebrew("demo.more", part=inner, parts=[inner, "<t:5:R>"]) == (
        f"{inner}; {inner}, \u2068<t:5:R>\u2069"
    )


def test_from_left_to_right_nothing_is_isolated(english):
    moved = Seen(code="moved", params={"seat": 0, "tower": "pink", "to": "f6"})
    assert english.event("demo", moved, ("דנה",)) == "דנה moved pink to f6."


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_that_nobody_wins_ends_in_words_of_its_own(language):  # 12.2
    said = words(language)
    won = said.event("rokumon", Seen(code="game-over", params={"winners": [0]}), ["Ann"])
    lost = said.event("rokumon", Seen(code="game-over", params={"winners": []}), ["Ann"])
    assert "Ann" in won
    assert DASH not in lost
    assert won != lost
    shared = said.event("shogun", Seen(code="game-over", params={"winners": []}), ["Ann"])
    assert DASH in shared, "no words of its own: the game's for any end"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_space_without_a_card_is_said_to_be_empty(language):  # 15: not "(–)"
    said = words(language)
    empty = said.event("shogun", Seen(code="no-action", params={"seat": 0, "card": None}), ["Ann"])
    chest = said.event("shogun", Seen(code="no-action", params={"seat": 0, "card": "chest2"}), ["Ann"])
    assert DASH not in empty
    assert "Ann" in empty
    assert "2" in chest


NOTHING: dict[str, dict[str, object]] = {  # what is counted in a sentence, and none of it there
    "kamisado.statistics.seat": {"seat": 0, "moves": 5, "pushes": 0, "passes": 0, "mean": 6.5},
    "kamisado.statistics.seat-bound": {"seat": 0, "moves": 5, "pushes": 0, "passes": 0},
    "rokumon.statistics.seat": {"seat": 0, "deployed": 5, "moved": 0, "fights": 0, "surprises": 0},
    "rokumon.statistics.seat-solo": {"seat": 0, "deployed": 5, "moved": 0},
    "rokumon.statistics.fights": {"sanada": 2, "tokugawa": 1, "ties": 0},
    "sekigahara.statistics.siege": {"week": 5, "at": "miyazu", "seat": 0, "lost": 0},
    "sekigahara.statistics.siege-again": {"week": 5, "at": "miyazu", "seat": 0, "lost": 0, "nth": 2},
    "shogun.statistics.seat": {
        "seat": 0,
        **dict.fromkeys(("points", "provinces", "buildings", "majorities", "attacks", "won"), 0),
        **dict.fromkeys(("expected", "defences", "held", "expected_held", "inside"), 0),
    },
    "shogun.statistics.tower": {"cubes": 6, "farmers": 0},
    "shogun.event.bid": {"seat": 0, "card": "kai", "chests": 0},
    "shogun.event.revolt-held": {
        "seat": 0,
        "province": "kai",
        "unrest": 0,
        **dict.fromkeys(("defenders", "farmers", "armies"), 3),
    },
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_there_was_none_of_is_not_said_to_be_0(language):  # 17
    said = words(language)
    for key, params in NOTHING.items():
        game = key.partition(".")[0]
        none = said(key, game=game, names=("Ann",), **params)
        assert "0" not in none, none
        some = {name: 2 if value == 0 and name != "seat" else value for name, value in params.items()}
        there = said(key, game=game, names=("Ann",), **some)
        assert DASH not in none + there
        assert there.count("2") > none.count("2"), there


def test_a_count_may_tell_what_else_the_sentence_knows():
    english = Words(
        "en",
        catalogue("en", {"demo.count.tried": ", won {won} of {n}", "demo.a": "{who}{tried:n tried}"}),
    )
    assert english("demo.a", who="Ann", tried=3, won=1) == "Ann, won 1 of 3"
