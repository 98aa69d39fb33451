"""How the tests play: by pressing what a person would press; and over the API where only what comes after matters."""

import random
import time
from itertools import cycle

from playwright.sync_api import Page

from nevel.testing.clicking import GAME_SECONDS, PRESS, play_now, play_to_the_end
from nevel.testing.parts import choosing_for

__all__ = ["GAME_SECONDS", "PRESS", "open_table", "play_now", "play_to_the_end", "play_unseen"]


def open_table(page: Page, game: str, chairs: int) -> str:
    """A table with an invitation; gives its link."""
    page.goto(f"/new/{game}")
    page.check(f"input[name=chairs][value='{chairs}']", force=True)
    page.click("main button.primary")
    page.wait_for_selector("[data-live=yes] #table[data-phase=open]")
    return page.input_value(".link input >> nth=0")


def play_unseen(*pages: Page) -> None:
    """Whoever has the pages plays the game to its end, over the API, in a tenth of the time. The pages are told."""
    where = f"/api/tables/{pages[0].get_attribute('#table', 'data-table')}"
    choosing = choosing_for(pages[0].get_attribute("#table", "data-game") or "", random.Random(1))
    until = time.monotonic() + GAME_SECONDS
    for page in cycle(pages):
        request = page.context.request
        view = request.get(where).json()["view"]
        if view["phase"] == "over":
            break
        assert time.monotonic() < until, "the game doesn't end"
        if view["prompt"]:
            move = {"move": choosing.choose(view["prompt"]["moves"]), "seq": view["seq"]}
            answer = request.post(f"{where}/play", data=move)
            assert answer.ok or answer.status == 409, answer.text()  # somebody else may have been quicker
    for page in pages:
        page.wait_for_selector("#table[data-phase=over]")
