"""The line between a page and the server: late answers, dead lines, a server far away."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.far_server import FarServer
from tests.browser.people import People
from tests.browser.playing import open_table
from tests.web.serving import Serving

#: Milliseconds within which the state of the line stands in words, and what a busy machine adds.
TOLD_WITHIN = 3000
BUSY = 700
OFFLINE = "You're offline. Your move is sent as soon as you're back."
LIVE = "[data-live=yes] #table[data-phase=playing]"
#: Notes when the words about the line change.
WATCH_WORDS = """() => {
  const words = document.getElementById('connection');
  window.said = [];
  const note = () => window.said.push([performance.now(), words.textContent]);
  new MutationObserver(note).observe(words, { childList: true });
  window.since = performance.now();
}"""
#: How long after its click a button was marked, in milliseconds.
WATCH_PRESS = """() => {
  window.markedAfter = [];
  addEventListener('click', ({ target }) => {
    const button = target.closest('button'), clicked = performance.now();
    if (!button) return;
    new MutationObserver(() => {
      if (button.matches('.is-pressed')) window.markedAfter.push(performance.now() - clicked);
    }).observe(button, { attributeFilter: ['class'] });
  }, { capture: true });
}"""


@pytest.fixture
def far(people: People, serving: Serving) -> Iterator[FarServer]:
    server = FarServer(serving.address)
    yield server
    for context in people.contexts:
        context.close()
    server.stop()
    # Chromium notes by itself that nobody answered.
    people.complaints = [line for line in people.complaints if "net::ERR_" not in line and "WebSocket conn" not in line]


def go_far(people: People, far: FarServer) -> Page:
    """Ann, alone at a table of a server that is far away."""
    ann = people.come(base_url=f"http://{far.address}")
    open_table(ann, "the-game", 1)
    ann.click("form[action*='/start'] button")
    ann.wait_for_selector(LIVE)
    return ann


def place_first(ann: Page, pile: str) -> None:
    ann.locator("#hand input").first.check(force=True)
    ann.click(f"#pile-{pile}")


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


def test_a_line_that_dies_without_a_word_is_told_of_and_taken_anew(people: People, far: FarServer) -> None:
    ann = go_far(people, far)
    ann.evaluate(WATCH_WORDS)
    far.is_dead = True
    ann.wait_for_function("() => window.said.length > 0")
    when, words = ann.evaluate("[window.said[0][0] - window.since, window.said[0][1]]")
    assert words == "No answer from the server. Waiting…"
    assert when < TOLD_WITHIN + BUSY
    place_first(ann, "up1")  # sent until there is an answer
    expect(ann.locator("#connection")).to_have_text("Connection lost. Reconnecting…", timeout=6_000)
    far.is_dead = False
    # A handshake that is under way has five seconds, and so has the move.
    expect(ann.locator("#connection")).to_be_empty(timeout=12_000)
    expect(ann.locator(".latest-up1 #piles")).to_be_visible(timeout=12_000)
    expect(ann.locator(".toast")).to_have_text(["Connected again."])


def test_a_handshake_that_isnt_answered_is_told_of_and_given_up(people: People, far: FarServer) -> None:
    ann = go_far(people, far)
    far.swallows = lambda piece: b"/socket?" in piece.partition(b"\r\n")[0]
    ann.reload()
    ann.evaluate(WATCH_WORDS)
    expect(ann.locator("#connection")).not_to_be_empty(timeout=TOLD_WITHIN + BUSY)
    ann.wait_for_timeout(5_000)
    assert far.swallowed > 1, "the first handshake is still waited for"
    far.swallows = lambda _: False
    ann.wait_for_selector(LIVE, timeout=12_000)
    expect(ann.locator("#connection")).to_be_empty()


def test_a_move_that_is_accepted_and_not_answered_is_sent_again(people: People, far: FarServer) -> None:
    ann = go_far(people, far)
    far.swallows = lambda piece: far.swallowed == 0 and piece.partition(b" ")[0] == b"POST"
    place_first(ann, "up1")
    expect(ann.locator("#connection")).to_have_text("No answer yet. Sending it again…", timeout=TOLD_WITHIN + BUSY)
    expect(ann.locator(".latest-up1 #piles")).to_be_visible(timeout=8_000)
    expect(ann.locator("#connection")).to_be_empty()
    assert far.swallowed == 1
    assert ann.locator("#hand input").count() == 7, "it was played once"


def test_without_a_network_it_is_said_at_once_and_with_one_all_goes_on_at_once(people: People, far: FarServer) -> None:
    ann = go_far(people, far)
    ann.evaluate(WATCH_WORDS)
    far.is_dead = True
    ann.context.set_offline(True)
    expect(ann.locator("#connection")).to_have_text(OFFLINE, timeout=500)
    place_first(ann, "up1")
    ann.wait_for_timeout(12_000)  # by now there are seconds between the attempts
    expect(ann.locator("#connection")).to_have_text(OFFLINE)
    far.is_dead = False
    ann.context.set_offline(False)
    expect(ann.locator(".latest-up1 #piles")).to_be_visible(timeout=3_000)
    expect(ann.locator("#connection")).to_be_empty(timeout=3_000)


def test_what_is_pressed_is_marked_at_once_however_far_the_server_is(people: People, far: FarServer) -> None:
    ann = go_far(people, far)
    far.delay = 0.4
    ann.evaluate(WATCH_PRESS)
    for pile in ("up1", "up2", "down1", "down2"):
        place_first(ann, pile)
        expect(ann.locator(f"#pile-{pile}.is-pressed")).to_have_count(1, timeout=700)
        expect(ann.locator(f".latest-{pile} #piles")).to_be_visible()
        expect(ann.locator(".is-pressed")).to_have_count(0)
    assert min(ann.evaluate("window.markedAfter")) < 50  # a busy machine may be busy with something else
    # What is no move is marked as well, until it is answered.
    ann.fill("#say-text", "Well done")
    ann.click("#say button")
    expect(ann.locator("#say button.is-pressed")).to_have_count(1, timeout=700)
    expect(ann.locator("#said")).to_contain_text("Well done")
    expect(ann.locator(".is-pressed")).to_have_count(0)
