"""What a page says of the shuffle: who adds to it, who is waited for, and what its script needs to add a part too."""

import msgspec

from nevel.languages import mark
from nevel.tables.domain.table import OPEN
from nevel.tables.views.view import TableView
from nevel.web.rendering.fragment import Values
from nevel.web.rendering.surroundings import Surroundings


def draw_shuffle(view: TableView, around: Surroundings) -> Values:
    """The shuffle of a table before or after its game, as somebody sees it."""
    shuffle, teller = view.shuffle, around.teller
    if shuffle is None:
        return {"promised": (), "parts": ()}
    missing = [chair for chair in shuffle.promises if chair not in shuffle.parts] if shuffle.is_locked else []
    waiting = teller.say(mark("Waiting for {players}…"), players=teller.list_names(missing)) if missing else ""
    return {
        "promised": tuple(shuffle.promises),
        "missing": waiting,
        "shuffling": tell_script(view),
        "parts": [{"name": teller.name(chair), "part": shuffle.parts.get(chair)} for chair in shuffle.promises],
    }


def tell_script(view: TableView) -> str:
    """What of the view `static/part.js` reads, before the game; nothing for who adds nothing."""
    if view.phase != OPEN or view.you.chair is None or not view.commitment:
        return ""
    told = {
        "table": view.table,
        "you": {"chair": view.you.chair},
        "commitment": view.commitment,
        "shuffle": view.shuffle,
    }
    return msgspec.json.encode(told).decode()
