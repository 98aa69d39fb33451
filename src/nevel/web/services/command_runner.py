"""Runs commands at the tables of this node, and measures how long they take."""

import asyncio
import time
from functools import partial

from nevel.languages import mark
from nevel.tables.domain.command import Command
from nevel.tables.domain.commands import Play
from nevel.tables.domain.refusals import MalformedError
from nevel.tables.runtime.house import House
from nevel.tables.runtime.room import Answered
from nevel.tables.tracing import tracing
from nevel.web.server.metrics import Metrics

#: The most letters of a command's id.
LONGEST_ID = 64


class CommandRunner:
    """Runs commands at tables. A repeated command is recognised by its id in the table's log."""

    def __init__(self, house: House, metrics: Metrics) -> None:
        self.house = house
        self.metrics = metrics
        #: Commands so far.
        self.count = 0
        self._timers = {
            kind: metrics.durations(
                metrics.commands.labels(kind.__struct_config__.tag or ""), metrics.moves if kind is Play else None
            )
            for kind in Command.__subclasses__()
        }

    async def run(self, table: str, command: Command, person: str, command_id: str = "") -> int:
        """Do what a person asks of a table; gives the newest row then. A repeat has the same id."""
        if isinstance(command, Play):
            stored: asyncio.Future[int] = asyncio.get_running_loop().create_future()
            if self.run_now(table, command, person, command_id, partial(settle, stored)):
                return await stored
        check_id(command_id)
        began = time.perf_counter()
        self.count += 1
        with tracing.span(f"command {type(command).__struct_config__.tag}"):
            seq = await self.house.ask(table, command, person, command_id)
        self._measure(command, began)
        return seq

    def run_now(self, table: str, command: Command, person: str, command_id: str, done: Answered) -> bool:
        """The same at once and without a task, if the table is free; False when it has to be `run`.

        A TableError says why the command is refused; `done` is called when it is stored.
        """
        check_id(command_id)
        began = time.perf_counter()

        def finish(seq: int, problem: Exception | None) -> None:
            if problem is None:
                self._measure(command, began)
            done(seq, problem)

        is_begun = self.house.ask_now(table, command, person, command_id, finish)
        self.count += is_begun
        return is_begun

    def _measure(self, command: Command, began: float) -> None:
        self._timers[type(command)].add(time.perf_counter() - began)


def settle(stored: asyncio.Future[int], seq: int, problem: Exception | None) -> None:
    """Resolve the future of a command, unless whoever waited for it has gone."""
    if stored.done():
        return
    if problem is None:
        stored.set_result(seq)
    else:
        stored.set_exception(problem)


def check_id(command_id: str) -> None:
    if len(command_id) > LONGEST_ID:
        raise MalformedError(mark("A command's id has at most {longest} characters."), longest=LONGEST_ID)
