"""Whole games through the page, with people in browsers of their own and a bot. Alone: see `nevel.testing`."""

import pytest
from playwright.sync_api import expect

from tests.browser.people import PHONE, People
from tests.browser.playing import open_table, play_to_the_end
from tests.own_games import OWN_GAMES

GAMES = tuple(OWN_GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_two_people_and_a_bot(people: People, game: str) -> None:
    # One at a desk, one on a phone, neither with movement: who is alone has it.
    ann, bob = people.come("en", reduced_motion="reduce"), people.come("nl", reduced_motion="reduce", **PHONE)
    link = open_table(ann, game, 3)
    bob.goto(link)
    bob.click("form[action*='/sit'] button >> nth=0")
    expect(ann.locator(".chair.kind-person")).to_have_count(2)
    ann.click("form[action*='/seat-bot'] button >> nth=0")
    expect(bob.locator(".chair.kind-bot")).to_have_count(1)
    ann.click("form[action*='/start'] button")
    for page in (ann, bob):
        page.wait_for_selector("[data-live=yes] #table[data-phase=playing]")
    play_to_the_end(ann, bob)
    ann.click("form[action*='/rematch'] button")
    ann.wait_for_selector("#table[data-phase=open]")
    bob.click(".result form .primary")
    bob.wait_for_selector("#table[data-phase=open]")
    assert ann.url.split("?")[0] == bob.url.split("?")[0]
    for page in (ann, bob):
        expect(page.locator(".chair.kind-person")).to_have_count(2)
