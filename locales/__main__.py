"""`python -m locales`: compile every .po beside its .mo. Needs babel, which the bot itself does not."""

from __future__ import annotations

import io
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from locales import BLANK, FALLBACK, FOLDER


def compiled(po: Path) -> bytes:
    """The .mo of a .po file, equal for equal messages.

    English decides which messages say nothing: its empty msgstrs are kept, as BLANK, while in other
    languages an empty one is not translated yet.
    """
    with po.open("rb") as file:
        catalogue = read_po(file, abort_invalid=True)
    catalogue.creation_date = datetime(2000, 1, 1, tzinfo=UTC)  # babel's own default is now
    if po.parts[-3] == FALLBACK:
        for message in catalogue:
            if message.id and not message.string:
                message.string = BLANK
    out = io.BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


def read(language: str) -> dict[str, tuple[str, ...]]:
    """The templates of every message of a language by its code: one, or one for each plural form."""
    found: dict[str, tuple[str, ...]] = {}
    for po in sorted(FOLDER.glob(f"{language}/LC_MESSAGES/*.po")):
        with po.open("rb") as file:
            messages: Any = read_po(file, abort_invalid=True)
        for message in messages:
            key = message.id[0] if isinstance(message.id, tuple) else message.id
            if key:
                found[key] = message.string if isinstance(message.string, tuple) else (message.string,)
    return found


def main() -> int:
    """Compile what changed and say so."""
    for po in sorted(FOLDER.glob("*/LC_MESSAGES/*.po")):
        mo, new = po.with_suffix(".mo"), compiled(po)
        if not mo.exists() or mo.read_bytes() != new:
            mo.write_bytes(new)
            sys.stdout.write(f"{mo.relative_to(FOLDER)}: {len(new)} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
