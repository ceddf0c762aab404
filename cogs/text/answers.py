"""What one user is told, only to him: answers, and every error as a kind sentence."""

from __future__ import annotations

import asyncio
import functools
import inspect
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from itertools import zip_longest
from typing import Any, TypeVar, cast

import discord
from discord import app_commands

from cogs.services import Interaction, Kind, Services
from cogs.text import sending
from cogs.text.control import Button
from cogs.text.layout import PLAIN, REFUSED, Entry, Rows, laid_out
from cogs.text.plain import MOST_TEXT, cleaned, cut, plain, quotable, shown_in_error
from cogs.text.rules_pages import way_to
from cogs.text.sending import hold, settle, wait
from db.errors import DatabaseError
from locales import Words
from locales import words as locale_words
from tables.core.errors import TableError
from tables.core.model import User

log = logging.getLogger("hatamoto.cogs")
C = TypeVar("C", bound=Callable[..., Coroutine[Any, Any, None]])
LOOKING = frozenset({"typing", "reading", "importing"})  # nobody's game waits for it
KINDS: dict[str, Kind] = {  # of commands by their whole names; the rest is asking
    "move": "playing",
    "board": "playing",
    "hand": "playing",
    "game replay": "reading",
    "game why": "reading",
    "game export": "reading",
    "game verify": "reading",
    "privacy export": "reading",
    "game import": "importing",
}
WAY_S = 1.0  # for so long what is refused waits for those who play: Discord waits for three
MOST_LEGAL = 3  # legal actions that an error names; the panel offers the rest in words
LEGAL_ROOM = 160  # their characters: four lines of a phone
SENTENCE = re.compile(r"(?:(?<=[.!?])[ \n]|(?<=[。！？])\s?)")  # where the next one begins
OURS = frozenset(
    {"until", "since", "where", "link", "channels", "permissions", "tables"}
)  # parameters with markup of our own
STORAGE = frozenset({"full", "locked", "read-only", "corrupt", "failing"})  # faults with words of their own
GONE = {10062, 40060}  # the interaction ran out or was answered: there is nobody to tell


def sentences(text: str) -> list[int]:
    """Where a text's sentences begin, but the first; behind `a 4.` of a number none does."""
    ends = [found.end() for found in SENTENCE.finditer(text)]
    return [end for end in ends if not text[end : end + 1].islower()]


def end_of(text: str, most: int) -> str:
    """The last sentences of a text that fit, behind a sign that there was more."""
    if len(text) <= most:
        return text
    begins = [end for end in sentences(text) if len(text) - end <= most - 2]
    return f"… {text[begins[0] :]}" if begins else f"…{text[1 - most :]}"


def start_of(text: str, most: int) -> str:
    """The first sentences of a text that fit, before a sign that there is more."""
    if len(text) <= most:
        return text
    ends = [end for end in sentences(text) if end <= most - 1]
    return f"{text[: ends[-1]]}…" if ends else cut(text, most)


def person(user: discord.abc.User, locale: discord.Locale | None = None) -> User:
    """A Discord user as the tables know him."""
    account = cleaned(user.name)
    name = cleaned(user.display_name) or account or str(user.id)
    return User(user.id, name, None if locale is None else locale.value, account)


def caller(interaction: Interaction) -> User:
    """Whose interaction it is, with the language of his Discord."""
    return person(interaction.user, interaction.locale)


async def answer(
    interaction: Interaction,
    content: str,
    *,
    quiet: str = "",
    entries: Sequence[Entry] = (),
    view: Rows | None = None,
    files: Sequence[discord.File] = (),
    accented: str = PLAIN,
) -> None:
    """The answer to one user, in place of the "thinking" if there is one, below the panel otherwise."""
    message = laid_out(cut(content), quiet=quiet, entries=entries, rows=view, files=files, accented=accented)
    await sending.say(interaction, message, files)


async def change(
    interaction: Interaction,
    content: str,
    *,
    quiet: str = "",
    view: Rows | None = None,
    files: Sequence[discord.File] = (),
    accented: str = PLAIN,
) -> None:
    """The message that was pressed, or the answer given before, becomes another.

    One that was sent before messages were laid out has its text taken away.
    """
    message = laid_out(cut(content), quiet=quiet, rows=view, files=files, accented=accented)
    await sending.edit(interaction, message, files)


def parts(text: str, most: int = MOST_TEXT) -> list[str]:
    """`text` as messages of at most `most` characters, parted at the ends of lines."""
    made = [""]
    for line in text.split("\n"):
        joined = f"{made[-1]}\n{line}" if made[-1] else line
        if len(joined) <= most:
            made[-1] = joined
        else:
            made.append(cut(line, most))
    return [part for part in made if part.strip()]


def listed(lines: Sequence[str], words: Words) -> str:
    """Lines of a list as far as they fit into a message, none of them cut: the rest is counted."""
    shown = list(lines)
    while len("\n".join(shown)) > MOST_TEXT:
        shown.pop()
        more = words("list.more", n=len(lines) - len(shown))
        if len("\n".join([*shown, more])) <= MOST_TEXT:
            return "\n".join([*shown, more])
    return "\n".join(shown)


async def answer_at_length(interaction: Interaction, text: str, *, private: bool = True) -> None:
    """An answer of several messages where one does not hold it."""
    first, *others = parts(text)
    await answer(interaction, first)
    for part in others:
        await sending.add(interaction, laid_out(part), private=private)


def explained(error: TableError, words: Words, names: Sequence[str] = ()) -> str:
    """What was wrong, and what is legal now where the error says so.

    Whatever text an error quotes is escaped here, the way its place in the sentence wants it.
    """
    params = dict(error.params)
    if "permissions" in params:
        params["permissions"] = [words(f"permission.{name}") for name in params["permissions"]]
    if "tables" in params:
        games = [words(f"{game}.title") for game in params.get("games", ())]
        params["tables"] = [f"#{n} {g}" for n, g in zip_longest(params["tables"], games, fillvalue="")]

    def typed(name: str, text: str, *, quoted: bool) -> str:
        return text if name in OURS else shown_in_error(text, quoted=quoted)

    sentence = words.error(error.code, params, error.game, names, typed=typed)
    legal = error.params.get("legal")
    if not legal:
        return sentence
    shown = few([quotable(move) for move in legal])
    key = "answer.legal" if len(shown) == len(legal) else "answer.legal-some"
    return f"{sentence}\n{words(key, moves=shown)}"


def few(moves: Sequence[str]) -> list[str]:
    """The first of the moves, as many as there is room for, one at least."""
    shown = list(moves[:MOST_LEGAL])
    while len(shown) > 1 and len("`, `".join(shown)) > LEGAL_ROOM:
        shown.pop()
    return shown


async def names_at(interaction: Interaction, table_id: int | None) -> tuple[str, ...]:
    """Names by seat for an error's sentence; none where there is no table."""
    if table_id is None:
        return ()
    try:
        table = await interaction.client.tables.get(table_id)
    except TableError:
        return ()
    return tuple(plain(seat.name) for seat in table.seats)


async def refuse(interaction: Interaction, error: TableError) -> None:
    """Tells the user why not."""
    words = await interaction.client.languages.of_user(interaction)
    names = await names_at(interaction, error.table)
    link = way_for(error, words)
    view = None if link is None else Rows(link)
    await answer(interaction, explained(error, words, names), view=view, accented=REFUSED)


def way_for(error: TableError, words: Words) -> Button | None:
    """The way to the rules page about an error; None where no page is."""
    return way_to(error.game, (f"{error.code}.{error.params.get('why')}", error.code), words)


def storage_fault(code: str, kind: str, words: Words) -> str:
    """What a DatabaseError's code means and what to do, for a player (`error`) or the owner (`admin`)."""
    return words(f"{kind}.database-{code if code in STORAGE else 'failing'}")


async def apologise(interaction: Interaction, error: BaseException) -> None:
    """Logs what should not have happened and tells the user that nothing is lost."""
    if isinstance(error, discord.NotFound | discord.HTTPException) and error.code in GONE:
        log.warning("interaction %s could not be answered: %s", interaction.id, error)
        return
    log.error("interaction %s failed", interaction.id, exc_info=error)
    try:
        words = await interaction.client.languages.of_user(interaction)
        if isinstance(error, DatabaseError):
            await answer(interaction, storage_fault(error.code, "error", words))
        else:
            await answer(interaction, words("error.internal"))
    except discord.HTTPException as second:
        log.warning("nor could its user be told: %s", second)


def answering(command: C) -> C:
    """A command whose table errors become sentences to its user; the rest is the tree's to answer."""

    @functools.wraps(command)
    async def run(cog: object, interaction: Interaction, *args: Any, **options: Any) -> None:
        with going_first(interaction, kind_of(interaction)):
            try:
                await command(cog, interaction, *args, **options)
            except TableError as error:
                await refuse(interaction, error)
            await settle(interaction)

    # discord.py resolves annotations in the globals of the function that it is given
    vars(run)["__signature__"] = inspect.signature(command, eval_str=True)
    return cast(C, run)


def kind_of(interaction: Interaction) -> Kind:
    """What a command costs."""
    if interaction.type is discord.InteractionType.autocomplete:
        return "typing"
    name = "" if interaction.command is None else interaction.command.qualified_name
    if name == "board" and any(getattr(interaction.namespace, word, None) for word in ("log", "since")):
        return "reading"
    return KINDS.get(name, "asking")


def going_first(interaction: Interaction, kind: Kind) -> AbstractContextManager[None]:
    """Around what is carried out: what only looks makes way for those who play."""
    return interaction.client.door.playing() if kind == "playing" else nullcontext()


@asynccontextmanager
async def taking_turns(interaction: Interaction) -> AsyncIterator[None]:
    """One request a user at a time that folds a whole log.

    Raises `overtaken` to one that waited when the user asked for something newer.
    """
    async with interaction.client.reading.turn(interaction.user.id) as mine:
        if not mine:
            raise TableError("overtaken")
        yield


async def within_limits(interaction: Interaction, kind: Kind) -> bool:
    """Whether an interaction is to be carried out; any other is answered here and now.

    It is asked before anything else is done for an interaction, and looks at nothing but memory: what a flood
    costs is the answers that it gets.
    """
    client, user_id = interaction.client, interaction.user.id
    if wait_s := client.limiter.wait(user_id, interaction.guild_id, kind):
        words = locale_words(interaction.locale.value)
        await let_go(interaction, words.plural("error.too-fast", wait_s))
        return False
    if kind in LOOKING and not await client.door.passed(user_id, kind):
        await let_go(interaction, None)
        return False
    return True


async def answered(interaction: Interaction, kind: Kind, deed: Callable[[], Awaitable[None]]) -> None:
    """Carries out what was pressed or sent, within the limits, and answers it whatever comes of it.

    discord.py would only log what its callback raises, and the user wait in vain.
    """
    try:
        if await within_limits(interaction, kind):
            with going_first(interaction, kind):
                await deed()
                await settle(interaction)
    except TableError as error:
        await refuse(interaction, error)
    except Exception as error:  # noqa: BLE001 - a fault of ours, which is logged there
        await apologise(interaction, error)


async def let_go(interaction: Interaction, sentence: str | None) -> None:
    """Answers what is not carried out; without a sentence because its user asked for something newer.

    A few at a time: each holds a line to Discord, and answers that somebody plays for come in between. A
    press that was overtaken needs no words, as the newer one changes the same message.
    """
    client, loop = interaction.client, asyncio.get_running_loop()
    until = loop.time() + WAY_S
    async with client.refusals:
        await client.door.made_way(until - loop.time())
        try:
            if interaction.type is discord.InteractionType.autocomplete:
                await interaction.response.autocomplete([])
            elif interaction.response.is_done():
                return
            elif sentence is None and interaction.type is discord.InteractionType.component:
                await hold(interaction)
                await settle(interaction)
            else:
                words = locale_words(interaction.locale.value)
                told = words("error.overtaken") if sentence is None else sentence
                await sending.send(interaction, laid_out(told, accented=REFUSED))
        except discord.HTTPException as error:  # nothing was to be done for it: there is nothing to mend
            log.warning("interaction %s was refused, and its user not told: %s", interaction.id, error)


class KindTree(app_commands.CommandTree[Services]):
    """A command tree that always answers."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Whether this user and this server have not asked too much lately; if they have, says so."""
        return await within_limits(interaction, kind_of(interaction))

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """A sentence for what Discord and the options can get wrong, an apology for the rest."""
        if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
            words = await interaction.client.languages.of_user(interaction)
            await answer(interaction, words("error.old-command"))
        elif isinstance(error, app_commands.CommandInvokeError):
            await apologise(interaction, error.original)
        else:
            await apologise(interaction, error)


__all__ = [
    "Interaction",
    "KindTree",
    "answer",
    "answer_at_length",
    "answered",
    "answering",
    "apologise",
    "caller",
    "change",
    "cut",
    "explained",
    "hold",
    "listed",
    "parts",
    "person",
    "plain",
    "refuse",
    "storage_fault",
    "taking_turns",
    "wait",
    "within_limits",
]
