"""The words of every language: gettext catalogues, whose msgids are codes and whose msgstrs are templates.

A language has a catalogue of the frame (`hatamoto`) and one a game, whose messages begin with its name.

A template names its parameters: `{points}` plain, `{seat:who}` a seat's name, `{tower:term}` a code's
word in this game, `{cards:terms}`, `{seats:whos}` and `{squares:list}` the same for lists, which end as
`words.and` or `words.or` says in `{seats:whos and}` or `{squares:list or}`; `{allowed:codes}` is a list of
what is typed, each between backticks. A fraction has the point that `words.decimal` says. Plural messages
have the msgid_plural `<msgid>.plural` and are chosen by the parameter `n`, or where there is none by how
many `seats` are listed. Where a sentence has several counts, `{armies:n army}` is the plural message
`count.army` (a game's own first) for so many, and `{blocks:forms defects|defect}` picks a word by a number
or by how many a list has, in the order of the language's plural forms. A code may have several words:
`{action:term/verb}` is the message `<game>.term.<code>/verb`, else its plain word. What a language does to
a word that is brought along is asked for by particles: `{province:az~term}`, `{province:term~ban}`
(`locales/grammar.py`). Nothing is escaped here: that is the work of whoever shows it, who may give a `Typed`
for the text of parameters.

In a language written from right to left, what a parameter brings in other letters is isolated, so that
the sentence keeps its order; not between backticks, whence it is copied.
"""

from __future__ import annotations

import re
import struct
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set, Sized
from functools import lru_cache, partial
from gettext import NullTranslations
from pathlib import Path
from string import Formatter
from typing import Any, Protocol

from locales.compiled import Compiled
from locales.grammar import joined, parted

DOMAIN = "hatamoto"
FOLDER = Path(__file__).parent
FALLBACK = "en"
BLANK = " "  # how the compiled catalogue keeps a message that says nothing on purpose
MANY = 2  # what a fraction is counted as: `1.1 blocks`
COUNTED = "n "  # a format: `{armies:n army}`
LONGEST = 120  # of a key: it may end with a code that somebody typed, and what is kept would grow with it
LISTS = frozenset({"list", "terms", "whos"})
CODES = "codes"  # a list whose parts are typed or copied: each between backticks
CONJUNCTIONS = frozenset({"", "and", "or"})
ABSENT = (("winners", "nobody"), *((name, "none") for name in ("count", "loss", "lost")), ("card", "empty"))
DASH = "–"  # what is shown for a parameter that is missing or None
RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur", "yi"})
RIGHT_TO_LEFT_MARK = "\u200f"  # before a line of such a language that begins with other letters
FIRST_ISOLATE, END_ISOLATE = "\u2068", "\u2069"  # what is between them has its own direction
ISOLATES = frozenset({"\u2066", "\u2067", FIRST_ISOLATE})

LANGUAGES: tuple[str, ...] = tuple(
    sorted(path.parts[-3] for path in FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.mo"))
)


class SeenEvent(Protocol):
    """An event as one viewer may know it: `engines.protocol.Seen`."""

    @property
    def code(self) -> str: ...
    @property
    def params(self) -> Mapping[str, Any]: ...


class Typed(Protocol):
    """How text that a parameter brings is shown; what the catalogue says stays as it is."""

    def __call__(self, name: str, text: str, /, *, quoted: bool) -> str:
        """The text of the parameter `name`; `quoted` where the template has it between backticks."""


def as_it_is(_name: str, text: str, /, *, quoted: bool) -> str:
    """Text unchanged."""
    return text


def isolated(text: str) -> str:
    """Text between isolates, if it has letters from left to right (or a mention) that are not isolated yet.

    Addresses stay as they are: Discord would take the isolate for their last character.
    """
    if "://" in text or not any(
        sign == "<" or unicodedata.bidirectional(sign) == "L" for sign in outside(text)
    ):
        return text
    return f"{FIRST_ISOLATE}{text}{END_ISOLATE}"


def outside(text: str) -> Iterator[str]:
    """The characters of a text that are not isolated."""
    depth = 0
    for sign in text:
        depth = max(0, depth + (sign in ISOLATES) - (sign == END_ISOLATE))
        if depth == 0:
            yield sign


class Words:
    """One language. Immutable after it was built; may be used by several threads."""

    def __init__(self, locale: str, *catalogues: NullTranslations) -> None:
        """`catalogues`: the language's own, then those that help out where it lacks a message."""
        self.locale = locale
        self.rtl = locale.replace("_", "-").split("-")[0] in RIGHT_TO_LEFT
        self._catalogues = catalogues
        self._kept = lru_cache(maxsize=8192)(self._found)  # the same few messages again and again
        self._whole = lru_cache(maxsize=8192)(self._text)

    def __call__(
        self, key: str, /, *, game: str | None = None, names: Sequence[str] = (), **params: object
    ) -> str:
        """The message `key` with its parameters.

        In English where this language lacks it, the key itself where English does too. `game` is whose
        terms are meant (the key's first part if left out), `names` the players by seat. Never raises.
        """
        return self._say(key, game, names, params, as_it_is)

    def _say(
        self, key: str, game: str | None, names: Sequence[str], params: Mapping[str, object], typed: Typed
    ) -> str:
        if not params and len(key) <= LONGEST and (text := self._whole(key)) is not None:
            return text
        template = self._template(key, _count(params))
        if template is None:
            return key
        return self._fill(template, game or key.split(".", 1)[0], names, params, typed)

    def plural(
        self,
        key: str,
        n: int,
        /,
        *,
        game: str | None = None,
        names: Sequence[str] = (),
        **params: object,
    ) -> str:
        """The message for `n` of something; the template may use `{n}`."""
        return self(key, game=game, names=names, **{**params, "n": n})

    def has(self, key: str) -> bool:
        """Whether this language, or English for it, knows the message."""
        return self._template(key, None) is not None

    def term(self, game: str, code: object) -> str:
        """The word of a code in this game: its own term, else one of the frame, else the code."""
        found = self._known_term(game, code)
        return str(code) if found is None else found

    def _known_term(self, game: str, code: object, role: str = "") -> str | None:
        roles = (f"/{role}", "") if role else ("",)
        for key in (f"{prefix}term.{code}{end}" for end in roles for prefix in (f"{game}.", "")):
            template = self._template(key, None)
            if template is not None:
                return "" if template == BLANK else template
        return None

    def event(self, game: str, seen: SeenEvent, names: Sequence[str]) -> str:
        """What happened, in words; "" for an event that needs none (its template is empty).

        A game's end that nobody has won (`winners` is empty) may have a message of its own: `<code>.nobody`,
        and so may an event whose `count`, `loss` or `lost` is 0: `<code>.none`, and one whose `card` is none:
        `<code>.empty`.
        """
        key = f"{game}.event.{seen.code}"
        for name, ending in ABSENT:
            if name in seen.params and not seen.params[name] and self.has(f"{key}.{ending}"):
                key = f"{key}.{ending}"
        return self(key, game=game, names=names, **_keywords(seen.params))

    def error(
        self,
        code: str,
        params: Mapping[str, object],
        game: str | None = None,
        names: Sequence[str] = (),
        *,
        typed: Typed = as_it_is,
    ) -> str:
        """Why something was refused: the game's own words for the code and its `why`, for the code, else the
        frame's.

        Parameters may quote what somebody typed: `typed` says how their text is shown.
        """
        own = f"{game}.error.{code}"
        keys = [f"{own}.{params.get('why')}", own] if game is not None else []
        key = next((key for key in keys if self.has(key)), f"error.{code}")
        return self._say(key, game, names, _keywords(params), typed)

    def _template(self, key: str, n: object) -> str | None:
        return self._kept(key, n if isinstance(n, int) else 1) if len(key) <= LONGEST else None

    def _found(self, key: str, n: int) -> str | None:
        for catalogue in self._catalogues:
            found = _lookup(catalogue, key, n)
            if found is not None:
                return found
        return None

    def _text(self, key: str) -> str | None:
        """A message that has nothing to fill in; None for any other."""
        template = self._kept(key, 1)
        return None if template is None or {"{", "}"} & {*template} else self._fill(template, "", (), {})

    def _fill(
        self,
        template: str,
        game: str,
        names: Sequence[str],
        params: Mapping[str, object],
        typed: Typed = as_it_is,
    ) -> str:
        if template == BLANK:
            return ""
        parts, quoted = [], False
        for before, name, spec in _parse(template):
            parts.append(before)
            quoted ^= before.count("`") % 2 == 1
            if name is None:
                continue
            value = params.get(name)
            if not spec and type(value) is str and typed is as_it_is and not self.rtl:
                parts.append(value)  # most of all there is to fill in
            else:
                copied = quoted or spec.startswith(CODES)
                shown = partial(typed, name, quoted=copied)
                apart = isolated if self.rtl and not copied else str
                parts.append(self._show(value, spec, game, names, shown, apart=apart, beside=params))
        return "".join(parts)

    def _show(
        self,
        value: object,
        spec: str,
        game: str,
        names: Sequence[str],
        typed: Callable[[str], str],
        *,
        apart: Callable[[str], str],
        beside: Mapping[str, object],
    ) -> str:
        before, spec, behind, kind, role, rest = _asked(spec)
        if value is None:
            return DASH
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # `1.0 blocks`
        if kind == "forms":
            return self._form(value, rest)

        def with_particles(shown: str) -> str:
            return joined(self.locale, before, apart(shown), behind)

        def text(one: object) -> str:
            return self._number(str(one)) if isinstance(one, int | float) else typed(str(one))

        def who(seat: object) -> str:
            return names[seat] if isinstance(seat, int) and 0 <= seat < len(names) else DASH

        def term(code: object) -> str:
            found = self._known_term(game, code, role)
            return text(code) if found is None else found

        if kind == "who":
            return with_particles(who(value))
        if kind == "term":
            return with_particles(term(value))
        if kind in LISTS and rest in CONJUNCTIONS:
            show = text if kind == "list" else term if kind == "terms" else who
            return self._joined(value, lambda one: with_particles(show(one)), rest)
        if kind == CODES and rest in CONJUNCTIONS:
            return self._joined(value, lambda one: f"`{text(one)}`", rest)
        if kind == "n" and spec.startswith(COUNTED):
            return with_particles(self._counted(value, text(value), spec, game, beside))
        shown = _formatted(value, spec)
        return with_particles(self._number(shown) if isinstance(value, int | float) else typed(shown))

    def _form(self, value: object, forms: str) -> str:
        """The form for so many, of those that stand between bars, in the order of the language's plurals."""
        n = value if isinstance(value, int) else len(value) if isinstance(value, Sized) else 1
        index = self._template("words.form", n) or "0"
        choices = forms.split("|")
        return choices[min(int(index), len(choices) - 1)]

    def _number(self, shown: str) -> str:
        """A number as this language writes it: a fraction with its own point."""
        return shown.replace(".", self._template("words.decimal", None) or ".")

    def _counted(self, value: object, shown: str, spec: str, game: str, beside: Mapping[str, object]) -> str:
        """So many of something: its bare number where no language knows the word.

        A number in words (`3–5`) chooses the form by its last digits, a fraction is many; none of it may have
        a word of its own, `count.<what>.none`, or be left out by an empty one. What else the sentence is
        told may stand in it, too.
        """
        what = spec.removeprefix(COUNTED)
        digits = re.search(r"\d+$", shown)
        n = MANY if isinstance(value, float) else int(digits[0]) if digits else None
        ends = (".none", "") if value == 0 else ("",)
        for key in (f"{place}count.{what}{end}" for end in ends for place in (f"{game}.", "")):
            template = self._template(key, n)
            if template is not None:
                counted = value if isinstance(value, int) else shown
                return self._fill(template, game, (), {**beside, "n": counted})
        return shown

    def _joined(self, value: object, show: Callable[[object], str], conjunction: str) -> str:
        """A list in words; `conjunction` (`and`, `or`, none) stands before its last part."""
        several = value if isinstance(value, Iterable) and not isinstance(value, str) else (value,)
        between = self._template("words.separator", None) or ", "
        parts = [DASH if one is None else show(one) for one in several]
        last = self._template(f"words.{conjunction}", None) if conjunction and len(parts) > 1 else None
        if last is not None:
            return self._fill(last, "", (), {"rest": between.join(parts[:-1]), "last": parts[-1]})
        return between.join(parts) or DASH


def _lookup(catalogue: NullTranslations, key: str, n: int) -> str | None:
    """A catalogue's template; a plural one by `n`."""
    plural = f"{key}.plural"
    found = catalogue.ngettext(key, plural, n)
    if found in (key, plural):
        found = catalogue.gettext(key)
    return None if found in (key, plural) else found


def _count(params: Mapping[str, object]) -> object:
    """What chooses a plural message: `n`, else how many seats are listed."""
    seats = params.get("seats")
    if seats is None or "n" in params or isinstance(seats, str) or not isinstance(seats, Sequence | Set):
        return params.get("n")
    return len(seats)


def _keywords(params: Mapping[str, object]) -> dict[str, Any]:
    """Parameters without those that would collide with the keywords of `Words.__call__`."""
    return {name: value for name, value in params.items() if name not in {"game", "names"}}


def _formatted(value: object, spec: str) -> str:
    try:
        return format(value, spec)
    except (TypeError, ValueError):  # a translator's slip shows the bare value
        return str(value)


@lru_cache(maxsize=4096)
def _asked(spec: str) -> tuple[str, str, str, str, str, str]:
    """What a format asks for: particle before, the format itself, particle behind; its kind, role, rest."""
    before, bare, behind = parted(spec)
    kind, _, rest = bare.partition(" ")
    kind, _, role = kind.partition("/")
    return before, bare, behind, kind, role, rest


@lru_cache(maxsize=4096)
def _parse(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """(text before, parameter or None, format) pieces; a template that does not parse is shown as it is."""
    try:
        return tuple((before, name, spec or "") for before, name, spec, _ in Formatter().parse(template))
    except ValueError:
        return ((template, None, ""),)


@lru_cache(maxsize=256)
def words(locale: str | None) -> Words:
    """The nearest catalogue of a Discord locale: "en-GB" -> "en", None and unknown ones -> English."""
    return _load(_nearest(locale))


def _nearest(locale: str | None) -> str:
    wanted = (locale or FALLBACK).replace("_", "-").casefold()
    known = {name.replace("_", "-").casefold(): name for name in LANGUAGES}
    return known.get(wanted) or known.get(wanted.split("-")[0]) or FALLBACK


@lru_cache(maxsize=64)
def _load(language: str) -> Words:
    order = [language] if language == FALLBACK else [language, FALLBACK]
    return Words(language, *(catalogue(name) for name in order))


class Shelf(NullTranslations):
    """A language's catalogues as one: a message is looked up in the one that its first part names."""

    def __init__(self, frame: NullTranslations, games: Mapping[str, NullTranslations]) -> None:
        super().__init__()
        self._frame, self._games = frame, games

    def gettext(self, message: str) -> str:
        """The template of a message, the message itself where there is none."""
        return self._of(message).gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The template for `n`, one of the two messages where there is none."""
        return self._of(msgid1).ngettext(msgid1, msgid2, n)

    def _of(self, message: str) -> NullTranslations:
        return self._games.get(message.partition(".")[0], self._frame)


class CatalogueError(SystemExit):
    """A catalogue that cannot be read: nothing can be said without it, so it ends the program with a line.

    Catalogues are read while the program starts, before anything could catch it.
    """


def catalogue(language: str) -> NullTranslations:
    """A language's compiled catalogues. Raises CatalogueError."""
    folder = FOLDER / language / "LC_MESSAGES"
    games = [path for path in sorted(folder.glob("*.mo")) if path.stem != DOMAIN]
    return Shelf(_compiled(folder / f"{DOMAIN}.mo"), {path.stem: _compiled(path) for path in games})


def _compiled(path: Path) -> NullTranslations:
    try:
        return Compiled(path)
    except (OSError, ValueError, struct.error, IndexError) as error:
        why = "Make it anew with `python -m locales`, or install the bot again"
        raise CatalogueError(f"The catalogue {path} is damaged or missing. {why}.") from error


__all__ = ["FALLBACK", "LANGUAGES", "Typed", "Words", "catalogue", "words"]
