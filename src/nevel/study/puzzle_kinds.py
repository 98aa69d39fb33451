"""The kinds of puzzles: what is asked in each, and how an answer is judged."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

import msgspec

from nevel.bots.misty_activation import solve
from nevel.games.game import Game
from nevel.languages import SpokenError, mark
from nevel.study.endgames import End, can_be_won

Moves = tuple[str, ...]


class Verdict(msgspec.Struct, frozen=True):
    """What an answer came to."""

    #: Whether there is nothing more to play: until then nothing is said of it.
    is_done: bool
    is_solved: bool
    #: Points of the window, cards left, or None where neither is counted.
    reached: int | None = None
    #: The move after which the best was out of reach, counted from 0.
    slip: int | None = None


class Kind(ABC):
    """One kind of puzzle."""

    name: ClassVar[str]
    game: ClassVar[str]
    title: ClassVar[str]
    #: What is asked, in a sentence.
    task: ClassVar[str]

    @abstractmethod
    def judge(self, game: Game, seat: int, moves: Moves, best: int, answer: Moves) -> Verdict:
        """Play an answer on this position. `best` and `answer` are what the puzzle says of itself."""


def first_slip(game: Game, seat: int, moves: Moves, is_lost: Callable[[], bool]) -> int | None:
    """Play moves; gives the number of the first after which the best can't be reached any more."""
    slip = None
    for number, move in enumerate(moves):
        game.play(seat, move)
        if slip is None and is_lost():
            slip = number
    return slip


class MistyWindow(Kind):
    """A full window: the order of activation with the most points."""

    name = "misty-window"
    game = "misty"
    title = mark("Windows")
    task = mark("Move the cards of your window in the order that makes the most points.")

    def judge(self, game: Game, seat: int, moves: Moves, best: int, answer: Moves) -> Verdict:
        slip = first_slip(game, seat, moves, lambda: points_within_reach(game, seat) < best)
        is_done = seat not in game.waiting_for
        reached = points_within_reach(game, seat) if is_done else None
        return Verdict(is_done, reached == best, reached, slip)


class Endgame(Kind):
    """The last cards of The Game alone, which can all be laid."""

    name = "the-game-endgame"
    game = "the-game"
    title = mark("Endgames")
    task = mark("Win it from here: lay every card that is left.")

    def judge(self, game: Game, seat: int, moves: Moves, best: int, answer: Moves) -> Verdict:
        slip = first_slip(game, seat, moves, lambda: not (won(game) if game.is_over else can_be_won(End.of(game))))
        left = -game.outcome.points[seat] if game.outcome else None
        return Verdict(game.is_over, game.is_over and won(game), left, slip)


class FogChoice(Kind):
    """One decision of What the Fog?!, of which a deep search knows the best."""

    game = "what-the-fog"

    def judge(self, game: Game, seat: int, moves: Moves, best: int, answer: Moves) -> Verdict:
        match moves:
            case ():
                return Verdict(is_done=False, is_solved=False)
            case (move,):
                game.play(seat, move)
            case _:
                raise SpokenError(mark("One move is all that is asked here."))
        is_solved = (game.log[-1].move.text,) == answer
        return Verdict(is_done=True, is_solved=is_solved, slip=None if is_solved else 0)


class FogPlace(FogChoice):
    name = "fog-place"
    title = mark("Tokens")
    task = mark("On which day does the token help you most?")


class FogPredict(FogChoice):
    name = "fog-predict"
    title = mark("Predictions")
    task = mark("Raise your prediction or pass: which gives you the better chance to win?")


KINDS: dict[str, Kind] = {kind.name: kind for kind in (MistyWindow(), Endgame(), FogPlace(), FogPredict())}


def points_within_reach(game: Game, seat: int) -> int:
    """The most a window can still make; what it makes when nothing can move any more."""
    return int(solve(game.state, seat)[0])


def won(game: Game) -> bool:
    return bool(game.outcome and game.outcome.winners)
