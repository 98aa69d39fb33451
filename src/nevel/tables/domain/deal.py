"""The game of a table as it is dealt."""

from nevel.game.box import Box
from nevel.game.game import Game
from nevel.game.registry import find
from nevel.tables.domain import facts


def recall_options(game: str, options: dict[str, int]) -> dict[str, int]:
    """The options of a table's log, which may be older than some of them."""
    return find(game).vocabulary.recall_options(options)


def deal(opened: facts.Opened, seed: int) -> Game:
    """The game of a table as it is dealt from a seed; one that was brought along, as it was."""
    box = None if opened.box is None else Box(opened.box)
    prelude = opened.prelude
    game = Game(find(opened.game), opened.chairs, seed, box, options=opened.options)
    for chair, move, key in prelude.moves if prelude else ():
        game.play(chair, move, key)
    return game
