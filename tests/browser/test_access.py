"""axe-core finds nothing on any page, by day and by night; `nevel.testing` looks at every state of a game."""

from typing import Any

import pytest
from playwright.sync_api import Page

from nevel.testing.browser import violations
from tests.browser.people import DESKTOP, PHONE, People
from tests.browser.playing import open_table, play_now, play_unseen
from tests.own_games import OWN_GAMES

GAMES = tuple(OWN_GAMES)


def check(page: Page, where: str) -> None:
    """Nothing axe-core knows of is wrong with the page as it is now."""
    found = violations(page)
    assert not found, where + "\n" + "\n".join(found)


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
def test_what_comes_after_a_game(people: People, game: str, scheme: str, size: dict[str, Any]) -> None:
    """Every state before is looked at by `nevel.testing`."""
    ann = people.come(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce", **size)
    play_now(ann, game)
    play_unseen(ann)
    check(ann, f"{game}: over")
    ann.click(".result a[href*='/replay']")
    ann.wait_for_selector("#run:not([hidden])")
    check(ann, f"{game}: replay")
    ann.select_option("#whose", "0")
    ann.wait_for_selector("#table[data-whose='0']")
    ann.click("#to-last")
    ann.wait_for_selector(f"#table[data-at='{ann.get_attribute('#table', 'data-length')}']")
    ann.click("#to-previous")
    ann.click("#mist summary")
    check(ann, f"{game}: what could be known")
