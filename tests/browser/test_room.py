"""Nothing lies on anything else, however wide the window is."""

import pytest
from people import People
from playing import PRESS, play_now
from playwright.sync_api import Page

WIDTHS = (320, 390, 600, 700, 768, 900, 959, 960, 1023, 1024, 1100, 1299, 1300, 1440, 1920)
#: So high that nothing has to stay in sight by lying over the rest.
HEIGHT = 2400
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
  const inkOf = (leaf) => {
    const words = document.createRange();
    words.selectNodeContents(leaf);
    return (leaf.matches("svg") || !leaf.textContent.trim() ? leaf : words).getBoundingClientRect();
  };
  const isOver = (a, b) => a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
  const isAside = (part, other) => !part.contains(other) && !other.contains(part);
  const boxes = [...document.querySelectorAll(names)]
    .filter(isForEyes)
    .flatMap((part) => leavesOf(part).map((leaf) => [part, inkOf(leaf)]))
    .filter(([, box]) => box.width > 1 && box.height > 1);
  const covered = boxes.filter(([part, a]) => boxes.some(([other, b]) => isAside(part, other) && isOver(a, b)));
  return [...new Set(covered.map(([part]) => part.id || part.className))];
}
"""


def look(page: Page, game: str, where: str) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        assert not page.evaluate(COVERED, f"{EVERYWHERE}, {PARTS[game]}"), f"{where}, {width} pixels"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{where}, {width} pixels"


@pytest.mark.parametrize("game", PARTS)
def test_nothing_is_covered(people: People, game: str) -> None:
    ann, screen = people.come("fr", reduced_motion="reduce"), people.come("fr", reduced_motion="reduce")
    play_now(ann, game)
    screen.goto(ann.input_value("#link-screen"))
    screen.wait_for_selector("[data-live=yes] #table")
    missing = set(QUESTIONS[game])
    while missing:
        question = ann.get_attribute("#table", "data-question") or ""
        if question in missing and ann.locator("#table.is-yours:not(.is-sending)").count():
            missing.discard(question)
            for page in (ann, screen):
                look(page, game, question)
        ann.evaluate(PRESS)
        ann.wait_for_timeout(10)
