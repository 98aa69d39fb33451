"""Metrics of a running server in Prometheus's format; those of several workers are added up."""

import os
from collections.abc import Callable
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

#: Seconds: from a quarter of a millisecond to five seconds.
BUCKETS = (0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
#: Where the library looks for the folder in which workers write down their figures; read when it is imported.
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"


class Metrics:
    """The figures of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.folder = os.environ.get(SHARED_FOLDER)
        self._gauges: list[tuple[Gauge, Callable[[], float]]] = []
        # Memory and time of this process, where the system tells.
        ProcessCollector(registry=self.registry)
        self.moves = Counter("nevel_moves", "Moves and hints stored.", registry=self.registry)
        self.commands = Histogram(
            "nevel_command_seconds",
            "From a command to its answer, stored.",
            ["command"],
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.loop_lag = Histogram(
            "nevel_loop_lag_seconds",
            "How much later than promised the event loop came back to a task, measured four times a second.",
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
        """Register a gauge whose value is computed when metrics are read; summed over workers."""
        self._gauges.append((Gauge(name, what, registry=self.registry, multiprocess_mode="livesum"), value))

    def look(self) -> None:
        """Compute all gauges now, so that other workers can report them too."""
        for gauge, value in self._gauges:
            gauge.set(value())

    def text(self) -> bytes:
        self.look()
        if self.folder is None:
            return generate_latest(self.registry)
        forget_the_dead(Path(self.folder))
        together = CollectorRegistry()
        MultiProcessCollector(together, self.folder)
        return generate_latest(together)


def forget_the_dead(folder: Path) -> None:
    """Drop the gauges of dead workers; their counters stay in the sums."""
    for file in folder.glob("gauge_live*.db"):
        worker = int(file.stem.rpartition("_")[2])
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            file.unlink(missing_ok=True)
