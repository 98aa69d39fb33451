"""For those who hear a page, drive it by keyboard, choose its colours, or have an old browser."""

import re
from io import BytesIO
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, Route, expect

from tests.browser.people import People
from tests.browser.playing import PRESS, open_table, play_now
from tests.web.serving import Serving

LIVE = "[data-live=yes] #table[data-phase=playing]"
#: Everything a screen reader is told by itself, as it comes.
LISTEN = """() => {
  window.heard = [];
  const note = (region) => {
    const text = region.textContent.trim();
    if (text) window.heard.push(text);
  };
  const isLive = (element) => {
    const live = element.closest("[aria-live], [role=status], [role=log], [role=alert]");
    if (!live) return null;
    const how = live.getAttribute("aria-live") ?? "polite";
    return how === "off" ? null : live;
  };
  new MutationObserver((changes) => {
    const regions = new Set();
    for (const change of changes) {
      const region = isLive(change.target.nodeType === 1 ? change.target : change.target.parentElement);
      if (!region) continue;
      // Of a log, only what is added is read.
      if (region.matches("[role=log]")) change.addedNodes.forEach((node) => window.heard.push(node.textContent.trim()));
      else regions.add(region);
    }
    regions.forEach(note);
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}"""


def begin_alone(page: Page) -> None:
    open_table(page, "the-game", 1)
    page.click("form[action*='/start'] button")
    page.wait_for_selector(LIVE)


def test_distances_and_the_draw_pile_have_names(people: People) -> None:
    ann = people.come()
    begin_alone(ann)
    expect(ann.locator(".deck").get_by_role("img", name=re.compile("90"))).to_have_count(1)
    card = ann.locator("#hand input").first
    number = int(card.get_attribute("value") or 0)
    names = [ann.get_attribute(f"#pile-{pile}", "aria-label") for pile in ("up1", "down1")]
    card.check(force=True)
    assert ann.get_attribute("#pile-up1", "aria-label") == f"{names[0]}, +{number - 1}"
    assert ann.get_attribute("#pile-down1", "aria-label") == f"{names[1]}, −{100 - number}"
    # What isn't chosen any more has no distance.
    ann.locator(f"#card-{number}").click()
    assert [ann.get_attribute(f"#pile-{pile}", "aria-label") for pile in ("up1", "down1")] == names


def test_the_guide_takes_the_focus_gives_it_back_and_closes_by_escape(people: People) -> None:
    ann = people.come()
    begin_alone(ann)
    ann.click("#guide-me")
    guide = ann.locator(".guide[role=dialog]")
    expect(guide).to_be_focused()
    for _ in range(2):
        ann.keyboard.press("Tab")
        expect(guide.locator("button:focus")).to_have_count(1)
    ann.keyboard.press("Tab")
    assert ann.evaluate("document.activeElement.closest('#table') !== null"), "the table is next"
    ann.keyboard.press("Shift+Tab")
    expect(guide.locator("button:focus")).to_have_count(1)
    ann.keyboard.press("Escape")
    expect(guide).to_have_count(0)
    expect(ann.locator("#prompt")).to_be_focused()
    expect(ann.locator("#guide-me")).to_be_visible()


def test_chosen_colours_lose_nothing(people: People) -> None:
    ann = people.come(forced_colors="active")
    begin_alone(ann)
    style = "element => [getComputedStyle(element).outlineStyle, getComputedStyle(element).outlineColor]"
    turn, colour = ann.eval_on_selector("#seat-0", style)
    assert turn == "solid"
    assert colour != ann.eval_on_selector("#seat-0", "element => getComputedStyle(element).backgroundColor")
    border = "element => getComputedStyle(element).borderTopWidth"
    assert ann.eval_on_selector(".is-yours #prompt", border) == "4px"
    ann.eval_on_selector("progress", "element => element.setAttribute('value', element.max / 2)")
    picture = Image.open(BytesIO(ann.locator("progress").screenshot())).convert("L")
    middle = picture.height // 2 * picture.width
    filled, empty = (picture.tobytes()[middle + part * picture.width // 4] for part in (1, 3))
    assert abs(filled - empty) > 100, "how full it is can be seen"


@pytest.mark.parametrize(("scheme", "theme"), [("light", ""), ("dark", ""), ("dark", "light"), ("light", "dark")])
def test_browsers_without_light_dark_have_the_same_colours(people: People, scheme: Any, theme: str) -> None:
    def age(route: Route) -> None:
        """The style sheets, as a browser reads them that doesn't know the function."""
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("light-dark(", "dark-light("))

    seen = list[dict[str, str]]()
    for is_old in (False, True):
        ann = people.come(color_scheme=scheme, service_workers="block")
        if is_old:
            ann.route("**/*.css", age)
        ann.goto("/")
        if theme:
            ann.click(f".to-{theme}")
        play_now(ann, "what-the-fog")
        seen.append(
            ann.evaluate("""() => {
                const places = ["html", "body", ".panel", "#prompt", "#seat-0", "#week", "#barometer", ".card .face"];
                const names = ["color", "backgroundColor", "backgroundImage", "borderTopColor", "fill"];
                const found = places.filter((place) => document.querySelector(place));
                return Object.fromEntries(found.map((place) => {
                    const style = getComputedStyle(document.querySelector(place));
                    return [place, names.map((name) => style[name]).join()];
                }));
            }""")
        )
    assert len(seen[0]) > 5
    assert seen[0] == seen[1]
    people.complaints = [line for line in people.complaints if "Service Worker" not in line]


def count_words(page: Page) -> int:
    return sum(len(sentence.split()) for sentence in page.evaluate("window.heard.splice(0)"))


def test_a_screen_reader_hears_a_sentence_an_event_and_a_summary_of_counts(people: People) -> None:
    ann = people.come()
    play_now(ann, "what-the-fog")
    ann.wait_for_selector("#table.is-yours")
    ann.wait_for_timeout(1_000)
    ann.evaluate(LISTEN)
    words = list[int]()
    for _ in range(25):
        ann.wait_for_selector("#table.is-yours:not(.is-sending)")
        if ann.get_attribute("#table", "data-phase") == "over":
            break
        ann.evaluate(PRESS)
        ann.wait_for_timeout(1_500)
        words.append(count_words(ann))
    assert sum(words) / len(words) < 40
    assert max(words) < 120
    assert sum(words) > 0


def test_how_much_is_said_is_ones_own_choice(people: People) -> None:
    ann = people.come()
    ann.goto("/me")
    ann.select_option("select[data-verbosity]", "turn")
    ann.reload()
    assert ann.input_value("select[data-verbosity]") == "turn"
    play_now(ann, "the-game")
    ann.wait_for_selector("#table.is-yours")
    ann.wait_for_timeout(1_000)
    ann.evaluate(LISTEN)
    told = ann.locator("#story li").count()
    ann.evaluate(PRESS)
    ann.wait_for_function(f"() => document.querySelectorAll('#story li').length > {told}")
    ann.wait_for_timeout(1_500)
    newest = ann.locator("#story li").last.inner_text()
    assert newest not in " ".join(ann.evaluate("window.heard"))


def test_without_a_script_one_looks_again_and_stays_where_one_is(people: People, serving: Serving) -> None:
    ann, bob = people.come(), people.come(java_script_enabled=False, viewport={"width": 390, "height": 600})
    bob.goto(open_table(ann, "the-game", 2))
    bob.click("form[action*='/sit'] button >> nth=0")
    expect(ann.locator(".chair.kind-person")).to_have_count(2)
    ann.click("form[action*='/start'] button")
    ann.wait_for_selector(LIVE)
    ann.click("button[value=start]")
    expect(ann.locator("#table[data-question=play]")).to_have_count(1)
    bob.reload()
    expect(bob.locator("#prompt")).to_contain_text("Waiting for")
    bob.click(".again button")
    assert bob.url.endswith("#play")
    for pile in ("up1", "down1"):
        ann.locator("#hand input").first.check(force=True)
        ann.click(f"#pile-{pile}")
        expect(ann.locator(f".latest-{pile} #piles")).to_be_visible()
    ann.click("#end-turn")
    expect(ann.locator("#table[data-question='']")).to_have_count(1)
    bob.click(".again button")
    bob.locator("#hand input").first.check(force=True)
    bob.click("#pile-up2")
    assert bob.url.endswith("#play")
    expect(bob.locator("#piles")).to_be_in_viewport()
    box = bob.locator("#play").bounding_box()
    assert box
    assert box["y"] < 80, "the page begins at its top again"
