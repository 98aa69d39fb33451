"""Whole games by plain forms: every choice a button, every answer a new page."""

import time

import pytest
from people import PHONE, People
from playing import PATIENCE
from playwright.sync_api import Page, expect


@pytest.fixture(params=["what-the-fog", "the-game", "extreme", "misty"])
def game(request: pytest.FixtureRequest) -> str:
    return request.param


def sit_down(page: Page, game: str) -> None:
    """A short game with one bot, as far as there is a short one."""
    page.goto(f"/new/{game}")
    page.check("input[name=chairs][value='2']", force=True)
    if game == "misty":
        page.check("input[name=beginners]")
    page.click("main button.primary")
    page.click("form[action*='/bots'] button >> nth=0")
    page.click("form[action*='/start'] button")
    expect(page.locator("#table")).not_to_have_attribute("data-phase", "open")


def press(page: Page) -> None:
    """The first thing that is offered: a button that is a move, or else a card and a pile it may go on."""
    move = page.locator("#play button[name=move]:not(:disabled):not([value^=hint])").first
    if move.count():
        return move.click()
    cards = page.locator("#hand input[data-targets]")
    best: tuple[int, int, str] | None = None
    for number, targets in enumerate([card.get_attribute("data-targets") or "" for card in cards.all()]):
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
    table, until = ann.locator("#table"), time.monotonic() + PATIENCE
    while table.get_attribute("data-phase") != "over":
        ann.wait_for_selector("#toasts", state="attached")  # the last of the page: all of it is there
        assert time.monotonic() < until, "the game doesn't end"
        if table.get_attribute("data-question"):
            press(ann)
            expect(ann.locator(".refusal")).to_have_count(0)
        else:
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
