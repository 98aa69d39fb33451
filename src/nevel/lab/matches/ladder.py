"""Ratings of levels: each plays against each on the same deals, rated by Bradley and Terry's model."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nevel.lab.figures.intervals import Interval, wilson
from nevel.lab.matches.match import Match, Matches
from nevel.lab.matches.spreading import spread

Numbers = NDArray[np.float64]

#: A difference of so many points makes the stronger expect ten wins for one of the weaker, as in chess.
SCALE = 400 / math.log(10)
ANCHOR, ANCHORED_AT = "casual", 1000.0
RESAMPLES = 1000
NEWTON_STEPS = 60
LONGEST_STEP = 2.0


class Rating(NamedTuple):
    """A level's place on the ladder."""

    level: str
    rating: float
    interval: Interval
    #: Only where a table wins or loses together: how often it won, and its points on average.
    win_rate: float | None = None
    win_interval: Interval | None = None
    points: float | None = None


class Pairing(NamedTuple):
    """How two levels did on the same deals: the share of the first, the second has the rest."""

    first: str
    second: str
    score: float
    interval: Interval
    deals: int


class ScheduledGame(NamedTuple):
    """A game to play: which deal, who sits where, for which pairing or level it counts, and the cards it is given."""

    deal: int
    lineup: tuple[str, ...]
    counts_for: int
    dealt: int


class TogetherResults(NamedTuple):
    """The points of tables that won (1) or lost (0) together: a row for every deal, a column for every level."""

    points: Numbers
    wins: Numbers


@dataclass
class Ladder:
    """A tournament of levels, counted when it is played."""

    matches: Matches
    levels: Sequence[str]
    deals: int
    #: Whether every deal is played in all rotations; if not, the chairs move on from deal to deal.
    rotates: bool = True
    #: Whether the same number deals the same cards to every pairing.
    shares_deals: bool = True
    played: dict[int, Match] = field(default_factory=dict[int, Match])

    @property
    def is_cooperative(self) -> bool:
        return self.matches.spec.is_cooperative

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Numbers of the levels that meet."""
        return list(combinations(range(len(self.levels)), 2))

    def jobs(self) -> list[ScheduledGame]:
        """Every game, deal by deal: left early, the ladder has seen all levels equally often.

        More deals only add jobs at the end.
        """
        seats = self.matches.seats
        lineups_of = [lineups(self.levels[first], self.levels[second], seats) for first, second in self.pairs]
        if self.is_cooperative:
            lineups_of = [[(level,) * seats] for level in self.levels]
        jobs: list[ScheduledGame] = []
        for deal in range(self.deals):
            for number, found in enumerate(lineups_of):
                dealt = deal if self.shares_deals else deal * len(lineups_of) + number
                chosen = found if self.rotates else [found[deal % len(found)]]
                jobs += [ScheduledGame(deal, lineup, number, dealt) for lineup in chosen]
        return jobs

    def play(self, job: ScheduledGame) -> Match:
        return self.matches.play(job.dealt, job.lineup)

    def run(self, cores: int) -> Iterator[int]:
        """Play on `cores` threads; yields how many games are done, for a progress bar."""
        jobs = self.jobs()
        for number, match in spread(lambda number: self.play(jobs[number]), len(jobs), cores, self.matches.stop):
            self.played[number] = match
            yield len(self.played)

    # ------------------------------------------------------------ the figures

    def scores(self) -> Numbers:
        """A row for every deal, a column for every pairing: the share of the first of the two."""
        jobs = self.jobs()
        scores = np.zeros((self.deals, len(self.pairs)))
        if self.is_cooperative:
            results = self.results()
            results = results.points + results.wins / 2  # a win beats a loss with as many points
            for column, (first, second) in enumerate(self.pairs):
                scores[:, column] = (np.sign(results[:, first] - results[:, second]) + 1) / 2
            return scores
        counts = np.zeros_like(scores)
        for number, match in self.played.items():
            job = jobs[number]
            first, _ = self.pairs[job.counts_for]
            seats = [seat for seat, level in enumerate(job.lineup) if level == self.levels[first]]
            scores[job.deal, job.counts_for] += match.share(seats)
            counts[job.deal, job.counts_for] += 1
        return scores / np.maximum(counts, 1)

    def results(self) -> "TogetherResults":
        """Where all win together: what every level made of every deal."""
        results = TogetherResults(*np.zeros((2, self.deals, len(self.levels))))
        jobs = self.jobs()
        for number, match in self.played.items():
            place = jobs[number].deal, jobs[number].counts_for
            results.points[place], results.wins[place] = match.points[0], bool(match.winners)
        return results

    def pairings(self) -> list[Pairing]:
        """Every pairing with its score. Scores of deals lie between 0 and 1, so Wilson's interval is wide enough."""
        means = self.scores().mean(axis=0)
        return [
            Pairing(
                self.levels[first],
                self.levels[second],
                float(means[column]),
                wilson(float(means[column]), self.deals),
                self.deals,
            )
            for column, (first, second) in enumerate(self.pairs)
        ]

    def ratings(self) -> list[Rating]:
        """The levels, strongest first."""
        scores = self.scores()
        size = len(self.levels)
        dice = np.random.default_rng(self.matches.seed % (1 << 63))
        # Besides the deals that were played every pairing has two imagined ones, one won by each side: Laplace's rule.
        # Without them a level that won or lost everything would have no rating. The bootstrap weighs all of them at
        # random (Rubin's, with exponential weights), so that twenty wins of twenty leave an interval, too.
        best = fit(self.tallies(scores, np.ones((1, self.deals)), np.ones((1, len(self.pairs), 2))))
        weights = dice.exponential(size=(RESAMPLES, self.deals))
        others = fit(self.tallies(scores, weights, dice.exponential(size=(RESAMPLES, len(self.pairs), 2))))
        anchor = self.levels.index(ANCHOR) if ANCHOR in self.levels else int(np.argmin(best[0]))
        rating = ANCHORED_AT + SCALE * (best[0] - best[0, anchor])
        spread_out = ANCHORED_AT + SCALE * (others - others[:, anchor : anchor + 1])
        low, high = np.quantile(spread_out, (0.025, 0.975), axis=0)
        order = sorted(range(size), key=lambda number: (-rating[number], number))
        results = self.results() if self.is_cooperative else None
        return [self.rating(number, rating, low, high, results) for number in order]

    @property
    def precision(self) -> float:
        """The ratings are known to so many points, give or take: half the widest interval."""
        return max((rating.interval.high - rating.interval.low) / 2 for rating in self.ratings())

    def rating(
        self, number: int, rating: Numbers, low: Numbers, high: Numbers, results: "TogetherResults | None"
    ) -> Rating:
        interval = Interval(float(low[number]), float(high[number]))
        plain = Rating(self.levels[number], float(rating[number]), interval)
        if results is None:
            return plain
        rate, points = float(results.wins[:, number].mean()), float(results.points[:, number].mean())
        return plain._replace(win_rate=rate, win_interval=wilson(rate, self.deals), points=points)

    def tallies(self, scores: Numbers, weights: Numbers, imagined: Numbers) -> Numbers:
        """How much every level took from every other, for each row of weights: [row, winner, loser]."""
        tallies = np.zeros((len(weights), len(self.levels), len(self.levels)))
        for column, (first, second) in enumerate(self.pairs):
            tallies[:, first, second] = weights @ scores[:, column] + imagined[:, column, 0]
            tallies[:, second, first] = weights @ (1 - scores[:, column]) + imagined[:, column, 1]
        return tallies


def lineups(first: str, second: str, seats: int) -> list[tuple[str, ...]]:
    """Two levels alternating round the table, in every rotation and both ways round: each has every chair as often."""
    found: list[tuple[str, ...]] = []
    for pair in ((first, second), (second, first)):
        row = tuple(pair[seat % 2] for seat in range(seats))
        for turn in range(seats):
            rotated = row[turn:] + row[:turn]
            if rotated not in found:
                found.append(rotated)
    return found


def fit(tallies: Numbers) -> Numbers:
    """Strengths by maximum likelihood after Bradley and Terry, on a logarithmic scale, for each row of tallies.

    Newton's method with short steps; the mean strength is nought.
    """
    rows, size, _ = tallies.shape
    strengths: Numbers = np.zeros((rows, size))
    met = tallies + tallies.transpose(0, 2, 1)
    for _ in range(NEWTON_STEPS):
        ahead: Numbers = strengths[:, :, np.newaxis] - strengths[:, np.newaxis, :]
        expected: Numbers = 1 / (1 + np.exp(-ahead))
        slope: Numbers = (tallies - met * expected).sum(axis=2)
        bend: Numbers = met * expected * (1 - expected)
        # Only differences count; the constant keeps the mean where it is.
        hessian: Numbers = np.eye(size) * bend.sum(axis=2)[:, :, np.newaxis] - bend + 1 / size
        step: Numbers = np.linalg.solve(hessian, slope[:, :, np.newaxis])[:, :, 0].astype(np.float64)
        longest: Numbers = np.abs(step).max(axis=1, keepdims=True)
        strengths = strengths + step * np.minimum(1, LONGEST_STEP / np.maximum(longest, 1e-12))
        if float(longest.max()) < 1e-9:
            break
    return strengths
