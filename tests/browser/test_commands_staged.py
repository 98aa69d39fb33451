"""Extreme's commands are read out by the table; a skull shakes until it is covered, and silence fogs the talk away."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.people import People
from tests.browser.test_staging import LEFT, two

#: Remember what the table reads out, and which cards are called meanwhile.
WATCH = """() => {
  window.read = [];
  const look = () => {
    const banner = document.querySelector(".staged-banner");
    const called = document.querySelector(".pile .face.staged-called");
    if (banner) window.read.push([banner.textContent, called?.id ?? ""]);
    requestAnimationFrame(look);
  };
  look();
}"""
#: How the top card of a pile and the talk look: the animation of the one, the filter of the other.
LOOKS = """(pile) => [
  getComputedStyle(document.getElementById(`top-${pile}`)).animationName,
  getComputedStyle(document.getElementById("said")).filter,
]"""
#: Commands after which the turn goes on, and those that end or bind it.
MILD = ("silence", "no-trick", "one-pile", "draw-one")


def look(page: Page) -> dict[str, Any]:
    return page.request.get(f"/api/tables/{page.get_attribute('#table', 'data-table')}").json()["view"]


def send(page: Page, view: dict[str, Any], move: str) -> None:
    where = f"/api/tables/{page.get_attribute('#table', 'data-table')}/play"
    assert page.request.post(where, data={"move": move, "seq": view["seq"]}).ok


def command_of(view: dict[str, Any], move: str) -> str:
    return view["board"]["commands"].get(move.split()[1], "") if move.startswith("play ") else ""


def played(people: People, wanted: tuple[str, ...] = MILD, **how: Any) -> tuple[Page, Page, str, str]:
    """Two people, of whom one has just played one of these commands, which the first of them watched; with its pile.

    Not every deal comes to it before the game is lost: then they play another.
    """
    for _ in range(20):
        ann, bob = two(people, "extreme", **how)
        found = play_command(bob, ann, wanted=wanted, watcher=ann)
        if found:
            return ann, bob, *found
    raise AssertionError("nobody plays such a command")


def play_command(*pages: Page, wanted: tuple[str, ...], watcher: Page) -> tuple[str, str] | None:
    """Play until somebody plays one of these commands while `watcher` looks; gives it and its pile."""
    for _ in range(60):
        for page in pages:
            view = look(page)
            if view["phase"] == "over":
                return None
            if not view["prompt"]:
                continue
            moves = view["prompt"]["moves"]
            tops = {one["name"]: one["top"] for one in view["board"]["piles"]}
            cost = {one: abs(int(one.split()[1]) - tops[one.split()[2]]) for one in moves if one.startswith("play ")}
            chosen = [one for one in cost if command_of(view, one) in wanted]
            if chosen:
                watcher.wait_for_selector(f"#table[data-seq='{view['seq']}']")
                expect(watcher.locator(LEFT)).to_have_count(0)
                watcher.evaluate(WATCH)
            plain = [one for one in cost if not command_of(view, one)] or list(cost)
            move = chosen[0] if chosen else "end turn" if "end turn" in moves else min(plain, key=cost.__getitem__)
            send(page, view, move)
            if chosen:
                return command_of(view, move), move.split()[2]
    return None


def test_a_command_is_read_out_and_leaves_nothing(people: People) -> None:
    ann, _, command, pile = played(people)
    while not ann.evaluate("window.read.some(([, card]) => card)"):
        ann.wait_for_timeout(20)
    expect(ann.locator(LEFT)).to_have_count(0)
    read = ann.evaluate("window.read")
    assert {text for text, _ in read} == {f"Command: {command.replace('-', ' ')}."}
    assert {card for _, card in read} <= {"", f"top-{pile}"}


def test_a_key_ends_it_and_a_move_in_the_middle_is_shown(people: People) -> None:
    ann, bob, _, _ = played(people)
    ann.wait_for_selector(".staged-banner")
    ann.keyboard.press("x")
    assert ann.locator(LEFT).count() == 0
    mover = bob if look(bob)["prompt"] else ann
    view = look(mover)
    move = next(one for one in view["prompt"]["moves"] if one.startswith("play ") or one == "end turn")
    send(mover, view, move)
    for page in (ann, bob):
        page.wait_for_selector(f"#table[data-seq='{look(mover)['seq']}']")


def test_under_reduced_motion_the_command_lies_there_at_once(people: People) -> None:
    ann, _, command, pile = played(people, reduced_motion="reduce")
    expect(ann.locator(f"#top-{pile}.has-command-{command}")).to_have_count(1)
    assert ann.evaluate("window.read") == []
    assert ann.evaluate(LOOKS, pile)[0] == "none"
    assert ann.locator(LEFT).count() == 0


def test_a_skull_shakes_until_it_is_covered(people: People) -> None:
    ann, _, _, pile = played(people, ("skull",))
    ann.wait_for_selector(f".must-cover #top-{pile}")
    assert ann.evaluate(LOOKS, pile)[0] == "dread"


def test_silence_fogs_the_talk(people: People) -> None:
    ann, _, _, pile = played(people, ("silence",))
    ann.wait_for_selector(".chat .silence")
    assert "blur" in ann.evaluate(LOOKS, pile)[1]
