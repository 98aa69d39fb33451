"""Many games on all cores: between compiled policies thousands per second, between any players one after the other."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nevel.bots.playing_out import play_games
from nevel.bots.policy import levels_in
from nevel.engine import dispatch
from nevel.engine.dispatch import MOST_SEATS
from nevel.lab.matches.match import Match, Matches
from nevel.lab.matches.spreading import spread

Piece = tuple[NDArray[np.int32], NDArray[np.int8], NDArray[np.int32]]

#: Games per piece of work. A seed's games don't depend on how many cores share them.
PIECE = 1000


def piece_key(seed: int, number: int) -> NDArray[np.uint32]:
    """The chance a numbered piece of the work begins with."""
    return np.frombuffer(hashlib.blake2b(f"{seed}/{number}".encode(), digest_size=16).digest(), "<u4")


@dataclass
class GameResults:
    """What is counted of games, in the order in which they are numbered."""

    points: list[NDArray[Any]] = field(default_factory=list[NDArray[Any]], kw_only=True)
    wins: list[NDArray[np.int8]] = field(default_factory=list[NDArray[np.int8]], kw_only=True)
    lengths: list[NDArray[Any]] = field(default_factory=list[NDArray[Any]], kw_only=True)


@dataclass
class PolicyGames(GameResults):
    """Games of one kind between fixed policies."""

    game: ModuleType
    seats: int
    box: NDArray[np.int64]
    options: NDArray[np.int64]
    policies: Sequence[int]
    seed: int


class Simulation(PolicyGames):
    """Games between fixed policies, counted as they are played."""

    def piece(self, number: int, games: int) -> Piece:
        """Play one numbered piece of the work; the same number gives the same games."""
        states = dispatch.new_states(self.game, 3)
        states[2].chance[:] = piece_key(self.seed, number)
        points = np.zeros((games, MOST_SEATS), np.int32)
        wins = np.zeros((games, MOST_SEATS), np.int8)
        lengths = np.zeros(games, np.int32)
        policies = np.array(self.policies, np.int64)
        play_games(
            states,
            self.seats,
            self.box,
            self.options,
            policies,
            levels_in(self.policies),
            np.zeros((MOST_SEATS, 2), np.int64),
            points,
            wins,
            lengths,
        )
        return points, wins, lengths

    def run(self, games: int, cores: int) -> Iterator[int]:
        """Play on `cores` threads; yields how many games are done, for a progress bar."""
        sizes = [PIECE] * (games // PIECE) + ([games % PIECE] if games % PIECE else [])
        pieces: dict[int, Piece] = {}
        done = 0
        for number, piece in spread(lambda number: self.piece(number, sizes[number]), len(sizes), cores):
            pieces[number] = piece
            done += sizes[number]
            yield done
        for number in sorted(pieces):
            points, wins, lengths = pieces[number]
            self.points.append(points)
            self.wins.append(wins)
            self.lengths.append(lengths)


@dataclass
class TableSimulation(GameResults):
    """Games between any players: searches and outside programs too. Counted in the same way."""

    matches: Matches
    names: Sequence[str]
    #: Whether every deal is played as often as there are chairs, the players moving on by one chair each time.
    rotates: bool = False
    #: How long a decision took on average.
    decision_seconds: float = 0.0

    def play(self, number: int) -> Match:
        """One game, its results in the order of the names."""
        if not self.rotates:
            return self.matches.play(number, self.names)
        seats = self.matches.seats
        deal, turn = divmod(number, seats)
        match = self.matches.play(deal, [self.names[(seat - turn) % seats] for seat in range(seats)])
        points = [match.points[(name + turn) % seats] for name in range(seats)]
        winners = [name for name in range(seats) if (name + turn) % seats in match.winners]
        return match._replace(points=points, winners=winners)

    def run(self, games: int, cores: int) -> Iterator[int]:
        """Play on `cores` threads; yields how many games are done, for a progress bar."""
        played: dict[int, Match] = {}
        for number, match in spread(self.play, games, cores, self.matches.stop):
            played[number] = match
            yield len(played)
        in_order = [played[number] for number in sorted(played)]
        seats = self.matches.seats
        self.points.append(np.array([match.points for match in in_order], np.int32))
        self.wins.append(np.array([[seat in match.winners for seat in range(seats)] for match in in_order], np.int8))
        self.lengths.append(np.array([match.moves for match in in_order], np.int32))
        decisions = sum(match.decisions for match in in_order)
        self.decision_seconds = sum(match.seconds for match in in_order) / max(decisions, 1)
