"""The real worker loop with a painter made for tests: it draws one dot, dies, hangs or fails."""

import os
import signal

from workers import __main__
from workers.serving import serve


def draw(part, sketch):
    if sketch["action"] == "fail":
        raise ValueError(f"secret of {sketch['names']}")
    if sketch["action"] == "die":
        os._exit(9)
    if sketch["action"] == "hang":
        signal.pause()
    return ["dot.png", part, False], b"\x89PNG\r\n\x1a\n"


if __name__ == "__main__":
    __main__.TASKS["draw"] = draw
    serve(__main__.answer)
