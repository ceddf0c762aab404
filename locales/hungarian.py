"""What Hungarian does to a word that a sentence brings along: its article and its suffixes.

A sentence asks for them by one form, `{province:az~term}` and `{province:term~ban}`; the others follow by
vowel harmony. Digits are read as they are spoken.
"""

from __future__ import annotations

import re
import unicodedata

# A vowel with a macron is a long one and stays as it is written: `Kantō`, `Kantōban`.
BACK, ROUND, FRONT = "aáāoóōuúū", "öőüű", "eéēiíī"
NEUTRAL = "éēiíī"  # in the last place they leave it to the vowels before them: `Uesugival`, but `Ágnessel`
VOWELS = BACK + ROUND + FRONT
LONG = str.maketrans("aeoöAEOÖ", "áéóőÁÉÓŐ")  # what a last vowel becomes before a suffix
DOUBLED = ("dzs", "cs", "dz", "gy", "ly", "ny", "sz", "ty", "zs")  # letters that are written with several
BARE_ACCUSATIVE = (
    "l",
    "r",
    "n",
    "ny",
    "ly",
    "j",
    "s",
    "sz",
    "z",
    "zs",
)  # after a vowel: `Tamást`
ARTICLES = {"a": "a", "az": "a", "A": "A", "Az": "A"}
SUFFIXES: dict[str, tuple[str, ...]] = {  # back, front, and where it differs after ö, ő, ü, ű
    "ban": ("ban", "ben"),
    "ba": ("ba", "be"),
    "ból": ("ból", "ből"),
    "nak": ("nak", "nek"),
    "nál": ("nál", "nél"),
    "tól": ("tól", "től"),
    "hoz": ("hoz", "hez", "höz"),
    "ra": ("ra", "re"),
    "ról": ("ról", "ről"),
    "val": ("val", "vel"),
    "n": ("on", "en", "ön"),
    "t": ("ot", "et", "öt"),
    "ig": ("ig", "ig"),
    "ért": ("ért", "ért"),
    "é": ("é", "é"),
    "s": ("os", "es", "ös"),  # of a number: `a 12-es asztal`
}
ONES = ("nulla", "egy", "kettő", "három", "négy", "öt", "hat", "hét", "nyolc", "kilenc")
TENS = ("", "tíz", "húsz", "harminc", "negyven", "ötven", "hatvan", "hetven", "nyolcvan", "kilencven")
LOW_ENDS = ("ház", "fog")  # words that take -at for -ot: `színházat`
NAMED_WITH_A_VOWEL = "flmnrsxy"  # letters whose names begin with one: `az f3 mező`
LOW = frozenset({"három", "nyolc", "húsz", "harminc", "hatvan", "nyolcvan", "száz"})  # -at and not -ot
SIGNS = "*_~|)]!?."  # what may stand behind a word without being said
NUMBER = re.compile(r"\d+$")


def spoken_end(number: str) -> str:
    """The last word of a number as it is said: 5 `öt`, 20 `húsz`, 300 `száz`, 4000 `ezer`."""
    digits = number.lstrip("0") or "0"
    zeros = len(digits) - len(digits.rstrip("0"))
    if digits == "0" or zeros == 0:
        return ONES[int(digits[-1])]
    if zeros == 1:
        return TENS[int(digits[-2])]
    return "száz" if zeros == 2 else "ezer" if zeros < 6 else "millió"


def article(text: str, wanted: str) -> str:
    """The text behind its article: `az Edo`, `az 5`, `a 10`, `az f3`; `Az` where a sentence begins."""
    text = unicodedata.normalize("NFC", text)
    first = re.search(r"\w", text)
    rest = text[first.start() :] if first else text
    digits = re.match(r"\d+", rest)
    if digits:
        number = digits[0]
        vowel = number[0] == "5" or (number[0] == "1" and len(number) % 3 == 1)
    else:
        alone = not rest[1:2].isalpha()
        vowel = rest[:1].casefold() in (*VOWELS, *(NAMED_WITH_A_VOWEL if alone else ""))
    return f"{ARTICLES[wanted]}{'z' if vowel else ''} {text}"


def suffixed(text: str, wanted: str) -> str:
    """The text with its suffix: `Edóban`, `Kyotóval`, `5-tel`; behind other signs with a hyphen: `1*-et`."""
    text = unicodedata.normalize("NFC", text)
    number = NUMBER.search(text.rstrip(SIGNS))
    if number is not None and not text.endswith(">"):
        word = spoken_end(number[0])
        return f"{text}-{_ending(word, wanted)}"
    spoken = text.rstrip(SIGNS)
    if spoken != text and spoken[-1:].isalpha():
        return f"{text}-{_ending(spoken, wanted)}"
    last = text[-1:].casefold()
    if not last.isalpha() or (not last.isascii() and last not in VOWELS):
        return f"{text}-{SUFFIXES[wanted][0]}"
    if last in VOWELS and wanted != "é":
        text = text[:-1] + text[-1].translate(LONG)
    if wanted == "val" and last not in VOWELS:
        letter = _letter(text)
        doubled = text[-2:-1].casefold() == last and len(letter) == 1
        stem = text if doubled else text[: -len(letter)] + letter[0] + text[-len(letter) :]
        return stem + _harmony(text, ("al", "el"))
    ending = _ending(text, wanted)
    thrice = text[-2:-1].casefold() == last == ending[:1]
    return f"{text}-{ending}" if thrice else text + ending


def _ending(word: str, wanted: str) -> str:
    """The suffix as it stands behind this word."""
    last, letter = word[-1:].casefold(), _letter(word)
    if wanted == "val":
        if last in VOWELS:
            return _harmony(word, SUFFIXES["val"])
        return letter[0] + letter[1:] + _harmony(word, ("al", "el"))
    if wanted in ("n", "t") and last in VOWELS:
        return wanted
    if wanted == "s":
        return "as" if word in LOW else "es" if word == "kettő" else "s" if last in VOWELS else _os(word)
    if wanted == "t":
        if word in LOW:
            return "at"
        if word == "ezer":
            return "et"
        if word.casefold().endswith(LOW_ENDS):
            return "at"
        stem = word[: -len(letter)].casefold()
        single = stem.removesuffix(last)[-1:] in tuple(VOWELS)  # `Annt` as `Bent`
        if letter in BARE_ACCUSATIVE and single and word not in (*ONES, *TENS):
            return "t"
    return _harmony(word, SUFFIXES[wanted])


def _os(word: str) -> str:
    """The adjective of a word that ends in a consonant: `ötös`, `hatos`, but of a thousand `ezres`."""
    return "es" if word == "ezer" else _harmony(word, SUFFIXES["s"])


def _letter(word: str) -> str:
    """The last letter, which may be written with two or three signs."""
    low = word.casefold()
    return next((letter for letter in DOUBLED if low.endswith(letter)), low[-1:])


def _harmony(word: str, forms: tuple[str, ...]) -> str:
    """The form that goes with the vowels of this word, the last of several."""
    last = re.split(r"[\s-]", word)[-1]
    vowels = [sign for sign in last.casefold() if sign in VOWELS]
    if not vowels:
        return forms[0]
    if vowels[-1] in BACK or (vowels[-1] in NEUTRAL and any(sign in BACK for sign in vowels)):
        return forms[0]
    return forms[-1] if len(forms) > 2 and vowels[-1] in ROUND else forms[1]
