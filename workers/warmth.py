"""What a worker does while nobody asks: it reads in and draws what every first picture needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator


def warm() -> Iterator[Callable[[], object]]:
    """Steps, none of them long: between two of them a question may be answered."""
    yield lambda: None
