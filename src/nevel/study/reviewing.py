"""Reviews a game: evaluates every choice as an expert in the same seat, and attributes the result."""

import threading
from collections.abc import Callable

from nevel.bots.assessment import MoveAssessment
from nevel.bots.bot import Bot
from nevel.game.game import Game
from nevel.game.vocabulary import Vocabulary
from nevel.study.ledger import Ledger
from nevel.study.perspective import SeatPerspective
from nevel.study.prior import prior_of
from nevel.study.review import Account, Decision, EvaluatedOption, Review

#: Play-outs behind every look at a moment, and behind either side of every choice.
PLAYOUTS = 128
#: A choice that costs so much is half right.
HALF_RIGHT = 0.05
#: Moments worth looking at: no more than so many, and only where the chance changed by so much.
KEY_MOMENTS = 5
TELLING = 0.03


class Reviewing:
    """The review of one game, finished or as far as it is. The same game, play-outs and seed give the same review."""

    def __init__(self, game: Game, playouts: int = PLAYOUTS, seed: int = 0) -> None:
        self.game = game
        self.playouts = playouts
        self.bot = Bot("expert", seed)

    def run(self, stop: threading.Event | None = None, progress: Callable[[float], None] | None = None) -> Review:
        """Look at everything. Raises a StoppedError soon after `stop` is set; progress goes from 0 to 1."""
        game = self.game
        past = game.past()
        prior = prior_of(game, self.bot, self.playouts, stop)
        decisions: list[Decision] = []
        accounts: list[Account] = []
        for seat in range(game.seats):

            def report(share: float, seat: int = seat) -> None:
                if progress:
                    progress((seat + share) / game.seats)

            ledger = Ledger(SeatPerspective(game, past, seat, self.bot, self.playouts, stop), report)
            decisions += [
                decision_of(move, seat, assessment, game.vocabulary) for move, assessment in ledger.assessments.items()
            ]
            accounts.append(account_of(ledger, prior))
        if progress:
            progress(1.0)
        decisions.sort(key=lambda decision: decision.at)
        return Review(game.name, self.playouts, tuple(decisions), tuple(accounts))


def account_of(ledger: Ledger, prior: float) -> Account:
    """The account of one seat."""
    chances = ledger.chances
    return Account(
        chances=tuple(chances),
        prior=prior,
        dealt=chances[0] - prior,
        swings=tuple(ledger.swings),
        accuracy=accuracy_of(list(ledger.assessments.values())),
        key_moments=key_moments_of(ledger),
    )


def accuracy_of(assessments: list[MoveAssessment]) -> float | None:
    """100 for the best throughout; every choice counts alike, and one that costs 5 % of a win is half right.

    Choices between what was all the same don't count.
    """
    real = [
        assessment for assessment in assessments if len({(each.value, each.points) for each in assessment.choices}) > 1
    ]
    if not real:
        return None
    return 100 * sum(0.5 ** (assessment.cost / HALF_RIGHT) for assessment in real) / len(real)


def key_moments_of(ledger: Ledger) -> tuple[int, ...]:
    """The moments before the moves that changed most, or cost most."""
    weights = {move: max(abs(swing.whole), -swing.you) for move, swing in enumerate(ledger.swings)}
    telling = sorted((move for move in weights if weights[move] >= TELLING), key=lambda move: (-weights[move], move))
    return tuple(telling[:KEY_MOMENTS])


def decision_of(move: int, seat: int, assessment: MoveAssessment, words: Vocabulary) -> Decision:
    """A verdict in the game's notation."""
    first = assessment.best if assessment.cost or assessment.points_cost else assessment.played
    rest = [choice for choice in assessment.choices if choice.move != first.move]
    rest.sort(key=lambda choice: (-choice.value, -choice.points, choice.move))
    options = tuple(
        EvaluatedOption(words.moves[choice.move].text, choice.value, choice.error, choice.points)
        for choice in (first, *rest)
    )
    return Decision(
        move, seat, words.moves[assessment.played.move].text, options, assessment.cost, assessment.points_cost
    )
