"""Our statements as PostgreSQL says them. What differs is little: marks, two comparisons, an empty list."""

from __future__ import annotations

import re
from functools import lru_cache

# text is left as it is; then marks, and what SQLite writes in another way
WORDS = re.compile(
    r"""'[^']*'
    | (?P<isnt>\bIS\s+NOT\s+(?=\?))      # NULL is like NULL
    | (?P<is>\bIS\s+(?=\?))
    | (?P<none>\bNOT\s+IN\s*\(\s*\))     # nothing is in a list of nothing
    | (?P<nothing>\bIN\s*\(\s*\))
    | (?P<order>\bCROSS\s+JOIN\b)        # SQLite's word for: in this order
    | (?P<begin>\bBEGIN\s+IMMEDIATE\b)
    | \?(?P<number>\d*)""",
    re.VERBOSE,
)
SAID = {
    "isnt": "IS DISTINCT FROM ",
    "is": "IS NOT DISTINCT FROM ",
    "none": "<> ALL ('{}')",
    "nothing": "= ANY ('{}')",
    "order": "JOIN",
    "begin": "BEGIN",
}


@lru_cache(4096)
def said(sql: str) -> str:
    """The statement with `$1` for `?` or `?1`."""
    count = 0

    def word(match: re.Match[str]) -> str:
        nonlocal count
        kind = match.lastgroup
        if kind is None:
            return match[0]
        if kind != "number":
            return SAID[kind]
        count += 1
        return f"${match['number'] or count}"

    return WORDS.sub(word, sql)
