"""The trace of a move: what happened, as rows of integers.

A trace is an int16 array of rows; row 0 only counts the others in its first column. Each row says what kind of event it
is, who may know of it (a seat or EVERYONE) and up to six facts. Simulations pass None instead, and
the code that would write the rows isn't even compiled.
"""

from typing import Any

import numpy as np

from nevel.engine.compiling import helper

COLUMNS = 8
ROWS = 400
EVERYONE = -1


def blank(rows: int = ROWS) -> np.ndarray:
    """A blank trace for `rows` events; `blank(0)` records none."""
    return np.zeros((rows + 1 if rows else 0, COLUMNS), np.int16)


@helper
def note(trace: Any, kind: Any, audience: Any, a: Any, b: Any, c: Any):
    """Record one event with three facts, 0 for those it hasn't: with one signature it is compiled once."""
    if trace is None:
        return
    if trace.shape[0] == 0:
        return
    count = trace[0, 0] + 1
    trace[0, 0] = count
    trace[count, 0] = kind
    trace[count, 1] = audience
    trace[count, 2] = a
    trace[count, 3] = b
    trace[count, 4] = c
    trace[count, 5] = 0
    trace[count, 6] = 0
    trace[count, 7] = 0


@helper
def note_further(trace: Any, d: Any, e: Any):
    """Two more facts about the event noted last."""
    if trace is None:
        return
    if trace.shape[0] > 0:
        trace[trace[0, 0], 5] = d
        trace[trace[0, 0], 6] = e
