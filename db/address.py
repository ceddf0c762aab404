"""Which database: the path of a file, or the address of a PostgreSQL server."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qsl, unquote, urlsplit

# one letter before a colon is a drive
ADDRESS = re.compile(r"(?i)(?P<kind>[a-z][a-z0-9+.-]+):/|(?P<other>file|sqlite3?|postgres(?:ql)?)(?::|//)")
KINDS = frozenset({"postgresql", "postgres"})
NO_HOST = (
    "must be postgresql://USER:PASSWORD@HOST/NAME, with %40 for @, %2F for / and %25 for % in the password, "
    "or the path of a file: a host or a name is missing"
)


@dataclass(frozen=True)
class Address:
    """A PostgreSQL database; as text it shows no password."""

    url: str

    @property
    def name(self) -> str:
        """What the database is called on its server."""
        return unquote(urlsplit(self.url).path.strip("/"))

    def __str__(self) -> str:
        parts = urlsplit(self.url)
        secret, at, host = parts.netloc.rpartition("@")
        shown = f"{secret.partition(':')[0]}{at}{host}"
        return f"{parts.scheme}://{shown}{parts.path}"

    def __repr__(self) -> str:
        return f"Address({str(self)!r})"


Where: TypeAlias = Path | Address
FILES = Path(os.environ.get("HATAMOTO_FOLDER") or "data")  # for files about a database that is no file


def rooted(where: Where) -> Where:
    """A path from the root; an address names one place from everywhere."""
    return where.absolute() if isinstance(where, Path) else where


def beside(where: Where, end: str) -> Path:
    """A file beside the database that has its name; of one on a server, in a folder of the bot's."""
    place = where if isinstance(where, Path) else FILES / where.name
    return place.with_name(f"{place.name}{end}")


def where_of(text: Where | str) -> Where:
    """What a setting names. Raises ValueError with its fault in one line.

    Not `sqlite:///x.db`, `mysql://...`, `file:x.db?mode=ro`: they would become folders of that name.
    """
    if not isinstance(text, str):
        return text
    given = text.strip()
    match = ADDRESS.match(given)
    if match is None:
        return Path(given)
    kind = (match["kind"] or match["other"]).lower()
    if kind not in KINDS:
        raise ValueError("must be the path of a file or postgresql://..., not an address of another kind")
    try:
        parts = urlsplit(given)
        hosts = [parts.hostname, dict(parse_qsl(parts.query)).get("host")]
        fine = given.startswith(f"{match['kind']}://") and any(hosts) and (parts.port or 1) > 0
        fine = fine and parts.netloc.count("@") < 2
    except ValueError:
        fine = False
    address = Address(given)
    if not fine or not address.name or "/" in address.name:
        raise ValueError(NO_HOST)
    return address
