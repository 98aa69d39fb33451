"""Misty's moments: picks turn over together, and when a round is over every window is played, one after the other."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.people import People
from tests.browser.playing import open_table

LIVE = "[data-live=yes] #table[data-phase=playing]"
#: Remember every class that stagings give to something, and to what.
WATCH = """() => {
  window.seen = [];
  new MutationObserver((changes) => {
    for (const { target } of changes) for (const name of target.classList) {
      if (name.startsWith("staged-") && target.id) window.seen.push(`${target.id} ${name}`);
    }
  }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["class"] });
  const animate = Element.prototype.animate;
  window.turned = [];
  Element.prototype.animate = function (frames, ...rest) {
    if (frames.some(({ transform }) => transform?.includes("rotateY"))) window.turned.push(this.id);
    return animate.call(this, frames, ...rest);
  };
}"""
#: What a staging leaves behind: nothing.
LEFT = "document.querySelectorAll('#table [class*=\"staged-\"], .staging-layer > *').length"


def two(people: People, **how: Any) -> tuple[Page, Page]:
    """Two people at a table, of whom the second sees nothing move."""
    ann, bob = people.come(**how), people.come(reduced_motion="reduce")
    bob.goto(open_table(ann, "misty", 2))
    bob.click("form[action*='/sit'] button >> nth=0")
    expect(ann.locator(".chair.kind-person")).to_have_count(2)
    ann.click("form[action*='/start'] button")
    for page in (ann, bob):
        page.wait_for_selector(LIVE)
        page.evaluate(WATCH)
    return ann, bob


def play_once(page: Page) -> bool:
    """Answer what the person is asked with the first move, over the API; whether there was something to answer."""
    where = f"/api/tables/{page.get_attribute('#table', 'data-table')}"
    view = page.request.get(where).json()["view"]
    if view["phase"] != "playing" or view["board"]["round"] > 1 or not view["prompt"]:
        return False
    move = {"move": view["prompt"]["moves"][0], "seq": view["seq"]}
    assert page.request.post(f"{where}/play", data=move).ok
    return True


def play_a_round(ann: Page, bob: Page) -> None:
    """Until the first round is counted; the second person is the last to finish."""
    while True:
        moves = [play_once(page) for page in (ann, bob)]
        if not any(moves):
            return


def test_every_window_is_played_before_everybody_who_looks(people: People) -> None:
    ann, bob = two(people)
    ann.evaluate("localStorage.setItem('pace', 'quick')")
    play_a_round(ann, bob)
    ann.wait_for_selector("#play-0.staged-scene, #play-1.staged-scene")
    expect(ann.locator("#prompt")).to_be_in_viewport(ratio=1)
    play_by_hand(bob)  # somebody moves in the middle
    ann.wait_for_selector("#play-1.staged-sum")
    ann.wait_for_selector(".staged-scene, .staged-banner", state="detached")
    seen = ann.evaluate("window.seen")
    scenes = [one.split()[0] for one in seen if one.endswith("staged-scene")]
    assert scenes == sorted(scenes)  # one after the other
    assert set(scenes) == {"play-0", "play-1"}
    for window in ("0", "1"):
        own = [one for one in seen if f"-{window}" in one]
        assert any(one.startswith(f"actor-{window}-") for one in own), own
        assert f"play-{window} staged-worth" in own
        assert own.index(f"play-{window} staged-sum") > own.index(f"play-{window} staged-worth")
    expect(ann.locator("#state-1 use[href$='#check']")).to_have_count(1)
    assert len([one for one in ann.evaluate("window.turned") if one == "state-1"]) >= 2  # over, and up again
    assert not bob.evaluate("window.seen.length + window.turned.length")  # for whom nothing moves, all is there at once


def play_by_hand(page: Page) -> None:
    """Pick the first card of the new hand by pressing it."""
    page.click("#hand button[name=move] >> nth=0")
    page.wait_for_selector("#hand .is-choice")


def test_a_key_ends_it(people: People) -> None:
    ann, bob = two(people)
    play_a_round(ann, bob)
    ann.wait_for_selector(".staged-scene")
    ann.keyboard.press("Escape")
    assert ann.evaluate(LEFT) == 0
    expect(ann.locator(".is-news .ended").first).to_be_visible()


def test_a_card_of_the_new_hand_is_picked_while_windows_are_played(people: People) -> None:
    ann, bob = two(people, viewport={"width": 390, "height": 664})
    play_a_round(ann, bob)
    ann.wait_for_selector(".staged-scene")
    play_by_hand(ann)
    assert ann.evaluate(LEFT) == 0
