"""Nothing lies on anything else, however wide or low the window is, and what is asked is in sight."""

import pytest
from playwright.sync_api import Page

from tests.browser.people import People
from tests.browser.playing import PRESS, play_now

WIDTHS = (320, 390, 600, 700, 768, 900, 959, 960, 1023, 1024, 1100, 1299, 1300, 1440, 1920)
#: So high that nothing has to stay in sight by lying over the rest.
HEIGHT = 2400
#: A desktop and phones with everything twice as large or held sideways, a small laptop, the narrowest phone.
LOW = ((720, 450), (600, 500), (844, 390), (1024, 500), (1366, 650), (320, 640))
#: What lies over the rest to stay in sight, back in its place.
IN_PLACE = """
() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("#prompt { position: static !important; }");
  document.adoptedStyleSheets = [sheet];
}
"""
AS_IT_IS = "() => (document.adoptedStyleSheets = [])"
#: The parts of a page that aren't wholly in sight.
OUT_OF_SIGHT = """
(names) => [...document.querySelectorAll(names)]
  .filter((one) => one.getBoundingClientRect().top < 0 || one.getBoundingClientRect().bottom > innerHeight)
  .map((one) => one.id || one.className)
"""
#: What has a place of its own at any table, and at each.
EVERYWHERE = ".bar > *, .corner > *, .player, .latest, #prompt, .count > summary, .side summary, .chat form, .helpers"
PARTS = {
    "what-the-fog": ".pile, .lifted, .stock, .order, .barometer, .day, .counted-day, .deciding, .hand, .opened",
    "the-game": ".pile-holder, .deck, .hand .card, .turn",
    "extreme": ".pile-holder, .deck, .orders, .hand .card, .turn",
    "misty": ".going, .other, .counted, .holder, .shapes, .misted .turn, .picked, .held",
}
#: What each is asked; each of these looks otherwise.
QUESTIONS = {
    "what-the-fog": {"lift", "place", "reveal", "predict"},
    "the-game": {"play", "play-or-end"},
    "extreme": {"play", "play-or-end"},
    "misty": {"pick", "place", "activate"},
}
#: The parts that something of another part lies on. What can be seen of a part can be larger than the part itself.
COVERED = """
(names) => {
  const isForEyes = (one) => one.offsetWidth !== 1; // the rest is only read aloud
  const isSeen = (one) => isForEyes(one) && !one.closest("svg *") && one.checkVisibility({ visibilityProperty: true });
  const leavesOf = (part) => [...part.querySelectorAll("*")]
    .filter((one) => one.closest(names) === part && !one.querySelector(":not(svg *)") && isSeen(one));
  const inkOf = (leaf, part) => {
    const words = document.createRange();
    words.selectNodeContents(leaf);
    const ink = (leaf.matches("svg") || !leaf.textContent.trim() ? leaf : words).getBoundingClientRect();
    let { left, right, top, bottom } = ink;
    // A name that is too long is cut off.
    for (let one = leaf; one !== part.parentElement; one = one.parentElement) {
      if (getComputedStyle(one).overflowX === "visible") continue;
      const frame = one.getBoundingClientRect();
      [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
      [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
    }
    return { left, right, top, bottom };
  };
  const isOver = (a, b) => a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
  const isAside = (part, other) => !part.contains(other) && !other.contains(part);
  const boxes = [...document.querySelectorAll(names)]
    .filter(isForEyes)
    .flatMap((part) => leavesOf(part).map((leaf) => [part, inkOf(leaf, part)]))
    .filter(([, box]) => box.right - box.left > 1 && box.bottom - box.top > 1);
  const covered = boxes.filter(([part, a]) => boxes.some(([other, b]) => isOver(a, b) && isAside(part, other)));
  return [...new Set(covered.map(([part]) => part.id || part.className))];
}
"""


def look(page: Page, game: str, where: str) -> None:
    for width in WIDTHS:
        look_at(page, game, where, width, HEIGHT)
    page.evaluate(IN_PLACE)
    for width, height in LOW:
        look_at(page, game, where, width, height)
    page.evaluate(AS_IT_IS)


def look_at(page: Page, game: str, where: str, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    assert not page.evaluate(COVERED, f"{EVERYWHERE}, {PARTS[game]}"), f"{where}, {width} by {height} pixels"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{where}, {width} by {height} pixels"


def stay_in_sight(page: Page, game: str, where: str) -> None:
    """The question wherever one scrolls to while it is asked; in The Game all that a turn takes, without scrolling."""
    for width, height in LOW:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        assert not page.evaluate(OUT_OF_SIGHT, "#prompt, .deciding"), f"{where}, {width} by {height} pixels"
        page.locator("#asked > .own").evaluate("own => own.lastElementChild.scrollIntoView({ block: 'end' })")
        assert not page.evaluate(OUT_OF_SIGHT, "#prompt, .deciding"), f"{where}, {width} by {height} pixels"
    page.evaluate("scrollTo(0, 0)")
    for width, height in ((720, 450), (1366, 650), (1440, 900)) if game == "the-game" else ():
        page.set_viewport_size({"width": width, "height": height})
        assert not page.evaluate(OUT_OF_SIGHT, "#prompt, .pile, .hand .card, .turn"), f"{where}, {width} by {height}"


@pytest.mark.parametrize("game", PARTS)
def test_nothing_is_covered(people: People, game: str) -> None:
    ann, screen = people.come("fr", reduced_motion="reduce"), people.come("fr", reduced_motion="reduce")
    play_now(ann, game)
    table = ann.url
    ann.goto("/me")
    ann.fill("input[name=name]", "Maximilienne-Alexandrine")  # so that names have to be cut off
    ann.click("form:has(input[name=name]) button")
    ann.goto(table)
    screen.goto(ann.input_value("#link-screen"))
    screen.wait_for_selector("[data-live=yes] #table")
    missing, asked_at_times = set(QUESTIONS[game]), {"start"}
    while missing:
        question = ann.get_attribute("#table", "data-question") or ""
        if question in missing | asked_at_times and ann.locator("#table.is-yours:not(.is-sending)").count():
            missing.discard(question)
            asked_at_times.discard(question)
            for page in (ann, screen):
                look(page, game, question)
            stay_in_sight(ann, game, question)
        ann.evaluate(PRESS)
        ann.wait_for_timeout(10)
