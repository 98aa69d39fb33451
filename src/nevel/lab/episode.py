"""One game of a task, stepped action by action: the base of the environments for single games."""

import secrets
from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nevel.engine import dispatch, stepping
from nevel.game.position import Position
from nevel.game.vocabulary import View
from nevel.lab.task import IllegalActionError, Task, key_of

#: What agents observe: {"observation": …, "action_mask": …}.
Sight = dict[str, NDArray[np.int8]]
Info = dict[str, Any]


class Episode:
    """A game that is dealt, asks one seat after the other, and rewards."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.seeds = Random(secrets.randbits(64))
        #: The seat that is asked, -1 when the game is over.
        self.seat = -1
        self.rewards = [0.0] * task.seats
        self._states = dispatch.new_states(task.rules)
        self._mask = task.blank_masks(1)[0]
        self._nothing = np.zeros(0, np.int8)
        self._out = np.zeros((dispatch.MOST_SEATS, 2), np.int64)
        self._points = [0] * task.seats
        #: The mask of the seat that is asked, once it was shown.
        self._shown: NDArray[np.int8] | None = None

    @property
    def state(self) -> Any:
        """The record of the rules: everything is in it. Not kept: a copy of an episode has a record of its own."""
        return self._states[0]

    def begin(self, seed: int | None = None) -> None:
        """Deal. A seed deals what it deals at a table, and decides the deals after it that have none."""
        if seed is not None:
            self.seeds = Random(seed)
        number = self.seeds.getrandbits(64) if seed is None else seed
        task = self.task
        self.seat = -1
        self._shown = None
        while self.seat < 0:  # a player alone may get a hand that can't be played
            self.state.chance[:] = key_of(number)
            task.rules.setup(self.state, task.seats, task.box.numbers, task.option_numbers, None)
            self.seat = self.first_waiting()
            number = self.seeds.getrandbits(64)
        self._points = self.points()
        self.rewards = [0.0] * task.seats

    def waiting(self) -> list[int]:
        """The seats that are waited for."""
        bits = int(self.task.rules.waiting(self.state))
        return [seat for seat in range(self.task.seats) if bits >> seat & 1]

    def first_waiting(self) -> int:
        waiting = self.waiting()
        return waiting[0] if waiting else -1

    def sight(self, seat: int) -> Sight:
        """What a seat knows and may do. All but the one that is asked can only wait."""
        observation = np.empty(self.task.width, np.int8)
        mask = np.empty(len(self._mask), np.int8)
        stepping.look(self._states, seat, self.task.terms, mask, observation)
        if seat == self.seat:
            self._shown = mask.copy()
        else:
            self.only_wait(mask)
        return {"observation": observation, "action_mask": mask[: self.task.actions]}

    def only_wait(self, mask: NDArray[np.int8]) -> None:
        """Make a mask that of a seat nobody asks."""
        mask[:] = 0
        mask[self.task.wait] = 1

    def mask(self, seat: int) -> NDArray[np.int8]:
        """What a seat may do, in an array that is written over the next time."""
        stepping.look(self._states, seat, self.task.terms, self._mask, self._nothing)
        return self._mask[: self.task.actions]

    def clause(self, seat: int, action: int) -> str | None:
        """The clause that forbids an action, None where it isn't a rule that does."""
        if not 0 <= action < self.task.wait:
            return None
        code = int(self.task.rules.refusal(self.state, seat, action))
        return self.task.spec.rulebook.by_code[code].id if code else None

    def lawful(self, seat: int, action: int, is_strict: bool, info: Info) -> int:
        """The action if it is legal, else the first one that is."""
        shown = self._shown if seat == self.seat else None
        mask = self.mask(seat) if shown is None else shown[: self.task.actions]
        if 0 <= action < len(mask) and mask[action]:
            return action
        made = int(mask.argmax())
        self.refuse(seat, action, made, is_strict, info)
        return made

    def refuse(self, seat: int, action: int, made: int, is_strict: bool, info: Info) -> None:
        """Say in `info` what was refused, by which clause, and what is done in its place; or raise it as an error."""
        if not 0 <= action < self.task.actions:
            raise ValueError(f"actions are numbers from 0 to {self.task.actions - 1}, not {action}")
        clause = self.clause(seat, action)
        if is_strict:
            raise IllegalActionError(self.task.text(action), clause)
        info |= {"refused": self.task.text(action), "clause": clause, "made": self.task.text(made)}

    def act(self, action: int, trace: NDArray[np.int16] | None = None) -> None:
        """A legal action of the seat that is asked."""
        self._shown = None
        self.seat = int(stepping.act_once(self._states, self.seat, action, self.task.terms, trace, self._out))
        self._reward()

    def act_together(self, actions: Mapping[int, int]) -> None:
        """Legal actions of all seats that are waited for, while they choose at the same time."""
        self._shown = None
        for seat, action in actions.items():
            self.task.rules.apply(self.state, seat, action, None)
        self.seat = self.first_waiting()
        self.task.rules.outcome(self.state, self._out)
        self._reward()

    def _reward(self) -> None:
        """What every seat has gained since the last time, from the outcome so far."""
        seats = self.task.seats
        if self.task.rewards == "points":
            points = self._out[:seats, 0].tolist()
            scale = self.task.scale
            self.rewards = [(now - before) * scale for now, before in zip(points, self._points, strict=True)]
            self._points = points
        elif self.seat >= 0:
            self.rewards = [0.0] * seats
        else:
            won = self._out[:seats, 1].tolist()
            if self.task.is_cooperative:
                self.rewards = [float(each) for each in won]
            else:
                self.rewards = [(each * seats / sum(won) - 1) / (seats - 1) for each in won]

    def points(self) -> list[int]:
        self.task.rules.outcome(self.state, self._out)
        return self._out[: self.task.seats, 0].tolist()

    def end(self, seat: int) -> Info:
        """What a seat is told when the game is over."""
        code = int(self.task.rules.outcome(self.state, self._out))
        return {
            "clause": self.task.spec.rulebook.by_code[code].id,
            "points": int(self._out[seat, 0]),
            "won": bool(self._out[seat, 1]),
        }

    def view(self, seat: int | None) -> View:
        """The table as a seat sees it; None is a spectator."""
        words = self.task.vocabulary
        position = Position.of(words.layout, self.state.tobytes(), self.task.seats)
        return words.view(position, seat)
