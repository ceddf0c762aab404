"""What a worker has freed goes back to the system (14)."""

from __future__ import annotations

import gc
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from weakref import WeakSet

import pytest

from workers import heap, serving


def resident_mb():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


@pytest.mark.skipif(heap.trim() is None, reason="the C library cannot give memory back")
def test_pages_between_what_is_still_used_are_given_back():
    several = [bytes(3_000) for _ in range(20_000)]
    kept = several[::20]
    before = resident_mb()
    del several
    heap.give_back()
    assert len(kept) == 1_000
    assert resident_mb() < before - 20


class Circle:
    """Garbage that only the collector finds."""

    def __init__(self):
        self.itself = self


def test_a_worker_collects_garbage_when_its_answer_is_on_its_way(monkeypatch):  # 16.12
    met, left = list[tuple[bool, int]](), WeakSet[Circle]()
    monkeypatch.setattr(os, "nice", lambda _: 0)
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n" * (serving.EVERY + 2)))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO()))
    monkeypatch.setattr(gc, "freeze", lambda: None)  # what tests have is not to stay

    def answer(line):
        met.append((gc.isenabled(), len(left)))
        left.add(Circle())
        return line

    serving.serve(answer)
    assert met == [(False, 0)] * (serving.EVERY + 2)
    assert gc.isenabled()


def test_a_worker_gives_back_after_every_few_answers(monkeypatch):
    asked = []
    monkeypatch.setattr(gc, "freeze", lambda: None)
    monkeypatch.setattr(serving, "give_back", lambda: asked.append(True))
    monkeypatch.setattr(os, "nice", lambda _: 0)
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n" * (2 * serving.EVERY + 1)))
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", out)
    serving.serve(json.loads)
    assert len(asked) == 2
    assert out.buffer.getvalue().count(b'{"answer": 1}\n') == 2 * serving.EVERY + 1


THREADS = """
import ctypes, sys
from threading import Barrier, Thread
from workers.heap import one_heap
if sys.argv[1:]: one_heap()
together = Barrier(4)
def work():
    together.wait()
    some = [bytes(5_000) for _ in range(100)]
    together.wait()
threads = [Thread(target=work) for _ in range(4)]
for one in threads: one.start()
for one in threads: one.join()
libc = ctypes.CDLL(None)
libc.malloc_info(0, ctypes.c_void_p.in_dll(libc, "stdout"))
libc.fflush(None)
"""


@pytest.mark.skipif(heap.trim() is None, reason="another C library")
def test_the_threads_of_the_bot_share_one_heap():
    told = [
        subprocess.run([sys.executable, "-c", THREADS, *more], capture_output=True, text=True, check=True)
        for more in ([], ["one"])
    ]
    several, one = (found.stdout.count("<heap nr=") for found in told)
    assert several > 1
    assert one == 1
