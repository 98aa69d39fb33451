"""A bot for one seat: it gets what that seat knows and answers with a move, a hint or an evaluation."""

import hashlib
import threading

import numpy as np
from numpy.typing import NDArray

from nevel.bots import assessment
from nevel.bots.assessment import MoveAssessment
from nevel.bots.evaluation import Budget, Choice, Evaluation
from nevel.bots.levels import LEVELS, mind_of
from nevel.bots.search import Progress, Search
from nevel.engine import chance, dispatch
from nevel.engine.knowledge import Knowledge

#: What a search may take at a table.
A_SECOND = Budget(seconds=1.0)


class UnknownBotError(ValueError):
    """A name that is no bot's."""

    def __init__(self, name: str) -> None:
        super().__init__(f"unknown bot {name!r}; known are {', '.join(LEVELS)}")
        self.name = name


class Bot:
    """A bot of some level. Stateless between moves: the same seed, position and play-outs give the same answer."""

    def __init__(self, level: str, seed: int = 0, budget: Budget = A_SECOND) -> None:
        if level not in LEVELS:
            raise UnknownBotError(level)
        self.level = level
        self.seed = seed
        self.budget = budget

    def move(
        self, knowledge: Knowledge, stop: threading.Event | None = None, progress: Progress | None = None
    ) -> int | None:
        """The number of the move it makes, or None to wait for another seat."""
        mind = mind_of(dispatch.rules_of(knowledge.state), self.level)
        rng = self.rng(knowledge)
        number = mind.settled(knowledge, rng)
        if number is None:
            number = Search(mind, knowledge, rng, is_thorough=False).run(self.budget, stop, progress).best.move
        return None if number < 0 else number

    def hint(self, knowledge: Knowledge) -> int | None:
        """The number of something it would say now, in or out of turn, or None."""
        mind = mind_of(dispatch.rules_of(knowledge.state), self.level)
        number = mind.hint(knowledge, self.rng(knowledge))
        return None if number < 0 else number

    def evaluate(
        self, knowledge: Knowledge, stop: threading.Event | None = None, progress: Progress | None = None
    ) -> Evaluation:
        """What every legal move of the seat is worth."""
        mind = mind_of(dispatch.rules_of(knowledge.state), self.level)
        return Search(mind, knowledge, self.rng(knowledge), is_thorough=True).run(self.budget, stop, progress)

    def expect(self, knowledge: Knowledge, playouts: int, stop: threading.Event | None = None) -> Choice:
        """The chance to win and the points the seat can expect, asked or not."""
        mind = mind_of(dispatch.rules_of(knowledge.state), self.level)
        return assessment.expect(mind, knowledge, self.rng(knowledge), playouts, stop)

    def assess(
        self, knowledge: Knowledge, played: int, playouts: int, stop: threading.Event | None = None
    ) -> MoveAssessment:
        """What a move was worth beside the best there was."""
        mind = mind_of(dispatch.rules_of(knowledge.state), self.level)
        rng = (self.rng(knowledge), self.rng(knowledge, "/once more"))
        return assessment.assess(mind, knowledge, played, rng, playouts, stop)

    def rng(self, knowledge: Knowledge, purpose: str = "") -> NDArray[np.int64]:
        """The state of its random generator, from its seed and the position, so that a resumed game goes on alike."""
        text = f"{self.seed}/{len(knowledge.moves)}/{knowledge.seat}{purpose}"
        digest = hashlib.blake2b(text.encode(), digest_size=16, person=b"nevel bot").digest()
        rng = np.zeros(chance.RNG_WORDS, np.int64)
        chance.key(rng, *(int(word) for word in np.frombuffer(digest, "<u4")))
        return rng
