"""Copies of a database as one file, of whatever kind it is; what is put back is put back into a file."""

from __future__ import annotations

import asyncio
from pathlib import Path

from db.address import Address, Where
from db.backup import backup
from db.errors import DatabaseError
from db.upkeep.moving import MoveError, copy_to_file
from db.upkeep.restore import Restored, restore


async def copy(source: Where, target: Path) -> None:
    """One file with everything, of one moment, while the bot runs. Raises DatabaseError."""
    if not isinstance(source, Address):
        await backup(source, target)
        return
    try:
        await asyncio.to_thread(lambda: asyncio.run(copy_to_file(source, target)))
    except MoveError as error:
        raise DatabaseError("corrupt", str(source)) from error


def put_back(copied: Path, database: Where) -> Restored:
    """Puts a copy in the place of the database. Raises DatabaseError, `on-server` where the server does."""
    if isinstance(database, Address):
        raise DatabaseError("on-server", str(database))
    return restore(copied, database)
