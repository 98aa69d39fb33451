"""Puzzles: positions of real games with a best answer that is known, graded by who finds it.

>>> puzzle = puzzle_of_the_day(date(2026, 11, 18))
>>> puzzle.attempt(puzzle.answer).is_solved
True
"""

from datetime import date
from functools import cache, lru_cache
from random import Random

import msgspec

from nevel.game.game import Game
from nevel.game.registry import find
from nevel.game.saving import LoadError
from nevel.languages import SpokenError, mark
from nevel.study.puzzle_kind import Kind, Verdict, all_kinds
from nevel.study.review import EvaluatedOption

#: Entries of the cache of games replayed up to their puzzle.
CACHE_SIZE = 64
#: The first day of the daily puzzle.
FIRST_DAY = date(2026, 1, 1)


class UnknownPuzzleError(SpokenError):
    """A kind or a number there is no puzzle of."""


class PuzzleEvidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """The evidence that a puzzle's answer is the best."""

    #: Play-outs behind every option, two independent searches together; 0 where everything was looked at.
    playouts: int = 0
    #: The chance that somebody who plays anything allowed finds the answer.
    luck: float = 0.0
    #: The most points a window can make, and what the casual level makes of it.
    best: int = 0
    casual: int = 0
    #: How many of the first moves keep the win, and of how many.
    keeping: int = 0
    first_moves: int = 0
    #: What every option is worth, the best first.
    options: tuple[EvaluatedOption, ...] = ()


class Puzzle(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position, whose turn it is, and what is best there."""

    game: str
    #: The version of the rules it was played with.
    rules: int
    seats: int
    seed: str
    #: Everything that was played before, each with its seat in front: `0 lift 2`.
    moves: tuple[str, ...]
    #: The fingerprint of the position.
    after: str
    #: Who is to answer.
    seat: int
    answer: tuple[str, ...]
    grade: str
    checked: PuzzleEvidence
    # Where it stands; not in the file.
    kind: str = ""
    number: int = 0

    @property
    def of_kind(self) -> Kind:
        return all_kinds()[self.kind]

    def position(self, moves: tuple[str, ...] = ()) -> Game:
        """The game as it stands, after the first moves of an answer; a SpokenError if they can't be made."""
        game = replay(self).copy()
        for move in moves:
            game.play(self.seat, move)
        return game

    def attempt(self, moves: tuple[str, ...]) -> Verdict:
        """What an answer, or as much of it as there is, comes to."""
        return self.of_kind.judge(self.position(), self.seat, moves, self.checked.best, self.answer)


@cache
def collection(kind: str) -> tuple[Puzzle, ...]:
    """All puzzles of a kind, by number."""
    if kind not in all_kinds():
        known = ", ".join(all_kinds())
        raise UnknownPuzzleError(mark("There are no “{kind}” puzzles; choose from {known}."), kind=kind, known=known)
    lines = find(all_kinds()[kind].game).file("puzzles", f"{kind}.jsonl").read_bytes().splitlines()
    read = msgspec.json.Decoder(Puzzle).decode
    return tuple(
        msgspec.structs.replace(read(line), kind=kind, number=number) for number, line in enumerate(lines, start=1)
    )


def puzzle(kind: str, number: int) -> Puzzle:
    """One puzzle; they are counted from 1."""
    puzzles = collection(kind)
    if not 1 <= number <= len(puzzles):
        message = mark("There is no puzzle {number} of this kind; there are {count}.")
        raise UnknownPuzzleError(message, number=number, count=len(puzzles))
    return puzzles[number - 1]


def puzzle_of_the_day(day: date, kind: str | None = None) -> Puzzle:
    """The same for everyone: a kind after the other, and every puzzle of a kind before any comes again."""
    days = (day - FIRST_DAY).days
    if kind is None:
        names = tuple(all_kinds())
        kind = names[days % len(names)]
        days //= len(names)
    puzzles = collection(kind)
    order = list(range(len(puzzles)))
    Random(f"nevel {kind}").shuffle(order)
    return puzzles[order[days % len(order)]]


@lru_cache(CACHE_SIZE)
def replay(puzzle: Puzzle) -> Game:
    """The game up to the position; nobody may play on with it but with a copy."""
    spec = find(puzzle.game)
    if puzzle.rules != spec.rules.VERSION:
        message = mark("It was played with version {found} of the rules; these are version {known}.")
        raise LoadError(SpokenError(message, found=puzzle.rules, known=spec.rules.VERSION))
    game = Game(spec, puzzle.seats, int(puzzle.seed, 16))
    for played in puzzle.moves:
        seat, _, move = played.partition(" ")
        game.play(int(seat), move)
    if game.fingerprint() != puzzle.after:
        raise LoadError(SpokenError(mark("This game no longer plays as it did when it was saved.")))
    return game
