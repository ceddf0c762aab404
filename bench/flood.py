"""A flood at the shipped process: `python -m bench.flood`, with Discord and the players on the same machine.

A few accounts press replay, import records and ask for completions as fast as they can, all at once, while a
backup is made; beside them others play at a steady rate. That is done again and again, each time by other
accounts, so that the slowest of the players' moves is one of many. What counts is how long the players wait,
and the memory of the bot with all its processes, against the same players on the same bot without the flood.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

from bench.figures import HEADS, Figure, cells, compiled, percentile
from bench.load import Script, prepared
from bench.many import workers
from bench.play import here
from tests.messages import parts_of
from tests.process.attacks import long_record
from tests.process.discord_client import DEFER, DEFER_UPDATE, ROOT, Discord, Json, User, loopback
from tests.process.hatamoto_process import Hatamoto, running, start

FLOODS = 4
PLAYED = 115  # tables of the players
ACCOUNTS = 5  # of each flood, so that the limits of one account are not all that holds
PRESSES, IMPORTS, COMPLETIONS = 300, 60, 300
ENTRIES = 2_000  # of the record that is stepped through and imported: as many as an import may have
RATE = 4.0  # actions a second of the players
QUIET_S, STILL_S = 15.0, 4.0
PATIENCE_S = 90.0  # for the players' last answers
AIM_MS, AIM_MB = 1_000.0, 200.0


@dataclass
class Seen:
    """When each interaction was sent and wholly answered, by the loopback's clock, and what was said."""

    sent: dict[str, float] = field(default_factory=dict)
    first: dict[str, float] = field(default_factory=dict)
    whole: dict[str, float] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)

    def take(self, entry: Json) -> None:
        """One entry of the loopback's log."""
        name = str(entry["interaction"])
        if entry["kind"] == "interaction":
            self.sent[name] = entry["at"]
            return
        self.first.setdefault(name, entry["at"])
        if entry["callback"] not in {DEFER, DEFER_UPDATE}:
            self.whole.setdefault(name, entry["at"])
            self.said[name] = str((entry.get("message") or {}).get("content", ""))

    def waits(self, names: list[str]) -> list[float]:
        """Milliseconds to the whole answer; what was never answered waited for the patience of this bench."""
        late = PATIENCE_S * 1000
        return [(self.whole[n] - self.sent[n]) * 1000 if n in self.whole else late for n in names]

    def span(self, flood: Flood) -> float:
        """Seconds from the first that a flood sent to the last answer of it."""
        answered = [n for n in flood.sent if n in self.first]
        sent = [self.sent[n] for n in flood.sent if n in self.sent]
        return max(self.first[n] for n in answered) - min(sent) if answered else float("inf")


# -- what goes on ----------------------------------------------------------------------------------------


async def follow(discord: Discord, seen: Seen, at: int) -> None:
    """Reads the loopback's log from this entry on."""
    while True:
        for entry in await discord.control("log", start=at, seconds=1.0, kinds=["interaction", "answer"]):
            at = entry["n"] + 1
            if entry["kind"] in ("interaction", "answer"):
                seen.take(entry)
        await asyncio.sleep(0.2)


async def play(discord: Discord, scripts: deque[Script], until: asyncio.Event) -> list[str]:
    """Players act in turn at a steady rate, whatever the bot does."""
    names, begin = list[str](), time.monotonic()
    while not until.is_set() and scripts:
        script = scripts.popleft()
        player, text = script.deeds.popleft()
        options = {"move": text, "table": script.number}
        names.append(await discord.send(player, script.channel, command="move", options=options))
        if script.deeds:
            scripts.append(script)
        await asyncio.sleep(max(0.0, begin + len(names) / RATE - time.monotonic()))
    return names


async def press(discord: Discord, who: User, shown: Json, times: int) -> list[str]:
    """Presses whatever may be pressed of a replay, without waiting for the answers."""
    ids = [part["custom_id"] for part in parts_of(shown) if "custom_id" in part]
    names, buttons = list[str](), cycle(ids)
    while len(names) < times:
        for custom_id in [next(buttons) for _ in ids]:
            try:
                what = {"message": shown["id"], "press": custom_id}
                names.append(await discord.send(who, shown["channel_id"], **what))
                break
            except LookupError:
                continue  # it leads nowhere from the moment that is shown
        else:
            await asyncio.sleep(0.01)
    return names


async def bring(discord: Discord, who: User, channel: str, file: Path, times: int) -> list[str]:
    """Imports the same record again and again."""
    options = {"record": str(file)}
    return [await discord.send(who, channel, command="game import", options=options) for _ in range(times)]


async def typed(discord: Discord, who: User, script: Script, times: int) -> list[str]:
    """Asks for completions of a move."""
    what = {"command": "move", "options": {"move": "", "table": script.number}, "focused": "move"}
    return [await discord.send(who, script.channel, **what) for _ in range(times)]


async def weigh(bot: Hatamoto, found: list[tuple[float, dict[str, float]]]) -> None:
    """Notes how much memory the bot's process has, and what it and all its workers have together.

    Of the one what is resident (RSS); of all together their parts (PSS), in which a page that several have
    in common counts once.
    """
    while True:
        with suppress(FileNotFoundError, ProcessLookupError, StopIteration):  # one ended at this moment
            own = [bot.process.pid, *workers(bot.process.pid)]
            parts = {named(one): part_of(one, "Pss") for one in own}
            found.append((part_of(own[0], "Rss"), parts))
        await asyncio.sleep(0.1)


def named(process: int) -> str:
    """What a process is, and its number: `bot 7`, `workers 8`, `tables.reading 9`."""
    words = Path(f"/proc/{process}/cmdline").read_text().split("\0")
    what = words[words.index("-m") + 1] if "-m" in words else Path(words[1]).stem
    return f"{what} {process}"


def part_of(process: int, kind: str) -> float:
    """A process's memory of a kind in MB."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{kind}:")) / 1024


async def copied(path: Path) -> float:
    """Seconds that a backup takes."""
    path.with_name("copy.db").unlink(missing_ok=True)
    begin = time.monotonic()
    copying = await start(path, "backup", str(path.with_name("copy.db")), log="copy", more=compiled(ROOT))
    if await copying.process.wait():
        raise RuntimeError(copying.words)
    return time.monotonic() - begin


# -- the run ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Attack:
    """Somebody who floods: with a table of theirs, a replay to press, and a record to import."""

    who: User
    script: Script
    shown: Json
    file: Path


@dataclass
class Flood:
    """One flood: what its accounts sent, and the seconds that the backup took."""

    sent: list[str] = field(default_factory=list)
    copied: float = 0.0


async def flooded(discord: Discord, path: Path, attackers: list[Attack]) -> Flood:
    """All of it at once."""
    each, flood = len(attackers), Flood()
    sent = [press(discord, one.who, one.shown, PRESSES // each) for one in attackers]
    sent += [bring(discord, one.who, one.script.channel, one.file, IMPORTS // each) for one in attackers]
    sent += [typed(discord, one.who, one.script, COMPLETIONS // each) for one in attackers]
    copy = asyncio.create_task(copied(path))
    for names in await asyncio.gather(*sent):
        flood.sent += names
    flood.copied = await copy
    return flood


@dataclass
class Run:
    """What one run came to: the players' actions in the quiet and beside the floods, memory, lateness."""

    seen: Seen = field(default_factory=Seen)
    quiet: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    floods: list[Flood] = field(default_factory=list)
    memory: list[tuple[float, dict[str, float]]] = field(default_factory=list)
    lag: float = 0.0


async def measure(idle: int, floods: int) -> list[Figure]:
    """The quiet stretch, then the floods, on the same bot."""
    with tempfile.TemporaryDirectory(prefix="flood-", dir=here()) as folder:
        path, file = Path(folder) / "flood.db", Path(folder) / "record.json"
        file.write_bytes(long_record(ENTRIES))
        async with loopback() as discord:
            scripts = await prepared(path, discord, ACCOUNTS * floods + PLAYED, idle)
            async with running(discord, path, more=compiled(ROOT)) as bot:
                theirs, ours = scripts[: ACCOUNTS * floods], deque(scripts[ACCOUNTS * floods :])
                attackers = [await armed(discord, script, file) for script in theirs]
                return figures(await run(discord, bot, path, attackers, ours))


async def armed(discord: Discord, script: Script, file: Path) -> Attack:
    """Somebody who is about to flood, with a replay to press."""
    who = script.deeds[0][0]
    shown = await discord.slash(who, script.channel, "game import", record=str(file))
    return Attack(who, script, shown.message, file)


async def run(
    discord: Discord, bot: Hatamoto, path: Path, attackers: list[Attack], ours: deque[Script]
) -> Run:
    """Everything that is measured."""
    found = Run()
    begin = (await discord.control("log", start=0, seconds=0.0, kinds=[]))[-1]["n"] + 1
    tasks = [asyncio.create_task(follow(discord, found.seen, begin))]
    found.quiet = await stretch(discord, ours, found.seen, QUIET_S)
    tasks.append(asyncio.create_task(weigh(bot, found.memory)))
    until = asyncio.Event()
    playing = asyncio.create_task(play(discord, ours, until))
    await discord.control("lag")
    for at in range(0, len(attackers), ACCOUNTS):
        flood = await flooded(discord, path, attackers[at : at + ACCOUNTS])
        found.floods.append(flood)
        await settled(found.seen, set(flood.sent))
    until.set()
    found.beside = await playing
    await patiently(found.seen, found.beside)
    for task in tasks:
        task.cancel()
    found.lag = percentile(await discord.control("lag"), 99)
    return found


async def stretch(discord: Discord, scripts: deque[Script], seen: Seen, seconds: float) -> list[str]:
    """Only the players, for so long."""
    until = asyncio.Event()
    asyncio.get_running_loop().call_later(seconds, until.set)
    names = await play(discord, scripts, until)
    await patiently(seen, names)
    return names


async def settled(seen: Seen, names: set[str]) -> None:
    """Until all of these are answered, or none was for a while: what waited too long gets no answer."""
    end, left = time.monotonic() + STILL_S, len(names)
    while left and time.monotonic() < end:
        await asyncio.sleep(0.2)
        if (now := len(names - seen.first.keys())) < left:
            end, left = time.monotonic() + STILL_S, now


async def patiently(seen: Seen, names: list[str]) -> None:
    """Until all of these are answered, or patience ends."""
    end = time.monotonic() + PATIENCE_S
    while not set(names) <= seen.whole.keys() and time.monotonic() < end:  # noqa: ASYNC110
        await asyncio.sleep(0.1)


def figures(run: Run) -> list[Figure]:
    """One run as lines of a page."""
    seen, found = run.seen, list[Figure]()
    for label, some in (("quiet", run.quiet), ("flood", run.beside)):
        played = sum("Played" in seen.said.get(name, "") for name in some)
        note = f"{len(some)} moves, {played} played"
        waits = seen.waits(some)
        found += [
            Figure(
                f"{label}: a move, p{part}",
                percentile(waits, part),
                "ms",
                aim=AIM_MS if part == 99 and label == "flood" else None,
                note=note,
            )
            for part in (50, 90, 99)
        ]
    sent = [name for flood in run.floods for name in flood.sent]
    silent = len(set(sent) - seen.first.keys())
    note = f"{len(sent)} in {len(run.floods)} floods of {ACCOUNTS} accounts each, {silent} never answered"
    found.append(
        Figure("a flood, until its last answer: the longest", max(map(seen.span, run.floods)), "s", note=note)
    )
    found.append(Figure("a backup meanwhile: the longest", max(flood.copied for flood in run.floods), "s"))
    found.append(Figure("Discord's own lateness in this, p99", run.lag, "ms"))
    own = max(one for one, _ in run.memory)
    parts = max((parts for _, parts in run.memory), key=lambda some: sum(some.values()))
    each = ", ".join(f"{name.rpartition(' ')[0]} {size:.0f}" for name, size in parts.items())
    found.append(Figure("memory of the bot's process alone, the most", own, "MB", note="RSS"))
    label = "with its workers: opponents, pictures, the archive"
    note = f"PSS: shared pages count once; {each}"
    return [*found, Figure(label, sum(parts.values()), "MB", aim=AIM_MB, note=note)]


def main() -> None:
    """Measures and prints."""
    words = argparse.ArgumentParser(prog="python -m bench.flood", description=__doc__)
    words.add_argument("--idle", type=int, default=10_000, help="open tables beside those that are played")
    words.add_argument("--floods", type=int, default=FLOODS, help="one after another, each of other accounts")
    asked = words.parse_args()
    found = asyncio.run(measure(asked.idle, asked.floods))
    lines = ["| " + " | ".join(HEADS) + " |", "|---|--:|--:|---|--:|---|---|"]
    lines += ["| " + " | ".join(cells(figure)) + " |" for figure in found]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
