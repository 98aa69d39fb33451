"""Work that would hold up the event loop: done in a few threads, each piece with a deadline."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from nevel.languages import mark
from nevel.tables.domain.refusals import TableError

Answer = TypeVar("Answer")

#: Threads for all tables of a process. The work is Python's own, so more of them would do no more of it.
THREADS = 2
_threads = ThreadPoolExecutor(THREADS, "off-loop")


class TookTooLongError(TableError):
    """503: the work wasn't done within its deadline. Nothing has changed."""

    name = "took-too-long"
    status = 503

    def __init__(self) -> None:
        super().__init__(mark("This takes too long at the moment. Nothing has changed; please try again later."))


async def run_off_loop(work: Callable[[], Answer], seconds: float) -> Answer:
    """Run work on a thread and return its result; raises TookTooLongError after so many seconds, and drops the result.

    The work must be bounded by itself, as nothing ends a thread, and mustn't change what the event loop may look at.
    """
    return await within(seconds, asyncio.get_running_loop().run_in_executor(_threads, work))


async def within(seconds: float, answer: Awaitable[Answer]) -> Answer:
    """Await something for so many seconds; raises TookTooLongError after that."""
    try:
        return await asyncio.wait_for(answer, seconds)
    except TimeoutError as problem:
        raise TookTooLongError from problem
