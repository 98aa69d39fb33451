"""An empty database of each kind for every test that asks for a `url` or a `storage`."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from nevel.tables.storage.storage import Storage, open_storage
from tests.databases import END_OTHERS, administer, database_url
from tests.tables.storing import Open, Run


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
    yield database_url(postgres_server, "other")
    asyncio.run(administer(postgres_server, "DROP DATABASE other WITH (FORCE)"))


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
