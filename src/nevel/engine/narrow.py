"""The same records in as few bytes as their numbers need, for kernels on a GPU: a sixth of the memory, or less.

The rules are compiled for whichever record they are given, and compiled code widens a number as soon as it counts with
it. Interpreted code wouldn't: there a narrow record overflows.
"""

from collections.abc import Mapping

import numpy as np

#: What most fields fit in: cards, seats, spaces, counts.
NARROW = "i1"
#: What doesn't, in every game; what else doesn't in one of them is in its `WIDER_FIELDS`.
WIDER = {"chance": "u4", "ended": "i2"}


def narrowed(state: np.dtype, wider_fields: Mapping[str, str]) -> np.dtype:
    """The record with the same fields in the same order, each no wider than it must be."""
    fields = state.fields or {}
    wider = {**WIDER, **wider_fields}
    parts = [(name, wider.get(name, NARROW), fields[name][0].shape) for name in state.names or ()]
    plain = np.dtype(parts, align=True)
    # An odd number of the longest words it has: threads beside each other then use different banks of shared memory.
    step = plain.alignment
    return np.dtype(
        {
            "names": plain.names,
            "formats": [plain.fields[name][0] for name in plain.names],
            "offsets": [plain.fields[name][1] for name in plain.names],
            "itemsize": plain.itemsize + step * (plain.itemsize // step % 2 == 0),
        },
        align=True,
    )
