"""In whole games every decision is taken with question, board and hand in sight, on every screen."""

import pytest
from playwright.sync_api import expect

from tests.browser.people import People
from tests.browser.sight import LONG_NAME, call_oneself, decisions, play_in_sight, play_with_bots, problems_in_sight

#: The parts of the board that are needed for a decision.
WHAT_THE_FOG = ".player, .pile, .lifted.is-full, .stock, .barometer, .day, .part, .hand .group, .opened, .choice"
MISTY = ".player, .going, .other, .misted .sash, .misted .pane, .held, .picked, .is-news summary"
THE_GAME = ".player, .pile .number, .pile-holder > details, .deck, .orders li, .hand .card, .turn"


#: Lays something over the first answer, or lets the page be longer than the window.
COVER = """
() => {
  const { left, top } = document.querySelector("#play .is-target").getBoundingClientRect();
  const cover = document.createElement("div");
  cover.id = "cover";
  cover.style = `position: fixed; z-index: 99; left: ${left}px; top: ${top}px; width: 30px; height: 30px`;
  document.body.append(cover);
}
"""
PUSH = "() => (document.getElementById('week').style.minHeight = '150vh')"


def test_what_is_covered_or_out_of_sight_is_found(people: People) -> None:
    ann = people.come(reduced_motion="reduce")
    play_with_bots(ann, "what-the-fog", 2)
    next(question for question in decisions(ann) if question in ("lift", "place", "lift-or-return"))
    assert not problems_in_sight(ann, WHAT_THE_FOG)
    ann.evaluate(COVER)
    assert any("lies under cover" in problem for problem in problems_in_sight(ann, WHAT_THE_FOG))
    ann.evaluate("document.getElementById('cover').remove()")
    assert not problems_in_sight(ann, WHAT_THE_FOG)
    ann.evaluate(PUSH)
    assert any("is out of sight" in problem for problem in problems_in_sight(ann, WHAT_THE_FOG))


def test_what_has_no_room_is_pointed_to(people: People) -> None:
    """A window so low that no board fits, as with everything four times as large."""
    ann = people.come(reduced_motion="reduce", viewport={"width": 390, "height": 844})
    play_with_bots(ann, "what-the-fog", 2)
    next(question for question in decisions(ann) if question == "place")
    expect(ann.locator("#more")).to_be_hidden()
    ann.set_viewport_size({"width": 390, "height": 180})
    target = ann.locator("#week .is-target").first
    expect(ann.locator("#more")).to_be_visible()
    assert target.evaluate("one => one.getBoundingClientRect().bottom > innerHeight")
    ann.click("#more")
    expect(target).to_be_in_viewport(ratio=0.5)
    expect(ann.locator("#more")).to_be_hidden()


@pytest.mark.parametrize(
    ("seats", "language", "scheme"), [(2, "en", "dark"), (3, "nl", "light"), (4, "fr", "dark"), (5, "fr", "light")]
)
def test_what_the_fog(people: People, seats: int, language: str, scheme: str) -> None:
    ann = people.come(language, color_scheme=scheme, reduced_motion="reduce")
    play_with_bots(ann, "what-the-fog", seats)
    call_oneself(ann, LONG_NAME)
    assert play_in_sight(ann, WHAT_THE_FOG) > 30


@pytest.mark.parametrize(
    ("seats", "language", "scheme"), [(2, "fr", "dark"), (3, "en", "light"), (4, "fr", "light"), (4, "nl", "dark")]
)
def test_misty(people: People, seats: int, language: str, scheme: str) -> None:
    ann = people.come(language, color_scheme=scheme, reduced_motion="reduce")
    play_with_bots(ann, "misty", seats)
    call_oneself(ann, LONG_NAME)
    assert play_in_sight(ann, MISTY) > 30


@pytest.mark.parametrize(
    ("game", "seats", "language", "scheme"),
    [
        ("the-game", 1, "fr", "light"),
        ("the-game", 2, "en", "dark"),
        ("the-game", 5, "fr", "dark"),
        ("extreme", 3, "en", "light"),
        ("extreme", 5, "fr", "light"),
    ],
)
def test_the_game_and_extreme(people: People, game: str, seats: int, language: str, scheme: str) -> None:
    ann = people.come(language, color_scheme=scheme, reduced_motion="reduce")
    play_with_bots(ann, game, seats)
    call_oneself(ann, LONG_NAME)
    assert play_in_sight(ann, THE_GAME) > 2
