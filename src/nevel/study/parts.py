"""The parts of a game that analysis needs, each optional: hidden cards, puzzles, predictions."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from nevel.engine.knowledge import Knowledge
    from nevel.game.game import Game
    from nevel.game.spec import GameSpec
    from nevel.study.forecasts import Prediction
    from nevel.study.mist import Hidden
    from nevel.study.puzzle_kind import Kind


def no_hands_pass(before: Any) -> bool:
    """Nobody gets a hand somebody else has held."""
    return False


class StudyParts(NamedTuple):
    """The parts of a game that only study needs."""

    #: The hidden cards of a position, where they may be and how likely; None where it isn't worked out.
    hidden: "Callable[[Knowledge], Hidden] | None" = None
    puzzles: "tuple[Kind, ...]" = ()
    #: The predictions a seat made in a game, in games in which people predict.
    predictions: "Callable[[Game, int], list[Prediction]] | None" = None
    #: Whether a seat may get cards that lay hidden with others, once all have moved in this position.
    passes_hands: Callable[[Any], bool] = no_hands_pass


NOTHING = StudyParts()


def parts_of(spec: "GameSpec") -> StudyParts:
    """What a game has to study."""
    if spec.study is None:
        return NOTHING
    parts = spec.load("study")
    assert isinstance(parts, StudyParts), parts
    return parts
