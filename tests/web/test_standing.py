"""The sentence about oneself on a result."""

import pytest

from nevel.game.event import Teller
from nevel.game.registry import find
from nevel.game.vocabulary import Outcome
from nevel.languages import LANGUAGES, language
from nevel.web.rendering.standing import PLACES, say_standing

NAMES = ("Ann", "Ben", "Cid", "Dee", "Eve")


def say(game: str, points: list[int], winners: list[int], chair: int | None, code: str = "en") -> str:
    return say_standing(find(game), Outcome("X-1", points, winners), chair, Teller(language(code), NAMES))


@pytest.mark.parametrize(
    ("game", "points", "winners", "chair", "said"),
    [
        ("what-the-fog", [12, 19, 18], [1], 1, "You win by 1 point."),
        ("what-the-fog", [12, 19, 16], [1], 1, "You win by 3 points."),
        ("what-the-fog", [12, 19, 16], [1], 0, "You came third: 7 points behind Ben."),
        ("what-the-fog", [-2, 5, 5, 4], [1, 2], 3, "You came third: 1 point behind Ben and Cid."),
        ("what-the-fog", [-2, 5, 5, 4], [1, 2], 2, "You share the victory."),
        ("what-the-fog", [1, 2, 3, 4, 5], [4], 0, "You came fifth: 4 points behind Eve."),
        ("misty", [3, 1], [0], 1, "You came second: 2 rounds behind Ann."),
        ("misty", [3, 2], [0], 0, "You win by 1 round."),
        # What decided a tie isn't in the points.
        ("misty", [3, 3], [0], 0, "You win, as close as can be."),
        ("misty", [3, 3], [0], 1, "You came second."),
        ("what-the-fog", [12, 19], [1], None, ""),
        ("the-game", [-7, -7], [], 0, ""),
        ("the-game", [0], [0], 0, ""),
    ],
)
def test_the_sentence(game: str, points: list[int], winners: list[int], chair: int | None, said: str) -> None:
    assert say(game, points, winners, chair) == said


def test_every_place_has_words_of_its_own_in_every_language() -> None:
    for code in LANGUAGES:
        said = [say("what-the-fog", [5, 4, 3, 2, 1], [0], chair, code) for chair in range(5)]
        assert len({sentence.split(":")[0] for sentence in said[1:]}) == len(PLACES), code
        assert all("Ann" in sentence for sentence in said[1:]), code
