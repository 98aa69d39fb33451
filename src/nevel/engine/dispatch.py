"""Calls the rules of whichever game a record belongs to.

Simulations, searches and environments are written once and call these names; when they are compiled, Numba puts in the
functions of the game whose record they are given. Interpreted, the record's own dtype decides. Every rules module
registers itself where it is defined, so whoever has a record of a game can call its rules.
"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import sys
from types import ModuleType
from typing import Any

import numpy as np

from nevel.engine import narrow
from nevel.engine.compiling import IS_COMPILED, IS_FOR_GPU

#: Room for the results of so many seats; no game is for more.
MOST_SEATS = 5

_by_dtype: dict[np.dtype, ModuleType] = {}
_by_record_type: dict[object, ModuleType] = {}


def register(module: str) -> None:
    """Register a rules module by the type of its record; each calls it at its end with its `__name__`."""
    rules = sys.modules[module]
    other = _by_dtype.setdefault(rules.STATE, rules)
    if other is not rules:
        raise ValueError(f"{module} and {other.__name__} have the same record; one needs a field the other hasn't")
    if IS_COMPILED or IS_FOR_GPU:
        for record in (rules.STATE, narrow.narrowed(rules.STATE, rules.WIDER_FIELDS)):
            _by_record_type[from_dtype(record)] = rules


def new_states(rules: ModuleType, count: int = 1) -> np.ndarray:
    """An array of `count` blank records of a game. `states[i]` reads like an object in every mode."""
    return np.zeros(count, np.dtype((np.record, rules.STATE)))


def rules_of(s: np.record) -> ModuleType:
    """The rules module a record belongs to."""
    for record, rules in _by_dtype.items():
        if s.dtype == record:
            return rules
    raise TypeError(f"not the record of a known game: {s.dtype}")


def rules_of_type(record: object) -> ModuleType:
    """The rules module a record belongs to, by the type Numba has for it: for what is decided while compiling."""
    return _by_record_type[record]


def setup(s: Any, seats: Any, box: Any, options: Any, trace: Any) -> Any:
    rules_of(s).setup(s, seats, box, options, trace)


def waiting(s: Any) -> Any:
    return rules_of(s).waiting(s)


def refusal(s: Any, seat: Any, move: Any) -> Any:
    return rules_of(s).refusal(s, seat, move)


def mark_moves(s: Any, seat: Any, mask: Any) -> Any:
    return rules_of(s).mark_moves(s, seat, mask)


def losing_clause(s: Any, seat: Any, move: Any) -> Any:
    return rules_of(s).losing_clause(s, seat, move)


def is_secret(s: Any, move: Any) -> Any:
    return rules_of(s).is_secret(s, move)


def apply(s: Any, seat: Any, move: Any, trace: Any) -> Any:
    rules_of(s).apply(s, seat, move, trace)


def conceal(s: Any, seat: Any) -> Any:
    rules_of(s).conceal(s, seat)


def imagine(s: Any, seat: Any) -> Any:
    rules_of(s).imagine(s, seat)


def observe(s: Any, seat: Any, out: Any) -> Any:
    return rules_of(s).observe(s, seat, out)


def outcome(s: Any, out: Any) -> Any:
    return rules_of(s).outcome(s, out)


if IS_COMPILED or IS_FOR_GPU:
    from nevel.engine.compiling import HELPER_OPTIONS, INLINED_OPTIONS, from_dtype, overload

    @overload(setup, jit_options=HELPER_OPTIONS)
    def _setup(s, seats, box, options, trace):
        return _by_record_type[s].setup.py_func

    @overload(waiting, jit_options=HELPER_OPTIONS)
    def _waiting(s):
        return _by_record_type[s].waiting.py_func

    @overload(refusal, jit_options=HELPER_OPTIONS)
    def _refusal(s, seat, move):
        return _by_record_type[s].refusal.py_func

    @overload(mark_moves, jit_options=INLINED_OPTIONS)
    def _mark_moves(s, seat, mask):
        return _by_record_type[s].mark_moves.py_func

    @overload(losing_clause, jit_options=HELPER_OPTIONS)
    def _doom(s, seat, move):
        return _by_record_type[s].losing_clause.py_func

    @overload(is_secret, jit_options=HELPER_OPTIONS)
    def _is_secret(s, move):
        return _by_record_type[s].is_secret.py_func

    @overload(apply, jit_options=HELPER_OPTIONS)
    def _apply(s, seat, move, trace):
        return _by_record_type[s].apply.py_func

    @overload(conceal, jit_options=HELPER_OPTIONS)
    def _conceal(s, seat):
        return _by_record_type[s].conceal.py_func

    @overload(imagine, jit_options=HELPER_OPTIONS)
    def _imagine(s, seat):
        return _by_record_type[s].imagine.py_func

    @overload(observe, jit_options=INLINED_OPTIONS)
    def _observe(s, seat, out):
        return _by_record_type[s].observe.py_func

    @overload(outcome, jit_options=HELPER_OPTIONS)
    def _outcome(s, out):
        return _by_record_type[s].outcome.py_func
