"""The catalogues' sources, each read once for all tests of a process."""

from __future__ import annotations

from functools import cache

from locales.__main__ import read as read_po

read = cache(read_po)
