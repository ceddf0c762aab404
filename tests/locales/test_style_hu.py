"""The Hungarian catalogue keeps its page of the style guide (`docs/words.md`), every message of it (15.4).

What can be held by a pattern is held here: full sentences whose articles and suffixes the formatter gives,
one address, the glossary's words. Whether a sentence reads well, a reader says.
"""

import re
from string import Formatter

import pytest

from engines.registry import GAMES
from locales.grammar import parted
from tests.games import released
from tests.locales.catalogue import read

ENGLISH, HUNGARIAN = read("en"), read("hu")
DRAWN = re.compile(r"\.(picture|sheet|hand|score|caption|alt)\.")  # in pictures: labels, no Markdown
NUMBERED_ON_PURPOSE = {"leaderboard.line"}  # its lines are a numbered list
LONGEST_BUTTON = 20

# What is counted in these games; how many of it there are always has its noun with it.
COUNTED = "armies|placed|chests|cubes|out|cards|count|box|bag|deck|n"
ALONE = re.compile(rf"(?:^|[:;,–(] )\{{({COUNTED})\}}(?=[,;.:]|$| –)")
LABELLED = {  # a list of labels and numbers, not sentences
    "record.undo",
    "rokumon.event.fight",
    "sekigahara.recap.refuted",
}
PLURAL_BEHIND_A_NUMBER = re.compile(rf"\{{(?:{COUNTED}|most|least)\}} (\w+?k(?:at|et|ot)?)\b")
NO_PLURAL = ("nak", "nek", "csak", "esik")

IMPERATIVES = (
    "Nyomj|Írj|Válassz|Adj|Kattints|Lépj|Próbálj|Használj|Hagyj|Nézz|Tegy|Húzz|Mondj|Nevezz|Várj|Szólj|Hívj"
    "|Indíts|Küldj|Tölts|Törölj|Zárj|Dobj|Fizess|Rakj|Vigy"
)
FORMAL = (
    r"\bÖn(?:t|nek|nel|ök|öknek|é|től|höz)?\b",
    r"\bKér(?:jük|em)\b(?! a)",
    r"\b[Mm]ag(?:ának|ával|ához|uknak)\b",
    r"\b[Ss]zíveskedj\w*",
    rf"\b(?:{IMPERATIVES})(?:on|en|ön|a|e|ák|ék|anak|enek)\b",
)
ARTICLE = re.compile(r"\b(?:[Aa]z?|[Aa]\(z\)) [„*`#(]*\{|[Aa]\(z\)")
GLUED = re.compile(r"\}[a-záéíóöőúüű]|\}-(?:t|ot|et|öt|at|s|os|es|ös|as|[a-záéíóöőúüű]{2,4})\b")
# An ordinal stands before a small letter, the number of a list before a capital: `1. Dobj el …`.
ORDINAL = re.compile(r"^(?:\{\w+(?::[^}~]*)?\}|\d+)\. (?=[a-záéíóöőúüű{])", re.MULTILINE)
STRAIGHT = re.compile(r"[\"'“]")
OTHER_WORDS = {  # what the glossary has another word for
    r"\bjád[eé]": "zöld",
    r"[Mm]eglepetés": "Rajtaütés",
    r"ÁTRENDEZÉS": "MANŐVER",
    r"\bMori (?:mező|vezér|kártya)": "Móri",
    r"hűségpróba": "hűségkártya",
    r"\b[Vv]isszav(?:eszem|eszi|ehet|ette|enni)": "visszavonás",
    r"szerver tulajdonos": "aki a botot üzemelteti",
    r"[Pp]rivát üzenet": "közvetlen üzenet",
    r"\bnarancs\b": "narancssárga",
    r"\ba kezed": "a lapjaid",
    r"toborzóhely": "toborzási helyszín",
    r"\bdaimyo": "daimjó",
    r"(?<![`=])\bseed": "véletlenmag",
    r"(?:hét,|·|\baz|\ba) [AB] kör\b": "„A” kör",
    r"\b[Ll]etip(?:or|r)": "túlerővel legyőz",
    r"[Kk]érdőre von": "megkérdőjelez",
    r"\b[Cc]satakárty": "harckártya",
    r"\b[Éé]vadonként": "évszakonként",
    r"\b[Aa]lapsor|[Bb]ázissor": "bázis",
    r"\bOszak|\bHidejori": "ahogy a dobozon áll: Osaka, Hideyori",
    r"\bhelyenként\b": "a helyek sorrendjében",
    r"(?<![Ee]rőltetett )\b[Mm]enet {origin": "mozgás",
}


def prose(text: str) -> str:
    """A text without what is typed as it stands, between backticks."""
    return re.sub(r"`[^`]*`", "``", text)


def alone(text: str) -> bool:
    """A number of something that nobody names: `mozgat: {armies}, …`."""
    return ALONE.search(text) is not None


def plural_behind_a_number(text: str) -> bool:
    """`{n} kártyák`: behind a number a Hungarian noun stays singular."""
    return any(not word.endswith(NO_PLURAL) for word in PLURAL_BEHIND_A_NUMBER.findall(text))


def formal(text: str) -> bool:
    """An address by *Ön* in a catalogue that says *te*."""
    return any(re.search(pattern, text) for pattern in FORMAL)


def article_by_hand(text: str) -> bool:
    """An article that cannot know what follows: `a {province:term}`."""
    return ARTICLE.search(text) is not None


def suffix_by_hand(text: str) -> bool:
    """A suffix that cannot know what it hangs on: `{at:term}-ban`, `{n}t`."""
    return GLUED.search(prose(text)) is not None


def ordinal_first(text: str) -> bool:
    """A line that Discord would make a list of: `3. felvonás`."""
    return ORDINAL.search(text) is not None


def wrongly_quoted(text: str) -> bool:
    """Other quotation marks than „…”, or a pair that does not close."""
    said = prose(text)
    return STRAIGHT.search(said) is not None or said.count("„") != said.count("”")


def unlike_the_glossary(text: str) -> bool:
    """A word for which the glossary has another."""
    return any(re.search(pattern, prose(text)) for pattern in OTHER_WORDS)


def faulty(check, keys=None):
    """The messages where a check finds something."""
    return {
        key: [text for text in texts if check(text)]
        for key, texts in HUNGARIAN.items()
        if (keys is None or keys(key)) and any(check(text) for text in texts)
    }


EVERYWHERE = [formal, article_by_hand, suffix_by_hand, wrongly_quoted, plural_behind_a_number]


@pytest.mark.parametrize("check", [*EVERYWHERE, unlike_the_glossary], ids=lambda check: check.__name__)
def test_no_message_of_the_hungarian_catalogue_has_this_fault(check):
    assert faulty(check) == {}


def test_a_count_has_its_noun_in_hungarian():
    assert faulty(alone, lambda key: not DRAWN.search(key) and key not in LABELLED) == {}


def test_no_line_of_a_post_begins_with_an_ordinal():
    assert faulty(ordinal_first, lambda key: not DRAWN.search(key) and key not in NUMBERED_ON_PURPOSE) == {}


def test_a_hungarian_button_has_at_most_twenty_characters():
    buttons = {
        key: texts
        for key, texts in HUNGARIAN.items()
        if (key.startswith("button.") or ".button-" in key) and not key.endswith(".name")
    }
    assert buttons
    assert {key: texts for key, texts in buttons.items() if any(len(t) > LONGEST_BUTTON for t in texts)} == {}


def test_a_hungarian_command_is_named_as_the_sentences_type_it():
    """`/play` in a sentence and `/jatek` in Discord's list would be two commands to who reads them."""
    named = {
        key: texts for key, texts in HUNGARIAN.items() if key.startswith("command.") and key.endswith(".name")
    }
    assert named
    assert {key: texts for key, texts in named.items() if texts != ENGLISH[key]} == {}


def test_a_suffix_or_an_article_is_asked_of_the_formatter_somewhere_in_every_catalogue():
    """So the checks above do not pass because nothing is ever brought along."""
    asked = {
        key.split(".")[0]
        for key, texts in HUNGARIAN.items()
        for text in texts
        for _, _, spec, _ in Formatter().parse(text)
        if any(parted(spec or "")[::2])
    }
    assert {"answer", "error", *filter(released, GAMES)} <= asked


@pytest.mark.parametrize(
    ("check", "text"),
    [
        (alone, "{seat:who} mozgat: {armies}, {source:term} – {province:term}."),
        (plural_behind_a_number, "{n} kártyák"),
        (plural_behind_a_number, "{n} tömböket"),
        (formal, "Válasszon egy mezőt."),
        (formal, "Ez az Ön helye."),
        (formal, "Kérjük, várj."),
        (article_by_hand, "Elfoglalja a {province:term} tartományt."),
        (article_by_hand, "A(z) {n}. bejegyzésig."),
        (article_by_hand, "A `{name}` kétszer szerepel."),
        (suffix_by_hand, "{seat:who}-nak"),
        (suffix_by_hand, "{at:term}ban"),
        (suffix_by_hand, "{n}-szor"),
        (ordinal_first, "{act}. felvonás"),
        (ordinal_first, "Kész.\n3. csata"),
        (wrongly_quoted, 'A "Kezdés" gomb'),
        (wrongly_quoted, "„Kezdés"),
        (unlike_the_glossary, "Ez az A kör."),
        (unlike_the_glossary, "Letipor 3 tömböt."),
        (unlike_the_glossary, "Kérdőre vonás"),
        (unlike_the_glossary, "Küldjem privát üzenetben?"),
    ],
)
def test_each_check_finds_its_fault(check, text):
    assert check(text)


@pytest.mark.parametrize(
    ("check", "text"),
    [
        (alone, "{seat:who} {armies:n army~t} mozgat {source:term~ból}."),
        (plural_behind_a_number, "{n} játékosnak"),
        (formal, "Válassz egy mezőt, és nyomd meg a gombot. Könnyű az önálló játék."),
        (article_by_hand, "Elfoglalja {province:az~term~t}."),
        (suffix_by_hand, "{seat:who~nak} {n}, `{name}t`"),
        (ordinal_first, "{act:Az~}. felvonás"),
        (ordinal_first, "Így:\n1. Mindketten húznak.\n2. Licit."),
        (wrongly_quoted, "A „Kezdés” gomb"),
        (unlike_the_glossary, "Ez az „A” kör."),
    ],
)
def test_no_check_finds_a_fault_in_good_hungarian(check, text):
    assert not check(text)
