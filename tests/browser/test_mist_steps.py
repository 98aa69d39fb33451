"""What could be known, in a replay that is stepped through: it thins, it fits, and what was opened stays open."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import People
from tests.browser.test_review import open_saved, saved

#: How far to the right anything of the panel or the buttons reaches.
WIDEST = """
Math.max(
  document.documentElement.scrollWidth,
  ...[...document.querySelectorAll("#mist, .steps, .steps *")].map((one) => one.getBoundingClientRect().right),
)
"""


def open_replay(page: Page, file: Path) -> None:
    open_saved(page, file)
    page.click(".result a[href*='/replay']")
    page.wait_for_selector("#run:not([hidden])")


@pytest.mark.parametrize("game", ["the-game", "misty"])
def test_mist_is_stepped_through(people: People, tmp_path: Path, game: str) -> None:
    ann = people.come()
    open_replay(ann, saved(tmp_path, game))
    ann.click("#mist a >> nth=0")
    ann.wait_for_selector("#table[data-whose='0']")
    assert ann.input_value("#whose") == "0"
    ann.click("#to-first")
    ann.wait_for_selector("#table[data-at='0'] #mist-figures")
    ann.click("#mist-figures summary")
    figures = ann.inner_text("#mist-figures table")
    for at in range(1, 13):
        ann.click("#to-next")
        ann.wait_for_selector(f"#table[data-at='{at}']")
    assert ann.inner_text("#mist-figures table") != figures
    expect(ann.locator("#mist-figures")).to_have_attribute("open", "")
    for width in (390, 320):
        ann.set_viewport_size({"width": width, "height": 800})
        assert ann.evaluate(WIDEST) <= width


def test_mist_needs_no_script(people: People, tmp_path: Path) -> None:
    ann = people.come()
    open_replay(ann, saved(tmp_path))
    plain = people.come(java_script_enabled=False, storage_state=ann.context.storage_state())
    plain.goto(ann.url)
    plain.click("#mist a >> nth=1")
    plain.click("#to-next")
    plain.click("#mist-figures summary")
    expect(plain.locator("#mist-figures table")).to_be_visible()
    assert plain.locator(".numbers li").count() == 98
