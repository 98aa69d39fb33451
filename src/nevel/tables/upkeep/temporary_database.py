"""A database that is made to try something, and is gone afterwards."""

# asyncpg comes without types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

import secrets
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

from nevel.tables.storage.database import NOT_OPENED, StorageError
from nevel.tables.storage.storage import is_shared

#: Seconds to get a connection.
CONNECT_SECONDS = 5


@asynccontextmanager
async def temporary_database(url: str) -> AsyncGenerator[str]:
    """An empty database that is gone afterwards: a file, or one of a PostgreSQL server's."""
    if not is_shared(url):
        with tempfile.TemporaryDirectory(prefix="nevel-drill-") as folder:
            yield str(Path(folder) / "nevel.db")
        return
    name = f"nevel_drill_{secrets.token_hex(6)}"
    await administer(url, f"CREATE DATABASE {name}")
    try:
        yield urlsplit(url)._replace(path=f"/{name}").geturl()
    finally:
        await administer(url, f"DROP DATABASE {name} WITH (FORCE)")


async def administer(url: str, statement: str) -> None:
    """Execute a statement that no transaction may hold, such as one that makes a database."""
    # Imported when it is used: not everyone has PostgreSQL.
    import asyncpg

    from nevel.tables.storage.postgres_problems import complaints

    with complaints(NOT_OPENED):
        try:
            connection = await asyncpg.connect(url, timeout=CONNECT_SECONDS)
        except ValueError as problem:  # a URL that can't be read
            raise StorageError(NOT_OPENED, reason=problem) from problem
        try:
            await connection.execute(statement)
        finally:
            await connection.close(timeout=CONNECT_SECONDS)
