"""A server for each module of tests, and two people who visit it."""

from collections.abc import Iterator

import pytest
from serving import Serving, Visitor

from nevel.web.warming import warm_up


@pytest.fixture(scope="session")
def compiled() -> None:
    """What is compiled, compiled before any test counts its seconds."""
    warm_up(("casual",))


@pytest.fixture(scope="module")
def serving(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    one = Serving(str(tmp_path_factory.mktemp("database") / "nevel.db"))
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
