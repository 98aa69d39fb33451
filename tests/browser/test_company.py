"""People among people: not hearing somebody, links for those who come, a table handed over, a game from a file."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.people import People
from tests.browser.playing import open_table, play_now, play_unseen

LIVE = "[data-live=yes] #table[data-phase=playing]"


def two(ann: Page, bob: Page) -> None:
    """Ann's table, at which Bob sits down."""
    bob.goto(open_table(ann, "the-game", 2))
    bob.click("form[action*='/sit'] button >> nth=0")
    expect(ann.locator(".chair.kind-person")).to_have_count(2)


def test_somebody_isnt_heard_any_more_and_then_again(people: People) -> None:
    ann, bob = people.come(), people.come()
    two(ann, bob)
    ann.click("form[action*='/start'] button")
    bob.wait_for_selector(LIVE)
    bob.fill("#say-text", "Blah")
    bob.click("#say button")
    expect(ann.locator("#said")).to_contain_text("Blah")
    ann.click("#said a.somebody")
    ann.click("dialog[open] form[action*='/mute'] button")
    expect(ann.locator("#said")).not_to_contain_text("Blah")
    ann.click("#back-to-table")
    expect(ann.locator("dialog[open]")).to_have_count(0)
    ann.wait_for_selector(LIVE)
    ann.click(".player a.somebody")
    ann.click("dialog[open] form[action*='/unmute'] button")
    expect(ann.locator("#said")).to_contain_text("Blah")
    ann.keyboard.press("Escape")
    expect(ann.locator("dialog[open]")).to_have_count(0)
    expect(ann.locator(".player a.somebody")).to_be_focused()
    # Going back closes what lies over the table, and no more.
    table = ann.url
    ann.click(".player a.somebody")
    ann.wait_for_selector("dialog[open]")
    ann.go_back()
    expect(ann.locator("dialog[open]")).to_have_count(0)
    assert ann.url == table


def test_who_sits_down_has_a_link_and_who_becomes_host_has_them_all(people: People) -> None:
    ann, bob = people.come(), people.come()
    two(ann, bob)
    expect(bob.locator(".link")).to_have_count(1)
    expect(bob.locator(".me")).to_have_text(ann.inner_text(".chair a.somebody"))
    expect(ann.locator("form[action*='/seat-bot']")).to_have_count(0)  # there is no free chair
    ann.click(".chair .actions a[data-somebody]")
    ann.click("dialog[open] form[action*='/make-host'] summary")
    ann.click("dialog[open] form[action*='/make-host'] button")
    expect(bob.locator(".link")).to_have_count(4)
    expect(ann.locator(".link")).to_have_count(1)
    expect(ann.locator("dialog[open]")).to_have_count(0)
    # Nobody sits down any more once the game has begun.
    bob.click("form[action*='/start'] button")
    expect(bob.locator(".link")).to_have_count(3)
    for page in (ann, bob):
        expect(page.locator("#invite[open]")).to_have_count(0)  # there is a game to look at
        expect(page.locator("#guide-me")).to_be_visible()
    # The chair's own link is the chair, on another device.
    telephone = people.come()
    telephone.goto(bob.input_value("#link-chair"))
    telephone.wait_for_selector(LIVE)
    assert telephone.locator("#hand .card").count() == bob.locator("#hand .card").count() > 0


def test_a_link_is_copied(people: People) -> None:
    ann = people.come(permissions=["clipboard-read", "clipboard-write"])
    link = open_table(ann, "misty", 2)
    ann.click(".link-invitation .copy")
    expect(ann.locator(".link-invitation .copy")).to_have_text("Copied")
    assert ann.evaluate("navigator.clipboard.readText()") == link


def test_the_record_is_kept_and_opened_again(people: People, tmp_path: Path) -> None:
    """By whoever has the link to watch, too: frames don't know by which link somebody came."""
    ann = people.come()
    play_now(ann, "the-game")
    watching = ann.input_value("#link-spectator")
    friend = people.come()
    friend.goto(watching)
    friend.wait_for_selector(LIVE)
    play_unseen(ann)
    with friend.expect_download() as kept:
        friend.click(".result a[download]")
    record = tmp_path / kept.value.suggested_filename
    kept.value.save_as(record)
    assert re.fullmatch(r"nevel-the-game-[\w-]+\.json", record.name)
    friend.click(".result a[href*='/replay']")
    friend.wait_for_selector("#run:not([hidden])")
    for scripted in (True, False):
        bob = people.come(java_script_enabled=scripted)
        bob.goto("/")
        bob.click(".opening summary")
        bob.set_input_files(".opening input", record)
        bob.click(".opening button")
        expect(bob.locator("#result-title")).to_have_text(ann.inner_text("#result-title"))
    # A file that can't be a game isn't even sent.
    large = tmp_path / "large.json"
    large.write_bytes(b" " * 600_000)
    ann.goto("/")
    ann.click(".opening summary")
    ann.set_input_files(".opening input", large)
    ann.click(".opening button")
    assert "too large" in ann.eval_on_selector(".opening input", "input => input.validationMessage")
    assert ann.url.endswith("/")


def test_leaving_asks_first(people: People) -> None:
    ann = people.come()
    play_now(ann, "the-game")
    expect(ann.locator("#leaving button")).to_be_hidden()
    ann.click("#leaving summary")
    ann.click("#leaving button")
    ann.click("form[action*='/reclaim'] button")
    expect(ann.locator("#leaving")).to_be_visible()


def test_everybody_sees_at_once_how_it_is_to_be_played(people: People) -> None:
    ann, bob = people.come(), people.come("fr")
    two(ann, bob)
    ann.click("#changing-terms summary")
    # Quicker than any answer: no change is lost.
    ann.evaluate("""() => {
        document.getElementById("option-fewer_cards").click();
        document.getElementById("pace-live").click();
        const minimum = document.getElementById("option-minimum");
        minimum.value = "3";
        minimum.dispatchEvent(new Event("change", { bubbles: true }));
    }""")
    expect(bob.locator("dl.terms")).to_contain_text("45 secondes")
    expect(bob.locator("dl.terms dd")).to_have_text([re.compile("45"), "3", "oui", "non", "amateur", re.compile("…")])
    ann.wait_for_selector("#table[data-seq='4'], #table[data-seq='5'], #table[data-seq='6']")
    assert ann.is_checked("#option-fewer_cards")
    assert ann.is_checked("#pace-live")
    ann.fill("#pace-seconds", "3")
    ann.keyboard.press("Tab")
    assert ann.eval_on_selector("#pace-seconds", "input => !input.validity.valid")
    ann.fill("#pace-seconds", "20")
    ann.keyboard.press("Tab")
    expect(bob.locator("dl.terms")).to_contain_text("20 secondes")
    ann.click("form[action*='/start'] button")
    expect(bob.locator("#table[data-phase=playing]")).to_have_count(1)


def test_a_move_is_taken_back_when_the_other_agrees(people: People) -> None:
    ann, bob = people.come(), people.come()
    two(ann, bob)
    ann.click("form[action*='/start'] button")
    ann.click("button[value=start]")
    for pile in ("up1", "down1"):
        ann.locator("#hand input").first.check(force=True)
        ann.click(f"#pile-{pile}")
        expect(ann.locator(f".latest-{pile} #piles")).to_be_visible()
    ann.click("#end-turn")
    ann.click("#take-back button")
    expect(ann.locator(".ask")).to_have_text("You asked to take back the last move. The others decide.")
    expect(bob.locator(".ask p")).to_contain_text("would like to take back the last move.")
    bob.click(".ask .primary")
    expect(ann.locator("#end-turn")).to_be_visible()
    expect(bob.locator(".ask")).to_have_count(0)
