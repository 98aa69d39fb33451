"""Spreads numbered pieces of work over threads; compiled code releases the GIL."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

Piece = TypeVar("Piece")


def spread(
    work: Callable[[int], Piece], count: int, cores: int, stop: threading.Event | None = None
) -> Iterator[tuple[int, Piece]]:
    """Do the pieces numbered from 0 on `cores` threads; yields each with its number when it is done.

    When it is left early, `stop` is set, so that work under way can be left too.
    """
    with ThreadPoolExecutor(cores) as pool:
        numbers = iter(range(count))
        running: dict[Future[Piece], int] = {}
        try:
            while True:
                # Only as many as can run: work that is interrupted leaves nothing behind in the queue.
                while len(running) < cores and (number := next(numbers, None)) is not None:
                    running[pool.submit(work, number)] = number
                if not running:
                    break
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()
        finally:
            if running and stop:
                stop.set()
            for future in running:
                future.cancel()
