"""A box that differs from ours: corrected, kept and shared where a table is opened, and told to everybody there."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from nevel.languages import LANGUAGES
from nevel.testing.browser import violations
from tests.browser.people import DESKTOP, PHONE, People
from tests.browser.test_people import tab_to

#: What differs in somebody's box of What the Fog?!.
CORRECTED = {"#box-cards-rain": "9", "#box-cards-snow": "7"}


def correct(page: Page) -> None:
    """Open the editor and put other numbers in."""
    page.goto("/new/what-the-fog")
    page.click(".box-editor > summary")
    for field, number in CORRECTED.items():
        page.fill(field, number)


def numbers(page: Page) -> dict[str, str]:
    return {field: page.input_value(field) for field in CORRECTED}


@pytest.mark.parametrize("has_script", [True, False])
def test_a_corrected_box_is_played_with_and_told(people: People, has_script: bool) -> None:
    ann, bob = (people.come(java_script_enabled=has_script, **PHONE) for _ in range(2))
    correct(ann)
    if has_script:
        expect(ann.locator("#box-state")).to_have_text("not as ours")
        expect(ann.locator(".box-section .sum").first).to_have_text("48")
        expect(ann.locator(".box-cell.is-changed")).to_have_count(2)
    ann.check("input[name=is_public][value=true]")
    ann.click("main button.primary")
    ann.wait_for_selector("#table[data-phase=open]")
    table = ann.url
    bob.goto("/")
    expect(bob.locator("#open + ul")).to_contain_text("own box")
    bob.goto(table)
    expect(bob.locator(".notice")).to_contain_text("the host's own box")
    with bob.expect_popup() as opened:
        bob.click(".notice a")
    rules = opened.value
    expect(rules.locator(".box-numbers .is-changed")).to_have_count(2)
    expect(rules.locator(".box-numbers .is-changed").first).to_have_text(re.compile(r"9\s*ours: 8"))
    # Whoever would like to play with it goes on from there.
    rules.click("article .notice a")
    assert numbers(rules) == CORRECTED


def test_a_box_is_kept_shared_and_given_back(people: People) -> None:
    ann, bob = people.come(), people.come()
    correct(ann)
    ann.click("button[value=keep]")
    expect(ann.locator(".box [role=status]")).to_contain_text("this is now your box")
    ann.click("button[value=share]")
    link = ann.input_value("#box-link")
    ann.fill("#box-cards-fog", "3")
    expect(ann.locator("#box-link")).to_have_count(0)
    ann.goto("/new/what-the-fog")
    assert numbers(ann) == CORRECTED
    ann.click(".box-editor > summary")
    ann.click("button[value=ours]")
    assert numbers(ann) == dict.fromkeys(CORRECTED, "8")
    expect(ann.locator("#box-state")).to_have_text("as ours")
    expect(ann.locator(".box-cell.is-changed")).to_have_count(0)
    bob.goto(link)
    expect(bob.locator("#box-cards-rain")).to_be_visible()
    assert numbers(bob) == CORRECTED
    bob.click("button[value=keep]")
    bob.goto("/")
    with bob.expect_navigation():
        card = bob.locator(".game-what-the-fog")
        card.locator(".choose").click()
        card.locator("input[name=is_own_box]").check()
        card.locator(".options .primary").click()
    expect(bob.locator(".notice")).to_contain_text("the host's own box")


def test_what_is_wrong_is_told_where_it_stands(people: People) -> None:
    """By keyboard alone: a number that can't be is refused beside its field, and all that was typed is still there."""
    ann = people.come()
    ann.goto("/new/what-the-fog")
    tab_to(ann, "What's in your box")
    ann.keyboard.press("Enter")
    tab_to(ann, 'id="box-cards-rain"')
    ann.keyboard.type("x")
    ann.keyboard.press("Enter")
    field = ann.locator("#box-cards-rain")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value("x")
    expect(ann.locator("#box-cards-rain-wrong")).to_have_text("Enter a whole number from 0 to 48.")
    expect(ann.locator("#box-cards-rain-wrong")).to_be_visible()
    people.complaints = [line for line in people.complaints if "status of 422" not in line]


@pytest.mark.parametrize(("scheme", "size"), [("light", DESKTOP), ("dark", PHONE)])
@pytest.mark.parametrize("game", ["what-the-fog", "extreme", "misty"])
def test_everybody_can_use_it(people: People, game: str, scheme: str, size: dict[str, Any]) -> None:
    """axe-core finds nothing, in any language nothing sticks out."""
    ann = people.come(color_scheme=scheme, bypass_csp=True, **size)
    for code in LANGUAGES:
        ann.context.add_cookies([{"name": "language", "value": code, "url": people.base}])
        ann.goto(f"/new/{game}")
        ann.click(".box-editor > summary")
        ann.locator(".box-section input").first.fill("x")
        ann.click("button[value=share]")
        ann.wait_for_selector(".box-editor .wrong")
        assert not (found := violations(ann)), "\n".join(found)
        assert ann.evaluate("document.documentElement.scrollWidth <= innerWidth")
        ann.goto(f"/rules/{game}")
        assert not (found := violations(ann)), "\n".join(found)
        assert ann.evaluate("document.documentElement.scrollWidth <= innerWidth")
    people.complaints = [line for line in people.complaints if "status of 422" not in line]
