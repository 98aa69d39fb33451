"""A vector environment: many games stepped by one compiled call, arrays in and out, nothing copied."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nevel.engine import chance, dispatch, stepping
from nevel.game.box import Box
from nevel.game.game import key_words
from nevel.lab.task import IllegalActionError, Rewards, Task, key_of


class VectorStep(NamedTuple):
    """What every game shows: arrays with a row per game, the same ones after every step."""

    #: The seat that is asked.
    seat: NDArray[np.int32]
    #: What it knows: see `Task.layout`.
    observation: NDArray[np.int8]
    #: 1 for each action it may take.
    mask: NDArray[np.int8]
    #: What the last action brought every seat.
    reward: NDArray[np.float32]
    #: Whether the last action ended the game; what is shown belongs to the next one already.
    done: NDArray[np.bool_]


class VectorEnvironment:
    """`count` games of one kind, one decision each at a time. A game that ends is dealt anew in the same step.

    >>> games = VectorEnvironment("the-game", seats=2, count=3, seed=1)
    >>> step = games.step(games.random_actions())
    >>> step.mask.shape, step.observation.shape, step.reward.shape
    ((3, 395), (3, 240), (3, 2))
    """

    def __init__(
        self,
        game: str,
        seats: int = 2,
        count: int = 1024,
        seed: int | Sequence[int] = 0,
        *,
        observes: bool = True,
        hints: bool = False,
        rewards: Rewards | None = None,
        box: Box | None = None,
        **options: object,
    ) -> None:
        self.task = Task(game, seats, hints=hints, rewards=rewards, box=box, options=options)
        if count < 1:
            raise ValueError(f"there must be a game at least, not {count}")
        self.count = count
        #: How many of a seat's actions are legal.
        self.choices = np.zeros(count, np.int32)
        self._masks = self.task.blank_masks(count)
        self.now = VectorStep(
            np.zeros(count, np.int32),
            np.zeros((count, self.task.width if observes else 0), np.int8),
            self._masks[:, : self.task.actions],
            np.zeros((count, seats), np.float32),
            np.zeros(count, np.bool_),
        )
        #: Of each row's last game that ended: the number of the clause that ended it, every seat's points, who won.
        self.clause = np.zeros(count, np.int32)
        self.points = np.zeros((count, seats), np.int32)
        self.won = np.zeros((count, seats), np.bool_)
        self._states = dispatch.new_states(self.task.rules, count)
        self._deals = np.zeros((count, chance.RNG_WORDS), np.int64)
        self._rng = np.zeros(chance.RNG_WORDS, np.int64)
        self._actions = np.zeros(count, np.int64)
        task = self.task
        self._setup = stepping.GameSetup(task.box.numbers, task.option_numbers, task.terms, task.scale)
        self._batch = stepping.Batch(
            states=self._states,
            deals=self._deals,
            seats=self.now.seat,
            masks=self._masks,
            choices=self.choices,
            observations=self.now.observation,
            rewards=self.now.reward,
            done=self.now.done,
            points=np.zeros((count, seats), np.int32),
            clauses=self.clause,
            last_points=self.points,
            won=self.won,
            out=np.zeros((dispatch.MOST_SEATS, 2), np.int64),
        )
        self.reset(seed)

    @property
    def states(self) -> np.ndarray:
        """The records of the rules. Everything is in them, what seats can't know too."""
        return self._states

    def reset(self, seed: int | Sequence[int] = 0) -> VectorStep:
        """Deal all games anew. Game i has seed `seed + i`, or `seed[i]`: a seed deals here what it deals at a table.

        The games that follow a game come from its seed too, and from nothing else.
        """
        self.seeds = [seed + i for i in range(self.count)] if isinstance(seed, int) else [int(each) for each in seed]
        if len(self.seeds) != self.count:
            raise ValueError(f"there are {self.count} games, but {len(self.seeds)} seeds")
        for i, each in enumerate(self.seeds):
            self._states[i].chance[:] = key_of(each)
            self._deals[i] = following_key(each)
        chance.key(self._rng, *(int(word) for word in self._deals[0][::-1]))
        self.now.reward[:] = 0
        self.now.done[:] = False
        stepping.deal_all(self._batch, self._setup)
        return self.now

    def step(self, actions: ArrayLike) -> VectorStep:
        """One action in every game. If one of them isn't legal, none is taken."""
        chosen = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != (self.count,):
            raise ValueError(f"there are {self.count} games, but actions of shape {chosen.shape}")
        illegal = int(stepping.first_illegal(self.now.mask, chosen))
        if illegal >= 0:
            raise self._error(illegal, int(chosen[illegal]))
        stepping.step_all(self._batch, self._setup, chosen)
        return self.now

    def random_actions(self) -> NDArray[np.int64]:
        """A legal action for every game, each with the same chance; an array that is written over the next time."""
        stepping.choose_any(self._masks.view(np.int64), self.choices, self._rng, self._actions)
        return self._actions

    def named(self, part: str) -> NDArray[np.int8]:
        """The columns of the observations that have this name."""
        return self.now.observation[:, self.task.layout[part]]

    def _error(self, game: int, action: int) -> Exception:
        if not 0 <= action < self.task.actions:
            return ValueError(f"actions are numbers from 0 to {self.task.actions - 1}, not {action} (game {game})")
        if action == self.task.wait:
            return IllegalActionError(self.task.text(action), None, game)
        code = int(self.task.rules.refusal(self._states[game], int(self.now.seat[game]), action))
        return IllegalActionError(self.task.text(action), self.task.spec.rulebook.by_code[code].id, game)


def following_key(seed: int) -> list[int]:
    """What the games after a seed's first are dealt from."""
    return key_words(hashlib.blake2b(str(seed).encode(), digest_size=16, person=b"nevel following").digest())
