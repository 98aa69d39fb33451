"""A server for each module of tests, and people who visit it."""

import asyncio
import itertools
import logging
from collections.abc import Iterator

import pytest

from nevel.web.server.warming import warm_bots, warm_rules, warm_study
from tests.databases import administer, database_url
from tests.web.processes import Nursery
from tests.web.serving import LEVELS, Serving, Visitor

numbers = itertools.count()


@pytest.fixture(scope="session")
def compiled() -> None:
    """What is compiled, compiled before any test counts its seconds."""
    warm_rules()
    warm_bots(LEVELS)
    warm_study()


@pytest.fixture(scope="session")
def nursery(compiled: None) -> Iterator[Nursery]:
    one = Nursery()
    yield one
    one.close()


@pytest.fixture(scope="module")
def sqlite_database(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("database") / "nevel.db")


@pytest.fixture(scope="module")
def postgres_database(postgres_server: str) -> Iterator[str]:
    name = f"web{next(numbers)}"
    asyncio.run(administer(postgres_server, f"CREATE DATABASE {name}"))
    yield database_url(postgres_server, name)
    asyncio.run(administer(postgres_server, f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(scope="module")
def database(sqlite_database: str) -> str:
    """Where the module's server keeps its tables; modules for which it matters try both kinds."""
    return sqlite_database


@pytest.fixture(scope="module")
def serving(compiled: None, database: str) -> Iterator[Serving]:
    one = Serving(database)
    one.start()
    yield one
    one.stop()


@pytest.fixture
def ann(serving: Serving) -> Iterator[Visitor]:
    with serving.visitor() as one:
        yield one


@pytest.fixture
def bob(serving: Serving) -> Iterator[Visitor]:
    with serving.visitor() as one:
        yield one


@pytest.fixture
def stranger(serving: Serving) -> Iterator[Visitor]:
    with serving.visitor() as one:
        yield one


@pytest.fixture
def no_mistakes(caplog: pytest.LogCaptureFixture, serving: Serving) -> Iterator[None]:
    """Nothing may be logged as an error, and nothing be answered with 500, while a test runs."""
    before = answered_with_500(serving)
    with caplog.at_level(logging.ERROR):
        yield
    assert answered_with_500(serving) == before
    # This is after the test: its own records are asked for by its name.
    logged = [record.getMessage() for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert logged == []


def answered_with_500(serving: Serving) -> list[str]:
    with serving.visitor() as one:
        figures = one.get("/metrics").text.splitlines()
    return [line for line in figures if line.startswith("nevel_request_seconds_count") and 'status="500"' in line]
