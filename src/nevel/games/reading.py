"""A position read once into plain numbers: looking fields up in a record one by one takes a hundred times as long."""

from typing import Any

import numpy as np


class Reading:
    """The fields of a record as numbers and nested lists, under their names; `record` is what the rules take."""

    def __init__(self, record: Any) -> None:
        self.record = record
        fields = zip(record.dtype.names, record.item(), strict=True)
        self.__dict__.update((name, v.tolist() if isinstance(v, np.ndarray) else v) for name, v in fields)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)
