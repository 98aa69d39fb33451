"""What people ask of tables, done once: a repeated command gets the answer the first one got."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from nevel.languages import mark
from nevel.tables.domain.command import Command
from nevel.tables.domain.commands import Play
from nevel.tables.domain.refusals import MalformedError
from nevel.tables.runtime.house import House
from nevel.tables.storage.schema import Message
from nevel.web.server.metrics import Metrics

#: Answers remembered, and the most letters of a command's id.
REMEMBERED = 20_000
LONGEST_ID = 64

Answer = TypeVar("Answer")


class Asking:
    """Hands commands to the house, each id of a person's once."""

    def __init__(self, house: House, metrics: Metrics) -> None:
        self.house = house
        self.metrics = metrics
        #: Commands so far.
        self.count = 0
        #: The log knows the ids of what changed something at a table; here are those of the rest, such as talk.
        self._answers: OrderedDict[tuple[str, str, str], asyncio.Future[Any]] = OrderedDict()
        self._timers = {
            kind: metrics.commands.labels(kind.__struct_config__.tag or "") for kind in Command.__subclasses__()
        }

    async def do(self, table: str, command: Command, person: str, click: str, is_patient: bool = False) -> int:
        """Do what somebody asks; gives the newest row then. A repeat has the same `click`."""
        check_click(click)
        began = time.perf_counter()
        self.count += 1
        if isinstance(command, Play):
            seq = await self.house.ask(table, command, person, click, is_patient)
            self.metrics.moves.inc()
        else:
            seq = await self._once((table, person, click), lambda: self.house.ask(table, command, person, click))
        self._timers[type(command)].observe(time.perf_counter() - began)
        return seq

    async def say(self, table: str, person: str, text: str, click: str = "") -> Message:
        """Let somebody talk. A repeat has the same `click`."""
        check_click(click)
        self.count += 1
        return await self._once((table, person, click), lambda: self.house.chat.say(table, person, text))

    async def _once(self, key: tuple[str, str, str], work: Callable[[], Awaitable[Answer]]) -> Answer:
        if not key[-1]:
            return await work()
        if key not in self._answers:
            self._answers[key] = asyncio.ensure_future(work())
            if len(self._answers) > REMEMBERED:
                self._answers.popitem(last=False)
        try:
            return await asyncio.shield(self._answers[key])
        except Exception:
            # What was refused may be asked again: it did nothing.
            self._answers.pop(key, None)
            raise


def check_click(click: str) -> None:
    if len(click) > LONGEST_ID:
        raise MalformedError(mark("The id of a command has at most {longest} letters."), longest=LONGEST_ID)
