"""Whole games by plain forms: every choice a button, every answer a new page."""

import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import PHONE, People
from tests.browser.playing import GAME_SECONDS
from tests.own_games import OWN_GAMES

#: How many choices are made on the page as it looks: every question comes among them. Most of the time a new page takes
#: goes into its styles, so the rest of a long game is played without them.
STYLED = 25


@pytest.fixture(params=OWN_GAMES)
def game(request: pytest.FixtureRequest) -> str:
    return request.param


def sit_down(page: Page, game: str) -> None:
    """A short game with one bot, as far as there is a short one."""
    page.goto(f"/new/{game}")
    page.check("input[name=chairs][value='2']", force=True)
    if game == "misty":
        page.check("input[name=beginners]")
    page.click("main button.primary")
    page.click("form[action*='/seat-bot'] button >> nth=0")
    page.click("form[action*='/start'] button")
    expect(page.locator("#table")).not_to_have_attribute("data-phase", "open")


def come_back(page: Page) -> None:
    """Look again once the others have moved. Until then the page is fetched by the same browser and not drawn."""
    while True:
        text = page.context.request.get(page.url).text()
        if 'data-phase="playing"' not in text or 'data-question=""' not in text:
            break
    page.reload()


def press(page: Page) -> None:
    """The first thing that is offered: a button that is a move, or else a card and a pile it may go on."""
    move = page.locator("#play button[name=move]:not(:disabled):not([value^=hint])").first
    if move.count():
        return move.click()
    cards = page.locator("#hand input[data-targets]")
    best: tuple[int, int, str] | None = None
    for number, targets in enumerate(cards.evaluate_all("cards => cards.map((card) => card.dataset.targets)")):
        for target in filter(None, targets.split(";")):
            pile, step = target.split(":")
            best = min(best or (1000, 0, ""), (int(step), number, pile))
    assert best, page.inner_text("#table")
    cards.nth(best[1]).check(force=True)
    page.click(f"#pile-{best[2]}")
    return None


def test_a_whole_game_without_a_script(people: People, game: str) -> None:
    ann = people.come(java_script_enabled=False, **PHONE)
    sit_down(ann, game)
    table, until, pressed = ann.locator("#table"), time.monotonic() + GAME_SECONDS, 0
    while table.get_attribute("data-phase") != "over":
        ann.wait_for_selector("#toasts", state="attached")  # the last of the page: all of it is there
        assert time.monotonic() < until, "the game doesn't end"
        if table.get_attribute("data-question"):
            press(ann)
            expect(ann.locator(".refusal")).to_have_count(0)
            pressed += 1
            if pressed == STYLED:
                ann.route("**/*.css", lambda route: route.fulfill(content_type="text/css"))
        else:
            come_back(ann)
    ann.unroute_all()
    ann.reload()
    expect(ann.locator("#result-title")).not_to_be_empty()
    ann.click(".result a[href*='/replay']")
    ann.click("#to-first")
    ann.click("#to-next")
    ann.select_option("#whose", "1")
    ann.click(".steps .go")
    expect(ann.locator("section.own")).to_have_count(1)
    ann.click("form[action*='/play-on'] button")
    expect(ann.locator("#table")).to_have_attribute("data-phase", "playing")
