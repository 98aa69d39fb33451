"""Playing through a page by pressing what it offers, whichever game it is. For Playwright's synchronous pages."""

import time
from typing import TYPE_CHECKING, Any

from nevel.testing.check import fail

if TYPE_CHECKING:
    from playwright.sync_api import Page
else:
    Page = Any

#: Press what the page offers this player: a button that is a move and no hint; or the card that has the target with
#: the smallest note, and then that target (`static/choosing.js`).
PRESS = """
() => {
  const table = document.getElementById("table");
  if (table.dataset.phase === "over") return "over";
  if (!table.matches(".is-yours") || table.matches(".is-sending")) return "waiting";
  const move = table.querySelector('#play button[name="move"]:not(:disabled, [data-hint])');
  if (move) {
    move.click();
    return "moved";
  }
  const cards = [...table.querySelectorAll("#hand input[data-targets]")];
  let best = null;
  for (const card of cards) for (const target of card.dataset.targets.split(";").filter(Boolean)) {
    const [name, note] = target.split(":");
    if (!best || Number(note) < best.note) best = { card, name, note: Number(note) };
  }
  if (!best) return "nothing";
  if (!best.card.checked) best.card.click();
  table.querySelector(`[data-target="${best.name}"]`).click();
  return "played";
}
"""

#: Seconds a game may take on a busy machine.
GAME_SECONDS = 400.0

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


def play_now(page: Page, game: str) -> None:
    """From the first page to a table with bots, in one click."""
    page.goto("/")
    page.click(f".game-{game} .play-now > .primary")
    page.wait_for_selector("[data-live=yes] #table[data-phase=playing]")


def play_to_the_end(*pages: Page) -> None:
    """Everybody presses what they are offered until the game is over on every page."""
    until = time.monotonic() + GAME_SECONDS
    for page in pages:
        page.evaluate(BEGIN)
    while time.monotonic() < until:
        states = [page.evaluate(GO_ON) for page in pages]
        if all(state == "over" for state in states):
            return
        if "nothing" in states:
            fail(f"there is nothing to press:\n{pages[states.index('nothing')].inner_text('#table')}")
        pages[0].wait_for_timeout(50)
    fail(f"the game isn't over after {GAME_SECONDS:.0f} seconds")
