"""Taking back a move: whether anybody has learnt anything from it that can't be taken back with it."""

from collections.abc import Iterable

import numpy as np

from nevel.games.game import Game
from nevel.rules import any_game, chance
from nevel.rules.legality import mark_legal

#: Worlds looked at. A move that shows one of several hidden cards escapes all of them hardly ever.
WORLDS = 24


def has_taught(before: Game, after: Game, seats: Iterable[int]) -> bool:
    """Whether the last move of `after` told one of these seats something that wasn't certain `before` it."""
    return any(has_taught_seat(before, after, seat) for seat in seats)


def has_taught_seat(before: Game, after: Game, seat: int) -> bool:
    """Whether the move would have looked otherwise to a seat, had what it couldn't know been different."""
    rules = before.vocabulary.rules
    entry = after.log[-1]
    states = any_game.new_states(rules, 3)
    states[0] = before.state
    states[1] = after.state
    rules.conceal(states[0], seat)
    rules.conceal(states[1], seat)
    seen = states[1].tobytes()
    is_hidden = entry.seat != seat and rules.is_secret(before.state, entry.move.number)
    lanes = np.arange(1, 1 + chance.LANES)
    world = states[2]
    for _ in range(WORLDS):
        states[2] = states[0]
        chance.branch(world.chance, lanes)
        rules.imagine(world, seat)
        move = a_secret(world, entry.seat) if is_hidden else entry.move.number
        if move is None or rules.refusal(world, entry.seat, move):
            return True
        rules.apply(world, entry.seat, move, None)
        rules.conceal(world, seat)
        if states[2].tobytes() != seen:
            return True
    return False


def a_secret(s: np.record, seat: int) -> int | None:
    """Something the seat could do that others don't see: which of them makes no difference to others."""
    rules = any_game.game_of(s)
    mask = np.zeros(rules.MOVES, np.int64)
    mark_legal(s, seat, mask)
    return next((int(move) for move in np.flatnonzero(mask) if rules.is_secret(s, move)), None)
