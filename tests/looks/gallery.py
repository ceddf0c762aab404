"""Every kind of message that a scene brings forth, once: to be photographed, and what is wrong at sight.

A gallery listens to all that a simulated bot sends or changes and to all that a catalogue says. A message is
hung in it when it shows words of the catalogue, or a kind of button, that no message before it has shown.
"""

from __future__ import annotations

import copy
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from simcord.env import Env

from cogs.text.plain import columns
from locales import Words
from tests.discord.conftest import WRITTEN
from tests.messages import badly_laid, parts_of, wording

EPHEMERAL = 1 << 6
PHONE = 20  # characters of a button that a phone shows
LINE = 60  # characters, of which a field shows no more on a line
LEAST = 3  # characters of a text by which a message is known to show it
KEPT = 60  # different texts of a message of the catalogue that are looked for
CODE = re.compile(r"\b[a-z]+\.(?:event|term|prompt|choice|error|answer|choices|button|note)\.[\w./-]+")
MARKED = re.compile(r"^(?:-# |#+ )|\*\*")  # small, large and bold type, which a message may have of its own
PLAN = re.compile(r"plan\.([a-z]+).*")
LATIN = re.compile(r"[A-Za-z]{2,}")
QUOTED = re.compile(r"```.*?```|`[^`]*`|<[^>]*>|https?://\S+", re.DOTALL)
NAMES = frozenset({"Ann", "Ben", "Cho", "Dan", "Eve", "Dojo", "TestBot", "Discord", "Hatamoto"})


@dataclass(frozen=True)
class Hung:
    """A message as it was, with the pictures on it by address."""

    message: Any
    words: str
    kinds: frozenset[str]
    files: dict[str, bytes]


class Gallery:
    """Listens to simulations in one language, one after another."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.hung: list[Hung] = []
        self.shown: set[str] = set()  # messages of the catalogue
        self.kinds: set[str] = set()  # of buttons and selects
        self.faults: dict[str, str] = {}  # what is wrong -> the words of a message that has it
        self.latin: Counter[str] = Counter()
        self.forms: dict[str, dict[str, Any]] = {}  # by what sort they are and which fields hold something
        self._said: dict[str, set[str]] = defaultdict(set)
        self._foreign: dict[str, str] = {}
        self._say: Callable[..., str] = Words._say

    # -- listening ----------------------------------------------------------------------------

    @contextmanager
    def listening(self, env: Env) -> Iterator[None]:
        """To one simulation."""
        gallery, say, backend = self, self._say, env.backend
        commit, edit = backend.commit_message, backend.edit_message

        def listened(one: Words, key: str, *args: Any) -> str:
            text = say(one, key, *args)
            gallery._hear(one.locale, key, text)
            return text

        def committed(message: Any, **how: Any) -> Any:
            made = commit(message, **how)
            gallery.see(env, made)
            return made

        def edited(*args: Any) -> Any:
            made = edit(*args)
            gallery.see(env, made)
            return made

        for where, name, heard in (
            (Words, "_say", listened),
            (backend, "commit_message", committed),
            (backend, "edit_message", edited),
        ):
            setattr(where, name, heard)
        try:
            yield
        finally:
            setattr(Words, "_say", say)  # noqa: B010 - as it was put there
            del backend.commit_message, backend.edit_message

    def _hear(self, locale: str, key: str, text: str) -> None:
        if locale != self.language:
            self._foreign.setdefault(text, key)
        elif len(self._said[key]) < KEPT:
            self._said[key].add(MARKED.sub("", text))

    # -- looking ------------------------------------------------------------------------------

    def see(self, env: Env, message: Any) -> None:
        """A message as it is now: hung if something on it is new."""
        ours = message.author_id == env.backend.bot_user.id and message.type in WRITTEN
        if not ours or not message.components:
            return
        words = "\n".join(all_words(message))
        new = set(self._told(words, self.shown))
        kinds = frozenset(kind(part["custom_id"]) for part in parts_of(message) if "custom_id" in part)
        for fault in self._wrong(message, words):
            self.faults.setdefault(fault, words)
        if new or kinds - self.kinds:
            self.shown |= new
            self.kinds |= kinds
            files = {one["url"]: env.backend.cdn.get(one["url"]) or b"" for one in message.attachments}
            self.hung.append(Hung(copy.deepcopy(message), words, kinds, files))

    def _told(self, words: str, but: Set[str] = frozenset()) -> Iterator[str]:
        """Which messages of the catalogue stand in these words."""
        words = MARKED.sub("", words)
        for key, texts in list(self._said.items()):  # words are said in other threads meanwhile
            if key not in but and any(len(text) >= LEAST and text in words for text in list(texts)):
                yield key

    def fewest(self) -> list[Hung]:
        """As few of what was hung as show all of it, in their order."""
        shows = [{*self._told(one.words), *one.kinds} for one in self.hung]
        tall = [3 + sum(1 + len(line) // 38 for line in one.words.split("\n")) for one in self.hung]
        left, chosen = set().union(*shows), set[int]()
        while left:
            best = max(range(len(shows)), key=lambda number: len(shows[number] & left) / tall[number])
            chosen.add(best)
            left -= shows[best]
        return [self.hung[number] for number in sorted(chosen)]

    def unseen(self) -> list[str]:
        """What was said and stood in no message."""
        return sorted(set(self._said) - self.shown)

    def form(self, modal: dict[str, Any]) -> None:
        """A form as it was opened."""
        inner = [part.get("component") or {} for part in modal["components"]]
        filled = [one["custom_id"] + "+" * (len(one["value"]) > LINE) for one in inner if one.get("value")]
        self.forms.setdefault(" ".join([kind(modal["custom_id"]), *filled]), modal)
        words = "\n".join(form_words(modal))
        self.shown |= set(self._told(words, self.shown))
        for fault in self._strange(words):
            self.faults.setdefault(fault, words)

    def _wrong(self, message: Any, words: str) -> Iterator[str]:
        if laid := badly_laid(message):
            yield f"layout: {laid}"
        parts = parts_of(message)
        beside = [
            part["accessory"]["custom_id"] for part in parts if "custom_id" in part.get("accessory", ())
        ]
        labels = [
            str(part.get("label") or "")
            for part in parts
            if part["type"] == 2 and part.get("custom_id") not in beside
        ]
        for label in labels:
            if columns(label) > PHONE:
                yield f"cut by a phone: {label}"
        for label, times in Counter(filter(None, labels)).items():
            if times > 1:
                yield f"button twice: {label}"
        lines = [line for line in wording(message).split("\n") if len(line) > PHONE]
        for line, times in Counter(lines).items():
            if times > 1 and "```" not in words:
                yield f"said twice: {line}"
        yield from self._strange(words)

    def _strange(self, words: str) -> Iterator[str]:
        for found in CODE.findall(words):
            yield f"a code: {found}"
        for line in words.split("\n"):
            if line in self._foreign and len(line) > 2 and line not in NAMES:
                yield f"in another language: {self._foreign[line]}: {line}"
        if self.language in ("he", "ja"):
            self.latin.update(word for word in LATIN.findall(QUOTED.sub(" ", words)) if word not in NAMES)


def hang(env: Env, channel_id: int, pieces: Sequence[Hung]) -> None:
    """Copies of messages in a channel, open to everybody."""
    for piece in pieces:
        one = copy.deepcopy(piece.message)
        one.id, one.channel_id = env.backend.snowflake(), channel_id
        one.flags &= ~EPHEMERAL
        one.author_id = env.backend.bot_user.id
        one.interaction_metadata = one.reference = None
        env.backend.cdn._blobs.update(piece.files)
        env.backend.messages[channel_id][one.id] = one


def all_words(message: Any) -> Iterator[str]:
    """Everything on it that can be read: texts, labels, what selects offer, what pictures are said to be."""
    yield wording(message)
    for part in parts_of(message):
        yield from (str(part[name]) for name in ("label", "placeholder") if part.get(name))
        for option in part.get("options") or ():
            yield from (str(option[name]) for name in ("label", "description") if option.get(name))
        yield from (str(item["description"]) for item in part.get("items") or () if item.get("description"))


def form_words(modal: dict[str, Any]) -> Iterator[str]:
    """Everything on a form that can be read, a line a part."""
    yield modal["title"]
    for part in modal["components"]:
        inner = part.get("component") or {}
        said = (part.get("label"), part.get("description"), inner.get("placeholder"), inner.get("value"))
        yield " | ".join(one for one in said if one)
        for option in inner.get("options") or ():
            yield " ".join(filter(None, ("  -", option["label"], option.get("description"))))


def kind(custom_id: str) -> str:
    """What sort of control it is, whichever table, place or page it means."""
    bare = custom_id.partition("@")[0].partition("?")[0]
    if bare.startswith("t:"):
        action = bare.split(":", 3)[3]
        if match := PLAN.fullmatch(action):  # what it stands for follows
            return f"plan {match[1]}"
        return (
            f"t:{action[0]}"
            if re.fullmatch(r"[pcwse][\d.+\-!~]*", action)
            else re.sub(r"[\d.]+", "#", action)
        )
    return re.sub(r"\d+", "#", bare)
