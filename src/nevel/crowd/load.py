"""Runs a load test: clients play at many tables for some seconds, and latencies are measured."""

import asyncio
import gc
import itertools
import random
import re
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from msgspec import Struct

from nevel.crowd.choosing import Choosing
from nevel.crowd.table_clients import TableClients
from nevel.crowd.wire import NoAnswerError, ServerClient

#: Tables opened at the same time.
OPENED_AT_ONCE = 16
#: Seconds that the last moves may take to arrive when the time is over.
FINISH_WITHIN = 10.0
#: Complaints that are kept word by word.
MOST_COMPLAINTS = 20
#: Seconds between two moments at which moves are made, where they come at a rate.
BEAT = 0.001

#: Told what is being done, how much of it is, and how much there is.
Progress = Callable[[str, float, float], None]

#: How moves are chosen at a table of a game.
ChoosingFor = Callable[[str, random.Random], Choosing]


def random_for(game: str, chance: random.Random) -> Choosing:
    """Random moves, whatever is played."""
    return Choosing(chance)


class LoadFigures(Struct, frozen=True):
    """The results of a load test."""

    moves_per_second: float
    #: Milliseconds from a command to the last seat's view.
    p50_ms: float
    p95_ms: float
    p99_ms: float
    errors: int
    tables: int
    kilobytes_per_table: float
    #: How much a seat is sent to see a change, on the mean; the whole pages at the beginning of a game among them.
    bytes_per_frame: float
    seats: int
    seconds: float
    moves: int
    games_finished: int
    #: The server's time on a core for a move, with all that belongs to it.
    server_cpu_us_per_move: float
    #: The share of a core that the clients used: near 1 they are what is measured.
    client_load: float
    #: Memory of the whole server at the end.
    server_megabytes: float
    idle_tables: int
    idle_sockets: int


class LoadPlan(Struct, frozen=True):
    """How many tables of which games are played at, for how long, and how."""

    games: list[str]
    tables: int
    seats: int
    seconds: float
    #: Moves per second in all; with 0 the next is made as soon as everybody has seen the last.
    rate: float = 0.0
    #: Which frames sockets are sent: views as data (`json`), or the pages browsers get (`html`).
    frames: str = "json"
    #: Further tables at which nobody moves, and the sockets that watch them.
    idle_tables: int = 0
    idle_sockets: int = 0


class Usage(Struct, frozen=True):
    """CPU time and memory a server has used so far."""

    kilobytes: float
    cpu_seconds: float


class Load:
    """A load test of one server: tables that are played at, and idle ones."""

    def __init__(
        self,
        client: ServerClient,
        games: Sequence[str],
        tables: int,
        seats: int,
        rate: float = 0.0,
        frames: str = "json",
        choosing: ChoosingFor = random_for,
    ) -> None:
        self.client = client
        self.frames = frames
        self.tables = tables
        self.seats = seats
        #: Moves per second; with 0 the next is made as soon as everybody has seen the last.
        self.rate = rate
        self.complaints = deque[str](maxlen=MOST_COMPLAINTS)
        self.errors = 0
        self.games_finished = 0
        self.latencies = list[float]()
        self.idle_sockets = 0
        self.idle_tables = 0
        chance = random.Random(tables)
        self.tables_played = [
            TableClients(client, game, seats, frames, choosing(game, chance), self._ready, self._ended, self.wrong)
            for game in itertools.islice(itertools.cycle(games), tables)
        ]
        self._idlers = list[TableClients]()
        self._waiting = deque[TableClients]()
        self._is_on = False
        self._tasks = set[asyncio.Task[None]]()

    def wrong(self, complaint: str) -> None:
        """Note an error."""
        self.errors += 1
        self.complaints.append(complaint)

    # ------------------------------------------------------------ opening

    async def open(self, progress: Progress) -> None:
        """Open all tables, and let everybody sit down."""
        await all_of([clients.meet() for clients in self.tables_played], lambda n: progress("tables", n, self.tables))

    async def open_idle(self, games: Sequence[str], tables: int, sockets: int, progress: Progress) -> None:
        """Tables at which two have been dealt a game and nothing happens, the first of them watched."""
        chance = random.Random()
        self._idlers = [
            TableClients(
                self.client, games[i % len(games)], 2, self.frames, Choosing(chance), ignore, ignore, self.wrong
            )
            for i in range(tables)
        ]
        watchers = [sockets // tables + (i < sockets % tables) for i in range(tables)]
        work = [clients.wait(count) for clients, count in zip(self._idlers, watchers, strict=True)]
        await all_of(work, lambda n: progress("idle-tables", n, tables))
        self.idle_tables, self.idle_sockets = tables, sockets

    # ------------------------------------------------------------ playing

    async def run(self, seconds: float, before: Usage, progress: Progress) -> LoadFigures:
        """Let everybody play; `before` is what the server had used when there was no table yet."""
        gc.collect()
        gc.freeze()
        gc.disable()
        self._is_on = True
        received, frames = self._bytes_received, self._frames_received
        began, own, used = time.perf_counter(), time.process_time(), await usage(self.client)
        ready, self._waiting = self._waiting, deque[TableClients]()
        for clients in ready:
            self._ready(clients)
        while (passed := time.perf_counter() - began) < seconds:
            progress("moves", passed, seconds)
            if self.rate:
                due = int(passed * self.rate) - self.started
                for _ in range(min(due, len(self._waiting))):
                    self._play(self._waiting.popleft())
                await asyncio.sleep(BEAT)
            else:
                await asyncio.sleep(min(0.1, seconds - passed))
        moves, latencies = len(self.latencies), sorted(self.latencies)
        own_time = time.process_time() - own
        passed = time.perf_counter() - began
        after = await usage(self.client)
        # The server was busy until it answered: what it did meanwhile counts for its time, not for the rate.
        moves_after = len(self.latencies)
        await self._finish()
        gc.enable()
        count = await tables_in_memory(self.client) - self.idle_tables
        return LoadFigures(
            moves_per_second=round(moves / passed, 1),
            p50_ms=percentile(latencies, 0.50),
            p95_ms=percentile(latencies, 0.95),
            p99_ms=percentile(latencies, 0.99),
            errors=self.errors,
            tables=self.tables,
            kilobytes_per_table=round((after.kilobytes - before.kilobytes) / max(count, 1), 1),
            bytes_per_frame=round((self._bytes_received - received) / max(self._frames_received - frames, 1), 1),
            seats=self.seats,
            seconds=round(passed, 2),
            moves=moves,
            games_finished=self.games_finished,
            server_cpu_us_per_move=round((after.cpu_seconds - used.cpu_seconds) / max(moves_after, 1) * 1e6, 1),
            client_load=round(own_time / passed, 3),
            server_megabytes=round(after.kilobytes / 1000, 1),
            idle_tables=self.idle_tables,
            idle_sockets=self.idle_sockets,
        )

    started = 0

    @property
    def _bytes_received(self) -> int:
        return sum(clients.bytes_received for clients in self.tables_played)

    @property
    def _frames_received(self) -> int:
        return sum(clients.frames_received for clients in self.tables_played)

    def _play(self, clients: TableClients) -> None:
        self.started += 1
        clients.play()

    def _ready(self, clients: TableClients) -> None:
        """Schedule a table's next move, since everybody has seen the last."""
        if clients.sent_at:
            self.latencies.append(clients.took)
            clients.sent_at = 0.0
        if self._is_on and not self.rate:
            self._play(clients)
        else:
            self._waiting.append(clients)

    def _ended(self, clients: TableClients) -> None:
        self.latencies.append(clients.took)
        clients.sent_at = 0.0
        self.games_finished += 1
        if self._is_on:
            task = asyncio.get_running_loop().create_task(self._meet_again(clients))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _meet_again(self, clients: TableClients) -> None:
        try:
            await clients.meet_again()
        except NoAnswerError as problem:
            self.wrong(str(problem))

    async def _finish(self) -> None:
        """Wait for the last moves to arrive, and count an error for each that doesn't."""
        self._is_on = False
        until = time.monotonic() + FINISH_WITHIN
        while (late := [one for one in self.tables_played if one.is_waiting]) and time.monotonic() < until:
            await asyncio.sleep(0.01)
        for clients in late:
            self.wrong(f"not everybody saw row {clients.awaited} of {clients.table}")
        await asyncio.gather(*self._tasks)

    async def close(self) -> None:
        for clients in (*self.tables_played, *self._idlers):
            await clients.leave()
        await self.client.close()


def ignore(_: TableClients) -> None:
    """Do nothing: the callback of idle tables."""


async def all_of(work: Sequence[Coroutine[Any, Any, None]], done: Callable[[int], None]) -> None:
    """Await many coroutines, a few at a time."""
    left = iter(work)
    count = 0

    async def go_on() -> None:
        nonlocal count
        for one in left:
            await one
            count += 1
            done(count)

    await asyncio.gather(*(go_on() for _ in range(OPENED_AT_ONCE)))


async def usage(client: ServerClient) -> Usage:
    """Read the server's own use of CPU and memory from its metrics."""
    figures = await read_figures(client)
    return Usage(figures["process_resident_memory_bytes"] / 1000, figures["process_cpu_seconds_total"])


async def wait_until_warm(client: ServerClient) -> None:
    """Wait until a server that is ready has nothing left to compile: that would be measured too."""
    while (await read_figures(client)).get("nevel_warming"):
        await asyncio.sleep(0.2)


async def tables_in_memory(client: ServerClient) -> float:
    return (await read_figures(client))["nevel_tables"]


async def read_figures(client: ServerClient) -> dict[str, float]:
    text = (await client.ask("GET", "/metrics")).body.decode()
    return {name: float(value) for name, value in re.findall(r"^(\w+) (\S+)$", text, re.MULTILINE)}


def percentile(ordered: Sequence[float], share: float) -> float:
    """A percentile of latencies, in milliseconds."""
    return round(ordered[min(int(len(ordered) * share), len(ordered) - 1)] * 1000, 2) if ordered else 0.0
