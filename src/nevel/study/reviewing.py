"""Looking back on a game: every choice as an expert in the same seat saw it, and whose doing the result was."""

import threading
from collections.abc import Callable

from nevel.bots.bot import Bot
from nevel.bots.hindsight import Verdict
from nevel.game.game import Game
from nevel.game.vocabulary import Vocabulary
from nevel.study.eyes import Eyes
from nevel.study.ledger import Ledger
from nevel.study.prior import prior_of
from nevel.study.review import Account, Decision, Option, Review

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

            ledger = Ledger(Eyes(game, past, seat, self.bot, self.playouts, stop), report)
            decisions += [
                decision_of(move, seat, verdict, game.vocabulary) for move, verdict in ledger.verdicts.items()
            ]
            accounts.append(account_of(ledger, prior))
        if progress:
            progress(1.0)
        decisions.sort(key=lambda decision: decision.at)
        return Review(game.name, self.playouts, tuple(decisions), tuple(accounts))


def account_of(ledger: Ledger, prior: float) -> Account:
    """What a seat lived through, in sum."""
    chances = ledger.chances
    return Account(
        chances=tuple(chances),
        prior=prior,
        dealt=chances[0] - prior,
        swings=tuple(ledger.swings),
        accuracy=accuracy_of(list(ledger.verdicts.values())),
        key_moments=key_moments_of(ledger),
    )


def accuracy_of(verdicts: list[Verdict]) -> float | None:
    """100 for the best throughout; every choice counts alike, and one that costs 5 % of a win is half right.

    Choices between what was all the same don't count.
    """
    real = [verdict for verdict in verdicts if len({(each.value, each.points) for each in verdict.choices}) > 1]
    if not real:
        return None
    return 100 * sum(0.5 ** (verdict.cost / HALF_RIGHT) for verdict in real) / len(real)


def key_moments_of(ledger: Ledger) -> tuple[int, ...]:
    """The moments before the moves that changed most, or cost most."""
    weights = {move: max(abs(swing.whole), -swing.you) for move, swing in enumerate(ledger.swings)}
    telling = sorted((move for move in weights if weights[move] >= TELLING), key=lambda move: (-weights[move], move))
    return tuple(telling[:KEY_MOMENTS])


def decision_of(move: int, seat: int, verdict: Verdict, words: Vocabulary) -> Decision:
    """A verdict in the game's notation."""
    first = verdict.best if verdict.cost or verdict.points_cost else verdict.played
    rest = [choice for choice in verdict.choices if choice.move != first.move]
    rest.sort(key=lambda choice: (-choice.value, -choice.points, choice.move))
    options = tuple(
        Option(words.moves[choice.move].text, choice.value, choice.error, choice.points) for choice in (first, *rest)
    )
    return Decision(move, seat, words.moves[verdict.played.move].text, options, verdict.cost, verdict.points_cost)
