"""What the Fog?! stages its moments: lift, reveal, predictions, and the count, after which the next round waits."""

import itertools

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import PHONE, People
from tests.browser.playing import GAME_SECONDS, PRESS
from tests.browser.sight import play_with_bots

#: Notes every class that a staging gives to a place, with the place, and what is laid on places.
WATCH = """
() => {
  window.staged = [];
  const note = (told) => window.staged.includes(told) || window.staged.push(told);
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      for (const name of target.classList ?? []) if (name.startsWith("staged-")) note(`${target.id} ${name}`);
      for (const node of addedNodes) if (node.dataset?.on) note(`${node.dataset.on} ${node.firstChild?.className}`);
    }
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
}
"""
STAGED = "() => window.staged"


class Player:
    """Somebody at a table with bots who moves over the API, while their page is watched."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.where = f"/api/tables/{page.get_attribute('#table', 'data-table')}"

    def question(self) -> str:
        """What is asked; waits until something is."""
        for _ in range(int(GAME_SECONDS * 10)):
            view = self.page.request.get(self.where).json()["view"]
            if view["prompt"] or view["phase"] == "over":
                return view["prompt"]["question"] if view["prompt"] else ""
            self.page.wait_for_timeout(20)
        raise AssertionError("nothing is asked any more")

    def move(self, number: int = 0) -> None:
        view = self.page.request.get(self.where).json()["view"]
        moves = view["prompt"]["moves"]
        move = {"move": moves[min(number, len(moves) - 1)], "seq": view["seq"]}
        assert self.page.request.post(f"{self.where}/play", data=move).ok

    def go_on(self, *questions: str) -> None:
        """Move until one of these is asked."""
        for number in itertools.count():
            asked = self.question()
            assert asked, "the game is over"
            if asked in questions:
                self.page.wait_for_selector(f"#table[data-question={asked}]")
                return
            self.move(0 if asked == "predict" else number % 3)


def sit_down(people: People, **how: str) -> Player:
    ann = people.come(**{**PHONE, **how})
    play_with_bots(ann, "what-the-fog", 2)
    ann.evaluate(WATCH)
    return Player(ann)


def test_moments_of_a_round_are_staged(people: People) -> None:
    player = sit_down(people)
    page = player.page
    player.go_on("discard")
    expect(page.locator(".is-moving, .staging-layer > *")).to_have_count(0)
    seen = page.evaluate(STAGED)
    assert any(" staged-reveals-" in one for one in seen), seen
    assert any(one.startswith("barometer staged-") for one in seen), seen
    assert any(one.startswith("seat-") and one.endswith("staged-tally") for one in seen), seen


@pytest.mark.parametrize("skips", [False, True])
def test_a_round_is_counted_on_the_board(people: People, skips: bool) -> None:
    """Day after day, then arrows and points; the next round waits until somebody goes on, or has seen enough."""
    player = sit_down(people)
    page = player.page
    player.go_on("discard")
    page.evaluate(PRESS)
    expect(page.locator(".day.staged-counted").first).to_be_visible()
    assert page.inner_text("#barometer .round").startswith("Round 1")
    if skips:
        page.keyboard.press("Escape")
    else:
        expect(page.locator(".staged-next")).to_be_visible()
        expect(page.locator(".day.staged-counted")).to_have_count(4)
        seen = page.evaluate(STAGED)
        for seat in (0, 1):
            assert f"seat-{seat} staged-score" in seen
            assert f"arrow-{seat} staged-met" in seen or f"arrow-{seat} staged-missed" in seen
        assert sum(" staged-claimed-" in one for one in seen) <= 4
        page.click(".staged-next")
    expect(page.locator("#barometer .round")).to_have_text("Round 2 of 4")
    expect(page.locator(".staged-counted, .staging-layer > *")).to_have_count(0)
    expect(page.locator("details.count")).to_be_visible()


def test_without_motion_the_next_round_is_there_at_once(people: People) -> None:
    player = sit_down(people, reduced_motion="reduce")
    player.go_on("discard")
    player.page.evaluate(PRESS)
    expect(player.page.locator("#barometer .round")).to_have_text("Round 2 of 4")
    assert player.page.evaluate(STAGED) == []
