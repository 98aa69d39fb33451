"""What people do besides moves: keyboard, languages, no script, lost lines, refusals, a shared screen."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import PHONE, People
from tests.browser.playing import PRESS, open_table, play_now, play_to_the_end, play_unseen
from tests.own_games import OWN_GAMES
from tests.web.serving import Serving

GAMES = tuple(OWN_GAMES)
LIVE = "[data-live=yes] #table[data-phase=playing]"


def focused(page: Page) -> str:
    """The markup of what has the focus."""
    return page.evaluate("document.activeElement === document.body ? '' : document.activeElement.outerHTML")


def tab_to(page: Page, words: str, key: str = "Tab") -> None:
    """Press Tab until something with these words in its markup has the focus."""
    for _ in range(80):
        if words in focused(page):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{words} can't be reached by keyboard")


def test_the_keyboard_alone_plays(people: People) -> None:
    """Alone against the deck: from the first page to a card laid, without a pointer."""
    ann = people.come()
    ann.goto("/")
    tab_to(ann, 'href="/new/the-game"')
    ann.keyboard.press("Enter")
    ann.wait_for_url("**/new/the-game")
    tab_to(ann, 'name="chairs"')
    ann.keyboard.press("ArrowLeft")
    tab_to(ann, 'class="primary"')
    ann.keyboard.press("Enter")
    ann.wait_for_selector("[data-live=yes] #table[data-phase=open]")
    tab_to(ann, "Start the game")
    ann.keyboard.press("Enter")
    ann.wait_for_selector("#table[data-question]")
    if ann.get_attribute("#table", "data-question") == "start":
        tab_to(ann, 'value="start"')
        ann.keyboard.press("Enter")
    ann.wait_for_selector("#table[data-question=play]")
    held = ann.locator("#hand .card").count()
    tab_to(ann, 'name="card"')
    ann.keyboard.press("Space")
    expect(ann.locator(".is-target").first).to_be_visible()
    # Enter on a card plays nothing: where it goes is chosen by itself.
    ann.keyboard.press("Enter")
    tab_to(ann, "is-target", "Shift+Tab")
    ann.keyboard.press("Enter")
    expect(ann.locator("#hand .card")).to_have_count(held - 1)
    assert ann.evaluate("document.getElementById('table').contains(document.activeElement)"), "focus was lost"


def test_without_a_script(people: People) -> None:
    """Everything but live updates: a whole turn, a refusal with its clause, the talk, by forms and reloads."""
    ann = people.come(java_script_enabled=False)
    ann.goto("/new/the-game")
    ann.click("main button.primary")
    ann.click("form[action*='/seat-bot'] button >> nth=0")
    ann.click("form[action*='/start'] button")
    ann.click("button[value=start]")
    ann.click(".pile >> nth=0")
    expect(ann.locator(".refusal")).to_contain_text("Choose a card, then")
    first = ann.locator("#hand .card").count()
    ann.check("#hand input >> nth=0", force=True)
    ann.click("#pile-up1")
    expect(ann.locator("#hand .card")).to_have_count(first - 1)
    # A falling pile refuses a card above its top; the page says by which rule.
    ann.check("#hand input >> nth=-1", force=True)
    card = int(ann.input_value("#hand input:checked"))
    ann.click("#pile-down1")
    top = int(ann.inner_text("#top-down1 .number"))
    assert top == card
    ann.fill("#say-text", "Hello!")
    ann.click("#say button")
    expect(ann.locator("#said li")).to_contain_text("Hello!")
    ann.fill("#say-text", "I have 42")
    ann.click("#say button")
    expect(ann.locator(".refusal a")).to_have_attribute("href", re.compile(r"/rules/the-game#TG-"))
    people.complaints.clear()  # Chromium notes by itself that pages came with 400 and 422


def test_three_languages_at_any_time(people: People) -> None:
    ann = people.come("fr")
    ann.goto("/")
    expect(ann.locator("h1")).to_have_text("Des jeux où personne ne voit tout")
    play_now(ann, "the-game")
    expect(ann.locator("#prompt")).not_to_be_empty()
    for code, words in (("nl", "Je hand"), ("en", "Your hand"), ("fr", "Votre main")):
        ann.click(".languages summary")
        ann.click(f".languages button[value={code}]")
        ann.wait_for_selector(f"html[lang={code}]{LIVE}")
        expect(ann.locator("section.own")).to_have_attribute("aria-label", words)


def test_a_restarted_server_is_found_again(people: People, serving: Serving) -> None:
    ann = people.come()
    play_now(ann, "the-game")
    serving.stop()
    expect(ann.locator("#connection")).to_have_text("Connection lost. Reconnecting…")
    # A move made meanwhile is sent until it is answered, and done once.
    ann.evaluate(PRESS)
    serving.start()
    ann.wait_for_selector("[data-live=yes] #table[data-question=play]")
    play_to_the_end(ann)
    # Chromium notes by itself that nobody answered.
    people.complaints = [line for line in people.complaints if "ERR_CONNECTION_" not in line]


def test_a_refusal_shakes_and_names_the_rule(people: People) -> None:
    ann = people.come()
    play_now(ann, "the-game")
    ann.fill("#say-text", "my highest is 97")
    ann.click("#say button")
    toast = ann.locator(".toast")
    expect(toast.locator("a")).to_have_attribute("href", re.compile(r"^/rules/the-game#TG-"))
    assert ann.input_value("#say-text") == "my highest is 97", "what was typed is lost"
    people.complaints.clear()


def test_a_shared_screen_shows_no_hand(people: People) -> None:
    ann = people.come()
    open_table(ann, "the-game", 2)
    links = ann.locator(".link input[readonly]")
    screen = links.nth(2).input_value()
    watching = links.nth(1).input_value()
    ann.click("form[action*='/seat-bot'] button >> nth=0")
    ann.click("form[action*='/start'] button")
    ann.wait_for_selector(LIVE)
    television, friend = people.come(viewport={"width": 1920, "height": 1080}), people.come(**PHONE)
    television.goto(screen)
    friend.goto(watching)
    for page in (television, friend):
        page.wait_for_selector(LIVE)
        assert page.locator("#hand").count() == 0
        assert page.locator("#say").count() == 0
    ann.evaluate(PRESS)
    expect(television.locator("#players [id^=waited-]:not(:empty)")).to_have_count(1)


def test_what_is_chosen_and_typed_outlives_an_update(people: People) -> None:
    ann, bob = people.come(), people.come()
    link = open_table(ann, "the-game", 2)
    bob.goto(link)
    bob.click("form[action*='/sit'] button >> nth=0")
    expect(ann.locator(".chair.kind-person")).to_have_count(2)
    ann.click("form[action*='/start'] button")
    for page in (ann, bob):
        page.wait_for_selector(LIVE)
    ann.check("#hand input >> nth=2", force=True)
    ann.fill("#say-text", "Shall I")
    ann.focus("#story")
    bob.fill("#say-text", "Please start")
    bob.click("#say button")
    expect(ann.locator("#said")).to_contain_text("Please start")
    assert ann.is_checked("#hand input >> nth=2")
    assert ann.input_value("#say-text") == "Shall I"


def test_the_tab_says_whose_turn_it_is(people: People) -> None:
    ann, bob = people.come(), people.come("nl")
    bob.goto(open_table(ann, "the-game", 2))
    expect(ann).to_have_title("The Game · Nevel")
    bob.click("form[action*='/sit'] button >> nth=0")
    expect(ann.locator(".chair.kind-person")).to_have_count(2)
    ann.click("form[action*='/start'] button")
    for page in (ann, bob):
        page.wait_for_selector(LIVE)
    ann.click("button[value=start]")
    expect(ann).to_have_title("Your turn · The Game · Nevel")
    expect(ann.locator("#favicon")).to_have_attribute("href", re.compile("favicon-yours"))
    expect(bob.locator("#favicon")).not_to_have_attribute("href", re.compile("favicon-yours"))
    expect(bob).to_have_title(re.compile("^Wachten op .+… · The Game · Nevel$"))


def test_a_spectator_keeps_the_link_in_another_language(people: People) -> None:
    ann, friend = people.come(), people.come()
    open_table(ann, "the-game", 2)
    friend.goto(ann.input_value("#link-spectator"))
    friend.click(".languages summary")
    friend.click(".languages button[value=nl]")
    friend.wait_for_selector("html[lang=nl][data-live=yes] #table[data-phase=open]")


def test_a_double_click_is_one_move(people: People) -> None:
    ann = people.come()
    play_now(ann, "the-game")
    ann.dblclick("button[value=start]")
    ann.wait_for_selector("#table[data-question=play]")
    ann.check("#hand input >> nth=0", force=True)
    held = ann.locator("#hand .card").count()
    ann.dblclick(".is-target >> nth=0")
    expect(ann.locator("#hand .card")).to_have_count(held - 1)


#: What reaches beyond the right edge of the window, unless it is in something that scrolls by itself.
CUT_OFF = """
() => {
  const scrolls = (element) => {
    for (let one = element.parentElement; one && one !== document.body; one = one.parentElement)
      if (["auto", "scroll"].includes(getComputedStyle(one).overflowX)) return true;
    return false;
  };
  const found = [...document.querySelectorAll("body *")].filter((element) => {
    const box = element.getBoundingClientRect();
    return box.width && box.right > innerWidth + 1 && !element.closest(".hidden, .skip") && !scrolls(element);
  });
  if (document.documentElement.scrollWidth > innerWidth) found.unshift(document.documentElement);
  return found.map((element) => `${element.tagName} ${element.id} ${element.getAttribute("class")}`).slice(0, 5);
}
"""


def fits(page: Page, where: str) -> None:
    assert page.evaluate(CUT_OFF) == [], where


@pytest.mark.parametrize("width", [320, 390, 720])
def test_nothing_is_wider_than_a_small_phone_or_a_desktop_at_double_size(people: People, width: int) -> None:
    ann = people.come(viewport={"width": width, "height": 640})
    open_table(ann, "the-game", 3)
    ann.click("#changing-terms summary")
    ann.check("#pace-live")
    expect(ann.locator("dl.terms")).to_contain_text("45")
    fits(ann, "the waiting room")
    for path in ("/", "/new/the-game", *(f"/rules/{game}" for game in GAMES), "/me", "/about"):
        ann.goto(path)
        fits(ann, path)


@pytest.mark.parametrize("width", [320, 360, 390, 480, 1440])
def test_everything_in_the_bar_is_as_large_as_a_fingertip(people: People, width: int) -> None:
    ann = people.come(viewport={"width": width, "height": 640})
    play_now(ann, "the-game")
    ann.wait_for_selector("#sound:not([hidden])")
    ann.wait_for_selector("#guide-me:not([hidden])")
    for path in (ann.url, "/", "/puzzles/fog-place/1", "/me"):
        ann.goto(path)
        boxes = [one.bounding_box() for one in ann.locator(".bar :is(a, button, summary):visible").all()]
        assert len(boxes) >= 4
        assert all(box and box["width"] >= 44 and box["height"] >= 44 for box in boxes), (path, boxes)
        fits(ann, path)


def test_who_watches_a_table_before_it_begins_has_it_in_the_middle(people: People) -> None:
    ann, friend = people.come(), people.come()
    open_table(ann, "the-game", 2)
    friend.goto(ann.input_value("#link-spectator"))
    box = friend.locator(".waiting").bounding_box()
    assert box
    assert abs(box["x"] + box["width"] / 2 - 720) < 10, box


@pytest.mark.parametrize("game", GAMES)
def test_no_board_is_wider_than_a_small_phone(people: People, game: str) -> None:
    """From the first question to the replay, with five at the table where there is room for five."""
    ann = people.come(viewport={"width": 320, "height": 568}, reduced_motion="reduce")
    ann.goto(f"/new/{game}")
    ann.check("input[name=chairs] >> nth=-1", force=True)
    ann.click("main button.primary")
    ann.click(".starts form[action*='/seat-bot'] button")
    ann.click("form[action*='/start'] button")
    ann.wait_for_selector(LIVE)
    asked = set[str | None]()
    for _ in range(120):
        question = ann.get_attribute("#table", "data-question")
        if question not in asked:
            asked.add(question)
            fits(ann, f"{game}: {question}")
        if ann.evaluate(PRESS) == "over":
            break
        ann.wait_for_timeout(10)
    play_unseen(ann)
    fits(ann, f"{game}: over")
    ann.click(".result a[href*='/replay']")
    ann.wait_for_selector("#run:not([hidden])")
    ann.click("#to-last")
    ann.wait_for_selector(f"#table[data-at='{ann.get_attribute('#table', 'data-length')}']")
    fits(ann, f"{game}: replay")
    ann.click("#to-first")
    expect(ann.locator("#where")).to_have_text(re.compile("^0 /"))
    fits(ann, f"{game}: the beginning")


#: How much of every text there is room for, at the least.
SQUEEZED = "texts => Math.min(...texts.map((text) => text.clientWidth / text.scrollWidth))"


def test_a_phone_has_room_for_names_beside_clocks_and_for_a_shared_week(people: People) -> None:
    ann, tablet = people.come(viewport={"width": 390, "height": 844}), people.come(**PHONE)
    for game in ("the-game", "what-the-fog"):
        ann.goto(f"/new/{game}")
        ann.check("input[name=chairs][value='3']", force=True)
        ann.check("#pace-correspondence")
        ann.click("main button.primary")
        ann.wait_for_selector("[data-live=yes] #table[data-phase=open]")
        tablet.goto(ann.input_value("#link-screen"))
        ann.click(".starts form[action*='/seat-bot'] button")
        ann.click("form[action*='/start'] button")
        for page in (ann, tablet):
            page.wait_for_selector(LIVE)
        ann.wait_for_selector(".clock:not(:empty)")
        assert ann.locator(".player:has(.clock) strong").evaluate_all(SQUEEZED) > 0.7
    tokens = [box for one in tablet.locator("#week .part").all() if (box := one.bounding_box())]
    assert min(box["width"] for box in tokens) > 40


def test_a_game_is_watched_again_and_played_on(people: People) -> None:
    ann = people.come()
    play_now(ann, "the-game")
    play_unseen(ann)
    ann.click(".result a[href*='/replay']")
    ann.click("#to-first")
    expect(ann.locator("#where")).to_have_text(re.compile("^0 /"))
    ann.keyboard.press("ArrowRight")
    ann.keyboard.press("ArrowRight")
    expect(ann.locator("#where")).to_have_text(re.compile("^[12] /"))
    ann.select_option("#whose", "1")
    expect(ann.locator("section.own")).to_have_count(1)
    assert "seat=1" in ann.url
    ann.click("form[action*='/play-on'] button")
    ann.wait_for_selector(LIVE)
    play_to_the_end(ann)
