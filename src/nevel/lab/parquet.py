"""Tables as Parquet files, written by pyarrow, which comes with `nevel[lab]`."""

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nevel.languages import SpokenError, mark


class NoParquetError(SpokenError):
    """pyarrow isn't installed."""

    def __init__(self) -> None:
        super().__init__(mark("For Parquet install what it needs: pip install 'nevel[lab]'"))


def pyarrow(module: str = "pyarrow") -> Any:
    """pyarrow, or one of its modules, where it is installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise NoParquetError from None


def type_named(name: str) -> Any:
    """A column's type as we write it in documentation: `int32`, `string`, `list<int8>`."""
    if name.startswith("list<"):
        return pyarrow().list_(type_named(name[5:-1]))
    return getattr(pyarrow(), name)()


def schema_of(columns: Mapping[str, str], about: Mapping[str, str]) -> Any:
    """The columns by name and type, with what the file says about itself."""
    fields = [(name, type_named(kind)) for name, kind in columns.items()]
    return pyarrow().schema(fields, metadata=dict(about))


def write_table(
    path: Path, columns: Mapping[str, str], rows: Mapping[str, Sequence[object]], about: Mapping[str, str]
) -> None:
    """Write a file that is either whole or not there."""
    schema = schema_of(columns, about)
    table = pyarrow().table({name: list(rows[name]) for name in columns}, schema=schema)
    unfinished = path.with_name(f".{path.name}.part")
    pyarrow("pyarrow.parquet").write_table(table, unfinished, compression="zstd")
    unfinished.replace(path)
