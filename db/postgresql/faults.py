"""PostgreSQL's faults as one clear line each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from db.errors import DatabaseError, RowError

# by SQLSTATE or the class of it, its first two signs
BY_STATE = {
    "53100": "full",
    "53200": "failing",  # out of memory
    "53300": "crowded",
    "58": "failing",  # of the system below it
    "55P03": "locked",
    "57014": "locked",  # it took longer than it may
    "40P01": "locked",
    "25006": "read-only",
    "XX001": "corrupt",
    "XX002": "corrupt",
    "28": "refused",
    "3D000": "missing-there",
    "42501": "refused",
    "57P": "unreachable",  # it ends, or begins
    "08": "unreachable",
}


def code_of(error: psycopg.Error) -> str | None:
    """The code of a fault of storage, None where our own statement is wrong."""
    state = error.sqlstate
    if state is None:
        return "unreachable" if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError) else None
    return next((BY_STATE[part] for part in (state, state[:3], state[:2]) if part in BY_STATE), None)


@contextmanager
def reported(where: object) -> Iterator[None]:
    """Turns PostgreSQL's faults of storage into DatabaseError, rows that are not let in into RowError."""
    try:
        yield
    except psycopg.IntegrityError as error:
        raise RowError(error.diag.message_primary or type(error).__name__) from None  # its detail is the row
    except psycopg.DataError as error:
        raise RowError(type(error).__name__) from None  # its words may be the value's
    except psycopg.Error as error:
        code = code_of(error)
        if code is None:
            raise
        raise DatabaseError(code, str(where)) from error
