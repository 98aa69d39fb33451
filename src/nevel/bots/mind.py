"""The strategy of one level for one game: the plans it considers, and how it simulates the rest of the game."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nevel.bots.playing_out import PLAYOUTS, POINTS, SQUARES, WINS, decide, sample, say
from nevel.bots.policy import ALL_LEVELS
from nevel.engine import dispatch
from nevel.engine.knowledge import Knowledge
from nevel.engine.legality import mark_legal


class Plans(NamedTuple):
    """The candidate moves, or sequences of moves, that a search compares."""

    #: A row of moves for each plan, filled up with -1.
    moves: NDArray[np.int64]
    #: How much worse than the best each looks at a glance, in utility: what counts until play-outs tell more.
    handicaps: NDArray[np.float64]
    #: The moves each may as well begin with: cards of a turn in another order, cards that look alike. By default the
    #: first of each row only.
    beginnings: tuple[tuple[int, ...], ...] = ()

    def first_moves(self, row: int) -> tuple[int, ...]:
        """What a plan may begin with."""
        return self.beginnings[row] if self.beginnings else (int(self.moves[row, 0]),)


def equal_plans(rows: Sequence[Sequence[int]] | NDArray[np.int64]) -> Plans:
    """Plans among which nothing is preferred before they are played out."""
    return Plans(np.array(rows, np.int64), np.zeros(len(rows)))


#: What a seat that isn't asked can do: see how the others, and later itself, play on.
PLAY_ON = equal_plans([(-1,)])


class Mind(ABC):
    """Decides for a seat from what it knows. Stateless: everything it needs is passed to it."""

    #: How many scratch records `sample` needs.
    scratch = 3
    #: How much a point counts beside a certain win when a move is chosen: only to tell hopeless moves apart.
    worth_of_point = 0.001
    #: As many play-outs the first estimate of a plan counts for.
    first_glance = 0

    def __init__(self, policy: int) -> None:
        self.policy = policy

    def settled(self, knowledge: Knowledge, rng: NDArray[np.int64]) -> int | None:
        """The move that needs no search (-1: rather wait for another seat), or None where thinking pays."""
        return None

    def hint(self, knowledge: Knowledge, rng: NDArray[np.int64]) -> int:
        """Something worth saying now, in or out of turn; -1 for nothing."""
        return int(say(knowledge.state, knowledge.seat, self.policy, rng, ALL_LEVELS))

    def certain(self, knowledge: Knowledge, moves: Sequence[int]) -> list[float] | None:
        """The chance to win after each of these moves (-1: as things stand) where all of them can be worked out."""
        return None

    def plans(self, knowledge: Knowledge, is_thorough: bool) -> Plans:
        """The plans to compare. Thorough: at least one for every legal move."""
        mask = np.zeros(dispatch.rules_of(knowledge.state).MOVES, np.int64)
        mark_legal(knowledge.state, knowledge.seat, mask)
        return equal_plans(np.flatnonzero(mask)[:, np.newaxis])

    def utilities(self, totals: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The utility of every plan, and its standard error: here the chance to win, with points to break ties."""
        counts = np.maximum(totals[:, PLAYOUTS], 1)
        means = (totals[:, WINS] + self.worth_of_point * totals[:, POINTS]) / counts
        return means, errors_of(totals[:, PLAYOUTS], totals[:, WINS], totals[:, SQUARES])

    @abstractmethod
    def sample(
        self,
        scratch: np.ndarray,
        knowledge: Knowledge,
        plans: NDArray[np.int64],
        live: NDArray[np.int64],
        worlds: int,
        rng: NDArray[np.int64],
        totals: NDArray[np.float64],
    ) -> None:
        """Imagine `worlds` worlds; in each play every live plan out to the end and add the result to its totals.

        A plan of -1 alone only plays on, whoever is asked.
        """


def errors_of(
    counts: NDArray[np.float64], sums: NDArray[np.float64], squares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Standard errors of means between 0 and 1; a success and a failure more keep few play-outs from looking sure."""
    means = (sums + 1) / (counts + 2)
    return np.sqrt(np.maximum((squares + 1) / (counts + 2) - means * means, 1e-9) / np.maximum(counts, 1))


class PolicyMind(Mind):
    """A level that follows a policy. Asked for an evaluation, it imagines everyone playing as it does."""

    def settled(self, knowledge: Knowledge, rng: NDArray[np.int64]) -> int | None:
        return int(decide(knowledge.state, knowledge.seat, self.policy, rng, ALL_LEVELS))

    def sample(self, scratch: Any, knowledge: Any, plans: Any, live: Any, worlds: int, rng: Any, totals: Any) -> None:
        scratch[0] = knowledge.state
        policies = np.full(dispatch.MOST_SEATS, self.policy, np.int64)
        out = np.zeros((dispatch.MOST_SEATS, 2), np.int64)
        sample(scratch, knowledge.seat, policies, ALL_LEVELS, plans, live, worlds, rng, out, totals)
