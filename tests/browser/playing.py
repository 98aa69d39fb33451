"""How the tests play: by pressing what a person would press; and over the API where only what comes after matters."""

import random
import time

from playwright.sync_api import Page

from nevel.crowd.choosing import Choosing

#: Press the first thing the page offers this player: a card and then a pile, or a button that is a move.
PRESS = """
() => {
  const table = document.getElementById("table");
  if (table.dataset.phase === "over") return "over";
  if (!table.matches(".is-yours") || table.matches(".is-sending")) return "waiting";
  const cards = [...table.querySelectorAll("#hand input[data-targets]")];
  let best = null;
  for (const card of cards) for (const target of card.dataset.targets.split(";").filter(Boolean)) {
    const [pile, step] = target.split(":");
    if (!best || Number(step) < best.step) best = { card, pile, step: Number(step) };
  }
  const end = table.querySelector("#end-turn");
  if (best && !end) {
    if (!best.card.checked) best.card.click();
    table.querySelector(`#pile-${best.pile}`).click();
    return "played";
  }
  const moves = [...table.querySelectorAll('#play button[name="move"]:not(:disabled)')];
  const move = moves.find((button) => !button.value.startsWith("hint"));
  if (!move) return "nothing";
  move.click();
  return "moved";
}
"""


def play_now(page: Page, game: str) -> None:
    """From the first page to a table with bots, in one click."""
    page.goto("/")
    page.click(f".game-{game} .play-now .primary")
    page.wait_for_selector("[data-live=yes] #table[data-phase=playing]")


def open_table(page: Page, game: str, chairs: int) -> str:
    """A table with an invitation; gives its link."""
    page.goto(f"/new/{game}")
    page.check(f"input[name=chairs][value='{chairs}']", force=True)
    page.click("main button.primary")
    page.wait_for_selector("[data-live=yes] #table[data-phase=open]")
    return page.input_value(".link input >> nth=0")


#: Seconds a game may take on a busy machine.
PATIENCE = 400.0

#: Let the page press by itself whatever it offers; gives what it did last. It is quicker than asking it at every move.
GO_ON = f"""
() => {{
  const press = {PRESS.strip()};
  window.pressing ??= setInterval(() => {{
    window.pressed = press();
    if (["over", "nothing"].includes(window.pressed)) clearInterval(window.pressing);
  }}, 10);
  return window.pressed;
}}
"""
#: Forget what was pressed in an earlier game of this page.
BEGIN = "() => { clearInterval(window.pressing); delete window.pressing; delete window.pressed; }"


def play_to_the_end(*pages: Page) -> None:
    """Everybody presses what they are offered until the game is over on every page."""
    until = time.monotonic() + PATIENCE
    for page in pages:
        page.evaluate(BEGIN)
    while time.monotonic() < until:
        states = [page.evaluate(GO_ON) for page in pages]
        if all(state == "over" for state in states):
            return
        assert "nothing" not in states, pages[states.index("nothing")].inner_text("#table")
        pages[0].wait_for_timeout(50)
    raise AssertionError("the game doesn't end")


def play_unseen(page: Page) -> None:
    """Whoever has the page plays the game to its end, over the API: it takes a tenth of the time. The page is told."""
    where, choosing = f"/api/tables/{page.get_attribute('#table', 'data-table')}", Choosing(random.Random(1))
    request, until = page.context.request, time.monotonic() + PATIENCE
    while (view := request.get(where).json()["view"])["phase"] != "over":
        assert time.monotonic() < until, "the game doesn't end"
        if view["prompt"]:
            move = {"move": choosing.choose(view["prompt"]["moves"]), "seq": view["seq"]}
            answer = request.post(f"{where}/play", data=move)
            assert answer.ok or answer.status == 409, answer.text()  # somebody else may have been quicker
    page.wait_for_selector("#table[data-phase=over]")
