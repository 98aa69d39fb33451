"""Threads that use a SQLite file, each with a connection of its own: one that reads, and one that commits."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import groupby
from operator import itemgetter
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from nevel.tables.storage.database import CLOSED, UNCERTAIN, StorageError, UncertainError
from nevel.tables.storage.schema import Append
from nevel.tables.storage.sqlite_appending import store_all
from nevel.tables.tracing import tracing

#: Once there are so many, they are committed together before more are taken: those at the beginning wait for the end.
MOST_JOBS = 500
#: How many jobs the thread is given at once at most: it writes to the disk while the rest is being decided.
JOBS_AT_ONCE = 32

PROBLEMS = (sqlite3.Error, OverflowError, UnicodeError)
#: Errors of the file itself, whatever is written to it; trying the jobs one by one would only take longer.
FILE_LEVEL_ERRORS = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}

Answer = TypeVar("Answer")
Work = Callable[[sqlite3.Connection], Any]
#: Told the answer of a job, or the problem if there is none.
Reply = Callable[[Any, Exception | None], None]
Job = tuple[Work, Reply]
JobResult = tuple[Reply, Any, Exception | None]


class Worker:
    """A thread that does what it is given, in order, with a connection of its own."""

    def __init__(self, connection: sqlite3.Connection, error_message: str) -> None:
        self.connection = connection
        self.error_message = error_message
        self.loop = asyncio.get_running_loop()
        #: What the thread is given: what has come in one turn of the loop together, so that it isn't woken for each;
        #: nothing at the end.
        self.jobs: SimpleQueue[list[Job]] = SimpleQueue()
        self._gathered: list[Job] = []
        #: How many jobs aren't answered yet.
        self.pending = 0
        self.is_open = True
        #: Held while jobs are added or the queue is closed, so that no job is left in it.
        self.closing_lock = threading.Lock()
        self.thread = threading.Thread(target=self._run, name="nevel storage", daemon=True)
        self.thread.start()

    def do(self, work: Callable[[sqlite3.Connection], Answer]) -> asyncio.Future[Answer]:
        """Submit a job to the thread; returns a future."""
        answer: asyncio.Future[Answer] = self.loop.create_future()
        self.begin(work, partial(settle, answer))
        return answer

    def begin(self, work: Work, reply: Reply) -> None:
        """Like `do` without a future: `reply` is called in the event loop."""
        if not self.is_open:
            raise StorageError(CLOSED)
        if not self._gathered:
            self.loop.call_soon(self._hand_over)
        self._gathered.append((work, reply))
        self.pending += 1
        if len(self._gathered) >= JOBS_AT_ONCE:
            self._hand_over()

    def _hand_over(self) -> None:
        jobs, self._gathered = self._gathered, []
        if not jobs:
            return
        with self.closing_lock:
            if self.is_open:
                self.jobs.put(jobs)
                return
        self._resolve([(reply, None, StorageError(CLOSED)) for _, reply in jobs])

    async def close(self) -> None:
        """Wait until everything is done that was given."""
        self._hand_over()
        self._stop_accepting()
        await asyncio.to_thread(self.thread.join)

    def _run(self) -> None:
        jobs: list[Job] = []
        try:
            while jobs := self._take():
                self._send(self._do(jobs))
        except BaseException as problem:
            # Nothing known leads here, but if anything does, nobody may wait for ever.
            self._stop_accepting()
            self._send([(reply, None, UncertainError(UNCERTAIN, reason=problem)) for _, reply in jobs])
            while left := self._take():
                self._send([(reply, None, StorageError(CLOSED)) for _, reply in left])
        finally:
            self.connection.close()

    def _stop_accepting(self) -> None:
        with self.closing_lock:
            self.is_open = False
            self.jobs.put([])

    def _take(self) -> list[Job]:
        """All that waits, once anything does; nothing at the end."""
        taken: list[Job] = []
        jobs = self.jobs.get()
        while jobs:
            taken += jobs
            if len(taken) >= MOST_JOBS:
                return taken
            try:
                jobs = self.jobs.get_nowait()
            except Empty:
                return taken
        if taken:
            self.jobs.put([])  # the end comes again, after these
        return taken

    def _do(self, jobs: list[Job]) -> list[JobResult]:
        return [self._try(job) for job in jobs]

    def _try(self, job: Job) -> JobResult:
        work, reply = job
        try:
            return reply, work(self.connection), None
        except Exception as problem:
            return self._failed(job, problem)

    def _failed(self, job: Job, problem: Exception) -> JobResult:
        if isinstance(problem, PROBLEMS):
            error = StorageError(self.error_message, reason=problem)
            error.__cause__ = problem
            return job[1], None, error
        return job[1], None, problem

    def _send(self, results: list[JobResult]) -> None:
        with suppress(RuntimeError):  # the loop has ended: nobody waits any more
            self.loop.call_soon_threadsafe(self._resolve, results)

    def _resolve(self, results: list[JobResult]) -> None:
        """Call replies in the event loop; what one of them raises keeps nothing from the others."""
        self.pending -= len(results)
        for reply, answer, problem in results:
            try:
                reply(answer, problem)
            except Exception as mistake:
                context = {"message": "a mistake in what follows from an answer", "exception": mistake}
                self.loop.call_exception_handler(context)


class Appending:
    """An append as something to do: alone, or with others at once."""

    __slots__ = ("append",)

    def __init__(self, append: Append) -> None:
        self.append = append

    def __call__(self, connection: sqlite3.Connection) -> bool:
        return store_all(connection, [self.append])[0]


class Writer(Worker):
    """A worker that commits together what has come meanwhile."""

    def _do(self, jobs: list[Job]) -> list[JobResult]:
        results: list[JobResult] = []
        together = len(jobs)
        while jobs:
            some, rest = jobs[:together], jobs[together:]
            try:
                with tracing.span("storage batch", jobs=len(some)):
                    results += self._commit(some)
            except Exception as problem:
                if getattr(problem, "sqlite_errorcode", 0) & 0xFF in FILE_LEVEL_ERRORS:
                    return results + [self._failed(job, problem) for job in jobs]
                if together > 1:
                    # One of them can't be stored, and the others shall not pay for it.
                    together = 1
                    continue
                results.append(self._failed(jobs[0], problem))
            jobs = rest
        return results

    def _commit(self, jobs: list[Job]) -> list[JobResult]:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            results: list[JobResult] = []
            for is_append, group in groupby(jobs, lambda job: isinstance(job[0], Appending)):
                some = list(group)
                results += self._append(some) if is_append else map(self._work, some)
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:  # SQLite itself ends some, such as on a full disk
                self.connection.execute("ROLLBACK")
            raise
        return results

    def _append(self, jobs: list[Job]) -> list[JobResult]:
        """Appends that have come one after the other, stored together.

        They are answered game by game: what follows from a move is nearly the same as at the table before then, and a
        processor does that a tenth quicker.
        """
        appends = [work.append for work, _ in jobs if isinstance(work, Appending)]
        results = [
            (append.summary.game, reply, is_stored)
            for append, (_, reply), is_stored in zip(appends, jobs, store_all(self.connection, appends), strict=True)
        ]
        results.sort(key=itemgetter(0))
        return [(reply, is_stored, None) for _, reply, is_stored in results]

    def _work(self, job: Job) -> JobResult:
        work, reply = job
        return reply, work(self.connection), None


def settle(future: asyncio.Future[Any], answer: Any, problem: Exception | None) -> None:
    """Resolve a future, unless it was cancelled."""
    if future.done():
        return
    if problem:
        future.set_exception(problem)
    else:
        future.set_result(answer)
