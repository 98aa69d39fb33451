"""The model of any game: spec and registry, moves, prompts, refusals, events, views for each seat, saved games."""

from collections.abc import Sequence
from pathlib import Path

from nevel.game import saving
from nevel.game.box import Box
from nevel.game.game import Game
from nevel.game.registry import find


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
    return Game(find(game), seats, seed, Box.read(box) if isinstance(box, Path) else box, names, options)


def load(text: str | bytes) -> Game:
    """Play a saved game again."""
    return saving.load(text)


def save(game: Game) -> str:
    """A game as readable JSON."""
    return saving.save(game)
