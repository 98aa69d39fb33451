"""Work that waits for a thread, served fairly: who asks for much waits behind themselves, not others behind them."""

import asyncio
import os
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

from nevel.languages import mark
from nevel.tables.domain.refusals import TableError

Answer = TypeVar("Answer")

#: The greatest niceness there is.
LEAST_PRIORITY = 19
#: People whose last turn is remembered; who was served longer ago comes back as somebody new.
CACHE_SIZE = 10_000


class OwnQueueFullError(TableError):
    """429: somebody has as much waiting already as one person may."""

    name = "too-often"
    status = 429

    def __init__(self) -> None:
        super().__init__(mark("Several of your requests are still running. Wait a moment and try again."))


class FairQueue:
    """So many turns at once. Who was served longest ago comes next, however many of their tasks wait.

    Belongs to one event loop.
    """

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self._free = slots
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        #: How many turns each has at the moment.
        self._running: dict[str, int] = {}
        #: When each was served last, in turns.
        self._served: OrderedDict[str, float] = OrderedDict()
        self._turns = 0

    @property
    def waiting(self) -> int:
        """How many tasks wait."""
        return sum(map(len, self._waiting.values()))

    @property
    def pending(self) -> int:
        """How many tasks wait or are under way."""
        return self.waiting + self.slots - self._free

    @property
    def people(self) -> int:
        """How many people have something that waits or is under way."""
        return len(self._waiting.keys() | self._running.keys())

    def count(self, person: str) -> int:
        """How many tasks of somebody wait or are under way."""
        return len(self._waiting.get(person, ())) + self._running.get(person, 0)

    def check_quota(self, person: str, most: int) -> None:
        """Refuse somebody who has too many tasks in the queue already."""
        if self.count(person) >= most:
            raise OwnQueueFullError

    @asynccontextmanager
    async def turn(self, person: str) -> AsyncGenerator[None]:
        """Wait for a turn, and have it until this ends."""
        await self.acquire(person)
        try:
            yield
        finally:
            self.release(person)

    async def acquire(self, person: str) -> None:
        if self._free:
            self._begin(person)
            return
        if person not in self._waiting:
            # Who is new, or hasn't asked for a while, comes before whoever is served now, and behind all who have
            # waited longer: nobody gains by staying away, or by being many.
            latest = self._turns - 0.5
            self._served[person] = max(self._served.get(person, latest), latest)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(person, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.release(person)  # the turn came at the very moment they went
            else:
                self._drop(person, turn)
            raise

    def release(self, person: str) -> None:
        """End a turn, and begin that of whoever comes next."""
        self._free += 1
        if self._running[person] == 1:
            del self._running[person]
        else:
            self._running[person] -= 1
        while self._free and self._waiting:
            following = min(self._waiting, key=self._served_at)
            turn = self._waiting[following].popleft()
            if not self._waiting[following]:
                del self._waiting[following]
            if not turn.done():
                self._begin(following)
                turn.set_result(None)

    def order(self) -> Iterator[str]:
        """The order in which those who wait would be served now."""
        left = {person: len(turns) for person, turns in self._waiting.items()}
        served, turns = {person: self._served_at(person) for person in left}, self._turns
        while left:
            person = min(left, key=served.__getitem__)
            turns += 1
            served[person] = turns
            left[person] -= 1
            if not left[person]:
                del left[person]
            yield person

    def _begin(self, person: str) -> None:
        self._free -= 1
        self._turns += 1
        self._running[person] = self._running.get(person, 0) + 1
        self._served[person] = self._turns
        self._served.move_to_end(person)
        if len(self._served) > CACHE_SIZE:
            self._served.popitem(last=False)

    def _served_at(self, person: str) -> float:
        return self._served.get(person, 0)

    def _drop(self, person: str, turn: "asyncio.Future[None]") -> None:
        turns = self._waiting.get(person)
        if turns and turn in turns:
            turns.remove(turn)
            if not turns:
                del self._waiting[person]


def give_way(niceness: int) -> None:
    """Lower the priority of this thread below what it is. Only Linux has priorities (niceness) for single threads."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        before = os.getpriority(os.PRIO_PROCESS, thread)
        os.setpriority(os.PRIO_PROCESS, thread, min(before + niceness, LEAST_PRIORITY))


class FairThreads:
    """A pool of threads of low priority that serves people fairly."""

    def __init__(self, threads: int, name: str, niceness: int = 0) -> None:
        self.queue = FairQueue(threads)
        self._threads = ThreadPoolExecutor(threads, name, give_way, (niceness,))
        #: When each piece of work began that is under way, by its future.
        self._begun = dict[Future[Any], float]()

    @property
    def longest(self) -> float:
        """For how many seconds the piece of work has been under way that was begun first; 0 if there is none."""
        return time.monotonic() - min(self._begun.values()) if self._begun else 0.0

    async def run(self, person: str, work: Callable[..., Answer], *given: Any) -> Answer:
        """Do some work of somebody's on a thread when it is their turn."""
        await self.queue.acquire(person)
        loop = asyncio.get_running_loop()
        try:
            done = self._threads.submit(work, *given)
        except BaseException:
            self.queue.release(person)
            raise

        def end() -> None:
            del self._begun[done]
            self.queue.release(person)

        def release(_: object) -> None:
            # The thread is free once the work is over, even if nobody waits for it any more; with the loop it all ends.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(end)

        self._begun[done] = time.monotonic()
        done.add_done_callback(release)
        return await asyncio.wrap_future(done)

    def close(self) -> None:
        """Take no more work; what is under way isn't waited for."""
        self._threads.shutdown(wait=False, cancel_futures=True)
