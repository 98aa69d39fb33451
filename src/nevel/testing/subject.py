"""The game that is checked, with its tables, random games and positions."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from nevel.bots.playing_out import decide
from nevel.bots.policy import ALL_LEVELS, SIMPLE
from nevel.engine import chance
from nevel.engine.compiling import IS_COMPILED
from nevel.game.game import Game
from nevel.game.spec import GameSpec
from nevel.languages import DEFAULT, LANGUAGES, read_catalogues
from nevel.testing.check import fail
from nevel.testing.parts import NOTHING, TestingParts

#: Interpreted rules are a hundred times slower, so random checks do less of the same.
EFFORT = 1.0 if IS_COMPILED else 0.02
#: How often a player of a `sensible` game does what the simple bot would do: random games of many a game end early.
SENSE = 0.8
#: How often somebody says something before a move, in games in which that is possible.
TALK = 0.1
#: What players are called in what is told, saved and recorded.
PLAYER_NAMES = ["Anna", "Bram", "Chloé", "Dirk", "Eva"]

Options = dict[str, int]


@dataclass(frozen=True)
class Subject:
    """A game and what the checks may take."""

    spec: GameSpec
    #: How much of the usual number of random games is played; 1 is all.
    effort: float = EFFORT
    #: The folder whose tests are about the game's clauses; None leaves that check out.
    tests: Path | None = None
    #: The folder with its recorded games; None leaves that check out.
    golden: Path | None = None

    @property
    def name(self) -> str:
        return self.spec.name

    @cached_property
    def parts(self) -> TestingParts:
        """What the game tells the kit about itself."""
        if self.spec.testing is None:
            return NOTHING
        parts = self.spec.load("testing")
        if not isinstance(parts, TestingParts):
            fail(f"spec.testing names {self.spec.testing}, which is no nevel.testing.TestingParts")
        return parts

    @cached_property
    def has_hints(self) -> bool:
        return bool(self.spec.vocabulary.hint_numbers)

    @cached_property
    def languages(self) -> list[str]:
        """The languages the game speaks: English, and those into which its pitch or a clause is translated."""
        words = {self.spec.pitch, *(clause.message for clause in self.spec.rulebook.values())}
        found = {code: read_catalogues(code) for code in LANGUAGES if code != DEFAULT}
        return [DEFAULT, *(code for code, catalogue in found.items() if any(word in catalogue for word in words))]

    def amount(self, count: int) -> int:
        """How often to repeat something random."""
        return max(1, int(count * self.effort))

    def dice(self, purpose: object) -> Random:
        """The same random numbers every time, others for every purpose."""
        return Random(f"{self.name}/{purpose}")

    # ------------------------------------------------------------ tables

    @cached_property
    def variants(self) -> list[Options]:
        """All combinations of options, the usual one first."""
        options = self.spec.vocabulary.options
        names = [option.name for option in options]
        return [dict(zip(names, values, strict=True)) for values in product(*(option.values for option in options))]

    @cached_property
    def tables(self) -> list[tuple[int, Options]]:
        """Every number of seats with every combination of options."""
        return [(seats, options) for seats in self.spec.seats for options in self.variants]

    @cached_property
    def few_tables(self) -> list[tuple[int, Options]]:
        """The usual table, and all other options with the fewest and the most seats: where tables are slow to play."""
        seats, last = self.spec.seats, self.variants[-1]
        wanted = [(self.spec.usual_seats, self.variants[0]), (seats[0], last), (seats[-1], last)]
        return [table for number, table in enumerate(wanted) if table not in wanted[:number]]

    def some_seats(self, wished: int) -> int:
        """This number of seats, or the next one the game can be played with."""
        return min(max(wished, self.spec.seats[0]), self.spec.seats[-1])

    def new(self, seats: int, seed: int, options: Options | None = None, **more: Any) -> Game:
        return Game(self.spec, seats, seed, options=options or {}, **more)

    def most_moves(self, seats: int) -> int:
        """More moves than any game of so many players can have."""
        longest = self.spec.longest_game
        return min(self.parts.most_moves(seats), longest) if self.parts.most_moves else longest

    # ------------------------------------------------------------ play

    def play(self, game: Game, dice: Random, is_sensible: bool = False, talk: float = TALK) -> Iterator[Game]:
        """Play a game to its end; gives it before every move, and once it is over."""
        longest = self.most_moves(game.seats)
        played = 0
        while not game.is_over:
            if played > longest:
                fail(f"a game of {game.seats} with {game.options} isn't over after {longest} moves")
            yield game
            if self.has_hints and dice.random() < talk and (hints := game.hints(speaker := dice.randrange(game.seats))):
                game.play(speaker, dice.choice(hints))
                continue
            seat = dice.choice(game.waiting_for)
            game.play(seat, game.vocabulary.moves[self.answer(game, seat, dice, is_sensible)])
            played += 1
        yield game

    def answer(self, game: Game, seat: int, dice: Random, is_sensible: bool) -> int:
        """A random move; or mostly the simple bot's, so that the game lasts and goes where games between people go."""
        if is_sensible and dice.random() < SENSE:
            rng = np.array([dice.getrandbits(32) for _ in range(chance.RNG_WORDS)], np.int64)
            chosen = int(decide(game.state, seat, SIMPLE, rng, ALL_LEVELS))
            if chosen >= 0:
                return chosen
        legal = game.position.legal_moves(seat)
        if not legal:
            fail(f"seat {seat} is waited for and has no legal move, after {[str(entry.move) for entry in game.log]}")
        return dice.choice(legal)

    def random_games(self, each: int, purpose: str) -> Iterator[tuple[Game, Random]]:
        """`each` games at every table, as they are dealt; every other one is to be played sensibly."""
        for seats, options in self.tables:
            for number in range(self.amount(each)):
                dice = self.dice((purpose, seats, options, number))
                yield self.new(seats, dice.getrandbits(64), options), dice

    def positions(self, count: int, purpose: str, share: float = 0.5) -> Iterator[tuple[Game, Random]]:
        """So many positions at random moments of games at all tables, half of these games sensible."""
        dice = self.dice(purpose)
        left, number = self.amount(count), 0
        while True:
            seats, options = self.tables[number % len(self.tables)]
            number += 1
            game = self.new(seats, dice.getrandbits(64), options)
            for moment in self.play(game, dice, is_sensible=dice.random() < 0.5):
                if not moment.is_over and dice.random() < share:
                    yield moment, dice
                    left -= 1
                    if left == 0:
                        return


# ---------------------------------------------------------------- what a seat can't know


def rekey(game: Game, dice: Random) -> None:
    """Let other things be drawn from here on."""
    chance.key(game.state.chance, *(dice.getrandbits(32) for _ in range(chance.RNG_WORDS)))


def erased(game: Game, seat: int) -> bytes:
    """The position with everything erased that a seat (-1: a spectator) can't know."""
    twin = game.copy()
    game.spec.rules.conceal(twin.state, seat)
    return twin.state.tobytes()


def imagined(game: Game, seat: int, dice: Random) -> Game:
    """The same game as far as a seat (-1: a spectator) can tell, with everything else made up."""
    twin = game.copy()
    game.spec.rules.conceal(twin.state, seat)
    rekey(twin, dice)
    game.spec.rules.imagine(twin.state, seat)
    return twin


def dealt_otherwise(game: Game, seat: int, dice: Random) -> Game:
    """A game just dealt, with everything dealt anew that this seat can't see: what it remembers is the same."""
    twin = imagined(game, seat, dice)
    twin._first = twin.state.tobytes()  # pyright: ignore[reportPrivateUsage]
    return twin
