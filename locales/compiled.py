"""A compiled catalogue as it lies in its file: a message is looked for there when somebody asks for it.

Where each is read into strings of its own, as `GNUTranslations` does, four languages are 4 MB of a process.
"""

from __future__ import annotations

import struct
import sys
from bisect import bisect_left
from gettext import NullTranslations, c2py
from pathlib import Path

MAGIC = 0x950412DE
PLURAL = "plural="  # in the header: which of the forms a number takes


class Compiled(NullTranslations):
    """A .mo file of ours: its messages are in order, and in UTF-8."""

    def __init__(self, path: Path) -> None:
        """Raises OSError, ValueError, struct.error, IndexError where it cannot be read or is damaged."""
        super().__init__()
        self._data = path.read_bytes()
        magic, _, self._count, self._ids, self._texts = struct.unpack_from("<5I", self._data)
        ids = [self._at(self._ids, place) for place in range(self._count)]
        header, *_ = [self._at(self._texts, place).decode() for place in range(self._count)]
        if magic != MAGIC or ids != sorted(ids):
            raise ValueError("no catalogue of ours")
        forms = header.partition(PLURAL)[2].partition(";")[0]
        self._form = c2py(forms) if forms else lambda n: int(n != 1)

    def gettext(self, message: str) -> str:
        """The template of a message, the message itself where there is none."""
        return message if "\0" in message else self._found(message) or message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The template for `n`, one of the two messages where there is none."""
        forms, form = (self._found(f"{msgid1}\0{msgid2}") or "").split("\0"), self._form(n)
        if form >= len(forms) or not forms[form]:
            return msgid1 if n == 1 else msgid2
        return sys.intern(forms[form])

    def _found(self, key: str) -> str | None:
        """What stands for a message, or for one with its plural; None where it is not there."""
        wanted = key.encode("utf-8", "surrogatepass")
        place = bisect_left(range(self._count), wanted, key=lambda one: self._at(self._ids, one))
        if place == self._count or self._at(self._ids, place) != wanted:
            return None
        return sys.intern(self._at(self._texts, place).decode())  # each language keeps what it has said

    def _at(self, table: int, place: int) -> bytes:
        """The bytes that an entry of a table names."""
        size, begin = struct.unpack_from("<2I", self._data, table + 8 * place)
        found = self._data[begin : begin + size]
        if len(found) != size:
            raise ValueError("it was cut off")
        return found
