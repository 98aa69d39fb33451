"""A learning task: one game with its options, as numbered actions, named observations and rewards."""

from collections.abc import Mapping
from types import ModuleType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nevel.engine import stepping
from nevel.game.box import Box
from nevel.game.game import hashed_seed, key_words
from nevel.game.registry import find
from nevel.game.vocabulary import Vocabulary
from nevel.lab.observations import Part, parts_of

#: What is rewarded: points as they are scored, or only winning.
Rewards = Literal["points", "win"]

WAIT = "wait"


class IllegalActionError(ValueError):
    """An action that isn't in the mask."""

    def __init__(self, action: str, clause: str | None, game: int | None = None) -> None:
        where = "" if game is None else f" in game {game}"
        super().__init__(f"“{action}” isn't allowed now{where}" + (f" ({clause})" if clause else ""))
        self.action = action
        self.clause = clause
        self.game = game


class Task:
    """A game as environments offer it. They all number actions, lay out observations and reward in the same way.

    >>> task = Task("the-game", seats=2)
    >>> task.text(task.action("play 37 up1"))
    'play 37 up1'
    >>> task.layout["hand"]
    slice(6, 104, None)
    """

    def __init__(
        self,
        game: str,
        seats: int = 2,
        *,
        hints: bool = False,
        rewards: Rewards | None = None,
        box: Box | None = None,
        options: Mapping[str, object] | None = None,
    ) -> None:
        self.spec = find(game)
        self.vocabulary: Vocabulary = self.spec.vocabulary
        self.vocabulary.check_seats(seats)
        self.seats = seats
        self.options = self.vocabulary.read_options(options or {})
        self.box = box or Box.of(game)
        if self.box.game != game:
            raise self.box.error_for(game)
        self.is_cooperative = self.spec.is_cooperative
        #: Points tell more where all win together: most games are lost.
        self.rewards: Rewards = rewards or ("points" if self.is_cooperative else "win")
        if self.rewards not in ("points", "win"):
            raise ValueError(f"rewards are points or win, not {self.rewards!r}")
        moves = self.vocabulary.moves
        #: Where moves end and hints begin. Hints come last, so without them a mask is just shorter.
        self.talk = next((move.number for move in moves.all if self.vocabulary.is_hint(move)), len(moves))
        self.wait = len(moves) if hints else self.talk
        self.actions = self.wait + 1
        self.parts: tuple[Part, ...] = parts_of(self.spec)
        self.layout: dict[str, slice] = {}
        start = 0
        for part in self.parts:
            self.layout[part.name] = slice(start, start + part.length)
            start += part.length
        self.width = start
        #: What the compiled functions need to know.
        self.terms: NDArray[np.int64] = np.array(
            [
                seats,
                self.wait,
                self.talk,
                -1 if self.spec.start_move is None else self.spec.start_move,
                self.rewards == "points",
                self.is_cooperative,
            ],
            np.int64,
        )
        self.scale = 1 / self.spec.score_scale
        self.option_numbers = self.vocabulary.option_numbers(self.options)

    def __deepcopy__(self, memo: object) -> "Task":
        """A task never changes, so copies of environments share it."""
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """Sent elsewhere, it is made again from what it was made from: vocabularies stay where they are."""
        return made, (self.name, self.seats, self.wait > self.talk, self.rewards, self.box, self.options)

    @property
    def name(self) -> str:
        return self.vocabulary.name

    @property
    def rules(self) -> ModuleType:
        return self.vocabulary.rules

    def text(self, action: int) -> str:
        """An action in the notation of the game, or `wait`."""
        return WAIT if action == self.wait else self.vocabulary.moves[action].text

    def action(self, text: str) -> int:
        """The number of an action."""
        if text == WAIT:
            return self.wait
        number = self.vocabulary.moves.parse(text).number
        if number >= self.wait:
            raise ValueError(f"hints are left out: “{text}” is no action")
        return number

    def bounds(self) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """The lowest and highest value of every number of an observation."""
        lows = [np.full(part.length, part.low, np.int8) for part in self.parts]
        highs = [np.full(part.length, part.high, np.int8) for part in self.parts]
        return np.concatenate(lows), np.concatenate(highs)

    def blank_masks(self, count: int) -> NDArray[np.int8]:
        """Room for masks, in rows as long as they can be read fast; the first `actions` columns count."""
        columns = -(-self.actions // stepping.MASK_STEP) * stepping.MASK_STEP
        return np.zeros((count, columns), np.int8)


def made(game: str, seats: int, hints: bool, rewards: Rewards, box: Box, options: Mapping[str, object]) -> Task:
    """A task from what `Task.__reduce__` gives."""
    return Task(game, seats, hints=hints, rewards=rewards, box=box, options=options)


def key_of(seed: int) -> list[int]:
    """The words that key a game's chance: a seed deals what it deals at a table."""
    return key_words(hashed_seed(seed))
