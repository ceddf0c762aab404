"""Measures the checkout it is run in, of today or of an earlier day: what bench.compare starts.

It uses only what both states have by the same name: the world of the tests' scenes, the house of bench.play.
For each line it reads it takes a turn and prints a line of JSON, name -> milliseconds of CPU, one or more.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Iterator
from contextlib import AsyncExitStack, aclosing, contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path[0] = str(Path.cwd())  # the state that is measured, not the one this file belongs to

MOVES, ACTIONS = 4, 5  # in a turn

SETTLES_S = 0.05  # between two looks of SimCord, in both states, whatever their tests wish
EMPTY = 2_000  # steps in which nothing is done
Samples = dict[str, list[float]]


async def start(folder: str) -> AsyncGenerator[Samples, None]:
    """From the first line of the process to a bot that is ready; on a database there, once it was made."""
    scenes: Any = import_module("tests.discord.conftest")
    scenes.QuickBot = scenes.HatamotoBot  # the tests' own one translates its commands once
    imported, spent = time.process_time() * 1000, Spent()
    async with AsyncExitStack() as world:
        with spent.step():  # what the simulated Discord takes to hand out and keep commands is not the bot's
            await world.enter_async_context(scenes.simulated(Path(folder, "hatamoto.db"), scenes.EnvClock()))
        after = spent.spent_s * 1000
    yield {"start": [imported + after], "start, after its modules": [after]}


def undrawn() -> Any:
    """The tests' scenes, in which nothing is drawn."""
    scenes: Any = import_module("tests.discord.conftest")

    async def sketch(_: object, part: str, _scene: object) -> Any:
        return import_module("render").Picture(b"", f"{part}.png", "a sketch")

    scenes.HereStudio.draw = sketch
    (scenes.Env._settle_internal.__kwdefaults__ or {})["idle"] = SETTLES_S  # noqa: SLF001
    return scenes


class Spent:
    """CPU time of the bot's own answers: its steps and its threads, without the simulated Discord's work."""

    def __init__(self) -> None:
        self.spent_s = self._empty_s = 0.0
        self._aside = True  # out of a step nothing is left out of it
        for _ in range(EMPTY):
            with self.step():
                pass
        self._empty_s, self.spent_s = self.spent_s / EMPTY, 0.0  # what the measuring of a step takes itself
        router, copy = import_module("simcord.http.router"), import_module("copy")
        vars(router)["dispatch"] = self._left_out(router.dispatch)
        client = import_module("simcord.http.client")
        for module in (client, router):
            if "parse_form" in vars(module):  # what came with files is read by it
                vars(module)["parse_form"] = self._left_out(module.parse_form)
        vars(copy)["deepcopy"] = self._left_out(copy.deepcopy)  # of each payload, on its way
        view, tree = import_module("discord.ui.view"), import_module("discord.app_commands")
        self._watch(view.ViewStore, "schedule_dynamic_item_call")  # of states that left presses to discord.py
        self._watch(import_module("bot").HatamotoBot, "on_interaction")
        self._watch(tree.CommandTree, "_call")
        self._count_threads(import_module("concurrent.futures.thread").ThreadPoolExecutor)
        self._count_gathered()

    @contextmanager
    def step(self) -> Iterator[None]:
        """A step of an answer; what is in one already counts once."""
        if not self._aside:
            yield
            return
        begun, self._aside = time.thread_time(), False
        try:
            yield
        finally:
            self.spent_s += time.thread_time() - begun - self._empty_s
            self._aside = True

    def _left_out(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def run(*given: Any, **named: Any) -> Any:
            if self._aside:
                return work(*given, **named)
            begun, self._aside = time.thread_time(), True
            try:
                return work(*given, **named)
            finally:
                self.spent_s -= time.thread_time() - begun
                self._aside = False

        return run

    def _watch(self, kind: Any, name: str) -> None:
        """Counts the steps of what discord.py starts for an interaction."""
        plain = getattr(kind, name)

        async def run(*given: Any, **named: Any) -> Any:
            return await Steps(plain(*given, **named), self)

        setattr(kind, name, run)

    def _count_gathered(self) -> None:
        """What a step asks for at once is carried out in tasks of its own."""
        plain = asyncio.gather

        def gather(*several: Any, **named: Any) -> Any:
            if not self._aside:
                several = tuple(Steps(one, self) if asyncio.iscoroutine(one) else one for one in several)
            return plain(*several, **named)

        vars(asyncio)["gather"] = gather

    def _count_threads(self, pool: Any) -> None:
        plain = pool.submit

        def submit(executor: Any, work: Callable[..., Any], *given: Any, **named: Any) -> Any:
            def run() -> Any:
                begun = time.thread_time()
                try:
                    return work(*given, **named)
                finally:
                    self.spent_s += time.thread_time() - begun

            return plain(executor, run)

        pool.submit = submit


class Steps:
    """A coroutine whose steps are counted."""

    def __init__(self, work: Coroutine[Any, Any, Any], spent: Spent) -> None:
        self._work, self._spent = work, spent

    def __await__(self) -> Generator[Any, Any, Any]:
        step: Callable[[], Any] = partial(self._work.send, None)
        while True:
            with self._spent.step():
                try:
                    asked = step()
                except StopIteration as end:
                    return end.value
            try:
                step = partial(self._work.send, (yield asked))
            except BaseException as error:  # noqa: BLE001 - it is handed on
                step = partial(self._work.throw, error)


async def answers() -> AsyncGenerator[Samples, None]:
    """Commands and presses on a simulated Discord, until they are answered; nothing is drawn."""
    scenes, spent = undrawn(), Spent()
    found = Samples()

    async def timed(name: str, ask: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        before = spent.spent_s
        shown = await ask()
        found[f"answer to {name}, drawing left out"] = [(spent.spent_s - before) * 1000]
        return shown

    with TemporaryDirectory() as folder:
        async with scenes.simulated(Path(folder, "hatamoto.db"), scenes.EnvClock()) as world:
            thread, ann, ben = await world.start("match=marathon seat=first"), world.ann, world.ben
            await ann.slash(
                world.channel, "game new", game="rokumon", opponent=ben.user, options="seat=first"
            )
            await ben.slash(world.channel, "game join", table=2)
            rokumon = world.thread()
            while True:
                mover = await world.to_move()
                await timed("completions of /move", partial(mover.autocomplete, thread, "move", "move", ""))
                await timed("/board", partial(ann.slash, thread, "board"))
                await timed("/hand", partial(ann.slash, rokumon, "hand"))
                await timed("/games", partial(ann.slash, world.channel, "games"))
                await timed("/game info", partial(ann.slash, thread, "game info"))
                board = next(one for one in reversed(thread.history()) if "Your turn" in labels(one))
                turn = scenes.button(board, "Your turn")
                shown = await timed("Your turn", partial(mover.click, board, custom_id=turn))
                await timed("a choice", partial(chosen, scenes, mover, scenes.answer_of(shown)))
                offered = await world.moves(thread)
                action = offered[len(offered) // 2]
                await timed("/move", partial(mover.slash, thread, "move", move=action))
                yield found


def labels(message: Any) -> list[str]:
    """What stands on the buttons of a message, however it is laid out."""
    found, left = list[str](), list(message.components)
    while left:
        part = left.pop()
        found.append(getattr(part, "label", None) or "")
        left += getattr(part, "children", ())
    return found


async def chosen(scenes: Any, mover: Any, panel: Any) -> Any:
    """The first thing that a panel offers."""
    first = next(iter(scenes.controls(panel)), None)
    return await mover.click(panel, custom_id=first)


async def move() -> AsyncGenerator[Samples, None]:
    """Moves of Kamisado typed on a simulated Discord, until what follows is posted; nothing is drawn."""
    scenes = undrawn()
    with TemporaryDirectory() as folder:
        async with scenes.simulated(Path(folder, "hatamoto.db"), scenes.EnvClock()) as world:
            channel = await world.start("match=marathon seat=first")
            while True:
                samples: list[float] = []
                while len(samples) < MOVES and (mover := await world.to_move()):
                    offered = await world.moves(channel)
                    action = offered[len(offered) // 2]
                    begun = time.process_time()
                    result = await mover.slash(channel, "move", move=action)
                    samples.append((time.process_time() - begun) * 1000)
                    assert scenes.text_of(result)
                yield {"/move, drawing left out": samples}


async def play(game: str) -> AsyncGenerator[Samples, None]:
    """Random games: each action's commit, and each post with its pictures."""
    bench: Any = import_module("bench.play")
    commit, post, seen = f"commit of an action, {game}", f"post with its picture, {game}", 0
    async with bench.house() as home:
        players, chance = bench.people(0), bench.Chance(bytes(32), 0)
        writer = bench.Writer(home.database, home.tables, bench.Languages(home.database))
        table = await home.table(game, players)
        gc.collect()
        gc.freeze()  # as the bot does at its start: modules are not walked over while somebody plays
        while True:
            samples: defaultdict[str, list[float]] = defaultdict(list)
            while len(samples[commit]) < ACTIONS:
                action = await home.move(table, players, chance)
                if action is None:
                    table = await home.table(game, players)
                    continue
                begun = time.process_time()
                await home.tables.act(table, action[0].id, action[1], interaction_id=next(home.ids))
                samples[commit].append((time.process_time() - begun) * 1000)
                for row in await bench.outbox.waiting(home.database.reads, f"table:{table}"):
                    if row.id > seen and row.kind == "board":
                        begun = time.process_time()
                        await writer.post(row, await home.tables.get(table))
                        samples[post].append((time.process_time() - begun) * 1000)
                    seen = max(seen, row.id)
                    async with home.database.transaction() as tx:
                        await bench.outbox.sent(tx, row.id, row.id, 0)
            yield samples


WHAT: dict[str, Callable[..., AsyncGenerator[Samples, None]]] = {
    "start": start,
    "move": move,
    "answers": answers,
    "play": play,
}


async def take_turns(turns: AsyncGenerator[Samples, None]) -> None:
    """A turn for each line read; the loop stands still meanwhile, as its time is the other state's."""
    async with aclosing(turns):
        while sys.stdin.readline():
            print(json.dumps(await anext(turns)), flush=True)


if __name__ == "__main__":
    asyncio.run(take_turns(WHAT[sys.argv[1]](*sys.argv[2:])))
