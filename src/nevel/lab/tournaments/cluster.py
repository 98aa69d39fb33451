"""Plays a tournament on a Ray cluster: the same games as on one core.

Nevel has to be installed on every node, in the same version; outside programs have to be there, too.
"""

import importlib
import os
import socket
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, NamedTuple

from nevel.lab.matches.ladder import Ladder
from nevel.lab.matches.match import Match
from nevel.lab.tournaments.plan import Plan
from nevel.lab.tournaments.tournament import Piece, Runner, play_piece
from nevel.languages import SpokenError, mark

#: Pieces under way for every processor of the cluster: enough that none waits for the next.
AHEAD = 2
#: Seconds in which somebody has to answer at the address of a cluster.
CONNECT_SECONDS = 10.0


class ClusterError(SpokenError):
    """The cluster can't be reached, or doesn't do its work."""


class OtherVersionError(Exception):
    """A node has other rules or bots than the process that asks."""


class Order(NamedTuple):
    """A plan on its way to the nodes, with the fingerprint it has where it comes from."""

    plan: Plan
    fingerprint: str


#: On a node: the ladders of the plan it plays at present, laid out once per process.
laid_out: dict[str, list[Ladder]] = {}


def play_on_node(order: Order, event: int, jobs: Piece) -> list[Match]:
    """What a node does."""
    if order.fingerprint not in laid_out:
        if order.plan.fingerprint() != order.fingerprint:
            raise OtherVersionError
        laid_out.clear()
        laid_out[order.fingerprint] = order.plan.ladders()
    return play_piece(laid_out[order.fingerprint][event], jobs)


def knock(address: str) -> None:
    """Whether anybody answers there: Ray itself would try for minutes. Addresses without a port are Ray's to find."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()


class Cluster:
    """A connection to a Ray cluster."""

    def __init__(self, address: str) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            self.ray: Any = importlib.import_module("ray")
        except ImportError:
            raise ClusterError(mark("For a cluster install what it needs: pip install 'nevel[cluster]'")) from None
        try:
            knock(address)
            self.ray.init(address=address, configure_logging=False, log_to_driver=False)
        except (OSError, RuntimeError, ValueError) as problem:
            message = mark("There is no Ray cluster at {address} ({reason}).")
            reason = (str(problem).splitlines() or [type(problem).__name__])[0]
            raise ClusterError(message, address=address, reason=reason) from problem

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ray.shutdown()

    @property
    def cores(self) -> int:
        return int(self.ray.cluster_resources().get("CPU", 1))

    def runner(self, plan: Plan) -> Runner:
        """Play a plan's pieces on the nodes. A piece whose node is lost is played again on another."""
        order = self.ray.put(Order(plan, plan.fingerprint()))
        play = self.ray.remote(play_on_node)

        def run(event: int, pieces: Sequence[Piece]) -> Iterator[tuple[int, list[Match]]]:
            numbers = iter(range(len(pieces)))
            running: dict[Any, int] = {}
            while True:
                while len(running) < AHEAD * self.cores and (number := next(numbers, None)) is not None:
                    running[play.remote(order, event, list(pieces[number]))] = number
                if not running:
                    return
                (done, *_), _ = self.ray.wait(list(running))
                yield running.pop(done), self.result(done)

        return run

    def result(self, done: Any) -> list[Match]:
        try:
            return self.ray.get(done)
        except OtherVersionError as problem:
            message = mark("A node of the cluster has another version of Nevel. Install the same version everywhere.")
            raise ClusterError(message) from problem
        except self.ray.exceptions.RayError as problem:
            reason = (str(problem).strip().splitlines() or [""])[-1]
            raise ClusterError(mark("The cluster couldn't play a piece ({reason})."), reason=reason) from problem
