"""What each language does to what a sentence brings along (15.3)."""

from string import Formatter

import pytest
from babel import Locale

from locales import LANGUAGES, Words, words
from locales.english import article as english_article
from locales.grammar import BEFORE, BEHIND, parted
from locales.hebrew import prefixed
from locales.hungarian import article, spoken_end, suffixed
from tests.locales.catalogue import read
from tests.locales.test_words import catalogue

NAMED = {
    "demo.at": "{at:az~term}, {at:term~ban}, {who:who~nak}, {n:~val}, {places:terms and~ban}",
    "demo.term.edo": "Edo",
    "demo.term.kyoto": "Kyoto",
    "words.and": "{rest} és {last}",
}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Edo", "az Edo"),
        ("Kyoto", "a Kyoto"),
        ("Ágnes", "az Ágnes"),
        ("**Ann**", "az **Ann**"),
        ("1", "az 1"),
        ("5", "az 5"),
        ("10", "a 10"),
        ("11", "a 11"),
        ("50", "az 50"),
        ("100", "a 100"),
        ("1000", "az 1000"),
        ("f3", "az f3"),
        ("e5", "az e5"),
        ("d8", "a d8"),
        ("Fukushima", "a Fukushima"),
        ("Ōmi", "az Ōmi"),  # 15.3
        ("O\u0304mi", "az Ōmi"),
        ("īse", "az īse"),
    ],
)
def test_a_hungarian_article_goes_by_the_sound_that_follows(text, said):
    assert article(text, "az") == said
    assert article(text, "Az") == said.replace("a", "A", 1)


@pytest.mark.parametrize(
    ("text", "suffix", "said"),
    [
        ("Edo", "ban", "Edóban"),
        ("Takeda", "val", "Takedával"),
        ("Uesugi", "val", "Uesugival"),
        ("Ágnes", "val", "Ágnessel"),
        ("Tamás", "val", "Tamással"),
        ("Kovács", "val", "Kováccsal"),
        ("Nagy", "val", "Naggyal"),
        ("Sakk", "val", "Sakkal"),
        ("Ann", "nak", "Ann-nak"),
        ("Győr", "hoz", "Győrhöz"),
        ("Győr", "n", "Győrön"),
        ("Tamás", "t", "Tamást"),
        ("Bob", "t", "Bobot"),
        ("Göd", "t", "Gödöt"),
        ("5", "val", "5-tel"),
        ("3", "val", "3-mal"),
        ("4", "val", "4-gyel"),
        ("20", "val", "20-szal"),
        ("100", "val", "100-zal"),
        ("1000", "val", "1000-rel"),
        ("6", "t", "6-ot"),
        ("8", "t", "8-at"),
        ("1000", "t", "1000-et"),
        ("#12", "hoz", "#12-höz"),
        ("12", "s", "12-es"),
        ("3", "s", "3-as"),
        ("5", "s", "5-ös"),
        ("6", "s", "6-os"),
        ("20", "s", "20-as"),
        ("0", "s", "0-s"),
        ("1000", "s", "1000-es"),
        ("színház", "t", "színházat"),
        ("templom", "t", "templomot"),
        ("3 hadsereg", "val", "3 hadsereggel"),
        ("Mori vezér", "val", "Mori vezérrel"),  # of two words the last one's vowels count
        ("Awa-Shikoku", "ban", "Awa-Shikokuban"),
        ("Tokugawa 1*", "t", "Tokugawa 1*-et"),
        ("**Dana**", "nak", "**Dana**-nak"),
        ("Kantō", "ban", "Kantōban"),  # 15.3: a long vowel stays as it is written
        ("Kanto\u0304", "ban", "Kantōban"),
        ("Kyūshū", "ra", "Kyūshūra"),
        ("Kantō", "t", "Kantōt"),
        ("Ann", "t", "Annt"),
        ("Bill", "t", "Billt"),
        ("Scott", "t", "Scottot"),
        ("Kinkī", "val", "Kinkīvel"),
        ("Ōnin", "val", "Ōninnal"),
        ("Kōfu", "hoz", "Kōfuhoz"),
        ("Chūgoku", "ból", "Chūgokuból"),
        ("Ōmī", "nak", "Ōmīnak"),
        ("Sanē", "ról", "Sanēról"),
        ("Iwā", "n", "Iwān"),
        ("Kenshīn", "tól", "Kenshīntől"),
        ("太郎", "nak", "太郎-nak"),
        ("<@77>", "nak", "<@77>-nak"),
    ],
)
def test_a_hungarian_suffix_goes_by_the_vowels_and_is_hung_on_digits_as_they_are_said(text, suffix, said):
    assert suffixed(text, suffix) == said


@pytest.mark.parametrize(
    ("number", "word"), [("0", "nulla"), ("12", "kettő"), ("70", "hetven"), ("900", "száz")]
)
def test_a_number_ends_as_it_is_said(number, word):
    assert spoken_end(number) == word


def test_a_hungarian_sentence_asks_for_them_by_particles():
    hungarian = Words("hu", catalogue("hu", NAMED))
    said = hungarian("demo.at", at="edo", who=0, n=5, places=["edo", "kyoto"], names=["Éva"])
    assert said == "az Edo, Edóban, Évának, 5-tel, Edóban és Kyotóban"


def test_a_hebrew_prefix_is_written_with_hebrew_and_hyphened_before_anything_else():
    assert prefixed("ב", "טוקיו") == "בטוקיו"
    assert prefixed("ב", "Edo") == "ב-Edo"
    assert prefixed("ל", "\u2068Ann\u2069") == "ל-\u2068Ann\u2069"
    assert prefixed("ל", "**דנה**") == "ל**דנה**"
    assert prefixed("ו", "3") == "ו-3"
    assert prefixed("ל", "<@77>") == "ל-<@77>"
    hebrew = Words("he", catalogue("he", {"demo.to": "{who:ל~who}: {place:ב~term}", "demo.term.edo": "אדו"}))
    assert hebrew("demo.to", who=0, place="edo", names=["Ann"]) == "ל-\u2068Ann\u2069: באדו"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("army", "an army"),
        ("castle", "a castle"),
        ("8", "an 8"),
        ("11", "an 11"),
        ("110", "a 110"),
        ("unit", "a unit"),
    ],
)
def test_an_english_article_goes_by_the_sound_that_follows(text, said):
    assert english_article(text, "a") == said


def test_an_english_line_begins_with_a_capital_where_its_first_word_is_brought_along():
    made = {"demo.do": "{action:^~term/verb}: {who:^~who}", "demo.term.castle/verb": "build a castle"}
    assert Words("en", catalogue("en", made))("demo.do", action="castle", who=0, names=["ann"]) == (
        "Build a castle: Ann"
    )


def test_a_word_is_picked_by_a_number_or_by_how_many_are_listed():
    english = Words(
        "en",
        catalogue(
            "en",
            {
                "demo.defect": "{blocks:list and} {blocks:forms defects|defect}",
                "demo.left": "{left:forms is|are}",
                "words.and": "{rest} and {last}",
                ("words.form", "words.form.plural"): ("0", "1"),
            },
        ),
    )
    assert english("demo.defect", blocks=["Mori 2"]) == "Mori 2 defects"
    assert english("demo.defect", blocks=["Mori 2", "Mori 3"]) == "Mori 2 and Mori 3 defect"
    assert [english("demo.left", left=n) for n in (0, 1, 2)] == ["are", "is", "are"]


def test_a_code_has_a_word_for_each_role_and_its_plain_one_where_there_is_none():
    english = Words(
        "en",
        catalogue(
            "en",
            {
                "demo.does": "{act:term/verb}, {act:term}, {acts:terms/verb and}",
                "demo.term.castle": "castle",
                "demo.term.castle/verb": "build a castle",
                "demo.term.tax": "tax",
                "words.and": "{rest} and {last}",
            },
        ),
    )
    assert english("demo.does", act="castle", acts=["castle", "tax"]) == (
        "build a castle, castle, build a castle and tax"
    )


def test_a_format_is_parted_into_its_particles():
    assert parted("az~term") == ("az", "term", "")
    assert parted("term~ban") == ("", "term", "ban")
    assert parted("az~term~val") == ("az", "term", "val")
    assert parted("terms and") == ("", "terms and", "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_particle_of_a_catalogue_is_one_that_its_language_knows(language):
    for key, texts in read(language).items():
        for text in texts:
            for _, _, spec, _ in Formatter().parse(text):
                before, _, behind = parted(spec or "")
                assert not before or before in BEFORE.get(language, {}), (key, spec)
                assert not behind or behind in BEHIND.get(language, {}), (key, spec)


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_are_chosen_as_cldr_says(language):
    """Hebrew writes two in words of its own nowhere here: its `two` is as `other`."""
    rule = Locale(language).plural_form
    forms: dict[str, set[str]] = {}
    for n in range(200):
        form = words(language)._form(n, "0|1|2|3")
        forms.setdefault({"two": "other"}.get(rule(n), rule(n)), set()).add(form)
    assert all(len(chosen) == 1 for chosen in forms.values())
    assert len({*map(tuple, forms.values())}) == len(forms)


@pytest.mark.parametrize("language", LANGUAGES)
def test_lists_are_separated_as_cldr_says(language):
    patterns = Locale(language).list_patterns["standard"]
    between = patterns["middle"].replace("{0}", "").replace("{1}", "")
    assert words(language)("words.separator") == between
