"""What a worker process does with its questions: a line of JSON each from stdin, until it ends.

A question is `[task, ...]`, its answer `{"answer": ...}` or `{"fault": place}`; `{"answer": ..., "bytes": n}`
where n bytes come after its line.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable

from engines.protocol import Json
from workers.heap import give_back
from workers.trace import places

# The bot's own process goes first: an answer is waited for, a picture comes after it. Not by more than this:
# beside busy programs a process at 19 gets a hundredth of the machine, and would be killed as one that hangs.
NICE = 5
YOUNG = 1  # the generation up to which garbage is collected after each of the others
EVERY = 8  # answers, after which what they needed is given back: 25 MB of a process that draws


def serve(answer: Callable[[str], Json | tuple[Json, bytes]]) -> None:
    """Answers until the input ends, or nobody reads the answers any more: then it ends without a word.

    Garbage is collected when an answer is on its way, not while it is waited for.
    """
    os.nice(NICE)
    gc.disable()
    out = sys.stdout.buffer
    try:
        for number, line in enumerate(sys.stdin, 1):
            data = b""
            try:
                reply: dict[str, Json] = {"answer": answer(line)}
                if isinstance(reply["answer"], tuple):
                    said, data = reply["answer"]
                    reply = {"answer": said, "bytes": len(data)}
            except Exception as error:  # noqa: BLE001 - the fault is told to the bot, which logs it
                reply = {"fault": f"{type(error).__name__} at {places(error)}"}
            out.write(json.dumps(reply).encode() + b"\n" + data)
            out.flush()
            if number % EVERY == 0:
                gc.collect()
                if number == EVERY:
                    gc.freeze()  # its modules, which stay
                give_back()
            else:
                gc.collect(YOUNG)
    except BrokenPipeError:
        os._exit(0)  # an orderly exit would try to write what is left once more, and complain
    finally:
        gc.enable()
