"""What happened, as small rows of integers.

A trace is an int16 array of rows; row 0 only counts the others in its first column. Each row says what kind of event it
is, who may know of it (a seat or EVERYONE) and up to six facts. Simulations pass an array without rows and pay nothing.
"""

import numpy as np

from nevel.rules.compiling import helper

COLUMNS = 8
ROWS = 400
EVERYONE = -1


def blank(rows: int = ROWS) -> np.ndarray:
    """A trace with room for `rows` events; `blank(0)` takes none."""
    return np.zeros((rows + 1 if rows else 0, COLUMNS), np.int16)


@helper
def note(trace, kind, audience, a=0, b=0, c=0, d=0, e=0, f=0):
    """Write down one event."""
    if trace.shape[0] == 0:
        return
    count = trace[0, 0] + 1
    trace[0, 0] = count
    trace[count, 0] = kind
    trace[count, 1] = audience
    trace[count, 2] = a
    trace[count, 3] = b
    trace[count, 4] = c
    trace[count, 5] = d
    trace[count, 6] = e
    trace[count, 7] = f
