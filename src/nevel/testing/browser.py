"""A real server and a real Chromium for one game, and somebody who plays it by clicking."""

import os
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nevel.game.registry import find
from nevel.study.parts import parts_of
from nevel.testing.check import fail
from nevel.testing.clicking import PRESS, play_now, play_to_the_end

if TYPE_CHECKING:
    from playwright.sync_api import Page
else:
    Page = Any

#: The first is the same engine without the windows and menus around it, which take a third of the time.
CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
#: As root in a container there is no sandbox; and nothing here asks the network for anything.
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
#: How every state is looked at: by day on a phone, and by night at a desk.
LOOKS: tuple[tuple[Any, Any], ...] = (
    ({"width": 1440, "height": 900}, "dark"),
    ({"width": 390, "height": 844}, "light"),
)
#: Milliseconds to wait for what has to come: a machine that compiles beside it may take its time.
TIMEOUT_MILLISECONDS = 60_000
#: The level of the bots at the table: one that takes no time.
LEVEL = "casual"
#: Looks at the page between moves; a game of other questions is seen within these.
MOST_LOOKS = 400

AT_REST = """document.getAnimations().every(
    (one) => one.playState !== "running" || one.effect.getComputedTiming().endTime === Infinity)"""
WIDER = "document.documentElement.scrollWidth > innerWidth"
#: The drawings a page shows, by their names in the sheet.
DRAWINGS = """
() => [...new Set([...document.querySelectorAll("use")].map((use) => use.getAttribute("href").split("#")[1]))]
"""


def find_chromium() -> str | None:
    """The path of a Chromium: named by NEVEL_CHROMIUM, or on the path."""
    return os.environ.get("NEVEL_CHROMIUM") or next(
        (path for name in CHROMIUM_NAMES if (path := shutil.which(name))), None
    )


@contextmanager
def serving(game: str) -> Generator[str]:
    """A server in a thread, without limits and with quick bots, ready for one game; gives its address."""
    import uvicorn

    from nevel.web.server.server import configure, make_app
    from nevel.web.server.settings import Settings

    with tempfile.TemporaryDirectory() as folder, socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        settings = Settings(
            port=listening.getsockname()[1],
            database=str(Path(folder) / "nevel.db"),
            person_rate=0,
            address_rate=0,
            opening_rate=0,
            bot_pause=0,
            bot_seconds=0.02,
            review_playouts=2,
        )
        server = uvicorn.Server(configure(settings, make_app(settings, (LEVEL,), (game,))))
        thread = threading.Thread(target=server.run, args=[[listening]])
        thread.start()
        try:
            while not server.started:
                if not thread.is_alive():
                    fail("the server didn't start")
                time.sleep(0.01)
            yield f"http://127.0.0.1:{settings.port}"
        finally:
            server.should_exit = True
            thread.join(20)


def play_in_browser(game: str, chromium: str) -> list[str]:
    """Play a game to its end on a phone and look at it in every state; gives what was wrong."""
    from playwright.sync_api import sync_playwright

    from nevel.web.server.warming import warm_bots, warm_rules, warm_study

    # A server compiles a game before it opens a table; here nobody's patience runs out meanwhile.
    warm_rules((game,))
    warm_bots((LEVEL,), (game,))
    warm_study((game,))
    problems: list[str] = []
    with serving(game) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGUMENTS)
        context = browser.new_context(locale="en", base_url=address, bypass_csp=True, reduced_motion="reduce", **PHONE)
        context.set_default_timeout(TIMEOUT_MILLISECONDS)
        page = context.new_page()
        page.on("console", lambda message: listen(problems, f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        try:
            play_now(page, game)
            problems += look_at_game(page, game)
        finally:
            browser.close()
    return problems


def listen(problems: list[str], message: str) -> None:
    # When two press at once, one is too late and told so; Chromium notes every such answer by itself.
    if "status of 409" not in message:
        problems.append(message)


def look_at_game(page: Page, game: str) -> list[str]:
    """Look at every kind of question once, at the end, and at the replay."""
    seen = set[str]()
    problems: list[str] = []
    for _ in range(MOST_LOOKS):
        state = f"{page.get_attribute('#table', 'data-question')}, {page.locator('.panel').count()} panels"
        if state not in seen:
            seen.add(state)
            problems += look(page, state)
        if page.evaluate(PRESS) == "over":
            break
        page.wait_for_timeout(20)
    play_to_the_end(page)
    problems += look(page, "over")
    if not page.inner_text("#result-title").strip():
        problems.append("the result has no title")
    page.click(".result a[href*='/replay']")
    page.wait_for_selector("#run:not([hidden])")
    problems += look(page, "replay")
    page.goto(f"{page.url.split('?')[0]}?seat=0&at=1")
    page.wait_for_selector("#run:not([hidden])")
    problems += look(page, "replay with one player's eyes")
    if bool(page.locator("#mist").count()) != (parts_of(find(game)).hidden is not None):
        problems.append("replay: what could be known is told where it isn't worked out, or isn't told where it is")
    page.goto(f"/rules/{game}")
    return problems + look(page, "rules")


def look(page: Page, where: str) -> list[str]:
    """What is wrong with a page as it is now."""
    from nevel.web.assets.assets import assets

    problems: list[str] = []
    for size, scheme in LOOKS:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        problems += [f"{where}, {scheme}, {size['width']} wide: {told}" for told in violations(page)]
        if page.evaluate(WIDER):
            problems.append(f"{where}: the page is wider than a screen of {size['width']} pixels")
    if missing := set(page.evaluate(DRAWINGS)) - set(assets().drawings):
        problems.append(f"{where}: there are no drawings {', '.join(sorted(missing))}")
    return problems


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong with a page as it is now."""
    if not page.evaluate("'axe' in window"):
        page.evaluate((resources.files("nevel.testing") / "vendor" / "axe.min.js").read_text("utf-8"))
    # Colours in motion are no colours: let the last animation end that ever does.
    page.wait_for_function(AT_REST)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [f"{one['id']}: {node['html'][:200]} {node['failureSummary']}" for one in found for node in one["nodes"]]
