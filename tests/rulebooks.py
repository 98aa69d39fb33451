"""Every clause of every installed game."""

from nevel.game.clause import Clause
from nevel.game.registry import all_games

CLAUSES: dict[str, Clause] = {name: one for spec in all_games().values() for name, one in spec.rulebook.items()}
