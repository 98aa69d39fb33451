"""A real server and a real Chromium; everybody at a table has a browser context of their own."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from nevel.web.server.warming import warm_bots, warm_rules, warm_study
from tests.browser.chromium import ARGUMENTS, find_chromium
from tests.browser.people import PATIENCE, People
from tests.web.serving import LEVELS, Serving


@pytest.fixture(scope="session")
def compiled() -> None:
    """What is compiled, compiled before any test counts its seconds."""
    warm_rules()
    warm_bots(LEVELS)
    warm_study()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser. Not for longer: as long as there is one, no other test in this process can have an event loop."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def serving(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    server = Serving(str(tmp_path_factory.mktemp("browser") / "nevel.db"), bot_seconds=0.02, review_playouts=2)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def people(browser: Browser, serving: Serving) -> Iterator[People]:
    arrived = People(browser, serving)
    yield arrived
    for context in arrived.contexts:
        context.close()
    assert not arrived.complaints
