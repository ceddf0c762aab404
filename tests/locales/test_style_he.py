"""What the section עברית of docs/words.md says, as far as it can be held (15.4)."""

import re
from types import SimpleNamespace

import pytest

from cogs.posting.posts import addressed
from locales import words
from locales.hebrew import prefixed
from tests.locales.catalogue import read

HEBREW = read("he")
ENGLISH = read("en")
TEXTS = [(key, text) for key, texts in HEBREW.items() for text in texts]

MOST_ON_A_BUTTON = 20
RLM, LRM = "\u200f", "\u200e"
LETTER = "\u05d0-\u05ea"

THINGS = "בלוק|קלף|צבא|תיבה|קובייה|איכר|פרובינציה|אסימון|אבידה|מערום|צעד|שורה|שן|נקודה|שעה|משבצת|מרד|שרת"
NO_NAMES = "זרע|מושב|מושבים|דף|דפים|רסיס|רסיסים|ירקן|משחק הגומלין|שבט|שבטים"
DOES = "יושב|משחק|יודע|עוזב|אזכיר"

# The patterns of ../shared/words/faults_he.md, each with faults of that list that it finds.
PATTERNS = {
    "one of something has no number": (
        rf"(?<![{LETTER}])(?:{THINGS})(?: נקמה)? (?:1(?!\d)|{{n}})",
        ("בלוק {n}", "להוסיף אסימון 1", "לשניהם אסימון נקמה {n}", "תזכורת אחרי שעה {n}", "מוגבלת: קלף 1"),
    ),
    "a prefix is written by the formatter": (
        rf"(?<![{LETTER}])[ולבהשכמ]+[-־]?[\u2068*„]*\{{",
        ("{rest} ו-{last}", "מחכים ל-{seats:whos}", "ב{at:term}", "את המגדל ה{tower:term}", "כתוב ב־{where}"),
    ),
    "from somewhere is מ, written together": (
        rf"(?<![{LETTER}])מן \{{",
        ("נסוג מן {at:term} אל {to:term}", "קרב מן {source:term}"),
    ),
    "a tower's colour is definite": (
        r"(?<!אין לך )(?:מגדל|למגדל|במגדל) \{\w+:term\}",
        ("יש להזיז את מגדל {color:term}", "{seat:who}: ניצחון בסיבוב במגדל {tower:term}."),
    ),
    "taking back is ביטול": (
        r"החזר(?:ה|ת)(?! ל)|הוחזר|להחזיר",
        ("החזרה", "הפעולה האחרונה הוחזרה בידי {seat:who}.", "{by:who}: בקשה להחזיר את הפעולה האחרונה."),
    ),
    "things are called as in the glossary": (
        rf"(?<![{LETTER}])[והלבמש]*(?:{NO_NAMES})(?![{LETTER}])|צעידה מהירה|איזור",
        ("הזרע `{seed}`", "מושב {n}", "חוקים, דף {page}", "{cell}, ירקן", "בצעידה מהירה אין חזרה"),
    ),
    "nobody is a man, nor is the bot": (
        rf"בלעדיו|(?<![{LETTER}])(?:אני (?:{DOES})|אתה|תקבלו|לחץ|בחר|ראו|אוכל)(?![{LETTER}])",
        ("המשך בלעדיו", "אני יושב ליד שולחן #{table}.", "כשהוא יגיע, תקבלו אזכור."),
    ),
    "no noun of a machine": (
        r"רצון ל|אין רצון|יש הסכמה|משוחק|מחולק|(?:\} בתור|בתור: )|תופסת את מסד|שלום למקדשים|פגיעה \{",
        ("{seat:who}: רצון לחכות.", "יש הסכמה?", "מערכה {act} מחולקת.", "{clan:term} בתור", "עם פגיעה {n}."),
    ),
}  # fmt: skip

# A parameter and a plural noun behind it.
BARE = re.compile(rf"\{{(\w+)\}}[*]* ([{LETTER}]{{2,}}(?:ים|ות|אות))(?![{LETTER}])")
NO_COUNTS = {"fast"}  # "or 3 on highways alone"
BY_A_SCALE = {"ניצחונות", "נקודות", "שעות"}  # "3 of 10 won" and points of impact, so said with any number


def found(pattern):
    return {key: text for key, text in TEXTS if re.search(pattern, text)}


def typed():
    """What stands between backticks, with what is right before it."""
    return [
        (key, before[-1:], inside)
        for key, text in TEXTS
        for before, inside in zip(text.split("`")[::2], text.split("`")[1::2], strict=False)
    ]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_no_hebrew_message_has_a_fault_of_the_list(pattern):
    assert found(PATTERNS[pattern][0]) == {}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_fault_of_the_list_is_found_out(pattern):
    regex, faults = PATTERNS[pattern]
    assert [fault for fault in faults if not re.search(regex, fault)] == []


def bare(key, text):
    plural = len(HEBREW[key]) > 1
    return [
        (name, noun)
        for name, noun in BARE.findall(text)
        if noun not in BY_A_SCALE and name not in NO_COUNTS and not (plural and name == "n")
    ]


def test_no_bare_number_stands_before_a_hebrew_noun():
    assert {key: said for key, text in TEXTS if (said := bare(key, text))} == {}
    assert bare("answer.kept", "יש לך {armies} צבאות") == [("armies", "צבאות")]
    assert bare("answer.kept", "**{cards}** קלפים ו{n:n block}") == [("cards", "קלפים")]


def test_one_of_something_is_said_without_a_number():
    for key, texts in HEBREW.items():
        if ".count." in f".{key}" and len(texts) > 1:
            assert "{n}" not in texts[0], key
            assert "{n}" in texts[1], key
    assert words("he")(
        "shogun.event.moved", seat=0, armies=1, source="Kai", province="Mino", names=["דנה"]
    ) == ("דנה: צבא אחד מקאי אל מינו.")


def is_button(key):
    parts = key.split(".")
    return (
        parts[0] == "button"
        or parts[1:2] == ["choice"]
        or re.fullmatch(r"\w+\.\w+\.button-.*", key) is not None
    )


def test_a_hebrew_button_fits_a_phone():
    shown = {key: text.replace("{n}", "12") for key, text in TEXTS if is_button(key)}
    fixed = {key: text for key, text in shown.items() if "{" not in text}
    assert len(fixed) > 60
    assert {key: text for key, text in fixed.items() if len(text) > MOST_ON_A_BUTTON} == {}


def test_a_command_is_kept_together_by_a_mark_before_its_backtick():
    """A slash is neutral: without the mark it stands on the far side of its word. The mark is not copied."""
    commands = [(key, before) for key, before, inside in typed() if inside.startswith("/")]
    assert len(commands) > 80
    assert {key for key, before in commands if before != LRM} == set()
    assert {key for key, _, inside in typed() if {RLM, LRM} & {*inside}} == set()


FIRST_STRONG = re.compile(rf"[A-Za-z{LRM}{RLM}\u0590-\u05ff]")


def shown_lines():
    """Each line as the client looks for its direction: what is isolated or brought along does not count."""
    for key, text in TEXTS:
        if not key.startswith(("permission.", "language.")) and ".term." not in key:
            for line in text.split("\n"):
                yield key, re.sub(r"\{[^{}]*\}|[\u2066-\u2068][^\u2069]*\u2069", "", line)


def test_no_line_of_hebrew_runs_from_left_to_right():
    begun = [(key, match[0]) for key, line in shown_lines() if (match := FIRST_STRONG.search(line))]
    assert len(begun) > 1000
    assert {key for key, sign in begun if sign == LRM or sign.isascii()} == set()


def test_quotes_are_hebrew():
    assert found(r"[“‟\"]|(?<=\s)''") == {}
    assert {key for key, text in TEXTS if text.count("„") != text.count("”")} == set()


def test_what_discord_shows_in_english_is_quoted_in_english():
    """Discord has no Hebrew: a choice is typed by its English name, a permission is looked for by it."""
    assert {key for key, _, inside in typed() if re.search(f"[{LETTER}]", inside)} == set()
    named = {key: text for key, text in HEBREW.items() if key.startswith("permission.")}
    assert named
    assert all(text[0].startswith(f"{ENGLISH[key][0]} (") for key, text in named.items())


def test_a_post_that_begins_with_a_mention_runs_from_right_to_left():
    def letter(language, mention):
        return SimpleNamespace(mention=mention, words=words(language))

    assert addressed("התור שלך.", letter("he", (7,))) == f"{RLM}\u2068<@7>\u2069: התור שלך."
    assert addressed("התור שלך, <@7>.", letter("he", (7,))) == "התור שלך, <@7>."
    assert addressed("Your turn.", letter("en", (7,))) == "<@7>: Your turn."


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["דנה"], "מחכים לדנה; התור התחיל X"),
        (["דנה", "אורי"], "מחכים לדנה ולאורי; התור התחיל X"),
        (["Ann", "Bo"], "מחכים ל-\u2068Ann\u2069 ול-\u2068Bo\u2069; התור התחיל X"),
    ],
)
def test_a_list_has_its_prefix_before_each_and_its_vav_before_the_last(names, said):
    told = words("he")("list.to-act", seats=list(range(len(names))), since="X", names=names)
    assert told.replace("\u2068X\u2069", "X") == said


@pytest.mark.parametrize(
    ("prefix", "text", "said"),
    [
        ("ה", "ורוד", "הוורוד"),
        ("ב", "וקאסה", "בווקאסה"),
        ("ו", "ורוד", "וורוד"),
        ("ל", "וו", "לוו"),
        ("ב", "„ורוד”", "ב„וורוד”"),
    ],
)
def test_a_vav_is_doubled_behind_a_prefix_and_never_thrice(prefix, text, said):
    assert prefixed(prefix, text) == said
