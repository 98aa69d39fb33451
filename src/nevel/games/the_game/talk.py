"""What may not be said in The Game: the value of a card (TG-H1), and nothing at all under silence (EX-I2)."""

from nevel.game.clause import Clause
from nevel.game.game import Game
from nevel.game.talk import TalkRule
from nevel.games.the_game.clauses import EXTREME_RULEBOOK, RULEBOOK

SILENCE = EXTREME_RULEBOOK["EX-I2"]


def never(game: Game) -> Clause | None:
    """People may always talk."""
    return None


def silence(game: Game) -> Clause | None:
    """Whether silence lies open: then hints are refused by that clause."""
    hint = next(move for move in game.vocabulary.moves.all if game.vocabulary.is_hint(move))
    return SILENCE if game.why_not(0, hint) == SILENCE else None


TALK = TalkRule(RULEBOOK["TG-H1"], never)
EXTREME_TALK = TalkRule(RULEBOOK["TG-H1"], silence)
