"""Every installed game does what every game has to do."""

from pathlib import Path

import pytest

from nevel.game.registry import all_games, find
from nevel.game.spec import GameSpec
from nevel.testing import Check, Subject, checks
from tests.browser.chromium import find_chromium

CASES = [
    pytest.param(game, check, id=f"{game}-{check}", marks=pytest.mark.slow if check.is_slow else ())
    for check in checks()
    for game in all_games()
]


def folder_of_tests(spec: GameSpec) -> Path:
    """The tests of the project a game's package belongs to."""
    package = Path(str(spec.file()))
    return next(folder / "tests" for folder in package.parents if (folder / "tests").is_dir())


@pytest.mark.parametrize(("game", "check"), CASES)
def test_a_game_conforms(game: str, check: Check) -> None:
    if check.name == "browser-plays":
        find_chromium()  # or install it: here a browser is never missing
    spec = find(game)
    tests = folder_of_tests(spec)
    check.run(Subject(spec, tests=tests, golden=tests / "golden"))
