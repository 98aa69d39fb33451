"""The interface of a player, and its implementation for built-in bots."""

from functools import lru_cache
from typing import Protocol

from nevel.bots.bot import Bot
from nevel.game.game import Game
from nevel.game.move import Move
from nevel.game.vocabulary import Prompt, Vocabulary


class Player(Protocol):
    """Answers for one seat of one game, from what that seat may know."""

    @property
    def name(self) -> str:
        """What it calls itself."""
        ...

    def choose(self, game: Game, seat: int) -> Move | None:
        """The move it makes, or None to wait for another seat."""
        ...

    def speak(self, game: Game, seat: int) -> Move | None:
        """A hint it gives now, in or out of turn, or None."""
        ...

    def close(self) -> None:
        """Release resources: the game is over or was left."""
        ...


class BotPlayer:
    """A built-in bot as a player."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    @property
    def name(self) -> str:
        return self.bot.level

    def choose(self, game: Game, seat: int) -> Move | None:
        number = self.bot.move(game.knowledge(seat))
        return None if number is None else game.vocabulary.moves[number]

    def speak(self, game: Game, seat: int) -> Move | None:
        if not has_hints(game.vocabulary):
            return None
        number = self.bot.hint(game.knowledge(seat))
        return None if number is None else game.vocabulary.moves[number]

    def close(self) -> None:
        pass


def may_wait(game: Game, prompt: Prompt) -> bool:
    """Whether a question may be left to somebody else: nobody has to take the first turn."""
    return prompt.question == "start" and game.seats > 1


@lru_cache
def has_hints(vocabulary: Vocabulary) -> bool:
    """Whether a game has hints."""
    return any(vocabulary.is_hint(move) for move in vocabulary.moves.all)
