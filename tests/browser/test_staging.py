"""Stagings: what happened is shown on the board step by step, and never in the way of anybody."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import People
from tests.browser.playing import open_table
from tests.browser.test_review import open_saved, saved

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


def two(people: People, game: str = "the-game", init: str = "", **how: Any) -> tuple[Page, Page]:
    """Two people at a table of The Game or of Extreme, and the second has the first turn. `init` is run in the first
    one's page.
    """
    ann, bob = people.come(**how), people.come(reduced_motion="reduce")
    ann.add_init_script(init)
    bob.goto(open_table(ann, game, 2))
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


#: The page's own module that stages, as a page has it loaded.
STAGING = (
    "performance.getEntriesByType('resource').map(({ name }) => name)"
    ".find((name) => /\\/staging\\b[^/]*\\.js/.test(name))"
)
#: A frame that comes after the present one, with steps to stage; a number is written on the board when it is shown.
ARRIVE = f"""async ([number, steps, isYours]) => {{
  const {{ arrive }} = await import({STAGING});
  const frame = document.getElementById("table").cloneNode(true);
  frame.dataset.after = frame.dataset.version;
  frame.classList.toggle("is-yours", isYours);
  const list = document.createElement("ol");
  list.dataset.staging = "";
  const item = document.createElement("li");
  item.dataset.line = `told-staged-${{number}}`;
  item.dataset.steps = JSON.stringify(steps);
  item.textContent = `This is ${{number}}.`;
  list.append(item);
  frame.append(list);
  arrive(frame, () => {{
    document.body.dataset.shown = (document.body.dataset.shown ?? "") + number;
    document.getElementById("table").classList.toggle("is-yours", isYours);
  }});
}}"""
#: What a page puts there for a staging.
LEFT = ".staging-layer > *, .is-picture, .is-moving, .is-enlarged, [class*=' staged-'], [class^='staged-']"
#: Remember which looks the page has while it stages something, and when that is over.
KEEP = f"""() => {{
  window.kept = new Set();
  document.body.dataset.ended = "no";
  addEventListener("shown", () => (document.body.dataset.ended = "yes"), {{ once: true }});
  const look = () => {{
    const there = document.querySelectorAll({json.dumps(LEFT + ", .staging-layer b")});
    for (const one of there) window.kept.add(one.getAttribute("class"));
    window.keeping = requestAnimationFrame(look);
  }};
  look();
}}"""
EVERY_KIND = [
    {"do": "move", "on": "top-up1", "source": "top-up2"},
    {"do": "move", "on": "top-up2", "source": "seat-1", "drawing": "crown"},
    {"do": "turn", "on": "top-down1", "drawing": "crown"},
    {"do": "flash", "on": "top-down1", "tone": "good"},
    {"do": "shake", "on": "top-down2"},
    {"do": "raise", "on": "seat-0"},
    {"do": "tally", "on": "seat-0", "text": "3", "drawing": "crown"},
    {"do": "score", "on": "seat-1", "text": "+5"},
    {"do": "mark", "on": "place-up1", "look": "fogged"},
    {"do": "enlarge", "on": "place-up2"},
    {"do": "announce", "drawing": "crown", "weight": "heavy"},
    {"do": "leave", "on": "top-down2", "way": "left"},
    {"do": "flash", "on": "nowhere"},
]


def arrive(page: Page, number: int, *steps: dict[str, Any], is_yours: bool = False) -> None:
    page.evaluate(ARRIVE, [number, steps, is_yours])


def shown(page: Page) -> str:
    return page.evaluate("document.body.dataset.shown ?? ''")


def before(*steps: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**step, "is_before": True} for step in steps]


def boxes(page: Page) -> list[list[float]]:
    """Where everything of the page lies, but what was added for a staging."""
    return page.evaluate(
        "[...document.querySelectorAll('#table .pile-holder, #table .player, #hand, #prompt, .side')].map("
        "(one) => { const { x, y, width, height } = one.getBoundingClientRect(); return [x, y, width, height]; })"
    )


def test_every_kind_of_step_is_played_and_leaves_nothing(people: People) -> None:
    ann, _ = two(people)
    lies = boxes(ann)
    for number, steps in enumerate((EVERY_KIND, before(*EVERY_KIND)), 1):
        ann.evaluate(KEEP)
        arrive(ann, number, *steps)
        ann.wait_for_selector(f"body[data-shown$='{number}'][data-ended=yes]")
        assert ann.locator(LEFT).count() == 0
        kept = ann.evaluate("cancelAnimationFrame(window.keeping) || [...window.kept].join(' ').split(' ')")
        kinds = {
            "staged-glow",
            "staged-tally",
            "staged-score",
            "staged-fogged",
            "is-enlarged",
            "staged-banner",
            "is-moving",
        }
        assert kinds <= set(kept)
        assert boxes(ann) == lies
    assert shown(ann) == "12"


def test_a_count_is_played_on_the_old_board_and_the_next_round_waits(people: People) -> None:
    ann, _ = two(people)
    tally = {"do": "tally", "on": "place-up1", "text": "4", "is_before": True}
    arrive(ann, 1, tally, {"do": "next-round", "is_before": True}, {"do": "flash", "on": "place-up1"})
    expect(ann.locator(".staged-next")).to_have_text("Next round")
    expect(ann.locator(".staged-tally")).to_have_text("4")
    for number in range(2, 8):  # what happens meanwhile waits, however much it is
        arrive(ann, number)
    assert shown(ann) == ""
    ann.click(".staged-next")
    ann.wait_for_selector("body[data-shown='1234567']")
    expect(ann.locator(LEFT)).to_have_count(0)


@pytest.mark.parametrize("how", ["key", "press", "tap"])
def test_whoever_has_seen_enough_ends_it_at_once(people: People, how: str) -> None:
    ann, _ = two(people, has_touch=True)
    heavy = {"do": "announce", "weight": "heavy"}
    for number, steps in enumerate(([heavy] * 4, before(*[heavy] * 4)), 1):
        arrive(ann, number, *steps)
        expect(ann.locator(".staged-banner")).to_have_count(1)
        if how == "key":
            ann.keyboard.press("x")
        elif how == "press":
            ann.mouse.click(5, 300)
        else:
            ann.touchscreen.tap(5, 300)
        # A tap is told to the page a moment later; what is staged would take seconds.
        expect(ann.locator(LEFT)).to_have_count(0, timeout=500)
        assert shown(ann).endswith(str(number))
        ann.wait_for_timeout(1300)
        assert ann.locator(LEFT).count() == 0


def test_frames_that_come_in_the_middle_wait_and_never_fall_far_behind(people: People) -> None:
    ann, _ = two(people)
    heavy = {"do": "announce", "weight": "heavy"}
    arrive(ann, 1, heavy, heavy)
    arrive(ann, 2, {"do": "flash", "on": "top-up1"})
    assert shown(ann) == "1"
    arrive(ann, 3)
    arrive(ann, 4)
    assert shown(ann) == "1"
    arrive(ann, 5)
    assert shown(ann) == "12345"
    expect(ann.locator(LEFT)).to_have_count(0)


def test_nobody_who_is_asked_is_kept_waiting(people: People) -> None:
    ann, bob = two(people)
    # Bob's cards fly while Ann looks, and her own move is made in the middle of a staging.
    play(bob)
    play(bob)
    bob.click("#end-turn")
    ann.wait_for_selector("#table[data-question=play]")
    arrive(ann, 1, *before({"do": "announce", "weight": "heavy"}), is_yours=True)
    assert shown(ann) == "1"
    arrive(
        ann,
        2,
        {"do": "announce", "weight": "heavy"},
        {"do": "shake", "on": "top-up1", "weight": "heavy"},
        is_yours=True,
    )
    expect(ann.locator(".staged-banner")).to_have_count(1)
    card = ann.locator("#hand .card:has(input[data-targets]:not([data-targets='']))").first
    number = card.inner_text().split()[0]
    card.click()
    assert ann.locator(".staged-banner").count() == 0
    ann.keyboard.press("Tab")
    focused = ann.evaluate("document.activeElement.tagName")
    ann.locator(".pile.is-target").first.click()
    expect(ann.locator(f".pile .number:text-is('{number}')")).to_have_count(1)
    assert focused != "BODY"
    assert ann.evaluate("document.activeElement !== document.body")


def test_a_press_on_the_old_board_makes_no_move(people: People) -> None:
    ann, bob = two(people)
    bob.reload()
    bob.wait_for_selector(LIVE)
    held = ann.locator("#hand .card").count()
    arrive(ann, 1, *before({"do": "announce", "weight": "heavy"}))
    ann.locator("#hand .card").first.click()
    assert shown(ann) == "1"
    assert ann.locator("#hand input:checked").count() == 0
    assert ann.locator("#hand .card").count() == held


def test_nothing_is_staged_under_reduced_motion(people: People) -> None:
    ann, bob = two(people, reduced_motion="reduce")
    arrive(ann, 1, *EVERY_KIND, *before({"do": "next-round"}))
    assert shown(ann) == "1"
    assert ann.locator(LEFT).count() == 0
    ann.evaluate(WATCH)
    pile, card, _ = play(bob)
    expect(ann.locator(f"#top-{pile} .number")).to_have_text(card)
    assert ann.evaluate("window.seen") == []


def test_the_story_tells_what_is_staged_once(people: People) -> None:
    ann, bob = two(people)
    for _ in range(2):
        pile, card, _ = play(bob)
        expect(ann.locator(f"#top-{pile} .number")).to_have_text(card)
        expect(ann.locator("#told li").last).to_contain_text(f" {card} on ")
    names = ann.evaluate("[...document.querySelectorAll('#told li')].map(({ id }) => id)")
    assert len(names) == len(set(names))


def test_a_replay_stages_each_move(people: People, tmp_path: Path) -> None:
    ann = people.come()
    open_saved(ann, saved(tmp_path, "the-game"))
    ann.click(".result a[href*='/replay']")
    ann.wait_for_selector("#run:not([hidden])")
    ann.click("#to-first")
    ann.wait_for_selector("#table[data-at='0']")
    ann.evaluate(WATCH)
    ann.click("#run")
    ann.wait_for_selector("#table[data-at='4']")
    ann.click("#run")
    expect(ann.locator(LEFT)).to_have_count(0)
    assert all(one["beneath"] for one in ann.evaluate("window.seen"))
    assert ann.evaluate("window.seen.length") > 5
