"""Stagings: what happened is shown on the board step by step, and never in the way of anybody."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.people import People
from tests.browser.playing import open_table

LIVE = "[data-live=yes] #table[data-phase=playing]"
#: Remember how the page stages: what moves at which pile, and what lies beneath it meanwhile.
WATCH = """() => {
  window.seen = [];
  const look = () => {
    const moving = document.querySelector(".pile .face.is-moving");
    const beneath = moving?.parentElement.querySelector(".face.is-picture");
    if (moving) window.seen.push({
      pile: moving.id, shows: moving.innerText.trim(), beneath: beneath?.innerText.trim() ?? null,
      top: moving.getBoundingClientRect().top, holder: moving.parentElement.getBoundingClientRect().top,
    });
    window.watching = requestAnimationFrame(look);
  };
  look();
}"""


def two(people: People, **how: Any) -> tuple[Page, Page]:
    """Two people at a table of The Game, and the second has the first turn."""
    ann, bob = people.come(**how), people.come(reduced_motion="reduce")
    bob.goto(open_table(ann, "the-game", 2))
    bob.click("form[action*='/sit'] button >> nth=0")
    expect(ann.locator(".chair.kind-person")).to_have_count(2)
    ann.click("form[action*='/start'] button")
    for page in (ann, bob):
        page.wait_for_selector(LIVE)
    bob.click("button[value=start]")
    bob.wait_for_selector("#table[data-question=play]")
    expect(ann.locator("#piles")).to_be_visible()
    return ann, bob


def play(page: Page) -> tuple[str, str, str]:
    """Play a card over the API; gives the pile, the card and what lay there."""
    where = f"/api/tables/{page.get_attribute('#table', 'data-table')}"
    view = page.request.get(where).json()["view"]
    move = next(one for one in view["prompt"]["moves"] if one.startswith("play"))
    _, card, pile = move.split()
    top = next(one["top"] for one in view["board"]["piles"] if one["name"] == pile)
    assert page.request.post(f"{where}/play", data={"move": move, "seq": view["seq"]}).ok
    return pile, card, str(top)


def test_anothers_card_flies_and_the_one_it_covers_stays_beneath(people: People) -> None:
    ann, bob = two(people)
    ann.evaluate(WATCH)
    pile, card, top = play(bob)
    expect(ann.locator(f"#top-{pile} .number")).to_have_text(card)
    expect(ann.locator(".is-moving, .is-picture")).to_have_count(0)
    seen = ann.evaluate("window.seen")
    assert seen
    assert all(one["pile"] == f"top-{pile}" and one["shows"] == card and one["beneath"] == top for one in seen), seen
    assert len({round(one["top"]) for one in seen}) > 2  # it travelled
    assert len({round(one["holder"]) for one in seen}) == 1  # and nothing else moved
