"""Sound and speed: chosen at the table or among the settings, kept by the browser, heard where nobody looks."""

from playwright.sync_api import Page, expect

from tests.browser.people import People
from tests.browser.playing import play_now
from tests.browser.test_staging import arrive, play, shown, two

#: Write down when a note is heard, at which frequency and how loud.
LISTEN = """
window.heard = [];
const begin = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  window.heard.push(this.frequency.value);
  return begin.apply(this, when);
};
"""
TURN = [660, 880]


def heard(page: Page) -> list[float]:
    return page.evaluate("window.heard.splice(0)")


def open_menu(page: Page) -> None:
    page.click("#sound > summary")
    expect(page.locator("#sound [data-volume]")).to_be_visible()


def test_sound_has_a_volume_and_is_off_until_asked_for(people: People) -> None:
    ann = people.come()
    ann.add_init_script(LISTEN)
    play_now(ann, "the-game")
    assert heard(ann) == []
    open_menu(ann)
    assert ann.input_value("#sound [data-volume]") == "0"
    ann.focus("#sound [data-volume]")
    ann.keyboard.press("End")
    assert heard(ann) == TURN
    expect(ann.locator("#sound [data-mute]")).to_have_attribute("aria-pressed", "false")
    ann.click("#sound [data-mute]")
    assert heard(ann) == []
    assert ann.input_value("#sound [data-volume]") == "0"
    ann.click("#sound [data-mute]")
    assert ann.input_value("#sound [data-volume]") == "100"
    ann.keyboard.press("Escape")
    expect(ann.locator("#sound > summary")).to_be_focused()
    expect(ann.locator("#sound [data-volume]")).to_be_hidden()
    ann.goto("/me")
    assert ann.input_value("[data-volume]") == "100"


def test_a_staging_is_heard_and_ones_turn_also_where_nobody_looks(people: People) -> None:
    ann, bob = two(people, init=LISTEN)
    open_menu(ann)
    ann.focus("#sound [data-volume]")
    ann.keyboard.press("End")
    ann.mouse.click(5, 300)
    expect(ann.locator("#sound [data-volume]")).to_be_hidden()
    heard(ann)
    arrive(ann, 1, {"do": "flash", "on": "top-up1", "sound": "thud"})
    ann.wait_for_selector("body[data-shown='1']")
    assert 98 in heard(ann)
    play(bob)
    play(bob)
    ann.wait_for_selector(".is-moving", state="detached")
    heard(ann)
    ann.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })")
    bob.click("#end-turn")
    ann.wait_for_selector("#table.is-yours")
    assert heard(ann) == TURN


def test_the_speed_is_chosen_and_kept(people: People) -> None:
    ann, _ = two(people)
    took = dict[str, float]()
    ann.evaluate("addEventListener('shown', () => (window.over = performance.now()))")
    for speed in ("slow", "normal", "quick"):
        open_menu(ann)
        ann.select_option("#sound [data-pace]", speed)
        ann.keyboard.press("Escape")
        began = ann.evaluate("delete document.body.dataset.shown, delete window.over, performance.now()")
        arrive(ann, 1, {"do": "announce", "weight": "heavy", "is_before": True})
        ann.wait_for_selector("body[data-shown='1']", timeout=10_000)
        took[speed] = ann.evaluate("window.over") - began
    assert shown(ann) == "1"
    assert took["quick"] >= 600
    assert took["normal"] >= took["quick"] + 300
    assert took["slow"] >= took["normal"] + 300
    ann.goto("/me")
    assert ann.input_value("[data-pace]") == "quick"
