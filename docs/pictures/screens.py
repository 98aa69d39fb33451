"""Pictures of every screen, at two sizes and on a television, by day and by night: `make screens`.

They are written to `build/screens`; those the README shows are written to `docs/pictures`, smaller.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from nevel.study.puzzle_kind import all_kinds
from nevel.web.server.warming import warm_bots, warm_rules, warm_study
from tests.browser.chromium import ARGUMENTS, find_chromium
from tests.browser.people import DESKTOP, PHONE, People
from tests.browser.playing import PRESS, open_table, play_now, play_to_the_end
from tests.own_games import OWN_GAMES
from tests.web.serving import LEVELS, Serving

ROOT = Path(__file__).parents[2]
SCREENS = ROOT / "build" / "screens"
GAMES = tuple(OWN_GAMES)
PLAIN = {
    "home": "/",
    "new": "/new/the-game",
    "rules": "/rules/misty",
    "you": "/me",
    "figures": "/me/statistics",
    "puzzles": "/puzzles",
    **{f"puzzle-{kind}": f"/puzzles/{kind}/1" for kind in all_kinds()},
    "keys": "/keys",
    "about": "/about",
    "lost": "/nowhere",
}
#: What the README shows, and where it comes from.
SHOWN = {
    "home.webp": "home-desktop-light.png",
    "what-the-fog.webp": "what-the-fog-place-desktop-light.png",
    "misty.webp": "misty-place-desktop-dark.png",
    "review.webp": "what-the-fog-review-desktop-light.png",
}
#: Both sizes, by day and by night.
LOOKS: tuple[tuple[str, dict[str, Any]], ...] = tuple(
    (f"{size}-{scheme}", {**how, "color_scheme": scheme, "reduced_motion": "reduce"})
    for size, how in (("phone", PHONE), ("desktop", DESKTOP))
    for scheme in ("light", "dark")
)
TELEVISIONS: tuple[tuple[str, dict[str, Any]], ...] = tuple(
    (f"television-{scheme}", {"viewport": {"width": 1920, "height": 1080}, "color_scheme": scheme})
    for scheme in ("light", "dark")
)
#: Milliseconds until a page has come to rest.
REST = 250
#: Moves after which a game is far enough to look at.
WARM = 24
#: A review takes its time, also one that looks less closely than usual.
PLAYOUTS = 32
REVIEW_SECONDS = 180


class Screens:
    """One person's browsers, in every size and light, at the same page: a game is played once and seen by all."""

    def __init__(self, people: People, serving: Serving, progress: Progress) -> None:
        self.serving = serving
        self.progress = progress
        self.task = progress.add_task("", total=2 + 4 * len(GAMES))
        first = people.come(**LOOKS[0][1])
        play_now(first, "the-game")  # and so somebody
        self.first, known = first, first.context.storage_state()
        self.pages = {LOOKS[0][0]: first}
        self.pages |= {name: people.come(storage_state=known, **how) for name, how in LOOKS[1:]}
        self.televisions = {name: people.come(**how) for name, how in TELEVISIONS}
        self.friend = people.come()

    @contextmanager
    def step(self, what: str) -> Iterator[None]:
        """A part of the work, as the bar shows it."""
        self.progress.update(self.task, description=what)
        yield
        self.progress.advance(self.task)

    def go(self, path: str) -> None:
        for page in self.pages.values():
            page.goto(path)

    def take(self, name: str, televisions: bool = False) -> None:
        """A picture of what everybody sees, once they see the same."""
        shown = self.pages | (self.televisions if televisions else {})
        if seq := self.first.locator("#table[data-seq]").first.get_attribute("data-seq") if televisions else None:
            for page in shown.values():
                page.wait_for_function(f"Number(document.getElementById('table').dataset.seq) >= {seq}")
        self.first.wait_for_timeout(REST)
        for look, page in shown.items():
            page.screenshot(path=SCREENS / f"{name}-{look}.png", full_page="phone" in look)

    def plain(self) -> None:
        open_table(self.first, "misty", 3)
        self.go(self.first.url)
        self.take("waiting")
        for page in self.pages.values():
            page.click("#changing-terms summary")
        self.take("terms")
        for name, path in PLAIN.items():
            self.go(path)
            self.take(name)

    def trouble(self) -> None:
        """What goes otherwise than planned: a full table, one put away, no game in a file, no server, no network."""
        link = open_table(self.first, "the-game", 1)
        for look, how in LOOKS:
            self.friend.set_viewport_size(how["viewport"])
            self.friend.emulate_media(color_scheme=how["color_scheme"])
            self.friend.goto(link)
            self.friend.wait_for_timeout(REST)
            self.friend.screenshot(path=SCREENS / f"full-{look}.png")
        self.go(self.first.url)
        self.first.click("#putting-away summary")
        self.first.click("#putting-away button")
        for page in self.pages.values():
            page.wait_for_selector("#table[data-phase=closed]")
        self.take("put-away")
        self.go("/")
        nothing = {"name": "game.json", "mimeType": "application/json", "buffer": b'{"nevel": 1,\n "game" 2}'}
        for page in self.pages.values():
            page.set_input_files("input[type=file]", nothing)  # pyright: ignore[reportArgumentType]
            page.locator("form:has(input[type=file]) button").evaluate("button => button.click()")
            page.wait_for_selector(".problem")
        self.take("no-game")
        play_now(self.first, "the-game")
        self.go(self.first.url)
        self.serving.stop()
        for page in self.pages.values():
            page.wait_for_selector("#connection:not(:empty)")
        self.take("no-server")
        self.serving.start()
        for page in self.pages.values():
            page.wait_for_selector("[data-live=yes]")
            page.context.set_offline(True)
        self.go("/")
        self.take("no-network")
        for page in self.pages.values():
            page.context.set_offline(False)
            page.wait_for_selector(".games")  # it comes back by itself

    def game(self, game: str) -> None:
        """Every question of a game, once the game is under way, its end, its replay and its review."""
        with self.step(f"{game}: its questions"):
            play_now(self.first, game)
            self.go(self.first.url)
            for television in self.televisions.values():
                television.goto(self.first.input_value("#link-screen"))
            seen = set[str]()
            for turn in range(3000):
                # What was just pressed may be answered any moment; a question that is asked stands still.
                is_settled = not self.first.locator("#table.is-sending").count()
                question = self.first.get_attribute("#table", "data-question") or "waiting"
                if turn > WARM and is_settled and question not in seen:
                    seen.add(question)
                    self.take(f"{game}-{question}", televisions=True)
                if self.first.evaluate(PRESS) == "over":
                    break
                self.first.wait_for_timeout(10)
        with self.step(f"{game}: its end"):
            play_to_the_end(self.first)
            for page in (self.pages | self.televisions).values():
                page.wait_for_selector("#table[data-phase=over]")
            self.take(f"{game}-over", televisions=True)
        with self.step(f"{game}: its replay"):
            table = self.first.url
            self.go(f"{table}/replay?at=9999")
            self.take(f"{game}-replay")
        with self.step(f"{game}: its review"):
            self.go(f"{table}/review")
            if self.first.locator("#review-progress").count():
                self.take(f"{game}-review-begun")
            for page in self.pages.values():
                page.wait_for_selector("svg.chances", timeout=REVIEW_SECONDS * 1000)
            self.take(f"{game}-review")


def main() -> None:
    SCREENS.mkdir(parents=True, exist_ok=True)
    bar = Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright, bar as progress:
        compiling = progress.add_task("compiling", total=3)
        # What is compiled, compiled before a click has to wait for it.
        for warm in (warm_rules, lambda: warm_bots(LEVELS), warm_study):
            warm()
            progress.advance(compiling)
        serving = Serving(f"{folder}/nevel.db", bot_seconds=0.02, review_playouts=PLAYOUTS)
        serving.start()
        try:
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
            screens = Screens(People(browser, serving), serving, progress)
            with screens.step("pages"):
                screens.plain()
            with screens.step("trouble"):
                screens.trouble()
            for game in GAMES:
                screens.game(game)
            browser.close()
        finally:
            serving.stop()  # or its thread would go on for ever
    for name, source in SHOWN.items():
        Image.open(SCREENS / source).save(ROOT / "docs" / "pictures" / name, quality=86, method=6)


if __name__ == "__main__":
    main()
