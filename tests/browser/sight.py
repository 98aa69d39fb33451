"""Whether all that a decision takes is in sight: the question, the board, one's hand and what may be pressed.

`play_in_sight` plays a whole game and looks at every decision; a game's test names the parts of its board.
"""

import time
from collections.abc import Iterator
from itertools import cycle, islice

from playwright.sync_api import Page

from tests.browser.playing import GAME_SECONDS, PRESS

#: What browsers leave of the screens that people have: phones with their bars, upright and sideways, tablets, desktops.
SIZES = (
    (320, 568),
    (360, 640),
    (390, 664),
    (390, 844),
    (844, 390),
    (768, 1024),
    (1024, 768),
    (1440, 900),
    (1920, 1080),
    (2560, 1440),
)
#: So long that it has to be cut off where there is little room.
LONG_NAME = "Maximilienne-Alexandrine"
#: What is asked, and what may be pressed to answer.
ANSWERS = "#prompt, #play .is-target, #play button[name=move]:not([hidden], [data-hint]), #play [data-target]"
#: The shortest side of what is pressed on a touch screen.
FINGER = 44
#: What isn't in sight, is covered, or is too small to be pressed by a finger. What has no size is only read aloud.
HIDDEN_FROM_SIGHT = """
({ parts, answers, finger }) => {
  const found = [];
  const names = `${parts}, ${answers}`;
  for (const one of document.querySelectorAll(names)) {
    const box = one.getBoundingClientRect();
    if (!one.checkVisibility({ visibilityProperty: true }) || box.width <= 1) continue;
    const name = one.id || one.dataset.target || one.className;
    const edges = [box.left, box.top, box.right, box.bottom].map(Math.round);
    const tell = (problem) => found.push(`${name} ${problem}, ${edges}`);
    if (box.top < -1 || box.left < -1 || box.bottom > innerHeight + 1 || box.right > innerWidth + 1) {
      tell("is out of sight");
      continue;
    }
    const isPressed = one.matches(answers) && one.id !== "prompt";
    if (isPressed && Math.min(box.width, box.height) < finger - 0.5) tell("is too small");
    for (const x of [0.12, 0.5, 0.88]) for (const y of [0.12, 0.5, 0.88]) {
      const top = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
      if (!isItself(one, top, isPressed)) tell(`lies under ${top?.id || top?.className}`);
    }
  }
  // What is around something isn't over it; what may be pressed lies over what it stands for; and cards of a fan lie
  // over each other, as do neighbours that are parts of the same.
  function isItself(one, top, isPressed) {
    if (!top || one.contains(top) || top.contains(one)) return Boolean(top);
    return !isPressed && (one.parentElement.contains(top) || top.closest(answers)?.parentElement.contains(one));
  }
  return [...new Set(found)];
}
"""


def problems_in_sight(page: Page, parts: str) -> list[str]:
    """What isn't in sight, is covered or is too small, as the page is now; `parts` also has to be in sight."""
    return page.evaluate(HIDDEN_FROM_SIGHT, {"parts": parts, "answers": ANSWERS, "finger": FINGER})


def call_oneself(page: Page, name: str) -> None:
    """Take a name, and come back."""
    table = page.url
    page.goto("/me")
    page.fill("input[name=name]", name)
    page.click("form:has(input[name=name]) button")
    page.goto(table)
    page.wait_for_selector("[data-live=yes] #table")


def play_with_bots(page: Page, game: str, seats: int) -> None:
    """From the first page to a table with bots, so many in all."""
    page.goto("/")
    form = page.locator(f"form[action='/play/{game}']")
    form.locator(".choose").click()
    form.locator("select[name=chairs]").select_option(str(seats))
    form.locator(".options .primary").click()
    page.wait_for_selector("[data-live=yes] #table[data-phase=playing]")


def decisions(page: Page) -> Iterator[str]:
    """Play a game to its end by pressing what is offered; stops at every decision, and gives what is asked."""
    until = time.monotonic() + GAME_SECONDS
    while time.monotonic() < until:
        page.wait_for_selector("#table.is-yours:not(.is-sending), #table[data-phase=over]")
        if page.get_attribute("#table", "data-phase") == "over":
            return
        yield page.get_attribute("#table", "data-question") or ""
        page.evaluate("scrollTo(0, 0)")
        page.evaluate(PRESS)
    raise AssertionError("the game doesn't end")


def play_in_sight(page: Page, parts: str, at_once: int = 2) -> int:
    """Play a game and look at every decision, in a few sizes each time and in all sizes when it asks something new.

    `parts` names what has to be in sight besides question and answers. Gives how many decisions there were.
    """
    sizes, asked, found, count = cycle(SIZES), set[str](), list[str](), 0
    for question in decisions(page):
        count += 1
        looks = SIZES if question not in asked else tuple(islice(sizes, at_once))
        asked.add(question)
        for width, height in looks:
            page.set_viewport_size({"width": width, "height": height})
            found += [f"{question}, {width} by {height}: {told}" for told in problems_in_sight(page, parts)]
    assert not found, "\n".join(found[:40])
    return count
