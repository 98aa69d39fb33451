"""Which keys there are: over any page by a question mark, as a page without a script; and they do what it says."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.people import PHONE, People
from tests.browser.playing import PRESS, open_table, play_now, play_unseen
from tests.browser.test_access import check


def test_a_question_mark_shows_the_keys(people: People) -> None:
    ann = people.come(bypass_csp=True)
    play_now(ann, "the-game")
    # What is typed is typed.
    ann.focus("#say-text")
    ann.keyboard.press("?")
    assert ann.input_value("#say-text") == "?"
    ann.focus("#story")
    ann.keyboard.press("?")
    keys = ann.locator("dialog[open] #keys")
    expect(keys).to_be_visible()
    check(ann, "the keys, over a table")
    ann.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    expect(ann.locator("#story")).to_be_focused()
    ann.click(".to-keys a")
    expect(keys).to_be_visible()
    ann.click("#close-keys")
    expect(keys).to_be_hidden()
    expect(ann.locator(".to-keys a")).to_be_focused()


@pytest.mark.parametrize(("scheme", "how"), [("light", {}), ("dark", PHONE)])
def test_without_a_script_they_are_a_page(people: People, scheme: str, how: dict[str, Any]) -> None:
    ann = people.come(java_script_enabled=False, color_scheme=scheme, **how)
    ann.goto("/")
    ann.click("a[href='/keys']")
    expect(ann).to_have_title("Keyboard shortcuts · Nevel")
    bob = people.come("fr", bypass_csp=True, color_scheme=scheme, **how)
    bob.goto("/keys")
    expect(bob.locator("h1")).to_have_text("Raccourcis clavier")
    check(bob, "the keys")


#: The colour of the ring around what has the focus.
RING = """() => {
  const { outlineStyle, outlineColor } = getComputedStyle(document.activeElement);
  return outlineStyle === "solid" && outlineColor;
}"""
#: The colours of rings by day: of what has the focus, and on cards that of ink.
RINGS = ("rgb(10, 79, 176)", "rgb(24, 36, 45)")
#: Where arrows lead from the question, and what has the focus then; each game's first questions.
LEADING = {
    "what-the-fog": (("lift", "ArrowUp", "#piles .press"), ("place", "ArrowUp", "#week .press")),
    "misty": (("pick", "ArrowDown", "#hand button"), ("place", "ArrowDown", "#window .space")),
}


@pytest.mark.parametrize("game", LEADING)
def test_arrows_lead_from_the_question_to_what_may_be_done(people: People, game: str) -> None:
    ann = people.come()
    play_now(ann, game)
    for question, key, where in LEADING[game]:
        while ann.get_attribute("#table", "data-question") != question or ann.locator("#table.is-sending").count():
            ann.evaluate(PRESS)
            ann.wait_for_timeout(20)
        ann.focus("#prompt")
        ann.keyboard.press(key)
        expect(ann.locator(f"{where}:focus")).to_have_count(1)
        assert ann.evaluate(RING) in RINGS
        ann.keyboard.press("ArrowRight")
        ann.keyboard.press("ArrowLeft")
        expect(ann.locator(f"{where}:focus")).to_have_count(1)


def test_the_keys_do_what_is_said_of_them(people: People) -> None:
    """Arrows go from card to card, choose them, lead to the piles; in a replay they step; Home goes to the start."""
    ann = people.come()
    open_table(ann, "the-game", 1)
    ann.click("form[action*='/start'] button")
    ann.wait_for_selector("#table[data-question]")
    if ann.locator("button[value=start]").count():
        ann.click("button[value=start]")
    ann.wait_for_selector("[data-live=yes] #table[data-question=play]:not(.is-sending)")
    cards = ann.locator("#hand input")
    cards.first.focus()
    ann.keyboard.press("Space")
    expect(cards.first).to_be_checked()
    ann.keyboard.press("ArrowRight")
    expect(cards.nth(1)).to_be_checked()
    ann.keyboard.press("ArrowLeft")
    expect(cards.first).to_be_checked()
    ann.keyboard.press("ArrowUp")
    expect(ann.locator(".pile.is-target:focus")).to_have_count(1)
    assert ann.evaluate(RING) == ann.evaluate("getComputedStyle(document.body).color"), "it looks like any other pile"
    ann.keyboard.press("Enter")
    expect(ann.locator("#table[class*=latest-] #piles")).to_be_visible()
    ann.keyboard.press("ArrowDown")
    expect(ann.locator("#hand input:checked:focus")).to_have_count(1)
    play_unseen(ann)
    ann.click(".result a[href*='/replay']")
    ann.wait_for_selector("#run:not([hidden])")
    length = ann.get_attribute("#table", "data-length")
    ann.keyboard.press("ArrowRight")
    expect(ann.locator("#table")).to_have_attribute("data-at", "1")
    ann.keyboard.press("ArrowLeft")
    expect(ann.locator("#table")).to_have_attribute("data-at", "0")
    ann.keyboard.press("ArrowRight")
    expect(ann.locator("#table")).to_have_attribute("data-at", "1")
    ann.focus("#at")
    ann.keyboard.press("Home")
    expect(ann.locator("#table")).to_have_attribute("data-at", "0")
    ann.keyboard.press("End")
    expect(ann.locator("#table")).to_have_attribute("data-at", length or "")
