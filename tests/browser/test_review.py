"""A finished game looked back on in a browser: opened, waited for, stepped through, played on from; and the figures."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

import nevel
from nevel.languages import LANGUAGES
from tests.browser.people import DESKTOP, PHONE, People
from tests.browser.playing import play_now, play_unseen
from tests.browser.test_access import check
from tests.browser.test_people import LIVE, fits, tab_to


def saved(folder: Path, game: str = "the-game", seats: int = 2) -> Path:
    """A short game that is over, as a file."""
    one = nevel.new(game, seats=seats, seed=3, names=["Ann", "Bob", "Cid"][:seats])
    while not one.is_over:
        prompt = one.prompts()[0]
        one.play(prompt.seat, prompt.moves[0])
    path = folder / f"{game}.json"
    path.write_text(nevel.save(one), "utf-8")
    return path


def open_saved(page: Page, path: Path) -> None:
    page.goto("/")
    page.click(".opening summary")
    page.set_input_files(".opening input[type=file]", path)
    page.click(".opening button")
    page.wait_for_selector(".result")


def test_from_a_game_to_its_review_into_the_replay_and_on(people: People) -> None:
    ann = people.come()
    play_now(ann, "the-game")
    play_unseen(ann)
    ann.click(".result a[href*='/review']")
    # The page finds out by itself when it is done.
    expect(ann.locator("svg.chances")).to_be_visible()
    expect(ann.locator(".review-seat")).to_have_count(2)
    own = ann.locator(".review-seat.is-chosen")
    expect(own).to_have_attribute("aria-current", "true")
    ann.locator(".review-seat:not(.is-chosen)").click()
    ann.wait_for_url(re.compile("seat=1"))
    ann.go_back()
    ann.wait_for_url(re.compile("/review$"))
    # A moment of the chart by keyboard: the replay stands there, and shows what an expert thought.
    mark = ann.locator("svg.chances a[aria-label]").first
    at = re.search(r"\bat=(\d+)", mark.get_attribute("href") or "")
    assert at
    tab_to(ann, f';at={at[1]}" aria-label')
    ann.keyboard.press("Enter")
    ann.wait_for_selector(f"#table[data-at='{at[1]}']")
    expect(ann.locator(".chances-line")).to_be_visible()
    ann.go_back()
    ann.locator(".moment form button").first.click()
    ann.wait_for_selector(LIVE)


def test_the_replay_shows_options_that_follow_the_moment(people: People, tmp_path: Path) -> None:
    ann = people.come()
    open_saved(ann, saved(tmp_path))
    ann.click("a[href*='/review']")
    expect(ann.locator("svg.chances")).to_be_visible()
    ann.click(".review-decisions summary")
    ann.locator(".review-decisions h3 a").first.click()
    ann.wait_for_selector("#run:not([hidden])")
    expect(ann.locator(".review-here .is-played")).to_have_count(1)
    first = ann.inner_text(".review-here .options")
    ann.click("#to-last")
    expect(ann.locator(".review-here")).to_have_count(0)
    ann.go_back()
    expect(ann.locator("svg.chances")).to_be_visible()
    assert first


def test_without_a_script(people: People, tmp_path: Path) -> None:
    ann = people.come("nl", java_script_enabled=False)
    open_saved(ann, saved(tmp_path))
    ann.click("a[href*='/review']")
    # The page reloads by itself until it is done.
    expect(ann.locator("svg.chances")).to_be_visible()
    ann.locator("svg.chances .column").nth(2).click()
    expect(ann.locator("#where")).to_contain_text(re.compile("^2 /"))
    ann.goto("/me/statistics")
    ann.click("button[value=true]")
    link = ann.input_value("main input[readonly]")
    bob = people.come("fr")
    bob.goto(link)
    expect(bob.locator("h1")).to_have_text(re.compile("^Les parties d(e |’)"))
    ann.click("button[value=false]")
    ann.click("main summary >> nth=-1")
    ann.click("button.danger")
    expect(ann.locator("main input[readonly]")).to_have_count(0)


def test_nothing_is_wrong_with_figures_and_a_review_in_any_language(people: People) -> None:
    """One's own games, counted and reviewed: the page that is empty for everybody new."""
    ann = people.come(bypass_csp=True, reduced_motion="reduce", **PHONE)
    for game in ("extreme", "what-the-fog"):
        play_now(ann, game)
        play_unseen(ann)
        ann.click(".result a[href*='/review']")
        expect(ann.locator("svg.chances")).to_be_visible()
    review = ann.url
    for code in LANGUAGES:
        ann.goto(review)
        ann.click(".languages summary")
        ann.click(f".languages button[value={code}]")
        ann.wait_for_selector(f"html[lang={code}] svg.chances")
        for summary in ann.locator("summary").all():
            summary.click()
        check(ann, f"a review in {code}")
        fits(ann, f"a review in {code}")
        ann.goto("/me/statistics")
        expect(ann.locator(".by-game li")).to_have_count(2)
        expect(ann.locator(".forecasts svg")).to_be_visible()
        expect(ann.locator("svg.chances .mark")).to_have_count(2)
        for summary in ann.locator("main summary").all():
            summary.click()
        check(ann, f"figures in {code}")
        fits(ann, f"figures in {code}")


#: By day and by night; at a desk, on a phone and on the narrowest.
LOOKS: tuple[tuple[Any, dict[str, Any]], ...] = (
    ("light", DESKTOP),
    ("dark", PHONE),
    ("light", {"viewport": {"width": 320, "height": 640}}),
)


def check_every_look(page: Page, where: str) -> None:
    """The page as it is, at every size and by both schemes."""
    for scheme, size in LOOKS:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(size["viewport"])
        check(page, f"{where}, {scheme}, {size['viewport']['width']} wide")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_nothing_is_wrong_with_figures_of_nothing(people: People) -> None:
    ann = people.come(bypass_csp=True, reduced_motion="reduce", has_touch=True)
    ann.goto("/me/statistics")
    check_every_look(ann, "figures of nothing")


@pytest.mark.parametrize(("game", "look"), [("the-game", 0), ("what-the-fog", 1), ("extreme", 2), ("misty", 1)])
def test_nothing_is_wrong_with_the_pages(people: People, tmp_path: Path, game: str, look: int) -> None:
    scheme, size = LOOKS[look]
    ann = people.come(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce", **size)
    open_saved(ann, saved(tmp_path, game))
    table = ann.url
    # While it is looked at, the page isn't answered whether it is done: it would become another one meanwhile.
    asked = list[Route]()
    ann.route("**/review", lambda it: asked.append(it) if it.request.resource_type == "fetch" else it.continue_())
    ann.goto(f"{table}/review")
    check(ann, "while it is made")
    for one in asked:
        one.continue_()
    ann.unroute("**/review")
    expect(ann.locator("svg.chances")).to_be_visible()
    for summary in ann.locator("summary").all():
        summary.click()
    check_every_look(ann, "the review")
    ann.goto(f"{table}/replay?at=1&seat=0")
    check_every_look(ann, "the replay")
