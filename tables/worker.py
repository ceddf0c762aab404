"""The opponents' process: `python -m tables.worker` reads questions from stdin until it ends.

A question is a line `[game, view, level, seed in hex, entry]`, its answer `{"action": text}` or
`{"error": text}`.
"""

from __future__ import annotations

import json
import sys
import traceback

from engines.chance import Chance
from engines.opponents import opponent
from engines.registry import engine


def answer(line: str) -> str:
    """The action that the opponent chooses."""
    game, view, level, seed, entry = json.loads(line)
    seen = engine(game).view_type.model_validate(view)
    return opponent(game).choose(seen, level, Chance(bytes.fromhex(seed), entry))


def main() -> None:
    """Answers until the input ends."""
    for line in sys.stdin:
        try:
            reply = {"action": answer(line)}
        except Exception as error:  # noqa: BLE001 - the fault is told to the bot, which logs it
            reply = {"error": "".join(traceback.format_exception(error))}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
