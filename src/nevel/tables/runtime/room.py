"""A table in the memory of this node: its state, a lock so that it changes one step at a time, and its watchers."""

import asyncio
import random
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import msgspec

from nevel.languages import mark
from nevel.tables.domain import facts
from nevel.tables.domain.command import Asker, Command, decide_once
from nevel.tables.domain.commands import decide_expiry, decide_move, decide_rematch
from nevel.tables.domain.facts import AnyFact
from nevel.tables.domain.refusals import NoSuchTableError, StaleError, TableError
from nevel.tables.domain.table import OVER, PLAYING, Table
from nevel.tables.runtime.off_loop import COMMAND, LOG, TookTooLongError, run_off_loop
from nevel.tables.storage.database import UncertainError
from nevel.tables.storage.schema import Append, Row, Summary
from nevel.tables.storage.storage import Storage
from nevel.tables.thinking.audience import Audience
from nevel.tables.tracing import tracing

#: How often a decision is made again because another node was quicker; and, so that it doesn't go on like that, the
#: seconds it waits before, at most and more each time.
TRIES = 12
PAUSE = 0.004

#: Milliseconds for which a table counts as visited after somebody looked at it.
VISITED_FOR = 60_000

#: Seconds after which somebody is told that what they ask takes too long, waiting for a thread included; and the same
#: for a table's log.
TIMEOUT_SECONDS = 10.0
LONGEST_LOG = 60.0

#: A fact with its row and its time.
NumberedFact = tuple[int, int, AnyFact]
#: What has to follow from the present state of a table.
Decision = Callable[[Table], Sequence[AnyFact]]
#: Called with the newest row when a command is done, or with the problem.
Answered = Callable[[int, Exception | None], None]
#: Told when a table has changed.
Watcher = Callable[["Room"], None]


#: Facts that change in whose lists a table is.
ABOUT_PEOPLE = (facts.Opened, facts.Seated, facts.Vacated, facts.HostChanged)


class BusyError(TableError):
    """Other nodes stored a row first, again and again."""

    name = "busy"
    status = 503

    def __init__(self) -> None:
        super().__init__(mark("Too much is happening at this table. Try again."))


def try_acquire(lock: asyncio.Lock) -> bool:
    """Take a lock if nobody has it or waits for it; it isn't waited for."""
    attempt = lock.acquire()
    try:
        attempt.send(None)
    except StopIteration:
        return True
    attempt.close()
    return False


def milliseconds() -> int:
    """The time, as it is written into the log."""
    return time.time_ns() // 1_000_000


class Room:
    """One table, the lock that lets it change one step at a time, and its watchers.

    `table` is always as it is stored; another one takes its place with every change.
    """

    def __init__(self, storage: Storage, table: Table, clock: Callable[[], int] = milliseconds) -> None:
        self.storage = storage
        self.table = table
        self.clock = clock
        self.watchers: set[Watcher] = set()
        #: Whom its bots wait for.
        self.audience = Audience()
        self.lock = asyncio.Lock()
        #: When somebody looked at the table here, or asked something of it; they wait for its bots then.
        self.visited_at = clock()
        # Whether something may have been stored that isn't known here: then the log is read before anything else.
        self.is_doubtful = False

    @classmethod
    async def enter(cls, storage: Storage, name: str, clock: Callable[[], int] = milliseconds) -> "Room":
        """The table with this name, as its log tells it."""
        secret = await storage.secret(name)
        if secret is None:
            raise NoSuchTableError
        room = cls(storage, Table(name, secret), clock)
        rows = await storage.rows(name, -1)
        # Whoever opens the table waits for it, however long its log is; in the turn of who opened it first.
        opened = facts.read(rows[0].body) if rows else None
        host = opened.host if isinstance(opened, facts.Opened) else name
        await run_off_loop(f"log {host}", lambda: room.table.follow(read_rows(rows)), LONGEST_LOG, LOG)
        return room

    async def reload(self) -> None:
        """Read the whole log anew: something in it was erased."""
        async with self.lock:
            self.table = (await Room.enter(self.storage, self.table.name, self.clock)).table
        self.notify()

    # ------------------------------------------------------------ changing

    async def ask(self, command: Command, asker: Asker) -> int:
        """Do what somebody asks; gives the newest row then. A TableError or StorageError says why not."""
        if (getattr(command, "seq", None) or 0) > self.table.seq:
            self.is_doubtful = True  # they have seen more, through another node
        payer = asker.person if command.is_slow else None
        seq = await self.change(lambda table: decide_once(command, table, asker), payer)
        answered = self.table.answer_to(asker.command)
        return seq if answered is None else answered

    def ask_now(self, command: Command, asker: Asker, done: "Answered") -> bool:
        """Do what somebody asks without a task, as `ask` does it when nothing is in its way; False when something is.

        That is: another change, a repeat, other nodes, or doubts about what is stored. A TableError says why the
        command is refused. `done` is called once it is stored, or with the problem if it couldn't be.
        """
        table = self.table
        # What is traced takes the longer way, on which a span knows what it belongs to.
        is_slower = tracing.is_on or self.is_doubtful or self.storage.is_shared
        if is_slower or (getattr(command, "seq", None) or 0) > table.seq:
            return False
        if not try_acquire(self.lock):
            return False
        try:
            new = decide_once(command, table, asker)
            if not new:
                self.lock.release()
                return False
            rows = [(table.seq + 1 + i, self.clock(), fact) for i, fact in enumerate(new)]
            after = table.foresee(rows)
            self.storage.begin_append(make_append(after, rows), partial(self._finish, after, done))
        except BaseException:
            self.lock.release()
            raise
        return True

    def _finish(self, after: Table, done: "Answered", is_stored: bool, problem: Exception | None) -> None:
        """The end of `ask_now`: the foreseen table takes the place of the old one if it is stored."""
        try:
            if is_stored:
                self.table = after
                self.notify()
            elif problem is None:
                self.is_doubtful = True
                problem = BusyError()
            else:
                self.is_doubtful |= isinstance(problem, UncertainError)
        except Exception as trouble:
            problem = trouble
        finally:
            self.lock.release()
        done(self.table.seq, problem)

    async def expire(self) -> int:
        """Let bots take over from people whose time has run out."""
        return await self.change(lambda table: decide_expiry(table, self.clock()))

    async def move_for_bot(self, chair: int, move: str, seq: int) -> int:
        """A bot's move, thought of when row `seq` was the newest. A StaleError says to think again."""

        def decide(table: Table) -> Sequence[AnyFact]:
            seat = table.chairs[chair]
            # What nobody asked for is said about the table as it was; perhaps another node has just said it. What is
            # asked of several at once is thought of as before when another answers, unless there was a hint in it.
            changed_at = seat.asked_at if chair in table.waiting_for else table.seq
            if table.phase != PLAYING or not seat.is_bot or changed_at > seq or table.has_heard_since(seq):
                raise StaleError
            return decide_move(table, chair, move, is_bot=True)

        return await self.change(decide)

    async def rematch(self, asker: Asker, name: str) -> str:
        """Point to the table where all meet again; the first to ask decides which."""
        await self.change(lambda table: [] if table.rematch else decide_rematch(table, asker, name))
        return self.table.rematch or name

    async def change(self, decide: Decision, payer: str | None = None) -> int:
        """Decide, store the rows that follow, and only then tell the watchers.

        It is seen through even if whoever asked doesn't wait for the answer. What is slow is decided on another thread,
        when it is the turn of the `payer`.
        """
        return await asyncio.shield(asyncio.ensure_future(self._change(decide, payer)))

    async def _change(self, decide: Decision, payer: str | None) -> int:
        async with self.lock:
            for tries in range(TRIES):
                if tries > 1:
                    await asyncio.sleep(PAUSE * tries * random.random())
                if self.is_doubtful:
                    await self.settle()
                step = partial(take_step, self.table, decide, self.clock)
                try:
                    with tracing.span("decide"):
                        rows, after = await run_off_loop(payer, step, TIMEOUT_SECONDS, COMMAND) if payer else step()
                except TookTooLongError:
                    raise
                except TableError:
                    # Perhaps it could be done, after what another node has stored and this one hasn't heard of yet.
                    if self.storage.is_shared and await self.catch_up():
                        continue
                    raise
                if not rows:
                    return self.table.seq
                try:
                    with tracing.span("append", rows=len(rows)):
                        is_stored = await self.storage.append(make_append(after, rows))
                except UncertainError:
                    self.is_doubtful = True
                    raise
                if is_stored:
                    self.table = after
                    with tracing.span("notify", watchers=len(self.watchers)):
                        self.notify()
                    return self.table.seq
                await self.catch_up()  # another node was quicker
            raise BusyError

    async def settle(self) -> None:
        """Read the log to find out what an uncertain append has stored."""
        await self.catch_up()
        self.is_doubtful = False

    async def catch_up(self) -> bool:
        """Read and apply rows that other nodes have stored; returns whether there were any."""
        rows = await self.storage.rows(self.table.name, self.table.seq)
        if rows:
            self.table.follow(read_rows(rows))
            self.notify()
        return bool(rows)

    async def catch_up_to(self, seq: int) -> None:
        """Read what another node has stored: rows up to `seq`, or, if those are known, something said."""
        async with self.lock:
            if self.is_doubtful:
                await self.settle()
            if seq > self.table.seq:
                await self.catch_up()
            else:
                self.notify()

    # ------------------------------------------------------------ watching

    def is_visited(self, now: int) -> bool:
        """Whether somebody was here lately."""
        return now - self.visited_at < VISITED_FOR

    def notify(self) -> None:
        for watcher in tuple(self.watchers):
            watcher(self)


def take_step(table: Table, decide: Decision, clock: Callable[[], int]) -> tuple[list[NumberedFact], Table]:
    """The rows that follow from a decision, and the table as it will be then."""
    rows = [(table.seq + 1 + i, clock(), fact) for i, fact in enumerate(decide(table))]
    return rows, table.foresee(rows) if rows else table


def read_rows(rows: Sequence[Row]) -> Iterator[NumberedFact]:
    """Decode stored rows for `Table.follow`."""
    return ((row.seq, row.at, facts.read(row.body)) for row in rows)


def make_append(table: Table, rows: Sequence[tuple[int, int, AnyFact]]) -> Append:
    """Rows with all that follows from them, as they are stored; `table` is what it will be then."""
    opened = table.opened
    # What lists show was stored before, and hasn't changed since; with clocks, deadlines do.
    is_plain = len(rows) == 1 and table.moved_at == table.seq and table.listed is not None and not opened.pace.is_timed
    summary = Summary(
        table=table.name,
        game=opened.game,
        phase=table.phase,
        is_public=opened.is_public,
        created=table.opened_at,
        changed=table.changed_at,
        seats=opened.chairs,
        taken=opened.chairs if table.phase == PLAYING else opened.chairs - len(table.empty_chairs),
        host=table.host,
        details=table.listed or details(table),
    )
    return Append(
        rows=tuple([Row(table.name, seq, at, facts.write(fact)) for seq, at, fact in rows]),
        summary=summary,
        members=None if is_plain or not is_about_people(rows) else members(table),
        deadline=table.deadline,
        secret=table.secret if rows[0][0] == 0 else None,
        named=() if is_plain else tuple(dict.fromkeys(one for _, _, fact in rows for one in facts.named_in(fact))),
        is_plain=is_plain,
    )


def is_about_people(rows: Sequence[tuple[int, int, AnyFact]]) -> bool:
    return any(isinstance(fact, ABOUT_PEOPLE) for _, _, fact in rows)


def members(table: Table) -> tuple[str, ...]:
    """The people in whose lists the table stands: those who sit there, and the host."""
    return tuple(dict.fromkeys((table.host, *table.people)))


def details(table: Table) -> str:
    """What lists show of a table besides: who sits there, and how it is played."""
    content = {
        "chairs": [{"person": chair.person, "level": chair.level} for chair in table.chairs],
        "options": table.opened.options,
        "pace": table.opened.pace,
        "outcome": table.game.outcome if table.game and table.phase == OVER else None,
        "is_brought": table.is_brought,
        "has_own_box": table.has_own_box,
        "is_practice": table.opened.is_practice,
    }
    table.listed = msgspec.json.encode(content).decode()
    return table.listed
