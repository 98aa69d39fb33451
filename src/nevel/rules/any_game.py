"""The rules of whichever game a record belongs to.

Simulations, searches and environments are written once and call these names; when they are compiled, Numba puts in the
functions of the game whose record they are given. Interpreted, the record's own dtype decides.
"""

from types import ModuleType

import numpy as np

from nevel.rules import extreme, misty, narrow, the_game, what_the_fog
from nevel.rules.compiling import IS_COMPILED, IS_FOR_GPU

GAMES: tuple[ModuleType, ...] = (what_the_fog, the_game, extreme, misty)
MOST_SEATS = 5


def new_states(game: ModuleType, count: int = 1) -> np.ndarray:
    """Room for `count` games. `states[i]` reads like an object in every mode."""
    return np.zeros(count, np.dtype((np.record, game.STATE)))


def game_of(s: np.record) -> ModuleType:
    """The rules module a record belongs to."""
    for game in GAMES:
        if s.dtype == game.STATE:
            return game
    raise TypeError(f"not the record of a known game: {s.dtype}")


def setup(s, seats, box, options, trace):
    game_of(s).setup(s, seats, box, options, trace)


def waiting(s):
    return game_of(s).waiting(s)


def refusal(s, seat, move):
    return game_of(s).refusal(s, seat, move)


def mark_moves(s, seat, mask):
    return game_of(s).mark_moves(s, seat, mask)


def doom(s, seat, move):
    return game_of(s).doom(s, seat, move)


def is_secret(s, move):
    return game_of(s).is_secret(s, move)


def apply(s, seat, move, trace):
    game_of(s).apply(s, seat, move, trace)


def conceal(s, seat):
    game_of(s).conceal(s, seat)


def imagine(s, seat):
    game_of(s).imagine(s, seat)


def observe(s, seat, out):
    return game_of(s).observe(s, seat, out)


def outcome(s, out):
    return game_of(s).outcome(s, out)


if IS_COMPILED or IS_FOR_GPU:
    from nevel.rules.compiling import HELPER_OPTIONS, INLINED_OPTIONS, from_dtype, overload

    BY_RECORD = {from_dtype(game.STATE): game for game in GAMES}
    BY_RECORD |= {from_dtype(record): game for game, record in narrow.RECORDS.items()}

    @overload(setup, jit_options=HELPER_OPTIONS)
    def _setup(s, seats, box, options, trace):
        return BY_RECORD[s].setup.py_func

    @overload(waiting, jit_options=HELPER_OPTIONS)
    def _waiting(s):
        return BY_RECORD[s].waiting.py_func

    @overload(refusal, jit_options=HELPER_OPTIONS)
    def _refusal(s, seat, move):
        return BY_RECORD[s].refusal.py_func

    @overload(mark_moves, jit_options=INLINED_OPTIONS)
    def _mark_moves(s, seat, mask):
        return BY_RECORD[s].mark_moves.py_func

    @overload(doom, jit_options=HELPER_OPTIONS)
    def _doom(s, seat, move):
        return BY_RECORD[s].doom.py_func

    @overload(is_secret, jit_options=HELPER_OPTIONS)
    def _is_secret(s, move):
        return BY_RECORD[s].is_secret.py_func

    @overload(apply, jit_options=HELPER_OPTIONS)
    def _apply(s, seat, move, trace):
        return BY_RECORD[s].apply.py_func

    @overload(conceal, jit_options=HELPER_OPTIONS)
    def _conceal(s, seat):
        return BY_RECORD[s].conceal.py_func

    @overload(imagine, jit_options=HELPER_OPTIONS)
    def _imagine(s, seat):
        return BY_RECORD[s].imagine.py_func

    @overload(observe, jit_options=INLINED_OPTIONS)
    def _observe(s, seat, out):
        return BY_RECORD[s].observe.py_func

    @overload(outcome, jit_options=HELPER_OPTIONS)
    def _outcome(s, out):
        return BY_RECORD[s].outcome.py_func
