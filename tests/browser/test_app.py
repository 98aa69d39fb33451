"""What makes of a page an app: a screen that stays lit, invitations that are shared as phones share things."""

from playwright.sync_api import expect

from tests.browser.people import People
from tests.browser.playing import open_table

LIVE = "[data-live=yes] #table[data-phase=playing]"
#: Keeps what was asked of the browser; the screens of machines that test may not be lit.
NOTE_LOCKS = """
window.locks = [];
navigator.wakeLock.request = async (kind) => {
  const lock = { kind, released: false, release: async () => (lock.released = true) };
  window.locks.push(lock);
  return lock;
};
"""
#: A browser that shares; ours for tests doesn't.
SHARES = "navigator.share = async (what) => { window.shared = what; };"


def test_a_screen_stays_lit_while_a_game_is_played(people: People) -> None:
    ann = people.come()
    ann.add_init_script(NOTE_LOCKS)
    open_table(ann, "the-game", 1)
    assert ann.evaluate("window.locks.length") == 0
    ann.click("form[action*='/start'] button")
    ann.wait_for_selector(LIVE)
    assert ann.evaluate("window.locks.map((lock) => [lock.kind, lock.released])") == [["screen", False]]
    # A browser lets it go by itself when the page is hidden.
    ann.evaluate("""() => {
        window.locks[0].released = true;
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    }""")
    ann.wait_for_function("() => window.locks.length === 2")
    assert ann.evaluate("window.locks[1].released") is False


def test_an_invitation_is_shared_or_else_copied(people: People) -> None:
    ann, bob = people.come(), people.come()
    ann.add_init_script(SHARES)
    link = open_table(ann, "misty", 2)
    ann.click("[data-share]")
    assert ann.evaluate("window.shared") == {"title": "Play Misty with me on Nevel", "url": link}
    open_table(bob, "misty", 2)
    expect(bob.locator("[data-share]")).to_be_hidden()
    expect(bob.locator(".link-invitation [data-copy]")).to_be_visible()
