"""Records a game of each kind, readable as prose, in every language: `make golden`. `nevel.testing` compares them."""

from pathlib import Path

from nevel.testing import Subject
from nevel.testing.suite.golden import record
from tests.own_games import OWN_GAMES

if __name__ == "__main__":
    for spec in OWN_GAMES.values():
        record(Subject(spec), Path(__file__).parent)
