"""A finished game from one seat: what it knew at every moment, and an expert's evaluation of that."""

import threading
from collections import Counter

import numpy as np

from nevel.bots.assessment import MoveAssessment
from nevel.bots.bot import Bot
from nevel.engine import dispatch
from nevel.engine.knowledge import HIDDEN, Knowledge, Past, redraw
from nevel.engine.legality import mark_legal
from nevel.game.game import Game
from nevel.study.parts import parts_of

#: How often a move is made again with other chance, to tell what was the move and what was chance.
REDRAWS = 8


class ReviewStoppedError(Exception):
    """The review was cancelled."""


class SeatPerspective:
    """One seat's view of a whole game. A moment is a number of moves made; move i leads from moment i to i + 1."""

    def __init__(
        self, game: Game, past: Past, seat: int, bot: Bot, playouts: int, stop: threading.Event | None = None
    ) -> None:
        self.seat = seat
        self.bot = bot
        self.playouts = playouts
        self.stop = stop
        self.rules = game.spec.rules
        self.parts = parts_of(game.spec)
        self.hints = game.vocabulary.hint_numbers
        self.past = past
        self.knowledge = game.knowledge(seat)
        self._expected: dict[int, float] = {}

    @property
    def moves(self) -> int:
        """How many moves there were."""
        return len(self.past.moves)

    def at(self, moment: int) -> Knowledge:
        """What the seat knew then, and nothing that came later."""
        seen = self.knowledge
        return Knowledge(self.seat, seen.states[: moment + 1], seen.movers[:moment], seen.moves[:moment])

    # ------------------------------------------------------------ what happened

    def is_own(self, move: int) -> bool:
        return bool(self.past.movers[move] == self.seat)

    def is_hint(self, move: int) -> bool:
        return int(self.past.moves[move]) in self.hints

    def is_secret(self, move: int) -> bool:
        """Whether others don't see what was chosen until everyone has chosen."""
        return bool(self.rules.is_secret(self.past.states[move], self.past.moves[move]))

    def is_pending(self, move: int) -> bool:
        """Whether others still have to do the same before anything comes of it."""
        before, after = self.past.states[move], self.past.states[move + 1]
        waiting = int(self.rules.waiting(after))
        return bool(before.phase == after.phase and waiting and not waiting & ~int(self.rules.waiting(before)))

    def passes_hands(self, move: int) -> bool:
        """Whether cards that lay hidden with others came to the seat."""
        return self.parts.passes_hands(self.past.states[move]) and not self.is_pending(move)

    def is_over(self, moment: int) -> bool:
        return bool(self.past.states[moment].ended)

    def learns_from(self, move: int) -> bool:
        """Whether the seat knew more after a move than that it made it, or that somebody chose something."""
        if self.is_over(move + 1):
            return True
        if self.is_own(move):
            if self.is_hint(move):
                return False
            is_shared = self.is_secret(move) or self.passes_hands(move)
            return bool(self.past.drew[move] or (is_shared and not self.is_pending(move)))
        return not (self.knowledge.moves[move] == HIDDEN and self.is_pending(move))

    # ------------------------------------------------------------ what it was worth

    def expect(self, moment: int) -> float:
        """The chance to win, as far as the seat could tell."""
        if moment not in self._expected:
            self._expected[moment] = self._expect(self.at(moment), self.playouts)
        return self._expected[moment]

    def _expect(self, knowledge: Knowledge, playouts: int) -> float:
        found = self.bot.expect(knowledge, max(playouts, 1), self.stop)
        self.raise_if_stopped()
        return found.value

    def assess(self, move: int) -> MoveAssessment | None:
        """What the seat's own move was worth beside the others it had; None when there was nothing to choose."""
        knowledge = self.at(move)
        mask = np.zeros(self.rules.MOVES, np.int64)
        mark_legal(knowledge.state, self.seat, mask)
        mask[list(self.hints)] = 0
        if mask.sum() < 2:
            return None
        assessment = self.bot.assess(knowledge, int(self.past.moves[move]), self.playouts, self.stop)
        self.raise_if_stopped()
        return assessment

    def luck_in(self, move: int) -> float:
        """How much better chance made a move turn out than it would have on average.

        The move is made again with other chance, and where hands are passed with other hidden cards; each time only
        what this seat would have seen of it is looked at.
        """
        states = dispatch.new_states(self.rules, 1 + REDRAWS)
        states[0] = self.past.states[move]
        rng = self.bot.rng(self.at(move), "/drawn again")
        mover, number = int(self.past.movers[move]), int(self.past.moves[move])
        redraw(states, self.seat, mover, number, self.passes_hands(move), rng)
        found = Counter(state.tobytes() for state in states[1:])
        seen = self.at(move + 1)
        if set(found) == {seen.state.tobytes()}:
            return 0.0
        instead = seen._replace(states=seen.states.copy())
        total = 0.0
        for state in states[1:]:
            if count := found.pop(state.tobytes(), 0):
                instead.states[-1] = state
                total += count * self._expect(instead, self.playouts * count // REDRAWS)
        return self.expect(move + 1) - total / REDRAWS

    def raise_if_stopped(self) -> None:
        if self.stop is not None and self.stop.is_set():
            raise ReviewStoppedError
