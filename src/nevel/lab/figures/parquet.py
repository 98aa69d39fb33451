"""Tables as Parquet files, written by pyarrow, which comes with `nevel[lab]`."""

import importlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from nevel.languages import SpokenError, mark

#: Rows that are held before they are written.
ROWS = 20_000


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


class TableWriter:
    """A file that grows row by row, and is either whole in its place or not there."""

    def __init__(self, path: Path, columns: Mapping[str, str], about: Mapping[str, str]) -> None:
        self.path = path
        self.unfinished = path.with_name(f".{path.name}.part")
        self.columns = columns
        self.schema = schema_of(columns, about)
        self.rows: list[Mapping[str, object]] = []
        self.file = pyarrow("pyarrow.parquet").ParquetWriter(self.unfinished, self.schema, compression="zstd")

    def __enter__(self) -> "TableWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.flush()
        self.file.close()
        if kind is None:
            self.unfinished.replace(self.path)
        else:
            self.unfinished.unlink(missing_ok=True)

    def add(self, rows: Iterable[Mapping[str, object]]) -> None:
        self.rows += rows
        if len(self.rows) >= ROWS:
            self.flush()

    def flush(self) -> None:
        if self.rows:
            self.file.write_table(pyarrow().Table.from_pylist(self.rows, schema=self.schema))
            self.rows = []


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file, one after the other."""
    with pyarrow("pyarrow.parquet").ParquetFile(path) as file:
        for batch in file.iter_batches():
            yield from batch.to_pylist()


def read_about(path: Path) -> dict[str, str]:
    """What a file says about itself."""
    metadata: dict[bytes, bytes] = pyarrow("pyarrow.parquet").read_schema(path).metadata or {}
    return {name.decode(): value.decode() for name, value in metadata.items()}
