"""Cards dragged to where they go, by mouse and by finger; a drag that ends elsewhere does nothing."""

from playwright.sync_api import CDPSession, Locator, Page, expect

from tests.browser.people import PHONE, People
from tests.browser.playing import PRESS, play_now


def middle(element: Locator) -> tuple[float, float]:
    box = element.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, source: Locator, target: tuple[float, float]) -> None:
    page.mouse.move(*middle(source))
    page.mouse.down()
    page.mouse.move(*target, steps=8)
    page.mouse.up()


def come_to(page: Page, question: str) -> None:
    """Play until this is asked."""
    # Both at once: between two looks a frame may come.
    asked = "(question) => document.querySelector(`#table[data-question=${question}]:not(.is-sending)`) !== null"
    for _ in range(400):
        if page.evaluate(asked, question):
            return
        page.evaluate(PRESS)
        page.wait_for_timeout(15)
    raise AssertionError(f"{question} isn't asked")


def playable(page: Page) -> tuple[Locator, Locator]:
    """A card, and a pile it may go on."""
    card = page.locator("#hand .card[data-drag]").first
    pile = (card.locator("input").get_attribute("data-targets") or "").split(":")[0]
    return card, page.locator(f"#pile-{pile}")


def test_a_card_is_dragged_to_a_pile(people: People) -> None:
    ann = people.come()
    play_now(ann, "the-game")
    come_to(ann, "play")
    card, pile = playable(ann)
    held = ann.locator("#hand .card").count()
    # Elsewhere: to the floor, or to a place that isn't a pile.
    for nowhere in ((5.0, 400.0), middle(ann.locator("#draw-pile"))):
        drag(ann, card, nowhere)
        expect(ann.locator(".dragged")).to_have_count(0)
        expect(ann.locator("#hand input:checked")).to_have_count(0)
        expect(ann.locator(".is-target")).to_have_count(0)
    assert ann.evaluate("getSelection().toString()") == ""
    # Escape lays it back.
    ann.mouse.move(*middle(card))
    ann.mouse.down()
    ann.mouse.move(*middle(pile), steps=5)
    expect(ann.locator(".dragged")).to_have_count(1)
    ann.keyboard.press("Escape")
    ann.mouse.up()
    expect(ann.locator("#hand .card")).to_have_count(held)
    number = card.inner_text().split()[0]
    drag(ann, card, middle(pile))
    expect(ann.locator("#hand .card")).to_have_count(held - 1)
    # What it covers is there until the card has arrived.
    expect(pile.locator(".number").last).to_have_text(number)
    # To click and click works as before.
    card, pile = playable(ann)
    card.locator("input").click()
    expect(pile).to_have_class("pile is-target")


def test_a_token_is_dragged_to_a_day(people: People) -> None:
    ann = people.come(reduced_motion="reduce")
    play_now(ann, "what-the-fog")
    come_to(ann, "place")
    day = ann.locator(".day:has(.press)").first
    laid = day.locator(".token").count()
    drag(ann, ann.locator("#lifted-token .token"), (5.0, 500.0))
    expect(ann.locator("#table")).to_have_attribute("data-question", "place")
    name = day.get_attribute("id")
    drag(ann, ann.locator("#lifted-token .token"), middle(day))
    expect(ann.locator(f"#{name} .token").nth(laid)).to_be_visible()  # and perhaps others' after it: bots are quick


def test_a_picked_card_is_dragged_into_the_window(people: People) -> None:
    ann = people.come(reduced_motion="reduce")
    play_now(ann, "misty")
    come_to(ann, "place")
    panes = ann.locator("#window .pane").count()
    drag(ann, ann.locator(".picked .pane"), (5.0, 500.0))
    expect(ann.locator("#table")).to_have_attribute("data-question", "place")
    expect(ann.locator(".dragged")).to_have_count(0)
    drag(ann, ann.locator(".picked .pane"), middle(ann.locator(".space.is-target").first))
    expect(ann.locator("#window .pane")).to_have_count(panes + 1)


class Finger:
    """A finger on the glass."""

    def __init__(self, page: Page) -> None:
        self.session: CDPSession = page.context.new_cdp_session(page)

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        event = {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        self.session.send("Input.dispatchTouchEvent", event)


def test_a_finger_that_rests_drags_and_one_that_moves_scrolls(people: People) -> None:
    ann = people.come(bypass_csp=True, **{**PHONE, "viewport": {"width": 390, "height": 640}})
    play_now(ann, "the-game")
    come_to(ann, "play")
    finger = Finger(ann)
    card, pile = playable(ann)
    held = ann.locator("#hand .card").count()
    x, y = middle(card)
    finger.touch("touchStart", (x, y))
    for step in range(1, 13):
        finger.touch("touchMove", (x, y - 20 * step))
    finger.touch("touchEnd")
    ann.wait_for_function("scrollY > 0")
    expect(ann.locator("#hand .card")).to_have_count(held)
    expect(ann.locator("#hand input:checked")).to_have_count(0)
    ann.goto(ann.url)  # a fling may go on a while
    ann.wait_for_selector("[data-live=yes] #table[data-question=play]")
    (x, y), (to_x, to_y) = middle(card), middle(pile)
    finger.touch("touchStart", (x, y))
    expect(ann.locator(".dragged")).to_have_count(1)
    for step in range(1, 11):
        finger.touch("touchMove", (x + (to_x - x) * step / 10, y + (to_y - y) * step / 10))
    finger.touch("touchEnd")
    expect(ann.locator("#hand .card")).to_have_count(held - 1)
    assert ann.evaluate("scrollY") == 0
    # A slow tap is a tap.
    card, pile = playable(ann)
    finger.touch("touchStart", middle(card))
    expect(ann.locator(".dragged")).to_have_count(1)
    finger.touch("touchEnd")
    expect(ann.locator(".dragged")).to_have_count(0)
