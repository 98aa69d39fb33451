"""Pictures of every screen, at two sizes and on a television, by day and by night: `make screens`.

They are written to `build/screens`; those the README shows are copied to `docs/pictures`.
"""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from chromium import ARGUMENTS, find_chromium
from people import DESKTOP, PHONE, People
from playing import PRESS, open_table, play_now, play_to_the_end
from playwright.sync_api import Page, sync_playwright
from rich.progress import Progress
from serving import LEVELS, Serving

from nevel.study.puzzles import KINDS
from nevel.web.warming import warm_bots, warm_rules, warm_study

ROOT = Path(__file__).parents[2]
SCREENS = ROOT / "build" / "screens"
GAMES = ("what-the-fog", "the-game", "extreme", "misty")
PLAIN = {
    "home": "/",
    "new": "/new/the-game",
    "rules": "/rules/misty",
    "you": "/me",
    "figures": "/me/statistics",
    "puzzles": "/puzzles",
    **{f"puzzle-{kind}": f"/puzzles/{kind}/1" for kind in KINDS},
    "about": "/about",
    "lost": "/nowhere",
}
#: What the README shows, and where it comes from.
SHOWN = {
    "home.png": "home-desktop-light.png",
    "what-the-fog.png": "what-the-fog-place-desktop-light.png",
    "misty.png": "misty-place-desktop-dark.png",
    "review.png": "what-the-fog-review-desktop-light.png",
}
#: Moves after which a game is far enough to look at.
WARM = 24
#: A review takes its time.
REVIEW_SECONDS = 180


class Camera:
    """Takes pictures of one person's browser, in one size and one light."""

    def __init__(self, page: Page, size: str, scheme: str) -> None:
        self.page = page
        self.ending = f"{size}-{scheme}.png"
        self.scheme = scheme

    def take(self, name: str) -> None:
        self.page.wait_for_timeout(400)
        self.page.screenshot(path=SCREENS / f"{name}-{self.ending}", full_page="phone" in self.ending)

    def pages(self) -> None:
        open_table(self.page, "misty", 3)
        self.take("waiting")
        self.page.click("#changing-terms summary")
        self.take("terms")
        for name, path in PLAIN.items():
            self.page.goto(path)
            self.take(name)

    def trouble(self, friend: Page, serving: Serving) -> None:
        """What goes otherwise than planned: a full table, one put away, no game in a file, no server, no network."""
        link = open_table(self.page, "the-game", 1)
        friend.goto(link)
        friend.wait_for_timeout(400)
        friend.screenshot(path=SCREENS / f"full-{self.ending}")
        self.page.click("#putting-away summary")
        self.page.click("#putting-away button")
        self.page.wait_for_selector("#table[data-phase=closed]")
        self.take("put-away")
        self.page.goto("/")
        nothing = {"name": "game.json", "mimeType": "application/json", "buffer": b'{"nevel": 1,\n "game" 2}'}
        self.page.set_input_files("input[type=file]", nothing)  # pyright: ignore[reportArgumentType]
        self.page.locator("form:has(input[type=file]) button").evaluate("button => button.click()")
        self.page.wait_for_selector(".problem")
        self.take("no-game")
        play_now(self.page, "the-game")
        serving.stop()
        self.page.wait_for_selector("#connection:not(:empty)")
        self.take("no-server")
        serving.start()
        self.page.wait_for_selector("[data-live=yes]")
        self.page.context.set_offline(True)
        self.page.goto("/")
        self.take("no-network")
        self.page.context.set_offline(False)

    def game(self, game: str, television: Page) -> None:
        """Every question of a game, once the game is under way, its end, and its replay; and the shared screen."""
        play_now(self.page, game)
        television.goto(self.page.input_value("#link-screen"))
        seen = set[str]()
        for turn in range(3000):
            question = self.page.get_attribute("#table", "data-question") or "waiting"
            if turn > WARM and question not in seen:
                seen.add(question)
                self.take(f"{game}-{question}")
                television.screenshot(path=SCREENS / f"{game}-{question}-television-{self.scheme}.png")
            if self.page.evaluate(PRESS) == "over":
                break
            self.page.wait_for_timeout(10)
        play_to_the_end(self.page)
        self.take(f"{game}-over")
        television.wait_for_selector("#table[data-phase=over]")
        television.screenshot(path=SCREENS / f"{game}-over-television-{self.scheme}.png")
        self.page.click(".result a[href*='/replay']")
        self.page.wait_for_selector("#run:not([hidden])")
        self.take(f"{game}-replay")
        self.page.click("a[href*='/review']")
        if self.page.locator("#review-progress").count():
            self.take(f"{game}-review-begun")
        self.page.wait_for_selector("svg.chances", timeout=REVIEW_SECONDS * 1000)
        self.take(f"{game}-review")


def main() -> None:
    SCREENS.mkdir(parents=True, exist_ok=True)
    looks: list[tuple[str, dict[str, Any], str]] = [
        (size, how, scheme) for size, how in (("phone", PHONE), ("desktop", DESKTOP)) for scheme in ("light", "dark")
    ]
    # What is compiled, compiled before a click has to wait for it.
    warm_rules()
    warm_bots(LEVELS)
    warm_study()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright, Progress() as progress:
        serving = Serving(f"{folder}/nevel.db", bot_seconds=0.02)
        serving.start()
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        people = People(browser, serving)
        task = progress.add_task("screens", total=len(looks) * (1 + len(GAMES)))
        for size, how, scheme in looks:
            camera = Camera(people.come(color_scheme=scheme, reduced_motion="reduce", **how), size, scheme)
            camera.pages()
            camera.trouble(people.come(color_scheme=scheme, **how), serving)
            progress.advance(task)
            television = people.come(color_scheme=scheme, viewport={"width": 1920, "height": 1080})
            for game in GAMES:
                camera.game(game, television)
                progress.advance(task)
        browser.close()
        serving.stop()
    for name, source in SHOWN.items():
        shutil.copyfile(SCREENS / source, ROOT / "docs" / "pictures" / name)


if __name__ == "__main__":
    main()
