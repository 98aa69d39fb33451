"""What people ask of tables, done once: a repeated command gets the answer the first one got."""

import asyncio
import time
from collections import OrderedDict

import msgspec

from nevel.languages import mark
from nevel.tables.commands import Command, Play
from nevel.tables.house import House
from nevel.tables.refusals import MalformedError
from nevel.web.metrics import Metrics

#: Answers remembered, and the most letters of a command's id.
REMEMBERED = 20_000
LONGEST_ID = 64


class Asking:
    """Hands commands to the house, each id of a person's once."""

    def __init__(self, house: House, metrics: Metrics) -> None:
        self.house = house
        self.metrics = metrics
        #: Commands so far.
        self.count = 0
        self._answers: OrderedDict[tuple[str, str, str], asyncio.Future[int]] = OrderedDict()
        self._timers = {
            kind: metrics.commands.labels(kind.__struct_config__.tag or "") for kind in Command.__subclasses__()
        }

    async def do(self, table: str, command: Command, person: str, click: str) -> int:
        """Do what somebody asks; gives the newest row then. A repeat has the same `click`."""
        if len(click) > LONGEST_ID:
            raise MalformedError(mark("The id of a command has at most {longest} letters."), longest=LONGEST_ID)
        began = time.perf_counter()
        self.count += 1
        if isinstance(command, Play):
            # The log itself knows the ids of moves, so that a repeat after a restart is one, too.
            seq = await self.house.ask(table, msgspec.structs.replace(command, id=click or command.id), person)
            self.metrics.moves.inc()
        elif click:
            seq = await self._once((table, person, click), command)
        else:
            seq = await self.house.ask(table, command, person)
        self._timers[type(command)].observe(time.perf_counter() - began)
        return seq

    async def _once(self, key: tuple[str, str, str], command: Command) -> int:
        table, person, _ = key
        if key not in self._answers:
            self._answers[key] = asyncio.ensure_future(self.house.ask(table, command, person))
            if len(self._answers) > REMEMBERED:
                self._answers.popitem(last=False)
        try:
            return await asyncio.shield(self._answers[key])
        except Exception:
            # What was refused may be asked again: it did nothing.
            self._answers.pop(key, None)
            raise
