"""axe-core finds nothing on any page in any state, by day and by night."""

from importlib import resources
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.people import DESKTOP, PHONE, People
from tests.browser.playing import PRESS, open_table, play_now, play_to_the_end
from tests.own_games import OWN_GAMES

AXE = (resources.files("nevel.testing") / "vendor" / "axe.min.js").read_text("utf-8")
GAMES = tuple(OWN_GAMES)


def check(page: Page, where: str) -> None:
    """Nothing axe-core knows of is wrong with the page as it is now."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    # Colours in motion are no colours: let the last animation end.
    page.wait_for_function("document.getAnimations().every((one) => one.playState !== 'running')")
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    told = [f"{one['id']}: {node['html'][:200]} {node['failureSummary']}" for one in found for node in one["nodes"]]
    assert not told, where + "\n" + "\n".join(told)


@pytest.mark.parametrize(("scheme", "size"), [("light", DESKTOP), ("dark", PHONE)])
def test_pages(people: People, scheme: str, size: dict[str, Any]) -> None:
    ann = people.come(color_scheme=scheme, bypass_csp=True, **size)
    play_now(ann, "the-game")
    for path in ("/", "/new/the-game", "/new/misty", "/about", "/offline", "/nowhere", "/tables/nowhere", "/me"):
        ann.goto(path)
        check(ann, path)
    for game in GAMES:
        ann.goto(f"/rules/{game}")
        check(ann, f"the rules of {game}")
    ann.goto("/me")
    ann.fill("#programs input[name=label]", "A bot")
    ann.click("#programs button:not([hidden]):not(.danger)")
    ann.wait_for_selector("#made")
    check(ann, "a new token")
    link = open_table(ann, "misty", 3)
    bob = people.come()
    bob.goto(link)
    bob.click("form[action*='/sit'] button >> nth=0")
    ann.click(".chair a.somebody")
    ann.click("dialog[open] summary >> nth=0")
    check(ann, "somebody")
    ann.click("dialog[open] .danger >> nth=0")
    ann.click("#back-to-table")
    check(ann, "the waiting room")
    ann.goto("/me")
    ann.wait_for_selector("#blocked")
    check(ann, "who is blocked")
    people.complaints = [line for line in people.complaints if "status of 404" not in line]


@pytest.mark.parametrize(
    ("game", "scheme", "size"),
    [
        ("what-the-fog", "light", PHONE),
        ("the-game", "dark", PHONE),
        ("extreme", "light", DESKTOP),
        ("misty", "dark", DESKTOP),
    ],
)
def test_a_game_in_every_state(people: People, game: str, scheme: str, size: dict[str, Any]) -> None:
    ann = people.come(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce", **size)
    play_now(ann, game)
    seen = set[str]()
    for _ in range(400):
        state = f"{ann.get_attribute('#table', 'data-question')}, {ann.locator('.panel').count()} panels"
        if state not in seen:
            seen.add(state)
            check(ann, f"{game}: {state}")
        if ann.evaluate(PRESS) == "over":
            break
        ann.wait_for_timeout(20)
    play_to_the_end(ann)
    check(ann, f"{game}: over")
    ann.click(".result a[href*='/replay']")
    ann.wait_for_selector("#run:not([hidden])")
    check(ann, f"{game}: replay")
    ann.select_option("#whose", "0")
    ann.wait_for_selector("#table[data-whose='0']")
    ann.click("#to-previous")
    ann.click("#mist summary")
    check(ann, f"{game}: what could be known")
