"""Games as people speak of them: moves with a notation, prompts, refusals, events, views for each seat, results."""

from collections.abc import Sequence
from pathlib import Path

from nevel.boxes import Box
from nevel.games import saving
from nevel.games.extreme import Extreme
from nevel.games.game import Game
from nevel.games.misty import Misty
from nevel.games.the_game import TheGame
from nevel.games.vocabulary import Vocabulary
from nevel.games.what_the_fog import WhatTheFog
from nevel.languages import SpokenError, mark

VOCABULARIES: dict[str, Vocabulary] = {
    vocabulary.name: vocabulary for vocabulary in (WhatTheFog(), TheGame(), Extreme(), Misty())
}


class UnknownGameError(SpokenError):
    """A name that is no game's."""

    def __init__(self, name: str) -> None:
        super().__init__(mark("There is no game {name}; there are {known}."), name=name, known=", ".join(VOCABULARIES))
        self.name = name


def vocabulary(game: str) -> Vocabulary:
    """The words of a game."""
    if game not in VOCABULARIES:
        raise UnknownGameError(game)
    return VOCABULARIES[game]


def new(
    game: str,
    seats: int,
    seed: int | None = None,
    box: Box | Path | None = None,
    names: Sequence[str] = (),
    **options: object,
) -> Game:
    """Deal a game. The same seed deals the same game; without one, chance decides.

    >>> game = new("what-the-fog", seats=2, seed=1, long_game=True)
    >>> game.prompts()[0].moves
    ('lift 1', 'lift 2', 'lift 3')
    """
    return Game(vocabulary(game), seats, seed, Box.read(box) if isinstance(box, Path) else box, names, options)


def load(text: str | bytes) -> Game:
    """Play a saved game again."""
    return saving.load(text, VOCABULARIES)


def save(game: Game) -> str:
    """A game as readable JSON."""
    return saving.save(game)
