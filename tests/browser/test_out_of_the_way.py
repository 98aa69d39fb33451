"""What happens beside the game: a full table, talk out of sight, a line that is gone, no network at all."""

import re

from playwright.sync_api import Page, expect

from tests.browser.people import PHONE, People
from tests.browser.playing import PRESS, open_table, play_now
from tests.web.serving import Serving

#: How far the story can be scrolled.
TO_THE_END = "document.getElementById('story').scrollHeight - document.getElementById('story').clientHeight"
LIVE = "[data-live=yes] #table[data-phase=playing]"


def two_play(people: People, game: str) -> tuple[Page, Page, str]:
    """Ann at a desk, Bob on a phone, and the link by which he came."""
    ann, bob = people.come(), people.come(**PHONE)
    link = open_table(ann, game, 2)
    bob.goto(link)
    bob.click("form[action*='/sit'] button >> nth=0")
    expect(ann.locator(".chair.kind-person")).to_have_count(2)
    return ann, bob, link


def start(*pages: Page) -> None:
    pages[0].click("form[action*='/start'] button")
    for page in pages:
        page.wait_for_selector(LIVE)


def test_who_comes_too_late_is_told_so_and_watches(people: People) -> None:
    ann, bob, link = two_play(people, "the-game")
    late = people.come("fr")
    late.goto(link)
    expect(late.locator(".waiting")).to_contain_text("Toutes les places sont prises.")
    expect(late.locator("form[action*='/sit']")).to_have_count(0)
    start(ann, bob)
    expect(late.locator(".watching")).to_have_text("Vous regardez")
    expect(bob.locator(".watching")).to_have_count(0)


def test_talk_out_of_sight_is_overheard(people: People) -> None:
    ann, bob, _ = two_play(people, "the-game")
    start(ann, bob)
    ann.fill("#say-text", "Please start")
    ann.click("#say button")
    expect(bob.locator(".toast")).to_contain_text("Please start")
    assert bob.locator(".toast").get_attribute("aria-hidden") == "true", "it would be read twice"
    # Who has it in sight needs no copy of it, nor does who said it.
    bob.locator("#say-text").scroll_into_view_if_needed()
    bob.fill("#say-text", "Gladly")
    bob.press("#say-text", "Enter")
    expect(ann.locator("#said")).to_contain_text("Gladly")
    expect(ann.locator(".toast")).to_have_count(0)
    expect(bob.locator("#said")).to_contain_text("Gladly")
    expect(bob.locator(".toast", has_text="Gladly")).to_have_count(0)


def test_who_reads_what_was_told_before_isnt_torn_away_from_it(people: People) -> None:
    ann = people.come()
    play_now(ann, "what-the-fog")
    lines = ann.locator("#story li")
    while not ann.evaluate(f"{TO_THE_END} > 60"):
        ann.evaluate(PRESS)
        ann.wait_for_timeout(20)
    ann.wait_for_selector("#table.is-yours:not(.is-sending)")
    ann.wait_for_function(f"{TO_THE_END} - document.getElementById('story').scrollTop < 2")
    ann.evaluate("document.getElementById('story').scrollTop = 0")
    newest = lines.last.get_attribute("id")
    ann.evaluate(PRESS)
    expect(lines.last).not_to_have_id(newest or "")
    assert ann.evaluate("document.getElementById('story').scrollTop") == 0


def test_a_lost_line_on_a_phone_moves_nothing(people: People, serving: Serving) -> None:
    ann = people.come(**PHONE)
    play_now(ann, "the-game")
    before = ann.locator("#hand").bounding_box()
    serving.stop()
    expect(ann.locator("#connection")).to_have_text("Connection lost. Reconnecting…")
    assert ann.locator("#hand").bounding_box() == before
    assert ann.evaluate("document.documentElement.scrollWidth <= innerWidth")
    serving.start()
    ann.wait_for_selector(LIVE)
    people.complaints = [line for line in people.complaints if "ERR_CONNECTION_" not in line]


def test_without_a_network_the_page_waits_and_then_goes_on(people: People) -> None:
    ann = people.come()
    ann.goto("/")
    ann.evaluate("navigator.serviceWorker.ready.then(() => true)")
    ann.wait_for_function("caches.match('/offline').then(Boolean)")
    ann.goto("/rules/misty")
    ann.context.set_offline(True)
    ann.goto("/rules/the-game")
    expect(ann.locator("h1")).to_have_text("No connection right now")
    ann.context.set_offline(False)
    expect(ann.locator("h1")).to_have_text(re.compile("The Game"))
    people.complaints = [line for line in people.complaints if "ERR_INTERNET_DISCONNECTED" not in line]


def test_a_count_lies_over_the_board_only_while_it_is_read(people: People) -> None:
    ann = people.come(**PHONE)
    play_now(ann, "what-the-fog")
    while not ann.locator("details.count").count():
        ann.evaluate(PRESS)
        ann.wait_for_timeout(20)
    ann.wait_for_selector("#table.is-yours")
    before = ann.locator("#week").bounding_box()
    ann.click("details.count > summary")
    expect(ann.locator(".counted-day").first).to_be_in_viewport()
    assert ann.locator("#week").bounding_box() == before
    ann.click("details.count > summary")
    expect(ann.locator(".counted")).to_be_hidden()
    expect(ann.locator("#piles")).to_be_in_viewport()


def test_the_card_laid_last_is_marked(people: People) -> None:
    ann, bob, _ = two_play(people, "the-game")
    start(ann, bob)
    ann.click("button[value=start]")
    expect(ann.locator("#table")).to_have_attribute("data-question", "play")
    ann.locator("#hand input").first.check(force=True)
    ann.click("#pile-down2")
    for page in (ann, bob):
        expect(page.locator(".latest-down2 #piles")).to_be_visible()


def test_the_token_laid_last_is_marked(people: People) -> None:
    ann = people.come(reduced_motion="reduce")
    play_now(ann, "what-the-fog")
    while not ann.locator("#table[class*=on-day-]").count():
        ann.evaluate(PRESS)
        ann.wait_for_timeout(20)
    where, marked = ann.evaluate(
        """() => {
          const week = document.getElementById("week");
          const isMarked = (token) => getComputedStyle(token).boxShadow.includes("0px 0px 0px 4px");
          const marked = [...week.querySelectorAll(".token")].filter(isMarked);
          return [document.getElementById("table").className, marked.map((token) => token.closest(".part").id)];
        }"""
    )
    day, part = re.findall(r"on-(?:day|part)-(\d)", where)
    assert marked == [f"part-{day}-{part}"]


def test_what_still_moves_arrives_when_somebody_presses(people: People) -> None:
    ann = people.come()
    play_now(ann, "misty")
    ann.wait_for_selector("#table.is-yours")
    ann.evaluate(
        "window.way = document.getElementById('players').animate([{ translate: '0 0' }, { translate: '0 0' }], 1e6)"
    )
    assert ann.evaluate("window.way.playState") == "running"
    ann.evaluate(PRESS)
    assert ann.evaluate("window.way.playState") == "finished"
