"""Every clause of every installed game."""

from nevel.game.clause import Clause
from tests.own_games import OWN_GAMES

CLAUSES: dict[str, Clause] = {name: one for spec in OWN_GAMES.values() for name, one in spec.rulebook.items()}
