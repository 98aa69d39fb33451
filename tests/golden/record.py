"""Records a game of each kind, readable as prose, in every language: `make golden`. `nevel.testing` compares them."""

from pathlib import Path

from nevel.game.registry import all_games
from nevel.testing import Subject
from nevel.testing.golden_checks import record

if __name__ == "__main__":
    for spec in all_games().values():
        record(Subject(spec), Path(__file__).parent)
