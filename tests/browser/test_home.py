"""The home page: what waits for oneself comes first, options open over the page, nothing sticks out."""

from typing import Any

import pytest
from playwright.sync_api import expect

from nevel.testing.browser import violations
from tests.browser.people import DESKTOP, People
from tests.browser.playing import open_table, play_now
from tests.browser.test_people import tab_to

SMALL: dict[str, Any] = {"viewport": {"width": 390, "height": 664}, "has_touch": True}


def test_a_game_that_waits_for_oneself_comes_first(people: People) -> None:
    ann = people.come(**SMALL)
    play_now(ann, "misty")
    waiting = ann.url
    open_table(ann, "the-game", 2)
    ann.goto("/")
    first, second = ann.locator(".waiting-games a").all()
    assert waiting.endswith(str(first.get_attribute("href")))
    expect(first).to_contain_text("Your turn")
    expect(second).to_contain_text("Go on")
    expect(first).to_be_in_viewport(ratio=1)
    with ann.expect_navigation():
        first.click()
    assert ann.url == waiting


def test_options_open_over_the_page_by_keyboard(people: People) -> None:
    ann = people.come()
    ann.goto("/")
    options = ann.locator("#options-misty")
    before = ann.evaluate("document.documentElement.scrollHeight")
    tab_to(ann, 'popovertarget="options-misty"')
    ann.keyboard.press("Enter")
    expect(options).to_be_visible()
    assert ann.evaluate("document.documentElement.scrollHeight") == before
    ann.keyboard.press("Escape")
    expect(options).to_be_hidden()
    ann.keyboard.press("Enter")
    tab_to(ann, 'name="chairs"')
    ann.keyboard.press("4")
    tab_to(ann, 'class="primary"')
    with ann.expect_navigation():
        ann.keyboard.press("Enter")
    expect(ann.locator(".player")).to_have_count(4)


def test_open_tables_are_offered_to_everybody(people: People) -> None:
    ann, bob = people.come(), people.come(**SMALL)
    ann.goto("/new/misty")
    ann.check("input[name=is_public][value=true]")
    ann.click("main button.primary")
    ann.wait_for_selector("[data-live=yes] #table")
    bob.goto("/")
    expect(bob.locator(".people .tables a").first).to_contain_text("Misty")
    with bob.expect_navigation():
        bob.locator(".people .tables a").first.click()
    expect(bob.locator("form[action*='/sit'] button").first).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(people: People, scheme: str) -> None:
    """axe-core finds nothing, open options included, and nothing sticks out at any width."""
    ann = people.come(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce", **DESKTOP)
    play_now(ann, "what-the-fog")
    ann.goto("/")
    for width, height in ((320, 568), (390, 664), (768, 1024), (1440, 900), (2560, 1440)):
        ann.set_viewport_size({"width": width, "height": height})
        assert ann.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        assert not (found := violations(ann)), "\n".join(found)
        for choose in ann.locator(".choose").all():
            choose.click()
            expect(ann.locator(".options:popover-open")).to_be_in_viewport()
            assert not (found := violations(ann)), "\n".join(found)
            ann.keyboard.press("Escape")
