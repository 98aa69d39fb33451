"""Kinds of puzzles: what is asked in each, how an answer is judged, and what is said of it."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, ClassVar

import msgspec

from nevel.game.event import Teller
from nevel.game.game import Game
from nevel.game.registry import all_games, find
from nevel.languages import Language, SpokenError, mark
from nevel.study.parts import parts_of

if TYPE_CHECKING:
    from nevel.study.puzzles import Puzzle

Moves = tuple[str, ...]


class Verdict(msgspec.Struct, frozen=True):
    """The result of an attempt at a puzzle."""

    #: Whether there is nothing more to play: until then nothing is said of it.
    is_done: bool
    is_solved: bool
    #: Points, cards left, or None where neither is counted.
    reached: int | None = None
    #: The move after which the best was out of reach, counted from 0.
    slip: int | None = None


class Kind(ABC):
    """One kind of puzzle. Its positions are `puzzles/NAME.jsonl` in its game's folder."""

    name: ClassVar[str]
    game: ClassVar[str]
    title: ClassVar[str]
    #: What is asked, in a sentence.
    task: ClassVar[str]
    #: The drawing that stands for it.
    icon: ClassVar[str]
    #: When its turn comes in the daily puzzle. A new kind gets a new number: others keep their days.
    turn: ClassVar[int]

    @abstractmethod
    def judge(self, game: Game, seat: int, moves: Moves, best: int, answer: Moves) -> Verdict:
        """Play an answer on this position. `best` and `answer` are what the puzzle says of itself."""

    def say_known(self, puzzle: "Puzzle", language: Language) -> str:
        """What follows from what has been seen, and nobody should have to work out."""
        return ""

    @abstractmethod
    def say_verdict(self, puzzle: "Puzzle", moves: Moves, verdict: Verdict, language: Language) -> list[str]:
        """Whether an answer is right, and why."""

    def say_answer(self, puzzle: "Puzzle", language: Language) -> list[str]:
        """The answer, move by move."""
        return [say_move(puzzle, move, language) for move in puzzle.answer]

    def say_checked(self, puzzle: "Puzzle", language: Language) -> str:
        """What shows that the answer is right."""
        message = mark("Solved exactly. Playing at random gets it right {chance} of the time.")
        return language.say(message, chance=say_share(puzzle.checked.luck, language))


class ChoiceKind(Kind):
    """A single decision of which a deep search knows the best."""

    def judge(self, game: Game, seat: int, moves: Moves, best: int, answer: Moves) -> Verdict:
        match moves:
            case ():
                return Verdict(is_done=False, is_solved=False)
            case (move,):
                game.play(seat, move)
            case _:
                raise SpokenError(mark("You only need to find one move."))
        is_solved = (game.log[-1].move.text,) == answer
        return Verdict(is_done=True, is_solved=is_solved, slip=None if is_solved else 0)

    def say_verdict(self, puzzle: "Puzzle", moves: Moves, verdict: Verdict, language: Language) -> list[str]:
        """What the option is worth beside the best, or the best beside what comes next."""
        options = {option.move: option for option in puzzle.checked.options}
        best, second = puzzle.checked.options[:2]
        chosen = options[find(puzzle.game).vocabulary.moves.parse(moves[0]).text]
        if verdict.is_solved:
            message = mark("It wins {chance} of the games; the next best wins {other}.")
            chance, other = say_share(best.chance, language), say_share(second.chance, language)
            return [language.say(message, chance=chance, other=other)]
        message = mark("Your choice wins {chance} of the games, the best {other}: {move}.")
        return [
            language.say(
                message,
                chance=say_share(chosen.chance, language),
                other=say_share(best.chance, language),
                move=say_move(puzzle, best.move, language),
            )
        ]

    def say_checked(self, puzzle: "Puzzle", language: Language) -> str:
        message = mark("Two separate searches agree, with {playouts} simulated games in total.")
        return language.say(message, playouts=language.say_number(puzzle.checked.playouts))


@cache
def all_kinds() -> dict[str, Kind]:
    """Every kind of every game by its name, as the daily puzzle takes its turns."""
    found = [kind for spec in all_games().values() for kind in parts_of(spec).puzzles]
    return {kind.name: kind for kind in sorted(found, key=lambda kind: kind.turn)}


def first_slip(game: Game, seat: int, moves: Moves, is_lost: Callable[[], bool]) -> int | None:
    """Play moves; gives the number of the first after which the best can't be reached any more."""
    slip = None
    for number, move in enumerate(moves):
        game.play(seat, move)
        if slip is None and is_lost():
            slip = number
    return slip


def say_move(puzzle: "Puzzle", move: str, language: Language) -> str:
    """A move as a choice says it, in sentences of its own."""
    words = find(puzzle.game).vocabulary
    return words.describe(words.moves.parse(move), Teller(language))


def say_slip(puzzle: "Puzzle", moves: Moves, verdict: Verdict, message: str, language: Language) -> list[str]:
    """At which move the best went out of reach, if it did: a message with {number} and {move}."""
    if verdict.slip is None:
        return []
    move = say_move(puzzle, moves[verdict.slip], language)
    return [language.say(message, number=verdict.slip + 1, move=move)]


def say_share(share: float, language: Language) -> str:
    """A share from 0 to 1 in percent."""
    return language.say_percent(round(100 * share, 1))
