"""Runs commands at the tables of this node, and measures how long they take."""

import time

from nevel.languages import mark
from nevel.tables.domain.command import Command
from nevel.tables.domain.commands import Play
from nevel.tables.domain.refusals import MalformedError
from nevel.tables.runtime.house import House
from nevel.web.server.metrics import Metrics

#: The most letters of a command's id.
LONGEST_ID = 64


class CommandRunner:
    """Hands commands to the house. That a repeat isn't done twice is known by the table's log."""

    def __init__(self, house: House, metrics: Metrics) -> None:
        self.house = house
        self.metrics = metrics
        #: Commands so far.
        self.count = 0
        self._timers = {
            kind: metrics.commands.labels(kind.__struct_config__.tag or "") for kind in Command.__subclasses__()
        }

    async def run(
        self, table: str, command: Command, person: str, command_id: str = "", is_uncancellable: bool = False
    ) -> int:
        """Do what a person asks of a table; gives the newest row then. A repeat has the same id."""
        check_id(command_id)
        began = time.perf_counter()
        self.count += 1
        seq = await self.house.ask(table, command, person, command_id, is_uncancellable)
        if isinstance(command, Play):
            self.metrics.moves.inc()
        self._timers[type(command)].observe(time.perf_counter() - began)
        return seq


def check_id(command_id: str) -> None:
    if len(command_id) > LONGEST_ID:
        raise MalformedError(mark("The id of a command has at most {longest} letters."), longest=LONGEST_ID)
