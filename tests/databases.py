"""A real PostgreSQL for tests: what they do to it besides using it."""

import contextlib
from collections.abc import AsyncGenerator

import asyncpg

#: Breaks all connections to PostgreSQL but the one it is said on.
END_OTHERS = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'
"""


@contextlib.asynccontextmanager
async def administrator(url: str) -> AsyncGenerator[asyncpg.Connection, None]:
    # Whoever is waited for too long, perhaps a server that was left behind, is told of instead.
    connection = await asyncpg.connect(url, command_timeout=100)
    try:
        yield connection
    finally:
        await connection.close()


async def administer(url: str, *statements: str) -> None:
    async with administrator(url) as connection:
        for statement in statements:
            await connection.execute(statement)


def database_url(server: str, name: str) -> str:
    """The URL of another database of the same server."""
    return server.replace("/postgres?", f"/{name}?")
