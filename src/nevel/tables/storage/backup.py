"""Backups: all that a storage holds in one compressed file, from which either kind of database can be made again.

A backup is lines of JSON: a header, every row of every table, and a seal with the checksum of all before it.
"""

import asyncio
import gzip
import hashlib
import itertools
import os
import re
import zlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType

import msgspec

from nevel.languages import SpokenError, mark
from nevel.tables.storage import schema
from nevel.tables.storage.database import Session, Values, check_version, stored_version, take_step
from nevel.tables.storage.storage import Storage

FORMAT = 1
#: Lines read and written at a time, while the event loop does other things.
CHUNK = 1000

#: Called with the share that is done, from 0 to 1.
Progress = Callable[[float], None]
#: The table a row belongs to, and the row.
Line = tuple[str, Values]


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """What a backup holds: how many rows of each table, with which columns."""

    nevel_backup: int
    schema: int
    counts: dict[str, int]
    columns: dict[str, tuple[str, ...]]

    @property
    def total(self) -> int:
        return sum(self.counts.values())


class Seal(msgspec.Struct, forbid_unknown_fields=True):
    """The last line: without it a file isn't whole."""

    sha256: str


class DamagedError(SpokenError):
    """A file that isn't a backup, or not a whole one."""

    def __init__(self, reason: object) -> None:
        super().__init__(mark("This backup is incomplete ({reason})."), reason=reason)


def ignore(_share: float) -> None:
    """The progress callback where none is given."""


async def backup(storage: Storage, path: Path, progress: Progress = ignore) -> None:
    """Write all that is stored at this moment to a file; the server may go on meanwhile."""
    # Until it is whole it has another name: an older backup isn't lost to a newer one that fails.
    unfinished = path.with_name(f"{path.name}.part")
    try:
        async with storage.session() as session:
            header = await describe(session)
            with BackupFile(unfinished) as file:
                await asyncio.to_thread(file.write, [header])
                done = 0
                for name, columns in schema.BACKUP_COLUMNS.items():
                    async for rows in session.stream(f"SELECT {', '.join(columns)} FROM {name}"):
                        await asyncio.to_thread(file.write, [(name, *row) for row in rows])
                        done += len(rows)
                        progress(done / header.total)
                await asyncio.to_thread(file.seal)
        unfinished.replace(path)
    except OSError as problem:
        raise SpokenError(mark("The backup can't be written ({reason})."), reason=problem) from problem
    finally:
        unfinished.unlink(missing_ok=True)
    progress(1)


async def restore(
    storage: Storage, path: Path, progress: Progress = ignore, is_erased: Callable[[str], bool] = lambda _: False
) -> int:
    """Fill an empty storage from a backup: with all of it, or with nothing.

    People who were deleted since, as `is_erased` tells of their ids, are deleted again; gives how many these are.
    """
    try:
        # Read to the end before anything is changed: it takes little, and says clearly what is wrong with the file.
        async for _ in read(path, lambda share: progress(share / 2)):
            pass
        async with storage.session(writes=True) as session:
            await fill(session, read(path, lambda share: progress(0.5 + share / 2)))
            erased = [person for (person,) in await session.run("SELECT id FROM people") if is_erased(person)]
            for statement in storage.forgetting:
                await session.run_many(statement, [(person,) for person in erased])
    except OSError as problem:
        raise SpokenError(mark("The backup can't be read ({reason})."), reason=problem) from problem
    return len(erased)


async def describe(session: Session) -> Header:
    """The header of a backup of this database."""
    check_version(await stored_version(session))
    counts = {name: (await session.run(f"SELECT COUNT(*) FROM {name}"))[0][0] for name in schema.BACKUP_COLUMNS}
    return Header(FORMAT, len(schema.STEPS), counts, schema.BACKUP_COLUMNS)


async def fill(session: Session, chunks: AsyncIterator[tuple[Header, list[Line]]]) -> None:
    """Insert the rows of a backup into empty tables."""
    for name in schema.BACKUP_COLUMNS:
        if await session.run(f"SELECT 1 FROM {name} LIMIT 1"):
            raise SpokenError(mark("A backup can only be restored to an empty database; this one has been used."))
    steps: tuple[tuple[schema.Step, ...], ...] | None = None
    async for header, lines in chunks:
        if steps is None:
            steps = await go_back(session, header.schema)
        for name, group in itertools.groupby(lines, lambda line: line[0]):
            columns = header.columns[name]
            places = ", ".join(f"${number}" for number in range(1, len(columns) + 1))
            statement = f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({places})"
            await session.run_many(statement, [row for _, row in group])
    for step in steps or ():
        await take_step(session, step)


async def go_back(session: Session, version: int) -> tuple[tuple[schema.Step, ...], ...]:
    """Make the tables those of an older version; gives the steps from there to ours, for when they are full."""
    later = schema.STEPS[version:]
    if later:
        drops = [f"DROP TABLE {name}" for name in (*schema.BACKUP_COLUMNS, *schema.TEMPORARY_TABLES)]
        for step in (drops, *schema.STEPS[:version]):
            await take_step(session, step)
    return later


class BackupFile:
    """A backup that is being written."""

    def __init__(self, path: Path) -> None:
        # It holds secrets, as the database does.
        self.file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")
        self.compressed = gzip.GzipFile("", "wb", compresslevel=6, fileobj=self.file)
        self.digest = hashlib.sha256()

    def write(self, lines: Iterable[object]) -> None:
        text = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
        self.digest.update(text)
        self.compressed.write(text)

    def seal(self) -> None:
        """Write the last line and flush the file to disk."""
        self.write([Seal(self.digest.hexdigest())])
        self.compressed.close()
        self.file.flush()
        os.fsync(self.file.fileno())

    def __enter__(self) -> "BackupFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.compressed.close()
        finally:
            self.file.close()


async def read(path: Path, progress: Progress) -> AsyncIterator[tuple[Header, list[Line]]]:
    """Read a backup in batches of rows, each with the header; raises a DamagedError at the end if it isn't whole."""
    lines = read_lines(path)
    header = await asyncio.to_thread(read_header, lines)
    done = 0
    while True:
        some = await asyncio.to_thread(lambda: list(itertools.islice(lines, CHUNK)))
        yield header, [read_row(header, line) for line in some]
        done += len(some)
        progress(done / header.total if header.total else 1)
        if len(some) < CHUNK:
            break
    if done != header.total:
        raise DamagedError(f"{done} of {header.total} rows")


def read_lines(path: Path) -> Iterator[bytes]:
    """The lines of a backup without its seal, which is compared when they have been read."""
    digest = hashlib.sha256()
    last = b""
    try:
        with gzip.open(path) as file:
            for line in file:
                if last:
                    digest.update(last)
                    yield last
                last = line
        seal = msgspec.json.decode(last, type=Seal)
    except (gzip.BadGzipFile, EOFError, zlib.error, msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise DamagedError(problem) from problem
    if seal.sha256 != digest.hexdigest():
        raise DamagedError("sha256")


def read_header(lines: Iterator[bytes]) -> Header:
    try:
        header = msgspec.json.decode(next(lines, b""), type=Header)
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise DamagedError(problem) from problem
    # The names become part of statements.
    names = [*header.columns, *itertools.chain(*header.columns.values())]
    if header.nevel_backup != FORMAT or not all(re.fullmatch("[a-z_]+", name) for name in names):
        raise DamagedError(f"format {header.nevel_backup}")
    check_version(header.schema)
    return header


def read_row(header: Header, line: bytes) -> Line:
    try:
        name, *row = msgspec.json.decode(line, type=list[str | int | None])
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as problem:
        raise DamagedError(problem) from problem
    if not isinstance(name, str) or len(row) != len(header.columns.get(name, ())):
        raise DamagedError(name)
    return name, row
