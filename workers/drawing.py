"""Where pictures are drawn: in processes of their own, so that answers never wait for one."""

from __future__ import annotations

import asyncio
import io
import logging
import os
from collections.abc import Sequence
from threading import BoundedSemaphore
from typing import Protocol

from engines.protocol import Json
from render import Picture, Scene, drawing, has
from render.scene import once
from workers.metrics import RENDER
from workers.process import WORKER, FaultError, Worker, WorkerError

log = logging.getLogger("hatamoto.studio")
LIMIT_S = 20.0  # a picture takes a tenth of a second; a machine may be very busy
MOST = 2_000  # pictures of one process
REST_S = 3_600.0  # seconds without a picture after which its process ends
Signs = dict[str, tuple[str, str, bytes]]  # `render.emoji.all_drawn`
SLOTS = BoundedSemaphore(2)  # pictures at a time in this process: more only keep the answers waiting


class StudioError(Exception):
    """A picture could not be drawn: a fault of ours."""


class Studio(Protocol):
    """Draws parts of scenes (`render.drawing`)."""

    async def draw(self, part: str, scene: Scene) -> Picture | None:
        """The picture, None where the game has none of this part. May fail by any exception."""

    def expect(self, game: str, locale: str) -> None:
        """Pictures of this game, with words of this language, are about to be asked for."""

    async def signs(self) -> Signs:
        """Every sign of every game, to become emoji. May fail as `draw`."""

    async def close(self) -> None:
        """Ends what it has running."""


class HereStudio:
    """Draws in a thread of this process: for scripts and tests, which have no use for a second one."""

    async def draw(self, part: str, scene: Scene) -> Picture | None:
        """The picture, or what the painter raised."""
        return await asyncio.to_thread(self._draw, part, scene)

    def expect(self, game: str, locale: str) -> None:
        """The first picture comes when it comes."""

    async def signs(self) -> Signs:
        """All that is drawn."""
        from render.emoji import all_drawn

        return await asyncio.to_thread(all_drawn)

    async def close(self) -> None:
        """Nothing runs."""

    def _draw(self, part: str, scene: Scene) -> Picture | None:
        with SLOTS, RENDER.time():
            return drawing(part)(scene)


class Workshop:
    """Draws in worker processes, one less than the machine has cores, at most two.

    A worker gets the scene of one viewer and nothing else. One that dies is started anew; one that hangs
    is killed after LIMIT_S.
    """

    def __init__(
        self, command: Sequence[str] = WORKER, *, limit_s: float = LIMIT_S, most: int = MOST
    ) -> None:
        self._command, self._limit_s = command, limit_s
        count = max(1, min(2, (os.cpu_count() or 1) - 1))
        self._expected: set[tuple[int | None, str, str]] = set()  # by the process that is ready
        self._warming: set[asyncio.Task[None]] = set()
        self._workers = [Worker(command, limit_s=limit_s, most=most, rest_s=REST_S) for _ in range(count)]

    @property
    def pids(self) -> tuple[int, ...]:
        """The process ids of those that run."""
        return tuple(worker.pid for worker in self._workers if worker.pid is not None)

    async def draw(self, part: str, scene: Scene) -> Picture | None:
        """The picture. Raises StudioError, WorkerError."""
        if not has(scene.game, part):
            return None
        worker = min(self._workers, key=lambda one: one.waiting)
        try:
            with RENDER.time():
                return await worker.ask(lambda: ["draw", part, sketch(scene)], picture_of)
        except FaultError as fault:
            log.error("a worker failed: %s", fault)  # noqa: TRY400 - the place is the worker's
            raise StudioError(part) from None

    def expect(self, game: str, locale: str) -> None:
        """Lets the worker that draws the next picture get ready for this game, once in its life."""
        worker = min(self._workers, key=lambda one: one.waiting)
        what = worker.pid, game, locale
        if worker.pid is not None and what in self._expected:
            return
        task = asyncio.create_task(self._warm(worker, game, locale), name=f"warming for {game}")
        self._warming.add(task)
        task.add_done_callback(self._warming.discard)

    async def _warm(self, worker: Worker, game: str, locale: str) -> None:
        try:
            await worker.ask(lambda: ["warm", game, locale], lambda _, __: None)
        except WorkerError as error:  # whoever asks for a picture will hear of it
            log.warning("a worker could not get ready for %s: %s", game, error)
        else:
            self._expected.add((worker.pid, game, locale))

    async def signs(self) -> Signs:
        """From a process that ends with them: a start alone asks for them. Raises WorkerError."""
        worker = Worker(self._command, limit_s=self._limit_s)
        try:
            return await worker.ask(lambda: ["signs"], signs_of)
        finally:
            await worker.close()

    async def close(self) -> None:
        """Ends the processes at once."""
        for task in self._warming:
            task.cancel()
        for worker in self._workers:
            await worker.close()


@once
def sketch(scene: Scene) -> dict[str, Json]:
    """The scene as a worker gets it: of one scene several parts may be drawn."""
    return scene.packed()


def picture_of(answer: tuple[str, str, bool] | None, png: bytes) -> Picture | None:
    """A worker's answer as the picture."""
    if answer is None:
        return None
    filename, alt, focus = answer
    return Picture(png, filename, alt, focus)


def signs_of(told: list[tuple[str, str, str, int]], pngs: bytes) -> Signs:
    """A worker's answer as the signs."""
    file = io.BytesIO(pngs)
    return {name: (game, code, file.read(size)) for name, game, code, size in told}


async def drawn(studio: Studio, part: str, scene: Scene) -> tuple[Picture | None, bool]:
    """A picture and whether it could be drawn; where it fails the game goes on in words."""
    try:
        return await studio.draw(part, scene), True
    except Exception:
        log.exception("a picture could not be drawn")
        return None, False
