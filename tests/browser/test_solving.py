"""Puzzles in a real browser: solved by clicking, by keyboard alone and without a script; looked at by axe-core."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from nevel.study.puzzle_kind import all_kinds
from nevel.study.puzzles import Puzzle, collection, puzzle
from tests.browser.people import DESKTOP, PHONE, People
from tests.browser.test_access import check

NUMBER = 4


def address(given: Puzzle) -> str:
    return f"/puzzles/{given.kind}/{given.number}"


def click(page: Page, move: str) -> None:
    """A move by clicking: the thing itself, or a card and then a pile."""
    if move.startswith("play "):
        _, card, pile = move.split()
        page.click(f"#card-{card}")
        page.click(f"#pile-{pile}")
    else:
        page.click(f'#play button[name="move"][value="{move}"]')


def type_in(page: Page, move: str) -> None:
    """The same without a mouse."""
    if move.startswith("play "):
        _, card, pile = move.split()
        page.focus(f"#choose-{card}")
        page.keyboard.press("Space")
        page.focus(f"#pile-{pile}")
    else:
        page.focus(f'#play button[name="move"][value="{move}"]')
    page.keyboard.press("Enter")


def has_come_to(page: Page, moves: int) -> None:
    """Wait until the page shows the position after so many moves."""
    page.wait_for_function(
        "count => (new URLSearchParams(location.search).get('moves') ?? '').split(',').filter(Boolean).length >= count"
        " && !document.querySelector('.is-sending')",
        arg=moves,
    )


@pytest.mark.parametrize("kind", all_kinds())
@pytest.mark.parametrize("press", [click, type_in])
def test_a_puzzle_is_solved(people: People, kind: str, press: Any) -> None:
    given = puzzle(kind, NUMBER)
    ann = people.come()
    ann.goto(address(given))
    for number, move in enumerate(given.answer, start=1):
        press(ann, move)
        has_come_to(ann, number)
    expect(ann.locator("#verdict.is-solved h2")).to_have_text("Solved!")
    assert ann.evaluate("document.activeElement.id") == "verdict"
    ann.goto("/puzzles")
    expect(ann.locator(f".kind-{kind} .solved-so-far")).to_contain_text("1 of")


def test_a_way_back_another_try_and_the_answer(people: People) -> None:
    given = next(one for one in collection("misty-window") if one.grade == "strong")  # not in reading order
    ann = people.come(**PHONE)
    ann.goto("/")
    ann.click("a[href='/puzzles']")
    ann.goto(address(given))
    first = ann.locator("#play button[name=move]").first.get_attribute("value")
    assert first
    click(ann, first)
    has_come_to(ann, 1)
    ann.click("#take-back")
    expect(ann.locator(f'#play button[value="{first}"]')).to_be_visible()
    while not ann.locator("#verdict").count():  # the first that can move, again and again
        count = ann.url.count("move+")
        ann.locator("#play button[name=move]").first.click()
        has_come_to(ann, count + 1)
    expect(ann.locator("#verdict h2")).to_have_text("Not quite.")
    ann.click("#show-answer")
    for step in range(1, len(given.answer) + 1):
        ann.click("#to-next")
        expect(ann.locator(".walk output")).to_have_text(f"{step} / {len(given.answer)}")
    ann.click("#try-again")
    expect(ann.locator("#prompt")).to_be_visible()
    ann.go_back()
    expect(ann.locator(".walk output")).to_have_text(f"{len(given.answer)} / {len(given.answer)}")


def test_without_a_script(people: People) -> None:
    given = puzzle("the-game-endgame", NUMBER)
    ann = people.come(java_script_enabled=False)
    ann.goto(address(given))
    for move in given.answer:
        click(ann, move)
    expect(ann.locator("#verdict h2")).to_have_text("Solved!")


@pytest.mark.parametrize(("scheme", "size"), [("light", PHONE), ("dark", DESKTOP)])
def test_axe_finds_nothing(people: People, scheme: str, size: dict[str, Any]) -> None:
    ann = people.come(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce", **size)
    ann.goto("/puzzles")
    ann.locator("details").first.evaluate("one => one.open = true")
    check(ann, "all puzzles")
    for kind in all_kinds():
        given = puzzle(kind, NUMBER)
        ann.goto(address(given))
        check(ann, kind)
        for number, move in enumerate(given.answer, start=1):
            click(ann, move)
            has_come_to(ann, number)
        check(ann, f"{kind}, solved")
        ann.goto(f"{address(given)}?answer=1")
        check(ann, f"{kind}, the answer")


@pytest.mark.parametrize("kind", all_kinds())
def test_nothing_sticks_out_of_a_narrow_telephone(people: People, kind: str) -> None:
    ann = people.come(viewport={"width": 320, "height": 640})
    for path in ("/puzzles", address(puzzle(kind, NUMBER)), f"{address(puzzle(kind, NUMBER))}?answer=1"):
        ann.goto(path)
        assert ann.evaluate("document.documentElement.scrollWidth") <= 320, path
