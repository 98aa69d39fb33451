"""Figures about a running server, as Prometheus reads them."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

#: Seconds: from a quarter of a millisecond to five seconds.
BUCKETS = (0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Metrics:
    """The figures of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.moves = Counter("nevel_moves", "Moves and hints stored.", registry=self.registry)
        self.commands = Histogram(
            "nevel_command_seconds",
            "From a command to its answer, stored.",
            ["command"],
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.requests = Histogram(
            "nevel_request_seconds",
            "Requests by route and status.",
            ["method", "route", "status"],
            buckets=BUCKETS,
            registry=self.registry,
        )

    def gauge(self, name: str, what: str, value: Callable[[], float]) -> None:
        """A figure that is asked for when somebody reads it."""
        Gauge(name, what, registry=self.registry).set_function(value)

    def text(self) -> bytes:
        return generate_latest(self.registry)
