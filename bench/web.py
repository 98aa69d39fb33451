"""How quick the pages are, with a real server and a real Chromium: `make bench-web`.

It prints how long the server draws a frame, what pages weigh, their largest paint and layout shift, and the time from a
click to the new view on every player's page.
"""

import statistics
import tempfile
import time
from collections import deque
from typing import Any

from playwright.sync_api import Page, sync_playwright
from rich.console import Console
from rich.table import Table as Grid

from nevel.game.registry import all_games
from nevel.tables.domain import facts
from nevel.tables.domain.pace import Pace
from nevel.tables.domain.table import Table
from nevel.tables.views.view import PeopleStatus, Scene, Viewer
from nevel.web.live.page_channel import PageChannel
from nevel.web.server.warming import warm_bots, warm_rules
from tests.browser.chromium import ARGUMENTS, find_chromium
from tests.browser.people import DESKTOP, PHONE, People
from tests.browser.playing import PRESS, open_table, play_now
from tests.web.serving import LEVELS, Serving

CLICKS = 60
#: Collected in the page from its start: the largest paint, and how much moved under the reader's eyes.
WATCH = """
  window.paint = 0; window.shift = 0;
  new PerformanceObserver((list) => { for (const one of list.getEntries()) window.paint = one.startTime; })
    .observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shift += one.value; })
    .observe({ type: "layout-shift", buffered: true });
"""
WEIGH = """
  () => performance.getEntriesByType("navigation").concat(performance.getEntriesByType("resource"))
    .reduce((sum, one) => sum + one.transferSize, 0)
"""
#: Resolves with the moment a newer frame has been drawn: after the turn in which the browser paints it. It is told of
#: the frame, because a page that looks for it sixty times a second would be drawn as often.
ARRIVAL = """
  (seq) => new Promise((resolve) => {
    const table = document.getElementById("table");
    const drawn = new MessageChannel();
    drawn.port1.onmessage = () => resolve(performance.timeOrigin + performance.now());
    const look = () => {
      if (Number(table.dataset.seq) <= seq) return;
      watching.disconnect();
      requestAnimationFrame(() => drawn.port2.postMessage(0));
    };
    const watching = new MutationObserver(look);
    watching.observe(table, { attributeFilter: ["data-seq"] });
    look();
  })
"""
#: Presses what a player is offered; gives the moment before.
CLICK = f"() => {{ const at = performance.timeOrigin + performance.now(); ({PRESS})(); return at; }}"


def draw_frames() -> dict[str, tuple[float, float]]:
    """Microseconds and bytes of what a page is sent, by game, over a whole game of four players."""
    found = dict[str, tuple[float, float]]()
    for spec in all_games().values():
        table = Table("bench", "00" * 32)
        opened = facts.Opened(spec.name, 4, spec.vocabulary.read_options({}), Pace(), "casual", "p0", "commitment")
        rows: list[Any] = [opened, *(facts.Seated(i, f"p{i}", "") for i in range(4)), facts.GameStarted("")]
        table.follow([(seq, 0, fact) for seq, fact in enumerate(rows)])
        names = {f"p{i}": f"Player {i}" for i in range(4)}
        status = PeopleStatus(names, lambda _: True)
        channels = [PageChannel(Viewer("player", seat, seat == 0, True), "en") for seat in range(4)]
        took, sizes = list[float](), list[int]()
        while table.game and not table.game.is_over and len(took) < 1200:
            for channel in channels:
                began = time.perf_counter()
                seen = channel.seq
                channel.update(Scene(table, status))
                sent = channel.frame(seen, -1, deque(), 0)
                took.append(time.perf_counter() - began)
                sizes.append(len(sent))
                channel.let_go()
            prompt = table.game.prompts()[0]
            key = table.next_key
            table.follow([(table.seq + 1, 0, facts.MovePlayed(prompt.seat, prompt.moves[0], key, ""))])
        found[spec.name] = (statistics.median(took) * 1e6, statistics.mean(sizes))
    return found


def look_at(page: Page, path: str) -> tuple[float, float, float]:
    """Kilobytes, the largest paint in milliseconds, and the layout shift of a page that nobody has been to."""
    page.goto(path)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(400)
    return page.evaluate(WEIGH) / 1000, page.evaluate("window.paint"), page.evaluate("window.shift")


def click_to_views(people: People, game: str) -> list[float]:
    """Milliseconds from a click on one page to the new view on the last of two."""
    ann, bob = people.come(), people.come()
    link = open_table(ann, game, 2)
    bob.goto(link)
    bob.click("form[action*='/sit'] button >> nth=0")
    ann.wait_for_selector(".chair.kind-person >> nth=1")
    ann.click("form[action*='/start'] button")
    for page in (ann, bob):
        page.wait_for_selector("[data-live=yes] #table[data-phase=playing]")
    took = list[float]()
    while len(took) < CLICKS:
        for page, other in ((ann, bob), (bob, ann)):
            seq = int(page.get_attribute("#table", "data-seq") or 0)
            if not page.locator("#table.is-yours:not(.is-sending):not([data-phase=over])").count():
                continue
            for one in (page, other):
                one.evaluate(f"() => {{ window.arrival = ({ARRIVAL})({seq}); }}")  # not waited for yet
            clicked = page.evaluate(CLICK)
            took.append(max(one.evaluate("window.arrival") for one in (page, other)) - clicked)
        if ann.get_attribute("#table", "data-phase") == "over":
            break
    for page in (ann, bob):
        page.context.close()
    return took


def main() -> None:
    console = Console()
    warm_rules()  # what is compiled beside a click isn't part of it
    warm_bots(LEVELS)
    drawn = Grid("game", "drawing a frame, µs (median)", "bytes", title="On the server")
    for name, (micros, size) in draw_frames().items():
        drawn.add_row(name, f"{micros:.0f}", f"{size:.0f}")
    console.print(drawn)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        serving = Serving(f"{folder}/nevel.db", bot_seconds=0.02)
        serving.start()
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        people = People(browser, serving)
        pages = Grid(
            "page", "kilobytes", "largest paint, ms", "layout shift", title="In Chromium, seen for the first time"
        )
        somebody = people.come()
        paths = {"first page": "/"}
        for game in all_games():
            play_now(somebody, game)
            paths |= {f"{game}, table": somebody.url, f"{game}, rules": f"/rules/{game}"}
        cookies = somebody.context.cookies()
        for size, how in (("1440", DESKTOP), ("390", PHONE)):
            for name, path in paths.items():
                page = people.come(**how)
                page.context.add_cookies(cookies)  # pyright: ignore[reportArgumentType]
                page.add_init_script(WATCH)
                weight, paint, shift = look_at(page, path)
                pages.add_row(f"{name}, {size}", f"{weight:.0f}", f"{paint:.0f}", f"{shift:.3f}")
                page.context.close()  # what moves on it would take time from the clicks
        somebody.context.close()
        console.print(pages)
        views = Grid("game", "clicks", "median, ms", "95 % within, ms", title="From a click to both players' new view")
        for game in all_games():
            took = sorted(click_to_views(people, game))
            within = took[int(len(took) * 0.95)]
            views.add_row(game, str(len(took)), f"{statistics.median(took):.0f}", f"{within:.0f}")
        console.print(views)
        browser.close()
        serving.stop()


if __name__ == "__main__":
    main()
