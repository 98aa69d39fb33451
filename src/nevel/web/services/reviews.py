"""Reviews in the background: one at a time on a node, served fairly, each game reviewed once and then stored."""

import asyncio
import contextlib
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

import msgspec
from msgspec import Struct

from nevel.game.game import Game
from nevel.languages import mark
from nevel.study.forecasts import Prediction, predictions_of
from nevel.study.parts import parts_of
from nevel.study.review import Review
from nevel.study.reviewing import Reviewing
from nevel.tables.domain.refusals import TableError, WrongTimeError
from nevel.tables.domain.table import OVER, Table
from nevel.tables.runtime.fair_queue import FairQueue, OwnQueueFullError, give_way
from nevel.tables.runtime.house import House
from nevel.tables.storage.database import REVIEW, StorageError
from nevel.tables.storage.schema import StoredReview
from nevel.web.server import logs
from nevel.web.server.problems import OurFaultError

#: Goes up when reviews are made otherwise: those kept from before are made again when somebody asks.
VERSION = 1
#: Reviews that may be asked for and not done; who comes later is asked to try again.
MOST_WAITING = 100
#: Reviews one person may wait for.
MOST_A_PERSON = 3
#: What a review costs, where opening a table costs 1.
REVIEW_COST = 2.0
#: Reviews kept in memory.
CACHE_SIZE = 32
#: A node that works on a review says so for this long, in milliseconds; when it dies, another takes over after that.
LEASE = 5_000
#: How often it says so again and tells how far it is, and others look whether it is done, in seconds.
ASK_EVERY = 0.5
#: What went wrong isn't tried again before this many seconds are over.
AGAIN_AFTER = 60.0
#: How much the thread gives way to others: bots think for people who wait.
NICENESS = 10


class ReviewProgress(Struct, frozen=True):
    """How far a review is: a share from 0 to 1, and how many others are done before it."""

    share: float
    ahead: int


class TooManyReviewsError(TableError):
    """503: too many reviews are waiting."""

    name = "busy"
    status = 503

    def __init__(self) -> None:
        super().__init__(mark("Too many reviews are running. Try again in a few minutes."))


class ReviewJob:
    """A review that is asked for."""

    def __init__(self, table: str, game: Game, person: str) -> None:
        self.table = table
        self.game = game
        #: Whose turn it takes.
        self.person = person
        self.share = 0.0
        self.task: asyncio.Task[None] | None = None


class Reviews:
    """The reviews of a node. What is asked for on several nodes is worked on by one, by a lease in the database."""

    def __init__(self, house: House, playouts: int, warm: Callable[[], Awaitable[object]]) -> None:
        self.house = house
        self.storage = house.storage
        self.playouts = playouts
        self.warm = warm
        #: In the order they were asked for.
        self.jobs: dict[str, ReviewJob] = {}
        self.stop = threading.Event()
        self.thread = ThreadPoolExecutor(1, "review", give_way, (NICENESS,))
        self.queue = FairQueue(1)
        self._remembered: OrderedDict[str, Review] = OrderedDict()
        #: When what went wrong may be tried again.
        self._failed: dict[str, float] = {}
        house.news.on_review_progress = self.on_progress

    async def find(self, table: Table) -> Review | None:
        """The review of a table's game, if somebody has asked for it before."""
        name = table.name
        if name not in self._remembered:
            stored = await self.storage.review(name)
            if stored is None or stored.version != VERSION:
                return None
            self._remember(name, msgspec.json.decode(stored.body, type=Review))
        self._remembered.move_to_end(name)
        return self._remembered[name]

    async def ask(self, table: Table, person: str, may_begin: Callable[[], object]) -> Review | ReviewProgress:
        """The review of a table's game, or how far it is, for somebody: who has no name, by their address.

        It begins unless `may_begin` raises why it may not.
        """
        game = finished(table)
        if (review := await self.find(table)) is not None:
            return review
        job = self.jobs.get(table.name)
        if job is None:
            if asyncio.get_running_loop().time() < self._failed.get(table.name, 0.0):
                raise OurFaultError
            if len(self.jobs) >= MOST_WAITING:
                raise TooManyReviewsError
            if sum(job.person == person for job in self.jobs.values()) >= MOST_A_PERSON:
                raise OwnQueueFullError
            may_begin()
            job = self.jobs[table.name] = ReviewJob(table.name, game.copy(), person)
            job.task = asyncio.create_task(self._see_to(job))
        return ReviewProgress(job.share, self._count_ahead(job))

    def _count_ahead(self, job: ReviewJob) -> int:
        """How many reviews come before this one: of others as many as of one's own, and one, as people take turns."""
        places = dict[str, tuple[int, int]]()
        counts = dict[str, int]()
        for i, other in enumerate(self.jobs.values()):
            counts[other.person] = counts.get(other.person, 0) + 1
            places[other.table] = (counts[other.person], i)
        return sum(place < places[job.table] for place in places.values())

    def on_progress(self, table: str, thousandths: int) -> None:
        """Take in the progress of a review that another node reports."""
        if job := self.jobs.get(table):
            job.share = min(max(thousandths / 1000, 0.0), 1.0)

    async def close(self) -> None:
        """Stop at once; unfinished reviews begin again when somebody asks for them."""
        self.stop.set()
        tasks = [job.task for job in self.jobs.values() if job.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.thread.shutdown(wait=False, cancel_futures=True)

    # ------------------------------------------------------------ one review

    async def _see_to(self, job: ReviewJob) -> None:
        try:
            await self.warm()
            while not await self._is_done(job):
                await asyncio.sleep(ASK_EVERY)
        except StorageError:
            pass  # who still wants it asks again
        except Exception:
            self._failed[job.table] = asyncio.get_running_loop().time() + AGAIN_AFTER
            logs.log.exception("a mistake of ours in a review")
        finally:
            self.jobs.pop(job.table, None)

    async def _is_done(self, job: ReviewJob) -> bool:
        """Make and store a review unless there is one; False while another node works on it."""
        async with self.queue.turn(job.person):
            stored = await self.storage.review(job.table)
            if stored is not None and stored.version == VERSION:
                return True
            if not await self._claim(job):
                return False
            renewing = asyncio.create_task(self._renew(job))
            try:
                await self._make(job)
            finally:
                renewing.cancel()
                await asyncio.gather(renewing, return_exceptions=True)
                if self.storage.is_shared:
                    with contextlib.suppress(StorageError):
                        await self.storage.release(lease(job), self.house.node)
            return True

    async def _make(self, job: ReviewJob) -> None:
        def tell(share: float) -> None:
            job.share = share

        def work() -> tuple[Review, list[list[Prediction]]]:
            review = Reviewing(job.game, self.playouts).run(self.stop, tell)
            seats = range(job.game.seats) if parts_of(job.game.spec).predictions else ()
            return review, [predictions_of(job.game, seat) for seat in seats]

        review, predictions = await asyncio.get_running_loop().run_in_executor(self.thread, work)
        stored = StoredReview(
            table=job.table,
            version=VERSION,
            playouts=review.playouts,
            at=self.house.clock(),
            accuracies=write([account.accuracy for account in review.accounts]),
            predictions=write(predictions),
            body=write(review),
        )
        await self.storage.save_review(stored)
        self._remember(job.table, review)

    async def _claim(self, job: ReviewJob) -> bool:
        return not self.storage.is_shared or await self.storage.claim(lease(job), self.house.node, LEASE)

    async def _renew(self, job: ReviewJob) -> None:
        while self.storage.is_shared:
            await asyncio.sleep(ASK_EVERY)
            with contextlib.suppress(StorageError):
                await self._claim(job)
            await self.storage.tell_nodes([(REVIEW + job.table, round(job.share * 1000))])

    def _remember(self, table: str, review: Review) -> None:
        self._remembered[table] = review
        if len(self._remembered) > CACHE_SIZE:
            self._remembered.popitem(last=False)


def finished(table: Table) -> Game:
    """The game of a table, if it is over."""
    if table.phase != OVER or table.game is None:
        raise WrongTimeError(mark("A game can be reviewed once it is over."))
    return table.game


def write(content: object) -> str:
    return msgspec.json.encode(content).decode()


def lease(job: ReviewJob) -> str:
    return f"review {job.table}"
