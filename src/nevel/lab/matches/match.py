"""Games between any players, on deals that have numbers: the same number deals the same game to whoever sits there."""

import hashlib
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import NamedTuple

import numpy as np

from nevel.bots.bot import A_SECOND
from nevel.bots.evaluation import Budget
from nevel.bots.levels import LEVELS, mind_of
from nevel.bots.mind import PolicyMind
from nevel.bots.playing_out import play_out
from nevel.bots.policy import levels_in
from nevel.engine import chance
from nevel.game.box import Box
from nevel.game.game import Game, key_words
from nevel.game.move import Move
from nevel.game.spec import GameSpec
from nevel.players.player import Player
from nevel.players.program import Notice
from nevel.players.seating import player
from nevel.players.table import play_to_end


class Match(NamedTuple):
    """One game that was played."""

    points: list[int]
    winners: list[int]
    moves: int
    #: How many moves were thought about, and how long in all. Compiled games aren't timed move by move.
    decisions: int = 0
    seconds: float = 0.0

    def share(self, seats: Sequence[int]) -> float:
        """What these seats have of the win; a shared one is split."""
        return len(set(seats) & set(self.winners)) / len(self.winners) if self.winners else 0.0


class Entrant(NamedTuple):
    """Who plays under a name of its own: a level or a program, and what it may spend on a move."""

    player: str
    budget: Budget


class MatchStoppedError(Exception):
    """The match was cancelled."""


class TimedPlayer:
    """A player whose decisions are timed, and who raises when the match is stopped."""

    def __init__(self, player: Player, stop: threading.Event) -> None:
        self.player = player
        self.stop = stop
        self.decisions = 0
        self.seconds = 0.0

    @property
    def name(self) -> str:
        return self.player.name

    def choose(self, game: Game, seat: int) -> Move | None:
        if self.stop.is_set():
            raise MatchStoppedError
        started = time.perf_counter()
        move = self.player.choose(game, seat)
        self.seconds += time.perf_counter() - started
        self.decisions += 1
        return move

    def speak(self, game: Game, seat: int) -> Move | None:
        return self.player.speak(game, seat)

    def close(self) -> None:
        self.player.close()


@dataclass
class Matches:
    """Games of one kind. What is played depends on the seed, the deal's number and the players, and nothing else."""

    spec: GameSpec
    seats: int
    box: Box
    options: Mapping[str, object]
    seed: int
    budget: Budget = A_SECOND
    notice: Notice | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    #: Those who have names of their own; any other name is a level or a program itself.
    entrants: Mapping[str, Entrant] = field(default_factory=dict[str, Entrant])

    def play(self, deal: int, names: Sequence[str]) -> Match:
        """Play one deal, with these players in the chairs."""
        game = self.deal(deal)
        policies = policies_of(self.spec.rules, [self.entrant(name).player for name in names])
        if policies is not None:
            return self.play_compiled(game, deal, policies)
        return self.play_at_table(game, deal, names)

    def deal(self, deal: int) -> Game:
        """A game as this number deals it."""
        return Game(self.spec, self.seats, number_from(f"{self.seed}/{deal}"), self.box, options=dict(self.options))

    def entrant(self, name: str) -> Entrant:
        return self.entrants.get(name) or Entrant(name, self.budget)

    def play_at_table(self, game: Game, deal: int, names: Sequence[str]) -> Match:
        """Play a game move by move, as people would; it has its log afterwards."""
        players = {
            seat: TimedPlayer(
                player(who.player, number_from(f"{self.seed}/{deal}/{seat}"), who.budget, self.notice), self.stop
            )
            for seat, who in enumerate(map(self.entrant, names))
        }
        try:
            moves = play_to_end(game, players)
        finally:
            for sitting in players.values():
                sitting.close()
        seconds = sum(sitting.seconds for sitting in players.values())
        return ended(game, moves, sum(sitting.decisions for sitting in players.values()), seconds)

    def play_compiled(self, game: Game, deal: int, policies: Sequence[int]) -> Match:
        """The same between policies, without anything in between."""
        if self.stop.is_set():
            raise MatchStoppedError
        rng = np.zeros(chance.RNG_WORDS, np.int64)
        chance.key(rng, *key_words(number_from(f"{self.seed}/{deal}/policies").to_bytes(16, "little")))
        return ended(game, int(play_out(game.state, np.array(policies, np.int64), rng, None, levels_in(policies))))


def ended(game: Game, moves: int, decisions: int = 0, seconds: float = 0.0) -> Match:
    outcome = game.outcome
    assert outcome is not None
    return Match(outcome.points, outcome.winners, moves, decisions, seconds)


def policies_of(rules: ModuleType, names: Sequence[str]) -> list[int] | None:
    """The compiled policies of these players, or None if one of them has to think or is a program."""
    policies: list[int] = []
    for name in names:
        mind = mind_of(rules, name) if name in LEVELS else None
        if type(mind) is not PolicyMind:
            return None
        policies.append(mind.policy)
    return policies


def number_from(text: str) -> int:
    """128 bits of chance for a purpose."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=16, person=b"nevel match").digest(), "little")
