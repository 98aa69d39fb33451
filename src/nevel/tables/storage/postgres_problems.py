"""PostgreSQL's problems as ours: what may have been done for all we know, and what certainly wasn't."""

# asyncpg comes without types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from collections.abc import Generator
from contextlib import contextmanager

import asyncpg

from nevel.tables.storage.database import UNCERTAIN, StorageError, UncertainError

PROBLEMS = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
#: The classes of errors after which a statement may have been done: the connection is lost, the server goes down.
UNSETTLED = ("08", "57")


@contextmanager
def complaints(complaint: str, may_be_done: bool = False) -> Generator[None, None, None]:
    """Turn asyncpg's exceptions into StorageErrors: UncertainErrors where the statement may have been committed."""
    try:
        yield
    except PROBLEMS as problem:
        is_settled = isinstance(problem, asyncpg.DataError) or (
            isinstance(problem, asyncpg.PostgresError) and str(getattr(problem, "sqlstate", ""))[:2] not in UNSETTLED
        )
        if may_be_done and not is_settled:
            raise UncertainError(UNCERTAIN, reason=describe(problem)) from problem
        raise StorageError(complaint, reason=describe(problem)) from problem


def describe(problem: BaseException) -> str:
    return str(problem) or type(problem).__name__
