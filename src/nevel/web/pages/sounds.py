"""Which sound a table's page makes for which event: a game says so in `web/sounds.json` of its folder."""

from functools import cache
from typing import Literal

import msgspec

from nevel.game.registry import find

#: The tunes for events in `static/sound.js`.
Tune = Literal["step", "flourish", "milestone"]


@cache
def sounds_of(game: str) -> str:
    """The tunes of a game's events, as the page has them: `played:step trick:flourish`; nothing without a file."""
    file = find(game).file("web", "sounds.json")
    tunes = msgspec.json.decode(file.read_bytes(), type=dict[str, Tune]) if file.is_file() else {}
    return " ".join(f"{event}:{tune}" for event, tune in tunes.items())
