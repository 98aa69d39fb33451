"""Work that would hold up the event loop: done in a few threads, by person in turn, each piece with a deadline."""

import asyncio
from collections import Counter
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
#: The kinds of work there are: reading a table's log, commands such as dealing and taking back, a box of one's own,
#: and what pages that look back have to work out.
KINDS = (LOG, COMMAND, BOX, STUDY) = ("log", "command", "box", "study")
#: Those of every loop, and how much of each kind is asked for there and not done.
_threads: WeakKeyDictionary[asyncio.AbstractEventLoop, FairThreads] = WeakKeyDictionary()
_pending: WeakKeyDictionary[asyncio.AbstractEventLoop, Counter[str]] = WeakKeyDictionary()


class TookTooLongError(TableError):
    """503: the work wasn't done within its deadline. Nothing has changed."""

    name = "took-too-long"
    status = 503

    def __init__(self) -> None:
        super().__init__(mark("This is taking too long right now. Nothing has changed. Try again later."))


def count_pending(kind: str) -> int:
    """Count what of a kind is asked for in this loop and not done."""
    return _pending.get(asyncio.get_running_loop(), Counter[str]())[kind]


async def run_off_loop(person: str, work: Callable[[], Answer], seconds: float, kind: str = STUDY) -> Answer:
    """Run work on a thread and return its result; raises TookTooLongError after so many seconds, and drops the result.

    It waits for the turn of this person, who may be an address. The work must be bounded by itself, as nothing ends a
    thread, and mustn't change what the event loop may look at.
    """
    loop = asyncio.get_running_loop()
    threads = _threads.get(loop)
    if threads is None:
        threads = _threads[loop] = FairThreads(THREADS, "off-loop")
    threads.queue.check_quota(person, MOST_A_PERSON)
    pending = _pending.setdefault(loop, Counter())
    pending[kind] += 1
    try:
        return await within(seconds, threads.run(person, work))
    finally:
        pending[kind] -= 1


async def within(seconds: float, answer: Awaitable[Answer]) -> Answer:
    """Await something for so many seconds; raises TookTooLongError after that."""
    try:
        return await asyncio.wait_for(answer, seconds)
    except TimeoutError as problem:
        raise TookTooLongError from problem
