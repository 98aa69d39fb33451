"""A change of rules, of bots or of words shows as a change in a recorded game."""

import difflib

import pytest

from nevel.languages import LANGUAGES
from tests.golden.record import file_of, playthrough
from tests.own_games import OWN_GAMES


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", OWN_GAMES)
def test_the_recorded_game_is_played_again_word_for_word(game: str, code: str) -> None:
    recorded = file_of(game, code).read_text("utf-8").splitlines()
    played = playthrough(game, code).splitlines()
    change = list(difflib.unified_diff(recorded, played, "recorded", "played", lineterm="", n=1))
    assert not change, "\n".join(change[:40]) + "\n(if this is meant: make golden)"
