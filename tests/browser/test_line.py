"""The line between a page and the server: answers and frames in whichever order they come."""

from playwright.sync_api import Route, expect

from tests.browser.people import People
from tests.browser.playing import open_table


def test_what_is_pressed_on_seeing_a_frame_counts_though_the_answer_to_the_move_before_is_late(people: People) -> None:
    ann = people.come()
    open_table(ann, "the-game", 1)
    ann.click("form[action*='/start'] button")
    ann.wait_for_selector("#table[data-phase=playing]")
    held: list[Route] = []
    ann.route("**/play", lambda route: route.continue_() if held else held.append(route))
    ann.locator("#hand input").first.check(force=True)
    with ann.expect_request("**/play"):
        ann.click("#pile-up1")
    ann.wait_for_timeout(50)
    answer = held[0].fetch()
    expect(ann.locator(".latest-up1 #piles")).to_be_visible()  # the frame is here, the answer isn't
    ann.locator("#hand input").first.check(force=True)
    ann.click("#pile-down1")
    held[0].fulfill(response=answer)
    expect(ann.locator(".latest-down1 #piles")).to_be_visible(timeout=10_000)
