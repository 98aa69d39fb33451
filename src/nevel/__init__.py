"""Nevel: tabletop games in which nobody sees everything.

>>> import nevel
>>> game = nevel.new("misty", seats=2, seed=5)
>>> move = game.prompt(0).moves[0]
>>> game.is_legal(0, move)
True
"""

from nevel.boxes import Box, BoxError
from nevel.games import UnknownGameError, load, new, save
from nevel.games.clauses import Clause
from nevel.games.game import Game
from nevel.games.move import IllegalMoveError, MalformedMoveError, Move
from nevel.games.saving import LoadError
from nevel.games.telling import Event, Teller
from nevel.games.vocabulary import OptionError, Outcome, Prompt, View
from nevel.languages import Language, language

__all__ = [
    "Box",
    "BoxError",
    "Clause",
    "Event",
    "Game",
    "IllegalMoveError",
    "Language",
    "LoadError",
    "MalformedMoveError",
    "Move",
    "OptionError",
    "Outcome",
    "Prompt",
    "Teller",
    "UnknownGameError",
    "View",
    "language",
    "load",
    "new",
    "save",
]
