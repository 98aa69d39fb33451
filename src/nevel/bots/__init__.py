"""Bots for any game: levels, search over imagined worlds, evaluation and assessment of moves."""
