"""What somebody sees and hears without asking: who comes and goes, which game it is, that it is played again."""

import re

from playwright.sync_api import Page, expect

from tests.browser.people import PHONE, People
from tests.browser.playing import open_table, play_now, play_unseen

LIVE = "[data-live=yes] #table[data-phase=playing]"
#: How far the story is from its end, in pixels.
BEFORE_THE_END = """() => {
  const list = document.getElementById("story");
  return list.scrollHeight - list.clientHeight - list.scrollTop;
}"""


def sit_down(bob: Page, link: str) -> None:
    bob.goto(link)
    bob.click("form[action*='/sit'] button >> nth=0")
    bob.wait_for_selector(".chair .actions form[action*='/leave']")


def test_who_comes_and_goes_is_told_in_a_sentence(people: People) -> None:
    ann, bob = people.come(), people.come()
    link = open_table(ann, "the-game", 2)
    # Whoever is invited sees first which game it is.
    bob.goto(link)
    expect(bob.locator(".waiting .introduced")).to_contain_text("The Game")
    expect(bob.locator(".waiting .introduced")).to_contain_text("play all 98 cards")
    assert bob.eval_on_selector("meta[property='og:title']", "meta => meta.content") == "The Game · Nevel"
    news = ann.locator("#news[role=status]")
    sit_down(bob, link)
    expect(news).to_have_text(re.compile("^.+ has joined.$"))
    name = ann.inner_text(".chair a.somebody")
    bob.click(".chair .actions form[action*='/leave'] button")
    expect(news).to_have_text(f"{name} has left.")
    bob.click("form[action*='/sit'] button >> nth=0")
    expect(news).to_have_text(f"{name} has joined.")
    ann.click("form[action*='/start'] button")
    bob.wait_for_selector(LIVE)
    bob.click("#leaving summary")
    bob.click("#leaving button")
    expect(news).to_have_text(f"{name} has left. A bot plays on.")
    bob.click("form[action*='/reclaim'] button")
    expect(news).to_have_text(f"{name} is back.")
    expect(bob.locator("#news")).to_be_empty()


def test_whoever_waited_is_told_the_story_as_it_goes_on(people: People) -> None:
    ann = people.come(viewport={"width": 1280, "height": 620})
    open_table(ann, "the-game", 3)
    ann.click("form[action*='/seat-bot']:not(.row) button")
    expect(ann.locator(".chair.kind-bot")).to_have_count(2)
    ann.click("form[action*='/start'] button")
    ann.wait_for_selector(LIVE)
    play_unseen(ann)
    assert ann.eval_on_selector("#story", "list => list.scrollHeight - list.clientHeight") > 100
    assert ann.evaluate(BEFORE_THE_END) < 2
    # A game that is over is seen again from its start.
    ann.click(".result a[href*='/replay']")
    expect(ann.locator("#where")).to_have_text(re.compile("^0 /"))


def test_screens_and_spectators_go_along_to_the_next_game(people: People) -> None:
    ann, bob = people.come(), people.come()
    invitation = open_table(ann, "the-game", 2)
    watching, screen = (ann.locator(f"#link-{name}").input_value() for name in ("spectator", "screen"))
    sit_down(bob, invitation)
    television, friend, scriptless = people.come(), people.come(), people.come(java_script_enabled=False)
    television.goto(screen)
    friend.goto(watching)
    ann.click("form[action*='/start'] button")
    for page in (ann, bob, television, friend):
        page.wait_for_selector(LIVE)
    first = ann.url
    play_unseen(ann, bob)
    for page in (television, friend):
        page.wait_for_selector("#table[data-phase=over]")
    ann.click("#rematch")
    ann.wait_for_selector("#table[data-phase=open]")
    assert ann.url != first
    expect(bob.locator("#news")).to_have_text("Another game is set up.")
    again = re.escape(ann.url)
    for page, role in ((television, "screen"), (friend, "spectator")):
        page.wait_for_url(re.compile(rf"{again}\?key=.+"))
        expect(page.locator(f"#table.role-{role}[data-phase=open]")).to_have_count(1)
    # Without a script there is a link; and it leads nobody further than they could see before.
    scriptless.goto(watching)
    scriptless.click("#next")
    expect(scriptless.locator("#table.role-spectator[data-phase=open]")).to_have_count(1)
    expect(scriptless.locator("form[action*='/sit']")).to_have_count(0)
    bob.click("#rematch")
    ann.click("form[action*='/start'] button")
    for page in (ann, bob, television, friend):
        page.wait_for_selector(LIVE)


def test_what_opens_is_in_sight_and_closes_by_escape(people: People) -> None:
    ann = people.come(viewport={"width": 1024, "height": 560})
    play_now(ann, "the-game")
    menu = ann.locator("details.hinting").last
    ann.wait_for_function("document.querySelector('details.hinting')")
    menu.locator("summary").scroll_into_view_if_needed()
    menu.locator("summary").click()
    choices = menu.locator(".choices")
    expect(choices).to_be_in_viewport(ratio=1)
    choices.locator("button").first.focus()
    ann.keyboard.press("Escape")
    expect(choices).to_be_hidden()
    expect(menu.locator("summary")).to_be_focused()


def test_a_falling_pile_counts_down(people: People) -> None:
    ann = people.come()
    open_table(ann, "the-game", 1)
    ann.click("form[action*='/start'] button")
    ann.wait_for_selector(LIVE)
    card = ann.locator("#hand input").first
    number = int(card.get_attribute("value") or 0)
    card.check(force=True)
    expect(ann.locator("#pile-up1 .target-note")).to_have_text(f"+{number - 1}")
    expect(ann.locator("#pile-down1 .target-note")).to_have_text(f"−{100 - number}")


def test_what_is_asked_of_one_is_in_sight(people: People) -> None:
    ann, bob = people.come(), people.come(**{**PHONE, "viewport": {"width": 390, "height": 664}})
    sit_down(bob, open_table(ann, "the-game", 2))
    ann.click("form[action*='/start'] button")
    bob.wait_for_selector(LIVE)
    ann.click("button[value=start]")
    for pile in ("up1", "down1"):
        ann.locator("#hand input").first.check(force=True)
        ann.click(f"#pile-{pile}")
        expect(ann.locator(f".latest-{pile} #piles")).to_be_visible()
    ann.click("#end-turn")
    ann.click("#take-back button")
    expect(bob.locator(".ask .primary")).to_be_in_viewport(ratio=1)
    expect(bob.locator(".ask[role=alertdialog] p")).to_be_in_viewport(ratio=1)
