"""Where a fault happened, told without what it was about: an error's words may quote a hand."""

from __future__ import annotations

import traceback


def places(error: BaseException) -> str:
    """Files and lines from the innermost call out; no source file is read into memory for it."""
    frames = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    return " < ".join(f"{name.rpartition('/')[2]}:{line}" for name, line in reversed(frames))
