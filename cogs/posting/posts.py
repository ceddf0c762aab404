"""Outbox rows as messages, in the language of their reader, with the pictures they carry."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import discord

from cogs.buttons import controls
from cogs.buttons.custom_ids import Press
from cogs.buttons.lasting import TableButton
from cogs.panels.own import own_panel
from cogs.text.answers import cut, end_of, plain
from cogs.text.control import Button
from cogs.text.languages import Languages
from cogs.text.layout import PLAIN, Entry, Laid, Rows, accent_of, laid_out
from cogs.text.letter import Letter, Pictured, attached
from cogs.text.plain import MOST_TEXT, cleaned
from cogs.text.signs import Signs
from db.database import Database
from db.rows import OutboxRow
from engines.capabilities import Secrets
from engines.protocol import Seen, View
from engines.registry import engine
from engines.values import GAME_OVER
from locales import RIGHT_TO_LEFT_MARK, Words, isolated
from render import Picture, Scene, has, painter, parted
from render.words import joined
from tables.core.elsewhere import DIGEST, WISHED
from tables.core.errors import TableError
from tables.core.model import Draft, Table
from tables.reading.trophies import TROPHY
from tables.service import Tables
from workers.drawing import HereStudio, Studio, drawn

MOST_HAPPENED = 600  # characters of what led to a board: a phone shows no more of them beside its picture
ROOM = 400  # characters that a caption leaves for mentions, the seed, and the line for a lost picture
TYPED = frozenset({"name", "old"})  # parameters that are names of people
BY_THE_TABLE = frozenset({"draw", "claimed", "cancelled"})  # reasons that are not of a game's rules


@dataclass(frozen=True)
class Post:
    """A message: text, the people it may mention, a picture, buttons.

    ended     the picture of what the step brought to an end, shown before the other
    finale    what a finished game is summed up in, shown after it
    quiet     lines below the pictures, in small type
    accented  the colour at its edge
    entries   lines of a list
    """

    content: str
    view: Rows | None = None
    picture: Picture | None = None
    mention: tuple[int, ...] = ()
    ended: Picture | None = None
    finale: Picture | None = None
    quiet: str = ""
    accented: str = PLAIN
    entries: tuple[Entry, ...] = ()

    def files(self) -> list[discord.File]:
        """The pictures to upload."""
        pictures = (self.ended, self.picture, self.finale)
        return [attached(picture) for picture in pictures if picture is not None]

    def arguments(self) -> dict[str, Any]:
        """For `send`."""
        allowed = discord.AllowedMentions(users=[discord.Object(user) for user in self.mention])
        files = self.files()
        arguments: dict[str, Any] = {"view": self._laid_out(files), "allowed_mentions": allowed}
        return {**arguments, "files": files} if files else arguments

    def changes(self) -> dict[str, Any]:
        """For `edit`, which pings nobody; the text of a message from before layouts is taken away."""
        files = self.files()
        return {
            "content": None,
            "view": self._laid_out(files),
            "attachments": files,
            "allowed_mentions": discord.AllowedMentions.none(),
        }

    def _laid_out(self, files: list[discord.File]) -> Laid:
        return laid_out(
            self.content,
            quiet=self.quiet,
            entries=self.entries,
            rows=self.view,
            files=files,
            accented=self.accented,
        )


class Writer:
    """Writes posts; reads settings for their language at the moment of sending."""

    def __init__(
        self,
        database: Database,
        tables: Tables,
        languages: Languages,
        studio: Studio | None = None,
        signs: Signs | None = None,
    ) -> None:
        self._database = database
        self._tables = tables
        self._languages = languages
        self._studio = studio or HereStudio()
        self._signs = signs or Signs()

    async def post(
        self, row: OutboxRow, table: Table | None, words: Words | None = None, *, pictured: Pictured = "yes"
    ) -> Post:
        """The message of a row, of a board with its picture if `pictured` is "yes". KeyError for no kind.

        A hand has its sheet always, its map where it is "yes".

        `words`: those of its readers, from who has asked for them already.
        """
        if table is None and row.kind != DIGEST:
            return Post(cut(str(row.content.get("content", ""))))
        words = words or await self.words(row, table)
        if table is None:
            return await self._digest(row, words)
        draft = await self._draft(row, table)
        since = await self._since(row, table) if pictured == "yes" else None
        letter = Letter(row, row.content, table, words, self._studio, draft, self._signs, pictured, since)
        post = replace(await KINDS[row.kind](letter), accented=accent_of(table.game))
        return await self._summed_up(post, letter) if row.kind in ("over", TROPHY) else post

    async def _digest(self, row: OutboxRow, words: Words) -> Post:
        """What waits for a user now, each table with its way on; without entries where nothing does."""
        waits = await self._tables.daily(int(row.destination.partition(":")[2]))
        entries = [controls.waiting_entry(one, words) for one in waits]
        for entry in entries[:1]:
            if isinstance(entry.button, TableButton):  # what the message is known by
                press = Press(waits[0].table.id, waits[0].table.version, "turn", row.mark)
                entries[0] = Entry(entry.text, TableButton(press, words("button.turn"), "primary"))
        return Post(f"### {words('post.digest')}", entries=tuple(entries))

    async def _draft(self, row: OutboxRow, table: Table) -> Draft | None:
        """The draft that belongs on a sheet; None where there is none any more."""
        if own_panel(table.game) is None or row.kind not in ("hand", "sheet"):
            return None
        try:
            return await self._tables.draft(table.id, int(row.destination.partition(":")[2]))
        except TableError:
            return None

    async def _since(self, row: OutboxRow, table: Table) -> View | None:
        """What the reader of a board or a hand saw when he last looked; None of all else."""
        content = row.content
        if row.kind in ("board", "over") and isinstance(entry := content.get("since"), int):
            return await self._tables.board_at(table.id, entry)
        if row.kind in ("hand", "sheet") and isinstance(seat := content.get("seat"), int):
            return await self._tables.own_look(table.id, seat, int(content.get("entry") or 0))
        return None

    async def _summed_up(self, post: Post, letter: Letter) -> Post:
        """The last post with the game's statistics: one line each where there is room, and drawn."""
        table, words = letter.table, letter.words
        statistics = await self._tables.statistics(table.id)
        names = tuple(plain(name) for name in table.names)
        lines = [
            words(f"{table.game}.statistics.{seen.code}", game=table.game, names=names, **seen.params)
            for seen in statistics
        ]
        while lines and len("\n".join([post.content, *lines])) > MOST_TEXT:
            lines.pop()
        scene = replace(letter.scene(letter.names), events=tuple(statistics))
        drawn_too, _ = await drawn(self._studio, "finale", scene)
        return replace(post, content="\n".join([post.content, *lines]), finale=drawn_too)

    async def thread_name(self, table: Table) -> str:
        """`#12 Kamisado: Ann – Ben`, at most 100 characters."""
        words = await self._languages.of_posts(table.place.guild_id, table.locale)
        names = [cleaned(name) for name in table.names if name]
        return cut(
            words("post.thread", table=table.id, title=words(f"{table.game}.title"), players=names), 100
        )

    async def words(self, row: OutboxRow, table: Table | None) -> Words:
        """In the language of whoever reads the post."""
        kind, _, number = row.destination.partition(":")
        if kind == "user":
            return await self._languages.of_dm(int(number))
        if table is not None and table.place.guild_id is None:
            return await self._languages.of_dm(table.creator_id)
        guild, locale = (None, None) if table is None else (table.place.guild_id, table.locale)
        return await self._languages.of_posts(guild, locale)


async def lobby(letter: Letter) -> Post:
    """Who plays what, who is missing, and the buttons to sit down; its first board is about to be drawn."""
    table, words = letter.table, letter.words
    if table.status == "open":
        letter.studio.expect(table.game, words.locale)
    invited = tuple(s.invited for s in table.seats if s.invited is not None and not s.taken)
    title = words("post.title", table=table.id, title=words(f"{table.game}.title"))
    seats, below = controls.seats_to_take(table, words, letter.row.mark)
    lines = list[str]()
    private = words("post.private-here" if table.in_place else "post.private") if table.private else ""
    private = private if table.place.guild_id is not None else ""  # in direct messages nobody else reads it
    lines += [controls.options_line(table, words), private]
    lines.append(controls.lobby_line(table, words))
    if table.status == "open":  # before others add theirs, so that the seed cannot follow them
        lines += [words("list.commitment", commitment=table.commitment), controls.told_line(table, words)]
    about = Entry(cut("\n".join(line for line in lines if line)))
    called = tuple(user for user in invited if user in letter.mention)
    view, called = controls.view(below), called if table.status == "open" else ()
    return Post(title, view, mention=called, entries=(*seats, about))


async def board(letter: Letter) -> Post:
    """The board, what changed in words, and the way to move."""
    spoken = letter.spoken_names()
    scene = letter.scene(letter.names)
    picture, good, closed = None, True, None
    if letter.pictured == "yes":
        picture, good = await drawn(letter.studio, "step", scene)
    if letter.pictured != "crowded":
        closed, _ = await drawn(letter.studio, "ended", scene)
    trouble = "" if good else letter.words("post.no-picture")
    if letter.pictured == "crowded":
        trouble = letter.words("post.crowded")
    result = letter.data.get("result")
    if isinstance(result, dict) and result.get("reason") in BY_THE_TABLE:
        now, happened = letter.words("post.final"), ""  # the view knows nothing of this end
    else:
        now, happened = await asyncio.to_thread(parted_below, replace(scene, names=spoken), result)
    if letter.data.get("next") is not None:
        now = f"{now}\n{letter.words('post.next', seat=letter.data['next'], names=spoken)}"
    now, happened = cut(now, MOST_TEXT - ROOM), end_of(happened, MOST_HAPPENED)
    missing = [user for user in letter.mention if f"<@{user}>" not in now]
    crests = "".join(letter.signs.of_user(letter.table, user) for user in letter.mention)
    lines = [f"{crests}{now}", " ".join(f"<@{user}>" for user in missing), trouble]
    over = letter.row.kind == "over"
    if over:
        lines.insert(0, controls.outcome_line(letter.table, letter.words, spoken))
    quiet = [happened]
    if letter.data.get("commitment") and not over:
        quiet.append(letter.words("list.commitment", commitment=letter.data["commitment"]))
        quiet.append(controls.told_line(letter.table, letter.words))
    makes = controls.of_status if over else controls.playing
    buttons = makes(letter.table, letter.words, letter.version, letter.row.mark)
    focus = picture is not None and picture.focus
    buttons += controls.looking(scene, letter.table, letter.version, focus=focus, over=over)
    content, below = ("\n".join(line for line in part if line) for part in (lines, quiet))
    return Post(cut(content), controls.view(buttons), picture, letter.mention, closed, quiet=cut(below))


def parted_below(scene: Scene, result: object) -> tuple[str, str]:
    """`parted`, below a heading that says who won of a game with this result: nothing says so again."""
    if not isinstance(result, dict) or not result.get("winners"):
        return parted(scene)
    before = tuple(event for event in scene.events if event.code != GAME_OVER)
    return parted(replace(scene, events=before)) if before else ("", "")


async def recap(letter: Letter) -> Post:
    """What has ended (a battle), summed up, with the way to all that happened."""
    table, game = letter.table, letter.table.game
    facts = [Seen.model_validate(fact) for fact in letter.data["recap"]]
    names = letter.spoken_names()
    lines = [letter.words(f"{game}.recap.{f.code}", game=game, names=names, **f.params) for f in facts]
    story = Press(table.id, letter.version, "story", letter.row.mark)
    return Post(
        cut("\n".join(lines)), controls.view([TableButton(story, letter.words("button.story"), "plain")])
    )


async def trophy(letter: Letter) -> Post:
    """A finished game for a channel where it was not played: who won, the seed, and how to check it."""
    table, words = letter.table, letter.words
    lines = [controls.heading(table, words), controls.outcome_line(table, words, letter.spoken_names())]
    lines.append(controls.ending(table, words))
    if not table.private:
        lines.append(words("post.verify", table=table.id))
    return Post(cut("\n".join(line for line in lines if line)))


async def hand(letter: Letter) -> Post:
    """A private sheet, with the way to choose, and where the game has one the own map."""
    panel = own_panel(letter.table.game)
    own = None if panel is None else panel.letter(letter)
    scene = replace(letter.scene(letter.names), action=None if own is None else own.action)
    picture, good = await drawn(letter.studio, "sheet", scene)
    trouble = "" if good else letter.words("post.no-picture")
    title = letter.words("post.hand", table=letter.table.id, title=letter.words(f"{letter.table.game}.title"))
    view = controls.view(
        controls.playing(letter.table, letter.words, letter.version, letter.row.mark, secret=True)
    )
    own_map = None
    if letter.pictured == "yes":
        own_map, _ = await drawn(letter.studio, "own_ground", scene)
    elif good and has(scene.game, "own_ground"):
        trouble = letter.words("post.no-map")
    lines = [title, controls.place_link(letter.table), trouble]
    if own is not None:
        lines.append(own.lines)
        view = own.view
    content = cut("\n".join(line for line in lines if line))
    if own_map is None:
        return Post(content, view, picture)
    return Post(content, view, own_map, ended=picture)


async def ready(letter: Letter) -> Post:
    """Who has made his secret choice, and who is still to: a line without a board, which pings nobody."""
    caption = await asyncio.to_thread(painter(letter.table.game).caption, letter.scene(letter.spoken_names()))
    view = controls.view(controls.playing(letter.table, letter.words, letter.version, letter.row.mark))
    return Post(cut(caption), view)


def sentence(letter: Letter, key: str, params: Mapping[str, Any]) -> str:
    """A message of the catalogue with the names of this table."""
    kept = {name: value for name, value in params.items() if name not in ("game", "names")}
    if isinstance(kept.get("span"), int):
        kept["span"] = controls.span(kept["span"], letter.words)
    if isinstance(kept.get("clock"), dict):
        kept["words"] = controls.clock_words(kept["clock"], letter.words)
    for name in TYPED & kept.keys():
        kept[name] = plain(str(kept[name] or ""))
    return letter.words(key, game=letter.table.game, names=letter.spoken_names(), **kept)


async def line(letter: Letter) -> Post:
    """One sentence at the table, with a button that its row is known by."""
    params = {"table": letter.table.id, **(letter.data.get("params") or {})}
    code = letter.data.get("code", "")
    text = sentence(letter, f"line.{code}", params)
    content = addressed(text, letter)
    secret = code == "dm-closed"
    buttons = controls.of_status(letter.table, letter.words, letter.version, letter.row.mark, secret=secret)
    return Post(cut(content), controls.view(buttons), mention=letter.mention)


async def vote(letter: Letter) -> Post:
    """A question to the other players."""
    params = {**letter.data, **(letter.data.get("params") or {})}
    kind = params["kind"]
    if kind == "replace":
        kind = "replace-bot" if params.get("level") else "replace-user" if params.get("user") else "replace"
    if kind == "time" and params["to"] == params["by"]:
        kind = "time-own"
    text = sentence(letter, f"line.vote-{kind}", params)
    buttons = controls.ballot(letter.table, letter.words, int(params["vote"]), letter.row.mark)
    return Post(cut(addressed(text, letter)), controls.view(buttons), mention=letter.mention)


async def reminder(letter: Letter) -> Post:
    """Who has not acted for long, with the way to the board and a way to be left alone."""
    table, words, row = letter.table, letter.words, letter.row.mark
    buttons = controls.playing(table, words, letter.version, row)
    buttons.append(TableButton(Press(table.id, letter.version, "later"), words("button.later")))
    text = sentence(letter, "line.reminder", letter.data.get("params") or {})
    return Post(cut(addressed(text, letter)), controls.view(buttons), mention=letter.mention)


async def offer(letter: Letter) -> Post:
    """A seat that somebody else may take, or (`claim`) a player without time, whom the others may leave."""
    verb = "take" if letter.row.kind == "offer" else "claim"
    params = letter.data.get("params") or {}
    press = Press(letter.table.id, letter.version, f"{verb}.{params['seat']}", letter.row.mark)
    button = TableButton(press, letter.words(f"button.{verb}"), "primary" if verb == "take" else "danger")
    text = sentence(letter, f"line.{letter.data['code']}", params)
    if verb == "take" and isinstance(engine(letter.table.game), Secrets):
        text = joined([text, letter.words("line.offer-hand")])
    buttons = [button]
    if verb == "claim":
        give = Press(letter.table.id, letter.version, f"give.{params['seat']}")
        buttons.append(TableButton(give, letter.words("button.give")))
    if letter.data["code"] == "offer-to":
        no = Press(letter.table.id, letter.version, f"decline.{params['seat']}")
        buttons.append(TableButton(no, letter.words("button.decline")))
    return Post(cut(addressed(text, letter)), controls.view(buttons), mention=letter.mention)


async def call(letter: Letter) -> Post:
    """By DM: a table waits for its reader, with the way to act from here.

    Where that is wished, with the way to the table; else because nothing can be posted there.
    """
    if letter.data["code"] in WISHED:
        return called(letter)
    heading = controls.heading(letter.table, letter.words)
    where = controls.place_link(letter.table)
    text = letter.words(f"line.{letter.data['code']}", heading=heading, where=where, table=letter.table.id)
    seat = letter.table.seat_of(int(letter.row.destination.partition(":")[2]))
    if letter.data["code"] == "barred" and seat in letter.table.to_act:
        text = joined([text, letter.words("line.your-turn")])
    buttons = controls.of_status(letter.table, letter.words, letter.table.version, letter.row.mark)
    return Post(cut(text), controls.view(buttons))


def called(letter: Letter) -> Post:
    """To a turn, where its reader wishes to be called: in a line, with the panel and the way to the table."""
    table, words = letter.table, letter.words
    params = {**(letter.data.get("params") or {}), "heading": controls.heading(table, words)}
    text = sentence(letter, f"line.{letter.data['code']}", params)
    buttons = controls.of_status(table, words, table.version, letter.row.mark)
    if letter.data["code"] == "call-reminder":
        buttons.append(TableButton(Press(table.id, table.version, "later"), words("button.later")))
    rows = Rows(*buttons, Button(words("button.go"), url=controls.board_url(table)))
    return Post(cut(text), rows)


def addressed(text: str, letter: Letter) -> str:
    """The text, headed by those who are to be pinged and are not named in it.

    A mention has letters from left to right: before a sentence of the other direction a mark says which way
    the line runs, else its full stop would stand on the wrong side.
    """
    missing = [user for user in letter.mention if f"<@{user}>" not in text]
    if not missing:
        return text
    apart = isolated if letter.words.rtl else str  # else the `@` of a mention stands behind its name
    line = f"{' '.join(apart(f'<@{user}>') for user in missing)}{letter.words('words.colon')}{text}"
    return f"{RIGHT_TO_LEFT_MARK}{line}" if letter.words.rtl else line


KINDS = {
    "lobby": lobby,
    "board": board,
    "over": board,
    "hand": hand,
    "sheet": hand,
    "line": line,
    "vote": vote,
    "ready": ready,
    "nudge": line,
    "recap": recap,
    "reminder": reminder,
    "offer": offer,
    "claim": offer,
    "call": call,
    TROPHY: trophy,
}
