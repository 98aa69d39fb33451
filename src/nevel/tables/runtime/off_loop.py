"""Work that would hold up the event loop: done in a few threads, by person in turn, each piece with a deadline."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar
from weakref import WeakKeyDictionary

from nevel.languages import mark
from nevel.tables.domain.refusals import TableError
from nevel.tables.runtime.fair_queue import FairThreads

Answer = TypeVar("Answer")

#: Threads for all tables of a process. The work is Python's own, so more of them would do no more of it.
THREADS = 2
#: Pieces of work one person may have waiting.
MOST_A_PERSON = 20
#: Those of every loop.
_threads: WeakKeyDictionary[asyncio.AbstractEventLoop, FairThreads] = WeakKeyDictionary()


class TookTooLongError(TableError):
    """503: the work wasn't done within its deadline. Nothing has changed."""

    name = "took-too-long"
    status = 503

    def __init__(self) -> None:
        super().__init__(mark("This takes too long at the moment. Nothing has changed; please try again later."))


async def run_off_loop(person: str, work: Callable[[], Answer], seconds: float) -> Answer:
    """Run work on a thread and return its result; raises TookTooLongError after so many seconds, and drops the result.

    It waits for the turn of this person, who may be an address. The work must be bounded by itself, as nothing ends a
    thread, and mustn't change what the event loop may look at.
    """
    loop = asyncio.get_running_loop()
    threads = _threads.get(loop)
    if threads is None:
        threads = _threads[loop] = FairThreads(THREADS, "off-loop")
    threads.queue.check_quota(person, MOST_A_PERSON)
    return await within(seconds, threads.run(person, work))


async def within(seconds: float, answer: Awaitable[Answer]) -> Answer:
    """Await something for so many seconds; raises TookTooLongError after that."""
    try:
        return await asyncio.wait_for(answer, seconds)
    except TimeoutError as problem:
        raise TookTooLongError from problem
