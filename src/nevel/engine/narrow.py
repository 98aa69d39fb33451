"""Records with integer fields as narrow as their values allow, for GPU kernels: a sixth of the memory, or less.

The rules are compiled for whichever record they are given, and compiled code widens a number as soon as it counts with
it. Interpreted code wouldn't: there a narrow record overflows.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

#: What most fields fit in: cards, seats, spaces, counts.
NARROW = "i1"
#: What doesn't, in every game; what else doesn't in one of them is in its `WIDER_FIELDS`.
WIDER = {"chance": "u4", "ended": "i2"}


def narrowed(state: np.dtype[Any], wider_fields: Mapping[str, str]) -> np.dtype[Any]:
    """The record with the same fields in the same order, each no wider than it must be."""
    wider = {**WIDER, **wider_fields}
    shapes = {name: field[0].shape for name, field in (state.fields or {}).items()}
    plain = np.dtype([(name, wider.get(name, NARROW), shapes[name]) for name in state.names or ()], align=True)
    fields = {name: (field[0], field[1]) for name, field in (plain.fields or {}).items()}
    # An odd number of the longest words it has: threads beside each other then use different banks of shared memory.
    step = plain.alignment
    layout: Any = {
        "names": list(fields),
        "formats": [kind for kind, _ in fields.values()],
        "offsets": [offset for _, offset in fields.values()],
        "itemsize": plain.itemsize + step * (plain.itemsize // step % 2 == 0),
    }
    return np.dtype(layout, align=True)
